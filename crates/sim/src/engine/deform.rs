//! Steps of deformables. The step at `T_k` comes after all else of its moment: it reads the bodies near
//! the deformable as they are then, and begins a segment on the deformable's worldline and on those of
//! the bodies it pushes, in one ring. A contact group whose members are pushed is struck right after, in
//! a ring of its own that the deformable is part of.
//!
//! What a step has read is not in its ring: any body that comes near could matter. So a deformable that
//! meets moving bodies is *coupled*: its steps note what they have read (`deform_reads.rs`), and `timewarp`
//! makes each of its ticks a barrier that no window runs past before all that is earlier has been done. Deformables that meet only fixed bodies are independent of all
//! that happens, and have a clock of their own.

use super::deform_reads::Read;
use super::neighbourhood::When;
use super::outside::Push;
use super::{Engine, Kind, NodeId, Origin, Pending};
use crate::deformable::{Collides, DeformableBody, Form, Neighbour};
use crate::grid::Bounds;
use crate::history::Listener;
use crate::overlap::corners_at;
use crate::world::{BodyId, Kind as BodyKind};
use physics::{ModelId, State, Vec3};
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, Moment, ProcessId, Tick};

/// A deformable sees bodies that move at up to this speed (m/s) a whole step before they arrive, faster
/// ones when they are this many metres per second of step away.
const SEEN_SPEED: f64 = 50.0;

/// A body near a deformable.
struct Nearby {
    body: BodyId,
    /// Its segment, if it can be pushed.
    node: Option<NodeId>,
    model: ModelId,
    state: State,
    acceleration: Vec3,
}

impl Engine {
    /// One process per deformable.
    pub(super) fn add_deformables(&mut self) {
        let world = Arc::clone(&self.world);
        let start = EventOrder::before(Moment::at(Tick::ZERO));
        for deformable in &world.deformables {
            self.deformables.add(&world, deformable);
            let node = self.lines.add_process(start);
            self.lines.place_other(node, Tick::ZERO);
        }
    }

    /// A deformable's step is due.
    pub(super) fn deform(&mut self, entry: &Pending) {
        let order = entry.order();
        if !self.is_current(entry, order) {
            return;
        }
        let process = self.lines.process(entry.a.node);
        let Some(index) = self.lines.deformable_of(process) else {
            return;
        };
        let world = Arc::clone(&self.world);
        let deformable = &world.deformables[index];
        let number = deformable.step_number(order.moment.tick);
        let next = deformable.tick(number + 1);
        let Some(form) = self.deformables.form(index, number).cloned() else {
            return;
        };
        let nearby = self.surroundings(deformable, &*form, order);
        if self.deformables.is_coupled(index) {
            let [lo, hi] = deformable.model.reach(&*form);
            let seen = Vec3::splat(SEEN_SPEED * deformable.model.step_seconds());
            let read = Read {
                order,
                bodies: nearby.iter().map(|near| near.body.0).collect(),
                reach: Bounds::around(lo - seen, hi + seen),
            };
            self.deformables.note(index, read);
        }
        let models: Vec<_> = nearby
            .iter()
            .map(|n| Arc::clone(self.models.get(n.model)))
            .collect();
        let mut bodies: Vec<Neighbour> = nearby
            .iter()
            .zip(&models)
            .map(|(n, model)| Neighbour::new(n.body, model, n.state, n.acceleration))
            .collect();
        let span = [order.moment.tick, next];
        let outcome = deformable.model.step(&*form, span, &mut bodies);
        let changes: Vec<[Vec3; 2]> = bodies.iter().map(Neighbour::change).collect();
        self.observers.count().deformable_steps += 1;
        match outcome {
            Ok(form) => {
                self.deformables.set(index, number + 1, form);
                self.begin_step(index, order, next, &nearby, &changes);
            }
            Err(why) => {
                self.begin_step(index, order, Tick::MAX, &[], &[]);
                let node = self.lines.tip(process);
                self.account.add_failure(self.lines.reference(node), why);
            }
        }
    }

    /// Begins the segments of a step: the deformable's, and those of the bodies it has pushed.
    fn begin_step(
        &mut self,
        index: usize,
        order: EventOrder,
        next: Tick,
        nearby: &[Nearby],
        changes: &[[Vec3; 2]],
    ) {
        let process = self.lines.deformable(index);
        let mut alone: Vec<(NodeId, BodyId, State)> = Vec::new();
        let mut grouped: Vec<(ProcessId, BodyId, [Vec3; 2])> = Vec::new();
        for (near, change) in nearby.iter().zip(changes) {
            let Some(node) = near.node.filter(|_| *change != [Vec3::ZERO; 2]) else {
                continue;
            };
            match self.lines.group_of(node) {
                Some(group) => grouped.push((group, near.body, *change)),
                None => {
                    let state = State {
                        velocity: near.state.velocity + change[0],
                        spin: near.state.spin + change[1],
                        ..near.state
                    };
                    alone.push((node, near.body, state));
                }
            }
        }
        let mut ring = vec![process];
        ring.extend(alone.iter().map(|(_, body, _)| ProcessId(body.0)));
        let mut event = self.open(order, &ring);
        self.go_on_until(&mut event, process, next, true);
        for (previous, body, state) in alone {
            let course = self.alone(body, state, previous);
            let origin = self.touch_origin(index, previous, &state, order.moment.tick);
            self.go_on(&mut event, &course, origin);
        }
        self.close(event);
        self.push_groups(index, order, next, grouped);
    }

    /// How a pushed body's segment began.
    fn touch_origin(&self, index: usize, previous: NodeId, after: &State, tick: Tick) -> Origin {
        let mass = self.models.get(self.lines.model(previous)).mass.mass;
        let before = self.motion(previous).velocity(tick);
        Origin {
            event: Event::Touch,
            partner: (self.world.bodies.len() + index) as u32,
            impulse: mass * (after.velocity - before).length(),
            overlap: 0.0,
            storm: 0,
            flurry: 0,
            epoch: 0,
        }
    }

    /// Strikes every contact group that has pushed members, in the order of first members.
    fn push_groups(
        &mut self,
        index: usize,
        order: EventOrder,
        next: Tick,
        grouped: Vec<(ProcessId, BodyId, [Vec3; 2])>,
    ) {
        let first = |group: ProcessId| self.groups.first(group);
        let mut groups: Vec<(u32, ProcessId)> =
            grouped.iter().map(|(g, _, _)| (first(*g), *g)).collect();
        groups.sort_unstable();
        groups.dedup();
        for (first, group) in groups {
            let order = EventOrder {
                key: order.key + 1 + u64::from(first),
                ..order
            };
            let changes = grouped.iter().filter(|(g, _, _)| *g == group);
            let changes = changes.map(|(_, body, change)| (*body, *change)).collect();
            self.push_group(Push {
                order,
                group,
                changes,
                deformable: index,
                process: self.lines.deformable(index),
                next,
            });
        }
    }

    /// Bodies that a step may touch, by rising number: a function of states at the step's tick alone,
    /// whatever the broad phase has registered beyond that.
    fn surroundings(
        &mut self,
        deformable: &DeformableBody,
        form: &dyn Form,
        order: EventOrder,
    ) -> Vec<Nearby> {
        let mut nearby = Vec::new();
        let holders = deformable.model.holders();
        if deformable.collides == Collides::Nothing && holders.is_empty() {
            return nearby;
        }
        if let Some(carried) = deformable.model.carries() {
            let found = carried.iter().map(|body| self.surface_of(body.0, order));
            nearby.extend(found.flatten());
            return nearby;
        }
        let world = Arc::clone(&self.world);
        let step = deformable.model.step_seconds();
        let reach = deformable.model.reach(form);
        for (number, body) in world.bodies.iter().enumerate() {
            let number = number as u32;
            let is_held = holders.binary_search(&BodyId(number)).is_ok();
            if deformable.collides == Collides::Nothing && !is_held {
                continue;
            }
            match body.kind {
                BodyKind::Dynamic if is_held => nearby.extend(self.nearby(number, order)),
                BodyKind::Dynamic => {}
                _ if body.is_sensor => {}
                BodyKind::Fixed => nearby.push(Nearby {
                    body: BodyId(number),
                    node: None,
                    model: body.model,
                    state: body.start,
                    acceleration: Vec3::ZERO,
                }),
                BodyKind::Kinematic => nearby.extend(self.nearby(number, order)),
            }
        }
        if deformable.collides == Collides::All {
            self.dynamic_bodies_in(reach, SEEN_SPEED * step, order, &mut nearby);
        }
        let is_held = |near: &Nearby| holders.binary_search(&near.body).is_ok();
        nearby.retain(|near| is_held(near) || self.is_within(near, reach, step));
        nearby.sort_by_key(|near| near.body);
        nearby.dedup_by_key(|near| near.body);
        nearby
    }

    /// Adds the dynamic bodies whose boxes come within `margin` of a box.
    fn dynamic_bodies_in(
        &mut self,
        [lo, hi]: [Vec3; 2],
        margin: f64,
        order: EventOrder,
        nearby: &mut Vec<Nearby>,
    ) {
        let wide = Vec3::splat(margin);
        let mut found: Vec<u32> = Vec::new();
        let bounds = Bounds::around(lo - wide, hi + wide);
        let add = |body| found.push(body);
        self.around.near(&bounds, When::at(order), &self.lines, add);
        found.sort_unstable();
        found.dedup();
        for number in found {
            let about = &self.world.bodies[number as usize];
            if about.kind != BodyKind::Dynamic || about.is_sensor {
                continue;
            }
            nearby.extend(self.nearby(number, order));
        }
    }

    /// A moving body as a step finds it, unless it is absent.
    fn nearby(&mut self, number: u32, order: EventOrder) -> Option<Nearby> {
        let node = self.lines.covering(ProcessId(number), order)?;
        let model = self.lines.model(node);
        if model == self.models.absent() {
            return None;
        }
        self.integrate(node, order.moment.tick);
        let motion = self.motion(node);
        Some(Nearby {
            body: BodyId(number),
            node: motion.model.is_movable().then_some(node),
            model,
            state: motion.state(order.moment.tick),
            acceleration: motion.model.gravity,
        })
    }

    /// A body whose surface is part of a deformable's model. What holds the members of a group is not known, but they
    /// mostly stay where they are.
    fn surface_of(&mut self, number: u32, order: EventOrder) -> Option<Nearby> {
        let mut near = self.nearby(number, order)?;
        let node = self.lines.covering(ProcessId(number), order)?;
        if self.lines.group_of(node).is_some() {
            near.acceleration = Vec3::ZERO;
        }
        Some(near)
    }

    /// Whether a body may get into a box within a step.
    fn is_within(&self, near: &Nearby, [lo, hi]: [Vec3; 2], step: f64) -> bool {
        let model = self.models.get(near.model);
        let Some((below, above)) = corners_at(model, &near.state.pose()) else {
            return true;
        };
        let speed = near.state.velocity.length()
            + near.state.spin.length() * model.bounding_radius()
            + near.acceleration.length() * step;
        let reach = Vec3::splat(speed.min(SEEN_SPEED) * step);
        (below - reach).cmple(hi).all() && lo.cmple(above + reach).all()
    }

    /// The earliest step of a coupled deformable that is yet to be done.
    fn barrier(&self) -> Option<(EventOrder, NodeId)> {
        let mut first: Option<(EventOrder, NodeId)> = None;
        for index in 0..self.deformables.count() {
            let node = self.lines.tip(self.lines.deformable(index));
            let at = self.lines.alarm(node);
            if !self.deformables.is_coupled(index) || at >= self.world.until {
                continue;
            }
            let reference = self.lines.reference(node);
            let order = Pending::deform(at, index as u32, reference).order();
            if first.is_none_or(|(earliest, _)| order < earliest) {
                first = Some((order, node));
            }
        }
        first
    }

    /// Where windows must stop for now: nothing at or after it may be tried.
    pub(super) fn stop_at(&self) -> EventOrder {
        self.barrier().map_or(EventOrder::MAX, |(order, _)| order)
    }

    /// Everything before the barrier is done: takes the deformable's step there, and gives back what
    /// was held for it. False if nothing was held.
    pub fn pass_barrier(&mut self) -> bool {
        if !self.agenda.is_holding() {
            return false;
        }
        if let Some((order, node)) = self.barrier()
            && let Some(index) = self.lines.deformable_of(self.lines.process(node))
        {
            let reference = self.lines.reference(node);
            self.process(&Pending::deform(order.moment.tick, index as u32, reference));
        }
        self.agenda.release();
        true
    }

    /// Commits a segment of a deformable: the form at its start is history.
    pub(super) fn commit_deformable(
        &mut self,
        node: NodeId,
        index: usize,
        history: &mut Listener<'_>,
    ) {
        let tick = self.lines.start(node).tick;
        let number = self.world.deformables[index].step_number(tick);
        self.hand_over(index, number, tick, history);
        self.lines.collect_before(node, |_| {});
        self.deformables.forget_before(index, number + 1, tick);
    }

    fn hand_over(&mut self, index: usize, number: u64, tick: Tick, history: &mut Listener<'_>) {
        let Some((form, vertices)) = self.deformables.shape(index, number) else {
            return;
        };
        let body = (self.world.bodies.len() + index) as u32;
        let model = &*self.world.deformables[index].model;
        history.tell(|history| {
            history.vertices(body, tick, vertices)?;
            history.form(body, tick, model, form)
        });
    }

    /// The last forms, which no step follows.
    pub(super) fn finish_deformables(&mut self, history: &mut Listener<'_>) {
        let world = Arc::clone(&self.world);
        let mut last: Vec<(Tick, usize, u64)> = Vec::new();
        for (index, deformable) in world.deformables.iter().enumerate() {
            let process = self.lines.deformable(index);
            let number = deformable.step_number(self.lines.start(self.lines.tip(process)).tick);
            let tick = deformable.tick(number + 1);
            if tick <= world.until {
                last.push((tick, index, number + 1));
            }
        }
        last.sort_unstable();
        for (tick, index, number) in last {
            self.hand_over(index, number, tick, history);
        }
    }

    /// Schedules the step of a deformable's segment.
    pub(super) fn arm_deformable(&mut self, node: NodeId, index: usize) {
        let at = self.lines.alarm(node);
        let reference = self.lines.reference(node);
        let pending = Pending::deform(at, index as u32, reference);
        debug_assert_eq!(pending.kind, Kind::Deform);
        self.agenda.push(pending);
    }
}
