//! The broad phase: a hierarchical grid of swept boxes (Mirtich 4.5), one box per body: what the
//! newest segment of its worldline sweeps until its look-ahead ends.
//!
//! A box is registered in the one cell, of the level whose cells are at least as large as the box,
//! that holds its centre; a query visits the cells within half a cell of the asked box on every
//! level in use. A level's table is a torus of cells: far cells may share a slot. Boxes are `f32`,
//! rounded outwards; a coarse copy lies in the cell itself, see [`cell`].

mod cell;
#[cfg(test)]
mod tests;

use cell::{Cell, NONE, entry, question, tag};
use physics::{Flight, Vec3};
use std::sync::Arc;
use warp::{Column, NodeId, Tick};

/// An axis-aligned box in single precision.
///
/// The fourth lane is always zero: four lanes compare in one instruction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bounds {
    /// Lower corner.
    pub lo: [f32; 4],
    /// Upper corner.
    pub hi: [f32; 4],
}

impl Bounds {
    /// From double precision, rounded outwards.
    #[inline]
    pub fn around(lo: physics::Vec3, hi: physics::Vec3) -> Self {
        let down = |x: f64| {
            let y = x as f32;
            y - y.abs() * 2.4e-7 - f32::MIN_POSITIVE
        };
        let up = |x: f64| {
            let y = x as f32;
            y + y.abs() * 2.4e-7 + f32::MIN_POSITIVE
        };
        Bounds {
            lo: [down(lo.x), down(lo.y), down(lo.z), 0.0],
            hi: [up(hi.x), up(hi.y), up(hi.z), 0.0],
        }
    }

    /// Whether two boxes share a point.
    #[inline]
    pub fn overlaps(&self, other: &Bounds) -> bool {
        let mut apart = false;
        for lane in 0..4 {
            apart |= self.lo[lane] > other.hi[lane];
            apart |= other.lo[lane] > self.hi[lane];
        }
        !apart
    }

    /// The smallest box around both.
    #[inline]
    pub fn union(&self, other: &Bounds) -> Self {
        Bounds {
            lo: std::array::from_fn(|i| self.lo[i].min(other.lo[i])),
            hi: std::array::from_fn(|i| self.hi[i].max(other.hi[i])),
        }
    }

    /// The longest edge.
    pub fn size(&self) -> f32 {
        (0..3).map(|i| self.hi[i] - self.lo[i]).fold(0.0, f32::max)
    }
}

/// A body in the broad phase: the newest segment of its worldline and what that sweeps. Two cache
/// lines hold all that the check of a pair of balls needs.
#[repr(C, align(128))]
#[derive(Clone, Copy, Debug)]
pub struct Swept {
    /// How the segment begins.
    pub flight: Flight,
    /// What the body sweeps from `since` to its horizon.
    pub bounds: Bounds,
    /// What the body swept before is in no box: it is over for good, or kept as stretches.
    pub since: Tick,
    /// The tick up to which `bounds` holds: the body's look-ahead.
    pub horizon: Tick,
    /// The segment.
    pub segment: NodeId,
    slot: u32,
    level: u8,
    /// How often in a row the body has looked around and found nobody, up to [`Swept::LONELY`].
    alone: u8,
}

impl Swept {
    /// A body that has found nobody so often in a row is lonely.
    const LONELY: u8 = 8;

    /// Whether nobody has been near for a while.
    #[inline]
    pub fn is_lonely(&self) -> bool {
        self.alone == Self::LONELY
    }

    /// The body has looked around and found somebody or nobody.
    #[inline]
    pub fn note_company(&mut self, is_alone: bool) {
        self.alone = if is_alone {
            (self.alone + 1).min(Self::LONELY)
        } else {
            0
        };
    }

    /// Whether it is in the grid.
    pub fn is_in(&self) -> bool {
        self.slot != NONE
    }

    /// Not in the grid.
    pub const ABSENT: Swept = Swept {
        flight: Flight {
            start: Tick::MIN,
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            model: 0,
            body: u32::MAX,
        },
        bounds: Bounds {
            lo: [0.0; 4],
            hi: [0.0; 4],
        },
        since: Tick::MIN,
        horizon: Tick::MIN,
        segment: NodeId(NONE),
        slot: NONE,
        level: u8::MAX,
        alone: 0,
    };
}

#[derive(Clone, Debug)]
struct Level {
    edge: f32,
    inverse_cell: f32,
    bits: [u32; 3],
    /// For each axis, the bits that a cell's coordinate sets in its place on Morton's curve.
    morton: Arc<[Vec<u16>; 3]>,
    cells: Column<Cell>,
    /// Cells that others go on in, and which of them are not in use.
    spilled: Column<Cell>,
    spare: u32,
    population: usize,
    /// All bodies of the level, while they are fewer than the cells that a question would have to read.
    few: Option<Vec<u32>>,
}

/// Bodies in a level above which its cells are read.
const FEW_BODIES: usize = 12;

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

/// Bodies per cell above which a level's table is enlarged.
const CROWD: usize = 4;

impl Level {
    #[inline]
    fn cell(&self, x: f32) -> i32 {
        let scaled = x * self.inverse_cell;
        let truncated = scaled as i32;
        truncated - i32::from(truncated as f32 > scaled)
    }

    #[inline]
    fn wrap(&self, axis: usize, cell: i32) -> u32 {
        cell as u32 & ((1 << self.bits[axis]) - 1)
    }

    #[inline]
    fn slot(&self, x: i32, y: i32, z: i32) -> usize {
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
    fn put(&mut self, bounds: &Bounds, body: u32) -> u32 {
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
    fn enlarge(&mut self, swept: &mut Column<Swept>) {
        let mut all = Vec::with_capacity(self.population);
        self.all(|body| all.push(body));
        self.bits = self.bits.map(|b| b + 1);
        self.morton = Arc::new(morton(self.bits));
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
    fn take_spilled(&mut self, slot: usize, node: u32) {
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
        let half = 0.5 * self.edge;
        (
            std::array::from_fn(|i| self.cell(bounds.lo[i] - half)),
            std::array::from_fn(|i| self.cell(bounds.hi[i] + half)),
        )
    }

    /// Whether a box goes round the torus, so that one slot stands for several of its cells.
    #[inline]
    fn is_encircled_by(&self, bounds: &Bounds) -> bool {
        let (from, to) = self.around(bounds);
        (0..3).any(|i| to[i].saturating_sub(from[i]) >= 1 << self.bits[i])
    }

    /// Calls `found` with every body whose coarse box may overlap `bounds`.
    #[inline]
    fn query(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
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
    fn all_around(&self, bounds: &Bounds, mut found: impl FnMut(u32)) {
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
    fn all(&self, mut found: impl FnMut(u32)) {
        for cell in self.cells.iter().chain(self.spilled.iter()) {
            cell.bodies().for_each(&mut found);
        }
    }

    /// A slot's place on Morton's curve.
    #[inline]
    fn place(&self, slot: u32) -> u16 {
        let [bx, by, _] = self.bits;
        let coordinates = [slot, slot >> bx, slot >> (bx + by)];
        let along =
            |axis: usize| self.morton[axis][self.wrap(axis, coordinates[axis] as i32) as usize];
        along(0) | along(1) | along(2)
    }
}

/// Morton's curve over a torus of 2^`bits` cells, to 16 bits: the axes' bits interleaved, the highest
/// kept. For every coordinate of every axis, the bits it stands for.
fn morton(bits: [u32; 3]) -> [Vec<u16>; 3] {
    let mut tables = bits.map(|b| vec![0; 1 << b]);
    let mut place = 16 - bits.iter().sum::<u32>() as i32;
    for bit in 0..32 {
        for axis in (0..3).filter(|&axis| bit < bits[axis]) {
            if place >= 0 {
                for (coordinate, curve) in tables[axis].iter_mut().enumerate() {
                    *curve |= ((coordinate as u16 >> bit) & 1) << place;
                }
            }
            place += 1;
        }
    }
    tables
}

/// The hierarchy of cell tables.
#[derive(Clone, Debug)]
pub struct Grid {
    base: f32,
    bits: [u32; 3],
    levels: Vec<Level>,
    unbounded: Vec<Unbounded>,
}

/// A segment without a bounding box.
#[derive(Clone, Copy, Debug)]
pub struct Unbounded {
    /// The segment.
    pub node: NodeId,
    /// Normal and offset of a half-space that does not move: boxes above it are not near it.
    pub plane: Option<([f64; 3], f64)>,
}

impl Unbounded {
    /// Whether a box may touch it.
    #[inline]
    pub fn is_near(&self, bounds: &Bounds) -> bool {
        let Some((normal, offset)) = self.plane else {
            return true;
        };
        let lowest = |i: usize| {
            let corner = if normal[i] > 0.0 {
                bounds.lo[i]
            } else {
                bounds.hi[i]
            };
            normal[i] * f64::from(corner)
        };
        lowest(0) + lowest(1) + lowest(2) <= offset + 1e-6
    }
}

impl Grid {
    /// A grid whose finest cells have edge `cell` metres, sized for about `entries` boxes spread
    /// over an extent of `extent` metres.
    pub fn new(cell: f64, entries: usize, extent: [f64; 3]) -> Self {
        let total = (entries.max(8) * 2).next_power_of_two().trailing_zeros();
        let mut bits = [0; 3];
        for _ in 0..total {
            let left = |i: usize| extent[i] / (1u64 << bits[i]) as f64;
            let widest = (0..3).fold(0, |w, i| if left(i) > left(w) { i } else { w });
            bits[widest] += 1;
        }
        Grid {
            base: cell as f32,
            bits: bits.map(|b| b.max(2)),
            levels: Vec::new(),
            unbounded: Vec::new(),
        }
    }

    /// A second grid with the same entries. Takes constant time.
    pub fn branch(&mut self) -> Self {
        let branch = |level: &mut Level| Level {
            morton: Arc::clone(&level.morton),
            cells: level.cells.branch(),
            spilled: level.spilled.branch(),
            few: level.few.clone(),
            ..*level
        };
        Grid {
            base: self.base,
            bits: self.bits,
            levels: self.levels.iter_mut().map(branch).collect(),
            unbounded: self.unbounded.clone(),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        for level in &mut self.levels {
            level.cells.reclaim();
            level.spilled.reclaim();
        }
    }

    /// Edge of the finest cells, metres.
    pub fn base(&self) -> f32 {
        self.base
    }

    /// Edge of the cells of the level for boxes of this size, metres.
    pub fn cell_for(&self, size: f64) -> f64 {
        f64::from(self.base) * (1u64 << self.level_for(size as f32)) as f64
    }

    /// The level for boxes of this size.
    pub fn level_for(&self, size: f32) -> u8 {
        let mut level = 0u8;
        let mut cell = self.base;
        while cell < size && level < 40 {
            cell *= 2.0;
            level += 1;
        }
        level
    }

    /// Edge of cells four times as large as those for boxes of this size, if so few boxes are that
    /// large that one more costs the others nothing.
    pub fn wide_cell_for(&self, size: f64) -> Option<f64> {
        let level = usize::from(self.level_for(size as f32));
        let has_room = |level: usize| {
            let few = self.levels.get(level).map(|l| l.few.as_ref());
            few.is_none_or(|few| few.is_some_and(|few| few.len() < FEW_BODIES))
        };
        (has_room(level + 1) && has_room(level + 2))
            .then(|| f64::from(self.base) * (4u64 << level) as f64)
    }

    /// Registers a segment that has no bounding box: it is near everything.
    pub fn insert_unbounded(&mut self, entry: Unbounded) {
        self.unbounded.push(entry);
    }

    /// Takes out a segment that has no bounding box.
    pub fn remove_unbounded(&mut self, node: NodeId) {
        self.unbounded.retain(|u| u.node != node);
    }

    /// The segments without a bounding box.
    pub fn unbounded(&self) -> &[Unbounded] {
        &self.unbounded
    }

    /// Puts a body into the cell of its bounds.
    #[inline]
    pub fn insert(&mut self, swept: &mut Column<Swept>, body: u32) {
        let bounds = swept[body as usize].bounds;
        let level = self.level_for(bounds.size());
        self.ensure_level(level);
        let table = &mut self.levels[level as usize];
        if table.population >= CROWD * table.cells.len() {
            table.enlarge(swept);
        }
        let slot = table.put(&bounds, body);
        let entry = &mut swept[body as usize];
        entry.level = level;
        entry.slot = slot;
    }

    fn ensure_level(&mut self, level: u8) {
        while self.levels.len() <= level as usize {
            let index = self.levels.len() as u32;
            let bits = self.bits.map(|b| b.saturating_sub(index).max(2));
            self.levels.push(Level {
                edge: self.base * (1u64 << index) as f32,
                inverse_cell: 1.0 / (self.base * (1u64 << index) as f32),
                bits,
                morton: Arc::new(morton(bits)),
                cells: Column::filled(Cell::EMPTY, 1 << bits.iter().sum::<u32>()),
                spilled: Column::new(),
                spare: NONE,
                population: 0,
                few: Some(Vec::new()),
            });
        }
    }

    /// Where a body's cell lies on Morton's curve: close numbers are close in space.
    #[inline]
    pub fn place(&self, entry: &Swept) -> u16 {
        match entry.slot {
            NONE => 0,
            slot => self.levels[entry.level as usize].place(slot),
        }
    }

    /// Takes a body out, if it is in.
    #[inline]
    pub fn remove(&mut self, swept: &mut Column<Swept>, body: u32) {
        let Swept { slot, level, .. } = swept[body as usize];
        if slot == NONE {
            return;
        }
        swept[body as usize].slot = NONE;
        let table = &mut self.levels[level as usize];
        table.population -= 1;
        if let Some(few) = &mut table.few {
            few.retain(|other| *other != body);
        }
        if !table.cells[slot as usize].take(body) {
            table.take_spilled(slot as usize, body);
        }
    }

    /// Calls `found` with every body whose box overlaps `bounds`, and with a few whose box nearly does:
    /// the coarse boxes decide, so that the bodies themselves need not be read.
    #[inline]
    pub fn query(&self, swept: &Column<Swept>, bounds: &Bounds, mut found: impl FnMut(u32)) {
        for table in self.levels.iter().filter(|table| table.population > 0) {
            let mut judge = |body: u32| {
                if swept[body as usize].bounds.overlaps(bounds) {
                    found(body);
                }
            };
            if let Some(few) = &table.few {
                few.iter().copied().for_each(judge);
            } else if table.is_encircled_by(bounds) {
                table.all_around(bounds, &mut judge);
            } else {
                table.query(bounds, &mut found);
            }
        }
    }

    /// Bytes held by the tables.
    pub fn bytes(&self) -> usize {
        let cells = |l: &Level| l.cells.capacity() + l.spilled.capacity();
        self.levels.iter().map(cells).sum::<usize>() * size_of::<Cell>()
    }
}
