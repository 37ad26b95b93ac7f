//! The past as the engine asks for it: from stretches to the bodies and segments they are of.

use super::Engine;
use super::stretches::Owner;
use crate::grid::{Bounds, Swept};
use warp::{EventOrder, NodeId, ProcessId, Tick};

/// From so many bodies on they ask together, if they have no more than so many cells each.
const MANY: usize = 8;
const CELLS_EACH: usize = 32;

impl Engine {
    /// Adds the segments whose stretches may overlap `bounds` from `from` on, after the event `after`
    /// and before `to`: some more than once, and numbers of some that are long gone.
    pub(super) fn find_past(
        &mut self,
        bounds: &Bounds,
        from: Tick,
        after: EventOrder,
        to: Tick,
        found: &mut Vec<NodeId>,
    ) {
        let mut members = std::mem::take(&mut self.members);
        members.clear();
        if let Some(past) = &self.past {
            past.query(bounds, from, to, |owner| match owner {
                Owner::Segment(other) => found.push(other),
                Owner::Steps(body) => members.push(body),
            });
        }
        members.sort_unstable();
        members.dedup();
        for &body in &members {
            self.steps_between(body, after, to, found);
        }
        self.members = members;
    }

    /// Adds the segments of a body that begin before `to` and do not end before `after`.
    fn steps_between(&self, body: u32, after: EventOrder, to: Tick, found: &mut Vec<NodeId>) {
        let mut at = Some(self.graph.tip(ProcessId(body)));
        while let Some(node) = at {
            let order = self.graph.order(node);
            if order.moment.tick < to {
                found.push(node);
            }
            at = self.graph.previous(node).filter(|_| order > after);
        }
    }

    /// Whether the look-aheads of segments that begin together at `from` may concern a past that no box
    /// of the broad phase holds.
    #[inline]
    pub(super) fn concern_past(&self, nodes: &[NodeId], from: EventOrder) -> bool {
        if nodes.len() < MANY {
            return true;
        }
        let entries = nodes
            .iter()
            .filter(|n| self.is_body_process(**n))
            .map(|n| &self.swept[self.flights[n.index()].body as usize])
            .filter(|entry| entry.is_in())
            .map(|entry| (entry.bounds, entry.horizon));
        let all = entries.reduce(|(all, to), (one, until)| (all.union(&one), to.max(until)));
        all.is_some_and(|(bounds, to)| self.concerns_past(nodes.len(), &bounds, from, to))
    }

    /// Whether what `many` bodies ask about within `bounds`, between `from` and `to`, may concern a past
    /// that no box of the broad phase holds. One question for all of them, if they are close together.
    pub(super) fn concerns_past(
        &self,
        many: usize,
        bounds: &Bounds,
        from: EventOrder,
        to: Tick,
    ) -> bool {
        let Some(past) = self.past.as_ref().filter(|p| p.reach_past(from)) else {
            return false;
        };
        if many < MANY || past.cells(bounds) > (CELLS_EACH * many) as f64 {
            return true;
        }
        let tick = from.moment.tick;
        let mut is_concerned = false;
        past.query(bounds, tick, to, |owner| {
            let body = match owner {
                Owner::Steps(body) => body,
                Owner::Segment(node) => self.flights[node.index()].body,
            };
            let holds = |entry: &Swept| entry.is_in() && entry.since <= tick;
            is_concerned |= self.swept.get(body as usize).is_some_and(|e| !holds(e));
        });
        is_concerned
    }

    /// The body that a stretch is of, if its segment is still there.
    pub(super) fn owning_body(&self, owner: Owner) -> Option<u32> {
        match owner {
            Owner::Steps(body) => Some(body),
            Owner::Segment(node) => self.is_body(node).then(|| self.body_of(node).0),
        }
    }
}
