//! Swept volumes of all vertices, over the window and over each of its parts: chords, and the largest
//! deviations from uniform motion along them.

use crate::acm::Tick;
use crate::acm::detect::history::Histories;
use crate::acm::detect::parts::COUNT;
use crate::acm::detect::tube::Tube;
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;
use std::ops::Range;

/// Vertices that are swept together, so that what a frame is compared with stays near.
const TOGETHER: usize = 256;

/// The motion of every vertex, bounded.
#[derive(Debug, Clone, Default)]
pub(crate) struct Swept {
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
    for (i, radii) in vertices.clone().zip(&mut radii) {
        let own = history.own(i);
        let (mut k, mut here) = (COUNT, (DVec3::ZERO, DVec3::ZERO));
        for s in &own[1..own.len().max(2) - 1] {
            if k == COUNT || s.t >= borders.at(k + 1) {
                k = borders.part(s.t);
                let per_tick = rate(borders.at(k), borders.at(k + 1));
                here = (mark(i, k), per_tick * (mark(i, k + 1) - mark(i, k)));
            }
            let on_chord = here.0 + here.1 * (s.t - borders.at(k)) as f64;
            radii[k] = radii[k].max((s.x - on_chord).length());
        }
    }
    let away = away(history, &vertices);
    let tube = |(i, (radii, away)): (usize, (&[f64; COUNT], f64))| Tube {
        start: mark(i, 0),
        end: mark(i, COUNT),
        radius: away + radii.iter().copied().fold(0.0, f64::max),
    };
    let tubes = vertices.zip(radii.iter().zip(away)).map(tube).collect();
    (tubes, radii)
}

/// For each of some vertices the largest distance between the chords of the window's parts and that of the window:
/// between two borders it is convex in time.
fn away(history: &Histories, vertices: &Range<usize>) -> Vec<f64> {
    let (range, borders) = (3 * vertices.start..3 * vertices.end, history.borders());
    let marks = |k: usize| &history.marks(k)[range.clone()];
    let whole = rate(borders.at(0), borders.at(COUNT));
    let mut widest = vec![0.0; 3 * vertices.len()];
    let rates: Vec<f64> = chord_rates(marks(0), marks(COUNT), whole).collect();
    Arch::new().dispatch(Widen {
        frames: (1..COUNT).map(|k| (marks(k), (borders.at(k) - borders.at(0)) as f64)),
        start: marks(0),
        rate: &rates,
        widest: &mut widest,
    });
    let mut lengths = vec![0.0; vertices.len()];
    Arch::new().dispatch(Lengths(&widest, &mut lengths));
    lengths
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
    let (mut widest, mut lengths) = (vec![0.0; 3 * moved.len()], vec![0.0; moved.len()]);
    for k in 0..COUNT {
        let per_tick = rate(borders.at(k), borders.at(k + 1));
        rates.clear();
        rates.extend(chord_rates(marks(k), marks(k + 1), per_tick));
        widest.fill(0.0);
        arch.dispatch(Widen {
            frames: history
                .frames(k)
                .map(|(t, frame)| (&frame[range.clone()], (t - borders.at(k)) as f64)),
            start: marks(k),
            rate: &rates,
            widest: &mut widest,
        });
        arch.dispatch(Lengths(&widest, &mut lengths));
        for (radii, &length) in radii.iter_mut().zip(&lengths) {
            radii[k] = length;
        }
    }
    radii
}

/// Distances per tick, coordinate by coordinate.
fn chord_rates<'a>(from: &'a [f64], to: &'a [f64], per_tick: f64) -> impl Iterator<Item = f64> {
    let both = from.iter().zip(to);
    both.map(move |(a, b)| (b - a) * per_tick)
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

/// Lengths of vectors.
struct Lengths<'a>(&'a [f64], &'a mut [f64]);

impl WithSimd for Lengths<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Lengths(vectors, lengths) = self;
        for (length, [x, y, z]) in lengths.iter_mut().zip(vectors.as_chunks().0) {
            *length = (x * x + y * y + z * z).sqrt();
        }
    }
}
