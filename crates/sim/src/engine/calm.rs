//! When a body of a group may fall asleep: when it has been calm for a while. Calm is more than slow. A rod that
//! turns back at the end of its swing, a brick that begins to slide are slow as well, and must not be stopped:
//! what is calm is slow, does not drift, and is in balance, that is, nothing accelerates it. Its velocity and
//! the mean of its velocity over the last while tell all three: the mean is the drift, and what the velocity
//! differs from it is what the forces that nothing carries have done in that while.

use super::Engine;
use super::groups::Joining;
use super::regroup::Gathering;
use crate::contact::ContactRules;
use physics::Vec3;
use warp::Tick;

/// The while over which velocities are averaged, in shares of `rest_after`.
const WHILE: f64 = 0.5;
/// What is calm drifts no faster than this share of `rest_speed`.
const DRIFT: f64 = 0.5;
/// What is calm is accelerated by less than this times `rest_speed` in `rest_after`: with the defaults less than
/// three thousandths of its weight are not carried.
const PULL: f64 = 0.7;

/// What no friction and no joint holds rests only if it slides no faster than this share of `rest_speed`.
const SLIDE: f64 = 1e-3;

/// How calm a member of a group has been.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Calm {
    /// Since when it is calm.
    pub since: Tick,
    /// Means over the last while, the most recent weighing most: velocity, m/s, and spin, rad/s.
    pub velocity: Vec3,
    pub spin: Vec3,
}

impl Engine {
    /// How calm each gathered body is now.
    pub(super) fn calm_now(&self, rules: &ContactRules, gathering: &Gathering) -> Vec<Calm> {
        let now = gathering.order.moment.tick;
        let of = |joining: &Joining| {
            let known = &gathering.calm;
            let before = known.binary_search_by_key(&joining.body.0, |(body, _, _)| *body);
            let before = before.ok().map(|at| (known[at].1, known[at].2));
            self.calm_of(rules, joining, before, now)
        };
        gathering.bodies.iter().map(of).collect()
    }

    /// How calm one body is, given how calm it was at an earlier tick.
    fn calm_of(
        &self,
        rules: &ContactRules,
        joining: &Joining,
        before: Option<(Calm, Tick)>,
        now: Tick,
    ) -> Calm {
        // A ball that spins in its place comes to nothing; all else that turns, moves.
        let collider = &self.models.get(joining.model).collider;
        let radius = match collider.form {
            physics::Form::Ball { .. } => 0.0,
            _ => collider.bounding_radius,
        };
        let surface = |velocity: Vec3, spin: Vec3| velocity.length() + spin.length() * radius;
        let (velocity, spin) = (joining.state.velocity, joining.state.spin);
        let Some((was, at)) = before else {
            return Calm {
                since: now,
                velocity,
                spin,
            };
        };
        let gone = now.since(at);
        // What was fast counts no more once it is slow: the mean begins anew.
        let was_fast = surface(was.velocity, was.spin) >= rules.rest_speed;
        let share = match was_fast {
            true => 1.0,
            false => gone / (WHILE * rules.rest_after + gone),
        };
        let mean = was.velocity + (velocity - was.velocity) * share;
        let mean_spin = was.spin + (spin - was.spin) * share;
        let is_slow = surface(velocity, spin) < rules.rest_speed;
        let drifts = surface(mean, mean_spin) > DRIFT * rules.rest_speed;
        let changed = surface(velocity - mean, spin - mean_spin);
        let is_pulled = changed > PULL * WHILE * rules.rest_speed;
        let is_calm = is_slow && !drifts && !is_pulled;
        Calm {
            since: if is_calm { was.since } else { now },
            velocity: mean,
            spin: mean_spin,
        }
    }
}

impl Engine {
    /// Whether the gathered bodies come to rest, given the step just solved: all of them have been calm for
    /// long enough, and what they lean on is still. Gives the kinematic bodies among that.
    pub(super) fn rest(
        &self,
        rules: &ContactRules,
        gathering: &Gathering,
        calm: &[Calm],
    ) -> Option<Vec<u32>> {
        let now = gathering.order.moment.tick;
        if !calm.iter().all(|c| c.is_long(rules, now)) {
            return None;
        }
        let leans_on = self.leans_on(gathering)?;
        let grips = self.grips(gathering);
        let mut all = calm.iter().enumerate();
        let slides =
            |(place, calm)| self.slides(rules, &gathering.bodies[place], grips[place], calm);
        (!all.any(slides)).then_some(leans_on)
    }

    /// Whether a body that is calm goes on sliding for ever, however slowly, because no friction holds it.
    pub(super) fn slides(
        &self,
        rules: &ContactRules,
        joining: &Joining,
        grip: f64,
        calm: &Calm,
    ) -> bool {
        let down = self.models.get(joining.model).gravity.normalize_or_zero();
        let along = |v: Vec3| (v - down * v.dot(down)).length();
        let speed = along(calm.velocity).max(along(joining.state.velocity));
        let is_held = self.ties.is_tied(joining.body.0) || self.hangs(joining.body.0);
        grip == 0.0 && speed > SLIDE * rules.rest_speed && !is_held
    }

    /// Whether gathered multibodies may come to rest. One with a controller may not, for nobody knows what it waits for; one
    /// with motors only if it stands as still as what nothing holds, for a motor may be meant to turn slowly.
    pub(super) fn trees_rest(
        &self,
        rules: &ContactRules,
        gathering: &Gathering,
        calm: &[Calm],
    ) -> bool {
        let is_still = |body: u32| {
            let place = gathering.bodies.binary_search_by_key(&body, |j| j.body.0);
            place.is_ok_and(|place| {
                let radius = self
                    .models
                    .get(gathering.bodies[place].model)
                    .collider
                    .bounding_radius;
                let (calm, now) = (&calm[place], &gathering.bodies[place].state);
                let speed = |v: Vec3, spin: Vec3| v.length() + spin.length() * radius;
                let fastest = speed(calm.velocity, calm.spin).max(speed(now.velocity, now.spin));
                fastest <= SLIDE * rules.rest_speed
            })
        };
        gathering.trees.iter().all(|tree| {
            let made = &self.world.multibodies[tree.index];
            made.controller.is_none()
                && (made.motors.is_empty() || made.links.iter().all(|link| is_still(link.body.0)))
        })
    }

    /// Whether a body is a link of a multibody that hangs in the world.
    fn hangs(&self, body: u32) -> bool {
        self.multibodies.link(body).is_some_and(|(index, _)| {
            let model = &self.world.multibodies[index].model;
            model.link(0).joint.kind != multibody::JointKind::Free
        })
    }
}

impl Calm {
    /// Whether it has been calm for long enough.
    pub(super) fn is_long(&self, rules: &ContactRules, now: Tick) -> bool {
        now.since(self.since) >= rules.rest_after
    }
}
