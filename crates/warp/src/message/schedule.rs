//! Which pending message to process next: pluggable, since no choice can change what is committed.
//! Lowest-first speculates least; windows allow any order inside a stretch of virtual time, as several
//! workers would make it; the shuffled one exists to force deep rollbacks.

use super::model::Envelope;
use crate::calendar::Calendar;
use crate::pcg::Pcg32;
use crate::time::Tick;

/// A set of pending messages with an opinion on which comes next.
pub trait Schedule {
    /// Adds a message, at any time.
    fn push(&mut self, envelope: Envelope);
    /// Takes the one to process now; none when there are none.
    fn pop(&mut self) -> Option<Envelope>;
    /// No pending message is earlier: what GVT is computed from. Says nothing when there are none.
    fn floor(&self) -> Tick;
    /// Whether none is pending.
    fn is_empty(&self) -> bool;
    /// Bytes held.
    fn bytes(&self) -> usize;
}

/// Strictly the first message in the total order.
#[derive(Clone, Debug, Default)]
pub struct LowestFirst(Calendar<Envelope>);

impl Schedule for LowestFirst {
    #[inline(always)]
    fn push(&mut self, envelope: Envelope) {
        self.0.push(envelope);
    }

    #[inline]
    fn pop(&mut self) -> Option<Envelope> {
        self.0.pop_ordered()
    }

    #[inline]
    fn floor(&self) -> Tick {
        self.0.floor()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// Messages of one window of virtual time first in, first out, window after window.
#[derive(Clone, Debug)]
pub struct Windowed(Calendar<Envelope>);

impl Windowed {
    /// Windows of 2^`log2` ticks.
    pub fn new(log2: u32) -> Self {
        let mut calendar = Calendar::new();
        calendar.set_width_ticks(log2);
        Windowed(calendar)
    }
}

impl Schedule for Windowed {
    #[inline(always)]
    fn push(&mut self, envelope: Envelope) {
        self.0.push(envelope);
    }

    #[inline]
    fn pop(&mut self) -> Option<Envelope> {
        if let Some(envelope) = self.0.pop_in_window() {
            return Some(envelope);
        }
        self.0.advance_window()?;
        self.0.pop_in_window()
    }

    #[inline]
    fn floor(&self) -> Tick {
        self.0.floor()
    }

    #[inline]
    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// A seeded random choice among the messages of one window of virtual time.
#[derive(Clone, Debug)]
pub struct Shuffled {
    calendar: Calendar<Envelope>,
    window: Vec<Envelope>,
    random: Pcg32,
}

impl Shuffled {
    /// Windows of 2^`log2` ticks, choices from `seed`.
    pub fn new(log2: u32, seed: u64) -> Self {
        let mut calendar = Calendar::new();
        calendar.set_width_ticks(log2);
        Shuffled {
            calendar,
            window: Vec::new(),
            random: Pcg32::new(seed, 0),
        }
    }
}

impl Schedule for Shuffled {
    fn push(&mut self, envelope: Envelope) {
        self.calendar.push(envelope);
    }

    fn pop(&mut self) -> Option<Envelope> {
        // The calendar moves on only when this window is used up, so its floor holds for both.
        if self.window.is_empty() {
            self.calendar.advance_window();
        }
        while let Some(envelope) = self.calendar.pop_in_window() {
            self.window.push(envelope);
        }
        let choices = self.window.len() as u32;
        (choices > 0).then(|| {
            let choice = self.random.below(choices);
            self.window.swap_remove(choice as usize)
        })
    }

    fn floor(&self) -> Tick {
        self.calendar.floor()
    }

    fn is_empty(&self) -> bool {
        self.calendar.is_empty() && self.window.is_empty()
    }

    fn bytes(&self) -> usize {
        self.calendar.bytes() + self.window.capacity() * size_of::<Envelope>()
    }
}
