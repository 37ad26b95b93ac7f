//! A sequence of Wavefront OBJ files, one a frame: every body in the world's coordinates, deformables
//! with their vertices of the moment. `run.obj` becomes `run.0000.obj`, `run.0001.obj` and so on.

use super::tessellate::{Surface, smooth, tessellate};
use super::{ExportError, Options, write_whole};
use crate::model::Shape;
use crate::reader::Reader;
use crate::{TICKS_PER_SECOND, seconds_between};
use std::path::{Path, PathBuf};

/// Frames per second unless others are asked for.
const FPS: f64 = 25.0;

/// Writes the sequence.
pub(crate) fn write(reader: &Reader, path: &Path, options: &Options) -> Result<(), ExportError> {
    let fps = options.fps.unwrap_or(FPS);
    let (first, last) = reader.span();
    let count = (seconds_between(first, last) * fps).floor() as u64;
    let bodies = &reader.header().bodies;
    let surfaces: Vec<Vec<Surface>> = bodies
        .iter()
        .map(|body| body.shapes.iter().map(|at| tessellate(&at.shape)).collect())
        .collect();
    let mut states = Vec::new();
    for frame in 0..=count {
        let tick = first + (frame as f64 / fps * TICKS_PER_SECOND) as i64;
        reader.states_at(tick, &mut states)?;
        let mut text = String::new();
        let mut vertices = 0;
        for (index, body) in bodies.iter().enumerate() {
            put_name(&mut text, &body.name);
            if let (Some(points), Some(Shape::Mesh { triangles, .. })) = (
                reader.vertices_blended(index as u32, tick)?,
                body.shapes.first().map(|at| &at.shape),
            ) {
                put(&mut text, &smooth(&points, triangles), &mut vertices);
            } else if let Some(state) = &states[index] {
                for (surface, placed) in surfaces[index].iter().zip(&body.shapes) {
                    let in_body = moved(surface, placed.position, placed.rotation);
                    let in_world = moved(&in_body, state.position, state.rotation);
                    put(&mut text, &in_world, &mut vertices);
                }
            }
        }
        write_whole(&frame_path(path, frame), |out| {
            out.write_all(text.as_bytes())
        })?;
    }
    Ok(())
}

/// `run.obj` and 7 give `run.0007.obj`.
fn frame_path(path: &Path, frame: u64) -> PathBuf {
    path.with_extension(format!("{frame:04}.obj"))
}

fn put_name(out: &mut String, name: &str) {
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_control() || c.is_whitespace() {
                '_'
            } else {
                c
            }
        })
        .collect();
    out.push_str(&format!("o {plain}\n"));
}

/// Appends a surface; OBJ counts vertices from one through the whole file.
fn put(out: &mut String, surface: &Surface, before: &mut usize) {
    for [x, y, z] in &surface.positions {
        out.push_str(&format!("v {x} {y} {z}\n"));
    }
    for [x, y, z] in &surface.normals {
        out.push_str(&format!("vn {x:.6} {y:.6} {z:.6}\n"));
    }
    for triangle in surface.indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|i| i as usize + 1 + *before);
        out.push_str(&format!("f {a}//{a} {b}//{b} {c}//{c}\n"));
    }
    *before += surface.positions.len();
}

fn moved(surface: &Surface, position: [f64; 3], rotation: [f64; 4]) -> Surface {
    let add = |p: [f64; 3]| std::array::from_fn(|i| p[i] + position[i]);
    Surface {
        positions: surface
            .positions
            .iter()
            .map(|p| add(turn(rotation, *p)))
            .collect(),
        normals: surface.normals.iter().map(|n| turn(rotation, *n)).collect(),
        indices: surface.indices.clone(),
    }
}

/// A vector turned by a unit quaternion.
fn turn([x, y, z, w]: [f64; 4], v: [f64; 3]) -> [f64; 3] {
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [
            a[1] * b[2] - a[2] * b[1],
            a[2] * b[0] - a[0] * b[2],
            a[0] * b[1] - a[1] * b[0],
        ]
    };
    let t = cross([x, y, z], v).map(|c| 2.0 * c);
    let u = cross([x, y, z], t);
    std::array::from_fn(|i| v[i] + w * t[i] + u[i])
}
