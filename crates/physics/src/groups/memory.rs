//! What a group remembers from one step to the next: the contact forces, to start the next solve
//! from, and where the searches for closest points ended. Sorted by body pair, parts and feature, so
//! that copying is flat.

use super::seeds::Seed;
use crate::Vec3;

/// The parts of what is remembered of a joint; its piece is the joint's number.
pub(crate) const JOINT: u32 = u32::MAX;

/// Which contact point: the bodies, their parts, the triangle of a surface, the feature.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct PointKey {
    /// The bodies, in the order in which the pair was given.
    pub bodies: [u32; 2],
    /// Part of the first body in the upper half, part of the second in the lower half.
    pub parts: u32,
    /// The piece of a surface; zero for solids.
    pub piece: u32,
    /// Features that meet, as the manifold numbers them.
    pub feature: u32,
}

impl PointKey {
    /// The same order in fewer comparisons.
    fn packed(self) -> (u64, u64, u32) {
        let [a, b] = self.bodies;
        (two(a, b), two(self.parts, self.piece), self.feature)
    }
}

/// The force at one contact point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Held {
    /// Which point.
    pub key: PointKey,
    /// Force on the first body in the world frame, newtons.
    pub force: Vec3,
    /// Where friction has taken hold: the point of each body, from its centre of mass in its own frame,
    /// metres. Zero where the solver holds by velocities alone.
    pub hold: [Vec3; 2],
}

impl Held {
    /// Whether it is the force of a joint, not of a contact.
    pub fn is_of_joint(&self) -> bool {
        self.key.parts == JOINT
    }
}

/// Two numbers as one, in the same order.
#[inline]
pub(super) fn two(high: u32, low: u32) -> u64 {
    u64::from(high) << 32 | u64::from(low)
}

/// Entries after the last one in which the next is looked for before all are searched.
const AHEAD: usize = 4;

/// Where `wanted` is in a sorted list, or would be: looked for after `last` first.
pub(super) fn find_from<T>(list: &[T], last: usize, is_before: impl Fn(&T) -> bool) -> usize {
    let from = last.min(list.len());
    if from == 0 || is_before(&list[from - 1]) {
        let near = &list[from..(from + AHEAD).min(list.len())];
        let passed = near.iter().take_while(|entry| is_before(entry)).count();
        if passed < near.len() || from + passed == list.len() {
            return from + passed;
        }
    }
    list.partition_point(is_before)
}

/// Sorts a list in which nothing is far from its place.
pub(super) fn sort_nearly_sorted<T, K: Ord>(list: &mut [T], key: impl Fn(&T) -> K) {
    for at in 1..list.len() {
        let own = key(&list[at]);
        if key(&list[at - 1]) > own {
            let before = list[..at].iter().rev();
            let later = before.take_while(|entry| key(entry) > own).count();
            list[at - later..=at].rotate_right(1);
        }
    }
}

/// Contact forces at the end of the last step, sorted by [`PointKey`], and seeds sorted by their key.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    pub(crate) held: Vec<Held>,
    pub(crate) seeds: Vec<Seed>,
}

impl Memory {
    /// What was remembered before: what [`Memory::points`] and [`Memory::seeds`] gave.
    pub fn from_parts(held: Vec<Held>, seeds: Vec<Seed>) -> Self {
        let mut memory = Memory { held, seeds };
        memory.sort();
        memory.sort_seeds();
        memory
    }

    /// Forgets everything, keeps the buffer.
    pub fn clear(&mut self) {
        self.held.clear();
        self.seeds.clear();
    }

    /// Takes over what another group remembers: the two have fused.
    pub fn absorb(&mut self, other: &Memory) {
        self.held.extend_from_slice(&other.held);
        self.seeds.extend_from_slice(&other.seeds);
        self.sort();
        self.sort_seeds();
    }

    /// What is remembered of some of the bodies.
    pub fn of(&self, is_wanted: impl Fn(u32) -> bool) -> Memory {
        let is_wanted = |bodies: [u32; 2]| bodies.iter().any(|b| is_wanted(*b));
        let held = self.held.iter().filter(|h| is_wanted(h.key.bodies));
        let seeds = self.seeds.iter().filter(|s| is_wanted(s.key.bodies));
        Memory {
            held: held.copied().collect(),
            seeds: seeds.copied().collect(),
        }
    }

    /// Bytes that the history pays for this memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.held.len() * size_of::<Held>()
            + self.seeds.len() * size_of::<Seed>()
    }

    /// The contact points remembered.
    pub fn points(&self) -> &[Held] {
        &self.held
    }

    /// Where searches for closest points ended.
    pub fn seeds(&self) -> &[Seed] {
        &self.seeds
    }

    /// The force remembered for a point, zero for a new one.
    pub(crate) fn force(&self, key: &PointKey) -> Vec3 {
        self.get(key).map_or(Vec3::ZERO, |held| held.force)
    }

    /// What is remembered of a point.
    pub(crate) fn get(&self, key: &PointKey) -> Option<&Held> {
        let found = self.held.binary_search_by(|held| held.key.cmp(key));
        found.ok().map(|at| &self.held[at])
    }

    /// What is remembered of the points of two parts. `last` is where that was found which was asked for before:
    /// it is looked for there first.
    pub(crate) fn of_parts(
        &self,
        bodies: [u32; 2],
        (parts, piece): (u32, u32),
        last: &mut usize,
    ) -> &[Held] {
        let packed = |[a, b]: [u32; 2], parts: u32, piece: u32| (two(a, b), two(parts, piece));
        let place = packed(bodies, parts, piece);
        let of = |held: &Held| packed(held.key.bodies, held.key.parts, held.key.piece);
        *last = find_from(&self.held, *last, |held| of(held) < place);
        let rest = &self.held[*last..];
        let count = rest.iter().take_while(|held| of(held) == place).count();
        &rest[..count]
    }

    /// Sorts what a solver has pushed.
    pub(crate) fn sort(&mut self) {
        // They come in a few long runs, which this sort finds: contacts among members, then those with the ground.
        self.held.sort_by_key(|held| held.key.packed());
    }

    fn sort_seeds(&mut self) {
        self.seeds.sort_unstable_by_key(|seed| seed.key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_nearly_sorted_is_sorted() {
        let mut list: Vec<(u32, u32)> = (0..40).map(|k| (k / 8, k * 7 % 8)).collect();
        let mut expected = list.clone();
        expected.sort_unstable();
        sort_nearly_sorted(&mut list, |entry| *entry);
        assert_eq!(list, expected);
        sort_nearly_sorted(&mut [0u32; 0], |k| *k);
    }

    #[test]
    fn what_is_looked_for_from_anywhere_is_found_where_it_is() {
        let list: Vec<u32> = (0..20).map(|k| 3 * k).collect();
        for wanted in 0..64 {
            let there = list.partition_point(|k| *k < wanted);
            for last in 0..24 {
                assert_eq!(find_from(&list, last, |k| *k < wanted), there);
            }
        }
    }
}
