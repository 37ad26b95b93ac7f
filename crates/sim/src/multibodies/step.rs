//! A step of a contact group that multibodies take part in: velocities of joints and of free bodies are one vector,
//! contacts, limits and dry friction are rows of it, and the mass matrices are those of composite rigid bodies
//! (Mirtich, appendix A). Springs, dampers and motors are implicit, so that stiff ones do not blow up.

use super::MultibodyBody;
use multibody::{JointKind, Workspace};
use physics::groups::manifold::Manifolds;
use physics::groups::{
    Member, Neighbour, Report, SolverError, Span, Surroundings, Touch, contacts,
};
use physics::rotation::{turned, world_tensor};
use physics::{Mat3, Quat, State, Vec3};

/// Sub-steps of a step.
const SUBSTEPS: u32 = 8;
/// Sweeps over all rows with overlaps pushed out, and after the positions have moved without.
const SWEEPS: u32 = 16;
const RELAXING: u32 = 4;
/// Depth that is left alone, and distance that bare polytopes keep, metres.
const SLOP: f64 = 1e-4;
const SKIN: f64 = 4e-4;
/// Share of an overlap that is pushed out in a sub-step, and the largest speed of that, m/s.
const PUSH_OUT: f64 = 0.2;
const PUSH_OUT_SPEED: f64 = 1.0;
/// How close loops are brought after each sub-step, m or rad.
const LOOP_TOLERANCE: f64 = 1e-9;

/// A multibody that takes part in a step.
#[derive(Debug)]
pub struct Tree<'a> {
    /// The multibody.
    pub made: &'a MultibodyBody,
    /// Its joints, before and after.
    pub joints: Vec<f64>,
    /// Control signals of its motors.
    pub controls: Vec<f64>,
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

/// One row: a combination of velocities that is kept from, or held at, a value.
#[derive(Clone, Debug, Default)]
struct Row {
    /// Entries of the Jacobian.
    along: Vec<(usize, f64)>,
    /// What a unit impulse does to the velocities.
    moves: Vec<(usize, f64)>,
    /// One over what a unit impulse does along the row.
    mass: f64,
    impulse: f64,
    /// The impulse stays within these.
    least: f64,
    most: f64,
    /// The row's velocity is sought to be at least (or just) this.
    target: f64,
    /// The same once positions have moved.
    relaxed: f64,
}

/// A contact point: fixed to both bodies.
struct Spot {
    pair: (u32, u32),
    normal: Vec3,
    across: [Vec3; 2],
    /// In the frames of the bodies.
    points: [Vec3; 2],
    friction: f64,
    /// Distance at which it rests.
    rest: f64,
    gap: f64,
    impulse: f64,
}

/// The group as one system.
struct System<'a, 'm, 'n, 't> {
    members: &'a mut [Member<'m>],
    neighbours: &'a [Neighbour<'n>],
    trees: &'a mut [Tree<'t>],
    workspaces: Vec<Workspace>,
    factors: Vec<Factors>,
    holders: Vec<Holder>,
    /// Where each tree's velocities begin.
    offsets: Vec<usize>,
    velocities: Vec<f64>,
    spots: Vec<Spot>,
    /// Seconds gone since the step's start.
    gone: f64,
}

/// Cholesky factors of a tree's mass matrix with its implicit springs and dampers.
#[derive(Clone, Debug, Default)]
struct Factors {
    n: usize,
    l: Vec<f64>,
}

impl Factors {
    /// Factors of a symmetric positive matrix; entries that are lost to rounding do not move.
    fn new(n: usize, mut m: Vec<f64>) -> Self {
        for j in 0..n {
            for k in 0..j {
                let factor = m[j * n + k];
                for i in j..n {
                    m[i * n + j] -= m[i * n + k] * factor;
                }
            }
            let pivot = m[j * n + j];
            let scale = if pivot > 0.0 { 1.0 / pivot.sqrt() } else { 0.0 };
            for i in j..n {
                m[i * n + j] *= scale;
            }
        }
        Factors { n, l: m }
    }

    fn solve(&self, b: &mut [f64]) {
        let n = self.n;
        let over = |pivot: f64| if pivot > 0.0 { 1.0 / pivot } else { 0.0 };
        for i in 0..n {
            let done: f64 = (0..i).map(|k| self.l[i * n + k] * b[k]).sum();
            b[i] = (b[i] - done) * over(self.l[i * n + i]);
        }
        for i in (0..n).rev() {
            let done: f64 = (i + 1..n).map(|k| self.l[k * n + i] * b[k]).sum();
            b[i] = (b[i] - done) * over(self.l[i * n + i]);
        }
    }
}

/// Advances members and trees over a span. Neighbours keep their velocities.
pub fn step(
    span: Span,
    margin: f64,
    members: &mut [Member],
    around: &Surroundings<'_>,
    trees: &mut [Tree<'_>],
    report: &mut Report,
) -> Result<(), SolverError> {
    contacts::check(members, around.neighbours, "at the step's start")?;
    let mut manifolds = Manifolds::default();
    contacts::find(
        members,
        around.neighbours,
        around.pairs,
        margin,
        span.seconds,
        &mut manifolds,
    )?;
    report.clear();
    report.deepest = manifolds.deepest();
    let spots = spots(members, around.neighbours, &manifolds);
    let mut system = System::new(members, around.neighbours, trees, spots);
    let h = span.seconds / f64::from(SUBSTEPS);
    let mut warm: Vec<f64> = Vec::new();
    for _ in 0..SUBSTEPS {
        system.accelerate(h);
        let mut rows = system.rows(h);
        for (row, impulse) in rows.iter_mut().zip(&warm) {
            row.impulse = *impulse;
            system.apply(row, *impulse);
        }
        for _ in 0..SWEEPS {
            system.sweep(&mut rows, false);
        }
        system.displace(h);
        for _ in 0..RELAXING {
            system.sweep(&mut rows, true);
        }
        system.close_loops();
        warm.clear();
        warm.extend(rows.iter().map(|row| row.impulse));
        for (spot, row) in system.spots.iter_mut().zip(rows.chunks(3)) {
            spot.impulse += row[0].impulse;
        }
        system.gone += h;
    }
    system.conclude(margin, report);
    contacts::check(members, &[], "at the step's end")
}

fn spots(members: &[Member], neighbours: &[Neighbour], manifolds: &Manifolds) -> Vec<Spot> {
    let mut spots = Vec::new();
    for manifold in &manifolds.list {
        let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
        let [a, b] = [i, j].map(|k| contacts::body(members, neighbours, k));
        let (y, z) = manifold.normal.any_orthonormal_pair();
        for point in manifolds.points_of(manifold) {
            spots.push(Spot {
                pair: manifold.pair,
                normal: manifold.normal,
                across: [y, z],
                points: [
                    a.1.pose().inverse_transform_point(point.on_a),
                    b.1.pose().inverse_transform_point(point.on_b),
                ],
                friction: a.0.meeting(b.0).material.friction,
                rest: if manifold.rests_apart { SKIN } else { 0.0 },
                gap: point.gap,
                impulse: 0.0,
            });
        }
    }
    spots
}

impl<'a, 'm, 'n, 't> System<'a, 'm, 'n, 't> {
    fn new(
        members: &'a mut [Member<'m>],
        neighbours: &'a [Neighbour<'n>],
        trees: &'a mut [Tree<'t>],
        spots: Vec<Spot>,
    ) -> Self {
        let mut holders = vec![Holder::Free(usize::MAX); members.len()];
        let mut velocities = Vec::new();
        let mut offsets = Vec::new();
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
            workspaces: trees
                .iter()
                .map(|t| Workspace::new(&t.made.model))
                .collect(),
            factors: vec![Factors::default(); trees.len()],
            members,
            neighbours,
            trees,
            holders,
            offsets,
            velocities,
            spots,
            gone: 0.0,
        }
    }

    /// Velocities after a sub-step without contacts; leaves kinematics and factors of the positions now.
    fn accelerate(&mut self, h: f64) {
        for (t, tree) in self.trees.iter().enumerate() {
            let made = tree.made;
            let (model, ws) = (&*made.model, &mut self.workspaces[t]);
            let n = model.velocities();
            let q = &tree.joints[..model.positions()];
            let v = &mut self.velocities[self.offsets[t]..self.offsets[t] + n];
            let mut tau = vec![0.0; n];
            for (motor, control) in made.motors.iter().zip(&tree.controls) {
                motor.add(*control, q, v, &mut tau);
            }
            let mut a = vec![0.0; n];
            model.accelerations(q, v, &tau, ws, &mut a);
            let mut mass = vec![0.0; n * n];
            model.mass_matrix(q, ws, &mut mass);
            let (stiffness, damping) = implicit(made);
            let mut push: Vec<f64> = (0..n)
                .map(|i| {
                    let force: f64 = (0..n).map(|k| mass[i * n + k] * a[k]).sum();
                    h * force - h * h * stiffness[i] * v[i]
                })
                .collect();
            for i in 0..n {
                mass[i * n + i] += h * damping[i] + h * h * stiffness[i];
            }
            self.factors[t] = Factors::new(n, mass);
            self.factors[t].solve(&mut push);
            v.iter_mut().zip(&push).for_each(|(v, dv)| *v += dv);
            model.kinematics(q, v, ws);
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
    fn rows(&mut self, h: f64) -> Vec<Row> {
        let mut rows = Vec::with_capacity(3 * self.spots.len());
        for k in 0..self.spots.len() {
            let (spot, arms) = (&self.spots[k], self.points_of(&self.spots[k]));
            let gap = spot.normal.dot(arms[0] - arms[1]) - spot.rest;
            let (directions, pair) = ([spot.normal, spot.across[0], spot.across[1]], spot.pair);
            self.spots[k].gap = self.spots[k].gap.min(gap + self.spots[k].rest);
            let given = |direction: Vec3| direction.dot(self.velocity_of(pair.1, arms[1]));
            for (axis, direction) in directions.into_iter().enumerate() {
                let mut row = Row::default();
                self.lean(&mut row, pair.0, arms[0], direction);
                self.lean(&mut row, pair.1, arms[1], -direction);
                let moving = given(direction);
                row.finish();
                if axis == 0 {
                    row.most = f64::INFINITY;
                    let deep = (-gap - SLOP).max(0.0);
                    let push = (PUSH_OUT * deep / h).min(PUSH_OUT_SPEED);
                    row.target = if gap > 0.0 { -gap / h } else { push } + moving;
                    row.relaxed = if gap > 0.0 { -gap / h } else { 0.0 } + moving;
                } else {
                    (row.target, row.relaxed) = (moving, moving);
                }
                rows.push(row);
            }
        }
        for t in 0..self.trees.len() {
            self.joint_rows(t, h, &mut rows);
        }
        rows
    }

    fn joint_rows(&self, t: usize, h: f64, rows: &mut Vec<Row>) {
        let tree = &self.trees[t];
        let model = &tree.made.model;
        for k in 0..model.len() {
            let joint = &model.link(k).joint;
            let (position, dof) = (model.position_index(k), model.velocity_index(k));
            let freedoms = joint.kind.velocities();
            if freedoms == 1
                && let Some((low, high)) = joint.limits
            {
                let q = tree.joints[position];
                for (sign, room) in [(1.0, q - low), (-1.0, high - q)] {
                    let mut row = self.joint_row(t, dof, sign);
                    row.most = f64::INFINITY;
                    let back = (PUSH_OUT * -room / h).clamp(0.0, PUSH_OUT_SPEED);
                    row.target = if room > 0.0 { -room / h } else { back };
                    row.relaxed = if room > 0.0 { -room / h } else { 0.0 };
                    rows.push(row);
                }
            }
            if joint.friction_loss > 0.0 {
                for c in 0..freedoms {
                    let mut row = self.joint_row(t, dof + c, 1.0);
                    (row.least, row.most) = (-joint.friction_loss * h, joint.friction_loss * h);
                    rows.push(row);
                }
            }
        }
    }

    fn joint_row(&self, t: usize, dof: usize, sign: f64) -> Row {
        let at = self.offsets[t];
        let mut response = vec![0.0; self.factors[t].n];
        response[dof] = sign;
        self.factors[t].solve(&mut response);
        let mut row = Row {
            along: vec![(at + dof, sign)],
            ..Row::default()
        };
        row.moves
            .extend(response.iter().enumerate().map(|(k, x)| (at + k, *x)));
        row.finish();
        row
    }

    /// Adds a unit impulse on a body at a point of the world to a row.
    fn lean(&self, row: &mut Row, body: u32, point: Vec3, direction: Vec3) {
        let Some(holder) = self.holders.get(body as usize) else {
            return;
        };
        match *holder {
            Holder::Free(at) => {
                let member = &self.members[body as usize];
                let arm = (point - member.state.position).cross(direction);
                let inverse = member.model.mass.inverse_inertia;
                let turn = world_tensor(member.state.rotation, inverse) * arm;
                let mass = member.model.mass.inverse_mass;
                for k in 0..3 {
                    row.along.push((at + k, direction[k]));
                    row.along.push((at + 3 + k, arm[k]));
                    row.moves.push((at + k, direction[k] * mass));
                    row.moves.push((at + 3 + k, turn[k]));
                }
            }
            Holder::Link(t, link) => {
                let at = self.offsets[t];
                let mut response = vec![0.0; self.factors[t].n];
                let model = &self.trees[t].made.model;
                model.jacobian_columns(&self.workspaces[t], link, point, |dof, motion| {
                    let along = motion.lin.dot(direction);
                    response[dof] += along;
                    row.along.push((at + dof, along));
                });
                self.factors[t].solve(&mut response);
                row.moves
                    .extend(response.iter().enumerate().map(|(k, x)| (at + k, *x)));
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
        let at = |body: u32, point: Vec3| match (body as usize).checked_sub(self.members.len()) {
            None => self.members[body as usize].state.pose() * point,
            Some(index) => self.neighbours[index].pose_after(self.gone) * point,
        };
        [
            at(spot.pair.0, spot.points[0]),
            at(spot.pair.1, spot.points[1]),
        ]
    }

    fn apply(&mut self, row: &Row, impulse: f64) {
        for (at, moves) in &row.moves {
            self.velocities[*at] += moves * impulse;
        }
    }

    /// One sweep over all rows.
    fn sweep(&mut self, rows: &mut [Row], is_relaxed: bool) {
        let spots = 3 * self.spots.len();
        for k in 0..rows.len() {
            if k < spots && k % 3 == 1 {
                let most = self.spots[k / 3].friction * rows[k - 1].impulse;
                self.rub(rows, k, most);
                continue;
            }
            if k < spots && k % 3 == 2 {
                continue;
            }
            let row = &rows[k];
            let now: f64 = row
                .along
                .iter()
                .map(|(at, j)| j * self.velocities[*at])
                .sum();
            let target = if is_relaxed { row.relaxed } else { row.target };
            let wanted = row.impulse + (target - now) * row.mass;
            let impulse = wanted.clamp(row.least, row.most);
            let change = impulse - row.impulse;
            rows[k].impulse = impulse;
            if change != 0.0 {
                self.apply(&rows[k].clone(), change);
            }
        }
    }

    /// Friction at one spot: both directions together stay within `most`.
    fn rub(&mut self, rows: &mut [Row], first: usize, most: f64) {
        let mut wanted = [0.0; 2];
        for (axis, wanted) in wanted.iter_mut().enumerate() {
            let row = &rows[first + axis];
            let now: f64 = row
                .along
                .iter()
                .map(|(at, j)| j * self.velocities[*at])
                .sum();
            *wanted = row.impulse + (row.target - now) * row.mass;
        }
        let size = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt();
        let share = if size > most { most / size } else { 1.0 };
        for (axis, wanted) in wanted.into_iter().enumerate() {
            let change = wanted * share - rows[first + axis].impulse;
            rows[first + axis].impulse += change;
            if change != 0.0 {
                self.apply(&rows[first + axis].clone(), change);
            }
        }
    }

    /// Moves everything along its velocities.
    fn displace(&mut self, h: f64) {
        for (t, tree) in self.trees.iter_mut().enumerate() {
            let (made, ws) = (tree.made, &mut self.workspaces[t]);
            let (q, own) = tree.joints.split_at_mut(made.model.positions());
            let v = &self.velocities[self.offsets[t]..self.offsets[t] + own.len()];
            own.copy_from_slice(v);
            made.model.displace(q, v, h);
            if !made.loops.is_empty() {
                made.loops
                    .clone()
                    .close_positions(&made.model, q, ws, LOOP_TOLERANCE);
            }
            made.link_states(&tree.joints, ws, |place, state| {
                self.members[tree.places[place] as usize].state = state;
            });
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
        for (t, tree) in self.trees.iter_mut().enumerate() {
            let made = tree.made;
            if made.loops.is_empty() {
                continue;
            }
            let n = made.model.velocities();
            let v = &mut self.velocities[self.offsets[t]..self.offsets[t] + n];
            let q = &tree.joints[..made.model.positions()];
            let ws = &mut self.workspaces[t];
            made.loops.clone().close_velocities(&made.model, q, v, ws);
        }
    }

    /// Writes the velocities back and tells what touched.
    fn conclude(mut self, margin: f64, report: &mut Report) {
        for (t, tree) in self.trees.iter_mut().enumerate() {
            let made = tree.made;
            let n = made.model.velocities();
            let v = &self.velocities[self.offsets[t]..self.offsets[t] + n];
            let positions = made.model.positions();
            tree.joints[positions..].copy_from_slice(v);
            made.model.normalize(&mut tree.joints[..positions]);
            made.link_states(&tree.joints, &mut self.workspaces[t], |place, state| {
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
        for spot in &self.spots {
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

impl Row {
    /// Reckons what a unit impulse does along the row.
    fn finish(&mut self) {
        // Both lists may name an entry more than once.
        let mut by_entry = self.moves.clone();
        by_entry.sort_by_key(|(at, _)| *at);
        let mut sum = 0.0;
        for (at, along) in &self.along {
            let first = by_entry.partition_point(|(k, _)| k < at);
            let same = by_entry[first..].iter().take_while(|(k, _)| k == at);
            sum += along * same.map(|(_, x)| x).sum::<f64>();
        }
        self.mass = if sum > 1e-14 { 1.0 / sum } else { 0.0 };
    }
}

/// Stiffness and damping along each freedom that a step takes implicitly: those of the joints and of motors on
/// single joints.
fn implicit(made: &MultibodyBody) -> (Vec<f64>, Vec<f64>) {
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
    (stiffness, damping)
}
