//! The forces and the integrator that lets each have its own step (Ainsley, sections 1.1 and 4).

pub(crate) mod energy;
pub(crate) mod facets;
pub(crate) mod fused;
pub(crate) mod hinge;
pub(crate) mod integrate;
pub(crate) mod internal;
pub(crate) mod layers;
pub(crate) mod membrane;
pub(crate) mod penalty;
pub(crate) mod rigid;
