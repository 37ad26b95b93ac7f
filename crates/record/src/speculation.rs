//! What a run tells of its speculation beside the committed history: what was undone, how far each body ran ahead.

use crate::segment::Event;

/// A stretch of a worldline that a rollback took back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undone {
    /// Whose.
    pub body: u32,
    /// The body whose event proved it wrong, or [`crate::NO_PARTNER`].
    pub cause: u32,
    /// The event that had begun it; [`Event::Continue`] for the rest of a segment that was cut.
    pub event: Event,
    /// The other body of that event, or [`crate::NO_PARTNER`].
    pub partner: u32,
    /// First tick that was undone.
    pub from: i64,
    /// The body's own time when it was undone.
    pub to: i64,
    /// GVT when it happened: the viewer shows it when its clock passes this tick.
    pub gvt: i64,
}

/// Where one body stands while the run goes on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Clock {
    /// Its own time (LVT).
    pub lvt: i64,
    /// The contact group or process that it is in.
    pub group: u32,
    /// The thread that last advanced it.
    pub thread: u32,
}
