//! Cloth and thin shells.

pub mod acm;
pub mod impulse;
mod obj;
