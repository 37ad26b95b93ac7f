//! Time Warp with no physics in it: virtual time, the state graph of worldlines and links, and the
//! event queue. Proven on its own, in [`message`], with models that have no bodies.

mod ahead;
mod calendar;
mod column;
mod graph;
mod huge;
pub mod message;
mod pcg;
mod time;

pub use ahead::prefetch;
pub use calendar::{Calendar, Entry};
pub use column::Column;
pub use graph::{Begun, NodeId, NodeRef, ProcessId, StateGraph, Undone};
pub use pcg::Pcg32;
pub use time::{EventOrder, Moment, Tick};
