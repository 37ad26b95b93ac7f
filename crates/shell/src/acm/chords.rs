//! Room along the chords of many pairs at once. All vertices of a pair move together here, so what they
//! have in common does not bring it nearer, as it does for swept volumes.

use super::contact::Kind;
use super::quads::{LANES, Quad, Row, Wrapped, fetch, pad, registers};
use super::reach::{Stencils, reach};
use super::tube::Tube;
use super::wide::{Wide, Wide3};
use pulp::{Arch, Simd, WithSimd};

/// Distances that pairs keep, in m, in the order of the pairs; not a number or too small if nothing is known.
#[derive(Debug, Clone)]
pub(super) struct Rooms {
    arch: Arch,
    /// In the window.
    pub now: Vec<f64>,
    /// In the window and onward.
    pub onward: Vec<f64>,
    /// Distances at the window's end, and the widths at its start along the same directions, in m.
    pub end: Vec<f64>,
    pub start: Vec<f64>,
    /// Where tubes start, with their radius, and where they end.
    starts: Vec<Quad>,
    ends: Vec<Quad>,
}

impl Default for Rooms {
    fn default() -> Rooms {
        Rooms {
            arch: Arch::new(),
            now: Vec::new(),
            onward: Vec::new(),
            end: Vec::new(),
            start: Vec::new(),
            starts: Vec::new(),
            ends: Vec::new(),
        }
    }
}

impl Rooms {
    /// Measures all pairs along the tubes of their vertices and along `onward` windows more, in which the
    /// chords go on.
    pub fn measure(&mut self, pairs: &[Stencils], tubes: &[Tube], onward: f64) {
        let Rooms { starts, ends, .. } = self;
        let mut largest = 0.0f64;
        starts.clear();
        ends.clear();
        for tube in tubes {
            let (a, b) = (tube.start, tube.end);
            starts.push([a.x, a.y, a.z, tube.radius]);
            ends.push([b.x, b.y, b.z, 0.0]);
            largest = largest.max(a.abs().max(b.abs()).max_element());
        }
        for all in [starts, ends] {
            pad(all, tubes.len(), [0.0; 4]);
        }
        let Rooms {
            now,
            onward: then,
            end,
            start,
            ..
        } = self;
        for all in [&mut *now, then, end, start] {
            all.clear();
            all.reserve(LANES * pairs.len());
        }
        // going on takes a coordinate to 1 + 2 onward times the largest; some dozen operations
        let rounding = 256.0 * f64::EPSILON * largest * (1.0 + 2.0 * onward);
        self.arch.dispatch(Measure {
            pairs,
            starts: &self.starts,
            ends: &self.ends,
            onward,
            rounding,
            out: [now, then, end, start],
        });
    }
}

struct Measure<'a> {
    pairs: &'a [Stencils],
    starts: &'a [Quad],
    ends: &'a [Quad],
    onward: f64,
    rounding: f64,
    out: [&'a mut Vec<f64>; 4],
}

impl WithSimd for Measure<'_> {
    type Output = ();

    /// The direction between the closest points at the window's end is kept for all of the time. Along it
    /// the width between straight motions is concave in time, so the first and the last moment decide;
    /// the tubes' radii come off. A direction that is no unit vector does no harm: the distance at the
    /// window's end bounds the result, too.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (starts, ends) = (Wrapped::new(self.starts), Wrapped::new(self.ends));
        let (onward, mut out) = (Wide::all(simd, self.onward), self.out);
        let rounding = Wide::all(simd, self.rounding);
        for block in self.pairs {
            let [mut now, mut then, mut at_end, mut at_start] = [Row::ZERO; 4];
            let [a, b, c, d] = &block.vertices;
            for r in 0..registers::<S>() {
                let start = [
                    fetch(simd, r, a, |i| *starts.at(i)),
                    fetch(simd, r, b, |i| *starts.at(i)),
                    fetch(simd, r, c, |i| *starts.at(i)),
                    fetch(simd, r, d, |i| *starts.at(i)),
                ];
                let end = [
                    fetch(simd, r, a, |i| *ends.at(i)).0,
                    fetch(simd, r, b, |i| *ends.at(i)).0,
                    fetch(simd, r, c, |i| *ends.at(i)).0,
                    fetch(simd, r, d, |i| *ends.at(i)).0,
                ];
                let separation = reach(block.kind, end).separation;
                let distance = separation.dot(separation).sqrt();
                let one = distance.constant(1.0);
                let n = separation * (one / distance);
                let first = along(n, [start[0].0, start[1].0, start[2].0, start[3].0]);
                let last = along(n, end);
                let later = [
                    (last[0] - first[0]).times_plus(onward, last[0]),
                    (last[1] - first[1]).times_plus(onward, last[1]),
                    (last[2] - first[2]).times_plus(onward, last[2]),
                    (last[3] - first[3]).times_plus(onward, last[3]),
                ];
                let radii = [start[0].1, start[1].1, start[2].1, start[3].1];
                let off = thickest(block.kind, radii) + rounding;
                let before = width(block.kind, first);
                let kept = least(before, width(block.kind, last));
                let kept = least(kept, distance);
                at_end.set(r, distance);
                at_start.set(r, before);
                now.set(r, kept - off);
                then.set(r, least(width(block.kind, later), kept) - off);
            }
            for (all, row) in out.iter_mut().zip([&now, &then, &at_end, &at_start]) {
                all.extend_from_slice(&row.0[..block.count]);
            }
        }
    }
}

#[inline(always)]
pub(super) fn along<S: Simd>(n: Wide3<S>, [a, b, c, d]: [Wide3<S>; 4]) -> [Wide<S>; 4] {
    [a.dot(n), b.dot(n), c.dot(n), d.dot(n)]
}

/// Width of the slab between two primitives, from projections on its normal.
#[inline(always)]
pub(super) fn width<S: Simd>(kind: Kind, [a, b, c, d]: [Wide<S>; 4]) -> Wide<S> {
    match kind {
        Kind::VertexFace => a - most(most(b, c), d),
        Kind::EdgeEdge => least(a, b) - most(c, d),
    }
}

/// The largest radius of the first primitive and that of the second together.
#[inline(always)]
pub(super) fn thickest<S: Simd>(kind: Kind, [a, b, c, d]: [Wide<S>; 4]) -> Wide<S> {
    match kind {
        Kind::VertexFace => a + most(most(b, c), d),
        Kind::EdgeEdge => most(a, b) + most(c, d),
    }
}

/// The lesser one, `b` if either is not a number.
#[inline(always)]
pub(super) fn least<S: Simd>(a: Wide<S>, b: Wide<S>) -> Wide<S> {
    a.below(b).choose(a, b)
}

#[inline(always)]
fn most<S: Simd>(a: Wide<S>, b: Wide<S>) -> Wide<S> {
    a.below(b).choose(b, a)
}

#[cfg(test)]
mod tests {
    use super::super::contact::Contact;
    use super::super::distance::closest;
    use super::*;
    use glamx::DVec3;
    use rand::{RngExt, SeedableRng};

    const ONWARD: f64 = 1.5;

    /// A pair is never nearer than its room, however its vertices use their tubes, and a pair that moves
    /// as one has all of its distance as room.
    #[test]
    fn no_pair_comes_nearer_than_its_room() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(22);
        let mut known = 0;
        let (mut rooms, mut blocks) = (Rooms::default(), Vec::new());
        for round in 0..4_000 {
            let kind = [Kind::VertexFace, Kind::EdgeEdge][round % 2];
            let together = round % 3 == 0;
            let mut point = || DVec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0)));
            let common = point();
            let tubes = [(); 4].map(|()| Tube {
                start: point(),
                end: DVec3::ZERO,
                radius: 0.0,
            });
            let tubes = tubes.map(|t| Tube {
                end: t.start + common + point() * if together { 0.0 } else { 0.2 },
                radius: if together { 0.0 } else { 0.02 },
                ..t
            });
            let stencil = [0, 1, 2, 3];
            Stencils::lay_out(&[Contact { kind, stencil }], &mut blocks);
            rooms.measure(&blocks, &tubes, ONWARD);
            let (now, onward) = (rooms.now[0], rooms.onward[0]);
            assert!(onward <= now);
            if together {
                let distance = closest(kind, &tubes.map(|t| t.start)).separation.length();
                // coordinates of size 1, some hundred roundings
                assert!((onward - distance).abs() < 1e-12, "{onward} {distance}");
            }
            for k in 0..=50 {
                let t = (1.0 + ONWARD) * f64::from(k) / 50.0;
                let strayed = |tube: Tube| {
                    let away = DVec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0)));
                    tube.start + (tube.end - tube.start) * t + away.normalize() * tube.radius
                };
                let distance = closest(kind, &tubes.map(strayed)).separation.length();
                let room = if t <= 1.0 { now } else { onward };
                assert!(distance >= room, "{distance} < {room} at {t}");
            }
            known += usize::from(onward > 0.05);
        }
        // of pairs at a distance of about 0.3 most that move as one and some of the others
        assert!(known > 1_000, "{known}");
    }

    /// Nothing is claimed of pairs that touch or are nowhere.
    #[test]
    fn nothing_is_known_of_degenerate_pairs() {
        let (mut rooms, mut blocks) = (Rooms::default(), Vec::new());
        for x in [DVec3::ZERO, DVec3::splat(1.0e-170), DVec3::NAN] {
            for kind in [Kind::VertexFace, Kind::EdgeEdge] {
                let at = |x: DVec3| Tube {
                    start: x,
                    end: x,
                    radius: 0.0,
                };
                let tubes = [at(x), at(DVec3::ZERO), at(DVec3::ZERO), at(DVec3::ZERO)];
                let stencil = [0, 1, 2, 3];
                Stencils::lay_out(&[Contact { kind, stencil }], &mut blocks);
                rooms.measure(&blocks, &tubes, ONWARD);
                assert!(!(rooms.now[0] > 1.0e-100 || rooms.onward[0] > 1.0e-100));
            }
        }
    }
}
