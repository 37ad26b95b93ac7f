//! The numbers that the optimiser is tuned by.

use super::SolverError;

/// What the distance to the targets is weighed with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Weighting {
    /// All bodies alike: metres, and radians times the body's own size.
    #[default]
    Geometric,
    /// By mass and moment of inertia: light bodies give way to heavy ones.
    Mass,
}

/// Settings of the optimiser. The defaults suit bodies of centimetres to tens of metres.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimizationSettings {
    /// Distance within which two bodies are reported as touching, metres.
    pub margin: f64,
    /// Distance that separating planes keep between bare polytopes, metres. Closer ones have no
    /// well-defined normal.
    pub skin: f64,
    /// What the distance to the targets is weighed with.
    pub weighting: Weighting,
    /// Collisions that come in faster than this are resolved in their order before targets are set, m/s.
    pub v_min: f64,
    /// At most so many of them for each pair in a step.
    pub c_max: u32,
    /// Quadratic programs in a row before everything goes back to the step's start.
    pub programs_max: u32,
    /// Sweeps over the constraints of a program, and over contact impulses, at most.
    pub sweeps_max: u32,
    /// Change of velocity at a contact that counts as none, relative to what gravity adds in a step.
    pub rest: f64,
}

impl Default for OptimizationSettings {
    fn default() -> Self {
        OptimizationSettings {
            margin: 2e-3,
            skin: 4e-4,
            weighting: Weighting::Geometric,
            v_min: 0.5,
            c_max: 3,
            programs_max: 8,
            sweeps_max: 100,
            rest: 3e-4,
        }
    }
}

impl OptimizationSettings {
    /// Checks every number.
    pub fn validate(&self) -> Result<(), SolverError> {
        let positive = [
            ("margin", self.margin),
            ("skin", self.skin),
            ("v_min", self.v_min),
            ("rest", self.rest),
        ];
        for (what, value) in positive {
            if !(value.is_finite() && value > 0.0) {
                return Err(SolverError::setting(what, value, "a positive number"));
            }
        }
        for (what, value) in [
            ("programs_max", self.programs_max),
            ("sweeps_max", self.sweeps_max),
        ] {
            if !(1..=10_000).contains(&value) {
                return Err(SolverError::setting(what, f64::from(value), "1 to 10000"));
            }
        }
        if self.margin < self.skin {
            let expected = "at least the skin, or resting bodies would not count as touching";
            return Err(SolverError::setting("margin", self.margin, expected));
        }
        Ok(())
    }
}
