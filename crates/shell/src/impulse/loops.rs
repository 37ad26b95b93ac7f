//! The position and velocity loops with the reminder that the settings choose: the one place where the
//! switches of section 4 become code paths, each compiled on its own so that none pays for another.

use glamx::DVec3;

use super::active::ActiveSet;
use super::anticipation::{Anticipation, PreviewedMotion};
use super::direct::{self, Limits, Motion, Touching};
use super::model::Cloth;
use super::obstacle::Preview;
use super::reminder::{AttachedFlags, BodyBits, ErrorFlags, Reminder, VisitAll};
use super::settings::{Optimisations, Skipping, Solver};
use super::state::StepReport;
use super::velocity;

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
        direction,
        flags,
        bits,
        ..
    } = active;
    let constraints = constraints.as_slice();
    let mut moving = Motion {
        base,
        velocity: motion.velocity,
        inverse_mass: motion.inverse_mass,
        step: motion.step,
    };
    let pattern = (constraints, direction.as_mut_slice());
    let m = &mut moving;
    let is_converged = match optimisations.skipping {
        Skipping::Off => {
            let mut reminder = VisitAll(constraints.len());
            direct::solve(
                optimisations,
                limits,
                pattern,
                m,
                &mut reminder,
                touching,
                report,
            )
        }
        Skipping::Flags => {
            let mut reminder = AttachedFlags {
                flags,
                constraints,
                incidence,
            };
            direct::solve(
                optimisations,
                limits,
                pattern,
                m,
                &mut reminder,
                touching,
                report,
            )
        }
        Skipping::BodyBits => {
            let mut reminder = BodyBits {
                table: bits,
                constraints,
            };
            direct::solve(
                optimisations,
                limits,
                pattern,
                m,
                &mut reminder,
                touching,
                report,
            )
        }
    };
    for (i, preview) in motion.preview.iter_mut().enumerate() {
        *preview = moving.preview(i);
    }
    is_converged
}

/// Section 4.2.
pub(crate) fn positions_anticipated(
    optimisations: Optimisations,
    limits: Limits,
    active: &mut ActiveSet,
    mut motion: PreviewedMotion,
    touching: &mut Touching,
    report: &mut StepReport,
) -> bool {
    let ActiveSet {
        constraints,
        incidence,
        couplings,
        direction,
        residual,
        gathered,
        flags,
        bits,
        ..
    } = active;
    let count = constraints.len();
    let inverse_mass = motion.inverse_mass;
    let mut anticipation = Anticipation {
        constraints,
        incidence,
        inverse_mass,
        couplings,
        gathered,
        direction,
        residual,
    };
    let m = &mut motion;
    match optimisations.skipping {
        Skipping::Off => anticipation.solve(
            optimisations,
            limits,
            m,
            &mut VisitAll(count),
            touching,
            report,
        ),
        Skipping::Flags => {
            let mut reminder = ErrorFlags(flags);
            anticipation.solve(optimisations, limits, m, &mut reminder, touching, report)
        }
        Skipping::BodyBits => {
            let mut reminder = BodyBits {
                table: bits,
                constraints,
            };
            anticipation.solve(optimisations, limits, m, &mut reminder, touching, report)
        }
    }
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
    let run = VelocityLoop {
        cloth,
        tolerance,
        optimisations,
    };
    let ActiveSet {
        constraints,
        incidence,
        couplings,
        direction,
        residual,
        gathered,
        flags,
        bits,
        ..
    } = active;
    let count = constraints.len();
    let inverse_mass = cloth.inverse_mass.as_slice();
    let mut system = Anticipation {
        constraints,
        incidence,
        inverse_mass,
        couplings,
        gathered,
        direction,
        residual,
    };
    match (optimisations.skipping, optimisations.anticipation) {
        (Skipping::Off, _) => {
            run.solve(&mut system, moving, &mut VisitAll(count), touching, report)
        }
        (Skipping::Flags, true) => run.solve(
            &mut system,
            moving,
            &mut ErrorFlags(flags),
            touching,
            report,
        ),
        (Skipping::Flags, false) => {
            let mut reminder = AttachedFlags {
                flags,
                constraints,
                incidence,
            };
            run.solve(&mut system, moving, &mut reminder, touching, report)
        }
        (Skipping::BodyBits, _) => {
            let mut reminder = BodyBits {
                table: bits,
                constraints,
            };
            run.solve(&mut system, moving, &mut reminder, touching, report)
        }
    }
}

struct VelocityLoop<'a> {
    cloth: &'a Cloth,
    tolerance: f64,
    optimisations: Optimisations,
}

impl VelocityLoop<'_> {
    fn solve<R: Reminder>(
        &self,
        system: &mut Anticipation,
        (position, velocity): (&[DVec3], &mut [DVec3]),
        reminder: &mut R,
        touching: &mut Touching,
        report: &mut StepReport,
    ) -> bool {
        let w = self.cloth.inverse_mass.as_slice();
        for _ in 0..self.cloth.settings.max_iterations {
            let arrays = (&mut *system.direction, &mut *system.residual);
            let violated = velocity::prepare(
                system.constraints,
                position,
                velocity,
                self.tolerance,
                arrays,
            );
            if self.optimisations.anticipation {
                system.forget_directions();
            }
            reminder.mark_all();
            if !self.iterate(violated, system, (position, velocity), reminder, report) {
                return false;
            }
            if self.optimisations.anticipation {
                velocity::apply(system, velocity, w);
            }
            let (rule, obstacles) = (touching.rule, &mut *touching.obstacles);
            let touched = rule.sweep_velocities(
                touching.touches,
                obstacles,
                (position, velocity),
                self.tolerance,
            );
            report.velocity_corrections += touched;
            if touched == 0 {
                return true;
            }
        }
        false
    }

    fn iterate<R: Reminder>(
        &self,
        violated: u64,
        system: &mut Anticipation,
        (position, velocity): (&[DVec3], &mut [DVec3]),
        reminder: &mut R,
        report: &mut StepReport,
    ) -> bool {
        let w = self.cloth.inverse_mass.as_slice();
        let limit = self.cloth.settings.impulse_limit.unwrap_or(f64::INFINITY);
        let mut corrections = violated;
        for _ in 0..self.cloth.settings.max_iterations {
            let arrays = (&*system.direction, &*system.residual);
            let moving = (position, &mut *velocity);
            let c = system.constraints;
            corrections = match (
                self.optimisations.anticipation,
                self.optimisations.frozen_direction,
            ) {
                (true, _) if corrections == 0 => 0,
                (true, _) => system.sweep_frozen(corrections, limit, reminder),
                (false, true) => {
                    velocity::sweep_direct::<R, true>(c, arrays, moving, (w, limit), reminder)
                }
                (false, false) => {
                    velocity::sweep_direct::<R, false>(c, arrays, moving, (w, limit), reminder)
                }
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
