//! A worker's dealings with the others: names for what it sends, the books that GVT is computed from,
//! and the memory of what may have to be unsent.

use super::foreign::{Foreign, Posted, PostedList};
use super::gvt::{Control, Cuts};
use super::model::{Envelope, MessageId};
use super::share::Share;
use super::transport::{Parcel, Stamp, Transport, WorkerId};
use crate::graph::ProcessId;
use crate::time::Tick;
use std::marker::PhantomData;

pub(super) struct Post<P, T> {
    pub(super) transport: T,
    pub(super) cuts: Cuts,
    pub(super) share: Share,
    pub(super) foreign: Foreign,
    posted: Posted,
    /// The serial number of the next message.
    serial: u64,
    payload: PhantomData<P>,
}

impl<P, T: Transport<P>> Post<P, T> {
    pub(super) fn new(transport: T, processes: u32) -> Self {
        let (worker, workers) = (transport.worker(), transport.workers());
        Post {
            cuts: Cuts::new(worker, workers),
            share: Share::new(worker, workers, processes),
            foreign: Foreign::default(),
            posted: Posted::new(),
            serial: u64::from(worker.0) << 48,
            payload: PhantomData,
            transport,
        }
    }

    /// Whether messages between this worker and the process travel.
    #[inline]
    pub(super) fn is_foreign(&self, process: ProcessId) -> bool {
        self.transport.carries_own() || !self.share.is_own(process)
    }

    /// Sends a message away; returns the list of what its segment sent, with it.
    #[inline(never)]
    pub(super) fn send(&mut self, envelope: Envelope<P>, list: PostedList) -> PostedList {
        let (to, tick) = (self.share.owner(envelope.receiver), envelope.tick);
        let serial = self.serial;
        self.serial += 1;
        let colour = self.cuts.sent(tick);
        let stamp = Stamp { serial, colour };
        self.transport.send(to, Parcel::Message { envelope, stamp });
        self.posted.add(list, to, tick, serial)
    }

    /// How many messages were sent away.
    pub(super) fn sent(&self) -> u64 {
        self.serial & ((1 << 48) - 1)
    }

    /// Sends antimessages for everything on the list; returns how many.
    pub(super) fn unsend(&mut self, mut list: PostedList) -> u64 {
        let mut count = 0;
        while let Some(sent) = self.posted.take(&mut list) {
            let stamp = Stamp {
                serial: sent.serial,
                colour: self.cuts.sent(sent.tick),
            };
            let tick = sent.tick;
            self.transport
                .send(sent.to, Parcel::Antimessage { tick, stamp });
            count += 1;
        }
        count
    }

    /// What is on the list can no longer be unsent.
    #[inline]
    pub(super) fn forget(&mut self, mut list: PostedList) {
        while self.posted.take(&mut list).is_some() {}
    }

    pub(super) fn control(&mut self, to: WorkerId, control: Control) {
        self.transport.send(to, Parcel::Control(control));
    }

    /// Tells all workers below this one.
    pub(super) fn tell_children(&mut self, control: Control) {
        for child in self.cuts.children() {
            self.control(child, control);
        }
    }

    /// The message from elsewhere that an antimessage is for, unless the antimessage came first;
    /// `place` finds the message's place.
    pub(super) fn annihilate(
        &mut self,
        serial: u64,
        place: impl FnOnce(MessageId) -> u32,
    ) -> Option<MessageId> {
        let message = self.foreign.annihilate(serial)?;
        self.foreign.release(place(message));
        Some(message)
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.foreign.bytes() + self.posted.bytes()
    }

    /// Delivery of a parcel can affect nothing before this tick.
    pub(super) fn tick_of(parcel: &Parcel<P>) -> Tick {
        match parcel {
            Parcel::Message { envelope, .. } => envelope.tick,
            Parcel::Antimessage { tick, .. } => *tick,
            Parcel::Control(_) => Tick::MAX,
        }
    }
}
