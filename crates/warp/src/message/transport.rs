//! How messages and antimessages travel: at once, or held back and out of order as a network would.
//! An antimessage may overtake its message; the kernel makes them meet whichever comes first. What
//! travels is whole in itself, so that threads, a network between machines and a test that delays on
//! purpose are transports alike.

use super::gvt::Control;
use super::model::Envelope;
use crate::pcg::Pcg32;
use crate::time::Tick;

/// One of those that share the processes of a model among them; numbered from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorkerId(pub u32);

impl WorkerId {
    /// For columns indexed by worker.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What tells a message from all others that were ever sent, also from one that was sent again after
/// a rollback with the same place in the total order; and which side of a cut it was sent on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// Unique in a run: the sending worker in the upper 16 bits, its count below.
    pub serial: u64,
    /// The sender's colour (see [`Control::Cut`]).
    pub colour: bool,
}

/// Something under way from one worker to another.
#[derive(Clone, Copy, Debug)]
pub enum Parcel<P> {
    /// A message.
    Message {
        /// Addresses and payload.
        envelope: Envelope<P>,
        /// Its name.
        stamp: Stamp,
    },
    /// The unsending of a message.
    Antimessage {
        /// When the message was to be received: undoing the receipt cannot reach back before this.
        tick: Tick,
        /// The name of the message and, as its colour, that of the antimessage.
        stamp: Stamp,
    },
    /// A part of the computation of GVT.
    Control(Control),
}

/// Carries parcels from one worker to the others. None may be lost or come twice; all may be late, in
/// any order.
pub trait Transport<P> {
    /// Whose end this is.
    fn worker(&self) -> WorkerId;

    /// How many workers there are.
    fn workers(&self) -> u32;

    /// Whether messages between processes of one worker travel too, instead of arriving at once.
    #[inline]
    fn carries_own(&self) -> bool {
        false
    }

    /// Takes a parcel; it need not leave before [`Transport::flush`].
    fn send(&mut self, to: WorkerId, parcel: Parcel<P>);

    /// Sends off what was taken.
    fn flush(&mut self);

    /// A parcel that has arrived. When `idle`, the worker has nothing else to do: a parcel must come
    /// if one is held here, and a transport that can sleep until one arrives does so.
    fn receive(&mut self, idle: bool) -> Option<Parcel<P>>;

    /// This worker has failed: the others must not wait for it.
    fn abandon(&mut self) {}
}

/// One worker that has all processes: nothing travels.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl<P> Transport<P> for Direct {
    #[inline]
    fn worker(&self) -> WorkerId {
        WorkerId(0)
    }

    #[inline]
    fn workers(&self) -> u32 {
        1
    }

    fn send(&mut self, to: WorkerId, _: Parcel<P>) {
        unreachable!("one worker alone sent a parcel to worker {}", to.0)
    }

    #[inline]
    fn flush(&mut self) {}

    #[inline]
    fn receive(&mut self, _: bool) -> Option<Parcel<P>> {
        None
    }
}

/// One worker that sends everything to itself, held back and delivered in a seeded random order.
#[derive(Clone, Debug)]
pub struct Reordering<P> {
    under_way: Vec<Parcel<P>>,
    most: usize,
    random: Pcg32,
}

impl<P> Reordering<P> {
    /// Keeps up to `most` parcels under way, choices from `seed`.
    pub fn new(most: usize, seed: u64) -> Self {
        Reordering {
            under_way: Vec::new(),
            most,
            random: Pcg32::new(seed, 1),
        }
    }
}

impl<P> Transport<P> for Reordering<P> {
    fn worker(&self) -> WorkerId {
        WorkerId(0)
    }

    fn workers(&self) -> u32 {
        1
    }

    fn carries_own(&self) -> bool {
        true
    }

    fn send(&mut self, _: WorkerId, parcel: Parcel<P>) {
        self.under_way.push(parcel);
    }

    fn flush(&mut self) {}

    fn receive(&mut self, idle: bool) -> Option<Parcel<P>> {
        let forced = idle || self.under_way.len() > self.most;
        if self.under_way.is_empty() || !(forced || self.random.below(4) == 0) {
            return None;
        }
        let choice = self.random.below(self.under_way.len() as u32);
        Some(self.under_way.swap_remove(choice as usize))
    }
}
