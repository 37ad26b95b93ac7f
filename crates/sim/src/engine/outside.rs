//! What reaches contact groups and sleepers from outside: inputs, callbacks, and the pushes of deformables.
//! The group steps again from there, with or without the body concerned.

use super::{Course, Engine, Origin};
use crate::callback::View;
use crate::world::BodyId;
use physics::{ModelId, State, Vec3};
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

/// A callback has seen movable bodies, and may have changed them.
pub(super) struct Called {
    pub order: EventOrder,
    pub process: ProcessId,
    /// When it wants to be called again.
    pub next: Tick,
    /// What it left of each body, the segment the body comes from, and the changes of velocity and spin.
    pub seen: Vec<(View, NodeId, [Vec3; 2])>,
}

impl Engine {
    /// Whether a callback's change concerns a body of a group, or a sleeper.
    pub(super) fn reaches_company(&self, called: &Called) -> bool {
        self.world.contact.is_some()
            && called.seen.iter().any(|(_, node, change)| {
                let has_company =
                    self.lines.group_of(*node).is_some() || self.lines.is_asleep(*node);
                has_company && *change != [Vec3::ZERO; 2]
            })
    }

    /// A callback has changed the velocity or spin of members of groups, or of sleepers: their groups step
    /// again from here, each by itself.
    pub(super) fn call_groups(&mut self, called: Called) {
        let (mut members, mut old) = (Vec::new(), Vec::new());
        for (view, node, change) in &called.seen {
            let has_company = self.lines.group_of(*node).is_some() || self.lines.is_asleep(*node);
            if has_company && *change != [Vec3::ZERO; 2] {
                let (company, groups) = self.company(view.body.0, *node, called.order);
                members.extend(company);
                old.extend(groups);
            }
        }
        let Some(mut gathering) = self.gather(called.order, members, old) else {
            return;
        };
        for (view, node, change) in called.seen {
            match gathering
                .bodies
                .binary_search_by_key(&view.body, |j| j.body)
            {
                Ok(place) => {
                    gathering.bodies[place].state.velocity += change[0];
                    gathering.bodies[place].state.spin += change[1];
                }
                Err(_) => {
                    let course = self.course_of_view(&view, node, called.order);
                    gathering.outsiders.push((course, Event::Callback));
                }
            }
            gathering.slots.push((view.body, view.slots));
        }
        // Groups that have nothing to do with each other do not become one.
        gathering.check = gathering.old.len() > 1;
        gathering.event = Event::Callback;
        gathering.called_by = Some((called.process, called.next));
        self.regroup(gathering);
    }

    /// How a body that a callback has seen goes on, its group's step left as it is.
    pub(super) fn course_of_view(&self, view: &View, node: NodeId, order: EventOrder) -> Course {
        self.course_as_it_was(view.body, view.state, node, order)
    }

    /// The same for a body that is in this state if it is on its own.
    pub(super) fn course_as_it_was(
        &self,
        body: BodyId,
        state: State,
        node: NodeId,
        order: EventOrder,
    ) -> Course {
        if self.world.contact.is_some() && self.lines.group_of(node).is_some() {
            self.course_on(body, node, order.moment.tick)
        } else if self.lines.is_asleep(node) {
            let seen = self.motion(node).state(order.moment.tick);
            Course {
                is_asleep: true,
                grip: self.lines.grip(node),
                ..self.alone(body, seen, node)
            }
        } else {
            self.alone(body, state, node)
        }
    }

    /// A deformable has pushed members of a group: the group steps again from here, as when an outsider
    /// hits it.
    pub(super) fn push_group(&mut self, push: Push) {
        let members = self.members_at(push.group, push.order);
        let Some(node) = self.lines.covering(push.group, push.order) else {
            return;
        };
        let steps = self.groups.step(node).steps + 1;
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
    fn company(&self, body: u32, node: NodeId, order: EventOrder) -> (Vec<u32>, Vec<ProcessId>) {
        match self.lines.group_of(node) {
            Some(group) => (self.members_at(group, order), vec![group]),
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
        model: Option<ModelId>,
    ) {
        let Some(node) = self.lines.covering(ProcessId(body.0), order) else {
            return;
        };
        let (members, old) = self.company(body.0, node, order);
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
        let (mut members, old) = self.company(course.body.0, course.previous, order);
        members.retain(|m| *m != course.body.0);
        if members.is_empty() {
            members = self.sleepers_touching(&rules, course.previous, order);
            members.extend(self.left_by(course.body, order));
        }
        if members.is_empty() {
            let mut ring = vec![ProcessId(course.body.0)];
            ring.extend(&old);
            let mut opened = self.open(order, &ring);
            self.go_on(&mut opened, &course, Origin::of(event));
            for group in old {
                self.end_group(&mut opened, group);
            }
            self.close(opened);
            return;
        }
        let gathered = self.gather_without(order, members, old, Some(course.body));
        let Some(mut gathering) = gathered else {
            return;
        };
        gathering.event = Event::Input;
        gathering.outsiders.push((course, event));
        self.regroup(gathering);
    }
}
