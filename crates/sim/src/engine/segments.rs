//! A body's segments: what is known of each, in columns by node, and when it wants to be woken.

use super::worldlines::Process;
use super::{Course, Engine, Kind, Pending};
use crate::world::BodyId;
use crate::world::Kind::Kinematic;
use physics::body::Law;
use physics::motion::is_dense;
use physics::{Motion, State, Vec3};
use warp::{NodeId, Tick};

impl Engine {
    /// Fills in a body's new segment and registers its look-ahead.
    pub(super) fn place(&mut self, node: NodeId, course: &Course) {
        let flight = self.lines.place(node, course, &self.models);
        if let Some(periodic) = &self.world.periodic
            && self.models.outline(flight.model).is_movable()
        {
            self.lines.set_alarm(node, periodic.crossing(&flight));
        }
        self.enter(node, flight);
        self.note_roaming(course);
        self.observers.count().segments_begun += 1;
        if self.detect || self.world.contact.is_some() {
            self.register_sweep(node, flight.start);
        }
    }

    /// Steps of groups ask where kinematic bodies are that move: these come from farther away than boxes tell.
    fn note_roaming(&mut self, course: &Course) {
        let body = &self.world.bodies[course.body.index()];
        if body.kind != Kinematic || self.world.contact.is_none() {
            return;
        }
        let goes_on = body.script.as_ref().is_some_and(|s| !s.is_still());
        if goes_on || course.state.velocity != Vec3::ZERO || course.state.spin != Vec3::ZERO {
            self.readers.add_roaming(course.body.0);
        }
    }

    /// Schedules the segment's own wake-up, if it has one, and the first input it meets.
    pub(super) fn arm(&mut self, node: NodeId) {
        let process = self.lines.process(node);
        let mut at = self.lines.alarm(node);
        let (kind, key) = match self.lines.kind(process) {
            Process::Body(_) => {
                if self.border.is_some() {
                    self.arm_fact(node);
                }
                if self.is_elsewhere(process.0) {
                    // Its owner says what happens to it.
                    return;
                }
                if !self.inputs.is_empty() {
                    self.arm_input(node);
                }
                if !self.ties.is_empty() {
                    self.arm_joints(node);
                }
                if !self.multibodies.is_empty() && self.world.contact.is_some() {
                    self.arm_tree(node);
                }
                (Kind::Piece, process.0)
            }
            Process::Callback(_) => (Kind::Callback, process.0),
            Process::Deformable(index) => {
                if at < self.world.until {
                    self.arm_deformable(node, index);
                }
                return;
            }
            Process::Multibody(_) => (Kind::Callback, process.0),
            Process::Group => {
                at = at.min(self.wakes_at(node));
                // A group is known by its first member: its process number is an accident.
                (Kind::GroupStep, self.groups.first(process))
            }
        };
        if at < self.world.until {
            let reference = self.lines.reference(node);
            self.agenda.push(Pending::alarm(kind, at, key, reference));
        }
    }

    pub(super) fn motion(&self, node: NodeId) -> Motion<'_> {
        self.lines.motion(node, &self.models)
    }

    /// Makes sure that a segment's dense output covers `tick`.
    #[inline]
    pub(super) fn integrate(&mut self, node: NodeId, tick: Tick) {
        let law = self.models.get(self.lines.flight(node).model).law;
        if is_dense(law) {
            self.follow(node, law, tick);
        }
    }

    /// Follows a motion that has no closed form.
    fn follow(&mut self, node: NodeId, law: Law, tick: Tick) {
        let span = [tick, self.gvt.min(self.world.until)];
        let body = self.lines.flight(node).body;
        let link = (law == Law::Linked).then(|| self.multibodies.link(body));
        let (steps, halt) = match link.flatten() {
            Some(link) => {
                let steps = self.integrate_link(node, link, span);
                (steps, self.lines.turn(node).halt())
            }
            None => self.lines.integrate(node, &self.models, span),
        };
        self.observers.count().integrations += u64::from(steps > 0);
        if let Some(halt) = halt {
            self.account.add_halted(node, halt, &self.lines);
        }
    }

    /// The model that a segment's body follows outside of groups.
    pub(super) fn model_of(&self, node: NodeId) -> &physics::BodyModel {
        self.models.get(self.lines.model(node))
    }

    /// A body that goes on alone from the end of a segment.
    pub(super) fn alone(&self, body: BodyId, state: State, previous: NodeId) -> Course {
        Course::alone(body, state, previous, self.lines.model(previous))
    }

    /// Whether there is a segment of this number and it is that of a body in the world.
    pub(super) fn is_body(&self, node: NodeId) -> bool {
        self.lines.is_used_by_body(node) && self.is_there(node)
    }

    /// Whether a body's segment finds it in the world.
    pub(super) fn is_there(&self, node: NodeId) -> bool {
        self.lines.model(node) != self.models.absent()
    }
}
