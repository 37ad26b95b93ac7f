//! 26-DOPs: intersections of 13 slabs with unit normals (3 axes, 6 face diagonals, 4 body
//! diagonals), as bounds of swept vertices, edges and triangles.

use glamx::DVec3;

const AXES: usize = 13;

/// A convex bound: the interval of each of the 13 projections, in m.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Dop {
    lo: [f64; AXES],
    hi: [f64; AXES],
}

/// Projections of a point on the 13 unit axes.
#[inline]
fn project(p: DVec3) -> [f64; AXES] {
    const FACE: f64 = std::f64::consts::FRAC_1_SQRT_2;
    const BODY: f64 = 0.577_350_269_189_625_8;
    let DVec3 { x, y, z } = p;
    let (xf, yf, zf) = (x * FACE, y * FACE, z * FACE);
    let (xb, yb, zb) = (x * BODY, y * BODY, z * BODY);
    [
        x,
        y,
        z,
        xf + yf,
        xf - yf,
        xf + zf,
        xf - zf,
        yf + zf,
        yf - zf,
        xb + yb + zb,
        xb + yb - zb,
        xb - yb + zb,
        xb - yb - zb,
    ]
}

impl Dop {
    /// Bounds nothing.
    pub const EMPTY: Dop = Dop {
        lo: [f64::INFINITY; AXES],
        hi: [f64::NEG_INFINITY; AXES],
    };

    /// Bounds every point within `radius` of the segment from `a` to `b`; rounding is included.
    #[inline]
    pub fn tube(a: DVec3, b: DVec3, radius: f64) -> Dop {
        let (pa, pb) = (project(a), project(b));
        let r = radius + 8.0 * f64::EPSILON * (a.abs().max_element() + b.abs().max_element());
        let mut dop = Dop::EMPTY;
        for k in 0..AXES {
            dop.lo[k] = pa[k].min(pb[k]) - r;
            dop.hi[k] = pa[k].max(pb[k]) + r;
        }
        dop
    }

    /// Bounds both.
    #[inline]
    pub fn union(&self, other: &Dop) -> Dop {
        let mut dop = *self;
        for k in 0..AXES {
            dop.lo[k] = dop.lo[k].min(other.lo[k]);
            dop.hi[k] = dop.hi[k].max(other.hi[k]);
        }
        dop
    }

    /// Whether points of the two may be within `distance` (m) of each other, as far as the 13
    /// projections can tell.
    #[inline]
    pub fn within(&self, other: &Dop, distance: f64) -> bool {
        let apart = |k: usize| {
            (self.lo[k] - other.hi[k] > distance) | (other.lo[k] - self.hi[k] > distance)
        };
        if apart(0) | apart(1) | apart(2) {
            return false;
        }
        let mut any = false;
        for k in 3..AXES {
            any |= apart(k);
        }
        !any
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
    }
}
