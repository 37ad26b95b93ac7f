//! Sleep: bodies of a group that has come to rest are on their own again, each a constant trajectory
//! that costs nothing. What wakes is local: a group that moves next to sleepers takes them for fixed
//! bodies, and wakes exactly those that it presses against faster than `wake_speed` or lets go of.
//! Rest is thus undone body by body, as far as a disturbance is felt and no farther.

use super::groups::Joining;
use super::regroup::Gathering;
use super::{Course, Engine, NO_GROUP};
use crate::contact::ContactRules;
use crate::grid::Bounds;
use crate::overlap::corners_at;
use crate::world::{BodyId, Kind as BodyKind};
use physics::contact::closest;
use physics::{State, Vec3};
use record::Event;
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// Steps ahead for which sleepers are woken. Solvers brake what would touch in the next sub-step already: a
/// sleeper that is not awake by then would stop a wrecking ball as if it were a rock.
const WAKE_AHEAD: f64 = 2.0;

impl Engine {
    /// Whether a body's segment is one of sleep.
    #[inline]
    pub(super) fn is_asleep(&self, node: NodeId) -> bool {
        let flight = &self.flights[node.index()];
        flight.model & 1 == 1
            && (flight.body as usize) < self.world.bodies.len()
            && self.world.contact.is_some()
            && self.group[node.index()] == NO_GROUP
    }

    /// The body of a sleeper at an event; none if it is awake.
    fn sleeper(&mut self, body: u32, order: EventOrder) -> Option<Joining> {
        let node = self.graph.covering(ProcessId(body), order)?;
        if !self.is_asleep(node) {
            return None;
        }
        self.joining(BodyId(body), order)
    }

    /// Sorts the sleepers next to a group that is about to step: those it wakes, and those it holds.
    /// `leaning` are those it held before.
    pub(super) fn disturb(
        &mut self,
        rules: &ContactRules,
        bodies: &[Joining],
        leaning: &[u32],
        order: EventOrder,
    ) -> (Vec<u32>, Vec<u32>) {
        let (mut woken, mut held) = (Vec::new(), Vec::new());
        let pairs = self.workshop.pairs_with_neighbours(bodies.len());
        for (place, body) in pairs {
            let Some(sleeper) = self.sleeper(body, order) else {
                continue;
            };
            let member = &bodies[place as usize];
            let near = closest(
                &self.models[member.model as usize],
                &member.state,
                &self.models[sleeper.model as usize],
                &sleeper.state,
            );
            let point = near.point();
            let apart = member.state.velocity_at(point) - sleeper.state.velocity_at(point);
            let approach = -near.normal.dot(apart);
            let arrives = near.gap <= rules.margin + approach * WAKE_AHEAD * rules.step;
            if approach > rules.wake_speed && arrives {
                woken.push(body);
            } else if near.gap <= rules.wake_gap {
                held.push(body);
            }
        }
        woken.sort_unstable();
        woken.dedup();
        held.sort_unstable();
        held.dedup();
        held.retain(|body| woken.binary_search(body).is_err());
        for &body in leaning {
            let is_known = held.binary_search(&body).is_ok()
                || woken.contains(&body)
                || bodies.binary_search_by_key(&body, |j| j.body.0).is_ok();
            if !is_known && self.sleeper(body, order).is_some() {
                woken.push(body);
            }
        }
        woken.sort_unstable();
        (woken, held)
    }

    /// Sleepers that touch a body at an event.
    pub(super) fn sleepers_touching(
        &mut self,
        rules: &ContactRules,
        node: NodeId,
        order: EventOrder,
    ) -> Vec<u32> {
        self.integrate(node, order.moment.tick);
        let state = self.motion(node).state(order.moment.tick);
        let model = std::sync::Arc::clone(&self.models[self.model_index(node) as usize]);
        let Some((lo, hi)) = corners_at(&model, &state.pose()) else {
            return Vec::new();
        };
        let wide = Vec3::splat(2.0 * rules.margin);
        let mut found = Vec::new();
        let around = Bounds::around(lo - wide, hi + wide);
        self.near(0, &around, order, true, &mut found);
        let own = self.flights[node.index()].body;
        let mut touching: Vec<u32> = found.into_iter().map(|(_, body)| body).collect();
        touching.sort_unstable();
        touching.dedup();
        touching.retain(|&body| {
            body != own
                && self.sleeper(body, order).is_some_and(|sleeper| {
                    let other = &self.models[sleeper.model as usize];
                    closest(&model, &state, other, &sleeper.state).gap <= rules.wake_gap
                })
        });
        touching
    }
}

impl Engine {
    /// Takes in the sleepers that the gathered bodies disturb; returns those that they only touch.
    pub(super) fn wake_sleepers(
        &mut self,
        rules: &ContactRules,
        gathering: &mut Gathering,
    ) -> Vec<u32> {
        loop {
            self.find_pairs(rules, &gathering.bodies, gathering.order);
            let (mut woken, held) = self.disturb(
                rules,
                &gathering.bodies,
                &gathering.leaning,
                gathering.order,
            );
            if woken.is_empty() {
                return held;
            }
            self.take_along(gathering.order, &mut woken, &mut Vec::new(), None);
            for body in woken {
                gathering
                    .bodies
                    .extend(self.joining(BodyId(body), gathering.order));
            }
            gathering.bodies.sort_by_key(|j| j.body);
            gathering.bodies.dedup_by_key(|j| j.body);
            if gathering.event == Event::Step {
                gathering.event = Event::Fusion;
            }
        }
    }

    /// Steps for which each body has hardly moved, after this one.
    pub(super) fn quiet_after(
        &self,
        rules: &ContactRules,
        ends: &[State],
        gathering: &Gathering,
    ) -> Vec<u16> {
        let after = |(joining, end): (&Joining, &State)| {
            // A ball that spins in its place comes to nothing; all else that turns, moves.
            let collider = &self.models[joining.model as usize].collider;
            let radius = match collider.form {
                physics::Form::Ball { .. } => 0.0,
                _ => collider.bounding_radius,
            };
            let surface = end.velocity.length() + end.spin.length() * radius;
            if surface >= rules.rest_speed {
                return 0;
            }
            let known = &gathering.quiet;
            match known.binary_search_by_key(&joining.body.0, |(body, _)| *body) {
                Ok(found) => known[found].1.saturating_add(1),
                Err(_) => 1,
            }
        };
        gathering.bodies.iter().zip(ends).map(after).collect()
    }

    /// The kinematic bodies that the group leans on; none if one of them moves, so that the group
    /// must not rest.
    pub(super) fn leans_on(&self, gathering: &Gathering) -> Option<Vec<u32>> {
        let mut bodies = Vec::new();
        let touches = &self.workshop.report.touches;
        let touched = touches.iter().flat_map(|touch| [touch.a, touch.b]);
        let tied = self.workshop.tied_neighbours(gathering.bodies.len());
        for body in touched.chain(tied) {
            if self.world.bodies[body as usize].kind != BodyKind::Kinematic {
                continue;
            }
            let node = self.graph.covering(ProcessId(body), gathering.order)?;
            if !self.is_still(node) {
                return None;
            }
            bodies.push(body);
        }
        bodies.sort_unstable();
        bodies.dedup();
        Some(bodies)
    }

    /// When a resting group has to wake because a kinematic body that it leans on may move again.
    pub(super) fn wakes_at(&self, node: NodeId) -> Tick {
        let order = self.graph.order(node);
        let next = |body: u32| {
            let Some(at) = self.graph.covering(ProcessId(body), order) else {
                return Tick::MAX;
            };
            let input = self.inputs.next(body, order);
            let piece = self.alarm(at);
            piece.min(input.map_or(Tick::MAX, |o| o.moment.tick))
        };
        let leans_on = &self.segments[node.index()].leans_on;
        leans_on.iter().map(|b| next(*b)).min().unwrap_or(Tick::MAX)
    }
}

impl Course {
    /// A body that falls asleep, or sleeps on.
    pub(super) fn asleep(joining: Joining) -> Self {
        let still = State::at_rest(joining.state.pose());
        Course {
            is_asleep: true,
            ..Course::alone(joining.body, still, joining.node, joining.model)
        }
    }
}
