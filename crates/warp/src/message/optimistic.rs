//! Jefferson's loop on the state graph: process what the schedule offers, roll back on stragglers,
//! unsend with antimessages, commit what GVT has passed. A process's state is its worldline's tip, so
//! rollback restores by truncating. Messages are the only ties between worldlines here: every event
//! begins one segment, which remembers its input and what it sent.
//!
//! One [`Optimistic`] is one worker. Alone it has all processes; several, each in its thread or on its
//! machine, share them, and only their [`Transport`] knows what lies between.

mod commit;
mod undo;

use super::foreign::PostedList;
use super::gvt::{Control, Outcome};
use super::model::{Envelope, MessageId, Model, Outbox, Output, check_send};
use super::post::Post;
use super::schedule::Schedule;
use super::share::Share;
use super::slab::{SentList, Slab, Status};
use super::throttle::Throttle;
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
    posted: PostedList,
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
    /// Messages sent to other workers, undone ones included.
    pub posted: u64,
    /// Antimessages sent.
    pub antimessages: u64,
    /// Antimessages that arrived before their message.
    pub antimessages_first: u64,
    /// Most events that waited for GVT at one time.
    pub most_uncommitted: usize,
    /// Rounds of GVT and fossil collection.
    pub collections: u64,
    /// Times that a worker had nothing to do, or too much that waited for GVT.
    pub pauses: u64,
}

impl Statistics {
    /// What two workers did together.
    pub fn with(self, other: Statistics) -> Statistics {
        Statistics {
            processed: self.processed + other.processed,
            undone: self.undone + other.undone,
            committed: self.committed + other.committed,
            rollbacks: self.rollbacks + other.rollbacks,
            posted: self.posted + other.posted,
            antimessages: self.antimessages + other.antimessages,
            antimessages_first: self.antimessages_first + other.antimessages_first,
            most_uncommitted: self.most_uncommitted.max(other.most_uncommitted),
            collections: self.collections.max(other.collections),
            pauses: self.pauses + other.pauses,
        }
    }

    /// Committed events over processed ones.
    pub fn efficiency(&self) -> f64 {
        self.committed as f64 / (self.processed.max(1)) as f64
    }
}

/// What [`Optimistic::step`] did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// An event, or something that had arrived.
    Worked,
    /// Nothing: no event may be processed, and nothing has arrived.
    Idle,
    /// GVT has reached the end of the run.
    Done,
}

/// A run of `model`, or one worker's share of it, that speculates as `S` chooses and `T` delivers.
pub struct Optimistic<'m, M: Model, S, T> {
    pub(super) model: &'m M,
    graph: StateGraph,
    segments: Vec<Segment<M::State>>,
    messages: Slab<M::Payload>,
    schedule: S,
    post: Post<M::Payload, T>,
    /// Segments that wait for GVT, in the order of processing.
    uncommitted: Vec<NodeRef>,
    collect_at: usize,
    /// Whether the root was asked for GVT since it was last announced.
    asked: bool,
    throttle: Throttle,
    /// Messages that came up but lie beyond the end of the run.
    beyond: Vec<Envelope>,
    /// Messages whose antimessage has arrived and is to be carried out.
    arrived: Vec<MessageId>,
    undone: Vec<Undone>,
    gvt: Tick,
    /// What the last round found; becomes GVT with the next commit.
    next_gvt: Tick,
    statistics: Statistics,
}

impl<'m, M: Model, S: Schedule, T: Transport<M::Payload>> Optimistic<'m, M, S, T> {
    /// All processes at their start, with the first messages sent.
    pub fn new(model: &'m M, schedule: S, transport: T) -> Self {
        let mut run = Optimistic {
            model,
            graph: StateGraph::new(),
            segments: Vec::new(),
            messages: Slab::new(),
            schedule,
            post: Post::new(transport, model.processes()),
            uncommitted: Vec::new(),
            collect_at: COLLECTION_INTERVAL,
            asked: false,
            throttle: Throttle::new(),
            beyond: Vec::new(),
            arrived: Vec::new(),
            undone: Vec::new(),
            gvt: Tick::MIN,
            next_gvt: Tick::MIN,
            statistics: Statistics::default(),
        };
        let own = run.post.share.processes();
        own.for_each(|_| run.start_process());
        run.post.transport.flush();
        run
    }

    /// Bounds memory: this worker pauses when `most` of its events wait for GVT, unless it is its own
    /// events that GVT waits for.
    pub fn set_most_uncommitted(&mut self, most: usize) {
        self.throttle.set_most(most);
    }

    /// Runs until GVT reaches `until`: exactly the events before it are committed to `output`. All
    /// workers of a run must be given the same `until`.
    pub fn run(&mut self, until: Tick, output: &mut impl Output<M>) -> Statistics {
        while self.step(until, output) != Step::Done {}
        self.statistics()
    }

    /// The least that a run consists of: receive, process one event or pause, commit what GVT passed.
    #[inline]
    pub fn step(&mut self, until: Tick, output: &mut impl Output<M>) -> Step {
        if self.gvt >= until {
            return Step::Done;
        }
        let mut step = Step::Worked;
        let any = self.deliver(false);
        match self.next_event(until) {
            Some(envelope) => self.process(envelope),
            None if any => (),
            None => step = self.pause(until),
        }
        if self.uncommitted.len() >= self.collect_at {
            self.seek_gvt();
        }
        if self.next_gvt > self.gvt {
            self.rise(until, output);
        }
        step
    }

    /// Nothing before this tick can change any more.
    pub fn gvt(&self) -> Tick {
        self.gvt
    }

    /// What was done so far.
    pub fn statistics(&self) -> Statistics {
        Statistics {
            posted: self.post.sent(),
            ..self.statistics
        }
    }

    /// The processes of this worker.
    pub fn share(&self) -> Share {
        self.post.share
    }

    /// What carries this worker's messages.
    pub fn transport(&mut self) -> &mut T {
        &mut self.post.transport
    }

    /// Bytes held: history, messages and queue.
    pub fn bytes(&self) -> usize {
        self.graph.bytes()
            + self.segments.capacity() * size_of::<Segment<M::State>>()
            + self.messages.bytes()
            + self.schedule.bytes()
            + self.post.bytes()
            + self.uncommitted.capacity() * size_of::<NodeRef>()
            + self.undone.capacity() * size_of::<Undone>()
    }

    /// Messages that have arrived and have neither been committed nor annihilated.
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
        let local = self.post.share.local(process);
        let segment = &self.segments[self.graph.tip(local).index()];
        (&segment.state, segment.sequence)
    }

    pub(super) fn payload(&self, message: MessageId) -> M::Payload {
        *self.messages.payload(message)
    }

    fn start_process(&mut self) {
        let (local, node) = self.graph.add_process(EventOrder::MIN);
        let process = self.post.share.global(local);
        let mut sending = Sending {
            messages: &mut self.messages,
            schedule: &mut self.schedule,
            post: &mut self.post,
            processes: self.model.processes() as usize,
            now: Tick::MIN,
            sender: process,
            sequence: 0,
            sent: SentList::EMPTY,
            posted: PostedList::EMPTY,
        };
        let state = self.model.start(process, &mut sending);
        let segment = Segment {
            state,
            sequence: sending.sequence,
            input: MessageId::NONE,
            sent: sending.sent,
            posted: sending.posted,
        };
        self.set_segment(node, segment);
    }

    /// The message to process now; none when all that is pending lies beyond the end of the run, or
    /// when too much waits for GVT already.
    #[inline(always)]
    fn next_event(&mut self, until: Tick) -> Option<Envelope> {
        if self.is_throttled() {
            return None;
        }
        while self.schedule.floor() < until {
            let envelope = self.schedule.pop()?;
            if envelope.tick < until {
                return Some(envelope);
            }
            self.beyond.push(envelope);
        }
        None
    }

    /// Whether to wait for GVT. Never while GVT may be waiting for this worker.
    #[inline]
    fn is_throttled(&self) -> bool {
        self.throttle.is_reached(self.uncommitted.len()) && self.floor() > self.gvt
    }

    /// One event: a new segment on the receiver's worldline, after undoing what should come later.
    #[inline]
    pub(super) fn process(&mut self, envelope: Envelope) {
        if self.messages.status(envelope.message) == Status::Void {
            return self.messages.remove_void(envelope.message);
        }
        self.check_above_gvt(envelope.tick);
        let process = envelope.receiver;
        let local = self.post.share.local(process);
        let Some(begun) = self.graph.begin_solo(envelope.order(), local) else {
            return self.process_straggler(envelope);
        };
        self.uncommitted.push(begun.segment);
        let node = begun.segment.node;
        let payload = self.messages.take_for_processing(envelope.message, node);
        let before = &self.segments[begun.previous.index()];
        let mut state = before.state.clone();
        let mut sending = Sending {
            sequence: before.sequence,
            processes: self.model.processes() as usize,
            messages: &mut self.messages,
            schedule: &mut self.schedule,
            post: &mut self.post,
            now: envelope.tick,
            sender: process,
            sent: SentList::EMPTY,
            posted: PostedList::EMPTY,
        };
        self.model
            .handle(process, envelope.tick, payload, &mut state, &mut sending);
        let after = Segment {
            state,
            sequence: sending.sequence,
            input: envelope.message,
            sent: sending.sent,
            posted: sending.posted,
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
        while let Some(parcel) = self.post.transport.receive(idle && !any) {
            any = true;
            self.open(parcel);
        }
        any
    }

    #[inline(never)]
    fn open(&mut self, parcel: Parcel<M::Payload>) {
        self.check_above_gvt(Post::<M::Payload, T>::tick_of(&parcel));
        match parcel {
            Parcel::Message { envelope, stamp } => {
                self.post.cuts.received(stamp.colour);
                self.arrive(envelope, stamp.serial);
            }
            Parcel::Antimessage { stamp, .. } => {
                self.post.cuts.received(stamp.colour);
                let messages = &self.messages;
                let place = |message| messages.place(message);
                match self.post.annihilate(stamp.serial, place) {
                    Some(message) => {
                        self.arrived.push(message);
                        self.annihilate();
                    }
                    None => self.statistics.antimessages_first += 1,
                }
            }
            Parcel::Control(control) => self.obey(control),
        }
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

    /// A message from elsewhere, unless its antimessage has come before it.
    fn arrive(&mut self, envelope: Envelope<M::Payload>, serial: u64) {
        let Some(place) = self.post.foreign.arrive(serial) else {
            return;
        };
        let message = self.messages.insert_foreign(envelope.message, place);
        self.post.foreign.name(place, message);
        self.schedule.push(Envelope {
            tick: envelope.tick,
            receiver: envelope.receiver,
            sender: envelope.sender,
            sequence: envelope.sequence,
            message,
        });
    }
}

/// Sends to the schedule or to other workers, and remembers what was sent.
struct Sending<'a, P, S, T> {
    messages: &'a mut Slab<P>,
    schedule: &'a mut S,
    post: &'a mut Post<P, T>,
    processes: usize,
    now: Tick,
    sender: ProcessId,
    sequence: u32,
    sent: SentList,
    posted: PostedList,
}

impl<P: Copy, S: Schedule, T: Transport<P>> Outbox<P> for Sending<'_, P, S, T> {
    #[inline(always)]
    fn send(&mut self, receiver: ProcessId, at: Tick, payload: P) {
        check_send(self.now, at, receiver, self.processes);
        let (sender, sequence) = (self.sender, self.sequence);
        self.sequence += 1;
        if self.post.is_foreign(receiver) {
            let envelope = Envelope {
                tick: at,
                receiver,
                sender,
                sequence,
                message: payload,
            };
            self.posted = self.post.send(envelope, self.posted);
            return;
        }
        let message = self.messages.insert(payload, self.sent);
        self.sent = SentList::starting_at(message);
        self.schedule.push(Envelope {
            tick: at,
            receiver,
            sender,
            sequence,
            message,
        });
    }
}
