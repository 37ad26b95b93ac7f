//! The recording: committed history on disk, per-body segments with their own times.
//!
//! A run streams what GVT has passed through a [`Writer`]; a [`Reader`] gives any body's state at any
//! tick without reading the whole file. Nothing here knows how the history was made: the data is
//! plain arrays, ticks are `i64` counts of 2^-40 s ([`TICKS_PER_SECOND`]), units are SI.
//!
//! The file format is described in `block`; the history's hash in `HistoryHash`. Files and exports are there with
//! the feature `files`, the hash with `hash`; without them there are the types that a run hands over.

#[cfg(feature = "files")]
pub mod block;
#[cfg(feature = "files")]
mod cache;
#[cfg_attr(not(feature = "files"), allow(dead_code))]
#[cfg(feature = "hash")]
mod codec;
#[cfg(feature = "files")]
mod contact;
#[cfg(feature = "files")]
mod decoded;
#[cfg(feature = "files")]
mod directory;
#[cfg(feature = "files")]
mod error;
#[cfg(feature = "files")]
pub mod export;
#[cfg(feature = "files")]
mod force;
#[cfg(feature = "files")]
mod foretold;
#[cfg(feature = "hash")]
mod hash;
#[cfg(all(test, feature = "files"))]
mod hostile;
#[cfg(feature = "files")]
mod joints;
#[cfg(feature = "files")]
mod keyframe;
#[cfg(feature = "files")]
mod model;
#[cfg(feature = "files")]
mod packed;
#[cfg(feature = "files")]
mod reader;
mod segment;
mod speculation;
#[cfg(feature = "files")]
mod store;
#[cfg(feature = "files")]
mod stretch;
#[cfg(feature = "files")]
mod trace;
#[cfg(feature = "files")]
mod writer;

#[cfg(feature = "files")]
pub use contact::{Contact, Touch};
#[cfg(feature = "files")]
pub use error::{Error, Result};
#[cfg(feature = "files")]
pub use force::Force;
#[cfg(feature = "hash")]
pub use hash::HistoryHash;
#[cfg(feature = "files")]
pub use joints::{JointSample, JointTracks};
#[cfg(feature = "files")]
pub use model::{
    Body, Header, Joint, JointAxis, JointFreedom, JointKind, Kind, Link, LinkJoint, Multibody,
    Shape, ShapeAt,
};
#[cfg(feature = "files")]
pub use reader::{Mark, Reader, VertexFrame};
pub use segment::{Event, Knot, Momentum, NO_GROUP, NO_PARTNER, OwnedSegment, Segment, State};
pub use speculation::{Clock, Undone};
#[cfg(feature = "files")]
pub use stretch::Stretch;
#[cfg(feature = "files")]
pub use trace::Sample;
#[cfg(feature = "files")]
pub use writer::Writer;

/// Ticks of virtual time in one second: 2^40.
pub const TICKS_PER_SECOND: f64 = 1_099_511_627_776.0;

/// Seconds between two ticks; the difference is exact up to 2^53 ticks (about 2.3 hours).
pub fn seconds_between(from: i64, to: i64) -> f64 {
    (i128::from(to) - i128::from(from)) as f64 / TICKS_PER_SECOND
}
