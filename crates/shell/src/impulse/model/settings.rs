//! How a cloth is stepped: the step size, the tolerances, the solver and its optimisations.
//! Part of the constant model: two runs with the same settings have the same bytes.

use glamx::DVec3;

use crate::impulse::model::error::ClothError;

/// How satisfied constraints are skipped (section 4.3).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Skipping {
    /// Every constraint is looked at in every iteration.
    #[default]
    Off,
    /// A flag in every constraint says whether it may be violated.
    Flags,
    /// One bit per constraint in each of its bodies; at most 64 constraints a body.
    BodyBits,
}

/// The four optimisations of section 4 and one of our own, each on its own switch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Optimisations {
    /// 4.1: the error is measured along the constraint direction, without its own square root.
    pub reuse_direction: bool,
    /// 4.2: a correction updates the errors of the attached constraints instead of the particles.
    pub anticipation: bool,
    /// 4.3: satisfied constraints are not visited.
    pub skipping: Skipping,
    /// 4.4: directions are updated only when all errors along the old ones have converged. Errors are
    /// then measured along the direction whether or not 4.1 is on.
    pub frozen_direction: bool,
    /// Ours, not the paper's, and only with 4.2 and 4.4: a run along old directions ends as soon as the
    /// impulses have fallen to two fifths, for the new directions will bring new ones anyway. The last run is
    /// judged as always, so the tolerance holds.
    pub early_update: bool,
}

impl Optimisations {
    /// The method as first published, nothing optimised.
    pub const NONE: Self = Self {
        reuse_direction: false,
        anticipation: false,
        skipping: Skipping::Off,
        frozen_direction: false,
        early_update: false,
    };
    /// What the paper's tables call unoptimised: only 4.1.
    pub const PAPER_BASELINE: Self = Self {
        reuse_direction: true,
        ..Self::NONE
    };
    /// All four of the paper.
    pub const PAPER: Self = Self {
        reuse_direction: true,
        anticipation: true,
        skipping: Skipping::Flags,
        frozen_direction: true,
        early_update: false,
    };
    /// Those, and ours.
    pub const ALL: Self = Self {
        early_update: true,
        ..Self::PAPER
    };
}

/// Which iteration enforces the position constraints.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Solver {
    /// One constraint after another, as the paper has it, with the chosen optimisations.
    Impulses(Optimisations),
    /// One strip of constraints after another, each strip at once in linear time: for large cloth.
    Strips {
        /// Shares the strips of a family out over the caller's rayon pool; the bytes stay the same.
        is_parallel: bool,
    },
}

/// Everything about stepping that is not in the particles and constraints.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Step size h, s.
    pub step: f64,
    /// Uniform acceleration, m/s^2.
    pub gravity: DVec3,
    /// Velocity-correction loop: its tolerance in m/s, or none to leave it out.
    pub velocity_tolerance: Option<f64>,
    /// Largest impulse of a single correction, N s; none for unlimited (section 4.2). Strips correct many
    /// constraints at once and take no notice of it.
    pub impulse_limit: Option<f64>,
    /// Coulomb's coefficient of contacts with obstacles.
    pub friction: f64,
    /// The solver.
    pub solver: Solver,
    /// Iterations of one loop in one step after which the step is given up with an error.
    pub max_iterations: u32,
}

impl Default for Settings {
    /// The paper's step and gravity, all optimisations, no velocity correction.
    fn default() -> Self {
        Self {
            step: 0.01,
            gravity: DVec3::new(0.0, -10.0, 0.0),
            velocity_tolerance: None,
            impulse_limit: None,
            friction: 0.0,
            solver: Solver::Impulses(Optimisations::ALL),
            max_iterations: 1_000_000,
        }
    }
}

impl Settings {
    pub(crate) fn check(&self) -> Result<(), ClothError> {
        let positive = |what: &str, value: f64| {
            if value > 0.0 && value.is_finite() {
                Ok(())
            } else {
                Err(ClothError::bad(what, value, "a positive number"))
            }
        };
        positive("settings.step (s)", self.step)?;
        positive(
            "settings.velocity_tolerance (m/s)",
            self.velocity_tolerance.unwrap_or(1.0),
        )?;
        positive(
            "settings.impulse_limit (N s)",
            self.impulse_limit.unwrap_or(1.0),
        )?;
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            let expected = "a number of at least 0";
            return Err(ClothError::bad(
                "settings.friction",
                self.friction,
                expected,
            ));
        }
        if !self.gravity.is_finite() {
            return Err(ClothError::bad(
                "settings.gravity (m/s^2)",
                f64::NAN,
                "a finite vector",
            ));
        }
        Ok(())
    }
}
