//! Closest points of vertex-face and edge-edge pairs, as one weight for each vertex of the stencil:
//! the separation is r = sum w_i x_i, the first primitive's weights summing to 1, the second's to -1.
//! The distance found is that of two actual points, so it is never too small; a separating slab
//! (`gap`) is the matching bound from below.

use crate::acm::Kind;
use glamx::DVec3;

/// Closest points of a pair.
#[derive(Debug, Clone, Copy)]
pub struct Closest {
    /// Weight of each vertex of the stencil in the separation.
    pub weights: [f64; 4],
    /// From the second primitive to the first, in m.
    pub separation: DVec3,
}

/// Closest points of the pair with vertices `x`.
#[inline]
pub fn closest(kind: Kind, x: &[DVec3; 4]) -> Closest {
    let weights = match kind {
        Kind::VertexFace => {
            let b = closest_on_triangle(x[0], x[1], x[2], x[3]);
            [1.0, -b[0], -b[1], -b[2]]
        }
        Kind::EdgeEdge => {
            let (s, t) = closest_on_segments(x[0], x[1], x[2], x[3]);
            [1.0 - s, s, t - 1.0, -t]
        }
    };
    let separation = match kind {
        Kind::VertexFace => {
            (x[0] - x[1]) * -weights[1] + (x[0] - x[2]) * -weights[2] + (x[0] - x[3]) * -weights[3]
        }
        Kind::EdgeEdge => (x[0] - x[2]) + (x[1] - x[0]) * weights[1] + (x[3] - x[2]) * weights[3],
    };
    Closest {
        weights,
        separation,
    }
}

/// Width of the slab with unit normal `n` that separates the two primitives; negative if none does.
#[inline]
pub fn gap(kind: Kind, projected: &[f64; 4]) -> f64 {
    let p = projected;
    match kind {
        Kind::VertexFace => p[0] - p[1].max(p[2]).max(p[3]),
        Kind::EdgeEdge => p[0].min(p[1]) - p[2].max(p[3]),
    }
}

/// Barycentric coordinates of the point of triangle abc closest to p, by Voronoi regions.
#[inline]
fn closest_on_triangle(p: DVec3, a: DVec3, b: DVec3, c: DVec3) -> [f64; 3] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [1.0, 0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [0.0, 1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        let v = d1 / (d1 - d3);
        return [1.0 - v, v, 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        let w = d2 / (d2 - d6);
        return [1.0 - w, 0.0, w];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 >= d3 && d5 >= d6 {
        let w = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [0.0, 1.0 - w, w];
    }
    let total = va + vb + vc;
    let (v, w) = (vb / total, vc / total);
    [1.0 - v - w, v, w]
}

/// Parameters of the closest points of segments p0p1 and q0q1.
#[inline]
fn closest_on_segments(p0: DVec3, p1: DVec3, q0: DVec3, q1: DVec3) -> (f64, f64) {
    let (d1, d2, r) = (p1 - p0, q1 - q0, p0 - q0);
    let (a, e, f) = (d1.length_squared(), d2.length_squared(), d2.dot(r));
    if a == 0.0 && e == 0.0 {
        return (0.0, 0.0);
    }
    if a == 0.0 {
        return (0.0, (f / e).clamp(0.0, 1.0));
    }
    let c = d1.dot(r);
    if e == 0.0 {
        return ((-c / a).clamp(0.0, 1.0), 0.0);
    }
    let b = d1.dot(d2);
    let determinant = a * e - b * b;
    let s = if determinant > 0.0 {
        ((b * f - c * e) / determinant).clamp(0.0, 1.0)
    } else {
        0.0
    };
    let t = (b * s + f) / e;
    if t < 0.0 {
        ((-c / a).clamp(0.0, 1.0), 0.0)
    } else if t > 1.0 {
        (((b - c) / a).clamp(0.0, 1.0), 1.0)
    } else {
        (s, t)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, RngExt, SeedableRng};

    fn point(rng: &mut impl Rng) -> DVec3 {
        DVec3::new(
            rng.random::<f64>(),
            rng.random::<f64>(),
            rng.random::<f64>(),
        )
    }

    /// The slab through the closest points is as wide as their distance (duality), for random
    /// pairs that are apart; the tolerance is rounding over coordinates of size 1.
    #[test]
    fn closest_points_and_slab_agree() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(5);
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            for _ in 0..20_000 {
                let x = [0; 4].map(|_| point(&mut rng));
                let c = closest(kind, &x);
                let d = c.separation.length();
                if d < 1e-3 {
                    continue;
                }
                let n = c.separation / d;
                let width = gap(kind, &x.map(|p| p.dot(n)));
                assert!(
                    (width - d).abs() < 1e-11,
                    "{kind:?} {x:?}: slab {width}, distance {d}"
                );
                let sum: f64 = c.weights.iter().sum();
                assert!(sum.abs() < 1e-14);
            }
        }
    }
}
