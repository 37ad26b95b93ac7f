//! What events do: collisions, pieces of scripts, callbacks.

use super::event::Opened;
use super::outside::Called;
use super::regroup::Sides;
use super::worldlines::Process;
use super::{Engine, Kind, Origin, Pending, flurry_after, same_ticks, storm_after};
use crate::callback::{CollisionFn, View};
use crate::world::{BodyId, Kind as BodyKind};
use physics::collision::resolve_with;
use physics::contact::{Proximity, closest};
use physics::{State, Vec3};
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, NodeId, ProcessId, Tick};

impl Engine {
    /// Processes one pending entry.
    pub fn process(&mut self, entry: &Pending) {
        let order = entry.order();
        self.at_work = Some((entry.kind, order.moment.tick));
        match entry.kind {
            Kind::Extend => self.extend(entry),
            Kind::CollisionCheck => self.collision_check(entry),
            Kind::Collision if self.is_current(entry, order) && self.is_ours(entry) => {
                self.collide(entry.a.node, entry.b.node, order);
            }
            Kind::Collision => self.call_off(entry, order),
            Kind::Piece => self.next_piece(entry),
            Kind::Input => self.take_input(entry),
            Kind::Fact => self.take_fact(entry),
            Kind::GroupStep => {
                if let Some(gathering) = self.gather_for_step(entry) {
                    self.regroup(gathering);
                }
            }
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
    fn collide(&mut self, a: NodeId, b: NodeId, order: EventOrder) {
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
        let placed = sides[1].2.position;
        if let Some(beside) = self.image_beside(&sides) {
            sides[1].2.position = beside;
        }
        let near = {
            let [(_, node_a, state_a), (_, node_b, state_b)] = &sides;
            let (model_a, model_b) = (self.model_of(*node_a), self.model_of(*node_b));
            closest(model_a, state_a, model_b, state_b)
        };
        let is_momentums = self.use_momenta(&mut sides, &near, tick);
        let [model_a, model_b] = [0usize, 1].map(|side| self.model_of(sides[side].1));
        let material = model_a.meeting(model_b).material;
        if self.world.contact.is_some()
            && self.meets_group(&sides, &near, (material, is_momentums), order)
        {
            return;
        }
        if self.meets_links(&sides) {
            return self.bounce_links(&sides, &near, material, order);
        }
        let outcome = {
            let [(_, node_a, state_a), (_, node_b, state_b)] = &sides;
            let (model_a, model_b) = (self.model_of(*node_a), self.model_of(*node_b));
            resolve_with(material, (model_a, state_a), (model_b, state_b), &near)
        };
        let after = [
            (outcome.velocity_a, outcome.spin_a),
            (outcome.velocity_b, outcome.spin_b),
        ];
        sides[1].2.position = placed;
        self.bounce(&sides, after, outcome.impulse.length(), -near.gap, order);
    }

    /// Members of groups collide with the velocities of their momenta, not with those of their ways through a
    /// step, unless it is only the ways that meet: gives `false` then.
    fn use_momenta(&self, sides: &mut Sides, near: &Proximity, tick: Tick) -> bool {
        if sides
            .iter()
            .all(|(_, node, _)| self.lines.group_of(*node).is_none())
        {
            return true;
        }
        let [a, b] = [0usize, 1].map(|i| self.momentary(sides[i].1, tick));
        let point = near.point();
        let apart = near.normal.dot(a.velocity_at(point) - b.velocity_at(point));
        if apart < 0.0 {
            (sides[0].2, sides[1].2) = (a, b);
        }
        apart < 0.0
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
        let mut event = self.open(order, &participants[range.clone()]);
        for side in range {
            let (_, previous, _) = sides[side];
            let (velocity, spin) = after[side];
            let course = self.course_after(&sides[side], [velocity, spin], tick);
            let origin = Origin {
                event: Event::Collision,
                partner: sides[1 - side].0.0,
                impulse,
                overlap: overlap as f32,
                storm: self.storm_of(previous, tick, restitution),
                flurry: self.flurry_after(previous, tick),
                epoch: 0,
            };
            let node = self.go_on(&mut event, &course, origin);
            if let Some(slots) = &slots {
                self.lines.write_slots(node, &slots[side]);
            }
            self.remember_bounce(node);
        }
        self.close(event);
    }

    /// Runs the collision callback on the newest segments of a pair.
    pub(super) fn count_in_slots(
        &mut self,
        event: &Opened,
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
        for view in &views {
            self.write_slots_in(event, view.body, &view.slots);
        }
    }

    /// Slots after the user's collision callback, if there is one.
    pub(super) fn collision_slots(
        &self,
        sides: &Sides,
        tick: Tick,
        impulse: f64,
    ) -> Option<[Vec<f64>; 2]> {
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
        if self.is_elsewhere(body.0) {
            return;
        }
        if self.world.bodies[body.index()].kind == BodyKind::Dynamic {
            return self.cross_side(node, order);
        }
        let script = self.world.bodies[body.index()].script.as_ref();
        let Some((state, next)) = script.and_then(|s| s.piece(order.moment.tick)) else {
            return;
        };
        let course = self.alone(body, state, node);
        let mut event = self.open(order, &[ProcessId(body.0)]);
        let begun = self.go_on(&mut event, &course, Origin::of(Event::Piece));
        self.lines.set_alarm(begun, next.unwrap_or(Tick::MAX));
        self.close(event);
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
        let number = match self.lines.kind(process) {
            Process::Callback(number) => number,
            Process::Multibody(index) => return self.control(order, index),
            _ => return,
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
        let mut event = self.open(called.order, &processes);
        self.go_on_until(&mut event, called.process, called.next, true);
        for (view, previous, _) in &called.seen {
            let origin = Origin {
                storm: self.storm_after(*previous, called.order.moment.tick),
                ..Origin::of(Event::Callback)
            };
            let course = self.course_of_view(view, *previous, called.order);
            let node = self.go_on(&mut event, &course, origin);
            self.lines.write_slots(node, &view.slots);
        }
        self.close(event);
    }

    /// How many events in a row a body has had close together, with one at `tick` that ends a segment.
    pub(super) fn storm_after(&self, previous: NodeId, tick: Tick) -> u16 {
        self.storm_of(previous, tick, 1.0)
    }

    /// How many collisions in a row a body on its own has had faster than groups can follow, with one at `tick` that ends
    /// a segment.
    pub(super) fn flurry_after(&self, previous: NodeId, tick: Tick) -> u8 {
        let Some(rules) = &self.world.contact else {
            return 0;
        };
        let gap = tick.0.saturating_sub(self.lines.start(previous).tick.0);
        let before = self.lines.origin(previous).flurry;
        flurry_after(before, gap, rules.step_ticks())
    }

    /// The same for an event that is a bounce with this restitution.
    pub(super) fn storm_of(&self, previous: NodeId, tick: Tick, restitution: f64) -> u16 {
        let start = self.lines.start(previous).tick;
        let gap = tick.0.saturating_sub(start.0);
        storm_after(
            self.lines.origin(previous).storm,
            gap,
            same_ticks(restitution),
        )
    }
}
