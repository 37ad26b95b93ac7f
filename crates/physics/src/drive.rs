//! The momentum of a contact group's member within a step. The member's way through the step is a straight
//! one, from where it is to where the solver has put it; its momentum is another matter: it goes evenly from
//! what it was at the start to what the solver left at the end, as if the step's impulses were constant
//! forces. A step that is cut at any tick so leaves what the forces of that fraction of it have given, and
//! what two members have exchanged cancels at every tick.

use crate::motion::Motion;
use crate::{Quat, Vec3};
use warp::Tick;

/// Velocity and spin of a member's momentum at a step's start and end.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Drive {
    /// Velocity at the start and at the end, m/s.
    pub velocity: [Vec3; 2],
    /// World angular velocity at the start and at the end, rad/s.
    pub spin: [Vec3; 2],
    /// What the angular momentum is away from the straight line between its ends: this times s (1 - s), with s
    /// from 0 to 1, kg m^2/s. It makes up for straight ways under velocities that change.
    pub bend: Vec3,
}

impl Drive {
    /// A momentum that stays as it is.
    pub fn steady(velocity: Vec3, spin: Vec3) -> Self {
        Drive {
            velocity: [velocity; 2],
            spin: [spin; 2],
            bend: Vec3::ZERO,
        }
    }

    /// Velocity and spin at a tick of a step that moves along `motion` and ends at `end`.
    pub fn at(&self, motion: &Motion<'_>, end: Tick, tick: Tick) -> [Vec3; 2] {
        let start = motion.flight.start;
        if tick <= start {
            return [self.velocity[0], self.spin[0]];
        }
        if tick >= end {
            return [self.velocity[1], self.spin[1]];
        }
        let share = tick.since(start) / end.since(start);
        let between = |[a, b]: [Vec3; 2]| a + (b - a) * share;
        let velocity = between(self.velocity);
        let inertia = motion.model.mass.inertia;
        if inertia.x == inertia.y && inertia.y == inertia.z {
            let bend = self.bend * (motion.model.mass.inverse_inertia.x * share * (1.0 - share));
            return [velocity, between(self.spin) + bend];
        }
        let of = |rotation: Quat, spin: Vec3| rotation * (inertia * (rotation.inverse() * spin));
        let ends = [
            of(motion.turn.rotation, self.spin[0]),
            of(motion.rotation(end), self.spin[1]),
        ];
        let momentum = between(ends) + self.bend * (share * (1.0 - share));
        let rotation = motion.rotation(tick);
        let own = rotation.inverse() * momentum;
        let spin = rotation * (motion.model.mass.inverse_inertia * own);
        [velocity, spin]
    }
}
