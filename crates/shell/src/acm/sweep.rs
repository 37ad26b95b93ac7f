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
const TOGETHER: usize = 128;

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
    let (whole, mut radii) = framed(history, &vertices);
    let borders = history.borders();
    let chord = |i: usize, from: usize, to: usize| {
        let at = |k: usize| DVec3::from_slice(&history.marks(k)[3 * i..3 * i + 3]);
        (
            at(from),
            rate(borders.at(from), borders.at(to)) * (at(to) - at(from)),
        )
    };
    let tube = |(i, (deviation, radii)): (usize, ([f64; 3], &mut [f64; COUNT]))| {
        let own = history.own(i);
        let inside = &own[1..own.len().max(2) - 1];
        let (start, velocity) = chord(i, 0, COUNT);
        let mut squared = DVec3::from(deviation).length_squared();
        let (mut k, mut here) = (COUNT, (start, velocity));
        for s in inside {
            let on_chord = start + velocity * (s.t - borders.at(0)) as f64;
            squared = squared.max((s.x - on_chord).length_squared());
            if k == COUNT || s.t >= borders.at(k + 1) {
                k = borders.part(s.t);
                here = chord(i, k, k + 1);
            }
            let on_chord = here.0 + here.1 * (s.t - borders.at(k)) as f64;
            radii[k] = radii[k].max((s.x - on_chord).length());
        }
        Tube {
            start,
            end: own[own.len() - 1].x,
            radius: squared.sqrt(),
        }
    };
    let all = vertices.zip(whole.into_iter().zip(&mut radii));
    let tubes = all.map(tube).collect();
    (tubes, radii)
}

/// For each of some vertices the largest distance, in each coordinate on its own, between any frame and
/// uniform motion over the window, and for each part of the window the length of such a vector.
fn framed(history: &Histories, vertices: &Range<usize>) -> (Vec<[f64; 3]>, Vec<[f64; COUNT]>) {
    let mut whole = vec![[0.0; 3]; vertices.len()];
    let mut radii = vec![[0.0; COUNT]; vertices.len()];
    let moved = vertices.start..vertices.end.min(history.dynamic());
    if moved.is_empty() {
        return (whole, radii);
    }
    let range = 3 * moved.start..3 * moved.end;
    let (marks, borders) = (
        |k: usize| &history.marks(k)[range.clone()],
        history.borders(),
    );
    let rates = |from: usize, to: usize, out: &mut Vec<f64>| {
        let per_tick = rate(borders.at(from), borders.at(to));
        let both = marks(from).iter().zip(marks(to));
        out.clear();
        out.extend(both.map(|(a, b)| (b - a) * per_tick));
    };
    let (arch, mut over_all, mut over_part) = (Arch::new(), Vec::new(), Vec::new());
    rates(0, COUNT, &mut over_all);
    let mut widest = vec![[0.0f64; 3]; moved.len()];
    for k in 0..COUNT {
        rates(k, k + 1, &mut over_part);
        widest.fill([0.0; 3]);
        arch.dispatch(Widen {
            frames: history.frames(k).map(|(t, frame)| {
                let since = |k: usize| (t - borders.at(k)) as f64;
                (&frame[range.clone()], [since(0), since(k)])
            }),
            start: [marks(0), marks(k)],
            rate: [&over_all, &over_part],
            widest: [
                whole[..moved.len()].as_flattened_mut(),
                widest.as_flattened_mut(),
            ],
        });
        for (radii, widest) in radii.iter_mut().zip(&widest) {
            radii[k] = DVec3::from(*widest).length();
        }
    }
    (whole, radii)
}

/// One over the ticks from one border to another.
fn rate(from: Tick, to: Tick) -> f64 {
    1.0 / (to - from).max(1) as f64
}

/// Widens deviations from two uniform motions by those of some frames, each some ticks after the starts.
struct Widen<'a, I> {
    frames: I,
    start: [&'a [f64]; 2],
    rate: [&'a [f64]; 2],
    widest: [&'a mut [f64]; 2],
}

impl<'a, I: Iterator<Item = (&'a [f64], [f64; 2])>> WithSimd for Widen<'a, I> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let ([s, p], [u, q], [wide, widest]) = (self.start, self.rate, self.widest);
        let len = s.len();
        let (s, p, u, q) = (&s[..len], &p[..len], &u[..len], &q[..len]);
        let (wide, widest) = (&mut wide[..len], &mut widest[..len]);
        for (places, [since, here]) in self.frames {
            let places = &places[..len];
            for i in 0..len {
                let away = (places[i] - (s[i] + u[i] * since)).abs();
                wide[i] = if wide[i] < away { away } else { wide[i] };
                let away = (places[i] - (p[i] + q[i] * here)).abs();
                widest[i] = if widest[i] < away { away } else { widest[i] };
            }
        }
    }
}
