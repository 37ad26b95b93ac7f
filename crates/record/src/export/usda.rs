//! Universal Scene Description as text: a transform for each body with its own `timeSamples`, shapes as
//! USD's own spheres, cubes, capsules and cylinders, deformables as meshes whose points move. Links lie within those
//! that they hang on.

use super::extent::Extent;
use super::keys::{self, Key};
use super::links::Hierarchy;
use super::tessellate::{smooth, tessellate};
use super::{Evaluator, Options, colour};
use crate::error::Result;
use crate::model::{Body, Shape, ShapeAt};
use crate::reader::Reader;
use crate::{TICKS_PER_SECOND, seconds_between};
use std::io::{Result as IoResult, Write};

/// Time codes in a second, unless frames of another rate are asked for; samples fall between them freely.
const CODES_PER_SECOND: f64 = 60.0;

/// All that the file will say.
pub(crate) struct Stage<'a> {
    prims: Vec<Prim<'a>>,
    hierarchy: Hierarchy,
    up: char,
    span: (i64, i64),
    codes_per_second: f64,
    extent: Extent,
}

/// A body and how it moves: by keys, or by frames if it deforms.
struct Prim<'a> {
    body: &'a Body,
    name: String,
    colour: [f32; 3],
    keys: Vec<Key>,
    frames: Vec<Frame>,
}

/// The points of a deformable and its normals at a tick.
struct Frame {
    tick: i64,
    points: Vec<[f64; 3]>,
    normals: Vec<[f64; 3]>,
}

impl<'a> Stage<'a> {
    pub(crate) fn gather(
        reader: &'a Reader,
        options: &Options,
        evaluator: &mut dyn Evaluator,
    ) -> Result<Self> {
        let header = reader.header();
        let keys = keys::all_bodies(reader, options, evaluator)?;
        let extent = Extent::of(&header.bodies, &keys);
        let hierarchy = Hierarchy::of(header);
        let keys = hierarchy.local(&keys);
        let mut prims = Vec::with_capacity(keys.len());
        for (index, (body, keys)) in header.bodies.iter().zip(keys).enumerate() {
            prims.push(Prim {
                body,
                name: identifier(index, &body.name),
                colour: colour(index, body),
                keys,
                frames: frames(reader, index as u32, body, options)?,
            });
        }
        let [x, y, z] = header.gravity.map(f64::abs);
        let up = if z > x && z > y { 'Z' } else { 'Y' };
        Ok(Self {
            prims,
            hierarchy,
            up,
            span: options.span(reader),
            codes_per_second: options.fps.unwrap_or(CODES_PER_SECOND),
            extent,
        })
    }

    pub(crate) fn write(&self, out: &mut dyn Write) -> IoResult<()> {
        let last = self.code(self.span.1);
        writeln!(
            out,
            "#usda 1.0\n(\n    defaultPrim = \"World\"\n    metersPerUnit = 1"
        )?;
        writeln!(
            out,
            "    upAxis = \"{}\"\n    timeCodesPerSecond = {rate}\n    framesPerSecond = {rate}",
            self.up,
            rate = self.codes_per_second
        )?;
        writeln!(out, "    startTimeCode = 0\n    endTimeCode = {last}\n)\n")?;
        writeln!(out, "def Xform \"World\"\n{{")?;
        for (index, prim) in self.prims.iter().enumerate() {
            if !prim.frames.is_empty() {
                self.deformable(out, prim)?;
            } else if self.hierarchy.parent[index].is_none() {
                self.tree(out, index)?;
            }
        }
        writeln!(out, "}}")
    }

    /// A body, and within it what hangs on it. A chain may be long: what is open lies on a stack, not in calls.
    fn tree(&self, out: &mut dyn Write, root: usize) -> IoResult<()> {
        let mut open = vec![(root, 0)];
        self.rigid(out, &self.prims[root])?;
        while let Some((body, next)) = open.last_mut() {
            match self.hierarchy.children[*body].get(*next) {
                Some(&child) => {
                    *next += 1;
                    self.rigid(out, &self.prims[child])?;
                    open.push((child, 0));
                }
                None => {
                    open.pop();
                    writeln!(out, "    }}")?;
                }
            }
        }
        Ok(())
    }

    fn code(&self, tick: i64) -> f64 {
        let code = self.codes_per_second * seconds_between(self.span.0, tick);
        // A frame's tick is its time to half a tick: its code is the frame's number.
        let is_frame = (code - code.round()).abs() * TICKS_PER_SECOND <= self.codes_per_second;
        if is_frame { code.round() } else { code }
    }

    /// Opens a body's prim; what hangs on it may follow before it is closed.
    fn rigid(&self, out: &mut dyn Write, prim: &Prim<'_>) -> IoResult<()> {
        let Prim {
            body,
            name,
            colour,
            keys,
            ..
        } = prim;
        writeln!(out, "    def Xform \"{name}\"\n    {{")?;
        writeln!(
            out,
            "        custom string warpline:name = {}",
            text(&body.name)
        )?;
        let place = |key: &Key| tuple(&key.state.position);
        let turn = |key: &Key| {
            let [x, y, z, w] = key.state.rotation;
            tuple(&[w, x, y, z])
        };
        self.values(out, "double3 xformOp:translate", keys, place)?;
        self.values(out, "quatd xformOp:orient", keys, turn)?;
        if !keys.is_empty() {
            writeln!(
                out,
                "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\"]"
            )?;
        }
        let own = keys.first().map_or([0.0; 3], |key| key.state.position);
        for (index, at) in body.shapes.iter().enumerate() {
            shape(out, (index, at), *colour, |normal| {
                let place = std::array::from_fn(|i| own[i] + at.position[i]);
                (self.extent.half_side(), self.extent.middle(normal, place))
            })?;
        }
        Ok(())
    }

    /// An attribute with a sample at each key, or one value where it never changes.
    fn values(
        &self,
        out: &mut dyn Write,
        name: &str,
        keys: &[Key],
        value: impl Fn(&Key) -> String,
    ) -> IoResult<()> {
        let Some(first) = keys.first() else {
            return Ok(());
        };
        if keys::is_still(keys) {
            return writeln!(out, "        {name} = {}", value(first));
        }
        writeln!(out, "        {name}.timeSamples = {{")?;
        for key in keys {
            writeln!(out, "            {}: {},", self.code(key.tick), value(key))?;
        }
        writeln!(out, "        }}")
    }

    fn deformable(&self, out: &mut dyn Write, prim: &Prim<'_>) -> IoResult<()> {
        let Prim {
            body,
            name,
            colour,
            frames,
            ..
        } = prim;
        let Some(Shape::Mesh { triangles, .. }) = body.shapes.first().map(|at| &at.shape) else {
            return Ok(());
        };
        writeln!(out, "    def Mesh \"{name}\"\n    {{")?;
        writeln!(out, "        uniform bool doubleSided = 1")?;
        topology(out, triangles.iter().flatten().copied())?;
        for (what, pick) in [("point3f[] points", 0), ("normal3f[] normals", 1)] {
            writeln!(out, "        {what}.timeSamples = {{")?;
            for frame in frames {
                let vectors = if pick == 0 {
                    &frame.points
                } else {
                    &frame.normals
                };
                writeln!(
                    out,
                    "            {}: {},",
                    self.code(frame.tick),
                    list(vectors)
                )?;
            }
            writeln!(out, "        }}")?;
        }
        look(out, *colour)?;
        writeln!(out, "    }}")
    }
}

fn frames(reader: &Reader, process: u32, body: &Body, options: &Options) -> Result<Vec<Frame>> {
    let Some(Shape::Mesh { triangles, .. }) = body.shapes.first().map(|at| &at.shape) else {
        return Ok(Vec::new());
    };
    let mut frames = Vec::new();
    for tick in keys::vertex_ticks(reader, process, options) {
        if let Some(points) = reader.vertices_blended(process, tick)? {
            let surface = smooth(&points, triangles);
            frames.push(Frame {
                tick,
                points: surface.positions,
                normals: surface.normals,
            });
        }
    }
    Ok(frames)
}

/// A shape of a body; `square` gives half the side and the middle of a half-space's square.
fn shape(
    out: &mut dyn Write,
    (index, at): (usize, &ShapeAt),
    colour: [f32; 3],
    square: impl Fn([f64; 3]) -> (f64, [f64; 3]),
) -> IoResult<()> {
    let kind = match &at.shape {
        Shape::Ball { .. } => "Sphere",
        Shape::Box { .. } => "Cube",
        Shape::Capsule { .. } => "Capsule",
        Shape::Cylinder { .. } => "Cylinder",
        Shape::HalfSpace { .. } => "Plane",
        _ => "Mesh",
    };
    writeln!(out, "        def {kind} \"shape_{index}\"\n        {{")?;
    let (mut scale, mut position, mut rotation) = ([1.0; 3], at.position, at.rotation);
    match &at.shape {
        Shape::Ball { radius } => writeln!(out, "        double radius = {radius}")?,
        Shape::Box { half_extents } => {
            writeln!(out, "        double size = 2")?;
            scale = *half_extents;
        }
        Shape::Capsule {
            half_height,
            radius,
        }
        | Shape::Cylinder {
            half_height,
            radius,
        } => {
            writeln!(out, "        uniform token axis = \"Y\"")?;
            writeln!(out, "        double height = {}", 2.0 * half_height)?;
            writeln!(out, "        double radius = {radius}")?;
        }
        Shape::HalfSpace { normal } => {
            let (half, middle) = square(*normal);
            writeln!(out, "        uniform token axis = \"Y\"")?;
            writeln!(out, "        double width = {}", 2.0 * half)?;
            writeln!(out, "        double length = {}", 2.0 * half)?;
            writeln!(out, "        uniform bool doubleSided = 1")?;
            position = std::array::from_fn(|i| position[i] + middle[i]);
            rotation = from_y(*normal);
        }
        other => {
            let surface = tessellate(other);
            topology(out, surface.indices.iter().copied())?;
            writeln!(
                out,
                "        point3f[] points = {}",
                list(&surface.positions)
            )?;
            writeln!(
                out,
                "        normal3f[] normals = {}",
                list(&surface.normals)
            )?;
        }
    }
    let [x, y, z, w] = rotation;
    writeln!(
        out,
        "        double3 xformOp:translate = {}",
        tuple(&position)
    )?;
    writeln!(
        out,
        "        quatd xformOp:orient = {}",
        tuple(&[w, x, y, z])
    )?;
    writeln!(out, "        double3 xformOp:scale = {}", tuple(&scale))?;
    writeln!(
        out,
        "        uniform token[] xformOpOrder = [\"xformOp:translate\", \"xformOp:orient\", \"xformOp:scale\"]"
    )?;
    look(out, colour)?;
    writeln!(out, "        }}")
}

/// The rotation that turns +y to a direction.
fn from_y([x, y, z]: [f64; 3]) -> [f64; 4] {
    let length = (x * x + y * y + z * z).sqrt().max(f64::MIN_POSITIVE);
    let [x, y, z] = [x / length, y / length, z / length];
    // half-way quaternion between +y and the direction; opposite vectors turn about x
    let q = [z, 0.0, -x, 1.0 + y];
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm < 1e-9 {
        [1.0, 0.0, 0.0, 0.0]
    } else {
        q.map(|x| x / norm)
    }
}

fn topology(out: &mut dyn Write, indices: impl Iterator<Item = u32>) -> IoResult<()> {
    let indices: Vec<String> = indices.map(|i| i.to_string()).collect();
    let counts = vec!["3"; indices.len() / 3].join(", ");
    writeln!(out, "        uniform token subdivisionScheme = \"none\"")?;
    writeln!(out, "        int[] faceVertexCounts = [{counts}]")?;
    writeln!(
        out,
        "        int[] faceVertexIndices = [{}]",
        indices.join(", ")
    )
}

fn look(out: &mut dyn Write, [r, g, b]: [f32; 3]) -> IoResult<()> {
    writeln!(
        out,
        "        color3f[] primvars:displayColor = [({r}, {g}, {b})]"
    )
}

fn tuple(numbers: &[f64]) -> String {
    let parts: Vec<String> = numbers.iter().map(f64::to_string).collect();
    format!("({})", parts.join(", "))
}

fn list(vectors: &[[f64; 3]]) -> String {
    let parts: Vec<String> = vectors.iter().map(|v| tuple(v)).collect();
    format!("[{}]", parts.join(", "))
}

/// A prim's name: letters, digits and underscores, made unique by the body's number.
fn identifier(index: usize, name: &str) -> String {
    let fit = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let plain: String = name.chars().map(fit).take(48).collect();
    format!("b{index}_{plain}")
}

/// A string literal.
fn text(name: &str) -> String {
    let escape = |c: char| match c {
        '"' => "\\\"".into(),
        '\\' => "\\\\".into(),
        c if c.is_control() => " ".into(),
        c => c.to_string(),
    };
    format!("\"{}\"", name.chars().map(escape).collect::<String>())
}
