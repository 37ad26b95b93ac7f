//! Up to sixteen neighbouring triangles whose bounds lie side by side, axis by axis: one of them is
//! compared with all of another cluster at once, without a branch for each.

use super::dop::{AXES, Dop};
use super::wide::bits;
use pulp::Simd;

/// Triangles in a cluster at most.
pub(super) const CLUSTER: usize = 16;

/// A number for each triangle.
type Row = [f32; CLUSTER];

/// The bounds of some triangles; places that are not used bound nothing.
#[derive(Debug, Clone)]
pub(super) struct Cluster {
    pub triangles: [u32; CLUSTER],
    pub count: usize,
    /// One bit for each triangle: whether it has a vertex that obeys forces.
    pub dynamic: u16,
    lo: [Row; AXES],
    minus_hi: [Row; AXES],
}

impl Cluster {
    /// Without triangles.
    pub const EMPTY: Cluster = Cluster {
        triangles: [u32::MAX; CLUSTER],
        count: 0,
        dynamic: 0,
        lo: [[f32::INFINITY; CLUSTER]; AXES],
        minus_hi: [[f32::INFINITY; CLUSTER]; AXES],
    };

    /// Adds a triangle.
    pub fn push(&mut self, triangle: u32, dynamic: bool) {
        self.triangles[self.count] = triangle;
        self.dynamic |= u16::from(dynamic) << self.count;
        self.count += 1;
    }

    /// Takes the triangles' bounds.
    pub fn refit(&mut self, bounds: &[Dop]) {
        for (i, &t) in self.triangles[..self.count].iter().enumerate() {
            let (lo, minus_hi) = bounds[t as usize].axes();
            for k in 0..AXES {
                self.lo[k][i] = lo[k];
                self.minus_hi[k][i] = minus_hi[k];
            }
        }
    }

    /// One bit for each triangle whose bound may come within `distance` (m, rounded upwards) of `bound`.
    #[inline(always)]
    pub fn near_bound<S: Simd>(&self, simd: S, bound: &Dop, distance: f32) -> u16 {
        let (from, to) = bound.axes();
        let mut near = 0;
        for part in 0..CLUSTER / S::F32_LANES {
            let mut widest = simd.splat_f32s(f32::NEG_INFINITY);
            for k in 0..AXES {
                let lo = S::as_simd_f32s(&self.lo[k]).0[part];
                let minus_hi = S::as_simd_f32s(&self.minus_hi[k]).0[part];
                let above = simd.add_f32s(simd.splat_f32s(from[k]), minus_hi);
                let below = simd.add_f32s(simd.splat_f32s(to[k]), lo);
                widest = simd.max_f32s(widest, simd.max_f32s(above, below));
            }
            let within = simd.less_than_or_equal_f32s(widest, simd.splat_f32s(distance));
            near |= bits::<S>(within) << (part * S::F32_LANES);
        }
        near
    }

    /// One bit for each triangle of `other` whose bound may come within `distance` (m, rounded
    /// upwards) of triangle `i`'s and that can be moved against it.
    #[inline(always)]
    pub fn near<S: Simd>(&self, simd: S, i: usize, other: &Cluster, distance: f32) -> u16 {
        let mut near = 0;
        for part in 0..CLUSTER / S::F32_LANES {
            let mut widest = simd.splat_f32s(f32::NEG_INFINITY);
            for k in 0..AXES {
                let lo = S::as_simd_f32s(&other.lo[k]).0[part];
                let minus_hi = S::as_simd_f32s(&other.minus_hi[k]).0[part];
                let above = simd.add_f32s(simd.splat_f32s(self.lo[k][i]), minus_hi);
                let below = simd.add_f32s(simd.splat_f32s(self.minus_hi[k][i]), lo);
                widest = simd.max_f32s(widest, simd.max_f32s(above, below));
            }
            let within = simd.less_than_or_equal_f32s(widest, simd.splat_f32s(distance));
            near |= bits::<S>(within) << (part * S::F32_LANES);
        }
        let moves = if self.dynamic >> i & 1 == 1 {
            u16::MAX
        } else {
            other.dynamic
        };
        near & moves
    }
}
