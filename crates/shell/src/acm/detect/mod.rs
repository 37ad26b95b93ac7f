//! Retrospective detection over one window in three phases (Ainsley, section 3): swept 26-DOPs,
//! space-time slabs, fail-safe. Finds every pair that entered a layer it does not have yet.

pub(crate) mod ccd;
pub(crate) mod chords;
pub(crate) mod cluster;
pub(crate) mod coarse;
pub(crate) mod distance;
pub(crate) mod dop;
pub(crate) mod hierarchy;
pub(crate) mod history;
pub(crate) mod intersect;
pub(crate) mod narrow;
pub(crate) mod parts;
pub(crate) mod reach;
pub(crate) mod slab;
pub(crate) mod spans;
pub(crate) mod sweep;
pub(crate) mod tube;

use crate::acm::detect::chords::Rooms;
use crate::acm::detect::coarse::{Coarse, Grid};
use crate::acm::detect::hierarchy::{Hierarchy, Kin, Task};
use crate::acm::detect::history::Histories;
use crate::acm::detect::narrow::Narrow;
use crate::acm::detect::parts::COUNT;
use crate::acm::detect::sweep::Swept;
use crate::acm::detect::tube::Tube;
use crate::acm::forces::integrate::Trace;
use crate::acm::lanes::real::Precision;
use crate::acm::model::contact::{Kind, Pair};
use crate::acm::model::topology::Topology;
use crate::acm::profile::{Phase, Profile};
use crate::acm::speculate::watch::{ANTICIPATION, FINE, Outlook, UNKNOWN, Watched};
use crate::acm::{ContactSet, ShellModel, ShellState, Threads, Tick};
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Pieces of traversal work: enough to share out among threads; on one thread just so many that the pairs
/// of a piece stay near. In which order pairs are found leaves no trace.
const PIECES: usize = 64;
const PIECES_ALONE: usize = 8;

/// Pairs are near if they are within this many thicknesses of the first layer. Impacts change
/// velocities, so what goes on as before is not all that may come: with 1 the trash compactor rolls
/// back every second window, with 1.5 one in five, with 2 one in twenty, but there is more to look at.
const REACH: f64 = 1.5;

/// Of these only those are followed whose chords bring them within this many thicknesses. With 1.5 the
/// trash compactor rolls back 57 windows instead of 36.
const FOLLOWED: f64 = 2.5;

/// What a window missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Missed {
    /// Pairs that need one more layer, sorted.
    pub pairs: Vec<Pair>,
    /// Before this tick nothing was missed.
    pub since: Tick,
    /// Those of them that were missed first. What the others do happens in a future that will not be.
    pub first: Vec<Pair>,
}

/// Buffers of the detection, kept between windows.
#[derive(Debug, Default)]
pub(crate) struct Detector {
    hierarchy: Hierarchy,
    swept: Swept,
    grid: Grid,
    vertex_bounds: Vec<Coarse>,
    edge_bounds: Vec<Coarse>,
    triangle_bounds: Vec<Coarse>,
    /// Pairs that are near or will be if all goes on as in this window.
    near: Watched,
    tasks: Vec<Task>,
    /// Triangles that share a vertex always overlap: their pairs are listed once.
    kin: Kin,
    kin_pairs: [Vec<Pair>; 2],
    narrow: Narrow,
    rooms: Rooms,
    outlook: Outlook,
    /// Windows ahead for which near pairs are sought.
    onward: f64,
}

impl Detector {
    /// Builds the hierarchy's shape from the initial state. Without slabs the narrow phase is the
    /// continuous detection on every straight piece (the paper's Table 1, third column).
    /// With threads a window begins before the one in front of it is checked, so near pairs are sought
    /// two windows ahead.
    pub fn new(
        model: &ShellModel,
        state: &ShellState,
        use_slabs: bool,
        threads: &Threads,
    ) -> Detector {
        let (pieces, onward) = if threads.count() > 1 {
            (PIECES, 2.0)
        } else {
            (PIECES_ALONE, 1.0)
        };
        let triangles = &model.topology.triangles;
        let hierarchy = Hierarchy::over(model, &state.x);
        let tasks = hierarchy.tasks(pieces);
        let kin = hierarchy.kin(triangles);
        Detector {
            hierarchy,
            kin,
            kin_pairs: kin_pairs(&model.topology, model.vertex_count(), |v| {
                (v as usize) < model.dynamic
            }),
            tasks,
            narrow: Narrow::new(use_slabs),
            onward,
            ..Detector::default()
        }
    }

    /// The pairs that entered a layer deeper than they have, and a time before the first entry.
    pub fn missed(
        &mut self,
        model: &ShellModel,
        contacts: &ContactSet,
        trace: &Trace,
        threads: &Threads,
        profile: &mut Profile,
    ) -> Missed {
        let history = &trace.history;
        let timer = profile.start();
        threads.run(|| self.sweep(model, history, threads));
        self.broad_phase(model, threads, profile);
        self.look_back(history);
        profile.stop(Phase::Broad, timer);
        let timer = profile.start();
        let near = (&self.near, &self.rooms.kept.now[..], &self.swept);
        let missed = self
            .narrow
            .missed(model, near, (contacts, trace), threads, profile);
        profile.stop(Phase::Narrow, timer);
        missed
    }

    /// How near pairs will be at the first look of the next window, from how they moved at the end of this one.
    fn look_back(&mut self, history: &Histories) {
        self.near.at = history.borders().at(COUNT);
        self.near
            .look_back(&mut self.outlook, history.marked(COUNT - 1));
    }

    /// Hands over the pairs that came near in the last window, in exchange for their last list.
    pub fn watched(&mut self, out: &mut Watched) {
        std::mem::swap(&mut self.near, out);
    }

    /// Pairs that, going on as in the last window, will enter their next layer: activating it now
    /// saves rolling back for it, and leaves no trace in the history. Never the last layer, which only a
    /// proven need may use up. They are noted to have it.
    pub fn imminent(model: &ShellModel, watched: &mut Watched, contacts: &ContactSet) -> Vec<Pair> {
        let widest = ANTICIPATION * model.layers.next_thickness(0);
        let mut pairs = Vec::new();
        watched.layers.clear();
        for (&pair, &to_come) in watched.pairs.iter().zip(&watched.to_come) {
            let mut layers = UNKNOWN;
            if to_come < widest {
                layers = contacts.layers_of(pair);
                let enters = to_come < ANTICIPATION * model.layers.next_thickness(layers);
                if enters && layers + 1 < model.layers.count() {
                    pairs.push(pair);
                    layers += 1;
                }
            }
            watched.layers.push(layers);
        }
        pairs.sort_unstable();
        pairs
    }

    fn sweep(&mut self, model: &ShellModel, history: &Histories, threads: &Threads) {
        let (topology, parallel) = (&model.topology, threads.count() > 1);
        let onward = self.onward;
        let Detector {
            swept,
            grid,
            vertex_bounds,
            edge_bounds,
            triangle_bounds,
            ..
        } = self;
        swept.sweep(history, parallel);
        let tubes = &swept.tubes;
        *grid = grid_over(&tubes[..model.dynamic], onward);
        bound_all(tubes, grid, onward, parallel, vertex_bounds);
        let vertex = |v: u32| &vertex_bounds[v as usize];
        fill(edge_bounds, topology.edges.len(), parallel, |e| {
            let [a, b] = topology.edges[e];
            vertex(a).union(vertex(b))
        });
        fill(triangle_bounds, topology.triangles.len(), parallel, |t| {
            let edge = topology.triangle_edges[t][0];
            let corner = topology.opposite(t as u32, edge);
            edge_bounds[edge as usize].union(vertex(corner))
        });
        self.hierarchy.refit(&self.triangle_bounds);
    }

    fn broad_phase(&mut self, model: &ShellModel, threads: &Threads, profile: &mut Profile) {
        let mut near = std::mem::take(&mut self.near);
        near.clear();
        let search = |task: &Task, pairs: &mut [Vec<Pair>; 2], out: &mut [Watched; 2]| {
            pairs.iter_mut().for_each(Vec::clear);
            let (reach, kin) = (self.reach(model), Some(&self.kin));
            let nodes = self
                .hierarchy
                .traverse_strangers(*task, reach, kin, |s, t| {
                    model.topology.pairs_of_strangers(s, t, pairs.each_mut());
                });
            let [faces, edges] = pairs;
            self.sift(model, faces, out);
            self.sift(model, edges, out);
            (nodes, (faces.len() + edges.len()) as u64)
        };
        let mut count = |(nodes, primitives): (u64, u64)| {
            profile.counts.node_tests += nodes;
            profile.counts.primitive_tests += primitives;
        };
        let mut edges = Watched::default();
        if threads.count() == 1 {
            let (mut both, mut pairs) = ([near, edges], [const { Vec::new() }; 2]);
            for kin in &self.kin_pairs {
                self.sift(model, kin, &mut both);
            }
            for task in &self.tasks {
                count(search(task, &mut pairs, &mut both));
            }
            [near, edges] = both;
        } else {
            let found: Vec<([Watched; 2], (u64, u64))> = threads.run(|| {
                let one = |t: &Task| {
                    let mut out = [Watched::default(), Watched::default()];
                    let tests = search(t, &mut [const { Vec::new() }; 2], &mut out);
                    (out, tests)
                };
                let some_kin = |pairs: &[Pair]| {
                    let mut out = [Watched::default(), Watched::default()];
                    self.sift(model, pairs, &mut out);
                    (out, (0, 0))
                };
                let [faces, edges] = self.kin_pairs.each_ref().map(|kin| kin.par_chunks(1024));
                let kin = faces.chain(edges).map(some_kin);
                kin.chain(self.tasks.par_iter().map(one)).collect()
            });
            for ([mut f, mut e], tests) in found {
                near.append(&mut f);
                edges.append(&mut e);
                count(tests);
            }
        }
        count((0, self.kin_pairs.iter().map(|kin| kin.len() as u64).sum()));
        near.append(&mut edges);
        let fine = FINE * model.layers.next_thickness(0);
        near.lay_out(Rooms::precision(&self.swept.tubes, self.onward, fine));
        self.near = near;
        self.follow_chords(model);
    }

    /// How far apart near pairs are at most, in steps.
    fn reach(&self, model: &ShellModel) -> i16 {
        self.grid.steps(REACH * model.layers.next_thickness(0))
    }

    /// Adds those of `pairs`, all of one kind, to `out` whose swept bounds come near.
    fn sift(&self, model: &ShellModel, pairs: &[Pair], out: &mut [Watched; 2]) {
        let Some(kind) = pairs.first().map(|pair| pair.kind()) else {
            return;
        };
        let bounds = match kind {
            Kind::VertexFace => [&self.vertex_bounds[..], &self.triangle_bounds[..]],
            Kind::EdgeEdge => [&self.edge_bounds[..]; 2],
        };
        Arch::new().dispatch(Sieve {
            model,
            bounds,
            reach: self.reach(model),
            pairs,
            out: &mut out[kind as usize],
        });
    }

    /// Drops the pairs that their chords keep out of reach in this window and onward.
    fn follow_chords(&mut self, model: &ShellModel) {
        let Detector { near, rooms, .. } = self;
        rooms.measure(near, &self.swept.tubes, self.onward);
        let rooms = &mut rooms.kept;
        let reach = FOLLOWED * model.layers.next_thickness(0);
        let mut kept = 0;
        for i in 0..near.pairs.len() {
            // also if the room is not a number
            let far = rooms.onward[i] > reach;
            if !far {
                near.pairs[kept] = near.pairs[i];
                near.contacts[kept] = near.contacts[i];
                for all in [&mut rooms.now, &mut rooms.end] {
                    all[kept] = all[i];
                }
                kept += 1;
            }
        }
        rooms.now.truncate(kept);
        near.pairs.truncate(kept);
        near.contacts.truncate(kept);
        near.distances.clone_from(&rooms.end);
        near.distances.truncate(kept);
        let places = self.swept.tubes.iter().map(|tube| tube.end);
        near.lay_out(Precision::for_vertices(
            places,
            FINE * model.layers.next_thickness(0),
        ));
    }
}

/// The pairs of primitives of all triangles that share a vertex and of which forces can move one, by kind.
pub(crate) fn kin_pairs(
    topology: &Topology,
    vertices: usize,
    moves: impl Fn(u32) -> bool,
) -> [Vec<Pair>; 2] {
    let mut around = vec![Vec::new(); vertices];
    for (t, corners) in (0u32..).zip(&topology.triangles) {
        corners.iter().for_each(|&v| around[v as usize].push(t));
    }
    let mut pairs = Vec::new();
    for (s, corners) in (0u32..).zip(&topology.triangles) {
        let mut kin: Vec<u32> = corners
            .iter()
            .flat_map(|&v| &around[v as usize])
            .copied()
            .filter(|&t| t > s)
            .collect();
        kin.sort_unstable();
        kin.dedup();
        for t in kin {
            topology.for_each_pair(s, t, |pair| pairs.push(pair));
        }
    }
    pairs.retain(|pair: &Pair| pair.stencil(topology).into_iter().any(&moves));
    pairs.sort_unstable();
    let edges = pairs.split_off(pairs.partition_point(|pair| pair.kind() == Kind::VertexFace));
    [pairs, edges]
}

/// Sorts out the pairs of primitives of one kind that could come too near.
struct Sieve<'a> {
    model: &'a ShellModel,
    /// Of the first and of the second primitives.
    bounds: [&'a [Coarse]; 2],
    /// In steps.
    reach: i16,
    pairs: &'a [Pair],
    out: &'a mut Watched,
}

impl WithSimd for Sieve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let ([first, second], model) = (self.bounds, self.model);
        for &pair in self.pairs {
            let (a, b) = pair.parts();
            if first[a as usize].near(&second[b as usize], self.reach) {
                let stencil = pair.stencil(&model.topology);
                if stencil.iter().any(|&v| (v as usize) < model.dynamic) {
                    self.out.push(pair, stencil);
                }
            }
        }
    }
}

/// A grid for what moves; of what does not, only that which is in its way has to be told apart.
fn grid_over(tubes: &[Tube], onward: f64) -> Grid {
    let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    let (low, high) = tubes.iter().fold(none, |(low, high), tube| {
        let (a, b) = (tube.start, tube.later(onward));
        (low.min(a).min(b), high.max(a).max(b))
    });
    Grid::between(low, high)
}

/// Bounds of all vertices in this window and onward, over threads if asked.
fn bound_all(tubes: &[Tube], grid: &Grid, onward: f64, parallel: bool, out: &mut Vec<Coarse>) {
    out.resize(tubes.len(), Coarse::EMPTY);
    let some = |(tubes, out): (&[Tube], &mut [Coarse])| {
        Arch::new().dispatch(Bounds {
            tubes,
            grid,
            onward,
            out,
        });
    };
    if parallel {
        tubes
            .par_chunks(256)
            .zip(out.par_chunks_mut(256))
            .for_each(some);
    } else {
        some((tubes, out));
    }
}

struct Bounds<'a> {
    tubes: &'a [Tube],
    grid: &'a Grid,
    onward: f64,
    out: &'a mut [Coarse],
}

impl WithSimd for Bounds<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        for (out, tube) in self.out.iter_mut().zip(self.tubes) {
            *out = tube.bound(self.grid, self.onward);
        }
    }
}

/// Fills `out` with `make(0..len)`, over threads if asked.
pub(crate) fn fill<T: Send>(
    out: &mut Vec<T>,
    len: usize,
    parallel: bool,
    make: impl Fn(usize) -> T + Sync + Send,
) {
    if parallel {
        (0..len)
            .into_par_iter()
            .with_min_len(256)
            .map(make)
            .collect_into_vec(out);
    } else {
        out.clear();
        out.extend((0..len).map(make));
    }
}
