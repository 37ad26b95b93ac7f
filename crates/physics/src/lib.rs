//! The laws of motion and contact, with no clock policy, no threads and no input or output.
//!
//! A [`BodyModel`] is constant; a [`Flight`] and a [`Turn`] together are one *segment* of a body's
//! worldline: a start tick, a start state and a dense way to evaluate it at any later tick.
//! [`impact`] finds the first tick at which two segments touch and approach;
//! [`collision`] says what the bodies do then. Everything here is a pure function of its
//! arguments: nothing remembers who asked before.

pub mod advance;
pub mod ballistic;
pub mod body;
pub mod collider;
pub mod collision;
pub mod contact;
pub mod dense;
mod depth;
pub mod drive;
pub mod forces;
pub mod groups;
pub mod impact;
pub mod joints;
pub mod lanes;
pub mod material;
mod model_id;
pub mod motion;
pub mod pieces;
mod quad;
pub mod ray;
pub mod rotation;
pub mod runge_kutta;
pub mod series;
pub mod shape;
mod slab;
mod terrain;
pub mod triangle;
pub mod tumble;
mod unions;

pub use body::{BodyModel, MassProperties, Material};
pub use collider::{Collider, Form};
pub use drive::Drive;
pub use forces::{ForceField, Wrench};
pub use model_id::{Mode, ModelId};
pub use motion::{Flight, Motion, State, Turn};
pub use shape::{Part, Shape, ShapeError};

/// A vector in metres, metres per second, newtons, ... (three `f64`).
pub type Vec3 = glamx::DVec3;
/// A unit quaternion.
pub type Quat = glamx::DQuat;
/// A rotation followed by a translation.
pub type Pose = glamx::DPose3;
/// A 3 by 3 matrix.
pub type Mat3 = glamx::DMat3;
