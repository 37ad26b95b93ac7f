//! A vertex's swept volume over a window: the chord from its first to its last sample, as thick as
//! its largest deviation from uniform motion along it. Fine oscillations cost one pass over the
//! samples, and most pairs are cleared by their chords alone.

use crate::acm::detect::coarse::{Coarse, Grid};
use glamx::DVec3;

/// A vertex's motion over the window, bounded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Tube {
    /// At the window's start, in m.
    pub start: DVec3,
    /// At its end, in m.
    pub end: DVec3,
    /// Largest distance from uniform motion along the chord, in m.
    pub radius: f64,
}

impl Tube {
    /// Bounds the whole motion, and `onward` times as much again if it goes on like this: pairs that
    /// will be near in windows to come are found now.
    #[inline(always)]
    pub fn bound(&self, grid: &Grid, onward: f64) -> Coarse {
        Coarse::tube(grid, self.start, self.later(onward), self.radius)
    }

    /// Where the chord leads in `onward` more windows, in m.
    #[inline(always)]
    pub fn later(&self, onward: f64) -> DVec3 {
        self.end + (self.end - self.start) * onward
    }
}

/// Largest coordinate that any of the vertices reaches in the window, in m.
#[inline]
pub(crate) fn extent(tubes: &[Tube; 4]) -> f64 {
    let reach = |t: &Tube| t.start.abs().max(t.end.abs()).max_element() + t.radius;
    tubes.iter().map(reach).fold(0.0, f64::max)
}
