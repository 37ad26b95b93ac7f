//! Contacts in the gathered form. They come and go, so the blocks of the cloth's own constraints know nothing of them: a
//! contact gathers its error from the impulses of those, as they do from each other, but tells them of its own
//! corrections as section 4.2 has it, by changing what they want. Contacts stand behind the cloth's own constraints
//! and are taken one after another.

use std::ops::Range;

use glamx::DVec3;
use pulp::NullaryFnOnce;

use crate::impulse::gathered::blocks::Blocks;
use crate::impulse::gathered::slots::Slots;
use crate::impulse::lanes::{LANES, within};
use crate::impulse::loops::anticipation::{PreviewedMotion, Residuals, Swept};
use crate::impulse::model::constraint::Constraint;
use crate::impulse::model::incidence::{Pattern, signed_weight};
use crate::impulse::model::obstacle::Preview;

/// A moving particle with more contacts than this is a hub: its displacement by contacts is kept, so that they need not
/// gather from each other.
const CROWD: usize = 3;

/// A constraint that shares a moving particle with a contact.
#[derive(Debug, Clone, Copy)]
struct Tie {
    /// Its slot, or its number if it is a contact, too.
    place: u16,
    /// Signed inverse mass of the particle, 1/kg.
    weight: f64,
    /// Impulse that the contact wants less for each of its own, and that it wants less for each of the contact's.
    factor: f64,
    back: f64,
}

/// What a constraint that hangs on a hub has to do with the hub's displacement.
#[derive(Debug, Clone, Copy)]
struct Hanging {
    hub: u32,
    /// Inverse mass of the hub, 1/kg, and -1 if it is the second particle.
    weight: f64,
    sign: f64,
    /// Impulse that the displacement takes off what the contact wants, along each axis, kg.
    pull: DVec3,
    /// Displacement by its impulse, 1/kg.
    push: DVec3,
}

/// One contact.
#[derive(Debug, Clone, Copy)]
struct Contact {
    /// As in `Wanted`.
    alone: f64,
    low: f64,
    high: f64,
    impulse: f64,
    /// Ties to the cloth's own constraints from `ties` up to `others`, to contacts from there to `end`.
    ties: u32,
    others: u32,
    end: u32,
    /// So many of the hangings, up to this one.
    hanging_end: u32,
    hanging_count: u32,
    mass: f64,
}

impl Contact {
    #[inline(always)]
    fn ties(&self) -> Range<usize> {
        self.ties as usize..self.others as usize
    }

    #[inline(always)]
    fn others(&self) -> Range<usize> {
        self.others as usize..self.end as usize
    }

    #[inline(always)]
    fn hanging(&self) -> Range<usize> {
        (self.hanging_end - self.hanging_count) as usize..self.hanging_end as usize
    }
}

/// All contacts of a pattern.
#[derive(Debug, Clone, Default)]
pub(crate) struct Contacts {
    list: Vec<Contact>,
    ties: Vec<Tie>,
    hanging: Vec<Hanging>,
    /// Particles with many contacts that are no hubs of the blocks.
    crowded: Vec<u32>,
    /// The constraint that is the first contact.
    first: usize,
}

impl Contacts {
    /// Finds what the contacts of a pattern, its constraints from `lasting` on, are tied to. Returns how many hubs
    /// there are with those of the blocks.
    pub fn index(&mut self, pattern: Pattern, lasting: usize, blocks: &Blocks) -> usize {
        self.list.clear();
        self.ties.clear();
        self.hanging.clear();
        self.crowded.clear();
        self.first = lasting;
        for (index, c) in pattern.constraints.iter().enumerate().skip(lasting) {
            let (ties, hanging) = (self.ties.len(), self.hanging.len());
            for end in [c.a, c.b] {
                self.hang(pattern, end, c, blocks);
                if blocks.hub_of(end).is_none() {
                    let slot = |other: usize| blocks.slot_of(other);
                    self.tie(pattern, (index, end), 0..lasting, slot);
                }
            }
            let others = self.ties.len();
            for end in [c.a, c.b] {
                if self.hub_of(end, blocks).is_none() {
                    let number = |other: usize| (other - lasting) as u16;
                    self.tie(pattern, (index, end), lasting..usize::MAX, number);
                }
            }
            self.list.push(Contact {
                alone: 0.0,
                low: 0.0,
                high: 0.0,
                impulse: 0.0,
                ties: ties as u32,
                others: others as u32,
                end: self.ties.len() as u32,
                hanging_end: self.hanging.len() as u32,
                hanging_count: (self.hanging.len() - hanging) as u32,
                mass: c.effective_mass,
            });
        }
        blocks.hubs.len() + self.crowded.len()
    }

    /// The hub that a particle is, be it of the blocks or of contacts.
    fn hub_of(&self, particle: u32, blocks: &Blocks) -> Option<u32> {
        let crowd = || self.crowded.iter().position(|&p| p == particle);
        let hub = blocks.hub_of(particle);
        hub.or_else(|| Some((blocks.hubs.len() + crowd()?) as u32))
    }

    /// A contact hangs on its particle `end` if that is a hub, or has so many contacts that it becomes one.
    fn hang(&mut self, pattern: Pattern, end: u32, c: &Constraint, blocks: &Blocks) {
        let weight = pattern.inverse_mass[end as usize];
        let attached = pattern.incidence.of(end as usize).iter().rev();
        let is_contact = |o: &&u32| **o as usize >= self.first;
        let is_crowded = weight > 0.0 && attached.take_while(is_contact).count() > CROWD;
        if is_crowded && self.hub_of(end, blocks).is_none() {
            self.crowded.push(end);
        }
        if let Some(hub) = self.hub_of(end, blocks) {
            self.hanging.push(Hanging {
                hub,
                weight,
                sign: if c.a == end { 1.0 } else { -1.0 },
                pull: DVec3::ZERO,
                push: DVec3::ZERO,
            });
        }
    }

    /// Ties a contact to those of `others` that share its particle `end`.
    fn tie(
        &mut self,
        pattern: Pattern,
        (contact, end): (usize, u32),
        others: Range<usize>,
        place: impl Fn(usize) -> u16,
    ) {
        let w = pattern.inverse_mass[end as usize];
        if w == 0.0 {
            return;
        }
        let c = &pattern.constraints[contact];
        for &other in pattern.incidence.of(end as usize) {
            let other = other as usize;
            if others.contains(&other) && other != contact {
                self.ties.push(Tie {
                    place: place(other),
                    weight: signed_weight(w, end, c, &pattern.constraints[other]),
                    factor: 0.0,
                    back: 0.0,
                });
            }
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Whether there are no more than a tie can name.
    pub fn fit(&self) -> bool {
        self.list.len() <= u16::MAX as usize
    }

    /// New directions and errors, with nothing accumulated.
    pub fn begin(
        &mut self,
        direction: &[DVec3],
        residual: &Residuals,
        blocks: &Blocks,
        by_slot: [&[f64]; 3],
    ) {
        for (index, contact) in self.list.iter_mut().enumerate() {
            let n = direction[self.first + index];
            let gauge = &residual.gauge[self.first + index];
            contact.alone = residual.error[self.first + index] * gauge.mass;
            (contact.low, contact.high) = (gauge.low * gauge.mass, gauge.high * gauge.mass);
            contact.impulse = 0.0;
            for hanging in &mut self.hanging[contact.hanging()] {
                hanging.pull = n * (contact.mass * hanging.sign);
                hanging.push = n * (hanging.weight * hanging.sign);
            }
            for tie in &mut self.ties[contact.ties()] {
                let [x, y, z] = by_slot.map(|axis| axis[tie.place as usize]);
                let coupling = tie.weight * n.dot(DVec3::new(x, y, z));
                tie.factor = contact.mass * coupling;
                tie.back = blocks.mass_of(tie.place) * coupling;
            }
            for tie in &mut self.ties[contact.others()] {
                let other = direction[self.first + tie.place as usize];
                tie.factor = contact.mass * tie.weight * n.dot(other);
            }
        }
    }

    /// Goes on from what has been accumulated, with the impulses of all others and the moves of hubs by them.
    pub fn take_over(&mut self, residual: &mut Residuals, impulse: &Slots, moved: &mut [DVec3]) {
        for (index, contact) in self.list.iter_mut().enumerate() {
            contact.impulse = std::mem::take(&mut residual.gauge[self.first + index].impulse);
            for hanging in &self.hanging[contact.hanging()] {
                moved[hanging.hub as usize] += hanging.push * contact.impulse;
            }
        }
        // what is missing now is what was missing then
        for index in 0..self.list.len() {
            let alone = std::mem::take(&mut self.list[index].alone);
            self.list[index].alone = alone - self.missing(index, impulse, moved);
        }
    }

    /// Gives errors and impulses back.
    pub fn end(&self, residual: &mut Residuals, impulse: &Slots, moved: &[DVec3]) {
        for (index, contact) in self.list.iter().enumerate() {
            let missing = self.missing(index, impulse, moved);
            residual.error[self.first + index] = missing / contact.mass;
            residual.gauge[self.first + index].impulse = contact.impulse;
        }
    }

    /// Turns the accumulated impulses into motion.
    pub fn move_particles(
        &self,
        pattern: Pattern,
        direction: &[DVec3],
        motion: &mut PreviewedMotion,
    ) {
        let contacts = pattern.constraints.iter().zip(direction).skip(self.first);
        for ((c, n), contact) in contacts.zip(&self.list) {
            let (a, b) = c.pair();
            let change = *n * contact.impulse;
            motion.push(a, change * motion.inverse_mass[a]);
            motion.push(b, -change * motion.inverse_mass[b]);
        }
    }

    /// Impulse that a contact misses.
    #[inline(always)]
    fn missing(&self, index: usize, impulse: &Slots, moved: &[DVec3]) -> f64 {
        let contact = &self.list[index];
        let mut missing = contact.alone - contact.impulse;
        for tie in &self.ties[contact.ties()] {
            missing -= tie.factor * impulse[tie.place as usize];
        }
        for tie in &self.ties[contact.others()] {
            missing -= tie.factor * self.list[tie.place as usize].impulse;
        }
        for hanging in &self.hanging[contact.hanging()] {
            let own = contact.mass * hanging.weight * contact.impulse;
            missing -= hanging.pull.dot(moved[hanging.hub as usize]) - own;
        }
        missing
    }
}

/// One iteration over the contacts, behind that over the blocks.
pub(crate) struct SweepContacts<'a> {
    pub contacts: &'a mut Contacts,
    pub impulse: &'a Slots,
    /// What the blocks want.
    pub alone: &'a mut [[f64; LANES]],
    pub moved: &'a mut [DVec3],
    /// Largest impulse of one correction.
    pub limit: f64,
}

impl NullaryFnOnce for SweepContacts<'_> {
    type Output = Swept;

    #[inline(always)]
    fn call(self) -> Swept {
        let mut swept = Swept::default();
        let alone = self.alone.as_flattened_mut();
        for index in 0..self.contacts.list.len() {
            let missing = self.contacts.missing(index, self.impulse, self.moved);
            let contact = &mut self.contacts.list[index];
            if (missing >= contact.low) & (missing <= contact.high) {
                continue;
            }
            let change = within(missing, self.limit);
            contact.impulse += change;
            for hanging in &self.contacts.hanging[contact.hanging()] {
                self.moved[hanging.hub as usize] += hanging.push * change;
            }
            for tie in &self.contacts.ties[contact.ties()] {
                alone[tie.place as usize] -= tie.back * change;
            }
            swept.corrections += 1;
            swept.largest = swept.largest.max(change.abs());
        }
        swept
    }
}
