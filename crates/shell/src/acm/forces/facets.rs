//! Stretching and bending as one kernel over triangles (kernel fusion, Ainsley, section 4.3): the
//! constants of the elements, lane by lane in blocks. A hinge pushes the corners of a triangle only
//! along that triangle's normal, so all that a triangle needs to know of its three hinges is one
//! moment each, and every corner is read once and pushed once for each of its triangles.

use crate::acm::lanes::quads::{Indices, LANES, Row, Slots, by_slot, slots};
use crate::acm::model::topology::Topology;
use crate::acm::{Hinge, Membrane};

/// Vertices in a row whose corners are gathered together: near each other in memory, and enough that turning from
/// one kind to another takes no time.
pub(crate) const TOGETHER: usize = 128;

/// Constants of a block of triangles.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct FacetBlock {
    /// By slot.
    pub corners: [Indices; 3],
    /// Inverse rest shape: entries (0,0), (0,1) and (1,1), in 1/m.
    pub inverse_rest: [Row; 3],
    /// Lame's coefficients times the rest volume, in J, both with a minus and of the first one half: stress pulls
    /// against strain.
    pub minus_half_lambda: Row,
    pub minus_mu: Row,
    pub damping_s: Row,
    /// For each side the hinge on it, or the number of hinge slots if it has none; wide numbers, since only places in
    /// these need no check.
    pub hinge: [[usize; LANES]; 3],
    /// Hinge blocks that must be known before this block's forces are.
    pub after: usize,
    /// +1 or -1: whether the hinge sees this triangle's normal as it is.
    pub facing: [Row; 3],
}

/// Constants of a block of hinges.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct HingeBlock {
    /// The ends of the edge, by slot.
    pub ends: [Indices; 2],
    /// Where the two triangles tell of the side that the edge is, by slot.
    pub sides: [Indices; 2],
    /// Blocks of triangles that must be known before.
    pub after: usize,
    pub facing: [Row; 2],
    pub rest_angle: Row,
    /// Minus twice the stiffness, in J / rad^2.
    pub pull: Row,
    pub damping_s: Row,
}

/// All elements of a model in blocks; the last block is filled up with elements without stiffness.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Facets {
    pub blocks: Vec<FacetBlock>,
    pub hinges: Vec<HingeBlock>,
    /// Blocks of triangles at most between the one that is stretched and the first one of which something will still be
    /// asked, itself included; a power of two.
    pub ring: usize,
    /// Which corners the dynamic vertices gather.
    pub gathers: Vec<Gathers>,
    /// For each dynamic vertex its place among all that `gathers` lists.
    pub gathered_at: Vec<u32>,
}

/// Dynamic vertices that gather equally many corners, so that nothing has to be asked on the way. Vertices have 2, 4
/// and 8 corners in the scenes' meshes, and to guess which comes next costs more than to gather.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Gathers {
    /// An even number.
    pub each: usize,
    pub vertices: Vec<u32>,
    /// Vertex by vertex in the order of triangles; an odd one out is followed by nothing. Wide numbers, since only
    /// places in these need no check.
    pub corners: Vec<usize>,
}

/// Where a corner of a triangle stands among all, or a side if each triangle has room for one more: `of` such.
fn place(slots: &Slots, facet: u32, which: usize, of: usize) -> u32 {
    let (block, lane) = (facet as usize / LANES, facet as usize % LANES);
    ((of * block + which) * LANES + slots[lane] as usize) as u32
}

/// An element and the triangles it belongs to.
pub(crate) struct Placed<'a> {
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
        let (mut facets, slots) = (Facets::default(), slots());
        facets.lay_triangles(topology, placed, &triangles, &slots);
        facets.lay_hinges(topology, placed, &triangles, &slots);
        facets.lay_rows(topology, &triangles, dynamic, &slots);
        facets.ring = facets.rounds_apart().next_power_of_two();
        facets
    }

    /// What can be done when `known` blocks of triangles are stretched, `told` blocks of hinges bent and `joined` blocks of
    /// triangles joined: whether two blocks of hinges or one can be bent, and how many blocks will have been joined.
    #[inline(always)]
    pub fn next(&self, known: usize, told: usize, mut joined: usize) -> (usize, usize) {
        let bend = match &self.hinges[told..] {
            [_, second, ..] if second.after <= known => 2,
            [only] if only.after <= known => 1,
            _ => 0,
        };
        let ready = |block: &FacetBlock| block.after <= told;
        while self.blocks[..known].get(joined).is_some_and(ready) {
            joined += 1;
        }
        (bend, joined)
    }

    /// Blocks of triangles at most between the one that is stretched and the first one of which something will still be
    /// asked, itself included.
    fn rounds_apart(&self) -> usize {
        // for each block of hinges the first block of triangles that it or one behind it asks
        let mut asked = vec![usize::MAX; self.hinges.len() + 1];
        for (i, hinge) in self.hinges.iter().enumerate().rev() {
            let sides = hinge.sides.as_flattened().iter();
            let first = sides.map(|&side| side as usize / (4 * LANES)).min();
            asked[i] = first.map_or(asked[i + 1], |first| first.min(asked[i + 1]));
        }
        let (mut known, mut told, mut joined, mut apart) = (0, 0, 0, 1);
        while known < self.blocks.len() {
            apart = apart.max(known - asked[told].min(joined).min(known) + 1);
            let (bend, now_joined) = self.next(known, told, joined);
            (known, told, joined) = (known + 1, told + bend, now_joined);
        }
        apart
    }

    fn lay_triangles(&mut self, topology: &Topology, p: &Placed, triangles: &[u32], slots: &Slots) {
        let no_hinge = p.hinges.len().next_multiple_of(LANES);
        let blank = FacetBlock {
            corners: [[0; LANES]; 3],
            inverse_rest: [Row::ZERO; 3],
            minus_half_lambda: Row::ZERO,
            minus_mu: Row::ZERO,
            damping_s: Row::ZERO,
            hinge: [[no_hinge; LANES]; 3],
            after: 0,
            facing: [Row([1.0; LANES]); 3],
        };
        self.blocks = vec![blank; triangles.len().div_ceil(LANES)];
        for (block, first) in self.blocks.iter_mut().zip((0..).step_by(LANES)) {
            // the last triangle fills up its block, without stiffness
            let known = |lane: usize| triangles.get(first + lane);
            let corners = |lane: usize| {
                let triangle = known(lane).or(triangles.last()).map_or(0, |&t| t as usize);
                topology.triangles[triangle]
            };
            for k in 0..3 {
                let by_lane = std::array::from_fn(|lane| corners(lane)[k]);
                block.corners[k] = by_slot(slots, &by_lane);
            }
            for lane in 0..LANES {
                let own = known(lane).map(|t| p.membrane_triangles.binary_search(t));
                if let Some(Ok(i)) = own {
                    let m = &p.membranes[i];
                    let [b00, b01, _, b11] = m.inverse_rest;
                    for (row, b) in block.inverse_rest.iter_mut().zip([b00, b01, b11]) {
                        row.0[lane] = b;
                    }
                    block.minus_half_lambda.0[lane] = -0.5 * m.lambda;
                    block.minus_mu.0[lane] = -m.mu;
                    block.damping_s.0[lane] = m.damping_s;
                }
            }
        }
    }

    fn lay_hinges(&mut self, topology: &Topology, p: &Placed, triangles: &[u32], slots: &Slots) {
        let blank = HingeBlock {
            ends: [[0; LANES]; 2],
            sides: [[0; LANES]; 2],
            after: 0,
            facing: [Row([1.0; LANES]); 2],
            rest_angle: Row::ZERO,
            pull: Row::ZERO,
            damping_s: Row::ZERO,
        };
        self.hinges = vec![blank; p.hinges.len().div_ceil(LANES)];
        for index in 0..self.hinges.len() * LANES {
            let known = index < p.hinges.len();
            let at = index.min(p.hinges.len() - 1);
            let (hinge, lane) = (&p.hinges[at], index % LANES);
            let (slot, [a, b, ..]) = (slots[lane] as usize, hinge.vertices);
            let block = &mut self.hinges[index / LANES];
            (block.ends[0][slot], block.ends[1][slot]) = (a, b);
            for (which, &triangle) in p.hinge_triangles[at].iter().enumerate() {
                let corners = topology.triangles[triangle as usize];
                let side = (0..3).find(|&k| corners[k] != a && corners[k] != b);
                // the side opposite to corner k begins at corner k + 1
                let side = side.map_or(0, |k| (k + 1) % 3);
                let along = corners[side] == a;
                // the second normal of a hinge is taken against its edge
                let facing = if along == (which == 0) { 1.0 } else { -1.0 };
                let facet = triangles.partition_point(|&t| t < triangle) as u32;
                block.sides[which][slot] = place(slots, facet, side, 4);
                block.facing[which].0[lane] = facing;
                let (home, home_lane) = (facet as usize / LANES, facet as usize % LANES);
                block.after = block.after.max(home + 1);
                if known {
                    let home = &mut self.blocks[home];
                    home.hinge[side][home_lane] = index;
                    home.facing[side].0[home_lane] = facing;
                    home.after = home.after.max(index / LANES + 1);
                }
            }
            if known {
                block.rest_angle.0[lane] = hinge.rest_angle;
                block.pull.0[lane] = -2.0 * hinge.stiffness;
                block.damping_s.0[lane] = hinge.damping_s;
            }
        }
        // blocks are taken in order and two at a time: what one waits for the next one waits for, too
        let mut after = 0;
        for block in &mut self.hinges {
            after = after.max(block.after);
            block.after = after;
        }
    }

    fn lay_rows(&mut self, topology: &Topology, triangles: &[u32], dynamic: usize, slots: &Slots) {
        let nothing = 3 * LANES * self.blocks.len();
        let mut rows: Vec<Vec<usize>> = vec![Vec::new(); dynamic];
        for (facet, &triangle) in (0..).zip(triangles) {
            for (k, &v) in topology.triangles[triangle as usize].iter().enumerate() {
                if let Some(row) = rows.get_mut(v as usize) {
                    row.push(place(slots, facet, k, 3) as usize);
                }
            }
        }
        let even = |row: &[usize]| row.len().next_multiple_of(2).max(2);
        let mut order: Vec<usize> = (0..dynamic).collect();
        let like = |vertex: usize| (vertex / TOGETHER, even(&rows[vertex]));
        order.sort_by_key(|&vertex| like(vertex));
        self.gathered_at = vec![0; dynamic];
        for (&vertex, at) in order.iter().zip(0..) {
            self.gathered_at[vertex] = at;
        }
        for like in order.chunk_by(|&a, &b| like(a) == like(b)) {
            let (each, mut corners) = (even(&rows[like[0]]), Vec::new());
            for &vertex in like {
                let end = corners.len() + each;
                corners.extend(&rows[vertex]);
                corners.resize(end, nothing);
            }
            let vertices = like.iter().map(|&vertex| vertex as u32).collect();
            self.gathers.push(Gathers {
                each,
                vertices,
                corners,
            });
        }
    }
}
