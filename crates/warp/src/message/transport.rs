//! How messages and antimessages travel: at once, or held back and out of order as a network would.
//! An antimessage may overtake its message; the kernel makes them meet whichever comes first.

use super::model::{Envelope, MessageId};
use crate::pcg::Pcg32;
use crate::time::Tick;

/// Something under way.
#[derive(Clone, Copy, Debug)]
pub enum Parcel {
    /// A message.
    Message(Envelope),
    /// The unsending of a message.
    Antimessage {
        /// What it annihilates.
        message: MessageId,
        /// When the undone event had sent it. Undoing the receipt cannot reach back before this.
        sent: Tick,
    },
}

impl Parcel {
    /// Delivery touches nothing before this tick.
    fn tick(&self) -> Tick {
        match self {
            Parcel::Message(envelope) => envelope.tick,
            Parcel::Antimessage { sent, .. } => *sent,
        }
    }
}

/// Carries parcels. None may be lost; all may be late.
pub trait Transport {
    /// Takes a parcel, or returns it for delivery at once.
    fn send(&mut self, parcel: Parcel) -> Option<Parcel>;
    /// A parcel that has arrived. When `idle`, the receivers have nothing else to do, and a parcel
    /// must come if any is under way.
    fn receive(&mut self, idle: bool) -> Option<Parcel>;
    /// No parcel under way can affect anything earlier.
    fn floor(&self) -> Tick;
}

/// Delivers at once: processes that share memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Direct;

impl Transport for Direct {
    #[inline]
    fn send(&mut self, parcel: Parcel) -> Option<Parcel> {
        Some(parcel)
    }

    #[inline]
    fn receive(&mut self, _: bool) -> Option<Parcel> {
        None
    }

    #[inline]
    fn floor(&self) -> Tick {
        Tick::MAX
    }
}

/// Holds parcels back and delivers them in a seeded random order.
#[derive(Clone, Debug)]
pub struct Reordering {
    under_way: Vec<Parcel>,
    most: usize,
    random: Pcg32,
}

impl Reordering {
    /// Keeps up to `most` parcels under way, choices from `seed`.
    pub fn new(most: usize, seed: u64) -> Self {
        Reordering {
            under_way: Vec::new(),
            most,
            random: Pcg32::new(seed, 1),
        }
    }
}

impl Transport for Reordering {
    fn send(&mut self, parcel: Parcel) -> Option<Parcel> {
        self.under_way.push(parcel);
        None
    }

    fn receive(&mut self, idle: bool) -> Option<Parcel> {
        let forced = idle || self.under_way.len() > self.most;
        if self.under_way.is_empty() || !(forced || self.random.below(4) == 0) {
            return None;
        }
        let choice = self.random.below(self.under_way.len() as u32);
        Some(self.under_way.swap_remove(choice as usize))
    }

    fn floor(&self) -> Tick {
        let ticks = self.under_way.iter().map(Parcel::tick);
        ticks.min().unwrap_or(Tick::MAX)
    }
}
