//! Which constraints a step has: the cloth's own, and contacts with what is near.

pub(crate) mod active;
pub(crate) mod touch;
