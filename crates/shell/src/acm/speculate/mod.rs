//! The speculative algorithm (Ainsley, section 2): windows, checkpoints within them, and layers that are activated on the way.

pub(crate) mod checkpoint;
pub(crate) mod watch;
pub(crate) mod window;
