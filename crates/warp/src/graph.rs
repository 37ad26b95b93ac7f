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

mod rollback;

use crate::column::Column;
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

/// A segment that an event of one process began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Begun {
    /// The new tip.
    pub segment: NodeRef,
    /// The tip before.
    pub previous: NodeId,
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
    nodes: Column<Node>,
    worldlines: Column<Worldline>,
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
            nodes: Column::new(),
            worldlines: Column::new(),
            free: NONE,
            undone_first: NONE,
            undone_last: NONE,
            vacant: NONE,
            live: 0,
            pending: Vec::new(),
        }
    }

    /// A second graph with the same worldlines, which share their past. Takes constant time.
    pub fn branch(&mut self) -> Self {
        StateGraph {
            nodes: self.nodes.branch(),
            worldlines: self.worldlines.branch(),
            pending: Vec::new(),
            ..*self
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.nodes.reclaim();
        self.worldlines.reclaim();
    }

    /// A process with a first segment, begun by an event of its own at `order`.
    pub fn add_process(&mut self, order: EventOrder) -> (ProcessId, NodeId) {
        let process = self.add_idle_process();
        (process, self.push_segment(process, order))
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

    /// Asks for what is known of a segment, and does not wait for it.
    #[inline]
    pub fn prefetch(&self, n: NodeId) {
        self.nodes.prefetch(n.index());
    }

    /// The same for a worldline.
    #[inline]
    pub fn prefetch_worldline(&self, p: ProcessId) {
        self.worldlines.prefetch(p.index());
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

    /// The same for a reference that may be to no segment at all.
    #[inline]
    pub fn is_current(&self, r: NodeRef) -> bool {
        let node = self.nodes.get(r.node.index());
        node.is_some_and(|node| node.generation == r.generation)
    }

    /// Whether there is a segment of this number: it has begun and is neither undone nor collected.
    #[inline]
    pub fn is_used(&self, n: NodeId) -> bool {
        self.nodes[n.index()].ring_next != NONE
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
        let mut last = NONE;
        for &process in processes {
            let NodeId(node) = self.push_segment(process, order);
            if last != NONE {
                self.link_after(last, node);
            }
            last = node;
            begun.push(NodeId(node));
        }
    }

    /// [`StateGraph::begin`] for an event of one process. None, and nothing done, when `order` is not
    /// after the tip: a straggler, for which `p` must be rolled back first. Panics when `p` is idle.
    #[inline(always)]
    pub fn begin_solo(&mut self, order: EventOrder, p: ProcessId) -> Option<Begun> {
        let tip = self.tip(p);
        if order <= self.nodes[tip.index()].order {
            return None;
        }
        self.release_undone();
        if self.free == NONE {
            self.grow();
        }
        let id = self.free;
        self.nodes[tip.index()].next = id;
        self.worldlines[p.index()].tip = id;
        Some(Begun {
            segment: self.occupy(id, p, order, tip.0),
            previous: tip,
        })
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

    #[inline]
    fn worldline(&self, p: ProcessId) -> &Worldline {
        let worldline = &self.worldlines[p.index()];
        debug_assert!(!worldline.vacant, "process {} was removed", p.0);
        worldline
    }

    /// A new tip on `p`, alone in its ring.
    fn push_segment(&mut self, p: ProcessId, order: EventOrder) -> NodeId {
        if !self.is_idle(p) {
            let Some(begun) = self.begin_solo(order, p) else {
                let tip = self.order(self.tip(p));
                panic!(
                    "event {order:?} must come after the tip {tip:?} of process {}: roll it back first",
                    p.0
                );
            };
            return begun.segment.node;
        }
        self.release_undone();
        if self.free == NONE {
            self.grow();
        }
        let id = self.free;
        let worldline = &mut self.worldlines[p.index()];
        worldline.oldest = id;
        worldline.tip = id;
        self.occupy(id, p, order, NONE).node
    }

    /// Takes the first free node, `id`, for a segment after `previous`.
    #[inline(always)]
    fn occupy(&mut self, id: u32, p: ProcessId, order: EventOrder, previous: u32) -> NodeRef {
        let node = &mut self.nodes[id as usize];
        let generation = node.generation;
        self.free = node.next;
        *node = Node {
            order,
            process: p.0,
            generation,
            previous,
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
            ring_next: NONE,
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
