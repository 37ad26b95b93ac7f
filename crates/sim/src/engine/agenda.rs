//! The agenda: what is pending, in a calendar; what is held back because a deformable's step comes first; and when
//! to sweep out what has become void.

use super::Pending;
use warp::{Calendar, EventOrder, Tick};

/// Pending entries that are too few to be worth sweeping.
const LEAST_CROWD: usize = 4096;

/// See the module's text.
pub(super) struct Agenda {
    calendar: Calendar<Pending>,
    /// How much may be pending before what is void is dropped.
    crowded: usize,
    /// Entries of the current window that wait for a deformable's step.
    held: Vec<Pending>,
}

impl Agenda {
    /// Nothing is pending.
    pub fn new() -> Self {
        Agenda {
            calendar: Calendar::new(),
            crowded: LEAST_CROWD,
            held: Vec::new(),
        }
    }

    /// Adds an entry.
    #[inline]
    pub fn push(&mut self, entry: Pending) {
        self.calendar.push(entry);
    }

    /// The first entry in the total order.
    #[inline]
    pub fn first(&mut self) -> Option<&Pending> {
        self.calendar.peek_ordered()
    }

    /// Takes the first entry in the total order.
    #[inline]
    pub fn take(&mut self) -> Option<Pending> {
        self.calendar.pop_ordered()
    }

    /// Moves on to the next window that has something in it; returns where it begins and ends.
    pub fn open_window(&mut self) -> Option<(Tick, Tick)> {
        self.calendar.advance_window()
    }

    /// How long windows are, as a power of two of ticks.
    pub fn set_window(&mut self, log2: u32) {
        self.calendar.set_width_ticks(log2);
    }

    /// Takes everything that is pending in the current window, but for what comes at `stop` or after it.
    pub fn take_window(&mut self, stop: EventOrder, batch: &mut Vec<Pending>) {
        while let Some(entry) = self.calendar.pop_in_window() {
            if entry.order() >= stop {
                self.held.push(entry);
                continue;
            }
            batch.push(entry);
        }
    }

    /// Takes the first entry of the current window in the total order, unless it comes at `stop` or after it.
    pub fn take_in_window(&mut self, stop: EventOrder) -> Option<Pending> {
        while let Some(entry) = self.calendar.pop_first_in_window() {
            if entry.order() < stop {
                return Some(entry);
            }
            self.held.push(entry);
        }
        None
    }

    /// Whether anything is held back.
    pub fn is_holding(&self) -> bool {
        !self.held.is_empty()
    }

    /// Gives back what was held.
    pub fn release(&mut self) {
        for entry in self.held.drain(..) {
            self.calendar.push(entry);
        }
    }

    /// Whether so much is pending that sweeping may be worth while.
    pub fn is_crowded(&self) -> bool {
        self.calendar.len() >= self.crowded
    }

    /// Drops the entries that are not due any more.
    pub fn sweep(&mut self, is_due: impl FnMut(&Pending) -> bool) {
        self.calendar.retain(is_due);
        self.crowded = (2 * self.calendar.len()).max(LEAST_CROWD);
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.calendar.bytes()
    }

    /// The same agenda for a branch.
    pub fn branch(&mut self) -> Self {
        Agenda {
            calendar: self.calendar.branch(),
            crowded: self.crowded,
            held: self.held.clone(),
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.calendar.reclaim();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Kind;
    use warp::{NodeId, NodeRef};

    fn alarm(tick: i64, key: u32) -> Pending {
        let nobody = NodeRef {
            node: NodeId(0),
            generation: 0,
        };
        Pending::alarm(Kind::Callback, Tick(tick), key, nobody)
    }

    #[test]
    fn entries_come_in_the_total_order() {
        let mut agenda = Agenda::new();
        for (tick, key) in [(30, 1), (10, 2), (10, 1), (20, 0)] {
            agenda.push(alarm(tick, key));
        }
        let orders: Vec<EventOrder> =
            std::iter::from_fn(|| agenda.take().map(|e| e.order())).collect();
        assert!(orders.is_sorted() && orders.len() == 4);
    }

    #[test]
    fn a_window_stops_at_a_barrier_and_goes_on_behind_it() {
        let mut agenda = Agenda::new();
        agenda.set_window(10);
        for tick in [1, 5, 9] {
            agenda.push(alarm(tick, 0));
        }
        assert!(agenda.open_window().is_some());
        let mut batch = Vec::new();
        agenda.take_window(alarm(5, 0).order(), &mut batch);
        assert_eq!((batch.len(), agenda.is_holding()), (1, true));
        agenda.release();
        batch.clear();
        agenda.take_window(EventOrder::MAX, &mut batch);
        assert_eq!((batch.len(), agenda.is_holding()), (2, false));
    }

    #[test]
    fn sweeping_drops_what_is_void_and_nothing_else() {
        let mut agenda = Agenda::new();
        for tick in 0..LEAST_CROWD as i64 {
            agenda.push(alarm(tick, 0));
        }
        assert!(agenda.is_crowded());
        agenda.sweep(|entry| entry.order().moment.tick.0 % 2 == 0);
        assert!(!agenda.is_crowded());
        assert_eq!(
            std::iter::from_fn(|| agenda.take()).count(),
            LEAST_CROWD / 2
        );
    }
}
