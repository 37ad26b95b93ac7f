//! The position loop as the paper first has it (section 3.2): for each constraint preview both particles,
//! measure the error, and if it is out of tolerance apply the impulse that removes it to their
//! velocities. Directions change in every iteration, or between converged runs (4.4).

use glamx::DVec3;
use pulp::{Arch, NullaryFnOnce};

use crate::impulse::contact::fold::{Fold, FoldRule, ease};
use crate::impulse::contact::hold::{Hold, HoldRule};
use crate::impulse::contact::touch::{Touch, TouchRule};
use crate::impulse::lanes::{LANES, minus, within};
use crate::impulse::loops::abreast::{Abreast, Four, Padded, directions, dots};
use crate::impulse::loops::reminder::Reminder;
use crate::impulse::model::obstacle::{Obstacle, Preview};
use crate::impulse::model::settings::Optimisations;
use crate::impulse::model::state::StepReport;

/// Particles as they move through one step.
pub(crate) struct Motion<'a> {
    /// Where particles would be at the end of the step without their velocities, m: all of equation 2 that does
    /// not change while constraints are enforced.
    pub base: &'a [Padded],
    pub velocity: &'a mut [Padded],
    /// Previews at the last update of directions.
    pub preview: &'a mut [Padded],
    pub step: f64,
}

impl Preview for Motion<'_> {
    /// Equation 2.
    #[inline(always)]
    fn preview(&self, i: usize) -> DVec3 {
        self.padded(i).into()
    }
    #[inline]
    fn push(&mut self, i: usize, offset: DVec3) {
        self.velocity[i] = self.velocity[i].plus((offset / self.step).into());
    }
}

impl Motion<'_> {
    /// Equation 2.
    #[inline(always)]
    fn padded(&self, i: usize) -> Padded {
        self.base[i].plus(self.velocity[i].scaled(self.step))
    }
}

/// Contacts with obstacles and of the cloth with itself, swept once after each iteration over the constraints.
pub(crate) struct Touching<'a, 'o> {
    pub rule: TouchRule<'a>,
    pub touches: &'a mut [Touch],
    pub obstacles: &'a mut [&'o mut dyn Obstacle],
    pub fold_rule: FoldRule<'a>,
    pub folds: &'a mut [Fold],
    pub hold_rule: HoldRule<'a>,
    pub holds: &'a [Hold],
    /// Sweeps of this step so far.
    pub sweeps: &'a mut u32,
}

impl Touching<'_, '_> {
    pub fn sweep(&mut self, bodies: &mut impl Preview, mut moved: impl FnMut(usize)) -> u64 {
        *self.sweeps += 1;
        self.fold_rule.ease = ease(*self.sweeps);
        let held = (self.hold_rule).sweep(self.holds, self.obstacles, bodies, &mut moved);
        let folded = self.fold_rule.sweep(self.folds, bodies, &mut moved);
        let touched = (self.rule).sweep(self.touches, self.obstacles, bodies, moved);
        held + folded + touched
    }

    /// The same for velocities.
    pub fn sweep_velocities(
        &mut self,
        (position, velocity): (&[DVec3], &mut [DVec3]),
        tolerance: f64,
    ) -> u64 {
        let held =
            (self.hold_rule).sweep_velocities(self.holds, self.obstacles, velocity, tolerance);
        let folded = (self.fold_rule).sweep_velocities(self.folds, velocity, tolerance);
        let moving = (position, velocity);
        let touched = (self.rule).sweep_velocities(self.touches, self.obstacles, moving, tolerance);
        held + folded + touched
    }

    /// Finds where places meet obstacles anew; whether all surfaces hold there as what was kept of them did.
    pub fn hold(&mut self, bodies: &impl Preview) -> bool {
        let folds_hold = self.fold_rule.renew(self.folds, bodies);
        self.rule.renew(self.touches, self.obstacles, bodies) && folds_hold
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
    (arch, abreast): (Arch, &mut Abreast),
    motion: &mut Motion,
    reminder: &mut R,
    touching: &mut Touching,
    report: &mut StepReport,
) -> bool {
    let is_frozen = optimisations.frozen_direction;
    // 4.1; and 4.4 by its definition, for along an old direction the true length may never converge
    let is_along = optimisations.reuse_direction || is_frozen;
    let mut is_fresh = true;
    reminder.mark_all();
    for _ in 0..limits.max_iterations {
        if is_fresh {
            report.direction_updates += 1;
            if is_frozen {
                reminder.mark_all();
            }
            arch.dispatch(UpdateDirections {
                abreast,
                motion,
                reminder,
                is_along: optimisations.reuse_direction,
                is_frozen,
            });
        }
        let limit = limits.impulse;
        let mut corrections = match is_along {
            true => arch.dispatch(Sweep::<R, true> {
                abreast,
                motion,
                reminder,
                limit,
                is_frozen,
            }),
            false => arch.dispatch(Sweep::<R, false> {
                abreast,
                motion,
                reminder,
                limit,
                is_frozen,
            }),
        };
        corrections += touching.sweep(motion, |particle| reminder.moved(particle));
        report.iterations += 1;
        report.corrections += corrections;
        if corrections == 0 && is_fresh && touching.hold(motion) {
            return true;
        }
        is_fresh = corrections == 0 || !is_frozen;
    }
    false
}

/// Directions of all constraints that may be violated.
struct UpdateDirections<'a, 'm, R> {
    abreast: &'a mut Abreast,
    motion: &'a mut Motion<'m>,
    reminder: &'a mut R,
    is_along: bool,
    is_frozen: bool,
}

impl<R: Reminder> NullaryFnOnce for UpdateDirections<'_, '_, R> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Abreast {
            fours,
            direction,
            four_of,
            ..
        } = self.abreast;
        for i in 0..self.motion.base.len() {
            self.motion.preview[i] = self.motion.padded(i);
        }
        let mut from = 0;
        while let Some(c) = self.reminder.next(from) {
            let index = four_of[c] as usize;
            let four = &fours[index];
            from = (four.first + four.count) as usize;
            let n = &mut direction[index];
            let d = four.differences(|i| self.motion.preview[i]);
            let length = directions(&d, n);
            // with directions that change in every iteration only a fresh one can acquit a constraint
            if R::SKIPS && !self.is_frozen {
                let measured = match self.is_along {
                    true => dots(n, &d),
                    false => length,
                };
                let violated = four.violated(minus(measured, four.length));
                for lane in (0..four.count as usize).filter(|&lane| !violated[lane]) {
                    self.reminder.satisfied(four.first as usize + lane);
                }
            }
        }
    }
}

/// One iteration; `ALONG` says how errors are measured.
struct Sweep<'a, 'm, R, const ALONG: bool> {
    abreast: &'a Abreast,
    motion: &'a mut Motion<'m>,
    reminder: &'a mut R,
    limit: f64,
    is_frozen: bool,
}

impl<R: Reminder, const ALONG: bool> NullaryFnOnce for Sweep<'_, '_, R, ALONG> {
    type Output = u64;

    #[inline(always)]
    fn call(mut self) -> u64 {
        let per_step = 1.0 / self.motion.step;
        let mut corrections = 0;
        let mut from = 0;
        while let Some(c) = self.reminder.next(from) {
            let index = self.abreast.four_of[c] as usize;
            let four = &self.abreast.fours[index];
            let n = &self.abreast.direction[index];
            from = (four.first + four.count) as usize;
            let (violated, is_settled) = self.correct(four, n, per_step);
            if violated.contains(&true) {
                corrections += violated.iter().map(|&v| u64::from(v)).sum::<u64>();
            }
            if R::SKIPS {
                four.remind(violated, is_settled, self.is_frozen, self.reminder);
            }
        }
        corrections
    }
}

impl<R: Reminder, const ALONG: bool> Sweep<'_, '_, R, ALONG> {
    #[inline(always)]
    fn correct(
        &mut self,
        four: &Four,
        n: &[Padded; LANES],
        per_step: f64,
    ) -> ([bool; LANES], [bool; LANES]) {
        let d = four.differences(|i| self.motion.padded(i));
        let measured = match ALONG {
            true => dots(n, &d),
            false => dots(&d, &d).map(f64::sqrt),
        };
        let error = minus(measured, four.length);
        let violated = four.violated(error);
        let mut is_settled = [false; LANES];
        if violated.contains(&true) {
            let mut impulse = [0.0; LANES];
            for lane in 0..LANES {
                let full = error[lane] * four.mass[lane];
                let limited = within(full, self.limit);
                impulse[lane] = limited * per_step;
                is_settled[lane] = self.is_frozen & (limited == full);
            }
            four.apply(violated, n, impulse, self.motion.velocity);
        }
        (violated, is_settled)
    }
}
