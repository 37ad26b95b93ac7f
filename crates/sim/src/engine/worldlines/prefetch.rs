//! Asking for memory before it is needed: latencies then overlap instead of adding up.

use super::Worldlines;
use warp::{NodeId, ProcessId};

impl Worldlines {
    /// Asks for what a check reads of a segment, and does not wait for it.
    #[inline]
    pub fn prefetch_motion(&self, node: NodeId) {
        self.flights.prefetch(node.index());
        self.turns.prefetch(node);
    }

    /// Asks for what a question about a body's state reads of a segment, but for its turn.
    #[inline]
    pub fn prefetch_segment(&self, node: NodeId) {
        self.graph.prefetch(node);
        self.flights.prefetch(node.index());
        self.turns.prefetch_place(node);
    }

    /// Asks for the turn of a segment.
    #[inline]
    pub fn prefetch_turn(&self, node: NodeId) {
        self.turns.prefetch(node);
    }

    /// Asks for how a segment begins to move.
    #[inline]
    pub fn prefetch_flight(&self, node: NodeId) {
        self.flights.prefetch(node.index());
    }

    /// Asks for the ends of a worldline.
    #[inline]
    pub fn prefetch_worldline(&self, process: ProcessId) {
        self.graph.prefetch_worldline(process);
    }

    /// Asks for what is read of a segment that is to be committed soon, and of the one before it.
    #[inline]
    pub fn prefetch_commit(&self, node: NodeId) {
        self.origins.prefetch(node.index());
        self.flights.prefetch(node.index());
        self.turns.prefetch(node);
        if let Some(previous) = self.graph.previous(node) {
            self.graph.prefetch(previous);
            self.turns.prefetch(previous);
        }
    }
}
