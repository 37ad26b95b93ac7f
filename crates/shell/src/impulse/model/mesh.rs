//! Cloth from triangle meshes: a regular grid, or any OBJ file. Vertices become particles, edges become
//! distance or rope constraints, each edge once.

use std::collections::BTreeSet;

use glamx::DVec3;

use crate::impulse::model::error::ClothError;

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
        let mut mesh = Self::default();
        for (index, content) in text.lines().enumerate() {
            let bad = |problem: String| ClothError::BadObj {
                line: index + 1,
                problem,
            };
            let mut words = content.split_whitespace();
            match words.next() {
                Some("v") => mesh.vertices.push(vertex(words).map_err(bad)?),
                Some("f") => {
                    let count = mesh.vertices.len();
                    let corners: Result<Vec<u32>, String> =
                        words.map(|word| corner(word, count)).collect();
                    let corners = corners.map_err(bad)?;
                    if corners.len() < 3 {
                        return Err(bad(format!(
                            "a face has {} corners; expected at least 3",
                            corners.len()
                        )));
                    }
                    let fan = corners[1..]
                        .windows(2)
                        .map(|pair| [corners[0], pair[0], pair[1]]);
                    mesh.triangles.extend(fan);
                }
                _ => {}
            }
        }
        Ok(mesh)
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

fn vertex<'a>(mut words: impl Iterator<Item = &'a str>) -> Result<DVec3, String> {
    let mut coordinate = |name: &str| {
        let word = words
            .next()
            .ok_or_else(|| format!("a vertex has no {name}; expected three numbers"))?;
        let value: f64 = word
            .parse()
            .map_err(|_| format!("{name} of a vertex is \"{word}\"; expected a number"))?;
        if value.is_finite() {
            Ok(value)
        } else {
            Err(format!(
                "{name} of a vertex is {value}; expected a finite number"
            ))
        }
    };
    Ok(DVec3::new(
        coordinate("x")?,
        coordinate("y")?,
        coordinate("z")?,
    ))
}

fn corner(word: &str, count: usize) -> Result<u32, String> {
    let first = word.split('/').next().unwrap_or(word);
    let number: i64 = first
        .parse()
        .map_err(|_| format!("corner \"{word}\" of a face; expected a vertex number"))?;
    let index = if number < 0 {
        number + count as i64
    } else {
        number - 1
    };
    match u32::try_from(index) {
        Ok(index) if (index as usize) < count => Ok(index),
        _ => Err(format!(
            "corner {number} of a face, but {count} vertices came before it"
        )),
    }
}
