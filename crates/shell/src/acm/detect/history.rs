//! Histories of one window (Ainsley, section 2): every vertex's position at the window's start, at its
//! end, and whenever its velocity changed. Between samples a vertex moves straight, so the samples are
//! the whole trajectory. Internal forces and gravity kick all dynamic vertices at once: such samples are
//! held together as frames, and a vertex's own track only has the others. Where all were at the borders
//! between the window's parts is marked, too. Buffers are kept from window to window.

use crate::acm::detect::parts::{Borders, COUNT};
use crate::acm::{ShellState, Tick};
use glamx::DVec3;

/// A point of a vertex's trajectory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// When.
    pub t: Tick,
    /// Where, in m.
    pub x: DVec3,
}

/// Histories of all vertices over one window.
#[derive(Debug, Clone, Default)]
pub struct Histories {
    /// For each vertex the window's start, samples of its own, and the window's end.
    own: Vec<Vec<Sample>>,
    /// When all dynamic vertices were sampled.
    times: Vec<Tick>,
    /// Where they were then, coordinate by coordinate, in m; what is behind the last time is left from
    /// earlier.
    frames: Vec<f64>,
    /// Number of dynamic vertices.
    dynamic: usize,
    borders: Borders,
    /// Where all vertices are at the borders, coordinate by coordinate, in m.
    marks: Vec<f64>,
    /// How many borders have been marked.
    marked: usize,
}

impl Histories {
    /// Forgets everything and starts a window from the state's time to `end`; the first `dynamic`
    /// vertices obey forces.
    pub fn begin(&mut self, state: &ShellState, dynamic: usize, end: Tick) {
        self.dynamic = dynamic;
        (self.borders, self.marked) = (Borders::new(state.now, end), 0);
        self.marks.resize((COUNT + 1) * 3 * state.x.len(), 0.0);
        self.mark(state);
        self.times.clear();
        self.own.resize_with(state.x.len(), Vec::new);
        for (i, track) in self.own.iter_mut().enumerate() {
            track.clear();
            track.push(Sample {
                t: state.now,
                x: state.position_at(i, state.now),
            });
        }
    }

    /// Notes where all vertices are if the state is at the next border, which no later event has passed.
    pub(crate) fn mark(&mut self, state: &ShellState) {
        if self.marked < COUNT && state.now == self.borders.at(self.marked) {
            self.mark_next(state);
        }
    }

    fn mark_next(&mut self, state: &ShellState) {
        let (size, t) = (3 * state.x.len(), self.borders.at(self.marked));
        let marks = &mut self.marks[size * self.marked..size * (self.marked + 1)];
        for (i, place) in marks.as_chunks_mut::<3>().0.iter_mut().enumerate() {
            *place = state.position_at(i, t).to_array();
        }
        self.marked += 1;
    }

    /// Samples all dynamic vertices, which were kicked at `t`.
    pub(crate) fn record_all(&mut self, state: &ShellState, t: Tick) {
        let begun = self.own.first().is_some_and(|track| track[0].t == t);
        if begun || self.times.last() == Some(&t) {
            return;
        }
        let from = 3 * self.dynamic * self.times.len();
        if self.frames.len() < from + 3 * self.dynamic {
            self.frames.resize(2 * from + 3 * self.dynamic, 0.0);
        }
        self.times.push(t);
        let frame = &mut self.frames[from..from + 3 * self.dynamic];
        let places = frame.as_chunks_mut::<3>().0.iter_mut();
        for (place, x) in places.zip(&state.x) {
            *place = x.to_array();
        }
    }

    /// Samples the given vertices, which were kicked at `t`.
    pub(crate) fn record(
        &mut self,
        state: &ShellState,
        vertices: impl Iterator<Item = u32>,
        t: Tick,
    ) {
        let framed = self.times.last() == Some(&t);
        for i in vertices
            .map(|i| i as usize)
            .filter(|&i| state.clock[i] == t && !(framed && i < self.dynamic))
        {
            append(&mut self.own[i], t, state.x[i]);
        }
    }

    /// Forgets everything from tick `t` on, except where the window starts.
    pub(crate) fn truncate(&mut self, t: Tick) {
        for track in &mut self.own {
            while track.len() > 1 && track.last().is_some_and(|s| s.t >= t) {
                track.pop();
            }
        }
        self.times.truncate(self.times.partition_point(|&s| s < t));
    }

    /// Closes every track at the window's end. Borders that were not marked have no event behind them.
    pub fn finish(&mut self, state: &ShellState, end: Tick) {
        while self.marked <= COUNT {
            self.mark_next(state);
        }
        for (i, track) in self.own.iter_mut().enumerate() {
            append(track, end, state.position_at(i, end));
        }
    }

    /// Where every vertex was at border `k`, in m.
    pub(crate) fn marked(&self, k: usize) -> impl Iterator<Item = DVec3> + '_ {
        let places = self.marks(k).as_chunks::<3>().0;
        places.iter().map(|&place| place.into())
    }

    /// Number of vertices.
    pub fn vertex_count(&self) -> usize {
        self.own.len()
    }

    /// Number of bytes held.
    pub fn bytes(&self) -> usize {
        let own: usize = self.own.iter().map(|track| size_of_val(&track[..])).sum();
        let frame = size_of::<Tick>() + self.dynamic * size_of::<[f64; 3]>();
        own + self.times.len() * frame
    }

    /// The samples of a vertex that are not in frames, the window's start and end among them.
    pub(crate) fn own(&self, vertex: usize) -> &[Sample] {
        &self.own[vertex]
    }

    /// Puts the whole track of a vertex together.
    pub(crate) fn track(&self, vertex: usize, track: &mut Vec<Sample>) {
        let (own, mut next) = (&self.own[vertex], 0);
        track.clear();
        if vertex < self.dynamic && !self.times.is_empty() {
            track.reserve(own.len() + self.times.len());
            let places = self.frames.as_chunks::<3>().0[vertex..].iter();
            for (&t, &x) in self.times.iter().zip(places.step_by(self.dynamic)) {
                while own[next].t < t {
                    track.push(own[next]);
                    next += 1;
                }
                track.push(Sample { t, x: x.into() });
            }
        }
        track.extend(&own[next..]);
    }

    /// The window's parts.
    pub(crate) fn borders(&self) -> Borders {
        self.borders
    }

    /// Number of vertices that are in frames.
    pub(crate) fn dynamic(&self) -> usize {
        self.dynamic
    }

    /// Where all vertices are at border `k`, coordinate by coordinate, in m.
    pub(crate) fn marks(&self, k: usize) -> &[f64] {
        let size = 3 * self.own.len();
        &self.marks[size * k..size * (k + 1)]
    }

    /// The frames inside part `k`; one at a border is on the chords of both parts.
    pub(crate) fn frames(&self, k: usize) -> impl Iterator<Item = (Tick, &[f64])> {
        let (from, to) = (self.borders.at(k), self.borders.at(k + 1));
        let from = self.times.partition_point(|&t| t <= from);
        let to = self.times.partition_point(|&t| t < to).max(from);
        let size = 3 * self.dynamic;
        (from..to).map(move |i| (self.times[i], &self.frames[size * i..size * (i + 1)]))
    }
}

/// Adds a sample unless the track already has that instant: several kicks at one tick do not move
/// a vertex.
#[inline]
fn append(track: &mut Vec<Sample>, t: Tick, x: DVec3) {
    if track.last().is_none_or(|s| s.t != t) {
        track.push(Sample { t, x });
    }
}

/// Index of the piece [i, i + 1] of a track that contains `t`.
#[inline]
pub(crate) fn piece_at(track: &[Sample], t: Tick) -> usize {
    track
        .partition_point(|s| s.t <= t)
        .saturating_sub(1)
        .min(track.len().saturating_sub(2))
}

/// Position on the piece from `a` to `b` at `t`.
#[inline]
pub(crate) fn interpolate(a: &Sample, b: &Sample, t: Tick) -> DVec3 {
    let span = b.t - a.t;
    if span == 0 {
        a.x
    } else {
        a.x + (b.x - a.x) * ((t - a.t) as f64 / span as f64)
    }
}

/// Position of a track at `t`.
#[inline]
pub(crate) fn position(track: &[Sample], t: Tick) -> DVec3 {
    on_piece(track, piece_at(track, t), t)
}

/// Position of a track at `t`, which its piece `i` contains.
#[inline]
pub(crate) fn on_piece(track: &[Sample], i: usize, t: Tick) -> DVec3 {
    match track {
        [only] => only.x,
        _ => interpolate(&track[i], &track[i + 1], t),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Frames and a vertex's own samples make one track in the order of time, also after some of it
    /// was forgotten.
    #[test]
    fn tracks_are_whole() {
        let at = |t: Tick| DVec3::new(t as f64, -0.5 * t as f64, 1.0);
        let mut state = ShellState::new(vec![DVec3::ZERO; 3], vec![DVec3::ZERO; 3]);
        let mut history = Histories::default();
        history.begin(&state, 2, 30);
        let mut move_to = |t: Tick, vertices: &[usize]| {
            for &i in vertices {
                (state.x[i], state.clock[i]) = (at(t), t);
            }
            state.clone()
        };
        history.record_all(&move_to(10, &[0, 1]), 10);
        history.record(&move_to(10, &[0]), [0].into_iter(), 10);
        history.record(&move_to(13, &[1]), [1].into_iter(), 13);
        history.record(&move_to(15, &[2]), [2].into_iter(), 15);
        history.record_all(&move_to(20, &[0, 1]), 20);
        history.record(&move_to(25, &[0]), [0].into_iter(), 25);
        history.truncate(25);
        history.finish(&move_to(30, &[0, 1, 2]), 30);
        let track = |i: usize| {
            let mut track = Vec::new();
            history.track(i, &mut track);
            track
        };
        let times = |i: usize| -> Vec<Tick> { track(i).iter().map(|s| s.t).collect() };
        assert_eq!(times(0), [0, 10, 20, 30]);
        assert_eq!(times(1), [0, 10, 13, 20, 30]);
        assert_eq!(times(2), [0, 15, 30]);
        let straight = |s: &Sample| s.x == at(s.t) || s.t == 0;
        assert!((0..3).all(|i| track(i).iter().all(straight)));
        let frames: Vec<Tick> = (0..COUNT)
            .flat_map(|k| history.frames(k))
            .map(|f| f.0)
            .collect();
        assert_eq!(frames, [10, 20]);
        // nobody was marked on the way, so all borders are seen from the end
        assert_eq!(history.marks(COUNT)[..3], at(30).to_array());
    }
}
