//! The post between regions: one box for every pair of them, and what is put into it between two meetings is taken
//! after the second of them. So what is heard does not depend on who was faster: a body that its old owner takes out of
//! sight and its new one brings back is first dropped.

use crate::engine::{Message, Migration};
use std::sync::atomic::{AtomicUsize, Ordering};
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
    /// Meetings that were held.
    meetings: AtomicUsize,
    /// By whether the number of meetings is even, by receiver, then by sender.
    boxes: [Vec<Mutex<Letters>>; 2],
}

impl Post {
    /// Between so many regions.
    pub fn new(regions: usize) -> Self {
        let boxes = || (0..regions * regions).map(|_| Mutex::default()).collect();
        Post {
            regions,
            meetings: AtomicUsize::new(0),
            boxes: [boxes(), boxes()],
        }
    }

    /// All have met: what was sent until now may be taken. Nobody sends or takes meanwhile.
    pub fn turn(&self) {
        self.meetings.fetch_add(1, Ordering::AcqRel);
    }

    /// Acts on what is sent between the last meeting and the next.
    fn with<T>(&self, from: usize, to: usize, act: impl FnOnce(&mut Letters) -> T) -> T {
        self.at(self.meetings.load(Ordering::Acquire), (from, to), act)
    }

    fn at<T>(
        &self,
        meetings: usize,
        (from, to): (usize, usize),
        act: impl FnOnce(&mut Letters) -> T,
    ) -> T {
        let letters = &self.boxes[meetings % 2][to * self.regions + from];
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

    /// Takes what was sent to a region before the last meeting, by sender.
    pub fn take(&self, to: usize) -> (Vec<Migration>, Vec<Message>) {
        let (mut moves, mut messages) = (Vec::new(), Vec::new());
        let before = self.meetings.load(Ordering::Acquire) + 1;
        for from in 0..self.regions {
            self.at(before, (from, to), |letters| {
                moves.append(&mut letters.moves);
                messages.append(&mut letters.messages);
            });
        }
        (moves, messages)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sent_is_heard_after_the_next_meeting_and_once() {
        let post = Post::new(2);
        let drop = |body| vec![vec![Message::Drop(body)], Vec::new()];
        let heard = |post: &Post| post.take(0).1.len();
        assert_eq!(post.send(1, &mut drop(4)), 1);
        assert_eq!(heard(&post), 0, "whoever is slow does not hear it early");
        post.turn();
        assert_eq!(post.send(1, &mut drop(5)), 1);
        assert_eq!((heard(&post), heard(&post)), (1, 0));
        post.turn();
        assert_eq!(heard(&post), 1);
        post.turn();
        assert_eq!(heard(&post), 0);
    }
}
