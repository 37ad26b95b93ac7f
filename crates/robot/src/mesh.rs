//! Meshes: read from STL, OBJ, DAE and MSH, and what they weigh.

use multibody::spatial::Sym3;
use multibody::{Mat3, Vec3};
use std::path::Path;

/// A mesh with more triangles is refused.
pub const TRIANGLES_MAX: usize = 4_000_000;
const BYTES_MAX: u64 = 1 << 29;
/// Bytes of free text at the start of a binary STL file.
pub const STL_TEXT: usize = 80;

/// Triangles.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mesh {
    /// m, once scaled.
    pub vertices: Vec<Vec3>,
    /// Indices of vertices.
    pub faces: Vec<[u32; 3]>,
}

/// How the inertia of a mesh is computed (MJCF `inertia`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MeshInertia {
    /// The volume between the surface and its centre, all of it counted as positive.
    Legacy,
    /// The volume inside a closed surface.
    Exact,
    /// The surface alone.
    Shell,
}

/// What a mesh weighs, for unit density.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weight {
    /// m³, or m² for a shell.
    pub volume: f64,
    /// Centre of mass.
    pub com: Vec3,
    /// About the centre of mass, for unit density.
    pub tensor: Sym3,
}

/// Reads a mesh file; the message of an error does not name the file.
pub fn read(path: &Path) -> Result<Mesh, String> {
    let size = std::fs::metadata(path)
        .map_err(|e| format!("cannot be read: {e}"))?
        .len();
    let too_large = |what: String| {
        format!("has {what}; at most {TRIANGLES_MAX} triangles are read: simplify the mesh")
    };
    if size > BYTES_MAX {
        return Err(too_large(format!("{size} bytes")));
    }
    let mut bytes = std::fs::read(path).map_err(|e| format!("cannot be read: {e}"))?;
    let lower = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    if lower.as_deref() == Some("stl")
        && let Some(count) = binary_stl(&bytes)
    {
        if count > TRIANGLES_MAX {
            return Err(too_large(format!("{count} triangles")));
        }
        // Some programs begin the free text of a binary file with `solid`, as files of letters begin.
        bytes[..STL_TEXT].fill(b' ');
    }
    let mesh = match lower.as_deref() {
        Some("msh") => crate::msh::read(&bytes)?,
        _ => loaded(&bytes, path)?,
    };
    if mesh.faces.len() > TRIANGLES_MAX {
        return Err(too_large(format!("{} triangles", mesh.faces.len())));
    }
    if mesh.faces.is_empty() {
        return Err("has no triangles".into());
    }
    if mesh.vertices.iter().any(|v| !v.is_finite()) {
        return Err("has a corner that is nowhere".into());
    }
    Ok(mesh)
}

/// The triangles of an STL, OBJ or DAE file.
fn loaded(bytes: &[u8], path: &Path) -> Result<Mesh, String> {
    // materials of OBJ files lie in other files, which are not opened
    let nothing = |_: &Path| -> std::io::Result<Vec<u8>> { Ok(Vec::new()) };
    let scene = mesh_loader::Loader::default()
        .merge_meshes(true)
        .load_from_slice_with_reader(bytes, path, nothing)
        .map_err(|e| format!("is not a mesh that can be read: {e}"))?;
    let mut mesh = Mesh::default();
    for part in scene.meshes {
        let from = mesh.vertices.len() as u32;
        let vertices = part.vertices.iter();
        mesh.vertices
            .extend(vertices.map(|v| Vec3::new(f64::from(v[0]), f64::from(v[1]), f64::from(v[2]))));
        let count = part.vertices.len() as u32;
        for f in part.faces {
            if f.iter().any(|i| *i >= count) {
                return Err("has a triangle whose corner does not exist".into());
            }
            mesh.faces.push(f.map(|i| from + i));
        }
    }
    Ok(mesh)
}

/// How many triangles a binary STL file has: its size says that it is one. None for other files.
pub fn binary_stl(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(STL_TEXT..STL_TEXT + 4)?;
    let count = u32::from_le_bytes(count.try_into().ok()?) as usize;
    (bytes.len() == STL_TEXT + 4 + 50 * count).then_some(count)
}

impl Mesh {
    /// The mesh with all corners moved.
    pub fn map(mut self, f: impl Fn(Vec3) -> Vec3) -> Mesh {
        for v in &mut self.vertices {
            *v = f(*v);
        }
        self
    }

    fn triangles(&self) -> impl Iterator<Item = [Vec3; 3]> {
        self.faces
            .iter()
            .map(|f| f.map(|i| self.vertices[i as usize]))
    }

    /// Volume, centre and inertia for unit density; none when the mesh encloses nothing.
    pub fn weight(&self, how: MeshInertia) -> Option<Weight> {
        let (mut area, mut centre) = (0.0, Vec3::ZERO);
        for t in self.triangles() {
            let (_, middle, a) = measure(t);
            area += a;
            centre += middle * a;
        }
        if area <= 0.0 {
            return None;
        }
        centre /= area;
        let com = match how {
            MeshInertia::Shell => centre,
            _ => self.centre_of_volume(centre, how)?,
        };
        let mut volume = 0.0;
        let mut p = Mat3::ZERO;
        for t in self.triangles() {
            let t = t.map(|v| v - com);
            let (normal, middle, a) = measure(t);
            let (part, scale) = match how {
                MeshInertia::Shell => (a, 1.0 / 12.0),
                MeshInertia::Exact => (middle.dot(normal) * a / 3.0, 1.0 / 20.0),
                MeshInertia::Legacy => ((middle.dot(normal) * a / 3.0).abs(), 1.0 / 20.0),
            };
            volume += part;
            let sum = t[0] + t[1] + t[2];
            // the second moments of a tetrahedron (or triangle) from its corners
            for (k, axis) in Vec3::AXES.iter().enumerate() {
                let mut column = sum * sum.dot(*axis);
                for v in t {
                    column += v * v[k];
                }
                *p.col_mut(k) += column * (part * scale);
            }
        }
        if volume <= 0.0 {
            return None;
        }
        let trace = p.x_axis.x + p.y_axis.y + p.z_axis.z;
        Some(Weight {
            volume,
            com,
            tensor: Sym3::scalar(trace) - Sym3::from_mat(p),
        })
    }

    fn centre_of_volume(&self, about: Vec3, how: MeshInertia) -> Option<Vec3> {
        let (mut volume, mut com) = (0.0, Vec3::ZERO);
        for t in self.triangles() {
            let (normal, middle, a) = measure(t);
            let mut part = (middle - about).dot(normal) * a / 3.0;
            if how == MeshInertia::Legacy {
                part = part.abs();
            }
            volume += part;
            com += (middle * 0.75 + about * 0.25) * part;
        }
        (volume > 0.0).then(|| com / volume)
    }
}

/// Normal, middle and area of a triangle.
fn measure(t: [Vec3; 3]) -> (Vec3, Vec3, f64) {
    let cross = (t[1] - t[0]).cross(t[2] - t[0]);
    let length = cross.length();
    let normal = if length > 0.0 {
        cross / length
    } else {
        Vec3::ZERO
    };
    (normal, (t[0] + t[1] + t[2]) / 3.0, 0.5 * length)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A binary file of one triangle whose free text begins as that of a file of letters does.
    #[test]
    fn a_robots_binary_stl_may_begin_with_solid() {
        let mut bytes = b"solid foot\n".to_vec();
        bytes.resize(STL_TEXT, 0);
        bytes.extend(1u32.to_le_bytes());
        for x in [
            0.0f32, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0, 0.0,
        ] {
            bytes.extend(x.to_le_bytes());
        }
        bytes.extend([0; 2]);
        assert_eq!(binary_stl(&bytes), Some(1));
        assert_eq!(binary_stl(&bytes[1..]), None);
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("foot.stl");
        std::fs::write(&path, bytes).expect("a file");
        let mesh = read(&path).expect("a mesh");
        assert_eq!(mesh.faces.len(), 1);
        assert!(mesh.vertices.contains(&Vec3::new(0.0, 3.0, 0.0)));
    }
}
