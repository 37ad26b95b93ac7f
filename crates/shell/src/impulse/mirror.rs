//! Second places for the impulses of constraints that are gathered by blocks which want them side by side, but whose
//! own blocks do not have them so: a weft that lies row by row is wanted column by column where the warp gathers
//! from it. Only the pattern matters, no direction and no name of a weave: `o` and `o'` are wanted side by side where
//! neighbouring lanes lead from a particle of `o` to one of `o'` by the same step as from one constraint to the other.

use std::ops::Range;

use super::constraint::Constraint;
use super::incidence::Pattern;
use super::lanes::LANES;
use super::slots::SLOTS;

/// The place of what nobody reads.
pub(crate) const NOWHERE: u16 = (SLOTS - 1) as u16;

/// Which constraints follow each other in their second places, and where those are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mirror {
    /// The next and the one before, by constraint.
    next: Vec<Option<u32>>,
    before: Vec<Option<u32>>,
    place: Vec<u16>,
    /// The place behind the last one.
    end: usize,
    is_laid_out: bool,
}

impl Mirror {
    pub fn clear(&mut self) {
        self.next.clear();
        self.before.clear();
        self.place.clear();
        self.is_laid_out = false;
    }

    /// Keeps only the first constraints, which have no followers among the others.
    pub fn truncate(&mut self, constraints: usize) {
        self.next.truncate(constraints);
        self.before.truncate(constraints);
        self.end -= self
            .place
            .drain(constraints.min(self.place.len())..)
            .filter(|&place| place != NOWHERE)
            .count();
    }

    /// The slot from which on there are second places; half of all are for contacts, too, which come behind the
    /// lasting blocks.
    pub fn start(&self) -> usize {
        match self.is_laid_out {
            true => SLOTS / 2,
            false => NOWHERE as usize,
        }
    }

    /// The second place of a constraint.
    pub fn of(&self, constraint: usize) -> u16 {
        self.place.get(constraint).copied().unwrap_or(NOWHERE)
    }

    /// All second places and the slots that they repeat.
    pub fn places<'a>(&'a self, slot: &'a [u16]) -> impl Iterator<Item = (u16, u16)> + 'a {
        let places = self.place.iter().copied().zip(slot.iter().copied());
        places.filter(|(place, _)| *place != NOWHERE)
    }

    /// Two particles in neighbouring lanes of a block: what hangs on them is wanted side by side, as far as it is
    /// among `those` and is not so already.
    pub fn want_abreast(
        &mut self,
        pattern: Pattern,
        those: &Range<usize>,
        [p, q]: [u32; 2],
        slot: &[u16],
    ) {
        self.next.resize(those.end, None);
        self.before.resize(those.end, None);
        let attached = |particle: u32| {
            let all = pattern.incidence.of(particle as usize).iter().copied();
            all.filter(|&o| those.contains(&(o as usize)))
        };
        for o in attached(p) {
            let (one, is_first) = far_end(&pattern.constraints[o as usize], p);
            let is_shifted = |o: &u32| {
                let (other, role) = far_end(&pattern.constraints[*o as usize], q);
                let step = other.wrapping_sub(one);
                role == is_first && (step == q.wrapping_sub(p) || step == 0)
            };
            let Some(follower) = attached(q).find(is_shifted) else {
                continue;
            };
            let (o, f) = (o as usize, follower as usize);
            let is_free = self.next[o].is_none() && self.before[f].is_none();
            if is_free && slot[f] != slot[o].wrapping_add(1) {
                (self.next[o], self.before[f]) = (Some(follower), Some(o as u32));
            }
        }
    }

    /// Lays the chains of the first constraints out, if those leave enough slots.
    pub fn lay_out(&mut self, constraints: usize, taken: usize) {
        self.is_laid_out = taken < SLOTS / 2;
        // no link begins before the first second place
        self.end = SLOTS / 2 + LANES;
        self.lay_out_more(constraints);
    }

    /// Lays out the chains of constraints that have been added.
    pub fn lay_out_more(&mut self, constraints: usize) {
        let from = self.place.len();
        self.next.resize(constraints, None);
        self.before.resize(constraints, None);
        self.place.resize(constraints, NOWHERE);
        if !self.is_laid_out || self.end + constraints - from >= NOWHERE as usize {
            return;
        }
        // chains from their ends; then those that are closed, from anywhere
        for is_end in [true, false] {
            for first in from..constraints {
                if is_end && self.before[first].is_some() {
                    continue;
                }
                let mut at = Some(first as u32).filter(|_| self.next[first].is_some());
                while let Some(c) = at.filter(|&c| self.place[c as usize] == NOWHERE) {
                    self.place[c as usize] = self.end as u16;
                    self.end += 1;
                    at = self.next[c as usize];
                }
            }
        }
    }
}

/// The other particle of a constraint, and whether the one that is known is its first.
fn far_end(c: &Constraint, particle: u32) -> (u32, bool) {
    match c.a == particle {
        true => (c.b, true),
        false => (c.a, false),
    }
}
