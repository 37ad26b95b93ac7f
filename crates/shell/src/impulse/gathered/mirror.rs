//! Second places for the impulses of constraints that are gathered by blocks which want them side by side, but whose
//! own blocks do not have them so: a weft that lies row by row is wanted column by column where the warp gathers
//! from it. Only the pattern matters, no direction and no name of a weave: `o` and `o'` are wanted side by side where
//! neighbouring lanes lead from a particle of `o` to one of `o'` by the same step as from one constraint to the other.

use crate::impulse::gathered::slots::SLOTS;
use crate::impulse::lanes::LANES;
use crate::impulse::model::constraint::Constraint;
use crate::impulse::model::incidence::Pattern;

/// The place of what nobody reads.
pub(crate) const NOWHERE: u16 = (SLOTS - 1) as u16;

/// Which constraints follow each other in their second places, and where those are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mirror {
    /// The next and the one before, by constraint.
    next: Vec<Option<u32>>,
    before: Vec<Option<u32>>,
    place: Vec<u16>,
    /// The slot behind the first places, once it is laid out.
    start: Option<usize>,
    end: usize,
}

impl Mirror {
    /// The slot from which on there are second places, or nothing.
    pub fn start(&self) -> usize {
        self.start.unwrap_or(NOWHERE as usize)
    }

    /// The slot behind the last second place.
    pub fn end(&self) -> usize {
        self.end
    }

    /// The second place of a constraint.
    pub fn of(&self, constraint: usize) -> u16 {
        self.place.get(constraint).copied().unwrap_or(NOWHERE)
    }

    /// Two particles in neighbouring lanes of a block: what hangs on them is wanted side by side, as far as it comes
    /// before `until` and is not so already.
    pub fn want_abreast(&mut self, pattern: Pattern, until: usize, [p, q]: [u32; 2], slot: &[u16]) {
        self.next.resize(until, None);
        self.before.resize(until, None);
        let attached = |particle: u32| {
            let all = pattern.incidence.of(particle as usize).iter().copied();
            all.take_while(move |&o| (o as usize) < until)
        };
        for o in attached(p) {
            let (one, is_first) = far_end(&pattern.constraints[o as usize], p);
            let is_shifted = |o: &u32| {
                let (other, role) = far_end(&pattern.constraints[*o as usize], q);
                role == is_first && other.wrapping_sub(one) == q.wrapping_sub(p)
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

    /// Lays the chains of all constraints out behind the `taken` first places, if there is room.
    pub fn lay_out(&mut self, constraints: usize, taken: usize) {
        self.next.resize(constraints, None);
        self.before.resize(constraints, None);
        self.place.resize(constraints, NOWHERE);
        // no link begins before the first second place
        let mut place = taken + LANES;
        if place + constraints >= NOWHERE as usize {
            return;
        }
        self.start = Some(taken);
        // chains from their ends; then those that are closed, from anywhere
        for is_end in [true, false] {
            for first in 0..constraints {
                if is_end && self.before[first].is_some() {
                    continue;
                }
                let mut at = Some(first as u32).filter(|_| self.next[first].is_some());
                while let Some(c) = at.filter(|&c| self.place[c as usize] == NOWHERE) {
                    self.place[c as usize] = place as u16;
                    place += 1;
                    at = self.next[c as usize];
                }
            }
        }
        self.end = place;
    }
}

/// The other particle of a constraint, and whether the one that is known is its first.
fn far_end(c: &Constraint, particle: u32) -> (u32, bool) {
    match c.a == particle {
        true => (c.b, true),
        false => (c.a, false),
    }
}
