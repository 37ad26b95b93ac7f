//! The mutable half of a shell: positions, velocities, each vertex's own clock, and the contacts
//! with layers. A snapshot is a clone.

use crate::acm::{ContactSet, RigidState, Tick, seconds};
use glamx::DVec3;

/// State of all vertices. Vertex i was last kicked at `clock[i]` and moves straight since then.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ShellState {
    /// The time up to which the history is decided; every event before it has been processed.
    pub(crate) now: Tick,
    pub(crate) x: Vec<DVec3>,
    pub(crate) v: Vec<DVec3>,
    pub(crate) clock: Vec<Tick>,
    pub(crate) contacts: ContactSet,
    /// Rigid bodies among the shells, each at its own clock.
    pub(crate) rigid: Vec<RigidState>,
}

impl ShellState {
    /// A state at t = 0.
    pub fn new(positions: Vec<DVec3>, velocities: Vec<DVec3>) -> ShellState {
        let clock = vec![0; positions.len()];
        ShellState {
            now: 0,
            x: positions,
            v: velocities,
            clock,
            contacts: ContactSet::default(),
            rigid: Vec::new(),
        }
    }

    /// The time up to which the history is decided.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Pairs with penalty layers.
    pub fn contacts(&self) -> &ContactSet {
        &self.contacts
    }

    /// Velocities in m/s, in the model's order.
    pub fn velocities(&self) -> &[DVec3] {
        &self.v
    }

    /// Where vertex `i` is at tick `t`, not before its last kick.
    #[inline]
    pub fn position_at(&self, i: usize, t: Tick) -> DVec3 {
        self.x[i] + self.v[i] * seconds(t - self.clock[i])
    }

    /// All positions at the state's own time, in the model's order.
    pub fn positions(&self) -> Vec<DVec3> {
        self.places().collect()
    }

    /// The same one by one.
    pub(crate) fn places(&self) -> impl Iterator<Item = DVec3> + '_ {
        (0..self.x.len()).map(|i| self.position_at(i, self.now))
    }

    /// Copies another state of the same model without allocating.
    pub(crate) fn copy_from(&mut self, other: &ShellState) {
        self.now = other.now;
        self.x.clone_from(&other.x);
        self.v.clone_from(&other.v);
        self.clock.clone_from(&other.clock);
        self.contacts.clone_from(&other.contacts);
        self.rigid.clone_from(&other.rigid);
    }

    /// Bytes that decide the future: two states with equal bytes have equal histories ahead.
    /// Which idle layers are active is left out, since a layer out of reach exerts nothing.
    pub fn history_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.x.len() * 56 + 8);
        bytes.extend(self.now.to_le_bytes());
        for ((x, v), t) in self.x.iter().zip(&self.v).zip(&self.clock) {
            for c in x.to_array().into_iter().chain(v.to_array()) {
                bytes.extend(c.to_bits().to_le_bytes());
            }
            bytes.extend(t.to_le_bytes());
        }
        let rigid = self.rigid_numbers().into_iter();
        bytes.extend(rigid.flat_map(|n| n.to_bits().to_le_bytes()));
        bytes
    }
}
