//! Cloth and thin shells.

pub mod impulse;
