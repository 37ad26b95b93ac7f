//! The scene as the page wants it: bodies made of a few kinds of part that are drawn as instances, and
//! numbered surfaces (triangles) for everything else. Equal surfaces are sent once.

use crate::runs::Look;
use record::export::{Surface, tessellate};
use record::{Body, Header, JointFreedom, Kind, Shape};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Half the length of a joint's axis, and of the cross of a ball, in sizes of the link that it holds.
const AXIS_HALF: f64 = 0.6;
const CROSS_HALF: f64 = 0.04;

/// The description and the surfaces it refers to by number.
pub(crate) struct Scene {
    pub(crate) description: Value,
    pub(crate) surfaces: Vec<Surface>,
}

impl Scene {
    pub(crate) fn new(header: &Header, look: &Look) -> Self {
        let mut surfaces = Surfaces::default();
        let bodies: Vec<Value> = header
            .bodies
            .iter()
            .map(|body| describe(body, &mut surfaces))
            .collect();
        let description = json!({
            "scene": header.scene,
            "algorithm": header.algorithm,
            "gravity": header.gravity,
            "bodies": bodies,
            "joints": joints(header),
            "axes": axes(header),
            "look": seen(look),
        });
        Self {
            description,
            surfaces: surfaces.all,
        }
    }
}

/// How the scene wants to be seen.
fn seen(look: &Look) -> Value {
    let eye = look.eye.as_ref();
    json!({
        "eye": eye.map(|eye| json!({ "from": eye.from, "to": eye.to, "degrees": eye.degrees })),
        "light": look.light,
        "dark": look.dark,
    })
}

/// Joints whose bodies are there; `moves` says which of them can move.
fn joints(header: &Header) -> Vec<Value> {
    let there = header.joints.iter().filter_map(|joint| {
        let [a, b] = joint.bodies.map(|body| header.bodies.get(body as usize));
        let moves = [a?.kind != Kind::Fixed, b?.kind != Kind::Fixed];
        Some(json!({ "bodies": joint.bodies, "anchors": joint.anchors, "kind": joint.kind, "moves": moves }))
    });
    there.collect()
}

/// Joints of multibodies, as they are drawn: along its axis a hinge or a slide, in all directions a ball.
fn axes(header: &Header) -> Vec<Value> {
    let drawn = Axis::all(header).map(|axis| {
        json!({ "body": axis.body, "at": axis.at, "along": axis.along, "half": axis.half, "slides": axis.slides })
    });
    drawn.collect()
}

/// A joint of a multibody that is drawn.
#[derive(Clone, Copy)]
pub(crate) struct Axis {
    /// In whose frame it is.
    pub(crate) body: u32,
    pub(crate) at: [f64; 3],
    /// Zero for a ball.
    pub(crate) along: [f64; 3],
    /// Half of its length, m.
    pub(crate) half: f64,
    pub(crate) slides: bool,
}

impl Axis {
    /// Those of a recording.
    pub(crate) fn all(header: &Header) -> impl Iterator<Item = Axis> + '_ {
        let links = header.multibodies.iter().flat_map(|made| &made.links);
        let joints = links.flat_map(|link| link.joints.iter().map(|joint| (link.body, joint)));
        joints.filter_map(|(link, joint)| {
            let axis = joint.axis?;
            header.bodies.get(axis.body as usize)?;
            let reach = record::export::size(header.bodies.get(link as usize)?);
            let share = match axis.along == [0.0; 3] {
                true => CROSS_HALF,
                false => AXIS_HALF,
            };
            Some(Axis {
                body: axis.body,
                at: axis.at,
                along: axis.along,
                half: share * reach,
                slides: joint.kind == JointFreedom::Slide,
            })
        })
    }
}

#[derive(Default)]
struct Surfaces {
    all: Vec<Surface>,
    numbers: BTreeMap<String, usize>,
}

impl Surfaces {
    fn number(&mut self, shape: &Shape) -> usize {
        let next = self.all.len();
        let number = *self.numbers.entry(format!("{shape:?}")).or_insert(next);
        if number == next {
            self.all.push(tessellate(shape));
        }
        number
    }
}

fn describe(body: &Body, surfaces: &mut Surfaces) -> Value {
    let parts: Vec<Value> = body
        .shapes
        .iter()
        .map(|at| {
            let mut part = part(&at.shape, surfaces);
            part["position"] = json!(at.position);
            part["rotation"] = json!(at.rotation);
            part
        })
        .collect();
    let kind = match body.kind {
        Kind::Fixed => "fixed",
        Kind::Kinematic => "kinematic",
        Kind::Dynamic => "dynamic",
    };
    json!({ "name": body.name, "kind": kind, "color": body.color, "parts": parts })
}

fn part(shape: &Shape, surfaces: &mut Surfaces) -> Value {
    match shape {
        Shape::Ball { radius } => json!({ "type": "ball", "scale": [radius, radius, radius] }),
        Shape::Box { half_extents } => json!({ "type": "box", "scale": half_extents }),
        Shape::Cylinder {
            half_height,
            radius,
        } => {
            json!({ "type": "cylinder", "scale": [radius, half_height, radius] })
        }
        Shape::Capsule {
            half_height,
            radius,
        } => {
            json!({ "type": "capsule", "scale": [radius, half_height, radius] })
        }
        Shape::HalfSpace { normal } => json!({ "type": "plane", "normal": normal }),
        Shape::Mesh { .. } => {
            json!({ "type": "surface", "deforms": true, "surface": surfaces.number(shape) })
        }
        Shape::Hull { .. } | Shape::HeightField { .. } => {
            json!({ "type": "surface", "surface": surfaces.number(shape) })
        }
    }
}

/// A surface as bytes: vertices and indices as `u32`, then positions and normals as `f32`, indices.
pub(crate) fn surface_bytes(surface: &Surface) -> Vec<u8> {
    let mut out = Vec::new();
    for count in [surface.positions.len(), surface.indices.len()] {
        out.extend_from_slice(&(count as u32).to_le_bytes());
    }
    for number in surface.positions.iter().chain(&surface.normals).flatten() {
        out.extend_from_slice(&(*number as f32).to_le_bytes());
    }
    for index in &surface.indices {
        out.extend_from_slice(&index.to_le_bytes());
    }
    out
}
