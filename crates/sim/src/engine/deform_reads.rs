//! What the steps of coupled deformables have read: which bodies, and out of which box. When a body moves otherwise,
//! the steps that read it, and those that would have read it on its new way, are undone; all others stand.

use super::Engine;
use crate::grid::Bounds;
use crate::world::Kind as BodyKind;
use std::collections::VecDeque;
use std::sync::Arc;
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

/// What one step has read.
#[derive(Clone, Debug)]
pub(super) struct Read {
    /// The step's place in the total order.
    pub order: EventOrder,
    /// The bodies, rising.
    pub bodies: Vec<u32>,
    /// Bodies whose boxes do not come into this one at the step's tick are not read.
    pub reach: Bounds,
}

/// What the last steps of one deformable have read.
#[derive(Clone, Debug)]
pub(super) struct Reads {
    steps: VecDeque<Arc<Read>>,
    /// Of steps up to here it is not known what they have read: of a run that was resumed.
    unknown_to: EventOrder,
}

impl Reads {
    /// Of steps after `unknown_to` it will be known.
    pub fn since(unknown_to: EventOrder) -> Self {
        Reads {
            steps: VecDeque::new(),
            unknown_to,
        }
    }

    /// A step is made; later ones belonged to a future that was undone.
    pub fn note(&mut self, read: Read) {
        while self.steps.back().is_some_and(|s| s.order >= read.order) {
            self.steps.pop_back();
        }
        self.steps.push_back(Arc::new(read));
    }

    /// Forgets the steps before a tick.
    pub fn forget_before(&mut self, tick: Tick) {
        let is_over = |read: &Arc<Read>| read.order.moment.tick < tick;
        while self.steps.front().is_some_and(is_over) {
            self.steps.pop_front();
        }
    }

    /// From where steps that came after an event are to be undone, up to `last`: the first one that is concerned.
    pub fn first(
        &self,
        after: EventOrder,
        last: EventOrder,
        is_concerned: impl Fn(&Read) -> bool,
    ) -> Option<EventOrder> {
        if last <= after {
            return None;
        }
        if after < self.unknown_to {
            return Some(after);
        }
        let begin = self.steps.partition_point(|read| read.order <= after);
        let done = self.steps.range(begin..).take_while(|r| r.order <= last);
        let mut concerned = done.filter(|read| is_concerned(read));
        concerned.next().map(|read| read.order)
    }
}

impl Engine {
    /// A body goes on otherwise from an event on: outdates the steps after it that have read the body.
    pub(super) fn outdate_readers_of(&mut self, process: ProcessId, after: EventOrder) {
        if !self.lines.is_body(process) {
            return;
        }
        let is_concerned = |read: &Read| read.bodies.binary_search(&process.0).is_ok();
        self.outdate_deformables(after, is_concerned);
    }

    /// A stretch of a body's way is new, and lies within `bounds`, or anywhere: outdates the steps within it that
    /// would have read the body.
    pub(super) fn outdate_readers_in(
        &mut self,
        node: NodeId,
        bounds: Option<&Bounds>,
        span: [Tick; 2],
    ) {
        let about = &self.world.bodies[self.lines.flight(node).body as usize];
        if about.kind == BodyKind::Fixed || about.is_sensor {
            return;
        }
        let [from, to] = span;
        let begin = EventOrder::before(Moment::at(from));
        let after = self.lines.order(node).max(begin);
        let is_concerned = |read: &Read| {
            let tick = read.order.moment.tick;
            tick <= to && bounds.is_none_or(|b| read.reach.overlaps(b))
        };
        self.outdate_deformables(after, is_concerned);
    }

    fn outdate_deformables(&mut self, after: EventOrder, is_concerned: impl Fn(&Read) -> bool) {
        for index in 0..self.deformables.count() {
            let Some(reads) = self.deformables.reads(index) else {
                continue;
            };
            let process = self.lines.deformable(index);
            let last = self.lines.order(self.lines.tip(process));
            if let Some(order) = reads.first(after, last, &is_concerned) {
                self.readers.outdate(process, order);
            }
        }
    }
}
