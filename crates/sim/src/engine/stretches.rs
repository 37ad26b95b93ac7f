//! Stretches: look-aheads of living segments that are over, kept while a late input may still ask
//! about them. The broad phase proper holds each segment's newest look-ahead only; a long flight
//! leaves one small box behind at every extension, instead of one box over all that is retained.

use super::ledger::Ledger;
use crate::grid::{Bounds, Grid, Swept};
use warp::{NodeId, NodeRef, Tick};

const NONE: u32 = u32::MAX;

/// One stretch: whose it is, and the next one of the same segment.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    owner: NodeId,
    next: u32,
    generation: u32,
}

/// All stretches that are kept. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    grid: Grid,
    swept: Vec<Swept>,
    stretches: Vec<Stretch>,
    /// Per segment: its newest stretch.
    heads: Vec<u32>,
    free: Vec<u32>,
    /// No stretch ends later than this.
    latest: Tick,
}

impl Stretches {
    /// None yet, in a grid like the broad phase's.
    pub fn new(grid: Grid) -> Self {
        Stretches {
            grid,
            swept: Vec::new(),
            stretches: Vec::new(),
            heads: Vec::new(),
            free: Vec::new(),
            latest: Tick::MIN,
        }
    }

    /// Keeps a look-ahead of `owner` that is over.
    pub fn keep(&mut self, owner: NodeId, bounds: Bounds, end: Tick, ledger: &mut Ledger) {
        let id = self.free.pop().unwrap_or_else(|| {
            self.swept.push(Swept::ABSENT);
            self.stretches.push(Stretch {
                owner,
                next: NONE,
                generation: 0,
            });
            self.stretches.len() as u32 - 1
        });
        if self.heads.len() <= owner.index() {
            self.heads.resize(owner.index() + 1, NONE);
        }
        let stretch = &mut self.stretches[id as usize];
        stretch.owner = owner;
        stretch.next = std::mem::replace(&mut self.heads[owner.index()], id);
        let entry = &mut self.swept[id as usize];
        entry.bounds = bounds;
        entry.horizon = end;
        self.grid.insert(&mut self.swept, NodeId(id));
        self.latest = self.latest.max(end);
        let reference = NodeRef {
            node: NodeId(id),
            generation: stretch.generation,
        };
        ledger.note_stretch(end, reference);
    }

    /// Whether any stretch may reach past `from`.
    #[inline]
    pub fn reach_past(&self, from: Tick) -> bool {
        from < self.latest
    }

    /// Calls `found` with the owner of every stretch that overlaps `bounds` and ends after `from`.
    pub fn query(&self, bounds: &Bounds, from: Tick, mut found: impl FnMut(NodeId)) {
        self.grid.query(&self.swept, bounds, |id| {
            if self.swept[id.index()].horizon > from {
                found(self.stretches[id.index()].owner);
            }
        });
    }

    /// Calls with the box of every stretch of a segment.
    pub fn boxes(&self, owner: NodeId, mut found: impl FnMut(Bounds)) {
        let mut at = self.heads.get(owner.index()).copied().unwrap_or(NONE);
        while at != NONE {
            found(self.swept[at as usize].bounds);
            at = self.stretches[at as usize].next;
        }
    }

    /// Forgets the stretches of a segment that is gone.
    #[inline]
    pub fn forget(&mut self, owner: NodeId) {
        let Some(head) = self.heads.get_mut(owner.index()) else {
            return;
        };
        let mut at = std::mem::replace(head, NONE);
        while at != NONE {
            let next = self.stretches[at as usize].next;
            self.release(at);
            at = next;
        }
    }

    /// Forgets one stretch that GVT has passed, if it is still there.
    pub fn expire(&mut self, reference: NodeRef) {
        let id = reference.node.0;
        let Stretch {
            owner,
            next,
            generation,
        } = self.stretches[id as usize];
        if generation != reference.generation {
            return;
        }
        let mut at = self.heads[owner.index()];
        if at == id {
            self.heads[owner.index()] = next;
        } else {
            while self.stretches[at as usize].next != id {
                at = self.stretches[at as usize].next;
            }
            self.stretches[at as usize].next = next;
        }
        self.release(id);
    }

    fn release(&mut self, id: u32) {
        self.grid.remove(&mut self.swept, NodeId(id));
        let stretch = &mut self.stretches[id as usize];
        stretch.generation = stretch.generation.wrapping_add(1);
        self.free.push(id);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.grid.bytes()
            + self.swept.capacity() * (size_of::<Swept>() + size_of::<Stretch>())
            + (self.heads.capacity() + self.free.capacity()) * size_of::<u32>()
    }
}
