//! What a simulation by messages is made of: processes with a small state, messages that change it,
//! and an output that hears of events once they are committed.
//! Events are totally ordered by (time, receiver, sender, sender's sequence number); the sequence
//! number belongs to the state that is rolled back, so every executor gives a message the same place.

use std::cmp::Ordering;

use crate::calendar::Entry;
use crate::graph::ProcessId;
use crate::time::{EventOrder, Moment, Tick};

/// The constant part of a simulation. Handling a message must be a pure function of its arguments:
/// it may be done, undone and done again, and in speculation with messages that will be unsent.
pub trait Model {
    /// What a process remembers. It is copied for every event, so keep it small.
    type State: Clone;
    /// What a message carries besides its addresses and time.
    type Payload: Copy;

    /// How many processes there are; they are numbered from 0.
    fn processes(&self) -> u32;

    /// The state of `process` at the start, and the messages that it sends before any event.
    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<Self::Payload>) -> Self::State;

    /// `process` receives a message at `now`: changes its state, and may send.
    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        payload: Self::Payload,
        state: &mut Self::State,
        outbox: &mut impl Outbox<Self::Payload>,
    );

    /// Appends bytes that tell any two states apart: what checks and trace hashes compare.
    fn encode(&self, state: &Self::State, bytes: &mut Vec<u8>);

    /// Appends bytes that tell any two payloads apart.
    fn encode_payload(&self, payload: &Self::Payload, bytes: &mut Vec<u8>);
}

/// Where a handler puts what it sends.
pub trait Outbox<P> {
    /// Sends to `receiver`, which may be the sender. Panics unless `at` is after the present event and
    /// `receiver` exists: both are errors of the model.
    fn send(&mut self, receiver: ProcessId, at: Tick, payload: P);
}

/// Hears of every event once, when it is certain, in rising order along each process. Speculation
/// never reaches it.
pub trait Output<M: Model> {
    /// An event that can no longer be undone.
    fn commit(&mut self, model: &M, event: Committed<'_, M>);
}

/// An event that can no longer be undone.
pub struct Committed<'a, M: Model> {
    /// The receiver.
    pub process: ProcessId,
    /// Its place; the key holds the sender (upper half) and the sender's sequence number.
    pub order: EventOrder,
    /// What the message carried.
    pub payload: &'a M::Payload,
    /// The receiver's state after the event.
    pub state: &'a M::State,
}

/// Names a message from the sending to its end (committed, or annihilated by its antimessage).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageId(pub(super) u32);

impl MessageId {
    /// What began a process's first segment.
    pub(super) const NONE: MessageId = MessageId(u32::MAX);
}

/// A message's addresses: what queues hold. `I` leads to its payload. 24 bytes with a [`MessageId`].
#[derive(Clone, Copy, Debug)]
pub struct Envelope<I = MessageId> {
    /// When it is received.
    pub tick: Tick,
    /// Who receives it.
    pub receiver: ProcessId,
    /// Who sent it.
    pub sender: ProcessId,
    /// How many messages the sender had sent before, in the history that this one belongs to.
    pub sequence: u32,
    /// The message itself or where it is.
    pub message: I,
}

impl<I> Envelope<I> {
    /// The place of the event on the receiver's worldline.
    #[inline]
    pub fn order(&self) -> EventOrder {
        EventOrder {
            moment: Moment::at(self.tick),
            key: u64::from(self.sender.0) << 32 | u64::from(self.sequence),
        }
    }

    /// The envelope of the message that made the event `order` at `receiver`.
    #[inline]
    pub(super) fn of_event(receiver: ProcessId, order: EventOrder, message: I) -> Self {
        Envelope {
            tick: order.moment.tick,
            receiver,
            sender: ProcessId((order.key >> 32) as u32),
            sequence: order.key as u32,
            message,
        }
    }
}

impl<I: Copy> Entry for Envelope<I> {
    #[inline]
    fn tick(&self) -> Tick {
        self.tick
    }

    #[inline]
    fn cmp_order(&self, other: &Self) -> Ordering {
        self.tick.cmp(&other.tick).then_with(|| {
            let rest = |e: &Self| (e.receiver, e.sender, e.sequence);
            rest(self).cmp(&rest(other))
        })
    }
}

/// The checks that every executor makes on what a model sends.
#[inline]
pub(super) fn check_send(now: Tick, at: Tick, receiver: ProcessId, processes: usize) {
    assert!(
        at > now,
        "a message sent at {now:?} is stamped {at:?}: messages must go to the future"
    );
    assert!(
        receiver.index() < processes,
        "a message sent at {now:?} goes to process {}, but there are only {processes}",
        receiver.0
    );
}
