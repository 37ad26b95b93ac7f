//! The width of the speculation window of `timewarp` where the user has not given one.

use crate::stats::Stats;

/// Chooses the speculation window: wider while little is undone and bodies have few segments in it,
/// narrower otherwise. What a body has behind it within a window is asked about again and again.
pub(super) struct Governor {
    width: u32,
    /// Segments in a window that are enough.
    enough: f64,
    windows: u32,
    begun: u64,
    undone: u64,
}

/// Windows and begun segments between two looks at the rates: enough of them to tell one undone segment
/// in two hundred from none, and soon enough for a short run of many bodies.
const PATIENCE: u32 = 4;
const SEGMENTS: u64 = 1024;
/// One segment per moving body is enough for a window, within these bounds. More would leave the cache
/// before they are committed.
const FEWEST_IN_WINDOW: f64 = 64.0;
const MOST_IN_WINDOW: f64 = 1024.0;

impl Governor {
    pub(super) fn new(width: u32, moving: usize) -> Self {
        Governor {
            width,
            enough: (moving as f64).clamp(FEWEST_IN_WINDOW, MOST_IN_WINDOW),
            windows: 0,
            begun: 0,
            undone: 0,
        }
    }

    /// The new width, if it should change.
    pub(super) fn adjust(&mut self, stats: &Stats) -> Option<u32> {
        self.windows += 1;
        let begun = stats.segments_begun - self.begun;
        if self.windows < PATIENCE || begun < SEGMENTS {
            return None;
        }
        let wasted = (stats.segments_undone - self.undone) as f64 / begun as f64;
        let per_window = begun as f64 / f64::from(self.windows);
        self.windows = 0;
        (self.begun, self.undone) = (stats.segments_begun, stats.segments_undone);
        let width = if wasted > 0.02 || per_window > 4.0 * self.enough {
            self.width - 1
        } else if wasted < 0.005 && per_window < self.enough {
            self.width + 1
        } else {
            self.width
        };
        let changed = width != self.width && (10..50).contains(&width);
        if changed {
            self.width = width;
        }
        changed.then_some(width)
    }
}
