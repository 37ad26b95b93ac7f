//! Per-vertex histories of one window (Ainsley, section 2): the position at the window's start, at
//! its end, and whenever the velocity changed. Between samples a vertex moves straight, so the
//! samples are the whole trajectory. Buffers are kept from window to window.

use super::{ShellState, Threads, Tick};
use glamx::DVec3;
use rayon::prelude::*;

/// A point of a vertex's trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// When.
    pub t: Tick,
    /// Where, in m.
    pub x: DVec3,
}

/// Vertices below which threads are not worth waking.
const PARALLEL_MIN: usize = 2048;

/// Histories of all vertices over one window.
#[derive(Debug, Clone, Default)]
pub struct Histories {
    pub(super) tracks: Vec<Vec<Sample>>,
}

impl Histories {
    /// Forgets everything and starts at the state's time.
    pub fn begin(&mut self, state: &ShellState) {
        self.tracks.resize_with(state.x.len(), Vec::new);
        for (i, track) in self.tracks.iter_mut().enumerate() {
            track.clear();
            track.push(Sample {
                t: state.now,
                x: state.position_at(i, state.now),
            });
        }
    }

    /// Samples the first `dynamic` vertices, all of which were kicked at `t`.
    pub(super) fn record_all(
        &mut self,
        state: &ShellState,
        dynamic: usize,
        t: Tick,
        threads: &Threads,
    ) {
        let (tracks, x) = (&mut self.tracks[..dynamic], &state.x[..dynamic]);
        if threads.count() == 1 || tracks.len() < PARALLEL_MIN {
            tracks
                .iter_mut()
                .zip(x)
                .for_each(|(track, x)| append(track, t, *x));
        } else {
            threads.run(|| {
                (tracks, x)
                    .into_par_iter()
                    .with_min_len(PARALLEL_MIN / 2)
                    .for_each(|(track, x)| append(track, t, *x))
            });
        }
    }

    /// Samples the given vertices, which were kicked at `t`.
    pub(super) fn record(
        &mut self,
        state: &ShellState,
        vertices: impl Iterator<Item = u32>,
        t: Tick,
    ) {
        for i in vertices
            .map(|i| i as usize)
            .filter(|&i| state.clock[i] == t)
        {
            append(&mut self.tracks[i], t, state.x[i]);
        }
    }

    /// Forgets everything from tick `t` on, except where the window starts.
    pub(super) fn truncate(&mut self, t: Tick) {
        for track in &mut self.tracks {
            while track.len() > 1 && track.last().is_some_and(|s| s.t >= t) {
                track.pop();
            }
        }
    }

    /// Closes every track at the window's end.
    pub fn finish(&mut self, state: &ShellState, end: Tick) {
        for (i, track) in self.tracks.iter_mut().enumerate() {
            append(track, end, state.position_at(i, end));
        }
    }

    /// Where every vertex was at the window's start, in m.
    pub(super) fn starts(&self) -> impl Iterator<Item = DVec3> + '_ {
        self.tracks.iter().map(|track| track[0].x)
    }

    /// Number of samples held.
    pub fn sample_count(&self) -> usize {
        self.tracks.iter().map(Vec::len).sum()
    }
}

/// Adds a sample unless the track already has that instant: several kicks at one tick do not move
/// a vertex.
#[inline]
pub(super) fn append(track: &mut Vec<Sample>, t: Tick, x: DVec3) {
    if track.last().is_none_or(|s| s.t != t) {
        track.push(Sample { t, x });
    }
}

/// Index of the piece [i, i + 1] of a track that contains `t`.
#[inline]
pub(super) fn piece_at(track: &[Sample], t: Tick) -> usize {
    track
        .partition_point(|s| s.t <= t)
        .saturating_sub(1)
        .min(track.len().saturating_sub(2))
}

/// Position on the piece from `a` to `b` at `t`.
#[inline]
pub(super) fn interpolate(a: &Sample, b: &Sample, t: Tick) -> DVec3 {
    let span = b.t - a.t;
    if span == 0 {
        a.x
    } else {
        a.x + (b.x - a.x) * ((t - a.t) as f64 / span as f64)
    }
}

/// Position of a track at `t`.
#[inline]
pub(super) fn position(track: &[Sample], t: Tick) -> DVec3 {
    match track {
        [only] => only.x,
        _ => {
            let i = piece_at(track, t);
            interpolate(&track[i], &track[i + 1], t)
        }
    }
}
