//! Multibodies in reduced coordinates: trees of links with joints, after Featherstone (*Rigid Body
//! Dynamics Algorithms*, 2008) and Mirtich, section 4.3 and appendix A.
//!
//! A [`Multibody`] is constant; a state is two slices, positions and velocities; a [`Workspace`]
//! holds what an algorithm remembers. The algorithms:
//!
//! | question | answer | cost |
//! |---|---|---|
//! | accelerations from forces | [`Multibody::forward_dynamics`] (articulated bodies) | O(n) |
//! | forces from accelerations | [`Multibody::inverse_dynamics`] (recursive Newton-Euler) | O(n) |
//! | mass matrix | [`Multibody::mass_matrix`] (composite rigid bodies) | O(n·depth) |
//! | joint velocities from an impulse on a link | [`Multibody::impulse_response`] | O(n) |
//! | Jacobian of a point | [`Multibody::jacobian`] | O(depth) |
//! | energy, momentum | [`Multibody::energy`], [`Multibody::momentum`] | O(n) |
//!
//! Motion over time is [`flow`]: steps of order 8 with dense output.

mod aba;
pub mod bounds;
pub mod constraint;
pub mod coordinates;
mod crba;
pub mod dop853;
pub mod eigen;
mod energy;
pub mod flow;
mod impulse;
mod inertia;
mod inverse;
mod jacobian;
mod joint;
mod kinematics;
pub mod loops;
mod model;
pub mod motor;
pub mod passive;
pub mod spatial;
mod workspace;

pub use energy::Energy;
pub use inertia::{Articulated, Inertia};
pub use joint::{Joint, JointKind};
pub use model::{Builder, LinkSpec, ModelError, Multibody};
pub use workspace::Workspace;

/// A vector in metres, metres per second, newtons, ... (three `f64`).
pub type Vec3 = glamx::DVec3;
/// A unit quaternion.
pub type Quat = glamx::DQuat;
/// A rotation followed by a translation.
pub type Pose = glamx::DPose3;
/// A 3 by 3 matrix.
pub type Mat3 = glamx::DMat3;
