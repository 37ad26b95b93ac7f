//! One iteration of the gathered form over all blocks. Written without branches on what is violated, for those are
//! rarely guessed right.

use glamx::DVec3;
use pulp::NullaryFnOnce;

use crate::impulse::gathered::Wanted;
use crate::impulse::gathered::couple::{Factors, Far, Kind, Row, Stretch};
use crate::impulse::gathered::slots::{Slots, four, put_four};
use crate::impulse::lanes::{LANES, Lanes, minus, times, within, zip};
use crate::impulse::loops::anticipation::Swept;

/// What an iteration reads and changes; `MIRRORED` if anything is gathered from second places.
pub(crate) struct Sweep<'a, const MIRRORED: bool> {
    /// The second places of each block.
    pub mirror: &'a [[u16; LANES]],
    pub wanted: &'a Wanted,
    pub factors: &'a Factors,
    pub moved: &'a mut [DVec3],
    pub impulse: &'a mut Slots,
    /// Largest impulse of one correction.
    pub limit: f64,
}

impl<const MIRRORED: bool> NullaryFnOnce for Sweep<'_, MIRRORED> {
    type Output = Swept;

    #[inline(always)]
    fn call(mut self) -> Swept {
        let mut tally = Tally::default();
        let factors = self.factors;
        for stretch in &factors.stretches {
            match stretch.is_even && self.limit == f64::INFINITY {
                true => self.stretch::<true>(stretch, &mut tally),
                false => self.stretch::<false>(stretch, &mut tally),
            }
        }
        Swept {
            corrections: tally.corrections.iter().sum::<u64>() + tally.hanging.corrections,
            largest: tally
                .largest
                .into_iter()
                .fold(tally.hanging.largest, f64::max),
        }
    }
}

impl<const MIRRORED: bool> Sweep<'_, MIRRORED> {
    #[inline(always)]
    fn stretch<const EVEN: bool>(&mut self, stretch: &Stretch, tally: &mut Tally) {
        match stretch.kind {
            Kind::Near(0) => self.alike::<0, EVEN>(stretch, tally),
            Kind::Near(1) => self.alike::<1, EVEN>(stretch, tally),
            Kind::Near(2) => self.alike::<2, EVEN>(stretch, tally),
            Kind::Near(3) => self.alike::<3, EVEN>(stretch, tally),
            Kind::Near(4) => self.alike::<4, EVEN>(stretch, tally),
            Kind::Near(5) => self.alike::<5, EVEN>(stretch, tally),
            Kind::Near(6) => self.alike::<6, EVEN>(stretch, tally),
            Kind::Near(7) => self.alike::<7, EVEN>(stretch, tally),
            Kind::Near(8) => self.alike::<8, EVEN>(stretch, tally),
            Kind::Near(9) => self.alike::<9, EVEN>(stretch, tally),
            Kind::Near(10) => self.alike::<10, EVEN>(stretch, tally),
            Kind::Hub(hub) => self.hanging(hub as usize, stretch, tally),
            Kind::Near(_) | Kind::Any => {
                for index in stretch.first..stretch.first + stretch.count {
                    self.any(index as usize, tally);
                }
            }
        }
    }

    /// Blocks with `N` couplings each; with `EVEN` bands, and no limit to an impulse.
    #[inline(always)]
    fn alike<const N: usize, const EVEN: bool>(&mut self, stretch: &Stretch, tally: &mut Tally) {
        let (first, count) = (stretch.first as usize, stretch.count as usize);
        let blocks = first..first + count;
        let near = self.factors.rows[first].near as usize;
        let near = near..near + N * count;
        let factors = in_groups::<N, _>(&self.factors.near[near.clone()], count);
        let slots = in_groups::<N, _>(&self.factors.slot[near], count);
        let alone = &self.wanted.alone[blocks.clone()];
        let low = &self.wanted.low[blocks.clone()];
        let high = &self.wanted.high[blocks.clone()];
        let mirror = &self.mirror[blocks];
        let mut slot = (first * LANES) as u16;
        for index in 0..count {
            let mut sum = alone[index];
            for k in 0..N {
                let others = four(self.impulse, slots[index][k]);
                sum = minus(sum, times(factors[index][k], *others));
            }
            let mut own = *four(self.impulse, slot);
            match EVEN {
                true => correct_even(sum, &high[index], &mut own, tally),
                false => {
                    let band = [&low[index], &high[index]];
                    correct(sum, band, self.limit, &mut own, tally);
                }
            }
            self.keep(slot, &mirror[index], own);
            slot = slot.wrapping_add(LANES as u16);
        }
    }

    /// A block with couplings of any kind.
    #[inline(always)]
    fn any(&mut self, index: usize, tally: &mut Tally) {
        let wanted = self.wanted;
        let band = [&wanted.low[index], &wanted.high[index]];
        let slot = (index * LANES) as u16;
        let row = &self.factors.rows[index];
        let sum = gather(wanted.alone[index], row, self.factors, self.impulse);
        let mut own = *four(self.impulse, slot);
        correct(sum, band, self.limit, &mut own, tally);
        self.keep(slot, &self.mirror[index], own);
    }

    /// Constraints that hang on a hub, one after another.
    #[inline(always)]
    fn hanging(&mut self, hub: usize, stretch: &Stretch, tally: &mut Tally) {
        let (first, count) = (stretch.first as usize, stretch.count as usize);
        let from = self.factors.rows[first].hanging as usize;
        let hanging = &self.factors.hanging[from..from + count];
        let mut moved = self.moved[hub];
        for (index, hanging) in (first..first + count).zip(hanging) {
            let row = &self.factors.rows[index];
            let mut sum = self.wanted.alone[index][0];
            let near = row.near as usize..(row.near + row.near_count) as usize;
            let factors = &self.factors.near[near.clone()];
            for (factor, slot) in factors.iter().zip(&self.factors.slot[near]) {
                sum -= factor[0] * self.impulse[*slot as usize];
            }
            let slot = (index * LANES) as u16;
            let own = self.impulse[slot as usize];
            let missing = (sum + hanging.own * own - own) - hanging.pull.dot(moved);
            let is_satisfied =
                (missing >= self.wanted.low[index][0]) & (missing <= self.wanted.high[index][0]);
            let limited = within(missing, self.limit);
            let change = if is_satisfied { 0.0 } else { limited };
            moved += hanging.push * change;
            self.impulse[slot as usize] = own + change;
            self.impulse[self.mirror[index][0] as usize] = own + change;
            tally.hanging.corrections += u64::from(!is_satisfied);
            tally.hanging.largest = tally.hanging.largest.max(change.abs());
        }
        self.moved[hub] = moved;
    }

    /// Impulses go to their first places, and to their second.
    #[inline(always)]
    fn keep(&mut self, slot: u16, mirror: &[u16; LANES], own: Lanes) {
        put_four(self.impulse, slot, own);
        if MIRRORED {
            for lane in 0..LANES {
                self.impulse[mirror[lane] as usize] = own[lane];
            }
        }
    }
}

/// So many groups of `N`.
#[inline(always)]
fn in_groups<const N: usize, T>(all: &[T], count: usize) -> &[[T; N]] {
    match N {
        0 => &[],
        _ => &all.as_chunks::<N>().0[..count],
    }
}

/// What a block wants, given the impulses of those attached to it.
#[inline(always)]
pub(crate) fn gather(mut sum: Lanes, row: &Row, factors: &Factors, impulse: &Slots) -> Lanes {
    let near = row.near as usize..(row.near + row.near_count) as usize;
    for (factor, slot) in factors.near[near.clone()].iter().zip(&factors.slot[near]) {
        sum = minus(sum, times(*factor, *four(impulse, *slot)));
    }
    let far = &factors.far[row.far as usize..(row.far + row.far_count) as usize];
    let ([a, b], [c, d]) = (scattered::<0>(far, impulse), scattered::<2>(far, impulse));
    minus(sum, [a, b, c, d])
}

/// What two lanes get from scattered places. Two and not four at once, for four would become the processor's own
/// gathering instruction, which is slower than loads one by one.
#[inline(always)]
fn scattered<const FIRST: usize>(far: &[Far], impulse: &Slots) -> [f64; 2] {
    let mut sum = [0.0; 2];
    for entry in far {
        for lane in 0..2 {
            let slot = entry.slot[FIRST + lane];
            sum[lane] += entry.factor[FIRST + lane] * impulse[slot as usize];
        }
    }
    sum
}

/// Corrections of an iteration and the largest impulses, lane by lane and for what hangs on hubs.
#[derive(Default)]
struct Tally {
    corrections: [u64; LANES],
    largest: Lanes,
    hanging: Swept,
}

/// Corrects the violated constraints of a block, which want the impulses `sum`.
#[inline(always)]
fn correct(sum: Lanes, [low, high]: [&Lanes; 2], limit: f64, own: &mut Lanes, tally: &mut Tally) {
    let missing = minus(sum, *own);
    let mut change = [0.0; LANES];
    for lane in 0..LANES {
        let is_violated = !((missing[lane] >= low[lane]) & (missing[lane] <= high[lane]));
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
}

/// The same for bands that reach as far down as up, and impulses without limit.
#[inline(always)]
fn correct_even(sum: Lanes, high: &Lanes, own: &mut Lanes, tally: &mut Tally) {
    let missing = minus(sum, *own);
    for lane in 0..LANES {
        let is_satisfied = missing[lane].abs() <= high[lane];
        // nothing is added where nothing is violated: a store that left lanes out would hold up the loads after it
        let change = if is_satisfied { 0.0 } else { missing[lane] };
        own[lane] += change;
        tally.corrections[lane] += u64::from(!is_satisfied);
        let size = change.abs();
        tally.largest[lane] = if size > tally.largest[lane] {
            size
        } else {
            tally.largest[lane]
        };
    }
}
