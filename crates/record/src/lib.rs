//! The recording: committed history on disk, per-body segments with their own times.
//!
//! A run streams what GVT has passed through a [`Writer`]; a [`Reader`] gives any body's state at any
//! tick without reading the whole file. Nothing here knows how the history was made: the data is
//! plain arrays, ticks are `i64` counts of 2^-40 s ([`TICKS_PER_SECOND`]), units are SI.
//!
//! The file format is described in [`block`]; the history's hash in [`HistoryHash`].

pub mod block;
mod cache;
mod codec;
mod contact;
mod decoded;
mod directory;
mod error;
pub mod export;
mod force;
mod hash;
#[cfg(test)]
mod hostile;
mod keyframe;
mod model;
mod reader;
mod segment;
mod store;
mod stretch;
mod trace;
mod writer;

pub use contact::{Contact, Touch};
pub use error::{Error, Result};
pub use force::Force;
pub use hash::HistoryHash;
pub use model::{Body, Header, Joint, JointKind, Kind, Shape, ShapeAt};
pub use reader::{Mark, Reader, VertexFrame};
pub use segment::{Event, Knot, Momentum, NO_GROUP, NO_PARTNER, OwnedSegment, Segment, State};
pub use stretch::Stretch;
pub use trace::{Clock, Sample, Undone};
pub use writer::Writer;

/// Ticks of virtual time in one second: 2^40.
pub const TICKS_PER_SECOND: f64 = 1_099_511_627_776.0;

/// Seconds between two ticks; the difference is exact up to 2^53 ticks (about 2.3 hours).
pub fn seconds_between(from: i64, to: i64) -> f64 {
    (i128::from(to) - i128::from(from)) as f64 / TICKS_PER_SECOND
}
