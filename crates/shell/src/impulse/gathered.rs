//! Anticipation (section 4.2) turned round, for iterations in which much is violated. Errors are linear in the
//! accumulated impulses, so instead of telling all attached constraints about a correction, a constraint gathers its
//! error from the impulses of those attached to it when its turn comes. Constraints that follow each other and
//! share no moving particle are taken four at once; the order, and so the result but for rounding, stays.
//!
//! With p the accumulated impulses, m the effective mass and c the coupling coefficients, constraint i wants the
//! impulse `t_i = m_i (e_i at p = 0) - sum_j (m_i c_ij) p_j`, and its error is `(t_i - p_i) / m_i`.

use glamx::DVec3;
use pulp::{Arch, NullaryFnOnce};

use super::anticipation::Residuals;
use super::constraint::Constraint;
use super::incidence::{Incidence, signed_weight};

/// Constraints taken at once.
const LANES: usize = 4;

/// A moving particle with more constraints than this is a hub: its displacement is kept, so that its constraints
/// need not gather from each other.
const HUB: usize = 12;

/// One coupling of each constraint of a block.
#[derive(Debug, Clone, Copy)]
struct Entry {
    factor: [f64; LANES],
    slot: [u16; LANES],
}

/// All accumulated impulses by slot: as many as a slot has values, so that no slot is out of bounds.
type Impulses = [f64; SLOTS];

/// Slots there are; larger patterns are not gathered.
const SLOTS: usize = 1 << u16::BITS;

/// Up to four constraints that follow each other and do not couple.
#[derive(Debug, Clone, Copy)]
struct Block {
    first: u32,
    count: u32,
    /// Place of its entries, and how many are in use.
    start: u32,
    used: u32,
    /// Which hub its only constraint hangs on, if any, by place in `Gathered::hubs`.
    hub: Option<u32>,
}

impl Block {
    fn constraints(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

/// What the constraints of a block want, in units of impulse.
#[derive(Debug, Clone, Copy)]
struct Wanted {
    /// The impulse that would remove the error if nothing else were corrected.
    alone: [f64; LANES],
    /// Band of missing impulse that needs no correction.
    low: [f64; LANES],
    high: [f64; LANES],
}

impl Wanted {
    /// Demands nothing.
    const NOTHING: Self = Wanted {
        alone: [0.0; LANES],
        low: [f64::NEG_INFINITY; LANES],
        high: [f64::INFINITY; LANES],
    };
}

/// A particle with many constraints.
#[derive(Debug, Clone, Copy)]
struct Hub {
    particle: u32,
    /// How far accumulated impulses have moved it, m.
    moved: DVec3,
}

/// How a constraint hangs on its hub.
#[derive(Debug, Clone, Copy, Default)]
struct Arm {
    /// Direction, negative where the hub is the second particle.
    direction: DVec3,
    mass: f64,
    hub_weight: f64,
}

/// The gathered form of the iteration over one pattern of constraints.
#[derive(Debug, Clone)]
pub(crate) struct Gathered {
    arch: Arch,
    blocks: Vec<Block>,
    /// Who gathers from whom: for every constraint the range in `pattern`.
    row: Vec<u32>,
    pattern: Vec<(u32, f64)>,
    /// Constraint to place in `impulse`.
    slot: Vec<u16>,
    entries: Vec<Entry>,
    wanted: Vec<Wanted>,
    arms: Vec<Arm>,
    hubs: Vec<Hub>,
    /// Accumulated impulses, by slot; none before they are first needed.
    impulse: Option<Box<Impulses>>,
    is_indexed: bool,
    is_prepared: bool,
    is_on: bool,
}

impl Default for Gathered {
    fn default() -> Self {
        Gathered {
            arch: Arch::new(),
            blocks: Vec::new(),
            row: Vec::new(),
            pattern: Vec::new(),
            slot: Vec::new(),
            entries: Vec::new(),
            wanted: Vec::new(),
            arms: Vec::new(),
            hubs: Vec::new(),
            impulse: None,
            is_indexed: false,
            is_prepared: false,
            is_on: false,
        }
    }
}

impl Gathered {
    /// The pattern of constraints changed.
    pub fn forget_pattern(&mut self) {
        (self.is_indexed, self.is_prepared, self.is_on) = (false, false, false);
    }

    /// The directions changed.
    pub fn forget_directions(&mut self) {
        (self.is_prepared, self.is_on) = (false, false);
    }

    /// Whether impulses are kept here at present, and errors nowhere.
    pub fn is_on(&self) -> bool {
        self.is_on
    }

    /// Takes over impulses and errors; all directions and errors must be known. Patterns that are too large are
    /// left alone.
    pub fn begin(
        &mut self,
        constraints: &[Constraint],
        incidence: &Incidence,
        inverse_mass: &[f64],
        direction: &[DVec3],
        residual: &Residuals,
    ) {
        if !self.is_indexed {
            self.index(constraints, incidence, inverse_mass);
        }
        if self.blocks.len() * LANES > SLOTS {
            return;
        }
        let mut impulse = self.impulse.take().unwrap_or_else(no_impulses);
        for (gauge, &slot) in residual.gauge.iter().zip(&self.slot) {
            impulse[slot as usize] = gauge.impulse;
        }
        if !self.is_prepared {
            self.compute_rows(constraints, direction, inverse_mass);
        }
        self.compute_hubs(constraints, direction, inverse_mass, residual);
        self.compute_wanted(residual, &impulse);
        self.impulse = Some(impulse);
        (self.is_prepared, self.is_on) = (true, true);
    }

    /// Gives the impulses back.
    pub fn end(&mut self, residual: &mut Residuals) {
        if let Some(impulse) = &self.impulse {
            for (gauge, &slot) in residual.gauge.iter_mut().zip(&self.slot) {
                gauge.impulse = impulse[slot as usize];
            }
        }
        self.is_on = false;
    }

    /// The errors as they are now, m (or m/s).
    pub fn errors(&self, residual: &mut Residuals) {
        let Some(impulse) = &self.impulse else {
            return;
        };
        for (index, block) in self.blocks.iter().enumerate() {
            let missing = self.missing(index, impulse);
            for (lane, c) in block.constraints().enumerate() {
                residual.error[c] = missing[lane] / residual.gauge[c].mass;
            }
        }
    }

    /// One iteration; gives the number of corrections.
    pub fn sweep(&mut self, limit: f64) -> u64 {
        let Some(impulse) = &mut self.impulse else {
            return 0;
        };
        self.arch.dispatch(Sweep {
            blocks: &self.blocks,
            wanted: &self.wanted,
            entries: &self.entries,
            arms: &self.arms,
            hubs: &mut self.hubs,
            impulse,
            limit,
        })
    }

    /// Impulses that the constraints of a block miss.
    fn missing(&self, index: usize, impulse: &Impulses) -> [f64; LANES] {
        let block = &self.blocks[index];
        let entries = entries_of(&self.entries, block);
        let mut missing = gather(self.wanted[index].alone, entries, impulse);
        if let Some(hub) = block.hub {
            let own = impulse[index * LANES];
            missing[0] -= self.arms[index].pull(&self.hubs[hub as usize], own);
        }
        for (lane, missing) in missing.iter_mut().enumerate() {
            *missing -= impulse[index * LANES + lane];
        }
        missing
    }

    /// Cuts the constraints into blocks and finds who gathers from whom.
    fn index(&mut self, constraints: &[Constraint], incidence: &Incidence, inverse_mass: &[f64]) {
        let hubs = hubs_of(constraints, incidence, inverse_mass);
        self.hubs.clear();
        self.blocks.clear();
        self.row.clear();
        self.pattern.clear();
        let mut last = vec![u32::MAX; inverse_mass.len()];
        for (index, c) in constraints.iter().enumerate() {
            self.row.push(self.pattern.len() as u32);
            let hub = [c.a, c.b].into_iter().find(|&p| hubs[p as usize]);
            for end in [c.a, c.b] {
                let w = inverse_mass[end as usize];
                if w == 0.0 || Some(end) == hub {
                    continue;
                }
                for &other in incidence.of(end as usize) {
                    if other as usize != index {
                        let weight = signed_weight(w, end, c, &constraints[other as usize]);
                        self.pattern.push((other, weight));
                    }
                }
            }
            self.place(index, c, hub, inverse_mass, &mut last);
        }
        self.row.push(self.pattern.len() as u32);
        self.lay_out(constraints.len());
        self.is_indexed = true;
    }

    /// Puts a constraint into the last block if it fits there, otherwise into a new one. `last` has the block in
    /// which a particle was last moved.
    fn place(
        &mut self,
        index: usize,
        c: &Constraint,
        hub: Option<u32>,
        inverse_mass: &[f64],
        last: &mut [u32],
    ) {
        let present = (self.blocks.len() as u32).wrapping_sub(1);
        let is_taken = |p: u32| inverse_mass[p as usize] > 0.0 && last[p as usize] == present;
        let fits = self
            .blocks
            .last()
            .is_some_and(|b| b.hub.is_none() && (b.count as usize) < LANES)
            && hub.is_none()
            && !is_taken(c.a)
            && !is_taken(c.b);
        match self.blocks.last_mut() {
            Some(block) if fits => block.count += 1,
            _ => {
                let hub = hub.map(|particle| self.hub_of(particle));
                self.blocks.push(Block {
                    first: index as u32,
                    count: 1,
                    start: 0,
                    used: 0,
                    hub,
                });
            }
        }
        let present = self.blocks.len() as u32 - 1;
        (last[c.a as usize], last[c.b as usize]) = (present, present);
    }

    fn hub_of(&mut self, particle: u32) -> u32 {
        let known = self.hubs.iter().position(|h| h.particle == particle);
        let place = known.unwrap_or_else(|| {
            let moved = DVec3::ZERO;
            self.hubs.push(Hub { particle, moved });
            self.hubs.len() - 1
        });
        place as u32
    }

    /// Makes room for the entries of every block, and for all slots.
    fn lay_out(&mut self, constraints: usize) {
        if self.blocks.len() * LANES > SLOTS {
            return;
        }
        self.slot.clear();
        self.slot.resize(constraints, 0);
        let mut start = 0;
        for (index, block) in self.blocks.iter_mut().enumerate() {
            block.start = start;
            let mut longest = 0;
            for (lane, c) in block.constraints().enumerate() {
                self.slot[c] = (index * LANES + lane) as u16;
                longest = longest.max(self.row[c + 1] - self.row[c]);
            }
            start += longest;
        }
        let nothing = Entry {
            factor: [0.0; LANES],
            slot: [0; LANES],
        };
        self.entries.clear();
        self.entries.resize(start as usize, nothing);
        self.wanted.clear();
        self.wanted.resize(self.blocks.len(), Wanted::NOTHING);
        self.arms.clear();
        self.arms.resize(self.blocks.len(), Arm::default());
    }

    /// Entries for the present directions; constraints at right angles have none.
    fn compute_rows(
        &mut self,
        constraints: &[Constraint],
        direction: &[DVec3],
        inverse_mass: &[f64],
    ) {
        for (index, block) in self.blocks.iter_mut().enumerate() {
            let start = block.start as usize;
            let mut used = [0; LANES];
            for (lane, c) in block.constraints().enumerate() {
                let scaled = direction[c] * constraints[c].effective_mass;
                for &(other, weight) in
                    &self.pattern[self.row[c] as usize..self.row[c + 1] as usize]
                {
                    let factor = weight * scaled.dot(direction[other as usize]);
                    if factor != 0.0 {
                        let entry = &mut self.entries[start + used[lane]];
                        entry.factor[lane] = factor;
                        entry.slot[lane] = self.slot[other as usize];
                        used[lane] += 1;
                    }
                }
            }
            let longest = used.into_iter().max().unwrap_or(0);
            for lane in 0..LANES {
                for entry in &mut self.entries[start + used[lane]..start + longest] {
                    (entry.factor[lane], entry.slot[lane]) = (0.0, (index * LANES + lane) as u16);
                }
            }
            block.used = longest as u32;
            if let Some(hub) = block.hub {
                let c = block.first as usize;
                let hub = self.hubs[hub as usize].particle;
                let sign = if constraints[c].a == hub { 1.0 } else { -1.0 };
                self.arms[index] = Arm {
                    direction: direction[c] * sign,
                    mass: constraints[c].effective_mass,
                    hub_weight: inverse_mass[hub as usize],
                };
            }
        }
    }

    /// Where accumulated impulses have moved the hubs.
    fn compute_hubs(
        &mut self,
        constraints: &[Constraint],
        direction: &[DVec3],
        inverse_mass: &[f64],
        residual: &Residuals,
    ) {
        for hub in &mut self.hubs {
            hub.moved = DVec3::ZERO;
            for (index, c) in constraints.iter().enumerate() {
                let impulse = residual.gauge[index].impulse;
                if impulse != 0.0 && (c.a == hub.particle || c.b == hub.particle) {
                    let sign = if c.a == hub.particle { 1.0 } else { -1.0 };
                    let weight = inverse_mass[hub.particle as usize];
                    hub.moved += direction[index] * (sign * weight * impulse);
                }
            }
        }
    }

    /// What every constraint wants alone: its present error and all that has been corrected already.
    fn compute_wanted(&mut self, residual: &Residuals, impulse: &Impulses) {
        for index in 0..self.blocks.len() {
            let block = self.blocks[index];
            self.wanted[index] = Wanted::NOTHING;
            let missing = self.missing(index, impulse);
            let wanted = &mut self.wanted[index];
            for (lane, c) in block.constraints().enumerate() {
                let gauge = &residual.gauge[c];
                wanted.alone[lane] = residual.error[c] * gauge.mass - missing[lane];
                wanted.low[lane] = gauge.low * gauge.mass;
                wanted.high[lane] = gauge.high * gauge.mass;
            }
        }
    }
}

impl Arm {
    /// Impulse that the hub's displacement by all others takes off what is wanted; the constraint's own share in
    /// it comes of its impulse `own`.
    #[inline(always)]
    fn pull(&self, hub: &Hub, own: f64) -> f64 {
        self.mass * (self.direction.dot(hub.moved) - self.hub_weight * own)
    }
}

/// Which particles are hubs; no constraint has two.
fn hubs_of(constraints: &[Constraint], incidence: &Incidence, inverse_mass: &[f64]) -> Vec<bool> {
    let is_hub = |(p, w): (usize, &f64)| *w > 0.0 && incidence.of(p).len() > HUB;
    let mut hubs: Vec<bool> = inverse_mass.iter().enumerate().map(is_hub).collect();
    for c in constraints {
        if hubs[c.a as usize] && hubs[c.b as usize] {
            hubs[c.b as usize] = false;
        }
    }
    hubs
}

#[inline(always)]
fn entries_of<'a>(entries: &'a [Entry], block: &Block) -> &'a [Entry] {
    &entries[block.start as usize..(block.start + block.used) as usize]
}

fn no_impulses() -> Box<Impulses> {
    let zeros: Box<[f64]> = vec![0.0; SLOTS].into();
    zeros.try_into().unwrap_or_else(|_| Box::new([0.0; SLOTS]))
}

#[inline(always)]
fn gather(mut sum: [f64; LANES], entries: &[Entry], impulse: &Impulses) -> [f64; LANES] {
    for entry in entries {
        let others = entry.slot.map(|slot| impulse[slot as usize]);
        for lane in 0..LANES {
            sum[lane] -= entry.factor[lane] * others[lane];
        }
    }
    sum
}

/// One iteration over all blocks. Written without branches on what is violated, for those are rarely guessed right.
struct Sweep<'a> {
    blocks: &'a [Block],
    wanted: &'a [Wanted],
    entries: &'a [Entry],
    arms: &'a [Arm],
    hubs: &'a mut [Hub],
    impulse: &'a mut Impulses,
    limit: f64,
}

impl NullaryFnOnce for Sweep<'_> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let mut corrections = [0_u64; LANES];
        for (index, (block, wanted)) in self.blocks.iter().zip(self.wanted).enumerate() {
            let entries = entries_of(self.entries, block);
            let mut sum = gather(wanted.alone, entries, self.impulse);
            if let Some(hub) = block.hub {
                let own = self.impulse[index * LANES];
                sum[0] -= self.arms[index].pull(&self.hubs[hub as usize], own);
            }
            let (chunks, _) = self.impulse.as_chunks_mut::<LANES>();
            let Some(own) = chunks.get_mut(index) else {
                break;
            };
            let missing: [f64; LANES] = std::array::from_fn(|lane| sum[lane] - own[lane]);
            let is_violated: [bool; LANES] = std::array::from_fn(|lane| {
                !((missing[lane] >= wanted.low[lane]) & (missing[lane] <= wanted.high[lane]))
            });
            let limited: [f64; LANES] =
                std::array::from_fn(|lane| within(missing[lane], self.limit));
            let changes: [f64; LANES] = std::array::from_fn(|lane| {
                if is_violated[lane] {
                    limited[lane]
                } else {
                    0.0
                }
            });
            for lane in 0..LANES {
                own[lane] += changes[lane];
                corrections[lane] += u64::from(is_violated[lane]);
            }
            if let Some(hub) = block.hub {
                let Arm {
                    direction,
                    hub_weight,
                    ..
                } = self.arms[index];
                self.hubs[hub as usize].moved += direction * (hub_weight * changes[0]);
            }
        }
        corrections.iter().sum()
    }
}

/// `value`, but no further from 0 than `limit`; what is not a number stays that.
#[inline(always)]
fn within(value: f64, limit: f64) -> f64 {
    let value = if value > limit { limit } else { value };
    if value < -limit { -limit } else { value }
}
