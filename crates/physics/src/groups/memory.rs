//! What a group remembers from one step to the next: the contact forces, to start the next solve
//! from. Sorted by body pair, parts and feature, so that looking up is a merge and copying is flat.

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
}

/// Contact forces at the end of the last step, sorted by [`PointKey`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Memory {
    pub(crate) held: Vec<Held>,
}

impl Memory {
    /// What was remembered before: the points that [`Memory::points`] gave.
    pub fn from_points(held: Vec<Held>) -> Self {
        let mut memory = Memory { held };
        memory.sort();
        memory
    }

    /// Forgets everything, keeps the buffer.
    pub fn clear(&mut self) {
        self.held.clear();
    }

    /// Takes over what another group remembers: the two have fused.
    pub fn absorb(&mut self, other: &Memory) {
        self.held.extend_from_slice(&other.held);
        self.sort();
    }

    /// What is remembered of some of the bodies.
    pub fn of(&self, is_wanted: impl Fn(u32) -> bool) -> Memory {
        let wanted = |held: &&Held| held.key.bodies.iter().any(|b| is_wanted(*b));
        Memory {
            held: self.held.iter().filter(wanted).copied().collect(),
        }
    }

    /// Bytes that the history pays for this memory.
    pub fn bytes(&self) -> usize {
        size_of::<Self>() + self.held.len() * size_of::<Held>()
    }

    /// The contact points remembered.
    pub fn points(&self) -> &[Held] {
        &self.held
    }

    /// The force remembered for a point, zero for a new one.
    pub(crate) fn force(&self, key: &PointKey) -> Vec3 {
        match self.held.binary_search_by(|held| held.key.cmp(key)) {
            Ok(found) => self.held[found].force,
            Err(_) => Vec3::ZERO,
        }
    }

    /// Sorts what a solver has pushed.
    pub(crate) fn sort(&mut self) {
        self.held.sort_unstable_by_key(|held| held.key);
    }
}
