//! A transport that does what a network may do, on purpose: it holds parcels back, delivers them in a
//! seeded random order, and lets antimessages overtake the messages that they are for.

use super::transport::{Parcel, Transport, WorkerId};
use crate::pcg::Pcg32;

/// Any transport, made worse.
pub struct Hostile<P, T> {
    inner: T,
    held: Vec<Parcel<P>>,
    most: usize,
    random: Pcg32,
}

impl<P, T: Transport<P>> Hostile<P, T> {
    /// Holds up to `most` parcels back, choices from `seed`.
    pub fn new(inner: T, most: usize, seed: u64) -> Self {
        let stream = u64::from(inner.worker().0);
        Hostile {
            inner,
            held: Vec::new(),
            most,
            random: Pcg32::new(seed, stream),
        }
    }

    /// One of those held: half of the time an antimessage if there is one, so that it comes first.
    fn choose(&mut self) -> Parcel<P> {
        let choice = self.random.below(self.held.len() as u32) as usize;
        let is_antimessage = |parcel: &Parcel<P>| matches!(parcel, Parcel::Antimessage { .. });
        let overtaking = match self.random.below(2) {
            0 => self.held.iter().rposition(is_antimessage),
            _ => None,
        };
        self.held.swap_remove(overtaking.unwrap_or(choice))
    }
}

impl<P, T: Transport<P>> Transport<P> for Hostile<P, T> {
    fn worker(&self) -> WorkerId {
        self.inner.worker()
    }

    fn workers(&self) -> u32 {
        self.inner.workers()
    }

    fn carries_own(&self) -> bool {
        self.inner.carries_own()
    }

    fn send(&mut self, to: WorkerId, parcel: Parcel<P>) {
        self.inner.send(to, parcel);
    }

    fn flush(&mut self) {
        self.inner.flush();
    }

    fn receive(&mut self, idle: bool) -> Option<Parcel<P>> {
        // Sleeping is for those who have nothing: what is held must come when nothing else is to do.
        while let Some(parcel) = self.inner.receive(idle && self.held.is_empty()) {
            self.held.push(parcel);
        }
        let forced = idle || self.held.len() > self.most;
        if self.held.is_empty() || !(forced || self.random.below(4) == 0) {
            return None;
        }
        Some(self.choose())
    }

    fn abandon(&mut self) {
        self.inner.abandon();
    }
}
