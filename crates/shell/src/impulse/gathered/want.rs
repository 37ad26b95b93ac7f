//! What the gathered form starts from: directions in first and second places, and what each block wants along them
//! where nothing is accumulated.

use glamx::DVec3;
use pulp::NullaryFnOnce;

use crate::impulse::gathered::Wanted;
use crate::impulse::gathered::blocks::{Block, Blocks};
use crate::impulse::gathered::slots::{Slots, put_four};
use crate::impulse::lanes::{LANES, Vectors, times};
use crate::impulse::loops::anticipation::Residuals;

/// Takes directions and errors over into the order of the blocks.
pub(crate) struct Want<'a> {
    pub blocks: &'a Blocks,
    /// By constraint.
    pub direction: &'a [DVec3],
    pub residual: &'a Residuals,
    /// Whether the bands are to be taken over, too.
    pub with_bands: bool,
    pub wanted: &'a mut Wanted,
    pub by_slot: &'a mut [Vec<f64>; 3],
    pub impulse: &'a mut Slots,
}

impl NullaryFnOnce for Want<'_> {
    type Output = ();

    #[inline(always)]
    fn call(mut self) {
        let blocks = self.blocks;
        let places = blocks.list.iter().zip(&blocks.mirror_of);
        for (index, (block, mirror)) in places.enumerate() {
            let range = block.constraints();
            let four = self.direction[range.start..].first_chunk::<LANES>();
            let errors = self.residual.error[range.start..].first_chunk::<LANES>();
            let (mut n, mut error) = (Vectors::ZERO, [0.0; LANES]);
            match (four, errors) {
                (Some(four), Some(errors)) if range.len() == LANES => {
                    for lane in 0..LANES {
                        n.set(lane, four[lane]);
                    }
                    error = *errors;
                }
                _ => {
                    for (lane, c) in range.take(LANES).enumerate() {
                        n.set(lane, self.direction[c]);
                        error[lane] = self.residual.error[c];
                    }
                }
            }
            self.wanted.alone[index] = times(error, block.mass);
            if self.with_bands {
                self.take_bands(index, block);
            }
            self.keep((index * LANES) as u16, mirror, n);
        }
    }
}

impl Want<'_> {
    #[inline(always)]
    fn take_bands(&mut self, index: usize, block: &Block) {
        for (lane, c) in block.constraints().take(LANES).enumerate() {
            let gauge = &self.residual.gauge[c];
            self.wanted.low[index][lane] = gauge.low * gauge.mass;
            self.wanted.high[index][lane] = gauge.high * gauge.mass;
        }
    }

    /// Directions go to first and second places, and impulses are taken from there.
    #[inline(always)]
    fn keep(&mut self, slot: u16, mirror: &[u16; LANES], n: Vectors) {
        for (axis, lanes) in self.by_slot.iter_mut().zip([n.x, n.y, n.z]) {
            if let Some(four) = axis[slot as usize..].first_chunk_mut() {
                *four = lanes;
            }
            for lane in 0..LANES {
                // what has no second place is behind the last
                if let Some(place) = axis.get_mut(mirror[lane] as usize) {
                    *place = lanes[lane];
                }
            }
        }
        put_four(self.impulse, slot, [0.0; LANES]);
        for lane in 0..LANES {
            self.impulse[mirror[lane] as usize] = 0.0;
        }
    }
}
