//! Controllers in the engine (Mirtich 4.6): calls at times of their own choosing, and at collisions of links. What a call
//! sees begins new segments in one ring with the multibody, so that it is undone when that turns out otherwise.

use super::multibody::{Joints, Moment};
use super::regroup::Sides;
use super::{Course, Engine, Origin};
use crate::multibodies::{Collided, Control, Other};
use crate::world::{BodyId, Kind};
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// A multibody that a controller has driven: its number, its joints, and when its own controller is called next, if this
/// was a call of that.
pub(super) type Driven = (usize, Moment, Option<Tick>);

impl Engine {
    /// A controller is due: it sees the joints, and bodies and other multibodies if it looks, and sets the motors.
    pub(super) fn control(&mut self, order: EventOrder, index: usize) {
        let world = Arc::clone(&self.world);
        let tick = order.moment.tick;
        let (Some(controller), Some(now)) = (
            &world.multibodies[index].controller,
            self.joints_at(index, order),
        ) else {
            return;
        };
        let mut looked_at = Vec::new();
        let mut seen = Vec::new();
        for &body in controller.looks_at(&now.slots) {
            let Some(node) = self.lines.covering(ProcessId(body.0), order) else {
                return;
            };
            self.integrate(node, tick);
            looked_at.push((body, node));
            seen.push(self.momentary(node, tick));
        }
        let mut others: Vec<Driven> = Vec::new();
        for &other in controller.drives(&now.slots) {
            let Some(moment) = self.joints_at(other, order) else {
                return;
            };
            others.push((other, moment, None));
        }
        let mut driven = vec![(index, now, None)];
        driven[0].2 = self.call(&mut driven[0], &mut others, &seen, tick);
        driven.append(&mut others);
        looked_at.retain(|(body, _)| world.bodies[body.index()].kind == Kind::Dynamic);
        let mut groups: Vec<ProcessId> = driven
            .iter()
            .filter_map(|(index, ..)| self.group_of_tree(*index, order))
            .collect();
        groups.sort_unstable();
        groups.dedup();
        match groups.is_empty() {
            true => self.control_apart(order, driven, &looked_at),
            false => self.control_in_groups(order, &groups, driven, &looked_at),
        }
    }

    /// Calls a controller; returns when it wants to be called again.
    fn call(
        &self,
        (index, now, _): &mut Driven,
        others: &mut [Driven],
        seen: &[physics::State],
        tick: Tick,
    ) -> Option<Tick> {
        let made = &self.world.multibodies[*index];
        let controller = made.controller.as_ref()?;
        let (positions, velocities) = now.joints.split_at(made.model.positions());
        let other = |(index, now, _): &'_ mut Driven| {
            // Borrowed apart, so that the controller reads joints while it writes signals.
            (
                *index,
                std::mem::take(&mut now.joints),
                std::mem::take(&mut now.acting.controls),
            )
        };
        let mut lent: Vec<_> = others.iter_mut().map(other).collect();
        let others_seen = lent.iter_mut().map(|(index, joints, controls)| {
            let multibody = &self.world.multibodies[*index];
            let (positions, velocities) = joints.split_at(multibody.model.positions());
            Other {
                multibody,
                positions,
                velocities,
                controls,
            }
        });
        let again = (controller.run)(&mut Control {
            seconds: tick.seconds(),
            multibody: made,
            positions,
            velocities,
            seen,
            others: others_seen.collect(),
            controls: &mut now.acting.controls,
            slots: &mut now.slots,
        });
        for ((_, now, _), (_, joints, controls)) in others.iter_mut().zip(lent) {
            (now.joints, now.acting.controls) = (joints, controls);
        }
        let next = again.filter(|seconds| *seconds > 0.0);
        Some(next.map_or(Tick::MAX, |s| {
            tick.saturating_add(Tick::from_seconds(s).0.max(1))
        }))
    }

    /// The group that a multibody is in.
    pub(super) fn group_of_tree(&self, index: usize, order: EventOrder) -> Option<ProcessId> {
        let first = self.world.multibodies[index].links[0].body;
        let node = self.lines.covering(ProcessId(first.0), order)?;
        self.lines.group_of(node)
    }

    /// Driven multibodies, none of which is in a group, go on.
    fn control_apart(
        &mut self,
        order: EventOrder,
        driven: Vec<Driven>,
        looked_at: &[(BodyId, NodeId)],
    ) {
        let tick = order.moment.tick;
        let mut ring: Vec<ProcessId> = Vec::new();
        for (index, ..) in &driven {
            ring.extend(self.tree_processes(*index));
        }
        ring.extend(looked_at.iter().map(|(body, _)| ProcessId(body.0)));
        let courses: Vec<Course> = looked_at
            .iter()
            .map(|(body, node)| self.course_of_seen(*body, *node, order))
            .collect();
        let mut event = self.open(order, &ring);
        for (index, now, next) in driven {
            let next = next.unwrap_or_else(|| self.alarm_before(index));
            let joints = Joints::flowing(now, next.since(tick));
            self.tree_goes_on(&mut event, index, (joints, next), Event::Callback, &[]);
        }
        for course in courses {
            let origin = Origin {
                storm: self.storm_after(course.previous, tick),
                ..Origin::of(Event::Callback)
            };
            self.go_on(&mut event, &course, origin);
        }
        self.close(event);
    }

    /// A controller has set the motors of multibodies of which some are in groups: these step again from here, and all
    /// that was driven with them.
    fn control_in_groups(
        &mut self,
        order: EventOrder,
        groups: &[ProcessId],
        driven: Vec<Driven>,
        looked_at: &[(BodyId, NodeId)],
    ) {
        let (mut bodies, mut steps) = (Vec::new(), 0);
        for &group in groups {
            let Some(node) = self.lines.covering(group, order) else {
                return;
            };
            bodies.extend(self.members_at(group, order));
            // Calls count as steps: a controller that is called before every group check must not put them off for ever.
            steps = steps.max(self.groups.step(node).steps + 1);
        }
        // Who has only been driven together does not stay together.
        let mut is_mixed = groups.len() > 1;
        for (index, ..) in &driven {
            if self.group_of_tree(*index, order).is_none() {
                is_mixed = true;
                let links = &self.world.multibodies[*index].links;
                bodies.extend(links.iter().map(|link| link.body.0));
            }
        }
        let Some(mut gathering) = self.gather(order, bodies, groups.to_vec()) else {
            return;
        };
        let rules = self.world.contact.as_ref();
        let is_due = rules.is_some_and(|r| steps.is_multiple_of(r.steps_per_check));
        gathering.check = is_mixed || is_due;
        gathering.steps = steps;
        self.gather_trees(&mut gathering);
        for (index, now, next) in driven {
            if let Some(tree) = gathering.trees.iter_mut().find(|tree| tree.index == index) {
                tree.now = now;
                tree.alarm = next;
            }
        }
        for &(body, node) in looked_at {
            if gathering.bodies.iter().all(|j| j.body != body) {
                let course = self.course_of_seen(body, node, order);
                gathering.outsiders.push((course, Event::Callback));
            }
        }
        gathering.event = Event::Callback;
        self.regroup(gathering);
    }

    /// Tells the controller of a multibody that links of it have collided.
    pub(super) fn tell_collision(
        &self,
        index: usize,
        now: &mut Moment,
        sides: &Sides,
        (tick, impulse): (Tick, f64),
    ) {
        let made = &self.world.multibodies[index];
        let told = made.controller.as_ref().and_then(|c| c.collided.as_ref());
        let Some(told) = told.filter(|_| impulse > 0.0) else {
            return;
        };
        for (one, other) in [(0, 1), (1, 0)] {
            let link = sides[one].0;
            if self
                .multibodies
                .link(link.0)
                .is_some_and(|(of, _)| of == index)
            {
                told(&mut Collided {
                    seconds: tick.seconds(),
                    multibody: made,
                    link,
                    partner: sides[other].0,
                    impulse,
                    controls: &mut now.acting.controls,
                    slots: &mut now.slots,
                });
            }
        }
    }
}
