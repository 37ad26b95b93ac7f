//! A vertex's motion over a window in equal parts, each bounded by its chord and the largest
//! deviation from it: a slab is walked along parts, and along single samples only where a part
//! comes too near.

use crate::acm::Tick;
use crate::acm::detect::history::{Sample, interpolate, piece_at};
use glamx::DVec3;

/// Number of parts; a savepoint stands before each.
pub(crate) const COUNT: usize = 8;

/// The borders between a window's equal parts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Borders {
    begin: Tick,
    end: Tick,
    spacing: Tick,
}

impl Borders {
    /// Cuts a window.
    pub fn new(begin: Tick, end: Tick) -> Borders {
        Borders {
            begin,
            end,
            spacing: ((end - begin) / COUNT as Tick).max(1),
        }
    }

    /// Where part `k` begins; the last border is the window's end.
    #[inline]
    pub fn at(&self, k: usize) -> Tick {
        if k == COUNT {
            self.end
        } else {
            (self.begin + self.spacing * k as Tick).min(self.end)
        }
    }

    /// The part that contains `t`.
    #[inline]
    pub fn part(&self, t: Tick) -> usize {
        (((t - self.begin) / self.spacing).max(0) as usize).min(COUNT - 1)
    }

    /// The first of all times a spacing apart that is after `t`, in the window or behind it.
    pub fn next_after(&self, t: Tick) -> Tick {
        self.begin + ((t - self.begin) / self.spacing + 1) * self.spacing
    }
}

/// The parts of one vertex's track.
#[derive(Debug, Clone)]
pub(crate) struct Parts {
    borders: Borders,
    /// Positions at the borders, in m.
    x: [DVec3; COUNT + 1],
    /// Largest distance from uniform motion along each part's chord, in m.
    radius: [f64; COUNT],
    /// The piece of the track that contains each border.
    piece: [u32; COUNT + 1],
}

impl Parts {
    /// The parts of a track with at least two samples.
    pub fn of(track: &[Sample]) -> Parts {
        let (begin, end) = (track[0].t, track[track.len() - 1].t);
        let mut parts = Parts {
            borders: Borders::new(begin, end),
            x: [track[0].x; COUNT + 1],
            radius: [0.0; COUNT],
            piece: [0; COUNT + 1],
        };
        for k in 1..=COUNT {
            let t = parts.border(k);
            let piece = piece_at(track, t);
            parts.piece[k] = piece as u32;
            parts.x[k] = interpolate(&track[piece], &track[piece + 1], t);
        }
        for k in 0..COUNT {
            let (from, to) = (parts.border(k), parts.border(k + 1));
            let rate = (parts.x[k + 1] - parts.x[k]) / (to - from).max(1) as f64;
            let inside = parts.piece[k] as usize..=parts.piece[k + 1] as usize;
            let mut squared = 0.0f64;
            for s in track[inside].iter().filter(|s| s.t > from && s.t < to) {
                let on_chord = parts.x[k] + rate * (s.t - from) as f64;
                squared = squared.max((s.x - on_chord).length_squared());
            }
            parts.radius[k] = squared.sqrt();
        }
        parts
    }

    /// When part `k` begins; the last border is the track's end.
    #[inline]
    pub fn border(&self, k: usize) -> Tick {
        self.borders.at(k)
    }

    /// The part that contains `t`.
    #[inline]
    pub fn index(&self, t: Tick) -> usize {
        self.borders.part(t)
    }

    /// About how far the vertex goes from `t0` to `t1`, over the ticks between, in m per tick.
    #[inline]
    pub fn rate(&self, t0: Tick, t1: Tick) -> DVec3 {
        let (from, to) = (self.index(t0), self.index(t1 - 1) + 1);
        (self.x[to] - self.x[from]) / (self.border(to) - self.border(from)).max(1) as f64
    }

    /// Whether something linear in time and position that is `room(t, x)` at the borders stays
    /// above zero throughout part `k`, its slope over distance being at most 1.
    #[inline]
    pub fn clears(&self, k: usize, room: impl Fn(Tick, DVec3) -> f64) -> bool {
        let (from, to) = (
            room(self.border(k), self.x[k]),
            room(self.border(k + 1), self.x[k + 1]),
        );
        from.min(to) > self.radius[k]
    }

    /// Position at border `k` and the piece of the track that contains it.
    #[inline]
    pub fn at_border(&self, k: usize) -> (DVec3, usize) {
        (self.x[k], self.piece[k] as usize)
    }
}
