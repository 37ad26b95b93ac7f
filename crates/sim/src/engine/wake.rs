//! Waking: what is hit takes its share. A sleeper next to a group that moves is a fixed body to the solver, and a
//! fixed body takes any momentum and gives nothing back. So whoever would get a noticeable share of a blow is
//! awake before the step is solved, whole chains of sleepers that touch included; and what the solver then finds
//! pressed harder than friction holds it wakes as well, and the step is solved again. Waking stays local: a
//! sleeper that friction can hold where it is stays asleep.

use super::Engine;
use super::groups::Joining;
use super::neighbourhood::When;
use super::regroup::Gathering;
use crate::contact::ContactRules;
use crate::grid::Bounds;
use crate::overlap::corners_at;
use crate::world::BodyId;
use physics::Vec3;
use physics::contact::closest;
use record::Event;
use std::collections::VecDeque;
use std::sync::Arc;
use warp::{EventOrder, ProcessId};

/// Steps ahead for which sleepers are woken. Solvers brake what would touch in the next sub-step already: a
/// sleeper that is not awake by then would stop a wrecking ball as if it were a rock.
const WAKE_AHEAD: f64 = 2.0;
/// A sleeper that no friction holds wakes at any push across its weight; less than this share of a push is
/// rounding.
const ACROSS: f64 = 1e-6;
/// And at any touch that is not slower than this, m/s.
const SLOWEST: f64 = 1e-9;

/// A sleeper that is about to be pushed, and what it is expected to get.
struct Felt {
    sleeper: Joining,
    /// The velocity that it would get, m/s.
    velocity: Vec3,
    /// The mass that moves with it, kg.
    mass: f64,
}

/// A member and a sleeper that touch, or may soon.
pub(super) struct Beside {
    member: u32,
    sleeper: u32,
    /// Out of the sleeper.
    normal: Vec3,
}

/// What a group that is about to step does to the sleepers next to it.
#[derive(Default)]
pub(super) struct Company {
    /// Sleepers that it touches without waking them.
    pub held: Vec<u32>,
    /// Sleepers within reach.
    beside: Vec<Beside>,
}

impl Company {
    /// Whether no sleeper is within reach.
    pub(super) fn is_alone(&self) -> bool {
        self.beside.is_empty()
    }
}

/// The share of a velocity that a mass gives to another that it takes along.
fn share(mass: f64, other: f64) -> f64 {
    if mass.is_infinite() {
        1.0
    } else {
        mass / (mass + other)
    }
}

impl Engine {
    /// The body of a sleeper at an event; none if it is awake.
    pub(super) fn sleeper(&mut self, body: u32, order: EventOrder) -> Option<Joining> {
        let node = self.lines.covering(ProcessId(body), order)?;
        if !self.lines.is_asleep(node) {
            return None;
        }
        self.joining(BodyId(body), order)
    }

    /// The slowest touch that wakes a sleeper, m/s.
    fn wakes_from(&self, rules: &ContactRules, sleeper: &Joining) -> f64 {
        if self.lines.grip(sleeper.node) > 0.0 {
            rules.wake_speed
        } else {
            SLOWEST.min(rules.wake_speed)
        }
    }

    /// Takes in the sleepers that the gathered bodies disturb; returns those that they only touch.
    pub(super) fn wake_sleepers(
        &mut self,
        rules: &ContactRules,
        gathering: &mut Gathering,
    ) -> Company {
        loop {
            let (bodies, farther) = (&gathering.bodies, gathering.farther);
            self.find_pairs(rules, bodies, farther, gathering.order);
            let (woken, company) = self.disturb(rules, gathering);
            if woken.is_empty() {
                return company;
            }
            self.take_in(gathering, woken);
        }
    }

    /// Sleepers, and all that is joined to them, become members of a group.
    pub(super) fn take_in(&mut self, gathering: &mut Gathering, mut woken: Vec<u32>) {
        self.take_along(gathering.order, &mut woken, &mut Vec::new(), None);
        for body in woken {
            let joining = self.joining(BodyId(body), gathering.order);
            gathering.bodies.extend(joining);
        }
        // Of a body that was there already the first is kept: what a blow has done to it is in it.
        gathering.bodies.sort_by_key(|j| j.body);
        gathering.bodies.dedup_by_key(|j| j.body);
        if gathering.event == Event::Step {
            gathering.event = Event::Fusion;
        }
    }

    /// Sorts the sleepers next to a group that is about to step: those that wake, and the others.
    fn disturb(&mut self, rules: &ContactRules, gathering: &Gathering) -> (Vec<u32>, Company) {
        let (bodies, order) = (&gathering.bodies, gathering.order);
        let mut company = Company::default();
        let mut felt: Vec<Felt> = Vec::new();
        let pairs = self.groups.workshop.pairs_with_neighbours(bodies.len());
        for (place, body) in pairs {
            let Some(sleeper) = self.sleeper(body, order) else {
                continue;
            };
            let member = &bodies[place as usize];
            let [a, b] = [member.model, sleeper.model].map(|m| self.models.get(m));
            let near = closest(a, &member.state, b, &sleeper.state);
            let point = near.point();
            let apart = member.state.velocity_at(point) - sleeper.state.velocity_at(point);
            let approach = -near.normal.dot(apart);
            let arrives = near.gap <= rules.margin + approach * WAKE_AHEAD * rules.step;
            if approach > self.wakes_from(rules, &sleeper) && arrives {
                let bounce = a.meeting(b).material.restitution;
                let (mass, own) = (a.mass.mass, b.mass.mass);
                felt.push(Felt {
                    sleeper,
                    velocity: near.normal * (-approach * (1.0 + bounce) * share(mass, own)),
                    mass: own + (1.0 - bounce) * mass,
                });
            } else if near.gap <= rules.wake_gap {
                company.held.push(body);
            }
            company.beside.push(Beside {
                member: member.body.0,
                sleeper: body,
                normal: near.normal,
            });
        }
        let mut woken = self.spread(rules, bodies, felt, order);
        company.held.sort_unstable();
        company.held.dedup();
        let held = &mut company.held;
        held.retain(|body| woken.binary_search(body).is_err());
        for &body in &gathering.leaning {
            let is_known = held.binary_search(&body).is_ok()
                || woken.contains(&body)
                || bodies.binary_search_by_key(&body, |j| j.body.0).is_ok();
            if !is_known && self.sleeper(body, order).is_some() {
                woken.push(body);
            }
        }
        woken.sort_unstable();
        (woken, company)
    }

    /// Follows a blow from sleeper to sleeper as far as it is noticed; gives all that it wakes, rising.
    fn spread(
        &mut self,
        rules: &ContactRules,
        bodies: &[Joining],
        mut felt: Vec<Felt>,
        order: EventOrder,
    ) -> Vec<u32> {
        // Of several pushes on one sleeper the hardest counts.
        felt.sort_by(|a, b| {
            let speed = |f: &Felt| f.velocity.length_squared();
            let harder = speed(b).total_cmp(&speed(a));
            a.sleeper.body.cmp(&b.sleeper.body).then(harder)
        });
        felt.dedup_by_key(|f| f.sleeper.body);
        let mut woken: Vec<u32> = felt.iter().map(|f| f.sleeper.body.0).collect();
        let mut queue = VecDeque::from(felt);
        while let Some(felt) = queue.pop_front() {
            for next in self.pushed_by(rules, &felt, order) {
                let body = next.sleeper.body;
                let is_member = bodies.binary_search_by_key(&body, |j| j.body).is_ok();
                if is_member {
                    continue;
                }
                if let Err(place) = woken.binary_search(&body.0) {
                    woken.insert(place, body.0);
                    queue.push_back(next);
                }
            }
        }
        woken
    }

    /// The sleepers that one that is pushed pushes on, if they notice it. They share what it gives.
    fn pushed_by(&mut self, rules: &ContactRules, felt: &Felt, order: EventOrder) -> Vec<Felt> {
        let (own, state) = (felt.sleeper.body.0, felt.sleeper.state);
        let model = Arc::clone(self.models.get(felt.sleeper.model));
        let Some((lo, hi)) = corners_at(&model, &state.pose()) else {
            return Vec::new();
        };
        let speed = felt.velocity.length();
        let reach = rules.margin + speed * WAKE_AHEAD * rules.step;
        // Whoever gets another segment within this of the group may have been read here.
        self.readers.widen(reach);
        let mut found = Vec::new();
        let wide = Vec3::splat(reach);
        let around = Bounds::around(lo - wide, hi + wide);
        let add = |body| found.push(body);
        self.around.near(&around, When::at(order), &self.lines, add);
        found.sort_unstable();
        found.dedup();
        let mut next: Vec<(Felt, f64)> = Vec::new();
        let mut all = 0.0;
        for body in found {
            if body == own || self.ties.is_apart(own.min(body), own.max(body)) {
                continue;
            }
            let Some(sleeper) = self.sleeper(body, order) else {
                continue;
            };
            let other = self.models.get(sleeper.model);
            let near = closest(&model, &state, other, &sleeper.state);
            let approach = -near.normal.dot(felt.velocity);
            let arrives = near.gap <= rules.margin + approach * WAKE_AHEAD * rules.step;
            if approach <= 0.0 || !arrives {
                continue;
            }
            let part = (approach / speed) * (approach / speed);
            all += part;
            let velocity = near.normal * -approach;
            next.push((
                Felt {
                    sleeper,
                    velocity,
                    mass: part,
                },
                approach,
            ));
        }
        next.retain_mut(|(next, approach)| {
            let other = self.models.get(next.sleeper.model);
            let bounce = model.meeting(other).material.restitution;
            let given = felt.mass * next.mass / all;
            let gets = (1.0 + bounce) * share(given, other.mass.mass);
            next.velocity *= gets;
            next.mass = other.mass.mass + (1.0 - bounce) * given;
            *approach * gets > self.wakes_from(rules, &next.sleeper)
        });
        next.into_iter().map(|(felt, _)| felt).collect()
    }

    /// Sleepers that the step just solved has pressed harder than what they lie on holds them.
    pub(super) fn overloaded(
        &mut self,
        rules: &ContactRules,
        company: &Company,
        order: EventOrder,
    ) -> Vec<u32> {
        let touches = &self.groups.workshop.report.touches;
        let mut pushes: Vec<(u32, Vec3)> = Vec::new();
        for beside in &company.beside {
            let (a, b) = (
                beside.member.min(beside.sleeper),
                beside.member.max(beside.sleeper),
            );
            if let Ok(found) = touches.binary_search_by_key(&(a, b), |t| (t.a, t.b)) {
                let impulse = beside.normal * -touches[found].normal_impulse;
                if impulse != Vec3::ZERO {
                    pushes.push((beside.sleeper, impulse));
                }
            }
        }
        pushes.sort_by_key(|(sleeper, _)| *sleeper);
        let mut woken = Vec::new();
        for of_one in pushes.chunk_by(|a, b| a.0 == b.0) {
            let body = of_one[0].0;
            let push = of_one.iter().fold(Vec3::ZERO, |sum, (_, p)| sum + *p);
            if let Some(sleeper) = self.sleeper(body, order)
                && !self.bears(rules, &sleeper, self.lines.grip(sleeper.node), push)
            {
                woken.push(body);
            }
        }
        woken
    }

    /// Whether a body that sleeps stays where it is under an impulse within a step: its weight and what presses it
    /// down let a friction of `grip` hold it, and nothing lifts it.
    pub(super) fn bears(
        &self,
        rules: &ContactRules,
        sleeper: &Joining,
        grip: f64,
        push: Vec3,
    ) -> bool {
        let model = self.models.get(sleeper.model);
        let down = model.gravity.normalize_or_zero();
        let weight = model.mass.mass * model.gravity.length() * rules.step;
        let pressed = push.dot(down);
        let across = (push - down * pressed).length();
        let held = grip * (weight + pressed.max(0.0));
        across <= held.max(ACROSS * push.length()) && -pressed <= weight
    }
}
