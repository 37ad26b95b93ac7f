//! The account: what has been done since the last commit. Segments that have begun, and errors that speculative
//! events have met, which count only if they survive to the commit.

use super::commit::Ended;
use super::ledger::Ledger;
use super::worldlines::{Process, Worldlines};
use physics::motion::{Halt, HaltReason};
use warp::{Moment, NodeId, NodeRef, Tick};

/// See the module's text.
#[derive(Clone, Default)]
pub(super) struct Account {
    ledger: Ledger,
    /// Steps of groups and deformables that failed, and why.
    failures: Vec<(NodeRef, String)>,
    /// Segments that accumulate or are not finite.
    suspended: Vec<NodeRef>,
    /// Segments whose motion could not be followed beyond a tick, and why.
    halted: Vec<(NodeRef, Tick, HaltReason)>,
}

/// A segment with its place in the canonical order, if it is still there.
#[inline]
fn ended(reference: NodeRef, lines: &Worldlines) -> Option<Ended> {
    if !lines.is_live(reference) {
        return None;
    }
    // Everything is asked of the graph where it can be: one line of memory a segment.
    let node = reference.node;
    let body = match lines.kind(lines.process(node)) {
        Process::Body(body) => body,
        _ => lines.body_of(node),
    };
    let Moment { tick, micro } = lines.start(node);
    Some((tick, u64::from(micro) << 32 | u64::from(body.0), node))
}

/// Sorts a batch. A body may begin two segments at one moment, by an input and a push, say: the events' keys tell
/// which comes first.
fn in_order(batch: &mut [Ended], lines: &Worldlines) {
    // Stable: what was begun in the total order is in order but for a few, and is only merged.
    batch.sort_by(|a, b| {
        let key = |ended: &Ended| lines.order(ended.2).key;
        (a.0, a.1)
            .cmp(&(b.0, b.1))
            .then_with(|| key(a).cmp(&key(b)))
    });
}

impl Account {
    /// Files by time what is kept back, so that a commit costs what it hands over.
    pub fn retain(&mut self) {
        self.ledger.retain();
    }

    /// Nothing before `gvt` will be noted.
    pub fn begin_at(&mut self, gvt: Tick) {
        self.ledger.begin_at(gvt);
    }

    /// Notes a segment that has begun.
    #[inline]
    pub fn note(&mut self, node: NodeId, lines: &Worldlines) {
        let start = lines.start(node).tick;
        self.ledger.note(start, lines.reference(node));
    }

    /// Fills a batch with what began before `gvt`, in the canonical order, and forgets it: start, micro, body, and
    /// the key of the event.
    pub fn settle(&mut self, gvt: Tick, lines: &Worldlines, batch: &mut Vec<Ended>) {
        batch.clear();
        let is_due = |r: NodeRef| !lines.is_live(r) || lines.start(r.node).tick < gvt;
        self.ledger.settle(gvt, is_due, |reference| {
            batch.extend(ended(reference, lines))
        });
        in_order(batch, lines);
    }

    /// Fills a batch with what began before `to` and is not committed, in the canonical order.
    pub fn foresee(&self, to: Tick, lines: &Worldlines, batch: &mut Vec<Ended>) {
        let all = self.ledger.all().filter_map(|r| ended(r, lines));
        batch.extend(all.filter(|(start, ..)| *start < to));
        in_order(batch, lines);
    }

    /// Crosses out segments that are gone, once they may be as many as the others.
    pub fn cross_out(&mut self, lines: &Worldlines) {
        self.ledger.cross_out(|segment| !lines.is_live(segment));
    }

    /// A group's or a deformable's step has failed.
    pub fn add_failure(&mut self, segment: NodeRef, why: String) {
        self.failures.push((segment, why));
    }

    /// A segment accumulates events, is not finite or is lost in space.
    pub fn add_suspended(&mut self, segment: NodeRef) {
        self.suspended.push(segment);
    }

    /// The motion of a segment could not be followed any further.
    #[cold]
    pub fn add_halted(&mut self, node: NodeId, halt: Halt, lines: &Worldlines) {
        let reference = lines.reference(node);
        if !self.halted.iter().any(|(noted, ..)| *noted == reference) {
            let ticks = halt.seconds * Tick::TICKS_PER_SECOND;
            let at = lines.start(node).tick.saturating_add(ticks as i64);
            self.halted.push((reference, at, halt.why));
        }
    }

    /// The first failure that has survived to `gvt`.
    pub fn surviving_failure(&self, gvt: Tick, lines: &Worldlines) -> Option<(NodeId, &str)> {
        let survives = |r| lines.is_live(r) && lines.start(r.node).tick < gvt;
        let survived = self.failures.iter().filter(|(r, _)| survives(*r));
        let (reference, why) = survived.min_by_key(|(r, _)| lines.order(r.node))?;
        Some((reference.node, why))
    }

    /// The first suspended segment that has survived to `gvt`.
    pub fn surviving_suspension(&self, gvt: Tick, lines: &Worldlines) -> Option<NodeId> {
        let live = self.suspended.iter().filter(|r| lines.is_live(**r));
        live.map(|r| r.node)
            .filter(|n| lines.start(*n).tick < gvt)
            .min_by_key(|n| lines.order(*n))
    }

    /// The first segment that could not be followed up to `gvt`, where it has survived that long.
    pub fn surviving_halt(
        &self,
        gvt: Tick,
        lines: &Worldlines,
    ) -> Option<(NodeId, Tick, HaltReason)> {
        let survives = |&(r, at, _): &(NodeRef, Tick, HaltReason)| {
            lines.is_live(r) && at < gvt && at < lines.end(r.node).moment.tick
        };
        let halted = self.halted.iter().filter(|h| survives(h));
        let (reference, at, why) = halted.min_by_key(|(r, at, _)| (*at, lines.order(r.node)))?;
        Some((reference.node, *at, *why))
    }

    /// Forgets the errors of events that were undone.
    pub fn forget_undone(&mut self, lines: &Worldlines) {
        self.suspended.retain(|r| lines.is_live(*r));
        self.failures.retain(|(r, _)| lines.is_live(*r));
        self.halted.retain(|(r, ..)| lines.is_live(*r));
    }

    /// Whether a failure stands.
    pub fn has_failed(&self, lines: &Worldlines) -> bool {
        self.failures.iter().any(|(r, _)| lines.is_live(*r))
    }

    /// Whether a suspended segment stands.
    pub fn is_suspended(&self, lines: &Worldlines) -> bool {
        self.suspended.iter().any(|r| lines.is_live(*r))
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.ledger.bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::parts_yard::{at, two_balls};
    use warp::ProcessId;

    #[test]
    fn what_is_settled_comes_in_the_canonical_order_and_once() {
        let (_, mut lines, _) = two_balls();
        let mut account = Account::default();
        // The second body's event is found first.
        for (tick, body) in [(30, 1), (10, 1), (10, 0), (40, 0)] {
            if lines.is_ahead(ProcessId(body), at(tick)) {
                lines.roll_back(ProcessId(body), at(tick), &mut Vec::new());
            }
            let mut begun = Vec::new();
            lines.begin(at(tick), &[ProcessId(body)], &mut begun);
            account.note(begun[0], &lines);
        }
        let mut batch = Vec::new();
        account.settle(Tick(35), &lines, &mut batch);
        let told: Vec<(i64, u32)> = batch
            .iter()
            .map(|(tick, _, node)| (tick.0, lines.process(*node).0))
            .collect();
        assert_eq!(
            told,
            [(10, 0), (10, 1)],
            "that at 30 was rolled back, that at 40 is later"
        );
        account.settle(Tick::MAX, &lines, &mut batch);
        assert_eq!(batch.len(), 1);
    }

    #[test]
    fn errors_of_what_was_undone_do_not_count() {
        let (_, mut lines, _) = two_balls();
        let mut account = Account::default();
        let mut begun = Vec::new();
        lines.begin(at(10), &[ProcessId(0)], &mut begun);
        account.add_failure(lines.reference(begun[0]), "no step is short enough".into());
        assert!(
            account.surviving_failure(Tick(10), &lines).is_none(),
            "not yet"
        );
        assert!(account.surviving_failure(Tick(11), &lines).is_some());
        lines.roll_back(ProcessId(0), at(10), &mut Vec::new());
        assert!(account.surviving_failure(Tick(11), &lines).is_none());
        account.forget_undone(&lines);
        assert!(!account.has_failed(&lines));
    }
}
