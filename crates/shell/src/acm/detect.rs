//! Retrospective detection over one window in three phases (Ainsley, section 3): swept 26-DOPs,
//! space-time slabs, fail-safe. Finds every pair that entered a layer it does not have yet.

use super::checkpoint::PARTS;
use super::contact::{Kind, Pair};
use super::dop::Dop;
use super::hierarchy::{Hierarchy, Task};
use super::history::Histories;
use super::integrate::Trace;
use super::profile::{Phase, Profile};
use super::slab::Slabs;
use super::tube::{Tube, anticipated_distance, chords_clear, extent};
use super::watch::{ANTICIPATION, Watched};
use super::{ContactSet, ShellModel, ShellState, Threads, Tick};
use glamx::DVec3;
use rayon::prelude::*;

/// Pieces of traversal work; fixed, so that the order of candidates does not depend on threads.
const TRAVERSAL_PIECES: usize = 64;

/// What a window missed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Missed {
    /// Pairs that need one more layer, sorted.
    pub pairs: Vec<Pair>,
    /// Before this tick nothing was missed.
    pub since: Tick,
}

/// A pair that the broad phase could not cull, and the distance it must keep.
#[derive(Debug, Clone, Copy)]
struct Candidate {
    pair: Pair,
    stencil: [u32; 4],
    thickness: f64,
}

/// Buffers of the detection, kept between windows.
#[derive(Debug, Default)]
pub(super) struct Detector {
    hierarchy: Hierarchy,
    tubes: Vec<Tube>,
    vertex_bounds: Vec<Dop>,
    edge_bounds: Vec<Dop>,
    triangle_bounds: Vec<Dop>,
    candidates: Vec<Candidate>,
    tasks: Vec<Task>,
    use_slabs: bool,
}

impl Detector {
    /// Builds the hierarchy's shape from the initial state. Without slabs the narrow phase is the
    /// continuous detection on every straight piece (the paper's Table 1, third column).
    pub fn new(model: &ShellModel, state: &ShellState, use_slabs: bool) -> Detector {
        let triangles = &model.topology.triangles;
        let centroid = |t: &[u32; 3]| t.iter().map(|&v| state.x[v as usize]).sum::<DVec3>() / 3.0;
        let centroids: Vec<DVec3> = triangles.iter().map(centroid).collect();
        let moves: Vec<bool> = triangles
            .iter()
            .map(|t| t.iter().any(|&v| (v as usize) < model.dynamic))
            .collect();
        let hierarchy = Hierarchy::new(&centroids, &moves);
        let tasks = hierarchy.tasks(TRAVERSAL_PIECES);
        Detector {
            hierarchy,
            tasks,
            use_slabs,
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
        self.broad_phase(model, contacts, threads, profile);
        profile.stop(Phase::Broad, timer);
        let timer = profile.start();
        let mut missed = self.narrow_phase(history, threads, profile);
        self.check_activations(model, trace, &mut missed, profile);
        profile.stop(Phase::Narrow, timer);
        missed
    }

    /// Pairs that came near in the last window.
    pub fn watched(&self, out: &mut Vec<Watched>) {
        out.clear();
        out.extend(self.candidates.iter().map(|c| Watched {
            pair: c.pair,
            stencil: c.stencil,
        }));
    }

    /// Pairs that, going on as in the last window, will enter their next layer: activating it now
    /// saves rolling back for it, and leaves no trace in the history.
    pub fn imminent(&self) -> Vec<Pair> {
        let enters = |c: &&Candidate| {
            let tubes = c.stencil.map(|v| self.tubes[v as usize]);
            let (start, end) = (tubes.map(|t| t.start), tubes.map(|t| t.end));
            anticipated_distance(c.pair.kind(), &start, &end) < ANTICIPATION * c.thickness
        };
        let mut pairs: Vec<Pair> = self
            .candidates
            .iter()
            .filter(enters)
            .map(|c| c.pair)
            .collect();
        pairs.sort_unstable();
        pairs
    }

    /// A layer that was activated inside the window must not have been needed before.
    fn check_activations(
        &self,
        model: &ShellModel,
        trace: &Trace,
        missed: &mut Missed,
        profile: &mut Profile,
    ) {
        let known = missed.pairs.len();
        for a in &trace.activations {
            let c = Candidate {
                pair: a.pair,
                stencil: a.pair.stencil(&model.topology),
                thickness: model.layers.next_thickness(a.layers),
            };
            let tracks = c
                .stencil
                .map(|v| trace.history.tracks[v as usize].as_slice());
            let t0 = tracks[0][0].t;
            let mut slabs = Slabs::new(
                c.pair.kind(),
                tracks,
                c.thickness,
                extent(&c.stencil.map(|v| self.tubes[v as usize])),
                1,
            );
            let entry = slabs.first_entry(t0, a.since);
            profile.counts.slab_steps += u64::from(slabs.steps);
            profile.counts.failsafe_calls += u64::from(slabs.failsafe);
            if let Some(t) = entry {
                missed.since = missed.since.min(t);
                if missed.pairs[..known].binary_search(&a.pair).is_err() {
                    missed.pairs.push(a.pair);
                }
            }
        }
        missed.pairs.sort_unstable();
        missed.pairs.dedup();
    }

    fn sweep(&mut self, model: &ShellModel, history: &Histories, threads: &Threads) {
        let (topology, parallel) = (&model.topology, threads.count() > 1);
        let Detector {
            tubes,
            vertex_bounds,
            edge_bounds,
            triangle_bounds,
            ..
        } = self;
        fill(tubes, history.tracks.len(), parallel, |i| {
            Tube::around(&history.tracks[i])
        });
        fill(vertex_bounds, tubes.len(), parallel, |i| tubes[i].bound());
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

    fn broad_phase(
        &mut self,
        model: &ShellModel,
        contacts: &ContactSet,
        threads: &Threads,
        profile: &mut Profile,
    ) {
        let mut candidates = std::mem::take(&mut self.candidates);
        candidates.clear();
        let search = |task: &Task, out: &mut Vec<Candidate>| {
            let mut primitive_tests = 0;
            let nodes = self
                .hierarchy
                .traverse(*task, model.layers.next_thickness(0), |s, t| {
                    primitive_tests += self.cross_primitives(model, contacts, s, t, out);
                });
            (nodes, primitive_tests)
        };
        let tests: Vec<(u64, u64)> = if threads.count() == 1 {
            self.tasks
                .iter()
                .map(|t| search(t, &mut candidates))
                .collect()
        } else {
            let found: Vec<(Vec<Candidate>, (u64, u64))> = threads.run(|| {
                let one = |t: &Task| {
                    let mut out = Vec::new();
                    let tests = search(t, &mut out);
                    (out, tests)
                };
                self.tasks.par_iter().map(one).collect()
            });
            found
                .into_iter()
                .map(|(part, tests)| (candidates.extend(part), tests).1)
                .collect()
        };
        for (nodes, primitives) in tests {
            profile.counts.node_tests += nodes;
            profile.counts.primitive_tests += primitives;
        }
        self.candidates = candidates;
    }

    /// Every pair of primitives owned by two triangles that could come too near; returns how many
    /// were compared.
    fn cross_primitives(
        &self,
        model: &ShellModel,
        contacts: &ContactSet,
        s: u32,
        t: u32,
        out: &mut Vec<Candidate>,
    ) -> u64 {
        let mut tests = 0;
        model.topology.for_each_pair(s, t, |pair| {
            tests += 1;
            let (a, b) = (pair.parts().0 as usize, pair.parts().1 as usize);
            let bounds = match pair.kind() {
                Kind::VertexFace => (&self.vertex_bounds[a], &self.triangle_bounds[b]),
                Kind::EdgeEdge => (&self.edge_bounds[a], &self.edge_bounds[b]),
            };
            self.consider(model, contacts, pair, bounds, out);
        });
        tests
    }

    #[inline]
    fn consider(
        &self,
        model: &ShellModel,
        contacts: &ContactSet,
        pair: Pair,
        bounds: (&Dop, &Dop),
        out: &mut Vec<Candidate>,
    ) {
        if !bounds.0.within(bounds.1, model.layers.next_thickness(0)) {
            return;
        }
        let stencil = pair.stencil(&model.topology);
        let thickness = model.layers.next_thickness(contacts.layers_of(pair));
        let moves = stencil.iter().any(|&v| (v as usize) < model.dynamic);
        if moves && bounds.0.within(bounds.1, thickness) {
            out.push(Candidate {
                pair,
                stencil,
                thickness,
            });
        }
    }

    fn narrow_phase(
        &self,
        history: &Histories,
        threads: &Threads,
        profile: &mut Profile,
    ) -> Missed {
        let decide = |c: &Candidate| self.decide(c, history);
        let decisions: Vec<Decision> = if threads.count() == 1 {
            self.candidates.iter().map(decide).collect()
        } else {
            threads.run(|| {
                self.candidates
                    .par_iter()
                    .with_min_len(32)
                    .map(decide)
                    .collect()
            })
        };
        let mut missed = Missed {
            pairs: Vec::new(),
            since: Tick::MAX,
        };
        profile.counts.slab_pairs += decisions.len() as u64;
        for (candidate, decision) in self.candidates.iter().zip(decisions) {
            profile.counts.slab_steps += u64::from(decision.steps);
            profile.counts.failsafe_calls += u64::from(decision.failsafe);
            if let Some(t) = decision.entry {
                missed.pairs.push(candidate.pair);
                missed.since = missed.since.min(t);
            }
        }
        missed.pairs.sort_unstable();
        missed
    }

    fn decide(&self, c: &Candidate, history: &Histories) -> Decision {
        let kind = c.pair.kind();
        let tubes = c.stencil.map(|v| self.tubes[v as usize]);
        if self.use_slabs && chords_clear(kind, &tubes, c.thickness) {
            return Decision {
                entry: None,
                steps: 0,
                failsafe: 0,
            };
        }
        let tracks = c.stencil.map(|v| history.tracks[v as usize].as_slice());
        let (t0, t1) = (tracks[0][0].t, tracks[0].last().map_or(0, |s| s.t));
        let mut slabs = Slabs::new(kind, tracks, c.thickness, extent(&tubes), (t1 - t0) / PARTS);
        let entry = if self.use_slabs {
            slabs.first_entry(t0, t1)
        } else {
            slabs.first_entry_piecewise(t0, t1)
        };
        Decision {
            entry,
            steps: slabs.steps,
            failsafe: slabs.failsafe,
        }
    }
}

/// What the narrow phase found out about a candidate.
#[derive(Debug, Clone, Copy)]
struct Decision {
    entry: Option<Tick>,
    steps: u32,
    failsafe: u32,
}

/// Fills `out` with `make(0..len)`, over threads if asked.
fn fill<T: Send>(
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
