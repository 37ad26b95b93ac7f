//! What an input changed: segments undone and begun since it came are compared, body by body.

use super::Engine;
use crate::input::Change;
use crate::world::BodyId;
use warp::{EventOrder, NodeId, NodeRef, Tick};

/// A body's segment, reduced to what tells it from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fingerprint {
    /// The body.
    pub body: u32,
    /// Where the segment begins.
    pub order: EventOrder,
    /// A checksum of how it begins.
    sum: u64,
}

/// What happened since the watch began.
#[derive(Clone, Debug, Default)]
pub(super) struct Watch {
    /// Number of this watch; segments begun under it carry it.
    epoch: u32,
    is_on: bool,
    /// Where the past ends that is simulated again.
    now: Tick,
    /// Segments undone that had been there before.
    undone: Vec<Fingerprint>,
    begun: Vec<NodeRef>,
}

impl Watch {
    /// Begins anew: what is undone and begun before `now` counts.
    fn begin(&mut self, now: Tick) {
        self.now = now;
        self.epoch = self.epoch.wrapping_add(1).max(1);
        self.is_on = true;
        self.undone.clear();
        self.begun.clear();
    }

    /// How far a look-ahead from `from` to `horizon` goes. In a past that is simulated again it ends with
    /// the past: what lies beyond is looked at when time gets there, unless another input comes first.
    #[inline]
    pub fn cut(&self, from: Tick, horizon: Tick) -> Tick {
        if self.is_on && from < self.now {
            horizon.min(self.now)
        } else {
            horizon
        }
    }
}

impl Engine {
    /// Begins to note what is undone and begun before `now`.
    pub(crate) fn begin_watch(&mut self, now: Tick) {
        self.observers.watch_mut().begin(now);
    }

    /// A segment was undone; its columns are still there.
    #[inline]
    pub(super) fn watch_undone(&mut self, node: NodeId, order: EventOrder) {
        if self.observers.watch().is_on
            && self.lines.tells_of_body(node)
            && self.lines.origin(node).epoch != self.observers.watch().epoch
        {
            let print = self.print(node, order);
            self.observers.watch_mut().undone.push(print);
        }
    }

    /// A body's segment has begun.
    #[inline]
    pub(super) fn watch_begun(&mut self, node: NodeId) {
        if self.observers.watch().is_on {
            self.lines.set_epoch(node, self.observers.watch().epoch);
            self.observers
                .watch_mut()
                .begun
                .push(self.lines.reference(node));
        }
    }

    fn print(&self, node: NodeId, order: EventOrder) -> Fingerprint {
        let (flight, turn) = (self.lines.flight(node), self.lines.turn(node));
        let mut sum = flight.model.place() as u64;
        let mut mix = |x: f64| {
            sum = (sum ^ x.to_bits())
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(29);
        };
        for v in [flight.position, flight.velocity, turn.spin] {
            v.to_array().into_iter().for_each(&mut mix);
        }
        turn.rotation.to_array().into_iter().for_each(&mut mix);
        Fingerprint {
            body: flight.body,
            order,
            sum,
        }
    }

    /// Fingerprints of all segments of bodies that begin after `from`, by body and order.
    pub(crate) fn fingerprints(&self, from: EventOrder) -> Vec<Fingerprint> {
        let mut prints = Vec::new();
        for body in self.lines.bodies() {
            let print = |node: NodeId| self.print(node, self.lines.order(node));
            prints.extend(self.lines.after(body, from).map(print));
        }
        prints.sort_unstable();
        prints
    }

    /// Ends the watch: which bodies are no longer what they were, and from when.
    pub(crate) fn end_watch(&mut self) -> Change {
        self.observers.watch_mut().is_on = false;
        let mut before = std::mem::take(&mut self.observers.watch_mut().undone);
        let mut after: Vec<Fingerprint> = self
            .observers
            .watch()
            .begun
            .iter()
            .filter(|r| self.lines.is_live(**r))
            .map(|r| self.print(r.node, self.lines.order(r.node)))
            .collect();
        before.sort_unstable();
        after.sort_unstable();
        let mut change = Change {
            undone: before.len(),
            begun: after.len(),
            ..Change::default()
        };
        let (mut old, mut new) = (before.as_slice(), after.as_slice());
        while let Some(body) = [old.first(), new.first()]
            .into_iter()
            .flatten()
            .map(|p| p.body)
            .min()
        {
            let of_body = |prints: &[Fingerprint]| prints.partition_point(|p| p.body <= body);
            let (was, is) = (&old[..of_body(old)], &new[..of_body(new)]);
            let same = was.iter().zip(is).take_while(|(a, b)| a == b).count();
            let differs = [was.get(same), is.get(same)];
            match differs
                .into_iter()
                .flatten()
                .map(|p| p.order.moment.tick)
                .min()
            {
                Some(tick) => change.changed.push((BodyId(body), tick)),
                None => change.repeated.push(BodyId(body)),
            }
            (old, new) = (&old[was.len()..], &new[is.len()..]);
        }
        before.clear();
        self.observers.watch_mut().undone = before;
        change
    }
}
