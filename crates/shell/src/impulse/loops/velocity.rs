//! The velocity-correction loop (sections 3.2 and 3.3): after the step the particles of a constraint must
//! not move relative to each other along it, within a tolerance in m/s. Positions rest, so directions do,
//! and anticipation and skipping apply as in the position loop.

use glamx::DVec3;
use pulp::NullaryFnOnce;

use crate::impulse::lanes::{LANES, times, within};
use crate::impulse::loops::abreast::{Abreast, Padded, PaddedParticles, directions, dots, outside};
use crate::impulse::loops::anticipation::{Anticipation, Residuals};
use crate::impulse::loops::reminder::Reminder;
use crate::impulse::model::constraint::Constraint;

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

/// One iteration on the velocities themselves; gives the number of corrections. With `FROZEN` directions
/// (4.4) the prepared one is used, otherwise each iteration computes it again, as in the position loop;
/// positions rest, so it comes out the same.
pub(crate) struct Sweep<'a, R, const FROZEN: bool> {
    pub abreast: &'a Abreast,
    pub padded: &'a mut PaddedParticles,
    /// Largest impulse of one correction, N s.
    pub limit: f64,
    pub reminder: &'a mut R,
}

impl<R: Reminder, const FROZEN: bool> NullaryFnOnce for Sweep<'_, R, FROZEN> {
    type Output = u64;

    #[inline(always)]
    fn call(self) -> u64 {
        let PaddedParticles {
            preview, velocity, ..
        } = self.padded;
        let mut corrections = 0;
        let mut from = 0;
        while let Some(c) = self.reminder.next(from) {
            let index = self.abreast.four_of[c] as usize;
            let four = &self.abreast.fours[index];
            from = (four.first + four.count) as usize;
            let mut fresh = [Padded::default(); LANES];
            let n = match FROZEN {
                true => &self.abreast.direction[index],
                false => {
                    directions(&four.differences(|i| preview[i]), &mut fresh);
                    &fresh
                }
            };
            let error = dots(n, &four.differences(|i| velocity[i]));
            let [low, high] = &self.abreast.band[index];
            let violated = outside(error, low, high);
            let mut is_settled = [false; LANES];
            if violated.contains(&true) {
                let full = times(error, four.mass);
                let mut impulse = full;
                for lane in 0..LANES {
                    impulse[lane] = within(full[lane], self.limit);
                    is_settled[lane] = impulse[lane] == full[lane];
                    corrections += u64::from(violated[lane]);
                }
                four.apply(violated, n, impulse, velocity);
            }
            if R::SKIPS {
                four.remind(violated, is_settled, true, self.reminder);
            }
        }
        corrections
    }
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
