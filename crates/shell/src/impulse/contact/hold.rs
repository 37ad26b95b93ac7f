//! Particles that are fastened to obstacles which give way: each is held at a point of the obstacle by an impulse, enforced in the
//! same iteration as the cloth's own constraints and opposite and equal on the obstacle.

use glamx::DVec3;

use crate::impulse::model::obstacle::{Obstacle, Preview};

/// What a particle is fastened to in a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fastening {
    /// A fixed particle is led to a place, m, at the end of the step.
    Led {
        /// Which particle.
        particle: u32,
        /// Where it will be.
        to: DVec3,
    },
    /// A particle is held at a point of an obstacle.
    Held {
        /// Which particle.
        particle: u32,
        /// Number of the obstacle.
        obstacle: u32,
        /// The point at the start of the step, m.
        point: DVec3,
    },
}

/// A particle that is held in this step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Hold {
    pub particle: u32,
    pub obstacle: u32,
    pub point: DVec3,
}

/// What a hold may be wrong by, as a part of the contact tolerance.
const SETTLED: f64 = 0.2;

/// What holds demand.
#[derive(Debug, Clone, Copy)]
pub(crate) struct HoldRule<'a> {
    pub inverse_mass: &'a [f64],
    pub tolerance: f64,
    pub step: f64,
}

impl HoldRule<'_> {
    /// Corrects every violated hold once and tells `moved` which particles changed. Returns the count.
    pub fn sweep(
        &self,
        holds: &[Hold],
        obstacles: &mut [&mut dyn Obstacle],
        bodies: &mut impl Preview,
        mut moved: impl FnMut(usize),
    ) -> u64 {
        let mut corrections = 0;
        for hold in holds {
            let obstacle = &mut *obstacles[hold.obstacle as usize];
            let particle = hold.particle as usize;
            let end = hold.point + obstacle.velocity(hold.point) * self.step;
            let error = bodies.preview(particle) - end;
            let distance = error.length();
            if distance <= SETTLED * self.tolerance {
                continue;
            }
            let give = obstacle.inverse_mass(hold.point, error / distance);
            let w = self.inverse_mass[particle] + give;
            if w == 0.0 {
                continue;
            }
            let impulse = error / -w;
            bodies.push(particle, impulse * self.inverse_mass[particle]);
            if give > 0.0 {
                obstacle.apply_impulse(hold.point, -impulse / self.step);
            }
            moved(particle);
            corrections += 1;
        }
        corrections
    }

    /// The same for velocities, to within `tolerance`, m/s.
    pub fn sweep_velocities(
        &self,
        holds: &[Hold],
        obstacles: &mut [&mut dyn Obstacle],
        velocity: &mut [DVec3],
        tolerance: f64,
    ) -> u64 {
        let mut corrections = 0;
        for hold in holds {
            let obstacle = &mut *obstacles[hold.obstacle as usize];
            let particle = hold.particle as usize;
            let relative = velocity[particle] - obstacle.velocity(hold.point);
            let speed = relative.length();
            if speed <= tolerance {
                continue;
            }
            let give = obstacle.inverse_mass(hold.point, relative / speed);
            let w = self.inverse_mass[particle] + give;
            if w == 0.0 {
                continue;
            }
            let impulse = relative / -w;
            velocity[particle] += impulse * self.inverse_mass[particle];
            if give > 0.0 {
                obstacle.apply_impulse(hold.point, -impulse);
            }
            corrections += 1;
        }
        corrections
    }
}
