//! The past as the engine asks for it: from sweeps to the bodies and segments they are of.

use super::Engine;
use super::swept_past::Owner;
use crate::grid::Bounds;
use warp::{EventOrder, NodeId, ProcessId, Tick};

impl Engine {
    /// Adds the segments whose sweeps may overlap `bounds` from `from` on, after the event `after`
    /// and before `to`: some more than once, and numbers of some that are long gone.
    pub(super) fn find_past(
        &mut self,
        bounds: &Bounds,
        from: Tick,
        after: EventOrder,
        to: Tick,
        found: &mut Vec<NodeId>,
    ) {
        let mut members = std::mem::take(&mut self.scratch.members);
        members.clear();
        self.around.behind(bounds, from, to, |owner| match owner {
            Owner::Segment(other) => found.push(other),
            Owner::Steps(body) => members.push(body),
        });
        members.sort_unstable();
        members.dedup();
        for &body in &members {
            self.steps_between(body, after, to, found);
        }
        self.scratch.members = members;
    }

    /// Adds the segments of a body that begin before `to` and do not end before `after`.
    fn steps_between(&self, body: u32, after: EventOrder, to: Tick, found: &mut Vec<NodeId>) {
        let mut at = Some(self.lines.tip(ProcessId(body)));
        while let Some(node) = at {
            let order = self.lines.order(node);
            if order.moment.tick < to {
                found.push(node);
            }
            at = self.lines.previous(node).filter(|_| order > after);
        }
    }
}
