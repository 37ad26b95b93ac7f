//! Time Warp with no physics in it: virtual time, the state graph of worldlines and links, and the
//! event queue. Proven on its own with models that have no bodies.

mod calendar;
mod graph;
mod time;

pub use calendar::{Calendar, Entry};
pub use graph::{NodeId, NodeRef, ProcessId, StateGraph, Undone};
pub use time::{EventOrder, Moment, Tick};
