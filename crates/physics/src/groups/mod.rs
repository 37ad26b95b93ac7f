//! Contact groups: bodies that touch are advanced together, one step at a time, by a solver.
//!
//! A solver is a pure function: the same members, neighbours, pairs, memory and step give the same
//! bytes. What it carries from one step to the next lies in [`Memory`], which belongs to the
//! group's own history and is rolled back with it; [`Scratch`] carries nothing.

pub mod auto;
mod block_cholesky;
pub mod block_lu;
mod boxes;
pub mod candidate;
pub mod clip;
pub mod contacts;
pub mod faces;
mod flown;
pub mod gjk;
pub mod impulse;
pub mod manifold;
pub mod memory;
pub mod optimization;
pub mod penalty;
pub mod penalty_forces;
mod refine;
mod resist;
pub mod rolling;
pub mod rosenbrock;
pub mod seeds;
pub mod settings;
mod soft_advance;
mod soft_blows;
mod soft_bounce;
pub mod soft_buffers;
pub mod soft_direct;
mod soft_newton;
mod soft_rolling;
pub mod soft_rows;
pub mod soft_step;
pub mod surface;

pub use auto::Auto;
pub use impulse::Impulse;
pub use memory::Memory;
pub use optimization::{Optimization, OptimizationSettings};
pub use penalty::{Penalty, PenaltySettings};
pub use settings::{Settings, SolverError};
pub use soft_step::SoftStep;

use crate::body::BodyModel;
use crate::joints::{self, Link};
use crate::motion::State;
use crate::rotation::turned;
use crate::{Pose, Vec3};

/// A body that the group's contacts move.
#[derive(Clone, Copy)]
pub struct Member<'a> {
    /// The body's number in the world; contacts are remembered under it.
    pub body: u32,
    /// Its constant part.
    pub model: &'a BodyModel,
    /// Before the call: the state now. After it: the state at the step's end.
    pub state: State,
}

/// A fixed or kinematic body: it keeps its velocity and spin whatever leans on it.
#[derive(Clone, Copy)]
pub struct Neighbour<'a> {
    /// The body's number in the world.
    pub body: u32,
    /// Its constant part.
    pub model: &'a BodyModel,
    /// Its state at the step's start.
    pub state: State,
}

impl Neighbour<'_> {
    /// Where it is `seconds` after the step's start.
    pub fn pose_after(&self, seconds: f64) -> Pose {
        let State {
            position,
            velocity,
            rotation,
            spin,
        } = self.state;
        Pose::from_parts(
            position + velocity * seconds,
            turned(rotation, spin, seconds),
        )
    }

    /// Whether it neither moves nor turns.
    pub fn is_still(&self) -> bool {
        self.state.velocity == Vec3::ZERO && self.state.spin == Vec3::ZERO
    }
}

/// Two bodies that touch, or nearly so.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch {
    /// The body with the smaller number.
    pub a: u32,
    /// The other body.
    pub b: u32,
    /// The smaller of the distances between their surfaces at the step's start and end, metres;
    /// negative when they overlap. It follows the points found at the start.
    pub gap: f64,
    /// The normal impulse they exchanged during the step, N s.
    pub normal_impulse: f64,
}

/// What a step found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// Pairs within the contact margin or carrying an impulse, sorted by `(a, b)`.
    pub touches: Vec<Touch>,
    /// The largest overlap the step met at its start, metres (zero without any).
    pub deepest: f64,
    /// What the optimiser had to do, if it was asked.
    pub effort: optimization::Effort,
    /// What blows and bounces did to members at the very start of the step, by place: changes of velocity and
    /// spin. Empty without any.
    pub kicks: Vec<[Vec3; 2]>,
    /// When members with joints bounced first within the step, seconds after its start.
    pub bounce_after: Option<f64>,
}

impl Report {
    /// Forgets everything, keeps the buffers.
    pub fn clear(&mut self) {
        self.touches.clear();
        self.deepest = 0.0;
        self.effort = optimization::Effort::default();
        self.kicks.clear();
        self.bounce_after = None;
    }

    /// Notes that members bounced `gone` seconds after the step's start, and how: `change` tells what a bounce did
    /// to the member at a place.
    pub(crate) fn bounced(&mut self, gone: f64, count: usize, change: impl Fn(usize) -> [Vec3; 2]) {
        if gone == 0.0 {
            self.kicks.resize(count, [Vec3::ZERO; 2]);
            for (place, kick) in self.kicks.iter_mut().enumerate() {
                let [velocity, spin] = change(place);
                kick[0] += velocity;
                kick[1] += spin;
            }
        } else if self.bounce_after.is_none() {
            self.bounce_after = Some(gone);
        }
    }
}

/// Buffers that a solver reuses; they carry no information from one call to the next.
#[derive(Default)]
pub struct Scratch {
    pub(crate) manifolds: manifold::Manifolds,
    pub(crate) soft: soft_buffers::Buffers,
    pub(crate) direct: soft_direct::Direct,
    pub(crate) penalty: penalty::Buffers,
    pub(crate) optimization: optimization::Buffers,
    pub(crate) joints: joints::System,
}

/// When a step is.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// Seconds since the start of the world at which it begins (force fields may depend on it).
    pub begin: f64,
    /// How long it is, seconds.
    pub seconds: f64,
}

/// What the members of a group meet during a step.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// Fixed and kinematic bodies and sleepers.
    pub neighbours: &'a [Neighbour<'a>],
    /// Candidates of the broad phase, sorted: `(i, j)` with `i < j` both indices of members, or `j` =
    /// number of members + index of a neighbour. They must contain every pair that can come
    /// within the contact margin during the step.
    pub pairs: &'a [(u32, u32)],
    /// Joints between members, or between members and neighbours.
    pub links: &'a [Link<'a>],
}

/// Advances contact groups.
pub trait GroupSolver: Send + Sync + std::fmt::Debug {
    /// The name that `--solver` takes.
    fn name(&self) -> &'static str;

    /// Advances all members over the span.
    fn step(
        &self,
        span: Span,
        members: &mut [Member],
        around: &Surroundings<'_>,
        memory: &mut Memory,
        scratch: &mut Scratch,
        report: &mut Report,
    ) -> Result<(), SolverError>;

    /// Advances members past neighbours of which those in `passing`, by their numbers in the world, rising, push nobody and
    /// are pushed by nobody: members only keep out of their way. What they do to each other is found when they are members
    /// of one group. None if the solver cannot do that.
    #[allow(clippy::too_many_arguments)]
    fn pass(
        &self,
        _span: Span,
        _members: &mut [Member],
        _around: &Surroundings<'_>,
        _passing: &[u32],
        _memory: &mut Memory,
        _scratch: &mut Scratch,
        _report: &mut Report,
    ) -> Option<Result<(), SolverError>> {
        None
    }

    /// Whether it holds joints.
    fn holds_joints(&self) -> bool {
        false
    }

    /// Whether it promises that bodies do not overlap, wherever it moves them. A step in which something was moved
    /// farther than its candidate pairs reach is then solved again with more of them.
    fn keeps_apart(&self) -> bool {
        false
    }
}
