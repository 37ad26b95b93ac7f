//! Triangle meshes and the shapes the scenes are made of.
//! A mesh is only positions and triangles; what moves and how is the model's business.

use crate::acm::{ShellError, Topology};
use crate::obj;
use glamx::DVec3;
use std::f64::consts::{PI, TAU};

/// An indexed triangle mesh; positions in metres.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Mesh {
    /// Vertex positions in metres.
    pub positions: Vec<DVec3>,
    /// Triangles as indices into `positions`.
    pub triangles: Vec<[u32; 3]>,
}

impl Mesh {
    /// A surface of `nu` by `nv` vertices placed by `place(i, j)`; vertex (i, j) has index
    /// `i * nv + j`. Diagonals alternate, so that the sheet has no preferred direction.
    pub fn sheet(nu: usize, nv: usize, place: impl Fn(usize, usize) -> DVec3) -> Mesh {
        let index = |i: usize, j: usize| (i * nv + j) as u32;
        let mut mesh = Mesh::default();
        for i in 0..nu {
            mesh.positions.extend((0..nv).map(|j| place(i, j)));
        }
        for i in 0..nu.saturating_sub(1) {
            for j in 0..nv.saturating_sub(1) {
                let [a, b, c, d] = [
                    index(i, j),
                    index(i + 1, j),
                    index(i + 1, j + 1),
                    index(i, j + 1),
                ];
                if (i + j) % 2 == 0 {
                    mesh.triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    mesh.triangles.extend([[a, b, d], [b, c, d]]);
                }
            }
        }
        mesh
    }

    /// A flat rectangle with one corner at `corner`, spanned by `u` and `v`.
    pub fn rectangle(nu: usize, nv: usize, corner: DVec3, u: DVec3, v: DVec3) -> Mesh {
        let fraction = |i: usize, n: usize| i as f64 / (n.max(2) - 1) as f64;
        Mesh::sheet(nu, nv, |i, j| {
            corner + u * fraction(i, nu) + v * fraction(j, nv)
        })
    }

    /// A ribbon of `across` vertices in width along a centre line; `side(i)` is the unit width
    /// direction at centre-line point `i`.
    pub fn ribbon(
        line: &[DVec3],
        across: usize,
        width: f64,
        side: impl Fn(usize) -> DVec3,
    ) -> Mesh {
        Mesh::sheet(line.len(), across, |i, j| {
            line[i] + side(i) * (width * (j as f64 / (across.max(2) - 1) as f64 - 0.5))
        })
    }

    /// A sphere of `rings` latitudes and `2 * rings` meridians.
    pub fn sphere(rings: usize, centre: DVec3, radius: f64) -> Mesh {
        let (rings, around) = (rings.max(3), 2 * rings.max(3));
        let mut mesh = Mesh::default();
        mesh.positions.push(centre + DVec3::Y * radius);
        for r in 1..rings {
            let (sin_p, cos_p) = libm::sincos(PI * r as f64 / rings as f64);
            for a in 0..around {
                let (sin_a, cos_a) = libm::sincos(TAU * a as f64 / around as f64);
                mesh.positions
                    .push(centre + DVec3::new(sin_p * cos_a, cos_p, sin_p * sin_a) * radius);
            }
        }
        mesh.positions.push(centre - DVec3::Y * radius);
        let at = |r: usize, a: usize| (1 + (r - 1) * around + a % around) as u32;
        let south = mesh.positions.len() as u32 - 1;
        for a in 0..around {
            mesh.triangles.push([0, at(1, a + 1), at(1, a)]);
            for r in 1..rings - 1 {
                let [p, q, s, t] = [at(r, a), at(r, a + 1), at(r + 1, a + 1), at(r + 1, a)];
                mesh.triangles.extend([[p, q, s], [p, s, t]]);
            }
            mesh.triangles
                .push([south, at(rings - 1, a), at(rings - 1, a + 1)]);
        }
        mesh
    }

    /// An open cylinder along z from `z0` to `z1` with `around` by `along` vertices.
    pub fn tube(around: usize, along: usize, centre: DVec3, radius: f64, length: f64) -> Mesh {
        let mut mesh = Mesh::default();
        let z = |k: usize| length * (k as f64 / (along - 1) as f64 - 0.5);
        for k in 0..along {
            for a in 0..around {
                let (s, c) = libm::sincos(TAU * (a as f64 + 0.5 * (k % 2) as f64) / around as f64);
                mesh.positions
                    .push(centre + DVec3::new(radius * c, radius * s, z(k)));
            }
        }
        let at = |k: usize, a: usize| (k * around + a % around) as u32;
        for k in 0..along - 1 {
            for a in 0..around {
                let [p, q, s, t] = [at(k, a), at(k, a + 1), at(k + 1, a + 1), at(k + 1, a)];
                if k % 2 == 0 {
                    mesh.triangles.extend([[p, q, t], [q, s, t]]);
                } else {
                    mesh.triangles.extend([[p, q, s], [p, s, t]]);
                }
            }
        }
        mesh
    }

    /// Reads the `v` and `f` lines of a Wavefront OBJ text; polygons are fanned, the rest ignored.
    pub fn from_obj(text: &str) -> Result<Mesh, ShellError> {
        let read = obj::read(text);
        let (positions, triangles) =
            read.map_err(|(line, problem)| ShellError::BadObj { line, problem })?;
        Ok(Mesh {
            positions,
            triangles,
        })
    }

    /// Checks that every triangle names existing vertices, has an area and is there once, and that no edge
    /// belongs to more than two.
    pub fn validate(&self) -> Result<(), ShellError> {
        let count = self.positions.len();
        if self.triangles.is_empty() {
            return Err(ShellError::NoTriangles);
        }
        for (triangle, corners) in self.triangles.iter().enumerate() {
            if let Some(&vertex) = corners.iter().find(|&&v| v as usize >= count) {
                return Err(ShellError::VertexOutOfRange {
                    triangle,
                    vertex,
                    count,
                });
            }
            let [a, b, c] = corners.map(|v| self.positions[v as usize]);
            let area = 0.5 * (b - a).cross(c - a).length();
            let scale = (b - a).length_squared().max((c - a).length_squared());
            if area.is_nan() || area <= 1e-9 * scale {
                return Err(ShellError::DegenerateTriangle { triangle, area });
            }
        }
        let mut sorted: Vec<([u32; 3], usize)> = self.triangles.iter().copied().zip(0..).collect();
        sorted.iter_mut().for_each(|t| t.0.sort_unstable());
        sorted.sort_unstable();
        if let Some(same) = sorted.windows(2).find(|t| t[0].0 == t[1].0) {
            let (first, second) = (same[0].1, same[1].1);
            return Err(ShellError::SameTriangle { first, second });
        }
        // an edge of too many triangles is told in the mesh's own numbers here
        Topology::new(count, &self.triangles).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn euler_characteristic(mesh: &Mesh) -> i64 {
        let mut edges: Vec<[u32; 2]> = mesh
            .triangles
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .map(|[a, b]| [a.min(b), a.max(b)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        mesh.positions.len() as i64 - edges.len() as i64 + mesh.triangles.len() as i64
    }

    #[test]
    fn shapes_have_the_topology_they_claim() {
        let sheet = Mesh::rectangle(5, 7, DVec3::ZERO, DVec3::X, DVec3::Z);
        let sphere = Mesh::sphere(6, DVec3::ZERO, 1.0);
        let tube = Mesh::tube(9, 4, DVec3::ZERO, 0.1, 1.0);
        assert_eq!(euler_characteristic(&sheet), 1);
        assert_eq!(euler_characteristic(&sphere), 2);
        assert_eq!(euler_characteristic(&tube), 0);
        for mesh in [sheet, sphere, tube] {
            mesh.validate().expect("a valid shape");
        }
    }

    #[test]
    fn obj_text_is_read_and_errors_name_the_line() {
        let mesh = Mesh::from_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1/1 2/2 3/3 4/4\n")
            .expect("a square");
        assert_eq!(mesh.triangles, [[0, 1, 2], [0, 2, 3]]);
        // counted back from the last one so far
        let back = "v 0 0 0\nv 1 0 0\nv 1 1 0\nf -3 -2 -1\nv 0 1 0\nf 1 3 -1\n";
        assert_eq!(Mesh::from_obj(back).expect("a square"), mesh);
        let error = Mesh::from_obj("v 0 0 0\nf 1 2 3\n").expect_err("vertex 2 is missing");
        assert!(error.to_string().contains("line 2"), "{error}");
    }
}
