//! Numbers by slot: a place for every constraint of the gathered form, block by block, and behind those the second
//! places of the mirror. A slot is a `u16`, and there are as many numbers as a slot has values and three more, so that
//! no slot, nor the four that begin with it, is out of bounds.

use crate::impulse::lanes::{LANES, Lanes};

/// Slots there are; larger patterns are not gathered.
pub(crate) const SLOTS: usize = 1 << u16::BITS;

/// A number for every slot.
pub(crate) type Slots = [f64; SLOTS + LANES];

/// Nothing anywhere. The system hands out zeroed pages, of which a pattern touches those that it needs.
pub(crate) fn zeros() -> Box<Slots> {
    let zeros: Box<[f64]> = vec![0.0; SLOTS + LANES].into();
    zeros
        .try_into()
        .unwrap_or_else(|_| Box::new([0.0; SLOTS + LANES]))
}

/// Four that follow each other.
#[inline(always)]
pub(crate) fn four(slots: &Slots, slot: u16) -> &Lanes {
    match slots[slot as usize..].first_chunk() {
        Some(four) => four,
        None => &[0.0; LANES],
    }
}

/// Puts four that follow each other.
#[inline(always)]
pub(crate) fn put_four(slots: &mut Slots, slot: u16, values: Lanes) {
    if let Some(four) = slots[slot as usize..].first_chunk_mut() {
        *four = values;
    }
}
