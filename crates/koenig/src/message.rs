//! Messages between entities, and the mailboxes that hold them.

use crate::scene::{Ms, Vec3};
use crate::sync::{Mutex, lock};
use std::collections::VecDeque;

/// An event's identity: the entity whose write found the contact, and a number of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EventId {
    /// Who found it.
    pub from: u32,
    /// Of all that it found.
    pub serial: u64,
}

/// A collision as one of its two entities is told of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// The same for both.
    pub id: EventId,
    /// When the entities touch.
    pub lvt: Ms,
    /// The other entity.
    pub partner: u32,
    /// On the entity that is told, N s.
    pub impulse: Vec3,
}

/// What entities tell each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Message {
    /// You have collided.
    Event(Event),
    /// I have applied the collision.
    EventAck(EventId),
    /// The collision did not happen.
    Antievent {
        /// Which one.
        id: EventId,
        /// When it was.
        lvt: Ms,
        /// Who says so: one of the two entities of the event.
        from: u32,
    },
    /// I have undone the collision.
    AntieventAck(EventId),
}

/// Whether an entity's task is in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Status {
    /// No; it waits for a message or for a lock.
    Waits,
    /// No; it stands at LVT_ub.
    AtBound,
    /// It is in a queue.
    Queued,
    /// It is being run.
    Runs,
    /// It is being run, and something has come since it was started.
    RunsAgain,
}

/// How an entity leaves a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rest {
    /// It waits for a message or for a lock.
    Waits,
    /// It stands at LVT_ub.
    AtBound,
    /// It was interrupted, and must be run again.
    Paused,
}

#[derive(Debug)]
struct Inner {
    messages: VecDeque<Message>,
    status: Status,
}

/// An entity's mailbox. It also knows whether the entity has a task in a queue, so that there is never more than one.
#[derive(Debug)]
pub(crate) struct Mailbox(Mutex<Inner>);

impl Mailbox {
    /// Empty, of an entity that is in a queue.
    pub fn queued() -> Self {
        Mailbox(Mutex::new(Inner {
            messages: VecDeque::new(),
            status: Status::Queued,
        }))
    }

    /// Puts a message in; says whether the entity must be put into a queue.
    #[must_use]
    pub fn put(&self, message: Message) -> bool {
        let mut inner = lock(&self.0);
        inner.messages.push_back(message);
        inner.call()
    }

    /// Something other than a message has come; says whether the entity must be put into a queue.
    #[must_use]
    pub fn call(&self) -> bool {
        lock(&self.0).call()
    }

    /// LVT_ub has risen; says whether the entity must be put into a queue.
    #[must_use]
    pub fn call_from_bound(&self) -> bool {
        let mut inner = lock(&self.0);
        match inner.status {
            Status::Waits => false,
            _ => inner.call(),
        }
    }

    /// The oldest message.
    pub fn take(&self) -> Option<Message> {
        lock(&self.0).messages.pop_front()
    }

    /// The entity's task begins.
    pub fn begin(&self) {
        lock(&self.0).status = Status::Runs;
    }

    /// The entity's task ends; says whether it must be put into a queue once more.
    #[must_use]
    pub fn end(&self, rest: Rest) -> bool {
        let mut inner = lock(&self.0);
        let again = inner.status == Status::RunsAgain || rest == Rest::Paused;
        inner.status = match rest {
            _ if again => Status::Queued,
            Rest::AtBound => Status::AtBound,
            _ => Status::Waits,
        };
        again
    }
}

impl Inner {
    fn call(&mut self) -> bool {
        match self.status {
            Status::Waits | Status::AtBound => {
                self.status = Status::Queued;
                true
            }
            Status::Runs => {
                self.status = Status::RunsAgain;
                false
            }
            Status::Queued | Status::RunsAgain => false,
        }
    }
}
