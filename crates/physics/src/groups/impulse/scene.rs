//! The bodies of a group as `impulse` moves them: previews that become states, contacts that follow.

use super::super::contacts::{body, body_id};
use super::super::flown::flown;
use super::super::manifold::{Manifold, ManifoldPoint};
use super::super::memory::PointKey;
use super::super::rolling::rings_of;
use super::super::{Member, Neighbour, Span};
use super::contact::{Contact, Mover};
use crate::motion::{State, Turn};
use crate::rotation::{angular_momentum, drifted, spin_of, turned, world_tensor};
use crate::{Mat3, Vec3};

/// A turn within a sub-step, radians, over which a point's way is not as good as a parabola any more.
const FAR_TURN: f64 = 0.25;

/// Members, then neighbours; both as they are now.
pub(super) struct Scene<'s, 'm, 'n> {
    pub members: &'s mut [Member<'m>],
    pub neighbours: Vec<Neighbour<'n>>,
}

impl Scene<'_, '_, '_> {
    fn state(&self, index: usize) -> State {
        *body(self.members, &self.neighbours, index).1
    }

    /// Velocities with external forces, at the start of a sub-step.
    pub(super) fn movers(&self, now: f64, h: f64) -> Vec<Mover> {
        let still = |velocity, spin| Mover {
            velocity,
            spin,
            falling: Vec3::ZERO,
            push: [Vec3::ZERO; 2],
            inverse_mass: 0.0,
            inverse_inertia: Mat3::ZERO,
        };
        let member = |m: &Member| {
            let (model, state) = (m.model, &m.state);
            let mut mover = still(state.velocity, state.spin);
            let mut acceleration = model.gravity;
            if let Some(field) = &model.field {
                let wrench = field.wrench(now, model.mass.mass, state);
                let torque = state.rotation.inverse() * wrench.torque;
                acceleration += wrench.force * model.mass.inverse_mass;
                mover.spin += state.rotation * (model.mass.inverse_inertia * torque) * h;
            }
            let [linear, angular] = model.damping;
            mover.velocity *= 1.0 / (1.0 + h * linear);
            mover.spin *= 1.0 / (1.0 + h * angular);
            mover.falling = acceleration * (0.5 * h);
            mover.inverse_mass = model.mass.inverse_mass;
            mover.inverse_inertia = world_tensor(state.rotation, model.mass.inverse_inertia);
            mover
        };
        let others = self.neighbours.iter();
        let others = others.map(|n| still(n.state.velocity, n.state.spin));
        self.members.iter().map(member).chain(others).collect()
    }

    /// The preview becomes the state.
    pub(super) fn accept(&mut self, movers: &mut [Mover], h: f64) {
        for (member, mover) in self.members.iter_mut().zip(movers.iter_mut()) {
            let state = &mut member.state;
            state.position += (mover.velocity + mover.falling + mover.push[0]) * h;
            mover.velocity += 2.0 * mover.falling;
            let mass = &member.model.mass;
            if mover.spin != Vec3::ZERO {
                let momentum = angular_momentum(state.rotation, mass.inertia, mover.spin);
                state.rotation = drifted(state.rotation, momentum, mass, h);
                state.rotation = turned(state.rotation, mover.push[1], h);
                mover.spin = spin_of(state.rotation, mass.inverse_inertia, momentum);
            } else if mover.push[1] != Vec3::ZERO {
                state.rotation = turned(state.rotation, mover.push[1], h);
            }
            mover.inverse_inertia = world_tensor(state.rotation, mass.inverse_inertia);
        }
        for neighbour in &mut self.neighbours {
            let state = &mut neighbour.state;
            state.position += state.velocity * h;
            state.rotation = turned(state.rotation, state.spin, h);
        }
    }

    /// Where a contact is now: arms and gap follow the bodies, the normal stays.
    pub(super) fn follow(&self, contact: &mut Contact) {
        let states = contact.bodies.map(|index| self.state(index));
        let normal = contact.frame[0];
        let rings = contact.rings.unwrap_or_default();
        let mut rolled = [None; 2];
        for (side, inwards) in [normal, -normal].into_iter().enumerate() {
            let rotation = states[side].rotation;
            rolled[side] = rings[side].and_then(|ring| ring.arm(rotation, inwards));
            let core = rolled[side].unwrap_or(rotation * contact.local[side]);
            contact.arms[side] = core + contact.to_surface[side];
        }
        let points = [0, 1].map(|k| states[k].position + contact.arms[k]);
        let apart = points[0] - points[1];
        contact.gap = apart.dot(normal);
        // Both bodies feel an impulse at one point: what turns one turns the other as much.
        let at = match rolled {
            [Some(_), None] => points[0],
            [None, Some(_)] => points[1],
            _ if contact.bodies[1] >= self.members.len() => return,
            _ => 0.5 * (points[0] + points[1]),
        };
        contact.arms = states.map(|state| at - state.position);
    }

    /// How the velocities of two points that touch differ in their change, because both go round with their bodies,
    /// m/s^2: a crate on a turntable stays where it stands. What is round does not go round with its body.
    /// What turns far within a sub-step of `h` seconds does not go round by that.
    fn bends(&self, contact: &Contact, movers: &[Mover], h: f64) -> Vec3 {
        let bend = |side: usize| {
            let index = contact.bodies[side];
            let spin = movers[index].spin;
            if spin.length() * h > FAR_TURN {
                return Vec3::ZERO;
            }
            spin.cross(spin.cross(self.state(index).rotation * contact.local[side]))
        };
        bend(0) - bend(1)
    }

    /// How a contact that rolls will slip in the middle of a sub-step of `h` seconds: what it is to stop is that,
    /// so that it gives on one side of it what it takes on the other.
    pub(super) fn look_ahead(&self, contact: &mut Contact, movers: &[Mover], h: f64) {
        let normal = contact.frame[0];
        contact.ahead = self.bends(contact, movers, h) * (0.5 * h);
        let Some(rings) = contact.rings else { return };
        contact.ahead = Vec3::ZERO;
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            let body = contact.bodies[side];
            if let (Some(ring), Some(member)) = (rings[side], self.members.get(body)) {
                let turning = (member.state.rotation, movers[body].spin);
                let mass = &member.model.mass;
                contact.ahead += sign * ring.change(mass, turning, normal * sign, 0.5 * h);
            }
        }
    }

    /// Who has not been touched follows its own law of motion.
    pub(super) fn let_fly(&mut self, starts: &[State], touched: &[bool], span: Span) {
        let mut turn = Turn::default();
        let bodies = self.members.iter_mut().zip(starts).zip(touched);
        for ((member, start), _) in bodies.filter(|(_, touched)| !**touched) {
            member.state = flown(member.model, start, span, &mut turn);
        }
    }

    pub(super) fn contact(&self, manifold: &Manifold, point: &ManifoldPoint, skin: f64) -> Contact {
        let bodies = [manifold.pair.0 as usize, manifold.pair.1 as usize];
        let [a, b] = bodies.map(|index| body(self.members, &self.neighbours, index));
        let meeting = a.0.meeting(b.0);
        let (t, u) = manifold.normal.any_orthonormal_pair();
        let arms = [point.on_a - a.1.position, point.on_b - b.1.position];
        let [ma, mb] = manifold.margins;
        let to_surface = [manifold.normal * -ma, manifold.normal * mb];
        let closing = a.1.velocity_at(point.on_a) - b.1.velocity_at(point.on_b);
        let points = [point.on_a, point.on_b];
        let (normal, margins) = (manifold.normal, manifold.margins);
        Contact {
            key: PointKey {
                bodies: bodies.map(|index| body_id(self.members, &self.neighbours, index)),
                parts: manifold.parts,
                piece: manifold.piece,
                feature: point.feature,
            },
            bodies,
            local: [
                a.1.rotation.inverse() * (arms[0] - to_surface[0]),
                b.1.rotation.inverse() * (arms[1] - to_surface[1]),
            ],
            to_surface,
            rings: rings_of([a, b], manifold.parts, points, normal, margins),
            ahead: Vec3::ZERO,
            arms,
            frame: [manifold.normal, t, u],
            mass: [0.0; 3],
            gap: point.gap,
            rest: if manifold.rests_apart { skin } else { 0.0 },
            friction: meeting.material.friction,
            restitution: meeting.material.restitution,
            rolling: meeting.rolling,
            approach: -closing.dot(manifold.normal),
            impulse: [0.0; 3],
            total: 0.0,
            is_felt: false,
        }
    }
}
