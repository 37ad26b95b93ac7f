//! What is known of each segment: reading it, and filling it in where a segment has begun.

use super::super::models::Models;
use super::super::{Course, Origin};
use super::{ALONE, Process, Stay, Worldlines};
use crate::world::{BodyId, NOBODY};
use physics::motion::Halt;
use physics::{Drive, Flight, Mode, ModelId, Motion, Quat, Turn, Vec3};
use warp::{EventOrder, NodeId, ProcessId, Tick};

impl Worldlines {
    /// How a body's segment begins to move.
    #[inline]
    pub fn flight(&self, node: NodeId) -> &Flight {
        &self.flights[node.index()]
    }

    /// How a body's segment turns.
    #[inline]
    pub fn turn(&self, node: NodeId) -> &Turn {
        &self.turns[node]
    }

    /// The same, for whoever integrates a multibody.
    pub fn turn_mut(&mut self, node: NodeId) -> &mut Turn {
        self.turns.get_mut(node)
    }

    /// The same, if the segment is a body's.
    pub fn turn_if_any(&self, node: NodeId) -> Option<&Turn> {
        self.turns.get(node)
    }

    /// How a segment came about.
    #[inline]
    pub fn origin(&self, node: NodeId) -> &Origin {
        &self.origins[node.index()]
    }

    /// The body of a body's segment.
    #[inline]
    pub fn body_of(&self, node: NodeId) -> BodyId {
        BodyId(self.flights[node.index()].body)
    }

    /// Whether a segment is on the worldline of a body, in the world or not.
    #[inline]
    pub fn is_bodys(&self, node: NodeId) -> bool {
        self.is_body(self.graph.process(node))
    }

    /// Whether the columns of a segment, which may be gone, tell of a body.
    #[inline]
    pub fn tells_of_body(&self, node: NodeId) -> bool {
        (self.flights[node.index()].body as usize) < self.lasting.bodies
    }

    /// Whether there is a segment of this number and it is a body's.
    pub fn is_used_by_body(&self, node: NodeId) -> bool {
        self.graph.is_used(node) && self.is_bodys(node)
    }

    /// The model that a segment's body follows outside of groups: that of its body, unless an input has given it
    /// another.
    #[inline]
    pub fn model(&self, node: NodeId) -> ModelId {
        self.flights[node.index()].model.free()
    }

    /// The motion of a body's segment.
    #[inline]
    pub fn motion<'a>(&'a self, node: NodeId, models: &'a Models) -> Motion<'a> {
        let flight = &self.flights[node.index()];
        Motion {
            model: models.get(flight.model),
            flight,
            turn: &self.turns[node],
        }
    }

    /// Whether a body's segment does not move at all.
    pub fn is_still(&self, node: NodeId, models: &Models) -> bool {
        let flight = &self.flights[node.index()];
        let model = models.get(flight.model);
        flight.velocity == Vec3::ZERO
            && self.turns[node].spin_max() == 0.0
            && model.gravity == Vec3::ZERO
            && !model.law.is_pieced()
    }

    /// The group of a segment, if it has one.
    #[inline]
    pub fn group_of(&self, node: NodeId) -> Option<ProcessId> {
        // Worlds without contact rules have no such column.
        let group = *self.groups.get(node.index())?;
        (group != ALONE).then_some(ProcessId(group))
    }

    /// Whether a body's segment is one of sleep.
    #[inline]
    pub fn is_asleep(&self, node: NodeId) -> bool {
        self.flights[node.index()].model.mode() == Mode::Carried
            && self.tells_of_body(node)
            && self.has_groups
            && self.groups[node.index()] == ALONE
    }

    /// The momentum of a group's member over the step.
    #[inline]
    pub fn drive(&self, node: NodeId) -> &Drive {
        &self.drives[node.index()]
    }

    /// The same, of any segment.
    pub fn drive_if_any(&self, node: NodeId) -> Drive {
        self.drives.get(node.index()).copied().unwrap_or_default()
    }

    /// The end of the step of a group's member; never for who is in none.
    #[inline]
    pub fn step_end(&self, node: NodeId) -> Tick {
        let end = self.step_ends.get(node.index());
        end.copied().unwrap_or(Tick::MAX)
    }

    /// The friction that holds a sleeper.
    #[inline]
    pub fn grip(&self, node: NodeId) -> f64 {
        self.grips.get(node.index()).copied().unwrap_or(0.0)
    }

    /// Where the step of a group's member began: where its segment begins, unless something has happened to the member
    /// within the step.
    #[inline]
    pub fn step_begins(&self, node: NodeId) -> EventOrder {
        self.step_begins[node.index()]
    }

    /// The same, as it is saved.
    pub fn stay(&self, node: NodeId) -> Stay {
        let began = self.step_begins.get(node.index());
        Stay {
            began: began.copied().unwrap_or(self.graph.order(node)),
            grip: self.grip(node),
            host: self.host(node).map_or(NOBODY, |host| host.0),
        }
    }

    /// The member that a group's guest has come to, if the segment is a guest's.
    #[inline]
    pub fn host(&self, node: NodeId) -> Option<BodyId> {
        let host = *self.hosts.get(node.index())?;
        (host != NOBODY).then_some(BodyId(host))
    }

    /// When a segment's process wants to be woken; never, for most.
    #[inline]
    pub fn alarm(&self, node: NodeId) -> Tick {
        self.alarms.get(node.index()).copied().unwrap_or(Tick::MAX)
    }

    /// The slots of a segment.
    pub fn slots(&self, node: NodeId) -> Vec<f64> {
        let first = node.index() * self.slots_each;
        (first..first + self.slots_each)
            .map(|place| self.slots[place])
            .collect()
    }

    // Filling segments in.

    /// Fills in a body's new segment; returns how it begins to move.
    pub fn place(&mut self, node: NodeId, course: &Course, models: &Models) -> Flight {
        let is_carried = course.group.is_some() || course.is_asleep;
        let model = match is_carried {
            true => course.model.carried(),
            false => course.model,
        };
        let flight = Flight {
            start: self.graph.start(node).tick,
            position: course.state.position,
            velocity: course.state.velocity,
            model,
            body: course.body.0,
        };
        self.flights[node.index()] = flight;
        let previous = Some(course.previous).filter(|previous| *previous != node);
        let attitude = (course.state.rotation, course.state.spin);
        self.turns
            .begin(node, previous, attitude, models.get(model));
        self.set_alarm(node, Tick::MAX);
        if self.has_groups {
            self.groups[node.index()] = course.group.map_or(ALONE, |group| group.0);
            self.drives[node.index()] = course.drive;
            self.step_ends[node.index()] = course.horizon;
            self.step_begins[node.index()] = course.began.unwrap_or(self.graph.order(node));
            self.grips[node.index()] = course.grip;
            self.hosts[node.index()] = course.host.map_or(NOBODY, |host| host.0);
        }
        flight
    }

    /// Fills in a body's segment that was saved.
    pub fn place_saved(
        &mut self,
        node: NodeId,
        flight: Flight,
        (rotation, spin): (Quat, Vec3),
        models: &Models,
    ) {
        self.flights[node.index()] = flight;
        let previous = self.graph.previous(node);
        let model = models.get(flight.model);
        self.turns.begin(node, previous, (rotation, spin), model);
    }

    /// Fills in a member's part of a segment that was saved.
    pub fn join(
        &mut self,
        node: NodeId,
        group: Option<ProcessId>,
        drive: Drive,
        end: Tick,
        stay: Stay,
    ) {
        if self.has_groups {
            self.groups[node.index()] = group.map_or(ALONE, |group| group.0);
            self.drives[node.index()] = drive;
            self.step_ends[node.index()] = end;
            self.step_begins[node.index()] = stay.began;
            self.grips[node.index()] = stay.grip;
            self.hosts[node.index()] = stay.host;
        }
    }

    /// Fills in a segment that is not a body's, to be woken at `alarm`.
    pub fn place_other(&mut self, node: NodeId, alarm: Tick) {
        let body = match self.kind(self.graph.process(node)) {
            // History counts bodies first, then deformables.
            Process::Deformable(index) => (self.lasting.bodies + index) as u32,
            _ => NOBODY,
        };
        self.flights[node.index()].body = body;
        if self.has_groups {
            self.groups[node.index()] = ALONE;
        }
        self.set_alarm(node, alarm);
    }

    /// Says how a segment came about.
    #[inline]
    pub fn set_origin(&mut self, node: NodeId, origin: Origin) {
        self.origins[node.index()] = origin;
    }

    /// Says under which watch a segment began.
    pub fn set_epoch(&mut self, node: NodeId, epoch: u32) {
        self.origins[node.index()].epoch = epoch;
    }

    /// Says when a segment's process wants to be woken.
    #[inline]
    pub fn set_alarm(&mut self, node: NodeId, at: Tick) {
        if node.index() < self.alarms.len() {
            self.alarms[node.index()] = at;
        } else if at != Tick::MAX {
            self.alarms.grow(node.index() + 1, Tick::MAX);
            self.alarms[node.index()] = at;
        }
    }

    /// Writes the slots of a segment; more than there are, and fewer, are no mistake.
    pub fn write_slots(&mut self, node: NodeId, values: &[f64]) {
        let first = node.index() * self.slots_each;
        for (place, value) in values.iter().take(self.slots_each).enumerate() {
            self.slots[first + place] = *value;
        }
    }

    /// A segment's slots begin as those of the segment before.
    #[inline]
    pub fn keep_slots(&mut self, node: NodeId, previous: NodeId) {
        for place in 0..self.slots_each {
            let value = self.slots[previous.index() * self.slots_each + place];
            self.slots[node.index() * self.slots_each + place] = value;
        }
    }

    /// Makes sure that a segment's dense output covers `tick`, where nobody asks about what is before
    /// `settled`; returns the steps taken, and where it could not be followed any further.
    #[inline]
    pub fn integrate(
        &mut self,
        node: NodeId,
        models: &Models,
        span: [Tick; 2],
    ) -> (u32, Option<Halt>) {
        let flight = &self.flights[node.index()];
        let model = models.get(flight.model);
        self.turns.extend(node, flight, model, span)
    }
}
