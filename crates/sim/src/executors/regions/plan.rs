//! What all regions do next. Every region decides it by itself from what all of them have reported, and all decide
//! alike.

use warp::Tick;

/// Segments that the busiest region should begin in a window.
pub(super) const PER_WINDOW: u64 = 768;
/// Windows between two looks at who has left the cell of its region.
const WINDOWS_PER_MIGRATION: u32 = 1;
/// The first window, seconds.
const FIRST: f64 = 1e-4;

/// What a region does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Task {
    /// Hears what was said, does all that is pending before the window's end in the total order, and says what has
    /// changed.
    Work(Tick),
    /// A body does not stay inside of its region's hull, so that others may not see it: what is committed stands, and
    /// the rest is run undivided.
    Unite,
    /// Nothing before this tick can change any more: commits it, and says who is out of sight and, if `migrates`, who
    /// changes its region.
    Settle { gvt: Tick, migrates: bool },
    /// All is done.
    Finish,
}

/// What a region, or all of them together, have to report after a task.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Tally {
    /// Messages that were sent.
    pub sent: u64,
    /// When the first thing is pending.
    pub next: Tick,
    /// The first tick at which a body is not inside of its region's hull.
    pub leaves: Tick,
    /// Segments begun since the last settlement by the busiest.
    pub begun: u64,
    /// CPU time since the last meeting, of the busiest, ns.
    pub cpu_ns: u64,
    /// Whether the run cannot go on.
    pub failed: bool,
}

impl Tally {
    /// Of nobody.
    pub const NONE: Tally = Tally {
        sent: 0,
        next: Tick::MAX,
        leaves: Tick::MAX,
        begun: 0,
        cpu_ns: 0,
        failed: false,
    };

    /// Of two parts together.
    pub fn with(self, other: Tally) -> Tally {
        Tally {
            sent: self.sent + other.sent,
            next: self.next.min(other.next),
            leaves: self.leaves.min(other.leaves),
            begun: self.begun.max(other.begun),
            cpu_ns: self.cpu_ns.max(other.cpu_ns),
            failed: self.failed || other.failed,
        }
    }
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    until: Tick,
    per_window: u64,
    gvt: Tick,
    /// The end of the window that is worked off, or nothing between two windows.
    end: Option<Tick>,
    width: i64,
    windows: u32,
}

impl Plan {
    /// Nothing before this tick can change any more.
    pub fn gvt(&self) -> Tick {
        self.gvt
    }

    /// A run to `until`, with windows in which the busiest region begins about so many segments.
    pub fn new(until: Tick, per_window: u64) -> Self {
        Plan {
            until,
            per_window,
            gvt: Tick::ZERO,
            end: None,
            width: (FIRST * Tick::TICKS_PER_SECOND) as i64,
            windows: 0,
        }
    }

    /// What comes next, after all regions together have reported `all`; nothing, if the run has failed.
    pub fn next(&mut self, all: &Tally) -> Option<Task> {
        if all.failed {
            return None;
        }
        let Some(end) = self.end else {
            return Some(self.open(all));
        };
        if all.leaves < end {
            return Some(Task::Unite);
        }
        Some(match all.sent {
            0 => self.settle(end, all.begun),
            _ => Task::Work(end),
        })
    }

    /// Opens the next window.
    fn open(&mut self, all: &Tally) -> Task {
        if all.next >= self.until && all.sent == 0 {
            return Task::Finish;
        }
        // Messages that wait may lead to something earlier, but not to anything before GVT.
        let from = if all.sent == 0 { all.next } else { self.gvt };
        let end = from.max(self.gvt).saturating_add(self.width);
        self.end = Some(end);
        Task::Work(end)
    }

    /// Closes a window.
    fn settle(&mut self, gvt: Tick, begun: u64) -> Task {
        self.gvt = gvt;
        self.end = None;
        self.windows += 1;
        let migrates = self.windows.is_multiple_of(WINDOWS_PER_MIGRATION);
        let factor = (self.per_window as f64 / begun.max(1) as f64).clamp(0.5, 2.0);
        self.width = ((self.width as f64 * factor) as i64).max(1);
        Task::Settle { gvt, migrates }
    }
}
