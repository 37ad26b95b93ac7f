//! Anticipation (section 4.2) turned round, for runs in which much is violated. Errors are linear in the
//! accumulated impulses, so instead of telling all attached constraints about a correction, a constraint gathers its
//! error from the impulses of those attached to it when its turn comes. Constraints that follow each other and
//! share no moving particle are taken four at once; the order, and so the result but for rounding, stays.
//!
//! With p the accumulated impulses, m the effective mass and c the coupling coefficients, constraint i wants the
//! impulse `t_i = m_i (e_i at p = 0) - sum_j (m_i c_ij) p_j`, and its error is `(t_i - p_i) / m_i`.

use glamx::DVec3;
use pulp::{Arch, NullaryFnOnce};

use super::anticipation::{PreviewedMotion, Residuals, Swept};
use super::blocks::{Block, Blocks};
use super::incidence::Pattern;
use super::lanes::{LANES, Lanes, Vectors, minus, times, within, zip};
use super::obstacle::Preview;

/// One coupling of each constraint of a block.
#[derive(Debug, Clone, Copy)]
struct Entry {
    factor: Lanes,
    slot: [u16; LANES],
}

/// All accumulated impulses by slot: as many as a slot has values, so that no slot is out of bounds.
type Impulses = [f64; SLOTS];

/// Slots there are; larger patterns are not gathered.
pub(crate) const SLOTS: usize = 1 << u16::BITS;

/// The entries of a block: first those whose slots follow each other, then the rest.
#[derive(Debug, Clone, Copy, Default)]
struct Row {
    start: u32,
    rest: u32,
    end: u32,
    /// Whether its constraint hangs on a hub.
    has_hub: bool,
}

/// What the constraints of a block want, in units of impulse.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    /// The impulse that would remove the error if nothing else were corrected.
    alone: Lanes,
    /// Band of missing impulse that needs no correction.
    low: Lanes,
    high: Lanes,
}

impl Wanted {
    /// Demands nothing.
    const NOTHING: Self = Wanted {
        alone: [0.0; LANES],
        low: [f64::NEG_INFINITY; LANES],
        high: [f64::INFINITY; LANES],
    };
}

/// The gathered form of the iteration over one pattern of constraints.
#[derive(Debug, Clone)]
pub(crate) struct Gathered {
    arch: Arch,
    blocks: Blocks,
    /// Everything below has one entry per block, but `entries`.
    rows: Vec<Row>,
    entries: Vec<Entry>,
    wanted: Vec<Wanted>,
    direction: Vec<Vectors>,
    /// How far accumulated impulses have moved each hub, m.
    moved: Vec<DVec3>,
    /// Accumulated impulses, by slot; none before they are first needed.
    impulse: Option<Box<Impulses>>,
    /// How many of the first constraints are the same in every pattern.
    lasting: usize,
    is_indexed: bool,
    is_on: bool,
}

impl Default for Gathered {
    fn default() -> Self {
        Gathered {
            arch: Arch::new(),
            blocks: Blocks::default(),
            rows: Vec::new(),
            entries: Vec::new(),
            wanted: Vec::new(),
            direction: Vec::new(),
            moved: Vec::new(),
            impulse: None,
            lasting: 0,
            is_indexed: false,
            is_on: false,
        }
    }
}

impl Gathered {
    /// What the processor has.
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// The pattern of constraints changed, but for the first `lasting` ones.
    pub fn forget_pattern(&mut self, lasting: usize) {
        (self.is_indexed, self.is_on) = (false, false);
        self.lasting = lasting;
    }

    /// The directions changed.
    pub fn forget_directions(&mut self) {
        self.is_on = false;
    }

    /// Whether impulses are kept here at present, and errors nowhere.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Whether the pattern is small enough.
    pub fn is_possible(&self) -> bool {
        self.blocks.fit()
    }

    /// Finds the blocks of a pattern, if they are not those of the last call.
    pub fn index(&mut self, pattern: Pattern) {
        if self.is_indexed {
            return;
        }
        self.is_indexed = true;
        self.blocks.rebuild(pattern, self.lasting);
        let count = self.blocks.list.len();
        self.rows.clear();
        self.rows.resize(count, Row::default());
        self.wanted.clear();
        self.wanted.resize(count, Wanted::NOTHING);
        self.direction.clear();
        self.direction.resize(count, Vectors::ZERO);
        self.moved.clear();
        self.moved.resize(self.blocks.hubs.len(), DVec3::ZERO);
    }

    /// Begins with known directions and errors and with nothing accumulated.
    pub fn begin(&mut self, direction: &[DVec3], residual: &Residuals) {
        self.impulses();
        if let Some(impulses) = &mut self.impulse {
            impulses[..self.blocks.list.len() * LANES].fill(0.0);
        }
        self.moved.fill(DVec3::ZERO);
        self.arch.dispatch(Want {
            blocks: &self.blocks.list,
            known: (direction, residual),
            direction: &mut self.direction,
            wanted: &mut self.wanted,
        });
        self.couple();
        self.is_on = true;
    }

    /// Goes on from known directions and errors and from what has been accumulated.
    pub fn take_over(&mut self, direction: &[DVec3], residual: &mut Residuals) {
        self.begin(direction, residual);
        let Some(impulses) = &mut self.impulse else {
            return;
        };
        for (index, block) in self.blocks.list.iter().enumerate() {
            for (lane, c) in block.constraints().enumerate() {
                let impulse = std::mem::take(&mut residual.gauge[c].impulse);
                impulses[index * LANES + lane] = impulse;
                if let Some(hub) = block.hub {
                    let weight = block.hub_sign * block.hub_weight;
                    self.moved[hub as usize] += direction[c] * (weight * impulse);
                }
            }
        }
        // what is missing now is what was missing then
        for index in 0..self.blocks.list.len() {
            let alone = std::mem::replace(&mut self.wanted[index].alone, [0.0; LANES]);
            let missing = self.missing(index);
            self.wanted[index].alone = minus(alone, missing);
        }
    }

    /// Gives errors and impulses back.
    pub fn end(&mut self, residual: &mut Residuals) {
        self.errors(residual);
        for (index, block) in self.blocks.list.iter().enumerate() {
            for (lane, c) in block.constraints().enumerate() {
                if let Some(impulse) = &self.impulse {
                    residual.gauge[c].impulse = impulse[index * LANES + lane];
                }
            }
        }
        self.is_on = false;
    }

    /// The errors as they are now, m (or m/s).
    pub fn errors(&self, residual: &mut Residuals) {
        for (index, block) in self.blocks.list.iter().enumerate() {
            let missing = self.missing(index);
            for (lane, c) in block.constraints().enumerate() {
                residual.error[c] = missing[lane] / block.mass[lane];
            }
        }
    }

    /// Turns the accumulated impulses into motion, and ends.
    pub fn move_particles(&mut self, motion: &mut PreviewedMotion) {
        self.is_on = false;
        let Some(impulse) = &self.impulse else {
            return;
        };
        for (index, block) in self.blocks.list.iter().enumerate() {
            for lane in 0..block.count as usize {
                let impulse = impulse[index * LANES + lane];
                if impulse != 0.0 {
                    let change = self.direction[index].lane(lane) * impulse;
                    let (a, b) = (block.a[lane] as usize, block.b[lane] as usize);
                    motion.push(a, change * motion.inverse_mass[a]);
                    motion.push(b, -change * motion.inverse_mass[b]);
                }
            }
        }
    }

    /// One iteration.
    pub fn sweep(&mut self, limit: f64) -> Swept {
        let Some(impulse) = &mut self.impulse else {
            return Swept::default();
        };
        self.arch.dispatch(Sweep {
            blocks: &self.blocks.list,
            rows: &self.rows,
            wanted: &self.wanted,
            entries: &self.entries,
            direction: &self.direction,
            moved: &mut self.moved,
            impulse,
            limit,
        })
    }

    fn impulses(&mut self) {
        self.impulse.get_or_insert_with(|| {
            let zeros: Box<[f64]> = vec![0.0; SLOTS].into();
            zeros.try_into().unwrap_or_else(|_| Box::new([0.0; SLOTS]))
        });
    }

    fn couple(&mut self) {
        self.arch.dispatch(Couple {
            blocks: &self.blocks,
            direction: &self.direction,
            rows: &mut self.rows,
            entries: &mut self.entries,
        });
    }

    /// Impulses that the constraints of a block miss.
    fn missing(&self, index: usize) -> Lanes {
        let Some(impulse) = &self.impulse else {
            return [0.0; LANES];
        };
        let block = &self.blocks.list[index];
        let mut sum = gather(
            self.wanted[index].alone,
            self.rows[index],
            &self.entries,
            impulse,
        );
        if let Some(hub) = block.hub {
            let n = self.direction[index].lane(0);
            sum[0] -= pull(block, n, self.moved[hub as usize], impulse[index * LANES]);
        }
        std::array::from_fn(|lane| sum[lane] - impulse[index * LANES + lane])
    }
}

/// Impulse that a hub's displacement by all others takes off what its constraint wants; the constraint's own share in
/// it comes of its impulse `own`.
#[inline(always)]
fn pull(block: &Block, n: DVec3, moved: DVec3, own: f64) -> f64 {
    block.mass[0] * (block.hub_sign * n.dot(moved) - block.hub_weight * own)
}

#[inline(always)]
fn gather(mut sum: Lanes, row: Row, entries: &[Entry], impulse: &Impulses) -> Lanes {
    for entry in &entries[row.start as usize..row.rest as usize] {
        if let Some(others) = impulse[entry.slot[0] as usize..].first_chunk() {
            sum = minus(sum, times(entry.factor, *others));
        }
    }
    let far = &entries[row.rest as usize..row.end as usize];
    let ([a, b], [c, d]) = (scattered::<0>(far, impulse), scattered::<2>(far, impulse));
    minus(sum, [a, b, c, d])
}

/// What two lanes get from scattered places. Two and not four at once, for four would become the processor's own
/// gathering instruction, which is slower than loads one by one.
#[inline(always)]
fn scattered<const FIRST: usize>(entries: &[Entry], impulse: &Impulses) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for entry in entries {
        for lane in 0..2 {
            let slot = entry.slot[FIRST + lane] as usize;
            sum[lane] += entry.factor[FIRST + lane] * impulse[slot];
        }
    }
    sum
}

/// Directions block by block, and what is wanted along them where nothing is accumulated.
struct Want<'a> {
    blocks: &'a [Block],
    known: (&'a [DVec3], &'a Residuals),
    direction: &'a mut [Vectors],
    wanted: &'a mut [Wanted],
}

impl NullaryFnOnce for Want<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let (direction, residual) = self.known;
        let results = self.direction.iter_mut().zip(self.wanted);
        for (block, (n, wanted)) in self.blocks.iter().zip(results) {
            *wanted = Wanted::NOTHING;
            for (lane, c) in block.constraints().enumerate().take(LANES) {
                let gauge = &residual.gauge[c];
                n.set(lane, direction[c]);
                wanted.alone[lane] = residual.error[c] * gauge.mass;
                wanted.low[lane] = gauge.low * gauge.mass;
                wanted.high[lane] = gauge.high * gauge.mass;
            }
        }
    }
}

/// Coupling coefficients for the present directions; constraints at right angles to each other do not couple.
struct Couple<'a> {
    blocks: &'a Blocks,
    direction: &'a [Vectors],
    rows: &'a mut [Row],
    entries: &'a mut Vec<Entry>,
}

impl NullaryFnOnce for Couple<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.entries.clear();
        for (index, block) in self.blocks.list.iter().enumerate() {
            let scaled = self.direction[index].scaled(block.mass);
            let row = &mut self.rows[index];
            row.start = self.entries.len() as u32;
            row.has_hub = block.hub.is_some();
            for (number, link) in self.blocks.links_of(block).iter().enumerate() {
                if number == block.consecutive as usize {
                    row.rest = self.entries.len() as u32;
                }
                let mut other = Vectors::ZERO;
                for lane in 0..LANES {
                    let slot = link.slot[lane] as usize;
                    other.set(lane, self.direction[slot / LANES].lane(slot % LANES));
                }
                let factor = times(link.weight, scaled.dot(other));
                if factor != [0.0; LANES] {
                    let slot = link.slot;
                    self.entries.push(Entry { factor, slot });
                }
            }
            row.end = self.entries.len() as u32;
            if block.consecutive == block.links() {
                row.rest = row.end;
            }
        }
    }
}

/// One iteration over all blocks. Written without branches on what is violated, for those are rarely guessed right.
struct Sweep<'a> {
    blocks: &'a [Block],
    rows: &'a [Row],
    wanted: &'a [Wanted],
    entries: &'a [Entry],
    direction: &'a [Vectors],
    moved: &'a mut [DVec3],
    impulse: &'a mut Impulses,
    limit: f64,
}

impl NullaryFnOnce for Sweep<'_> {
    type Output = Swept;

    #[inline(always)]
    fn call(self) -> Swept {
        let mut tally = Tally::default();
        for (index, (row, wanted)) in self.rows.iter().zip(self.wanted).enumerate() {
            let mut sum = gather(wanted.alone, *row, self.entries, self.impulse);
            let (chunks, _) = self.impulse.as_chunks_mut::<LANES>();
            let Some(own) = chunks.get_mut(index) else {
                break;
            };
            if !row.has_hub {
                correct(sum, wanted, self.limit, own, &mut tally);
            } else if let Some(hub) = self.blocks[index].hub {
                let (block, n) = (&self.blocks[index], self.direction[index].lane(0));
                let moved = &mut self.moved[hub as usize];
                sum[0] -= pull(block, n, *moved, own[0]);
                let change = correct(sum, wanted, self.limit, own, &mut tally);
                *moved += n * (block.hub_sign * block.hub_weight * change[0]);
            }
        }
        Swept {
            corrections: tally.corrections.iter().sum(),
            largest: tally.largest.into_iter().fold(0.0, f64::max),
        }
    }
}

/// Corrections of an iteration and the largest impulses, lane by lane.
#[derive(Default)]
struct Tally {
    corrections: [u64; LANES],
    largest: Lanes,
}

/// Corrects the violated constraints of a block, which want the impulses `sum`; gives what they get.
#[inline(always)]
fn correct(sum: Lanes, wanted: &Wanted, limit: f64, own: &mut Lanes, tally: &mut Tally) -> Lanes {
    let missing = minus(sum, *own);
    let mut change = [0.0; LANES];
    for lane in 0..LANES {
        let is_violated =
            !((missing[lane] >= wanted.low[lane]) & (missing[lane] <= wanted.high[lane]));
        let limited = within(missing[lane], limit);
        change[lane] = if is_violated { limited } else { 0.0 };
        tally.corrections[lane] += u64::from(is_violated);
        let size = change[lane].abs();
        tally.largest[lane] = if size > tally.largest[lane] {
            size
        } else {
            tally.largest[lane]
        };
    }
    *own = zip(*own, change, |own, change| own + change);
    change
}
