//! Closest points of many contacts at once. The same formulas as in `distance`, with every region
//! computed and one selected, so that a register of contacts needs no branches; a contact's result does
//! not depend on the others that it is computed with.

use crate::acm::lanes::quads::{Flat, Quad, Row, fetch, registers_of, slots_of};
use crate::acm::lanes::real::Real;
use crate::acm::lanes::wide::{Holds, Wide, Wide3};
use crate::acm::model::contact::{Contact, Kind};
use pulp::{Arch, Simd, WithSimd};

/// Closest points of a register of contacts.
#[derive(Clone, Copy)]
pub(crate) struct Reach<S: Simd, T: Real = f64> {
    /// Weight of each vertex of the stencil in the separation.
    pub weights: [Wide<S, T>; 4],
    /// From the second primitive to the first, in m.
    pub separation: Wide3<S, T>,
}

/// The stencils of contacts of one kind, as many as fill a block or fewer; the last one fills it up.
#[derive(Debug, Clone)]
pub(crate) struct Stencils<T: Real = f64> {
    pub kind: Kind,
    pub count: usize,
    /// For each place in the stencil the vertices, or where they begin in a [`Flat`] list, by slot.
    pub vertices: [T::Each<u32>; 4],
}

impl<T: Real> Stencils<T> {
    const EMPTY: Stencils<T> = Stencils {
        kind: Kind::VertexFace,
        count: 0,
        vertices: [T::NOWHERE; 4],
    };

    /// Lays out contacts, vertex-face pairs first, in place of what `out` held.
    pub fn lay_out(contacts: &[Contact], out: &mut Vec<Stencils<T>>) {
        Stencils::lay_out_from(0, contacts, out);
    }

    /// The same for vertices in [`Flat`] lists.
    pub fn lay_out_flat(contacts: &[Contact], out: &mut Vec<Stencils<T>>) {
        Stencils::write(0, contacts, 4, out);
    }

    /// The same if `out` holds contacts that only changed from place `from` on.
    pub fn lay_out_from(from: usize, contacts: &[Contact], out: &mut Vec<Stencils<T>>) {
        Stencils::write(from, contacts, 1, out);
    }

    fn write(from: usize, contacts: &[Contact], stride: u32, out: &mut Vec<Stencils<T>>) {
        let faces = contacts.partition_point(|c| c.kind == Kind::VertexFace);
        let (whole, start) = if from < faces {
            (from / T::LANES, from - from % T::LANES)
        } else {
            let edges = from - faces;
            let whole = faces.div_ceil(T::LANES) + edges / T::LANES;
            (whole, from - edges % T::LANES)
        };
        let faces_left = &contacts[start.min(faces)..faces];
        let edges_left = &contacts[start.max(faces)..];
        let blocks = [faces_left, edges_left].map(|left| left.len().div_ceil(T::LANES));
        // written where they are: a copy would wait for the writes of single indices
        out.resize(whole + blocks[0] + blocks[1], Stencils::EMPTY);
        let left = faces_left
            .chunks(T::LANES)
            .chain(edges_left.chunks(T::LANES));
        let slots = slots_of::<T>();
        for (some, block) in left.zip(&mut out[whole..]) {
            (block.kind, block.count) = (some[0].kind, some.len());
            let [a, b, c, d] = &mut block.vertices;
            let mut set = |lane: usize, contact: &Contact| {
                let slot = slots.as_ref()[lane] as usize % T::LANES;
                for (row, v) in [&mut *a, b, c, d].into_iter().zip(contact.stencil) {
                    row.as_mut()[slot] = v * stride;
                }
            };
            let last = &some[some.len() - 1];
            some.iter().enumerate().for_each(|(lane, c)| set(lane, c));
            (some.len()..T::LANES).for_each(|lane| set(lane, last));
        }
    }
}

/// Closest points of contacts of one kind with their vertices at `x` (m).
#[inline(always)]
pub(crate) fn reach<S: Simd, T: Real>(kind: Kind, x: [Wide3<S, T>; 4]) -> Reach<S, T> {
    match kind {
        Kind::VertexFace => vertex_face(x),
        Kind::EdgeEdge => edge_edge(x),
    }
}

/// Distances of many contacts, laid out flat, with the vertices at `x` (m), filled up to a power of two: a row for
/// each block.
pub(crate) fn measure<T: Real>(contacts: &[Stencils<T>], x: &[Quad<T>], out: &mut Vec<Row<T>>) {
    out.resize(contacts.len(), Row::ZERO);
    Arch::new().dispatch(Measure(contacts, x, out));
}

struct Measure<'a, T: Real>(&'a [Stencils<T>], &'a [Quad<T>], &'a mut [Row<T>]);

impl<T: Real> WithSimd for Measure<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Measure(contacts, places, out) = self;
        let places = Flat::new(places);
        for (block, distances) in contacts.iter().zip(out) {
            let [a, b, c, d] = &block.vertices;
            for r in 0..registers_of::<S, T>() {
                let x = [
                    fetch(simd, r, a, |i| places.at(i)).0,
                    fetch(simd, r, b, |i| places.at(i)).0,
                    fetch(simd, r, c, |i| places.at(i)).0,
                    fetch(simd, r, d, |i| places.at(i)).0,
                ];
                let separation = reach(block.kind, x).separation;
                distances.set(r, separation.dot(separation).sqrt());
            }
        }
    }
}

/// A point of a triangle as two fractions of one number: weights of the second and the third corner.
#[derive(Clone, Copy)]
struct Fraction<S: Simd, T: Real> {
    v: Wide<S, T>,
    w: Wide<S, T>,
    of: Wide<S, T>,
}

impl<S: Simd, T: Real> Fraction<S, T> {
    #[inline(always)]
    fn unless(
        self,
        holds: Holds<S, T>,
        v: Wide<S, T>,
        w: Wide<S, T>,
        of: Wide<S, T>,
    ) -> Fraction<S, T> {
        Fraction {
            v: holds.choose(v, self.v),
            w: holds.choose(w, self.w),
            of: holds.choose(of, self.of),
        }
    }
}

/// Vertices and triangles: the last region whose test holds is taken.
#[inline(always)]
fn vertex_face<S: Simd, T: Real>([p, a, b, c]: [Wide3<S, T>; 4]) -> Reach<S, T> {
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
fn edge_edge<S: Simd, T: Real>([p0, p1, q0, q1]: [Wide3<S, T>; 4]) -> Reach<S, T> {
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
pub(crate) fn positive<S: Simd, T: Real>(a: Wide<S, T>) -> Wide<S, T> {
    let least = a.constant(T::MIN_POSITIVE);
    a.below(least).choose(least, a)
}

/// Clamped to [0, 1]; 0 if it is not a number.
#[inline(always)]
fn unit<S: Simd, T: Real>(a: Wide<S, T>) -> Wide<S, T> {
    let (zero, one) = (a.constant(0.0), a.constant(1.0));
    let low = zero.below(a).choose(a, zero);
    low.below(one).choose(low, one)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::detect::distance::closest;
    use glamx::DVec3;
    use rand::{RngExt, SeedableRng};

    /// In single as in double precision blocks of any size agree with one contact at a time to the byte,
    /// and with the branching search to rounding.
    #[test]
    fn blocks_find_the_closest_points() {
        check::<f64>();
        check::<f32>();
    }

    fn check<T: Real>() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(21);
        let (mut blocks, mut found, mut alone) = (Vec::new(), Vec::new(), Vec::new());
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            for _ in 0..1_000 {
                // numbers that both precisions hold
                let mut number = || f64::from(rng.random::<f32>());
                let x: Vec<DVec3> = (0..8 * T::LANES)
                    .map(|_| DVec3::new(number(), number(), number()))
                    .collect();
                let place = |x: &DVec3| [x.x, x.y, x.z, 0.0].map(T::of);
                let quads: Vec<Quad<T>> = x.iter().map(place).collect();
                let contacts: Vec<Contact> = (0..2 * T::LANES as u32)
                    .map(|i| Contact {
                        kind,
                        stencil: [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3],
                    })
                    .collect();
                let count = rng.random_range(1..=2 * T::LANES);
                Stencils::lay_out_flat(&contacts[..count], &mut blocks);
                measure(&blocks, &quads, &mut found);
                assert_eq!(blocks.iter().map(|b| b.count).sum::<usize>(), count);
                for (c, i) in contacts[..count].iter().zip(0..) {
                    let distance = found[i / T::LANES].0.as_ref()[i % T::LANES].double();
                    Stencils::lay_out_flat(std::slice::from_ref(c), &mut blocks);
                    measure(&blocks, &quads, &mut alone);
                    assert_eq!(
                        alone[0].0.as_ref()[0].double().to_bits(),
                        distance.to_bits()
                    );
                    let expected = closest(kind, &c.stencil.map(|i| x[i as usize]));
                    let off = (distance - expected.separation.length()).abs();
                    // coordinates of size 1, some dozen operations
                    assert!(off < 64.0 * T::EPSILON, "{off}");
                }
            }
        }
    }
}
