//! Swept volumes of all vertices, over the window and over each of its parts: chords, and the largest
//! deviations from uniform motion along them.

use super::Tick;
use super::history::Histories;
use super::parts::COUNT;
use super::tube::Tube;
use glamx::DVec3;
use pulp::Arch;
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
        let (start, velocity) = chord(i, 0, COUNT);
        let mut squared = DVec3::from(deviation).length_squared();
        let own = history.own(i);
        for s in &own[1..own.len().max(2) - 1] {
            let on_chord = start + velocity * (s.t - borders.at(0)) as f64;
            squared = squared.max((s.x - on_chord).length_squared());
            let k = borders.part(s.t);
            let (start, velocity) = chord(i, k, k + 1);
            let on_chord = start + velocity * (s.t - borders.at(k)) as f64;
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
    let (mut over_all, mut over_part) = (Vec::new(), Vec::new());
    rates(0, COUNT, &mut over_all);
    let mut widest = vec![[0.0f64; 3]; moved.len()];
    for k in 0..COUNT {
        rates(k, k + 1, &mut over_part);
        widest.fill([0.0; 3]);
        Arch::new().dispatch(|| {
            for (t, frame) in history.frames(k) {
                let places = &frame[range.clone()];
                let since = |k: usize| (t - borders.at(k)) as f64;
                widen(
                    places,
                    marks(0),
                    &over_all,
                    since(0),
                    whole.as_flattened_mut(),
                );
                widen(
                    places,
                    marks(k),
                    &over_part,
                    since(k),
                    widest.as_flattened_mut(),
                );
            }
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

/// Widens deviations by those of one frame, `elapsed` ticks after the start.
#[inline(always)]
fn widen(places: &[f64], start: &[f64], rate: &[f64], elapsed: f64, widest: &mut [f64]) {
    let chords = start.iter().zip(rate);
    for ((x, (start, rate)), widest) in places.iter().zip(chords).zip(widest) {
        let away = (x - (start + rate * elapsed)).abs();
        *widest = if *widest < away { away } else { *widest };
    }
}
