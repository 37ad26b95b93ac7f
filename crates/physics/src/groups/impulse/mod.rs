//! `impulse`: contacts of rigid bodies by impulses on a previewed state (Bender & Schmitt 2006, as Bayer,
//! Diziol & Bender 2009 cite it in section 3).
//!
//! Each sub-step previews all bodies (equation 2) and applies impulses, one contact after another, until no
//! previewed gap is violated; then the preview becomes the state and a second loop takes away the
//! velocities with which closed contacts still approach. Overlaps that were there before are pushed out
//! by moves that leave no velocity behind.

mod astray;
mod contact;
mod loops;
mod scene;

use super::contacts::{self, check};
use super::manifold::Manifolds;
use super::memory::Held;
use super::refine::{Attempts, is_too_long};
use super::{
    GroupSolver, Member, Memory, Report, Scratch, Settings, SoftStep, SolverError, Span,
    Surroundings, Touch,
};
use crate::Vec3;
use crate::joints::{Link, System, change, motions};
use crate::motion::State;
use astray::{Course, SEARCHES};
use contact::{Contact, Mover, prepare};
use loops::{bounce, iterate, iterate_with};
use scene::Scene;

/// Previewed penetration that needs no correction, metres.
const TOLERANCE: f64 = 1e-8;
/// Approach of closed contacts that needs no correction, m/s.
const SPEED_TOLERANCE: f64 = 1e-6;

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
        let mut attempts = Attempts::begin(members, around, memory);
        loop {
            let finer = attempts.finer();
            let told = (&mut *scratch, &mut *report);
            let held = self.advance(span, members, around, memory, told, finer);
            if held.map_err(|e| attempts.told(e, span, around, members.len()))? {
                return Ok(());
            }
            attempts.again(members, memory);
        }
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
        check(members, neighbours, "at the step's start")?;
        let margin = self.settings.margin;
        let substeps = self.settings.substeps * finer.max(1);
        let h = span.seconds / f64::from(substeps);
        let manifolds = &mut scratch.manifolds;
        contacts::find(members, neighbours, pairs, margin, span.seconds, manifolds)?;
        report.clear();
        report.deepest = manifolds.deepest();
        let starts: Vec<State> = members.iter().map(|m| m.state).collect();
        let mut joints = std::mem::take(&mut scratch.joints);
        joints.begin_step(links, (members, neighbours), memory, h);
        let mut step = Step {
            settings: &self.settings,
            h,
            touched: vec![false; starts.len()],
            list: Vec::with_capacity(manifolds.points.len()),
            courses: Vec::new(),
            is_astray: Vec::new(),
            gone: Vec::new(),
            scene: Scene {
                members,
                neighbours: neighbours.to_vec(),
            },
            joints,
            links,
        };
        step.take_up(manifolds, memory);
        step.set_courses();
        for substep in 0..substeps {
            let mut movers = step.begin(span, substep, report);
            step.preview(&mut movers);
            let times = (h * f64::from(substep), span.seconds);
            for _ in 0..SEARCHES {
                if !step.look_again(&mut movers, around, times, manifolds)? {
                    break;
                }
                step.preview(&mut movers);
            }
            if is_too_long(&step.joints, finer) {
                scratch.joints = step.joints;
                return Ok(false);
            }
            step.accept(&mut movers);
            step.settle(&mut movers, substep);
        }
        step.joints.touch(&mut step.touched);
        step.scene.let_fly(&starts, &step.touched, span);
        step.remember(memory, report);
        check(step.scene.members, &[], "at the step's end")?;
        contacts::merge_touches(&mut report.touches, margin);
        scratch.joints = step.joints;
        Ok(true)
    }
}

/// A step on its way.
struct Step<'s, 'm, 'n, 'l> {
    settings: &'s Settings,
    /// Length of a sub-step, seconds.
    h: f64,
    scene: Scene<'s, 'm, 'n>,
    list: Vec<Contact>,
    joints: System,
    links: &'l [Link<'l>],
    /// Which members have felt an impulse.
    touched: Vec<bool>,
    /// The motion that each member's contacts were found for, and who does not follow it any more.
    courses: Vec<Course>,
    is_astray: Vec<bool>,
    /// What points did that are no longer in the list.
    gone: Vec<Touch>,
}

impl Step<'_, '_, '_, '_> {
    /// The contact points that were found, with the forces of the step before.
    fn take_up(&mut self, manifolds: &Manifolds, memory: &Memory) {
        for manifold in &manifolds.list {
            for point in manifolds.points_of(manifold) {
                let mut contact = self.scene.contact(manifold, point, self.settings.skin);
                let force = memory.force(&contact.key);
                contact.impulse = contact.frame.map(|along| force.dot(along) * self.h);
                contact.impulse[0] = contact.impulse[0].max(0.0);
                self.scene.follow(&mut contact);
                self.list.push(contact);
            }
        }
    }

    /// Velocities at a sub-step's start: forces, blows that pass through joints, impulses of the sub-step before.
    fn begin(&mut self, span: Span, substep: u32, report: &mut Report) -> Vec<Mover> {
        let Step {
            scene,
            list,
            joints,
            h,
            ..
        } = self;
        let gone = *h * f64::from(substep);
        let mut movers = scene.movers(span.begin + gone, *h);
        let before = motions(joints, &movers, substep);
        let with = (&mut list[..], &mut movers[..]);
        let timing = (*h, self.settings.restitution_threshold);
        if bounce(joints, self.links, with, timing) {
            let count = scene.members.len();
            report.bounced(gone, count, |m| change(&movers[m], before[m]));
        }
        list.iter_mut().for_each(|c| prepare(c, &mut movers));
        list.iter_mut()
            .for_each(|c| scene.look_ahead(c, &movers, *h));
        if !joints.is_empty() {
            joints.load(&movers);
            joints.warm_start(*h);
            joints.store(&mut movers);
        }
        movers
    }

    /// The position loop: until no previewed gap is violated and no joint is open.
    fn preview(&mut self, movers: &mut [Mover]) {
        let (h, links) = (self.h, self.links);
        let most = self.settings.push_out_speed * h;
        iterate_with(
            &mut self.joints,
            (&mut self.list, movers),
            TOLERANCE,
            |c, movers| c.correct_position(movers, h),
            |joints| joints.hold_positions(links, h, most),
        );
    }

    /// What was previewed becomes the state, with old overlaps pushed out.
    fn accept(&mut self, movers: &mut [Mover]) {
        let Settings {
            linear_slop,
            push_out_speed,
            ..
        } = *self.settings;
        for contact in &mut self.list {
            contact.resist(movers, contact.impulse[0]);
        }
        let pushing = (self.h, linear_slop, push_out_speed);
        iterate(&mut self.list, TOLERANCE, |c| c.push_out(movers, pushing));
        self.scene.accept(movers, self.h);
        for contact in &mut self.list {
            self.scene.follow(contact);
            contact.ahead = Vec3::ZERO;
            contact.total += contact.impulse[0];
        }
    }

    /// The velocity loop: takes away the velocities with which closed contacts still approach.
    fn settle(&mut self, movers: &mut [Mover], substep: u32) {
        let (h, links) = (self.h, self.links);
        let Settings {
            linear_slop,
            restitution_threshold,
            ..
        } = *self.settings;
        let is_closed = |c: &&Contact| c.gap <= c.rest + linear_slop;
        let mut closed: Vec<Contact> = self.list.iter().filter(is_closed).copied().collect();
        if !self.joints.is_empty() {
            let elapsed = h * f64::from(substep + 1);
            let bodies = (&*self.scene.members, &self.scene.neighbours[..]);
            self.joints.follow(links, bodies, (elapsed, h));
            self.joints.load(movers);
            self.joints.settle(links);
            self.joints.store(movers);
        }
        let pressed: Vec<f64> = closed.iter().map(|c| c.impulse[0]).collect();
        iterate_with(
            &mut self.joints,
            (&mut closed, movers),
            SPEED_TOLERANCE,
            |c, movers| c.correct_velocity(movers, restitution_threshold),
            |joints| joints.hold_velocities(links),
        );
        // The preview has braked with its half of the weight; this is the other half.
        for (contact, before) in closed.iter_mut().zip(pressed) {
            contact.resist(movers, contact.impulse[0] - before);
        }
        for (member, mover) in self.scene.members.iter_mut().zip(movers.iter()) {
            (member.state.velocity, member.state.spin) = (mover.velocity, mover.spin);
        }
        let felt = self.list.iter().chain(&closed).filter(|c| c.is_felt);
        for body in felt.flat_map(|c| c.bodies) {
            if let Some(touched) = self.touched.get_mut(body) {
                *touched = true;
            }
        }
    }

    /// What the next step begins with, and who touches whom.
    fn remember(&self, memory: &mut Memory, report: &mut Report) {
        memory.clear();
        for contact in &self.list {
            let [n, t, u] = contact.frame;
            let [i, j, k] = contact.impulse;
            if i > 0.0 {
                memory.held.push(Held {
                    key: contact.key,
                    force: (n * i + t * j + u * k) / self.h,
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
        report.touches.extend_from_slice(&self.gone);
        memory.sort();
        self.joints.remember(self.links, memory, self.h);
    }
}
