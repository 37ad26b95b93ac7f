//! Closest points of many contacts at once. The same formulas as in `distance`, with every region
//! computed and one selected, so that a block of contacts needs no branches; a contact's result does
//! not depend on whether it was computed alone or in a block.

use super::contact::{Contact, Kind};
use super::distance::Closest;
use glamx::DVec3;
use pulp::{Arch, NullaryFnOnce};

/// Contacts that are computed together.
pub(super) const LANES: usize = 16;
/// Fewer contacts than this are computed one by one.
const ALONE: usize = 5;

type Row = [f64; LANES];

/// Closest points of a block of contacts.
#[derive(Debug, Clone)]
pub(super) struct Reach {
    pub weights: [Row; 4],
    pub separation: [Row; 3],
    pub squared: Row,
}

impl Reach {
    pub const ZERO: Reach = Reach {
        weights: [[0.0; LANES]; 4],
        separation: [[0.0; LANES]; 3],
        squared: [0.0; LANES],
    };

    /// Closest points of the contact in `lane`.
    #[inline(always)]
    pub fn closest(&self, lane: usize) -> Closest {
        Closest {
            weights: [0, 1, 2, 3].map(|k| self.weights[k][lane]),
            separation: vector(&self.separation, lane),
        }
    }

    #[inline(always)]
    fn set(&mut self, lane: usize, weights: [f64; 4], r: DVec3) {
        for k in 0..4 {
            self.weights[k][lane] = weights[k];
        }
        self.separation[0][lane] = r.x;
        self.separation[1][lane] = r.y;
        self.separation[2][lane] = r.z;
        self.squared[lane] = r.length_squared();
    }
}

/// At most [`LANES`] contacts of one kind, the positions (m) of all vertices, and where to put the answer.
pub(super) struct Block<'a>(pub &'a [Contact], pub &'a [DVec3], pub &'a mut Reach);

impl NullaryFnOnce for Block<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Block(contacts, x, out) = self;
        let Some(first) = contacts.first() else {
            return;
        };
        if contacts.len() < ALONE {
            for (lane, c) in contacts.iter().enumerate() {
                let x = c.stencil.map(|i| x[i as usize]);
                let (weights, r) = match c.kind {
                    Kind::VertexFace => vertex_face(x),
                    Kind::EdgeEdge => edge_edge(x),
                };
                out.set(lane, weights, r);
            }
            return;
        }
        let mut rows = [[[0.0; LANES]; 3]; 4];
        for lane in 0..LANES {
            let stencil = contacts[lane.min(contacts.len() - 1)].stencil;
            for (rows, i) in rows.iter_mut().zip(stencil) {
                let x = x[i as usize];
                (rows[0][lane], rows[1][lane], rows[2][lane]) = (x.x, x.y, x.z);
            }
        }
        let [a, b, c, d] = &rows;
        match first.kind {
            Kind::VertexFace => {
                for lane in 0..LANES {
                    let x = [
                        vector(a, lane),
                        vector(b, lane),
                        vector(c, lane),
                        vector(d, lane),
                    ];
                    let (weights, r) = vertex_face(x);
                    out.set(lane, weights, r);
                }
            }
            Kind::EdgeEdge => {
                for lane in 0..LANES {
                    let x = [
                        vector(a, lane),
                        vector(b, lane),
                        vector(c, lane),
                        vector(d, lane),
                    ];
                    let (weights, r) = edge_edge(x);
                    out.set(lane, weights, r);
                }
            }
        }
    }
}

/// Distances of many contacts, vertex-face pairs first.
#[derive(Debug, Clone)]
pub(super) struct Distances {
    arch: Arch,
    reach: Box<Reach>,
    /// The last answer, in m, in the order of the contacts.
    pub all: Vec<f64>,
}

impl Default for Distances {
    fn default() -> Distances {
        Distances {
            arch: Arch::new(),
            reach: Box::new(Reach::ZERO),
            all: Vec::new(),
        }
    }
}

impl Distances {
    /// Measures all contacts with the vertices at `x` (m).
    pub fn measure(&mut self, contacts: &[Contact], x: &[DVec3]) {
        let faces = contacts.partition_point(|c| c.kind == Kind::VertexFace);
        let (faces, edges) = contacts.split_at(faces);
        self.all.clear();
        self.all.reserve(contacts.len());
        for block in faces.chunks(LANES).chain(edges.chunks(LANES)) {
            self.arch.dispatch(Block(block, x, &mut self.reach));
            let squared = &self.reach.squared[..block.len()];
            self.all.extend(squared.iter().map(|s| s.sqrt()));
        }
    }
}

#[inline(always)]
fn vector(rows: &[Row; 3], lane: usize) -> DVec3 {
    DVec3::new(rows[0][lane], rows[1][lane], rows[2][lane])
}

/// Weights and separation of a vertex and a triangle: the last region whose test holds is taken.
#[inline(always)]
fn vertex_face([p, a, b, c]: [DVec3; 4]) -> ([f64; 4], DVec3) {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    let (l1, l2, mixed) = (ab.dot(ab), ac.dot(ac), ab.dot(ac));
    let (d3, d4, d5, d6) = (d1 - l1, d2 - mixed, d1 - mixed, d2 - l2);
    let (va, vb, vc) = (d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2);
    let total = va + vb + vc;
    let (mut v, mut w) = (vb / total, vc / total);
    let mut take = |holds: bool, at: (f64, f64)| {
        v = select(holds, at.0, v);
        w = select(holds, at.1, w);
    };
    let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    let opposite = (va <= 0.0) & (d4 >= d3) & (d5 >= d6);
    take(opposite, (1.0 - along, along));
    let second = (vb <= 0.0) & (d2 >= 0.0) & (d6 <= 0.0);
    take(second, (0.0, d2 / (d2 - d6)));
    take((d6 >= 0.0) & (d5 <= d6), (0.0, 1.0));
    let first = (vc <= 0.0) & (d1 >= 0.0) & (d3 <= 0.0);
    take(first, (d1 / (d1 - d3), 0.0));
    take((d3 >= 0.0) & (d4 <= d3), (1.0, 0.0));
    take((d1 <= 0.0) & (d2 <= 0.0), (0.0, 0.0));
    let u = 1.0 - v - w;
    ([1.0, -u, -v, -w], ap * u + (p - b) * v + (p - c) * w)
}

/// Weights and separation of two edges.
#[inline(always)]
fn edge_edge([p0, p1, q0, q1]: [DVec3; 4]) -> ([f64; 4], DVec3) {
    let (d1, d2, r) = (p1 - p0, q1 - q0, p0 - q0);
    let (a, e) = (
        d1.dot(d1).max(f64::MIN_POSITIVE),
        d2.dot(d2).max(f64::MIN_POSITIVE),
    );
    let (b, c, f) = (d1.dot(d2), d1.dot(r), d2.dot(r));
    let determinant = a * e - b * b;
    let free = unit((b * f - c * e) / determinant);
    let free = select(determinant > 0.0, free, 0.0);
    let t = (b * free + f) / e;
    let s = select(t < 0.0, unit(-c / a), free);
    let s = select(t > 1.0, unit((b - c) / a), s);
    let t = unit(t);
    ([1.0 - s, s, t - 1.0, -t], r + d1 * s - d2 * t)
}

#[inline(always)]
fn unit(a: f64) -> f64 {
    let low = select(a > 0.0, a, 0.0);
    select(low < 1.0, low, 1.0)
}

/// `a` if the test holds, else `b`, both having been computed: bits are masked, which no compiler
/// turns into a branch around one of them.
#[inline(always)]
fn select(holds: bool, a: f64, b: f64) -> f64 {
    let mask = u64::from(holds).wrapping_neg();
    f64::from_bits((a.to_bits() & mask) | (b.to_bits() & !mask))
}

#[cfg(test)]
mod tests {
    use super::super::distance::closest;
    use super::*;
    use rand::{RngExt, SeedableRng};

    /// Blocks of any size agree with one contact at a time to the byte, and with the branching
    /// search to rounding.
    #[test]
    fn blocks_find_the_closest_points() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(21);
        for kind in [Kind::VertexFace, Kind::EdgeEdge] {
            for _ in 0..2_000 {
                let x: Vec<DVec3> = (0..4 * LANES)
                    .map(|_| DVec3::new(rng.random(), rng.random(), rng.random()))
                    .collect();
                let contacts: Vec<Contact> = (0..LANES as u32)
                    .map(|i| Contact {
                        kind,
                        stencil: [4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3],
                    })
                    .collect();
                let count = rng.random_range(1..=LANES);
                let mut found = Reach::ZERO;
                pulp::Arch::new().dispatch(Block(&contacts[..count], &x, &mut found));
                for (lane, c) in contacts[..count].iter().enumerate() {
                    let mut alone = Reach::ZERO;
                    Block(std::slice::from_ref(c), &x, &mut alone).call();
                    assert_eq!(alone.squared[0].to_bits(), found.squared[lane].to_bits());
                    assert_eq!(alone.closest(0).weights, found.closest(lane).weights);
                    let expected = closest(kind, &c.stencil.map(|i| x[i as usize]));
                    let distance = expected.separation.length();
                    // coordinates of size 1, some dozen operations
                    assert!((found.squared[lane].sqrt() - distance).abs() < 1e-11);
                }
            }
        }
    }
}
