//! When a window is worked off in order instead. Speculation may go wrong in a way that feeds on itself: what one
//! body has done beyond a straggler is undone, done again, and undone by the next one. Taken in the total order,
//! pending events undo nothing that they have not overtaken already, so from the moment a window goes on in order
//! it costs what `ordered` costs. So whatever the window, a run costs a small multiple of that: what speculation
//! wastes before it is noticed, and the rest once.
//!
//! None of this decides what happens: results never depend on the order in which events are tried.

use crate::engine::Engine;
use warp::Tick;

/// Segments that may be undone in a window for every one that stands, and so many besides.
const UNDONE_PER_STANDING: u64 = 1;
const UNDONE_FREELY: u64 = 32;
/// The same for entries of the queue.
const ENTRIES_PER_STANDING: u64 = 64;
const ENTRIES_FREELY: u64 = 4096;
/// Windows that are worked off in order at most before speculation is tried again.
const LONGEST_PENANCE: u32 = 63;

/// How the current window is worked off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Discipline {
    /// As it was found.
    Speculative,
    /// In order until everything before this tick is done.
    OrderedUntil(Tick),
}

/// The throttle. See the module's text.
#[derive(Debug)]
pub(super) struct Throttle {
    discipline: Discipline,
    /// Counters when the window was opened.
    begun: u64,
    undone: u64,
    /// Entries of the window that were tried.
    entries: u64,
    /// Windows that are still to be worked off in order, and how many it will be the next time.
    penance: u32,
    next_penance: u32,
    is_wasteful: bool,
}

impl Throttle {
    pub fn new() -> Self {
        Throttle {
            discipline: Discipline::Speculative,
            begun: 0,
            undone: 0,
            entries: 0,
            penance: 0,
            next_penance: 0,
            is_wasteful: false,
        }
    }

    /// A window is opened.
    pub fn open(&mut self, engine: &Engine) {
        if !self.is_wasteful && self.penance == 0 {
            self.next_penance /= 2;
        }
        self.is_wasteful = false;
        (self.begun, self.undone) = (
            engine.stats().segments_begun,
            engine.stats().segments_undone,
        );
        self.entries = 0;
        self.discipline = Discipline::Speculative;
        if self.penance > 0 {
            self.penance -= 1;
            self.discipline = Discipline::OrderedUntil(Tick::MAX);
        }
    }

    /// Whether entries are taken in order now.
    pub fn is_in_order(&self) -> bool {
        self.discipline != Discipline::Speculative
    }

    /// So many entries were tried: goes over to the order if too much was in vain, or if a body has to
    /// wait for the others.
    pub fn note(&mut self, entries: usize, engine: &Engine) {
        self.entries += entries as u64;
        let begun = engine.stats().segments_begun - self.begun;
        let undone = engine.stats().segments_undone - self.undone;
        let standing = begun.saturating_sub(undone);
        if undone > UNDONE_FREELY + UNDONE_PER_STANDING * standing
            || self.entries > ENTRIES_FREELY + ENTRIES_PER_STANDING * standing
        {
            self.discipline = Discipline::OrderedUntil(Tick::MAX);
            self.is_wasteful = true;
            self.penance = self.next_penance;
            self.next_penance = (2 * self.next_penance + 1).min(LONGEST_PENANCE);
        } else if engine.overrun() >= engine.gvt() {
            self.discipline = Discipline::OrderedUntil(engine.overrun());
        }
    }

    /// Everything before `tick` is done in order. Speculation goes on if that was far enough.
    pub fn reach(&mut self, tick: Tick) -> bool {
        let is_there = matches!(self.discipline, Discipline::OrderedUntil(end) if tick > end);
        if is_there {
            self.discipline = Discipline::Speculative;
        }
        is_there
    }
}
