//! A step of a contact group that multibodies take part in: velocities of joints and of free bodies are one vector,
//! contacts, limits and dry friction are rows of it, and the mass matrices are those of composite rigid bodies
//! (Mirtich, appendix A). Springs, dampers and motors are implicit, so that stiff ones do not blow up.

mod factors;
mod rows;
mod spots;

use super::{Acting, MultibodyBody};
use factors::Factors;
use multibody::coordinates::rotation_vector;
use multibody::loops::Loops;
use multibody::{JointKind, Workspace};
use physics::groups::manifold::Manifolds;
use physics::groups::{
    Member, Memory, Neighbour, Report, SolverError, Span, Surroundings, Touch, contacts,
};
use physics::rotation::{turned, world_tensor};
use physics::{Mat3, Quat, State, Vec3};
use rows::Rows;
use spots::Spot;
use std::collections::BTreeMap;

/// Sub-steps of a step.
const SUBSTEPS: u32 = 4;
/// Sweeps over all rows with overlaps pushed out, and after the positions have moved without.
const SWEEPS: u32 = 16;
const RELAXING: u32 = 4;
/// A sweep that changes no row's velocity by more than this ends the sweeps, m/s or rad/s.
const SETTLED: f64 = 1e-9;
/// Depth that is left alone, metres.
const SLOP: f64 = 1e-4;
/// Share of an overlap that is pushed out in a sub-step, and the largest speed of that, m/s.
const PUSH_OUT: f64 = 0.2;
const PUSH_OUT_SPEED: f64 = 1.0;
/// A limit farther away than this, rad or m, has no row.
const FAR_FROM_LIMIT: f64 = 0.05;
/// How close loops are brought after each sub-step, m or rad.
const LOOP_TOLERANCE: f64 = 1e-9;

/// A multibody that takes part in a step.
#[derive(Debug)]
pub struct Tree<'a> {
    /// Its number in the world.
    pub index: usize,
    /// The multibody.
    pub made: &'a MultibodyBody,
    /// Its joints, before and after.
    pub joints: Vec<f64>,
    /// Control signals of its motors, and forces on its links.
    pub acting: &'a Acting,
    /// The place of each of its links among the members.
    pub places: Vec<u32>,
}

/// Where the velocities of a member are.
#[derive(Clone, Copy)]
enum Holder {
    /// A free body: six entries from here on.
    Free(usize),
    /// A link: the tree and the link's number there.
    Link(usize, usize),
}

/// Memory for one multibody's part in steps.
struct TreeRoom {
    ws: Workspace,
    loops: Loops,
    factors: Factors,
    /// Stiffness and damping along each freedom that a step takes implicitly.
    implicit: [Vec<f64>; 2],
    tau: Vec<f64>,
    push: Vec<f64>,
}

impl TreeRoom {
    fn new(made: &MultibodyBody) -> Self {
        let n = made.model.velocities();
        TreeRoom {
            ws: Workspace::new(&made.model),
            loops: made.loops.clone(),
            factors: Factors::default(),
            implicit: implicit(made),
            tau: vec![0.0; n],
            push: vec![0.0; n],
        }
    }
}

/// Memory for steps, used again. Nothing in it decides anything.
#[derive(Default)]
pub struct StepRoom {
    /// By the multibody's number in the world.
    trees: BTreeMap<usize, TreeRoom>,
    manifolds: Manifolds,
    rows: Rows,
    spots: Vec<Spot>,
    velocities: Vec<f64>,
    warm: Vec<f64>,
}

/// The group as one system.
struct System<'a, 'm, 'n, 't> {
    members: &'a mut [Member<'m>],
    neighbours: &'a [Neighbour<'n>],
    trees: &'a mut [Tree<'t>],
    rooms: &'a mut [TreeRoom],
    holders: Vec<Holder>,
    /// Where each tree's velocities begin.
    offsets: Vec<usize>,
    velocities: &'a mut Vec<f64>,
    spots: &'a mut Vec<Spot>,
    rows: &'a mut Rows,
    /// Seconds gone since the step's start.
    gone: f64,
}

/// Advances members and trees over a span. Neighbours keep their velocities. `memory` holds the contact forces of the
/// step before, and of this one afterwards.
#[allow(clippy::too_many_arguments)]
pub fn step(
    span: Span,
    margin: f64,
    members: &mut [Member],
    around: &Surroundings<'_>,
    trees: &mut [Tree<'_>],
    memory: &mut Memory,
    room: &mut StepRoom,
    report: &mut Report,
) -> Result<(), SolverError> {
    let StepRoom {
        trees: kept,
        manifolds,
        rows,
        spots,
        velocities,
        warm,
    } = room;
    contacts::check(members, around.neighbours, "at the step's start")?;
    let (neighbours, pairs) = (around.neighbours, around.pairs);
    contacts::find(members, neighbours, pairs, margin, span.seconds, manifolds)?;
    report.clear();
    report.deepest = manifolds.deepest();
    let h = span.seconds / f64::from(SUBSTEPS);
    spots::find(members, neighbours, manifolds, (memory, h), spots);
    let room_of = |tree: &Tree<'_>| {
        let known = kept.remove(&tree.index);
        known.unwrap_or_else(|| TreeRoom::new(tree.made))
    };
    let mut rooms: Vec<TreeRoom> = trees.iter().map(room_of).collect();
    warm.clear();
    warm.extend(spots.iter().flat_map(|spot| spot.held));
    let mut system = System::new(
        (members, neighbours, trees),
        (&mut rooms, velocities, spots, rows),
    );
    for _ in 0..SUBSTEPS {
        system.accelerate(h);
        system.rows(h);
        system.start_from(warm);
        system.settle(SWEEPS, false);
        system.displace(h);
        system.settle(RELAXING, true);
        system.close_loops();
        warm.clear();
        warm.extend(system.rows.list.iter().map(|row| row.impulse));
        system.rows.note_keys();
        system.note_impulses(h);
        system.gone += h;
    }
    system.rows.forget_keys();
    system.conclude(margin, report);
    spots::remember(members, neighbours, spots, span.seconds, memory);
    for (tree, room) in trees.iter().zip(rooms) {
        kept.insert(tree.index, room);
    }
    contacts::check(members, &[], "at the step's end")
}

impl<'a, 'm, 'n, 't> System<'a, 'm, 'n, 't> {
    #[allow(clippy::type_complexity)]
    fn new(
        (members, neighbours, trees): (
            &'a mut [Member<'m>],
            &'a [Neighbour<'n>],
            &'a mut [Tree<'t>],
        ),
        (rooms, velocities, spots, rows): (
            &'a mut [TreeRoom],
            &'a mut Vec<f64>,
            &'a mut Vec<Spot>,
            &'a mut Rows,
        ),
    ) -> Self {
        let mut holders = vec![Holder::Free(usize::MAX); members.len()];
        let mut offsets = Vec::with_capacity(trees.len());
        velocities.clear();
        for (t, tree) in trees.iter().enumerate() {
            offsets.push(velocities.len());
            velocities.extend_from_slice(&tree.joints[tree.made.model.positions()..]);
            for (link, place) in tree.made.links.iter().zip(&tree.places) {
                holders[*place as usize] = Holder::Link(t, link.link as usize);
            }
        }
        for (member, holder) in members.iter().zip(&mut holders) {
            if let Holder::Free(at) = holder {
                *at = velocities.len();
                velocities.extend(member.state.velocity.to_array());
                velocities.extend(member.state.spin.to_array());
            }
        }
        System {
            members,
            neighbours,
            trees,
            rooms,
            holders,
            offsets,
            velocities,
            spots,
            rows,
            gone: 0.0,
        }
    }

    /// Velocities after a sub-step without contacts; leaves kinematics and factors of the positions now, and puts the
    /// links there.
    fn accelerate(&mut self, h: f64) {
        for (t, (tree, room)) in self.trees.iter().zip(self.rooms.iter_mut()).enumerate() {
            let (made, model) = (tree.made, &*tree.made.model);
            let n = model.velocities();
            let q = &tree.joints[..model.positions()];
            let v = &mut self.velocities[self.offsets[t]..self.offsets[t] + n];
            let TreeRoom {
                ws,
                factors,
                implicit: [stiffness, damping],
                tau,
                push,
                ..
            } = room;
            tau.fill(0.0);
            for (motor, control) in made.motors.iter().zip(&tree.acting.controls) {
                motor.add(*control, q, v, tau);
            }
            ws.hold_forces(&tree.acting.forces);
            model.net_forces(q, v, tau, ws, push);
            factors.remake(n, |mass| {
                model.mass_matrix_here(ws, mass);
                for i in 0..n {
                    push[i] = h * push[i] - h * h * stiffness[i] * v[i];
                    mass[i * n + i] += h * damping[i] + h * h * stiffness[i];
                }
            });
            factors.solve(push);
            v.iter_mut().zip(&*push).for_each(|(v, dv)| *v += dv);
            for (link, place) in made.links.iter().zip(&tree.places) {
                self.members[*place as usize].state = link.state(ws);
            }
        }
        for (member, holder) in self.members.iter().zip(&self.holders) {
            if let Holder::Free(at) = holder {
                let fall = member.model.gravity * h;
                for k in 0..3 {
                    self.velocities[at + k] += fall[k];
                }
            }
        }
    }

    /// All rows: three for each spot, then limits and dry friction of the trees' joints.
    fn rows(&mut self, h: f64) {
        self.rows.clear();
        for k in 0..self.spots.len() {
            let (spot, arms) = (&self.spots[k], self.points_of(&self.spots[k]));
            let gap = spot.normal.dot(arms[0] - arms[1]) - spot.rest;
            let (directions, pair) = ([spot.normal, spot.across[0], spot.across[1]], spot.pair);
            self.spots[k].gap = self.spots[k].gap.min(gap + self.spots[k].rest);
            let given = self.velocity_of(pair.1, arms[1]);
            for (axis, direction) in directions.into_iter().enumerate() {
                self.rows.begin();
                self.lean(pair.0, arms[0], direction);
                self.lean(pair.1, arms[1], -direction);
                let moving = direction.dot(given);
                let row = self.rows.finish();
                if axis == 0 {
                    row.most = f64::INFINITY;
                    let deep = (-gap - SLOP).max(0.0);
                    let push = (PUSH_OUT * deep / h).min(PUSH_OUT_SPEED);
                    row.target = if gap > 0.0 { -gap / h } else { push } + moving;
                    row.relaxed = if gap > 0.0 { -gap / h } else { 0.0 } + moving;
                } else {
                    (row.target, row.relaxed) = (moving, moving);
                }
            }
        }
        for t in 0..self.trees.len() {
            self.joint_rows(t, h);
        }
    }

    fn joint_rows(&mut self, t: usize, h: f64) {
        let made = self.trees[t].made;
        let model = &*made.model;
        for k in 0..model.len() {
            let joint = &model.link(k).joint;
            let (position, dof) = (model.position_index(k), model.velocity_index(k));
            let freedoms = joint.kind.velocities();
            if let Some(limits) = joint.limits {
                let (q, v) = (&self.trees[t].joints, &self.velocities[self.offsets[t]..]);
                match joint.kind {
                    JointKind::Hinge(_) | JointKind::Slide(_) => {
                        let along = |row: &mut [f64], sign: f64| row[dof] = sign;
                        let now = [q[position], v[dof]];
                        self.limit_rows(t, (now, limits), key(t, dof, 0), h, along);
                    }
                    JointKind::Ball => {
                        // A ball has a largest angle from its reference; what turns it farther turns it about its axis.
                        let [w, x, y, z] = [0, 1, 2, 3].map(|k| q[position + k]);
                        let turn = rotation_vector(Quat::from_xyzw(x, y, z, w));
                        let (angle, axis) = (turn.length(), turn.normalize_or_zero());
                        let along = |row: &mut [f64], sign: f64| {
                            row[dof..dof + 3].copy_from_slice(&(axis * sign).to_array());
                        };
                        let limits = (f64::NEG_INFINITY, limits.1);
                        let now = [angle, axis.dot(Vec3::new(v[dof], v[dof + 1], v[dof + 2]))];
                        self.limit_rows(t, (now, limits), key(t, dof, 0), h, along);
                    }
                    JointKind::Fixed | JointKind::Free => {}
                }
            }
            if joint.friction_loss > 0.0 {
                for c in 0..freedoms {
                    let row = self.tree_row(t, |along| along[dof + c] = 1.0);
                    row.key = key(t, dof + c, 2);
                    (row.least, row.most) = (-joint.friction_loss * h, joint.friction_loss * h);
                }
            }
        }
        for (place, tendon) in made.tendons.iter().enumerate() {
            let place = model.velocities() + place;
            let along = |row: &mut [f64], sign: f64| {
                for (at, coefficient) in &tendon.length.terms {
                    row[at.velocity] += sign * coefficient;
                }
            };
            if let Some(limits) = tendon.limits {
                let now = [
                    tendon.length.value(&self.trees[t].joints),
                    tendon.length.rate(&self.velocities[self.offsets[t]..]),
                ];
                self.limit_rows(t, (now, limits), key(t, place, 0), h, along);
            }
            if tendon.friction_loss > 0.0 {
                let row = self.tree_row(t, |row| along(row, 1.0));
                row.key = key(t, place, 2);
                (row.least, row.most) = (-tendon.friction_loss * h, tendon.friction_loss * h);
            }
        }
    }

    /// Rows that keep a combination of a tree's velocities from taking a value, given with its speed, beyond its
    /// limits, if it is near one.
    /// The upper limit's key is the lower one's plus one.
    fn limit_rows(
        &mut self,
        t: usize,
        ([value, speed], (low, high)): ([f64; 2], (f64, f64)),
        key: u64,
        h: f64,
        along: impl Fn(&mut [f64], f64),
    ) {
        for (which, sign, room) in [(0, 1.0, value - low), (1, -1.0, high - value)] {
            if room > FAR_FROM_LIMIT + 4.0 * h * speed.abs() {
                continue;
            }
            let row = self.tree_row(t, |row| along(row, sign));
            row.key = key + which;
            row.most = f64::INFINITY;
            let back = (PUSH_OUT * -room / h).clamp(0.0, PUSH_OUT_SPEED);
            row.target = if room > 0.0 { -room / h } else { back };
            row.relaxed = if room > 0.0 { -room / h } else { 0.0 };
        }
    }

    /// A row on a combination of one tree's velocities.
    fn tree_row(&mut self, t: usize, fill: impl FnOnce(&mut [f64])) -> &mut rows::Row {
        let factors = &self.rooms[t].factors;
        self.rows.begin();
        self.rows
            .lean((self.offsets[t], factors.n), fill, |along, moves| {
                moves.copy_from_slice(along);
                factors.solve(moves);
            });
        self.rows.finish()
    }

    /// Adds a unit impulse on a body at a point of the world to the newest row.
    fn lean(&mut self, body: u32, point: Vec3, direction: Vec3) {
        match self.holders.get(body as usize).copied() {
            None => {}
            Some(Holder::Free(at)) => {
                let member = &self.members[body as usize];
                let arm = (point - member.state.position).cross(direction);
                let inverse = member.model.mass.inverse_inertia;
                let turn = world_tensor(member.state.rotation, inverse) * arm;
                let push = direction * member.model.mass.inverse_mass;
                self.rows.lean(
                    (at, 6),
                    |along| {
                        along[..3].copy_from_slice(&direction.to_array());
                        along[3..].copy_from_slice(&arm.to_array());
                    },
                    |_, moves| {
                        moves[..3].copy_from_slice(&push.to_array());
                        moves[3..].copy_from_slice(&turn.to_array());
                    },
                );
            }
            Some(Holder::Link(t, link)) => {
                let (model, room) = (&*self.trees[t].made.model, &self.rooms[t]);
                self.rows.lean(
                    (self.offsets[t], room.factors.n),
                    |along| {
                        model.jacobian_columns(&room.ws, link, point, |dof, motion| {
                            along[dof] += motion.lin.dot(direction);
                        });
                    },
                    |along, moves| {
                        moves.copy_from_slice(along);
                        room.factors.solve(moves);
                    },
                );
            }
        }
    }

    /// The velocity at a point of a body that does not yield; zero for all others.
    fn velocity_of(&self, body: u32, point: Vec3) -> Vec3 {
        match (body as usize).checked_sub(self.members.len()) {
            None => Vec3::ZERO,
            Some(index) => {
                let state = &self.neighbours[index].state;
                let centre = state.position + state.velocity * self.gone;
                state.velocity + state.spin.cross(point - centre)
            }
        }
    }

    /// Where the points of a spot are now.
    fn points_of(&self, spot: &Spot) -> [Vec3; 2] {
        let pose = |body: u32| match (body as usize).checked_sub(self.members.len()) {
            None => self.members[body as usize].state.pose(),
            Some(index) => self.neighbours[index].pose_after(self.gone),
        };
        spot.surface([pose(spot.pair.0), pose(spot.pair.1)])
    }

    /// Begins with the impulses of the sub-step before.
    fn start_from(&mut self, warm: &[f64]) {
        let spots = 3 * self.spots.len();
        for k in 0..self.rows.list.len() {
            // Rows of joints come and go.
            let before = if k < spots {
                Some(k)
            } else {
                self.rows.place_before(k)
            };
            let Some(&impulse) = before.and_then(|place| warm.get(place)) else {
                continue;
            };
            self.rows.list[k].impulse = impulse;
            let row = self.rows.list[k];
            self.rows.apply(&row, impulse, self.velocities);
        }
    }

    /// Sweeps over all rows until nothing changes any more.
    fn settle(&mut self, sweeps: u32, is_relaxed: bool) {
        for _ in 0..sweeps {
            if self.sweep(is_relaxed) <= SETTLED {
                break;
            }
        }
    }

    /// One sweep over all rows; returns the largest change of a row's velocity.
    fn sweep(&mut self, is_relaxed: bool) -> f64 {
        let spots = 3 * self.spots.len();
        let mut largest = 0.0f64;
        let mut k = 0;
        while k < self.rows.list.len() {
            let row = self.rows.list[k];
            let target = if is_relaxed { row.relaxed } else { row.target };
            let now = self.rows.velocity(&row, self.velocities);
            let wanted = row.impulse + (target - now) * row.mass;
            largest = largest.max(self.change(k, wanted.clamp(row.least, row.most)));
            k += 1;
            if k < spots {
                let most = self.spots[k / 3].friction * self.rows.list[k - 1].impulse;
                largest = largest.max(self.rub(k, most));
                k += 2;
            }
        }
        largest
    }

    /// Gives a row another impulse; returns the change of its velocity.
    fn change(&mut self, k: usize, impulse: f64) -> f64 {
        let row = self.rows.list[k];
        let change = impulse - row.impulse;
        if change == 0.0 {
            return 0.0;
        }
        self.rows.list[k].impulse = impulse;
        self.rows.apply(&row, change, self.velocities);
        if row.mass > 0.0 {
            (change / row.mass).abs()
        } else {
            0.0
        }
    }

    /// Friction at one spot: both directions together stay within `most`.
    fn rub(&mut self, first: usize, most: f64) -> f64 {
        let now = self.rows.velocities(first, self.velocities);
        let [a, b] = [self.rows.list[first], self.rows.list[first + 1]];
        let mut wanted = [
            a.impulse + (a.target - now[0]) * a.mass,
            b.impulse + (b.target - now[1]) * b.mass,
        ];
        let size = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt();
        if size > most {
            wanted = wanted.map(|impulse| impulse * (most / size));
        }
        let change = [wanted[0] - a.impulse, wanted[1] - b.impulse];
        if change == [0.0; 2] {
            return 0.0;
        }
        (
            self.rows.list[first].impulse,
            self.rows.list[first + 1].impulse,
        ) = (wanted[0], wanted[1]);
        self.rows.apply_both(first, change, self.velocities);
        let moved = |change: f64, mass: f64| match mass > 0.0 {
            true => (change / mass).abs(),
            false => 0.0,
        };
        moved(change[0], a.mass).max(moved(change[1], b.mass))
    }

    /// Adds what the contacts have pushed in a sub-step.
    fn note_impulses(&mut self, h: f64) {
        for (spot, rows) in self.spots.iter_mut().zip(self.rows.list.chunks(3)) {
            spot.impulse += rows[0].impulse;
            spot.force = spot.normal * (rows[0].impulse / h)
                + spot.across[0] * (rows[1].impulse / h)
                + spot.across[1] * (rows[2].impulse / h);
        }
    }

    /// Moves everything along its velocities.
    fn displace(&mut self, h: f64) {
        for (t, (tree, room)) in self.trees.iter_mut().zip(self.rooms.iter_mut()).enumerate() {
            let (made, ws) = (tree.made, &mut room.ws);
            let (q, own) = tree.joints.split_at_mut(made.model.positions());
            let v = &self.velocities[self.offsets[t]..self.offsets[t] + own.len()];
            own.copy_from_slice(v);
            made.model.displace(q, v, h);
            if !room.loops.is_empty() {
                room.loops
                    .close_positions(&made.model, q, ws, LOOP_TOLERANCE);
            }
        }
        for (member, holder) in self.members.iter_mut().zip(&self.holders) {
            let Holder::Free(at) = *holder else {
                continue;
            };
            let vector = |at: usize| {
                Vec3::new(
                    self.velocities[at],
                    self.velocities[at + 1],
                    self.velocities[at + 2],
                )
            };
            let (velocity, spin) = (vector(at), vector(at + 3));
            let inertia = member.model.mass.inertia;
            let momentum = world_tensor(member.state.rotation, inertia) * spin;
            let rotation: Quat = turned(member.state.rotation, spin, h);
            let inverse: Mat3 = world_tensor(rotation, member.model.mass.inverse_inertia);
            let spin = inverse * momentum;
            member.state = State {
                position: member.state.position + velocity * h,
                velocity,
                rotation,
                spin,
            };
            self.velocities[at + 3..at + 6].copy_from_slice(&spin.to_array());
        }
    }

    /// Velocities that agree with the loops.
    fn close_loops(&mut self) {
        for (t, (tree, room)) in self.trees.iter().zip(self.rooms.iter_mut()).enumerate() {
            if room.loops.is_empty() {
                continue;
            }
            let model = &*tree.made.model;
            let v = &mut self.velocities[self.offsets[t]..self.offsets[t] + model.velocities()];
            let q = &tree.joints[..model.positions()];
            room.loops.close_velocities(model, q, v, &mut room.ws);
        }
    }

    /// Writes the velocities back and tells what touched.
    fn conclude(self, margin: f64, report: &mut Report) {
        let rooms = self.rooms.iter_mut();
        for (t, (tree, room)) in self.trees.iter_mut().zip(rooms).enumerate() {
            let made = tree.made;
            let n = made.model.velocities();
            let v = &self.velocities[self.offsets[t]..self.offsets[t] + n];
            let positions = made.model.positions();
            tree.joints[positions..].copy_from_slice(v);
            made.model.normalize(&mut tree.joints[..positions]);
            made.link_states(&tree.joints, &mut room.ws, |place, state| {
                self.members[tree.places[place] as usize].state = state;
            });
        }
        for (member, holder) in self.members.iter_mut().zip(&self.holders) {
            if let Holder::Free(at) = *holder {
                let v = &self.velocities[at..at + 6];
                member.state.velocity = Vec3::new(v[0], v[1], v[2]);
                member.state.spin = Vec3::new(v[3], v[4], v[5]);
            }
        }
        for spot in self.spots.iter() {
            let [a, b] = [spot.pair.0, spot.pair.1]
                .map(|k| contacts::body_id(self.members, self.neighbours, k as usize));
            let points = self.points_of(spot);
            let gap = spot.normal.dot(points[0] - points[1]).min(spot.gap);
            report.touches.push(Touch {
                a: a.min(b),
                b: a.max(b),
                gap,
                normal_impulse: spot.impulse,
            });
        }
        contacts::merge_touches(&mut report.touches, margin);
    }
}

/// What a row of a joint is known by: its tree, its freedom, and which of the rows there it is.
fn key(tree: usize, dof: usize, which: u64) -> u64 {
    ((tree as u64 + 1) << 32) | ((dof as u64) << 2) | which
}

/// Stiffness and damping along each freedom that a step takes implicitly: those of the joints and of motors on
/// single joints.
fn implicit(made: &MultibodyBody) -> [Vec<f64>; 2] {
    let model = &made.model;
    let n = model.velocities();
    let (mut stiffness, mut damping) = (vec![0.0; n], vec![0.0; n]);
    for k in 0..model.len() {
        let joint = &model.link(k).joint;
        let dof = model.velocity_index(k);
        for c in dof..dof + joint.kind.velocities() {
            damping[c] += joint.damping;
            if matches!(joint.kind, JointKind::Hinge(_) | JointKind::Slide(_)) {
                stiffness[c] += joint.stiffness;
            }
        }
    }
    for motor in &made.motors {
        if let [(at, gear)] = motor.transmission.terms[..] {
            stiffness[at.velocity] += (-motor.bias[1]).max(0.0) * gear * gear;
            damping[at.velocity] += (-motor.bias[2]).max(0.0) * gear * gear;
        }
    }
    [stiffness, damping]
}
