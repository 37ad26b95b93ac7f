//! The position loop as the paper first has it (section 3.2): for each constraint preview both particles,
//! measure the error, and if it is out of tolerance apply the impulse that removes it to their
//! velocities. Directions change in every iteration, or between converged runs (4.4).

use glamx::DVec3;

use super::constraint::Constraint;
use super::obstacle::{Obstacle, Preview};
use super::reminder::Reminder;
use super::settings::Optimisations;
use super::state::StepReport;
use super::touch::{Touch, TouchRule};

/// Particles as they move through one step.
pub(crate) struct Motion<'a> {
    /// Where particles would be at the end of the step without their velocities, m: all of equation 2 that does
    /// not change while constraints are enforced.
    pub base: &'a [DVec3],
    pub velocity: &'a mut [DVec3],
    pub inverse_mass: &'a [f64],
    pub step: f64,
}

impl Preview for Motion<'_> {
    /// Equation 2.
    #[inline(always)]
    fn preview(&self, i: usize) -> DVec3 {
        self.base[i] + self.velocity[i] * self.step
    }
    #[inline]
    fn push(&mut self, i: usize, offset: DVec3) {
        self.velocity[i] += offset / self.step;
    }
}

impl Motion<'_> {
    /// Applies a position impulse (kg m) along `direction`, with opposite signs, to both particles.
    #[inline(always)]
    fn apply(&mut self, c: &Constraint, direction: DVec3, impulse: f64, per_step: f64) {
        let (a, b) = c.pair();
        let change = direction * (impulse * per_step);
        self.velocity[a] += change * self.inverse_mass[a];
        self.velocity[b] -= change * self.inverse_mass[b];
    }
}

/// Contacts with obstacles, swept once after each iteration over the constraints.
pub(crate) struct Touching<'a, 'o> {
    pub rule: TouchRule<'a>,
    pub touches: &'a mut [Touch],
    pub obstacles: &'a mut [&'o mut dyn Obstacle],
}

impl Touching<'_, '_> {
    pub fn sweep(&mut self, bodies: &mut impl Preview, moved: impl FnMut(usize)) -> u64 {
        self.rule.sweep(self.touches, self.obstacles, bodies, moved)
    }
}

/// What every position loop is told.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Limits {
    pub max_iterations: u32,
    /// Largest position impulse of one correction, kg m.
    pub impulse: f64,
}

/// Iterates until directly after a direction update no constraint needs correction. Returns false if the
/// limit of iterations came first.
pub(crate) fn solve<R: Reminder>(
    optimisations: Optimisations,
    limits: Limits,
    (constraints, direction): (&[Constraint], &mut [DVec3]),
    motion: &mut Motion,
    reminder: &mut R,
    touching: &mut Touching,
    report: &mut StepReport,
) -> bool {
    let mut pass = Pass {
        optimisations,
        limits,
        constraints,
        direction,
    };
    reminder.mark_all();
    pass.update_directions(motion, reminder, report);
    let mut is_fresh = true;
    for _ in 0..limits.max_iterations {
        let mut corrections = match pass.is_error_along_direction() {
            true => pass.sweep::<R, true>(motion, reminder),
            false => pass.sweep::<R, false>(motion, reminder),
        };
        corrections += touching.sweep(motion, |particle| reminder.moved(particle));
        report.iterations += 1;
        report.corrections += corrections;
        if corrections == 0 && is_fresh {
            return true;
        }
        is_fresh = corrections == 0 || !optimisations.frozen_direction;
        if is_fresh {
            pass.update_directions(motion, reminder, report);
        }
    }
    false
}

struct Pass<'a> {
    optimisations: Optimisations,
    limits: Limits,
    constraints: &'a [Constraint],
    direction: &'a mut [DVec3],
}

impl Pass<'_> {
    /// 4.1; and 4.4 by its definition, for along an old direction the true length may never converge.
    fn is_error_along_direction(&self) -> bool {
        self.optimisations.reuse_direction || self.optimisations.frozen_direction
    }

    fn update_directions<R: Reminder>(
        &mut self,
        motion: &Motion,
        reminder: &mut R,
        report: &mut StepReport,
    ) {
        report.direction_updates += 1;
        if self.optimisations.frozen_direction {
            reminder.mark_all();
        }
        let mut from = 0;
        while let Some(c) = reminder.next(from) {
            from = c + 1;
            let constraint = &self.constraints[c];
            let (a, b) = constraint.pair();
            let (a, b) = (motion.preview(a), motion.preview(b));
            self.direction[c] = Constraint::direction(a, b);
            // with directions that change in every iteration only a fresh one can acquit a constraint
            if R::SKIPS && !self.optimisations.frozen_direction {
                let error = match self.optimisations.reuse_direction {
                    true => constraint.error_along(self.direction[c], a, b),
                    false => constraint.error(a, b),
                };
                if !constraint.is_violated(error) {
                    reminder.satisfied(c);
                }
            }
        }
    }

    /// One iteration; `ALONG` says how errors are measured.
    fn sweep<R: Reminder, const ALONG: bool>(&self, motion: &mut Motion, reminder: &mut R) -> u64 {
        let is_frozen = self.optimisations.frozen_direction;
        let per_step = 1.0 / motion.step;
        let mut corrections = 0;
        let mut from = 0;
        while let Some(c) = reminder.next(from) {
            from = c + 1;
            let constraint = &self.constraints[c];
            let (a, b) = constraint.pair();
            let (a, b) = (motion.preview(a), motion.preview(b));
            let error = match ALONG {
                true => constraint.error_along(self.direction[c], a, b),
                false => constraint.error(a, b),
            };
            if !constraint.is_violated(error) {
                if is_frozen {
                    reminder.satisfied(c);
                }
                continue;
            }
            let full = error * constraint.effective_mass;
            let impulse = full.clamp(-self.limits.impulse, self.limits.impulse);
            motion.apply(constraint, self.direction[c], impulse, per_step);
            reminder.corrected(c, is_frozen && impulse == full);
            corrections += 1;
        }
        corrections
    }
}
