//! Conservative continuous collision detection for linear motion: the fail-safe of the narrow phase
//! (Ainsley, section 3). It may report a contact that is not there, it never misses one.
//!
//! For a fixed direction n the slab width min n.a - max n.b is concave in time, so a width that
//! suffices at two instants suffices between them. Time is covered with such intervals; whatever
//! cannot be covered is reported. Every comparison leaves room for the rounding of its inputs.

use crate::acm::Kind;
use crate::acm::detect::distance::{closest, gap};
use glamx::DVec3;

/// Intervals tried before giving up and reporting a contact.
const INTERVALS_MAX: usize = 4096;
/// Rounding of one projection: coordinates relative to a local origin pass through a subtraction,
/// an interpolation and a dot product, each at most a few units in the last place of the largest
/// coordinate; 32 of them bound the sum, twice that one slab.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Whether the stencil may come within `thickness` (m) while it moves straight from `start` to
/// `end`; false only if the whole motion is certified to stay farther apart.
pub fn may_come_within(kind: Kind, start: &[DVec3; 4], end: &[DVec3; 4], thickness: f64) -> bool {
    let motion = Motion::new(kind, start, end, thickness);
    let mut open = vec![(0.0, 1.0)];
    for _ in 0..INTERVALS_MAX {
        let Some((a, b)) = open.pop() else {
            return false;
        };
        let middle = 0.5 * (a + b);
        let Some((from, to)) = motion.certified_around(middle) else {
            return true;
        };
        let indivisible = middle <= a || middle >= b;
        if indivisible && (from > a || to < b) {
            return true;
        }
        if to < b {
            open.push((to, b));
        }
        if from > a {
            open.push((a, from));
        }
    }
    true
}

/// The motion in coordinates relative to its own first point.
struct Motion {
    kind: Kind,
    start: [DVec3; 4],
    travel: [DVec3; 4],
    /// Width that a slab must keep, rounding included, in m.
    need: f64,
}

impl Motion {
    fn new(kind: Kind, start: &[DVec3; 4], end: &[DVec3; 4], thickness: f64) -> Motion {
        let origin = start[0];
        let (start, end) = (start.map(|p| p - origin), end.map(|p| p - origin));
        let scale = start
            .iter()
            .chain(&end)
            .fold(0.0f64, |s, p| s.max(p.abs().max_element()));
        let travel = [0, 1, 2, 3].map(|i| end[i] - start[i]);
        Motion {
            kind,
            start,
            travel,
            need: thickness + ROUNDING * scale.max(f64::MIN_POSITIVE),
        }
    }

    /// The interval around `t` in which one direction separates the pair widely enough.
    fn certified_around(&self, t: f64) -> Option<(f64, f64)> {
        let x = [0, 1, 2, 3].map(|i| self.start[i] + self.travel[i] * t);
        let near = closest(self.kind, &x);
        let distance = near.separation.length();
        if distance.is_nan() || distance <= self.need {
            return None;
        }
        let direct = near.separation / distance;
        std::iter::once(direct)
            .chain(self.other_directions(&x, direct))
            .find(|n| gap(self.kind, &x.map(|p| p.dot(*n))) >= self.need)
            .map(|n| self.covered(t, n))
    }

    /// Normals of faces and of pairs of edges, facing like `direct`: the closest points of nearly
    /// parallel edges are ill-conditioned, these are not.
    fn other_directions(&self, x: &[DVec3; 4], direct: DVec3) -> impl Iterator<Item = DVec3> {
        let crosses = match self.kind {
            Kind::VertexFace => {
                let normal = (x[2] - x[1]).cross(x[3] - x[1]);
                [
                    normal,
                    normal.cross(x[2] - x[1]),
                    normal.cross(x[3] - x[2]),
                    normal.cross(x[1] - x[3]),
                ]
            }
            Kind::EdgeEdge => {
                let (a, b, r) = (x[1] - x[0], x[3] - x[2], x[2] - x[0]);
                [
                    a.cross(b),
                    a.cross(r).cross(a),
                    b.cross(r).cross(b),
                    a.cross(r).cross(a + b),
                ]
            }
        };
        crosses.into_iter().filter_map(move |n| {
            n.try_normalize()
                .map(|n| if n.dot(direct) < 0.0 { -n } else { n })
        })
    }

    fn covered(&self, t: f64, n: DVec3) -> (f64, f64) {
        let at = self.start.map(|p| p.dot(n));
        let rate = self.travel.map(|p| p.dot(n));
        let (mut from, mut to) = (0.0f64, 1.0f64);
        let split = self.kind.first_len();
        for i in 0..split {
            for j in split..4 {
                let (width, slope) = (at[i] - at[j] - self.need, rate[i] - rate[j]);
                if slope > 0.0 {
                    from = from.max((-width / slope).min(t));
                } else if slope < 0.0 {
                    to = to.min((-width / slope).max(t));
                }
            }
        }
        (from, to)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: [DVec3; 3] = [DVec3::ZERO, DVec3::X, DVec3::Y];

    fn drop_onto_face(from: f64, to: f64, thickness: f64) -> bool {
        let stencil = |z: f64| [DVec3::new(0.25, 0.25, z), FACE[0], FACE[1], FACE[2]];
        may_come_within(Kind::VertexFace, &stencil(from), &stencil(to), thickness)
    }

    #[test]
    fn a_fall_is_judged_by_its_lowest_point() {
        assert!(drop_onto_face(1.0, -1.0, 0.0));
        assert!(drop_onto_face(1.0, 0.1, 0.1));
        assert!(!drop_onto_face(1.0, 0.100_000_001, 0.1));
        assert!(drop_onto_face(1.0, 0.0, 0.0), "touching at the end counts");
        assert!(
            drop_onto_face(0.0, 1.0, 0.0),
            "touching at the start counts"
        );
        assert!(!drop_onto_face(1.0, 1e-12, 0.0));
    }

    #[test]
    fn parallel_edges_that_pass_are_told_from_those_that_meet() {
        let a = [DVec3::ZERO, DVec3::X];
        let pass = |dy: f64| {
            let at = |z: f64| [a[0], a[1], DVec3::new(-2.0, dy, z), DVec3::new(3.0, dy, z)];
            may_come_within(Kind::EdgeEdge, &at(-1.0), &at(1.0), 0.0)
        };
        assert!(pass(0.0));
        assert!(!pass(1e-9));
    }
}
