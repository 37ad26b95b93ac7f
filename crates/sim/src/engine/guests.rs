//! Bodies that come to a member of a group in the middle of the group's step. The step is not made again for
//! their sake: the group's members go on where the solver has sent them, and what the newcomer brings is taken into
//! the next step, exactly.
//!
//! A hard hit changes the momentum of the member at its tick, and not its way: the newcomer bounces off a member that will
//! give way when its next step begins. A soft one, or one whose momenta already part while the ways still meet, makes the
//! newcomer a *guest*: it goes along with its host, at a distance that stays, while its momentum goes on as in free
//! flight; with the next step it is a member, and the solver finds it where it is, with all the momentum that it came with.
//!
//! The step of a small group is made again: that costs little, and it is what the bodies do, to the tick.
//!
//! A guest is a member to everyone but its own group: what comes into its way, a member of its group other than the host
//! or the ground, is found as for a body on its own, and then the group steps again from there.

use super::regroup::Sides;
use super::{Course, Engine, Origin};
use crate::contact::ContactRules;
use crate::world::BodyId;
use physics::body::Material;
use physics::contact::Proximity;
use physics::rotation::world_tensor;
use physics::{Drive, State, Vec3};
use record::Event;
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// Groups of no more members step again from the tick of a hit.
pub(super) const SMALL: usize = 32;
/// A host that turns farther than this until the step's end takes no guests, radians: their straight ways would differ from
/// the arc by more than they are kept away from it.
const TURN: f64 = 0.7;
/// The same where a solver promises that nothing overlaps. Higher orders of the angle, which are not made up for, stay
/// below a ten-thousandth of the distance.
const TURN_APART: f64 = 0.3;
/// What is left of a step is too short to be divided by, seconds.
pub(super) const SHORTEST: f64 = 1e-9;

/// A body on its own and a member of a group that meet within a step of the group.
pub(super) struct Visit {
    /// Which of the two sides is the member.
    member: usize,
    group: ProcessId,
    /// The group's segment at that moment.
    step: NodeId,
    /// When the group's step ends.
    end: Tick,
}

impl Engine {
    /// The members of a group at a place in the order, its guests among them, rising.
    pub(super) fn members_at(&self, group: ProcessId, order: EventOrder) -> Vec<u32> {
        let mut members = self.groups.members(group).to_vec();
        let step = self.lines.covering(group, order);
        if let Some(step) = step.map(|node| self.groups.step(node))
            && !step.guests.is_empty()
        {
            members.extend_from_slice(&step.guests);
            members.sort_unstable();
        }
        members
    }

    /// Whether a body on its own meets a member of a group in the middle of a step that can go on.
    pub(super) fn visit(&self, sides: &Sides, order: EventOrder) -> Option<Visit> {
        self.world.contact.as_ref()?;
        let group = |side: usize| self.lines.group_of(sides[side].1);
        let member = (0..2).find(|side| group(*side).is_some())?;
        let (newcomer, node, _) = sides[1 - member];
        let stays_out =
            |body: BodyId| self.ties.is_tied(body.0) || self.multibodies.link(body.0).is_some();
        if group(1 - member).is_some()
            || self.lines.is_asleep(node)
            || !self.world.model(newcomer).is_movable()
            || sides.iter().any(|(body, _, _)| stays_out(*body))
        {
            return None;
        }
        let group = group(member)?;
        let step = self.lines.covering(group, order)?;
        let end = self.lines.step_end(sides[member].1);
        let goes_on = self.groups.members(group).len() > SMALL
            && !self.groups.step(step).is_resting
            && !self.groups.step(step).is_ended
            && order.moment.tick < end.min(self.lines.alarm(step))
            && end < Tick::MAX;
        goes_on.then_some(Visit {
            member,
            group,
            step,
            end,
        })
    }

    /// What contact groups make of a collision; gives `false` if it is a bounce of two bodies as if there were none.
    /// `is_momentums` says whether the momenta of the two meet, not only their ways.
    pub(super) fn meets_group(
        &mut self,
        sides: &Sides,
        near: &Proximity,
        (material, is_momentums): (Material, bool),
        order: EventOrder,
    ) -> bool {
        let is_soft = self.is_soft(sides, near, material, order.moment.tick);
        let visit = self.visit(sides, order);
        if let Some(visit) = &visit
            && (is_soft || !is_momentums)
            && self.receive(visit, sides, near, order)
        {
            return true;
        }
        if (is_soft || !is_momentums) && self.receive_company(sides, near.gap, order) {
            return true;
        }
        if is_soft {
            self.fuse(sides, near, order);
            return true;
        }
        let bounces_off = visit.is_some() && is_momentums;
        let in_company =
            |node: NodeId| self.lines.group_of(node).is_some() || self.lines.is_asleep(node);
        if !bounces_off && sides.iter().any(|(_, node, _)| in_company(*node)) {
            self.strike_group(sides, near, order);
            return true;
        }
        false
    }

    /// How a body goes on after a blow that has changed its velocity and spin: by itself, or, as a member of a group
    /// whose step goes on, on its way with another momentum.
    pub(super) fn course_after(
        &self,
        &(body, node, state): &(BodyId, NodeId, State),
        [velocity, spin]: [Vec3; 2],
        tick: Tick,
    ) -> Course {
        if self.world.contact.is_none() || self.lines.group_of(node).is_none() {
            let moved = State {
                velocity,
                spin,
                ..state
            };
            return self.alone(body, moved, node);
        }
        let mut course = self.course_on(body, node, tick);
        let kick = velocity - state.velocity;
        course.drive.velocity[0] += kick;
        course.drive.velocity[1] += kick;
        // What turns keeps the angular momentum that it was given.
        let mass = self.models.get(course.model).mass;
        let turn = spin - state.spin;
        let given = world_tensor(state.rotation, mass.inertia) * turn;
        let end = self.motion(node).rotation(course.horizon);
        course.drive.spin[0] += turn;
        course.drive.spin[1] += world_tensor(end, mass.inverse_inertia) * given;
        course
    }

    /// The newcomer becomes a guest of the group; gives `false`, and does nothing, if its host turns too fast for that.
    pub(super) fn receive(
        &mut self,
        visit: &Visit,
        sides: &Sides,
        near: &Proximity,
        order: EventOrder,
    ) -> bool {
        let tick = order.moment.tick;
        let (host, host_node, _) = sides[visit.member];
        let (guest, guest_node, _) = sides[1 - visit.member];
        let left = visit.end.since(tick);
        let way = self.motion(host_node).state(tick);
        let state = self.motion(guest_node).state(tick);
        let arm = state.position - way.position;
        let angle = way.spin.length() * left;
        let keeps_apart = |rules: &ContactRules| rules.solver.keeps_apart();
        let is_strict = self.world.contact.as_ref().is_some_and(keeps_apart);
        if angle > if is_strict { TURN_APART } else { TURN } {
            return false;
        }
        let goal = {
            let at_end = self.motion(host_node).state(visit.end);
            let axis = way.spin.normalize_or_zero();
            let away = if visit.member == 0 {
                -near.normal
            } else {
                near.normal
            };
            let kept = match is_strict {
                true => arm + away * sunk(axis, arm, away, angle),
                // It would stay at its distance on an arc. Its way is straight, and cuts the arc's corner by a little: it
                // ends twice that farther out.
                false => arm + (arm - axis * arm.dot(axis)) * (2.0 * angle * angle / 8.0),
            };
            at_end.position + at_end.rotation * (way.rotation.inverse() * kept)
        };
        let velocity = match left > SHORTEST {
            true => (goal - state.position) / left,
            false => way.velocity_at(state.position),
        };
        // Free flight tells what the forces do to its momentum until the step ends.
        self.integrate(guest_node, visit.end);
        let flown = self.motion(guest_node).state(visit.end);
        let course = Course {
            state: State {
                velocity,
                spin: way.spin,
                ..state
            },
            group: Some(visit.group),
            drive: Drive {
                velocity: [state.velocity, flown.velocity],
                spin: [state.spin, flown.spin],
                bend: Vec3::ZERO,
            },
            horizon: visit.end,
            began: Some(self.lines.step_begins(host_node)),
            host: Some(host),
            ..self.alone(guest, state, guest_node)
        };
        let courses = {
            let host_course = self.course_on(host, host_node, tick);
            let mut both = [(host_course, guest), (course, host)];
            both.sort_by_key(|(course, _)| course.body);
            both
        };
        self.seat(visit, &courses, guest, near, order);
        true
    }

    /// Begins the segments of the guest, of its host and of their group, and enters the guest into the group's step. The two
    /// courses, each with its partner, are in the order of body numbers.
    fn seat(
        &mut self,
        visit: &Visit,
        courses: &[(Course, BodyId); 2],
        guest: BodyId,
        near: &Proximity,
        order: EventOrder,
    ) {
        let tick = order.moment.tick;
        let mut step = self.groups.step(visit.step).clone();
        let place = step.guests.partition_point(|other| *other < guest.0);
        step.guests.insert(place, guest.0);
        let alarm = self.lines.alarm(visit.step);
        let [a, b] = [0usize, 1].map(|side| ProcessId(courses[side].0.body.0));
        let mut opened = self.open(order, &[a, b, visit.group]);
        for (course, partner) in courses {
            let origin = Origin {
                event: Event::Fusion,
                partner: partner.0,
                overlap: -near.gap as f32,
                storm: self.storm_after(course.previous, tick),
                ..Origin::of(Event::Fusion)
            };
            self.go_on(&mut opened, course, origin);
        }
        self.go_on_as_group(&mut opened, visit.group, step, alarm);
        self.close(opened);
    }
}

/// How far a body would come nearer to its host, along `away` from it, on the chord of the arc of `angle` about `axis` that
/// would keep it at the end of `arm`: if it ends so much farther out, it does not come nearer at any moment.
///
/// The chord cuts the arc by the share `s (1 - s) / 2` of the angle's square times the radius, and runs up to
/// `s (1 - s) (1 - 2 s) / 6` of its cube ahead of it or behind; both stay below the straight lines that touch them in `s = 0`.
fn sunk(axis: Vec3, arm: Vec3, away: Vec3, angle: f64) -> f64 {
    let out = arm - axis * arm.dot(axis);
    let (radial, along) = (away.dot(out), away.dot(axis.cross(out)));
    angle * angle * (0.5 * radial.max(0.0) + angle * along.abs() / 6.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use physics::Quat;

    /// In its host's frame a guest's way, with what it ends farther out, never comes nearer than it began.
    #[test]
    fn a_guest_does_not_sink_into_a_host_that_turns() {
        let turned = |axis: Vec3, angle: f64, v: Vec3| Quat::from_axis_angle(axis, angle) * v;
        for k in 0..400 {
            let k = f64::from(k);
            let axis = Vec3::new((1.3 * k).sin(), (2.1 * k).cos(), (0.7 * k).sin()).normalize();
            let away = Vec3::new((0.9 * k).cos(), (1.7 * k).sin(), (2.9 * k).cos()).normalize();
            // The centre of mass of a convex host lies behind the plane between the two.
            let across = away.any_orthonormal_vector() * (3.0 * (0.37 * k).sin());
            let arm = away * 0.2 + across;
            let angle = TURN_APART * (0.61 * k).sin().abs();
            let end = turned(axis, angle, arm + away * sunk(axis, arm, away, angle));
            for step in 0..=64 {
                let share = f64::from(step) / 64.0;
                let seen = turned(axis, -angle * share, arm + (end - arm) * share);
                let nearer = away.dot(arm - seen);
                let higher = 0.1 * angle.powi(4) * arm.length();
                assert!(
                    nearer <= higher + 1e-15,
                    "{k} {share}: {nearer:e} m, angle {angle}"
                );
            }
        }
    }
}
