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

    /// Sorts what a solver has pushed.
    pub(crate) fn sort(&mut self) {
        self.held.sort_unstable_by_key(|held| held.key);
    }

    fn sort_seeds(&mut self) {
        self.seeds.sort_unstable_by_key(|seed| seed.key);
    }
}
