//! Shapes as triangles, for formats and pictures that know nothing else.

use super::hull;
use crate::model::Shape;
use std::f64::consts::PI;

/// Segments around a round shape.
const AROUND: usize = 32;
/// Rings from the equator of a round shape to its pole.
const RINGS: usize = 8;
/// Half the side of the square that stands for a half-space, m.
const HALF_SPACE_REACH: f64 = 50.0;

/// Triangles with a normal at each vertex.
#[derive(Clone, Debug, Default)]
pub struct Surface {
    /// Vertex positions in the shape's frame, m.
    pub positions: Vec<[f64; 3]>,
    /// Unit normals, one for each vertex.
    pub normals: Vec<[f64; 3]>,
    /// Three vertices a triangle, counter-clockwise from outside.
    pub indices: Vec<u32>,
}

/// The surface of a shape. Curves are divided finely enough to look round.
pub fn tessellate(shape: &Shape) -> Surface {
    match shape {
        Shape::Ball { radius } => round(0.0, *radius),
        Shape::Capsule {
            half_height,
            radius,
        } => round(*half_height, *radius),
        Shape::Cylinder {
            half_height,
            radius,
        } => cylinder(*half_height, *radius),
        Shape::Box { half_extents } => cuboid(*half_extents),
        Shape::Hull { points } => flat(points, hull::triangles(points).into_iter()),
        Shape::HalfSpace { normal } => half_space(*normal),
        Shape::Mesh {
            vertices,
            triangles,
        } => smooth(vertices, triangles),
        Shape::HeightField { heights, scale } => height_field(heights, *scale),
    }
}

/// A ball whose halves are `2 half_height` apart along y.
fn round(half_height: f64, radius: f64) -> Surface {
    let mut out = Surface::default();
    let rows = 2 * RINGS + 1;
    for row in 0..=rows {
        // the equator is there twice, once for each half
        let ring = if row <= RINGS { row } else { row - 1 };
        let polar = PI * ring as f64 / (2 * RINGS) as f64;
        let lift = if row <= RINGS {
            half_height
        } else {
            -half_height
        };
        for step in 0..=AROUND {
            let turn = 2.0 * PI * step as f64 / AROUND as f64;
            let normal = [
                polar.sin() * turn.sin(),
                polar.cos(),
                polar.sin() * turn.cos(),
            ];
            let p = normal.map(|x| x * radius);
            out.push([p[0], p[1] + lift, p[2]], normal);
        }
    }
    out.grid(rows + 1, AROUND + 1);
    out
}

fn cylinder(half_height: f64, radius: f64) -> Surface {
    let mut out = Surface::default();
    let circle = |step: usize| {
        let turn = 2.0 * PI * step as f64 / AROUND as f64;
        [turn.sin(), turn.cos()]
    };
    for y in [half_height, -half_height] {
        for step in 0..=AROUND {
            let [x, z] = circle(step);
            out.push([x * radius, y, z * radius], [x, 0.0, z]);
        }
    }
    out.grid(2, AROUND + 1);
    for side in [1.0, -1.0] {
        let centre = out.positions.len() as u32;
        out.push([0.0, side * half_height, 0.0], [0.0, side, 0.0]);
        for step in 0..=AROUND {
            let [x, z] = circle(step);
            out.push(
                [x * radius, side * half_height, z * radius],
                [0.0, side, 0.0],
            );
        }
        for step in 1..=AROUND as u32 {
            let (a, b) = (centre + step, centre + step + 1);
            out.indices.extend(if side > 0.0 {
                [centre, a, b]
            } else {
                [centre, b, a]
            });
        }
    }
    out
}

fn cuboid(half: [f64; 3]) -> Surface {
    let mut out = Surface::default();
    for axis in 0..3 {
        for side in [1.0, -1.0] {
            let mut normal = [0.0; 3];
            normal[axis] = side;
            let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
            let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
            let base = out.positions.len() as u32;
            for corner in corners {
                let mut p = [0.0; 3];
                p[axis] = side * half[axis];
                p[u] = corner[0] * half[u] * side;
                p[v] = corner[1] * half[v];
                out.push(p, normal);
            }
            out.indices.extend([0, 1, 2, 0, 2, 3].map(|i| base + i));
        }
    }
    out
}

fn half_space(normal: [f64; 3]) -> Surface {
    let mut out = Surface::default();
    let normal = unit(normal);
    let other = if normal[0].abs() < 0.7 {
        [1.0, 0.0, 0.0]
    } else {
        [0.0, 1.0, 0.0]
    };
    let u = unit(cross(normal, other));
    let v = cross(normal, u);
    for [a, b] in [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]] {
        let p = std::array::from_fn(|i| HALF_SPACE_REACH * (a * u[i] + b * v[i]));
        out.push(p, normal);
    }
    out.indices = vec![0, 1, 2, 0, 2, 3];
    out
}

/// Every triangle with its own normal.
fn flat(points: &[[f64; 3]], triangles: impl Iterator<Item = [usize; 3]>) -> Surface {
    let mut out = Surface::default();
    for triangle in triangles {
        let [a, b, c] = triangle.map(|i| points[i]);
        let normal = unit(cross(sub(b, a), sub(c, a)));
        for p in [a, b, c] {
            out.indices.push(out.positions.len() as u32);
            out.push(p, normal);
        }
    }
    out
}

/// Normals averaged over the triangles at a vertex, by area. Triangles with vertices that do not exist
/// are left out.
pub(crate) fn smooth(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> Surface {
    let mut normals = vec![[0.0; 3]; vertices.len()];
    let exists = |t: &&[u32; 3]| t.iter().all(|&i| (i as usize) < vertices.len());
    let mut indices = Vec::with_capacity(triangles.len() * 3);
    for triangle in triangles.iter().filter(exists) {
        let [a, b, c] = triangle.map(|i| vertices[i as usize]);
        let area = cross(sub(b, a), sub(c, a));
        for &i in triangle {
            (0..3).for_each(|k| normals[i as usize][k] += area[k]);
        }
        indices.extend(triangle);
    }
    let normals = normals.into_iter().map(unit).collect();
    Surface {
        positions: vertices.to_vec(),
        normals,
        indices,
    }
}

fn height_field(heights: &[Vec<f64>], scale: [f64; 3]) -> Surface {
    let rows = heights.len();
    let columns = heights.iter().map(Vec::len).min().unwrap_or(0);
    if rows < 2 || columns < 2 {
        return Surface::default();
    }
    let place = |i: usize, n: usize| i as f64 / (n - 1) as f64 - 0.5;
    let vertex = |i: usize, j: usize| {
        [
            place(j, columns) * scale[0],
            heights[i][j] * scale[1],
            place(i, rows) * scale[2],
        ]
    };
    let mut grid = Surface::default();
    for i in 0..rows {
        (0..columns).for_each(|j| grid.push(vertex(i, j), [0.0, 1.0, 0.0]));
    }
    grid.grid(rows, columns);
    let triangles: Vec<[u32; 3]> = grid.indices.as_chunks().0.to_vec();
    smooth(&grid.positions, &triangles)
}

impl Surface {
    fn push(&mut self, position: [f64; 3], normal: [f64; 3]) {
        self.positions.push(position);
        self.normals.push(normal);
    }

    /// Joins `rows` of `columns` vertices that were pushed first.
    fn grid(&mut self, rows: usize, columns: usize) {
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = (row * columns + column) as u32;
                let b = a + columns as u32;
                self.indices.extend([a, b, b + 1, a, b + 1, a + 1]);
            }
        }
    }
}

pub(crate) fn sub(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|i| a[i] - b[i])
}

pub(crate) fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

pub(crate) fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}

/// The unit vector along `v`; up if `v` has no direction.
fn unit(v: [f64; 3]) -> [f64; 3] {
    let length = dot(v, v).sqrt();
    if length > 0.0 && length.is_finite() {
        v.map(|x| x / length)
    } else {
        [0.0, 1.0, 0.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The volume inside, from the divergence theorem: wrong winding or holes show.
    fn volume(s: &Surface) -> f64 {
        let corner = |t: &[u32; 3]| t.map(|i| s.positions[i as usize]);
        let six = |[a, b, c]: [[f64; 3]; 3]| dot(a, cross(b, c));
        s.indices
            .as_chunks()
            .0
            .iter()
            .map(|t| six(corner(t)))
            .sum::<f64>()
            / 6.0
    }

    #[test]
    fn closed_shapes_have_their_volume() {
        let cases = [
            (Shape::Ball { radius: 2.0 }, 4.0 / 3.0 * PI * 8.0),
            (
                Shape::Capsule {
                    half_height: 1.5,
                    radius: 0.5,
                },
                PI * 0.25 * (3.0 + 2.0 / 3.0),
            ),
            (
                Shape::Cylinder {
                    half_height: 1.0,
                    radius: 0.5,
                },
                PI * 0.5,
            ),
        ];
        for (shape, exact) in cases {
            let inside = volume(&tessellate(&shape));
            // inscribed in the round shape, by at most 1 - sin(2π/32)/(2π/32) = 0.6 % around and
            // half as much again along the 16 arcs of a ball
            assert!(
                inside < exact && inside > 0.98 * exact,
                "{shape:?}: {inside} of {exact}"
            );
        }
        let cube = tessellate(&Shape::Box {
            half_extents: [1.0, 2.0, 3.0],
        });
        assert!((volume(&cube) - 48.0).abs() < 1e-12);
    }

    #[test]
    fn normals_point_outward() {
        for shape in [
            Shape::Ball { radius: 2.0 },
            Shape::Capsule {
                half_height: 1.5,
                radius: 0.5,
            },
            Shape::Cylinder {
                half_height: 1.0,
                radius: 0.5,
            },
            Shape::Box {
                half_extents: [1.0, 2.0, 3.0],
            },
        ] {
            let s = tessellate(&shape);
            assert!(
                s.positions
                    .iter()
                    .zip(&s.normals)
                    .all(|(p, n)| dot(*p, *n) > 0.0),
                "{shape:?}"
            );
        }
        let field = Shape::HeightField {
            heights: vec![vec![0.0; 3]; 4],
            scale: [2.0, 1.0, 2.0],
        };
        assert!(
            tessellate(&field)
                .normals
                .iter()
                .all(|n| *n == [0.0, 1.0, 0.0])
        );
    }

    #[test]
    fn broken_shapes_give_little_and_do_not_panic() {
        let mesh = Shape::Mesh {
            vertices: vec![[0.0; 3]; 3],
            triangles: vec![[0, 1, 7], [0, 1, 2]],
        };
        assert_eq!(tessellate(&mesh).indices, vec![0, 1, 2]);
        let ragged = Shape::HeightField {
            heights: vec![vec![1.0], vec![]],
            scale: [1.0; 3],
        };
        assert!(tessellate(&ragged).indices.is_empty());
        assert!(
            tessellate(&Shape::Hull { points: vec![] })
                .indices
                .is_empty()
        );
    }
}
