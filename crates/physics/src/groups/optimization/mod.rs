//! `optimization`: optimization-based animation (Milenkovic and Schmidl 2001) as a group solver, for
//! dense packings.
//!
//! A step has a fixed length. Each body has a *target*, its state after the step if nothing stood in
//! its way, and is moved as close to it as non-overlap allows: the sum of the squared *target
//! deficits* is minimised under a separating plane for every pair of convex pieces that could overlap.
//! The constraints are linearised at the poses reached so far and the quadratic program is solved
//! again until the perturbation vanishes. Three stages:
//!
//! 1. velocities: forces, then fast collisions in their order (the hybrid), then contact impulses with
//!    friction that keep the targets from running into what is near ([`impulses`]);
//! 2. positions: the programs over separating planes ([`planes`], [`program`]), begun with few critical
//!    vertices and continued with those that penetrate; when that ends nowhere, everything goes back to
//!    the step's start and begins again with what was learned;
//! 3. velocities after positions: what now touches does not go on approaching.

mod bodies;
mod contact;
mod impulses;
mod planes;
mod program;
mod search;
mod settings;
mod ways;

pub use settings::{OptimizationSettings, Weighting};

use self::bodies::Bodies;
use self::impulses::Impulses;
use self::program::Program;
use super::contacts::{self, check};
use super::memory::Held;
use super::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, SolverError, Span, Surroundings, Touch,
};
use crate::Vec3;

/// What a step of the optimiser cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Effort {
    /// Steps that were advanced by the optimiser.
    pub steps: u64,
    /// Members that were advanced in them, one for each step.
    pub bodies: u64,
    /// Steps that were left to `soft-step`, and why.
    pub left: Left,
    /// Quadratic programs solved for positions.
    pub programs: u64,
    /// Constraints in them, each a critical vertex and its plane.
    pub vertices: u64,
    /// Times a step went back to its start with what it had learned.
    pub rollbacks: u64,
    /// Steps on whose ways bodies may overlap, because no programs were found that keep them apart.
    pub unclear: u64,
    /// Sweeps over constraints, in programs and for impulses.
    pub sweeps: u64,
    /// Programs solved for contact impulses: before the targets are set, and after positions are found.
    pub impulses: u64,
    /// Of these, how many still changed when their sweeps were used up.
    pub unsettled: u64,
}

/// Steps of groups that were left to `soft-step`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Left {
    /// The group has joints.
    pub jointed: u64,
    /// It is not dense.
    pub loose: u64,
    /// The optimiser could not move its members apart in this step.
    pub jammed: u64,
    /// Members that were advanced in these steps, one for each step.
    pub bodies: u64,
}

impl Effort {
    /// Adds another step's effort.
    pub fn add(&mut self, other: &Effort) {
        self.steps += other.steps;
        self.bodies += other.bodies;
        self.left.jointed += other.left.jointed;
        self.left.loose += other.left.loose;
        self.left.jammed += other.left.jammed;
        self.left.bodies += other.left.bodies;
        self.programs += other.programs;
        self.vertices += other.vertices;
        self.rollbacks += other.rollbacks;
        self.unclear += other.unclear;
        self.sweeps += other.sweeps;
        self.impulses += other.impulses;
        self.unsettled += other.unsettled;
    }
}

/// Buffers of the optimiser; they carry nothing from one step to the next.
#[derive(Default)]
pub struct Buffers {
    bodies: Bodies,
    impulses: Impulses,
    program: Program,
}

/// Optimization-based animation.
#[derive(Clone, Debug, Default)]
pub struct Optimization {
    settings: OptimizationSettings,
}

impl Optimization {
    /// With checked settings.
    pub fn new(settings: OptimizationSettings) -> Result<Self, SolverError> {
        settings.validate()?;
        Ok(Optimization { settings })
    }

    /// The settings in use.
    pub fn settings(&self) -> &OptimizationSettings {
        &self.settings
    }
}

impl GroupSolver for Optimization {
    fn name(&self) -> &'static str {
        "optimization"
    }

    fn keeps_apart(&self) -> bool {
        true
    }

    fn pass(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        passing: &[u32],
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Option<Result<(), SolverError>> {
        if !around.links.is_empty() {
            return None;
        }
        Some(self.advance(span, members, around, passing, memory, (scratch, report)))
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
        self.advance(span, members, around, &[], memory, (scratch, report))
    }
}

impl Optimization {
    fn advance(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        passing: &[u32],
        memory: &mut Memory,
        (scratch, report): (&mut Scratch, &mut Report),
    ) -> Result<(), SolverError> {
        let Surroundings {
            neighbours,
            pairs,
            links,
        } = *around;
        if !links.is_empty() {
            let solver = GroupSolver::name(self);
            return Err(SolverError::NoJoints { solver });
        }
        check(members, neighbours, "at the step's start")?;
        report.clear();
        report.effort.steps = 1;
        report.effort.bodies = members.len() as u64;
        let settings = &self.settings;
        let Scratch {
            manifolds,
            optimization:
                Buffers {
                    bodies,
                    impulses,
                    program,
                },
            ..
        } = scratch;

        // What may touch during the step, from where the last searches ended.
        manifolds.seeds.recall(members, neighbours, pairs, memory);
        let (margin, seconds) = (settings.margin, span.seconds);
        contacts::find_again(members, neighbours, pairs, margin, seconds, manifolds)?;
        report.deepest = manifolds.deepest();

        // Velocities: forces, fast collisions, contact impulses.
        bodies.begin(members, neighbours, span);
        impulses.begin(
            (members, neighbours),
            (manifolds, passing),
            memory,
            settings,
            seconds,
        );
        impulses.bounce(bodies, settings, seconds);
        impulses.solve(bodies, settings, seconds, &mut report.effort);

        // Positions: as near to the targets as non-overlap allows.
        bodies.aim(members, impulses.touched());
        let scene = (&mut *members, neighbours, pairs);
        program.solve(scene, bodies, manifolds, settings, span, &mut report.effort)?;

        // Velocities after positions: what touches now does not go on approaching.
        let scene = (&*members, neighbours);
        impulses.stop(bodies, scene, manifolds, settings, &mut report.effort);
        bodies.write_velocities(members);

        remember(members, neighbours, (impulses, manifolds), memory, seconds);
        tell(impulses, program, margin, report);
        check(members, &[], "at the step's end")
    }
}

/// Keeps contact forces and the ends of searches for the next step.
fn remember(
    members: &[Member],
    neighbours: &[Neighbour],
    (impulses, manifolds): (&Impulses, &super::manifold::Manifolds),
    memory: &mut Memory,
    seconds: f64,
) {
    memory.clear();
    for (key, impulse) in impulses.held() {
        let force = impulse / seconds;
        let hold = [Vec3::ZERO; 2];
        memory.held.push(Held { key, force, hold });
    }
    memory.sort();
    manifolds.seeds.remember(members, neighbours, memory);
}

/// Fills the report with what touched.
fn tell(impulses: &Impulses, program: &Program, margin: f64, report: &mut Report) {
    let mut push = |bodies: [u32; 2], gap: f64, normal_impulse: f64| {
        let [a, b] = bodies;
        report.touches.push(Touch {
            a: a.min(b),
            b: a.max(b),
            gap,
            normal_impulse,
        });
    };
    impulses.touches(&mut push);
    program.touches(&mut push);
    contacts::merge_touches(&mut report.touches, margin);
}
