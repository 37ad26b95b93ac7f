//! `mesh`: triangles from a file or written out, and what a body makes of them: the surface itself, its hull, or convex
//! pieces of the solid that it encloses.

use super::decode::{Decoded, Table, label, list, vectors, whole};
use super::error::{Fault, suggestion};
use super::keys;
use super::mesh_files::{self, Surface};
use super::shapes::Source;
use super::tree::{Node, Value};
use physics::Shape;
use physics::pieces::convex_pieces;
use std::path::Path;

/// What triangles become.
const AS: [&str; 3] = ["surface", "hull", "pieces"];

/// Reads a mesh as shapes.
pub(super) fn read(node: &Node, shape: &Table<'_>, source: &Source<'_>) -> Decoded<Vec<Shape>> {
    if let Value::Text(_) = &node.value {
        let name = label(node, "mesh", shape.scope())?;
        let surface = from_file(shape, "mesh", &name, source)?;
        refuse_surface(source, node)?;
        return Ok(vec![as_it_is(surface)]);
    }
    let t = Table::open(node, &keys::MESH, shape.scope())?;
    let mut surface = match t.label("file")? {
        Some(name) => {
            if let Some(key) = ["vertices", "triangles"]
                .iter()
                .find(|k| t.get(k).is_some())
            {
                let message = format!("the `file` brings its own `{key}`; give one or the other");
                return Err(t.fault(key, message));
            }
            from_file(&t, "file", &name, source)?
        }
        None => written_out(&t)?,
    };
    let scale = t.positive("scale")?.unwrap_or(1.0);
    for vertex in &mut surface.vertices {
        *vertex *= scale;
    }
    let form = t.text("as")?.unwrap_or_else(|| "surface".into());
    if form != "pieces"
        && let Some(key) = ["pieces", "resolution"].iter().find(|k| t.get(k).is_some())
    {
        let message = format!("`{key}` has a meaning only with `as = \"pieces\"`");
        return Err(t.fault(key, message));
    }
    match form.as_str() {
        "surface" => {
            refuse_surface(source, node)?;
            Ok(vec![as_it_is(surface)])
        }
        "hull" => Ok(vec![Shape::Hull {
            points: surface.vertices,
        }]),
        "pieces" => pieces(&t, &surface),
        other => {
            let message = format!("a mesh cannot be taken as `{other}`");
            Err(t.fault("as", message).help(suggestion(other, AS)))
        }
    }
}

fn as_it_is(surface: Surface) -> Shape {
    Shape::Mesh {
        vertices: surface.vertices,
        triangles: surface.triangles,
    }
}

/// A surface has no inside, so nothing that moves can be made of it alone.
fn refuse_surface(source: &Source<'_>, node: &Node) -> Decoded<()> {
    if !source.moves {
        return Ok(());
    }
    let message = "a mesh as it is has no inside: only a fixed body can be made of it";
    let help =
        "say `kind = \"fixed\"`, or `mesh = { file = …, as = \"hull\" }`, or `as = \"pieces\"`";
    Err(Fault::new(&node.place, message).help(help))
}

fn from_file(t: &Table<'_>, key: &str, name: &str, source: &Source<'_>) -> Decoded<Surface> {
    let (path, content) = source.files.read(t, key, name)?;
    let beside = |other: &str| {
        let folder = Path::new(name).parent().unwrap_or(Path::new(""));
        let other = folder.join(other);
        let read = source.files.read(t, key, &other.to_string_lossy());
        read.map(|(_, content)| content).map_err(|e| e.message)
    };
    mesh_files::read(&path, &content, &beside)
        .map_err(|why| t.fault(key, format!("{} {why}", path.display())))
}

fn written_out(t: &Table<'_>) -> Decoded<Surface> {
    if t.get("vertices").is_none() && t.get("triangles").is_none() {
        let message = "a mesh is a `file`, or `vertices` and `triangles`";
        return Err(Fault::new(t.place, message).help("for example `mesh = \"run.stl\"`"));
    }
    let vertices = vectors(
        t.require("vertices", "a list of points")?,
        "vertices",
        t.scope(),
    )?;
    let rows = list(
        t.require("triangles", "a list of vertex triples")?,
        "triangles",
    )?;
    let mut triangles = Vec::with_capacity(rows.len());
    for row in rows {
        let [a, b, c] = list(row, "triangles")? else {
            return Err(Fault::new(&row.place, "a triangle has three vertices"));
        };
        let most = vertices.len().saturating_sub(1) as u64;
        let index = |n| whole(n, "vertex", (0, most), t.scope());
        triangles.push([index(a)? as u32, index(b)? as u32, index(c)? as u32]);
    }
    Ok(Surface {
        vertices,
        triangles,
    })
}

fn pieces(t: &Table<'_>, surface: &Surface) -> Decoded<Vec<Shape>> {
    let most = t.whole("pieces", 1, 1024)?.unwrap_or(16) as u32;
    let resolution = t.whole("resolution", 8, 400)?.unwrap_or(64) as u32;
    // The surface is looked at before it is cut: what cannot be a mesh cannot be a solid either.
    let whole = as_it_is(surface.clone());
    let checked = whole.validate();
    checked.map_err(|e| Fault::new(t.place, e.to_string()))?;
    let cut = convex_pieces(&surface.vertices, &surface.triangles, resolution, most);
    let cut = cut.ok_or_else(|| {
        let message = "the mesh cannot be cut into convex pieces; expected a closed surface";
        Fault::new(t.place, message).help("`as = \"hull\"` needs no closed surface")
    })?;
    let hulls = cut.into_iter().map(|points| Shape::Hull { points });
    Ok(hulls.collect())
}
