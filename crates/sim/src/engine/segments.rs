//! A body's segments: what is known of each, in columns by node, and when it wants to be woken.

use super::groups::GroupSegment;
use super::{Course, Engine, Kind, NO_GROUP, Origin, Pending};
use crate::world::BodyId;
use physics::{Drive, Flight, Motion, State, Vec3};
use record::Event;
use warp::{NodeId, Tick};

impl Engine {
    pub(super) fn fit_columns(&mut self) {
        let capacity = self.graph.capacity();
        if self.flights.len() >= capacity {
            return;
        }
        let nowhere = Flight {
            start: Tick::MIN,
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            model: 0,
            body: u32::MAX,
        };
        let unknown = Origin::of(Event::Start);
        self.flights.grow(capacity, nowhere);
        self.turns.grow(capacity);
        self.origins.grow(capacity, unknown);
        self.slots.grow(capacity * self.world.slots, 0.0);
        if self.world.contact.is_some() {
            self.group.grow(capacity, NO_GROUP);
            self.drive.grow(capacity, Drive::default());
            self.step_ends.grow(capacity, Tick::MAX);
            self.segments.grow(capacity, GroupSegment::default());
        }
    }

    /// Fills in a body's new segment and registers its look-ahead.
    pub(super) fn place(&mut self, node: NodeId, course: &Course) {
        let (body, state) = (course.body.0, &course.state);
        let is_member = course.group != NO_GROUP;
        let model_index = course.model | u32::from(is_member || course.is_asleep);
        let start = self.graph.start(node).tick;
        let flight = Flight {
            start,
            position: state.position,
            velocity: state.velocity,
            model: model_index,
            body,
        };
        self.flights[node.index()] = flight;
        self.enter(node, flight);
        let model = &self.models[model_index as usize];
        let previous = Some(course.previous).filter(|previous| *previous != node);
        let attitude = (state.rotation, state.spin);
        self.turns.begin(node, previous, attitude, model);
        self.set_alarm(node, Tick::MAX);
        self.stats.segments_begun += 1;
        if self.world.contact.is_some() {
            self.group[node.index()] = course.group;
            self.drive[node.index()] = course.drive;
            self.step_ends[node.index()] = course.horizon;
        }
        if self.detect || self.world.contact.is_some() {
            self.look_around(node, start);
        }
    }

    /// Schedules the segment's own wake-up, if it has one, and the first input it meets.
    pub(super) fn arm(&mut self, node: NodeId) {
        let process = self.graph.process(node);
        if let Some(index) = self.deformable_of(process) {
            if self.alarm(node) < self.world.until {
                self.arm_deformable(node, index);
            }
            return;
        }
        let (bodies, callbacks) = (self.world.bodies.len(), self.world.callbacks.len());
        let mut at = self.alarm(node);
        let (kind, key) = if process.index() < bodies {
            if !self.inputs.is_empty() {
                self.arm_input(node);
            }
            if !self.ties.is_empty() {
                self.arm_joints(node);
            }
            (Kind::Piece, process.0)
        } else if process.index() < bodies + callbacks {
            (Kind::Callback, process.0)
        } else {
            at = at.min(self.wakes_at(node));
            // A group is known by its first member: its process number is an accident.
            (Kind::GroupStep, self.groups[process.index()].members[0])
        };
        if at < self.world.until {
            let reference = self.graph.reference(node);
            self.queue.push(Pending::alarm(kind, at, key, reference));
        }
    }

    /// When a segment's process wants to be woken; never, for most.
    #[inline]
    pub(super) fn alarm(&self, node: NodeId) -> Tick {
        self.alarms.get(node.index()).copied().unwrap_or(Tick::MAX)
    }

    #[inline]
    pub(super) fn set_alarm(&mut self, node: NodeId, at: Tick) {
        if node.index() < self.alarms.len() {
            self.alarms[node.index()] = at;
        } else if at != Tick::MAX {
            self.alarms.grow(node.index() + 1, Tick::MAX);
            self.alarms[node.index()] = at;
        }
    }

    pub(super) fn motion(&self, node: NodeId) -> Motion<'_> {
        let flight = &self.flights[node.index()];
        Motion {
            model: &self.models[flight.model as usize],
            flight,
            turn: &self.turns[node],
        }
    }

    /// Makes sure that a segment's dense output covers `tick`.
    pub(super) fn integrate(&mut self, node: NodeId, tick: Tick) {
        let flight = &self.flights[node.index()];
        let model = &self.models[flight.model as usize];
        let steps = self.turns.extend(node, flight, model, tick);
        self.stats.integrations += u64::from(steps > 0);
    }

    /// The model that a segment's body follows outside of groups: that of its body, unless an input
    /// has given it another.
    pub(super) fn model_index(&self, node: NodeId) -> u32 {
        self.flights[node.index()].model & !1
    }

    /// That model itself.
    pub(super) fn model_of(&self, node: NodeId) -> &physics::BodyModel {
        &self.models[self.model_index(node) as usize]
    }

    /// A body that goes on alone from the end of a segment.
    pub(super) fn alone(&self, body: BodyId, state: State, previous: NodeId) -> Course {
        Course::alone(body, state, previous, self.model_index(previous))
    }

    /// Whether a segment is on the worldline of a body, in the world or not.
    #[inline]
    pub(super) fn is_body_process(&self, node: NodeId) -> bool {
        self.graph.process(node).index() < self.world.bodies.len()
    }

    /// Whether there is a segment of this number and it is that of a body in the world.
    pub(super) fn is_body(&self, node: NodeId) -> bool {
        self.graph.is_used(node)
            && self.graph.process(node).index() < self.world.bodies.len()
            && self.is_there(node)
    }

    /// Whether a body's segment finds it in the world.
    pub(super) fn is_there(&self, node: NodeId) -> bool {
        self.model_index(node) != self.absent
    }

    pub(super) fn body_of(&self, node: NodeId) -> BodyId {
        BodyId(self.flights[node.index()].body)
    }
}
