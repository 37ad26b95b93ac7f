//! Multibodies in the engine (Mirtich 4.3): one worldline for the whole of each, events per link. A multibody is a
//! process of its own, whose segments hold the joints' motion; its links are bodies, which are seen and hit as others
//! are. Every event on one link begins a segment on the multibody and on all its links, linked in one ring, so that
//! rolling one of them back rolls the whole multibody back. Who asks about a link integrates all.

use super::event::Opened;
use super::regroup::Sides;
use super::{Course, Engine, Origin};
use crate::history::JointSegment;
use crate::multibodies::{Acting, Controller, Flow, MultibodyBody, Response};
use crate::world::{BodyId, World};
use multibody::Workspace;
use physics::body::Material;
use physics::collision::{Side, impulse};
use physics::contact::Proximity;
use physics::{State, Vec3};
use record::Event;
use std::sync::Arc;
use warp::{Column, EventOrder, NodeId, ProcessId, Tick};

/// The multibody of a body that is no link.
const NONE: u32 = u32::MAX;

/// How the joints move over a segment.
#[derive(Clone, Debug)]
pub(super) enum Way {
    /// By the laws of motion alone.
    Flow(Box<Flow>),
    /// As a contact group's solver has put them: the joints at the end of the step, and when that is.
    Step(Vec<f64>, Tick),
}

/// One segment of a multibody's worldline.
#[derive(Clone, Debug)]
pub(super) struct Joints {
    /// Positions and velocities at the start.
    pub start: Vec<f64>,
    /// Control signals of the motors, and forces on links.
    pub acting: Acting,
    /// What the controller remembers.
    pub slots: Vec<f64>,
    pub way: Way,
}

/// A multibody at an event.
#[derive(Clone, Debug)]
pub(super) struct Moment {
    /// Positions and velocities of the joints.
    pub joints: Vec<f64>,
    /// Control signals of the motors, and forces on links.
    pub acting: Acting,
    /// What the controller remembers.
    pub slots: Vec<f64>,
}

impl Joints {
    /// Smooth motion of a multibody from a moment on, until its controller is called after `seconds`.
    pub fn flowing(now: Moment, seconds: f64) -> Self {
        let Moment {
            joints,
            acting,
            slots,
        } = now;
        let way = Way::Flow(Box::new(Flow::of(&joints, &acting, seconds)));
        Joints {
            start: joints,
            acting,
            slots,
            way,
        }
    }
}

impl Joints {
    /// A multibody that stands still from a moment on; it has so many positions.
    pub fn resting(now: Moment, positions: usize) -> Self {
        let mut start = now.joints;
        start[positions..].fill(0.0);
        Joints {
            way: Way::Step(start.clone(), Tick::MAX),
            start,
            acting: now.acting,
            slots: now.slots,
        }
    }
}

/// The multibodies of a world, as they move.
#[derive(Default)]
pub(super) struct Multibodies {
    /// By body: its multibody and its place among the links; empty in a world without.
    of: Arc<Vec<(u32, u32)>>,
    /// By segment of a multibody's worldline.
    segments: Column<Option<Joints>>,
}

impl Multibodies {
    pub fn new(world: &World) -> Self {
        if world.multibodies.is_empty() {
            return Multibodies::default();
        }
        let mut of = vec![(NONE, 0); world.bodies.len()];
        for (index, made) in world.multibodies.iter().enumerate() {
            for (place, link) in made.links.iter().enumerate() {
                of[link.body.index()] = (index as u32, place as u32);
            }
        }
        Multibodies {
            of: Arc::new(of),
            segments: Column::new(),
        }
    }

    /// Whether the world has none.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    /// The multibody that a body is a link of, and its place there.
    #[inline]
    pub fn link(&self, body: u32) -> Option<(usize, usize)> {
        let &(index, place) = self.of.get(body as usize)?;
        (index != NONE).then_some((index as usize, place as usize))
    }

    /// A segment of a multibody.
    pub fn segment(&self, node: NodeId) -> Option<&Joints> {
        self.segments.get(node.index()).and_then(Option::as_ref)
    }

    /// Fills in a segment of a multibody.
    pub fn set(&mut self, node: NodeId, joints: Joints) {
        self.segments.grow(node.index() + 1, None);
        self.segments[node.index()] = Some(joints);
    }

    /// Forgets a segment.
    pub fn forget(&mut self, node: NodeId) {
        if node.index() < self.segments.len() {
            self.segments[node.index()] = None;
        }
    }

    /// The same multibodies for a branch.
    pub fn branch(&mut self) -> Self {
        Multibodies {
            of: Arc::clone(&self.of),
            segments: self.segments.branch(),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.segments.reclaim();
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        let held = |joints: &Joints| match &joints.way {
            Way::Flow(flow) => flow.bytes(),
            Way::Step(..) => 0,
        };
        let owned = self.segments.owned().iter().flatten();
        self.segments.bytes() + owned.map(held).sum::<usize>()
    }
}

/// What a collision does to the two that collide, of which at least one is a link.
pub(super) struct Blow {
    pub impulse: Vec3,
    /// The multibodies that are hit, and their joints afterwards.
    pub trees: Vec<(usize, Moment)>,
    /// Changes of velocity and spin of both sides; none for links.
    pub changes: [Option<[Vec3; 2]>; 2],
}

/// One side of a collision.
enum Struck {
    Link(usize, u32),
    Rigid(Side),
}

impl Engine {
    /// One process per multibody, and the segments of its links.
    pub(super) fn add_multibodies(&mut self) {
        let world = Arc::clone(&self.world);
        let start = EventOrder::before(warp::Moment::at(Tick::ZERO));
        for made in &world.multibodies {
            let node = self.lines.add_process(start);
            let called = |c: &Controller| Tick::from_seconds(c.first.max(0.0));
            let alarm = made.controller.as_ref().map_or(Tick::MAX, called);
            self.lines.place_other(node, alarm);
            let now = Moment {
                joints: made.start.clone(),
                acting: Acting {
                    controls: made.controls.clone(),
                    ..Acting::default()
                },
                slots: made
                    .controller
                    .as_ref()
                    .map_or(Vec::new(), |c| c.slots.clone()),
            };
            let joints = Joints::flowing(now, alarm.since(Tick::ZERO));
            self.multibodies.set(node, joints);
        }
        for link in world.multibodies.iter().flat_map(|made| &made.links) {
            let node = self.lines.tip(ProcessId(link.body.0));
            let body = &world.bodies[link.body.index()];
            let course = Course::alone(link.body, body.start, node, body.model);
            self.place(node, &course);
            self.account.note(node, &self.lines);
        }
    }

    /// Makes sure that the path of a link's segment covers `tick`; returns the steps taken.
    pub(super) fn integrate_link(
        &mut self,
        node: NodeId,
        (index, place): (usize, usize),
        [tick, settled]: [Tick; 2],
    ) -> u32 {
        let start = self.lines.flight(node).start;
        let seconds = tick.since(start);
        if self.lines.turn(node).covered() > seconds {
            return 0;
        }
        let Some(owner) = self.joints_of(index, self.lines.order(node)) else {
            return 0;
        };
        let made = &self.world.multibodies[index];
        let segment = self.multibodies.segments[owner.index()].as_mut();
        let Some(Way::Flow(flow)) = segment.map(|joints| &mut joints.way) else {
            return 0;
        };
        let steps = flow.reach(made, seconds);
        let turn = self.lines.turn_mut(node);
        flow.fill(made.links.len(), place, turn, settled.since(start));
        steps
    }

    /// The segment of a multibody that covers a place in the order.
    pub(super) fn joints_of(&self, index: usize, at: EventOrder) -> Option<NodeId> {
        self.lines.covering(self.lines.multibody(index), at)
    }

    /// A multibody at an event.
    pub(super) fn joints_at(&mut self, index: usize, order: EventOrder) -> Option<Moment> {
        let node = self.joints_of(index, order)?;
        let start = self.lines.start(node).tick;
        let tick = order.moment.tick;
        let made = &self.world.multibodies[index];
        let joints = self.multibodies.segments[node.index()].as_mut()?;
        let mut now = joints.start.clone();
        let mut acting = joints.acting.clone();
        if tick > start {
            match &mut joints.way {
                Way::Flow(flow) => {
                    flow.reach(made, tick.since(start));
                    flow.state(tick.since(start), &mut now);
                    acting.step = flow.longest_step(tick.since(start));
                    made.model.normalize(&mut now[..made.model.positions()]);
                }
                Way::Step(end, until) => {
                    acting.step = 0.0;
                    let share = (tick.since(start) / until.since(start)).min(1.0);
                    between(made, &joints.start, end, share, &mut now);
                }
            }
        }
        Some(Moment {
            joints: now,
            acting,
            slots: joints.slots.clone(),
        })
    }

    /// Whether one of two bodies that collide is a link.
    pub(super) fn meets_links(&self, sides: &Sides) -> bool {
        !self.multibodies.is_empty()
            && sides
                .iter()
                .any(|(body, _, _)| self.multibodies.link(body.0).is_some())
    }

    /// What a collision does: an impulse that goes through the whole tree at once.
    pub(super) fn blow(
        &mut self,
        sides: &Sides,
        near: &Proximity,
        material: Material,
        order: EventOrder,
    ) -> Option<Blow> {
        let point = near.point();
        let world = Arc::clone(&self.world);
        let struck = |(body, node, state): &(BodyId, NodeId, State)| match self
            .multibodies
            .link(body.0)
        {
            Some((index, place)) => Struck::Link(index, world.multibodies[index].links[place].link),
            None => {
                let model = self.model_of(*node);
                Struck::Rigid(Side::new(model, state, point, material.friction))
            }
        };
        let [a, b] = [struck(&sides[0]), struck(&sides[1])];
        // The first side is pushed, the second the other way; who is hit twice answers to both at once.
        let hits: Vec<(usize, u32, Option<u32>, f64)> = match (&a, &b) {
            (Struck::Link(i, p), Struck::Link(j, q)) if i == j => vec![(*i, *p, Some(*q), 1.0)],
            (Struck::Link(i, p), Struck::Link(j, q)) => {
                vec![(*i, *p, None, 1.0), (*j, *q, None, -1.0)]
            }
            (Struck::Link(i, p), _) => vec![(*i, *p, None, 1.0)],
            (_, Struck::Link(j, q)) => vec![(*j, *q, None, -1.0)],
            _ => return None,
        };
        let mut trees = Vec::new();
        for &(index, plus, minus, sign) in &hits {
            let now = self.joints_at(index, order)?;
            let made = &world.multibodies[index];
            let mut ws = Workspace::new(&made.model);
            let q = &now.joints[..made.model.positions()];
            let response = Response::new(made, q, point, (plus, minus), &mut ws);
            trees.push((index, now, response, sign, ws));
        }
        let respond = |j: Vec3| {
            let rigid = |side: &Struck| match side {
                Struck::Rigid(side) => side.response(j),
                Struck::Link(..) => Vec3::ZERO,
            };
            let trees: Vec3 = trees
                .iter()
                .map(|(_, _, response, _, _)| response.of(j))
                .sum();
            rigid(&a) + rigid(&b) + trees
        };
        let relative = sides[0].2.velocity_at(point) - sides[1].2.velocity_at(point);
        let push = impulse(&respond, near.normal, relative, material);
        let change = |side: &Struck, push: Vec3| match side {
            Struck::Rigid(side) => Some(side.kick(push)),
            Struck::Link(..) => None,
        };
        let changes = [change(&a, push), change(&b, -push)];
        let mut after = Vec::with_capacity(trees.len());
        for (index, mut now, response, sign, mut ws) in trees {
            let made = &world.multibodies[index];
            let (q, v) = now.joints.split_at_mut(made.model.positions());
            response.apply(push * sign, v);
            if !made.loops.is_empty() {
                let mut loops = made.loops.clone();
                loops.close_velocities(&made.model, q, v, &mut ws);
            }
            after.push((index, now));
        }
        Some(Blow {
            impulse: push,
            trees: after,
            changes,
        })
    }

    /// A hard collision of a link with a body or another link, all of them on their own.
    pub(super) fn bounce_links(
        &mut self,
        sides: &Sides,
        near: &Proximity,
        material: Material,
        order: EventOrder,
    ) {
        let tick = order.moment.tick;
        let Some(mut blow) = self.blow(sides, near, material, order) else {
            return;
        };
        let mut ring: Vec<ProcessId> = Vec::new();
        for (index, _) in &blow.trees {
            ring.extend(self.tree_processes(*index));
        }
        let rigid = |engine: &Self, side: usize| {
            let (body, _, _) = sides[side];
            blow.changes[side].filter(|_| engine.world.model(body).is_movable())
        };
        for side in 0..2 {
            ring.extend(rigid(self, side).map(|_| ProcessId(sides[side].0.0)));
        }
        let origins: Vec<(BodyId, Origin)> = (0..2)
            .map(|side| {
                let (body, previous, _) = sides[side];
                let origin = Origin {
                    event: Event::Collision,
                    partner: sides[1 - side].0.0,
                    impulse: blow.impulse.length(),
                    overlap: -near.gap as f32,
                    storm: self.storm_of(previous, tick, material.restitution),
                    flurry: self.flurry_after(previous, tick),
                    epoch: 0,
                };
                (body, origin)
            })
            .collect();
        let slots = self.collision_slots(sides, tick, blow.impulse.length());
        for (index, now) in &mut blow.trees {
            self.tell_collision(*index, now, sides, (tick, blow.impulse.length()));
        }
        let mut event = self.open(order, &ring);
        for (index, now) in &blow.trees {
            let alarm = self.alarm_before(*index);
            let joints = Joints::flowing(now.clone(), alarm.since(tick));
            self.tree_goes_on(
                &mut event,
                *index,
                (joints, alarm),
                Event::Collision,
                &origins,
            );
        }
        for side in 0..2 {
            let (body, previous, state) = sides[side];
            if let Some([velocity, spin]) = rigid(self, side) {
                let moved = State {
                    velocity: state.velocity + velocity,
                    spin: state.spin + spin,
                    ..state
                };
                let course = self.alone(body, moved, previous);
                let node = self.go_on(&mut event, &course, origins[side].1);
                self.remember_bounce(node);
            }
            if let Some(slots) = &slots {
                self.write_slots_in(&event, body, &slots[side]);
            }
        }
        self.close(event);
    }

    /// The processes of a multibody: its own and those of its links.
    pub(super) fn tree_processes(&self, index: usize) -> impl Iterator<Item = ProcessId> + use<> {
        let links = self.world.multibodies[index].links.iter();
        let links: Vec<ProcessId> = links.map(|link| ProcessId(link.body.0)).collect();
        std::iter::once(self.lines.multibody(index)).chain(links)
    }

    /// When the controller of a multibody, whose newest segment is yet to be filled in, wanted to be called.
    pub(super) fn alarm_before(&self, index: usize) -> Tick {
        let tip = self.lines.tip(self.lines.multibody(index));
        let before = self.lines.previous(tip);
        before.map_or(Tick::MAX, |node| self.lines.alarm(node))
    }

    /// A link looks ahead no farther than to the next call of its multibody's controller, which ends its segment.
    pub(super) fn cut_at_call(&self, node: NodeId, from: Tick, horizon: Tick) -> Tick {
        if self.multibodies.is_empty() {
            return horizon;
        }
        let link = self.multibodies.link(self.lines.flight(node).body);
        let owner = link.and_then(|(index, _)| self.joints_of(index, self.lines.order(node)));
        let call = owner.map_or(Tick::MAX, |owner| self.lines.alarm(owner));
        match call > from {
            true => horizon.min(call.saturating_add(1)),
            false => horizon,
        }
    }

    /// How a body that was only looked at goes on: as it was.
    pub(super) fn course_of_seen(&self, body: BodyId, node: NodeId, order: EventOrder) -> Course {
        let seen = self.motion(node).state(order.moment.tick);
        self.course_as_it_was(body, seen, node, order)
    }

    /// Says how a multibody goes on by itself after an event; `struck` tells how the segments of some of its links
    /// began, those of the others began with `event`.
    pub(super) fn tree_goes_on(
        &mut self,
        event: &mut Opened,
        index: usize,
        (joints, alarm): (Joints, Tick),
        kind: Event,
        struck: &[(BodyId, Origin)],
    ) {
        let world = Arc::clone(&self.world);
        let made = &world.multibodies[index];
        let process = self.lines.multibody(index);
        self.go_on_until(event, process, alarm, true);
        let owner = self.lines.tip(process);
        let mut ws = Workspace::new(&made.model);
        let mut states = Vec::with_capacity(made.links.len());
        made.link_states(&joints.start, &mut ws, |_, state| states.push(state));
        self.multibodies.set(owner, joints);
        for (link, state) in made.links.iter().zip(states) {
            let tip = self.lines.tip(ProcessId(link.body.0));
            let previous = self.lines.previous(tip).unwrap_or(tip);
            let origin = struck.iter().find(|(body, _)| *body == link.body);
            let origin = origin.map_or(Origin::of(kind), |(_, origin)| *origin);
            let course = self.alone(link.body, state, previous);
            let node = self.go_on(event, &course, origin);
            self.remember_bounce(node);
        }
    }

    /// The segment of a multibody that begins with a link's, for the history: only the first link tells.
    pub(super) fn told_joints(&self, node: NodeId) -> Option<JointSegment<'_>> {
        let (index, place) = self.multibodies.link(self.lines.flight(node).body)?;
        if place > 0 {
            return None;
        }
        let owner = self.joints_of(index, self.lines.order(node))?;
        let joints = self.multibodies.segment(owner)?;
        Some(JointSegment {
            multibody: index as u32,
            start: self.lines.start(node).tick,
            joints: &joints.start,
            acting: &joints.acting,
            flow: match &joints.way {
                Way::Flow(flow) => Some(flow),
                Way::Step(..) => None,
            },
            step: match &joints.way {
                Way::Flow(_) => None,
                Way::Step(end, until) => Some((end, *until)),
            },
        })
    }
}

/// The joints between two states: positions on the straight way, velocities in proportion.
fn between(made: &MultibodyBody, from: &[f64], to: &[f64], share: f64, now: &mut [f64]) {
    let positions = made.model.positions();
    let mut way = vec![0.0; made.model.velocities()];
    made.model
        .difference(&from[..positions], &to[..positions], &mut way);
    now.copy_from_slice(from);
    let (q, v) = now.split_at_mut(positions);
    made.model.displace(q, &way, share);
    for (k, v) in v.iter_mut().enumerate() {
        *v += (to[positions + k] - *v) * share;
    }
}
