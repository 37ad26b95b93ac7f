//! Swept volumes of all vertices, over the window and over each of its parts: chords, and the largest
//! deviations from uniform motion along them.

use super::Tick;
use super::history::Histories;
use super::parts::COUNT;
use super::tube::Tube;
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use std::ops::Range;

/// Vertices that are swept together, so that what a frame is compared with stays near.
const TOGETHER: usize = 256;

/// The motion of every vertex, bounded.
#[derive(Debug, Clone, Default)]
pub(super) struct Swept {
    /// Over the window.
    pub tubes: Vec<Tube>,
    /// For each part of the window the largest distance from uniform motion between its borders, in m.
    pub radii: Vec<[f64; COUNT]>,
}

/// The same for some vertices.
type Batch = (Vec<Tube>, Vec<[f64; COUNT]>);

impl Swept {
    /// Sweeps all vertices, over threads if asked.
    pub fn sweep(&mut self, history: &Histories, parallel: bool) {
        let count = history.vertex_count();
        let some = |first: usize| sweep(history, first..(first + TOGETHER).min(count));
        self.tubes.clear();
        self.radii.clear();
        let mut add = |(tubes, radii): Batch| {
            self.tubes.extend(tubes);
            self.radii.extend(radii);
        };
        if parallel {
            let parts = (0..count).into_par_iter().step_by(TOGETHER);
            let swept: Vec<Batch> = parts.map(some).collect();
            swept.into_iter().for_each(add);
        } else {
            (0..count)
                .step_by(TOGETHER)
                .for_each(|first| add(some(first)));
        }
    }
}

fn sweep(history: &Histories, vertices: Range<usize>) -> Batch {
    let mut radii = framed(history, &vertices);
    let borders = history.borders();
    let mark = |i: usize, k: usize| DVec3::from_slice(&history.marks(k)[3 * i..3 * i + 3]);
    let chord = |i: usize, from: usize, to: usize| {
        let per_tick = rate(borders.at(from), borders.at(to));
        (mark(i, from), per_tick * (mark(i, to) - mark(i, from)))
    };
    let tube = |(i, radii): (usize, &mut [f64; COUNT])| {
        let own = history.own(i);
        let (mut k, mut here) = (COUNT, (DVec3::ZERO, DVec3::ZERO));
        for s in &own[1..own.len().max(2) - 1] {
            if k == COUNT || s.t >= borders.at(k + 1) {
                k = borders.part(s.t);
                here = chord(i, k, k + 1);
            }
            let on_chord = here.0 + here.1 * (s.t - borders.at(k)) as f64;
            radii[k] = radii[k].max((s.x - on_chord).length());
        }
        // between two borders the distance from a part's chord to the window's is convex in time
        let (start, velocity) = chord(i, 0, COUNT);
        let (mut radius, mut before) = (0.0f64, 0.0);
        for (k, own) in radii.iter().enumerate() {
            let on_chord = start + velocity * (borders.at(k + 1) - borders.at(0)) as f64;
            let after = (mark(i, k + 1) - on_chord).length();
            radius = radius.max(own + after.max(before));
            before = after;
        }
        Tube {
            start,
            end: mark(i, COUNT),
            radius,
        }
    };
    let tubes = vertices.zip(&mut radii).map(tube).collect();
    (tubes, radii)
}

/// For each of some vertices and each part of the window the largest distance, in each coordinate on its own,
/// between any frame and uniform motion over the part, as the length of such a vector.
fn framed(history: &Histories, vertices: &Range<usize>) -> Vec<[f64; COUNT]> {
    let mut radii = vec![[0.0; COUNT]; vertices.len()];
    let moved = vertices.start..vertices.end.min(history.dynamic());
    if moved.is_empty() {
        return radii;
    }
    let range = 3 * moved.start..3 * moved.end;
    let (marks, borders) = (
        |k: usize| &history.marks(k)[range.clone()],
        history.borders(),
    );
    let (arch, mut rates) = (Arch::new(), Vec::new());
    let mut widest = vec![[0.0f64; 3]; moved.len()];
    for k in 0..COUNT {
        let per_tick = rate(borders.at(k), borders.at(k + 1));
        let both = marks(k).iter().zip(marks(k + 1));
        rates.clear();
        rates.extend(both.map(|(a, b)| (b - a) * per_tick));
        widest.fill([0.0; 3]);
        arch.dispatch(Widen {
            frames: history
                .frames(k)
                .map(|(t, frame)| (&frame[range.clone()], (t - borders.at(k)) as f64)),
            start: marks(k),
            rate: &rates,
            widest: widest.as_flattened_mut(),
        });
        for (radii, widest) in radii.iter_mut().zip(&widest) {
            radii[k] = DVec3::from(*widest).length();
        }
    }
    radii
}

/// One over the ticks from one border to another.
fn rate(from: Tick, to: Tick) -> f64 {
    1.0 / (to - from).max(1) as f64
}

/// Widens deviations from uniform motion by those of some frames, each some ticks after the start.
struct Widen<'a, I> {
    frames: I,
    start: &'a [f64],
    rate: &'a [f64],
    widest: &'a mut [f64],
}

impl<'a, I: Iterator<Item = (&'a [f64], f64)>> WithSimd for Widen<'a, I> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let len = self.start.len();
        let (start, rate) = (&self.start[..len], &self.rate[..len]);
        let widest = &mut self.widest[..len];
        for (places, since) in self.frames {
            let places = &places[..len];
            for i in 0..len {
                let away = (places[i] - (start[i] + rate[i] * since)).abs();
                widest[i] = if widest[i] < away { away } else { widest[i] };
            }
        }
    }
}
