//! One step of `soft-step`: how it is taken, and its sub-steps one after the other.

use super::contacts::{self, check};
use super::refine::is_too_long;
use super::soft_direct::{Direct, Effort};
use super::soft_rows::{
    Heat, Mover, Pass, Patch, Row, Softness, follow, resist, restitution, settle, solve,
    take_stock, warm_start,
};
use super::soft_step::SoftStep;
use super::{Member, Memory, Report, Scratch, SolverError, Span, Surroundings};
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

    /// Solves the rows, by sweeps so many times and then where that has changed much.
    fn solve(
        self,
        (direct, heat): (&mut Direct, &mut Heat),
        (patches, rows, movers): (&[Patch], &mut [Row], &mut [Mover]),
        pass: &Pass,
        (members, times): (usize, u32),
    ) {
        let mut pass = *pass;
        let sweeps = match self {
            Means::Exact { effort } => {
                if direct.solve(patches, rows, movers, &pass, members) {
                    return;
                }
                if effort == Effort::Heavy {
                    pass.soft = pass.soft.map(Softness::rigid);
                }
                HEAVY_SWEEPS
            }
            Means::Sweeps(sweeps) => sweeps,
        };
        for _ in 0..sweeps.max(times) {
            solve(patches, rows, movers, &pass, (members, &mut *heat));
        }
        settle(patches, rows, movers, &pass, (members, heat));
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

impl SoftStep {
    /// One step with `finer` times as many sub-steps as usual. Says whether all joints were held; if not, the
    /// step has not been done.
    pub(super) fn advance(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &mut Memory,
        (scratch, report): (&mut Scratch, &mut Report),
        finer: u32,
    ) -> Result<bool, SolverError> {
        let Surroundings {
            neighbours, links, ..
        } = *around;
        check(members, neighbours, "at the step's start")?;
        report.clear();
        let plan = self.plan(span, members, around, memory, (scratch, report), finer)?;
        let mut joints = std::mem::take(&mut scratch.joints);
        joints.begin_step(links, (members, neighbours), memory, plan.h);
        for substep in 0..plan.substeps {
            self.begin_sub_step(&plan, substep, (members, around), scratch, report)?;
            self.bounce(
                &plan,
                substep,
                (members, links),
                &mut joints,
                scratch,
                report,
            );
            self.push_out(&plan, substep, (members, around), &mut joints, scratch);
            if is_too_long(&joints, finer) {
                scratch.joints = joints;
                return Ok(false);
            }
            self.relax(&plan, substep, (members, around), &mut joints, scratch);
        }
        self.conclude(
            &plan,
            (members, around),
            (memory, joints),
            (scratch, report),
        )?;
        Ok(true)
    }

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

    /// The first half of a sub-step: forces, warm start, contacts and joints with push-out, and the way.
    fn push_out(
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
        let (h, count) = (plan.h, members.len());
        // An old error of a joint is taken back no faster than an overlap.
        let most = self.settings().push_out_speed * h;
        let soft = &mut scratch.soft;
        let now = plan.span.begin + plan.gone(substep);
        soft.push_velocities(members, (now, h), self.settings().linear_slop);
        warm_start(&soft.patches, &soft.rows, &mut soft.movers);
        soft.roll(members, neighbours, 0.5 * h);
        let (rows, movers) = (&mut soft.rows, &mut soft.movers);
        if !joints.is_empty() {
            joints.load(movers);
            joints.warm_start(h);
            joints.store(movers);
        }
        if let Means::Exact { effort } = plan.means
            && substep > 0
            && !soft.brief_pairs.is_empty()
        {
            scratch.direct.begin(&soft.patches, count, effort);
        }
        let (direct, heat) = (&mut scratch.direct, &mut soft.heat);
        let mut sweep = |rows: &mut [Row], movers: &mut [Mover], times: u32| {
            let system = (&soft.patches[..], rows, movers);
            let by = (&mut *direct, &mut *heat);
            plan.means
                .solve(by, system, &plan.passes[0], (count, times));
        };
        let is_cold = substep == 0 && plan.is_cold;
        sweep(rows, movers, if is_cold { COLD_SWEEPS } else { 1 });
        if !joints.is_empty() {
            joints.load(movers);
            joints.hold_positions(links, h, most);
            joints.store(movers);
            for _ in 0..if soft.patches.is_empty() { 0 } else { TURNS } {
                sweep(rows, movers, 1);
                joints.load(movers);
                joints.hold_positions(links, h, most);
                joints.store(movers);
            }
        }
    }

    /// The second half: the way, and contacts and joints without push-out.
    fn relax(
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
        let (h, count) = (plan.h, members.len());
        let soft = &mut scratch.soft;
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
        let (rows, movers) = (&mut soft.rows, &mut soft.movers);
        let system = (&soft.patches[..], &mut rows[..], &mut movers[..]);
        let by = (&mut scratch.direct, &mut soft.heat);
        plan.means.solve(by, system, &plan.passes[1], (count, 1));
        take_stock(&soft.patches, rows, &mut soft.feet);
        let brief = &soft.patches[soft.brief..];
        restitution(brief, rows, movers, self.settings().restitution_threshold);
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
