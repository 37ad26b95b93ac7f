//! Closest points of two cores with numbered corners (Gilbert, Johnson and Keerthi), beginning from
//! the corners where an earlier search ended: bodies in contact hardly change theirs.
//!
//! Cores that touch or overlap are left to others, and so is what rounding keeps from being certain.

use super::candidate::Witness;
use super::faces::Solid;
use crate::{Mat3, Pose, Vec3};

/// Visits after which the search gives up.
const ROUNDS: usize = 48;
/// Cores closer than this count as touching, metres.
const TOUCHING: f64 = 1e-7;
/// Relative accuracy of the squared distance that is aimed at, and the least that is accepted.
const ACCURACY: f64 = 1e-13;
const ACCEPTED: f64 = 1e-7;
/// Relative height below which four vertices count as lying in a plane.
const FLAT: f64 = 1e-9;

/// Corners of both cores where a search ended; none of them before the first search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Corners {
    /// Numbers of corners, one of either core; the first `count` are valid.
    pub ids: [[u16; 2]; 3],
    /// How many there are.
    pub count: u16,
}

/// What a search has found.
pub(super) enum Outcome {
    /// The cores are farther apart than asked for.
    Apart,
    /// The closest points.
    Found(Witness),
    /// The cores touch, or have no numbered corners.
    Unclear,
}

/// A difference of two corners, in the first core's frame.
#[derive(Clone, Copy, Default)]
struct Vertex {
    point: Vec3,
    ids: [u16; 2],
}

/// At most four vertices, and the weights of their point closest to the origin.
#[derive(Default)]
struct Simplex {
    vertices: [Vertex; 4],
    weights: [f64; 3],
    count: usize,
}

/// Searches the closest points of two cores within `limit` metres; `relative` is the pose of the second
/// one in the first one's frame. `corners` are where to begin, and then where the search has ended.
pub(super) fn closest(
    [a, b]: &[Solid; 2],
    relative: &Pose,
    limit: f64,
    corners: &mut Corners,
) -> Outcome {
    let counts = [a.corners(), b.corners()];
    if counts.contains(&0) {
        return Outcome::Unclear;
    }
    let turn = Mat3::from_quat(relative.rotation);
    let back = turn.transpose();
    let place = |q: Vec3| turn * q + relative.translation;
    let vertex = |ids: [u16; 2]| Vertex {
        point: a.corner(ids[0]) - place(b.corner(ids[1])),
        ids,
    };
    let support = |direction: Vec3| {
        let ids = [a.farthest(direction), b.farthest(back * -direction)];
        vertex(ids)
    };
    let mut simplex = Simplex::default();
    // A body may have got another shape since.
    let exists = |ids: &&[u16; 2]| ids[0] < counts[0] && ids[1] < counts[1];
    let known = corners.ids.iter().take(usize::from(corners.count));
    for ids in known.filter(exists) {
        simplex.push(vertex(*ids));
    }
    if simplex.count == 0 {
        simplex.push(support(relative.translation));
    }
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let Some(near) = simplex.reduce() else {
            return Outcome::Unclear;
        };
        let square = near.length_squared();
        if square <= TOUCHING * TOUCHING {
            return Outcome::Unclear;
        }
        *corners = simplex.corners();
        // When rounding is all that is left, the distance no longer falls.
        let is_stuck = square >= least;
        least = least.min(square);
        let next = support(-near);
        let along = near.dot(next.point);
        if along > 0.0 && along * along > limit * limit * square {
            return Outcome::Apart;
        }
        let excess = square - along;
        if is_stuck || excess <= ACCURACY * square || simplex.contains(next.ids) {
            let is_certain = excess <= ACCEPTED * square;
            return if is_certain {
                Outcome::Found(simplex.witness(a, b, near, place))
            } else {
                Outcome::Unclear
            };
        }
        simplex.push(next);
    }
    Outcome::Unclear
}

impl Simplex {
    fn push(&mut self, vertex: Vertex) {
        self.vertices[self.count] = vertex;
        self.count += 1;
    }

    fn contains(&self, ids: [u16; 2]) -> bool {
        self.vertices[..self.count].iter().any(|v| v.ids == ids)
    }

    fn corners(&self) -> Corners {
        let mut corners = Corners::default();
        for vertex in &self.vertices[..self.count.min(3)] {
            corners.ids[usize::from(corners.count)] = vertex.ids;
            corners.count += 1;
        }
        corners
    }

    fn keep<const N: usize>(&mut self, places: [usize; N], weights: [f64; N]) {
        let old = self.vertices;
        for k in 0..N {
            self.vertices[k] = old[places[k]];
            self.weights[k] = weights[k];
        }
        self.count = N;
    }

    /// Drops the vertices that the closest point to the origin does not need; returns that point, or
    /// nothing if the origin lies inside.
    fn reduce(&mut self) -> Option<Vec3> {
        match self.count {
            1 => Some(self.reduce_vertex(0)),
            2 => Some(self.reduce_edge(0, 1)),
            3 => Some(self.reduce_face(0, 1, 2)),
            _ => self.reduce_solid(),
        }
    }

    fn reduce_vertex(&mut self, i: usize) -> Vec3 {
        self.keep([i], [1.0]);
        self.vertices[0].point
    }

    fn reduce_edge(&mut self, i: usize, j: usize) -> Vec3 {
        let (a, b) = (self.vertices[i].point, self.vertices[j].point);
        let ab = b - a;
        let (along, length) = (-a.dot(ab), ab.length_squared());
        if along <= 0.0 {
            return self.reduce_vertex(i);
        }
        if along >= length {
            return self.reduce_vertex(j);
        }
        let share = along / length;
        self.keep([i, j], [1.0 - share, share]);
        a + ab * share
    }

    /// By the regions around a triangle in which a point may lie.
    fn reduce_face(&mut self, i: usize, j: usize, k: usize) -> Vec3 {
        let [a, b, c] = [i, j, k].map(|place| self.vertices[place].point);
        let (ab, ac) = (b - a, c - a);
        let (a_b, a_c) = (-ab.dot(a), -ac.dot(a));
        if a_b <= 0.0 && a_c <= 0.0 {
            return self.reduce_vertex(i);
        }
        let (b_b, b_c) = (-ab.dot(b), -ac.dot(b));
        if b_b >= 0.0 && b_c <= b_b {
            return self.reduce_vertex(j);
        }
        let over_c = a_b * b_c - b_b * a_c;
        if over_c <= 0.0 && a_b >= 0.0 && b_b <= 0.0 {
            return self.reduce_edge(i, j);
        }
        let (c_b, c_c) = (-ab.dot(c), -ac.dot(c));
        if c_c >= 0.0 && c_b <= c_c {
            return self.reduce_vertex(k);
        }
        let over_b = c_b * a_c - a_b * c_c;
        if over_b <= 0.0 && a_c >= 0.0 && c_c <= 0.0 {
            return self.reduce_edge(i, k);
        }
        let over_a = b_b * c_c - c_b * b_c;
        if over_a <= 0.0 && b_c >= b_b && c_b >= c_c {
            return self.reduce_edge(j, k);
        }
        let total = over_a + over_b + over_c;
        if total <= 0.0 {
            return self.reduce_thin_face(i, j, k);
        }
        self.keep([i, j, k], [over_a / total, over_b / total, over_c / total]);
        let across = ab.cross(ac);
        across * (across.dot(a) / across.length_squared())
    }

    /// Three vertices in a line: the closest edge.
    fn reduce_thin_face(&mut self, i: usize, j: usize, k: usize) -> Vec3 {
        let mut best = (f64::INFINITY, [i, j]);
        for [from, to] in [[i, j], [i, k], [j, k]] {
            let mut edge = Simplex {
                vertices: self.vertices,
                ..Simplex::default()
            };
            let square = edge.reduce_edge(from, to).length_squared();
            if square < best.0 {
                best = (square, [from, to]);
            }
        }
        let [from, to] = best.1;
        self.reduce_edge(from, to)
    }

    fn reduce_solid(&mut self) -> Option<Vec3> {
        let mut best: Option<(f64, Simplex, Vec3)> = None;
        for [i, j, k, opposite] in [[0, 1, 2, 3], [0, 1, 3, 2], [0, 2, 3, 1], [1, 2, 3, 0]] {
            let [a, b, c, d] = [i, j, k, opposite].map(|place| self.vertices[place].point);
            let across = (b - a).cross(c - a);
            let (origin, inside) = (-a.dot(across), (d - a).dot(across));
            let is_flat = inside.abs() <= FLAT * across.length() * (d - a).length();
            if origin * inside > 0.0 && !is_flat {
                continue;
            }
            let mut face = Simplex {
                vertices: self.vertices,
                ..Simplex::default()
            };
            let near = face.reduce_face(i, j, k);
            let square = near.length_squared();
            if best.as_ref().is_none_or(|(least, _, _)| square < *least) {
                best = Some((square, face, near));
            }
        }
        let (_, face, near) = best?;
        *self = face;
        Some(near)
    }

    fn witness(&self, a: &Solid, b: &Solid, near: Vec3, place: impl Fn(Vec3) -> Vec3) -> Witness {
        let (mut on_a, mut on_b) = (Vec3::ZERO, Vec3::ZERO);
        for (vertex, &weight) in self.vertices[..self.count].iter().zip(&self.weights) {
            on_a += a.corner(vertex.ids[0]) * weight;
            on_b += b.corner(vertex.ids[1]) * weight;
        }
        let distance = near.length();
        Witness {
            points: [on_a, place(on_b)],
            outward: near / -distance,
            distance,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::collider::{Collider, SolidPart};
    use crate::contact::proximity;
    use crate::{Part, Quat, Shape};
    use proptest::prelude::*;

    fn part(shape: Shape) -> SolidPart {
        let collider = Collider::new(&[Part::centred(shape)], Pose::IDENTITY).expect("a solid");
        collider.parts[0].clone()
    }

    /// A box, a slab, a needle, and hulls of points on an ellipsoid.
    fn shape(kind: u8, size: f64) -> Shape {
        let half = |x: f64, y: f64, z: f64| Shape::Box {
            half_extents: Vec3::new(x, y, z) * size,
        };
        match kind {
            0 => half(1.0, 1.0, 1.0),
            1 => half(3.0, 0.02, 2.0),
            2 => half(0.01, 2.0, 0.01),
            count => {
                let points = (0..4 + 4 * u32::from(count)).map(|k| {
                    let (k, turn) = (f64::from(k), 2.399_963 * f64::from(k));
                    let y = 0.9 - 1.8 * (k + 0.5) / f64::from(4 + 4 * u32::from(count));
                    let r = (1.0 - y * y).sqrt();
                    Vec3::new(r * libm::cos(turn), y, 0.7 * r * libm::sin(turn)) * size
                });
                Shape::Hull {
                    points: points.collect(),
                }
            }
        }
    }

    fn distance(found: &Outcome) -> Option<f64> {
        match found {
            Outcome::Found(witness) => Some(witness.distance),
            _ => None,
        }
    }

    proptest! {
        /// From whatever corners the search begins, it ends at the distance that parry knows, or says
        /// that it does not know.
        #[test]
        fn the_distance_is_found_from_everywhere(
            kinds in (0u8..7, 0u8..7),
            sizes in (0.05f64..2.0, 0.05f64..2.0),
            turn in (-1.0f64..1.0, -1.0f64..1.0, -1.0f64..1.0, 0.1f64..1.0),
            way in (-1.0f64..1.0, -1.0f64..1.0, -1.0f64..1.0),
            apart in 0.0f64..2.0,
            start in prop::array::uniform3((0u16..40, 0u16..40)),
            count in 0u16..4,
        ) {
            let parts = [part(shape(kinds.0, sizes.0)), part(shape(kinds.1, sizes.1))];
            let solids = [0, 1].map(|k| Solid::of(&parts[k]).expect("a solid core"));
            let way = Vec3::new(way.0, way.1, way.2).normalize_or(Vec3::X);
            let reach = parts[0].reach.min(parts[1].reach) + 0.7 * parts[0].reach.max(parts[1].reach);
            let relative = Pose {
                rotation: Quat::from_xyzw(turn.0, turn.1, turn.2, turn.3).normalize(),
                translation: way * (reach * (0.5 + apart)),
            };
            let expected = proximity(&parts[0], &Pose::IDENTITY, &parts[1], &relative).gap;
            let mut corners = Corners { ids: start.map(|(i, j)| [i, j]), count };
            let found = closest(&solids, &relative, f64::MAX, &mut corners);
            if expected > 1e-6 {
                let known = distance(&found);
                prop_assert!(known.is_none_or(|d| (d - expected).abs() < 1e-9 + 1e-7 * expected));
                prop_assert!(!matches!(found, Outcome::Apart));
                prop_assert!(expected < 1e-4 || known.is_some());
                // What it ended with is a good place to begin, and the search knows what is apart.
                let again = closest(&solids, &relative, 1.01 * expected, &mut corners);
                prop_assert!(!matches!(again, Outcome::Apart));
                let far = closest(&solids, &relative, 0.99 * expected, &mut corners);
                prop_assert!(distance(&far).is_none());
            } else {
                prop_assert!(distance(&found).is_none_or(|d| d < 1e-5));
            }
        }
    }
}
