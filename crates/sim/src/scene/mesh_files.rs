//! Triangles from files: OBJ and STL by `mesh-loader`, glTF by what little of it a surface needs.

use super::gltf;
use physics::Vec3;
use std::collections::BTreeMap;
use std::path::Path;

/// A mesh with more triangles is refused.
const TRIANGLES_MAX: usize = 4_000_000;

/// A surface.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Surface {
    pub vertices: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Reads a surface from a file's content; the ending of `path` says which format it is. `beside` reads files that the
/// content names. The message of an error does not name the file.
pub(super) fn read(
    path: &Path,
    content: &[u8],
    beside: &dyn Fn(&str) -> Result<Vec<u8>, String>,
) -> Result<Surface, String> {
    let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    let surface = match ending.as_deref() {
        Some("gltf" | "glb") => gltf::read(content, beside)?,
        Some("stl") if robot::mesh::binary_stl(content).is_some() => {
            // Some programs begin the free text of a binary file with `solid`, as files of letters begin.
            let mut content = content.to_vec();
            content[..robot::mesh::STL_TEXT].fill(b' ');
            by_mesh_loader(path, &content)?
        }
        Some("obj" | "stl") => by_mesh_loader(path, content)?,
        _ => {
            return Err(
                "has an ending that is not known; expected .obj, .stl, .gltf or .glb".into(),
            );
        }
    };
    let count = surface.triangles.len();
    if count == 0 {
        return Err("has no triangles".into());
    }
    if count > TRIANGLES_MAX {
        return Err(format!(
            "has {count} triangles; at most {TRIANGLES_MAX} are read: simplify the mesh"
        ));
    }
    if surface.vertices.iter().any(|v| !v.is_finite()) {
        return Err("has a corner that is nowhere".into());
    }
    Ok(joined(&surface))
}

fn by_mesh_loader(path: &Path, content: &[u8]) -> Result<Surface, String> {
    // Materials of OBJ files lie in other files, which are not opened.
    let nothing = |_: &Path| -> std::io::Result<Vec<u8>> { Ok(Vec::new()) };
    let scene = mesh_loader::Loader::default()
        .merge_meshes(true)
        .load_from_slice_with_reader(content, path, nothing)
        .map_err(|e| format!("is not a mesh that can be read: {e}"))?;
    let mut surface = Surface::default();
    for part in scene.meshes {
        let (from, count) = (surface.vertices.len() as u32, part.vertices.len() as u32);
        let corners = part.vertices.iter();
        surface
            .vertices
            .extend(corners.map(|v| Vec3::from_array(v.map(f64::from))));
        for corners in part.faces {
            if corners.iter().any(|i| *i >= count) {
                return Err("has a triangle whose corner does not exist".into());
            }
            surface.triangles.push(corners.map(|i| from + i));
        }
    }
    Ok(surface)
}

/// The same surface with one vertex for corners at one place (STL repeats them for every triangle), and without triangles
/// that have no area.
fn joined(surface: &Surface) -> Surface {
    let mut places: BTreeMap<[u64; 3], u32> = BTreeMap::new();
    let mut joined = Surface::default();
    let mut number = |at: Vec3| {
        // Adding zero makes -0 and 0 one place.
        let place = (at + Vec3::ZERO).to_array().map(f64::to_bits);
        *places.entry(place).or_insert_with(|| {
            joined.vertices.push(at);
            joined.vertices.len() as u32 - 1
        })
    };
    let mut triangles = Vec::with_capacity(surface.triangles.len());
    for corners in &surface.triangles {
        let [a, b, c] = corners.map(|i| surface.vertices[i as usize]);
        if (b - a).cross(c - a).length_squared() > 0.0 {
            triangles.push([number(a), number(b), number(c)]);
        }
    }
    joined.triangles = triangles;
    joined
}
