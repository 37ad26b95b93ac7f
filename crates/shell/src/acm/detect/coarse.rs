//! 26-DOPs in whole steps of a grid: bounds of what is swept in a window, for the broad phase. Sixteen bits a number, so
//! that a bound is one line of the cache, and rounded outwards, so that nothing near is ever called apart.

use crate::acm::detect::dop::{AXES, PLACES, project};
use glamx::DVec3;

/// Numbers are kept within this many steps of the grid's centre. What is farther away is kept there, too: that brings
/// bounds nearer to each other, never apart.
const MOST: f64 = 32_000.0;

/// The steps in which bounds are given.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Grid {
    centre: DVec3,
    per_m: f64,
    /// Largest coordinate, in m.
    largest: f64,
}

/// A convex bound: of each projection the least value and minus the greatest, in steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(C, align(64))]
pub(crate) struct Coarse {
    lo: [i16; PLACES],
    minus_hi: [i16; PLACES],
}

impl Default for Grid {
    fn default() -> Grid {
        Grid::between(DVec3::ZERO, DVec3::ZERO)
    }
}

impl Grid {
    /// The finest grid for what lies between two corners (m).
    pub fn between(low: DVec3, high: DVec3) -> Grid {
        let half = 0.5 * (high - low).max_element();
        // no projection is longer than a body's diagonal; a grid has some extent even around one point
        let extent = (half * 3f64.sqrt()).clamp(1.0e-9, f64::MAX);
        Grid {
            centre: 0.5 * (low + high),
            per_m: MOST / extent,
            largest: low.abs().max(high.abs()).max_element(),
        }
    }

    /// The finest grid for these places (m).
    pub fn around(places: impl Iterator<Item = DVec3>) -> Grid {
        let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let (low, high) = places.fold(none, |(low, high), x| (low.min(x), high.max(x)));
        Grid::between(low, high)
    }

    /// A distance (m) in steps, rounded upwards.
    pub fn steps(&self, distance: f64) -> i16 {
        (distance * self.per_m).ceil() as i16
    }
}

impl Coarse {
    /// Bounds nothing: its union with another bound is that bound.
    pub const EMPTY: Coarse = Coarse {
        lo: [i16::MAX; PLACES],
        minus_hi: [i16::MAX; PLACES],
    };

    /// Bounds every point within `radius` of the segment from `a` to `b` (m).
    #[inline(always)]
    pub fn tube(grid: &Grid, a: DVec3, b: DVec3, radius: f64) -> Coarse {
        let [pa, pb] = [a, b].map(|x| project((x - grid.centre) * grid.per_m));
        // some dozen roundings of coordinates, and of numbers of steps
        let rounding =
            64.0 * f64::EPSILON * (grid.largest + a.abs().max_element() + b.abs().max_element());
        let r = (radius + rounding) * grid.per_m + 1.0e-6;
        let mut bound = Coarse::EMPTY;
        for k in 0..PLACES {
            let (low, high) = if pa[k] < pb[k] {
                (pa[k], pb[k])
            } else {
                (pb[k], pa[k])
            };
            bound.lo[k] = floor(low - r);
            bound.minus_hi[k] = floor(-high - r);
        }
        bound
    }

    /// The bound whose least values and minus whose greatest are given axis by axis.
    pub fn along(axes: impl Fn(usize) -> (i16, i16)) -> Coarse {
        let mut bound = Coarse {
            lo: [0; PLACES],
            minus_hi: [0; PLACES],
        };
        for k in 0..AXES {
            (bound.lo[k], bound.minus_hi[k]) = axes(k);
        }
        bound
    }

    /// Bounds both.
    #[inline(always)]
    pub fn union(&self, other: &Coarse) -> Coarse {
        let mut bound = *self;
        for k in 0..PLACES {
            bound.lo[k] = bound.lo[k].min(other.lo[k]);
            bound.minus_hi[k] = bound.minus_hi[k].min(other.minus_hi[k]);
        }
        bound
    }

    /// The least values and minus the greatest, axis by axis.
    #[inline(always)]
    pub fn axes(&self) -> (&[i16; PLACES], &[i16; PLACES]) {
        (&self.lo, &self.minus_hi)
    }

    /// Whether points of the two may be within some steps of each other, as far as the projections can tell.
    #[inline(always)]
    pub fn near(&self, other: &Coarse, steps: i16) -> bool {
        let mut apart = false;
        for k in 0..PLACES {
            let above = self.lo[k].saturating_add(other.minus_hi[k]);
            let below = self.minus_hi[k].saturating_add(other.lo[k]);
            apart |= above.max(below) > steps;
        }
        !apart
    }
}

/// A whole number of those that are kept, at most as large and less than two smaller.
#[inline(always)]
fn floor(steps: f64) -> i16 {
    // so large that its last bits are whole numbers, those of negative ones too
    const WHOLE: f64 = 1.5 * (1u64 << 52) as f64;
    let kept = if steps < MOST { steps } else { MOST };
    let kept = if kept > -MOST { kept } else { -MOST };
    (kept - 0.5 + WHOLE).to_bits() as i16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::detect::dop::Dop;
    use rand::{RngExt, SeedableRng};

    /// What single precision calls near is near in steps, also what lies partly or wholly outside of the grid, and
    /// inside of it steps hardly call anything else near.
    #[test]
    fn nothing_near_is_called_apart() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(31);
        let (mut near, mut more) = (0, 0);
        for round in 0..20_000 {
            let size = [0.3, 1.0, 30.0, 1.0e4][round % 4];
            let mut point = || DVec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0)));
            let far = point() * 10.0;
            let grid = Grid::between(far - DVec3::ONE, far + DVec3::ONE);
            let ends = [(); 4].map(|()| far + point() * size);
            let radii = [0.05 * size, 0.02];
            let [a, b] = [0, 1].map(|i| (ends[2 * i], ends[2 * i + 1], radii[i]));
            let distance = 0.1 * size;
            let [fine_a, fine_b] = [a, b].map(|(x, y, r)| Dop::tube(x, y, r));
            let [a, b] = [a, b].map(|(x, y, r)| Coarse::tube(&grid, x, y, r));
            let expected = fine_a.within(&fine_b, distance);
            let found = a.near(&b, grid.steps(distance));
            // single precision rounds outwards, too, by 3e-6 of coordinates up to 10
            assert!(found || !fine_a.within(&fine_b, distance - 1.0e-5 * size.max(10.0)));
            if size < 1.0 {
                near += u32::from(expected);
                more += u32::from(found && !expected);
            }
        }
        assert!(
            near > 1_000 && more < 10,
            "{near} near, {more} only in steps"
        );
    }

    /// Points that touch are near at any place, and one step farther away than asked they are not.
    #[test]
    fn rounding_goes_outwards() {
        for k in 0..2000 {
            let at = 1.0e-3 * 1.013f64.powi(k % 1000) * if k < 1000 { 1.0 } else { -1.0 };
            let (p, d) = (DVec3::new(at, -0.7 * at, 0.3 * at), 1.0e-3);
            let grid = Grid::between(p - DVec3::ONE, p + DVec3::ONE);
            let bound = |x: DVec3| Coarse::tube(&grid, x, x, 0.0);
            for axis in [DVec3::X, DVec3::Y, DVec3::new(0.6, 0.0, 0.8)] {
                let (a, b) = (bound(p), bound(p + axis * d));
                assert!(
                    a.near(&b, grid.steps(d)) && b.near(&a, grid.steps(d)),
                    "{p}"
                );
            }
            let (a, b) = (bound(p), bound(p + DVec3::X * 2.0 * d));
            assert!(!a.near(&b, grid.steps(d)), "{p}");
        }
    }

    #[test]
    fn unions_hold_both_and_nothing_adds_nothing() {
        let grid = Grid::default();
        let at = |x: f64| Coarse::tube(&grid, DVec3::splat(x), DVec3::splat(x), 0.0);
        let both = at(-1.0e-10).union(&at(1.0e-10));
        assert_eq!(both.union(&at(1.0e-10)), both);
        assert_eq!(Coarse::EMPTY.union(&both), both);
        assert!(both.near(&at(1.0e-10), 0) && !at(-1.0e-10).near(&at(1.0e-10), 0));
        // outside of the grid all is one place
        assert!(at(1.0).near(&at(2.0), 0));
    }
}
