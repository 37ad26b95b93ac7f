//! One step of a cloth (figure 1 of the paper): preview, find contacts, enforce the position constraints
//! on the preview, accept it, correct the velocities. The state changes only if the whole step succeeds.

use glamx::DVec3;

use crate::acm::ticks;
use crate::impulse::contact::calm::{Calm, calm};
use crate::impulse::contact::fold::{Fold, FoldRule, ease};
use crate::impulse::contact::hold::{Fastening, Hold, HoldRule};
use crate::impulse::contact::nearby::{Found, Nearby};
use crate::impulse::contact::touch::TouchRule;
use crate::impulse::loops;
use crate::impulse::loops::anticipation::PreviewedMotion;
use crate::impulse::loops::direct::{Limits, Touching};
use crate::impulse::model::cloth::Cloth;
use crate::impulse::model::error::ClothError;
use crate::impulse::model::obstacle::Obstacle;
use crate::impulse::model::settings::Solver;
use crate::impulse::model::state::{ClothState, StepReport, Workspace};
use crate::impulse::strips::solver;

impl Cloth {
    /// Advances `state` by one step. Obstacles are met as they are at the start of the step, moving with
    /// their surface velocity; they receive the opposite impulses and are not advanced. On an error the
    /// state is unchanged, but obstacles may have received impulses.
    pub fn step(
        &self,
        state: &mut ClothState,
        work: &mut Workspace,
        obstacles: &mut [&mut dyn Obstacle],
    ) -> Result<StepReport, ClothError> {
        self.step_fastened(state, work, obstacles, &[], Calm::Free)
    }

    /// The same with particles fastened to places and to obstacles. Where it fails it may be tried again with the same workspace,
    /// calmer, with obstacles as they were.
    pub fn step_fastened(
        &self,
        state: &mut ClothState,
        work: &mut Workspace,
        obstacles: &mut [&mut dyn Obstacle],
        fastenings: &[Fastening],
        level: Calm,
    ) -> Result<StepReport, ClothError> {
        let mut report = StepReport::default();
        work.velocity.copy_from_slice(&state.velocity);
        let (links, folds) = (&self.constraints, folds(&mut work.nearby));
        calm(level, folds, links, &self.inverse_mass, &mut work.velocity);
        self.begin(state, work, fastenings);
        self.find_contacts(state, work, obstacles)?;
        self.enforce_positions(state, work, obstacles, &mut report)?;
        self.accept_preview(work);
        self.correct_velocities(state, work, obstacles, &mut report)?;
        state.steps += 1;
        state.position.copy_from_slice(&work.preview);
        state.velocity.copy_from_slice(&work.velocity);
        Ok(report)
    }

    /// Accelerations of the moving particles and previews without any constraint (equation 2).
    fn begin(&self, state: &ClothState, work: &mut Workspace, fastenings: &[Fastening]) {
        let h = self.settings.step;
        work.sweeps = 0;
        self.lead(state, work, fastenings);
        let time = state.steps as f64 * h;
        for (air, triangles) in &self.airs {
            let velocity = &mut work.velocity;
            air.push(
                [time, h],
                triangles,
                &self.inverse_mass,
                &state.position,
                velocity,
            );
        }
        for i in 0..state.position.len() {
            let w = self.inverse_mass[i];
            let is_moving = f64::from(w > 0.0);
            work.acceleration[i] = self.settings.gravity * is_moving + state.force[i] * w;
            work.base[i] = state.position[i] + work.acceleration[i] * (0.5 * h * h);
            work.preview[i] = work.base[i] + work.velocity[i] * h;
        }
        let settled = BENT * self.contact_tolerance;
        (self.bending).bend(h, settled, &self.inverse_mass, &mut work.preview);
        if !self.bending.is_empty() {
            for i in 0..state.position.len() {
                work.velocity[i] = (work.preview[i] - work.base[i]) / h;
            }
        }
    }

    /// Sends particles that are led to where they will be, and notes which ones are held.
    fn lead(&self, state: &ClothState, work: &mut Workspace, fastenings: &[Fastening]) {
        let h = self.settings.step;
        let end = ticks((state.steps + 1) as f64 * h);
        let mut send = |particle: u32, to: DVec3| {
            let particle = particle as usize;
            work.velocity[particle] = (to - state.position[particle]) / h;
        };
        for (particle, motion, rest) in &self.led {
            send(*particle, motion.place(*rest, end));
        }
        work.holds.clear();
        for fastening in fastenings {
            match *fastening {
                Fastening::Led { particle, to } => send(particle, to),
                Fastening::Held {
                    particle,
                    obstacle,
                    point,
                } => work.holds.push(Hold {
                    particle,
                    obstacle,
                    point,
                }),
            }
        }
    }

    /// Contacts that this step may need: whatever comes near. What is missed here is added when it happens.
    fn find_contacts(
        &self,
        state: &ClothState,
        work: &mut Workspace,
        obstacles: &[&mut dyn Obstacle],
    ) -> Result<(), ClothError> {
        work.active
            .begin(self, &work.preview, CONTACT_REACH * self.contact_tolerance)?;
        work.touches.clear();
        let bodies = previewed(self, &mut work.preview, &mut work.velocity);
        let reach = CONTACT_REACH * self.contact_tolerance;
        self.touch_rule(&state.position)
            .find(obstacles, &bodies, reach, &mut work.touches);
        if let Some(nearby) = &mut work.nearby {
            nearby.begin(&self.fold_rule(&state.position, 0), &bodies);
        }
        Ok(())
    }

    fn enforce_positions(
        &self,
        state: &ClothState,
        work: &mut Workspace,
        obstacles: &mut [&mut dyn Obstacle],
        report: &mut StepReport,
    ) -> Result<(), ClothError> {
        let h = self.settings.step;
        let limits = Limits {
            max_iterations: self.settings.max_iterations,
            impulse: self.settings.impulse_limit.map_or(f64::INFINITY, |i| i * h),
        };
        for _ in 0..PASSES {
            let mut touching = Touching {
                rule: self.touch_rule(&state.position),
                touches: &mut work.touches,
                obstacles,
                fold_rule: self.fold_rule(&state.position, work.sweeps),
                folds: folds(&mut work.nearby),
                hold_rule: self.hold_rule(),
                holds: &work.holds,
                sweeps: &mut work.sweeps,
            };
            let Workspace {
                active,
                base,
                velocity,
                preview,
                strips,
                ..
            } = work;
            let mut motion = previewed(self, preview, velocity);
            let is_converged = match self.settings.solver {
                Solver::Strips { is_parallel } => solver::solve(
                    self,
                    is_parallel,
                    limits,
                    active,
                    strips,
                    motion,
                    &mut touching,
                    report,
                ),
                Solver::Impulses(o) if o.anticipation => {
                    let (mut system, remembering, _) =
                        loops::anticipating(active, &self.inverse_mass);
                    loops::with_reminder!(remembering, o.skipping, |reminder| {
                        system.solve(o, limits, &mut motion, reminder, &mut touching, report)
                    })
                }
                Solver::Impulses(o) => {
                    loops::positions_direct(o, limits, active, base, motion, &mut touching, report)
                }
            };
            if !is_converged {
                return Err(self.position_error(state.steps, work));
            }
            match self.add_missed_contacts(state, work, obstacles)? {
                Found::Nothing => return Ok(()),
                Found::More => (),
                Found::Stuck => break,
            }
        }
        Err(self.position_error(state.steps, work))
    }

    fn add_missed_contacts(
        &self,
        state: &ClothState,
        work: &mut Workspace,
        obstacles: &[&mut dyn Obstacle],
    ) -> Result<Found, ClothError> {
        let missed = work.active.add_missed(self, &work.preview)?;
        let bodies = previewed(self, &mut work.preview, &mut work.velocity);
        let reach = -MISSED * self.contact_tolerance;
        let touched =
            self.touch_rule(&state.position)
                .find(obstacles, &bodies, reach, &mut work.touches);
        let folded = work.nearby.as_mut().map_or(Found::Nothing, |nearby| {
            nearby.add_missed(&self.fold_rule(&state.position, work.sweeps), &bodies)
        });
        Ok(match folded {
            Found::Nothing if missed || touched => Found::More,
            folded => folded,
        })
    }

    /// Equation 1: the preview becomes the position, and velocities take the external forces.
    fn accept_preview(&self, work: &mut Workspace) {
        for (v, a) in work.velocity.iter_mut().zip(&work.acceleration) {
            *v += *a * self.settings.step;
        }
    }

    /// The velocity loop. Its impulses act on obstacles, too, and those then move on by another way than the positions
    /// were enforced for; where one ends too deep in the cloth, both are done again.
    fn correct_velocities(
        &self,
        state: &ClothState,
        work: &mut Workspace,
        obstacles: &mut [&mut dyn Obstacle],
        report: &mut StepReport,
    ) -> Result<(), ClothError> {
        let Some(tolerance) = self.settings.velocity_tolerance else {
            return Ok(());
        };
        for _ in 0..self.settings.max_iterations {
            self.enforce_velocities(state.steps, tolerance, work, obstacles, report)?;
            if !self.is_too_deep(state, work, obstacles)? {
                return Ok(());
            }
            let h = self.settings.step;
            for (base, (x, v)) in work
                .base
                .iter_mut()
                .zip(work.preview.iter().zip(&work.velocity))
            {
                *base = *x - *v * h;
            }
            self.enforce_positions(state, work, obstacles, report)?;
        }
        Err(self.position_error(state.steps, work))
    }

    /// Whether an obstacle, with the velocity that it has now, is deeper in the cloth than the tolerance.
    fn is_too_deep(
        &self,
        state: &ClothState,
        work: &mut Workspace,
        obstacles: &[&mut dyn Obstacle],
    ) -> Result<bool, ClothError> {
        let rule = self.touch_rule(&state.position);
        let bodies = previewed(self, &mut work.preview, &mut work.velocity);
        let is_known = rule.is_any_violated(&mut work.touches, obstacles, &bodies);
        let missed = self.add_missed_contacts(state, work, obstacles)?;
        Ok(missed != Found::Nothing || is_known)
    }

    fn enforce_velocities(
        &self,
        step: u64,
        tolerance: f64,
        work: &mut Workspace,
        obstacles: &mut [&mut dyn Obstacle],
        report: &mut StepReport,
    ) -> Result<(), ClothError> {
        let iterations = report.velocity_iterations;
        TouchRule::begin_velocities(&mut work.touches);
        let nearby = folds(&mut work.nearby);
        FoldRule::begin_velocities(nearby);
        let mut touching = Touching {
            rule: self.touch_rule(&[]),
            touches: &mut work.touches,
            obstacles,
            fold_rule: self.fold_rule(&[], 0),
            folds: nearby,
            hold_rule: self.hold_rule(),
            holds: &work.holds,
            sweeps: &mut work.sweeps,
        };
        let Workspace {
            active,
            velocity,
            preview,
            ..
        } = work;
        if loops::velocities(
            self,
            tolerance,
            active,
            (preview, velocity),
            &mut touching,
            report,
        ) {
            return Ok(());
        }
        let relative = |c: &crate::impulse::model::constraint::Constraint| {
            let (a, b) = c.pair();
            crate::impulse::model::constraint::Constraint::direction(preview[a], preview[b])
                .dot(velocity[b] - velocity[a])
        };
        let worst = active
            .constraints
            .iter()
            .map(|c| relative(c).abs())
            .fold(0.0, f64::max);
        Err(ClothError::NotConverged {
            step,
            loop_name: "velocity",
            iterations: report.velocity_iterations - iterations,
            excess: worst - tolerance,
        })
    }

    fn position_error(&self, step: u64, work: &Workspace) -> ClothError {
        let excess = |c: &crate::impulse::model::constraint::Constraint| {
            let (a, b) = c.pair();
            let error = c.error(work.preview[a], work.preview[b]);
            (error - c.high).max(c.low - error)
        };
        ClothError::NotConverged {
            step,
            loop_name: "position",
            iterations: self.settings.max_iterations,
            excess: work
                .active
                .constraints
                .iter()
                .map(excess)
                .fold(f64::NEG_INFINITY, f64::max),
        }
    }

    fn hold_rule(&self) -> HoldRule<'_> {
        HoldRule {
            inverse_mass: &self.inverse_mass,
            tolerance: self.contact_tolerance,
            step: self.settings.step,
        }
    }

    fn fold_rule<'a>(&'a self, start: &'a [DVec3], sweeps: u32) -> FoldRule<'a> {
        FoldRule {
            inverse_mass: &self.inverse_mass,
            tolerance: self.contact_tolerance,
            step: self.settings.step,
            friction: self.settings.friction,
            start,
            ease: ease(sweeps),
        }
    }

    fn touch_rule<'a>(&'a self, start: &'a [DVec3]) -> TouchRule<'a> {
        TouchRule {
            inverse_mass: &self.inverse_mass,
            radius: &self.radius,
            surface: &self.surface,
            tolerance: self.contact_tolerance,
            step: self.settings.step,
            friction: self.settings.friction,
            start,
        }
    }
}

/// How many contact tolerances away a pair is already watched. Pairs that come from further are added
/// when they are found violated, so this is a matter of speed only.
const CONTACT_REACH: f64 = 10.0;

/// How many contact tolerances deep a pair must be to be added then.
const MISSED: f64 = 0.1;

/// What bending may leave of a move, as a part of the contact tolerance.
const BENT: f64 = 0.001;

/// How often contacts are added in one step before it is given up.
const PASSES: u32 = 200;

/// Contacts of a cloth with itself, if it meets itself.
fn folds(nearby: &mut Option<Nearby>) -> &mut [Fold] {
    match nearby {
        Some(nearby) => &mut nearby.folds,
        None => &mut [],
    }
}

fn previewed<'a>(
    cloth: &'a Cloth,
    preview: &'a mut [DVec3],
    velocity: &'a mut [DVec3],
) -> PreviewedMotion<'a> {
    PreviewedMotion {
        preview,
        velocity,
        inverse_mass: &cloth.inverse_mass,
        step: cloth.settings.step,
    }
}
