//! An MCAP log, as robotics people use it: every body is a frame of reference whose transform is a
//! message at each of its own key times, the shapes are one scene message, every event is a message. Every multibody
//! has a channel of its own, `/joints/NAME`, with the positions and rates of its joints.
//! Transforms and shapes carry the names and fields of Foxglove's schemas, so Foxglove shows them.

use super::extent::Extent;
use super::keys::{self, Key};
use super::tessellate::tessellate;
use super::{Evaluator, Options, colour};
use crate::joints::JointTracks;
use crate::model::{Body, Shape, ShapeAt};
use crate::reader::Reader;
use crate::segment::{Event, NO_PARTNER};
use crate::{Error, seconds_between};
use mcap::records::MessageHeader;
use mcap::{Compression, McapResult, WriteOptions, Writer};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Cursor;

/// Colour with opacity 1.
fn rgba([r, g, b]: [f32; 3]) -> Value {
    json!({ "r": r, "g": g, "b": b, "a": 1.0 })
}

/// Why a log could not be made.
#[derive(Debug)]
pub(crate) enum Failure {
    Recording(Error),
    Log(mcap::McapError),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Failure::Recording(error)
    }
}

impl From<mcap::McapError> for Failure {
    fn from(error: mcap::McapError) -> Self {
        Failure::Log(error)
    }
}

/// The whole file.
pub(crate) fn build(
    reader: &Reader,
    options: &Options,
    evaluator: &mut dyn Evaluator,
) -> Result<Vec<u8>, Failure> {
    let frames = frame_names(&reader.header().bodies);
    let keys = keys::all_bodies(reader, options, evaluator)?;
    let events = match options.fps {
        None => {
            let (first, last) = options.span(reader);
            reader.events_between(first, last.saturating_add(1))?
        }
        Some(_) => Vec::new(),
    };
    let mut log = Log::new()?;
    let start = options.span(reader).0;
    let bodies = &reader.header().bodies;
    let bodies = Extent::of(bodies, &keys).bounded(bodies, &keys);
    log.write(Topic::Scene, start, &scene(&bodies, start, &frames))?;
    let mut transforms: Vec<(&Key, usize)> = keys
        .iter()
        .enumerate()
        .flat_map(|(body, keys)| keys.iter().map(move |key| (key, body)))
        .collect();
    transforms.sort_by_key(|(key, body)| (key.tick, *body));
    let mut events = events.iter().peekable();
    for (key, body) in transforms {
        while let Some(mark) = events.next_if(|mark| mark.tick <= key.tick) {
            if !matches!(mark.event, Event::Start | Event::Continue | Event::Step) {
                let partner = frames.get(mark.partner as usize);
                let partner = partner.filter(|_| mark.partner != NO_PARTNER);
                let message = json!({
                    "tick": mark.tick, "body": frames[mark.body as usize], "partner": partner,
                    "event": format!("{:?}", mark.event), "impulse": mark.impulse,
                });
                log.write(Topic::Event, mark.tick, &message)?;
            }
        }
        log.write(Topic::Transform, key.tick, &transform(key, &frames[body]))?;
    }
    joints(&mut log, reader, options)?;
    Ok(log.finish()?)
}

/// How the joints of multibodies stand, at the times at which they were noted or in frames. Readers sort by time.
fn joints(log: &mut Log, reader: &Reader, options: &Options) -> Result<(), Failure> {
    let tracks = JointTracks::read(reader)?;
    let (first, last) = options.span(reader);
    for (number, made) in (0u32..).zip(&reader.header().multibodies) {
        let names = made.coordinates();
        let channel = log.joints_of(&made.name)?;
        let ticks: Vec<i64> = match options.fps {
            Some(fps) => (0..keys::frame_count((first, last), fps))
                .map(|frame| keys::frame_tick(first, frame, fps).min(last))
                .collect(),
            None => tracks.ticks(number).to_vec(),
        };
        for tick in ticks.into_iter().filter(|t| (first..=last).contains(t)) {
            let told = (0..names.len() as u32).map(|c| tracks.coordinate(number, c, tick));
            let Some(told) = told.collect::<Option<Vec<[f64; 2]>>>() else {
                continue;
            };
            let [positions, velocities] =
                [0, 1].map(|k: usize| told.iter().map(|pair| pair[k]).collect::<Vec<f64>>());
            let message = json!({
                "timestamp": stamp(tick), "name": names,
                "position": positions, "velocity": velocities,
            });
            log.write_to(channel, tick, &message)?;
        }
    }
    Ok(())
}

/// The log while it is written.
struct Log {
    writer: Writer<Cursor<Vec<u8>>>,
    channels: [u16; 3],
    sequence: u32,
}

#[derive(Clone, Copy)]
enum Topic {
    Scene,
    Transform,
    Event,
}

impl Log {
    fn new() -> McapResult<Self> {
        let mut writer = WriteOptions::new()
            .compression(Some(Compression::Zstd))
            .library("warpline")
            .create(Cursor::new(Vec::new()))?;
        let mut channel = |topic: &str, name: &str, properties: Value| {
            let schema = json!({ "title": name, "type": "object", "properties": properties });
            let text = schema.to_string().into_bytes();
            let schema = writer.add_schema(name, "jsonschema", &text)?;
            writer.add_channel(schema, topic, "json", &BTreeMap::new())
        };
        let channels = [
            channel("/scene", "foxglove.SceneUpdate", scene_fields())?,
            channel("/tf", "foxglove.FrameTransform", transform_fields())?,
            channel("/events", "warpline.Event", event_fields())?,
        ];
        Ok(Self {
            writer,
            channels,
            sequence: 0,
        })
    }

    fn write(&mut self, topic: Topic, tick: i64, message: &Value) -> McapResult<()> {
        self.write_to(self.channels[topic as usize], tick, message)
    }

    /// The channel of a multibody's joints.
    fn joints_of(&mut self, multibody: &str) -> McapResult<u16> {
        let fields = joint_fields();
        let name = "warpline.JointStates";
        let schema = json!({ "title": name, "type": "object", "properties": fields });
        let text = schema.to_string().into_bytes();
        let schema = self.writer.add_schema(name, "jsonschema", &text)?;
        let topic = format!("/joints/{multibody}");
        self.writer
            .add_channel(schema, &topic, "json", &BTreeMap::new())
    }

    fn write_to(&mut self, channel: u16, tick: i64, message: &Value) -> McapResult<()> {
        let nanoseconds = nanoseconds(tick);
        let header = MessageHeader {
            channel_id: channel,
            sequence: self.sequence,
            log_time: nanoseconds,
            publish_time: nanoseconds,
        };
        self.sequence = self.sequence.wrapping_add(1);
        let text = message.to_string();
        self.writer.write_to_known_channel(&header, text.as_bytes())
    }

    fn finish(mut self) -> McapResult<Vec<u8>> {
        self.writer.finish()?;
        Ok(self.writer.into_inner().into_inner())
    }
}

/// Nanoseconds since the scene's zero; the format has none before it.
fn nanoseconds(tick: i64) -> u64 {
    (seconds_between(0, tick).max(0.0) * 1e9) as u64
}

fn stamp(tick: i64) -> Value {
    let all = nanoseconds(tick);
    json!({ "sec": all / 1_000_000_000, "nsec": all % 1_000_000_000 })
}

fn vector([x, y, z]: [f64; 3]) -> Value {
    json!({ "x": x, "y": y, "z": z })
}

fn quaternion([x, y, z, w]: [f64; 4]) -> Value {
    json!({ "x": x, "y": y, "z": z, "w": w })
}

fn transform(key: &Key, frame: &str) -> Value {
    json!({
        "timestamp": stamp(key.tick), "parent_frame_id": "world", "child_frame_id": frame,
        "translation": vector(key.state.position), "rotation": quaternion(key.state.rotation),
    })
}

/// A frame's name is its body's, with the body's number where several share one.
fn frame_names(bodies: &[Body]) -> Vec<String> {
    let mut taken = BTreeSet::from(["world".to_string()]);
    let name = |(index, body): (usize, &Body)| {
        let mut name = body.name.clone();
        while name.is_empty() || !taken.insert(name.clone()) {
            name = format!("{} #{index}", body.name);
            if taken.contains(&name) {
                name.push('\'');
            }
        }
        name
    };
    bodies.iter().enumerate().map(name).collect()
}

/// Every body's shapes as an entity that is fixed to the body's frame.
fn scene(bodies: &[Body], tick: i64, frames: &[String]) -> Value {
    let entity = |(index, body): (usize, &Body)| {
        let colour = rgba(colour(index, body));
        let (mut spheres, mut cubes, mut cylinders, mut triangles) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for at in &body.shapes {
            let pose =
                json!({ "position": vector(at.position), "orientation": quaternion(at.rotation) });
            match &at.shape {
                Shape::Ball { radius } => spheres.push(
                    json!({ "pose": pose, "size": vector([2.0 * radius; 3]), "color": colour }),
                ),
                Shape::Box { half_extents } => cubes.push(json!({
                    "pose": pose, "size": vector(half_extents.map(|x| 2.0 * x)), "color": colour
                })),
                Shape::Cylinder {
                    half_height,
                    radius,
                } => cylinders.push(cylinder(at, *half_height, *radius, &colour)),
                other => {
                    let surface = tessellate(other);
                    let points: Vec<Value> = surface.positions.iter().map(|p| vector(*p)).collect();
                    triangles.push(json!({
                        "pose": pose, "points": points, "color": colour, "colors": [],
                        "indices": surface.indices,
                    }));
                }
            }
        }
        json!({
            "timestamp": stamp(tick), "frame_id": frames[index], "id": frames[index],
            "lifetime": { "sec": 0, "nsec": 0 }, "frame_locked": true, "metadata": [],
            "arrows": [], "lines": [], "texts": [], "models": [],
            "spheres": spheres, "cubes": cubes, "cylinders": cylinders, "triangles": triangles,
        })
    };
    let entities: Vec<Value> = bodies.iter().enumerate().map(entity).collect();
    json!({ "deletions": [], "entities": entities })
}

/// Their cylinders stand along z, ours along y: a quarter turn about x first.
fn cylinder(at: &ShapeAt, half_height: f64, radius: f64, colour: &Value) -> Value {
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let [x, y, z, w] = at.rotation;
    // the shape's rotation times (-half, 0, 0, half)
    let turned = [
        half * (x - w),
        half * (y - z),
        half * (z + y),
        half * (w + x),
    ];
    json!({
        "pose": { "position": vector(at.position), "orientation": quaternion(turned) },
        "size": vector([2.0 * radius, 2.0 * radius, 2.0 * half_height]),
        "bottom_scale": 1.0, "top_scale": 1.0, "color": colour,
    })
}

fn numbers(names: &[&str]) -> Value {
    let properties: BTreeMap<&str, Value> = names
        .iter()
        .map(|name| (*name, json!({ "type": "number" })))
        .collect();
    json!({ "type": "object", "properties": properties })
}

fn time_field() -> Value {
    json!({ "type": "object", "properties": {
        "sec": { "type": "integer" }, "nsec": { "type": "integer" }
    } })
}

fn transform_fields() -> Value {
    json!({
        "timestamp": time_field(), "parent_frame_id": { "type": "string" },
        "child_frame_id": { "type": "string" }, "translation": numbers(&["x", "y", "z"]),
        "rotation": numbers(&["x", "y", "z", "w"]),
    })
}

fn event_fields() -> Value {
    json!({
        "tick": { "type": "integer" }, "body": { "type": "string" },
        "partner": { "type": ["string", "null"] }, "event": { "type": "string" },
        "impulse": { "type": "number" },
    })
}

fn joint_fields() -> Value {
    let numbers = json!({ "type": "array", "items": { "type": "number" } });
    json!({
        "timestamp": time_field(), "name": { "type": "array", "items": { "type": "string" } },
        "position": numbers, "velocity": numbers,
    })
}

fn scene_fields() -> Value {
    let pose = json!({ "type": "object", "properties": {
        "position": numbers(&["x", "y", "z"]), "orientation": numbers(&["x", "y", "z", "w"])
    } });
    let colour = numbers(&["r", "g", "b", "a"]);
    let solid = json!({ "type": "array", "items": { "type": "object", "properties": {
        "pose": pose, "size": numbers(&["x", "y", "z"]), "color": colour
    } } });
    let triangles = json!({ "type": "array", "items": { "type": "object", "properties": {
        "pose": pose, "points": { "type": "array", "items": numbers(&["x", "y", "z"]) },
        "color": colour, "colors": { "type": "array", "items": colour },
        "indices": { "type": "array", "items": { "type": "integer" } }
    } } });
    let empty = json!({ "type": "array", "items": { "type": "object" } });
    let entity = json!({ "type": "object", "properties": {
        "timestamp": time_field(), "frame_id": { "type": "string" }, "id": { "type": "string" },
        "lifetime": time_field(), "frame_locked": { "type": "boolean" }, "metadata": empty,
        "arrows": empty, "lines": empty, "texts": empty, "models": empty,
        "spheres": solid, "cubes": solid, "cylinders": solid, "triangles": triangles
    } });
    json!({ "deletions": empty, "entities": { "type": "array", "items": entity } })
}
