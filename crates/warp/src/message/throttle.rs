//! How far a worker may run ahead of GVT, in events: what bounds memory, and what keeps workers close
//! enough together that little has to be undone. It changes what is tried, never what is committed.

use super::optimistic::Statistics;

/// Least and most events that may wait for GVT before a worker pauses.
const LEAST: usize = 256;
const MOST: usize = 1 << 14;

/// A limit that halves when more than one event in `1 << TOO_MANY_LOG2` was undone and grows by an
/// eighth when fewer were.
const TOO_MANY_LOG2: u32 = 5;

#[derive(Clone, Copy, Debug)]
pub(super) struct Throttle {
    limit: usize,
    most: usize,
    processed: u64,
    undone: u64,
}

impl Throttle {
    pub(super) fn new() -> Self {
        Throttle {
            limit: MOST / 4,
            most: MOST,
            processed: 0,
            undone: 0,
        }
    }

    /// No more than `most` events may ever wait, but for those at GVT itself.
    pub(super) fn set_most(&mut self, most: usize) {
        self.most = most.max(1);
        self.limit = self.limit.min(self.most);
    }

    #[inline]
    pub(super) fn is_reached(&self, uncommitted: usize) -> bool {
        uncommitted >= self.limit
    }

    /// Learns from what was done since the last time, once that is enough to tell.
    pub(super) fn learn(&mut self, statistics: &Statistics) {
        let processed = statistics.processed - self.processed;
        if processed < LEAST as u64 {
            return;
        }
        let undone = statistics.undone - self.undone;
        self.limit = if undone << TOO_MANY_LOG2 > processed {
            (self.limit / 2).max(LEAST).min(self.most)
        } else {
            (self.limit + self.limit / 8 + 1).min(self.most)
        };
        self.processed = statistics.processed;
        self.undone = statistics.undone;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_limit_follows_what_is_undone_within_its_bounds() {
        let mut throttle = Throttle::new();
        let mut statistics = Statistics::default();
        let start = throttle.limit;
        for _ in 0..40 {
            statistics.processed += 1_000;
            statistics.undone += 100;
            throttle.learn(&statistics);
        }
        assert_eq!(throttle.limit, LEAST);
        for _ in 0..400 {
            statistics.processed += 1_000;
            throttle.learn(&statistics);
        }
        assert_eq!(throttle.limit, MOST);
        assert!(start > LEAST && start < MOST);
        throttle.set_most(10);
        assert!(throttle.is_reached(10) && !throttle.is_reached(9));
    }
}
