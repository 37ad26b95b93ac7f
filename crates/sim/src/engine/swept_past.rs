//! What worldlines swept in the past, kept while a straggler or a late input may still ask
//! about it. The broad phase proper holds the newest look-ahead of the newest segment of each body and
//! nothing else; every look-ahead that is over, by extension or because its segment ended, becomes a
//! sweep. A sweep is twelve bytes: whose it is, in which cell, and the next of its chain; what it
//! swept is computed from its segment when somebody asks. Sweeps are filed by the page of time in
//! which they end, and forgotten with the page: one whose segment is gone is found and passed over,
//! until its chain has grown long and is purged.
//!
//! A group's member has a segment for every step, hundreds in a second and mostly in one place. Its
//! steps of a page that share a cell share one sweep, which tells the body and not the segment.

use crate::grid::{Bounds, Grid};
use std::collections::VecDeque;
use warp::{Column, EventOrder, NodeId, NodeRef, StateGraph, Tick};

const NONE: u32 = u32::MAX;
/// Pages of a simulation that retains history are 2^37 ticks long, an eighth of a second.
const RETAINING_LOG2: u32 = 37;
/// A run that retains nothing has one page, wiped at every commit.
const ONE_PAGE_LOG2: u32 = 63;

/// Whose a sweep is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Owner {
    /// A segment's, if there still is one of this number.
    Segment(NodeId),
    /// A body's, for steps that it made as a member of a group.
    Steps(u32),
}

/// An owner in four bytes: a flag, and a body; or four bits of a segment's generation, and its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Packed(u32);

impl Packed {
    const STEPS: u32 = 1 << 31;
    const NUMBERS: u32 = 1 << 27;

    /// A segment's, as long as the segment is that of this generation.
    #[inline]
    pub fn segment(segment: NodeRef) -> Self {
        let number = segment.node.0;
        assert!(number < Packed::NUMBERS, "2^27 segments");
        Packed((segment.generation & 15) << 27 | number)
    }

    /// That of the steps that a body made as a member of a group.
    #[inline]
    pub fn steps(body: u32) -> Self {
        assert!(body < Packed::STEPS, "2^31 bodies");
        Packed(Packed::STEPS | body)
    }

    #[inline]
    fn owner(self) -> Owner {
        if self.0 & Packed::STEPS == 0 {
            Owner::Segment(NodeId(self.0 & (Packed::NUMBERS - 1)))
        } else {
            Owner::Steps(self.0 & !Packed::STEPS)
        }
    }

    /// Whether it is a segment's that is gone, so far as four bits tell.
    fn is_gone(self, graph: &StateGraph) -> bool {
        match self.owner() {
            Owner::Segment(node) => Packed::segment(graph.reference(node)) != self,
            Owner::Steps(_) => false,
        }
    }
}

/// One sweep.
#[derive(Clone, Copy, Debug)]
struct Sweep {
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

/// The sweeps that end within one page of time.
#[derive(Clone, Debug)]
struct Page {
    bits: u32,
    heads: Column<u32>,
    sweeps: Column<Sweep>,
    /// First of the places among them that are free again.
    spare: u32,
    /// No sweep begins earlier.
    earliest: Tick,
    /// One bit for every level of the grid that has sweeps here.
    levels: u64,
}

/// Sweeps in a chain from which on it may be worth purging.
const LONG: u32 = 16;
const FEWEST_BITS: u32 = 2;
const MOST_BITS: u32 = 8;

impl Page {
    fn new() -> Self {
        Page {
            bits: FEWEST_BITS,
            heads: Column::filled(NONE, 1 << (3 * FEWEST_BITS)),
            sweeps: Column::new(),
            spare: NONE,
            earliest: Tick::MAX,
            levels: 0,
        }
    }

    fn branch(&mut self) -> Self {
        Page {
            heads: self.heads.branch(),
            sweeps: self.sweeps.branch(),
            ..*self
        }
    }

    fn add(&mut self, owner: Packed, cell: Key, graph: &StateGraph) {
        let chain = cell.chain(self.bits);
        // A segment that was reopened and closed again is there already, and so are most steps.
        let mut at = self.heads[chain];
        let mut length = 0u32;
        while at != NONE {
            let sweep = &self.sweeps[at as usize];
            if sweep.owner == owner && sweep.cell == cell {
                return;
            }
            at = sweep.next;
            length += 1;
        }
        // Now and then only: a chain may be long for good reason.
        if length >= LONG && length.is_power_of_two() {
            self.purge(chain, graph);
        }
        let sweep = Sweep {
            owner,
            next: self.heads[chain],
            cell,
        };
        self.heads[chain] = self.place(sweep);
        if self.sweeps.len() > 2 * self.heads.len() && self.bits < MOST_BITS {
            self.enlarge();
        }
    }

    /// Puts a sweep where there is room; returns where.
    fn place(&mut self, sweep: Sweep) -> u32 {
        if self.spare == NONE {
            self.sweeps.push(sweep);
            return self.sweeps.len() as u32 - 1;
        }
        let place = self.spare;
        self.spare = self.sweeps[place as usize].next;
        self.sweeps[place as usize] = sweep;
        place
    }

    /// Takes the sweeps of segments that are gone out of a chain. Late inputs that undo each other
    /// leave many of them in one place.
    #[cold]
    fn purge(&mut self, chain: usize, graph: &StateGraph) {
        let mut at = std::mem::replace(&mut self.heads[chain], NONE);
        while at != NONE {
            let Sweep { owner, next, .. } = self.sweeps[at as usize];
            let list = if owner.is_gone(graph) {
                self.sweeps[at as usize].owner = Packed(NONE);
                &mut self.spare
            } else {
                &mut self.heads[chain]
            };
            self.sweeps[at as usize].next = std::mem::replace(list, at);
            at = next;
        }
    }

    /// Takes all sweeps of segments that are gone out, if there are many.
    fn purge_all(&mut self, graph: &StateGraph) {
        if self.sweeps.len() < LONG as usize {
            return;
        }
        let (earliest, levels) = (self.earliest, self.levels);
        let is_kept = |s: &&Sweep| s.owner != Packed(NONE) && !s.owner.is_gone(graph);
        let kept: Vec<Sweep> = self.sweeps.iter().filter(is_kept).copied().collect();
        self.wipe();
        (self.earliest, self.levels) = (earliest, levels);
        for sweep in kept {
            let chain = sweep.cell.chain(self.bits);
            let next = self.heads[chain];
            self.heads[chain] = self.place(Sweep { next, ..sweep });
        }
    }

    /// Twice as many cells along each axis.
    #[cold]
    fn enlarge(&mut self) {
        self.bits += 1;
        self.heads = Column::filled(NONE, 1 << (3 * self.bits));
        for index in 0..self.sweeps.len() {
            // Room to spare stays on its own list.
            if self.sweeps[index].owner != Packed(NONE) {
                let chain = self.sweeps[index].cell.chain(self.bits);
                self.sweeps[index].next = self.heads[chain];
                self.heads[chain] = index as u32;
            }
        }
    }

    fn wipe(&mut self) {
        for index in 0..self.sweeps.len() {
            let chain = self.sweeps[index].cell.chain(self.bits);
            self.heads[chain] = NONE;
        }
        self.sweeps.clear();
        self.spare = NONE;
        self.earliest = Tick::MAX;
        self.levels = 0;
    }

    fn bytes(&self) -> usize {
        self.heads.bytes() + self.sweeps.bytes()
    }
}

/// Chains that are followed side by side, those of all pages together, so that the latencies of memory
/// overlap.
struct Chains<'a> {
    pages: &'a VecDeque<Page>,
    at: [Link; Chains::MOST],
    count: usize,
}

/// Where a chain is followed to: a sweep of a page, and the cell that is asked about.
#[derive(Clone, Copy)]
struct Link {
    page: u32,
    at: u32,
    cell: Key,
}

impl<'a> Chains<'a> {
    const MOST: usize = 64;

    fn new(pages: &'a VecDeque<Page>) -> Self {
        let nowhere = Link {
            page: 0,
            at: NONE,
            cell: Key(0),
        };
        Chains {
            pages,
            at: [nowhere; Chains::MOST],
            count: 0,
        }
    }

    /// Adds a chain. No branch waits for where it leads.
    #[inline]
    fn add(&mut self, link: Link) {
        self.at[self.count] = link;
        self.count += usize::from(link.at != NONE);
    }

    fn is_full(&self) -> bool {
        self.count == Chains::MOST
    }

    /// Follows all of them to their ends.
    #[inline]
    fn follow(&mut self, found: &mut impl FnMut(Owner)) {
        while self.count > 0 {
            let followed = std::mem::take(&mut self.count);
            for place in 0..followed {
                let Link { page, at, cell } = self.at[place];
                let sweep = self.pages[page as usize].sweeps[at as usize];
                if sweep.cell == cell {
                    found(sweep.owner.owner());
                }
                let at = sweep.next;
                self.add(Link { page, at, cell });
            }
        }
    }
}

/// All sweeps that are kept. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct SweptPast {
    /// Edge of the finest cells: that of the largest box of the finest level of the broad phase.
    edge: f32,
    page_log2: u32,
    pages: VecDeque<Page>,
    /// Number of the first page.
    first: i64,
    /// No sweep ends later than this.
    latest: EventOrder,
}

impl SweptPast {
    /// None yet, in cells like the broad phase's.
    pub fn new(grid: &Grid, retains: bool) -> Self {
        SweptPast {
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

    /// Nothing that ends before `gvt` will be kept.
    pub fn begin_at(&mut self, gvt: Tick) {
        self.first = gvt.0 >> self.page_log2;
    }

    /// The same sweeps for a branch.
    pub fn branch(&mut self) -> Self {
        SweptPast {
            pages: self.pages.iter_mut().map(Page::branch).collect(),
            ..*self
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        for page in &mut self.pages {
            page.heads.reclaim();
            page.sweeps.reclaim();
        }
    }

    /// Keeps a look-ahead of `owner` that is over before `end`; the owner's segment began at `since`.
    #[inline]
    pub fn keep(
        &mut self,
        owner: Packed,
        since: Tick,
        (bounds, level): (&Bounds, u8),
        end: EventOrder,
        graph: &StateGraph,
    ) {
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
        page.add(owner, key, graph);
    }

    /// Whether they outlive a commit.
    pub fn retains(&self) -> bool {
        self.page_log2 != ONE_PAGE_LOG2
    }

    /// Whether any sweep may reach past `from`.
    #[inline]
    pub fn reach_past(&self, from: EventOrder) -> bool {
        from < self.latest
    }

    /// Calls `found` with the owner of every sweep that may overlap `bounds` between `from` and `to`:
    /// with some more than once, with some that are long gone, and never with too few.
    pub fn query(&self, bounds: &Bounds, from: Tick, to: Tick, mut found: impl FnMut(Owner)) {
        let skip = ((from.0 >> self.page_log2) - self.first).max(0) as usize;
        let mut chains = Chains::new(&self.pages);
        for (number, page) in self.pages.iter().enumerate().skip(skip) {
            if page.earliest > to {
                continue;
            }
            let mut levels = page.levels;
            while levels != 0 {
                let level = levels.trailing_zeros();
                levels &= levels - 1;
                self.query_level(number as u32, level, bounds, &mut chains, &mut found);
            }
        }
        chains.follow(&mut found);
    }

    /// How many of the finest cells a box covers.
    pub fn cells(&self, bounds: &Bounds) -> f64 {
        let along = |i: usize| f64::from((bounds.hi[i] - bounds.lo[i]) / self.edge) + 1.0;
        along(0) * along(1) * along(2)
    }

    fn query_level(
        &self,
        number: u32,
        level: u32,
        bounds: &Bounds,
        chains: &mut Chains,
        found: &mut impl FnMut(Owner),
    ) {
        let page = &self.pages[number as usize];
        let edge = self.edge * (1u64 << level) as f32;
        let inverse = 1.0 / edge;
        let from: [i32; 3] = std::array::from_fn(|i| cell(bounds.lo[i] - 0.5 * edge, inverse));
        let to: [i32; 3] = std::array::from_fn(|i| cell(bounds.hi[i] + 0.5 * edge, inverse));
        let count = |i: usize| i64::from(to[i]) - i64::from(from[i]) + 1;
        // A box that is large beside the cells: it is cheaper to look at all that is there.
        if count(0).saturating_mul(count(1)).saturating_mul(count(2)) > page.sweeps.len() as i64 {
            for sweep in page.sweeps.iter().filter(|s| s.owner != Packed(NONE)) {
                found(sweep.owner.owner());
            }
            return;
        }
        let bits = page.bits;
        for x in from[0]..=to[0] {
            let key_x = level << 30 | Key::part(0, x);
            let chain_x = Key::chain_part(0, x as u32, level & 3, bits);
            for y in from[1]..=to[1] {
                let key_xy = key_x | Key::part(1, y);
                let chain_xy = chain_x | Key::chain_part(1, y as u32, level & 3, bits);
                for z in from[2]..=to[2] {
                    let chain = chain_xy | Key::chain_part(2, z as u32, level & 3, bits);
                    let link = Link {
                        page: number,
                        at: page.heads[chain],
                        cell: Key(key_xy | Key::part(2, z)),
                    };
                    chains.add(link);
                    if chains.is_full() {
                        chains.follow(found);
                    }
                }
            }
        }
    }

    /// Forgets what ended before `gvt`.
    pub fn forget_before(&mut self, gvt: Tick, graph: &StateGraph) {
        if !self.retains() {
            let is_over = self.latest.moment.tick < gvt;
            for page in &mut self.pages {
                match is_over {
                    true => page.wipe(),
                    false => page.purge_all(graph),
                }
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

/// The cell that a coordinate lies in; what is too far away to be counted shares the last one.
#[inline]
fn cell(x: f32, inverse: f32) -> i32 {
    let scaled = (x * inverse).clamp(-1.0e9, 1.0e9);
    let truncated = scaled as i32;
    truncated - i32::from(truncated as f32 > scaled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::Vec3;
    use warp::Moment;

    fn order(tick: i64) -> EventOrder {
        EventOrder {
            moment: Moment::at(Tick(tick)),
            key: 0,
        }
    }

    /// Segments that come and go in one place: what is left of them is swept, and the one that stays is
    /// always found.
    #[test]
    fn what_is_gone_is_swept_and_what_stays_is_found() {
        let mut graph = StateGraph::new();
        let (_, stays) = graph.add_process(order(0));
        let (restless, _) = graph.add_process(order(0));
        let mut past = SweptPast::new(&Grid::new(1.0, 8, [4.0; 3]), true);
        let bounds = Bounds::around(Vec3::splat(0.1), Vec3::splat(0.9));
        let owner = Packed::segment(graph.reference(stays));
        past.keep(owner, Tick(0), (&bounds, 0), order(100), &graph);
        let (mut begun, mut undone) = (Vec::new(), Vec::new());
        for round in 0..1000 {
            // Now and then several at once, so that numbers differ.
            for step in 1..2 + round % 5 {
                begun.clear();
                graph.begin(order(10 * step), &[restless], &mut begun);
                let owner = Packed::segment(graph.reference(begun[0]));
                past.keep(owner, Tick(0), (&bounds, 0), order(100), &graph);
            }
            graph.roll_back(restless, order(5), &mut undone);
            let mut found = Vec::new();
            past.query(&bounds, Tick(0), Tick(200), |owner| found.push(owner));
            assert!(found.contains(&Owner::Segment(stays)), "lost in {round}");
            assert!(found.len() < 64, "{} are found in {round}", found.len());
        }
        assert!(past.pages[0].sweeps.len() < 128);
    }
}
