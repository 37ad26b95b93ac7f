//! What reaches contact groups and sleepers from outside: inputs, and the pushes of deformables. The group
//! steps again from there, with or without the body concerned.

use super::groups::GroupSegment;
use super::{Course, Engine, Origin};
use crate::world::BodyId;
use physics::Vec3;
use record::Event;
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// A deformable's step has pushed members of a group.
pub(super) struct Push {
    pub order: EventOrder,
    pub group: ProcessId,
    /// Changes of velocity and spin.
    pub changes: Vec<(BodyId, [Vec3; 2])>,
    pub deformable: usize,
    pub process: ProcessId,
    /// When the deformable's next step is due.
    pub next: Tick,
}

impl Engine {
    /// A deformable has pushed members of a group: the group steps again from here, as when an outsider
    /// hits it.
    pub(super) fn push_group(&mut self, push: Push) {
        let members = self.groups[push.group.index()].members.clone();
        let Some(node) = self.graph.covering(push.group, push.order) else {
            return;
        };
        let steps = self.segments[node.index()].steps + 1;
        let Some(mut gathering) = self.gather(push.order, members, vec![push.group]) else {
            return;
        };
        for (body, [velocity, spin]) in push.changes {
            if let Ok(place) = gathering.bodies.binary_search_by_key(&body, |j| j.body) {
                gathering.bodies[place].state.velocity += velocity;
                gathering.bodies[place].state.spin += spin;
            }
        }
        let rules = self.world.contact.as_ref();
        gathering.check = rules.is_some_and(|r| steps.is_multiple_of(r.steps_per_check));
        gathering.steps = steps;
        gathering.event = Event::Touch;
        gathering.pushed_by = Some((push.deformable, push.process, push.next));
        self.regroup(gathering);
    }

    /// The members and the group of a body that is in one; a sleeper is like a group of its own.
    fn company(&self, body: u32, node: NodeId) -> (Vec<u32>, Vec<ProcessId>) {
        match self.group_of(node) {
            Some(group) => (self.groups[group.index()].members.clone(), vec![group]),
            None => (vec![body], Vec::new()),
        }
    }

    /// Velocity, spin or model of a member or a sleeper is changed from outside: its group steps again
    /// from here.
    pub(super) fn push_member(
        &mut self,
        order: EventOrder,
        body: BodyId,
        change: [Vec3; 2],
        model: Option<u32>,
    ) {
        let Some(node) = self.graph.covering(ProcessId(body.0), order) else {
            return;
        };
        let (members, old) = self.company(body.0, node);
        let Some(mut gathering) = self.gather(order, members, old) else {
            return;
        };
        if let Ok(place) = gathering.bodies.binary_search_by_key(&body.0, |j| j.body.0) {
            let joining = &mut gathering.bodies[place];
            joining.state.velocity += change[0];
            joining.state.spin += change[1];
            joining.model = model.unwrap_or(joining.model);
        }
        gathering.event = Event::Input;
        self.regroup(gathering);
    }

    /// A member or a sleeper is taken away from outside; the others of its group go on without it, and
    /// sleepers that touched it wake.
    pub(super) fn take_from_group(&mut self, order: EventOrder, course: Course, event: Event) {
        let Some(rules) = self.world.contact.clone() else {
            return;
        };
        let (mut members, old) = self.company(course.body.0, course.previous);
        members.retain(|m| *m != course.body.0);
        if members.is_empty() {
            members = self.sleepers_touching(&rules, course.previous, order);
            members.extend(self.left_by(course.body, order));
        }
        if members.is_empty() {
            let mut ring = vec![ProcessId(course.body.0)];
            ring.extend(&old);
            self.begin(order, &ring);
            self.install(self.begun[0], &course, Origin::of(event));
            for place in 0..old.len() {
                let ended = GroupSegment {
                    is_ended: true,
                    ..GroupSegment::default()
                };
                self.install_group(1 + place, ended, Tick::MAX);
            }
            self.finish_begin();
            return;
        }
        let gathered = self.gather_without(order, members, old, Some(course.body));
        let Some(mut gathering) = gathered else {
            return;
        };
        gathering.event = Event::Input;
        gathering.outsider = Some((course, event));
        self.regroup(gathering);
    }
}
