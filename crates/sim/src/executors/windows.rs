//! Mirtich's main loop as a discipline: whatever lies in the speculation window is tried in the order in which it was
//! found, so that a body runs ahead of the others and a straggler rolls it back. When a window is exhausted nothing
//! before its end can change any more: no pending event, and so no safe time and no local virtual time, is earlier,
//! which is GVT.

use super::governor::Governor;
use super::throttle::Throttle;
use super::worker::{Discipline, Next, is_commit_due};
use crate::engine::{Engine, PREFETCHED_TOGETHER, Pending};
use warp::Tick;

/// Where the work stands.
#[derive(Clone, Copy, PartialEq)]
enum Phase {
    /// The next window is to be opened.
    Between,
    /// A window was opened, and what is earlier committed.
    Opened,
    /// A window is being worked off.
    Within,
}

/// See the module's text.
pub(super) struct Windows {
    governor: Option<Governor>,
    throttle: Throttle,
    phase: Phase,
    /// Entries that were taken together, and how many of them have been tried.
    batch: Vec<Pending>,
    tried: usize,
    /// An entry that waits for a commit.
    waiting: Option<Pending>,
    /// Entries processed in the total order since the last commit.
    processed: u32,
}

impl Windows {
    /// Windows of a fixed length, or of one that a governor adjusts.
    pub fn new(governor: Option<Governor>) -> Self {
        Windows {
            governor,
            throttle: Throttle::new(),
            phase: Phase::Between,
            batch: Vec::new(),
            tried: 0,
            waiting: None,
            processed: 0,
        }
    }

    /// Opens the next window.
    fn open(&mut self, engine: &mut Engine) -> Option<Next> {
        let (start, _) = engine.open_window()?;
        self.phase = Phase::Opened;
        // What begins with the world is committed with what else begins at its first tick.
        Some(match start > engine.gvt() {
            true => Next::Commit(start),
            false => Next::Listen,
        })
    }

    /// Begins to work an opened window off, unless the governor wants another one.
    fn begin(&mut self, engine: &mut Engine) {
        let width = self
            .governor
            .as_mut()
            .and_then(|g| g.adjust(engine.stats()));
        self.phase = match width {
            Some(width) => {
                engine.set_window(width);
                Phase::Between
            }
            None => {
                self.throttle.open(engine);
                self.processed = 0;
                Phase::Within
            }
        };
    }

    /// The next entry in the order in which they were found; none if the window is used up, or if trying in this
    /// order is not worth while any more.
    fn speculate(&mut self, engine: &mut Engine) -> Option<Pending> {
        if self.tried == self.batch.len() {
            self.conclude_few(engine);
            self.batch.clear();
            self.tried = 0;
            if self.throttle.is_in_order() {
                return None;
            }
            engine.set_in_order(false);
            engine.take_window(&mut self.batch);
        } else if self.tried.is_multiple_of(PREFETCHED_TOGETHER) {
            self.conclude_few(engine);
        }
        if self.throttle.is_in_order() {
            engine.give_back(&self.batch[self.tried..]);
            self.batch.clear();
            self.tried = 0;
            return None;
        }
        let rest = &self.batch[self.tried..];
        if self.tried.is_multiple_of(PREFETCHED_TOGETHER)
            && let Some(few) = rest.first_chunk()
        {
            engine.prefetch_entries(few);
        }
        let entry = rest.first().copied();
        self.tried += usize::from(entry.is_some());
        entry
    }

    /// Lets the throttle look at what the last few entries have led to.
    fn conclude_few(&mut self, engine: &Engine) {
        let few = match self.tried % PREFETCHED_TOGETHER {
            0 => self.tried.min(PREFETCHED_TOGETHER),
            some => some,
        };
        if few > 0 {
            self.throttle.note(few, engine);
        }
    }

    /// The next entry in the total order, and on the way what can be committed; none if the window is used up.
    fn in_order(&mut self, engine: &mut Engine) -> Option<Next> {
        if let Some(entry) = self.waiting.take() {
            self.processed = 1;
            return Some(Next::Process(entry));
        }
        engine.set_in_order(true);
        let entry = engine.take_in_window()?;
        let tick: Tick = entry.order().moment.tick;
        let is_there = self.throttle.reach(tick);
        if (is_there || is_commit_due(self.processed)) && tick > engine.gvt() {
            self.waiting = Some(entry);
            return Some(Next::Commit(tick));
        }
        self.processed += 1;
        Some(Next::Process(entry))
    }
}

impl Discipline for Windows {
    fn next(&mut self, engine: &mut Engine) -> Option<Next> {
        loop {
            match self.phase {
                Phase::Between => return self.open(engine),
                Phase::Opened => self.begin(engine),
                Phase::Within => {
                    let next = if self.waiting.is_some() || self.throttle.is_in_order() {
                        self.in_order(engine)
                    } else {
                        let entry = self.speculate(engine);
                        if entry.is_none() && self.throttle.is_in_order() {
                            continue;
                        }
                        entry.map(Next::Process)
                    };
                    if next.is_some() {
                        return next;
                    }
                    if !engine.pass_barrier() {
                        self.phase = Phase::Between;
                    }
                }
            }
        }
    }
}
