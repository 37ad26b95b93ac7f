//! The baseline: kinetic data structures as events (Harmon et al. 2009).

pub(crate) mod certificate;
pub(crate) mod certify;
pub(crate) mod kds;
pub(crate) mod queue;
