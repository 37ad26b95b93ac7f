//! Stretches: what worldlines swept in the past, kept while a straggler or a late input may still ask
//! about it. The broad phase proper holds the newest look-ahead of the newest segment of each body and
//! nothing else; every look-ahead that is over, by extension or because its segment ended, becomes a
//! stretch. A stretch is twelve bytes: whose it is, in which cell, and the next of its chain; what it
//! swept is computed from its segment when somebody asks. Stretches are filed by the page of time in
//! which they end, and forgotten with the page: one whose segment is gone is found and passed over.
//!
//! A group's member has a segment for every step, hundreds in a second and mostly in one place. Its
//! steps of a page that share a cell share one stretch, which tells the body and not the segment.

use crate::grid::{Bounds, Grid};
use std::collections::VecDeque;
use warp::{Column, EventOrder, NodeId, Tick};

const NONE: u32 = u32::MAX;
/// Pages of a simulation that retains history are 2^37 ticks long, an eighth of a second.
const RETAINING_LOG2: u32 = 37;
/// A run that retains nothing has one page, wiped at every commit.
const ONE_PAGE_LOG2: u32 = 63;

/// Whose a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A segment's, if there still is one of this number.
    Segment(NodeId),
    /// A body's, for steps that it made as a member of a group.
    Steps(u32),
}

/// An owner in four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Packed(u32);

impl Packed {
    const STEPS: u32 = 1 << 31;

    #[inline]
    fn new(owner: Owner) -> Self {
        let (number, flag) = match owner {
            Owner::Segment(node) => (node.0, 0),
            Owner::Steps(body) => (body, Packed::STEPS),
        };
        assert!(number < Packed::STEPS, "2^31 segments or bodies");
        Packed(number | flag)
    }

    #[inline]
    fn owner(self) -> Owner {
        if self.0 & Packed::STEPS == 0 {
            Owner::Segment(NodeId(self.0))
        } else {
            Owner::Steps(self.0 & !Packed::STEPS)
        }
    }
}

/// One stretch.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    owner: Packed,
    next: u32,
    cell: Key,
}

/// A cell: two bits of its level and ten of each coordinate. Far cells may share a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key(u32);

impl Key {
    const BITS: u32 = 10;

    #[inline]
    fn new(level: u32, cell: [i32; 3]) -> Self {
        Key(level << 30 | Key::part(0, cell[0]) | Key::part(1, cell[1]) | Key::part(2, cell[2]))
    }

    /// What a coordinate contributes.
    #[inline]
    fn part(axis: u32, coordinate: i32) -> u32 {
        (coordinate as u32 & 1023) << (Key::BITS * (2 - axis))
    }

    /// Place in a table of 8^`bits` chains: neighbours along z are neighbours there.
    #[inline]
    fn chain(self, bits: u32) -> usize {
        let level = self.0 >> 30;
        Key::chain_part(0, self.0 >> 20, level, bits)
            | Key::chain_part(1, self.0 >> 10, level, bits)
            | Key::chain_part(2, self.0, level, bits)
    }

    /// What a coordinate contributes to that place.
    #[inline]
    fn chain_part(axis: u32, coordinate: u32, level: u32, bits: u32) -> usize {
        // Levels shift along x, where a table has room anyway.
        let shift = if axis == 0 { level * 5 } else { 0 };
        let within = coordinate.wrapping_add(shift) & ((1 << bits) - 1);
        (within as usize) << (bits * (2 - axis))
    }
}

/// The stretches that end within one page of time.
#[derive(Clone, Debug)]
struct Page {
    bits: u32,
    heads: Column<u32>,
    stretches: Column<Stretch>,
    /// No stretch begins earlier.
    earliest: Tick,
    /// One bit for every level of the grid that has stretches here.
    levels: u64,
}

const FEWEST_BITS: u32 = 2;
const MOST_BITS: u32 = 8;

impl Page {
    fn new() -> Self {
        Page {
            bits: FEWEST_BITS,
            heads: Column::filled(NONE, 1 << (3 * FEWEST_BITS)),
            stretches: Column::new(),
            earliest: Tick::MAX,
            levels: 0,
        }
    }

    fn branch(&mut self) -> Self {
        Page {
            heads: self.heads.branch(),
            stretches: self.stretches.branch(),
            ..*self
        }
    }

    fn add(&mut self, owner: Packed, cell: Key) {
        let chain = cell.chain(self.bits);
        let head = self.heads[chain];
        // A segment that was reopened and closed again is there already, and so are most steps.
        let mut at = head;
        while at != NONE {
            let stretch = &self.stretches[at as usize];
            if stretch.owner == owner && stretch.cell == cell {
                return;
            }
            at = stretch.next;
        }
        self.heads[chain] = self.stretches.len() as u32;
        self.stretches.push(Stretch {
            owner,
            next: head,
            cell,
        });
        if self.stretches.len() > 2 * self.heads.len() && self.bits < MOST_BITS {
            self.enlarge();
        }
    }

    /// Twice as many cells along each axis.
    #[cold]
    fn enlarge(&mut self) {
        self.bits += 1;
        self.heads = Column::filled(NONE, 1 << (3 * self.bits));
        for index in 0..self.stretches.len() {
            let chain = self.stretches[index].cell.chain(self.bits);
            self.stretches[index].next = self.heads[chain];
            self.heads[chain] = index as u32;
        }
    }

    fn wipe(&mut self) {
        for index in 0..self.stretches.len() {
            let chain = self.stretches[index].cell.chain(self.bits);
            self.heads[chain] = NONE;
        }
        self.stretches.clear();
        self.earliest = Tick::MAX;
        self.levels = 0;
    }

    fn bytes(&self) -> usize {
        self.heads.bytes() + self.stretches.bytes()
    }
}

/// Chains of a page that are followed side by side, so that the latencies of memory overlap.
struct Chains {
    at: [(u32, Key); Chains::MOST],
    count: usize,
}

impl Default for Chains {
    fn default() -> Self {
        Chains {
            at: [(NONE, Key(0)); Chains::MOST],
            count: 0,
        }
    }
}

impl Chains {
    const MOST: usize = 32;

    #[inline]
    fn add(&mut self, head: u32, cell: Key) {
        self.at[self.count] = (head, cell);
        self.count += usize::from(head != NONE);
    }

    fn is_full(&self) -> bool {
        self.count == Chains::MOST
    }

    /// Follows all of them to their ends.
    #[inline]
    fn follow(&mut self, page: &Page, found: &mut impl FnMut(Owner)) {
        while self.count > 0 {
            let followed = std::mem::take(&mut self.count);
            for place in 0..followed {
                let (at, cell) = self.at[place];
                let stretch = &page.stretches[at as usize];
                if stretch.cell == cell {
                    found(stretch.owner.owner());
                }
                self.add(stretch.next, cell);
            }
        }
    }
}

/// All stretches that are kept. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Stretches {
    /// Edge of the finest cells: that of the largest box of the finest level of the broad phase.
    edge: f32,
    page_log2: u32,
    pages: VecDeque<Page>,
    /// Number of the first page.
    first: i64,
    /// No stretch ends later than this.
    latest: EventOrder,
}

impl Stretches {
    /// None yet, in cells like the broad phase's.
    pub fn new(grid: &Grid, retains: bool) -> Self {
        Stretches {
            edge: grid.largest(),
            page_log2: if retains {
                RETAINING_LOG2
            } else {
                ONE_PAGE_LOG2
            },
            pages: VecDeque::new(),
            first: 0,
            latest: EventOrder::MIN,
        }
    }

    /// The same stretches for a branch.
    pub fn branch(&mut self) -> Self {
        Stretches {
            pages: self.pages.iter_mut().map(Page::branch).collect(),
            ..*self
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        for page in &mut self.pages {
            page.heads.reclaim();
            page.stretches.reclaim();
        }
    }

    /// Keeps a look-ahead of `owner` that is over before `end`; the owner's segment began at `since`.
    #[inline]
    pub fn keep(&mut self, owner: Owner, since: Tick, bounds: &Bounds, level: u8, end: EventOrder) {
        self.latest = self.latest.max(end);
        let place = ((end.moment.tick.0 >> self.page_log2) - self.first).max(0) as usize;
        while self.pages.len() <= place {
            self.pages.push_back(Page::new());
        }
        let inverse = 1.0 / (self.edge * (1u64 << level) as f32);
        let centre = |i: usize| cell(0.5 * (bounds.lo[i] + bounds.hi[i]), inverse);
        let key = Key::new(u32::from(level), [centre(0), centre(1), centre(2)]);
        let page = &mut self.pages[place];
        page.earliest = page.earliest.min(since);
        page.levels |= 1 << level;
        page.add(Packed::new(owner), key);
    }

    /// Whether they outlive a commit.
    pub fn retains(&self) -> bool {
        self.page_log2 != ONE_PAGE_LOG2
    }

    /// Whether any stretch may reach past `from`.
    #[inline]
    pub fn reach_past(&self, from: EventOrder) -> bool {
        from < self.latest
    }

    /// Calls `found` with the owner of every stretch that may overlap `bounds` between `from` and `to`:
    /// with some more than once, with some that are long gone, and never with too few.
    pub fn query(&self, bounds: &Bounds, from: Tick, to: Tick, mut found: impl FnMut(Owner)) {
        let skip = ((from.0 >> self.page_log2) - self.first).max(0) as usize;
        for page in self.pages.iter().skip(skip) {
            if page.earliest > to {
                continue;
            }
            let mut levels = page.levels;
            while levels != 0 {
                let level = levels.trailing_zeros();
                levels &= levels - 1;
                self.query_level(page, level, bounds, &mut found);
            }
        }
    }

    /// How many of the finest cells a box covers.
    pub fn cells(&self, bounds: &Bounds) -> f64 {
        let along = |i: usize| f64::from((bounds.hi[i] - bounds.lo[i]) / self.edge) + 1.0;
        along(0) * along(1) * along(2)
    }

    fn query_level(&self, page: &Page, level: u32, bounds: &Bounds, found: &mut impl FnMut(Owner)) {
        let edge = self.edge * (1u64 << level) as f32;
        let inverse = 1.0 / edge;
        let from: [i32; 3] = std::array::from_fn(|i| cell(bounds.lo[i] - 0.5 * edge, inverse));
        let to: [i32; 3] = std::array::from_fn(|i| cell(bounds.hi[i] + 0.5 * edge, inverse));
        let count = |i: usize| i64::from(to[i]) - i64::from(from[i]) + 1;
        // A box that is large beside the cells: it is cheaper to look at all that is there.
        if count(0).saturating_mul(count(1)).saturating_mul(count(2)) > page.stretches.len() as i64
        {
            for stretch in page.stretches.iter() {
                found(stretch.owner.owner());
            }
            return;
        }
        let mut chains = Chains::default();
        let bits = page.bits;
        for x in from[0]..=to[0] {
            let key_x = level << 30 | Key::part(0, x);
            let chain_x = Key::chain_part(0, x as u32, level & 3, bits);
            for y in from[1]..=to[1] {
                let key_xy = key_x | Key::part(1, y);
                let chain_xy = chain_x | Key::chain_part(1, y as u32, level & 3, bits);
                for z in from[2]..=to[2] {
                    let chain = chain_xy | Key::chain_part(2, z as u32, level & 3, bits);
                    chains.add(page.heads[chain], Key(key_xy | Key::part(2, z)));
                    if chains.is_full() {
                        chains.follow(page, found);
                    }
                }
            }
        }
        chains.follow(page, found);
    }

    /// Forgets what ended before `gvt`.
    pub fn forget_before(&mut self, gvt: Tick) {
        if !self.retains() {
            if self.latest.moment.tick < gvt {
                self.pages.iter_mut().for_each(Page::wipe);
            }
            return;
        }
        while self.first < gvt.0 >> self.page_log2 && self.pages.pop_front().is_some() {
            self.first += 1;
        }
        if self.pages.is_empty() {
            self.first = self.first.max(gvt.0 >> self.page_log2);
        }
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.pages.iter().map(Page::bytes).sum()
    }
}

/// The cell that a coordinate lies in.
#[inline]
fn cell(x: f32, inverse: f32) -> i32 {
    let scaled = x * inverse;
    let truncated = scaled as i32;
    truncated - i32::from(truncated as f32 > scaled)
}
