//! When bodies become a contact group, who advances it, and when it comes to rest (Mirtich 4.4).

use physics::groups::{
    Auto, GroupSolver, Impulse, Optimization, OptimizationSettings, Penalty, PenaltySettings,
    Settings, SoftStep, SolverError,
};
use std::sync::Arc;
use warp::Tick;

/// The rules of contact groups in a world.
#[derive(Clone)]
pub struct ContactRules {
    /// Advances groups.
    pub solver: Arc<dyn GroupSolver>,
    /// Length of a group's step, seconds.
    pub step: f64,
    /// Pairs closer than this are in contact, metres.
    pub margin: f64,
    /// Steps between two group checks, which look for fissions.
    pub steps_per_check: u32,
    /// A collision after which the bodies part more slowly than this fuses them, m/s.
    pub fuse_speed: f64,
    /// A group in which nothing is faster than this for `rest_after` comes to rest, m/s and rad/s.
    pub rest_speed: f64,
    /// Seconds of quiet before a group rests.
    pub rest_after: f64,
    /// A sleeping body wakes when something presses against it faster than this, m/s.
    pub wake_speed: f64,
    /// A sleeping body wakes when what it touched is farther away than this, metres.
    pub wake_gap: f64,
}

impl ContactRules {
    /// The default rules with the soft-step solver.
    pub fn soft_step(settings: Settings) -> Result<Self, SolverError> {
        settings.validate()?;
        let (step, margin) = (settings.step, settings.margin);
        Ok(Self::with_solver(
            Arc::new(SoftStep::new(settings)?),
            step,
            margin,
        ))
    }

    /// The default rules with Mirtich's penalty solver and steps of `step` seconds.
    pub fn penalty(settings: PenaltySettings, step: f64) -> Result<Self, SolverError> {
        let margin = settings.margin;
        Ok(Self::with_solver(
            Arc::new(Penalty::new(settings)?),
            step,
            margin,
        ))
    }

    /// The default rules with impulse-based dynamics.
    pub fn impulse(settings: Settings) -> Result<Self, SolverError> {
        let (step, margin) = (settings.step, settings.margin);
        Ok(Self::with_solver(
            Arc::new(Impulse::new(settings)?),
            step,
            margin,
        ))
    }

    /// The default rules with optimization-based animation; groups with joints are advanced by
    /// `soft-step`.
    pub fn optimization(
        optimization: OptimizationSettings,
        settings: Settings,
    ) -> Result<Self, SolverError> {
        let (step, margin) = (settings.step, optimization.margin);
        let solver = Auto::always(Optimization::new(optimization)?, SoftStep::new(settings)?);
        Ok(Self::with_solver(Arc::new(solver), step, margin))
    }

    /// The default rules with `soft-step`, and optimization-based animation for dense groups.
    pub fn auto(
        optimization: OptimizationSettings,
        settings: Settings,
    ) -> Result<Self, SolverError> {
        let (step, margin) = (settings.step, optimization.margin);
        let solver = Auto::new(Optimization::new(optimization)?, SoftStep::new(settings)?);
        Ok(Self::with_solver(Arc::new(solver), step, margin))
    }

    /// The default rules with any solver.
    pub fn with_solver(solver: Arc<dyn GroupSolver>, step: f64, margin: f64) -> Self {
        ContactRules {
            solver,
            step,
            margin,
            steps_per_check: 4,
            fuse_speed: 0.03,
            rest_speed: 0.02,
            rest_after: 0.5,
            wake_speed: 0.04,
            wake_gap: 1e-3,
        }
    }

    /// A step in ticks.
    pub(crate) fn step_ticks(&self) -> i64 {
        Tick::from_seconds(self.step).0.max(1)
    }
}
