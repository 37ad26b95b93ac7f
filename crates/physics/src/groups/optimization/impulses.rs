//! Contact impulses with friction: before targets are set, so that these do not run into what is near,
//! and after positions are found, so that nothing goes on approaching what it touches.
//!
//! The impulses solve a quadratic program over the friction cone by block sweeps, alternately forwards
//! and backwards, from those of the last step.

use super::Effort;
use super::bodies::{Bodies, Mover};
use super::contact::{Contact, contacts_of, two};
use super::settings::OptimizationSettings;
use crate::Vec3;
use crate::groups::manifold::Manifolds;
use crate::groups::memory::PointKey;
use crate::groups::{Member, Memory, Neighbour};

/// Change of velocity at a contact that counts as none in any world, m/s.
const STILL: f64 = 1e-9;

/// Share of the skin within which bodies count as touching: what is nearer than that to the distance that planes
/// keep need not come nearer, so that a pile is still.
const TOUCHING: f64 = 0.5;

/// Sweeps after rolling was resisted, at most.
const AFTER_RESISTANCE: u32 = 10;

/// Share of the change that counts as none below which a contact lets its bodies be.
const QUIET: f64 = 0.25;

/// The contacts of a step.
#[derive(Default)]
pub(super) struct Impulses {
    contacts: Vec<Contact>,
    /// Per contact: the gap over the step that may be closed, m/s.
    rooms: Vec<f64>,
    touched: Vec<bool>,
    /// Contacts where bodies were put.
    late: Vec<Contact>,
    /// How often each pair has collided, by contact of its first point.
    collided: Vec<((u32, u32), u32)>,
    search: Search,
    /// Neighbours that push nobody, by their numbers in the world, rising.
    passing: Vec<u32>,
}

/// Whether the second body of a contact takes part in impulses.
fn pushes(contact: &Contact, passing: &[u32]) -> bool {
    passing.binary_search(&contact.key.bodies[1]).is_err()
}

impl Impulses {
    /// Takes the contacts and the last step's forces.
    pub fn begin(
        &mut self,
        scene: (&[Member], &[Neighbour]),
        (manifolds, passing): (&Manifolds, &[u32]),
        memory: &Memory,
        settings: &OptimizationSettings,
        seconds: f64,
    ) {
        self.passing.clear();
        self.passing.extend_from_slice(passing);
        self.touched.clear();
        self.touched.resize(scene.0.len(), false);
        self.contacts.clear();
        let found = contacts_of(scene, manifolds, settings.skin);
        let found = found.filter(|c| pushes(c, passing));
        self.contacts.extend(found.map(|mut contact| {
            let impulse = memory.force(&contact.key) * seconds;
            let [n, t, u] = contact.frame;
            contact.impulse = [n.dot(impulse).max(0.0), t.dot(impulse), u.dot(impulse)];
            contact
        }));
    }

    /// The hybrid: collisions that come in fast are resolved one after the other, in the order in
    /// which they happen within the step, a bounded number for each pair.
    pub fn bounce(&mut self, bodies: &mut Bodies, settings: &OptimizationSettings, seconds: f64) {
        let movers = &mut bodies.movers;
        for contact in &mut self.contacts {
            contact.weigh(movers);
        }
        self.collided.clear();
        loop {
            let mut first: Option<(f64, usize)> = None;
            for (k, contact) in self.contacts.iter().enumerate() {
                let speed = contact.frame[0].dot(contact.relative(movers));
                if -speed <= settings.v_min || contact.restitution == 0.0 {
                    continue;
                }
                let after = (contact.gap_after_detours(movers) / -speed).max(0.0);
                let sooner = first.is_none_or(|(soonest, _)| after < soonest);
                if after < seconds && sooner && self.may_collide(contact.bodies, settings) {
                    first = Some((after, k));
                }
            }
            let Some((after, k)) = first else {
                return;
            };
            self.collide(k, movers, after);
        }
    }

    fn may_collide(&self, bodies: [u32; 2], settings: &OptimizationSettings) -> bool {
        let pair = (bodies[0], bodies[1]);
        let known = self.collided.iter().find(|(p, _)| *p == pair);
        known.is_none_or(|(_, count)| *count < settings.c_max)
    }

    fn collide(&mut self, k: usize, movers: &mut [Mover], after: f64) {
        let contact = &mut self.contacts[k];
        let pair = (contact.bodies[0], contact.bodies[1]);
        match self.collided.iter_mut().find(|(p, _)| *p == pair) {
            Some((_, count)) => *count += 1,
            None => self.collided.push((pair, 1)),
        }
        let relative = contact.relative(movers);
        let [n, t, u] = contact.frame;
        let speed = n.dot(relative);
        let normal = -(1.0 + contact.restitution) * speed * contact.normal_mass;
        let slip = [
            t.dot(relative) + contact.coupling[0] * normal,
            u.dot(relative) + contact.coupling[1] * normal,
        ];
        let held = std::mem::take(&mut contact.impulse);
        let [x, y] = contact.rub(slip, contact.friction * normal);
        contact.impulse = held;
        contact.bounced += normal;
        let impulse = contact.vector([normal, x, y]);
        let [ra, rb] = contact.arms;
        let [a, b] = two(movers, contact.bodies);
        a.kick_late(ra, impulse, after);
        b.kick_late(rb, -impulse, after);
    }

    /// Finds the impulses that keep the bodies' ways over the step free.
    pub fn solve(
        &mut self,
        bodies: &mut Bodies,
        settings: &OptimizationSettings,
        seconds: f64,
        effort: &mut Effort,
    ) {
        let still = (settings.rest * bodies.pull * seconds).max(STILL);
        let movers = &mut bodies.movers;
        self.rooms.clear();
        for contact in &self.contacts {
            let gap = contact.gap_after_detours(movers);
            let room = gap - TOUCHING * settings.skin;
            self.rooms.push(room.max(0.0) / seconds);
            let impulse = contact.vector(contact.impulse);
            let [ra, rb] = contact.arms;
            let [a, b] = two(movers, contact.bodies);
            a.kick(ra, impulse);
            b.kick(rb, -impulse);
        }
        let limits = (still, settings.sweeps_max);
        let (contacts, search) = (&mut self.contacts, &mut self.search);
        sweep(contacts, &self.rooms, movers, search, limits, effort);
        let mut resists = false;
        for contact in contacts.iter_mut() {
            resists |= contact.resist(movers);
        }
        if resists {
            let limits = (still, settings.sweeps_max.min(AFTER_RESISTANCE));
            sweep(contacts, &self.rooms, movers, search, limits, effort);
        }
        for contact in &self.contacts {
            if contact.impulse[0] > 0.0 || contact.bounced > 0.0 {
                for body in contact.bodies {
                    if let Some(touched) = self.touched.get_mut(body as usize) {
                        *touched = true;
                    }
                }
            }
        }
    }

    /// Members that any impulse acted on.
    pub fn touched(&self) -> &[bool] {
        &self.touched
    }

    /// Takes away the velocity with which bodies approach what they touch where they were put; what
    /// came in fast bounces.
    pub fn stop(
        &mut self,
        bodies: &mut Bodies,
        (members, neighbours): (&[Member], &[Neighbour]),
        manifolds: &Manifolds,
        settings: &OptimizationSettings,
        effort: &mut Effort,
    ) {
        let movers = &mut bodies.movers;
        self.late.clear();
        for mut contact in contacts_of((members, neighbours), manifolds, settings.skin) {
            if contact.gap > TOUCHING * settings.skin || !pushes(&contact, &self.passing) {
                continue;
            }
            let speed = contact.frame[0].dot(contact.relative(movers));
            if -speed > settings.v_min {
                contact.leaving = -contact.restitution * speed;
            }
            contact.weigh(movers);
            self.late.push(contact);
        }
        self.rooms.clear();
        self.rooms.resize(self.late.len(), 0.0);
        let still = (settings.rest * bodies.pull / 60.0).max(STILL);
        let limits = (still, settings.sweeps_max);
        let (late, search) = (&mut self.late, &mut self.search);
        sweep(
            late,
            &self.rooms,
            &mut bodies.movers,
            search,
            limits,
            effort,
        );
    }

    /// Contact points with the impulse of this step.
    pub fn held(&self) -> impl Iterator<Item = (PointKey, Vec3)> + '_ {
        let pushing = self.contacts.iter().filter(|c| c.impulse[0] > 0.0);
        pushing.map(|c| (c.key, c.vector(c.impulse)))
    }

    /// Bodies that exchanged an impulse, the gap at the step's start and the normal impulse.
    pub fn touches(&self, push: &mut impl FnMut([u32; 2], f64, f64)) {
        for contact in self.contacts.iter().chain(&self.late) {
            let normal = contact.impulse[0] + contact.bounced;
            push(contact.key.bodies, contact.gap + contact.keep, normal);
        }
    }
}

/// How sweeps are combined, and which contacts they visit.
#[derive(Default)]
struct Search {
    /// Contacts visited in this sweep, and their impulses before it.
    visited: Vec<(u32, [f64; 3])>,
    /// Per contact: the direction of the search, and the sweep that visited it last.
    along: Vec<([f64; 3], u32)>,
    /// Per body: the last sweep that moved it.
    moved: Vec<u32>,
}

impl Search {
    fn begin(&mut self, contacts: usize, movers: usize) {
        self.along.clear();
        self.along.resize(contacts, ([0.0; 3], 0));
        self.moved.clear();
        self.moved.resize(movers, 0);
    }

    /// Visits the contacts of bodies that moved in this sweep or in the one before: all others would stay as they are.
    fn sweep(
        &mut self,
        contacts: &mut [Contact],
        rooms: &[f64],
        movers: &mut [Mover],
        sweep: u32,
        quiet: f64,
    ) -> f64 {
        let (visited, moved) = (&mut self.visited, &mut self.moved);
        visited.clear();
        let each = |largest: f64, (k, (contact, room)): (usize, (&mut Contact, &f64))| {
            let [a, b] = contact.bodies.map(|k| k as usize);
            if moved[a].max(moved[b]) + 1 < sweep {
                return largest;
            }
            visited.push((k as u32, contact.impulse));
            let change = contact.visit(movers, *room);
            if change > quiet {
                for k in [a, b] {
                    if movers[k].inverse_mass > 0.0 {
                        moved[k] = sweep;
                    }
                }
            }
            largest.max(change)
        };
        let all = contacts.iter_mut().zip(rooms).enumerate();
        match sweep % 2 == 1 {
            true => all.fold(0.0, each),
            false => all.rev().fold(0.0, each),
        }
    }
}

/// Visits contacts until nothing changes by more than `still`, or `most` times.
/// Sweeps in a row are combined as in the method of conjugate gradients, as in the programs over positions.
fn sweep(
    contacts: &mut [Contact],
    rooms: &[f64],
    movers: &mut [Mover],
    search: &mut Search,
    (still, most): (f64, u32),
    effort: &mut Effort,
) {
    effort.impulses += 1;
    search.begin(contacts.len(), movers.len());
    let mut last = f64::INFINITY;
    for sweep in 1..=most {
        effort.sweeps += 1;
        let change = search.sweep(contacts, rooms, movers, sweep, QUIET * still);
        if change <= still {
            return;
        }
        let step = |(k, before): &(u32, [f64; 3])| {
            let now = &contacts[*k as usize].impulse;
            let squares =
                (0..3).map(|axis| (now[axis] - before[axis]) * (now[axis] - before[axis]));
            squares.sum::<f64>()
        };
        let square: f64 = search.visited.iter().map(step).sum();
        let share = square / last;
        last = square;
        for (k, before) in &search.visited {
            let (along, swept) = &mut search.along[*k as usize];
            if share >= 1.0 || *swept + 1 < sweep {
                *along = [0.0; 3];
            }
            *swept = sweep;
            if share < 1.0 {
                contacts[*k as usize].go_on(movers, before, along, share);
            }
        }
    }
    effort.unsettled += 1;
}
