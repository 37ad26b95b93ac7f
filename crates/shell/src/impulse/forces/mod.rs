//! What acts on a cloth besides gravity and its constraints: air and bending. Both change the velocities with which a step
//! previews where the particles go, implicitly, so that no stiffness and no wind needs a shorter step.

pub(crate) mod air;
pub(crate) mod bending;
