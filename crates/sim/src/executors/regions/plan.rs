//! What all regions do next. Every region decides it by itself from what all of them have reported, and all decide
//! alike.

use super::cells::MOST;
use warp::Tick;

/// Segments that the busiest region should begin in a window: one for every three of its bodies, within these bounds.
/// Short windows have many meetings, at which all wait for whoever happened to have more to do; in long ones more is undone
/// (10,000 bodies on two regions: the critical path is 7 % shorter with 1,536 than with 768, and longer again from 3,072 on).
const BODIES_PER_SEGMENT: u64 = 3;
const FEWEST_PER_WINDOW: u64 = 256;
const MOST_PER_WINDOW: u64 = 2048;
/// Windows between two looks at who has left the cell of its region.
const WINDOWS_PER_MIGRATION: u32 = 1;
/// Windows between two looks at whether the loads of regions have drifted apart, and how much more than its share the
/// busiest may have.
const WINDOWS_PER_CUT: u32 = 32;
const MOST_LOAD: f64 = 1.1;
/// The first window, seconds.
const FIRST: f64 = 1e-4;

/// What a region does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Task {
    /// Hears what was said, does all that is pending before the window's end in the total order, and says what has
    /// changed.
    Work(Tick),
    /// A body does not stay inside of its region's hull from this tick on, so that others may not see it: undoes all from
    /// there on and ends the window there, for the body to change its region.
    Cut(Tick),
    /// A body that has just changed its region does not stay inside of the new one's hull either: what is committed
    /// stands, and the rest is run undivided.
    Unite,
    /// Nothing before this tick can change any more: commits it, and says who is out of sight and, if `migrates`, who
    /// changes its region. Where loads have drifted, and `loads` says by region how, the cuts between regions move first.
    Settle {
        gvt: Tick,
        migrates: bool,
        loads: Option<[u32; MOST]>,
    },
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
    /// The same by region.
    pub loads: [u32; MOST],
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
        loads: [0; MOST],
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
            // Every region reports its own.
            loads: std::array::from_fn(|region| self.loads[region].max(other.loads[region])),
            cpu_ns: self.cpu_ns.max(other.cpu_ns),
            failed: self.failed || other.failed,
        }
    }
}

/// Segments that the busiest of so many regions should begin in a window, where so many bodies move.
pub(super) fn per_window(moving: usize, regions: usize) -> u64 {
    let bodies = (moving / regions.max(1)) as u64;
    (bodies / BODIES_PER_SEGMENT).clamp(FEWEST_PER_WINDOW, MOST_PER_WINDOW)
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    until: Tick,
    regions: usize,
    per_window: u64,
    gvt: Tick,
    /// The end of the window that is worked off, or nothing between two windows.
    end: Option<Tick>,
    width: i64,
    windows: u32,
    /// By region: segments begun since the last look at the loads.
    loads: [u32; MOST],
}

impl Plan {
    /// Nothing before this tick can change any more.
    pub fn gvt(&self) -> Tick {
        self.gvt
    }

    /// A run of so many regions to `until`, with windows in which the busiest region begins about so many segments.
    pub fn new(until: Tick, regions: usize, per_window: u64) -> Self {
        Plan {
            until,
            regions,
            per_window,
            gvt: Tick::ZERO,
            end: None,
            width: (FIRST * Tick::TICKS_PER_SECOND) as i64,
            windows: 0,
            loads: [0; MOST],
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
        if all.leaves <= self.gvt {
            return Some(Task::Unite);
        }
        if all.leaves < end {
            // What is undone is no more than the window's work. It is going to be as wide again soon.
            self.width = (all.leaves.0 - self.gvt.0).max(self.width / 2);
            self.end = Some(all.leaves);
            return Some(Task::Cut(all.leaves));
        }
        Some(match all.sent {
            0 => self.settle(end, all),
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
    fn settle(&mut self, gvt: Tick, all: &Tally) -> Task {
        self.gvt = gvt;
        self.end = None;
        self.windows += 1;
        let migrates = self.windows.is_multiple_of(WINDOWS_PER_MIGRATION);
        let factor = (self.per_window as f64 / all.begun.max(1) as f64).clamp(0.5, 2.0);
        self.width = ((self.width as f64 * factor) as i64).max(1);
        for (sum, load) in self.loads.iter_mut().zip(all.loads) {
            *sum = sum.saturating_add(load);
        }
        let is_due = self.windows.is_multiple_of(WINDOWS_PER_CUT);
        let loads = is_due.then(|| std::mem::replace(&mut self.loads, [0; MOST]));
        Task::Settle {
            gvt,
            migrates,
            loads: loads.filter(|loads| self.has_drifted(loads)),
        }
    }

    /// Whether the busiest region has much more than its share.
    fn has_drifted(&self, loads: &[u32; MOST]) -> bool {
        let busiest = loads.iter().max().map_or(0.0, |load| f64::from(*load));
        let all: f64 = loads.iter().map(|load| f64::from(*load)).sum();
        busiest * self.regions as f64 > MOST_LOAD * all
    }
}
