//! Up to sixteen neighbouring triangles whose bounds lie side by side, axis by axis: one of them is
//! compared with all of another cluster at once, without a branch for each.

use crate::acm::detect::coarse::Coarse;
use crate::acm::detect::dop::AXES;
use crate::acm::lanes::wide::bits;
use pulp::Simd;

/// Triangles in a cluster at most.
pub(crate) const CLUSTER: usize = 16;

/// A number for each triangle.
type Row = [i16; CLUSTER];

/// The bounds of some triangles.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(crate) struct Cluster {
    lo: [Row; AXES],
    minus_hi: [Row; AXES],
    pub triangles: [u32; CLUSTER],
    pub count: usize,
    /// One bit for each triangle: whether it has a vertex that obeys forces.
    pub dynamic: u16,
}

impl Cluster {
    /// Without triangles.
    pub const EMPTY: Cluster = Cluster {
        triangles: [u32::MAX; CLUSTER],
        count: 0,
        dynamic: 0,
        lo: [[0; CLUSTER]; AXES],
        minus_hi: [[0; CLUSTER]; AXES],
    };

    /// Adds a triangle.
    pub fn push(&mut self, triangle: u32, dynamic: bool) {
        self.triangles[self.count] = triangle;
        self.dynamic |= u16::from(dynamic) << self.count;
        self.count += 1;
    }

    /// One bit for each triangle.
    #[inline(always)]
    pub fn all(&self) -> u16 {
        u16::MAX >> (CLUSTER - self.count)
    }

    /// Takes the triangles' bounds; returns the bound of all.
    pub fn refit(&mut self, bounds: &[Coarse]) -> Coarse {
        let mut all = Coarse::EMPTY;
        for i in 0..self.count {
            let bound = &bounds[self.triangles[i] as usize];
            all = all.union(bound);
            self.set(i, bound);
        }
        all
    }

    /// The bound of all triangles.
    pub fn bound(&self) -> Coarse {
        let least = |row: &Row| row[..self.count].iter().copied().fold(i16::MAX, i16::min);
        Coarse::along(|k| (least(&self.lo[k]), least(&self.minus_hi[k])))
    }

    /// Sets triangle `i`'s bound.
    pub fn set(&mut self, i: usize, bound: &Coarse) {
        let (lo, minus_hi) = bound.axes();
        for k in 0..AXES {
            self.lo[k][i] = lo[k];
            self.minus_hi[k][i] = minus_hi[k];
        }
    }

    /// One bit for each triangle whose bound may come within some steps of `bound`.
    #[inline(always)]
    pub fn near_bound<S: Simd>(&self, simd: S, bound: &Coarse, steps: i16) -> u16 {
        let (lo, minus_hi) = bound.axes();
        self.within(simd, |k| lo[k], |k| minus_hi[k], steps)
    }

    /// One bit for each triangle of `other` whose bound may come within some steps of triangle `i`'s and that can
    /// be moved against it.
    #[inline(always)]
    pub fn near<S: Simd>(&self, simd: S, i: usize, other: &Cluster, steps: i16) -> u16 {
        let near = other.within(simd, |k| self.lo[k][i], |k| self.minus_hi[k][i], steps);
        let moves = if self.dynamic >> i & 1 == 1 {
            u16::MAX
        } else {
            other.dynamic
        };
        near & moves
    }

    /// One bit for each triangle whose bound may come within some steps of one that is given axis by axis.
    #[inline(always)]
    fn within<S: Simd>(
        &self,
        simd: S,
        lo: impl Fn(usize) -> i16,
        minus_hi: impl Fn(usize) -> i16,
        steps: i16,
    ) -> u16 {
        let mut widest = [i16::MIN; CLUSTER];
        for k in 0..AXES {
            let (from, to) = (lo(k), minus_hi(k));
            for (i, widest) in widest.iter_mut().enumerate() {
                let above = from.saturating_add(self.minus_hi[k][i]);
                let below = to.saturating_add(self.lo[k][i]);
                *widest = above.max(below).max(*widest);
            }
        }
        // registers compare numbers of 32 bits, without signs
        let unsigned = |a: i16| (i32::from(a) - i32::from(i16::MIN)) as u32;
        let (widest, most) = (widest.map(unsigned), simd.splat_u32s(unsigned(steps)));
        let mut near = 0;
        for (part, &widest) in S::as_simd_u32s(&widest).0.iter().enumerate() {
            let within = simd.less_than_or_equal_u32s(widest, most);
            near |= bits::<S>(within) << (part * S::U32_LANES);
        }
        near & self.all()
    }
}
