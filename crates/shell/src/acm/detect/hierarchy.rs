//! Binary hierarchy of 26-DOPs over the triangles (Ainsley, section 3, broad phase), with clusters of triangles as its leaves.
//! Its shape is fixed at the start (median split on the longest axis); each window only refits the bounds.

use crate::acm::ShellModel;
use crate::acm::detect::cluster::{CLUSTER, Cluster};
use crate::acm::detect::coarse::Coarse;
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};

const NONE: u32 = u32::MAX;

/// A node; its left child, if any, stands right behind it.
#[derive(Debug, Clone, Copy)]
struct Node {
    right: u32,
    /// Number of triangles below.
    size: u32,
    /// Whether any triangle below has a vertex that obeys forces.
    dynamic: bool,
    /// The cluster of all triangles below, if it has no children.
    cluster: u32,
}

/// The hierarchy over all triangles.
#[derive(Debug, Clone, Default)]
pub(crate) struct Hierarchy {
    nodes: Vec<Node>,
    bounds: Vec<Coarse>,
    clusters: Vec<Cluster>,
    /// For each cluster its node, for each node its parent.
    node_of: Vec<u32>,
    parent: Vec<u32>,
    /// For each triangle its cluster and its place there.
    place: Vec<(u32, u32)>,
}

/// Two subtrees (or one with itself) still to be compared.
pub(crate) type Task = (u32, u32);

impl Hierarchy {
    /// Builds the shape over a model's triangles with their vertices at `places` (m).
    pub fn over(model: &ShellModel, places: &[DVec3]) -> Hierarchy {
        let triangles = &model.topology.triangles;
        let centroid = |t: &[u32; 3]| t.iter().map(|&v| places[v as usize]).sum::<DVec3>() / 3.0;
        let moves = |t: &[u32; 3]| t.iter().any(|&v| (v as usize) < model.dynamic);
        let centroids: Vec<DVec3> = triangles.iter().map(centroid).collect();
        let dynamic: Vec<bool> = triangles.iter().map(moves).collect();
        Hierarchy::new(&centroids, &dynamic)
    }

    /// Builds the shape from triangle centroids; `dynamic` says which triangles can be moved.
    pub fn new(centroids: &[DVec3], dynamic: &[bool]) -> Hierarchy {
        let mut tree = Hierarchy {
            place: vec![(NONE, 0); centroids.len()],
            ..Hierarchy::default()
        };
        let mut order: Vec<u32> = (0..centroids.len() as u32).collect();
        if !order.is_empty() {
            tree.split(&mut order, NONE, centroids, dynamic);
        }
        tree.bounds = vec![Coarse::EMPTY; tree.nodes.len()];
        tree
    }

    fn split(
        &mut self,
        part: &mut [u32],
        parent: u32,
        centroids: &[DVec3],
        dynamic: &[bool],
    ) -> u32 {
        let at = self.nodes.len() as u32;
        self.nodes.push(Node {
            right: NONE,
            size: part.len() as u32,
            dynamic: part.iter().any(|&t| dynamic[t as usize]),
            cluster: NONE,
        });
        self.parent.push(parent);
        if part.len() <= CLUSTER {
            self.nodes[at as usize].cluster = self.gather(part, at, dynamic);
            return at;
        }
        let first = centroids[part[0] as usize];
        let (lo, hi) = part.iter().fold((first, first), |(lo, hi), &t| {
            let c = centroids[t as usize];
            (lo.min(c), hi.max(c))
        });
        let span = hi - lo;
        let axis = if span.x >= span.y && span.x >= span.z {
            0
        } else if span.y >= span.z {
            1
        } else {
            2
        };
        part.sort_by(|&a, &b| {
            centroids[a as usize][axis]
                .total_cmp(&centroids[b as usize][axis])
                .then(a.cmp(&b))
        });
        let (low, high) = part.split_at_mut(part.len() / 2);
        self.split(low, at, centroids, dynamic);
        self.nodes[at as usize].right = self.split(high, at, centroids, dynamic);
        at
    }

    /// Makes a cluster of a node's triangles.
    fn gather(&mut self, part: &[u32], node: u32, dynamic: &[bool]) -> u32 {
        let (number, mut cluster) = (self.clusters.len() as u32, Cluster::EMPTY);
        for (i, &t) in (0u32..).zip(part) {
            cluster.push(t, dynamic[t as usize]);
            self.place[t as usize] = (number, i);
        }
        self.clusters.push(cluster);
        self.node_of.push(node);
        number
    }

    /// Sets one triangle's bound and refits the nodes above it until nothing changes.
    pub fn refit_above(&mut self, triangle: u32, bound: &Coarse) {
        let (cluster, i) = self.place[triangle as usize];
        self.clusters[cluster as usize].set(i as usize, bound);
        let mut at = self.node_of[cluster as usize] as usize;
        let mut all = self.clusters[cluster as usize].bound();
        while all != self.bounds[at] {
            self.bounds[at] = all;
            if self.parent[at] == NONE {
                break;
            }
            at = self.parent[at] as usize;
            all = self.bounds[at + 1].union(&self.bounds[self.nodes[at].right as usize]);
        }
    }

    /// Calls `meet` for every other triangle whose bound may come within some steps of `bound`.
    pub fn query(&self, triangle: u32, bound: &Coarse, steps: i16, meet: impl FnMut(u32)) {
        Arch::new().dispatch(Query {
            tree: self,
            triangle,
            bound,
            steps,
            meet,
        });
    }

    /// Takes the triangles' bounds, and as bounds of nodes the unions of what is below.
    pub fn refit(&mut self, triangle_bounds: &[Coarse]) {
        for (cluster, &node) in self.clusters.iter_mut().zip(&self.node_of) {
            self.bounds[node as usize] = cluster.refit(triangle_bounds);
        }
        for i in (0..self.nodes.len()).rev() {
            let right = self.nodes[i].right;
            if right != NONE {
                self.bounds[i] = self.bounds[i + 1].union(&self.bounds[right as usize]);
            }
        }
    }

    /// Work to compare everything with itself, in at least `pieces` parts if there are as many,
    /// always the same parts in the same order.
    pub fn tasks(&self, pieces: usize) -> Vec<Task> {
        let mut tasks: Vec<Task> = if self.nodes.is_empty() {
            vec![]
        } else {
            vec![(0, 0)]
        };
        while tasks.len() < pieces {
            let next: Vec<Task> = tasks.iter().flat_map(|&t| self.divide(t)).collect();
            if next.len() == tasks.len() {
                break;
            }
            tasks = next;
        }
        tasks
    }

    fn divide(&self, task: Task) -> Vec<Task> {
        let (a, b) = task;
        let node = &self.nodes[a as usize];
        if a != b || node.cluster != NONE {
            vec![task]
        } else {
            vec![
                (a + 1, a + 1),
                (a + 1, node.right),
                (node.right, node.right),
            ]
        }
    }

    /// Who shares a vertex with whom, for [`Hierarchy::traverse_strangers`].
    pub fn kin(&self, triangles: &[[u32; 3]]) -> Kin {
        let vertices = triangles
            .iter()
            .flatten()
            .max()
            .map_or(0, |&v| v as usize + 1);
        let mut around = vec![Vec::new(); vertices];
        for (t, corners) in (0u32..).zip(triangles) {
            corners.iter().for_each(|&v| around[v as usize].push(t));
        }
        let mut kin = Kin::default();
        for cluster in &self.clusters {
            kin.first.push(kin.rows.len());
            for (i, &s) in cluster.triangles[..cluster.count].iter().enumerate() {
                let corners = triangles[s as usize].iter();
                for &t in corners.flat_map(|&v| &around[v as usize]) {
                    let (other, place) = self.place[t as usize];
                    kin.row_of_last(other)[i] |= 1 << place;
                }
            }
        }
        kin.first.push(kin.rows.len());
        kin
    }

    /// Calls `meet(s, t)` for every pair of different triangles below `task` whose bounds may come
    /// within some steps; returns how many nodes and rows of clusters were compared.
    pub fn traverse(&self, task: Task, steps: i16, meet: impl FnMut(u32, u32)) -> u64 {
        self.traverse_strangers(task, steps, None, meet)
    }

    /// The same without triangles that are kin.
    pub fn traverse_strangers(
        &self,
        task: Task,
        steps: i16,
        kin: Option<&Kin>,
        meet: impl FnMut(u32, u32),
    ) -> u64 {
        Arch::new().dispatch(Traversal {
            tree: self,
            task,
            steps,
            kin,
            meet,
        })
    }
}

/// Which triangles of one cluster share a vertex with which of another: for each of the one a bit for each of the other.
type KinRows = [u16; CLUSTER];

/// For each cluster those that have triangles that share a vertex with its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct Kin {
    /// Where a cluster's rows begin; the next one's begin where they end.
    first: Vec<usize>,
    rows: Vec<(u32, KinRows)>,
}

impl Kin {
    /// The rows of the last cluster and another, which are empty at first.
    fn row_of_last(&mut self, other: u32) -> &mut KinRows {
        let own = self.first.last().map_or(0, |&first| first);
        let found = self.rows[own..].iter().position(|r| r.0 == other);
        let at = found.map_or(self.rows.len(), |i| own + i);
        if at == self.rows.len() {
            self.rows.push((other, [0; CLUSTER]));
        }
        &mut self.rows[at].1
    }

    /// The rows of two clusters.
    #[inline(always)]
    fn rows(&self, cluster: u32, other: u32) -> KinRows {
        let [from, to] = [0, 1].map(|i| self.first[cluster as usize + i]);
        let found = self.rows[from..to].iter().find(|r| r.0 == other);
        found.map_or([0; CLUSTER], |r| r.1)
    }
}

/// A search for the triangles near a bound.
struct Query<'a, F> {
    tree: &'a Hierarchy,
    triangle: u32,
    bound: &'a Coarse,
    steps: i16,
    meet: F,
}

impl<F: FnMut(u32)> WithSimd for Query<'_, F> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let (tree, mut stack) = (self.tree, vec![0u32]);
        while let Some(at) = stack.pop() {
            let node = &tree.nodes[at as usize];
            if !tree.bounds[at as usize].near(self.bound, self.steps) {
                continue;
            }
            if node.cluster == NONE {
                stack.extend([node.right, at + 1]);
                continue;
            }
            let cluster = &tree.clusters[node.cluster as usize];
            let mut near = cluster.near_bound(simd, self.bound, self.steps);
            while near != 0 {
                let t = cluster.triangles[near.trailing_zeros() as usize];
                near &= near - 1;
                if t != self.triangle {
                    (self.meet)(t);
                }
            }
        }
    }
}

/// A traversal on its way.
struct Traversal<'a, F> {
    tree: &'a Hierarchy,
    task: Task,
    steps: i16,
    kin: Option<&'a Kin>,
    meet: F,
}

impl<F: FnMut(u32, u32)> WithSimd for Traversal<'_, F> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> u64 {
        let (tree, steps) = (self.tree, self.steps);
        let (mut stack, mut tests) = (vec![self.task], 0);
        while let Some((a, b)) = stack.pop() {
            let (na, nb) = (&tree.nodes[a as usize], &tree.nodes[b as usize]);
            if !(na.dynamic || nb.dynamic) {
                continue;
            }
            if a == b {
                if na.cluster != NONE {
                    tests += self.compare(simd, a, a);
                } else {
                    stack.extend([(na.right, na.right), (a + 1, na.right), (a + 1, a + 1)]);
                }
                continue;
            }
            tests += 1;
            if !tree.bounds[a as usize].near(&tree.bounds[b as usize], steps) {
                continue;
            }
            match (na.cluster, nb.cluster) {
                (NONE, NONE) if na.size < nb.size => stack.extend([(a, nb.right), (a, b + 1)]),
                (NONE, _) => stack.extend([(na.right, b), (a + 1, b)]),
                (_, NONE) => stack.extend([(a, nb.right), (a, b + 1)]),
                _ => tests += self.compare(simd, a, b),
            }
        }
        tests
    }
}

impl<F: FnMut(u32, u32)> Traversal<'_, F> {
    /// Compares the triangles of two clusters, or of one with itself; returns the number of rows.
    #[inline(always)]
    fn compare<S: Simd>(&mut self, simd: S, one: u32, other: u32) -> u64 {
        let (tree, steps, mut rows) = (self.tree, self.steps, 0);
        let [x, y] = [one, other].map(|node| tree.nodes[node as usize].cluster);
        let (a, b) = (&tree.clusters[x as usize], &tree.clusters[y as usize]);
        let kin = self.kin.map_or([0; CLUSTER], |kin| kin.rows(x, y));
        let mut open = if one == other {
            a.all()
        } else {
            a.near_bound(simd, &tree.bounds[other as usize], steps)
        };
        while open != 0 {
            let i = open.trailing_zeros() as usize;
            let s = a.triangles[i];
            open &= open - 1;
            rows += 1;
            let mut near = a.near(simd, i, b, steps);
            if one == other {
                near &= !1 << i;
            }
            near &= !kin[i];
            while near != 0 {
                (self.meet)(s, b.triangles[near.trailing_zeros() as usize]);
                near &= near - 1;
            }
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::detect::coarse::Grid;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn traversal_finds_exactly_the_overlapping_pairs() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(3);
        let points: Vec<DVec3> = (0..200)
            .map(|_| DVec3::new(rng.random(), rng.random(), rng.random()))
            .collect();
        let dynamic: Vec<bool> = (0..200).map(|i| i % 3 > 0).collect();
        let grid = Grid::around(points.iter().copied());
        let bounds: Vec<Coarse> = points
            .iter()
            .map(|&p| Coarse::tube(&grid, p, p + DVec3::splat(0.1), 0.03))
            .collect();
        let mut tree = Hierarchy::new(&points, &dynamic);
        tree.refit(&bounds);
        let (steps, mut found) = (grid.steps(0.01), Vec::new());
        for task in tree.tasks(16) {
            tree.traverse(task, steps, |s, t| found.push((s.min(t), s.max(t))));
        }
        found.sort_unstable();
        let mut expected = Vec::new();
        for s in 0..200u32 {
            for t in s + 1..200 {
                let moves = dynamic[s as usize] || dynamic[t as usize];
                if moves && bounds[s as usize].near(&bounds[t as usize], steps) {
                    expected.push((s, t));
                }
            }
        }
        assert!(expected.len() > 50);
        assert_eq!(found, expected);
    }

    #[test]
    fn strangers_are_all_that_share_no_vertex() {
        let mesh = crate::acm::Mesh::rectangle(9, 7, DVec3::ZERO, DVec3::X, DVec3::Y);
        let corners = |t: &[u32; 3]| t.map(|v| mesh.positions[v as usize]);
        let all = || mesh.triangles.iter().map(corners);
        let points: Vec<DVec3> = all().map(|[a, b, c]| (a + b + c) / 3.0).collect();
        let grid = Grid::around(mesh.positions.iter().copied());
        let bounds: Vec<Coarse> = all()
            .map(|[a, b, c]| Coarse::tube(&grid, a, b, 0.0).union(&Coarse::tube(&grid, c, c, 0.0)))
            .collect();
        let steps = grid.steps(0.15);
        let mut tree = Hierarchy::new(&points, &vec![true; points.len()]);
        tree.refit(&bounds);
        let kin = tree.kin(&mesh.triangles);
        let share = |s: u32, t: u32| {
            let [s, t] = [s, t].map(|t| mesh.triangles[t as usize]);
            s.iter().any(|v| t.contains(v))
        };
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        for task in tree.tasks(16) {
            tree.traverse(task, steps, |s, t| {
                if !share(s, t) {
                    expected.push((s, t));
                }
            });
            tree.traverse_strangers(task, steps, Some(&kin), |s, t| found.push((s, t)));
        }
        assert!(expected.len() > 50);
        assert_eq!(found, expected);
    }
}
