//! Vectors as four numbers each, the last being nothing, and their passage to rows and back. Elements
//! scattered in memory are copied whole, then taken apart in registers by shuffles: a third of the
//! memory accesses of picking number by number. The shuffles leave the elements of a register in an
//! order of their own, so a buffer is filled by slots, which undo it.

use super::facets::{LANES, Row};
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};

/// A vector and a place to spare.
pub(super) type Quad = [f64; 4];

/// As many quads as a block has elements, by slot.
#[derive(Debug, Clone)]
#[repr(align(64))]
pub(super) struct Quads(pub [f64; 4 * LANES]);

/// For each element of a block its slot in a buffer.
pub(super) type Slots = [u8; LANES];

/// A vector as a quad.
#[inline(always)]
pub(super) fn quad(a: DVec3) -> Quad {
    [a.x, a.y, a.z, 0.0]
}

impl Quads {
    pub const ZERO: Quads = Quads([0.0; 4 * LANES]);

    /// Puts a quad into a slot.
    #[inline(always)]
    pub fn put(&mut self, slot: u8, quad: Quad) {
        let at = 4 * (slot as usize % LANES);
        self.0[at..at + 4].copy_from_slice(&quad);
    }

    /// The quad in a slot.
    #[inline(always)]
    pub fn get(&self, slot: u8) -> Quad {
        let at = 4 * (slot as usize % LANES);
        [self.0[at], self.0[at + 1], self.0[at + 2], self.0[at + 3]]
    }

    /// One of the first three numbers in a slot.
    #[inline(always)]
    pub fn number(&self, slot: u8, which: u32) -> f64 {
        self.0[4 * (slot as usize % LANES) + which as usize % 3]
    }

    /// The first three numbers of all, by rows.
    #[inline(always)]
    pub fn take_apart<S: Simd>(&self, simd: S, rows: &mut [Row; 3]) {
        let [x, y, z] = rows;
        let (x, y, z) = (
            S::as_mut_simd_f64s(x).0,
            S::as_mut_simd_f64s(y).0,
            S::as_mut_simd_f64s(z).0,
        );
        let registers = S::as_simd_f64s(&self.0).0;
        for (i, four) in registers.chunks_exact(4).enumerate() {
            let apart = simd.deinterleave_shfl_f64s([four[0], four[1], four[2], four[3]]);
            (x[i], y[i], z[i]) = (apart[0], apart[1], apart[2]);
        }
    }

    /// All quads from their rows.
    #[inline(always)]
    pub fn put_together<S: Simd>(&mut self, simd: S, rows: &[Row; 3]) {
        let [x, y, z] = rows;
        let (x, y, z) = (
            S::as_simd_f64s(x).0,
            S::as_simd_f64s(y).0,
            S::as_simd_f64s(z).0,
        );
        let nothing = simd.splat_f64s(0.0);
        let registers = S::as_mut_simd_f64s(&mut self.0).0;
        for (i, four) in registers.chunks_exact_mut(4).enumerate() {
            let together = simd.interleave_shfl_f64s([x[i], y[i], z[i], nothing]);
            four.copy_from_slice(&together);
        }
    }
}

/// The slots of this processor's vectors.
pub(super) fn slots(arch: Arch) -> Slots {
    struct Order;
    impl WithSimd for Order {
        type Output = Slots;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> Slots {
            let mut numbered = Quads::ZERO;
            for slot in 0..LANES as u8 {
                numbered.put(slot, [f64::from(slot); 4]);
            }
            let mut rows = [[0.0; LANES]; 3];
            numbered.take_apart(simd, &mut rows);
            rows[0].map(|slot| slot as u8)
        }
    }
    arch.dispatch(Order)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every slot is used once, and what is taken apart can be put together again.
    #[test]
    fn slots_undo_the_shuffles() {
        struct Trip(Slots);
        impl WithSimd for Trip {
            type Output = ();

            fn with_simd<S: Simd>(self, simd: S) {
                let (mut there, mut back) = (Quads::ZERO, Quads::ZERO);
                let element = |i: usize| [i as f64, 100.0 + i as f64, 200.0 + i as f64, 0.0];
                for (i, &slot) in self.0.iter().enumerate() {
                    there.put(slot, element(i));
                }
                let mut rows = [[0.0; LANES]; 3];
                there.take_apart(simd, &mut rows);
                for i in 0..LANES {
                    let found = [rows[0][i], rows[1][i], rows[2][i], 0.0];
                    assert_eq!(found, element(i));
                }
                back.put_together(simd, &rows);
                for (i, &slot) in self.0.iter().enumerate() {
                    assert_eq!(back.get(slot), element(i));
                }
            }
        }
        let arch = Arch::new();
        arch.dispatch(Trip(slots(arch)));
        let mut all = slots(arch);
        all.sort_unstable();
        assert!(all.iter().enumerate().all(|(i, &slot)| i == slot as usize));
    }
}
