//! What a worker keeps of messages that cross its border. Those that came from elsewhere are found by
//! their serial number when their antimessage comes, in whatever order the two arrive; those that went
//! elsewhere are remembered until the event that sent them is committed.

use super::model::MessageId;
use super::transport::WorkerId;
use crate::time::Tick;
use rustc_hash::FxHashMap;

const NONE: u32 = u32::MAX;

/// What a serial number stands for.
#[derive(Clone, Copy, Debug)]
enum Arrival {
    Message(MessageId),
    AntimessageFirst,
}

/// Messages from elsewhere that are neither committed nor annihilated, and antimessages that wait for
/// theirs.
#[derive(Clone, Debug, Default)]
pub(super) struct Foreign {
    by_serial: FxHashMap<u64, Arrival>,
    /// Serial numbers by place, which the message's slot knows.
    serials: Vec<u64>,
    free: Vec<u32>,
}

impl Foreign {
    /// A place for the message with this serial number; none when its antimessage has come before it,
    /// and both are gone.
    pub(super) fn arrive(&mut self, serial: u64) -> Option<u32> {
        if self.by_serial.remove(&serial).is_some() {
            return None;
        }
        Some(match self.free.pop() {
            Some(place) => {
                self.serials[place as usize] = serial;
                place
            }
            None => {
                self.serials.push(serial);
                self.serials.len() as u32 - 1
            }
        })
    }

    /// The message of `place` is `message`.
    pub(super) fn name(&mut self, place: u32, message: MessageId) {
        let serial = self.serials[place as usize];
        self.by_serial.insert(serial, Arrival::Message(message));
    }

    /// An antimessage has come: the message that it is for, unless it came first and has to wait.
    pub(super) fn annihilate(&mut self, serial: u64) -> Option<MessageId> {
        match self.by_serial.remove(&serial) {
            Some(Arrival::Message(message)) => Some(message),
            Some(Arrival::AntimessageFirst) => {
                unreachable!("a second antimessage for message {serial:#x}")
            }
            None => {
                self.by_serial.insert(serial, Arrival::AntimessageFirst);
                None
            }
        }
    }

    /// The message of `place` is committed: its antimessage can no longer come.
    pub(super) fn forget(&mut self, place: u32) {
        self.by_serial.remove(&self.serials[place as usize]);
        self.free.push(place);
    }

    /// The message of `place` was annihilated.
    pub(super) fn release(&mut self, place: u32) {
        self.free.push(place);
    }

    pub(super) fn bytes(&self) -> usize {
        self.by_serial.capacity() * size_of::<(u64, Arrival)>()
            + self.serials.capacity() * size_of::<u64>()
            + self.free.capacity() * size_of::<u32>()
    }
}

/// A message that went to another worker.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sent {
    pub(super) tick: Tick,
    pub(super) serial: u64,
    pub(super) to: WorkerId,
    /// The next one of the same segment; in a free slot, the next free one.
    next: u32,
}

/// What one segment sent to other workers, newest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PostedList(u32);

impl PostedList {
    pub(super) const EMPTY: PostedList = PostedList(NONE);
}

/// Messages to other workers whose sending may still be undone.
#[derive(Clone, Debug)]
pub(super) struct Posted {
    slots: Vec<Sent>,
    free: u32,
}

impl Posted {
    pub(super) fn new() -> Self {
        Posted {
            slots: Vec::new(),
            free: NONE,
        }
    }

    /// The list with one more at its head.
    pub(super) fn add(
        &mut self,
        list: PostedList,
        to: WorkerId,
        tick: Tick,
        serial: u64,
    ) -> PostedList {
        let sent = Sent {
            tick,
            serial,
            to,
            next: list.0,
        };
        if self.free == NONE {
            self.slots.push(sent);
            return PostedList(self.slots.len() as u32 - 1);
        }
        let slot = self.free;
        self.free = self.slots[slot as usize].next;
        self.slots[slot as usize] = sent;
        PostedList(slot)
    }

    /// Takes the first off the list and forgets it.
    #[inline]
    pub(super) fn take(&mut self, list: &mut PostedList) -> Option<Sent> {
        if list.0 == NONE {
            return None;
        }
        let sent = self.slots[list.0 as usize];
        self.slots[list.0 as usize].next = self.free;
        self.free = std::mem::replace(&mut list.0, sent.next);
        Some(sent)
    }

    pub(super) fn bytes(&self) -> usize {
        self.slots.capacity() * size_of::<Sent>()
    }
}
