//! 26-DOPs: intersections of 13 slabs with unit normals (3 axes, 6 face diagonals, 4 body
//! diagonals), as bounds of swept vertices, edges and triangles. Bounds are rounded outwards to
//! single precision: half the memory, and the loss is far below a contact's thickness.

use super::wide::bits;
use glamx::DVec3;
use pulp::Simd;

/// Number of axes.
pub(super) const AXES: usize = 13;
/// Axes and three places that never decide anything, to fill whole vectors.
const PLACES: usize = 16;

/// A convex bound: of each projection the least value and minus the greatest, in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dop {
    lo: [f32; PLACES],
    minus_hi: [f32; PLACES],
}

/// Projections of a point on the 13 unit axes, the most telling first.
#[inline(always)]
fn project(p: DVec3) -> [f64; PLACES] {
    const FACE: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const BODY: f64 = 0.577_350_269_189_625_8;
    const NONE: f64 = f64::NEG_INFINITY;
    let DVec3 { x, y, z } = p;
    let (xf, yf, zf) = (x * FACE, y * FACE, z * FACE);
    let (xb, yb, zb) = (x * BODY, y * BODY, z * BODY);
    [
        x,
        y,
        z,
        xb + yb + zb,
        xf + yf,
        xf - yf,
        xf + zf,
        xf - zf,
        yf + zf,
        yf - zf,
        xb + yb - zb,
        xb - yb + zb,
        xb - yb - zb,
        NONE,
        NONE,
        NONE,
    ]
}

/// A distance in single precision, greater by more than the rounding of the sums it is compared with.
#[inline(always)]
pub(super) fn upwards(distance: f64) -> f32 {
    (distance * (1.0 + 1.0e-6)) as f32
}

#[inline(always)]
fn least<T: PartialOrd>(a: T, b: T) -> T {
    if a < b { a } else { b }
}

impl Dop {
    /// Bounds nothing.
    pub const EMPTY: Dop = {
        let mut row = [f32::INFINITY; PLACES];
        (row[13], row[14], row[15]) = (f32::NEG_INFINITY, f32::NEG_INFINITY, f32::NEG_INFINITY);
        Dop {
            lo: row,
            minus_hi: row,
        }
    };

    /// Bounds every point within `radius` of the segment from `a` to `b`; rounding is included.
    #[inline]
    pub fn tube(a: DVec3, b: DVec3, radius: f64) -> Dop {
        let (pa, pb) = (project(a), project(b));
        // a projection is at most sqrt 3 times a coordinate; single precision rounds by 2^-24 of it
        let r = radius + 2.5e-7 * (a.abs().max_element() + b.abs().max_element()) + 1.0e-30;
        let mut dop = Dop::EMPTY;
        for k in 0..13 {
            dop.lo[k] = (least(pa[k], pb[k]) - r) as f32;
            dop.minus_hi[k] = (least(-pa[k], -pb[k]) - r) as f32;
        }
        dop
    }

    /// Bounds both.
    #[inline]
    pub fn union(&self, other: &Dop) -> Dop {
        let mut dop = *self;
        for k in 0..PLACES {
            dop.lo[k] = least(dop.lo[k], other.lo[k]);
            dop.minus_hi[k] = least(dop.minus_hi[k], other.minus_hi[k]);
        }
        dop
    }

    /// The least values and minus the greatest, axis by axis.
    #[inline]
    pub(super) fn axes(&self) -> (&[f32], &[f32]) {
        (&self.lo[..AXES], &self.minus_hi[..AXES])
    }

    /// The same as [`Dop::within`] in whole registers, `distance` rounded [`upwards`].
    #[inline(always)]
    pub(super) fn near<S: Simd>(&self, simd: S, other: &Dop, distance: f32) -> bool {
        let (lo, minus_hi) = (
            S::as_simd_f32s(&self.lo).0,
            S::as_simd_f32s(&self.minus_hi).0,
        );
        let (from, to) = (
            S::as_simd_f32s(&other.lo).0,
            S::as_simd_f32s(&other.minus_hi).0,
        );
        let mut widest = simd.splat_f32s(f32::NEG_INFINITY);
        for i in 0..PLACES / S::F32_LANES {
            let above = simd.add_f32s(lo[i], to[i]);
            let below = simd.add_f32s(minus_hi[i], from[i]);
            widest = simd.max_f32s(widest, simd.max_f32s(above, below));
        }
        let apart = simd.greater_than_f32s(widest, simd.splat_f32s(distance));
        bits::<S>(apart) == 0
    }

    /// Whether points of the two may be within `distance` (m) of each other, as far as the 13
    /// projections can tell.
    #[inline]
    pub fn within(&self, other: &Dop, distance: f64) -> bool {
        let distance = upwards(distance);
        let apart = |from: usize, to: usize| {
            let mut any = false;
            for k in from..to {
                any |= (self.lo[k] + other.minus_hi[k] > distance)
                    | (other.lo[k] + self.minus_hi[k] > distance);
            }
            any
        };
        !(apart(0, 4) || apart(4, PLACES))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn diagonal_axes_separate_what_boxes_do_not() {
        let bar = |x: f64| Dop::tube(DVec3::new(x, 0.0, 0.0), DVec3::new(x + 1.0, 1.0, 0.0), 0.0);
        // two parallel diagonals: their boxes overlap, their distance is 0.5 / sqrt 2
        assert!(!bar(0.0).within(&bar(0.5), 0.35));
        assert!(bar(0.0).within(&bar(0.5), 0.36));
        let both = bar(0.0).union(&bar(0.5));
        assert_eq!(both.union(&bar(0.5)), both);
        assert_eq!(Dop::EMPTY.union(&both), both);
        assert!(!Dop::EMPTY.within(&both, 1.0));
    }

    /// Registers and the early way out agree, also on what bounds nothing.
    #[test]
    fn both_ways_to_compare_agree() {
        #[derive(Clone, Copy)]
        struct Compare(Dop, Dop, f64);
        impl pulp::WithSimd for Compare {
            type Output = bool;

            fn with_simd<S: Simd>(self, simd: S) -> bool {
                self.0.near(simd, &self.1, upwards(self.2))
            }
        }
        let mut rng = rand_pcg::Pcg64::seed_from_u64(9);
        let mut near = 0;
        for k in 0..4000 {
            let mut point = || DVec3::new(rng.random(), rng.random(), rng.random());
            let (a, b) = (point(), point());
            let one = Dop::tube(a, a + (b - a) * 0.2, 0.01);
            let mut other = Dop::tube(b, b + (point() - b) * 0.2, 0.02);
            if k % 10 == 0 {
                other = Dop::EMPTY;
            }
            let distance = 1e-4 * f64::from(k);
            let expected = one.within(&other, distance);
            near += u32::from(expected);
            let compare = Compare(one, other, distance);
            assert_eq!(pulp::Arch::new().dispatch(compare), expected);
            assert_eq!(pulp::Arch::Scalar.dispatch(compare), expected);
        }
        assert!((400..3000).contains(&near), "{near} of 4000");
    }

    /// What touches exactly is never called apart, at any size of the coordinates.
    #[test]
    fn rounding_goes_outwards() {
        for k in 0..2000 {
            let at = 1.0e-3 * 1.013f64.powi(k % 1000) * if k < 1000 { 1.0 } else { -1.0 };
            let (p, d) = (DVec3::new(at, -0.7 * at, 0.3 * at), 1.0e-3);
            for axis in [DVec3::X, DVec3::Y, DVec3::new(0.6, 0.0, 0.8)] {
                let (a, b) = (
                    Dop::tube(p, p, 0.0),
                    Dop::tube(p + axis * d, p + axis * d, 0.0),
                );
                assert!(a.within(&b, d) && b.within(&a, d), "{p}");
            }
        }
    }
}
