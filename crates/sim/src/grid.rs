//! The broad phase: a hierarchical grid of swept boxes (Mirtich 4.5), one box per live segment.
//!
//! A box is registered in the one cell, of the level whose cells are at least as large as the box,
//! that holds its centre; a query visits the cells within half a cell of the asked box on every
//! level in use. A level's table is a torus of cells: far cells that share a slot cost a failed
//! box test, nothing else. Boxes are `f32`, rounded outwards.

use warp::{Column, NodeId, Tick};

const NONE: u32 = u32::MAX;
/// The slot of a segment without a bounding box.
const UNBOUNDED: u32 = u32::MAX - 1;

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

    /// The longest edge.
    pub fn size(&self) -> f32 {
        (0..3).map(|i| self.hi[i] - self.lo[i]).fold(0.0, f32::max)
    }
}

/// A segment's place in the broad phase.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub struct Swept {
    /// What the body sweeps from where it may still be asked about to its horizon.
    pub bounds: Bounds,
    /// The tick up to which `bounds` holds: the body's look-ahead.
    pub horizon: Tick,
    next: u32,
    previous: u32,
    slot: u32,
    level: u8,
}

impl Swept {
    /// Number of its cell: close numbers are close in space.
    pub fn place(&self) -> u32 {
        self.slot
    }

    /// Whether it is in a grid with a bounding box.
    pub fn is_boxed(&self) -> bool {
        self.slot != NONE && self.slot != UNBOUNDED
    }

    /// Whether it is in no grid.
    pub fn is_absent(&self) -> bool {
        self.slot == NONE
    }

    /// Not in the grid.
    pub const ABSENT: Swept = Swept {
        bounds: Bounds {
            lo: [0.0; 4],
            hi: [0.0; 4],
        },
        horizon: Tick::MIN,
        next: NONE,
        previous: NONE,
        slot: NONE,
        level: u8::MAX,
    };
}

#[derive(Clone, Debug)]
struct Level {
    inverse_cell: f32,
    bits: [u32; 3],
    heads: Column<u32>,
    population: usize,
}

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
}

/// Entries per cell above which a level's table is enlarged.
const CROWD: usize = 4;

impl Level {
    /// Twice as many cells along each axis.
    #[cold]
    fn enlarge(&mut self, swept: &mut Column<Swept>) {
        let mut all = Vec::with_capacity(self.population);
        for slot in 0..self.heads.len() {
            let mut at = self.heads[slot];
            while at != NONE {
                all.push(at);
                at = swept[at as usize].next;
            }
        }
        self.bits = self.bits.map(|b| b + 1);
        self.heads = Column::filled(NONE, 1 << self.bits.iter().sum::<u32>());
        for node in all {
            let bounds = swept[node as usize].bounds;
            let centre = |i: usize| self.cell(0.5 * (bounds.lo[i] + bounds.hi[i]));
            let slot = self.slot(centre(0), centre(1), centre(2));
            let head = std::mem::replace(&mut self.heads[slot], node);
            let entry = &mut swept[node as usize];
            (entry.slot, entry.previous, entry.next) = (slot as u32, NONE, head);
            if head != NONE {
                swept[head as usize].previous = node;
            }
        }
    }
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
            heads: level.heads.branch(),
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
            level.heads.reclaim();
        }
    }

    /// A grid of cells of the same size with nothing in it; its tables start small and grow.
    pub fn emptied(&self) -> Self {
        Grid {
            base: self.base,
            bits: [2; 3],
            levels: Vec::new(),
            unbounded: Vec::new(),
        }
    }

    /// Edge of the cells of the level for boxes of this size, metres.
    pub fn cell_for(&self, size: f64) -> f64 {
        f64::from(self.base) * (1u64 << self.level_for(size as f32)) as f64
    }

    fn level_for(&self, size: f32) -> u8 {
        let mut level = 0u8;
        let mut cell = self.base;
        while cell < size && level < 40 {
            cell *= 2.0;
            level += 1;
        }
        level
    }

    /// Registers a segment that has no bounding box: it is near everything.
    pub fn insert_unbounded(&mut self, swept: &mut Column<Swept>, entry: Unbounded) {
        swept[entry.node.index()].slot = UNBOUNDED;
        swept[entry.node.index()].horizon = Tick::MAX;
        self.unbounded.push(entry);
    }

    /// The segments without a bounding box.
    pub fn unbounded(&self) -> &[Unbounded] {
        &self.unbounded
    }

    /// Puts a segment into the cell of its bounds.
    #[inline]
    pub fn insert(&mut self, swept: &mut Column<Swept>, node: NodeId) {
        let bounds = swept[node.index()].bounds;
        let level = self.level_for(bounds.size());
        self.ensure_level(level);
        let table = &mut self.levels[level as usize];
        if table.population >= CROWD * table.heads.len() {
            table.enlarge(swept);
        }
        let centre = |i: usize| table.cell(0.5 * (bounds.lo[i] + bounds.hi[i]));
        let slot = table.slot(centre(0), centre(1), centre(2));
        let head = std::mem::replace(&mut table.heads[slot], node.0);
        table.population += 1;
        let entry = &mut swept[node.index()];
        entry.level = level;
        entry.slot = slot as u32;
        entry.previous = NONE;
        entry.next = head;
        if head != NONE {
            swept[head as usize].previous = node.0;
        }
    }

    fn ensure_level(&mut self, level: u8) {
        while self.levels.len() <= level as usize {
            let index = self.levels.len() as u32;
            let bits = self.bits.map(|b| b.saturating_sub(index).max(2));
            self.levels.push(Level {
                inverse_cell: 1.0 / (self.base * (1u64 << index) as f32),
                bits,
                heads: Column::filled(NONE, 1 << bits.iter().sum::<u32>()),
                population: 0,
            });
        }
    }

    /// Takes a segment out, if it is in.
    #[inline]
    pub fn remove(&mut self, swept: &mut Column<Swept>, node: NodeId) {
        let Swept {
            next,
            previous,
            slot,
            level,
            ..
        } = swept[node.index()];
        if slot == NONE {
            return;
        }
        swept[node.index()].slot = NONE;
        if slot == UNBOUNDED {
            self.unbounded.retain(|u| u.node != node);
            return;
        }
        let table = &mut self.levels[level as usize];
        table.population -= 1;
        match previous {
            NONE => table.heads[slot as usize] = next,
            p => swept[p as usize].next = next,
        }
        if next != NONE {
            swept[next as usize].previous = previous;
        }
    }

    /// Calls `found` with every registered segment whose box overlaps `bounds`.
    #[inline]
    pub fn query(&self, swept: &Column<Swept>, bounds: &Bounds, mut found: impl FnMut(NodeId)) {
        for table in &self.levels {
            if table.population == 0 {
                continue;
            }
            let half = 0.5 / table.inverse_cell;
            let from: [i32; 3] = std::array::from_fn(|i| table.cell(bounds.lo[i] - half));
            let to: [i32; 3] = std::array::from_fn(|i| {
                let limit = from[i].saturating_add((1 << table.bits[i]) - 1);
                table.cell(bounds.hi[i] + half).min(limit)
            });
            let [bx, by, _] = table.bits;
            for z in from[2]..=to[2] {
                let plane = table.wrap(2, z) << (bx + by);
                for y in from[1]..=to[1] {
                    let row = plane | table.wrap(1, y) << bx;
                    for x in from[0]..=to[0] {
                        let mut at = table.heads[(row | table.wrap(0, x)) as usize];
                        while at != NONE {
                            let entry = &swept[at as usize];
                            if entry.bounds.overlaps(bounds) {
                                found(NodeId(at));
                            }
                            at = entry.next;
                        }
                    }
                }
            }
        }
    }

    /// Bytes held by the tables.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(|l| l.heads.capacity() * 4).sum()
    }
}
