//! What a collision of a body in lasting contact does: fusion if it is soft, a blow to the whole group if it is hard.

use super::Engine;
use super::groups::Joining;
use super::joints::Tie;
use super::regroup::{Gathering, Sides};
use crate::world::BodyId;
use physics::body::Material;
use physics::collision::resolve_with;
use physics::contact::Proximity;
use physics::groups::{Member, Neighbour};
use physics::joints::{self, Linkage, Party};
use physics::{State, Vec3};
use record::Event;
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// Collisions of one body that follow each other within a microsecond this often count as soft.
const SOFT_STORM: u16 = 24;

/// A body that was hit so often in a row within a small part of a group's step is in lasting contact with the group.
const SOFT_FLURRY: u8 = 48;

impl Engine {
    /// Whether a collision leads to lasting contact rather than a bounce.
    pub(super) fn is_soft(
        &self,
        sides: &Sides,
        near: &Proximity,
        material: Material,
        tick: Tick,
    ) -> bool {
        let Some(rules) = &self.world.contact else {
            return false;
        };
        let point = near.point();
        let approach = near
            .normal
            .dot(sides[0].2.velocity_at(point) - sides[1].2.velocity_at(point))
            .abs();
        let slow =
            material.restitution < 1.0 && material.restitution * approach <= rules.fuse_speed;
        slow || sides
            .iter()
            .any(|(_, node, _)| self.storm_after(*node, tick) >= SOFT_STORM)
            || self.is_flurry(sides, tick)
    }

    /// Whether a body on its own strikes a group faster than the group can follow.
    fn is_flurry(&self, sides: &Sides, tick: Tick) -> bool {
        let is_grouped = |side: usize| self.lines.group_of(sides[side].1).is_some();
        [(0, 1), (1, 0)].into_iter().any(|(one, other)| {
            !is_grouped(one)
                && is_grouped(other)
                && self.flurry_after(sides[one].1, tick) >= SOFT_FLURRY
        })
    }

    /// A soft collision: both bodies, and whoever they are in contact with, become one group.
    pub(super) fn fuse(&mut self, sides: &Sides, near: &Proximity, order: EventOrder) {
        let mut bodies: Vec<u32> = Vec::new();
        let mut old: Vec<ProcessId> = Vec::new();
        for (body, node, _) in sides {
            match self.lines.group_of(*node) {
                Some(group) => {
                    bodies.extend(self.members_at(group, order));
                    old.push(group);
                }
                None if self.world.model(*body).is_movable() => bodies.push(body.0),
                None => {}
            }
        }
        let Some(mut gathering) = self.gather(order, bodies, old) else {
            return;
        };
        self.strike(&mut gathering, sides, near, 0.0);
        gathering.event = Event::Fusion;
        self.regroup(gathering);
    }

    /// A hard collision with a member of a group: the group stays intact and steps again from here,
    /// the other body bounces. Two groups that hit each other go on as one, until a group check
    /// finds them apart.
    pub(super) fn strike_group(&mut self, sides: &Sides, near: &Proximity, order: EventOrder) {
        let mut bodies: Vec<u32> = Vec::new();
        let mut old: Vec<ProcessId> = Vec::new();
        let mut outsider = None;
        for (place, (body, node, _)) in sides.iter().enumerate() {
            match self.lines.group_of(*node) {
                Some(group) => {
                    bodies.extend(self.members_at(group, order));
                    old.push(group);
                }
                None if self.lines.is_asleep(*node) => bodies.push(body.0),
                None if self.multibodies.link(body.0).is_some() => bodies.push(body.0),
                None if self.world.model(*body).is_movable() => outsider = Some(place),
                None => {}
            }
        }
        let Some(mut gathering) = self.gather(order, bodies, old) else {
            return;
        };
        let restitution = self.material(sides).restitution;
        let change = self.strike(&mut gathering, sides, near, restitution);
        if let Some(place) = outsider {
            let (body, node, state) = sides[place];
            let moved = State {
                velocity: state.velocity + change[place][0],
                spin: state.spin + change[place][1],
                ..state
            };
            gathering
                .outsiders
                .push((self.alone(body, moved, node), Event::Collision));
        }
        gathering.event = if gathering.old.len() > 1 {
            Event::Fusion
        } else {
            Event::Collision
        };
        self.regroup(gathering);
    }

    fn material(&self, sides: &Sides) -> Material {
        let [a, b] = [sides[0].0, sides[1].0].map(|body| self.world.model(body));
        a.meeting(b).material
    }

    /// Applies the collision's impulse to the gathered bodies. Returns the changes of velocity and
    /// spin of both sides.
    fn strike(
        &mut self,
        gathering: &mut Gathering,
        sides: &Sides,
        near: &Proximity,
        restitution: f64,
    ) -> [[Vec3; 2]; 2] {
        let material = Material {
            restitution,
            ..self.material(sides)
        };
        let [(a, _, state_a), (b, _, state_b)] = sides;
        gathering.pair = [a.0, b.0];
        gathering.overlap = -near.gap;
        if self.meets_links(sides) {
            return self.strike_links(gathering, sides, near, material);
        }
        let (ties, neighbours) = self.ties_from(&gathering.bodies, [a.0, b.0]);
        if !ties.is_empty() {
            return self.strike_joined(gathering, sides, near, material, (&ties, &neighbours));
        }
        let (model_a, model_b) = (self.world.model(*a), self.world.model(*b));
        let outcome = resolve_with(material, (model_a, state_a), (model_b, state_b), near);
        let change = [
            [
                outcome.velocity_a - state_a.velocity,
                outcome.spin_a - state_a.spin,
            ],
            [
                outcome.velocity_b - state_b.velocity,
                outcome.spin_b - state_b.spin,
            ],
        ];
        for (side, (body, _, _)) in sides.iter().enumerate() {
            if let Ok(place) = gathering.bodies.binary_search_by_key(&body.0, |j| j.body.0) {
                gathering.bodies[place].state.velocity += change[side][0];
                gathering.bodies[place].state.spin += change[side][1];
            }
        }
        gathering.impulse = outcome.impulse.length();
        change
    }

    /// The same for bodies with joints: what is joined to them takes its part of the blow.
    fn strike_joined(
        &mut self,
        gathering: &mut Gathering,
        sides: &Sides,
        near: &Proximity,
        material: Material,
        (ties, neighbours): (&[Tie], &[u32]),
    ) -> [[Vec3; 2]; 2] {
        let order = gathering.order;
        let nearby: Vec<Joining> = neighbours
            .iter()
            .filter_map(|&body| self.joining(BodyId(body), order))
            .collect();
        let member = |j: &Joining| Member {
            body: j.body.0,
            model: self.models.get(j.model),
            state: j.state,
        };
        let neighbour = |j: &Joining| Neighbour {
            body: j.body.0,
            model: self.models.get(j.model),
            state: j.state,
        };
        let members: Vec<Member> = gathering.bodies.iter().map(member).collect();
        let neighbours: Vec<Neighbour> = nearby.iter().map(neighbour).collect();
        let party = |(body, _, state): &'_ (BodyId, NodeId, State)| {
            let place = gathering.bodies.binary_search_by_key(body, |j| j.body);
            (*body, *state, place.ok())
        };
        let [a, b] = [0, 1].map(|k: usize| party(&sides[k]));
        let parties = [&a, &b].map(|(body, state, place)| Party {
            model: self.world.model(*body),
            state,
            place: *place,
        });
        let linkage = Linkage {
            members: &members,
            neighbours: &neighbours,
            links: &Self::links(&self.world, ties),
            memory: &gathering.memory,
        };
        let struck = joints::strike(material, parties, near, &linkage);
        for &(place, [velocity, spin]) in &struck.members {
            gathering.bodies[place].state.velocity += velocity;
            gathering.bodies[place].state.spin += spin;
        }
        gathering.impulse = struck.impulse.length();
        struck.parties
    }
}
