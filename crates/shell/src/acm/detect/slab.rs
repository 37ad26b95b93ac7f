//! Narrow phase: space-time separating slabs by recursive division (Algorithm 3). A slab through
//! the middle of the closest points, moving with the pair's mean velocity, is walked along each
//! vertex's history both ways to the first crossing; what it does not cover is divided again.
//! Below 1e-10 s of straight motion the fail-safe decides.

use crate::acm::detect::ccd::may_come_within;
use crate::acm::detect::distance::{closest, gap};
use crate::acm::detect::history::{Sample, interpolate, on_piece, piece_at, position};
use crate::acm::detect::parts::{self, Parts};
use crate::acm::{Kind, Tick};
use glamx::DVec3;

/// 1e-10 s in ticks (Ainsley, section 3).
const TOLERANCE: Tick = 110;
/// Divisions after which a pair is called proximate: an unneeded layer is harmless.
const DIVISIONS_MAX: u32 = 20_000;

/// One pair's trajectories over a window.
pub(crate) struct Slabs<'a> {
    kind: Kind,
    tracks: [&'a [Sample]; 4],
    /// The tracks in parts, if they were cut.
    parts: Option<[&'a Parts; 4]>,
    /// Half of the distance to be kept, plus rounding, in m.
    half_need: f64,
    thickness: f64,
    /// How precisely an entry is located, in ticks.
    resolution: Tick,
    /// Slabs built.
    pub steps: u32,
    /// Fail-safe calls.
    pub failsafe: u32,
}

/// A plane n.x = offset + slope (t - middle) that moves with the pair.
struct Plane {
    n: DVec3,
    offset: f64,
    /// In m per tick.
    slope: f64,
    middle: Tick,
}

impl<'a> Slabs<'a> {
    /// A query when the pair comes within `thickness` (m); no coordinate of any of its samples is
    /// larger than `extent` (m).
    pub fn new(
        kind: Kind,
        tracks: [&'a [Sample]; 4],
        thickness: f64,
        extent: f64,
        resolution: Tick,
    ) -> Slabs<'a> {
        let rounding = 64.0 * f64::EPSILON * extent;
        Slabs {
            kind,
            tracks,
            parts: None,
            half_need: 0.5 * thickness + rounding,
            thickness,
            resolution,
            steps: 0,
            failsafe: 0,
        }
    }

    /// Walks along parts of the tracks where it can.
    pub fn along(mut self, parts: [&'a Parts; 4]) -> Slabs<'a> {
        self.parts = Some(parts);
        self
    }

    /// A time before the pair's first entry into the thickness in [t0, t1], at most a resolution
    /// too early, or `None` if it surely does not enter.
    pub fn first_entry(&mut self, t0: Tick, t1: Tick) -> Option<Tick> {
        if t1 <= t0 {
            return None;
        }
        if t1 - t0 < TOLERANCE && self.straight(t0, t1) {
            self.failsafe += 1;
            let (start, end) = (
                self.tracks.map(|t| position(t, t0)),
                self.tracks.map(|t| position(t, t1)),
            );
            return may_come_within(self.kind, &start, &end, self.thickness).then_some(t0);
        }
        self.steps += 1;
        let middle = t0 + (t1 - t0) / 2;
        let pieces = self.tracks.map(|track| piece_at(track, middle));
        let plane = if self.steps > DIVISIONS_MAX {
            None
        } else {
            self.plane(&pieces, t0, middle, t1)
        };
        match plane {
            Some(plane) => {
                let (low, high) = self.covered(&plane, &pieces, t0, t1);
                self.first_entry(t0, low)
                    .or_else(|| self.first_entry(high, t1))
            }
            None if t1 - t0 <= self.resolution || self.steps > DIVISIONS_MAX => Some(t0),
            None => self.first_entry(t0, middle).or(Some(middle)),
        }
    }

    /// The same question answered without slabs: continuous detection on every straight piece.
    pub fn first_entry_piecewise(&mut self, t0: Tick, t1: Tick) -> Option<Tick> {
        let mut t = t0;
        while t < t1 {
            let piece_end = |track: &&[Sample]| {
                if track.len() < 2 {
                    t1
                } else {
                    track[piece_at(track, t) + 1].t
                }
            };
            let next = self
                .tracks
                .iter()
                .map(piece_end)
                .min()
                .unwrap_or(t1)
                .clamp(t + 1, t1);
            let (start, end) = (
                self.tracks.map(|s| position(s, t)),
                self.tracks.map(|s| position(s, next)),
            );
            self.failsafe += 1;
            if may_come_within(self.kind, &start, &end, self.thickness) {
                return Some(t);
            }
            t = next;
        }
        None
    }

    /// Whether no vertex changes velocity inside (t0, t1).
    fn straight(&self, t0: Tick, t1: Tick) -> bool {
        self.tracks
            .iter()
            .all(|track| track.len() < 2 || track[piece_at(track, t0) + 1].t >= t1)
    }

    /// About how fast vertex `i` moves between two ticks, in m per tick.
    fn rate(&self, i: usize, t0: Tick, t1: Tick) -> DVec3 {
        match self.parts {
            Some(parts) => parts[i].rate(t0, t1),
            None => {
                let track = self.tracks[i];
                (position(track, t1) - position(track, t0)) / (t1 - t0) as f64
            }
        }
    }

    /// The separating plane at `middle`, unless the pair is proximate then; `pieces` contain it.
    fn plane(&self, pieces: &[usize; 4], t0: Tick, middle: Tick, t1: Tick) -> Option<Plane> {
        let mut x = [DVec3::ZERO; 4];
        for (x, (track, &piece)) in x.iter_mut().zip(self.tracks.iter().zip(pieces)) {
            *x = on_piece(track, piece, middle);
        }
        let near = closest(self.kind, &x);
        let distance = near.separation.length();
        if distance.is_nan() || distance <= 2.0 * self.half_need {
            return None;
        }
        let n = near.separation / distance;
        let projected = x.map(|p| p.dot(n));
        let width = gap(self.kind, &projected);
        if width <= 2.0 * self.half_need {
            return None;
        }
        let below = match self.kind {
            Kind::VertexFace => projected[0] - width,
            Kind::EdgeEdge => projected[0].min(projected[1]) - width,
        };
        // both closest points: the second primitive's weights are negative
        let drift: DVec3 = (0..4)
            .map(|i| self.rate(i, t0, t1) * near.weights[i].abs())
            .sum();
        Some(Plane {
            n,
            offset: below + 0.5 * width,
            slope: 0.5 * drift.dot(n),
            middle,
        })
    }

    /// The interval around the plane's middle in which no vertex comes too near to it.
    fn covered(&self, plane: &Plane, pieces: &[usize; 4], t0: Tick, t1: Tick) -> (Tick, Tick) {
        let (mut low, mut high) = (t0, t1);
        for (i, track) in self.tracks.iter().enumerate() {
            let sign = if i < self.kind.first_len() { 1.0 } else { -1.0 };
            let side = Side {
                track,
                piece: pieces[i],
                parts: self.parts.map(|p| p[i]),
                plane,
                sign,
                need: self.half_need,
            };
            high = side.clear_forward(high);
            low = side.clear_backward(low);
        }
        (low, high)
    }
}

/// One vertex and the side of the plane on which it has to stay.
struct Side<'a> {
    track: &'a [Sample],
    /// The piece that contains the plane's middle.
    piece: usize,
    parts: Option<&'a Parts>,
    plane: &'a Plane,
    sign: f64,
    need: f64,
}

impl Side<'_> {
    /// Room left between the vertex and the slab, in m.
    #[inline]
    fn room(&self, t: Tick, x: DVec3) -> f64 {
        let p = self.plane;
        self.sign * (x.dot(p.n) - p.offset - p.slope * (t - p.middle) as f64) - self.need
    }

    /// The last tick up to `limit` until which the vertex stays on its side.
    fn clear_forward(&self, limit: Tick) -> Tick {
        let (track, middle) = (self.track, self.plane.middle);
        if track.len() < 2 {
            return limit;
        }
        let (mut i, mut t) = (self.piece, middle);
        let mut room = self.room(t, interpolate(&track[i], &track[i + 1], t));
        let mut part = self.parts.map_or(parts::COUNT, |p| p.index(t));
        while t < limit && i + 1 < track.len() {
            if let Some(p) = self
                .parts
                .filter(|p| part < parts::COUNT && t >= p.border(part))
            {
                part += 1;
                if p.clears(part - 1, |t, x| self.room(t, x)) {
                    let (x, piece) = p.at_border(part);
                    (t, i) = (p.border(part), piece);
                    room = self.room(t, x);
                    continue;
                }
            }
            let next = &track[i + 1];
            let next_room = self.room(next.t, next.x);
            if next_room < 0.0 {
                let reach = ((next.t - t) as f64 * (room / (room - next_room)).max(0.0)) as Tick;
                return (t + reach - 1).clamp(middle, limit);
            }
            (t, room, i) = (next.t, next_room, i + 1);
        }
        limit
    }

    /// The first tick down to `limit` from which on the vertex stays on its side.
    fn clear_backward(&self, limit: Tick) -> Tick {
        let (track, middle) = (self.track, self.plane.middle);
        if track.len() < 2 {
            return limit;
        }
        let (mut i, mut t) = (self.piece + 1, middle);
        let mut room = self.room(t, interpolate(&track[i - 1], &track[i], t));
        let mut part = self.parts.map_or(0, |p| p.index(t) + 1);
        while t > limit && i > 0 {
            if let Some(p) = self.parts.filter(|p| part > 0 && t <= p.border(part)) {
                part -= 1;
                if p.clears(part, |t, x| self.room(t, x)) {
                    let (x, piece) = p.at_border(part);
                    (t, i) = (p.border(part), piece + 1);
                    room = self.room(t, x);
                    continue;
                }
            }
            let next = &track[i - 1];
            let next_room = self.room(next.t, next.x);
            if next_room < 0.0 {
                let reach = ((t - next.t) as f64 * (room / (room - next_room)).max(0.0)) as Tick;
                return (t - reach + 1).clamp(limit, middle);
            }
            (t, room, i) = (next.t, next_room, i - 1);
        }
        limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A vertex that zigzags above a face: the answer is known from the lowest sample.
    fn zigzag(lowest: f64, thickness: f64) -> Option<Tick> {
        let corner = |x: f64, y: f64| {
            vec![
                Sample {
                    t: 0,
                    x: DVec3::new(x, y, 0.0),
                },
                Sample {
                    t: 1 << 32,
                    x: DVec3::new(x, y, 0.0),
                },
            ]
        };
        let (a, b, c) = (corner(0.0, 0.0), corner(1.0, 0.0), corner(0.0, 1.0));
        let height = |k: i64| {
            if k == 37 {
                lowest
            } else {
                0.02 + 0.005 * (k % 2) as f64
            }
        };
        let track: Vec<Sample> = (0..=64)
            .map(|k| Sample {
                t: k << 26,
                x: DVec3::new(0.2, 0.2 + 0.005 * k as f64, height(k)),
            })
            .collect();
        Slabs::new(
            Kind::VertexFace,
            [&track, &a, &b, &c],
            thickness,
            1.0,
            1 << 26,
        )
        .first_entry(0, 1 << 32)
    }

    #[test]
    fn the_lowest_point_of_a_zigzag_decides() {
        assert_eq!(zigzag(0.010_001, 0.010), None);
        assert_eq!(zigzag(0.02, 0.010), None);
        for lowest in [0.009_999, -0.01] {
            // the dip lasts from sample 36 to sample 38 and is located to one sample
            let entry = zigzag(lowest, 0.010).expect("it dips into the layer");
            assert!((35 << 26..=37 << 26).contains(&entry), "{}", entry >> 26);
        }
    }
}
