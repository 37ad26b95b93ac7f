//! Jefferson's loop on the state graph: process what the schedule offers, roll back on stragglers,
//! unsend with antimessages, commit what GVT has passed. A process's state is its worldline's tip, so
//! rollback restores by truncating. Messages are the only ties between worldlines here: every event
//! begins one segment, which remembers its input and what it sent.

use super::model::{Committed, Envelope, MessageId, Model, Outbox, Output, check_send};
use super::schedule::Schedule;
use super::slab::{SentList, Slab, Status};
use super::transport::{Parcel, Transport};
use crate::graph::{NodeId, NodeRef, ProcessId, StateGraph, Undone};
use crate::time::{EventOrder, Tick};

/// Events between two looks at GVT: few enough for what waits to stay in the first-level cache.
const COLLECTION_INTERVAL: usize = 32;

/// What a segment keeps: the state after its event, and how to undo it.
#[derive(Clone, Copy, Debug)]
struct Segment<S> {
    state: S,
    /// Messages sent so far along this worldline.
    sequence: u32,
    /// What began it; [`MessageId::NONE`] in a process's first segment, which no rollback reaches.
    input: MessageId,
    sent: SentList,
}

/// What a run did. `committed` = `processed` - `undone` once it has ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Events processed, speculative ones included.
    pub processed: u64,
    /// Events undone.
    pub undone: u64,
    /// Events that GVT has passed.
    pub committed: u64,
    /// Worldlines truncated, by a straggler or by an antimessage.
    pub rollbacks: u64,
    /// Antimessages sent.
    pub antimessages: u64,
    /// Antimessages that arrived before their message.
    pub antimessages_first: u64,
    /// Most events that waited for GVT at one time.
    pub most_uncommitted: usize,
    /// Rounds of GVT and fossil collection.
    pub collections: u64,
}

/// A run of `model` that speculates as `S` chooses and `T` delivers.
pub struct Optimistic<'m, M: Model, S, T> {
    pub(super) model: &'m M,
    graph: StateGraph,
    segments: Vec<Segment<M::State>>,
    messages: Slab<M::Payload>,
    schedule: S,
    transport: T,
    /// Segments that wait for GVT, in the order of processing.
    uncommitted: Vec<NodeRef>,
    collect_at: usize,
    /// Messages that came up but lie beyond the end of the run.
    beyond: Vec<Envelope>,
    /// Messages whose antimessage has arrived and is to be carried out.
    arrived: Vec<MessageId>,
    undone: Vec<Undone>,
    gvt: Tick,
    statistics: Statistics,
}

impl<'m, M: Model, S: Schedule, T: Transport> Optimistic<'m, M, S, T> {
    /// All processes at their start, with the first messages sent.
    pub fn new(model: &'m M, schedule: S, transport: T) -> Self {
        let mut run = Optimistic {
            model,
            graph: StateGraph::new(),
            segments: Vec::new(),
            messages: Slab::new(),
            schedule,
            transport,
            uncommitted: Vec::new(),
            collect_at: COLLECTION_INTERVAL,
            beyond: Vec::new(),
            arrived: Vec::new(),
            undone: Vec::new(),
            gvt: Tick::MIN,
            statistics: Statistics::default(),
        };
        (0..model.processes()).for_each(|_| run.start_process());
        run
    }

    /// Runs until GVT reaches `until`: exactly the events before it are committed to `output`.
    pub fn run(&mut self, until: Tick, output: &mut impl Output<M>) -> Statistics {
        if until <= self.gvt {
            return self.statistics;
        }
        loop {
            self.deliver(false);
            match self.schedule.pop() {
                Some(envelope) if envelope.tick < until => self.process(envelope),
                Some(envelope) => self.beyond.push(envelope),
                None if self.deliver(true) => (),
                None => break,
            }
            if self.schedule.floor() >= until && !self.deliver(true) {
                break;
            }
            self.commit_if_due(until, output);
        }
        // Nothing is under way, and all that is pending lies beyond.
        self.gvt = until;
        self.commit(output);
        self.beyond
            .drain(..)
            .for_each(|envelope| self.schedule.push(envelope));
        self.statistics
    }

    /// Nothing before this tick can change any more.
    pub fn gvt(&self) -> Tick {
        self.gvt
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Bytes held: history, messages and queue.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.segments.capacity() * size_of::<Segment<M::State>>()
            + self.messages.bytes()
            + self.schedule.bytes()
            + self.uncommitted.capacity() * size_of::<NodeRef>()
            + self.undone.capacity() * size_of::<Undone>()
    }

    /// Messages that have neither been committed nor annihilated.
    pub fn messages(&self) -> usize {
        self.messages.live()
    }

    /// The next message of the schedule that was not annihilated.
    pub(super) fn next_pending(&mut self) -> Option<Envelope> {
        loop {
            let envelope = self.schedule.pop()?;
            if self.messages.status(envelope.message) != Status::Void {
                return Some(envelope);
            }
            self.messages.remove_void(envelope.message);
        }
    }

    pub(super) fn put_back(&mut self, envelope: Envelope) {
        self.schedule.push(envelope);
    }

    /// State and sequence number of `process`, as far as it has speculated.
    pub(super) fn latest(&self, process: ProcessId) -> (&M::State, u32) {
        let segment = &self.segments[self.graph.tip(process).index()];
        (&segment.state, segment.sequence)
    }

    pub(super) fn payload(&self, message: MessageId) -> M::Payload {
        *self.messages.payload(message)
    }

    fn start_process(&mut self) {
        let (process, node) = self.graph.add_process(EventOrder::MIN);
        let mut sending = Sending {
            messages: &mut self.messages,
            schedule: &mut self.schedule,
            transport: &mut self.transport,
            processes: self.model.processes() as usize,
            now: Tick::MIN,
            sender: process,
            sequence: 0,
            sent: SentList::EMPTY,
        };
        let state = self.model.start(process, &mut sending);
        let segment = Segment {
            state,
            sequence: sending.sequence,
            input: MessageId::NONE,
            sent: sending.sent,
        };
        self.set_segment(node, segment);
    }

    /// One event: a new segment on the receiver's worldline, after undoing what should come later.
    #[inline]
    pub(super) fn process(&mut self, envelope: Envelope) {
        if self.messages.status(envelope.message) == Status::Void {
            return self.messages.remove_void(envelope.message);
        }
        self.check_above_gvt(envelope.tick);
        let process = envelope.receiver;
        let Some(begun) = self.graph.begin_solo(envelope.order(), process) else {
            return self.process_straggler(envelope);
        };
        self.uncommitted.push(begun.segment);
        let node = begun.segment.node;
        let payload = self.messages.take_for_processing(envelope.message, node);
        let before = &self.segments[begun.previous.index()];
        let mut state = before.state.clone();
        let mut sending = Sending {
            sequence: before.sequence,
            processes: self.graph.processes(),
            messages: &mut self.messages,
            schedule: &mut self.schedule,
            transport: &mut self.transport,
            now: envelope.tick,
            sender: process,
            sent: SentList::EMPTY,
        };
        self.model
            .handle(process, envelope.tick, payload, &mut state, &mut sending);
        let after = Segment {
            state,
            sequence: sending.sequence,
            input: envelope.message,
            sent: sending.sent,
        };
        self.set_segment(node, after);
        self.statistics.processed += 1;
    }

    /// A message for a process that has gone further, or has processed an unsent message with the same
    /// place whose antimessage is still under way: first back to before it.
    #[cold]
    fn process_straggler(&mut self, envelope: Envelope) {
        self.undo(envelope.receiver, envelope.order());
        self.process(envelope);
    }

    #[inline]
    fn set_segment(&mut self, node: NodeId, segment: Segment<M::State>) {
        match self.segments.get_mut(node.index()) {
            Some(slot) => *slot = segment,
            None => self.segments.push(segment),
        }
    }

    /// Receives what has arrived; returns whether anything has.
    #[inline]
    fn deliver(&mut self, idle: bool) -> bool {
        let mut any = false;
        while let Some(parcel) = self.transport.receive(idle && !any) {
            any = true;
            match parcel {
                Parcel::Message(envelope) => self.arrive(envelope),
                Parcel::Antimessage { message, .. } => {
                    self.arrived.push(message);
                    self.annihilate();
                }
            }
        }
        any
    }

    /// The promise of GVT, kept by every message and every rollback.
    #[inline]
    fn check_above_gvt(&self, tick: Tick) {
        let gvt = self.gvt;
        assert!(
            tick >= gvt,
            "something at {tick:?} came up below GVT, {gvt:?}"
        );
    }

    fn arrive(&mut self, envelope: Envelope) {
        self.check_above_gvt(envelope.tick);
        if self.messages.status(envelope.message) == Status::AwaitedByAntimessage {
            self.messages.remove(envelope.message);
        } else {
            self.messages.set_status(envelope.message, Status::Pending);
            self.schedule.push(envelope);
        }
    }

    /// Undoes `process` from `to` on, and all that follows from it.
    #[cold]
    pub(super) fn undo(&mut self, process: ProcessId, to: EventOrder) {
        self.roll_back(process, to);
        self.annihilate();
    }

    /// Truncates one worldline: inputs go back to the schedule, what was sent is unsent.
    fn roll_back(&mut self, process: ProcessId, to: EventOrder) {
        self.check_above_gvt(to.moment.tick);
        let mut undone = std::mem::take(&mut self.undone);
        self.graph.roll_back(process, to, &mut undone);
        self.statistics.rollbacks += 1;
        self.statistics.undone += undone.len() as u64;
        for segment in undone.drain(..) {
            let Segment { input, sent, .. } = self.segments[segment.node.index()];
            self.take_back(segment, input);
            self.unsend(sent, segment.order.moment.tick);
        }
        self.undone = undone;
    }

    fn take_back(&mut self, undone: Undone, input: MessageId) {
        if self.messages.status(input) == Status::Annihilating {
            self.messages.remove(input);
        } else {
            self.messages.set_status(input, Status::Pending);
            let envelope = Envelope::of_event(undone.process, undone.order, input);
            self.schedule.push(envelope);
        }
    }

    fn unsend(&mut self, mut sent: SentList, at: Tick) {
        while let Some(message) = self.messages.next_sent(&mut sent) {
            self.statistics.antimessages += 1;
            let antimessage = Parcel::Antimessage { message, sent: at };
            if self.transport.send(antimessage).is_some() {
                self.arrived.push(message);
            }
        }
    }

    /// Carries out the antimessages that have arrived. Undoing a receipt may send more of them: the
    /// recursion of Mirtich's section 3, as a list.
    fn annihilate(&mut self) {
        while let Some(message) = self.arrived.pop() {
            match self.messages.status(message) {
                Status::Pending => self.messages.annul(message),
                Status::Processed(node) => {
                    self.messages.set_status(message, Status::Annihilating);
                    self.roll_back(self.graph.process(node), self.graph.order(node));
                }
                Status::InFlight => {
                    self.statistics.antimessages_first += 1;
                    self.messages
                        .set_status(message, Status::AwaitedByAntimessage);
                }
                status => unreachable!("a second antimessage for a message that is {status:?}"),
            }
        }
    }

    /// GVT: no message pending or under way can affect anything earlier. The floors are lower bounds
    /// and may be looser than what is known already, so the largest so far holds.
    fn lower_bound(&self) -> Tick {
        let floor = self.schedule.floor().min(self.transport.floor());
        floor.max(self.gvt)
    }

    #[inline]
    pub(super) fn commit_if_due(&mut self, until: Tick, output: &mut impl Output<M>) {
        if self.uncommitted.len() >= self.collect_at {
            self.gvt = self.lower_bound().min(until);
            self.commit(output);
        }
    }

    /// Fossil collection: what lies before GVT is told to `output`, and its history freed.
    fn commit(&mut self, output: &mut impl Output<M>) {
        let Optimistic {
            model,
            graph,
            segments,
            messages,
            uncommitted,
            gvt,
            statistics,
            ..
        } = self;
        statistics.most_uncommitted = statistics.most_uncommitted.max(uncommitted.len());
        uncommitted.retain(|&reference| {
            let Some((process, order)) = graph.resolve(reference) else {
                return false;
            };
            if order.moment.tick >= *gvt {
                return true;
            }
            let segment = &segments[reference.node.index()];
            let event = Committed {
                process,
                order,
                payload: messages.payload(segment.input),
                state: &segment.state,
            };
            output.commit(model, event);
            messages.remove(segment.input);
            graph.collect_before(reference.node, |_| ());
            statistics.committed += 1;
            false
        });
        statistics.collections += 1;
        // What stays is walked over again next time: let it at most double the work.
        self.collect_at = COLLECTION_INTERVAL + 2 * self.uncommitted.len();
    }
}

/// Sends through the transport and remembers what was sent.
struct Sending<'a, P, S, T> {
    messages: &'a mut Slab<P>,
    schedule: &'a mut S,
    transport: &'a mut T,
    processes: usize,
    now: Tick,
    sender: ProcessId,
    sequence: u32,
    sent: SentList,
}

impl<P: Copy, S: Schedule, T: Transport> Outbox<P> for Sending<'_, P, S, T> {
    #[inline(always)]
    fn send(&mut self, receiver: ProcessId, at: Tick, payload: P) {
        check_send(self.now, at, receiver, self.processes);
        let message = self.messages.insert(payload, self.sent);
        self.sent = SentList::starting_at(message);
        let envelope = Envelope {
            tick: at,
            receiver,
            sender: self.sender,
            sequence: self.sequence,
            message,
        };
        self.sequence += 1;
        match self.transport.send(Parcel::Message(envelope)) {
            Some(_) => self.schedule.push(envelope),
            None => self.messages.set_status(message, Status::InFlight),
        }
    }
}
