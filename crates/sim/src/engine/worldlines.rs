//! Worldlines: the segments of every process, oldest first, and what is known of each. The state graph says which
//! segments there are and how events link them; columns by segment say how each begins and goes on.

mod columns;
mod prefetch;
#[cfg(test)]
mod tests;

use super::Origin;
use super::turns::Turns;
use crate::world::{BodyId, NOBODY, World};
use physics::{Drive, Flight, ModelId, Vec3};
use record::Event;
use warp::{Column, EventOrder, Moment, NodeId, NodeRef, ProcessId, StateGraph, Tick, Undone};

/// What a process is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Process {
    /// A body.
    Body(BodyId),
    /// A callback, by its number in the world.
    Callback(usize),
    /// A cloth or a shell, by its number in the world.
    Deformable(usize),
    /// A multibody, by its number in the world.
    Multibody(usize),
    /// A contact group.
    Group,
}

/// How many processes of each kind that lasts for the whole run there are. They are numbered in this order;
/// groups come and go behind them.
#[derive(Clone, Copy, Debug)]
struct Lasting {
    bodies: usize,
    callbacks: usize,
    deformables: usize,
    multibodies: usize,
}

/// The group of a body that has none, in the column.
const ALONE: u32 = u32::MAX;

/// What is saved of a segment's place among others, beside its group and its momentum.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stay {
    /// For a member: where the step began.
    pub began: EventOrder,
    /// For a sleeper: the friction that holds it.
    pub grip: f64,
    /// For a guest: the body of its host, or a number that is none's.
    pub host: u32,
}

/// All worldlines. See the module's text.
pub(super) struct Worldlines {
    lasting: Lasting,
    graph: StateGraph,
    flights: Column<Flight>,
    turns: Turns,
    origins: Column<Origin>,
    /// When the segment's process wants to be woken: the end of a script's piece, a callback. As long as
    /// the last segment that does.
    alarms: Column<Tick>,
    slots: Column<f64>,
    slots_each: usize,
    /// Whether there may be groups; the columns below are empty otherwise.
    has_groups: bool,
    /// Contact group of a body's segment, and its momentum over the group's step.
    groups: Column<u32>,
    drives: Column<Drive>,
    /// For a member of a group that moves: the end of the step.
    step_ends: Column<Tick>,
    /// For a member of a group that moves: where the step began, which its segment may begin in the middle of.
    step_begins: Column<EventOrder>,
    /// For a sleeper: the friction that holds it.
    grips: Column<f64>,
    /// For a group's guest: the member that it has come to.
    hosts: Column<u32>,
}

impl Worldlines {
    /// None yet.
    pub fn new(world: &World) -> Self {
        Worldlines {
            lasting: Lasting {
                bodies: world.bodies.len(),
                callbacks: world.callbacks.len(),
                deformables: world.deformables.len(),
                multibodies: world.multibodies.len(),
            },
            graph: StateGraph::new(),
            flights: Column::new(),
            turns: Turns::new(),
            origins: Column::new(),
            alarms: Column::new(),
            slots: Column::new(),
            slots_each: world.slots,
            has_groups: world.contact.is_some(),
            groups: Column::new(),
            drives: Column::new(),
            step_ends: Column::new(),
            step_begins: Column::new(),
            grips: Column::new(),
            hosts: Column::new(),
        }
    }

    // What processes there are.

    /// What a process is.
    #[inline]
    pub fn kind(&self, process: ProcessId) -> Process {
        let Lasting {
            bodies,
            callbacks,
            deformables,
            multibodies,
        } = self.lasting;
        let index = process.index();
        if index < bodies {
            Process::Body(BodyId(process.0))
        } else if index < bodies + callbacks {
            Process::Callback(index - bodies)
        } else if index < bodies + callbacks + deformables {
            Process::Deformable(index - bodies - callbacks)
        } else if index < bodies + callbacks + deformables + multibodies {
            Process::Multibody(index - bodies - callbacks - deformables)
        } else {
            Process::Group
        }
    }

    /// Whether a process is a body.
    #[inline]
    pub fn is_body(&self, process: ProcessId) -> bool {
        process.index() < self.lasting.bodies
    }

    /// The process of a deformable.
    pub fn deformable(&self, index: usize) -> ProcessId {
        ProcessId((self.lasting.bodies + self.lasting.callbacks + index) as u32)
    }

    /// The process of a multibody.
    pub fn multibody(&self, index: usize) -> ProcessId {
        let Lasting {
            bodies,
            callbacks,
            deformables,
            ..
        } = self.lasting;
        ProcessId((bodies + callbacks + deformables + index) as u32)
    }

    /// The deformable that a process is, if it is one.
    pub fn deformable_of(&self, process: ProcessId) -> Option<usize> {
        match self.kind(process) {
            Process::Deformable(index) => Some(index),
            _ => None,
        }
    }

    /// How many processes are not groups.
    pub fn lasting(&self) -> usize {
        let Lasting {
            bodies,
            callbacks,
            deformables,
            multibodies,
        } = self.lasting;
        bodies + callbacks + deformables + multibodies
    }

    /// All bodies, as processes.
    pub fn bodies(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.lasting.bodies as u32).map(ProcessId)
    }

    /// All processes that have a segment.
    pub fn alive(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let all = (0..self.graph.processes() as u32).map(ProcessId);
        all.filter(|p| self.is_alive(*p))
    }

    /// All groups that have a segment.
    pub fn groups_alive(&self) -> impl Iterator<Item = ProcessId> + '_ {
        let groups = self.lasting() as u32..self.graph.processes() as u32;
        groups.map(ProcessId).filter(|p| self.is_alive(*p))
    }

    /// Whether a process exists and has a segment.
    #[inline]
    pub fn is_alive(&self, process: ProcessId) -> bool {
        self.graph.contains(process) && !self.graph.is_idle(process)
    }

    /// Whether a process exists.
    pub fn contains(&self, process: ProcessId) -> bool {
        self.graph.contains(process)
    }

    /// Whether a rollback has left nothing of a process: a group that was never founded.
    #[inline]
    pub fn is_annihilated(&self, process: ProcessId) -> bool {
        self.graph.contains(process) && self.graph.is_idle(process)
    }

    /// How many processes there are or have been.
    pub fn processes(&self) -> usize {
        self.graph.processes()
    }

    // The state graph, for reading.

    /// The newest segment of a process.
    #[inline]
    pub fn tip(&self, process: ProcessId) -> NodeId {
        self.graph.tip(process)
    }

    /// The oldest segment of a process that is still there.
    pub fn oldest(&self, process: ProcessId) -> NodeId {
        self.graph.oldest(process)
    }

    /// The process of a segment.
    #[inline]
    pub fn process(&self, node: NodeId) -> ProcessId {
        self.graph.process(node)
    }

    /// When a segment begins.
    #[inline]
    pub fn start(&self, node: NodeId) -> Moment {
        self.graph.start(node)
    }

    /// Where in the total order a segment begins.
    #[inline]
    pub fn order(&self, node: NodeId) -> EventOrder {
        self.graph.order(node)
    }

    /// Where a segment ends; never, if it is the newest.
    #[inline]
    pub fn end(&self, node: NodeId) -> EventOrder {
        self.graph.end(node)
    }

    /// The segment before on the same worldline.
    #[inline]
    pub fn previous(&self, node: NodeId) -> Option<NodeId> {
        self.graph.previous(node)
    }

    /// The segment after on the same worldline.
    #[inline]
    pub fn next(&self, node: NodeId) -> Option<NodeId> {
        self.graph.next(node)
    }

    /// The segments that the same event began.
    pub fn linked(&self, node: NodeId) -> impl Iterator<Item = NodeId> + '_ {
        self.graph.linked(node)
    }

    /// A reference that tells whether the segment is still there.
    #[inline]
    pub fn reference(&self, node: NodeId) -> NodeRef {
        self.graph.reference(node)
    }

    /// Whether the segment that was referred to is still there.
    #[inline]
    pub fn is_live(&self, reference: NodeRef) -> bool {
        self.graph.is_live(reference)
    }

    /// Whether the segment that was referred to is still there and the newest of its worldline.
    #[inline]
    pub fn is_current(&self, reference: NodeRef) -> bool {
        self.graph.is_current(reference)
    }

    /// The segment of a process that covers a place in the order.
    #[inline]
    pub fn covering(&self, process: ProcessId, at: EventOrder) -> Option<NodeId> {
        self.graph.covering(process, at)
    }

    /// The graph itself, for whoever keeps references and wants to know which are gone.
    pub fn graph(&self) -> &StateGraph {
        &self.graph
    }

    /// The segments of a body that begin after `after`, newest first.
    pub fn after(&self, body: ProcessId, after: EventOrder) -> impl Iterator<Item = NodeId> + '_ {
        let tip = Some(self.tip(body));
        std::iter::successors(tip, |node| self.previous(*node))
            .take_while(move |node| self.order(*node) > after)
    }

    // Beginning and undoing.

    /// A new process that begins at `order`.
    pub fn add_process(&mut self, order: EventOrder) -> NodeId {
        let (_, node) = self.graph.add_process(order);
        self.fit();
        node
    }

    /// A new process with no segment yet.
    pub fn add_idle_process(&mut self) -> ProcessId {
        self.graph.add_idle_process()
    }

    /// Begins a linked segment on every process; none of them has one at `order` or later.
    #[inline]
    pub fn begin(&mut self, order: EventOrder, processes: &[ProcessId], begun: &mut Vec<NodeId>) {
        self.graph.begin(order, processes, begun);
        self.fit();
    }

    /// Forgets a worldline and begins it anew at `order`, with a segment that cannot be undone.
    pub fn restart(&mut self, process: ProcessId, order: EventOrder) -> NodeId {
        let node = self.graph.restart(process, order);
        self.fit();
        node
    }

    /// Undoes a worldline from `to` on, and whatever is linked to what is undone.
    #[inline]
    pub fn roll_back(&mut self, process: ProcessId, to: EventOrder, undone: &mut Vec<Undone>) {
        self.graph.roll_back(process, to, undone);
    }

    /// Whether a process ran ahead of an event.
    #[inline]
    pub fn is_ahead(&self, process: ProcessId, of: EventOrder) -> bool {
        self.is_alive(process) && self.order(self.tip(process)) >= of
    }

    /// Frees what lies before a segment on its worldline.
    #[inline]
    pub fn collect_before(&mut self, node: NodeId, freed: impl FnMut(NodeId)) {
        self.graph.collect_before(node, freed);
    }

    /// Removes a process.
    pub fn remove(&mut self, process: ProcessId) {
        self.graph.remove_process(process, |_| {});
    }

    /// The oldest segment of a process can no longer be undone.
    pub fn settle_oldest(&mut self, process: ProcessId) {
        self.graph.settle_oldest(process);
    }

    /// Makes room in the columns for all segments.
    fn fit(&mut self) {
        let capacity = self.graph.capacity();
        if self.flights.len() >= capacity {
            return;
        }
        let nowhere = Flight {
            start: Tick::MIN,
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            model: ModelId::default(),
            body: NOBODY,
        };
        self.flights.grow(capacity, nowhere);
        self.turns.grow(capacity);
        self.origins.grow(capacity, Origin::of(Event::Start));
        self.slots.grow(capacity * self.slots_each, 0.0);
        if self.has_groups {
            self.groups.grow(capacity, ALONE);
            self.drives.grow(capacity, Drive::default());
            self.step_ends.grow(capacity, Tick::MAX);
            let never = EventOrder::before(Moment::at(Tick::MIN));
            self.step_begins.grow(capacity, never);
            self.grips.grow(capacity, 0.0);
            self.hosts.grow(capacity, NOBODY);
        }
    }

    // Memory.

    /// Segments held.
    pub fn held(&self) -> usize {
        self.graph.live()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.flights.bytes()
            + self.turns.bytes()
            + self.origins.bytes()
            + self.alarms.bytes()
            + self.slots.bytes()
            + self.groups.bytes()
            + self.drives.bytes()
            + self.step_ends.bytes()
            + self.step_begins.bytes()
            + self.grips.bytes()
            + self.hosts.bytes()
    }

    /// The same worldlines for a branch.
    pub fn branch(&mut self) -> Self {
        Worldlines {
            graph: self.graph.branch(),
            flights: self.flights.branch(),
            turns: self.turns.branch(),
            origins: self.origins.branch(),
            alarms: self.alarms.branch(),
            slots: self.slots.branch(),
            groups: self.groups.branch(),
            drives: self.drives.branch(),
            step_ends: self.step_ends.branch(),
            step_begins: self.step_begins.branch(),
            grips: self.grips.branch(),
            hosts: self.hosts.branch(),
            ..*self
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.graph.reclaim();
        self.flights.reclaim();
        self.turns.reclaim();
        self.origins.reclaim();
        self.alarms.reclaim();
        self.slots.reclaim();
        self.groups.reclaim();
        self.drives.reclaim();
        self.step_ends.reclaim();
        self.step_begins.reclaim();
        self.grips.reclaim();
        self.hosts.reclaim();
    }
}
