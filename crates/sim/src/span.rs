//! What a thread of a run was at, and when: for a timeline that people's tools open.

use std::time::Duration;
use warp::Tick;

/// A stretch of a thread's time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Span {
    /// The thread, by the number of its region; the thread of the history comes after the last.
    pub thread: u32,
    /// What it was at.
    pub what: Doing,
    /// Since the beginning of the run.
    pub begin: Duration,
    /// Since the beginning of the run.
    pub end: Duration,
    /// The simulated time that it was about: the end of a window.
    pub tick: Tick,
    /// How much of it there was: events, messages or segments.
    pub count: u64,
}

/// What a thread of a run may be at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Doing {
    /// Events of a window, for the first time or once more.
    Work,
    /// Waiting for the other threads.
    Wait,
    /// Handing over what nothing can change any more.
    Commit,
    /// Merging what the regions have committed, and telling the history.
    Merge,
}

impl Doing {
    /// In a word.
    pub fn name(self) -> &'static str {
        match self {
            Doing::Work => "work",
            Doing::Wait => "wait",
            Doing::Commit => "commit",
            Doing::Merge => "merge",
        }
    }

    /// What is counted of it.
    pub fn counted(self) -> &'static str {
        match self {
            Doing::Work => "entries",
            Doing::Wait => "looks",
            Doing::Commit | Doing::Merge => "segments",
        }
    }
}
