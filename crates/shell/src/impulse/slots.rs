//! Numbers by slot: a place for every constraint of a pattern in the gathered form, block by block, and behind
//! those the second places of the mirror. A slot is a `u16`, and there are as many numbers as a slot has values, so
//! that no slot, nor the four that begin with it, is out of bounds.

use super::lanes::{LANES, Lanes};

/// Slots there are; larger patterns are not gathered.
pub(crate) const SLOTS: usize = 1 << u16::BITS;

/// A number for every slot.
#[derive(Debug, Clone)]
pub(crate) struct Slots(Box<[f64; SLOTS + LANES]>);

impl Slots {
    /// Nothing anywhere. The system hands out zeroed pages, of which a pattern touches those that it needs.
    pub fn zeros() -> Self {
        let zeros: Box<[f64]> = vec![0.0; SLOTS + LANES].into();
        Slots(
            zeros
                .try_into()
                .unwrap_or_else(|_| Box::new([0.0; SLOTS + LANES])),
        )
    }

    #[inline(always)]
    pub fn get(&self, slot: u16) -> f64 {
        self.0[slot as usize]
    }

    #[inline(always)]
    pub fn set(&mut self, slot: u16, value: f64) {
        self.0[slot as usize] = value;
    }

    /// Four that follow each other.
    #[inline(always)]
    pub fn four(&self, slot: u16) -> &Lanes {
        match self.0[slot as usize..].first_chunk() {
            Some(four) => four,
            None => &[0.0; LANES],
        }
    }

    /// Four that follow each other, to change.
    #[inline(always)]
    pub fn four_mut(&mut self, slot: u16) -> Option<&mut Lanes> {
        self.0[slot as usize..].first_chunk_mut()
    }
}
