//! How deep two convex sets overlap, and along which direction they are parted soonest: the expanding polytope
//! of van den Bergen, written so that flat and degenerate sets are ordinary cases. The set of differences of their
//! points holds the origin as long as they overlap; a polytope inside it grows towards the face of its
//! surface that is nearest to the origin. Signed distances decide: a polytope that does not hold the origin
//! yet grows over it, and sets that do not overlap after all come out with a negative depth.

use crate::Vec3;

/// Faces are tried this often at most; round sets come close enough long before.
const ROUNDS: usize = 96;
/// Growth that does not matter, by the size of the set.
const ENOUGH: f64 = 1e-10;

/// Where two convex sets overlap the least.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Depth {
    /// The point of the first set that is deepest in the second.
    pub on_a: Vec3,
    /// The point of the second set that is deepest in the first.
    pub on_b: Vec3,
    /// Unit vector out of the first set: it leaves the second against this direction.
    pub outward: Vec3,
    /// How far it has to go, metres; negative if they are apart.
    pub depth: f64,
}

/// A point of the set of differences, and the points that it is the difference of.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    at: Vec3,
    of: [Vec3; 2],
}

#[derive(Clone, Copy, Debug)]
struct Face {
    corners: [usize; 3],
    normal: Vec3,
    /// Of its plane from the origin, along the normal.
    distance: f64,
}

/// The least overlap of two sets; `farthest` gives the point of the first that lies farthest along a direction and
/// the point of the second that lies farthest against it. None if a number is not finite.
pub(crate) fn least_overlap(farthest: impl Fn(Vec3) -> [Vec3; 2]) -> Option<Depth> {
    let vertex = |direction: Vec3| {
        let of = farthest(direction);
        Vertex {
            at: of[0] - of[1],
            of,
        }
    };
    let mut polytope = match Polytope::begin(&vertex) {
        Ok(polytope) => polytope,
        Err(flat) => return flat_overlap(flat?, &vertex),
    };
    for _ in 0..ROUNDS {
        let nearest = polytope.nearest()?;
        let reached = vertex(nearest.normal);
        let gain = nearest.normal.dot(reached.at) - nearest.distance;
        if gain.is_nan() {
            return None;
        }
        if gain <= ENOUGH * polytope.size || !polytope.grow(reached) {
            break;
        }
    }
    let nearest = polytope.nearest()?;
    Some(polytope.depth_at(&nearest))
}

/// The least overlap of sets whose differences lie in a plane (or nearly), across `normal`.
fn flat_overlap(normal: Vec3, vertex: &impl Fn(Vec3) -> Vertex) -> Option<Depth> {
    let [one, other] = [normal, -normal].map(|n| (n, vertex(n)));
    let height = |(n, v): &(Vec3, Vertex)| n.dot(v.at);
    let (outward, found) = if height(&one) <= height(&other) {
        one
    } else {
        other
    };
    let depth = outward.dot(found.at);
    let finite = depth.is_finite() && outward.is_finite();
    finite.then_some(Depth {
        on_a: found.of[0],
        on_b: found.of[1],
        outward,
        depth,
    })
}

struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    /// Edges around what the newest vertex sees.
    rim: Vec<[usize; 2]>,
    /// Extent of the set, metres.
    size: f64,
}

impl Polytope {
    /// A tetrahedron; or the direction across which the set is flat, if it has any extent at all.
    fn begin(vertex: &impl Fn(Vec3) -> Vertex) -> Result<Self, Option<Vec3>> {
        let axes = [Vec3::X, Vec3::Y, Vec3::Z];
        let spans = axes.map(|axis| [vertex(axis), vertex(-axis)]);
        let length = |[a, b]: &[Vertex; 2]| (a.at - b.at).length();
        let widest = (0..3).fold(0, |best, i| {
            if length(&spans[i]) > length(&spans[best]) {
                i
            } else {
                best
            }
        });
        let [a, b] = spans[widest];
        let size = length(&spans[widest]);
        if !size.is_finite() {
            return Err(None);
        }
        let thin = 1e-9 * size;
        let Some(line) = (b.at - a.at).try_normalize().filter(|_| size > 0.0) else {
            return Err(Some(Vec3::Y));
        };
        // The vertex farthest from the line, and then from the plane.
        let side = line.any_orthonormal_vector();
        let around = [side, line.cross(side)];
        let off_line = |v: &Vertex| {
            let arm = v.at - a.at;
            (arm - line * line.dot(arm)).length()
        };
        let candidates = around.map(|d| [vertex(d), vertex(-d)]);
        let c = farther(candidates.as_flattened(), off_line);
        if off_line(&c) <= thin {
            return Err(Some(side));
        }
        let normal = (b.at - a.at).cross(c.at - a.at).normalize_or(side);
        let off_plane = |v: &Vertex| normal.dot(v.at - a.at).abs();
        let d = farther(&[vertex(normal), vertex(-normal)], off_plane);
        if off_plane(&d) <= thin {
            return Err(Some(normal));
        }
        let mut polytope = Polytope {
            vertices: vec![a, b, c, d],
            faces: Vec::with_capacity(32),
            rim: Vec::new(),
            size,
        };
        let is_above = normal.dot(d.at - a.at) > 0.0;
        let corners = [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]];
        for [i, j, k] in corners {
            let turned = if is_above { [i, k, j] } else { [i, j, k] };
            if !polytope.add(turned) {
                return Err(Some(normal));
            }
        }
        Ok(polytope)
    }

    /// Adds a face whose corners turn counter-clockwise as seen from outside; false if it has no area.
    fn add(&mut self, corners: [usize; 3]) -> bool {
        let [a, b, c] = corners.map(|i| self.vertices[i].at);
        let Some(normal) = (b - a).cross(c - a).try_normalize() else {
            return false;
        };
        self.faces.push(Face {
            corners,
            normal,
            distance: normal.dot(a),
        });
        true
    }

    /// The face nearest to the origin; one that does not have the origin behind it comes first.
    fn nearest(&self) -> Option<Face> {
        let nearer = |a: &&Face, b: &&Face| a.distance.total_cmp(&b.distance);
        self.faces.iter().min_by(nearer).copied()
    }

    /// Takes in a vertex; false, and nothing done, if that would not make it a better polytope.
    fn grow(&mut self, vertex: Vertex) -> bool {
        // Faces in whose plane it lies are none the better for it.
        let least = 1e-13 * self.size;
        let sees = |face: &Face| face.normal.dot(vertex.at) - face.distance > least;
        self.rim.clear();
        for face in self.faces.iter().filter(|f| sees(f)) {
            let [a, b, c] = face.corners;
            for edge in [[a, b], [b, c], [c, a]] {
                // An edge between two faces that are seen is not on the rim.
                match self.rim.iter().position(|[from, to]| [*to, *from] == edge) {
                    Some(place) => {
                        self.rim.swap_remove(place);
                    }
                    None => self.rim.push(edge),
                }
            }
        }
        let kept: Vec<Face> = self.faces.iter().filter(|f| !sees(f)).copied().collect();
        if self.rim.len() < 3 {
            return false;
        }
        let before = std::mem::replace(&mut self.faces, kept);
        let newest = self.vertices.len();
        self.vertices.push(vertex);
        let rim = std::mem::take(&mut self.rim);
        let is_whole = rim.iter().all(|&[from, to]| self.add([from, to, newest]));
        self.rim = rim;
        if !is_whole {
            self.faces = before;
            self.vertices.pop();
        }
        is_whole
    }

    /// What a face says of the overlap.
    fn depth_at(&self, face: &Face) -> Depth {
        let corners = face.corners.map(|i| self.vertices[i]);
        let foot = face.normal * face.distance;
        let weights = weights(corners.map(|v| v.at), face.normal, foot);
        let mix = |side: usize| -> Vec3 {
            let share = |k: usize| corners[k].of[side] * weights[k];
            share(0) + share(1) + share(2)
        };
        Depth {
            on_a: mix(0),
            on_b: mix(1),
            outward: face.normal,
            depth: face.distance,
        }
    }
}

/// The candidate with the greatest measure, the first one of equals.
fn farther(candidates: &[Vertex], measure: impl Fn(&Vertex) -> f64) -> Vertex {
    let mut best = candidates[0];
    for candidate in &candidates[1..] {
        if measure(candidate) > measure(&best) {
            best = *candidate;
        }
    }
    best
}

/// Barycentric weights of a point of a triangle's plane, none of them negative.
pub(crate) fn weights([a, b, c]: [Vec3; 3], normal: Vec3, point: Vec3) -> [f64; 3] {
    let area = normal.length_squared();
    let of = |from: Vec3, to: Vec3| ((to - from).cross(point - from).dot(normal) / area).max(0.0);
    let [wa, wb, wc] = [of(b, c), of(c, a), of(a, b)];
    let sum = wa + wb + wc;
    if sum > 0.0 {
        [wa / sum, wb / sum, wc / sum]
    } else {
        [1.0 / 3.0; 3]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cuboid(centre: Vec3, half: Vec3, direction: Vec3) -> Vec3 {
        centre + half.copysign(direction)
    }

    fn disc(centre: Vec3, radius: f64, half: f64, direction: Vec3) -> Vec3 {
        let flat = Vec3::new(direction.x, 0.0, direction.z).normalize_or_zero();
        centre + flat * radius + Vec3::Y * half.copysign(direction.y)
    }

    #[test]
    fn boxes_are_parted_across_the_shallowest_face() {
        let overlap = |at: Vec3| {
            least_overlap(|d| {
                [
                    cuboid(at, Vec3::ONE, d),
                    cuboid(Vec3::ZERO, Vec3::new(2.0, 1.0, 1.0), -d),
                ]
            })
        };
        let found = overlap(Vec3::new(2.75, 0.1, -0.2)).expect("an overlap");
        assert!((found.depth - 0.25).abs() < 1e-12, "{found:?}");
        assert!(found.outward.dot(Vec3::X) < -1.0 + 1e-12, "{found:?}");
        let apart = found.on_a - found.on_b - found.outward * found.depth;
        assert!(apart.length() < 1e-9, "{found:?}");
        // Apart after all: the depth is the gap along the best of the faces, with a minus.
        let found = overlap(Vec3::new(3.5, 0.0, 0.0)).expect("a gap");
        assert!((found.depth + 0.5).abs() < 1e-12, "{found:?}");
    }

    /// A triangle that pierces a flat disc: the way out is through a face of the disc or out of its rim, and never
    /// longer than either.
    #[test]
    fn triangles_leave_discs_the_shortest_way() {
        let mut seed = 1u64;
        let mut next = || {
            seed = seed
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (seed >> 11) as f64 / (1u64 << 53) as f64 - 0.5
        };
        for round in 0..500 {
            let scale = [1.0, 1e-3, 1e-12][round % 3];
            let mut corner = || Vec3::new(next(), next() * scale, next());
            let corners = [corner(), corner(), corner()];
            let centre = (corners[0] + corners[1] + corners[2]) / 3.0;
            let (radius, half) = (0.06, 0.008);
            let support = |d: Vec3| {
                let along = |c: &Vec3| c.dot(d);
                let best = corners.iter().max_by(|a, b| along(a).total_cmp(&along(b)));
                [*best.expect("three"), disc(centre, radius, half, -d)]
            };
            let found = least_overlap(support).expect("an overlap");
            // Any direction gives an upper bound; the axes of the disc and the triangle's normal are good ones.
            let normal = (corners[1] - corners[0]).cross(corners[2] - corners[0]);
            for direction in [Vec3::Y, Vec3::X, Vec3::Z, normal.normalize_or(Vec3::Y)] {
                for direction in [direction, -direction] {
                    let [a, b] = support(direction);
                    let bound = direction.dot(a - b);
                    assert!(found.depth <= bound + 1e-6, "{round}: {found:?} {bound}");
                }
            }
            // Along the direction found it is no less than what the support says, to the rounds that round sets get.
            let [a, b] = support(found.outward);
            let along = found.outward.dot(a - b);
            assert!(
                (along - found.depth).abs() < 1e-4,
                "{round}: {found:?} {along}"
            );
            assert!(found.depth > -1e-9, "{round}: {found:?}");
        }
    }

    #[test]
    fn what_has_no_extent_is_no_trouble() {
        let point = least_overlap(|_| [Vec3::ONE, Vec3::ONE]).expect("a point");
        assert_eq!(point.depth, 0.0);
        let line = least_overlap(|d| [Vec3::X.copysign(Vec3::splat(d.x)) * Vec3::X, Vec3::ZERO]);
        assert!(line.expect("a line").depth.abs() < 1e-12);
        assert!(least_overlap(|_| [Vec3::NAN, Vec3::ZERO]).is_none());
    }
}
