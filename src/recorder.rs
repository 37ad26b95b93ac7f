//! A run's recording: the header made from a world, and a history that streams to disk.
//!
//! A recording wants the knots of integrated motion with the segment itself, while a run only learns
//! where a segment ends when the next one begins. So knots are computed here, a stretch ahead at a time,
//! from the segment's own start: where a collision cuts the stretch short, the next segment simply
//! takes over; where none does, the motion is continued in the order of time.

use crate::contacts::Contacts;
use crate::forces::Forces;
use crate::joints::{self, JointNotes};
use crate::replay::{Replay, Trees};
use physics::{Part, Shape};
use record::{
    Clock, Event, Header, Knot, NO_PARTNER, Reader, Sample, Segment, ShapeAt, Undone, Writer,
};
use sim::{GroupContacts, History, HistoryError, JointSegment, Kind, Stats, Told, World};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;
use std::time::{Duration, Instant};
use warp::Tick;

/// Knots recorded ahead at a time.
const KNOTS_AHEAD: i64 = 16;
/// Turning between two knots, radians: cubic interpolation then errs by 1e-7 rad.
const RADIANS_PER_KNOT: f64 = 0.15;
/// Longest time between two knots, seconds: paths under forces bend.
const KNOT_SECONDS_MAX: f64 = 1.0 / 64.0;
/// Vertex frames of deformables per second, unless the scene is redrawn at a rate of its own.
const FRAMES_PER_SECOND_MAX: f64 = 120.0;
/// A crash loses at most about this much of the run's elapsed time; a young run, which somebody may be
/// waiting to see, is written out more often.
const FLUSH_EVERY: Duration = Duration::from_secs(1);
const FLUSH_YOUNG: Duration = Duration::from_millis(50);
/// Bodies whose clocks are noted over a whole run, and the most notes of a run.
const CLOCKS_MAX: usize = 1 << 20;
const CLOCK_NOTES_MAX: usize = 512;
/// Elapsed time after which the run's counters are noted even where GVT hardly moves.
const SAMPLE_EVERY: Duration = Duration::from_millis(200);

/// Streams committed segments to a recording.
pub struct Recorder<'w> {
    world: &'w World,
    writer: Writer,
    /// Motions that have no closed form, by body.
    dense: Vec<Option<Replay<'w>>>,
    trees: Trees<'w>,
    /// Where the knots of a body's newest segment end.
    due: BinaryHeap<Reverse<(Tick, u32)>>,
    ends: Vec<Tick>,
    knots: Vec<Knot>,
    begun: Instant,
    /// When a deformable was last drawn.
    drawn: Vec<Option<Tick>>,
    flushed: Instant,
    sampled: Instant,
    /// GVT at which the bodies' clocks are noted again.
    clocks_due: Tick,
    gvt: Tick,
    grouped: Vec<u32>,
    contacts: Contacts,
    forces: Forces<'w>,
    joints: JointNotes<'w>,
}

impl<'w> Recorder<'w> {
    /// Where the recording is while it is being written.
    pub fn partial_path(&self) -> &Path {
        self.writer.partial_path()
    }

    /// Begins the recording of a world.
    pub fn create(path: &Path, world: &'w World, algorithm: &str) -> record::Result<Self> {
        let writer = Writer::create(path, &header(world, algorithm))?;
        Ok(Recorder {
            world,
            writer,
            dense: world.bodies.iter().map(|_| None).collect(),
            trees: Trees::new(world),
            due: BinaryHeap::new(),
            ends: vec![Tick::MIN; world.bodies.len()],
            knots: Vec::new(),
            begun: Instant::now(),
            drawn: vec![None; world.deformables.len()],
            flushed: Instant::now(),
            sampled: Instant::now(),
            clocks_due: Tick::ZERO,
            gvt: Tick::ZERO,
            grouped: Vec::new(),
            contacts: Contacts::new(world),
            forces: Forces::new(world),
            joints: JointNotes::new(world),
        })
    }

    /// The run has failed: everything up to the last GVT is written out and stays where it is. Says where that is.
    pub fn leave(mut self) -> Option<String> {
        self.flush().ok()?;
        let (seconds, path) = (self.gvt.seconds(), self.writer.partial_path());
        let path = path.display();
        Some(format!(
            "the recording is whole up to {seconds} s and stays in {path}"
        ))
    }

    /// Ends it with the run's statistics.
    pub fn finish(mut self, summary: &str) -> record::Result<()> {
        self.contacts.finish(self.world.until);
        self.joints.finish(self.world.until, &self.trees);
        self.writer.append_contacts(&self.contacts.take())?;
        self.writer.append_forces(&self.forces.take())?;
        self.writer.append_joints(&self.joints.take())?;
        self.writer.finish(summary)
    }

    /// Hands over to the system what there is, for whoever reads it while the run goes on.
    pub fn flush(&mut self) -> record::Result<()> {
        self.flushed = Instant::now();
        self.joints.until(self.gvt, &self.trees);
        self.writer.append_joints(&self.joints.take())?;
        self.writer.append_forces(&self.forces.take())?;
        self.writer.flush()
    }

    /// Takes over the past of a run that this one has branched off: what its recording holds before a tick. Joints of
    /// multibodies are in recordings only at samples: worlds with such have no past to be taken over.
    pub fn past(&mut self, reader: &Reader, until: Tick) -> Result<(), HistoryError> {
        let wrong = |error: record::Error| HistoryError::new(error);
        let mut told = Ok(());
        let read = reader.for_each_segment(i64::MIN, until.0, |segment| {
            if told.is_ok() {
                told = self.segment(&segment);
            }
        });
        read.map_err(wrong)?;
        told?;
        for process in self.world.bodies.len()..reader.header().bodies.len() {
            for tick in reader.vertex_ticks(process as u32) {
                let frame = reader.vertices_at(process as u32, tick).map_err(wrong)?;
                if let Some(frame) = frame.filter(|_| tick < until.0) {
                    let place = process - self.world.bodies.len();
                    self.drawn[place] = Some(Tick(tick));
                    let written =
                        self.writer
                            .append_vertices(process as u32, tick, &frame.positions);
                    written.map_err(wrong)?;
                }
            }
        }
        let contacts = reader.contacts_between(i64::MIN, until.0).map_err(wrong)?;
        contacts
            .iter()
            .for_each(|contact| self.contacts.recall(contact));
        let forces = reader.forces_between(i64::MIN, until.0).map_err(wrong)?;
        self.writer.append_forces(&forces).map_err(wrong)?;
        self.gvt(until)
    }

    /// Appends a segment with the knots of the next stretch of its motion, if it needs any.
    fn append(&mut self, segment: &Segment<'_>) -> Told {
        let body = segment.body as usize;
        self.knots.clear();
        if let Some(replay) = &mut self.dense[body] {
            let seconds = (RADIANS_PER_KNOT / replay.spin_max()).min(KNOT_SECONDS_MAX);
            let mut step = Tick::from_seconds(seconds).0.max(1);
            let mut count = KNOTS_AHEAD;
            // A motion that is known to end has no knots beyond its end, and one there.
            let left = replay.end().0.saturating_sub(segment.start);
            let is_short = left < step.saturating_mul(KNOTS_AHEAD);
            if is_short {
                count = (left.max(1) + step - 1) / step;
                step = left.max(1) / count;
            }
            for number in 1..=count {
                let is_last = is_short && number == count;
                let ahead = if is_last { left.max(1) } else { number * step };
                let tick = Tick(segment.start).saturating_add(ahead);
                self.knots.push(knot(tick, &replay.state(tick)));
                self.ends[body] = tick;
            }
            self.due.push(Reverse((self.ends[body], segment.body)));
        }
        let segment = Segment {
            knots: &self.knots,
            ..*segment
        };
        self.writer.append(&segment).map_err(HistoryError::new)
    }

    /// Notes the run's counters, and the bodies' clocks where they are due.
    fn note(&mut self, clocks: &[Clock], stats: &Stats) -> record::Result<()> {
        self.sampled = Instant::now();
        if self.gvt >= self.clocks_due {
            let notes = (CLOCKS_MAX / clocks.len().max(1)).clamp(16, CLOCK_NOTES_MAX);
            let apart = (self.world.until.0 / notes as i64).max(1);
            self.clocks_due = self.gvt.saturating_add(apart);
            self.writer.append_clocks(clocks)?;
        }
        let (groups, largest_group) = self.count_groups(clocks);
        self.writer.append_sample(&Sample {
            wall_s: self.begun.elapsed().as_secs_f64(),
            gvt: self.gvt.0,
            events: stats.events_committed,
            rollbacks: stats.rollbacks,
            undone_s: stats.undone_s,
            segments_undone: stats.segments_undone,
            segments_committed: stats.segments_committed,
            groups,
            largest_group,
        })
    }

    /// How many contact groups there are, and the members of the largest.
    fn count_groups(&mut self, clocks: &[Clock]) -> (u32, u32) {
        let groups = clocks.iter().map(|clock| clock.group);
        self.grouped.clear();
        self.grouped
            .extend(groups.filter(|group| *group as usize >= clocks.len()));
        self.grouped.sort_unstable();
        let sizes = self.grouped.chunk_by(|a, b| a == b).map(<[u32]>::len);
        let (count, largest) = sizes.fold((0, 0), |(n, most), size| (n + 1, most.max(size)));
        (count, largest as u32)
    }

    /// Continues every motion whose knots end at or before `tick`, in the order of time.
    fn continue_until(&mut self, tick: Tick) -> Told {
        while let Some(&Reverse((end, body))) = self.due.peek() {
            if end > tick {
                break;
            }
            self.due.pop();
            let Some(replay) = &mut self.dense[body as usize] else {
                continue;
            };
            if self.ends[body as usize] != end || replay.start() >= end || replay.end() <= end {
                continue;
            }
            let state = replay.state(end);
            let model = self.world.model(sim::BodyId(body));
            self.append(&Segment {
                body,
                start: end.0,
                micro: 0,
                event: Event::Continue,
                partner: NO_PARTNER,
                group: record::NO_GROUP,
                position: state.position.to_array(),
                velocity: state.velocity.to_array(),
                acceleration: model.gravity.to_array(),
                rotation: state.rotation.to_array(),
                spin: state.spin.to_array(),
                momentum: None,
                impulse: 0.0,
                knots: &[],
            })?;
        }
        Ok(())
    }
}

fn knot(tick: Tick, state: &physics::State) -> Knot {
    Knot {
        tick: tick.0,
        position: state.position.to_array(),
        velocity: state.velocity.to_array(),
        rotation: state.rotation.to_array(),
        spin: state.spin.to_array(),
    }
}

impl History for Recorder<'_> {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        if segment.event == Event::Continue {
            return Ok(());
        }
        if segment.body as usize >= self.dense.len() {
            let message = "a body that was added while it ran cannot be recorded; declare it, absent at first";
            return Err(HistoryError::new(message));
        }
        self.contacts.segment(segment)?;
        self.forces.segment(segment);
        self.continue_until(Tick(segment.start))?;
        let replay = Replay::new(self.world, segment, self.trees.of(segment.body));
        self.dense[segment.body as usize] = replay.is_dense().then_some(replay);
        self.ends[segment.body as usize] = Tick::MIN;
        self.append(segment)
    }

    fn wants_contacts(&self) -> bool {
        true
    }

    fn contacts(&mut self, contacts: &GroupContacts<'_>) -> Told {
        self.forces.contacts(contacts);
        self.contacts.contacts(contacts)
    }

    fn joints(&mut self, joints: &JointSegment<'_>) -> Told {
        self.joints.segment(joints, &self.trees);
        self.trees.tell(joints);
        Ok(())
    }

    fn vertices(&mut self, deformable: u32, tick: Tick, positions: &[[f64; 3]]) -> Told {
        let index = deformable as usize - self.world.bodies.len();
        let model = &self.world.deformables[index].model;
        let hertz = self.world.redraw_hertz.unwrap_or(FRAMES_PER_SECOND_MAX);
        // Half a step early is due: steps and frames need not divide each other.
        let half = 0.5 * model.step_seconds();
        let due = self.drawn[index].is_none_or(|last| tick.since(last) + half >= 1.0 / hertz);
        // what cannot be blended is kept in all its forms
        let due = due || model.shows_forms_only();
        if !due && tick < self.world.until {
            return Ok(());
        }
        self.drawn[index] = Some(tick);
        self.writer
            .append_vertices(deformable, tick.0, positions)
            .map_err(HistoryError::new)
    }

    fn gvt(&mut self, tick: Tick) -> Told {
        let tick = tick.min(self.world.until);
        self.continue_until(tick)?;
        self.contacts.gvt(tick)?;
        let contacts = self.contacts.take();
        self.writer
            .append_contacts(&contacts)
            .map_err(HistoryError::new)?;
        self.writer.gvt(tick.0);
        self.gvt = tick;
        let pause = FLUSH_EVERY.min(FLUSH_YOUNG + self.begun.elapsed() / 8);
        if self.flushed.elapsed() < pause && tick > Tick::ZERO {
            return Ok(());
        }
        self.flush().map_err(HistoryError::new)
    }

    fn wants_trace(&self) -> bool {
        true
    }

    fn undone(&mut self, undone: &Undone) -> Told {
        self.writer.append_undone(undone).map_err(HistoryError::new)
    }

    fn wants_clocks(&self, gvt: Tick) -> bool {
        gvt >= self.clocks_due || self.sampled.elapsed() >= SAMPLE_EVERY
    }

    fn clocks(&mut self, clocks: &[Clock], stats: &Stats) -> Told {
        self.note(clocks, stats).map_err(HistoryError::new)
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
        shapes: shapes(&world.models[b.model.place()].collider.described),
        color: b.color,
    };
    let deformables = world.deformables.iter().map(deformable);
    let numbered = world.deformables.iter().zip(world.bodies.len() as u32..);
    let forms_only = numbered.filter(|(d, _)| d.model.shows_forms_only());
    Header {
        scene: world.name.clone(),
        scene_toml: world.source.clone(),
        algorithm: algorithm.into(),
        gravity: world.gravity.to_array(),
        until: world.until.0,
        bodies: world.bodies.iter().map(body).chain(deformables).collect(),
        joints: world.joints.iter().map(joint).collect(),
        multibodies: world.multibodies.iter().map(joints::described).collect(),
        forms_only: forms_only.map(|(_, number)| number).collect(),
    }
}

fn joint(joint: &physics::joints::Joint) -> record::Joint {
    use physics::joints::JointKind;
    record::Joint {
        bodies: joint.bodies,
        anchors: joint.frames.map(|frame| frame.translation.to_array()),
        kind: match joint.kind {
            JointKind::Distance { .. } => record::JointKind::Rod,
            JointKind::Rope { .. } => record::JointKind::Rope,
            JointKind::Free => record::JointKind::Rope,
            JointKind::Ball
            | JointKind::Hinge { .. }
            | JointKind::Slider { .. }
            | JointKind::Fixed => record::JointKind::Pin,
        },
    }
}

/// A deformable is a body whose one shape is its mesh at the start; vertex frames move it.
fn deformable(deformable: &sim::DeformableBody) -> record::Body {
    let mut vertices = Vec::new();
    deformable.model.start().positions(&mut vertices);
    record::Body {
        name: deformable.name.clone(),
        kind: record::Kind::Dynamic,
        shapes: vec![ShapeAt::centred(record::Shape::Mesh {
            vertices,
            triangles: deformable.model.triangles().to_vec(),
        })],
        color: deformable.color,
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
