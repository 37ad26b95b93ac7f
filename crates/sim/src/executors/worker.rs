//! The one worker loop. `ordered`, the windows of `timewarp`, catching up after an input, the oracle and the checking
//! executor differ in what they take next, and in nothing else.

use crate::engine::{Engine, EngineError, Pending};
use crate::history::History;
use warp::{EventOrder, Tick};

/// Entries between two commits of a discipline that goes by the total order.
const COMMIT_EVERY: u32 = 256;

/// What a worker does next.
pub(crate) enum Next {
    /// Process an entry.
    Process(Pending),
    /// Nothing before this tick can change any more: hand it to the history.
    Commit(Tick),
    /// Tell the history what was undone, with nothing to commit yet.
    Listen,
}

/// Decides what is taken next; nothing, when all is done.
pub(crate) trait Discipline {
    /// What is done next.
    fn next(&mut self, engine: &mut Engine) -> Option<Next>;
}

/// Works until the discipline has nothing more.
pub(crate) fn work(
    engine: &mut Engine,
    mut discipline: impl Discipline,
    history: &mut dyn History,
) -> Result<(), EngineError> {
    while let Some(next) = discipline.next(engine) {
        match next {
            Next::Process(entry) => engine.process(&entry),
            Next::Commit(gvt) => engine.commit(gvt, history)?,
            Next::Listen => engine.listen(history)?,
        }
    }
    Ok(())
}

/// What is pending before a place in the total order, in that order, and nothing is committed.
pub(crate) struct UpTo(pub EventOrder);

impl Discipline for UpTo {
    fn next(&mut self, engine: &mut Engine) -> Option<Next> {
        let first = engine.next_order()?;
        (first < self.0).then(|| engine.take().map(Next::Process))?
    }
}

/// All that is pending, in the total order: nothing is ever undone.
#[derive(Default)]
pub(super) struct InOrder {
    processed: u32,
    last: Option<Tick>,
}

impl Discipline for InOrder {
    fn next(&mut self, engine: &mut Engine) -> Option<Next> {
        let tick = engine.next_order()?.moment.tick;
        // Never in the middle of a tick: its segments are handed over in the order of bodies.
        if self.processed >= COMMIT_EVERY && self.last.is_some_and(|last| tick > last) {
            self.processed = 0;
            return Some(Next::Commit(tick));
        }
        self.processed += 1;
        self.last = Some(tick);
        engine.take().map(Next::Process)
    }
}

/// Whether a discipline that goes by the total order has processed so much that it may commit.
pub(super) fn is_commit_due(processed: u32) -> bool {
    processed >= COMMIT_EVERY
}
