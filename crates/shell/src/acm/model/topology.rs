//! Triangles, edges and who owns what. Each vertex and each edge is owned by one triangle, so that
//! a pair of triangles yields every pair of primitives exactly once (representative triangles).

use crate::acm::{Kind, Pair, ShellError};

/// Connectivity of all parts in the model's numbering.
#[derive(Debug, Clone, PartialEq)]
pub struct Topology {
    /// Triangles as vertices.
    pub triangles: Vec<[u32; 3]>,
    /// Edges as vertices, lower index first, sorted.
    pub edges: Vec<[u32; 2]>,
    /// For each triangle its edges (0,1), (1,2), (2,0).
    pub triangle_edges: Vec<[u32; 3]>,
    /// For each triangle what it owns.
    pub(crate) owned: Vec<Owned>,
    /// For each vertex the triangle that owns it.
    pub vertex_owner: Vec<u32>,
    /// For each edge its one or two triangles, the first being its owner (the second is `u32::MAX` at a border).
    pub edge_triangles: Vec<[u32; 2]>,
}

/// The vertices and edges that a triangle owns, about one in two and one in three of all it has.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Owned {
    vertices: [u32; 3],
    vertex_count: u8,
    edge_count: u8,
    edges: [u32; 3],
    /// Both ends of each owned edge.
    ends: [[u32; 2]; 3],
}

impl Owned {
    fn vertices(&self) -> &[u32] {
        &self.vertices[..self.vertex_count as usize % 4]
    }

    fn edges(&self) -> impl Iterator<Item = (u32, [u32; 2])> + '_ {
        let all = self.edges.iter().copied().zip(self.ends);
        all.take(self.edge_count as usize)
    }
}

impl Topology {
    /// Numbers edges and hands out ownership in triangle order. Edges of three triangles are refused.
    pub fn new(vertex_count: usize, triangles: &[[u32; 3]]) -> Result<Topology, ShellError> {
        let topology = Topology::of_any(vertex_count, triangles);
        let mut uses = vec![0; topology.edges.len()];
        for &edge in topology.triangle_edges.iter().flatten() {
            uses[edge as usize] += 1;
        }
        match uses.iter().position(|&triangles| triangles > 2) {
            Some(edge) => Err(ShellError::NonManifoldEdge {
                edge: topology.edges[edge],
                triangles: uses[edge],
            }),
            None => Ok(topology),
        }
    }

    /// The same for triangles of which any number may share an edge; of those `edge_triangles` has the first two.
    pub fn of_any(vertex_count: usize, triangles: &[[u32; 3]]) -> Topology {
        let side = |t: &[u32; 3], i: usize| {
            let (a, b) = (t[i], t[(i + 1) % 3]);
            [a.min(b), a.max(b)]
        };
        let mut edges: Vec<[u32; 2]> = triangles
            .iter()
            .flat_map(|t| [side(t, 0), side(t, 1), side(t, 2)])
            .collect();
        edges.sort_unstable();
        edges.dedup();
        let mut edge_triangles = vec![[u32::MAX; 2]; edges.len()];
        let mut uses = vec![0usize; edges.len()];
        let mut vertex_owner = vec![u32::MAX; vertex_count];
        let (mut triangle_edges, mut owned) = (Vec::new(), Vec::new());
        for (index, t) in triangles.iter().enumerate() {
            let numbers = [0, 1, 2].map(|i| edges.binary_search(&side(t, i)).unwrap_or(0) as u32);
            let mut own = Owned::default();
            for i in 0..3 {
                let (v, e) = (t[i] as usize, numbers[i] as usize);
                let first = vertex_owner[v] == u32::MAX;
                if first {
                    vertex_owner[v] = index as u32;
                    own.vertices[own.vertex_count as usize] = t[i];
                    own.vertex_count += 1;
                }
                if uses[e] == 0 {
                    own.edges[own.edge_count as usize] = numbers[i];
                    own.ends[own.edge_count as usize] = edges[e];
                    own.edge_count += 1;
                }
                if let Some(triangle) = edge_triangles[e].get_mut(uses[e]) {
                    *triangle = index as u32;
                }
                uses[e] += 1;
            }
            triangle_edges.push(numbers);
            owned.push(own);
        }
        Topology {
            triangles: triangles.to_vec(),
            edges,
            triangle_edges,
            owned,
            vertex_owner,
            edge_triangles,
        }
    }

    /// The two triangles that yield a pair.
    #[inline]
    pub fn owners(&self, pair: Pair) -> (u32, u32) {
        let (a, b) = (pair.parts().0 as usize, pair.parts().1 as usize);
        match pair.kind() {
            Kind::VertexFace => (self.vertex_owner[a], b as u32),
            Kind::EdgeEdge => (self.edge_triangles[a][0], self.edge_triangles[b][0]),
        }
    }

    /// Every pair of primitives owned by two triangles, without those that share a vertex.
    #[inline(always)]
    pub(crate) fn for_each_pair(&self, s: u32, t: u32, mut meet: impl FnMut(Pair)) {
        let (one, other) = (&self.owned[s as usize], &self.owned[t as usize]);
        for (own, t) in [(one, t), (other, s)] {
            let face = self.triangles[t as usize];
            for &v in own.vertices() {
                if !face.contains(&v) {
                    meet(Pair::vertex_face(v, t));
                }
            }
        }
        for (e, [a, b]) in one.edges() {
            for (f, [c, d]) in other.edges() {
                if a != c && a != d && b != c && b != d {
                    meet(Pair::edge_edge(e, f));
                }
            }
        }
    }

    /// The same for triangles that share no vertex, vertices and faces apart from pairs of edges.
    #[inline(always)]
    pub(crate) fn pairs_of_strangers(&self, s: u32, t: u32, [faces, edges]: [&mut Vec<Pair>; 2]) {
        let (one, other) = (&self.owned[s as usize], &self.owned[t as usize]);
        for (own, t) in [(one, t), (other, s)] {
            faces.extend(own.vertices().iter().map(|&v| Pair::vertex_face(v, t)));
        }
        for (e, _) in one.edges() {
            edges.extend(other.edges().map(|(f, _)| Pair::edge_edge(e, f)));
        }
    }

    /// The corner of triangle `t` that is not on edge `e`.
    pub fn opposite(&self, t: u32, e: u32) -> u32 {
        let [a, b] = self.edges[e as usize];
        let corners = self.triangles[t as usize];
        corners
            .into_iter()
            .find(|&v| v != a && v != b)
            .unwrap_or(corners[0])
    }
}

/// Hinges on interior edges: the lower triangle, the stencil (edge, opposite, opposite) and the
/// triangles of the two opposites; sorted.
pub(crate) fn hinge_stencils(topology: &Topology) -> Vec<(u32, [u32; 4], [u32; 2])> {
    let interior = topology
        .edge_triangles
        .iter()
        .enumerate()
        .filter(|(_, t)| t[1] != u32::MAX);
    let mut stencils: Vec<_> = interior
        .map(|(e, &[t, s])| {
            let [a, b] = topology.edges[e];
            let e = e as u32;
            (
                t.min(s),
                [a, b, topology.opposite(t, e), topology.opposite(s, e)],
                [t, s],
            )
        })
        .collect();
    stencils.sort_unstable();
    stencils
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::Mesh;
    use glamx::DVec3;

    #[test]
    fn every_vertex_and_edge_has_one_owner() {
        let mesh = Mesh::rectangle(4, 5, DVec3::ZERO, DVec3::X, DVec3::Y);
        let topology = Topology::new(20, &mesh.triangles).expect("a sheet");
        let mut vertices: Vec<u32> = topology
            .owned
            .iter()
            .flat_map(Owned::vertices)
            .copied()
            .collect();
        vertices.sort_unstable();
        assert_eq!(vertices, (0..20).collect::<Vec<u32>>());
        let mut edges: Vec<u32> = topology
            .owned
            .iter()
            .flat_map(Owned::edges)
            .map(|e| e.0)
            .collect();
        edges.sort_unstable();
        assert_eq!(
            edges,
            (0..topology.edges.len() as u32).collect::<Vec<u32>>()
        );
        // interior edges of an n x m sheet: all minus the border
        assert_eq!(
            hinge_stencils(&topology).len(),
            topology.edges.len() - 2 * (3 + 4)
        );
    }

    #[test]
    fn three_triangles_at_an_edge_are_refused() {
        let error = Topology::new(5, &[[0, 1, 2], [0, 1, 3], [0, 1, 4]]).expect_err("non-manifold");
        assert!(error.to_string().contains("(0, 1)"), "{error}");
    }
}
