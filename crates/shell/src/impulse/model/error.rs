//! What can go wrong with a cloth, said so that a person can act on it: which particle or set, which
//! value, what was expected. Building reports bad input; stepping reports only exhausted limits.

use thiserror::Error;

/// Why a cloth could not be built, read or stepped.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ClothError {
    /// A number of the description is outside its range.
    #[error("{what} is {value}; expected {expected}")]
    BadValue {
        /// The quantity and where it stands.
        what: String,
        /// What was given.
        value: f64,
        /// The range that is accepted.
        expected: &'static str,
    },
    /// A constraint names a particle that does not exist.
    #[error(
        "constraint {index} of set \"{set}\" joins particle {particle}, but there are only {count} \
         particles, numbered from 0"
    )]
    NoSuchParticle {
        /// Name of the constraint set.
        set: String,
        /// Position of the pair in its set.
        index: usize,
        /// The particle that was named.
        particle: u32,
        /// How many particles the cloth has.
        count: usize,
    },
    /// Two constraints join the same pair, or one joins a particle with itself.
    #[error(
        "set \"{set}\" joins particles {a} and {b} a second time (or with itself); section 4.2 allows \
         one constraint for a pair: remove the duplicate"
    )]
    DuplicatePair {
        /// Name of the constraint set.
        set: String,
        /// First particle.
        a: u32,
        /// Second particle.
        b: u32,
    },
    /// The body-bit form of section 4.3 has one bit for each constraint of a body.
    #[error(
        "particle {particle} has {count} constraints, but skipping by body bits has room for 64; use \
         flags per constraint (Skipping::Flags), which has no such limit"
    )]
    TooManyConstraints {
        /// The crowded particle.
        particle: u32,
        /// How many constraints it has.
        count: usize,
    },
    /// The iteration did not meet the tolerance within the limit that the settings allow.
    #[error(
        "in step {step} its links and contacts still miss what they ask for by {excess:.1e} after {iterations} rounds of the \
         {loop_name} loop: what leans on it is too heavy for its vertices, or pins and links contradict each other; a shorter \
         `step`, a larger `extensibility` or more `mass` helps"
    )]
    NotConverged {
        /// Number of the step, counted from 0.
        step: u64,
        /// `position` or `velocity`.
        loop_name: &'static str,
        /// Iterations done.
        iterations: u32,
        /// By how much the worst constraint exceeds its tolerance, m or m/s.
        excess: f64,
    },
    /// The cloth crosses itself before the first step.
    #[error(
        "the edge of vertices {} and {} crosses the triangle of vertices {}, {} and {} at the start; expected cloth that lies \
         apart from itself and from other cloth",
        .edge[0], .edge[1], .triangle[0], .triangle[1], .triangle[2]
    )]
    MeetsItself {
        /// The edge's vertices.
        edge: [u32; 2],
        /// The triangle's.
        triangle: [u32; 3],
    },
    /// A line of an OBJ file could not be read.
    #[error("OBJ line {line}: {problem}")]
    BadObj {
        /// Line number from 1.
        line: usize,
        /// What was found and what was expected.
        problem: String,
    },
}

impl ClothError {
    pub(crate) fn bad(what: impl Into<String>, value: f64, expected: &'static str) -> Self {
        Self::BadValue {
            what: what.into(),
            value,
            expected,
        }
    }
}
