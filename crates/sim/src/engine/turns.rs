//! The rotations of segments. A body that does not turn has one attitude for many segments: they share
//! it, which halves what its history weighs. Dense output goes round in a pool, so that an event
//! allocates nothing.

use physics::motion::{Dense, Halt, is_dense};
use physics::{BodyModel, Flight, Quat, Turn, Vec3};
use std::ops::Index;
use warp::{Column, NodeId, Tick};

const NONE: u32 = u32::MAX;

/// The turns of all segments. See the module's text.
#[derive(Debug)]
pub(super) struct Turns {
    /// By segment: its turn. A segment that is gone keeps its own until its number is used again.
    of: Column<u32>,
    turns: Column<Turn>,
    /// By turn: the segments that share it, or the next one that is free.
    users: Column<u32>,
    free: u32,
    // The boxes themselves go round: an event neither allocates nor moves one.
    #[allow(clippy::vec_box)]
    pool: Vec<Box<Dense>>,
}

impl Turns {
    pub fn new() -> Self {
        Turns {
            of: Column::new(),
            turns: Column::new(),
            users: Column::new(),
            free: NONE,
            pool: Vec::new(),
        }
    }

    /// The same turns for a branch.
    pub fn branch(&mut self) -> Self {
        Turns {
            of: self.of.branch(),
            turns: self.turns.branch(),
            users: self.users.branch(),
            free: self.free,
            pool: Vec::new(),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.of.reclaim();
        self.turns.reclaim();
        self.users.reclaim();
    }

    /// Makes room for segments.
    pub fn grow(&mut self, segments: usize) {
        self.of.grow(segments, NONE);
    }

    /// Gives a new segment its turn; `previous` is the segment before it on its worldline.
    #[inline]
    pub fn begin(
        &mut self,
        node: NodeId,
        previous: Option<NodeId>,
        (rotation, spin): (Quat, Vec3),
        model: &BodyModel,
    ) {
        let old = self.of[node.index()];
        let shared = previous.map_or(NONE, |node| self.of[node.index()]);
        if spin == Vec3::ZERO && shared != NONE && !is_dense(model.law) {
            let turn = &self.turns[shared as usize];
            let is_same = turn.rotation == rotation && turn.spin == Vec3::ZERO;
            if is_same && turn.dense.is_none() {
                self.users[shared as usize] += 1;
                self.of[node.index()] = shared;
                self.release(old);
                return;
            }
        }
        self.release(old);
        let place = self.take();
        self.of[node.index()] = place;
        let turn = &mut self.turns[place as usize];
        if is_dense(model.law) && turn.dense.is_none() {
            turn.dense = self.pool.pop();
        }
        turn.begin(rotation, spin, model);
    }

    fn take(&mut self) -> u32 {
        if self.free == NONE {
            self.turns.push(Turn::default());
            self.users.push(1);
            return self.users.len() as u32 - 1;
        }
        let place = self.free;
        self.free = self.users[place as usize];
        self.users[place as usize] = 1;
        place
    }

    fn release(&mut self, place: u32) {
        if place == NONE {
            return;
        }
        let users = self.users[place as usize] - 1;
        if users > 0 {
            self.users[place as usize] = users;
            return;
        }
        if self.turns[place as usize].dense.is_some() {
            self.pool.extend(self.turns[place as usize].dense.take());
        }
        self.users[place as usize] = self.free;
        self.free = place;
    }

    /// Makes sure that a segment's dense output covers `tick`, where nobody asks about what is before
    /// `settled`; returns the steps taken, and where it could not be followed any further.
    pub fn extend(
        &mut self,
        node: NodeId,
        flight: &Flight,
        model: &BodyModel,
        [tick, settled]: [Tick; 2],
    ) -> (u32, Option<Halt>) {
        if !is_dense(model.law) {
            return (0, None);
        }
        let turn = &mut self.turns[self.of[node.index()] as usize];
        let steps = turn.extend_after(flight, model, tick, settled);
        (steps, turn.halt())
    }

    /// The turn of a segment, if it is a body's.
    pub fn get(&self, node: NodeId) -> Option<&Turn> {
        self.turns.get(self.of[node.index()] as usize)
    }

    /// The turn of a body's segment, for whoever integrates a multibody.
    pub fn get_mut(&mut self, node: NodeId) -> &mut Turn {
        &mut self.turns[self.of[node.index()] as usize]
    }

    /// Asks for where a segment's turn is, and does not wait for it.
    #[inline]
    pub fn prefetch_place(&self, node: NodeId) {
        self.of.prefetch(node.index());
    }

    /// Asks for a segment's turn, and does not wait for it.
    #[inline]
    pub fn prefetch(&self, node: NodeId) {
        self.turns.prefetch(self.of[node.index()] as usize);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let dense = self.turns.owned().iter().filter_map(|t| t.dense.as_ref());
        let dense: usize = dense.chain(&self.pool).map(|d| d.bytes()).sum();
        self.of.bytes() + self.turns.bytes() + self.users.bytes() + dense
    }
}

impl Index<NodeId> for Turns {
    type Output = Turn;

    #[inline]
    fn index(&self, node: NodeId) -> &Turn {
        &self.turns[self.of[node.index()] as usize]
    }
}
