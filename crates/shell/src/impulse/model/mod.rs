//! What a cloth is: particles, constraints, obstacles, settings, the state, and what may be wrong with them.

pub(crate) mod cloth;
pub(crate) mod constraint;
pub(crate) mod error;
pub(crate) mod incidence;
pub(crate) mod mesh;
pub(crate) mod obstacle;
pub(crate) mod settings;
pub(crate) mod state;
