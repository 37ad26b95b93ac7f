//! Anticipation of constraint errors (section 4.2): a correction changes the errors of the attached
//! constraints by known amounts, so the iteration works on errors alone and the particles are moved once,
//! at the end. With a the shared particle, w = 1/m, and L the position impulse of the corrected
//! constraint i: `e_j -= +-w_a (n_j . n_i) L` (the paper leaves out the mass and the sign).

use glamx::DVec3;

use crate::impulse::gathered::{Gathered, Quantity};
use crate::impulse::loops::direct::{Limits, Touching};
use crate::impulse::loops::measure::Measure;
use crate::impulse::loops::reminder::{Reminder, VisitAll};
use crate::impulse::model::constraint::Constraint;
use crate::impulse::model::incidence::{Couplings, Incidence, Pattern, ROW_UNIT};
use crate::impulse::model::obstacle::Preview;
use crate::impulse::model::settings::Optimisations;
use crate::impulse::model::state::StepReport;

/// A run along old directions may end when its largest impulse has fallen to this part of the first one,
const EARLY: f64 = 0.4;
/// but not before so many iterations, for new directions cost something, too. Not tuned.
const WORTHWHILE: u32 = 16;

/// What one iteration did.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Swept {
    pub corrections: u64,
    /// The largest impulse of a correction, kg m (or kg m/s).
    pub largest: f64,
}

/// A run along directions that stay, which may end before it has converged.
struct Run {
    /// Constraints that are violated at its start.
    violated: u64,
    is_early: bool,
    /// The largest impulse of its first iteration, kg m.
    first: f64,
    iterations: u32,
}

impl Run {
    /// A run that begins with errors of up to `largest`. Where the tolerances are reached before errors have fallen
    /// that far, it goes on until it has converged.
    fn begin(
        optimisations: Optimisations,
        (violated, largest): (u64, f64),
        residual: &Residuals,
    ) -> Self {
        let is_early = optimisations.early_update && optimisations.frozen_direction;
        Run {
            violated,
            is_early: is_early && EARLY * largest > residual.tightest,
            first: 0.0,
            iterations: 0,
        }
    }

    #[inline]
    fn ends_early(&mut self, swept: Swept) -> bool {
        if self.iterations == 0 {
            self.first = swept.largest;
        }
        self.iterations += 1;
        self.is_early && self.iterations >= WORTHWHILE && swept.largest <= EARLY * self.first
    }
}

/// Below one correction in so many constraints, skipping is cheaper than looking.
const SPARSE: u64 = 16;
/// From one violated constraint in so many on, a run gathers errors from its start,
const DENSE: u64 = 16;
/// and from one correction in so many on, for so many iterations of a run, it goes over to that.
const LASTING: (u64, u32) = (7, 6);

/// What a correction of a constraint reads and writes besides its error.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Gauge {
    /// The band of errors that needs no correction.
    pub low: f64,
    pub high: f64,
    /// Effective mass, kg.
    pub mass: f64,
    /// Accumulated impulse since the particles were last moved: p' of the paper, kg m (or kg m/s).
    pub impulse: f64,
}

impl Gauge {
    #[inline]
    fn is_violated(&self, error: f64) -> bool {
        !(error >= self.low && error <= self.high)
    }

    /// Corrects an error as far as `limit` allows. Returns the impulse and whether it is settled.
    #[inline]
    fn correct(&mut self, error: &mut f64, limit: f64) -> (f64, bool) {
        let full = *error * self.mass;
        if full.abs() <= limit {
            *error = 0.0;
            self.impulse += full;
            return (full, true);
        }
        let impulse = limit.copysign(full);
        *error -= impulse / self.mass;
        self.impulse += impulse;
        (impulse, false)
    }
}

/// Constraints reduced to what the iteration needs, one entry each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Residuals {
    /// Anticipated error, m (or m/s in the velocity loop).
    pub error: Vec<f64>,
    pub gauge: Vec<Gauge>,
    /// Previews before the iteration.
    before: Vec<DVec3>,
    /// The smallest tolerance of a constraint, m.
    tightest: f64,
    /// Iterations of the present run that followed one with many corrections.
    dense_iterations: u32,
    /// Whether the gauges are those of the position loop, with nothing accumulated.
    is_ready: bool,
}

impl Residuals {
    pub fn resize(&mut self, count: usize) {
        self.error.resize(count, 0.0);
        self.gauge.resize(count, Gauge::default());
        self.is_ready = false;
    }

    /// The bands and masses of the position loop, unless the last one left them.
    fn begin_positions(&mut self, constraints: &[Constraint]) {
        if std::mem::take(&mut self.is_ready) {
            return;
        }
        self.tightest = f64::INFINITY;
        for (index, c) in constraints.iter().enumerate() {
            self.begin(index, 0.0, (c.low, c.high), c.effective_mass);
            self.tightest = self.tightest.min(c.tolerance);
        }
    }

    /// A new error, with nothing accumulated.
    #[inline]
    pub fn begin(&mut self, constraint: usize, error: f64, (low, high): (f64, f64), mass: f64) {
        self.is_ready = false;
        self.error[constraint] = error;
        self.gauge[constraint] = Gauge {
            low,
            high,
            mass,
            impulse: 0.0,
        };
    }
}

/// Particles moved by their previews; velocities follow when the iteration has ended.
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
    }
}

impl PreviewedMotion<'_> {
    /// Velocities take what previews have moved since they were `before`.
    fn settle(&mut self, before: &[DVec3]) {
        let moved = self.preview.iter().zip(before);
        for (velocity, (now, before)) in self.velocity.iter_mut().zip(moved) {
            *velocity += (*now - *before) / self.step;
        }
    }
}

/// The anticipated iteration over one pattern of constraints.
pub(crate) struct Anticipation<'a> {
    pub constraints: &'a [Constraint],
    pub incidence: &'a Incidence,
    pub inverse_mass: &'a [f64],
    pub couplings: &'a mut Couplings,
    pub gathered: &'a mut Gathered,
    pub direction: &'a mut [DVec3],
    pub residual: &'a mut Residuals,
}

/// How an iteration along directions that stay is done.
pub(crate) enum Form {
    /// By blocks of many constraints.
    Gathered,
    /// By corrections that spread, with reminders.
    Spread,
    /// By corrections that spread over so many constraints, all of them looked at.
    SpreadFully(usize),
}

impl<'a> Anticipation<'a> {
    fn pattern(&self) -> Pattern<'a> {
        Pattern {
            constraints: self.constraints,
            incidence: self.incidence,
            inverse_mass: self.inverse_mass,
        }
    }

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
        self.residual.begin_positions(self.constraints);
        let mut began = std::mem::take(&mut self.residual.before);
        began.clear();
        began.extend_from_slice(motion.preview);
        let mut run = self.begin_run(optimisations, motion, reminder, report);
        let (mut is_fresh, mut is_converged) = (true, false);
        let mut before = run.violated;
        for _ in 0..limits.max_iterations {
            let swept = match optimisations.frozen_direction {
                true if before == 0 => Swept::default(),
                true => match self.form_after(before, Quantity::Position, reminder) {
                    Form::Gathered => self.gathered.sweep(limits.impulse),
                    Form::Spread => self.sweep(limits.impulse, reminder),
                    Form::SpreadFully(all) => self.sweep(limits.impulse, &mut VisitAll(all)),
                },
                false => self.sweep_ahead(limits.impulse, reminder),
            };
            let corrections = swept.corrections;
            before = corrections;
            report.iterations += 1;
            report.corrections += corrections;
            if corrections > 0 && optimisations.frozen_direction && !run.ends_early(swept) {
                is_fresh = false;
                continue;
            }
            if corrections > 0 || !is_fresh {
                self.move_particles(motion);
            }
            let touched = touching.sweep(motion, |_| ());
            report.corrections += touched;
            is_converged = corrections + touched == 0 && is_fresh && touching.hold(motion);
            if is_converged {
                break;
            }
            run = self.begin_run(optimisations, motion, reminder, report);
            before = run.violated;
            is_fresh = true;
        }
        motion.settle(&began);
        self.residual.before = began;
        self.residual.is_ready = is_converged;
        is_converged
    }

    /// New directions and errors from the previews, in the form that suits how much is violated. The form is a function
    /// of that number alone.
    fn begin_run<R: Reminder>(
        &mut self,
        optimisations: Optimisations,
        motion: &PreviewedMotion,
        reminder: &mut R,
        report: &mut StepReport,
    ) -> Run {
        report.direction_updates += 1;
        self.forget_directions();
        let (violated, largest) = self.gathered.arch().dispatch(Measure {
            constraints: self.constraints,
            preview: motion.preview,
            is_along: optimisations.reuse_direction,
            direction: self.direction,
            error: &mut self.residual.error,
        });
        if optimisations.frozen_direction && self.gather_if_dense(Quantity::Position, violated) {
            return Run::begin(optimisations, (violated, largest), self.residual);
        }
        if violated > 0 && R::SKIPS {
            reminder.mark_all();
            for (index, &error) in self.residual.error.iter().enumerate() {
                if !self.residual.gauge[index].is_violated(error) {
                    reminder.satisfied(index);
                }
            }
        }
        Run::begin(optimisations, (violated, largest), self.residual)
    }

    /// Begins the gathered form if so many constraints are violated that it pays. Returns whether it does.
    pub fn gather_if_dense(&mut self, of: Quantity, violated: u64) -> bool {
        let is_dense = violated * DENSE >= self.constraints.len() as u64;
        let is_gathered = is_dense && self.is_gathering_possible();
        if is_gathered {
            self.gathered.begin(self.direction, self.residual, of);
        }
        is_gathered
    }

    /// Finds the blocks of the gathered form. False if the pattern is too large for it.
    fn is_gathering_possible(&mut self) -> bool {
        self.gathered.index(self.pattern());
        self.gathered.is_possible()
    }

    /// The directions changed: whatever was computed from the old ones is void.
    pub fn forget_directions(&mut self) {
        self.couplings.invalidate();
        self.gathered.forget_directions();
        self.residual.dense_iterations = 0;
    }

    /// What the gathered form holds comes back.
    pub fn end_gathering(&mut self) {
        if self.gathered.is_on() {
            self.gathered.end(self.residual);
        }
    }

    /// The form that pays for one iteration along directions that stay, after one with so many corrections: gathered
    /// where they were many, otherwise spread by corrections and with reminders. A reminder hides only satisfied
    /// constraints and has no say in the form, so it changes no bit.
    pub fn form_after<R: Reminder>(&mut self, before: u64, of: Quantity, reminder: &mut R) -> Form {
        let count = self.constraints.len() as u64;
        if self.gathered.is_on() {
            if before * SPARSE >= count {
                return Form::Gathered;
            }
            self.end_gathering();
            reminder.mark_all();
        } else if before * LASTING.0 >= count {
            self.residual.dense_iterations += 1;
            if self.residual.dense_iterations > LASTING.1 && self.is_gathering_possible() {
                self.gathered.take_over(self.direction, self.residual, of);
                return Form::Gathered;
            }
        }
        self.couplings.rebuild(self.pattern());
        if !R::SKIPS || before * SPARSE < count {
            return Form::Spread;
        }
        reminder.mark_all();
        Form::SpreadFully(count as usize)
    }

    /// One iteration in the spread form.
    pub fn sweep<R: Reminder>(&mut self, limit: f64, reminder: &mut R) -> Swept {
        let pattern = self.pattern();
        let Residuals { error, gauge, .. } = &mut *self.residual;
        let (error, gauge) = (error.as_mut_slice(), gauge.as_mut_slice());
        let mut swept = Swept::default();
        let mut from = 0;
        while let Some(c) = reminder.next(from) {
            from = c + 1;
            if !gauge[c].is_violated(error[c]) {
                reminder.satisfied(c);
                continue;
            }
            if !self.couplings.is_current(c) {
                self.couplings.compute(c, pattern, self.direction);
            }
            let (impulse, is_settled) = gauge[c].correct(&mut error[c], limit);
            reminder.corrected(c, is_settled);
            for unit in self.couplings.row(c).chunks_exact(ROW_UNIT) {
                for coupling in unit {
                    let other = coupling.other as usize;
                    error[other] -= coupling.coefficient * impulse;
                    reminder.anticipated(other, gauge[other].is_violated(error[other]));
                }
            }
            swept.corrections += 1;
            swept.largest = swept.largest.max(impulse.abs());
        }
        swept
    }

    /// One iteration along directions that change afterwards: only constraints still to come matter.
    fn sweep_ahead<R: Reminder>(&mut self, limit: f64, reminder: &mut R) -> Swept {
        let pattern = self.pattern();
        self.couplings.rebuild(pattern);
        let Residuals { error, gauge, .. } = &mut *self.residual;
        let (error, gauge) = (error.as_mut_slice(), gauge.as_mut_slice());
        let mut swept = Swept::default();
        let mut from = 0;
        while let Some(c) = reminder.next(from) {
            from = c + 1;
            if !gauge[c].is_violated(error[c]) {
                continue;
            }
            let (impulse, is_settled) = gauge[c].correct(&mut error[c], limit);
            reminder.corrected(c, is_settled);
            self.couplings.find(c, pattern);
            let change = self.direction[c] * impulse;
            for (other, weight) in self
                .couplings
                .weighted_row(c)
                .filter(|(other, _)| *other > c)
            {
                error[other] -= weight * self.direction[other].dot(change);
                reminder.anticipated(other, true);
            }
            swept.corrections += 1;
            swept.largest = swept.largest.max(impulse.abs());
        }
        swept
    }

    /// Turns the accumulated impulses into motion and clears them.
    pub fn move_particles(&mut self, motion: &mut PreviewedMotion) {
        if self.gathered.is_on() {
            let pattern = self.pattern();
            self.gathered
                .move_particles(pattern, self.direction, motion);
            return;
        }
        for (index, c) in self.constraints.iter().enumerate() {
            let impulse = std::mem::take(&mut self.residual.gauge[index].impulse);
            if impulse != 0.0 {
                let (a, b) = c.pair();
                let change = self.direction[index] * impulse;
                motion.push(a, change * motion.inverse_mass[a]);
                motion.push(b, -change * motion.inverse_mass[b]);
            }
        }
    }
}
