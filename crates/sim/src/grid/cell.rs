//! A cell of the broad phase: one cache line with the boxes of up to five bodies, coarse but
//! conservative, so that most questions are answered without a look at the bodies themselves.
//!
//! A coarse box is eight bytes below 128: lower corner, upper corner counted from the far end, and a
//! tag with its counterpart. It may overlap what is asked about only if no byte of it is above the
//! same byte of the question, which is one subtraction for all eight.

/// Bodies in a cell before it spills.
pub(super) const WAYS: usize = 5;
/// No body, no further cell.
pub(super) const NONE: u32 = u32::MAX;

const HIGH: u64 = 0x8080_8080_8080_8080;
/// Its tag and the counterpart do not add up to 127, so that it answers no question.
const NOTHING: u64 = 0x7f7f_7f7f_7f7f_7f7f;

/// Coarse units in a cell's edge. A box no larger than the cell, whose centre is in the cell, spans
/// units -30 to 90 from the cell's corner, and one more each way for rounding.
const UNITS: f32 = 60.0;
const BELOW: f32 = 32.0;

/// One cache line: the boxes, whose they are, and where the cell goes on.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    boxes: [u64; WAYS],
    bodies: [u32; WAYS],
    /// The next cell of the chain among the spilled ones.
    pub more: u32,
}

impl Cell {
    pub const EMPTY: Cell = Cell {
        boxes: [NOTHING; WAYS],
        bodies: [NONE; WAYS],
        more: NONE,
    };

    /// Adds a body; false when the cell is full.
    #[inline]
    pub fn add(&mut self, body: u32, coarse: u64) -> bool {
        for way in 0..WAYS {
            if self.bodies[way] == NONE {
                self.bodies[way] = body;
                self.boxes[way] = coarse;
                return true;
            }
        }
        false
    }

    /// Takes a body out; false when it is not here.
    #[inline]
    pub fn take(&mut self, body: u32) -> bool {
        for way in 0..WAYS {
            if self.bodies[way] == body {
                self.bodies[way] = NONE;
                self.boxes[way] = NOTHING;
                return true;
            }
        }
        false
    }

    pub fn is_empty(&self) -> bool {
        self.bodies.iter().all(|&body| body == NONE)
    }

    /// The bodies in it.
    pub fn bodies(&self) -> impl Iterator<Item = u32> + '_ {
        self.bodies.iter().copied().filter(|&body| body != NONE)
    }

    /// One bit for every body whose coarse box may overlap the `question`, and one more if the cell goes
    /// on elsewhere.
    #[inline]
    pub fn hits(&self, question: u64) -> u32 {
        let mut hits = u32::from(self.more != NONE) << WAYS;
        for way in 0..WAYS {
            let is_hit = ((question | HIGH) - self.boxes[way]) & HIGH == HIGH;
            hits |= u32::from(is_hit) << way;
        }
        hits
    }

    /// Calls `found` with every body whose coarse box may overlap the `question`.
    #[inline]
    pub fn matching(&self, question: u64, found: impl FnMut(u32)) {
        self.tell(self.hits(question), found);
    }

    /// Calls `found` with the bodies of some hits.
    #[inline]
    pub fn tell(&self, hits: u32, mut found: impl FnMut(u32)) {
        let mut hits = hits & ((1 << WAYS) - 1);
        while hits != 0 {
            found(self.bodies[hits.trailing_zeros() as usize]);
            hits &= hits - 1;
        }
    }
}

/// A length from the cell's corner, in coarse units.
#[inline]
fn coarse(length: f32, inverse_cell: f32) -> i32 {
    // What lies far outside is as good as just outside.
    (length * inverse_cell * UNITS + BELOW).clamp(-8.0, 256.0) as i32
}

/// What a box from `lo` to `hi`, measured from the cell's corner, contributes along `axis` when it is
/// put into the cell.
#[inline]
pub(super) fn entry(axis: usize, lo: f32, hi: f32, inverse_cell: f32) -> u64 {
    let lo = (coarse(lo, inverse_cell) - 1).clamp(0, 127) as u64;
    let hi = (coarse(hi, inverse_cell) + 1).clamp(0, 127) as u64;
    lo << (8 * axis) | (127 - hi) << (8 * (axis + 3))
}

/// The same for a box that is asked about.
#[inline]
pub(super) fn question(axis: usize, lo: f32, hi: f32, inverse_cell: f32) -> u64 {
    let lo = (coarse(lo, inverse_cell) - 1).clamp(0, 127) as u64;
    let hi = (coarse(hi, inverse_cell) + 1).clamp(0, 127) as u64;
    hi << (8 * axis) | (127 - lo) << (8 * (axis + 3))
}

/// What tells apart far cells that share a slot.
#[inline]
pub(super) fn tag(number: i32) -> u64 {
    let number = (number & 127) as u64;
    number << 48 | (127 - number) << 56
}

#[cfg(test)]
mod tests {
    use super::*;

    fn boxed(lo: [f32; 3], hi: [f32; 3]) -> u64 {
        (0..3).fold(tag(3), |b, i| b | entry(i, lo[i], hi[i], 1.0))
    }

    fn asked(lo: [f32; 3], hi: [f32; 3], number: i32) -> u64 {
        (0..3).fold(tag(number), |b, i| b | question(i, lo[i], hi[i], 1.0))
    }

    fn answers(question: u64, cell: &Cell) -> usize {
        let mut count = 0;
        cell.matching(question, |_| count += 1);
        count
    }

    #[test]
    fn a_cell_is_a_cache_line_and_an_empty_one_answers_nothing() {
        assert_eq!(size_of::<Cell>(), 64);
        for number in 0..128 {
            assert_eq!(answers(asked([-9.0; 3], [9.0; 3], number), &Cell::EMPTY), 0);
        }
    }

    #[test]
    fn overlaps_are_never_missed_and_clear_gaps_are_seen() {
        let mut cell = Cell::EMPTY;
        assert!(cell.add(7, boxed([-0.4, 0.1, 0.3], [0.5, 0.9, 1.2])));
        assert_eq!(answers(asked([0.5, 0.9, 1.2], [2.0; 3], 3), &cell), 1);
        assert_eq!(answers(asked([-3.0; 3], [-0.4, 0.1, 0.3], 3), &cell), 1);
        assert_eq!(answers(asked([0.6, 0.0, 0.0], [2.0; 3], 3), &cell), 0);
        assert_eq!(answers(asked([-1.0; 3], [2.0, 0.0, 2.0], 3), &cell), 0);
        assert_eq!(answers(asked([-1.0; 3], [2.0; 3], 4), &cell), 0);
        assert!(cell.take(7) && !cell.take(7) && cell.is_empty());
    }
}
