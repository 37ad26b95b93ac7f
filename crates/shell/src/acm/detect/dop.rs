//! 26-DOPs: intersections of 13 slabs with unit normals (3 axes, 6 face diagonals, 4 body
//! diagonals), as bounds of vertices, edges and triangles. Bounds are rounded outwards to
//! single precision: half the memory, and the loss is far below a contact's thickness.

use glamx::DVec3;

/// Number of axes.
pub(crate) const AXES: usize = 13;
/// Axes and three places that never decide anything, to fill whole vectors.
pub(crate) const PLACES: usize = 16;

/// A convex bound: of each projection the least value and minus the greatest, in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dop {
    lo: [f32; PLACES],
    minus_hi: [f32; PLACES],
}

/// The unit axes, coordinate by coordinate, the most telling first, and zeros.
const AXIS: [[f64; PLACES]; 3] = {
    const F: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const B: f64 = 0.577_350_269_189_625_8;
    [
        [
            1.0, 0.0, 0.0, B, F, F, F, F, 0.0, 0.0, B, B, B, 0.0, 0.0, 0.0,
        ],
        [
            0.0, 1.0, 0.0, B, F, -F, 0.0, 0.0, F, F, B, -B, -B, 0.0, 0.0, 0.0,
        ],
        [
            0.0, 0.0, 1.0, B, 0.0, 0.0, F, -F, F, -F, -B, B, -B, 0.0, 0.0, 0.0,
        ],
    ]
};

/// Projections of a point on the axes.
#[inline(always)]
pub(crate) fn project(p: DVec3) -> [f64; PLACES] {
    let ([x, y, z], mut along) = (AXIS, [0.0; PLACES]);
    for k in 0..PLACES {
        along[k] = p.x * x[k] + p.y * y[k] + p.z * z[k];
    }
    along
}

/// A distance in single precision, greater by more than the rounding of the sums it is compared with.
#[inline(always)]
fn upwards(distance: f64) -> f32 {
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
