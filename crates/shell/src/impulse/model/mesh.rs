//! Cloth from triangle meshes: a regular grid, or any OBJ file. Vertices become particles, edges become
//! distance or rope constraints, each edge once.

use std::collections::BTreeSet;

use glamx::DVec3;

use crate::impulse::model::error::ClothError;
use crate::obj;

/// Vertices and triangles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TriangleMesh {
    /// Vertex positions, m.
    pub vertices: Vec<DVec3>,
    /// Triangles as vertex indices.
    pub triangles: Vec<[u32; 3]>,
}

impl TriangleMesh {
    /// A rectangle of `columns` by `rows` vertices (at least 2 each) spanned by `u` and `v` from
    /// `corner`, row after row along `u`; each cell is cut by the diagonal from its first vertex.
    pub fn grid(
        columns: u32,
        rows: u32,
        corner: DVec3,
        u: DVec3,
        v: DVec3,
    ) -> Result<Self, ClothError> {
        if columns < 2 || rows < 2 {
            let least = f64::from(columns.min(rows));
            return Err(ClothError::bad(
                "resolution of a grid (vertices a side)",
                least,
                "at least 2",
            ));
        }
        let mut mesh = Self::default();
        for row in 0..rows {
            for column in 0..columns {
                let s = f64::from(column) / f64::from(columns - 1);
                let t = f64::from(row) / f64::from(rows - 1);
                mesh.vertices.push(corner + u * s + v * t);
            }
        }
        for row in 0..rows - 1 {
            for column in 0..columns - 1 {
                let a = row * columns + column;
                let (b, c, d) = (a + 1, a + columns, a + columns + 1);
                mesh.triangles.extend([[a, b, d], [a, d, c]]);
            }
        }
        Ok(mesh)
    }

    /// Reads the `v` and `f` lines of a Wavefront OBJ text; polygons are cut into fans, texture and
    /// normal indices are passed over, negative indices count from the end.
    pub fn from_obj(text: &str) -> Result<Self, ClothError> {
        let read = obj::read(text);
        let (vertices, triangles) =
            read.map_err(|(line, problem)| ClothError::BadObj { line, problem })?;
        Ok(Self {
            vertices,
            triangles,
        })
    }

    /// Every edge once, smaller index first, ascending.
    pub fn edges(&self) -> Vec<[u32; 2]> {
        let mut edges = BTreeSet::new();
        for &[a, b, c] in &self.triangles {
            for (i, j) in [(a, b), (b, c), (c, a)] {
                edges.insert([i.min(j), i.max(j)]);
            }
        }
        edges.into_iter().collect()
    }
}
