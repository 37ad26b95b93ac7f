//! The bucket of internal forces: stretching and bending fused (Ainsley, sections 4.1 and 4.3).
//! Blocks of triangles, then of hinges, then of triangles again; forces are stored by corner and
//! gathered by vertex in the order of triangles. The sequential path adds them in the same order as
//! it goes, so both paths give the same bytes.

use super::facets::{FacetBlock, Facets, HingeBlock, LANES, Row};
use super::fused::{Corners, FacetForces, HingeInputs, Rows, bend, join, stretch};
use super::{ShellModel, ShellState, Threads, Tick, seconds};
use glamx::DVec3;
use pulp::{Arch, NullaryFnOnce};
use rayon::prelude::*;

/// Vertices in one unit of parallel work.
const VERTICES: usize = 512;
/// Blocks in one unit of parallel work.
const BLOCKS: usize = 4;

/// Buffers of the fused kernel.
#[derive(Debug, Clone)]
pub(super) struct InternalForces {
    arch: Arch,
    facets: Vec<FacetForces>,
    /// By hinge, and a last one that is always zero.
    moments: Vec<f64>,
    /// By vertex (sequential) or by corner (parallel), in N.
    forces: Vec<DVec3>,
}

impl Default for InternalForces {
    fn default() -> InternalForces {
        InternalForces {
            arch: Arch::new(),
            facets: Vec::new(),
            moments: Vec::new(),
            forces: Vec::new(),
        }
    }
}

impl InternalForces {
    /// Drifts all vertices to `t` and kicks the dynamic ones by one step of the internal forces.
    pub fn kick(&mut self, model: &ShellModel, state: &mut ShellState, t: Tick, threads: &Threads) {
        let h = seconds(model.internal_step);
        if threads.count() == 1 {
            drift_all(state, t);
            self.sum(model, state);
            let kicks = state.v.iter_mut().zip(&model.inverse_mass);
            let kicks = kicks.zip(&self.forces).take(model.dynamic);
            kicks.for_each(|((v, w), force)| *v += *force * (h * w));
        } else {
            threads.run(|| {
                let ShellState { x, v, clock, .. } = state;
                (&mut x[..], &v[..], &mut clock[..])
                    .into_par_iter()
                    .with_min_len(VERTICES)
                    .for_each(|(x, v, clock)| drift_one(x, *v, clock, t));
                self.kick_in_parallel(model, state, h);
            });
        }
    }

    fn reserve(&mut self, facets: &Facets) {
        self.facets.resize(facets.blocks.len(), FacetForces::ZERO);
        self.moments.resize(facets.hinges.len() * LANES + 1, 0.0);
    }

    /// Forces on all vertices at the state's positions.
    fn sum(&mut self, model: &ShellModel, state: &ShellState) {
        self.reserve(&model.facets);
        self.forces.clear();
        self.forces.resize(model.vertex_count(), DVec3::ZERO);
        self.arch.dispatch(Sum {
            model: &model.facets,
            state,
            facets: &mut self.facets,
            moments: &mut self.moments,
            forces: &mut self.forces,
        });
    }

    fn kick_in_parallel(&mut self, model: &ShellModel, state: &mut ShellState, h: f64) {
        let (facets, arch) = (&model.facets, self.arch);
        self.reserve(facets);
        self.forces
            .resize(3 * LANES * facets.blocks.len(), DVec3::ZERO);
        let frozen = &*state;
        (&facets.blocks, &mut self.facets)
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each_init(
                || Corners::ZERO,
                |corners, (block, out)| arch.dispatch(Stretch(block, frozen, corners, out)),
            );
        let (known, count) = (&self.facets, facets.hinges.len() * LANES);
        (&facets.hinges, self.moments[..count].par_chunks_mut(LANES))
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each_init(
                || HingeInputs::ZERO,
                |given, (block, out)| arch.dispatch(Bend(block, frozen, known, given, out)),
            );
        let moments = &self.moments;
        (&facets.blocks, known, self.forces.par_chunks_mut(3 * LANES))
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each(|(block, f, out)| arch.dispatch(Join(block, f, moments, out)));
        let (dynamic, forces) = (model.dynamic, &self.forces);
        (&mut state.v[..dynamic], &model.inverse_mass[..dynamic])
            .into_par_iter()
            .enumerate()
            .with_min_len(VERTICES)
            .for_each(|(i, (v, w))| {
                let rows = facets.gather_start[i] as usize..facets.gather_start[i + 1] as usize;
                let mut force = DVec3::ZERO;
                facets.gather[rows]
                    .iter()
                    .for_each(|&corner| force += forces[corner as usize]);
                *v += force * (h * w);
            });
    }
}

/// All blocks one after the other; forces are added to their vertices at once.
struct Sum<'a> {
    model: &'a Facets,
    state: &'a ShellState,
    facets: &'a mut [FacetForces],
    moments: &'a mut [f64],
    forces: &'a mut [DVec3],
}

impl NullaryFnOnce for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Facets { blocks, hinges, .. } = self.model;
        let mut corners = Corners::ZERO;
        for (block, out) in blocks.iter().zip(self.facets.iter_mut()) {
            Stretch(block, self.state, &mut corners, out).call();
        }
        let mut given = HingeInputs::ZERO;
        let slots = self.moments.chunks_exact_mut(LANES);
        for (block, out) in hinges.iter().zip(slots) {
            Bend(block, self.state, self.facets, &mut given, out).call();
        }
        let mut pushed = [DVec3::ZERO; 3 * LANES];
        for (b, block) in blocks.iter().enumerate() {
            Join(block, &self.facets[b], self.moments, &mut pushed).call();
            for lane in 0..LANES.min(self.model.count - b * LANES) {
                for k in 0..3 {
                    self.forces[block.corners[k][lane] as usize] += pushed[3 * lane + k];
                }
            }
        }
    }
}

/// First pass over a block of triangles.
struct Stretch<'a>(
    &'a FacetBlock,
    &'a ShellState,
    &'a mut Corners,
    &'a mut FacetForces,
);

impl NullaryFnOnce for Stretch<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Stretch(block, state, corners, out) = self;
        for k in 0..3 {
            for lane in 0..LANES {
                let i = block.corners[k][lane] as usize;
                put(&mut corners.x[k], lane, state.x[i]);
                put(&mut corners.v[k], lane, state.v[i]);
            }
        }
        stretch(block, corners, out);
    }
}

/// A block of hinges.
struct Bend<'a>(
    &'a HingeBlock,
    &'a ShellState,
    &'a [FacetForces],
    &'a mut HingeInputs,
    &'a mut [f64],
);

impl NullaryFnOnce for Bend<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Bend(block, state, facets, given, out) = self;
        for lane in 0..LANES {
            let [a, b] = [0, 1].map(|k| state.x[block.ends[k][lane] as usize]);
            put(&mut given.edge, lane, b - a);
            for k in 0..2 {
                let (facet, side) = (block.facets[k][lane] as usize, block.sides[k][lane]);
                let (home, place) = (&facets[facet / LANES], facet % LANES);
                for axis in 0..3 {
                    given.normal[k][axis][lane] = home.normal[axis][place];
                }
                given.turn[k][lane] = home.turn[side as usize % 3][place];
            }
        }
        let mut moments: Row = [0.0; LANES];
        bend(block, given, &mut moments);
        out.copy_from_slice(&moments);
    }
}

/// Second pass over a block of triangles.
struct Join<'a>(&'a FacetBlock, &'a FacetForces, &'a [f64], &'a mut [DVec3]);

impl NullaryFnOnce for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Join(block, f, moments, out) = self;
        let mut sides: Rows = [[0.0; LANES]; 3];
        for k in 0..3 {
            for lane in 0..LANES {
                sides[k][lane] = moments[block.hinge[k][lane] as usize];
            }
        }
        let mut corners = [[[0.0; LANES]; 3]; 3];
        join(block, f, &sides, &mut corners);
        for (lane, out) in out.chunks_exact_mut(3).enumerate() {
            for (force, rows) in out.iter_mut().zip(&corners) {
                *force = DVec3::new(rows[0][lane], rows[1][lane], rows[2][lane]);
            }
        }
    }
}

#[inline(always)]
fn put(rows: &mut Rows, lane: usize, a: DVec3) {
    (rows[0][lane], rows[1][lane], rows[2][lane]) = (a.x, a.y, a.z);
}

/// Forces in N on every vertex at the state's positions; for energy at the half kick.
pub(super) fn forces(model: &ShellModel, state: &ShellState) -> Vec<DVec3> {
    let mut kernel = InternalForces::default();
    kernel.sum(model, state);
    kernel.forces
}

#[inline(always)]
fn drift_all(state: &mut ShellState, t: Tick) {
    for ((x, v), clock) in state.x.iter_mut().zip(&state.v).zip(&mut state.clock) {
        drift_one(x, *v, clock, t);
    }
}

#[inline(always)]
fn drift_one(x: &mut DVec3, v: DVec3, clock: &mut Tick, t: Tick) {
    *x += v * seconds(t - *clock);
    *clock = t;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::SceneName;
    use rand::{RngExt, SeedableRng};

    /// The fused kernel is the sum of the elements' own forces, on crumpled, moving meshes; on any
    /// number of threads it gives the same bytes.
    #[test]
    fn fused_forces_are_the_elements_forces() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(8);
        for name in [
            SceneName::TwoCloths,
            SceneName::BowlineKnot,
            SceneName::Twister,
        ] {
            let scene = name.build(5).expect("a scene");
            let (model, mut state) = (&scene.model, scene.state.clone());
            let mut jolt = |size: f64| {
                let mut draw = || size * (2.0 * rng.random::<f64>() - 1.0);
                DVec3::new(draw(), draw(), draw())
            };
            state.x.iter_mut().for_each(|x| *x += jolt(0.003));
            state.v.iter_mut().for_each(|v| *v += jolt(5.0));
            let mut expected = vec![DVec3::ZERO; model.vertex_count()];
            for m in &model.membranes {
                let i = m.vertices.map(|i| i as usize);
                let [f1, f2] = m.force(i.map(|i| state.x[i]), i.map(|i| state.v[i]));
                for (i, f) in i.into_iter().zip([-(f1 + f2), f1, f2]) {
                    expected[i] += f;
                }
            }
            for h in &model.hinges {
                let i = h.vertices.map(|i| i as usize);
                let f = h.force(i.map(|i| state.x[i]), i.map(|i| state.v[i]));
                i.into_iter().zip(f).for_each(|(i, f)| expected[i] += f);
            }
            let found = forces(model, &state);
            let largest = expected.iter().map(|f| f.length()).fold(0.0, f64::max);
            for (f, e) in found.iter().zip(&expected) {
                // a few dozen roundings of terms as large as the largest force
                assert!((*f - *e).length() < 1e-12 * largest, "{f} {e} {largest}");
            }
            let kicked = |threads: usize| {
                let mut state = state.clone();
                InternalForces::default().kick(model, &mut state, 1 << 20, &Threads::new(threads));
                state.history_bytes()
            };
            assert!(kicked(1) == kicked(3));
        }
    }
}
