//! Cloth and thin shells.

pub mod acm;
