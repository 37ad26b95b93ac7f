//! Pairs followed through the parts of a window, all parts of one pair in a register: what the chords of the
//! whole window leave open, those of its parts mostly clear, and nobody's track has to be put together.

use crate::acm::detect::chords::{along, least, thickest, width};
use crate::acm::detect::history::Histories;
use crate::acm::detect::parts::COUNT;
use crate::acm::detect::reach::reach;
use crate::acm::detect::sweep::Swept;
use crate::acm::lanes::quads::{LANES, Row, registers};
use crate::acm::lanes::wide::{Wide, Wide3};
use crate::acm::model::contact::Contact;
use pulp::{Arch, Simd, WithSimd};

// one lane for each part
const _: () = assert!(LANES == COUNT);

/// A vertex's motion in parts.
#[derive(Debug, Clone)]
struct Span {
    /// Coordinates at the borders, in m.
    x: [[f64; COUNT + 1]; 3],
    /// Largest distances from uniform motion between them, in m.
    radius: Row,
}

/// The motion of some vertices in parts.
#[derive(Debug, Clone)]
pub(crate) struct Spans {
    arch: Arch,
    spans: Vec<Span>,
    /// For each vertex its place among the spans.
    place: Vec<u32>,
    /// What all distances may be off by, in m.
    rounding: f64,
}

/// Stands for a vertex without a span.
const NONE: u32 = u32::MAX;

impl Default for Spans {
    fn default() -> Spans {
        Spans {
            arch: Arch::new(),
            spans: Vec::new(),
            place: Vec::new(),
            rounding: 0.0,
        }
    }
}

impl Spans {
    /// Takes the vertices of these stencils.
    pub fn take(
        &mut self,
        stencils: impl Iterator<Item = [u32; 4]>,
        history: &Histories,
        swept: &Swept,
    ) {
        self.spans.clear();
        self.place.clear();
        self.place.resize(history.vertex_count(), NONE);
        let marks: [&[f64]; COUNT + 1] = std::array::from_fn(|k| history.marks(k));
        let mut largest = 0.0f64;
        for v in stencils.flatten().map(|v| v as usize) {
            if self.place[v] != NONE {
                continue;
            }
            self.place[v] = self.spans.len() as u32;
            let mut x = [[0.0; COUNT + 1]; 3];
            for (k, marks) in marks.iter().enumerate() {
                for (axis, row) in x.iter_mut().enumerate() {
                    row[k] = marks[3 * v + axis];
                    largest = largest.max(row[k].abs());
                }
            }
            let radius = Row(swept.radii[v]);
            self.spans.push(Span { x, radius });
        }
        // some dozen operations
        self.rounding = 256.0 * f64::EPSILON * largest;
    }

    /// For each of these pairs the distance that it keeps in each part, in m; not a number or too small
    /// if nothing is known.
    pub fn rooms(&self, pairs: &[Contact], out: &mut Vec<Row>) {
        self.arch.dispatch(Follow {
            all: self,
            pairs,
            out,
        });
    }
}

struct Follow<'a> {
    all: &'a Spans,
    pairs: &'a [Contact],
    out: &'a mut Vec<Row>,
}

impl WithSimd for Follow<'_> {
    type Output = ();

    /// The direction between the closest points in the middle of a part is kept for all of it. Along it the
    /// width between straight motions is concave in time, so both borders decide; the radii come off. A
    /// direction that is no unit vector does no harm: the distance in the middle bounds the result, too.
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Follow { all, pairs, out } = self;
        let rounding = Wide::all(simd, all.rounding);
        for &Contact { kind, stencil } in pairs {
            let spans = stencil.map(|v| &all.spans[all.place[v as usize] as usize]);
            let mut room = Row::ZERO;
            for r in 0..registers::<S>() {
                let [a, b, c, d] = spans;
                let first = [
                    border(simd, r, a, 0),
                    border(simd, r, b, 0),
                    border(simd, r, c, 0),
                    border(simd, r, d, 0),
                ];
                let last = [
                    border(simd, r, a, 1),
                    border(simd, r, b, 1),
                    border(simd, r, c, 1),
                    border(simd, r, d, 1),
                ];
                let half = Wide::all(simd, 0.5);
                let middle = [
                    (first[0] + last[0]) * half,
                    (first[1] + last[1]) * half,
                    (first[2] + last[2]) * half,
                    (first[3] + last[3]) * half,
                ];
                let separation = reach(kind, middle).separation;
                let distance = separation.dot(separation).sqrt();
                let n = separation * (Wide::all(simd, 1.0) / distance);
                let radii = [
                    a.radius.get(simd, r),
                    b.radius.get(simd, r),
                    c.radius.get(simd, r),
                    d.radius.get(simd, r),
                ];
                let off = thickest(kind, radii) + rounding;
                let kept = least(width(kind, along(n, first)), width(kind, along(n, last)));
                room.set(r, least(kept, distance) - off);
            }
            out.push(room);
        }
    }
}

/// Register `r` of a vertex's places at the parts' first (0) or last (1) borders.
#[inline(always)]
fn border<S: Simd>(simd: S, r: usize, span: &Span, shift: usize) -> Wide3<S> {
    let [x, y, z] = &span.x;
    Wide3([
        Wide(simd, S::as_simd_f64s(&x[shift..shift + COUNT]).0[r]),
        Wide(simd, S::as_simd_f64s(&y[shift..shift + COUNT]).0[r]),
        Wide(simd, S::as_simd_f64s(&z[shift..shift + COUNT]).0[r]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::detect::distance::closest;
    use crate::acm::model::contact::Kind;
    use crate::acm::{ShellState, Tick};
    use glamx::DVec3;
    use rand::{RngExt, SeedableRng};

    /// No pair comes nearer in any part than its room there, wherever between two samples it is looked at:
    /// vertices are sampled together and on their own, at borders and between them.
    #[test]
    fn no_pair_comes_nearer_than_its_room() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(23);
        let (mut history, mut swept, mut spans) =
            (Histories::default(), Swept::default(), Spans::default());
        let (mut known, mut rooms, mut track) = (0, Vec::new(), Vec::new());
        let end: Tick = 8_000;
        for round in 0..400 {
            let kind = [Kind::VertexFace, Kind::EdgeEdge][round % 2];
            let mut point =
                |size: f64| DVec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0))) * size;
            let x: Vec<DVec3> = (0..4).map(|_| point(1.0)).collect();
            let v: Vec<DVec3> = (0..4).map(|_| point(0.2)).collect();
            let mut state = ShellState::new(x, v);
            // the last vertex is only ever kicked alone
            history.begin(&state, 3, end);
            for k in 1..40 {
                let t = 200 * k;
                if t % 1_000 == 0 {
                    state.now = t;
                    history.mark(&state);
                }
                let kicked = if k % 3 == 0 { 0..3 } else { 3..4 };
                for i in kicked.clone() {
                    state.x[i] = state.position_at(i, t);
                    (state.clock[i], state.v[i]) = (t, state.v[i] + point(1.0e7));
                }
                if k % 3 == 0 {
                    history.record_all(&state, t);
                } else {
                    history.record(&state, kicked.map(|i| i as u32), t);
                }
            }
            history.finish(&state, end);
            swept.sweep(&history, false);
            let stencil = [0, 1, 2, 3];
            spans.take([stencil].into_iter(), &history, &swept);
            rooms.clear();
            spans.rooms(&[Contact { kind, stencil }], &mut rooms);
            let tracks = [0, 1, 2, 3].map(|i| {
                history.track(i, &mut track);
                track.clone()
            });
            for t in (0..=end).step_by(50) {
                let at = tracks
                    .each_ref()
                    .map(|track| crate::acm::detect::history::position(track, t));
                let distance = closest(kind, &at).separation.length();
                let room = rooms[0].0[history.borders().part(t)];
                assert!(distance >= room, "{distance} < {room} at {t}");
                for (i, x) in at.into_iter().enumerate() {
                    let tube = swept.tubes[i];
                    let share = t as f64 / end as f64;
                    let away = x - (tube.start + (tube.end - tube.start) * share);
                    // coordinates of size 1
                    assert!(away.length() <= tube.radius + 1.0e-13);
                }
            }
            known += rooms[0].0.iter().filter(|&&room| room > 0.05).count();
        }
        // of pairs at a distance of about 0.3 in eight parts
        assert!(known > 800, "{known}");
    }
}
