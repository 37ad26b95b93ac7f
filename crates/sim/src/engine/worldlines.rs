//! Worldlines: the segments of every process, oldest first, and what is known of each. The state graph says which
//! segments there are and how events link them; columns by segment say how each begins and goes on.

use super::models::Models;
use super::turns::Turns;
use super::{Course, Origin};
use crate::world::{BodyId, World};
use physics::{Drive, Flight, Mode, ModelId, Motion, Quat, Turn, Vec3};
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
/// The body of a segment that is not a body's, in its flight.
const NOBODY: u32 = u32::MAX;

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

    // What is known of a segment.

    /// How a body's segment begins to move.
    #[inline]
    pub fn flight(&self, node: NodeId) -> &Flight {
        &self.flights[node.index()]
    }

    /// How a body's segment turns.
    #[inline]
    pub fn turn(&self, node: NodeId) -> &Turn {
        &self.turns[node]
    }

    /// The same, for whoever integrates a multibody.
    pub fn turn_mut(&mut self, node: NodeId) -> &mut Turn {
        self.turns.get_mut(node)
    }

    /// The same, if the segment is a body's.
    pub fn turn_if_any(&self, node: NodeId) -> Option<&Turn> {
        self.turns.get(node)
    }

    /// How a segment came about.
    #[inline]
    pub fn origin(&self, node: NodeId) -> &Origin {
        &self.origins[node.index()]
    }

    /// The body of a body's segment.
    #[inline]
    pub fn body_of(&self, node: NodeId) -> BodyId {
        BodyId(self.flights[node.index()].body)
    }

    /// Whether a segment is on the worldline of a body, in the world or not.
    #[inline]
    pub fn is_bodys(&self, node: NodeId) -> bool {
        self.is_body(self.graph.process(node))
    }

    /// Whether the columns of a segment, which may be gone, tell of a body.
    #[inline]
    pub fn tells_of_body(&self, node: NodeId) -> bool {
        (self.flights[node.index()].body as usize) < self.lasting.bodies
    }

    /// Whether there is a segment of this number and it is a body's.
    pub fn is_used_by_body(&self, node: NodeId) -> bool {
        self.graph.is_used(node) && self.is_bodys(node)
    }

    /// The model that a segment's body follows outside of groups: that of its body, unless an input has given it
    /// another.
    #[inline]
    pub fn model(&self, node: NodeId) -> ModelId {
        self.flights[node.index()].model.free()
    }

    /// The motion of a body's segment.
    #[inline]
    pub fn motion<'a>(&'a self, node: NodeId, models: &'a Models) -> Motion<'a> {
        let flight = &self.flights[node.index()];
        Motion {
            model: models.get(flight.model),
            flight,
            turn: &self.turns[node],
        }
    }

    /// Whether a body's segment does not move at all.
    pub fn is_still(&self, node: NodeId, models: &Models) -> bool {
        let flight = &self.flights[node.index()];
        let model = models.get(flight.model);
        flight.velocity == Vec3::ZERO
            && self.turns[node].spin_max() == 0.0
            && model.gravity == Vec3::ZERO
            && !model.law.is_pieced()
    }

    /// The group of a segment, if it has one.
    #[inline]
    pub fn group_of(&self, node: NodeId) -> Option<ProcessId> {
        // Worlds without contact rules have no such column.
        let group = *self.groups.get(node.index())?;
        (group != ALONE).then_some(ProcessId(group))
    }

    /// Whether a body's segment is one of sleep.
    #[inline]
    pub fn is_asleep(&self, node: NodeId) -> bool {
        self.flights[node.index()].model.mode() == Mode::Carried
            && self.tells_of_body(node)
            && self.has_groups
            && self.groups[node.index()] == ALONE
    }

    /// The momentum of a group's member over the step.
    #[inline]
    pub fn drive(&self, node: NodeId) -> &Drive {
        &self.drives[node.index()]
    }

    /// The same, of any segment.
    pub fn drive_if_any(&self, node: NodeId) -> Drive {
        self.drives.get(node.index()).copied().unwrap_or_default()
    }

    /// The end of the step of a group's member; never for who is in none.
    #[inline]
    pub fn step_end(&self, node: NodeId) -> Tick {
        let end = self.step_ends.get(node.index());
        end.copied().unwrap_or(Tick::MAX)
    }

    /// The friction that holds a sleeper.
    #[inline]
    pub fn grip(&self, node: NodeId) -> f64 {
        self.grips.get(node.index()).copied().unwrap_or(0.0)
    }

    /// Where the step of a group's member began: where its segment begins, unless something has happened to the member
    /// within the step.
    #[inline]
    pub fn step_begins(&self, node: NodeId) -> EventOrder {
        self.step_begins[node.index()]
    }

    /// The same, as it is saved.
    pub fn stay(&self, node: NodeId) -> Stay {
        let began = self.step_begins.get(node.index());
        Stay {
            began: began.copied().unwrap_or(self.graph.order(node)),
            grip: self.grip(node),
            host: self.host(node).map_or(NOBODY, |host| host.0),
        }
    }

    /// The member that a group's guest has come to, if the segment is a guest's.
    #[inline]
    pub fn host(&self, node: NodeId) -> Option<BodyId> {
        let host = *self.hosts.get(node.index())?;
        (host != NOBODY).then_some(BodyId(host))
    }

    /// When a segment's process wants to be woken; never, for most.
    #[inline]
    pub fn alarm(&self, node: NodeId) -> Tick {
        self.alarms.get(node.index()).copied().unwrap_or(Tick::MAX)
    }

    /// The slots of a segment.
    pub fn slots(&self, node: NodeId) -> Vec<f64> {
        let first = node.index() * self.slots_each;
        (first..first + self.slots_each)
            .map(|place| self.slots[place])
            .collect()
    }

    // Filling segments in.

    /// Fills in a body's new segment; returns how it begins to move.
    pub fn place(&mut self, node: NodeId, course: &Course, models: &Models) -> Flight {
        let is_carried = course.group.is_some() || course.is_asleep;
        let model = match is_carried {
            true => course.model.carried(),
            false => course.model,
        };
        let flight = Flight {
            start: self.graph.start(node).tick,
            position: course.state.position,
            velocity: course.state.velocity,
            model,
            body: course.body.0,
        };
        self.flights[node.index()] = flight;
        let previous = Some(course.previous).filter(|previous| *previous != node);
        let attitude = (course.state.rotation, course.state.spin);
        self.turns
            .begin(node, previous, attitude, models.get(model));
        self.set_alarm(node, Tick::MAX);
        if self.has_groups {
            self.groups[node.index()] = course.group.map_or(ALONE, |group| group.0);
            self.drives[node.index()] = course.drive;
            self.step_ends[node.index()] = course.horizon;
            self.step_begins[node.index()] = course.began.unwrap_or(self.graph.order(node));
            self.grips[node.index()] = course.grip;
            self.hosts[node.index()] = course.host.map_or(NOBODY, |host| host.0);
        }
        flight
    }

    /// Fills in a body's segment that was saved.
    pub fn place_saved(
        &mut self,
        node: NodeId,
        flight: Flight,
        (rotation, spin): (Quat, Vec3),
        models: &Models,
    ) {
        self.flights[node.index()] = flight;
        let previous = self.graph.previous(node);
        let model = models.get(flight.model);
        self.turns.begin(node, previous, (rotation, spin), model);
    }

    /// Fills in a member's part of a segment that was saved.
    pub fn join(
        &mut self,
        node: NodeId,
        group: Option<ProcessId>,
        drive: Drive,
        end: Tick,
        stay: Stay,
    ) {
        if self.has_groups {
            self.groups[node.index()] = group.map_or(ALONE, |group| group.0);
            self.drives[node.index()] = drive;
            self.step_ends[node.index()] = end;
            self.step_begins[node.index()] = stay.began;
            self.grips[node.index()] = stay.grip;
            self.hosts[node.index()] = stay.host;
        }
    }

    /// Fills in a segment that is not a body's, to be woken at `alarm`.
    pub fn place_other(&mut self, node: NodeId, alarm: Tick) {
        let body = match self.kind(self.graph.process(node)) {
            // History counts bodies first, then deformables.
            Process::Deformable(index) => (self.lasting.bodies + index) as u32,
            _ => NOBODY,
        };
        self.flights[node.index()].body = body;
        if self.has_groups {
            self.groups[node.index()] = ALONE;
        }
        self.set_alarm(node, alarm);
    }

    /// Says how a segment came about.
    #[inline]
    pub fn set_origin(&mut self, node: NodeId, origin: Origin) {
        self.origins[node.index()] = origin;
    }

    /// Says under which watch a segment began.
    pub fn set_epoch(&mut self, node: NodeId, epoch: u32) {
        self.origins[node.index()].epoch = epoch;
    }

    /// Says when a segment's process wants to be woken.
    #[inline]
    pub fn set_alarm(&mut self, node: NodeId, at: Tick) {
        if node.index() < self.alarms.len() {
            self.alarms[node.index()] = at;
        } else if at != Tick::MAX {
            self.alarms.grow(node.index() + 1, Tick::MAX);
            self.alarms[node.index()] = at;
        }
    }

    /// Writes the slots of a segment; more than there are, and fewer, are no mistake.
    pub fn write_slots(&mut self, node: NodeId, values: &[f64]) {
        let first = node.index() * self.slots_each;
        for (place, value) in values.iter().take(self.slots_each).enumerate() {
            self.slots[first + place] = *value;
        }
    }

    /// A segment's slots begin as those of the segment before.
    #[inline]
    pub fn keep_slots(&mut self, node: NodeId, previous: NodeId) {
        for place in 0..self.slots_each {
            let value = self.slots[previous.index() * self.slots_each + place];
            self.slots[node.index() * self.slots_each + place] = value;
        }
    }

    /// Makes sure that a segment's dense output covers `tick`, where nobody asks about what is before
    /// `settled`; returns the steps taken.
    #[inline]
    pub fn integrate(&mut self, node: NodeId, models: &Models, [tick, settled]: [Tick; 2]) -> u32 {
        let flight = &self.flights[node.index()];
        let model = models.get(flight.model);
        self.turns.extend(node, flight, model, [tick, settled])
    }

    // Memory.

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::parts_yard::{at, two_balls};

    #[test]
    fn processes_are_numbered_by_kind() {
        let (world, lines, _) = two_balls();
        assert_eq!(lines.kind(ProcessId(1)), Process::Body(BodyId(1)));
        assert_eq!(lines.kind(ProcessId(2)), Process::Group);
        assert_eq!(lines.lasting(), world.bodies.len());
        assert_eq!(lines.deformable_of(ProcessId(0)), None);
    }

    #[test]
    fn what_an_event_has_begun_together_is_undone_together() {
        let (_, mut lines, _) = two_balls();
        let (a, b) = (ProcessId(0), ProcessId(1));
        let mut begun = Vec::new();
        lines.begin(at(10), &[a, b], &mut begun);
        lines.begin(at(20), &[b], &mut begun);
        assert!(lines.is_ahead(b, at(15)) && !lines.is_ahead(a, at(15)));
        assert_eq!(lines.after(b, at(5)).count(), 2);
        let mut undone = Vec::new();
        lines.roll_back(a, at(10), &mut undone);
        assert_eq!(
            undone.len(),
            3,
            "both of the ring, and what follows one of them"
        );
        assert_eq!(lines.after(b, at(5)).count(), 0);
    }

    #[test]
    fn a_group_that_a_rollback_leaves_nothing_of_is_annihilated() {
        let (_, mut lines, _) = two_balls();
        let group = lines.add_idle_process();
        let mut begun = Vec::new();
        lines.begin(at(10), &[ProcessId(0), group], &mut begun);
        assert_eq!(lines.groups_alive().count(), 1);
        lines.roll_back(ProcessId(0), at(10), &mut Vec::new());
        assert!(lines.is_annihilated(group));
        assert_eq!(lines.groups_alive().count(), 0);
    }

    #[test]
    fn a_segment_begins_as_its_course_says_and_keeps_its_slots() {
        let (world, mut lines, models) = two_balls();
        let first = lines.tip(ProcessId(0));
        lines.write_slots(first, &[7.0, 8.0, 9.0]);
        let mut begun = Vec::new();
        lines.begin(at(10), &[ProcessId(0)], &mut begun);
        let model = world.bodies[0].model;
        let state = world.bodies[0].start;
        let course = Course {
            is_asleep: true,
            grip: 0.5,
            ..Course::alone(BodyId(0), state, first, model)
        };
        let flight = lines.place(begun[0], &course, &models);
        lines.keep_slots(begun[0], first);
        assert_eq!(flight.start, Tick(10));
        assert!(lines.is_asleep(begun[0]) && lines.is_still(begun[0], &models));
        assert_eq!((lines.model(begun[0]), lines.grip(begun[0])), (model, 0.5));
        assert_eq!(lines.slots(begun[0]), [7.0, 8.0], "there are two slots");
        assert_eq!(lines.alarm(begun[0]), Tick::MAX);
    }
}
