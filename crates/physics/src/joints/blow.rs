//! A collision of bodies with joints at one moment: what is joined to them takes its part of the blow at once.
//!
//! The law is that of any collision (Newton's restitution, Coulomb's friction, one impulse at one point); only
//! what the bodies answer to an impulse is another matter: they answer with all joints held.

use super::{Link, System};
use crate::Vec3;
use crate::body::{BodyModel, Material};
use crate::collision::{Side, impulse};
use crate::contact::Proximity;
use crate::groups::{Member, Memory, Neighbour};
use crate::motion::State;

/// One of the two bodies that collide.
#[derive(Clone, Copy)]
pub struct Party<'a> {
    /// What it is.
    pub model: &'a BodyModel,
    /// How it moves just before.
    pub state: &'a State,
    /// Its place among the members, if it is one of them.
    pub place: Option<usize>,
}

/// Bodies and joints that a blow may pass through.
#[derive(Clone, Copy)]
pub struct Linkage<'a> {
    /// Bodies that yield.
    pub members: &'a [Member<'a>],
    /// Bodies that do not.
    pub neighbours: &'a [Neighbour<'a>],
    /// The joints.
    pub links: &'a [Link<'a>],
    /// What held them until now: a rope that pulled is taut.
    pub memory: &'a Memory,
}

/// The outcome of such a collision.
#[derive(Clone, Debug, PartialEq)]
pub struct Struck {
    /// Impulse on the first body, N s; the second receives the opposite.
    pub impulse: Vec3,
    /// Changes of velocity and spin of both, as far as they are no members.
    pub parties: [[Vec3; 2]; 2],
    /// Changes of velocity and spin of members, by place.
    pub members: Vec<(usize, [Vec3; 2])>,
}

/// Resolves the collision of two bodies that touch and approach at `near`, all joints held.
pub fn strike(
    material: Material,
    parties: [Party; 2],
    near: &Proximity,
    linkage: &Linkage,
) -> Struck {
    let mut answer = Answer::new(material, parties, near, linkage);
    let point = near.point();
    let relative = parties[0].state.velocity_at(point) - parties[1].state.velocity_at(point);
    let mut found = {
        // What joints do that hold both ways is linear: three trials tell all of it.
        let [x, y, z] = [Vec3::X, Vec3::Y, Vec3::Z].map(|along| answer.to(along));
        let linear = |j: Vec3| x * j.x + y * j.y + z * j.z;
        impulse(&linear, near.normal, relative, material)
    };
    // Ropes and limits pull or push only. Along one direction what they do is in proportion to the blow, so a
    // trial of it tells how strong it must be.
    let wanted = -(1.0 + material.restitution) * near.normal.dot(relative);
    if !found.is_finite() || found == Vec3::ZERO {
        found = near.normal;
    }
    let gained = near.normal.dot(answer.to(found));
    let share = wanted / gained;
    if share.is_finite() && share > 0.0 {
        found *= share;
    } else {
        found = Vec3::ZERO;
    }
    answer.to(found);
    answer.outcome(found)
}

/// How the bodies answer to an impulse where they touch.
struct Answer<'a> {
    linkage: &'a Linkage<'a>,
    system: System,
    sides: [Side; 2],
    /// Where in the system each of the two is, if it has joints.
    joined: [Option<usize>; 2],
    places: [Option<usize>; 2],
    /// An impulse that does not make them much faster than a metre per second, N s.
    gentle: f64,
    /// What the last impulse did to each.
    changes: [[Vec3; 2]; 2],
    /// By how much it was stronger than what the system was asked.
    scale: f64,
}

impl<'a> Answer<'a> {
    fn new(
        material: Material,
        parties: [Party; 2],
        near: &Proximity,
        linkage: &'a Linkage<'a>,
    ) -> Self {
        let mut system = System::default();
        // Nothing moves within a blow, so nothing needs to be steadied: its sub-step has no length.
        let bodies = (linkage.members, linkage.neighbours);
        system.begin_step(linkage.links, bodies, &Memory::default(), 0.0);
        system.recall(linkage.links, linkage.memory, 1.0);
        let sides = parties.map(|p| Side::new(p.model, p.state, near.point(), material.friction));
        let places = parties.map(|p| p.place);
        let joined = places.map(|p| p.and_then(|place| system.find(place)));
        let inverse: f64 = sides.iter().map(|s| s.inverse_mass).sum();
        Answer {
            linkage,
            system,
            sides,
            joined,
            places,
            gentle: 1.0 / inverse,
            changes: [[Vec3::ZERO; 2]; 2],
            scale: 0.0,
        }
    }

    /// How much the first body moves against the second one where they touch, after an impulse on it and the
    /// opposite one on the second.
    fn to(&mut self, impulse: Vec3) -> Vec3 {
        let strength = impulse.length();
        self.changes = [[Vec3::ZERO; 2]; 2];
        if strength == 0.0 || !strength.is_finite() || !self.gentle.is_finite() {
            self.scale = 0.0;
            return Vec3::ZERO;
        }
        self.scale = strength / self.gentle;
        let trial = impulse / self.scale;
        self.system.rest();
        for (k, given) in [trial, -trial].into_iter().enumerate() {
            let kick = self.sides[k].kick(given);
            match self.joined[k] {
                Some(body) => self.system.push(body, kick),
                None => self.changes[k] = kick,
            }
        }
        self.system.hold_blow(self.linkage.links);
        for k in [0, 1] {
            if let Some(body) = self.joined[k] {
                self.changes[k] = self.system.motion_of(body);
            }
        }
        let [a, b] = [0, 1].map(|k| {
            let [velocity, spin] = self.changes[k];
            velocity + spin.cross(self.sides[k].arm)
        });
        (a - b) * self.scale
    }

    fn outcome(&self, impulse: Vec3) -> Struck {
        let scaled = |[velocity, spin]: [Vec3; 2]| [velocity * self.scale, spin * self.scale];
        let mut struck = Struck {
            impulse,
            parties: self.changes.map(scaled),
            members: Vec::new(),
        };
        for (place, change) in self.system.motions() {
            if place < self.linkage.members.len() {
                struck.members.push((place, scaled(change)));
            }
        }
        for k in [0, 1] {
            // A member without joints; the others are in the list already.
            if let (Some(place), None) = (self.places[k], self.joined[k]) {
                struck.members.push((place, struck.parties[k]));
            }
        }
        struck
    }
}

impl System {
    /// The body at a place, if it has joints.
    fn find(&self, place: usize) -> Option<usize> {
        let at = |b: &super::system::Body| b.place as usize;
        self.bodies.binary_search_by_key(&place, at).ok()
    }

    /// Nothing moves.
    fn rest(&mut self) {
        for body in &mut self.bodies {
            [body.velocity, body.spin] = [Vec3::ZERO; 2];
        }
    }

    fn push(&mut self, body: usize, [velocity, spin]: [Vec3; 2]) {
        let body = &mut self.bodies[body];
        if !body.is_fixed() {
            body.velocity += velocity;
            body.spin += spin;
        }
    }

    fn motion_of(&self, body: usize) -> [Vec3; 2] {
        [self.bodies[body].velocity, self.bodies[body].spin]
    }

    /// Velocity and spin of all bodies by place.
    fn motions(&self) -> impl Iterator<Item = (usize, [Vec3; 2])> {
        let moving = self.bodies.iter().filter(|b| !b.is_fixed());
        moving.map(|b| (b.place as usize, [b.velocity, b.spin]))
    }
}
