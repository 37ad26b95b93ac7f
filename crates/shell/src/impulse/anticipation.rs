//! Anticipation of constraint errors (section 4.2): a correction changes the errors of the attached
//! constraints by known amounts, so the iteration works on errors alone and the particles are moved once,
//! at the end. With a the shared particle, w = 1/m, and L the position impulse of the corrected
//! constraint i: `e_j -= +-w_a (n_j . n_i) L` (the paper leaves out the mass and the sign).

use glamx::DVec3;

use super::constraint::Constraint;
use super::direct::{Limits, Touching};
use super::incidence::Couplings;
use super::obstacle::Preview;
use super::reminder::Reminder;
use super::settings::Optimisations;
use super::state::StepReport;

/// A constraint reduced to what the iteration needs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Residual {
    /// Anticipated error, m (or m/s in the velocity loop).
    pub error: f64,
    /// The band of errors that needs no correction.
    pub low: f64,
    pub high: f64,
    /// Accumulated impulse since the particles were last moved: p' of the paper, kg m (or kg m/s).
    pub impulse: f64,
}

impl Residual {
    #[inline]
    fn is_violated(&self) -> bool {
        self.error < self.low || self.error > self.high
    }

    /// Corrects the error as far as `limit` allows. Returns the impulse and whether it is settled.
    #[inline]
    fn correct(&mut self, effective_mass: f64, limit: f64) -> (f64, bool) {
        let full = self.error * effective_mass;
        if full.abs() <= limit {
            self.error = 0.0;
            self.impulse += full;
            return (full, true);
        }
        let impulse = limit.copysign(full);
        self.error -= impulse / effective_mass;
        self.impulse += impulse;
        (impulse, !self.is_violated())
    }
}

/// Particles moved by their previews; velocities follow.
pub(crate) struct PreviewedMotion<'a> {
    pub preview: &'a mut [DVec3],
    pub velocity: &'a mut [DVec3],
    pub inverse_mass: &'a [f64],
    pub step: f64,
}

impl Preview for PreviewedMotion<'_> {
    fn preview(&self, i: usize) -> DVec3 {
        self.preview[i]
    }
    #[inline]
    fn push(&mut self, i: usize, offset: DVec3) {
        self.preview[i] += offset;
        self.velocity[i] += offset / self.step;
    }
}

/// The anticipated iteration over one pattern of constraints.
pub(crate) struct Anticipation<'a> {
    pub constraints: &'a [Constraint],
    pub couplings: &'a mut Couplings,
    pub direction: &'a mut [DVec3],
    pub residual: &'a mut [Residual],
}

impl Anticipation<'_> {
    /// Iterates until directly after a direction update no constraint needs correction. Returns false if
    /// the limit of iterations came first.
    pub fn solve<R: Reminder>(
        &mut self,
        optimisations: Optimisations,
        limits: Limits,
        motion: &mut PreviewedMotion,
        reminder: &mut R,
        touching: &mut Touching,
        report: &mut StepReport,
    ) -> bool {
        self.update_directions(optimisations, motion, reminder, report);
        let mut is_fresh = true;
        for _ in 0..limits.max_iterations {
            let corrections = match optimisations.frozen_direction {
                true => self.sweep(limits.impulse, reminder),
                false => self.sweep_ahead(limits.impulse, reminder),
            };
            report.iterations += 1;
            report.corrections += corrections;
            if corrections > 0 && optimisations.frozen_direction {
                is_fresh = false;
                continue;
            }
            self.move_particles(motion);
            let touched = touching.sweep(motion, |_| ());
            report.corrections += touched;
            if corrections + touched == 0 && is_fresh {
                return true;
            }
            self.update_directions(optimisations, motion, reminder, report);
            is_fresh = true;
        }
        false
    }

    /// Directions and errors from the previews; coefficients if they will be used more than once.
    fn update_directions<R: Reminder>(
        &mut self,
        optimisations: Optimisations,
        motion: &PreviewedMotion,
        reminder: &mut R,
        report: &mut StepReport,
    ) {
        report.direction_updates += 1;
        reminder.mark_all();
        for (index, c) in self.constraints.iter().enumerate() {
            let (a, b) = c.pair();
            let (a, b) = (motion.preview[a], motion.preview[b]);
            let direction = Constraint::direction(a, b);
            let error = match optimisations.reuse_direction {
                true => c.error_along(direction, a, b),
                false => c.error(a, b),
            };
            self.direction[index] = direction;
            self.residual[index] = Residual {
                error,
                low: c.low,
                high: c.high,
                impulse: 0.0,
            };
            if R::SKIPS && !c.is_violated(error) {
                reminder.satisfied(index);
            }
        }
        if optimisations.frozen_direction {
            self.couplings.update(self.direction);
        }
    }

    /// One iteration along directions that stay.
    pub fn sweep<R: Reminder>(&mut self, limit: f64, reminder: &mut R) -> u64 {
        let mut corrections = 0;
        let mut from = 0;
        while let Some(c) = reminder.next(from) {
            from = c + 1;
            if !self.residual[c].is_violated() {
                reminder.satisfied(c);
                continue;
            }
            let mass = self.constraints[c].effective_mass;
            let (impulse, is_settled) = self.residual[c].correct(mass, limit);
            reminder.corrected(c, is_settled);
            for coupling in self.couplings.row(c) {
                let other = &mut self.residual[coupling.other as usize];
                other.error -= coupling.coefficient * impulse;
                reminder.anticipated(coupling.other as usize, other.is_violated());
            }
            corrections += 1;
        }
        corrections
    }

    /// One iteration along directions that change afterwards: only constraints still to come matter.
    fn sweep_ahead<R: Reminder>(&mut self, limit: f64, reminder: &mut R) -> u64 {
        let mut corrections = 0;
        let mut from = 0;
        while let Some(c) = reminder.next(from) {
            from = c + 1;
            if !self.residual[c].is_violated() {
                continue;
            }
            let mass = self.constraints[c].effective_mass;
            let (impulse, is_settled) = self.residual[c].correct(mass, limit);
            reminder.corrected(c, is_settled);
            let change = self.direction[c] * impulse;
            for (other, weight) in self.couplings.weighted_row(c).filter(|(other, _)| *other > c) {
                let residual = &mut self.residual[other];
                residual.error -= weight * self.direction[other].dot(change);
                reminder.anticipated(other, residual.is_violated());
            }
            corrections += 1;
        }
        corrections
    }

    /// Turns the accumulated impulses into motion and clears them.
    pub fn move_particles(&mut self, motion: &mut PreviewedMotion) {
        for (index, c) in self.constraints.iter().enumerate() {
            let impulse = std::mem::take(&mut self.residual[index].impulse);
            if impulse != 0.0 {
                let (a, b) = c.pair();
                let change = self.direction[index] * impulse;
                motion.push(a, change * motion.inverse_mass[a]);
                motion.push(b, -change * motion.inverse_mass[b]);
            }
        }
    }
}
