//! The bodies of a `soft-step` between sub-steps: how forces that are not contact act on them, how
//! they move, and what of their contacts is kept and told.

use super::flown::flown;
use super::memory::{Held, PointKey};
use super::rolling::Rings;
use super::soft_rows::{Foot, Heat, Mover, Patch, Row};
use super::{Member, Memory, Neighbour, Report, Span, Touch};
use crate::joints::System;
use crate::motion::Turn;
use crate::rotation::{angular_momentum, drifted, spin_of, turned, world_tensor};
use crate::{Mat3, Quat, State, Vec3};
use std::ops::Range;

/// Longest way back to where friction took hold, metres: what is farther has been carried there.
const LONGEST_DRIFT: f64 = 1e-3;

/// Bodies and rows of a step.
#[derive(Default)]
pub struct Buffers {
    pub(super) movers: Vec<Mover>,
    pub(super) patches: Vec<Patch>,
    pub(super) rows: Vec<Row>,
    keys: Vec<PointKey>,
    /// By what each row follows its bodies.
    pub(super) feet: Vec<Foot>,
    /// Circles that contact points roll on.
    pub(super) rings: Vec<Rings>,
    /// The members at the step's start.
    starts: Vec<State>,
    /// Members that a contact has touched since the step's start, and those that lean on one now.
    pub(super) touched: Vec<bool>,
    pressed: Vec<bool>,
    /// The way of a member that nothing touched.
    turn: Turn,
    /// Pairs whose contacts are found anew in every sub-step.
    pub(super) brief_pairs: Vec<(u32, u32)>,
    /// Members that were struck since the step's start, or just before it.
    pub(super) struck: Vec<bool>,
    /// Pairs of those that were struck just before it.
    pub(super) blown_pairs: Vec<(u32, u32)>,
    /// Where the patches of brief pairs begin; those before last the whole step.
    pub(super) brief: usize,
    /// Bodies that the last visits have changed much.
    pub(super) heat: Heat,
    /// Forces of brief contacts, from one sub-step to the next.
    pub(super) carried: Memory,
    /// Where in a memory a contact was looked for last.
    pub(super) recalled: usize,
}

impl Buffers {
    pub(super) fn begin(&mut self, members: &[Member], neighbours: &[Neighbour]) {
        self.movers.clear();
        self.patches.clear();
        self.rows.clear();
        self.keys.clear();
        self.feet.clear();
        self.rings.clear();
        self.touched.clear();
        self.touched.resize(members.len(), false);
        self.brief_pairs.clear();
        self.brief = 0;
        self.carried.clear();
        self.starts.clear();
        self.starts.extend(members.iter().map(|m| m.state));
        let bodies = members.iter().map(|m| (m.model, &m.state));
        let others = neighbours.iter().map(|n| (n.model, &n.state));
        for (model, state) in bodies {
            self.movers.push(Mover {
                velocity: state.velocity,
                spin: state.spin,
                falling: Vec3::ZERO,
                inverse_mass: model.mass.inverse_mass,
                inverse_inertia: world_tensor(state.rotation, model.mass.inverse_inertia),
                moved: Vec3::ZERO,
                turned: Mat3::ZERO,
            });
        }
        for (_, state) in others {
            self.movers.push(Mover {
                velocity: state.velocity,
                spin: state.spin,
                falling: Vec3::ZERO,
                inverse_mass: 0.0,
                inverse_inertia: Mat3::ZERO,
                moved: Vec3::ZERO,
                turned: Mat3::ZERO,
            });
        }
    }

    /// Lets friction among members hold by velocities alone.
    pub(super) fn loosen(&mut self, members: usize) {
        let between = |p: &&mut Patch| p.is_flat && (p.b as usize) < members;
        for patch in self.patches.iter_mut().filter(between) {
            patch.is_flat = false;
            for row in &mut self.rows[patch.first as usize..patch.end as usize] {
                row.drift = [0.0; 2];
            }
        }
    }

    /// Makes the impulses to start from those of a sub-step so many times as long.
    pub(super) fn scale_impulses(&mut self, times: f64) {
        for row in &mut self.rows {
            row.normal *= times;
            row.tangent = row.tangent.map(|t| t * times);
        }
    }

    pub(super) fn push_patch(&mut self, mut patch: Patch) {
        patch.first = self.rows.len() as u32;
        patch.end = patch.first;
        self.patches.push(patch);
    }

    /// Adds a point to the last patch: `surfaces` are its two points from the centres of mass, `apart` leads
    /// from the second to the first.
    pub(super) fn push_row(
        &mut self,
        key: PointKey,
        (surfaces, apart): ([Vec3; 2], Vec3),
        rest: f64,
        impulse: Vec3,
        drift: Vec3,
        rings: Option<Rings>,
    ) {
        let Some(patch) = self.patches.last_mut() else {
            return;
        };
        let [n, t, u] = patch.frame;
        let bodies = [patch.a as usize, patch.b as usize];
        let [a, b] = bodies.map(|k| &self.movers[k]);
        let back = |m: &Mover, core: Vec3| core + m.turned.transpose() * core;
        let cores = [
            back(a, surfaces[0] + patch.to_cores[0]),
            back(b, surfaces[1] + patch.to_cores[1]),
        ];
        let shift = a.moved - b.moved + a.turned * cores[0] - b.turned * cores[1];
        let across = drift - n * n.dot(drift);
        let is_held = across.length() < LONGEST_DRIFT;
        let foot = Foot {
            cores,
            offset: apart - shift,
            drift: if is_held { across } else { Vec3::ZERO },
            rest,
            separation_start: n.dot(apart) - rest,
            rolls: match rings {
                Some(rings) => {
                    self.rings.push(rings);
                    self.rings.len() as u32
                }
                None => 0,
            },
        };
        let mut row = Row {
            arms: surfaces,
            ahead: Vec3::ZERO,
            separation: 0.0,
            drift: [0.0; 2],
            normal_mass: 0.0,
            tangent_mass: [0.0; 3],
            slip_mass: 0.0,
            coupling: [0.0; 2],
            normal: n.dot(impulse).max(0.0),
            tangent: [t.dot(impulse), u.dot(impulse)],
            slides: false,
            normal_max: 0.0,
            normal_total: 0.0,
            approach: 0.0,
        };
        row.follow(&foot, (a, b), patch);
        row.prepare(a, b, &patch.frame);
        patch.end += 1;
        self.rows.push(row);
        self.keys.push(key);
        self.feet.push(foot);
    }

    /// Forces that are not contact: gravity, damping, and fields. Gravity acts at once on what leans on a contact,
    /// which takes it up, and half before and half after the way of what does not: that is exact. It comes last: drag and
    /// damping answer to how a body moves, not to a speed that its contacts are about to take away.
    pub(super) fn push_velocities(&mut self, members: &[Member], (now, h): (f64, f64), near: f64) {
        self.find_pressed(members, near);
        let bodies = members.iter().zip(&mut self.movers).zip(&self.pressed);
        for ((member, mover), is_pressed) in bodies {
            let model = member.model;
            mover.falling = Vec3::ZERO;
            if let Some(field) = &model.field {
                let state = State {
                    velocity: mover.velocity,
                    spin: mover.spin,
                    ..member.state
                };
                let wrench = field.wrench(now, model.mass.mass, &state);
                let torque = state.rotation.inverse() * wrench.torque;
                mover.velocity += wrench.force * (model.mass.inverse_mass * h);
                mover.spin += state.rotation * (model.mass.inverse_inertia * torque) * h;
            }
            let [linear, angular] = model.damping;
            mover.velocity *= 1.0 / (1.0 + h * linear);
            mover.spin *= 1.0 / (1.0 + h * angular);
            if *is_pressed {
                mover.velocity += model.gravity * h;
            } else {
                mover.falling = model.gravity * (0.5 * h);
            }
        }
    }

    /// Who leans on a contact: it carries an impulse, or is within `near` metres of closing and gravity closes it.
    fn find_pressed(&mut self, members: &[Member], near: f64) {
        self.pressed.clear();
        self.pressed.resize(members.len(), false);
        for patch in &self.patches {
            let rows = &self.rows[patch.first as usize..patch.end as usize];
            let carries = rows.iter().any(|r| r.normal > 0.0);
            let is_closed = carries || rows.iter().any(|r| r.separation <= near);
            for (body, sign) in [(patch.a as usize, -1.0), (patch.b as usize, 1.0)] {
                let Some(member) = members.get(body) else {
                    continue;
                };
                let pull = sign * patch.frame[0].dot(member.model.gravity);
                self.pressed[body] |= carries || (is_closed && pull > 0.0);
                self.touched[body] |= carries;
            }
        }
    }

    /// Moves the bodies. What turns keeps its angular momentum, not its spin.
    pub(super) fn move_bodies(&mut self, members: &mut [Member], neighbours: &[Neighbour], h: f64) {
        let (movers, others) = self.movers.split_at_mut(members.len());
        for ((member, mover), start) in members.iter_mut().zip(movers).zip(&self.starts) {
            let state = &mut member.state;
            state.position += (mover.velocity + mover.falling) * h;
            mover.velocity += 2.0 * mover.falling;
            mover.moved = state.position - start.position;
            if mover.spin != Vec3::ZERO {
                let mass = &member.model.mass;
                let momentum = angular_momentum(state.rotation, mass.inertia, mover.spin);
                state.rotation = drifted(state.rotation, momentum, mass, h);
                mover.spin = spin_of(state.rotation, mass.inverse_inertia, momentum);
                mover.inverse_inertia = world_tensor(state.rotation, mass.inverse_inertia);
            }
            mover.turned = turn_between(start.rotation, state.rotation);
        }
        for (neighbour, mover) in neighbours.iter().zip(others) {
            let state = &neighbour.state;
            if neighbour.is_still() {
                continue;
            }
            mover.moved += state.velocity * h;
            let elapsed = mover.turned + Mat3::IDENTITY;
            let further = Mat3::from_quat(turned(Quat::IDENTITY, state.spin, h));
            mover.turned = further * elapsed - Mat3::IDENTITY;
        }
    }

    /// Notes who was touched in the sub-step that ends.
    pub(super) fn note_touched(&mut self) {
        for patch in &self.patches {
            let rows = &self.rows[patch.first as usize..patch.end as usize];
            if rows.iter().any(|r| r.normal_max > 0.0) {
                for body in [patch.a, patch.b] {
                    if let Some(touched) = self.touched.get_mut(body as usize) {
                        *touched = true;
                    }
                }
            }
        }
    }

    /// Members that neither a contact nor a joint touched follow their own law of motion.
    pub(super) fn let_fly(&mut self, members: &mut [Member], span: Span, joints: &System) {
        joints.touch(&mut self.touched);
        let bodies = members.iter_mut().zip(&self.starts).zip(&self.touched);
        for ((member, start), _) in bodies.filter(|(_, touched)| !**touched) {
            member.state = flown(member.model, start, span, &mut self.turn);
        }
    }

    /// Writes velocities and spins back to the members.
    pub(super) fn write_velocities(&self, members: &mut [Member]) {
        for (member, mover) in members.iter_mut().zip(&self.movers) {
            member.state.velocity = mover.velocity;
            member.state.spin = mover.spin;
        }
    }

    /// Keeps the forces of all contacts, and where friction holds.
    pub(super) fn remember(
        &self,
        (members, neighbours): (&[Member], &[Neighbour]),
        memory: &mut Memory,
        h: f64,
    ) {
        memory.clear();
        for patch in &self.patches {
            let begin = memory.held.len();
            self.remember_patch(patch, h, memory);
            if !patch.is_flat {
                continue;
            }
            let [_, t, u] = patch.frame;
            let (a, b) = (patch.a as usize, patch.b as usize);
            let to_a = members[a].state.rotation.inverse();
            let to_b = match members.get(b) {
                Some(member) => member.state.rotation.inverse(),
                None => {
                    let start = neighbours[b - members.len()].state.rotation;
                    let turned = self.movers[b].turned + Mat3::IDENTITY;
                    start.inverse() * Quat::from_mat3(&turned.transpose())
                }
            };
            let rows = patch.first as usize..patch.end as usize;
            let loaded = rows.filter(|k| self.rows[*k].normal > 0.0);
            for (held, k) in memory.held[begin..].iter_mut().zip(loaded) {
                let (row, foot) = (&self.rows[k], &self.feet[k]);
                let [core_a, core_b] = foot.cores;
                let (turn_a, turn_b) = (
                    self.movers[a].turned * core_a,
                    self.movers[b].turned * core_b,
                );
                let apart =
                    foot.offset + self.movers[a].moved - self.movers[b].moved + turn_a - turn_b;
                let on_a = core_a + turn_a - patch.to_cores[0];
                let on_b = core_b + turn_b - patch.to_cores[1] + apart;
                let drift = t * row.drift[0] + u * row.drift[1];
                held.hold = [to_a * on_a, to_b * (on_b - drift)];
            }
        }
        memory.sort();
    }

    fn remember_patch(&self, patch: &Patch, h: f64, memory: &mut Memory) {
        let [n, t, u] = patch.frame;
        for k in patch.first as usize..patch.end as usize {
            let row = &self.rows[k];
            if row.normal > 0.0 {
                let impulse = n * row.normal + t * row.tangent[0] + u * row.tangent[1];
                memory.held.push(Held {
                    key: self.keys[k],
                    force: impulse / h,
                    hold: [Vec3::ZERO; 2],
                });
            }
        }
    }

    /// Finds the members that press on a contact, closed to within `near` metres, at a normal velocity below `hard`. Says
    /// whether there are any.
    pub(super) fn find_struck(&mut self, hard: f64, near: f64) -> bool {
        self.struck.clear();
        self.struck.resize(self.starts.len(), false);
        let mut any = false;
        for patch in &self.patches {
            let rows = &self.rows[patch.first as usize..patch.end as usize];
            if rows
                .iter()
                .any(|r| r.separation <= near && r.approach < hard)
            {
                any = true;
                for body in [patch.a, patch.b] {
                    if let Some(struck) = self.struck.get_mut(body as usize) {
                        *struck = true;
                    }
                }
            }
        }
        any
    }

    /// Makes brief all pairs of bodies that contacts have thrown off course, by more than `astray`
    /// metres until the step's end: other features of theirs will touch than those found so far. Says
    /// which patches were to last the whole step and no longer do.
    pub(super) fn add_struck_pairs(
        &mut self,
        members: &[Member],
        neighbours: &[Neighbour],
        pairs: &[(u32, u32)],
        (gone, left): (f64, f64),
        astray: f64,
    ) -> Range<usize> {
        self.struck.clear();
        for ((member, mover), start) in members.iter().zip(&self.movers).zip(&self.starts) {
            let model = member.model;
            let kick = mover.velocity - start.velocity - model.gravity * gone;
            let turn = (mover.spin - start.spin).length() * model.bounding_radius();
            self.struck.push((kick.length() + turn) * left > astray);
        }
        if !self.struck.contains(&true) {
            return 0..0;
        }
        let before = self.brief_pairs.len();
        for &(i, j) in pairs {
            let second = match self.struck.get(j as usize) {
                Some(&struck) => struck,
                None if neighbours[j as usize - members.len()].is_still() => false,
                None => continue,
            };
            if (self.struck[i as usize] || second)
                && self.brief_pairs[..before].binary_search(&(i, j)).is_err()
            {
                self.brief_pairs.push((i, j));
            }
        }
        if self.brief_pairs.len() == before {
            return 0..0;
        }
        self.brief_pairs.sort_unstable();
        self.release_brief()
    }

    /// Moves the patches of pairs that have become brief behind those that last; says where they are.
    fn release_brief(&mut self) -> Range<usize> {
        let (patches, rows) = (&mut self.patches, &mut self.rows);
        let known = &self.brief_pairs;
        let is_brief = |p: &Patch| known.binary_search(&(p.a, p.b)).is_ok();
        if !patches[..self.brief].iter().any(is_brief) {
            return 0..0;
        }
        let mut order: Vec<Patch> = Vec::with_capacity(patches.len());
        order.extend(patches[..self.brief].iter().filter(|p| !is_brief(p)));
        let lasting = order.len();
        order.extend(patches[..self.brief].iter().filter(|p| is_brief(p)));
        let released = lasting..order.len();
        order.extend(&patches[self.brief..]);
        let (old_rows, old_keys, old_feet) = (rows.clone(), self.keys.clone(), self.feet.clone());
        rows.clear();
        self.keys.clear();
        self.feet.clear();
        for patch in &mut order {
            let range = patch.first as usize..patch.end as usize;
            patch.first = rows.len() as u32;
            rows.extend_from_slice(&old_rows[range.clone()]);
            self.keys.extend_from_slice(&old_keys[range.clone()]);
            self.feet.extend_from_slice(&old_feet[range]);
            patch.end = rows.len() as u32;
        }
        *patches = order;
        self.brief = lasting;
        released
    }

    /// Drops the brief contacts, keeps their forces, and notes what they did.
    pub(super) fn drop_brief(&mut self, h: f64, report: &mut Report) {
        let first = self.patches[self.brief..].first().map(|p| p.first);
        let first = first.map_or(self.rows.len(), |f| f as usize);
        let mut carried = std::mem::take(&mut self.carried);
        carried.clear();
        for patch in &self.patches[self.brief..] {
            self.remember_patch(patch, h, &mut carried);
        }
        carried.sort();
        self.carried = carried;
        self.report_rows(first, report);
        self.patches.truncate(self.brief);
        self.rows.truncate(first);
        self.keys.truncate(first);
        self.feet.truncate(first);
    }

    /// Adds the rows from `first` on to the touches.
    pub(super) fn report_rows(&self, first: usize, report: &mut Report) {
        for (k, row) in self.rows.iter().enumerate().skip(first) {
            let ([a, b], foot) = (self.keys[k].bodies, &self.feet[k]);
            report.touches.push(Touch {
                a: a.min(b),
                b: a.max(b),
                gap: row.separation.min(foot.separation_start) + foot.rest,
                normal_impulse: row.normal_total,
            });
        }
    }
}

/// How a body has turned between two attitudes, less the identity.
fn turn_between(from: Quat, to: Quat) -> Mat3 {
    Mat3::from_quat(to * from.inverse()) - Mat3::IDENTITY
}
