//! Contact impulses with friction: before targets are set, so that these do not run into what is near,
//! and after positions are found, so that nothing goes on approaching what it touches.
//!
//! The impulses solve a quadratic program over the friction cone by block sweeps, alternately forwards
//! and backwards, from those of the last step.

use super::bodies::{Bodies, Mover};
use super::planes::kept;
use super::settings::OptimizationSettings;
use crate::Vec3;
use crate::groups::contacts::{body, body_id};
use crate::groups::manifold::{Manifold, ManifoldPoint, Manifolds};
use crate::groups::memory::PointKey;
use crate::groups::{Member, Memory, Neighbour};

/// Change of velocity at a contact that counts as none in any world, m/s.
const STILL: f64 = 1e-9;

/// One contact point.
#[derive(Clone, Copy, Debug)]
struct Contact {
    key: PointKey,
    bodies: [u32; 2],
    /// Normal, towards the first body, and tangents.
    frame: [Vec3; 3],
    arms: [Vec3; 2],
    /// Distance less the one to keep, metres.
    gap: f64,
    /// The distance to keep, metres.
    keep: f64,
    friction: f64,
    restitution: f64,
    /// Effective mass along the normal, kg.
    normal_mass: f64,
    /// Inverse of the tangents' response: xx, xy, yy.
    tangent_mass: [f64; 3],
    /// The smaller eigenvalue of that inverse, kg.
    slip_mass: f64,
    /// Response along the tangents per unit of normal impulse.
    coupling: [f64; 2],
    impulse: [f64; 3],
    /// Normal impulse of fast collisions, N s.
    bounced: f64,
    /// Normal velocity that is to be left, m/s.
    leaving: f64,
}

/// Two different entries of a slice, the first with the smaller index.
fn two(movers: &mut [Mover], [a, b]: [u32; 2]) -> [&mut Mover; 2] {
    let (low, high) = movers.split_at_mut(b as usize);
    [&mut low[a as usize], &mut high[0]]
}

impl Contact {
    /// Fills in the masses.
    fn weigh(&mut self, movers: &[Mover]) {
        let [a, b] = self.bodies.map(|k| &movers[k as usize]);
        let [ra, rb] = self.arms;
        let respond = |j: Vec3| a.response(ra, j) + b.response(rb, j);
        let [n, t, u] = self.frame;
        let (kn, kt, ku) = (respond(n), respond(t), respond(u));
        let invert = |k: f64| if k > 0.0 { 1.0 / k } else { 0.0 };
        self.normal_mass = invert(n.dot(kn));
        let (xx, xy, yy) = (t.dot(kt), t.dot(ku), u.dot(ku));
        let inverse = invert(xx * yy - xy * xy);
        self.tangent_mass = [yy * inverse, -xy * inverse, xx * inverse];
        let spread = (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt();
        self.slip_mass = invert(0.5 * (xx + yy) + spread);
        self.coupling = [t.dot(kn), u.dot(kn)];
    }

    fn vector(&self, [n, t, u]: [f64; 3]) -> Vec3 {
        self.frame[0] * n + self.frame[1] * t + self.frame[2] * u
    }

    fn relative(&self, movers: &[Mover]) -> Vec3 {
        let [a, b] = self.bodies.map(|k| &movers[k as usize]);
        a.velocity_at(self.arms[0]) - b.velocity_at(self.arms[1])
    }

    /// The gap that the way of both bodies would have left, had they not been kicked since.
    fn gap_after_detours(&self, movers: &[Mover]) -> f64 {
        let at = |k: usize| {
            let [shift, turn] = movers[self.bodies[k] as usize].detour;
            shift + turn.cross(self.arms[k])
        };
        self.gap + self.frame[0].dot(at(0) - at(1))
    }

    /// The friction that a normal impulse permits against a slip; a circular cone.
    fn rub(&self, slip: [f64; 2], limit: f64) -> [f64; 2] {
        let [_, t, u] = self.impulse;
        let [xx, xy, yy] = self.tangent_mass;
        let mut x = t - (xx * slip[0] + xy * slip[1]);
        let mut y = u - (xy * slip[0] + yy * slip[1]);
        if x * x + y * y > limit * limit {
            // A sliding point: only an isotropic step ends with the friction against the slip.
            x = t - self.slip_mass * slip[0];
            y = u - self.slip_mass * slip[1];
            let square = x * x + y * y;
            if square > limit * limit {
                let scale = limit / square.sqrt();
                (x, y) = (x * scale, y * scale);
            }
        }
        [x, y]
    }

    /// One visit; returns by how much it changed the velocity at the contact, m/s.
    fn visit(&mut self, movers: &mut [Mover], room: f64) -> f64 {
        let [a, b] = two(movers, self.bodies);
        let [ra, rb] = self.arms;
        let relative = a.velocity_at(ra) - b.velocity_at(rb);
        let [n, t, u] = self.frame;
        let speed = n.dot(relative) + room - self.leaving;
        let normal = (self.impulse[0] - self.normal_mass * speed).max(0.0);
        let dn = normal - self.impulse[0];
        let slip = [
            t.dot(relative) + self.coupling[0] * dn,
            u.dot(relative) + self.coupling[1] * dn,
        ];
        let [x, y] = self.rub(slip, self.friction * normal);
        let change = [dn, x - self.impulse[1], y - self.impulse[2]];
        self.impulse = [normal, x, y];
        if change == [0.0; 3] {
            return 0.0;
        }
        let impulse = self.vector(change);
        a.kick(ra, impulse);
        b.kick(rb, -impulse);
        let along = change[0].abs() / self.normal_mass;
        let across = (change[1].abs() + change[2].abs()) / self.slip_mass;
        along.max(across)
    }
}

impl Contact {
    /// Goes on along the search by a share, as far as the cone allows.
    fn go_on(&mut self, movers: &mut [Mover], before: &[f64; 3], along: &mut [f64; 3], share: f64) {
        let now = self.impulse;
        let mut next = [0.0; 3];
        for k in 0..3 {
            next[k] = now[k] + share * along[k];
            along[k] = share * along[k] + now[k] - before[k];
        }
        next[0] = next[0].max(0.0);
        let (limit, square) = (
            self.friction * next[0],
            next[1] * next[1] + next[2] * next[2],
        );
        if square > limit * limit {
            let scale = limit / square.sqrt();
            next[1] *= scale;
            next[2] *= scale;
        }
        if next != now {
            let impulse = self.vector([next[0] - now[0], next[1] - now[1], next[2] - now[2]]);
            self.impulse = next;
            let [ra, rb] = self.arms;
            let [a, b] = two(movers, self.bodies);
            a.kick(ra, impulse);
            b.kick(rb, -impulse);
        }
    }
}

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
}

/// Contacts of manifolds, with what is remembered of their forces.
fn contacts_of<'a>(
    (members, neighbours): (&'a [Member<'a>], &'a [Neighbour<'a>]),
    manifolds: &'a Manifolds,
    skin: f64,
) -> impl Iterator<Item = Contact> + 'a {
    manifolds.list.iter().flat_map(move |manifold| {
        let points = manifolds.points_of(manifold).iter();
        points.map(move |point| contact(members, neighbours, manifold, point, skin))
    })
}

fn contact(
    members: &[Member],
    neighbours: &[Neighbour],
    manifold: &Manifold,
    point: &ManifoldPoint,
    skin: f64,
) -> Contact {
    let (i, j) = (manifold.pair.0 as usize, manifold.pair.1 as usize);
    let (a, b) = (&members[i], body(members, neighbours, j));
    let material = a.model.meeting(b.0).material;
    let (t, u) = manifold.normal.any_orthonormal_pair();
    let keep = kept(manifold, skin);
    Contact {
        key: PointKey {
            bodies: [a.body, body_id(members, neighbours, j)],
            parts: manifold.parts,
            piece: manifold.piece,
            feature: point.feature,
        },
        bodies: [manifold.pair.0, manifold.pair.1],
        frame: [manifold.normal, t, u],
        arms: [point.on_a - a.state.position, point.on_b - b.1.position],
        gap: point.gap - keep,
        keep,
        friction: material.friction,
        restitution: material.restitution,
        normal_mass: 0.0,
        tangent_mass: [0.0; 3],
        slip_mass: 0.0,
        coupling: [0.0; 2],
        impulse: [0.0; 3],
        bounced: 0.0,
        leaving: 0.0,
    }
}

impl Impulses {
    /// Takes the contacts and the last step's forces.
    pub fn begin(
        &mut self,
        scene: (&[Member], &[Neighbour]),
        manifolds: &Manifolds,
        memory: &Memory,
        settings: &OptimizationSettings,
        seconds: f64,
    ) {
        self.touched.clear();
        self.touched.resize(scene.0.len(), false);
        self.contacts.clear();
        let found = contacts_of(scene, manifolds, settings.skin);
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
                if -speed <= settings.fast || contact.restitution == 0.0 {
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
        known.is_none_or(|(_, count)| *count < settings.collisions_max)
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

    /// Finds the impulses that keep the bodies' ways over the step free; returns the sweeps made.
    pub fn solve(
        &mut self,
        bodies: &mut Bodies,
        settings: &OptimizationSettings,
        seconds: f64,
    ) -> u64 {
        let still = (settings.rest * bodies.pull * seconds).max(STILL);
        let movers = &mut bodies.movers;
        self.rooms.clear();
        for contact in &self.contacts {
            let gap = contact.gap_after_detours(movers);
            self.rooms.push(gap.max(0.0) / seconds);
            let impulse = contact.vector(contact.impulse);
            let [ra, rb] = contact.arms;
            let [a, b] = two(movers, contact.bodies);
            a.kick(ra, impulse);
            b.kick(rb, -impulse);
        }
        let limits = (still, settings.sweeps_max);
        let (contacts, search) = (&mut self.contacts, &mut self.search);
        let sweeps = sweep(contacts, &self.rooms, movers, search, limits);
        for contact in &self.contacts {
            if contact.impulse[0] > 0.0 || contact.bounced > 0.0 {
                for body in contact.bodies {
                    if let Some(touched) = self.touched.get_mut(body as usize) {
                        *touched = true;
                    }
                }
            }
        }
        sweeps
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
    ) -> u64 {
        let movers = &mut bodies.movers;
        self.late.clear();
        for mut contact in contacts_of((members, neighbours), manifolds, settings.skin) {
            // Where planes keep a distance, half of it counts as touching.
            if contact.gap > 0.5 * settings.skin {
                continue;
            }
            let speed = contact.frame[0].dot(contact.relative(movers));
            if -speed > settings.fast {
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
        sweep(late, &self.rooms, &mut bodies.movers, search, limits)
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

/// How sweeps are combined: the impulses before the last one, and the direction of the search.
#[derive(Default)]
struct Search {
    before: Vec<[f64; 3]>,
    along: Vec<[f64; 3]>,
}

/// Visits all contacts until nothing changes by more than `still`, or `most` times; returns how often.
/// Sweeps in a row are combined as in the method of conjugate gradients, as in the programs over positions.
fn sweep(
    contacts: &mut [Contact],
    rooms: &[f64],
    movers: &mut [Mover],
    search: &mut Search,
    (still, most): (f64, u32),
) -> u64 {
    search.along.clear();
    search.along.resize(contacts.len(), [0.0; 3]);
    let mut last = f64::INFINITY;
    for sweep in 1..=most {
        search.before.clear();
        search.before.extend(contacts.iter().map(|c| c.impulse));
        let visited = contacts.iter_mut().zip(rooms);
        let each = |largest: f64, (contact, room): (&mut Contact, &f64)| {
            largest.max(contact.visit(movers, *room))
        };
        let change = if sweep % 2 == 1 {
            visited.fold(0.0, each)
        } else {
            visited.rev().fold(0.0, each)
        };
        if change <= still {
            return u64::from(sweep);
        }
        let moved = contacts.iter().zip(&search.before);
        let square: f64 = moved
            .map(|(c, b)| (0..3).map(|k| (c.impulse[k] - b[k]) * (c.impulse[k] - b[k])))
            .map(|squares| squares.sum::<f64>())
            .sum();
        let share = square / last;
        last = square;
        if share >= 1.0 {
            search.along.fill([0.0; 3]);
            continue;
        }
        for (k, contact) in contacts.iter_mut().enumerate() {
            contact.go_on(movers, &search.before[k], &mut search.along[k], share);
        }
    }
    u64::from(most)
}
