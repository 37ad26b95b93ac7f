//! One level of the grid: a torus of cells of one size, and how a box asks them.

use super::cell::{Cell, NONE, entry, question, tag};
use super::{Bounds, Swept};
use warp::Column;

/// A table of cells. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Level {
    pub(super) edge: f32,
    pub(super) inverse_cell: f32,
    /// Half the edge of the largest box.
    pub(super) half: f32,
    pub(super) bits: [u32; 3],
    pub(super) cells: Column<Cell>,
    /// Cells that others go on in, and which of them are not in use.
    pub(super) spilled: Column<Cell>,
    pub(super) spare: u32,
    pub(super) population: usize,
    /// All bodies of the level, while they are fewer than the cells that a question would have to read.
    pub(super) few: Option<Vec<u32>>,
}

/// Bodies in a level above which its cells are read.
pub(super) const FEW_BODIES: usize = 12;

/// What tells apart cells that share a slot: weights of how often each axis has gone round.
const TAG: [i32; 3] = [1, 5, 25];
/// Cells along an axis that most boxes have to do with at most.
const FEW: usize = 4;

/// What a box asks of the cells with one coordinate along one axis.
#[derive(Clone, Copy, Default)]
struct Ask {
    slot: u32,
    beyond: i32,
    question: u64,
}

/// Cells are counted up to here, so that the distance of two of them is a number as well.
const FARTHEST: f32 = 1.0e9;

/// Cells above which a table is not in the cache anyway.
pub(super) const LARGE: usize = 1 << 13;

/// Bodies per cell above which a level's table is enlarged.
pub(super) const CROWD: usize = 4;

impl Level {
    /// The cell that a coordinate lies in. What is farther away than cells can be counted shares the last one.
    #[inline]
    fn cell(&self, x: f32) -> i32 {
        let scaled = (x * self.inverse_cell).clamp(-FARTHEST, FARTHEST);
        let truncated = scaled as i32;
        truncated - i32::from(truncated as f32 > scaled)
    }

    #[inline]
    fn wrap(&self, axis: usize, cell: i32) -> u32 {
        cell as u32 & ((1 << self.bits[axis]) - 1)
    }

    #[inline]
    pub(super) fn slot(&self, x: i32, y: i32, z: i32) -> usize {
        let [bx, by, _] = self.bits;
        (self.wrap(0, x) | self.wrap(1, y) << bx | self.wrap(2, z) << (bx + by)) as usize
    }

    /// Tells apart cells that share a slot, mostly.
    #[inline]
    fn tag(&self, at: [i32; 3]) -> u64 {
        let beyond = |i: usize| (at[i] >> self.bits[i]).wrapping_mul(TAG[i]);
        tag(beyond(0).wrapping_add(beyond(1)).wrapping_add(beyond(2)))
    }

    /// Puts a body's box into its cell; returns the cell's slot.
    #[inline]
    pub(super) fn put(&mut self, bounds: &Bounds, body: u32) -> u32 {
        let at: [i32; 3] = std::array::from_fn(|i| self.cell(0.5 * (bounds.lo[i] + bounds.hi[i])));
        let coarse = (0..3).fold(self.tag(at), |coarse, i| {
            let corner = at[i] as f32 * self.edge;
            let (lo, hi) = (bounds.lo[i] - corner, bounds.hi[i] - corner);
            coarse | entry(i, lo, hi, self.inverse_cell)
        });
        let slot = self.slot(at[0], at[1], at[2]);
        self.population += 1;
        match &mut self.few {
            Some(few) if few.len() < FEW_BODIES => few.push(body),
            few => *few = None,
        }
        if !self.cells[slot].add(body, coarse) {
            self.spill(slot, body, coarse);
        }
        slot as u32
    }

    /// Twice as many cells along each axis.
    #[cold]
    pub(super) fn enlarge(&mut self, swept: &mut Column<Swept>) {
        let mut all = Vec::with_capacity(self.population);
        self.all(|body| all.push(body));
        self.bits = self.bits.map(|b| b + 1);
        self.cells = Column::filled(Cell::EMPTY, 1 << self.bits.iter().sum::<u32>());
        self.spilled = Column::new();
        self.spare = NONE;
        self.population = 0;
        self.few = None;
        for body in all {
            let bounds = swept[body as usize].bounds;
            swept[body as usize].slot = self.put(&bounds, body);
        }
    }

    /// Puts a body into the chain of a full cell.
    #[cold]
    fn spill(&mut self, slot: usize, node: u32, coarse: u64) {
        let mut at = self.cells[slot].more;
        while at != NONE {
            if self.spilled[at as usize].add(node, coarse) {
                return;
            }
            at = self.spilled[at as usize].more;
        }
        let mut fresh = Cell::EMPTY;
        fresh.add(node, coarse);
        fresh.more = self.cells[slot].more;
        let place = match self.spare {
            NONE => {
                self.spilled.push(fresh);
                self.spilled.len() as u32 - 1
            }
            place => {
                self.spare = self.spilled[place as usize].more;
                self.spilled[place as usize] = fresh;
                place
            }
        };
        self.cells[slot].more = place;
    }

    /// Takes a body out of the chain of a cell; a chained cell that is empty then is unchained.
    #[cold]
    pub(super) fn take_spilled(&mut self, slot: usize, node: u32) {
        let (mut before, mut at) = (NONE, self.cells[slot].more);
        while at != NONE && !self.spilled[at as usize].take(node) {
            (before, at) = (at, self.spilled[at as usize].more);
        }
        if at == NONE || !self.spilled[at as usize].is_empty() {
            return;
        }
        let more = std::mem::replace(&mut self.spilled[at as usize].more, self.spare);
        self.spare = at;
        match before {
            NONE => self.cells[slot].more = more,
            before => self.spilled[before as usize].more = more,
        }
    }

    /// The first and last cells that a box may have to do with.
    #[inline]
    fn around(&self, bounds: &Bounds) -> ([i32; 3], [i32; 3]) {
        let half = self.half;
        (
            std::array::from_fn(|i| self.cell(bounds.lo[i] - half)),
            std::array::from_fn(|i| self.cell(bounds.hi[i] + half)),
        )
    }

    /// How many cells a box may have to do with, at most all there are.
    pub(super) fn cells_around(&self, bounds: &Bounds) -> f64 {
        let (from, to) = self.around(bounds);
        let along = |i: usize| f64::from(to[i]) - f64::from(from[i]) + 1.0;
        (along(0) * along(1) * along(2)).min(self.cells.len() as f64)
    }

    /// Whether a box goes round the torus, so that one slot stands for several of its cells.
    #[inline]
    pub(super) fn is_encircled_by(&self, bounds: &Bounds) -> bool {
        let (from, to) = self.around(bounds);
        (0..3).any(|i| to[i].saturating_sub(from[i]) >= 1 << self.bits[i])
    }

    /// Asks for the cells that a question about a box is going to read, and does not wait for them.
    #[inline]
    pub(super) fn prefetch(&self, bounds: &Bounds) {
        let (from, to) = self.around(bounds);
        if (0..3).any(|i| to[i] - from[i] >= FEW as i32) {
            return;
        }
        for z in from[2]..=to[2] {
            for y in from[1]..=to[1] {
                for x in from[0]..=to[0] {
                    self.cells.prefetch(self.slot(x, y, z));
                }
            }
        }
    }

    /// Calls `found` with every body whose coarse box may overlap `bounds`.
    #[inline]
    pub(super) fn query(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
        let (from, to) = self.around(bounds);
        if (0..3).any(|i| to[i] - from[i] >= FEW as i32) {
            return self.query_many(bounds, (from, to), found);
        }
        // First all cells are read, without a branch, so that the latencies of memory overlap.
        let steps: [usize; 3] = std::array::from_fn(|i| (to[i] - from[i]) as usize + 1);
        let mut asks = [[Ask::default(); FEW]; 3];
        for axis in 0..3 {
            for (step, ask) in asks[axis][..steps[axis]].iter_mut().enumerate() {
                *ask = self.ask(bounds, axis, from[axis] + step as i32);
            }
        }
        let mut hit = [(0u32, 0u32, 0u64); FEW * FEW * FEW];
        let mut count = 0;
        for z in &asks[2][..steps[2]] {
            for y in &asks[1][..steps[1]] {
                for x in &asks[0][..steps[0]] {
                    let slot = x.slot | y.slot | z.slot;
                    let tag = tag(x.beyond.wrapping_add(y.beyond).wrapping_add(z.beyond));
                    let question = x.question | y.question | z.question | tag;
                    let hits = self.cells[slot as usize].hits(question);
                    hit[count] = (slot, hits, question);
                    count += usize::from(hits != 0);
                }
            }
        }
        for &(slot, ..) in &hit[..count] {
            self.spilled
                .prefetch(self.cells[slot as usize].more as usize);
        }
        for &(slot, hits, question) in &hit[..count] {
            let cell = &self.cells[slot as usize];
            cell.tell(hits, &mut found);
            self.query_spilled(cell, question, &mut found);
        }
    }

    /// What a box asks of the cells with one coordinate.
    #[inline]
    fn ask(&self, bounds: &Bounds, axis: usize, cell: i32) -> Ask {
        let corner = cell as f32 * self.edge;
        let (lo, hi) = (bounds.lo[axis] - corner, bounds.hi[axis] - corner);
        let [bx, by, _] = self.bits;
        Ask {
            slot: self.wrap(axis, cell) << [0, bx, bx + by][axis],
            beyond: (cell >> self.bits[axis]).wrapping_mul(TAG[axis]),
            question: question(axis, lo, hi, self.inverse_cell),
        }
    }

    /// The same for a box that is large beside the cells.
    #[cold]
    fn query_many(
        &self,
        bounds: &Bounds,
        (from, to): ([i32; 3], [i32; 3]),
        mut found: impl FnMut(u32),
    ) {
        for z in (from[2]..=to[2]).map(|z| self.ask(bounds, 2, z)) {
            for y in (from[1]..=to[1]).map(|y| self.ask(bounds, 1, y)) {
                for x in (from[0]..=to[0]).map(|x| self.ask(bounds, 0, x)) {
                    let tag = tag(x.beyond.wrapping_add(y.beyond).wrapping_add(z.beyond));
                    let question = x.question | y.question | z.question | tag;
                    let cell = &self.cells[(x.slot | y.slot | z.slot) as usize];
                    cell.matching(question, &mut found);
                    self.query_spilled(cell, question, &mut found);
                }
            }
        }
    }

    #[inline]
    fn query_spilled(&self, cell: &Cell, question: u64, mut found: impl FnMut(u32)) {
        let mut more = cell.more;
        while more != NONE {
            let cell = &self.spilled[more as usize];
            cell.matching(question, &mut found);
            more = cell.more;
        }
    }

    /// Calls `found` with every body in the slots of the cells around a box that goes round the torus.
    #[cold]
    pub(super) fn all_around(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
        let (from, to) = self.around(bounds);
        let steps = |i: usize| to[i].saturating_sub(from[i]).min((1 << self.bits[i]) - 1);
        let along = |i: usize| (0..=steps(i)).map(move |step| from[i].wrapping_add(step));
        for z in along(2) {
            for y in along(1) {
                for x in along(0) {
                    let mut cell = &self.cells[self.slot(x, y, z)];
                    cell.bodies().for_each(&mut found);
                    while cell.more != NONE {
                        cell = &self.spilled[cell.more as usize];
                        cell.bodies().for_each(&mut found);
                    }
                }
            }
        }
    }

    /// Calls `found` with every body.
    #[cold]
    pub(super) fn all(&self, mut found: impl FnMut(u32)) {
        for cell in self.cells.iter().chain(self.spilled.iter()) {
            cell.bodies().for_each(&mut found);
        }
    }
}
