//! Anticipation (section 4.2) turned round, for runs in which much is violated. Errors are linear in the
//! accumulated impulses, so instead of telling all attached constraints about a correction, a constraint gathers its
//! error from the impulses of those attached to it when its turn comes. Constraints that follow each other and
//! share no moving particle are taken four at once; the order, and so the result but for rounding, stays.
//!
//! With p the accumulated impulses, m the effective mass and c the coupling coefficients, constraint i wants the
//! impulse `t_i = m_i (e_i at p = 0) - sum_j (m_i c_ij) p_j`, and its error is `(t_i - p_i) / m_i`.

pub(crate) mod blocks;
pub(crate) mod contacts;
pub(crate) mod couple;
pub(crate) mod mirror;
pub(crate) mod slots;
pub(crate) mod sweep;
pub(crate) mod ties;
pub(crate) mod want;

use glamx::DVec3;
use pulp::Arch;

use crate::impulse::gathered::blocks::Blocks;
use crate::impulse::gathered::contacts::{Contacts, SweepContacts};
use crate::impulse::gathered::couple::{Couple, Factors};
use crate::impulse::gathered::slots::Slots;
use crate::impulse::gathered::sweep::{Sweep, gather};
use crate::impulse::gathered::want::Want;
use crate::impulse::lanes::{LANES, Lanes, minus};
use crate::impulse::loops::anticipation::{PreviewedMotion, Residuals, Swept};
use crate::impulse::model::incidence::Pattern;
use crate::impulse::model::obstacle::Preview;

/// What the errors are of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Quantity {
    Position,
    Velocity,
}

/// What the constraints of each block want, in units of impulse.
#[derive(Debug, Clone, Default)]
pub(crate) struct Wanted {
    /// The impulse that would remove the error if nothing else were corrected.
    pub alone: Vec<Lanes>,
    /// Band of missing impulse that needs no correction.
    pub low: Vec<Lanes>,
    pub high: Vec<Lanes>,
}

impl Wanted {
    /// So many blocks, all of which demand nothing.
    fn reset(&mut self, blocks: usize) {
        for (lanes, value) in [
            (&mut self.alone, 0.0),
            (&mut self.low, f64::NEG_INFINITY),
            (&mut self.high, f64::INFINITY),
        ] {
            lanes.clear();
            lanes.resize(blocks, [value; LANES]);
        }
    }
}

/// What is kept by slot, in first and second places.
#[derive(Debug, Clone)]
struct BySlot {
    /// Accumulated impulses.
    impulse: Box<Slots>,
    /// Constraint directions: x, y and z.
    direction: [Vec<f64>; 3],
}

impl BySlot {
    fn new() -> Self {
        BySlot {
            impulse: slots::zeros(),
            direction: Default::default(),
        }
    }

    fn direction(&self, slot: usize) -> DVec3 {
        let [x, y, z] = &self.direction;
        DVec3::new(x[slot], y[slot], z[slot])
    }
}

/// The gathered form of the iteration over one pattern of constraints.
#[derive(Debug, Clone)]
pub(crate) struct Gathered {
    arch: Arch,
    blocks: Blocks,
    factors: Factors,
    contacts: Contacts,
    wanted: Wanted,
    /// Whose bands `wanted` has.
    bands_of: Option<Quantity>,
    /// How far accumulated impulses have moved each hub, m.
    moved: Vec<DVec3>,
    /// None before it is first needed.
    by_slot: Option<Box<BySlot>>,
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
            factors: Factors::default(),
            contacts: Contacts::default(),
            wanted: Wanted::default(),
            bands_of: None,
            moved: Vec::new(),
            by_slot: None,
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
        self.blocks.fit() && self.contacts.fit()
    }

    /// Finds the blocks of a pattern, if they are not those of the last call.
    pub fn index(&mut self, pattern: Pattern) {
        if self.is_indexed {
            return;
        }
        self.is_indexed = true;
        if self.blocks.build(pattern, self.lasting) {
            self.wanted.reset(self.blocks.list.len());
            self.bands_of = None;
        }
        if !self.blocks.fit() {
            return;
        }
        let hubs = self.contacts.index(pattern, self.lasting, &self.blocks);
        self.moved.clear();
        self.moved.resize(hubs, DVec3::ZERO);
    }

    /// Begins with known directions and errors and with nothing accumulated. Bands of positions stay from run to run.
    pub fn begin(&mut self, direction: &[DVec3], residual: &Residuals, of: Quantity) {
        let by_slot = self.by_slot.get_or_insert_with(|| Box::new(BySlot::new()));
        let blocks = &self.blocks;
        self.moved.fill(DVec3::ZERO);
        for axis in &mut by_slot.direction {
            axis.resize(blocks.slots(), 0.0);
        }
        let with_bands = of == Quantity::Velocity || self.bands_of != Some(of);
        self.bands_of = Some(of);
        self.arch.dispatch(Want {
            blocks,
            direction,
            residual,
            with_bands,
            wanted: &mut self.wanted,
            by_slot: &mut by_slot.direction,
            impulse: &mut by_slot.impulse,
        });
        let axes = by_slot.direction.each_ref().map(Vec::as_slice);
        self.arch.dispatch(Couple {
            blocks,
            direction: axes,
            wanted: &self.wanted,
            factors: &mut self.factors,
        });
        self.contacts.begin(direction, residual, blocks, axes);
        self.is_on = true;
    }

    /// Goes on from known directions and errors and from what has been accumulated.
    pub fn take_over(&mut self, direction: &[DVec3], residual: &mut Residuals, of: Quantity) {
        self.begin(direction, residual, of);
        let Some(by_slot) = &mut self.by_slot else {
            return;
        };
        for (index, block) in self.blocks.list.iter().enumerate() {
            for (lane, c) in block.constraints().enumerate() {
                let impulse = std::mem::take(&mut residual.gauge[c].impulse);
                by_slot.impulse[index * LANES + lane] = impulse;
                by_slot.impulse[self.blocks.mirror_of[index][lane] as usize] = impulse;
                if let Some(hub) = block.hub {
                    let weight = block.hub_sign * block.hub_weight;
                    self.moved[hub as usize] += direction[c] * (weight * impulse);
                }
            }
        }
        self.contacts
            .take_over(residual, &by_slot.impulse, &mut self.moved);
        // what is missing now is what was missing then
        for index in 0..self.blocks.list.len() {
            let alone = std::mem::replace(&mut self.wanted.alone[index], [0.0; LANES]);
            let missing = self.missing(index);
            self.wanted.alone[index] = minus(alone, missing);
        }
    }

    /// Gives errors and impulses back.
    pub fn end(&mut self, residual: &mut Residuals) {
        for (index, block) in self.blocks.list.iter().enumerate() {
            let missing = self.missing(index);
            for (lane, c) in block.constraints().enumerate() {
                residual.error[c] = missing[lane] / block.mass[lane];
                if let Some(by_slot) = &self.by_slot {
                    residual.gauge[c].impulse = by_slot.impulse[index * LANES + lane];
                }
            }
        }
        if let Some(by_slot) = &self.by_slot {
            self.contacts.end(residual, &by_slot.impulse, &self.moved);
        }
        self.is_on = false;
    }

    /// Turns the accumulated impulses into motion, and ends.
    pub fn move_particles(
        &mut self,
        pattern: Pattern,
        direction: &[DVec3],
        motion: &mut PreviewedMotion,
    ) {
        self.is_on = false;
        let Some(by_slot) = &self.by_slot else {
            return;
        };
        for (index, block) in self.blocks.list.iter().enumerate() {
            for lane in 0..block.count as usize {
                let slot = index * LANES + lane;
                let impulse = by_slot.impulse[slot];
                if impulse != 0.0 {
                    let change = by_slot.direction(slot) * impulse;
                    let (a, b) = (block.a[lane] as usize, block.b[lane] as usize);
                    motion.push(a, change * motion.inverse_mass[a]);
                    motion.push(b, -change * motion.inverse_mass[b]);
                }
            }
        }
        self.contacts.move_particles(pattern, direction, motion);
    }

    /// One iteration.
    pub fn sweep(&mut self, limit: f64) -> Swept {
        let Some(by_slot) = &mut self.by_slot else {
            return Swept::default();
        };
        let impulse = &mut by_slot.impulse;
        macro_rules! sweep {
            ($is_mirrored:literal) => {
                self.arch.dispatch(Sweep::<$is_mirrored> {
                    mirror: &self.blocks.mirror_of,
                    wanted: &self.wanted,
                    factors: &self.factors,
                    moved: &mut self.moved,
                    impulse,
                    limit,
                })
            };
        }
        let swept = match self.factors.is_mirrored {
            true => sweep!(true),
            false => sweep!(false),
        };
        if self.contacts.is_empty() {
            return swept;
        }
        let contacts = self.arch.dispatch(SweepContacts {
            contacts: &mut self.contacts,
            impulse,
            alone: &mut self.wanted.alone,
            moved: &mut self.moved,
            limit,
        });
        Swept {
            corrections: swept.corrections + contacts.corrections,
            largest: swept.largest.max(contacts.largest),
        }
    }

    /// Impulses that the constraints of a block miss.
    fn missing(&self, index: usize) -> Lanes {
        let Some(by_slot) = &self.by_slot else {
            return [0.0; LANES];
        };
        let block = &self.blocks.list[index];
        let row = &self.factors.rows[index];
        let alone = self.wanted.alone[index];
        let mut sum = gather(alone, row, &self.factors, &by_slot.impulse);
        let own = slots::four(&by_slot.impulse, (index * LANES) as u16);
        if let Some(hub) = block.hub {
            let hanging = &self.factors.hanging[row.hanging as usize];
            sum[0] -= hanging.pull.dot(self.moved[hub as usize]) - hanging.own * own[0];
        }
        minus(sum, *own)
    }
}
