//! A contact point of `impulse`, and the corrections that are made at it.

use super::super::memory::PointKey;
use super::super::resist::{Borne, Side, resistance};
use super::super::rolling::Rings;
use crate::joints::Moves;
use crate::material::Rolling;
use crate::{Mat3, Vec3};

/// Part of an overlap that one sub-step pushes out.
const PUSH_OUT: f64 = 0.2;

/// A body as the iteration sees it; neighbours have no inverse mass.
#[derive(Clone, Copy)]
pub(super) struct Mover {
    pub velocity: Vec3,
    pub spin: Vec3,
    /// What constant acceleration adds to the mean velocity over the sub-step, m/s.
    pub falling: Vec3,
    /// Moves that leave no velocity behind, as velocities over the sub-step.
    pub push: [Vec3; 2],
    pub inverse_mass: f64,
    pub inverse_inertia: Mat3,
}

impl Moves for Mover {
    fn motion(&self) -> [Vec3; 2] {
        [self.velocity, self.spin]
    }

    fn set_motion(&mut self, [velocity, spin]: [Vec3; 2]) {
        (self.velocity, self.spin) = (velocity, spin);
    }

    fn falling(&self) -> Vec3 {
        self.falling
    }

    fn kick(&mut self, arm: Vec3, impulse: Vec3) {
        self.velocity += impulse * self.inverse_mass;
        self.spin += self.inverse_inertia * arm.cross(impulse);
    }
}

impl Mover {
    fn velocity_at(&self, arm: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(arm)
    }

    fn move_aside(&mut self, arm: Vec3, impulse: Vec3) {
        self.push[0] += impulse * self.inverse_mass;
        self.push[1] += self.inverse_inertia * arm.cross(impulse);
    }

    /// Change of velocity at the end of `arm` along `along` by a unit impulse along it there, 1/kg.
    pub(super) fn inverse_mass_along(&self, arm: Vec3, along: Vec3) -> f64 {
        let turning = arm.cross(along);
        self.inverse_mass + turning.dot(self.inverse_inertia * turning)
    }
}

/// One contact point.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    pub key: PointKey,
    pub bodies: [usize; 2],
    /// The point on each body's core, from its centre, in the body's frame.
    pub local: [Vec3; 2],
    /// From the cores to the surfaces: what is round stays so as it turns.
    pub to_surface: [Vec3; 2],
    /// The circles that it rolls on.
    pub rings: Option<Rings>,
    /// How the relative velocity will differ in the middle of the sub-step because the point rolls, m/s.
    pub ahead: Vec3,
    pub arms: [Vec3; 2],
    /// Normal, towards the first body, and two directions across it.
    pub frame: [Vec3; 3],
    /// Effective masses along the frame, kg.
    pub mass: [f64; 3],
    pub gap: f64,
    /// The gap that bodies at rest keep, metres.
    pub rest: f64,
    pub friction: f64,
    pub restitution: f64,
    pub rolling: Rolling,
    /// Speed of approach at the step's start, m/s.
    pub approach: f64,
    /// Impulses of this sub-step along the frame, and the sum of all normal ones, N s.
    pub impulse: [f64; 3],
    pub total: f64,
    /// Whether it has ever had an impulse.
    pub is_felt: bool,
}

impl Contact {
    fn relative(&self, movers: &[Mover]) -> Vec3 {
        let [a, b] = self.bodies;
        movers[a].velocity_at(self.arms[0]) - movers[b].velocity_at(self.arms[1])
    }

    /// Mean relative velocity over the sub-step, as previewed.
    fn previewed(&self, movers: &[Mover]) -> Vec3 {
        let [a, b] = self.bodies;
        self.relative(movers) + movers[a].falling - movers[b].falling + self.ahead
    }

    fn apply(&self, movers: &mut [Mover], impulse: Vec3) {
        let [a, b] = self.bodies;
        movers[a].kick(self.arms[0], impulse);
        movers[b].kick(self.arms[1], -impulse);
    }

    /// Takes its impulses of this sub-step off the bodies again.
    pub(super) fn take_back(&self, movers: &mut [Mover]) {
        let [n, t, u] = self.frame;
        let [i, j, k] = self.impulse;
        self.apply(movers, -(n * i + t * j + u * k));
    }

    /// Begins with what the same point, found `before`, has come to.
    pub(super) fn carry(&mut self, before: &Contact) {
        let [n, t, u] = before.frame;
        let [i, j, k] = before.impulse;
        let impulse = n * i + t * j + u * k;
        self.impulse = self.frame.map(|along| impulse.dot(along));
        self.impulse[0] = self.impulse[0].max(0.0);
        self.approach = before.approach;
        self.total = before.total;
        self.is_felt = before.is_felt;
    }

    /// Adds `change` to the normal impulse, which never pulls; gives what was added.
    fn press(&mut self, movers: &mut [Mover], change: f64) -> f64 {
        let before = self.impulse[0];
        self.impulse[0] = (before + change).max(0.0);
        let added = self.impulse[0] - before;
        self.is_felt |= added != 0.0;
        self.apply(movers, self.frame[0] * added);
        added
    }

    /// Coulomb's law: takes away what slips, as far as the normal impulse holds. Gives the change of
    /// velocity that it made, m/s.
    fn rub(&mut self, movers: &mut [Mover], slip: Vec3) -> f64 {
        let [_, t, u] = self.frame;
        let before = [self.impulse[1], self.impulse[2]];
        let wanted = [
            before[0] - slip.dot(t) * self.mass[1],
            before[1] - slip.dot(u) * self.mass[2],
        ];
        let size = (wanted[0] * wanted[0] + wanted[1] * wanted[1]).sqrt();
        let limit = self.friction * self.impulse[0];
        let scale = if size > limit { limit / size } else { 1.0 };
        self.impulse[1] = wanted[0] * scale;
        self.impulse[2] = wanted[1] * scale;
        let added = [self.impulse[1] - before[0], self.impulse[2] - before[1]];
        self.apply(movers, t * added[0] + u * added[1]);
        (added[0] / self.mass[1])
            .abs()
            .max((added[1] / self.mass[2]).abs())
    }

    /// One correction of the previewed gap. Returns by how much it was violated, or slipped, metres.
    pub(super) fn correct_position(&mut self, movers: &mut [Mover], h: f64) -> f64 {
        let mean = self.previewed(movers);
        // Overlaps from before are not made deeper; pushing them out is another matter.
        let least = self.rest.min(self.gap);
        let error = self.gap + mean.dot(self.frame[0]) * h - least;
        let change = -error / h * self.mass[0];
        let added = self.press(movers, change);
        let slip = self.previewed(movers);
        let rubbed = self.rub(movers, slip);
        (added / self.mass[0]).abs().max(rubbed) * h
    }

    /// One correction of the velocity of a closed contact. Returns by how much it was violated, m/s.
    pub(super) fn correct_velocity(&mut self, movers: &mut [Mover], threshold: f64) -> f64 {
        let bounce = if self.approach > threshold {
            self.restitution * self.approach
        } else {
            0.0
        };
        let speed = self.relative(movers).dot(self.frame[0]);
        let change = (bounce - speed) * self.mass[0];
        let added = self.press(movers, change);
        let slip = self.relative(movers);
        let rubbed = self.rub(movers, slip);
        (added / self.mass[0]).abs().max(rubbed)
    }

    /// Brakes what rolls or turns on the spot, as far as the part `pressed` of the normal impulse goes.
    pub(super) fn resist(&mut self, movers: &mut [Mover], pressed: f64) {
        if self.rolling == Rolling::default() || pressed <= 0.0 {
            return;
        }
        let share = pressed / self.impulse[0];
        let rolling = Rolling {
            rolling: self.rolling.rolling * share,
            spinning: self.rolling.spinning * share,
        };
        let side = |place: usize| {
            let mover = &movers[self.bodies[place]];
            Side {
                arm: self.arms[place],
                spin: mover.spin,
                inverse_mass: mover.inverse_mass,
                inverse_inertia: mover.inverse_inertia,
            }
        };
        let borne = Borne {
            normal: self.impulse[0],
            tangent: [self.impulse[1], self.impulse[2]],
            friction: self.friction,
        };
        let sides = [side(0), side(1)];
        let (couple, rub) = resistance(&self.frame, sides, borne, rolling);
        for (place, sign) in [(0, 1.0), (1, -1.0)] {
            let mover = &mut movers[self.bodies[place]];
            mover.spin += mover.inverse_inertia * couple * sign;
        }
        self.impulse[1] += rub[0];
        self.impulse[2] += rub[1];
        let [_, t, u] = self.frame;
        self.apply(movers, t * rub[0] + u * rub[1]);
    }

    /// One correction of an overlap that is left at the end of the preview. Returns its size, metres.
    pub(super) fn push_out(
        &mut self,
        movers: &mut [Mover],
        (h, slop, speed): (f64, f64, f64),
    ) -> f64 {
        let [a, b] = self.bodies;
        let pushed = |m: &Mover, arm: Vec3| m.push[0] + m.push[1].cross(arm);
        let mean = pushed(&movers[a], self.arms[0]) - pushed(&movers[b], self.arms[1]);
        let depth = self.rest - slop - self.gap;
        let wanted = (PUSH_OUT * depth).min(speed * h);
        let error = wanted - mean.dot(self.frame[0]) * h;
        if depth <= 0.0 || error <= 0.0 {
            return 0.0;
        }
        let impulse = self.frame[0] * (error / h * self.mass[0]);
        movers[a].move_aside(self.arms[0], impulse);
        movers[b].move_aside(self.arms[1], -impulse);
        error
    }
}

/// Effective masses for the arms of now, and the impulses of the sub-step before to start from.
pub(super) fn prepare(contact: &mut Contact, movers: &mut [Mover]) {
    let [a, b] = contact.bodies;
    for axis in 0..3 {
        let along = contact.frame[axis];
        let inverse = movers[a].inverse_mass_along(contact.arms[0], along)
            + movers[b].inverse_mass_along(contact.arms[1], along);
        contact.mass[axis] = 1.0 / inverse;
    }
    // One mass for both directions: friction must end up opposite to what slips.
    let across = contact.mass[1].min(contact.mass[2]);
    (contact.mass[1], contact.mass[2]) = (across, across);
    let [n, t, u] = contact.frame;
    let [i, j, k] = contact.impulse;
    contact.is_felt |= i != 0.0;
    contact.apply(movers, n * i + t * j + u * k);
}
