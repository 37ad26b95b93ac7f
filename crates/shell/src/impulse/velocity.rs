//! The velocity-correction loop (sections 3.2 and 3.3): after the step the particles of a constraint must
//! not move relative to each other along it, within a tolerance in m/s. Positions rest, so directions do,
//! and anticipation and skipping apply as in the position loop.

use glamx::DVec3;

use super::anticipation::{Anticipation, Residuals};
use super::constraint::Constraint;
use super::reminder::Reminder;

/// Directions, bands and relative velocities at the end of the step; gives the number of violated constraints.
pub(crate) fn prepare(
    constraints: &[Constraint],
    position: &[DVec3],
    velocity: &[DVec3],
    tolerance: f64,
    (direction, residual): (&mut [DVec3], &mut Residuals),
) -> u64 {
    let mut violated = 0;
    for (index, c) in constraints.iter().enumerate() {
        let (a, b) = c.pair();
        let n = Constraint::direction(position[a], position[b]);
        let band = c.velocity_band(c.error_along(n, position[a], position[b]), tolerance);
        let error = n.dot(velocity[b] - velocity[a]);
        violated += u64::from(!(error >= band.0 && error <= band.1));
        direction[index] = n;
        residual.begin(index, error, band, c.effective_mass);
    }
    violated
}

/// One iteration on the velocities themselves; returns the number of corrections. With `FROZEN` directions
/// (4.4) the prepared one is used, otherwise each iteration computes it again, as in the position loop;
/// positions rest, so it comes out the same.
pub(crate) fn sweep_direct<R: Reminder, const FROZEN: bool>(
    constraints: &[Constraint],
    (direction, residual): (&[DVec3], &Residuals),
    (position, velocity): (&[DVec3], &mut [DVec3]),
    (inverse_mass, limit): (&[f64], f64),
    reminder: &mut R,
) -> u64 {
    let mut corrections = 0;
    let mut from = 0;
    while let Some(index) = reminder.next(from) {
        from = index + 1;
        let c = &constraints[index];
        let (a, b) = c.pair();
        let n = match FROZEN {
            true => direction[index],
            false => Constraint::direction(position[a], position[b]),
        };
        let error = n.dot(velocity[b] - velocity[a]);
        let gauge = &residual.gauge[index];
        if error >= gauge.low && error <= gauge.high {
            reminder.satisfied(index);
            continue;
        }
        let full = error * c.effective_mass;
        let impulse = full.clamp(-limit, limit);
        velocity[a] += n * (impulse * inverse_mass[a]);
        velocity[b] -= n * (impulse * inverse_mass[b]);
        reminder.corrected(index, impulse == full);
        corrections += 1;
    }
    corrections
}

/// Moves accumulated velocity impulses into the velocities.
pub(crate) fn apply(anticipation: &mut Anticipation, velocity: &mut [DVec3], inverse_mass: &[f64]) {
    anticipation.end_gathering();
    for (index, c) in anticipation.constraints.iter().enumerate() {
        let impulse = std::mem::take(&mut anticipation.residual.gauge[index].impulse);
        if impulse != 0.0 {
            let (a, b) = c.pair();
            let change = anticipation.direction[index] * impulse;
            velocity[a] += change * inverse_mass[a];
            velocity[b] -= change * inverse_mass[b];
        }
    }
}
