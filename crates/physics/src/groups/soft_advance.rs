//! One step of `soft-step`: how it is taken, and its sub-steps one after the other.

use super::contacts::{self, check};
use super::refine::{Attempts, is_too_long};
use super::soft_direct::Effort;
use super::soft_rows::{Pass, Softness, follow, resist, restitution, take_stock, warm_start};
use super::soft_step::SoftStep;
use super::{GroupSolver, Member, Memory, Report, Scratch, SolverError, Span, Surroundings};
use crate::State;
use crate::joints::{Link, System, change, motions};

/// Sweeps over the contacts in the first sub-step of a group that remembers nothing: the forces have
/// to be found from zero, and a body that lets go meanwhile may not find its hold again.
const COLD_SWEEPS: u32 = 16;

/// Sweeps in a sub-step of a group in which a heavy body leans on a light one, and that is too large for its
/// contacts to be solved at once.
const HEAVY_SWEEPS: u32 = 4;

/// How far members go in a step, in overlaps that are left alone, while they count as still.
const STILL: f64 = 1.0;

/// How often contacts and joints are solved again in turn, in a sub-step with both.
const TURNS: u32 = 3;

/// How the contacts of a group are solved.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Means {
    /// So many sweeps.
    Sweeps(u32),
    /// All at once, and where that fails by sweeps that are soft, as long as no heavy body leans on a light one.
    Exact { effort: Effort },
}

impl Means {
    /// What the contacts of a step ask for: a function of who touches whom.
    fn choose(scratch: &mut Scratch, members: usize, sweeps: u32, is_still: bool) -> Self {
        let Scratch { soft, direct, .. } = scratch;
        let effort = direct.effort(&soft.patches, soft.brief, &soft.movers, members, is_still);
        match effort {
            Effort::Light => Means::Sweeps(sweeps),
            Effort::Hopeless => Means::Sweeps(sweeps.max(COLD_SWEEPS)),
            _ if direct.begin(&soft.patches, members, effort) => Means::Exact { effort },
            Effort::Deep | Effort::Still => Means::Sweeps(sweeps),
            Effort::Heavy => Means::Sweeps(sweeps.max(HEAVY_SWEEPS)),
        }
    }

    /// Solves the rows at once, where they are to be and can be; what is left are sweeps, so many of them.
    fn left_to_sweep(
        self,
        scratch: &mut Scratch,
        pass: &Pass,
        (members, times): (usize, u32),
    ) -> Option<(Pass, u32)> {
        let Scratch { soft, direct, .. } = scratch;
        let mut pass = *pass;
        let sweeps = match self {
            Means::Exact { effort } => {
                let (patches, rows, movers) = (&soft.patches, &mut soft.rows, &mut soft.movers);
                if direct.solve(patches, rows, movers, &pass, members) {
                    return None;
                }
                if effort == Effort::Heavy {
                    pass.soft = pass.soft.map(Softness::rigid);
                }
                HEAVY_SWEEPS
            }
            Means::Sweeps(sweeps) => sweeps,
        };
        Some((pass, sweeps.max(times)))
    }
}

/// How a step is taken.
struct Plan {
    span: Span,
    means: Means,
    substeps: u32,
    /// Length of a sub-step, seconds.
    h: f64,
    /// The numbers of a pass that pushes out, and of one that relaxes.
    passes: [Pass; 2],
    /// Whether nothing is remembered of a step before.
    is_cold: bool,
}

impl Plan {
    /// Seconds from the step's start to the start of a sub-step.
    fn gone(&self, substep: u32) -> f64 {
        self.h * f64::from(substep)
    }
}

impl GroupSolver for SoftStep {
    fn name(&self) -> &'static str {
        "soft-step"
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
        let count = members.len();
        let mut attempts = Attempts::begin(members, around, memory);
        loop {
            let finer = attempts.finer();
            let told = |error| attempts.told(error, span, around, count);
            let plan = self
                .plan(span, members, around, memory, (scratch, report), finer)
                .map_err(told)?;
            let mut joints = std::mem::take(&mut scratch.joints);
            joints.begin_step(around.links, (members, around.neighbours), memory, plan.h);
            let mut is_held = true;
            for substep in 0..plan.substeps {
                self.begin_sub_step(&plan, substep, (members, around), scratch, report)
                    .map_err(told)?;
                self.bounce(
                    &plan,
                    substep,
                    (members, around.links),
                    &mut joints,
                    scratch,
                    report,
                );
                self.press(&plan, substep, (members, around), &mut joints, scratch);
                let is_cold = substep == 0 && plan.is_cold;
                for turn in 0..=turns(&joints, scratch) {
                    let times = if turn == 0 && is_cold { COLD_SWEEPS } else { 1 };
                    let pass = &plan.passes[0];
                    if let Some(left) = plan.means.left_to_sweep(scratch, pass, (count, times)) {
                        scratch.soft.sweep(left, count);
                    }
                    self.hold(&plan, around.links, &mut joints, scratch);
                }
                is_held = !is_too_long(&joints, finer);
                if !is_held {
                    break;
                }
                self.move_on(&plan, substep, (members, around), &mut joints, scratch);
                let pass = &plan.passes[1];
                if let Some(left) = plan.means.left_to_sweep(scratch, pass, (count, 1)) {
                    scratch.soft.sweep(left, count);
                }
                self.end_sub_step(scratch);
            }
            if is_held {
                let ends = (memory, joints);
                return self
                    .conclude(&plan, (members, around), ends, (scratch, report))
                    .map_err(told);
            }
            scratch.joints = joints;
            attempts.again(members, memory);
        }
    }
}

/// How often contacts and joints are solved again in turn in a sub-step.
fn turns(joints: &System, scratch: &Scratch) -> u32 {
    match joints.is_empty() || scratch.soft.patches.is_empty() {
        true => 0,
        false => TURNS,
    }
}

impl SoftStep {
    /// Finds the contacts of a step, lets blows be taken up, and chooses how the step is taken.
    fn plan(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &Memory,
        (scratch, report): (&mut Scratch, &mut Report),
        finer: u32,
    ) -> Result<Plan, SolverError> {
        let Surroundings {
            neighbours,
            pairs,
            links,
        } = *around;
        check(members, neighbours, "at the step's start")?;
        report.clear();
        let seconds = span.seconds;
        let mut substeps = self.substeps(seconds) * finer.max(1);
        let mut h = seconds / f64::from(substeps);
        let seeds = &mut scratch.manifolds.seeds;
        seeds.recall(members, neighbours, pairs, memory);
        self.find(members, around, memory, (h, seconds), scratch)?;
        report.deepest = scratch.manifolds.deepest();
        if links.is_empty() && self.take_blows(members, neighbours, pairs, h, (scratch, report))? {
            self.find(members, around, memory, (h, seconds), scratch)?;
        }
        let count = members.len();
        let way = STILL * self.settings().linear_slop;
        let is_slow = |m: &Member| {
            let State { velocity, spin, .. } = m.state;
            (velocity.length() + spin.length() * m.model.bounding_radius()) * seconds < way
        };
        let is_still = links.is_empty() && members.iter().all(is_slow);
        let means = Means::choose(scratch, count, self.settings().sweeps, is_still);
        let is_exact = matches!(means, Means::Exact { .. });
        if !is_exact {
            scratch.soft.loosen(count);
        }
        let hold_rate = self.passes(h, is_exact)[0].hold_rate;
        let is_at_rest = means
            == Means::Exact {
                effort: Effort::Still,
            };
        if is_at_rest && scratch.soft.brief_pairs.is_empty() {
            // What hardly moves and is solved at once needs no sub-steps.
            scratch.soft.scale_impulses(f64::from(substeps));
            (substeps, h) = (1, seconds);
        }
        let mut passes = self.passes(h, is_exact);
        passes[0].hold_rate = hold_rate;
        Ok(Plan {
            span,
            means,
            substeps,
            h,
            passes,
            is_cold: memory.held.is_empty(),
        })
    }

    /// Looks at brief contacts where the bodies are now.
    fn begin_sub_step(
        &self,
        plan: &Plan,
        substep: u32,
        (members, around): (&mut [Member], &Surroundings<'_>),
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<(), SolverError> {
        if substep == 0 {
            return Ok(());
        }
        let gone = plan.gone(substep);
        let times = (plan.h, gone, plan.span.seconds - gone);
        let (neighbours, pairs) = (around.neighbours, around.pairs);
        self.refresh(members, neighbours, pairs, times, scratch, report)
    }

    /// Lets members with joints bounce.
    fn bounce(
        &self,
        plan: &Plan,
        substep: u32,
        (members, links): (&[Member], &[Link]),
        joints: &mut System,
        scratch: &mut Scratch,
        report: &mut Report,
    ) {
        let soft = &mut scratch.soft;
        let before = motions(joints, &soft.movers, substep);
        let threshold = self.settings().restitution_threshold;
        if soft.bounce(joints, links, (plan.h, threshold)) {
            report.bounced(plan.gone(substep), members.len(), |m| {
                change(&soft.movers[m], before[m])
            });
        }
    }

    /// A sub-step's forces, and the impulses that the last one ended with.
    fn press(
        &self,
        plan: &Plan,
        substep: u32,
        (members, around): (&mut [Member], &Surroundings<'_>),
        joints: &mut System,
        scratch: &mut Scratch,
    ) {
        let (h, count) = (plan.h, members.len());
        let soft = &mut scratch.soft;
        let now = plan.span.begin + plan.gone(substep);
        soft.push_velocities(members, (now, h), self.settings().linear_slop);
        warm_start(&soft.patches, &soft.rows, &mut soft.movers);
        soft.roll(members, around.neighbours, 0.5 * h);
        if !joints.is_empty() {
            joints.load(&soft.movers);
            joints.warm_start(h);
            joints.store(&mut soft.movers);
        }
        if let Means::Exact { effort } = plan.means
            && substep > 0
            && !soft.brief_pairs.is_empty()
        {
            scratch.direct.begin(&soft.patches, count, effort);
        }
    }

    /// Joints with push-out. An old error of a joint is taken back no faster than an overlap.
    fn hold(&self, plan: &Plan, links: &[Link], joints: &mut System, scratch: &mut Scratch) {
        if joints.is_empty() {
            return;
        }
        let movers = &mut scratch.soft.movers;
        joints.load(movers);
        joints.hold_positions(links, plan.h, self.settings().push_out_speed * plan.h);
        joints.store(movers);
    }

    /// The way of a sub-step, and joints without push-out.
    fn move_on(
        &self,
        plan: &Plan,
        substep: u32,
        (members, around): (&mut [Member], &Surroundings<'_>),
        joints: &mut System,
        scratch: &mut Scratch,
    ) {
        let Surroundings {
            neighbours, links, ..
        } = *around;
        let (h, soft) = (plan.h, &mut scratch.soft);
        resist(&soft.patches, &mut soft.rows, &mut soft.movers);
        soft.move_bodies(members, neighbours, h);
        if !joints.is_empty() {
            joints.follow(links, (members, neighbours), (plan.gone(substep + 1), h));
            joints.load(&soft.movers);
            joints.settle(links);
            joints.store(&mut soft.movers);
        }
        follow(&soft.patches, &mut soft.rows, &soft.feet, &soft.movers);
        soft.roll(members, neighbours, -0.5 * h);
    }

    /// What the contacts of a sub-step are left with.
    fn end_sub_step(&self, scratch: &mut Scratch) {
        let soft = &mut scratch.soft;
        take_stock(&soft.patches, &mut soft.rows, &mut soft.feet);
        let brief = &soft.patches[soft.brief..];
        let threshold = self.settings().restitution_threshold;
        restitution(brief, &mut soft.rows, &mut soft.movers, threshold);
        soft.note_touched();
    }

    /// Restitution, what is remembered, and what is told.
    fn conclude(
        &self,
        plan: &Plan,
        (members, around): (&mut [Member], &Surroundings<'_>),
        (memory, joints): (&mut Memory, System),
        (scratch, report): (&mut Scratch, &mut Report),
    ) -> Result<(), SolverError> {
        let Surroundings {
            neighbours, links, ..
        } = *around;
        let soft = &mut scratch.soft;
        let lasting = &soft.patches[..soft.brief];
        let threshold = self.settings().restitution_threshold;
        restitution(lasting, &mut soft.rows, &mut soft.movers, threshold);
        soft.write_velocities(members);
        soft.let_fly(members, plan.span, &joints);
        soft.remember((members, neighbours), memory, plan.h);
        joints.remember(links, memory, plan.h);
        scratch.joints = joints;
        let seeds = &scratch.manifolds.seeds;
        seeds.remember(members, neighbours, memory);
        scratch.soft.report_rows(0, report);
        contacts::merge_touches(&mut report.touches, self.settings().margin);
        check(members, &[], "at the step's end")
    }
}
