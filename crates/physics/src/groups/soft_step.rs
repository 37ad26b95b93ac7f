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
use super::soft_buffers::Buffers;
use super::soft_rows::{
    Pass, Patch, Softness, follow, predict, relax, restitution, solve, warm_start,
};
use super::{
    GroupSolver, Member, Memory, Neighbour, Report, Scratch, Settings, SolverError, Span,
    Surroundings,
};
use crate::BodyModel;
use crate::body::Material;

/// Sweeps over the contacts in the first sub-step of a group that remembers nothing: the forces have
/// to be found from zero, and a body that lets go meanwhile may not find its hold again.
const COLD_SWEEPS: u32 = 16;

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
        soft.brace(members, &manifolds.list);
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
        let b = body(members, neighbours, j);
        let apart = if manifold.rests_apart { 1.0 } else { 0.0 };
        let bodies = [members[i].body, body_id(members, neighbours, j)];
        let centres = [members[i].state.position, b.1.position];
        soft.push_patch(self.patch(manifold, members[i].model, b.0));
        for point in manifolds.points_of(manifold) {
            let key = PointKey {
                bodies,
                parts: manifold.parts,
                piece: manifold.piece,
                feature: point.feature,
            };
            let impulse = memory.force(&key) * h;
            let arms = [point.on_a - centres[0], point.on_b - centres[1]];
            soft.push_row(key, arms, point.gap, apart * self.settings.skin, impulse);
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

    fn patch(&self, manifold: &Manifold, a: &BodyModel, b: &BodyModel) -> Patch {
        let material = Material::pair(a.material, b.material);
        let (t, u) = manifold.normal.any_orthonormal_pair();
        Patch {
            a: manifold.pair.0,
            b: manifold.pair.1,
            frame: [manifold.normal, t, u],
            to_cores: [
                manifold.normal * manifold.margins[0],
                manifold.normal * -manifold.margins[1],
            ],
            friction: material.friction,
            restitution: material.restitution,
            first: 0,
            end: 0,
        }
    }

    fn passes(&self, h: f64) -> [Pass; 2] {
        // Stiffer than this the sweeps of one sub-step no longer keep up with the push-out.
        let hertz = self.settings.contact_hertz.min(0.25 / h);
        let relaxing = Pass {
            inverse_h: 1.0 / h,
            soft: None,
            slop: self.settings.linear_slop,
            push_out_speed: self.settings.push_out_speed,
        };
        let soft = Some(Softness::new(hertz, self.settings.damping_ratio, h));
        let solving = Pass { soft, ..relaxing };
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
        let Surroundings {
            neighbours,
            pairs,
            links,
        } = *around;
        let Span { begin, seconds } = span;
        check(members, neighbours, "at the step's start")?;
        let substeps = self.substeps(seconds);
        let h = seconds / f64::from(substeps);
        let margin = self.settings.margin;
        let manifolds = &mut scratch.manifolds;
        manifolds.seeds.recall(members, neighbours, pairs, memory);
        contacts::find_again(members, neighbours, pairs, margin, seconds, manifolds)?;
        self.prepare(members, neighbours, memory, (h, seconds), scratch);
        report.clear();
        report.deepest = scratch.manifolds.deepest();
        let [solving, relaxing] = self.passes(h);
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
            let now = begin + h * f64::from(substep);
            soft.push_velocities(members, now, h);
            let (rows, movers) = (&mut soft.rows, &mut soft.movers);
            warm_start(&soft.patches, rows, movers);
            if !joints.is_empty() {
                joints.load(movers);
                joints.warm_start(h);
                joints.store(movers);
            }
            let sweeps = if substep == 0 && cold {
                COLD_SWEEPS
            } else {
                self.settings.sweeps
            };
            let count = members.len();
            for _ in 0..sweeps {
                solve(&soft.patches, rows, movers, &solving, count);
            }
            if !joints.is_empty() {
                joints.load(movers);
                joints.hold_positions(links, h, most);
                joints.store(movers);
                for _ in 0..if soft.patches.is_empty() { 0 } else { TURNS } {
                    solve(&soft.patches, rows, movers, &solving, count);
                    joints.load(movers);
                    joints.hold_positions(links, h, most);
                    joints.store(movers);
                }
            }
            predict(&soft.patches[soft.brief..], rows, movers, h);
            soft.move_bodies(members, neighbours, h);
            if !joints.is_empty() {
                let elapsed = h * f64::from(substep + 1);
                joints.follow(links, (members, neighbours), (elapsed, h));
                joints.load(&soft.movers);
                joints.settle(links);
                joints.store(&mut soft.movers);
            }
            let (lasting, brief) = soft.patches.split_at(soft.brief);
            let (rows, movers) = (&mut soft.rows, &mut soft.movers);
            follow(lasting, rows, movers);
            relax(&soft.patches, rows, movers, &relaxing, count);
            restitution(brief, rows, movers, threshold);
        }
        let soft = &mut scratch.soft;
        let lasting = &soft.patches[..soft.brief];
        restitution(lasting, &mut soft.rows, &mut soft.movers, threshold);
        soft.write_velocities(members);
        soft.remember(memory, h);
        joints.remember(links, memory, h);
        scratch.joints = joints;
        let soft = &scratch.soft;
        let seeds = &scratch.manifolds.seeds;
        seeds.remember(members, neighbours, memory);
        soft.report_rows(0, report);
        contacts::merge_touches(&mut report.touches, margin);
        check(members, &[], "at the step's end")
    }
}
