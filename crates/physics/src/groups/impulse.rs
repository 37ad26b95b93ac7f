//! `impulse`: contacts of rigid bodies by impulses on a previewed state (Bender & Schmitt 2006, as Bayer,
//! Diziol & Bender 2009 cite it in section 3).
//!
//! Each sub-step previews all bodies (equation 2) and applies impulses, one contact after another, until no
//! previewed gap is violated; then the preview becomes the state and a second loop takes away the
//! velocities with which closed contacts still approach. Overlaps that were there before are pushed out
//! by moves that leave no velocity behind.

use super::contacts::{self, body, body_id, check};
use super::flown::flown;
use super::manifold::Manifold;
use super::memory::{Held, PointKey};
use super::refine::{is_too_long, until_held};
use super::resist::{Borne, Side, resistance};
use super::rolling::{Rings, rings_of};
use super::soft_bounce::{BLOWS, SLOWEST, SOON};
use super::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, Settings, SoftStep, SolverError, Span,
    Surroundings, Touch,
};
use crate::joints::{Blow, Link, Moves, System, change, motions};
use crate::material::Rolling;
use crate::motion::{State, Turn};
use crate::rotation::{angular_momentum, drifted, spin_of, turned, world_tensor};
use crate::{Mat3, Vec3};

/// Iterations of a loop at most. A loop ends earlier when nothing is violated any more.
const ITERATIONS: u32 = 60;
/// Previewed penetration that needs no correction, metres.
const TOLERANCE: f64 = 1e-8;
/// Approach of closed contacts that needs no correction, m/s.
const SPEED_TOLERANCE: f64 = 1e-6;
/// Part of an overlap that one sub-step pushes out.
const PUSH_OUT: f64 = 0.2;

/// Mass ratio from which on a light body between others is not held: a sweep passes a force on in steps of its mass.
const TOO_HEAVY: f64 = 100.0;

/// Impulse-based dynamics as a group solver.
#[derive(Clone, Debug, Default)]
pub struct Impulse {
    settings: Settings,
}

impl Impulse {
    /// With checked settings; those that make contacts soft are not used.
    pub fn new(settings: Settings) -> Result<Self, SolverError> {
        settings.validate()?;
        Ok(Impulse { settings })
    }
}

/// A body as the iteration sees it; neighbours have no inverse mass.
#[derive(Clone, Copy)]
struct Mover {
    velocity: Vec3,
    spin: Vec3,
    /// What constant acceleration adds to the mean velocity over the sub-step, m/s.
    falling: Vec3,
    /// Moves that leave no velocity behind, as velocities over the sub-step.
    push: [Vec3; 2],
    inverse_mass: f64,
    inverse_inertia: Mat3,
}

impl Moves for Mover {
    fn motion(&self) -> [Vec3; 2] {
        [self.velocity, self.spin]
    }

    fn set_motion(&mut self, [velocity, spin]: [Vec3; 2]) {
        (self.velocity, self.spin) = (velocity, spin);
    }

    fn falling(&self) -> Vec3 {
        self.falling
    }

    fn kick(&mut self, arm: Vec3, impulse: Vec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.inverse_inertia * arm.cross(impulse);
    }
}

impl Mover {
    fn velocity_at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }

    fn move_aside(&mut self, arm: Vec3, impulse: Vec3) {
        self.push[0] += impulse * self.inverse_mass;
        self.push[1] += self.inverse_inertia * arm.cross(impulse);
    }

    /// Change of velocity at the end of `arm` along `along` by a unit impulse along it there, 1/kg.
    fn inverse_mass_along(&self, arm: Vec3, along: Vec3) -> f64 {
        let turning = arm.cross(along);
        self.inverse_mass + turning.dot(self.inverse_inertia * turning)
    }
}

/// One contact point.
#[derive(Clone, Copy)]
struct Contact {
    key: PointKey,
    bodies: [usize; 2],
    /// The point on each body's core, from its centre, in the body's frame.
    local: [Vec3; 2],
    /// From the cores to the surfaces: what is round stays so as it turns.
    to_surface: [Vec3; 2],
    /// The circles that it rolls on.
    rings: Option<Rings>,
    /// How the relative velocity will differ in the middle of the sub-step because the point rolls, m/s.
    ahead: Vec3,
    arms: [Vec3; 2],
    /// Normal, towards the first body, and two directions across it.
    frame: [Vec3; 3],
    /// Effective masses along the frame, kg.
    mass: [f64; 3],
    gap: f64,
    /// The gap that bodies at rest keep, metres.
    rest: f64,
    friction: f64,
    restitution: f64,
    rolling: Rolling,
    /// Speed of approach at the step's start, m/s.
    approach: f64,
    /// Impulses of this sub-step along the frame, and the sum of all normal ones, N s.
    impulse: [f64; 3],
    total: f64,
    /// Whether it has ever had an impulse.
    is_felt: bool,
}

impl Contact {
    fn relative(&self, movers: &[Mover]) -> Vec3 {
        let [a, b] = self.bodies;
        movers[a].velocity_at(self.arms[0]) - movers[b].velocity_at(self.arms[1])
    }

    /// Mean relative velocity over the sub-step, as previewed.
    fn previewed(&self, movers: &[Mover]) -> Vec3 {
        let [a, b] = self.bodies;
        self.relative(movers) + movers[a].falling - movers[b].falling + self.ahead
    }

    fn apply(&self, movers: &mut [Mover], impulse: Vec3) {
        let [a, b] = self.bodies;
        movers[a].kick(self.arms[0], impulse);
        movers[b].kick(self.arms[1], -impulse);
    }

    /// Adds `change` to the normal impulse, which never pulls; gives what was added.
    fn press(&mut self, movers: &mut [Mover], change: f64) -> f64 {
        let before = self.impulse[0];
        self.impulse[0] = (before + change).max(0.0);
        let added = self.impulse[0] - before;
        self.is_felt |= added != 0.0;
        self.apply(movers, self.frame[0] * added);
        added
    }

    /// Coulomb's law: takes away what slips, as far as the normal impulse holds. Gives the change of
    /// velocity that it made, m/s.
    fn rub(&mut self, movers: &mut [Mover], slip: Vec3) -> f64 {
        let [_, t, u] = self.frame;
        let before = [self.impulse[1], self.impulse[2]];
        let wanted = [
            before[0] - slip.dot(t) * self.mass[1],
            before[1] - slip.dot(u) * self.mass[2],
        ];
        let size = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt();
        let limit = self.friction * self.impulse[0];
        let scale = if size > limit { limit / size } else { 1.0 };
        self.impulse[1] = wanted[0] * scale;
        self.impulse[2] = wanted[1] * scale;
        let added = [self.impulse[1] - before[0], self.impulse[2] - before[1]];
        self.apply(movers, t * added[0] + u * added[1]);
        (added[0] / self.mass[1])
            .abs()
            .max((added[1] / self.mass[2]).abs())
    }

    /// One correction of the previewed gap. Returns by how much it was violated, or slipped, metres.
    fn correct_position(&mut self, movers: &mut [Mover], h: f64) -> f64 {
        let mean = self.previewed(movers);
        // Overlaps from before are not made deeper; pushing them out is another matter.
        let least = self.rest.min(self.gap);
        let error = self.gap + mean.dot(self.frame[0]) * h - least;
        let change = -error / h * self.mass[0];
        let added = self.press(movers, change);
        let slip = self.previewed(movers);
        let rubbed = self.rub(movers, slip);
        (added / self.mass[0]).abs().max(rubbed) * h
    }

    /// One correction of the velocity of a closed contact. Returns by how much it was violated, m/s.
    fn correct_velocity(&mut self, movers: &mut [Mover], threshold: f64) -> f64 {
        let bounce = if self.approach > threshold {
            self.restitution * self.approach
        } else {
            0.0
        };
        let speed = self.relative(movers).dot(self.frame[0]);
        let change = (bounce - speed) * self.mass[0];
        let added = self.press(movers, change);
        let slip = self.relative(movers);
        let rubbed = self.rub(movers, slip);
        (added / self.mass[0]).abs().max(rubbed)
    }

    /// Brakes what rolls or turns on the spot, as far as the part `pressed` of the normal impulse goes.
    fn resist(&mut self, movers: &mut [Mover], pressed: f64) {
        if self.rolling == Rolling::default() || pressed <= 0.0 {
            return;
        }
        let share = pressed / self.impulse[0];
        let rolling = Rolling {
            rolling: self.rolling.rolling * share,
            spinning: self.rolling.spinning * share,
        };
        let side = |place: usize| {
            let mover = &movers[self.bodies[place]];
            Side {
                arm: self.arms[place],
                spin: mover.spin,
                inverse_mass: mover.inverse_mass,
                inverse_inertia: mover.inverse_inertia,
            }
        };
        let borne = Borne {
            normal: self.impulse[0],
            tangent: [self.impulse[1], self.impulse[2]],
            friction: self.friction,
        };
        let sides = [side(0), side(1)];
        let (couple, rub) = resistance(&self.frame, sides, borne, rolling);
        for (place, sign) in [(0, 1.0), (1, -1.0)] {
            let mover = &mut movers[self.bodies[place]];
            mover.spin += mover.inverse_inertia * couple * sign;
        }
        self.impulse[1] += rub[0];
        self.impulse[2] += rub[1];
        let [_, t, u] = self.frame;
        self.apply(movers, t * rub[0] + u * rub[1]);
    }

    /// One correction of an overlap that is left at the end of the preview. Returns its size, metres.
    fn push_out(&mut self, movers: &mut [Mover], (h, slop, speed): (f64, f64, f64)) -> f64 {
        let [a, b] = self.bodies;
        let pushed = |m: &Mover, arm: Vec3| m.push[0] + m.push[1].cross(arm);
        let mean = pushed(&movers[a], self.arms[0]) - pushed(&movers[b], self.arms[1]);
        let depth = self.rest - slop - self.gap;
        let wanted = (PUSH_OUT * depth).min(speed * h);
        let error = wanted - mean.dot(self.frame[0]) * h;
        if depth <= 0.0 || error <= 0.0 {
            return 0.0;
        }
        let impulse = self.frame[0] * (error / h * self.mass[0]);
        movers[a].move_aside(self.arms[0], impulse);
        movers[b].move_aside(self.arms[1], -impulse);
        error
    }
}

/// Repeats a sweep over all contacts until none of them was violated by more than `tolerance`.
fn iterate(contacts: &mut [Contact], tolerance: f64, mut correct: impl FnMut(&mut Contact) -> f64) {
    for _ in 0..ITERATIONS {
        let worst = contacts.iter_mut().map(&mut correct).fold(0.0, f64::max);
        if worst <= tolerance {
            return;
        }
    }
}

/// The same for contacts and joints in turn: a sweep over the contacts, then all joints at once.
fn iterate_with(
    joints: &mut System,
    (contacts, movers): (&mut [Contact], &mut [Mover]),
    tolerance: f64,
    correct: impl Fn(&mut Contact, &mut [Mover]) -> f64,
    hold: impl Fn(&mut System) -> f64,
) {
    if joints.is_empty() {
        return iterate(contacts, tolerance, |c| correct(c, movers));
    }
    for _ in 0..ITERATIONS {
        let sweep = contacts.iter_mut().map(|c| correct(c, movers));
        let worst = sweep.fold(0.0, f64::max);
        joints.load(movers);
        let opened = hold(joints);
        joints.store(movers);
        if contacts.is_empty() || (worst <= tolerance && opened <= tolerance) {
            return;
        }
    }
}

/// Members, then neighbours; both as they are now.
struct Scene<'s, 'm, 'n> {
    members: &'s mut [Member<'m>],
    neighbours: Vec<Neighbour<'n>>,
}

impl Scene<'_, '_, '_> {
    fn state(&self, index: usize) -> State {
        *body(self.members, &self.neighbours, index).1
    }

    /// Velocities with external forces, at the start of a sub-step.
    fn movers(&self, now: f64, h: f64) -> Vec<Mover> {
        let still = |velocity, spin| Mover {
            velocity,
            spin,
            falling: Vec3::ZERO,
            push: [Vec3::ZERO; 2],
            inverse_mass: 0.0,
            inverse_inertia: Mat3::ZERO,
        };
        let member = |m: &Member| {
            let (model, state) = (m.model, &m.state);
            let mut mover = still(state.velocity, state.spin);
            let mut acceleration = model.gravity;
            if let Some(field) = &model.field {
                let wrench = field.wrench(now, model.mass.mass, state);
                let torque = state.rotation.inverse() * wrench.torque;
                acceleration += wrench.force * model.mass.inverse_mass;
                mover.spin += state.rotation * (model.mass.inverse_inertia * torque) * h;
            }
            let [linear, angular] = model.damping;
            mover.velocity *= 1.0 / (1.0 + h * linear);
            mover.spin *= 1.0 / (1.0 + h * angular);
            mover.falling = acceleration * (0.5 * h);
            mover.inverse_mass = model.mass.inverse_mass;
            mover.inverse_inertia = world_tensor(state.rotation, model.mass.inverse_inertia);
            mover
        };
        let others = self.neighbours.iter();
        let others = others.map(|n| still(n.state.velocity, n.state.spin));
        self.members.iter().map(member).chain(others).collect()
    }

    /// The preview becomes the state.
    fn accept(&mut self, movers: &mut [Mover], h: f64) {
        for (member, mover) in self.members.iter_mut().zip(movers.iter_mut()) {
            let state = &mut member.state;
            state.position += (mover.velocity + mover.falling + mover.push[0]) * h;
            mover.velocity += 2.0 * mover.falling;
            let mass = &member.model.mass;
            if mover.spin != Vec3::ZERO {
                let momentum = angular_momentum(state.rotation, mass.inertia, mover.spin);
                state.rotation = drifted(state.rotation, momentum, mass, h);
                state.rotation = turned(state.rotation, mover.push[1], h);
                mover.spin = spin_of(state.rotation, mass.inverse_inertia, momentum);
            } else if mover.push[1] != Vec3::ZERO {
                state.rotation = turned(state.rotation, mover.push[1], h);
            }
            mover.inverse_inertia = world_tensor(state.rotation, mass.inverse_inertia);
        }
        for neighbour in &mut self.neighbours {
            let state = &mut neighbour.state;
            state.position += state.velocity * h;
            state.rotation = turned(state.rotation, state.spin, h);
        }
    }

    /// Where a contact is now: arms and gap follow the bodies, the normal stays.
    fn follow(&self, contact: &mut Contact) {
        let states = contact.bodies.map(|index| self.state(index));
        let normal = contact.frame[0];
        let rings = contact.rings.unwrap_or_default();
        let mut rolled = [None; 2];
        for (side, inwards) in [normal, -normal].into_iter().enumerate() {
            let rotation = states[side].rotation;
            rolled[side] = rings[side].and_then(|ring| ring.arm(rotation, inwards));
            let core = rolled[side].unwrap_or(rotation * contact.local[side]);
            contact.arms[side] = core + contact.to_surface[side];
        }
        let points = [0, 1].map(|k| states[k].position + contact.arms[k]);
        let apart = points[0] - points[1];
        contact.gap = apart.dot(normal);
        // Both bodies feel an impulse at one point: what turns one turns the other as much.
        let at = match rolled {
            [Some(_), None] => points[0],
            [None, Some(_)] => points[1],
            _ if contact.bodies[1] >= self.members.len() => return,
            _ => 0.5 * (points[0] + points[1]),
        };
        contact.arms = states.map(|state| at - state.position);
    }

    /// How the velocities of two points that touch differ in their change, because both go round with their bodies,
    /// m/s^2: a crate on a turntable stays where it stands. What is round does not go round with its body.
    fn bends(&self, contact: &Contact, movers: &[Mover]) -> Vec3 {
        let bend = |side: usize| {
            let index = contact.bodies[side];
            let spin = movers[index].spin;
            spin.cross(spin.cross(self.state(index).rotation * contact.local[side]))
        };
        bend(0) - bend(1)
    }

    /// How a contact that rolls will slip in the middle of a sub-step of `h` seconds: what it is to stop is that,
    /// so that it gives on one side of it what it takes on the other.
    fn look_ahead(&self, contact: &mut Contact, movers: &[Mover], h: f64) {
        let normal = contact.frame[0];
        contact.ahead = self.bends(contact, movers) * (0.5 * h);
        let Some(rings) = contact.rings else { return };
        contact.ahead = Vec3::ZERO;
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let body = contact.bodies[side];
            if let (Some(ring), Some(member)) = (rings[side], self.members.get(body)) {
                let turning = (member.state.rotation, movers[body].spin);
                let mass = &member.model.mass;
                contact.ahead += sign * ring.change(mass, turning, normal * sign, 0.5 * h);
            }
        }
    }

    /// Who has not been touched follows its own law of motion.
    fn let_fly(&mut self, starts: &[State], touched: &[bool], span: Span) {
        let mut turn = Turn::default();
        let bodies = self.members.iter_mut().zip(starts).zip(touched);
        for ((member, start), _) in bodies.filter(|(_, touched)| !**touched) {
            member.state = flown(member.model, start, span, &mut turn);
        }
    }

    fn contact(
        &self,
        manifold: &Manifold,
        point: &super::manifold::ManifoldPoint,
        skin: f64,
    ) -> Contact {
        let bodies = [manifold.pair.0 as usize, manifold.pair.1 as usize];
        let [a, b] = bodies.map(|index| body(self.members, &self.neighbours, index));
        let meeting = a.0.meeting(b.0);
        let (t, u) = manifold.normal.any_orthonormal_pair();
        let arms = [point.on_a - a.1.position, point.on_b - b.1.position];
        let [ma, mb] = manifold.margins;
        let to_surface = [manifold.normal * -ma, manifold.normal * mb];
        let closing = a.1.velocity_at(point.on_a) - b.1.velocity_at(point.on_b);
        let points = [point.on_a, point.on_b];
        let (normal, margins) = (manifold.normal, manifold.margins);
        Contact {
            key: PointKey {
                bodies: bodies.map(|index| body_id(self.members, &self.neighbours, index)),
                parts: manifold.parts,
                piece: manifold.piece,
                feature: point.feature,
            },
            bodies,
            local: [
                a.1.rotation.inverse() * (arms[0] - to_surface[0]),
                b.1.rotation.inverse() * (arms[1] - to_surface[1]),
            ],
            to_surface,
            rings: rings_of([a, b], manifold.parts, points, normal, margins),
            ahead: Vec3::ZERO,
            arms,
            frame: [manifold.normal, t, u],
            mass: [0.0; 3],
            gap: point.gap,
            rest: if manifold.rests_apart { skin } else { 0.0 },
            friction: meeting.material.friction,
            restitution: meeting.material.restitution,
            rolling: meeting.rolling,
            approach: -closing.dot(manifold.normal),
            impulse: [0.0; 3],
            total: 0.0,
            is_felt: false,
        }
    }
}

/// Effective masses for the arms of now, and the impulses of the sub-step before to start from.
fn prepare(contact: &mut Contact, movers: &mut [Mover]) {
    let [a, b] = contact.bodies;
    for axis in 0..3 {
        let along = contact.frame[axis];
        let inverse = movers[a].inverse_mass_along(contact.arms[0], along)
            + movers[b].inverse_mass_along(contact.arms[1], along);
        contact.mass[axis] = 1.0 / inverse;
    }
    // One mass for both directions: friction must end up opposite to what slips.
    let across = contact.mass[1].min(contact.mass[2]);
    (contact.mass[1], contact.mass[2]) = (across, across);
    let [n, t, u] = contact.frame;
    let [i, j, k] = contact.impulse;
    contact.is_felt |= i != 0.0;
    contact.apply(movers, n * i + t * j + u * k);
}

/// Lets contacts of a group with joints that will close within the sub-step of `h` seconds bounce, one after the
/// other until all part: with all joints held, so that the blow loses nothing in them. Says whether any did.
fn bounce(
    joints: &mut System,
    links: &[Link],
    (list, movers): (&mut [Contact], &mut [Mover]),
    (h, threshold): (f64, f64),
) -> bool {
    let mut has_bounced = false;
    if joints.is_empty() {
        return has_bounced;
    }
    for _ in 0..BLOWS {
        let mut is_struck = false;
        for contact in list.iter_mut().filter(|c| c.restitution > 0.0) {
            let blow = Blow {
                bodies: contact.bodies,
                arms: contact.arms,
                normal: contact.frame[0],
                restitution: contact.restitution,
            };
            let speed = blow.speed(movers);
            let slowest = if contact.restitution < 1.0 {
                threshold
            } else {
                SLOWEST
            };
            if speed >= -slowest || contact.gap - contact.rest + SOON * speed * h > 0.0 {
                continue;
            }
            contact.total += joints.strike(links, movers, &blow);
            contact.approach = 0.0;
            contact.is_felt = true;
            is_struck = true;
        }
        if !is_struck {
            break;
        }
        has_bounced = true;
    }
    has_bounced
}

impl GroupSolver for Impulse {
    fn name(&self) -> &'static str {
        "impulse"
    }

    fn holds_joints(&self) -> bool {
        true
    }

    fn step(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<(), SolverError> {
        if self.is_beyond_sweeps(span, members, around, scratch)? {
            let other = SoftStep::new(self.settings.clone())?;
            return other.step(span, members, around, memory, scratch, report);
        }
        until_held(span, members, around, memory, |members, memory, finer| {
            self.advance(span, members, around, memory, (scratch, report), finer)
        })
    }
}

impl Impulse {
    /// Whether a body so heavy leans on a light one that sweeps would not hold it: `soft-step` solves such contacts at once.
    fn is_beyond_sweeps(
        &self,
        span: Span,
        members: &[Member],
        around: &Surroundings<'_>,
        scratch: &mut Scratch,
    ) -> Result<bool, SolverError> {
        let masses = members.iter().map(|m| m.model.mass.mass);
        let ends = masses.fold([f64::INFINITY, 0.0], |[least, most], mass| {
            [mass.min(least), mass.max(most)]
        });
        if ends[1] <= TOO_HEAVY * ends[0] || !around.links.is_empty() {
            return Ok(false);
        }
        let (margin, manifolds) = (self.settings.margin, &mut scratch.manifolds);
        let (neighbours, pairs) = (around.neighbours, around.pairs);
        contacts::find(members, neighbours, pairs, margin, span.seconds, manifolds)?;
        let mut partners = vec![0u32; members.len()];
        let mut touching: Vec<(u32, u32)> = manifolds.list.iter().map(|m| m.pair).collect();
        touching.dedup();
        for place in touching.iter().flat_map(|(a, b)| [*a, *b]) {
            if let Some(partners) = partners.get_mut(place as usize) {
                *partners += 1;
            }
        }
        let is_heavy = |&(a, b): &(u32, u32)| {
            let (mut light, mut heavy) = (a as usize, b as usize);
            if heavy >= members.len() {
                return false;
            }
            let mass = |at: usize| members[at].model.mass.mass;
            if mass(light) > mass(heavy) {
                (light, heavy) = (heavy, light);
            }
            mass(heavy) > TOO_HEAVY * mass(light) && partners[light] > 1
        };
        Ok(touching.iter().any(is_heavy))
    }

    /// One step with `finer` times as many sub-steps as usual. Says whether all joints were held; if not, the
    /// step has not been done.
    fn advance(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &mut Memory,
        (scratch, report): (&mut Scratch, &mut Report),
        finer: u32,
    ) -> Result<bool, SolverError> {
        let Surroundings {
            neighbours,
            pairs,
            links,
        } = *around;
        let Span { begin, seconds } = span;
        check(members, neighbours, "at the step's start")?;
        let Settings {
            margin,
            skin,
            linear_slop,
            push_out_speed,
            restitution_threshold,
            ..
        } = self.settings;
        let substeps = self.settings.substeps * finer.max(1);
        let h = seconds / f64::from(substeps);
        let manifolds = &mut scratch.manifolds;
        contacts::find(members, neighbours, pairs, margin, seconds, manifolds)?;
        report.clear();
        report.deepest = manifolds.deepest();
        let mut scene = Scene {
            members,
            neighbours: neighbours.to_vec(),
        };
        let mut list: Vec<Contact> = Vec::with_capacity(manifolds.points.len());
        for manifold in &manifolds.list {
            for point in manifolds.points_of(manifold) {
                let mut contact = scene.contact(manifold, point, skin);
                let force = memory.force(&contact.key);
                contact.impulse = contact.frame.map(|along| force.dot(along) * h);
                contact.impulse[0] = contact.impulse[0].max(0.0);
                list.push(contact);
            }
        }
        list.iter_mut().for_each(|c| scene.follow(c));
        let starts: Vec<State> = scene.members.iter().map(|m| m.state).collect();
        let mut touched = vec![false; starts.len()];
        let mut joints = std::mem::take(&mut scratch.joints);
        joints.begin_step(links, (scene.members, neighbours), memory, h);
        let most = push_out_speed * h;
        for substep in 0..substeps {
            let mut movers = scene.movers(begin + h * f64::from(substep), h);
            let before = motions(&joints, &movers, substep);
            let with = (&mut list[..], &mut movers[..]);
            if bounce(&mut joints, links, with, (h, restitution_threshold)) {
                let gone = h * f64::from(substep);
                let count = scene.members.len();
                report.bounced(gone, count, |m| change(&movers[m], before[m]));
            }
            list.iter_mut().for_each(|c| prepare(c, &mut movers));
            list.iter_mut()
                .for_each(|c| scene.look_ahead(c, &movers, h));
            if !joints.is_empty() {
                joints.load(&movers);
                joints.warm_start(h);
                joints.store(&mut movers);
            }
            iterate_with(
                &mut joints,
                (&mut list, &mut movers),
                TOLERANCE,
                |c, movers| c.correct_position(movers, h),
                |joints| joints.hold_positions(links, h, most),
            );
            if is_too_long(&joints, finer) {
                scratch.joints = joints;
                return Ok(false);
            }
            for contact in &mut list {
                contact.resist(&mut movers, contact.impulse[0]);
            }
            let pushing = (h, linear_slop, push_out_speed);
            iterate(&mut list, TOLERANCE, |c| c.push_out(&mut movers, pushing));
            scene.accept(&mut movers, h);
            for contact in &mut list {
                scene.follow(contact);
            }
            let mut closed: Vec<Contact> = Vec::new();
            for contact in list.iter_mut() {
                contact.ahead = Vec3::ZERO;
                contact.total += contact.impulse[0];
                if contact.gap <= contact.rest + linear_slop {
                    closed.push(*contact);
                }
            }
            if !joints.is_empty() {
                let elapsed = h * f64::from(substep + 1);
                joints.follow(links, (scene.members, neighbours), (elapsed, h));
                joints.load(&movers);
                joints.settle(links);
                joints.store(&mut movers);
            }
            let pressed: Vec<f64> = closed.iter().map(|c| c.impulse[0]).collect();
            iterate_with(
                &mut joints,
                (&mut closed, &mut movers),
                SPEED_TOLERANCE,
                |c, movers| c.correct_velocity(movers, restitution_threshold),
                |joints| joints.hold_velocities(links),
            );
            // The preview has braked with its half of the weight; this is the other half.
            for (contact, before) in closed.iter_mut().zip(pressed) {
                contact.resist(&mut movers, contact.impulse[0] - before);
            }
            for (member, mover) in scene.members.iter_mut().zip(&movers) {
                (member.state.velocity, member.state.spin) = (mover.velocity, mover.spin);
            }
            let pressed = list.iter().chain(&closed).filter(|c| c.is_felt);
            let pressed = pressed.flat_map(|c| c.bodies);
            for body in pressed {
                if let Some(touched) = touched.get_mut(body) {
                    *touched = true;
                }
            }
        }
        joints.touch(&mut touched);
        scene.let_fly(&starts, &touched, span);
        memory.clear();
        for contact in &list {
            let [n, t, u] = contact.frame;
            let [i, j, k] = contact.impulse;
            if i > 0.0 {
                let force = (n * i + t * j + u * k) / h;
                memory.held.push(Held {
                    key: contact.key,
                    force,
                    hold: [Vec3::ZERO; 2],
                });
            }
            let [a, b] = contact.key.bodies;
            report.touches.push(Touch {
                a: a.min(b),
                b: a.max(b),
                gap: contact.gap,
                normal_impulse: contact.total,
            });
        }
        memory.sort();
        joints.remember(links, memory, h);
        scratch.joints = joints;
        contacts::merge_touches(&mut report.touches, margin);
        check(scene.members, &[], "at the step's end")?;
        Ok(true)
    }
}
