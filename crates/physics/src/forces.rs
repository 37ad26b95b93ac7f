//! Forces that are not contact: uniform gravity is part of every flight; everything else is a
//! [`ForceField`] and makes the body's motion an integrated one.

use crate::State;
use crate::Vec3;

/// A force through the centre of mass and a torque about it, in the world frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Wrench {
    /// Newtons.
    pub force: Vec3,
    /// Newton metres.
    pub torque: Vec3,
}

/// A user's force field. It must be a pure function of its arguments: it is asked again after a
/// rollback, in no particular order, and has to give the same answer.
pub trait ForceField: Send + Sync {
    /// The wrench on a body of `mass` kilograms at `seconds` since the start of the world.
    fn wrench(&self, seconds: f64, mass: f64, state: &State) -> Wrench;
}

impl<F> ForceField for F
where
    F: Fn(f64, f64, &State) -> Wrench + Send + Sync,
{
    fn wrench(&self, seconds: f64, mass: f64, state: &State) -> Wrench {
        self(seconds, mass, state)
    }
}
