//! `soft-step`: a sub-stepped solver with soft contacts, the default for piles and stacks.
//!
//! Contacts are found once a step (in every sub-step for bodies that pass each other fast). Every
//! sub-step then integrates velocities, starts from the last
//! impulses, solves the contacts with a soft push-out, moves the bodies, and relaxes: solves once
//! more without push-out, so that pushing leaves no speed behind. Restitution comes last. (The
//! "TGS soft" scheme of Catto's Solver2D.)

use super::contacts::{self, body, body_id};
use super::faces::Solid;
use super::manifold::{Manifold, Manifolds};
use super::memory::PointKey;
use super::rolling::{may_roll, rings_of};
use super::soft_buffers::Buffers;
use super::soft_direct::HEAVY;
use super::soft_rows::{Pass, Patch, Softness, restitution};
use super::{Member, Memory, Neighbour, Report, Scratch, Settings, SolverError, Surroundings};
use crate::{BodyModel, Vec3};

/// Part of a drift that friction takes back in a sub-step.
const HOLD: f64 = 0.25;

/// The same where contacts are solved at once: there it is one wish of many.
const FIRM_HOLD: f64 = 0.1;

/// How far a straight prediction of corners that turn may be wrong by in a step, in overlaps that are left alone,
/// before their contacts are looked at again in every sub-step.
const BEND: f64 = 2.0;

/// How long the contacts of a pair are good for.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// The whole step, between members.
    Lasting,
    /// The whole step, against a neighbour.
    Grounded,
    /// One sub-step: the bodies pass each other so fast that other features will touch.
    Brief,
}

/// Whether a body has parts that are neither balls nor round, so that it touches with corners.
fn has_corners(model: &BodyModel) -> bool {
    let is_cornered = |solid| matches!(solid, Some(Solid::Cuboid(_) | Solid::Hull(_)));
    model
        .collider
        .parts
        .iter()
        .any(|part| is_cornered(Solid::of(part)))
}

/// Whether a pair is in a sorted list; pairs are asked for in their order, and `next` is how far one has got.
fn is_next(list: &[(u32, u32)], next: &mut usize, pair: (u32, u32)) -> bool {
    while list.get(*next).is_some_and(|listed| *listed < pair) {
        *next += 1;
    }
    list.get(*next) == Some(&pair)
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
    pub(super) fn substeps(&self, seconds: f64) -> u32 {
        let share = seconds / self.settings.step * f64::from(self.settings.substeps);
        (share - 1e-9).ceil().clamp(1.0, 1e6) as u32
    }

    /// Finds the contacts of a step and turns them into rows.
    pub(super) fn find(
        &self,
        members: &[Member],
        around: &Surroundings<'_>,
        memory: &Memory,
        (h, seconds): (f64, f64),
        scratch: &mut Scratch,
    ) -> Result<(), SolverError> {
        let Surroundings {
            neighbours, pairs, ..
        } = *around;
        let soft = &mut scratch.soft;
        soft.begin(members, neighbours);
        self.find_brief(members, neighbours, pairs, (h, seconds), soft);
        let mut next = 0;
        let ahead = |pair| match is_next(&soft.brief_pairs, &mut next, pair) {
            true => h,
            false => seconds,
        };
        let (margin, manifolds) = (self.settings.margin, &mut scratch.manifolds);
        contacts::find_each(members, neighbours, pairs, margin, ahead, manifolds)?;
        self.prepare(members, neighbours, memory, h, scratch);
        Ok(())
    }

    /// Lists the pairs whose contacts are good for a sub-step only.
    fn find_brief(
        &self,
        members: &[Member],
        neighbours: &[Neighbour],
        pairs: &[(u32, u32)],
        (h, seconds): (f64, f64),
        soft: &mut Buffers,
    ) {
        if h < seconds {
            let is_brief = |pair: &&(u32, u32)| self.is_brief(members, neighbours, **pair, seconds);
            soft.brief_pairs.extend(pairs.iter().filter(is_brief));
        }
    }

    /// Whether two bodies will touch with other features than those that are near at the step's start: two members
    /// that pass each other fast, or a member that turns so fast on its corners that what they do in a step is not told by
    /// their velocities.
    fn is_brief(
        &self,
        members: &[Member],
        neighbours: &[Neighbour],
        (i, j): (u32, u32),
        seconds: f64,
    ) -> bool {
        let (i, j) = (i as usize, j as usize);
        let Some(first) = members.get(i) else {
            return false;
        };
        let a = (first.model, &first.state);
        if let Some(second) = members.get(j) {
            let b = (second.model, &second.state);
            return contacts::travel(a, b, seconds) > self.settings.refresh_travel;
        }
        let Some(ground) = neighbours.get(j - members.len()) else {
            return false;
        };
        let turn = first.state.spin.length() * seconds;
        let bend = 0.5 * turn * turn * first.model.bounding_radius();
        bend > BEND * self.settings.linear_slop && ground.is_still() && has_corners(first.model)
    }

    /// Turns manifolds into rows: contacts among members first, those that lean on neighbours
    /// next, so that the ground has the last word, and those of fast pairs at the end.
    fn prepare(
        &self,
        members: &[Member],
        neighbours: &[Neighbour],
        memory: &Memory,
        h: f64,
        scratch: &mut Scratch,
    ) {
        let Scratch {
            manifolds, soft, ..
        } = scratch;
        for kind in [Kind::Lasting, Kind::Grounded, Kind::Brief] {
            if kind == Kind::Brief {
                soft.brief = soft.patches.len();
            }
            let mut next = 0;
            for manifold in &manifolds.list {
                let own = if is_next(&soft.brief_pairs, &mut next, manifold.pair) {
                    Kind::Brief
                } else if manifold.pair.1 as usize >= members.len() {
                    Kind::Grounded
                } else {
                    Kind::Lasting
                };
                if own == kind {
                    let from = (manifolds as &Manifolds, memory, kind);
                    self.push_contact(members, neighbours, manifold, from, h, soft);
                }
            }
        }
    }

    pub(super) fn push_contact(
        &self,
        members: &[Member],
        neighbours: &[Neighbour],
        manifold: &Manifold,
        (manifolds, memory, kind): (&Manifolds, &Memory, Kind),
        h: f64,
        soft: &mut Buffers,
    ) {
        let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
        let (b_model, b_state) = body(members, neighbours, j);
        let apart = if manifold.rests_apart { 1.0 } else { 0.0 };
        let bodies = [members[i].body, body_id(members, neighbours, j)];
        let centres = [members[i].state.position, b_state.position];
        let is_lasting = kind != Kind::Brief;
        let mut patch = self.patch(manifold, members[i].model, b_model);
        // Sweeps alone do not settle what holds among members; where the masses differ much, they are not
        // alone.
        patch.is_flat &= is_lasting && self.is_firm(members, (i, j));
        soft.push_patch(patch);
        let both = [(members[i].model, &members[i].state), (b_model, b_state)];
        let may_roll = may_roll(both, manifold.parts);
        let of = (manifold.parts, manifold.piece);
        let known = memory.of_parts(bodies, of, &mut soft.recalled);
        for point in manifolds.points_of(manifold) {
            let key = PointKey {
                bodies,
                parts: manifold.parts,
                piece: manifold.piece,
                feature: point.feature,
            };
            let held = known.iter().find(|held| held.key == key);
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
            let points = [point.on_a, point.on_b];
            let (normal, margins) = (manifold.normal, manifold.margins);
            let rings = match may_roll {
                true => rings_of(both, manifold.parts, points, normal, margins),
                false => None,
            };
            let rest = apart * self.settings.skin;
            soft.push_row(key, place, rest, impulse, drift, rings);
        }
    }

    /// Finds the contacts of fast pairs anew, where they are now, and those of bodies that were
    /// struck since the step's start and may go where nobody looked.
    pub(super) fn refresh(
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
            let from = (manifolds as &Manifolds, &carried, Kind::Brief);
            self.push_contact(members, neighbours, manifold, from, h, soft);
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

    pub(super) fn passes(&self, h: f64, is_exact: bool) -> [Pass; 2] {
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
            much: self.settings.linear_slop / h,
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
