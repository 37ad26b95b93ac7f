//! One contact point of a step: masses, and the visits that change its impulse.

use super::bodies::Mover;
use super::planes::kept;
use crate::Vec3;
use crate::groups::contacts::{body, body_id};
use crate::groups::manifold::{Manifold, ManifoldPoint, Manifolds};
use crate::groups::memory::PointKey;
use crate::groups::resist::{Borne, Side, resistance};
use crate::groups::{Member, Neighbour};
use crate::material::Rolling;

/// One contact point.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contact {
    pub key: PointKey,
    pub bodies: [u32; 2],
    /// Normal, towards the first body, and tangents.
    pub frame: [Vec3; 3],
    pub arms: [Vec3; 2],
    /// Distance less the one to keep, metres.
    pub gap: f64,
    /// The distance to keep, metres.
    pub keep: f64,
    pub friction: f64,
    pub restitution: f64,
    rolling: Rolling,
    /// Effective mass along the normal, kg.
    pub normal_mass: f64,
    /// Inverse of the tangents' response: xx, xy, yy.
    pub tangent_mass: [f64; 3],
    /// The smaller eigenvalue of that inverse, kg.
    pub slip_mass: f64,
    /// Response along the tangents per unit of normal impulse.
    pub coupling: [f64; 2],
    pub impulse: [f64; 3],
    /// Normal impulse of fast collisions, N s.
    pub bounced: f64,
    /// Normal velocity that is to be left, m/s.
    pub leaving: f64,
}

/// Two different entries of a slice, the first with the smaller index.
pub(super) fn two(movers: &mut [Mover], [a, b]: [u32; 2]) -> [&mut Mover; 2] {
    let (low, high) = movers.split_at_mut(b as usize);
    [&mut low[a as usize], &mut high[0]]
}

impl Contact {
    /// Fills in the masses.
    pub fn weigh(&mut self, movers: &[Mover]) {
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

    pub fn vector(&self, [n, t, u]: [f64; 3]) -> Vec3 {
        self.frame[0] * n + self.frame[1] * t + self.frame[2] * u
    }

    pub fn relative(&self, movers: &[Mover]) -> Vec3 {
        let [a, b] = self.bodies.map(|k| &movers[k as usize]);
        a.velocity_at(self.arms[0]) - b.velocity_at(self.arms[1])
    }

    /// The gap that the way of both bodies would have left, had they not been kicked since.
    pub fn gap_after_detours(&self, movers: &[Mover]) -> f64 {
        let at = |k: usize| {
            let [shift, turn] = movers[self.bodies[k] as usize].detour;
            shift + turn.cross(self.arms[k])
        };
        self.gap + self.frame[0].dot(at(0) - at(1))
    }

    /// The friction that a normal impulse permits against a slip; a circular cone.
    pub fn rub(&self, slip: [f64; 2], limit: f64) -> [f64; 2] {
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
    pub fn visit(&mut self, movers: &mut [Mover], room: f64) -> f64 {
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

    /// Resists rolling and turning on the spot by as much as the impulse so far allows, with the friction that goes with it.
    /// Says whether there was anything to resist.
    pub fn resist(&mut self, movers: &mut [Mover]) -> bool {
        if self.rolling == Rolling::default() || self.impulse[0] <= 0.0 {
            return false;
        }
        let [a, b] = two(movers, self.bodies);
        let side = |mover: &Mover, arm: Vec3| Side {
            arm,
            spin: mover.spin,
            inverse_mass: mover.inverse_mass,
            inverse_inertia: mover.inverse_inertia,
        };
        let sides = [side(a, self.arms[0]), side(b, self.arms[1])];
        let borne = Borne {
            normal: self.impulse[0],
            tangent: [self.impulse[1], self.impulse[2]],
            friction: self.friction,
        };
        let (couple, rub) = resistance(&self.frame, sides, borne, self.rolling);
        a.spin += a.inverse_inertia * couple;
        b.spin -= b.inverse_inertia * couple;
        let impulse = self.frame[1] * rub[0] + self.frame[2] * rub[1];
        a.kick(self.arms[0], impulse);
        b.kick(self.arms[1], -impulse);
        self.impulse[1] += rub[0];
        self.impulse[2] += rub[1];
        couple != Vec3::ZERO
    }

    /// Goes on along the search by a share, as far as the cone allows.
    pub fn go_on(
        &mut self,
        movers: &mut [Mover],
        before: &[f64; 3],
        along: &mut [f64; 3],
        share: f64,
    ) {
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

/// Contacts of manifolds, with what is remembered of their forces.
pub(super) fn contacts_of<'a>(
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
    let meeting = a.model.meeting(b.0);
    let material = meeting.material;
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
        rolling: meeting.rolling,
        normal_mass: 0.0,
        tangent_mass: [0.0; 3],
        slip_mass: 0.0,
        coupling: [0.0; 2],
        impulse: [0.0; 3],
        bounced: 0.0,
        leaving: 0.0,
    }
}
