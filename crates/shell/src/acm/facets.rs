//! Stretching and bending as one kernel over triangles (kernel fusion, Ainsley, section 4.3): the
//! constants of the elements, lane by lane in blocks. A hinge pushes the corners of a triangle only
//! along that triangle's normal, so all that a triangle needs to know of its three hinges is one
//! moment each, and every corner is read once and pushed once for each of its triangles.

use super::topology::Topology;
use super::{Hinge, Membrane};

/// Elements that are computed together.
pub(super) const LANES: usize = 32;
/// One number for each element of a block.
pub(super) type Row = [f64; LANES];
/// One index for each element of a block.
pub(super) type Indices = [u32; LANES];

/// Constants of a block of triangles.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FacetBlock {
    pub corners: [Indices; 3],
    /// Inverse rest shape: entries (0,0), (0,1) and (1,1), in 1/m.
    pub inverse_rest: [Row; 3],
    /// Lame's coefficients times the rest volume, in J.
    pub lambda: Row,
    pub mu: Row,
    pub damping_s: Row,
    /// For each side the hinge on it, or the number of hinge slots if it has none.
    pub hinge: [Indices; 3],
    /// +1 or -1: whether the hinge sees this triangle's normal as it is.
    pub facing: [Row; 3],
}

/// Constants of a block of hinges.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct HingeBlock {
    /// The ends of the edge.
    pub ends: [Indices; 2],
    /// The two triangles, and which of their sides the edge is.
    pub facets: [Indices; 2],
    pub sides: [Indices; 2],
    pub facing: [Row; 2],
    pub rest_angle: Row,
    /// In J / rad^2.
    pub stiffness: Row,
    pub damping_s: Row,
}

/// All elements of a model in blocks; the last block is filled up with elements without stiffness.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Facets {
    pub blocks: Vec<FacetBlock>,
    pub hinges: Vec<HingeBlock>,
    /// Number of triangles.
    pub count: usize,
    /// Compressed rows: which corners (3 facet + corner) each dynamic vertex gathers, ascending.
    pub gather_start: Vec<u32>,
    pub gather: Vec<u32>,
}

/// An element and the triangles it belongs to.
pub(super) struct Placed<'a> {
    pub membranes: &'a [Membrane],
    pub membrane_triangles: &'a [u32],
    pub hinges: &'a [Hinge],
    pub hinge_triangles: &'a [[u32; 2]],
}

impl Facets {
    /// Lays out the elements of a model whose first `dynamic` vertices obey forces.
    pub fn new(topology: &Topology, placed: &Placed, dynamic: usize) -> Facets {
        // a hinge may lean on a triangle that is held and has no membrane
        let mut triangles: Vec<u32> = placed.membrane_triangles.to_vec();
        triangles.extend(placed.hinge_triangles.iter().flatten());
        triangles.sort_unstable();
        triangles.dedup();
        let facet_of = |t: u32| triangles.partition_point(|&u| u < t) as u32;
        let mut facets = Facets {
            count: triangles.len(),
            ..Facets::default()
        };
        let slots = placed.hinges.len().next_multiple_of(LANES) as u32;
        facets.lay_triangles(topology, placed, &triangles, slots);
        facets.lay_hinges(topology, placed, facet_of);
        facets.lay_rows(topology, &triangles, dynamic);
        facets
    }

    fn lay_triangles(&mut self, topology: &Topology, p: &Placed, triangles: &[u32], slots: u32) {
        let blank = FacetBlock {
            corners: [[0; LANES]; 3],
            inverse_rest: [[0.0; LANES]; 3],
            lambda: [0.0; LANES],
            mu: [0.0; LANES],
            damping_s: [0.0; LANES],
            hinge: [[slots; LANES]; 3],
            facing: [[1.0; LANES]; 3],
        };
        self.blocks = vec![blank; triangles.len().div_ceil(LANES)];
        for slot in 0..self.blocks.len() * LANES {
            let triangle = triangles[slot.min(triangles.len() - 1)];
            let (block, lane) = (&mut self.blocks[slot / LANES], slot % LANES);
            for (k, v) in topology.triangles[triangle as usize].iter().enumerate() {
                block.corners[k][lane] = *v;
            }
            let own = p.membrane_triangles.binary_search(&triangle);
            if let Some(i) = own.ok().filter(|_| slot < triangles.len()) {
                let m = &p.membranes[i];
                let [b00, b01, _, b11] = m.inverse_rest;
                for (row, b) in block.inverse_rest.iter_mut().zip([b00, b01, b11]) {
                    row[lane] = b;
                }
                (block.lambda[lane], block.mu[lane]) = (m.lambda, m.mu);
                block.damping_s[lane] = m.damping_s;
            }
        }
    }

    fn lay_hinges(&mut self, topology: &Topology, p: &Placed, facet_of: impl Fn(u32) -> u32) {
        let blank = HingeBlock {
            ends: [[0; LANES]; 2],
            facets: [[0; LANES]; 2],
            sides: [[0; LANES]; 2],
            facing: [[1.0; LANES]; 2],
            rest_angle: [0.0; LANES],
            stiffness: [0.0; LANES],
            damping_s: [0.0; LANES],
        };
        self.hinges = vec![blank; p.hinges.len().div_ceil(LANES)];
        for slot in 0..self.hinges.len() * LANES {
            let at = slot.min(p.hinges.len() - 1);
            let (hinge, lane) = (&p.hinges[at], slot % LANES);
            let [a, b, ..] = hinge.vertices;
            let block = &mut self.hinges[slot / LANES];
            (block.ends[0][lane], block.ends[1][lane]) = (a, b);
            for (which, &triangle) in p.hinge_triangles[at].iter().enumerate() {
                let corners = topology.triangles[triangle as usize];
                let side = (0..3).find(|&k| corners[k] != a && corners[k] != b);
                // the side opposite to corner k begins at corner k + 1
                let side = side.map_or(0, |k| (k + 1) % 3);
                let along = corners[side] == a;
                // the second normal of a hinge is taken against its edge
                let facing = if along == (which == 0) { 1.0 } else { -1.0 };
                let facet = facet_of(triangle);
                block.facets[which][lane] = facet;
                block.sides[which][lane] = side as u32;
                block.facing[which][lane] = facing;
                if slot < p.hinges.len() {
                    let (home, place) = (facet as usize / LANES, facet as usize % LANES);
                    self.blocks[home].hinge[side][place] = slot as u32;
                    self.blocks[home].facing[side][place] = facing;
                }
            }
            if slot < p.hinges.len() {
                block.rest_angle[lane] = hinge.rest_angle;
                block.stiffness[lane] = hinge.stiffness;
                block.damping_s[lane] = hinge.damping_s;
            }
        }
    }

    fn lay_rows(&mut self, topology: &Topology, triangles: &[u32], dynamic: usize) {
        let mut rows: Vec<Vec<u32>> = vec![Vec::new(); dynamic];
        for (facet, &triangle) in triangles.iter().enumerate() {
            for (k, &v) in topology.triangles[triangle as usize].iter().enumerate() {
                if let Some(row) = rows.get_mut(v as usize) {
                    row.push((3 * facet + k) as u32);
                }
            }
        }
        self.gather_start = vec![0];
        self.gather_start.extend(rows.iter().scan(0, |sum, row| {
            *sum += row.len() as u32;
            Some(*sum)
        }));
        self.gather = rows.concat();
    }
}
