//! The position and velocity loops with the reminder that the settings choose: the one place where the
//! switches of section 4 become code paths, each compiled on its own so that none pays for another.

pub(crate) mod abreast;
pub(crate) mod anticipation;
pub(crate) mod direct;
pub(crate) mod measure;
pub(crate) mod reminder;
pub(crate) mod velocity;

use glamx::DVec3;
use pulp::Arch;

use crate::impulse::contact::active::ActiveSet;
use crate::impulse::gathered::Quantity;
use crate::impulse::loops::abreast::{Abreast, PaddedParticles, pad};
use crate::impulse::loops::anticipation::{Anticipation, Form, PreviewedMotion};
use crate::impulse::loops::direct::{Limits, Motion, Touching};
use crate::impulse::loops::reminder::{BitTable, Reminder, VisitAll};
use crate::impulse::model::cloth::Cloth;
use crate::impulse::model::constraint::Constraint;
use crate::impulse::model::incidence::Incidence;
use crate::impulse::model::obstacle::Preview;
use crate::impulse::model::settings::{Optimisations, Solver};
use crate::impulse::model::state::StepReport;

/// What reminders remember with.
pub(crate) struct Remembering<'a> {
    pub constraints: &'a [Constraint],
    pub incidence: &'a Incidence,
    pub flags: &'a mut [u8],
    pub bits: &'a mut BitTable,
    /// Whether the loop knows the errors of all constraints, so that a flag may be an error's.
    pub knows_errors: bool,
}

/// Runs a loop, compiled for each kind of reminder, with the one that was chosen.
macro_rules! with_reminder {
    ($remembering:expr, $skipping:expr, |$reminder:ident| $run:expr) => {{
        use $crate::impulse::loops::reminder::{AttachedFlags, BodyBits, ErrorFlags, VisitAll};
        use $crate::impulse::model::settings::Skipping;
        let $crate::impulse::loops::Remembering {
            constraints,
            incidence,
            flags,
            bits,
            knows_errors,
        } = $remembering;
        match ($skipping, knows_errors) {
            (Skipping::Off, _) => {
                let $reminder = &mut VisitAll(constraints.len());
                $run
            }
            (Skipping::Flags, true) => {
                let $reminder = &mut ErrorFlags(flags);
                $run
            }
            (Skipping::Flags, false) => {
                let $reminder = &mut AttachedFlags {
                    flags,
                    constraints,
                    incidence,
                };
                $run
            }
            (Skipping::BodyBits, _) => {
                let $reminder = &mut BodyBits {
                    table: bits,
                    constraints,
                };
                $run
            }
        }
    }};
}
pub(crate) use with_reminder;

/// Section 3.2 on previews computed from velocities; the final previews are left in `motion`.
pub(crate) fn positions_direct(
    optimisations: Optimisations,
    limits: Limits,
    active: &mut ActiveSet,
    base: &[DVec3],
    motion: PreviewedMotion,
    touching: &mut Touching,
    report: &mut StepReport,
) -> bool {
    let ActiveSet {
        constraints,
        incidence,
        abreast,
        padded,
        gathered,
        flags,
        bits,
        ..
    } = active;
    let constraints = constraints.as_slice();
    abreast.rebuild(constraints, motion.inverse_mass);
    pad(base, &mut padded.base);
    pad(motion.velocity, &mut padded.velocity);
    pad(motion.preview, &mut padded.preview);
    let mut moving = Motion {
        base: &padded.base,
        velocity: &mut padded.velocity,
        preview: &mut padded.preview,
        step: motion.step,
    };
    let remembering = Remembering {
        constraints,
        incidence,
        flags,
        bits,
        knows_errors: false,
    };
    let pattern = (gathered.arch(), abreast);
    let is_converged = with_reminder!(remembering, optimisations.skipping, |reminder| {
        direct::solve(
            optimisations,
            limits,
            pattern,
            &mut moving,
            reminder,
            touching,
            report,
        )
    });
    for (i, preview) in motion.preview.iter_mut().enumerate() {
        *preview = moving.preview(i);
        motion.velocity[i] = moving.velocity[i].into();
    }
    is_converged
}

/// The constraints of a step as anticipation wants them, what reminders remember of them, and what the loops without
/// anticipation work on.
pub(crate) fn anticipating<'a>(
    active: &'a mut ActiveSet,
    inverse_mass: &'a [f64],
) -> (
    Anticipation<'a>,
    Remembering<'a>,
    (&'a mut Abreast, &'a mut PaddedParticles),
) {
    let ActiveSet {
        constraints,
        incidence,
        couplings,
        direction,
        residual,
        gathered,
        abreast,
        padded,
        flags,
        bits,
        ..
    } = active;
    let system = Anticipation {
        constraints,
        incidence,
        inverse_mass,
        couplings,
        gathered,
        direction,
        residual,
    };
    let remembering = Remembering {
        constraints,
        incidence,
        flags,
        bits,
        knows_errors: true,
    };
    (system, remembering, (abreast, padded))
}

/// The velocity loop with the same choices; strips use all of them.
pub(crate) fn velocities(
    cloth: &Cloth,
    tolerance: f64,
    active: &mut ActiveSet,
    moving: (&[DVec3], &mut [DVec3]),
    touching: &mut Touching,
    report: &mut StepReport,
) -> bool {
    let optimisations = match cloth.settings.solver {
        Solver::Impulses(optimisations) => optimisations,
        Solver::Strips { .. } => Optimisations::ALL,
    };
    let inverse_mass = cloth.inverse_mass.as_slice();
    if !optimisations.anticipation {
        active.abreast.rebuild(&active.constraints, inverse_mass);
    }
    let (mut system, mut remembering, direct) = anticipating(active, inverse_mass);
    remembering.knows_errors = optimisations.anticipation;
    let run = VelocityLoop {
        cloth,
        tolerance,
        optimisations,
    };
    with_reminder!(remembering, optimisations.skipping, |reminder| {
        run.solve((&mut system, direct), moving, reminder, touching, report)
    })
}

struct VelocityLoop<'a> {
    cloth: &'a Cloth,
    tolerance: f64,
    optimisations: Optimisations,
}

impl VelocityLoop<'_> {
    fn solve<R: Reminder>(
        &self,
        (system, direct): (&mut Anticipation, (&mut Abreast, &mut PaddedParticles)),
        (position, velocity): (&[DVec3], &mut [DVec3]),
        reminder: &mut R,
        touching: &mut Touching,
        report: &mut StepReport,
    ) -> bool {
        let (abreast, padded) = direct;
        for _ in 0..self.cloth.settings.max_iterations {
            let arrays = (&mut *system.direction, &mut *system.residual);
            let violated = velocity::prepare(
                system.constraints,
                position,
                velocity,
                self.tolerance,
                arrays,
            );
            reminder.mark_all();
            let is_converged = match self.optimisations.anticipation {
                true => self.anticipate(violated, system, velocity, reminder, report),
                false => {
                    abreast.take_over(system.direction, system.residual);
                    pad(position, &mut padded.preview);
                    pad(velocity, &mut padded.velocity);
                    let is_converged =
                        self.iterate(system.gathered.arch(), abreast, padded, reminder, report);
                    for (velocity, padded) in velocity.iter_mut().zip(&padded.velocity) {
                        *velocity = (*padded).into();
                    }
                    is_converged
                }
            };
            if !is_converged {
                return false;
            }
            let touched = touching.sweep_velocities((position, velocity), self.tolerance);
            report.velocity_corrections += touched;
            if touched == 0 {
                return true;
            }
        }
        false
    }

    /// Section 4.2 on velocities.
    fn anticipate<R: Reminder>(
        &self,
        violated: u64,
        system: &mut Anticipation,
        velocity: &mut [DVec3],
        reminder: &mut R,
        report: &mut StepReport,
    ) -> bool {
        system.forget_directions();
        system.gather_if_dense(Quantity::Velocity, violated);
        let limit = self.cloth.settings.impulse_limit.unwrap_or(f64::INFINITY);
        let mut corrections = violated;
        for _ in 0..self.cloth.settings.max_iterations {
            if corrections > 0 {
                let swept = match system.form_after(corrections, Quantity::Velocity, reminder) {
                    Form::Gathered => system.gathered.sweep(limit),
                    Form::Spread => system.sweep(limit, reminder),
                    Form::SpreadFully(all) => system.sweep(limit, &mut VisitAll(all)),
                };
                corrections = swept.corrections;
            }
            report.velocity_iterations += 1;
            report.velocity_corrections += corrections;
            if corrections == 0 {
                velocity::apply(system, velocity, &self.cloth.inverse_mass);
                return true;
            }
        }
        false
    }

    /// Section 3.2 on velocities.
    fn iterate<R: Reminder>(
        &self,
        arch: Arch,
        abreast: &Abreast,
        padded: &mut PaddedParticles,
        reminder: &mut R,
        report: &mut StepReport,
    ) -> bool {
        let limit = self.cloth.settings.impulse_limit.unwrap_or(f64::INFINITY);
        for _ in 0..self.cloth.settings.max_iterations {
            let corrections = match self.optimisations.frozen_direction {
                true => arch.dispatch(velocity::Sweep::<R, true> {
                    abreast,
                    padded,
                    limit,
                    reminder,
                }),
                false => arch.dispatch(velocity::Sweep::<R, false> {
                    abreast,
                    padded,
                    limit,
                    reminder,
                }),
            };
            report.velocity_iterations += 1;
            report.velocity_corrections += corrections;
            if corrections == 0 {
                return true;
            }
        }
        false
    }
}
