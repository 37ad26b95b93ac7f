//! `soft-step`: a sub-stepped solver with soft contacts, the default for piles and stacks.
//!
//! Contacts are found once a step (in every sub-step for bodies that pass each other fast). Every
//! sub-step then integrates velocities, starts from the last
//! impulses, solves the contacts with a soft push-out, moves the bodies, and relaxes: solves once
//! more without push-out, so that pushing leaves no speed behind. Restitution comes last. (The
//! "TGS soft" scheme of Catto's Solver2D.)

use super::contacts::{self, body, body_id, check};
use super::manifold::{Manifold, Manifolds};
use super::memory::PointKey;
use super::refine::{TOLERANT, until_held};
use super::rolling::rings_of;
use super::soft_buffers::Buffers;
use super::soft_direct::{Direct, Effort, HEAVY};
use super::soft_rows::{
    Mover, Pass, Patch, Row, Softness, follow, resist, restitution, solve, take_stock, warm_start,
};
use super::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, Settings, SolverError, Span,
    Surroundings,
};
use crate::joints::{change, motions};
use crate::{BodyModel, State, Vec3};

/// Sweeps over the contacts in the first sub-step of a group that remembers nothing: the forces have
/// to be found from zero, and a body that lets go meanwhile may not find its hold again.
const COLD_SWEEPS: u32 = 16;

/// Sweeps in a sub-step of a group in which a heavy body leans on a light one, and that is too large for its
/// contacts to be solved at once.
const HEAVY_SWEEPS: u32 = 4;

/// Part of a drift that friction takes back in a sub-step.
const HOLD: f64 = 0.25;

/// The same where contacts are solved at once: there it is one wish of many.
const FIRM_HOLD: f64 = 0.1;

/// How far members go in a step, in overlaps that are left alone, while they count as still.
const STILL: f64 = 1.0;

/// How often contacts and joints are solved again in turn, in a sub-step with both.
const TURNS: u32 = 3;

/// How long the contacts of a pair are good for.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// The whole step, between members.
    Lasting,
    /// The whole step, against a neighbour.
    Grounded,
    /// One sub-step: the bodies pass each other so fast that other features will touch.
    Brief,
}

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
        let effort = direct.effort(&soft.patches, &soft.movers, members, is_still);
        match effort {
            Effort::Light => Means::Sweeps(sweeps),
            Effort::Hopeless => Means::Sweeps(sweeps.max(COLD_SWEEPS)),
            _ if direct.begin(&soft.patches, members, effort) => Means::Exact { effort },
            Effort::Deep | Effort::Still => Means::Sweeps(sweeps),
            Effort::Heavy => Means::Sweeps(sweeps.max(HEAVY_SWEEPS)),
        }
    }

    /// Solves the rows, by sweeps so many times.
    fn solve(
        self,
        direct: &mut Direct,
        (patches, rows, movers): (&[Patch], &mut [Row], &mut [Mover]),
        pass: &Pass,
        (members, times): (usize, u32),
    ) {
        match self {
            Means::Exact { effort } => {
                if direct.solve(patches, rows, movers, pass, members) {
                    return;
                }
                let is_heavy = effort == Effort::Heavy;
                let soft = pass.soft.map(|s| if is_heavy { s.rigid() } else { s });
                let pass = Pass { soft, ..*pass };
                for _ in 0..HEAVY_SWEEPS.max(times) {
                    solve(patches, rows, movers, &pass, members);
                }
            }
            Means::Sweeps(sweeps) => {
                for _ in 0..sweeps.max(times) {
                    solve(patches, rows, movers, pass, members);
                }
            }
        }
    }
}

/// The default group solver.
#[derive(Clone, Debug, Default)]
pub struct SoftStep {
    settings: Settings,
}

impl SoftStep {
    /// With checked settings.
    pub fn new(settings: Settings) -> Result<Self, SolverError> {
        settings.validate()?;
        Ok(SoftStep { settings })
    }

    /// The settings in use.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Sub-steps for a step of `seconds`: as many as keep them no longer than in a full step.
    fn substeps(&self, seconds: f64) -> u32 {
        let share = seconds / self.settings.step * f64::from(self.settings.substeps);
        (share - 1e-9).ceil().clamp(1.0, 1e6) as u32
    }

    /// Turns manifolds into rows: contacts among members first, those that lean on neighbours
    /// next, so that the ground has the last word, and those of fast pairs at the end.
    fn prepare(
        &self,
        members: &[Member],
        neighbours: &[Neighbour],
        memory: &Memory,
        (h, seconds): (f64, f64),
        scratch: &mut Scratch,
    ) {
        let Scratch {
            manifolds, soft, ..
        } = scratch;
        soft.begin(members, neighbours);
        for kind in [Kind::Lasting, Kind::Grounded, Kind::Brief] {
            if kind == Kind::Brief {
                soft.brief = soft.patches.len();
            }
            for manifold in &manifolds.list {
                if self.kind(members, manifold.pair, (h, seconds)) == kind {
                    self.push_contact(members, neighbours, manifold, manifolds, memory, h, soft);
                    if kind == Kind::Brief && soft.brief_pairs.last() != Some(&manifold.pair) {
                        soft.brief_pairs.push(manifold.pair);
                    }
                }
            }
        }
    }

    fn kind(&self, members: &[Member], (i, j): (u32, u32), (h, seconds): (f64, f64)) -> Kind {
        let (i, j) = (i as usize, j as usize);
        if j >= members.len() {
            return Kind::Grounded;
        }
        let [a, b] = [i, j].map(|k| (members[k].model, &members[k].state));
        let fast = contacts::travel(a, b, seconds) > self.settings.refresh_travel;
        if fast && h < seconds {
            Kind::Brief
        } else {
            Kind::Lasting
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn push_contact(
        &self,
        members: &[Member],
        neighbours: &[Neighbour],
        manifold: &Manifold,
        manifolds: &Manifolds,
        memory: &Memory,
        h: f64,
        soft: &mut Buffers,
    ) {
        let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
        let (b_model, b_state) = body(members, neighbours, j);
        let apart = if manifold.rests_apart { 1.0 } else { 0.0 };
        let bodies = [members[i].body, body_id(members, neighbours, j)];
        let centres = [members[i].state.position, b_state.position];
        let is_lasting = soft.brief_pairs.last() != Some(&manifold.pair)
            && soft.brief_pairs.binary_search(&manifold.pair).is_err();
        let mut patch = self.patch(manifold, members[i].model, b_model);
        // Sweeps alone do not settle what holds among members; where the masses differ much, they are not
        // alone.
        patch.is_flat &= is_lasting && self.is_firm(members, (i, j));
        soft.push_patch(patch);
        for point in manifolds.points_of(manifold) {
            let key = PointKey {
                bodies,
                parts: manifold.parts,
                piece: manifold.piece,
                feature: point.feature,
            };
            let held = memory.get(&key);
            let impulse = held.map_or(Vec3::ZERO, |held| held.force * h);
            let drift = match held {
                Some(held) if patch.is_flat => {
                    let [a, b] = held.hold;
                    let first = centres[0] + members[i].state.rotation * a;
                    first - (centres[1] + b_state.rotation * b)
                }
                _ => Vec3::ZERO,
            };
            let arms = [point.on_a - centres[0], point.on_b - centres[1]];
            let place = (arms, point.on_a - point.on_b);
            let both = [(members[i].model, &members[i].state), (b_model, b_state)];
            let points = [point.on_a, point.on_b];
            let (normal, margins) = (manifold.normal, manifold.margins);
            let rings = rings_of(both, manifold.parts, points, normal, margins);
            let rest = apart * self.settings.skin;
            soft.push_row(key, place, rest, impulse, drift, rings);
        }
    }

    /// Finds the contacts of fast pairs anew, where they are now, and those of bodies that were
    /// struck since the step's start and may go where nobody looked.
    fn refresh(
        &self,
        members: &mut [Member],
        neighbours: &[Neighbour],
        pairs: &[(u32, u32)],
        (h, gone, left): (f64, f64, f64),
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<(), SolverError> {
        let Scratch {
            manifolds, soft, ..
        } = scratch;
        let astray = self.settings.refresh_travel;
        let times = (gone, left);
        let released = soft.add_struck_pairs(members, neighbours, pairs, times, astray);
        // They would have bounced at the step's end.
        let (patches, threshold) = (&soft.patches[released], self.settings.restitution_threshold);
        restitution(patches, &mut soft.rows, &mut soft.movers, threshold);
        if soft.brief_pairs.is_empty() {
            return Ok(());
        }
        soft.drop_brief(h, report);
        soft.write_velocities(members);
        let (pairs, margin) = (&soft.brief_pairs, self.settings.margin);
        contacts::find_again(members, neighbours, pairs, margin, h, manifolds)?;
        let carried = std::mem::take(&mut soft.carried);
        for manifold in &manifolds.list {
            self.push_contact(members, neighbours, manifold, manifolds, &carried, h, soft);
        }
        soft.carried = carried;
        Ok(())
    }

    /// Whether friction holds the points of two bodies in their place, not by their velocities alone.
    fn is_firm(&self, members: &[Member], (i, j): (usize, usize)) -> bool {
        let Some(second) = members.get(j) else {
            return true;
        };
        let (a, b) = (members[i].model.mass.mass, second.model.mass.mass);
        a.max(b) > HEAVY * a.min(b)
    }

    fn patch(&self, manifold: &Manifold, a: &BodyModel, b: &BodyModel) -> Patch {
        let meeting = a.meeting(b);
        let (t, u) = manifold.normal.any_orthonormal_pair();
        let [round, other] = manifold.margins;
        let own = if round + other > 0.0 {
            round / (round + other)
        } else {
            0.5
        };
        Patch {
            a: manifold.pair.0,
            b: manifold.pair.1,
            frame: [manifold.normal, t, u],
            to_cores: [
                manifold.normal * manifold.margins[0],
                manifold.normal * -manifold.margins[1],
            ],
            rounder: [own, 1.0 - own],
            friction: meeting.material.friction,
            restitution: meeting.material.restitution,
            rolling: meeting.rolling,
            is_flat: manifold.is_flat,
            first: 0,
            end: 0,
        }
    }

    fn passes(&self, h: f64, is_exact: bool) -> [Pass; 2] {
        // Stiffer than this the sweeps of one sub-step no longer keep up with the push-out.
        let hertz = self.settings.contact_hertz.min(0.25 / h);
        let relaxing = Pass {
            inverse_h: 1.0 / h,
            soft: None,
            slop: self.settings.linear_slop,
            push_out_speed: self.settings.push_out_speed,
            band: if is_exact {
                self.settings.linear_slop
            } else {
                0.0
            },
            hold_rate: 0.0,
        };
        let soft = Softness::new(hertz, self.settings.damping_ratio, h);
        let solving = Pass {
            soft: Some(soft),
            hold_rate: if is_exact { FIRM_HOLD } else { HOLD } / h,
            ..relaxing
        };
        [solving, relaxing]
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
        until_held(span, members, around, memory, |members, memory, finer| {
            self.advance(span, members, around, memory, (scratch, report), finer)
        })
    }
}

impl SoftStep {
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
        let substeps = self.substeps(seconds) * finer.max(1);
        let h = seconds / f64::from(substeps);
        let margin = self.settings.margin;
        let manifolds = &mut scratch.manifolds;
        manifolds.seeds.recall(members, neighbours, pairs, memory);
        contacts::find_again(members, neighbours, pairs, margin, seconds, manifolds)?;
        self.prepare(members, neighbours, memory, (h, seconds), scratch);
        report.clear();
        report.deepest = scratch.manifolds.deepest();
        let count = members.len();
        let way = STILL * self.settings.linear_slop;
        let is_slow = |m: &Member| {
            let State { velocity, spin, .. } = m.state;
            (velocity.length() + spin.length() * m.model.bounding_radius()) * seconds < way
        };
        let is_still = links.is_empty() && members.iter().all(is_slow);
        let means = Means::choose(scratch, count, self.settings.sweeps, is_still);
        let is_exact = matches!(means, Means::Exact { .. });
        if !is_exact {
            scratch.soft.loosen(count);
        }
        let [solving, relaxing] = self.passes(h, is_exact);
        let threshold = self.settings.restitution_threshold;
        let cold = memory.held.is_empty();
        let mut joints = std::mem::take(&mut scratch.joints);
        joints.begin_step(links, (members, neighbours), memory, h);
        // An old error of a joint is taken back no faster than an overlap.
        let most = self.settings.push_out_speed * h;
        for substep in 0..substeps {
            if substep > 0 {
                let gone = h * f64::from(substep);
                let times = (h, gone, seconds - gone);
                self.refresh(members, neighbours, pairs, times, scratch, report)?;
            }
            let soft = &mut scratch.soft;
            let before = motions(&joints, &soft.movers, substep);
            if soft.bounce(&mut joints, links, (h, threshold)) {
                let gone = h * f64::from(substep);
                report.bounced(gone, count, |m| change(&soft.movers[m], before[m]));
            }
            let now = begin + h * f64::from(substep);
            soft.push_velocities(members, (now, h), self.settings.linear_slop);
            warm_start(&soft.patches, &soft.rows, &mut soft.movers);
            soft.roll(members, neighbours, 0.5 * h);
            let (rows, movers) = (&mut soft.rows, &mut soft.movers);
            if !joints.is_empty() {
                joints.load(movers);
                joints.warm_start(h);
                joints.store(movers);
            }
            if let Means::Exact { effort } = means
                && substep > 0
                && !soft.brief_pairs.is_empty()
            {
                scratch.direct.begin(&soft.patches, count, effort);
            }
            let direct = &mut scratch.direct;
            let mut sweep = |rows: &mut [Row], movers: &mut [Mover], pass: &Pass, times: u32| {
                means.solve(direct, (&soft.patches, rows, movers), pass, (count, times));
            };
            let times = if substep == 0 && cold { COLD_SWEEPS } else { 1 };
            sweep(rows, movers, &solving, times);
            if !joints.is_empty() {
                joints.load(movers);
                joints.hold_positions(links, h, most);
                joints.store(movers);
                for _ in 0..if soft.patches.is_empty() { 0 } else { TURNS } {
                    sweep(rows, movers, &solving, 1);
                    joints.load(movers);
                    joints.hold_positions(links, h, most);
                    joints.store(movers);
                }
            }
            if joints.is_lost() && finer != TOLERANT {
                scratch.joints = joints;
                return Ok(false);
            }
            resist(&soft.patches, rows, movers);
            soft.move_bodies(members, neighbours, h);
            if !joints.is_empty() {
                let elapsed = h * f64::from(substep + 1);
                joints.follow(links, (members, neighbours), (elapsed, h));
                joints.load(&soft.movers);
                joints.settle(links);
                joints.store(&mut soft.movers);
            }
            follow(&soft.patches, &mut soft.rows, &soft.feet, &soft.movers);
            soft.roll(members, neighbours, -0.5 * h);
            let (rows, movers) = (&mut soft.rows, &mut soft.movers);
            let system = (&soft.patches[..], &mut rows[..], &mut movers[..]);
            means.solve(&mut scratch.direct, system, &relaxing, (count, 1));
            take_stock(&soft.patches, rows, &mut soft.feet);
            let brief = &soft.patches[soft.brief..];
            restitution(brief, rows, movers, threshold);
            soft.note_touched();
        }
        let soft = &mut scratch.soft;
        let lasting = &soft.patches[..soft.brief];
        restitution(lasting, &mut soft.rows, &mut soft.movers, threshold);
        soft.write_velocities(members);
        soft.let_fly(members, span, &joints);
        soft.remember((members, neighbours), memory, h);
        joints.remember(links, memory, h);
        scratch.joints = joints;
        let soft = &scratch.soft;
        let seeds = &scratch.manifolds.seeds;
        seeds.remember(members, neighbours, memory);
        soft.report_rows(0, report);
        contacts::merge_touches(&mut report.touches, margin);
        check(members, &[], "at the step's end")?;
        Ok(true)
    }
}
