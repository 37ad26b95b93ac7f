//! What events do: collisions, pieces of scripts, callbacks; and rollback, which undoes exactly what
//! a straggler invalidates and looks again from there.

use super::outside::Called;
use super::regroup::Sides;
use super::worldlines::Process;
use super::{Course, Engine, Kind, Origin, Pending, same_ticks, storm_after};
use crate::callback::{CollisionFn, View};
use crate::world::{BodyId, Kind as BodyKind};
use physics::collision::resolve_with;
use physics::contact::{Proximity, closest};
use physics::{State, Vec3};
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, NodeId, ProcessId, Tick, Undone};

impl Engine {
    /// Processes one pending entry.
    pub fn process(&mut self, entry: &Pending) {
        self.at_work = Some((entry.kind, entry.order().moment.tick));
        match entry.kind {
            Kind::Extend => self.extend(entry),
            Kind::CollisionCheck => self.collision_check(entry),
            Kind::Collision => self.collide(entry),
            Kind::Piece => self.next_piece(entry),
            Kind::Input => self.take_input(entry),
            Kind::GroupStep => self.group_step(entry),
            Kind::Callback => self.call_back(entry),
            Kind::Redraw => self.redraw(entry),
            Kind::Deform => self.deform(entry),
        }
    }

    /// Whether the entry's segments still exist and still cover its moment.
    pub(super) fn is_current(&self, entry: &Pending, order: EventOrder) -> bool {
        let current = |r| self.lines.is_live(r) && order < self.lines.end(r.node);
        current(entry.a) && (entry.kind != Kind::Collision || current(entry.b))
    }

    fn collide(&mut self, entry: &Pending) {
        let order = entry.order();
        if self.is_current(entry, order) {
            self.apply_collision(entry.a.node, entry.b.node, order);
        } else {
            self.call_off(entry, order);
        }
    }

    /// A foreseen collision does not happen: whichever segment still covers its moment goes on, and an
    /// extension that was put off because of it is due after all.
    pub(super) fn call_off(&mut self, entry: &Pending, order: EventOrder) {
        for side in [entry.a, entry.b] {
            if self.lines.is_live(side) && order < self.lines.end(side.node) {
                self.plan_extension(side.node);
            }
        }
    }

    /// Two segments touch: both bodies get new, linked segments; a soft collision fuses them.
    pub(crate) fn apply_collision(&mut self, a: NodeId, b: NodeId, order: EventOrder) {
        let tick = order.moment.tick;
        self.integrate(a, tick);
        self.integrate(b, tick);
        let side = |node: NodeId| {
            (
                self.lines.body_of(node),
                node,
                self.motion(node).state(tick),
            )
        };
        let mut sides = [side(a), side(b)];
        if sides[1].0 < sides[0].0 {
            sides.swap(0, 1);
        }
        let near = {
            let [(_, node_a, state_a), (_, node_b, state_b)] = &sides;
            let (model_a, model_b) = (self.model_of(*node_a), self.model_of(*node_b));
            closest(model_a, state_a, model_b, state_b)
        };
        self.use_momenta(&mut sides, &near, tick);
        let [(_, node_a, state_a), (_, node_b, state_b)] = &sides;
        let (model_a, model_b) = (self.model_of(*node_a), self.model_of(*node_b));
        let material = model_a.meeting(model_b).material;
        if self.world.contact.is_some() {
            if self.is_soft(&sides, &near, material, tick) {
                return self.fuse(&sides, &near, order);
            }
            if sides.iter().any(|(_, node, _)| {
                self.lines.group_of(*node).is_some() || self.lines.is_asleep(*node)
            }) {
                return self.strike_group(&sides, &near, order);
            }
        }
        let outcome = resolve_with(material, (model_a, state_a), (model_b, state_b), &near);
        let after = [
            (outcome.velocity_a, outcome.spin_a),
            (outcome.velocity_b, outcome.spin_b),
        ];
        self.bounce(&sides, after, outcome.impulse.length(), -near.gap, order);
    }

    /// Members of groups collide with the velocities of their momenta, not with those of their ways through a
    /// step, unless it is only the ways that meet.
    fn use_momenta(&self, sides: &mut Sides, near: &Proximity, tick: Tick) {
        if sides
            .iter()
            .all(|(_, node, _)| self.lines.group_of(*node).is_none())
        {
            return;
        }
        let [a, b] = [0usize, 1].map(|i| self.momentary(sides[i].1, tick));
        let point = near.point();
        let apart = near.normal.dot(a.velocity_at(point) - b.velocity_at(point));
        if apart < 0.0 {
            (sides[0].2, sides[1].2) = (a, b);
        }
    }

    /// A hard collision of two bodies on their own: they go on with new velocities.
    fn bounce(
        &mut self,
        sides: &Sides,
        after: [(Vec3, Vec3); 2],
        impulse: f64,
        overlap: f64,
        order: EventOrder,
    ) {
        let tick = order.moment.tick;
        let slots = self.collision_slots(sides, tick, impulse);
        let [a, b] = [0usize, 1].map(|i| self.model_of(sides[i].1));
        let restitution = a.meeting(b).material.restitution;
        let participants = [0usize, 1].map(|i| ProcessId(sides[i].0.0));
        let range = match [0usize, 1].map(|i| self.model_of(sides[i].1).is_movable()) {
            [true, true] => 0..2,
            [true, false] => 0..1,
            _ => 1..2,
        };
        self.begin(order, &participants[range.clone()]);
        for (place, side) in range.enumerate() {
            let (body, previous, state) = sides[side];
            let (velocity, spin) = after[side];
            let moved = State {
                velocity,
                spin,
                ..state
            };
            let course = self.alone(body, moved, previous);
            let origin = Origin {
                event: Event::Collision,
                partner: sides[1 - side].0.0,
                impulse,
                overlap: overlap as f32,
                storm: self.storm_of(previous, tick, restitution),
                epoch: 0,
            };
            let node = self.begun[place];
            self.install(node, &course, origin);
            if let Some(slots) = &slots {
                self.lines.write_slots(node, &slots[side]);
            }
            self.note_struck(node);
        }
        self.finish_begin();
    }

    /// Runs the collision callback on the newest segments of a pair.
    pub(super) fn count_in_slots(
        &mut self,
        pair: &[u32; 2],
        impulse: f64,
        tick: Tick,
        hook: &CollisionFn,
    ) {
        let nodes = pair.map(|body| self.lines.tip(ProcessId(body)));
        let mut views = [0usize, 1].map(|i| {
            let state = self.momentary(nodes[i], self.lines.flight(nodes[i]).start);
            self.view(BodyId(pair[i]), nodes[i], state)
        });
        hook(tick.seconds(), &mut views, impulse);
        for (node, view) in nodes.into_iter().zip(&views) {
            if self.begun.contains(&node) {
                self.lines.write_slots(node, &view.slots);
            }
        }
    }

    /// Slots after the user's collision callback, if there is one.
    fn collision_slots(&self, sides: &Sides, tick: Tick, impulse: f64) -> Option<[Vec<f64>; 2]> {
        let hook = self.world.on_collision.as_ref()?;
        let mut views = [0, 1].map(|i: usize| self.view(sides[i].0, sides[i].1, sides[i].2));
        hook(tick.seconds(), &mut views, impulse);
        Some(views.map(|v| v.slots))
    }

    fn view(&self, body: BodyId, node: NodeId, state: State) -> View {
        View {
            body,
            state,
            inverse_mass: self.world.model(body).mass.inverse_mass,
            slots: self.lines.slots(node),
        }
    }

    /// A kinematic body's script goes on with its next piece.
    fn next_piece(&mut self, entry: &Pending) {
        let order = entry.order();
        if !self.is_current(entry, order) {
            return;
        }
        let node = entry.a.node;
        let body = self.lines.body_of(node);
        let script = self.world.bodies[body.index()].script.as_ref();
        let Some((state, next)) = script.and_then(|s| s.piece(order.moment.tick)) else {
            return;
        };
        self.begin(order, &[ProcessId(body.0)]);
        let begun = self.begun[0];
        let course = self.alone(body, state, node);
        self.install(begun, &course, Origin::of(Event::Piece));
        self.lines.set_alarm(begun, next.unwrap_or(Tick::MAX));
        self.finish_begin();
    }

    /// A scheduled callback: its own worldline and those of the movable bodies it sees begin new,
    /// linked segments.
    fn call_back(&mut self, entry: &Pending) {
        let order = entry.order();
        if !self.is_current(entry, order) {
            return;
        }
        let tick = order.moment.tick;
        let process = self.lines.process(entry.a.node);
        let Process::Callback(number) = self.lines.kind(process) else {
            return;
        };
        let world = Arc::clone(&self.world);
        let callback = &world.callbacks[number];
        let mut segments = Vec::with_capacity(callback.bodies.len());
        let mut views = Vec::with_capacity(callback.bodies.len());
        for &body in &callback.bodies {
            let Some(node) = self.lines.covering(ProcessId(body.0), order) else {
                return;
            };
            self.integrate(node, tick);
            segments.push(node);
            views.push(self.view(body, node, self.momentary(node, tick)));
        }
        let again = (callback.run)(tick.seconds(), &mut views);
        let next = again
            .filter(|seconds| *seconds > 0.0)
            .map_or(Tick::MAX, |s| {
                tick.saturating_add(Tick::from_seconds(s).0.max(1))
            });
        let movable = |b: &BodyId| self.world.bodies[b.index()].kind == BodyKind::Dynamic;
        let seen = views
            .into_iter()
            .zip(segments)
            .filter(|(view, _)| movable(&view.body))
            .map(|(view, node)| {
                let seen = self.momentary(node, tick);
                let change = [
                    view.state.velocity - seen.velocity,
                    view.state.spin - seen.spin,
                ];
                (view, node, change)
            });
        let called = Called {
            order,
            process,
            next,
            seen: seen.collect(),
        };
        if self.reaches_company(&called) {
            self.call_groups(called);
        } else {
            self.go_on_after(called);
        }
    }

    /// The bodies that a callback has seen go on, each by itself.
    fn go_on_after(&mut self, called: Called) {
        let mut processes = vec![called.process];
        processes.extend(called.seen.iter().map(|(v, _, _)| ProcessId(v.body.0)));
        self.begin(called.order, &processes);
        self.place_callback(self.begun[0], called.next);
        for (place, (view, previous, _)) in called.seen.iter().enumerate() {
            let node = self.begun[place + 1];
            let origin = Origin {
                storm: self.storm_after(*previous, called.order.moment.tick),
                ..Origin::of(Event::Callback)
            };
            let course = self.course_of_view(view, *previous, called.order);
            self.install(node, &course, origin);
            self.lines.write_slots(node, &view.slots);
        }
        self.finish_begin();
    }

    /// How many events in a row a body has had close together, with one at `tick` that ends a segment.
    pub(super) fn storm_after(&self, previous: NodeId, tick: Tick) -> u16 {
        self.storm_of(previous, tick, 1.0)
    }

    /// The same for an event that is a bounce with this restitution.
    fn storm_of(&self, previous: NodeId, tick: Tick, restitution: f64) -> u16 {
        let start = self.lines.start(previous).tick;
        let gap = tick.0.saturating_sub(start.0);
        storm_after(
            self.lines.origin(previous).storm,
            gap,
            same_ticks(restitution),
        )
    }

    /// Rolls the processes back to `order` where they ran ahead of it, and begins a segment on each.
    pub(super) fn begin(&mut self, order: EventOrder, processes: &[ProcessId]) {
        self.undone.clear();
        for &process in processes {
            if self.lines.is_ahead(process, order) {
                self.roll_back(process, order);
            }
            self.undo_struck(process.0, order);
        }
        if self.trace.is_wanted() {
            self.name_causes(processes);
        }
        if !self.sheets.is_empty() {
            self.undo_deformables(order);
        }
        if !self.frames.is_empty() {
            for &process in processes {
                self.take_back_frames(process, order.moment.tick);
            }
        }
        for &process in processes {
            self.look_up_to(process, order.moment.tick);
        }
        self.begun.clear();
        self.lines.begin(order, processes, &mut self.begun);
    }

    /// Undoes everything on a worldline from `to` on, and whatever is linked to it.
    pub(super) fn roll_back(&mut self, process: ProcessId, to: EventOrder) {
        let from = self.undone.len();
        self.lines.roll_back(process, to, &mut self.undone);
        if self.trace.is_wanted() {
            self.note_undone(process, to, from);
        }
        self.stats.rollbacks += 1;
        self.stats.segments_undone += (self.undone.len() - from) as u64;
        let moved_back = |undone: Tick| undone.since(to.moment.tick);
        if let Some(newest) = self.undone.get(from) {
            self.stats.undone_s += moved_back(newest.order.moment.tick);
        }
        for index in from..self.undone.len() {
            let Undone {
                node,
                process,
                order,
            } = self.undone[index];
            self.watch_undone(node, order);
            self.note_unmoved(node, order);
            self.fall_back(node, process, order.moment.tick);
            self.take_back_frames(process, order.moment.tick);
            self.groups.reopen(node);
            // A group that rollback has annihilated is deleted (Mirtich 4.4).
            if self.lines.is_annihilated(process) {
                self.lines.remove(process);
            }
            self.undo_struck(process.0, order);
        }
    }

    /// Undoes all that began at `order` or later, on every worldline, and looks around again from there.
    pub(crate) fn undo_from(&mut self, order: EventOrder) {
        self.undone.clear();
        self.begun.clear();
        let ahead: Vec<ProcessId> = self.lines.alive().collect();
        for process in ahead {
            if self.lines.is_ahead(process, order) {
                self.roll_back(process, order);
            }
        }
        self.undo_stale();
        self.resume_undone();
    }

    /// Fills in a new segment of a body and checks it against its neighbourhood.
    pub(super) fn install(&mut self, node: NodeId, course: &Course, origin: Origin) {
        self.lines.set_origin(node, origin);
        self.lines.keep_slots(node, course.previous);
        self.place(node, course);
        self.account.note(node, &self.lines);
        self.watch_begun(node);
        if self.is_suspended(node) {
            self.account.note_suspended(self.lines.reference(node));
            self.leave(node, self.lines.start(node).tick);
        }
    }

    /// After all segments of an event are in place: looks around from each of them, and from every
    /// segment that a rollback has made the end of its worldline again.
    pub(super) fn finish_begin(&mut self) {
        let begun = std::mem::take(&mut self.begun);
        for &node in &begun {
            self.arm(node);
        }
        if let Some(&first) = begun.first() {
            self.check_all(&begun, self.lines.order(first));
        }
        self.begun = begun;
        self.undo_stale();
        self.resume_undone();
    }

    /// Event rollback by type: restored segments look around again from where they had ended, and
    /// their alarms and extensions are due again.
    pub(super) fn resume_undone(&mut self) {
        if self.undone.is_empty() {
            return;
        }
        let undone = std::mem::take(&mut self.undone);
        self.resumed.grow(self.lines.processes(), false);
        for &node in &self.begun {
            self.resumed[self.lines.process(node).index()] = true;
        }
        // The last entry of a worldline is the earliest: it looks around from there. All of them first
        // find their places, and then look: what they are going to read comes meanwhile.
        let mut resuming = std::mem::take(&mut self.resuming);
        resuming.clear();
        for entry in undone.iter().rev() {
            let process = entry.process;
            if !std::mem::replace(&mut self.resumed[process.index()], true)
                && self.lines.contains(process)
            {
                let tip = self.lines.tip(process);
                self.arm(tip);
                if self.lines.is_body(process) {
                    let from = entry.order.moment.tick;
                    self.reopen(tip, from);
                    resuming.push((tip, from));
                }
            }
        }
        for &(tip, from) in &resuming {
            self.check_node(tip, from);
        }
        self.resuming = resuming;
        for entry in &undone {
            self.resumed[entry.process.index()] = false;
        }
        for &node in &self.begun {
            self.resumed[self.lines.process(node).index()] = false;
        }
        self.undone = undone;
        self.undone.clear();
    }
}
