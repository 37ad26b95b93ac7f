//! Closest points of many contacts at once. The same formulas as in `distance`, with every region
//! computed and one selected, so that a register of contacts needs no branches; a contact's result does
//! not depend on the others that it is computed with.

use super::contact::{Contact, Kind};
use super::quads::{Indices, LANES, Quad, Row, Wrapped, fetch, registers, slots};
use super::wide::{Holds, Wide, Wide3};
use pulp::{Arch, Simd, WithSimd};

/// Closest points of a register of contacts.
#[derive(Clone, Copy)]
pub(super) struct Reach<S: Simd> {
    /// Weight of each vertex of the stencil in the separation.
    pub weights: [Wide<S>; 4],
    /// From the second primitive to the first, in m.
    pub separation: Wide3<S>,
}

/// The stencils of at most [`LANES`] contacts of one kind; the last one fills up the block.
#[derive(Debug, Clone)]
pub(super) struct Stencils {
    pub kind: Kind,
    pub count: usize,
    /// For each place in the stencil the vertices, by slot.
    pub vertices: [Indices; 4],
}

impl Stencils {
    /// Lays out contacts, vertex-face pairs first, in place of what `out` held.
    pub fn lay_out(contacts: &[Contact], out: &mut Vec<Stencils>) {
        Stencils::lay_out_from(0, contacts, out);
    }

    /// The same if `out` holds contacts that only changed from place `from` on.
    pub fn lay_out_from(from: usize, contacts: &[Contact], out: &mut Vec<Stencils>) {
        let faces = contacts.partition_point(|c| c.kind == Kind::VertexFace);
        let (whole, start) = if from < faces {
            (from / LANES, from - from % LANES)
        } else {
            let edges = from - faces;
            let whole = faces.div_ceil(LANES) + edges / LANES;
            (whole, from - edges % LANES)
        };
        out.truncate(whole);
        let faces_left = &contacts[start.min(faces)..faces];
        let edges_left = &contacts[start.max(faces)..];
        let slots = slots();
        for some in faces_left.chunks(LANES).chain(edges_left.chunks(LANES)) {
            let mut block = Stencils {
                kind: some[0].kind,
                count: some.len(),
                vertices: [[0; LANES]; 4],
            };
            let mut set = |lane: usize, contact: &Contact| {
                for (row, v) in block.vertices.iter_mut().zip(contact.stencil) {
                    row[slots[lane] as usize % LANES] = v;
                }
            };
            let last = &some[some.len() - 1];
            some.iter().enumerate().for_each(|(lane, c)| set(lane, c));
            (some.len()..LANES).for_each(|lane| set(lane, last));
            out.push(block);
        }
    }
}

/// Closest points of contacts of one kind with their vertices at `x` (m).
#[inline(always)]
pub(super) fn reach<S: Simd>(kind: Kind, x: [Wide3<S>; 4]) -> Reach<S> {
    match kind {
        Kind::VertexFace => vertex_face(x),
        Kind::EdgeEdge => edge_edge(x),
    }
}

/// Distances of many contacts.
#[derive(Debug, Clone)]
pub(super) struct Distances {
    arch: Arch,
    /// The last answer, in m, in the order of the contacts.
    pub all: Vec<f64>,
}

impl Default for Distances {
    fn default() -> Distances {
        Distances {
            arch: Arch::new(),
            all: Vec::new(),
        }
    }
}

impl Distances {
    /// Measures all contacts with the vertices at `x` (m), filled up to a power of two.
    pub fn measure(&mut self, contacts: &[Stencils], x: &[Quad]) {
        self.all.clear();
        self.all.reserve(LANES * contacts.len());
        self.arch.dispatch(Measure(contacts, x, &mut self.all));
    }
}

struct Measure<'a>(&'a [Stencils], &'a [Quad], &'a mut Vec<f64>);

impl WithSimd for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Measure(contacts, places, out) = self;
        let places = Wrapped::new(places);
        for block in contacts {
            let mut distances = Row::ZERO;
            let [a, b, c, d] = &block.vertices;
            for r in 0..registers::<S>() {
                let x = [
                    fetch(simd, r, a, |i| *places.at(i)).0,
                    fetch(simd, r, b, |i| *places.at(i)).0,
                    fetch(simd, r, c, |i| *places.at(i)).0,
                    fetch(simd, r, d, |i| *places.at(i)).0,
                ];
                let separation = reach(block.kind, x).separation;
                distances.set(r, separation.dot(separation).sqrt());
            }
            out.extend_from_slice(&distances.0[..block.count]);
        }
    }
}

/// A point of a triangle as two fractions of one number: weights of the second and the third corner.
#[derive(Clone, Copy)]
struct Fraction<S: Simd> {
    v: Wide<S>,
    w: Wide<S>,
    of: Wide<S>,
}

impl<S: Simd> Fraction<S> {
    #[inline(always)]
    fn unless(self, holds: Holds<S>, v: Wide<S>, w: Wide<S>, of: Wide<S>) -> Fraction<S> {
        Fraction {
            v: holds.choose(v, self.v),
            w: holds.choose(w, self.w),
            of: holds.choose(of, self.of),
        }
    }
}

/// Vertices and triangles: the last region whose test holds is taken.
#[inline(always)]
fn vertex_face<S: Simd>([p, a, b, c]: [Wide3<S>; 4]) -> Reach<S> {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (l1, l2, mixed) = (ab.dot(ab), ac.dot(ac), ab.dot(ac));
    let (d3, d4, d5, d6) = (d1 - l1, d2 - mixed, d1 - mixed, d2 - l2);
    let va = (d3 * d6).minus_times(d5, d4);
    let vb = (d5 * d2).minus_times(d1, d6);
    let vc = (d1 * d4).minus_times(d3, d2);
    let (zero, one) = (d1.constant(0.0), d1.constant(1.0));
    let inside = Fraction {
        v: vb,
        w: vc,
        of: va + vb + vc,
    };
    let (to_b, to_c) = (d5 - d6, d4 - d3);
    let opposite = va
        .at_most(zero)
        .and(zero.at_most(to_c))
        .and(zero.at_most(to_b));
    let second = vb.at_most(zero).and(zero.at_most(d2)).and(d6.at_most(zero));
    let first = vc.at_most(zero).and(zero.at_most(d1)).and(d3.at_most(zero));
    let at = inside
        .unless(opposite, to_b, to_c, to_b + to_c)
        .unless(second, zero, d2, d2 - d6)
        .unless(zero.at_most(d6).and(d5.at_most(d6)), zero, one, one)
        .unless(first, d1, zero, d1 - d3)
        .unless(zero.at_most(d3).and(d4.at_most(d3)), one, zero, one)
        .unless(d1.at_most(zero).and(d2.at_most(zero)), zero, zero, one);
    let (v, w) = (at.v / at.of, at.w / at.of);
    let u = one - v - w;
    Reach {
        weights: [one, -u, -v, -w],
        separation: (p - c).times_plus(w, (p - b).times_plus(v, ap * u)),
    }
}

/// Pairs of edges.
#[inline(always)]
fn edge_edge<S: Simd>([p0, p1, q0, q1]: [Wide3<S>; 4]) -> Reach<S> {
    let (d1, d2, r) = (p1 - p0, q1 - q0, p0 - q0);
    let (b, c, f) = (d1.dot(d2), d1.dot(r), d2.dot(r));
    let (zero, one) = (b.constant(0.0), b.constant(1.0));
    let (a, e) = (positive(d1.dot(d1)), positive(d2.dot(d2)));
    let determinant = (a * e).minus_times(b, b);
    let free = unit((b * f).minus_times(c, e) / determinant);
    let free = zero.below(determinant).choose(free, zero);
    let t = b.times_plus(free, f) / e;
    let (before, behind) = (t.below(zero), one.below(t));
    let held = unit(before.choose(-c, b - c) / a);
    let s = behind.choose(held, before.choose(held, free));
    let t = unit(t);
    Reach {
        weights: [one - s, s, t - one, -t],
        separation: d1.times_plus(s, r) - d2 * t,
    }
}

/// At least the least positive number.
#[inline(always)]
pub(super) fn positive<S: Simd>(a: Wide<S>) -> Wide<S> {
    let least = a.constant(f64::MIN_POSITIVE);
    a.below(least).choose(least, a)
}

/// Clamped to [0, 1]; 0 if it is not a number.
#[inline(always)]
fn unit<S: Simd>(a: Wide<S>) -> Wide<S> {
    let (zero, one) = (a.constant(0.0), a.constant(1.0));
    let low = zero.below(a).choose(a, zero);
    low.below(one).choose(low, one)
}

#[cfg(test)]
mod tests {
    use super::super::distance::closest;
    use super::super::quads::quad;
    use super::*;
    use glamx::DVec3;
    use rand::{RngExt, SeedableRng};

    /// Blocks of any size agree with one contact at a time to the byte, and with the branching
    /// search to rounding.
    #[test]
    fn blocks_find_the_closest_points() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(21);
        let (mut found, mut alone) = (Distances::default(), Distances::default());
        let mut blocks = Vec::new();
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            for _ in 0..2_000 {
                let x: Vec<DVec3> = (0..8 * LANES)
                    .map(|_| DVec3::new(rng.random(), rng.random(), rng.random()))
                    .collect();
                let quads: Vec<Quad> = x.iter().map(|&x| quad(x)).collect();
                let contacts: Vec<Contact> = (0..2 * LANES as u32)
                    .map(|i| Contact {
                        kind,
                        stencil: [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3],
                    })
                    .collect();
                let count = rng.random_range(1..=2 * LANES);
                Stencils::lay_out(&contacts[..count], &mut blocks);
                found.measure(&blocks, &quads);
                assert_eq!(found.all.len(), count);
                for (c, distance) in contacts.iter().zip(&found.all) {
                    Stencils::lay_out(std::slice::from_ref(c), &mut blocks);
                    alone.measure(&blocks, &quads);
                    assert_eq!(alone.all[0].to_bits(), distance.to_bits());
                    let expected = closest(kind, &c.stencil.map(|i| x[i as usize]));
                    // coordinates of size 1, some dozen operations
                    assert!((distance - expected.separation.length()).abs() < 1e-11);
                }
            }
        }
    }
}
