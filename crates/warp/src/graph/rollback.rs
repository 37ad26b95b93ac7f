//! How segments end: undone by rollback, which crosses links (Mirtich 2000, 4.2), or collected once GVT
//! has passed them. Undone ids wait before they are reused; collected ones are free at once.

use super::{NONE, Node, NodeId, ProcessId, StateGraph, Undone, Worldline};
use crate::time::EventOrder;

impl StateGraph {
    /// Deletes every segment of `p` with order >= `to`, and everything that their events and, in turn,
    /// the events after those had begun elsewhere. Each deleted segment is appended to `undone` once,
    /// newest first along a worldline. May annihilate a worldline that was never collected (a group).
    ///
    /// Panics when it reaches a segment before which others were collected: that is below GVT.
    pub fn roll_back(&mut self, p: ProcessId, to: EventOrder, undone: &mut Vec<Undone>) {
        let mut pending = std::mem::take(&mut self.pending);
        pending.push((p, to));
        while let Some((process, to)) = pending.pop() {
            self.truncate(process, to, &mut pending, undone);
        }
        self.pending = pending;
    }

    /// Lets undone ids be used again; `begin` and `add_process` do it on their own.
    #[inline]
    pub fn release_undone(&mut self) {
        if self.undone_first == NONE {
            return;
        }
        self.nodes[self.undone_last as usize].next = self.free;
        self.free = self.undone_first;
        self.undone_first = NONE;
        self.undone_last = NONE;
    }

    /// Fossil collection: frees all segments before `n` on its worldline, oldest last; `freed` hears of
    /// each, so that users can drop column data. From then on `n` cannot be undone.
    #[inline]
    pub fn collect_before(&mut self, n: NodeId, mut freed: impl FnMut(NodeId)) {
        let oldest = &mut self.nodes[n.index()];
        let mut node = std::mem::replace(&mut oldest.previous, NONE);
        if node == NONE {
            return;
        }
        let worldline = &mut self.worldlines[oldest.process as usize];
        worldline.oldest = n.0;
        worldline.collected = true;
        while node != NONE {
            let previous = self.free_committed(node);
            freed(NodeId(node));
            node = previous;
        }
    }

    /// The oldest segment of `p` is where kept history begins: it cannot be undone.
    pub fn settle_oldest(&mut self, p: ProcessId) {
        self.worldlines[p.index()].collected = true;
    }

    /// Deletes a process that is obsolete (GVT has passed its last segment) or annihilated (idle) and
    /// frees its remaining segments, `freed` hearing of each. Other worldlines keep their segments.
    pub fn remove_process(&mut self, p: ProcessId, mut freed: impl FnMut(NodeId)) {
        let mut node = self.worldline(p).tip;
        while node != NONE {
            let previous = self.free_committed(node);
            freed(NodeId(node));
            node = previous;
        }
        self.worldlines[p.index()] = Worldline {
            tip: self.vacant,
            oldest: NONE,
            collected: false,
            vacant: true,
        };
        self.vacant = p.0;
    }

    /// Forgets all segments of `p` and begins its worldline anew, as if its first segment had begun at `order`; that
    /// one cannot be undone. Other worldlines keep their segments.
    pub fn restart(&mut self, p: ProcessId, order: EventOrder) -> NodeId {
        self.remove_process(p, |_| {});
        let same = self.add_idle_process();
        debug_assert_eq!(same, p, "the process that was removed last is added first");
        let mut begun = Vec::new();
        self.begin(order, &[p], &mut begun);
        self.settle_oldest(p);
        begun[0]
    }

    /// Deletes the tips of `p` from `to` on; the other members of their rings go to `pending`.
    fn truncate(
        &mut self,
        p: ProcessId,
        to: EventOrder,
        pending: &mut Vec<(ProcessId, EventOrder)>,
        undone: &mut Vec<Undone>,
    ) {
        let mut tip = self.worldline(p).tip;
        while tip != NONE && self.nodes[tip as usize].order >= to {
            let Node {
                order, previous, ..
            } = self.nodes[tip as usize];
            assert!(
                previous != NONE || !self.worldlines[p.index()].collected,
                "rollback of process {} to {to:?} goes below GVT: segments before {order:?} were collected",
                p.0
            );
            self.dissolve_ring(tip, pending);
            self.undo(tip);
            undone.push(Undone {
                process: p,
                node: NodeId(tip),
                order,
            });
            tip = previous;
        }
        self.worldlines[p.index()].tip = tip;
        match tip {
            NONE => self.worldlines[p.index()].oldest = NONE,
            tip => self.nodes[tip as usize].next = NONE,
        }
    }

    /// Every other member of the ring must be undone as well; all become rings of their own, so that an
    /// event of n segments is crossed once, not n times.
    #[inline]
    fn dissolve_ring(&mut self, node: u32, pending: &mut Vec<(ProcessId, EventOrder)>) {
        let mut at = self.nodes[node as usize].ring_next;
        while at != node {
            let member = &mut self.nodes[at as usize];
            pending.push((ProcessId(member.process), member.order));
            let next = member.ring_next;
            member.ring_next = at;
            member.ring_previous = at;
            at = next;
        }
        self.nodes[node as usize].ring_next = node;
        self.nodes[node as usize].ring_previous = node;
    }

    /// Makes references stale and puts the node among the undone.
    #[inline]
    fn undo(&mut self, node: u32) {
        self.live -= 1;
        self.nodes[node as usize].generation = self.nodes[node as usize].generation.wrapping_add(1);
        self.nodes[node as usize].next = NONE;
        self.nodes[node as usize].ring_next = NONE;
        match self.undone_last {
            NONE => self.undone_first = node,
            last => self.nodes[last as usize].next = node,
        }
        self.undone_last = node;
    }

    /// Takes a segment that can no longer be undone out of its ring and frees it; returns the one before.
    #[inline]
    fn free_committed(&mut self, id: u32) -> u32 {
        self.live -= 1;
        let node = &mut self.nodes[id as usize];
        node.generation = node.generation.wrapping_add(1);
        node.next = self.free;
        self.free = id;
        let Node {
            previous,
            ring_next,
            ring_previous,
            ..
        } = *node;
        if ring_next != id {
            self.nodes[ring_previous as usize].ring_next = ring_next;
            self.nodes[ring_next as usize].ring_previous = ring_previous;
        }
        self.nodes[id as usize].ring_next = NONE;
        previous
    }
}
