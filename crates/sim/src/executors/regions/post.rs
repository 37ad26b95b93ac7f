//! The post between regions: one box for every pair of them, so that what is in it does not depend on who was faster.

use crate::engine::{Message, Migration};
use std::sync::{Mutex, PoisonError};

/// What one region has to say to another.
#[derive(Default)]
pub(super) struct Letters {
    pub messages: Vec<Message>,
    pub moves: Vec<Migration>,
}

impl Letters {
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.messages.is_empty() && self.moves.is_empty()
    }
}

/// See the module's text.
pub(super) struct Post {
    regions: usize,
    /// By receiver, then by sender.
    boxes: Vec<Mutex<Letters>>,
}

impl Post {
    /// Between so many regions.
    pub fn new(regions: usize) -> Self {
        let boxes = (0..regions * regions).map(|_| Mutex::default()).collect();
        Post { regions, boxes }
    }

    fn with<T>(&self, from: usize, to: usize, act: impl FnOnce(&mut Letters) -> T) -> T {
        let letters = &self.boxes[to * self.regions + from];
        act(&mut letters.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Sends what is in `out`, by receiver, and empties it; returns how many messages that were.
    pub fn send(&self, from: usize, out: &mut [Vec<Message>]) -> u64 {
        let mut sent = 0;
        for (to, messages) in out.iter_mut().enumerate() {
            if !messages.is_empty() {
                sent += messages.len() as u64;
                self.with(from, to, |letters| letters.messages.append(messages));
            }
        }
        sent
    }

    /// Tells all regions, the sender too, that bodies change their owners; returns how many messages that were.
    pub fn announce(&self, from: usize, moves: &[Migration]) -> u64 {
        if !moves.is_empty() {
            for to in 0..self.regions {
                self.with(from, to, |letters| letters.moves.extend_from_slice(moves));
            }
        }
        moves.len() as u64
    }

    /// Takes what one region has sent to another, to carry it elsewhere.
    pub fn collect(&self, from: usize, to: usize) -> Letters {
        self.with(from, to, std::mem::take)
    }

    /// Brings what a region elsewhere has sent to one that is here.
    pub fn deliver(&self, from: usize, to: usize, mut letters: Letters) {
        self.with(from, to, |here| {
            here.messages.append(&mut letters.messages);
            here.moves.append(&mut letters.moves);
        });
    }

    /// Takes what was sent to a region, by sender.
    pub fn take(&self, to: usize) -> (Vec<Migration>, Vec<Message>) {
        let (mut moves, mut messages) = (Vec::new(), Vec::new());
        for from in 0..self.regions {
            self.with(from, to, |letters| {
                moves.append(&mut letters.moves);
                messages.append(&mut letters.messages);
            });
        }
        (moves, messages)
    }
}
