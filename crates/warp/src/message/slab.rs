//! Where messages live between sending and their end: payload, what became of it, and the list of
//! what the same segment sent. Addresses are elsewhere: in the queue's envelope while a message
//! waits, in the segment's order once it was processed.

use super::model::MessageId;
use crate::graph::NodeId;

const NONE: u32 = u32::MAX;

/// What became of a message that has arrived.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Status {
    /// In the schedule.
    Pending,
    /// In the schedule, annihilated; dropped when it comes up.
    Void,
    /// It began this segment.
    Processed(NodeId),
    /// Its antimessage is undoing the segment that it began.
    Annihilating,
}

#[derive(Clone, Copy, Debug)]
struct Slot<P> {
    status: Status,
    /// The next message of the same sending segment, or the place among the foreign ones of a message
    /// from another worker; in a free slot, the next free one.
    next: u32,
    payload: P,
}

/// Messages by [`MessageId`]; ids are reused.
#[derive(Clone, Debug)]
pub(super) struct Slab<P> {
    slots: Vec<Slot<P>>,
    free: u32,
    live: usize,
    void: usize,
}

impl<P: Copy> Slab<P> {
    pub(super) fn new() -> Self {
        Slab {
            slots: Vec::new(),
            free: NONE,
            live: 0,
            void: 0,
        }
    }

    /// A new message, pending, at the head of the list `sent`.
    #[inline]
    pub(super) fn insert(&mut self, payload: P, sent: SentList) -> MessageId {
        self.live += 1;
        let slot = Slot {
            status: Status::Pending,
            next: sent.0,
            payload,
        };
        if self.free == NONE {
            self.slots.push(slot);
            return MessageId(self.slots.len() as u32 - 1);
        }
        let id = self.free;
        self.free = self.slots[id as usize].next;
        self.slots[id as usize] = slot;
        MessageId(id)
    }

    /// A new message from another worker, pending.
    pub(super) fn insert_foreign(&mut self, payload: P, place: u32) -> MessageId {
        self.insert(payload, SentList(place))
    }

    /// The place among the foreign ones of a message from another worker.
    pub(super) fn place(&self, id: MessageId) -> u32 {
        self.slots[id.0 as usize].next
    }

    /// The end of a message: nobody refers to it any more.
    #[inline]
    pub(super) fn remove(&mut self, id: MessageId) {
        self.live -= 1;
        self.slots[id.0 as usize].next = self.free;
        self.free = id.0;
    }

    /// The end of an annihilated message that the schedule has come upon.
    #[cold]
    pub(super) fn remove_void(&mut self, id: MessageId) {
        self.void -= 1;
        self.remove(id);
    }

    #[inline]
    pub(super) fn status(&self, id: MessageId) -> Status {
        self.slots[id.0 as usize].status
    }

    #[inline]
    pub(super) fn set_status(&mut self, id: MessageId, status: Status) {
        self.slots[id.0 as usize].status = status;
    }

    /// A pending message is annihilated; the schedule will come upon it.
    pub(super) fn annul(&mut self, id: MessageId) {
        self.void += 1;
        self.set_status(id, Status::Void);
    }

    /// What a message carries; from now on it counts as the one that began `node`.
    #[inline]
    pub(super) fn take_for_processing(&mut self, id: MessageId, node: NodeId) -> P {
        let slot = &mut self.slots[id.0 as usize];
        slot.status = Status::Processed(node);
        slot.payload
    }

    #[inline]
    pub(super) fn payload(&self, id: MessageId) -> &P {
        &self.slots[id.0 as usize].payload
    }

    /// Takes the first message off the list `sent`.
    #[inline]
    pub(super) fn next_sent(&self, sent: &mut SentList) -> Option<MessageId> {
        let id = sent.0;
        (id != NONE).then(|| {
            sent.0 = self.slots[id as usize].next;
            MessageId(id)
        })
    }

    /// Messages that have been neither committed nor annihilated.
    pub(super) fn live(&self) -> usize {
        self.live - self.void
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Slot<P>>()
    }
}

/// What one segment sent, newest first: Jefferson's output queue, cut into segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SentList(u32);

impl SentList {
    pub(super) const EMPTY: SentList = SentList(NONE);

    /// The list that begins with `id`.
    #[inline]
    pub(super) fn starting_at(id: MessageId) -> SentList {
        SentList(id.0)
    }
}
