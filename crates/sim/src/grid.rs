//! The broad phase: a hierarchical grid of swept boxes (Mirtich 4.5), one box per body: what the
//! newest segment of its worldline sweeps until its look-ahead ends.
//!
//! A box is registered in the one cell, of the first level that takes boxes of its size, that holds its
//! centre; a query visits, on every level in use, the cells within half the largest box of the asked
//! one. Cells are somewhat larger than the largest box: fewer are visited, and they are fuller. A level's
//! table is a torus of cells: far cells may share a slot. Boxes are `f32`, rounded outwards; a coarse copy
//! lies in the cell itself, see [`cell`].

mod cell;
mod level;
#[cfg(test)]
mod tests;

use crate::world::NOBODY;
use cell::{Cell, NONE};
use level::{CROWD, FEW_BODIES, LARGE, Level};
use physics::{Flight, ModelId, Vec3};
use warp::{Column, NodeId, NodeRef, Tick};

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

    /// Whether another box lies inside.
    #[inline]
    pub fn holds(&self, other: &Bounds) -> bool {
        (0..3).all(|i| self.lo[i] <= other.lo[i] && other.hi[i] <= self.hi[i])
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
    /// The generation of the segment's node.
    pub generation: u32,
    slot: u32,
    level: u8,
    /// How often in a row the body has looked around and found nobody, up to [`Swept::LONELY`].
    alone: u8,
    /// Whether the extension of the look-ahead waits in the queue.
    pub is_extension_due: bool,
    /// Whose body it is.
    pub standing: Standing,
}

/// Whose a body is, as the region sees it that keeps it in its broad phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Standing {
    /// The region's own: it does all that happens to the body.
    Own,
    /// Another region's, which says what happens to the body unless it meets one of this region's own.
    Ghost,
    /// Everybody's: a fixed or a kinematic body, which goes its way whatever it meets.
    Shared,
}

impl Swept {
    /// A body that has found nobody so often in a row is lonely.
    const LONELY: u8 = 8;

    /// A reference to the segment.
    #[inline]
    pub fn reference(&self) -> NodeRef {
        NodeRef {
            node: self.segment,
            generation: self.generation,
        }
    }

    /// Asks for its two lines of memory, and does not wait for them.
    #[inline]
    pub fn prefetch(&self) {
        warp::prefetch(&self.flight);
        warp::prefetch(&self.bounds);
    }

    /// Whether nobody has been near for a while.
    #[inline]
    pub fn is_lonely(&self) -> bool {
        self.alone == Self::LONELY
    }

    /// The body has looked around and found somebody or nobody.
    #[inline]
    pub fn set_alone(&mut self, is_alone: bool) {
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
            model: ModelId::at(0),
            body: NOBODY,
        },
        bounds: Bounds {
            lo: [0.0; 4],
            hi: [0.0; 4],
        },
        since: Tick::MIN,
        horizon: Tick::MIN,
        segment: NodeId(NONE),
        generation: 0,
        slot: NONE,
        level: u8::MAX,
        alone: 0,
        is_extension_due: false,
        standing: Standing::Own,
    };
}

/// Edge of a cell by that of the largest box it takes.
const LOOSE: f32 = 1.3;

/// The hierarchy of cell tables.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Edge of the largest box of the finest level.
    largest: f32,
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
    /// A grid whose finest level takes boxes of up to `largest` metres, sized for about `entries` boxes
    /// spread over an extent of `extent` metres.
    pub fn new(largest: f64, entries: usize, extent: [f64; 3]) -> Self {
        let cells = entries.max(8) as f64 * 2.0 / f64::from(LOOSE).powi(3);
        let total = (cells as usize).next_power_of_two().trailing_zeros();
        let mut bits = [0; 3];
        for _ in 0..total {
            let left = |i: usize| extent[i] / (1u64 << bits[i]) as f64;
            let widest = (0..3).fold(0, |w, i| if left(i) > left(w) { i } else { w });
            bits[widest] += 1;
        }
        Grid {
            largest: largest as f32,
            bits: bits.map(|b| b.max(2)),
            levels: Vec::new(),
            unbounded: Vec::new(),
        }
    }

    /// A second grid with the same entries. Takes constant time.
    pub fn branch(&mut self) -> Self {
        let branch = |level: &mut Level| Level {
            cells: level.cells.branch(),
            spilled: level.spilled.branch(),
            few: level.few.clone(),
            ..*level
        };
        Grid {
            largest: self.largest,
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

    /// Edge of the largest box of the finest level, metres.
    pub fn largest(&self) -> f32 {
        self.largest
    }

    /// Edge of the largest box of the level for boxes of this size, metres.
    pub fn largest_for(&self, size: f64) -> f64 {
        f64::from(self.largest) * (1u64 << self.level_for(size as f32)) as f64
    }

    /// The level for boxes of this size.
    pub fn level_for(&self, size: f32) -> u8 {
        let mut level = 0u8;
        let mut largest = self.largest;
        while largest < size && level < 40 {
            largest *= 2.0;
            level += 1;
        }
        level
    }

    /// The same two levels up, if so few boxes are that large that one more costs the others nothing.
    pub fn far_largest_for(&self, size: f64) -> Option<f64> {
        let level = usize::from(self.level_for(size as f32));
        let has_room = |level: usize| {
            let few = self.levels.get(level).map(|l| l.few.as_ref());
            few.is_none_or(|few| few.is_some_and(|few| few.len() < FEW_BODIES))
        };
        (has_room(level + 1) && has_room(level + 2))
            .then(|| f64::from(self.largest) * (4u64 << level) as f64)
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
            let largest = self.largest * (1u64 << index) as f32;
            self.levels.push(Level {
                edge: LOOSE * largest,
                inverse_cell: 1.0 / (LOOSE * largest),
                half: 0.5 * largest,
                bits,
                cells: Column::filled(Cell::EMPTY, 1 << bits.iter().sum::<u32>()),
                spilled: Column::new(),
                spare: NONE,
                population: 0,
                few: Some(Vec::new()),
            });
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

    /// How many cells a question about a box reads, at most.
    pub fn cells(&self, bounds: &Bounds) -> f64 {
        let used = self.levels.iter().filter(|table| table.population > 0);
        used.map(|table| table.cells_around(bounds)).sum()
    }

    /// Asks for what a question about a box is going to read, where that may be far away.
    #[inline]
    pub fn prefetch(&self, bounds: &Bounds) {
        for table in &self.levels {
            if table.cells.len() >= LARGE && table.population > 0 {
                table.prefetch(bounds);
            }
        }
    }

    /// Asks for the cell that a body is in.
    #[inline]
    pub fn prefetch_cell(&self, entry: &Swept) {
        if let Some(table) = self.levels.get(usize::from(entry.level)) {
            table.cells.prefetch(entry.slot as usize);
        }
    }

    /// Bytes held by the tables.
    pub fn bytes(&self) -> usize {
        let cells = |l: &Level| l.cells.capacity() + l.spilled.capacity();
        self.levels.iter().map(cells).sum::<usize>() * size_of::<Cell>()
    }
}
