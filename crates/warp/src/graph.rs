//! The state graph (Mirtich 2000, sections 4.2 and 4.4): worldlines of segments, tied by the events
//! that began them. Topology only: users keep their own columns, indexed by [`NodeId`].
//!
//! A worldline is a chain of segments in strictly rising [`EventOrder`]. An event begins one segment
//! on every process that it involves, and these are linked in a ring; rollback deletes the end of a
//! worldline and crosses the rings, so that what an undone event had begun disappears everywhere.
//!
//! Contact groups (4.4) are processes too, made while running by [`StateGraph::add_idle_process`] and
//! deleted by [`StateGraph::remove_process`]. A fusion or fission *begins a segment on every process
//! involved*: on each body and old group, where the user's column says "in group g" or "terminated,
//! see g", and the first one of each new group. That one rule serves for all pointers of the paper:
//! undoing any of these segments undoes the others, and [`StateGraph::linked`] finds successors. When
//! rollback has annihilated a group ([`StateGraph::is_idle`]) or GVT has passed its last segment, the
//! user removes it and its id is used again.
//!
//! Ids of undone nodes: [`StateGraph::roll_back`] leaves them unused, and the users' column entries
//! therefore intact, until the next `begin`, `add_process` or `release_undone`. Their references
//! ([`NodeRef`]) are stale at once.

use crate::time::{EventOrder, Moment};

const NONE: u32 = u32::MAX;

/// A worldline: a body, a group, a logical process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ProcessId(pub u32);

impl ProcessId {
    /// For columns indexed by process.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A segment's place in the slab. Reused after the segment was undone or collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(pub u32);

impl NodeId {
    /// For columns indexed by node.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A reference that knows when it is stale: the node was undone or collected since. Generations are
/// 32 bits, so a reference must not be kept over 2^32 reuses of one node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeRef {
    /// The node referred to.
    pub node: NodeId,
    /// The node's generation when the reference was taken.
    pub generation: u32,
}

/// A segment that a rollback deleted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undone {
    /// Whose worldline it was on.
    pub process: ProcessId,
    /// Its node, not reused before the next `begin`, `add_process` or `release_undone`.
    pub node: NodeId,
    /// The event that had begun it.
    pub order: EventOrder,
}

/// One segment. 48 bytes: the order of its event, and intrusive links.
#[derive(Clone, Copy, Debug)]
struct Node {
    order: EventOrder,
    process: u32,
    generation: u32,
    previous: u32,
    /// The successor; in a free node, the next free one.
    next: u32,
    ring_next: u32,
    ring_previous: u32,
}

#[derive(Clone, Copy, Debug)]
struct Worldline {
    /// Newest segment; `NONE` when idle. In a vacant slot, the next vacant one.
    tip: u32,
    oldest: u32,
    /// Segments before `oldest` were collected, so `oldest` may not be undone.
    collected: bool,
    vacant: bool,
}

/// Worldlines and their links. See the module's text for the rules.
#[derive(Clone, Debug)]
pub struct StateGraph {
    nodes: Vec<Node>,
    worldlines: Vec<Worldline>,
    free: u32,
    /// Undone nodes, not yet free: a list with both ends, to be spliced in one step.
    undone_first: u32,
    undone_last: u32,
    vacant: u32,
    live: usize,
    pending: Vec<(ProcessId, EventOrder)>,
}

impl Default for StateGraph {
    fn default() -> Self {
        Self::new()
    }
}

impl StateGraph {
    /// No processes yet.
    pub fn new() -> Self {
        StateGraph {
            nodes: Vec::new(),
            worldlines: Vec::new(),
            free: NONE,
            undone_first: NONE,
            undone_last: NONE,
            vacant: NONE,
            live: 0,
            pending: Vec::new(),
        }
    }

    /// A process with a first segment, begun by an event of its own at `order`.
    pub fn add_process(&mut self, order: EventOrder) -> (ProcessId, NodeId) {
        let process = self.add_idle_process();
        self.release_undone();
        (process, self.push_segment(process, order).node)
    }

    /// A process with no segment: a new group, whose first segment the fusion's or fission's
    /// [`StateGraph::begin`] will link to the bodies'. Ids of removed processes are used again.
    pub fn add_idle_process(&mut self) -> ProcessId {
        let idle = Worldline {
            tip: NONE,
            oldest: NONE,
            collected: false,
            vacant: false,
        };
        if self.vacant == NONE {
            self.worldlines.push(idle);
            return ProcessId(self.worldlines.len() as u32 - 1);
        }
        let process = ProcessId(self.vacant);
        self.vacant = self.worldlines[process.index()].tip;
        self.worldlines[process.index()] = idle;
        process
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

    /// Highest process index + 1, removed ones included: the size that columns per process need.
    #[inline]
    pub fn processes(&self) -> usize {
        self.worldlines.len()
    }

    /// Whether `p` exists, that is, was added and not removed.
    #[inline]
    pub fn contains(&self, p: ProcessId) -> bool {
        self.worldlines.get(p.index()).is_some_and(|w| !w.vacant)
    }

    /// Whether `p` has no segment: a new group, or one that rollback annihilated.
    #[inline]
    pub fn is_idle(&self, p: ProcessId) -> bool {
        self.worldline(p).tip == NONE
    }

    /// Highest node index + 1: the size that columns per node need.
    #[inline]
    pub fn capacity(&self) -> usize {
        self.nodes.len()
    }

    /// Segments that exist now.
    #[inline]
    pub fn live(&self) -> usize {
        self.live
    }

    /// Bytes held by the graph itself.
    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.worldlines.capacity() * size_of::<Worldline>()
            + self.pending.capacity() * size_of::<(ProcessId, EventOrder)>()
    }

    /// The newest segment of `p`. Panics when `p` is idle.
    #[inline]
    pub fn tip(&self, p: ProcessId) -> NodeId {
        let tip = self.worldline(p).tip;
        assert!(tip != NONE, "process {} is idle: it has no tip", p.0);
        NodeId(tip)
    }

    /// The oldest segment of `p` that is still kept. Panics when `p` is idle.
    #[inline]
    pub fn oldest(&self, p: ProcessId) -> NodeId {
        let oldest = self.worldline(p).oldest;
        assert!(oldest != NONE, "process {} is idle: it has no segment", p.0);
        NodeId(oldest)
    }

    /// Whose worldline `n` is on.
    #[inline]
    pub fn process(&self, n: NodeId) -> ProcessId {
        ProcessId(self.nodes[n.index()].process)
    }

    /// When the segment starts.
    #[inline]
    pub fn start(&self, n: NodeId) -> Moment {
        self.nodes[n.index()].order.moment
    }

    /// The event that began the segment.
    #[inline]
    pub fn order(&self, n: NodeId) -> EventOrder {
        self.nodes[n.index()].order
    }

    /// The segment before, if it is still kept.
    #[inline]
    pub fn previous(&self, n: NodeId) -> Option<NodeId> {
        some_node(self.nodes[n.index()].previous)
    }

    /// The segment after, none for a tip.
    #[inline]
    pub fn next(&self, n: NodeId) -> Option<NodeId> {
        some_node(self.nodes[n.index()].next)
    }

    /// The event that ends the segment: its successor's order, [`EventOrder::MAX`] for a tip. Read
    /// through `next` rather than stored: most questions are about tips, which then stay at 48 bytes.
    #[inline]
    pub fn end(&self, n: NodeId) -> EventOrder {
        match self.nodes[n.index()].next {
            NONE => EventOrder::MAX,
            next => self.nodes[next as usize].order,
        }
    }

    /// A reference that will be stale once the node is undone or collected.
    #[inline]
    pub fn reference(&self, n: NodeId) -> NodeRef {
        NodeRef {
            node: n,
            generation: self.nodes[n.index()].generation,
        }
    }

    /// Whether the segment referred to still exists.
    #[inline]
    pub fn is_live(&self, r: NodeRef) -> bool {
        self.nodes[r.node.index()].generation == r.generation
    }

    /// Whose worldline the segment referred to is on and the event that began it, if it still exists.
    #[inline]
    pub fn resolve(&self, r: NodeRef) -> Option<(ProcessId, EventOrder)> {
        let node = &self.nodes[r.node.index()];
        (node.generation == r.generation).then_some((ProcessId(node.process), node.order))
    }

    /// The segment of `p` whose start order <= `at` < end; none before the oldest kept one. Walks back
    /// from the tip, since questions are mostly about the recent.
    #[inline]
    pub fn covering(&self, p: ProcessId, at: EventOrder) -> Option<NodeId> {
        let mut node = self.worldline(p).tip;
        while node != NONE && self.nodes[node as usize].order > at {
            node = self.nodes[node as usize].previous;
        }
        some_node(node)
    }

    /// The event `order` begins a new tip on each of `processes`, all linked in one ring; the nodes are
    /// appended to `begun` in the order of `processes`. Panics unless `order` is after every tip: roll
    /// back first.
    #[inline]
    pub fn begin(&mut self, order: EventOrder, processes: &[ProcessId], begun: &mut Vec<NodeId>) {
        self.release_undone();
        let mut last = NONE;
        for &process in processes {
            let NodeId(node) = self.push_segment(process, order).node;
            if last != NONE {
                self.link_after(last, node);
            }
            last = node;
            begun.push(NodeId(node));
        }
    }

    /// [`StateGraph::begin`] for an event of one process, returning a reference to its segment.
    #[inline(always)]
    pub fn begin_solo(&mut self, order: EventOrder, p: ProcessId) -> NodeRef {
        self.release_undone();
        self.push_segment(p, order)
    }

    /// The other segments that the same event began and that are still kept.
    #[inline]
    pub fn linked(&self, n: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        let mut at = self.nodes[n.index()].ring_next;
        std::iter::from_fn(move || {
            if at == n.0 {
                return None;
            }
            let node = at;
            at = self.nodes[at as usize].ring_next;
            Some(NodeId(node))
        })
    }

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

    #[inline]
    fn worldline(&self, p: ProcessId) -> &Worldline {
        let worldline = &self.worldlines[p.index()];
        debug_assert!(!worldline.vacant, "process {} was removed", p.0);
        worldline
    }

    /// A new tip on `p`, alone in its ring.
    #[inline(always)]
    fn push_segment(&mut self, p: ProcessId, order: EventOrder) -> NodeRef {
        if self.free == NONE {
            self.grow();
        }
        let id = self.free;
        let worldline = &mut self.worldlines[p.index()];
        debug_assert!(!worldline.vacant, "process {} was removed", p.0);
        let tip = worldline.tip;
        if tip == NONE {
            worldline.oldest = id;
        } else {
            let before = &mut self.nodes[tip as usize];
            if order <= before.order {
                refuse_event(p, order, before.order);
            }
            before.next = id;
        }
        worldline.tip = id;
        let node = &mut self.nodes[id as usize];
        let generation = node.generation;
        self.free = node.next;
        *node = Node {
            order,
            process: p.0,
            generation,
            previous: tip,
            next: NONE,
            ring_next: id,
            ring_previous: id,
        };
        self.live += 1;
        NodeRef {
            node: NodeId(id),
            generation,
        }
    }

    /// One more free node.
    #[cold]
    fn grow(&mut self) {
        let id = self.nodes.len() as u32;
        assert!(
            id < NONE,
            "the state graph holds 2^32 - 1 segments: collect"
        );
        self.nodes.push(Node {
            order: EventOrder::MIN,
            process: 0,
            generation: 0,
            previous: NONE,
            next: NONE,
            ring_next: id,
            ring_previous: id,
        });
        self.free = id;
    }

    /// Puts `node`, alone in its ring, into the ring of `ring` after it.
    #[inline]
    fn link_after(&mut self, ring: u32, node: u32) {
        let next = self.nodes[ring as usize].ring_next;
        self.nodes[node as usize].ring_next = next;
        self.nodes[node as usize].ring_previous = ring;
        self.nodes[next as usize].ring_previous = node;
        self.nodes[ring as usize].ring_next = node;
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
        previous
    }
}

#[cold]
fn refuse_event(p: ProcessId, order: EventOrder, tip: EventOrder) -> ! {
    panic!(
        "event {order:?} must come after the tip {tip:?} of process {}: roll it back first",
        p.0
    )
}

#[inline]
fn some_node(node: u32) -> Option<NodeId> {
    (node != NONE).then_some(NodeId(node))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_fits_three_quarters_of_a_cache_line() {
        assert_eq!(size_of::<Node>(), 48);
        assert_eq!(size_of::<NodeRef>(), 8);
    }
}
