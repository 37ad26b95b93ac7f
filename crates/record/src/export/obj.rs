//! A sequence of Wavefront OBJ files, one a frame: every body in the world's coordinates, deformables
//! with their vertices of the moment. `run.obj` becomes `run.0000.obj`, `run.0001.obj` and so on.

use super::extent::Extent;
use super::keys::{self, Key};
use super::tessellate::{Surface, smooth, tessellate};
use super::{Evaluator, ExportError, Options, write_whole};
use crate::model::{Body, Shape, ShapeAt};
use crate::reader::Reader;
use crate::seconds_between;
use crate::segment::State;
use std::path::{Path, PathBuf};

/// Frames per second unless others are asked for.
const FPS: f64 = 25.0;

/// Writes the sequence, unless it would be larger than the options allow.
pub(crate) fn write(
    reader: &Reader,
    path: &Path,
    options: &Options,
    evaluator: &mut dyn Evaluator,
) -> Result<(), ExportError> {
    let options = &Options {
        fps: Some(options.fps.unwrap_or(FPS)),
        ..*options
    };
    check_room(reader, path, options, evaluator)?;
    let sequence = Sequence::gather(reader, options, evaluator)?;
    for frame in 0..sequence.ticks.len() {
        let text = sequence.frame(reader, frame)?;
        write_whole(&frame_path(path, frame), |out| {
            out.write_all(text.as_bytes())
        })?;
    }
    Ok(())
}

/// What the files are made from.
struct Sequence {
    ticks: Vec<i64>,
    bodies: Vec<Body>,
    /// Each body's surfaces in its own frame.
    surfaces: Vec<Vec<Surface>>,
    keys: Vec<Vec<Key>>,
}

impl Sequence {
    fn gather(
        reader: &Reader,
        options: &Options,
        evaluator: &mut dyn Evaluator,
    ) -> Result<Self, ExportError> {
        let fps = options.fps.unwrap_or(FPS);
        let span = options.span(reader);
        let keys = keys::all_bodies(reader, options, evaluator)?;
        let bodies = &reader.header().bodies;
        let bodies = Extent::of(bodies, &keys).bounded(bodies, &keys);
        let placed = |at: &ShapeAt| moved(&tessellate(&at.shape), at.position, at.rotation);
        let surfaces = bodies
            .iter()
            .map(|body| body.shapes.iter().map(placed).collect())
            .collect();
        let tick = |frame| keys::frame_tick(span.0, frame, fps).min(span.1);
        Ok(Sequence {
            ticks: (0..keys::frame_count(span, fps)).map(tick).collect(),
            bodies,
            surfaces,
            keys,
        })
    }

    /// The text of one file.
    fn frame(&self, reader: &Reader, frame: usize) -> Result<String, ExportError> {
        let tick = self.ticks[frame];
        let mut text = String::new();
        let mut vertices = 0;
        for (index, body) in self.bodies.iter().enumerate() {
            put_name(&mut text, &body.name);
            let keys = &self.keys[index];
            if let (Some(points), Some(Shape::Mesh { triangles, .. })) = (
                reader.vertices_blended(index as u32, tick)?,
                body.shapes.first().map(|at| &at.shape),
            ) {
                put(&mut text, &smooth(&points, triangles), &mut vertices);
            } else if let Ok(key) = keys.binary_search_by_key(&tick, |key| key.tick) {
                let State {
                    position, rotation, ..
                } = keys[key].state;
                for surface in &self.surfaces[index] {
                    put(
                        &mut text,
                        &moved(surface, position, rotation),
                        &mut vertices,
                    );
                }
            }
        }
        Ok(text)
    }
}

/// Every file holds the same surfaces: the first tells how large all of them will be.
fn check_room(
    reader: &Reader,
    path: &Path,
    options: &Options,
    evaluator: &mut dyn Evaluator,
) -> Result<(), ExportError> {
    let span = options.span(reader);
    let files = keys::frame_count(span, options.fps.unwrap_or(FPS));
    let first = Options {
        until: Some(seconds_between(0, span.0)),
        ..*options
    };
    let sequence = Sequence::gather(reader, &first, evaluator)?;
    let bytes = sequence.frame(reader, 0)?.len() as u64;
    let all = bytes.saturating_mul(files);
    if all <= options.bytes_max {
        return Ok(());
    }
    Err(ExportError::TooMuch {
        path: path.into(),
        files,
        megabytes: all / 1_000_000,
    })
}

/// `run.obj` and 7 give `run.0007.obj`.
fn frame_path(path: &Path, frame: usize) -> PathBuf {
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
