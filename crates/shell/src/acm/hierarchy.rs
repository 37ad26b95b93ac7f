//! Binary hierarchy of 26-DOPs over the triangles (Ainsley, section 3, broad phase). Its shape is
//! fixed at the start (median split on the longest axis); each window only refits the bounds.

use super::ShellModel;
use super::cluster::{CLUSTER, Cluster};
use super::dop::{Dop, upwards};
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};

const NONE: u32 = u32::MAX;

/// A node; its left child, if any, stands right behind it.
#[derive(Debug, Clone, Copy)]
struct Node {
    right: u32,
    triangle: u32,
    /// Nodes of the subtree, itself included.
    size: u32,
    /// Whether any triangle below has a vertex that obeys forces.
    dynamic: bool,
    /// The cluster of all triangles below, if they are few enough and those of the parent are not.
    cluster: u32,
}

/// The hierarchy over all triangles.
#[derive(Debug, Clone, Default)]
pub(super) struct Hierarchy {
    nodes: Vec<Node>,
    bounds: Vec<Dop>,
    clusters: Vec<Cluster>,
    /// For each triangle its leaf, for each node its parent.
    leaf_of: Vec<u32>,
    parent: Vec<u32>,
}

/// Two subtrees (or one with itself) still to be compared.
pub(super) type Task = (u32, u32);

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
        let mut tree = Hierarchy::default();
        let mut order: Vec<u32> = (0..centroids.len() as u32).collect();
        if !order.is_empty() {
            tree.split(&mut order, centroids, dynamic);
        }
        tree.bounds = vec![Dop::EMPTY; tree.nodes.len()];
        tree.link();
        tree.gather_clusters(dynamic);
        tree
    }

    fn split(&mut self, part: &mut [u32], centroids: &[DVec3], dynamic: &[bool]) -> u32 {
        let at = self.nodes.len();
        let moves = part.iter().any(|&t| dynamic[t as usize]);
        self.nodes.push(Node {
            right: NONE,
            triangle: part[0],
            size: 1,
            dynamic: moves,
            cluster: NONE,
        });
        if part.len() > 1 {
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
            self.split(low, centroids, dynamic);
            let right = self.split(high, centroids, dynamic);
            self.nodes[at] = Node {
                right,
                triangle: NONE,
                size: (self.nodes.len() - at) as u32,
                dynamic: moves,
                cluster: NONE,
            };
        }
        at as u32
    }

    /// Makes a cluster of each largest subtree that fits into one.
    fn gather_clusters(&mut self, dynamic: &[bool]) {
        let fits = |node: &Node| (node.size as usize).div_ceil(2) <= CLUSTER;
        let mut at = 0;
        while at < self.nodes.len() {
            if !fits(&self.nodes[at]) {
                at += 1;
                continue;
            }
            let end = at + self.nodes[at].size as usize;
            let mut cluster = Cluster::EMPTY;
            for leaf in self.nodes[at..end].iter().filter(|n| n.right == NONE) {
                cluster.push(leaf.triangle, dynamic[leaf.triangle as usize]);
            }
            self.nodes[at].cluster = self.clusters.len() as u32;
            self.clusters.push(cluster);
            at = end;
        }
    }

    fn link(&mut self) {
        self.parent = vec![NONE; self.nodes.len()];
        self.leaf_of = vec![NONE; self.nodes.len().div_ceil(2)];
        for (i, node) in self.nodes.iter().enumerate() {
            if node.right == NONE {
                self.leaf_of[node.triangle as usize] = i as u32;
            } else {
                self.parent[i + 1] = i as u32;
                self.parent[node.right as usize] = i as u32;
            }
        }
    }

    /// Sets one triangle's bound and refits the nodes above it until nothing changes.
    pub fn refit_above(&mut self, triangle: u32, bound: &Dop) {
        let mut at = self.leaf_of[triangle as usize] as usize;
        self.bounds[at] = *bound;
        while self.parent[at] != NONE {
            at = self.parent[at] as usize;
            let both = self.bounds[at + 1].union(&self.bounds[self.nodes[at].right as usize]);
            if both == self.bounds[at] {
                break;
            }
            self.bounds[at] = both;
        }
    }

    /// Calls `meet` for every other triangle whose bound comes within `distance` of `bound`.
    pub fn query(&self, triangle: u32, bound: &Dop, distance: f64, mut meet: impl FnMut(u32)) {
        let mut stack = vec![0u32];
        while let Some(at) = stack.pop() {
            let node = &self.nodes[at as usize];
            if !self.bounds[at as usize].within(bound, distance) {
                continue;
            }
            if node.right != NONE {
                stack.extend([node.right, at + 1]);
            } else if node.triangle != triangle {
                meet(node.triangle);
            }
        }
    }

    /// Sets leaves to the triangles' bounds and inner nodes to the union of their children.
    pub fn refit(&mut self, triangle_bounds: &[Dop]) {
        for i in (0..self.nodes.len()).rev() {
            let node = self.nodes[i];
            self.bounds[i] = if node.right == NONE {
                triangle_bounds[node.triangle as usize]
            } else {
                self.bounds[i + 1].union(&self.bounds[node.right as usize])
            };
        }
        self.clusters
            .iter_mut()
            .for_each(|c| c.refit(triangle_bounds));
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
        let mut place = vec![(0, 0); triangles.len()];
        for (number, cluster) in (0u32..).zip(&self.clusters) {
            for (i, &t) in cluster.triangles[..cluster.count].iter().enumerate() {
                place[t as usize] = (number, i);
            }
        }
        let mut kin = Kin::default();
        for corners in triangles {
            let mut masks: Vec<(u32, u16)> = Vec::new();
            for &t in corners.iter().flat_map(|&v| &around[v as usize]) {
                let (cluster, i) = place[t as usize];
                match masks.iter_mut().find(|m| m.0 == cluster) {
                    Some(mask) => mask.1 |= 1 << i,
                    None => masks.push((cluster, 1 << i)),
                }
            }
            kin.first.push(kin.masks.len() as u32);
            kin.masks.extend(masks);
        }
        kin.first.push(kin.masks.len() as u32);
        kin
    }

    /// Calls `meet(s, t)` for every pair of different triangles below `task` whose bounds come
    /// within `distance`; returns how many nodes and rows of clusters were compared. After
    /// [`Hierarchy::refit`], not after [`Hierarchy::refit_above`].
    pub fn traverse(&self, task: Task, distance: f64, meet: impl FnMut(u32, u32)) -> u64 {
        self.traverse_strangers(task, distance, None, meet)
    }

    /// The same without triangles that are kin.
    pub fn traverse_strangers(
        &self,
        task: Task,
        distance: f64,
        kin: Option<&Kin>,
        meet: impl FnMut(u32, u32),
    ) -> u64 {
        Arch::new().dispatch(Traversal {
            tree: self,
            task,
            distance,
            kin,
            meet,
        })
    }
}

/// For each triangle the clusters in which triangles share a vertex with it, and one bit for each of those.
#[derive(Debug, Clone, Default)]
pub(super) struct Kin {
    /// Where a triangle's masks begin; the next one's begin where they end.
    first: Vec<u32>,
    masks: Vec<(u32, u16)>,
}

impl Kin {
    #[inline(always)]
    fn mask(&self, triangle: u32, cluster: u32) -> u16 {
        let [from, to] = [0, 1].map(|i| self.first[triangle as usize + i] as usize);
        let found = self.masks[from..to].iter().find(|m| m.0 == cluster);
        found.map_or(0, |m| m.1)
    }
}

/// A traversal on its way.
struct Traversal<'a, F> {
    tree: &'a Hierarchy,
    task: Task,
    distance: f64,
    kin: Option<&'a Kin>,
    meet: F,
}

impl<F: FnMut(u32, u32)> WithSimd for Traversal<'_, F> {
    type Output = u64;

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) -> u64 {
        let (tree, distance) = (self.tree, upwards(self.distance));
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
            if !tree.bounds[a as usize].near(simd, &tree.bounds[b as usize], distance) {
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
        let (tree, distance, mut rows) = (self.tree, upwards(self.distance), 0);
        let cluster = |node: u32| &tree.clusters[tree.nodes[node as usize].cluster as usize];
        let (a, b) = (cluster(one), cluster(other));
        let mut open = if one == other {
            u16::MAX >> (CLUSTER - a.count)
        } else {
            a.near_bound(simd, &tree.bounds[other as usize], distance)
        };
        while open != 0 {
            let i = open.trailing_zeros() as usize;
            let s = a.triangles[i];
            open &= open - 1;
            rows += 1;
            let mut near = a.near(simd, i, b, distance);
            if one == other {
                near &= !1 << i;
            }
            if let Some(kin) = self.kin.filter(|_| near != 0) {
                near &= !kin.mask(s, tree.nodes[other as usize].cluster);
            }
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
    use rand::{RngExt, SeedableRng};

    #[test]
    fn traversal_finds_exactly_the_overlapping_pairs() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(3);
        let points: Vec<DVec3> = (0..200)
            .map(|_| DVec3::new(rng.random(), rng.random(), rng.random()))
            .collect();
        let dynamic: Vec<bool> = (0..200).map(|i| i % 3 > 0).collect();
        let bounds: Vec<Dop> = points
            .iter()
            .map(|&p| Dop::tube(p, p + DVec3::splat(0.1), 0.03))
            .collect();
        let mut tree = Hierarchy::new(&points, &dynamic);
        tree.refit(&bounds);
        let mut found = Vec::new();
        for task in tree.tasks(16) {
            tree.traverse(task, 0.01, |s, t| found.push((s.min(t), s.max(t))));
        }
        found.sort_unstable();
        let mut expected = Vec::new();
        for s in 0..200u32 {
            for t in s + 1..200 {
                let moves = dynamic[s as usize] || dynamic[t as usize];
                if moves && bounds[s as usize].within(&bounds[t as usize], 0.01) {
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
        let bounds: Vec<Dop> = all()
            .map(|[a, b, c]| Dop::tube(a, b, 0.0).union(&Dop::tube(c, c, 0.0)))
            .collect();
        let mut tree = Hierarchy::new(&points, &vec![true; points.len()]);
        tree.refit(&bounds);
        let kin = tree.kin(&mesh.triangles);
        let share = |s: u32, t: u32| {
            let [s, t] = [s, t].map(|t| mesh.triangles[t as usize]);
            s.iter().any(|v| t.contains(v))
        };
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        for task in tree.tasks(16) {
            tree.traverse(task, 0.15, |s, t| {
                if !share(s, t) {
                    expected.push((s, t));
                }
            });
            tree.traverse_strangers(task, 0.15, Some(&kin), |s, t| found.push((s, t)));
        }
        assert!(expected.len() > 50);
        assert_eq!(found, expected);
    }
}
