//! How large a scene is: half-spaces have no end, and what stands for them in a file has the scene's size.

use super::keys::{Key, size};
use crate::model::{Body, Shape, ShapeAt};

/// A square of this many of the scene's radii on each side of its centre stands for a half-space.
const REACH: f64 = 1.5;
/// Scenes without any bounded body get this radius, m.
const RADIUS_WITHOUT_BODIES: f64 = 5.0;

/// A ball that holds what has an end, wherever it goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Extent {
    centre: [f64; 3],
    radius: f64,
}

impl Extent {
    /// The extent of bodies that move by `keys`.
    pub(crate) fn of(bodies: &[Body], keys: &[Vec<Key>]) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut take = |point: [f64; 3], reach: f64| {
            for i in 0..3 {
                low[i] = low[i].min(point[i] - reach);
                high[i] = high[i].max(point[i] + reach);
            }
        };
        for (body, keys) in bodies.iter().zip(keys) {
            let is_plane = |at: &ShapeAt| matches!(at.shape, Shape::HalfSpace { .. });
            if body.shapes.iter().any(is_plane) {
                continue;
            }
            keys.iter()
                .for_each(|key| take(key.state.position, size(body)));
            if let (true, Some(Shape::Mesh { vertices, .. })) =
                (keys.is_empty(), body.shapes.first().map(|at| &at.shape))
            {
                vertices.iter().for_each(|vertex| take(*vertex, 0.0));
            }
        }
        if low[0] > high[0] {
            return Extent {
                centre: [0.0; 3],
                radius: RADIUS_WITHOUT_BODIES,
            };
        }
        let half = std::array::from_fn(|i| 0.5 * (high[i] - low[i]));
        Extent {
            centre: std::array::from_fn(|i| low[i] + half[i]),
            radius: norm(half),
        }
    }

    /// Half the side of a half-space's square, m.
    pub(crate) fn half_side(&self) -> f64 {
        REACH * self.radius
    }

    /// The middle of a half-space's square in its own frame: the scene's centre, seen from a half-space
    /// at `place` and moved along the normal into its plane. Half-spaces are never turned.
    pub(crate) fn middle(&self, normal: [f64; 3], place: [f64; 3]) -> [f64; 3] {
        let length = norm(normal).max(f64::MIN_POSITIVE);
        let unit = normal.map(|x| x / length);
        let away: [f64; 3] = std::array::from_fn(|i| self.centre[i] - place[i]);
        let above: f64 = (0..3).map(|i| away[i] * unit[i]).sum();
        std::array::from_fn(|i| away[i] - above * unit[i])
    }

    /// The bodies with squares of the scene's size in the place of half-spaces.
    pub(crate) fn bounded(&self, bodies: &[Body], keys: &[Vec<Key>]) -> Vec<Body> {
        let mut bounded = bodies.to_vec();
        for (body, keys) in bounded.iter_mut().zip(keys) {
            let own = keys.first().map_or([0.0; 3], |key| key.state.position);
            for at in &mut body.shapes {
                if let Shape::HalfSpace { normal } = at.shape {
                    let place = std::array::from_fn(|i| own[i] + at.position[i]);
                    at.shape = self.square(normal, self.middle(normal, place));
                }
            }
        }
        bounded
    }

    fn square(&self, normal: [f64; 3], middle: [f64; 3]) -> Shape {
        let (u, v) = across(normal);
        let half = self.half_side();
        let corner =
            |a: f64, b: f64| std::array::from_fn(|i| middle[i] + half * (a * u[i] + b * v[i]));
        Shape::Mesh {
            vertices: vec![
                corner(-1.0, -1.0),
                corner(1.0, -1.0),
                corner(1.0, 1.0),
                corner(-1.0, 1.0),
            ],
            triangles: vec![[0, 1, 2], [0, 2, 3]],
        }
    }
}

/// Two unit vectors across a normal, right-handed with it.
fn across(normal: [f64; 3]) -> ([f64; 3], [f64; 3]) {
    let length = norm(normal).max(f64::MIN_POSITIVE);
    let n = normal.map(|x| x / length);
    let least = (0..3).min_by(|&i, &j| n[i].abs().total_cmp(&n[j].abs()));
    let mut axis = [0.0; 3];
    axis[least.unwrap_or(0)] = 1.0;
    let u = cross(axis, n);
    let u = u.map(|x| x / norm(u));
    (u, cross(n, u))
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

fn norm(v: [f64; 3]) -> f64 {
    v.iter().map(|x| x * x).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_square_faces_along_its_normal_and_is_centred_under_the_scene() {
        let extent = Extent {
            centre: [3.0, 4.0, 5.0],
            radius: 2.0,
        };
        for normal in [[0.0, 1.0, 0.0], [0.6, 0.0, -0.8], [0.0, 0.0, -1.0]] {
            let middle = extent.middle(normal, [1.0, 1.0, 1.0]);
            let Shape::Mesh { vertices, .. } = extent.square(normal, middle) else {
                unreachable!("squares are meshes");
            };
            let edge = |i: usize| std::array::from_fn(|k| vertices[i][k] - vertices[0][k]);
            let out = cross(edge(1), edge(2));
            for i in 0..3 {
                // The area is (2 · 1.5 · 2)², and numbers below 40 round to 1e-14.
                assert!((out[i] - 36.0 * normal[i]).abs() < 1e-12, "{out:?}");
            }
            let lift: f64 = (0..3).map(|i| middle[i] * normal[i]).sum();
            assert!(lift.abs() < 1e-14);
        }
    }
}
