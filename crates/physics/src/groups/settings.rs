//! The numbers that a group solver is tuned by, and the errors it can end in.

/// Settings of the group solvers. The defaults suit bodies of centimetres to tens of metres.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Length of one step, seconds: contacts are looked for once a step.
    pub step: f64,
    /// Solver sub-steps in one step. More of them make stacks stiffer.
    pub substeps: u32,
    /// Sweeps over all contacts in one sub-step.
    pub sweeps: u32,
    /// Frequency with which overlaps are pushed out, Hz; cut to a quarter of the sub-step rate.
    pub contact_hertz: f64,
    /// Damping of the push-out relative to critical damping.
    pub damping_ratio: f64,
    /// Largest speed with which overlaps are pushed out, m/s.
    pub push_out_speed: f64,
    /// Distance within which two bodies are reported as touching, metres.
    pub margin: f64,
    /// Distance that bare polytopes (boxes, hulls, triangles) keep when they come to rest on each
    /// other, metres: overlapping polytopes have neither a well-defined nor a cheap distance.
    pub skin: f64,
    /// Depth below the rest distance that is left alone, metres.
    pub linear_slop: f64,
    /// Travel of two members against each other in a step, metres, from which on their contacts are
    /// found anew in every sub-step.
    pub refresh_travel: f64,
    /// Approach speed below which a contact does not bounce, m/s.
    pub restitution_threshold: f64,
}

impl Default for Settings {
    fn default() -> Self {
        Settings {
            step: 1.0 / 120.0,
            substeps: 4,
            sweeps: 1,
            contact_hertz: 80.0,
            damping_ratio: 3.0,
            push_out_speed: 3.0,
            margin: 2e-3,
            skin: 4e-4,
            linear_slop: 2e-4,
            refresh_travel: 5e-3,
            restitution_threshold: 0.5,
        }
    }
}

impl Settings {
    /// Checks every number.
    pub fn validate(&self) -> Result<(), SolverError> {
        let positive = |what, value: f64| {
            if value.is_finite() && value > 0.0 {
                Ok(())
            } else {
                Err(SolverError::setting(what, value, "a positive number"))
            }
        };
        let not_negative = |what, value: f64| {
            if value.is_finite() && value >= 0.0 {
                Ok(())
            } else {
                Err(SolverError::setting(what, value, "zero or more"))
            }
        };
        positive("step", self.step)?;
        positive("contact_hertz", self.contact_hertz)?;
        positive("damping_ratio", self.damping_ratio)?;
        positive("push_out_speed", self.push_out_speed)?;
        positive("margin", self.margin)?;
        not_negative("refresh_travel", self.refresh_travel)?;
        not_negative("skin", self.skin)?;
        not_negative("linear_slop", self.linear_slop)?;
        not_negative("restitution_threshold", self.restitution_threshold)?;
        if self.substeps == 0 || self.substeps > 1000 {
            let found = f64::from(self.substeps);
            return Err(SolverError::setting("substeps", found, "1 to 1000"));
        }
        if self.margin < self.skin {
            let expected = "at least the skin, or resting bodies would not count as touching";
            return Err(SolverError::setting("margin", self.margin, expected));
        }
        Ok(())
    }
}

/// Why a group could not be advanced.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SolverError {
    /// A setting that makes no sense.
    #[error("solver setting `{what}` is {value}; expected {expected}")]
    Setting {
        /// Which setting.
        what: &'static str,
        /// The value found.
        value: f64,
        /// What it should be.
        expected: &'static str,
    },
    /// A state that is not a number.
    #[error(
        "body {body} {when} has a position, velocity or spin that is not finite; \
         look for extreme forces, masses or speeds on this body"
    )]
    NotFinite {
        /// The body.
        body: u32,
        /// Before or after the step.
        when: &'static str,
    },
    /// Forces too stiff for the integrator.
    #[error(
        "the penalty forces at {seconds_now} s cannot be integrated: steps shrank to {step:e} s \
         (group of {members} bodies, contacts at {hertz} Hz); lower the contact frequency, or use \
         the solver `soft-step`"
    )]
    Stiffness {
        /// When, seconds since the start of the world.
        seconds_now: f64,
        /// The last step tried, seconds.
        step: f64,
        /// How many bodies move.
        members: usize,
        /// The contact frequency asked for.
        hertz: f64,
    },
    /// Joints that no sub-step was short enough for.
    #[error(
        "the joints of a group of {members} bodies (joint `{joint}` is one of them) cannot be held in a step of \
         {step:e} s, nor in {finest} times as many sub-steps; try `step = {shorter:e}` or more `substeps`, weaker \
         motors, or masses that are closer to each other"
    )]
    Joints {
        /// The first of them.
        joint: String,
        /// How many bodies move.
        members: usize,
        /// The step, seconds.
        step: f64,
        /// A step worth trying, seconds.
        shorter: f64,
        /// How many times as many sub-steps were tried.
        finest: u32,
    },
    /// Bodies that cannot be kept apart.
    #[error("{}", jammed(*bodies, *overlap, (*members, *seconds_now, *step), &|body| format!("body {body}")))]
    Jammed {
        /// The worst pair.
        bodies: [u32; 2],
        /// Their overlap, metres.
        overlap: f64,
        /// How many bodies the group has.
        members: usize,
        /// When the step began, seconds since the start of the world.
        seconds_now: f64,
        /// How long the step is, seconds.
        step: f64,
    },
    /// A solver without joints was given some.
    #[error("the solver `{solver}` holds no joints; use `soft-step` or `impulse`")]
    NoJoints {
        /// The solver.
        solver: &'static str,
    },
    /// A pair that names bodies that do not exist.
    #[error("candidate pair ({first}, {second}) names a body outside the group of {count}")]
    Pair {
        /// First index.
        first: u32,
        /// Second index.
        second: u32,
        /// Members and neighbours together.
        count: usize,
    },
}

/// Two bodies for which there is no room.
fn jammed(
    bodies: [u32; 2],
    overlap: f64,
    (members, seconds, step): (usize, f64, f64),
    name: &dyn Fn(u32) -> String,
) -> String {
    let [a, b] = bodies.map(name);
    let what = match overlap > 0.0 {
        true => format!("overlap by {overlap:.2e} m and cannot be moved apart"),
        false => format!("are pressed to within {:.2e} m of each other", -overlap),
    };
    format!(
        "{a} and {b} {what}, in the step of {:.3} ms that a group of \
         {members} bodies makes at {seconds:.6} s: they were jammed into each other at the start, or there is no room for all bodies around them; move them apart, or give them \
         more room",
        1e3 * step
    )
}

impl SolverError {
    /// What went wrong, with the bodies' names instead of their numbers.
    pub fn naming(&self, name: &dyn Fn(u32) -> String) -> String {
        match self {
            SolverError::Jammed {
                bodies,
                overlap,
                members,
                seconds_now,
                step,
            } => jammed(*bodies, *overlap, (*members, *seconds_now, *step), name),
            other => other.to_string(),
        }
    }

    pub(crate) fn setting(what: &'static str, value: f64, expected: &'static str) -> Self {
        SolverError::Setting {
            what,
            value,
            expected,
        }
    }
}
