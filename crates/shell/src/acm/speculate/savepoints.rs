//! States saved on the way through a window. A layer out of reach exerts nothing, so all that
//! happened before the first missed contact stands, and a rollback need only go back to the last
//! savepoint before it.

use crate::acm::detect::parts::Borders;
use crate::acm::{Counts, ShellState, Tick};

/// Savepoints of one pass; buffers are kept between passes.
#[derive(Debug, Default)]
pub(crate) struct Savepoints {
    saved: Vec<(ShellState, Counts)>,
    used: usize,
    borders: Borders,
}

impl Savepoints {
    /// Forgets all, plans savepoints up to `end` and saves the first at the state's time.
    pub fn begin(&mut self, state: &ShellState, counts: &Counts, end: Tick) {
        (self.used, self.borders) = (0, Borders::new(state.now, end));
        self.save(state, counts);
    }

    /// The first planned savepoint after `t`.
    pub fn next_after(&self, t: Tick) -> Tick {
        self.borders.next_after(t)
    }

    /// Saves a state together with the work done so far.
    pub fn save(&mut self, state: &ShellState, counts: &Counts) {
        if self.used == self.saved.len() {
            self.saved.push((ShellState::default(), *counts));
        }
        let place = &mut self.saved[self.used];
        place.0.copy_from(state);
        place.1 = *counts;
        self.used += 1;
    }

    /// The last savepoint not after `t`; the first if there is none.
    pub fn before(&self, t: Tick) -> &ShellState {
        let found = self.saved[..self.used].iter().rev().find(|s| s.0.now <= t);
        &found.unwrap_or(&self.saved[0]).0
    }

    /// The savepoint saved last, and the work done until then.
    pub fn last_mut(&mut self) -> &mut (ShellState, Counts) {
        &mut self.saved[self.used.max(1) - 1]
    }
}
