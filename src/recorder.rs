//! A run's recording: the header made from a world, and a history that streams to disk.

use crate::failure::Failure;
use physics::{Part, Shape};
use record::{Header, Segment, ShapeAt, Writer};
use sim::{History, Kind, World};
use std::path::Path;
use warp::Tick;

/// Streams committed segments to a recording.
pub struct Recorder {
    writer: Writer,
}

/// What a failed write unwinds with: a history cannot refuse a segment, and a run must not go on for
/// hours after its disk is full.
pub struct Aborted(pub record::Error);

impl Recorder {
    /// Begins the recording of a world.
    pub fn create(path: &Path, world: &World, algorithm: &str) -> Result<Self, Failure> {
        let writer = Writer::create(path, &header(world, algorithm)).map_err(failure)?;
        Ok(Recorder { writer })
    }

    /// Ends it with the run's statistics.
    pub fn finish(self, summary: &str) -> Result<(), Failure> {
        self.writer.finish(summary).map_err(failure)
    }
}

/// A recording that cannot be created is bad input; one that cannot be written is a failed run.
pub fn failure(error: record::Error) -> Failure {
    match error {
        record::Error::Io { .. } => Failure::input(error.to_string(), None),
        _ => Failure::run(error.to_string(), None),
    }
}

impl History for Recorder {
    fn segment(&mut self, segment: &Segment<'_>) {
        // Knots that complete an earlier segment carry its start; the file wants rising starts.
        if let Err(error) = self.writer.append(segment) {
            std::panic::resume_unwind(Box::new(Aborted(error)));
        }
    }

    fn gvt(&mut self, tick: Tick) {
        self.writer.gvt(tick.0);
    }

    fn wants_knots(&self) -> bool {
        true
    }
}

fn header(world: &World, algorithm: &str) -> Header {
    let body = |b: &sim::Body| record::Body {
        name: b.name.clone(),
        kind: match b.kind {
            Kind::Fixed => record::Kind::Fixed,
            Kind::Kinematic => record::Kind::Kinematic,
            Kind::Dynamic => record::Kind::Dynamic,
        },
        shapes: shapes(&world.models[b.model as usize].collider.described),
        color: b.color,
    };
    Header {
        scene: world.name.clone(),
        scene_toml: world.source.clone(),
        algorithm: algorithm.into(),
        gravity: world.gravity.to_array(),
        until: world.until.0,
        bodies: world.bodies.iter().map(body).collect(),
    }
}

fn shapes(parts: &[Part]) -> Vec<ShapeAt> {
    parts
        .iter()
        .map(|part| ShapeAt {
            shape: shape(&part.shape),
            position: part.pose.translation.to_array(),
            rotation: part.pose.rotation.to_array(),
        })
        .collect()
}

fn shape(shape: &Shape) -> record::Shape {
    let arrays = |points: &[physics::Vec3]| points.iter().map(|p| p.to_array()).collect();
    match shape {
        Shape::Ball { radius } => record::Shape::Ball { radius: *radius },
        Shape::Box { half_extents } => record::Shape::Box {
            half_extents: half_extents.to_array(),
        },
        Shape::Capsule {
            half_height,
            radius,
        } => record::Shape::Capsule {
            half_height: *half_height,
            radius: *radius,
        },
        Shape::Cylinder {
            half_height,
            radius,
        } => record::Shape::Cylinder {
            half_height: *half_height,
            radius: *radius,
        },
        Shape::Hull { points } => record::Shape::Hull {
            points: arrays(points),
        },
        Shape::HalfSpace { normal } => record::Shape::HalfSpace {
            normal: normal.to_array(),
        },
        Shape::Mesh {
            vertices,
            triangles,
        } => record::Shape::Mesh {
            vertices: arrays(vertices),
            triangles: triangles.clone(),
        },
        Shape::HeightField { heights, scale } => record::Shape::HeightField {
            heights: heights.clone(),
            scale: scale.to_array(),
        },
    }
}
