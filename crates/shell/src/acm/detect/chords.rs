//! Room along the chords of many pairs at once. All vertices of a pair move together here, so what they
//! have in common does not bring it nearer, as it does for swept volumes.

use crate::acm::detect::reach::{Stencils, reach};
use crate::acm::detect::tube::Tube;
use crate::acm::lanes::quads::{Flat, Quad, Row, fetch, pad, registers_of};
use crate::acm::lanes::real::{Precision, Real};
use crate::acm::lanes::wide::{Wide, Wide3};
use crate::acm::model::contact::Kind;
use crate::acm::speculate::watch::Watched;
use pulp::{Arch, Simd, WithSimd};

/// Measures room, in the precision that suffices.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rooms {
    /// The last answer.
    pub kept: Kept,
    single: Vec<Chord<f32>>,
    double: Vec<Chord<f64>>,
}

/// Distances that pairs keep, in m, in the order of the pairs; not a number or too small if nothing is known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kept {
    /// In the window.
    pub now: Vec<f64>,
    /// In the window and onward.
    pub onward: Vec<f64>,
    /// Distances at the window's end.
    pub end: Vec<f64>,
}

/// Where a tube starts, with its radius, and where it ends: two quads in the place of one.
type Chord<T> = Quad<[T; 2]>;

#[inline(always)]
fn start<T: Real>([[x, y], [z, radius], ..]: Chord<T>) -> Quad<T> {
    [x, y, z, radius]
}

#[inline(always)]
fn end<T: Real>([.., [x, y], [z, last]]: Chord<T>) -> Quad<T> {
    [x, y, z, last]
}

/// What rounding can do to a room along chords that go on for `onward` windows, in units of the numbers'
/// precision times the largest coordinate L. With u for half such a unit: rounded places are off by 1.8 u L, normals
/// longer than 1 by 4.5 u, projections off by 5.2 u L and their differences by 14 u L; widths are at most 3.5 L, so
/// longer normals make for 16 u L and the last two subtractions for 7 u L. Together these are less than 42 u L, and going
/// on takes each to 1 + 2 `onward` times as much. Radii count only while they are less than widths.
fn rounding(onward: f64) -> f64 {
    32.0 * (1.0 + 2.0 * onward)
}

impl Rooms {
    /// The precision for tubes whose rooms may be off by `fine` (m).
    pub fn precision(tubes: &[Tube], onward: f64, fine: f64) -> Precision {
        let vertices = tubes.iter().flat_map(|tube| [tube.start, tube.end]);
        Precision::for_vertices(vertices, fine / (2.0 * rounding(onward)))
    }

    /// Measures all pairs along the tubes of their vertices and along `onward` windows more, in which the
    /// chords go on. The pairs' precision must be that of the tubes.
    pub fn measure(&mut self, pairs: &Watched, tubes: &[Tube], onward: f64) {
        let Kept {
            now,
            onward: then,
            end,
        } = &mut self.kept;
        for all in [&mut *now, then, end] {
            all.clear();
            all.reserve(pairs.pairs.len() + <f32 as Real>::LANES);
        }
        let (out, precision) = ([now, then, end], pairs.precision);
        if precision.single {
            measure(
                &pairs.single,
                &mut self.single,
                (tubes, precision),
                onward,
                out,
            );
        } else {
            measure(
                &pairs.double,
                &mut self.double,
                (tubes, precision),
                onward,
                out,
            );
        }
    }
}

fn measure<T: Real>(
    pairs: &[Stencils<T>],
    chords: &mut Vec<Chord<T>>,
    (tubes, precision): (&[Tube], Precision),
    onward: f64,
    out: [&mut Vec<f64>; 3],
) {
    chords.clear();
    chords.extend(tubes.iter().map(|tube| {
        let ([x, y, z, _], [u, v, w, _]) = (precision.place(tube.start), precision.place(tube.end));
        [
            [x, y],
            [z, T::at_least(tube.radius)],
            [u, v],
            [w, T::of(0.0)],
        ]
    }));
    pad(chords, tubes.len(), [[T::of(0.0); 2]; 4]);
    // squares of what is shorter than the root of the least number are not exact
    let least = 16.0 * T::MIN_POSITIVE.sqrt();
    Arch::new().dispatch(Measure {
        pairs,
        chords,
        onward,
        rounding: rounding(onward) * T::EPSILON * precision.largest + least,
        out,
    });
}

struct Measure<'a, T: Real> {
    pairs: &'a [Stencils<T>],
    chords: &'a [Chord<T>],
    onward: f64,
    rounding: f64,
    out: [&'a mut Vec<f64>; 3],
}

impl<T: Real> WithSimd for Measure<'_, T> {
    type Output = ();

    /// The direction between the closest points at the window's end is kept for all of the time. Along it
    /// the width between straight motions is concave in time, so the first and the last moment decide;
    /// the tubes' radii come off. A direction that is no unit vector does no harm: the distance at the
    /// window's end bounds the result, too.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (chords, mut out) = (Flat::new(self.chords), self.out);
        let onward = Wide::all(simd, self.onward);
        let rounding = Wide::all(simd, T::at_least(self.rounding).double());
        for block in self.pairs {
            let [mut now, mut then, mut at_end] = [Row::<T>::ZERO; 3];
            let [a, b, c, d] = &block.vertices;
            for r in 0..registers_of::<S, T>() {
                let start = [
                    fetch(simd, r, a, |i| start(chords.at(i))),
                    fetch(simd, r, b, |i| start(chords.at(i))),
                    fetch(simd, r, c, |i| start(chords.at(i))),
                    fetch(simd, r, d, |i| start(chords.at(i))),
                ];
                let end = [
                    fetch(simd, r, a, |i| end(chords.at(i))).0,
                    fetch(simd, r, b, |i| end(chords.at(i))).0,
                    fetch(simd, r, c, |i| end(chords.at(i))).0,
                    fetch(simd, r, d, |i| end(chords.at(i))).0,
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
                now.set(r, kept - off);
                then.set(r, least(width(block.kind, later), kept) - off);
            }
            for (all, row) in out.iter_mut().zip([&now, &then, &at_end]) {
                // rows of one length take no loop
                let count = all.len() + block.count;
                all.extend(row.0.as_ref().iter().map(|a| a.double()));
                all.truncate(count);
            }
        }
    }
}

#[inline(always)]
pub(crate) fn along<S: Simd, T: Real>(
    n: Wide3<S, T>,
    [a, b, c, d]: [Wide3<S, T>; 4],
) -> [Wide<S, T>; 4] {
    [a.dot(n), b.dot(n), c.dot(n), d.dot(n)]
}

/// Width of the slab between two primitives, from projections on its normal.
#[inline(always)]
pub(crate) fn width<S: Simd, T: Real>(kind: Kind, [a, b, c, d]: [Wide<S, T>; 4]) -> Wide<S, T> {
    match kind {
        Kind::VertexFace => a - most(most(b, c), d),
        Kind::EdgeEdge => least(a, b) - most(c, d),
    }
}

/// The largest radius of the first primitive and that of the second together.
#[inline(always)]
pub(crate) fn thickest<S: Simd, T: Real>(kind: Kind, [a, b, c, d]: [Wide<S, T>; 4]) -> Wide<S, T> {
    match kind {
        Kind::VertexFace => a + most(most(b, c), d),
        Kind::EdgeEdge => most(a, b) + most(c, d),
    }
}

/// The lesser one, `b` if either is not a number.
#[inline(always)]
pub(crate) fn least<S: Simd, T: Real>(a: Wide<S, T>, b: Wide<S, T>) -> Wide<S, T> {
    a.below(b).choose(a, b)
}

#[inline(always)]
fn most<S: Simd, T: Real>(a: Wide<S, T>, b: Wide<S, T>) -> Wide<S, T> {
    a.below(b).choose(b, a)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::detect::distance::closest;
    use crate::acm::model::contact::Pair;
    use glamx::DVec3;
    use rand::{RngExt, SeedableRng};

    const ONWARD: f64 = 1.5;

    /// A pair of these tubes, in single precision if it may be off by as much as `fine` (m).
    fn pair_of(kind: Kind, tubes: &[Tube; 4], fine: f64) -> Watched {
        let mut pairs = Watched::default();
        let pair = match kind {
            Kind::VertexFace => Pair::vertex_face(0, 0),
            Kind::EdgeEdge => Pair::edge_edge(0, 1),
        };
        pairs.push(pair, [0, 1, 2, 3]);
        pairs.lay_out(Rooms::precision(tubes, ONWARD, fine));
        pairs
    }

    /// A pair is never nearer than its room, however its vertices use their tubes, and a pair that moves
    /// as one has all of its distance as room; in single as in double precision.
    #[test]
    fn no_pair_comes_nearer_than_its_room() {
        let of = |fine: f64| no_pair_of_precision_comes_nearer(fine);
        of(0.0);
        of(f64::INFINITY);
    }

    fn no_pair_of_precision_comes_nearer(fine: f64) {
        let epsilon = if fine > 0.0 {
            f64::from(f32::EPSILON)
        } else {
            f64::EPSILON
        };
        let mut rng = rand_pcg::Pcg64::seed_from_u64(22);
        let (mut known, mut rooms) = (0, Rooms::default());
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
            let pair = pair_of(kind, &tubes, fine);
            assert_eq!(pair.precision.single, fine > 0.0);
            rooms.measure(&pair, &tubes, ONWARD);
            let (now, onward) = (rooms.kept.now[0], rooms.kept.onward[0]);
            assert!(onward <= now);
            if together {
                let distance = closest(kind, &tubes.map(|t| t.start)).separation.length();
                let off = 2.0 * rounding(ONWARD) * epsilon * pair.precision.largest;
                // a direction is off by as much over the distance, the ends of edges of some metres move along it
                let off = off * (1.0 + 4.0 / distance);
                assert!((onward - distance).abs() < off, "{onward} {distance}");
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
        let mut rooms = Rooms::default();
        for x in [0.0, 1.0e-170, 1.0e-40, 1.0e-22, f64::NAN].map(DVec3::splat) {
            for (kind, fine) in [Kind::VertexFace, Kind::EdgeEdge]
                .into_iter()
                .flat_map(|kind| [(kind, 0.0), (kind, 1.0)])
            {
                let at = |x: DVec3| Tube {
                    start: x,
                    end: x,
                    radius: 0.0,
                };
                let tubes = [at(x), at(DVec3::ZERO), at(DVec3::ZERO), at(DVec3::ZERO)];
                rooms.measure(&pair_of(kind, &tubes, fine), &tubes, ONWARD);
                let known = |room: f64| room > x.length();
                assert!(!known(rooms.kept.now[0]) && !known(rooms.kept.onward[0]));
            }
        }
    }
}
