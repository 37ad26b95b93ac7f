//! A vertex's swept volume over a window: the chord from its first to its last sample, as thick as
//! its largest deviation from uniform motion along it. Fine oscillations cost one pass over the
//! samples, and most pairs are cleared by their chords alone.

use super::Kind;
use super::distance::{closest, gap};
use super::dop::Dop;
use super::history::{Sample, chord};
use glamx::DVec3;

/// A vertex's motion over the window, bounded.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tube {
    /// At the window's start, in m.
    pub start: DVec3,
    /// At its end, in m.
    pub end: DVec3,
    /// Largest distance from uniform motion along the chord, in m.
    pub radius: f64,
}

impl Tube {
    /// The tube of a vertex with some samples of its own, the first and the last among them, and others
    /// that are no farther from its chord than `deviation` in each coordinate, in m.
    pub fn around(own: &[Sample], deviation: [f64; 3]) -> Tube {
        let (first, rate) = chord(own);
        let last = own[own.len() - 1];
        let mut squared = DVec3::from(deviation).length_squared();
        for s in &own[1..own.len().max(2) - 1] {
            let on_chord = first.x + rate * (s.t - first.t) as f64;
            squared = squared.max((s.x - on_chord).length_squared());
        }
        Tube {
            start: first.x,
            end: last.x,
            radius: squared.sqrt(),
        }
    }

    /// Bounds the whole motion, and `onward` times as much again if it goes on like this: pairs that
    /// will be near in windows to come are found now.
    pub fn bound(&self, onward: f64) -> Dop {
        let then = self.end + (self.end - self.start) * onward;
        Dop::tube(self.start, then, self.radius)
    }
}

/// Largest coordinate that any of the vertices reaches in the window, in m.
#[inline]
pub(super) fn extent(tubes: &[Tube; 4]) -> f64 {
    let reach = |t: &Tube| t.start.abs().max(t.end.abs()).max_element() + t.radius;
    tubes.iter().map(reach).fold(0.0, f64::max)
}

/// Whether one direction keeps the two chords, thickened by the tubes, `thickness` apart: the slab
/// width along straight motion is concave in time, so both ends decide.
#[inline]
pub(super) fn chords_clear(kind: Kind, tubes: &[Tube; 4], thickness: f64) -> bool {
    let middle = tubes.map(|t| (t.start + t.end) * 0.5);
    let separation = closest(kind, &middle).separation;
    let distance = separation.length();
    let radius =
        |range: std::ops::Range<usize>| tubes[range].iter().fold(0.0f64, |r, t| r.max(t.radius));
    let split = kind.first_len();
    let need =
        thickness + radius(0..split) + radius(split..4) + 256.0 * f64::EPSILON * extent(tubes);
    if distance.is_nan() || distance <= need {
        return false;
    }
    let n = separation / distance;
    gap(kind, &tubes.map(|t| t.start.dot(n))) >= need
        && gap(kind, &tubes.map(|t| t.end.dot(n))) >= need
}
