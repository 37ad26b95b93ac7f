//! Small groups that come to a large one in the middle of its step, under solvers that promise that nothing overlaps. The
//! large group goes on as it does when a single guest comes ([`super::guests`]). The small one ends: until the other's step
//! does, its members make a step of their own past the ways that are known by then, and nobody pushes across; with the next
//! step all are members of one group, with all the momentum that they came with.
//!
//! Whoever comes so is its own host: its way was found among all that was there, and the engine has nothing to look for
//! between it and the group's members. Guests that come later on their own are looked for.

use super::groups::Joining;
use super::guests::{SHORTEST, SMALL};
use super::members::moving;
use super::regroup::{Gathering, Sides};
use super::{Course, Engine, Origin};
use crate::contact::ContactRules;
use crate::world::BodyId;
use physics::State;
use physics::groups::{Member, Memory, Neighbour, Span, Surroundings};
use record::{Event, NO_PARTNER};
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// A large group and a small one that meet in the middle of a step of the large one.
struct Meeting {
    large: ProcessId,
    small: ProcessId,
    /// Who of the large group is met.
    host: NodeId,
    /// The large group's segment.
    step: NodeId,
    /// When its step ends.
    end: Tick,
}

impl Engine {
    /// The members of a small group become guests of a large one; gives `false`, and does nothing, if that cannot be.
    pub(super) fn receive_company(&mut self, sides: &Sides, gap: f64, order: EventOrder) -> bool {
        let Some(rules) = self.world.contact.clone() else {
            return false;
        };
        let Some(meeting) = self.meeting(&rules, sides, order) else {
            return false;
        };
        let members = self.members_at(meeting.small, order);
        let Some(mut gathering) = self.gather(order, members, vec![meeting.small]) else {
            return false;
        };
        if gathering.old.len() > 1 || gathering.bodies.len() > SMALL {
            return false;
        }
        let speeds = gathering.bodies.iter().map(|j| j.state.velocity.length());
        gathering.farther = 0.5 * speeds.fold(0.0, f64::max) * rules.step;
        self.find_pairs(&rules, &gathering.bodies, gathering.farther, order);
        let nearby = self.groups.workshop.neighbours.clone();
        let has_sleepers = nearby
            .iter()
            .any(|body| self.sleeper(*body, order).is_some());
        if has_sleepers || !self.groups.workshop.ties.is_empty() {
            return false;
        }
        let passing = self.passing(&rules, &gathering, meeting.large, order);
        let Some((ends, memory)) = self.step_past(&rules, &gathering, &passing, meeting.end) else {
            return false;
        };
        self.open_to_company(sides, gap, (meeting, gathering), (&passing, &ends, memory));
        true
    }

    fn meeting(&self, rules: &ContactRules, sides: &Sides, order: EventOrder) -> Option<Meeting> {
        if !rules.solver.keeps_apart() {
            return None;
        }
        let groups = [0, 1].map(|side: usize| self.lines.group_of(sides[side].1));
        let [Some(first), Some(second)] = groups else {
            return None;
        };
        let size = |group: ProcessId| self.groups.members(group).len();
        let is_first = size(first) > size(second);
        let (large, small) = match is_first {
            true => (first, second),
            false => (second, first),
        };
        let host = sides[usize::from(!is_first)].1;
        let step = self.lines.covering(large, order)?;
        let end = self.lines.step_end(host);
        let is_in_step = |group: ProcessId| {
            let step = self.lines.covering(group, order);
            step.is_some_and(|node| {
                let step = self.groups.step(node);
                !step.is_resting && !step.is_ended
            })
        };
        let stays_out = |side: usize| {
            let body = sides[side].0;
            self.ties.is_tied(body.0) || self.multibodies.link(body.0).is_some()
        };
        let tick = order.moment.tick;
        let goes_on = first != second
            && size(large) > SMALL
            && size(small) <= SMALL
            && is_in_step(large)
            && is_in_step(small)
            && !stays_out(0)
            && !stays_out(1)
            && tick < end.min(self.lines.alarm(step))
            && end < Tick::MAX
            && end.since(tick) > SHORTEST;
        goes_on.then_some(Meeting {
            large,
            small,
            host,
            step,
            end,
        })
    }

    /// Those of a large group, its guests among them, that the gathered bodies may meet until its step ends, with their ways
    /// instead of their momenta. They become neighbours of the workshop.
    fn passing(
        &mut self,
        rules: &ContactRules,
        gathering: &Gathering,
        large: ProcessId,
        order: EventOrder,
    ) -> Vec<Joining> {
        let tick = order.moment.tick;
        let reach = |engine: &Self, joining: &Joining, farther: f64| {
            let reach = engine.step_reach(rules, joining) + farther;
            engine.box_at(joining.body, &joining.state, reach)
        };
        let own = gathering.bodies.iter();
        let own: Vec<_> = own
            .map(|joining| reach(self, joining, gathering.farther))
            .collect();
        let count = own.len();
        let mut near: Vec<Joining> = Vec::new();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for body in self.members_at(large, order) {
            let Some(joining) = self.joining(BodyId(body), order) else {
                continue;
            };
            let state = self.motion(joining.node).state(tick);
            let joining = Joining { state, ..joining };
            let (lo, hi) = reach(self, &joining, 0.0);
            let index = count + self.groups.workshop.neighbours.len() + near.len();
            let known = pairs.len();
            for (place, (own_lo, own_hi)) in own.iter().enumerate() {
                if lo.cmple(*own_hi).all() && own_lo.cmple(hi).all() {
                    pairs.push((place as u32, index as u32));
                }
            }
            if pairs.len() > known {
                near.push(joining);
            }
        }
        self.groups.workshop.pairs.extend(pairs);
        self.groups.workshop.pairs.sort_unstable();
        near
    }

    /// A step of the gathered bodies until `end`, past the ways of others.
    fn step_past(
        &mut self,
        rules: &ContactRules,
        gathering: &Gathering,
        passing: &[Joining],
        end: Tick,
    ) -> Option<(Vec<State>, Memory)> {
        let order = gathering.order;
        let mut workshop = std::mem::take(&mut self.groups.workshop);
        let fixed = workshop.neighbours.iter();
        let fixed: Vec<Joining> = fixed
            .filter_map(|&body| self.joining(BodyId(body), order))
            .collect();
        let own = gathering.bodies.iter();
        let mut members: Vec<Member> = own
            .map(|j| Member {
                body: j.body.0,
                model: self.models.get(j.model),
                state: j.state,
            })
            .collect();
        let all = fixed.iter().chain(passing);
        let neighbours: Vec<Neighbour> = all
            .map(|j| Neighbour {
                body: j.body.0,
                model: self.models.get(j.model),
                state: j.state,
            })
            .collect();
        let numbers: Vec<u32> = passing.iter().map(|j| j.body.0).collect();
        let span = Span {
            begin: order.moment.tick.seconds(),
            seconds: end.since(order.moment.tick),
        };
        let around = Surroundings {
            neighbours: &neighbours,
            pairs: &workshop.pairs,
            links: &[],
        };
        let mut memory = gathering.memory.clone();
        workshop.report.clear();
        let mut scratch = workshop.scratch.take().unwrap_or_default();
        let (solver, own, report) = (&rules.solver, &mut members, &mut workshop.report);
        let buffers = &mut *scratch;
        let passed = solver.pass(span, own, &around, &numbers, &mut memory, buffers, report);
        workshop.scratch = Some(scratch);
        let ends: Vec<State> = members.iter().map(|m| m.state).collect();
        self.groups.workshop = workshop;
        self.observers.count().group_steps += 1;
        self.observers
            .count()
            .count_effort(&self.groups.workshop.report.effort);
        let (bodies, farther) = (&gathering.bodies, gathering.farther);
        let strays = self.strayed(rules, bodies, &ends, farther).is_some();
        (passed?.is_ok() && !strays).then_some((ends, memory))
    }

    /// One event: the small group ends, its members are guests, and the large group's members that they pass are linked to
    /// them.
    fn open_to_company(
        &mut self,
        sides: &Sides,
        gap: f64,
        (meeting, gathering): (Meeting, Gathering),
        (near, ends, memory): (&[Joining], &[State], Memory),
    ) {
        let (order, tick) = (gathering.order, gathering.order.moment.tick);
        let left = meeting.end.since(tick);
        let mut courses: Vec<(Course, Event)> = Vec::new();
        for (joining, end) in gathering.bodies.iter().zip(ends) {
            let course = Course {
                group: Some(meeting.large),
                horizon: meeting.end,
                began: Some(self.lines.step_begins(meeting.host)),
                host: Some(joining.body),
                ..moving(*joining, end, left)
            };
            courses.push((course, Event::Fusion));
        }
        for joining in near {
            let course = self.course_on(joining.body, joining.node, tick);
            courses.push((course, Event::Step));
        }
        courses.sort_by_key(|(course, _)| course.body);
        let mut step = self.groups.step(meeting.step).clone();
        let guests = gathering.bodies.iter().map(|j| j.body.0);
        step.guests.extend(guests);
        step.guests.sort_unstable();
        step.leaning.extend_from_slice(&gathering.leaning);
        step.leaning.sort_unstable();
        step.leaning.dedup();
        let mut known = (*step.memory).clone();
        known.absorb(&memory);
        step.memory = std::sync::Arc::new(known);
        let alarm = self.lines.alarm(meeting.step);
        let alarm = alarm.min(self.next_corner(order));
        let rings = courses.iter().map(|(c, _)| ProcessId(c.body.0));
        let mut ring: Vec<ProcessId> = rings.collect();
        ring.extend([meeting.small, meeting.large]);
        let mut opened = self.open(order, &ring);
        let [a, b] = [sides[0].0, sides[1].0];
        for (course, event) in &courses {
            let partner = match course.body {
                body if body == a => b.0,
                body if body == b => a.0,
                _ => NO_PARTNER,
            };
            let origin = Origin {
                partner,
                overlap: if partner == NO_PARTNER {
                    0.0
                } else {
                    -gap as f32
                },
                storm: self.storm_after(course.previous, tick),
                ..Origin::of(if partner == NO_PARTNER {
                    *event
                } else {
                    Event::Fusion
                })
            };
            self.go_on(&mut opened, course, origin);
        }
        self.end_group(&mut opened, meeting.small);
        self.go_on_as_group(&mut opened, meeting.large, step, alarm);
        self.close(opened);
    }
}
