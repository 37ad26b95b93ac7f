//! Stretches: what worldlines swept in the past, kept while a late input may still ask about it.
//! The broad phase proper holds the newest look-ahead of the newest segment of each body and nothing
//! else; every look-ahead that is over, by extension or because its segment ended, becomes a stretch.
//! Short stretches are filed by the page of time in which they end, so that a question about one
//! moment does not see all that is retained; long ones have a grid of their own.

use super::ledger::{Ledger, PAGE_LOG2};
use crate::grid::{Bounds, Grid, Swept};
use std::collections::VecDeque;
use warp::{Column, EventOrder, NodeId, NodeRef, Tick};

const NONE: u32 = u32::MAX;
/// The page of stretches that are longer than a page.
const LONG: i64 = i64::MIN;

/// One stretch: whose it is, and the one before it of the same segment.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    start: Tick,
    page: i64,
    owner: NodeId,
    before: u32,
    generation: u32,
}

/// All stretches that are kept. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    long: Grid,
    pages: VecDeque<Grid>,
    /// Number of the first page.
    first: i64,
    swept: Column<Swept>,
    stretches: Column<Stretch>,
    /// Per segment: its newest stretch.
    heads: Column<u32>,
    free: Column<u32>,
    /// No stretch ends later than this.
    latest: EventOrder,
}

impl Stretches {
    /// None yet, in grids like the broad phase's.
    pub fn new(grid: Grid) -> Self {
        Stretches {
            long: grid,
            pages: VecDeque::new(),
            first: 0,
            swept: Column::new(),
            stretches: Column::new(),
            heads: Column::new(),
            free: Column::new(),
            latest: EventOrder::MIN,
        }
    }

    /// The same stretches for a branch.
    pub fn branch(&mut self) -> Self {
        Stretches {
            long: self.long.branch(),
            pages: self.pages.iter_mut().map(Grid::branch).collect(),
            swept: self.swept.branch(),
            stretches: self.stretches.branch(),
            heads: self.heads.branch(),
            free: self.free.branch(),
            ..*self
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.long.reclaim();
        self.pages.iter_mut().for_each(Grid::reclaim);
        self.swept.reclaim();
        self.stretches.reclaim();
        self.heads.reclaim();
        self.free.reclaim();
    }

    /// Keeps a look-ahead of `owner` that is over before `end`; the owner's segment began at `since`.
    pub fn keep(
        &mut self,
        owner: NodeId,
        since: Tick,
        bounds: Bounds,
        end: EventOrder,
        ledger: &mut Ledger,
    ) {
        self.latest = self.latest.max(end);
        let end = end.moment.tick;
        self.heads.grow(owner.index() + 1, NONE);
        let before = self.heads[owner.index()];
        let start = match before {
            NONE => since,
            before => self.swept[before as usize].horizon,
        };
        let is_short = end.0.saturating_sub(start.0) <= 1 << PAGE_LOG2;
        let page = if is_short { end.0 >> PAGE_LOG2 } else { LONG };
        let id = self.free.pop().unwrap_or(self.stretches.len() as u32);
        let generation = self.stretches.get(id as usize).map_or(0, |s| s.generation);
        let stretch = Stretch {
            start,
            page,
            owner,
            before,
            generation,
        };
        if id as usize == self.stretches.len() {
            self.swept.push(Swept::ABSENT);
            self.stretches.push(stretch);
        } else {
            self.stretches[id as usize] = stretch;
        }
        self.heads[owner.index()] = id;
        let entry = &mut self.swept[id as usize];
        entry.bounds = bounds;
        entry.horizon = end;
        let node = NodeId(id);
        self.open_page(page);
        let grid = grid_of(&mut self.long, &mut self.pages, self.first, page);
        grid.insert(&mut self.swept, node);
        ledger.note_stretch(end, NodeRef { node, generation });
    }

    fn open_page(&mut self, page: i64) {
        if page == LONG {
            return;
        }
        while self.first + (self.pages.len() as i64) <= page {
            self.pages.push_back(self.long.emptied());
        }
    }

    /// Whether any stretch may reach past `from`.
    #[inline]
    pub fn reach_past(&self, from: EventOrder) -> bool {
        from < self.latest
    }

    /// Calls `found` with the owner of every stretch that overlaps `bounds`, does not end before
    /// `from` nor start after `to`.
    pub fn query(&self, bounds: &Bounds, from: Tick, to: Tick, mut found: impl FnMut(NodeId)) {
        let mut look = |grid: &Grid| {
            grid.query(&self.swept, bounds, |id| {
                let stretch = &self.stretches[id.index()];
                if self.swept[id.index()].horizon >= from && stretch.start <= to {
                    found(stretch.owner);
                }
            });
        };
        look(&self.long);
        // A short stretch that starts by `to` ends within a page of it.
        let from = ((from.0 >> PAGE_LOG2) - self.first).max(0) as usize;
        let to = ((to.0 >> PAGE_LOG2) - self.first).saturating_add(2);
        let to = (to.max(0) as usize).min(self.pages.len());
        for page in from..to {
            look(&self.pages[page]);
        }
    }

    /// Calls with the box of every stretch of a segment.
    pub fn boxes(&self, owner: NodeId, mut found: impl FnMut(Bounds)) {
        let mut at = self.heads.get(owner.index()).copied().unwrap_or(NONE);
        while at != NONE {
            found(self.swept[at as usize].bounds);
            at = self.stretches[at as usize].before;
        }
    }

    /// A segment that had ended is the end of its worldline again: forgets its last stretch.
    pub fn reopen(&mut self, owner: NodeId) {
        let head = self.heads.get(owner.index()).copied().unwrap_or(NONE);
        if head != NONE {
            self.heads[owner.index()] = self.stretches[head as usize].before;
            self.release(head);
        }
    }

    /// Forgets the stretches of a segment that is gone.
    #[inline]
    pub fn forget(&mut self, owner: NodeId) {
        if self
            .heads
            .get(owner.index())
            .is_none_or(|head| *head == NONE)
        {
            return;
        }
        let mut at = std::mem::replace(&mut self.heads[owner.index()], NONE);
        while at != NONE {
            let before = self.stretches[at as usize].before;
            self.release(at);
            at = before;
        }
    }

    /// Forgets one stretch that GVT has passed, if it is still there.
    pub fn expire(&mut self, reference: NodeRef) {
        let id = reference.node.0;
        let Stretch {
            owner,
            before,
            generation,
            ..
        } = self.stretches[id as usize];
        if generation != reference.generation {
            return;
        }
        let mut at = self.heads[owner.index()];
        if at == id {
            self.heads[owner.index()] = before;
        } else {
            while self.stretches[at as usize].before != id {
                at = self.stretches[at as usize].before;
            }
            self.stretches[at as usize].before = before;
        }
        self.release(id);
    }

    /// Drops the pages before `gvt`; their stretches have expired.
    pub fn drop_pages(&mut self, gvt: Tick) {
        while self.first < gvt.0 >> PAGE_LOG2 && self.pages.pop_front().is_some() {
            self.first += 1;
        }
        if self.pages.is_empty() {
            self.first = self.first.max(gvt.0 >> PAGE_LOG2);
        }
    }

    fn release(&mut self, id: u32) {
        let stretch = &mut self.stretches[id as usize];
        stretch.generation = stretch.generation.wrapping_add(1);
        let grid = grid_of(&mut self.long, &mut self.pages, self.first, stretch.page);
        grid.remove(&mut self.swept, NodeId(id));
        self.free.push(id);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.long.bytes()
            + self.pages.iter().map(Grid::bytes).sum::<usize>()
            + self.swept.capacity() * (size_of::<Swept>() + size_of::<Stretch>())
            + (self.heads.capacity() + self.free.capacity()) * size_of::<u32>()
    }
}

/// The grid of a page that is open.
fn grid_of<'a>(
    long: &'a mut Grid,
    pages: &'a mut VecDeque<Grid>,
    first: i64,
    page: i64,
) -> &'a mut Grid {
    if page == LONG {
        long
    } else {
        &mut pages[(page - first).max(0) as usize]
    }
}
