//! What happens to contact groups: fusion by a soft collision, steps, fission at group checks, rest,
//! and waking. Each is one event that begins linked segments on all worldlines it involves.

use super::calm::Calm;
use super::event::Opened;
use super::groups::Joining;
use super::parting::Part;
use super::wake::Company;
use super::worldlines::Process;
use super::{Course, Engine, Pending};
use crate::world::BodyId;
use physics::State;
use physics::groups::Memory;
use record::{Event, NO_PARTNER};
use std::sync::Arc;
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// A collision's two bodies, lower number first: segment and state of each.
pub(super) type Sides = [(BodyId, NodeId, State); 2];

/// An event of one group: who takes part, and what is known before the step.
pub(super) struct Gathering {
    pub order: EventOrder,
    /// Bodies of the group, rising.
    pub bodies: Vec<Joining>,
    /// Groups that these bodies come from.
    pub old: Vec<ProcessId>,
    pub memory: Memory,
    /// Sleepers that the groups held.
    pub leaning: Vec<u32>,
    /// Bodies, how calm they were, and when that was.
    pub calm: Vec<(u32, Calm, Tick)>,
    /// How much farther than their velocities say the bodies get in this step, metres.
    pub farther: f64,
    pub steps: u32,
    /// Whether to look for fissions.
    pub check: bool,
    pub event: Event,
    /// Impulse of the collision behind it, and the colliding bodies.
    pub impulse: f64,
    pub pair: [u32; 2],
    pub overlap: f64,
    /// Multibodies that take part.
    pub trees: Vec<super::multibody_group::Joined>,
    /// Bodies outside the group that the same event changes, and how their segments begin.
    pub outsiders: Vec<(Course, Event)>,
    /// The deformable that pushed the group: index, process, and when its next step is due.
    pub pushed_by: Option<(usize, ProcessId, Tick)>,
    /// The callback that changed the group: its process, and when it wants to be called again.
    pub called_by: Option<(ProcessId, Tick)>,
    /// Slots that the event writes, by body.
    pub slots: Vec<(BodyId, Vec<f64>)>,
}

/// A step that was solved, and what is to be told of it.
pub(super) struct Stepped {
    pub company: Company,
    /// What the next step begins with.
    pub memory: Arc<Memory>,
    /// Why it could not be solved.
    pub failure: Option<String>,
    /// Where the gathered bodies are at its end, and when that is.
    pub ends: Vec<State>,
    pub end: Tick,
    pub calm: Vec<Calm>,
    /// If all come to rest, the kinematic bodies that they lean on.
    pub leans_on: Option<Vec<u32>>,
}

impl Engine {
    /// The states of `bodies`, and of all that is joined to them, at an event, and what their groups
    /// remember.
    pub(super) fn gather(
        &mut self,
        order: EventOrder,
        bodies: Vec<u32>,
        old: Vec<ProcessId>,
    ) -> Option<Gathering> {
        self.gather_without(order, bodies, old, None)
    }

    /// The same without one body, whatever is joined to it.
    pub(super) fn gather_without(
        &mut self,
        order: EventOrder,
        mut bodies: Vec<u32>,
        mut old: Vec<ProcessId>,
        without: Option<BodyId>,
    ) -> Option<Gathering> {
        self.take_along(order, &mut bodies, &mut old, without);
        old.sort_unstable();
        old.dedup();
        let mut joining = Vec::with_capacity(bodies.len());
        for body in bodies {
            joining.push(self.joining(BodyId(body), order)?);
        }
        let mut memory = Memory::default();
        let mut leaning = Vec::new();
        let mut calm: Vec<(u32, Calm, Tick)> = Vec::new();
        for group in &old {
            let node = self.lines.covering(*group, order)?;
            memory.absorb(&self.groups.step(node).memory);
            leaning.extend_from_slice(&self.groups.step(node).leaning);
            let members = self.groups.members(*group).iter();
            let step = self.groups.step(node);
            let known = step.calm.iter();
            calm.extend(members.zip(known).map(|(m, calm)| (*m, *calm, step.began)));
        }
        calm.sort_by_key(|(body, _, _)| *body);
        leaning.sort_unstable();
        leaning.dedup();
        Some(Gathering {
            order,
            bodies: joining,
            old,
            memory,
            leaning,
            calm,
            farther: 0.0,
            steps: 0,
            check: false,
            event: Event::Step,
            impulse: 0.0,
            pair: [NO_PARTNER; 2],
            overlap: 0.0,
            trees: Vec::new(),
            outsiders: Vec::new(),
            pushed_by: None,
            called_by: None,
            slots: Vec::new(),
        })
    }

    /// Who takes part in a group's step that is due, or in the first one of a body that finds others joined to it.
    pub(super) fn gather_for_step(&mut self, entry: &Pending) -> Option<Gathering> {
        let order = entry.order();
        let steps_per_check = self.world.contact.as_ref()?.steps_per_check;
        if !self.is_current(entry, order) {
            return None;
        }
        let group = self.lines.process(entry.a.node);
        if let Process::Body(_) = self.lines.kind(group) {
            return self.gather_joined(entry);
        }
        let members = self.members_at(group, order);
        let mut gathering = self.gather(order, members, vec![group])?;
        let segment = self.groups.step(entry.a.node);
        if segment.is_resting {
            gathering.calm.clear();
        }
        gathering.steps = segment.steps + 1;
        gathering.check = gathering.steps.is_multiple_of(steps_per_check);
        Some(gathering)
    }

    /// Steps the gathered bodies, decides who stays together, and begins their segments.
    pub(super) fn regroup(&mut self, mut gathering: Gathering) {
        let Some(rules) = self.world.contact.clone() else {
            return;
        };
        let stepped = self.step_gathered(&rules, &mut gathering);
        let kicks = self.groups.workshop.report.kicks.iter();
        for (joining, [velocity, spin]) in gathering.bodies.iter_mut().zip(kicks) {
            joining.state.velocity += *velocity;
            joining.state.spin += *spin;
        }
        let mut parts = self.part(&gathering, &stepped);
        let rests = stepped.leans_on.is_some();
        let sleeps = parts.iter().all(|part| part.is_asleep);
        let is_split = !sleeps && (parts.len() > 1 || parts.iter().any(|p| p.group.is_none()));
        let is_made_of = |group: ProcessId| {
            let members = self.groups.members(group).iter();
            members.eq(gathering.bodies.iter().map(|j| &j.body.0))
        };
        let goes_on =
            !is_split && !sleeps && gathering.old.len() == 1 && is_made_of(gathering.old[0]);
        let event = match gathering.event {
            Event::Step | Event::Touch if is_split => Event::Fission,
            Event::Step if rests => Event::Rest,
            event => event,
        };
        if goes_on {
            parts[0].group = Some(gathering.old[0]);
        } else {
            self.found_groups(&gathering, &mut parts);
        }
        let mut opened = self.open_regrouping(&gathering, &parts, goes_on);
        self.bodies_go_on(&mut opened, &gathering, &parts, &stepped, event);
        if !goes_on {
            for &group in &gathering.old {
                self.end_group(&mut opened, group);
            }
        }
        self.parts_go_on(&mut opened, &gathering, &parts, &stepped, is_split);
        if let Some((_, process, next)) = gathering.pushed_by {
            self.go_on_until(&mut opened, process, next, false);
        }
        if let Some((process, next)) = gathering.called_by {
            self.go_on_until(&mut opened, process, next, true);
        }
        for (body, slots) in &gathering.slots {
            self.write_slots_in(&opened, *body, slots);
        }
        if let Some(message) = stepped.failure {
            self.fail(&opened, message);
        }
        self.close(opened);
    }

    /// Opens the event on bodies, outsiders, groups that end, groups that go on, and whoever caused it.
    fn open_regrouping(&mut self, gathering: &Gathering, parts: &[Part], goes_on: bool) -> Opened {
        let mut ring: Vec<ProcessId> = gathering
            .bodies
            .iter()
            .map(|j| ProcessId(j.body.0))
            .collect();
        ring.extend(gathering.outsiders.iter().map(|(c, _)| ProcessId(c.body.0)));
        ring.extend(self.tree_rings(gathering));
        if !goes_on {
            ring.extend(&gathering.old);
        }
        ring.extend(parts.iter().filter_map(|p| p.group));
        ring.extend(gathering.pushed_by.map(|(_, process, _)| process));
        ring.extend(gathering.called_by.map(|(process, _)| process));
        self.open(gathering.order, &ring)
    }
}
