//! Sleep: bodies of a group that has come to rest are on their own again, each a constant trajectory
//! that costs nothing. What wakes is local: a group that moves next to sleepers takes them for fixed
//! bodies, and wakes exactly those that feel it or that it lets go of (see [`super::wake`]).
//! Rest is thus undone body by body, as far as a disturbance is felt and no farther.

use super::groups::Joining;
use super::neighbourhood::When;
use super::regroup::Gathering;
use super::{Course, Engine};
use crate::contact::ContactRules;
use crate::grid::Bounds;
use crate::overlap::corners_at;
use crate::world::{BodyId, Kind as BodyKind};
use physics::contact::closest;
use physics::{State, Vec3};
use warp::{EventOrder, NodeId, ProcessId, Tick};

impl Engine {
    /// Sleepers that touch a body at an event.
    pub(super) fn sleepers_touching(
        &mut self,
        rules: &ContactRules,
        node: NodeId,
        order: EventOrder,
    ) -> Vec<u32> {
        self.integrate(node, order.moment.tick);
        let state = self.motion(node).state(order.moment.tick);
        let model = std::sync::Arc::clone(self.models.get(self.lines.model(node)));
        let Some((lo, hi)) = corners_at(&model, &state.pose()) else {
            return Vec::new();
        };
        let wide = Vec3::splat(2.0 * rules.margin);
        let around = Bounds::around(lo - wide, hi + wide);
        let mut touching: Vec<u32> = Vec::new();
        let add = |body| touching.push(body);
        self.around.near(&around, When::at(order), &self.lines, add);
        let own = self.lines.flight(node).body;
        touching.sort_unstable();
        touching.dedup();
        touching.retain(|&body| {
            body != own
                && self.sleeper(body, order).is_some_and(|sleeper| {
                    let other = self.models.get(sleeper.model);
                    closest(&model, &state, other, &sleeper.state).gap <= rules.wake_gap
                })
        });
        touching
    }
}

impl Engine {
    /// What holds each body that falls asleep where it is: the least friction of what it touches, zero if it
    /// touches nothing.
    pub(super) fn grips(&self, gathering: &Gathering) -> Vec<f64> {
        let mut grips = vec![f64::INFINITY; gathering.bodies.len()];
        for touch in &self.groups.workshop.report.touches {
            if touch.normal_impulse <= 0.0 {
                continue;
            }
            let [a, b] = [touch.a, touch.b].map(|body| self.world.model(BodyId(body)));
            let friction = a.meeting(b).material.friction;
            for body in [touch.a, touch.b] {
                if let Ok(place) = gathering.bodies.binary_search_by_key(&body, |j| j.body.0) {
                    grips[place] = friction.min(grips[place]);
                }
            }
        }
        let known = |grip: f64| if grip.is_finite() { grip } else { 0.0 };
        grips.into_iter().map(known).collect()
    }

    /// The kinematic bodies that the group leans on; none if one of them moves, so that the group
    /// must not rest.
    pub(super) fn leans_on(&self, gathering: &Gathering) -> Option<Vec<u32>> {
        let mut bodies = Vec::new();
        let touches = &self.groups.workshop.report.touches;
        let touched = touches.iter().flat_map(|touch| [touch.a, touch.b]);
        let tied = self.groups.workshop.tied_neighbours(gathering.bodies.len());
        for body in touched.chain(tied) {
            if self.world.bodies[body as usize].kind != BodyKind::Kinematic {
                continue;
            }
            let node = self.lines.covering(ProcessId(body), gathering.order)?;
            if !self.is_still(node) {
                return None;
            }
            bodies.push(body);
        }
        bodies.sort_unstable();
        bodies.dedup();
        Some(bodies)
    }

    /// When the first of the kinematic bodies near the last step begins another piece of its script: the step
    /// was solved with their velocities at its start.
    pub(super) fn next_corner(&self, order: EventOrder) -> Tick {
        let near = self.groups.workshop.neighbours.iter();
        let kinematic =
            near.filter(|b| self.world.bodies[**b as usize].kind == BodyKind::Kinematic);
        let corner = |body: &u32| {
            let node = self.lines.covering(ProcessId(*body), order)?;
            Some(self.lines.alarm(node)).filter(|at| *at > order.moment.tick)
        };
        kinematic.filter_map(corner).min().unwrap_or(Tick::MAX)
    }

    /// When a resting group has to wake because a kinematic body that it leans on may move again.
    pub(super) fn wakes_at(&self, node: NodeId) -> Tick {
        let order = self.lines.order(node);
        let next = |body: u32| {
            let Some(at) = self.lines.covering(ProcessId(body), order) else {
                return Tick::MAX;
            };
            let input = self.inputs.next(body, order);
            let piece = self.lines.alarm(at);
            piece.min(input.map_or(Tick::MAX, |o| o.moment.tick))
        };
        let leans_on = &self.groups.step(node).leans_on;
        leans_on.iter().map(|b| next(*b)).min().unwrap_or(Tick::MAX)
    }
}

impl Course {
    /// A body that falls asleep, or sleeps on.
    pub(super) fn asleep(joining: Joining, grip: f64) -> Self {
        let still = State::at_rest(joining.state.pose());
        Course {
            is_asleep: true,
            grip,
            ..Course::alone(joining.body, still, joining.node, joining.model)
        }
    }
}
