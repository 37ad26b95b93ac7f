//! The speculative algorithm (Ainsley, section 2): windows, savepoints within them, and layers that are activated on the way.

pub(crate) mod savepoints;
pub(crate) mod watch;
pub(crate) mod window;
