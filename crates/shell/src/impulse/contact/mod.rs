//! Which constraints a step has: the cloth's own, and contacts with what is near, itself among it.

pub(crate) mod active;
pub(crate) mod calm;
pub(crate) mod fold;
pub(crate) mod hold;
pub(crate) mod nearby;
pub(crate) mod touch;
