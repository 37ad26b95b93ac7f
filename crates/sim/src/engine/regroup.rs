//! What happens to contact groups: fusion by a soft collision, steps, fission at group checks, rest,
//! and waking. Each is one event that begins linked segments on all worldlines it involves.

use super::calm::Calm;
use super::event::Opened;
use super::groups::{GroupSegment, Joining, components};
use super::joints::Tie;
use super::wake::Company;
use super::worldlines::Process;
use super::{Course, Engine, Origin, Pending};
use crate::contact::ContactRules;
use crate::world::BodyId;
use physics::body::Material;
use physics::collision::resolve_with;
use physics::contact::Proximity;
use physics::groups::{Member, Memory, Neighbour};
use physics::joints::{self, Linkage, Party};
use physics::rotation::{rotation_vector, world_tensor};
use physics::{Drive, Mat3, State, Vec3};
use record::{Event, NO_PARTNER};
use std::sync::Arc;
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// A collision's two bodies, lower number first: segment and state of each.
pub(super) type Sides = [(BodyId, NodeId, State); 2];

/// Stands for the process of a group until the group is founded.
const TO_BE_FOUNDED: ProcessId = ProcessId(u32::MAX);

/// Collisions of one body that follow each other within a microsecond this often count as soft.
const SOFT_STORM: u16 = 24;

/// A body that was hit so often in a row within a small part of a group's step is in lasting contact with the group.
const SOFT_FLURRY: u8 = 48;

/// Times that a step is solved again because bodies were moved farther than their candidate pairs reach.
const STRAYED_MAX: u32 = 4;

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

/// Which bodies stay together after the step, and in which group.
struct Part {
    members: Vec<usize>,
    group: Option<ProcessId>,
    /// They fall asleep, each on its own.
    is_asleep: bool,
}

/// A step that was solved, and what is to be told of it.
struct Stepped {
    company: Company,
    /// What the next step begins with.
    memory: Arc<Memory>,
    /// Why it could not be solved.
    failure: Option<String>,
    /// Where the gathered bodies are at its end, and when that is.
    ends: Vec<State>,
    end: Tick,
    calm: Vec<Calm>,
    /// If all come to rest, the kinematic bodies that they lean on.
    leans_on: Option<Vec<u32>>,
}

impl Part {
    fn contains(&self, gathering: &Gathering, body: u32) -> bool {
        let at = |m: &usize| gathering.bodies[*m].body.0;
        self.members.binary_search_by_key(&body, at).is_ok()
    }
}

impl Engine {
    /// Whether a collision leads to lasting contact rather than a bounce.
    pub(super) fn is_soft(
        &self,
        sides: &Sides,
        near: &Proximity,
        material: Material,
        tick: Tick,
    ) -> bool {
        let Some(rules) = &self.world.contact else {
            return false;
        };
        let point = near.point();
        let approach = near
            .normal
            .dot(sides[0].2.velocity_at(point) - sides[1].2.velocity_at(point))
            .abs();
        let slow =
            material.restitution < 1.0 && material.restitution * approach <= rules.fuse_speed;
        slow || sides
            .iter()
            .any(|(_, node, _)| self.storm_after(*node, tick) >= SOFT_STORM)
            || self.is_flurry(sides, tick)
    }

    /// Whether a body on its own strikes a group faster than the group can follow.
    fn is_flurry(&self, sides: &Sides, tick: Tick) -> bool {
        let is_grouped = |side: usize| self.lines.group_of(sides[side].1).is_some();
        [(0, 1), (1, 0)].into_iter().any(|(one, other)| {
            !is_grouped(one)
                && is_grouped(other)
                && self.flurry_after(sides[one].1, tick) >= SOFT_FLURRY
        })
    }

    /// A soft collision: both bodies, and whoever they are in contact with, become one group.
    pub(super) fn fuse(&mut self, sides: &Sides, near: &Proximity, order: EventOrder) {
        let mut bodies: Vec<u32> = Vec::new();
        let mut old: Vec<ProcessId> = Vec::new();
        for (body, node, _) in sides {
            match self.lines.group_of(*node) {
                Some(group) => {
                    bodies.extend(self.members_at(group, order));
                    old.push(group);
                }
                None if self.world.model(*body).is_movable() => bodies.push(body.0),
                None => {}
            }
        }
        let Some(mut gathering) = self.gather(order, bodies, old) else {
            return;
        };
        self.strike(&mut gathering, sides, near, 0.0);
        gathering.event = Event::Fusion;
        self.regroup(gathering);
    }

    /// A hard collision with a member of a group: the group stays intact and steps again from here,
    /// the other body bounces. Two groups that hit each other go on as one, until a group check
    /// finds them apart.
    pub(super) fn strike_group(&mut self, sides: &Sides, near: &Proximity, order: EventOrder) {
        let mut bodies: Vec<u32> = Vec::new();
        let mut old: Vec<ProcessId> = Vec::new();
        let mut outsider = None;
        for (place, (body, node, _)) in sides.iter().enumerate() {
            match self.lines.group_of(*node) {
                Some(group) => {
                    bodies.extend(self.members_at(group, order));
                    old.push(group);
                }
                None if self.lines.is_asleep(*node) => bodies.push(body.0),
                None if self.multibodies.link(body.0).is_some() => bodies.push(body.0),
                None if self.world.model(*body).is_movable() => outsider = Some(place),
                None => {}
            }
        }
        let Some(mut gathering) = self.gather(order, bodies, old) else {
            return;
        };
        let restitution = self.material(sides).restitution;
        let change = self.strike(&mut gathering, sides, near, restitution);
        if let Some(place) = outsider {
            let (body, node, state) = sides[place];
            let moved = State {
                velocity: state.velocity + change[place][0],
                spin: state.spin + change[place][1],
                ..state
            };
            gathering
                .outsiders
                .push((self.alone(body, moved, node), Event::Collision));
        }
        gathering.event = if gathering.old.len() > 1 {
            Event::Fusion
        } else {
            Event::Collision
        };
        self.regroup(gathering);
    }

    fn material(&self, sides: &Sides) -> Material {
        let [a, b] = [sides[0].0, sides[1].0].map(|body| self.world.model(body));
        a.meeting(b).material
    }

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

    /// Applies the collision's impulse to the gathered bodies. Returns the changes of velocity and
    /// spin of both sides.
    fn strike(
        &mut self,
        gathering: &mut Gathering,
        sides: &Sides,
        near: &Proximity,
        restitution: f64,
    ) -> [[Vec3; 2]; 2] {
        let material = Material {
            restitution,
            ..self.material(sides)
        };
        let [(a, _, state_a), (b, _, state_b)] = sides;
        gathering.pair = [a.0, b.0];
        gathering.overlap = -near.gap;
        if self.meets_links(sides) {
            return self.strike_links(gathering, sides, near, material);
        }
        let (ties, neighbours) = self.ties_from(&gathering.bodies, [a.0, b.0]);
        if !ties.is_empty() {
            return self.strike_joined(gathering, sides, near, material, (&ties, &neighbours));
        }
        let (model_a, model_b) = (self.world.model(*a), self.world.model(*b));
        let outcome = resolve_with(material, (model_a, state_a), (model_b, state_b), near);
        let change = [
            [
                outcome.velocity_a - state_a.velocity,
                outcome.spin_a - state_a.spin,
            ],
            [
                outcome.velocity_b - state_b.velocity,
                outcome.spin_b - state_b.spin,
            ],
        ];
        for (side, (body, _, _)) in sides.iter().enumerate() {
            if let Ok(place) = gathering.bodies.binary_search_by_key(&body.0, |j| j.body.0) {
                gathering.bodies[place].state.velocity += change[side][0];
                gathering.bodies[place].state.spin += change[side][1];
            }
        }
        gathering.impulse = outcome.impulse.length();
        change
    }

    /// The same for bodies with joints: what is joined to them takes its part of the blow.
    fn strike_joined(
        &mut self,
        gathering: &mut Gathering,
        sides: &Sides,
        near: &Proximity,
        material: Material,
        (ties, neighbours): (&[Tie], &[u32]),
    ) -> [[Vec3; 2]; 2] {
        let order = gathering.order;
        let nearby: Vec<Joining> = neighbours
            .iter()
            .filter_map(|&body| self.joining(BodyId(body), order))
            .collect();
        let member = |j: &Joining| Member {
            body: j.body.0,
            model: self.models.get(j.model),
            state: j.state,
        };
        let neighbour = |j: &Joining| Neighbour {
            body: j.body.0,
            model: self.models.get(j.model),
            state: j.state,
        };
        let members: Vec<Member> = gathering.bodies.iter().map(member).collect();
        let neighbours: Vec<Neighbour> = nearby.iter().map(neighbour).collect();
        let party = |(body, _, state): &'_ (BodyId, NodeId, State)| {
            let place = gathering.bodies.binary_search_by_key(body, |j| j.body);
            (*body, *state, place.ok())
        };
        let [a, b] = [0, 1].map(|k: usize| party(&sides[k]));
        let parties = [&a, &b].map(|(body, state, place)| Party {
            model: self.world.model(*body),
            state,
            place: *place,
        });
        let linkage = Linkage {
            members: &members,
            neighbours: &neighbours,
            links: &Self::links(&self.world, ties),
            memory: &gathering.memory,
        };
        let struck = joints::strike(material, parties, near, &linkage);
        for &(place, [velocity, spin]) in &struck.members {
            gathering.bodies[place].state.velocity += velocity;
            gathering.bodies[place].state.spin += spin;
        }
        gathering.impulse = struck.impulse.length();
        struck.parties
    }

    /// A member of a group whose step goes on begins a new segment on the same way.
    pub(super) fn course_on(&self, body: BodyId, node: NodeId, tick: Tick) -> Course {
        let (was, end) = (self.lines.drive(node), self.lines.step_end(node));
        let motion = self.motion(node);
        let [velocity, spin] = was.at(&motion, end, tick);
        let left = if tick < end && tick > motion.flight.start {
            end.since(tick) / end.since(motion.flight.start)
        } else {
            1.0
        };
        Course {
            body,
            state: motion.state(tick),
            previous: node,
            model: self.lines.model(node),
            group: self.lines.group_of(node),
            drive: Drive {
                velocity: [velocity, was.velocity[1]],
                spin: [spin, was.spin[1]],
                bend: was.bend * (left * left),
            },
            horizon: end,
            began: Some(self.lines.step_begins(node)),
            host: self.lines.host(node),
            is_asleep: false,
            grip: 0.0,
        }
    }

    /// A group's step is due.
    pub(super) fn group_step(&mut self, entry: &Pending) {
        let order = entry.order();
        let Some(rules) = self.world.contact.as_ref() else {
            return;
        };
        let steps_per_check = rules.steps_per_check;
        if !self.is_current(entry, order) {
            return;
        }
        let group = self.lines.process(entry.a.node);
        if let Process::Body(_) = self.lines.kind(group) {
            return self.join(entry);
        }
        let members = self.members_at(group, order);
        let Some(mut gathering) = self.gather(order, members, vec![group]) else {
            return;
        };
        let segment = self.groups.step(entry.a.node);
        if segment.is_resting {
            gathering.calm.clear();
        }
        gathering.steps = segment.steps + 1;
        gathering.check = gathering.steps.is_multiple_of(steps_per_check);
        self.regroup(gathering);
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

    /// One step of the gathered bodies, with all sleepers awake that feel it.
    fn step_gathered(&mut self, rules: &ContactRules, gathering: &mut Gathering) -> Stepped {
        let order = gathering.order;
        let keeps_apart = rules.solver.keeps_apart();
        if keeps_apart {
            // What is hit gets about as far as what hits it.
            let speeds = gathering.bodies.iter().map(|j| j.state.velocity.length());
            gathering.farther = 0.5 * speeds.fold(0.0, f64::max) * rules.step;
        }
        let mut strayed_left = if keeps_apart { STRAYED_MAX } else { 0 };
        loop {
            let company = self.wake_sleepers(rules, gathering);
            self.gather_trees(gathering);
            // Only with sleepers beside it, or with a solver that may move bodies far, may the step have to be
            // solved again.
            let mut memory = if company.is_alone() && strayed_left == 0 {
                std::mem::take(&mut gathering.memory)
            } else {
                gathering.memory.clone()
            };
            let (solved, ticks) = match gathering.trees.is_empty() {
                true => self.step_to_bounce(rules, &gathering.bodies, order, &mut memory),
                false => self.step_trees(rules, gathering, &mut memory),
            };
            if strayed_left > 0
                && let Ok(ends) = &solved
                && let Some(moved) = self.strayed(rules, &gathering.bodies, ends, gathering.farther)
            {
                gathering.farther = 2.0 * moved;
                strayed_left -= 1;
                continue;
            }
            let calm = self.calm_now(rules, gathering);
            let leans_on = self
                .rest(rules, gathering, &calm)
                .filter(|_| solved.is_ok() && self.trees_rest(rules, gathering, &calm));
            let woken = match (&solved, &leans_on) {
                (Ok(_), None) => self.overloaded(rules, &company, order),
                _ => Vec::new(),
            };
            if !woken.is_empty() {
                self.take_in(gathering, woken);
                continue;
            }
            let name = |body: u32| format!("`{}`", self.world.bodies[body as usize].name);
            let failure = solved.as_ref().err().map(|e| e.naming(&name));
            let stay = |_| gathering.bodies.iter().map(|j| j.state).collect();
            return Stepped {
                company,
                memory: Arc::new(memory),
                failure,
                ends: solved.unwrap_or_else(stay),
                end: order.moment.tick.saturating_add(ticks),
                calm,
                leans_on,
            };
        }
    }

    /// Who stays together after a step.
    fn part(&self, gathering: &Gathering, stepped: &Stepped) -> Vec<Part> {
        let is_still = stepped.leans_on.as_ref().is_some_and(Vec::is_empty);
        // A group that leans on a kinematic body rests as a group, and wakes when that body moves; so does one with
        // multibodies, which wake as a whole.
        if is_still && gathering.trees.is_empty() {
            return vec![Part {
                members: (0..gathering.bodies.len()).collect(),
                group: None,
                is_asleep: true,
            }];
        }
        self.partition(gathering)
    }

    /// Says how the groups go on that remain after a step.
    fn parts_go_on(
        &mut self,
        opened: &mut Opened,
        gathering: &Gathering,
        parts: &[Part],
        stepped: &Stepped,
        is_split: bool,
    ) {
        let rests = stepped.leans_on.is_some();
        // A resting group has no step ahead; what it leans on may wake it. A step that a script's corner
        // cuts goes on from there.
        let alarm = match rests {
            true => Tick::MAX,
            false => stepped.end.min(self.next_corner(gathering.order)),
        };
        let touches = &self.groups.workshop.report.touches;
        let deepest = touches.iter().map(|t| -t.gap).fold(0.0, f64::max) as f32;
        for part in parts {
            let Some(group) = part.group else {
                continue;
            };
            let largest = &mut self.observers.count().largest_group;
            *largest = (*largest).max(part.members.len() as u64);
            let is_own = |body: u32| part.contains(gathering, body);
            let step = GroupSegment {
                memory: match is_split {
                    true => Arc::new(stepped.memory.of(is_own)),
                    false => Arc::clone(&stepped.memory),
                },
                calm: Arc::new(part.members.iter().map(|m| stepped.calm[*m]).collect()),
                began: gathering.order.moment.tick,
                guests: Vec::new(),
                steps: gathering.steps,
                is_resting: rests,
                is_ended: false,
                leans_on: stepped.leans_on.clone().unwrap_or_default(),
                leaning: stepped.company.held.clone(),
                deepest,
            };
            self.go_on_as_group(opened, group, step, alarm);
        }
    }

    /// Who stays together: everybody between group checks, at a check the connected components of
    /// the contact graph. A body that touches nothing is on its own.
    fn partition(&self, gathering: &Gathering) -> Vec<Part> {
        let group = |members, touches: bool| Part {
            members,
            group: touches.then_some(TO_BE_FOUNDED),
            is_asleep: false,
        };
        if !gathering.check {
            return vec![group((0..gathering.bodies.len()).collect(), true)];
        }
        let workshop = &self.groups.workshop;
        let (bonds, held) = self.bonds(&gathering.bodies);
        let found = components(
            &gathering.bodies,
            &workshop.report,
            &workshop.pairs,
            &workshop.ties,
            (&bonds, &held),
        );
        let mut parts: Vec<Part> = Vec::new();
        let mut place_of = vec![usize::MAX; gathering.bodies.len()];
        for (member, &(root, touches)) in found.iter().enumerate() {
            let place = &mut place_of[root as usize];
            if *place == usize::MAX {
                *place = parts.len();
                parts.push(group(Vec::new(), touches));
            }
            parts[*place].members.push(member);
        }
        parts
    }

    /// A new process for every part that is a group.
    fn found_groups(&mut self, gathering: &Gathering, parts: &mut [Part]) {
        for part in parts.iter_mut().filter(|p| p.group.is_some()) {
            let group = self.lines.add_idle_process();
            let members = part.members.iter().map(|&m| gathering.bodies[m].body.0);
            self.groups.found(group, members);
            self.observers.count().groups_created += 1;
            part.group = Some(group);
        }
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

    /// Says how the bodies go on that take part.
    fn bodies_go_on(
        &mut self,
        opened: &mut Opened,
        gathering: &Gathering,
        parts: &[Part],
        stepped: &Stepped,
        event: Event,
    ) {
        let tick = gathering.order.moment.tick;
        let grips = if parts.iter().any(|p| p.is_asleep) {
            self.grips(gathering)
        } else {
            Vec::new()
        };
        let alone = |body: u32| {
            let of = parts.iter().find(|part| part.contains(gathering, body));
            of.is_none_or(|part| part.group.is_none())
        };
        let rests = stepped.leans_on.is_some();
        self.trees_go_on(opened, gathering, (stepped.end, rests), alone);
        for part in parts {
            let lag = self.lag(gathering, part, &stepped.ends);
            for &member in &part.members {
                let joining = gathering.bodies[member];
                let course = match part.group {
                    None if part.is_asleep => Course::asleep(joining, grips[member]),
                    None => Course::alone(joining.body, joining.state, joining.node, joining.model),
                    Some(group) if stepped.leans_on.is_some() => Course::resting(joining, group),
                    Some(group) => self.moved(
                        joining,
                        group,
                        (&stepped.ends[member], stepped.end),
                        lag,
                        tick,
                    ),
                };
                let mut origin = self.origin_of(gathering, event, joining.body.0, joining.node);
                if part.is_asleep {
                    origin.event = Event::Rest;
                }
                self.go_on(opened, &course, origin);
            }
        }
        for (course, own) in &gathering.outsiders {
            let origin = Origin {
                event: *own,
                flurry: self.flurry_after(course.previous, tick),
                ..self.origin_of(gathering, event, course.body.0, course.previous)
            };
            self.go_on(opened, course, origin);
        }
        if let Some(hook) = self.world.on_collision.clone()
            && gathering.impulse > 0.0
        {
            self.count_in_slots(opened, &gathering.pair, gathering.impulse, tick, &hook);
        }
    }

    /// A member's course over a step that ends at a tick in a state; `lag` is what the group lacks in spin.
    fn moved(
        &self,
        joining: Joining,
        group: ProcessId,
        (end, at): (&State, Tick),
        lag: Vec3,
        tick: Tick,
    ) -> Course {
        let mut course = moving(joining, end, at.since(tick));
        if lag != Vec3::ZERO {
            let inertia = self.models.get(joining.model).mass.inertia;
            course.drive.bend = world_tensor(joining.state.rotation, inertia) * lag;
        }
        Course {
            group: Some(group),
            horizon: at,
            ..course
        }
    }

    /// How the segment of a body begins that takes part in a group's event; `previous` is the one before.
    fn origin_of(
        &self,
        gathering: &Gathering,
        event: Event,
        body: u32,
        previous: NodeId,
    ) -> Origin {
        let [a, b] = gathering.pair;
        let is_struck = body == a || body == b;
        let tick = gathering.order.moment.tick;
        Origin {
            event,
            partner: match is_struck {
                false => NO_PARTNER,
                true if body == a => b,
                true => a,
            },
            impulse: if is_struck { gathering.impulse } else { 0.0 },
            overlap: if is_struck {
                gathering.overlap as f32
            } else {
                0.0
            },
            storm: match event {
                Event::Step | Event::Touch => 0,
                _ => self.storm_after(previous, tick),
            },
            flurry: 0,
            epoch: 0,
        }
    }

    /// What the members of a group that floats freely lack in spin, in the middle of a step four times as
    /// little as this: their ways are straight while their velocities turn, so that the angular momentum of
    /// the whole would not be the same at every tick. It is made up for by a spin that all have in common.
    fn lag(&self, gathering: &Gathering, part: &Part, ends: &[State]) -> Vec3 {
        let is_outside = |body: u32| !part.contains(gathering, body);
        let touches = &self.groups.workshop.report.touches;
        let leans = touches
            .iter()
            .any(|t| t.normal_impulse > 0.0 && (is_outside(t.a) || is_outside(t.b)));
        let mut tied = self.groups.workshop.tied_neighbours(gathering.bodies.len());
        if !gathering.trees.is_empty() {
            return Vec3::ZERO;
        }
        if part.group.is_none() || part.members.len() < 2 || leans || tied.next().is_some() {
            return Vec3::ZERO;
        }
        let mass = |m: usize| self.models.get(gathering.bodies[m].model).mass;
        let moved = |m: usize| ends[m].position - gathering.bodies[m].state.position;
        let (mut all, mut way) = (0.0, Vec3::ZERO);
        for &m in &part.members {
            all += mass(m).mass;
            way += moved(m) * mass(m).mass;
        }
        let mean = way / all;
        let (mut missing, mut inertia) = (Vec3::ZERO, Mat3::ZERO);
        for &m in &part.members {
            let start = &gathering.bodies[m].state;
            let kick = (ends[m].velocity - start.velocity) * mass(m).mass;
            missing += (moved(m) - mean).cross(kick);
            inertia += world_tensor(start.rotation, mass(m).inertia);
        }
        let lag = inertia.inverse() * missing;
        if lag.is_finite() { lag } else { Vec3::ZERO }
    }
}

/// A member's course over a step: from where it is to where the solver has put it.
pub(super) fn moving(joining: Joining, end: &State, step: f64) -> Course {
    let start = joining.state;
    let turn = end.rotation * start.rotation.inverse();
    Course {
        body: joining.body,
        state: State {
            position: start.position,
            velocity: (end.position - start.position) / step,
            rotation: start.rotation,
            spin: rotation_vector(turn) / step,
        },
        previous: joining.node,
        model: joining.model,
        group: None,
        drive: Drive {
            velocity: [start.velocity, end.velocity],
            spin: [start.spin, end.spin],
            bend: Vec3::ZERO,
        },
        horizon: Tick::MAX,
        began: None,
        host: None,
        is_asleep: false,
        grip: 0.0,
    }
}
