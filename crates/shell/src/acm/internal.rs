//! The bucket of internal forces: stretching and bending fused (Ainsley, sections 4.1 and 4.3).
//! Blocks of triangles, then of hinges, then of triangles again; forces are stored by corner and
//! gathered by vertex in the order of triangles. The sequential path adds them in the same order as
//! it goes, so both paths give the same bytes.

use super::facets::{FacetBlock, Facets, HingeBlock, LANES, Row};
use super::fused::{Corners, FacetForces, HingeInputs, Rows, bend, join, stretch};
use super::quads::{Quad, Quads, Slots, quad, slots};
use super::{ShellModel, ShellState, Threads, Tick, seconds};
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Blocks of triangles below which threads are not worth waking.
const PARALLEL_MIN: usize = 64;
/// Vertices in one unit of parallel work.
const VERTICES: usize = 1024;
/// Blocks in one unit of parallel work.
const BLOCKS: usize = 16;

/// Buffers of the fused kernel.
#[derive(Debug, Clone)]
pub(super) struct InternalForces {
    arch: Arch,
    slots: Slots,
    /// Positions and velocities by vertex.
    x: Vec<Quad>,
    v: Vec<Quad>,
    facets: Vec<FacetForces>,
    /// By hinge, and a last one that is always zero.
    moments: Vec<f64>,
    /// Forces by corner, in N.
    pushed: Vec<Quad>,
}

impl Default for InternalForces {
    fn default() -> InternalForces {
        InternalForces {
            arch: Arch::new(),
            slots: slots(Arch::new()),
            x: Vec::new(),
            v: Vec::new(),
            facets: Vec::new(),
            moments: Vec::new(),
            pushed: Vec::new(),
        }
    }
}

impl InternalForces {
    /// Drifts all vertices to `t` and kicks the dynamic ones by one step of the internal forces.
    pub fn kick(&mut self, model: &ShellModel, state: &mut ShellState, t: Tick, threads: &Threads) {
        let h = seconds(model.internal_step);
        if threads.count() == 1 || model.facets.blocks.len() < PARALLEL_MIN {
            self.drift(state, t);
            self.sum(&model.facets);
            let kicks = state.v.iter_mut().zip(&model.inverse_mass);
            for (i, (v, w)) in kicks.take(model.dynamic).enumerate() {
                *v += vector(&self.force_on(&model.facets, i)) * (h * w);
            }
        } else {
            threads.run(|| {
                self.drift_in_parallel(state, t);
                self.kick_in_parallel(model, state, h);
            });
        }
    }

    fn reserve(&mut self, facets: &Facets) {
        self.facets.resize(facets.blocks.len(), FacetForces::ZERO);
        self.moments.resize(facets.hinges.len() * LANES + 1, 0.0);
        self.pushed
            .resize(3 * LANES * facets.blocks.len(), [0.0; 4]);
    }

    /// Drifts all vertices to `t` and reads them.
    fn drift(&mut self, state: &mut ShellState, t: Tick) {
        self.x.resize(state.x.len(), [0.0; 4]);
        self.v.resize(state.v.len(), [0.0; 4]);
        let (quads, clocks) = (self.x.iter_mut().zip(&mut self.v), &mut state.clock);
        let vertices = state.x.iter_mut().zip(&state.v).zip(clocks);
        for (((x, v), clock), (to_x, to_v)) in vertices.zip(quads) {
            drift_one(x, *v, clock, t);
            (*to_x, *to_v) = (quad(*x), quad(*v));
        }
    }

    fn drift_in_parallel(&mut self, state: &mut ShellState, t: Tick) {
        let ShellState { x, v, clock, .. } = state;
        self.x.resize(x.len(), [0.0; 4]);
        self.v.resize(x.len(), [0.0; 4]);
        let to = (&mut self.x[..], &mut self.v[..]);
        (&mut x[..], &v[..], &mut clock[..], to.0, to.1)
            .into_par_iter()
            .with_min_len(VERTICES)
            .for_each(|(x, v, clock, to_x, to_v)| {
                drift_one(x, *v, clock, t);
                (*to_x, *to_v) = (quad(*x), quad(*v));
            });
    }

    /// Forces on all corners at the positions and velocities read last.
    fn sum(&mut self, facets: &Facets) {
        self.reserve(facets);
        self.arch.dispatch(Sum {
            model: facets,
            given: Given {
                slots: &self.slots,
                x: &self.x,
                v: &self.v,
            },
            facets: &mut self.facets,
            moments: &mut self.moments,
            pushed: &mut self.pushed,
        });
    }

    /// The force on a dynamic vertex, in N: its corners in the order of triangles.
    #[inline(always)]
    fn force_on(&self, facets: &Facets, vertex: usize) -> Quad {
        let [from, to] = [0, 1].map(|k| facets.gather_start[vertex + k] as usize);
        let mut force = [0.0; 4];
        for &corner in &facets.gather[from..to] {
            add(&mut force, &self.pushed[corner as usize]);
        }
        force
    }

    fn kick_in_parallel(&mut self, model: &ShellModel, state: &mut ShellState, h: f64) {
        let (facets, arch) = (&model.facets, self.arch);
        self.reserve(facets);
        let slots = &self.slots;
        let given = Given {
            slots,
            x: &self.x,
            v: &self.v,
        };
        (&facets.blocks, &mut self.facets)
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each_init(Room::default, |room, (block, out)| {
                arch.dispatch(Stretch(block, given, room, out))
            });
        let (known, count) = (&self.facets, facets.hinges.len() * LANES);
        (&facets.hinges, self.moments[..count].par_chunks_mut(LANES))
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each_init(Room::default, |room, (block, out)| {
                arch.dispatch(Bend(block, given, known, room, out))
            });
        let moments = &self.moments;
        (&facets.blocks, known, self.pushed.par_chunks_mut(3 * LANES))
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each_init(Room::default, |room, (block, f, out)| {
                arch.dispatch(Join(block, slots, f, moments, room, out))
            });
        let dynamic = model.dynamic;
        (&mut state.v[..dynamic], &model.inverse_mass[..dynamic])
            .into_par_iter()
            .enumerate()
            .with_min_len(VERTICES)
            .for_each(|(i, (v, w))| {
                *v += vector(&self.force_on(facets, i)) * (h * w);
            });
    }
}

/// All blocks one after the other.
struct Sum<'a> {
    model: &'a Facets,
    given: Given<'a>,
    facets: &'a mut [FacetForces],
    moments: &'a mut [f64],
    /// Forces by corner.
    pushed: &'a mut [Quad],
}

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Facets { blocks, hinges, .. } = self.model;
        let (given, mut room) = (self.given, Room::default());
        for (block, out) in blocks.iter().zip(self.facets.iter_mut()) {
            Stretch(block, given, &mut room, out).with_simd(simd);
        }
        let slots = self.moments.chunks_exact_mut(LANES);
        for (block, out) in hinges.iter().zip(slots) {
            Bend(block, given, self.facets, &mut room, out).with_simd(simd);
        }
        let pushed = self.pushed.chunks_exact_mut(3 * LANES);
        for ((block, f), out) in blocks.iter().zip(&*self.facets).zip(pushed) {
            Join(block, given.slots, f, self.moments, &mut room, out).with_simd(simd);
        }
    }
}

#[inline(always)]
fn add(sum: &mut Quad, force: &Quad) {
    for (s, f) in sum.iter_mut().zip(force) {
        *s += f;
    }
}

/// What all blocks read.
#[derive(Clone, Copy)]
struct Given<'a> {
    slots: &'a Slots,
    x: &'a [Quad],
    v: &'a [Quad],
}

/// Buffers for one block.
struct Room {
    quads: [Quads; 6],
    corners: Corners,
    hinge: HingeInputs,
    rows: Rows,
}

impl Default for Room {
    fn default() -> Room {
        Room {
            quads: [const { Quads::ZERO }; 6],
            corners: Corners::ZERO,
            hinge: HingeInputs::ZERO,
            rows: [[0.0; LANES]; 3],
        }
    }
}

/// First pass over a block of triangles.
struct Stretch<'a>(&'a FacetBlock, Given<'a>, &'a mut Room, &'a mut FacetForces);

impl WithSimd for Stretch<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Stretch(block, given, room, out) = self;
        let Room {
            quads,
            corners,
            rows,
            ..
        } = room;
        // all are filled before any is taken apart: a load must not wait for fresh stores
        for (k, [x, v]) in quads.as_chunks_mut::<2>().0.iter_mut().enumerate() {
            for (&i, &slot) in block.corners[k].iter().zip(given.slots) {
                x.put(slot, given.x[i as usize]);
                v.put(slot, given.v[i as usize]);
            }
        }
        for k in 0..3 {
            quads[2 * k].take_apart(simd, &mut corners.x[k]);
            quads[2 * k + 1].take_apart(simd, &mut corners.v[k]);
        }
        stretch(block, corners, out, rows);
        out.told_normal.put_together(simd, &out.normal);
        out.told_turn.put_together(simd, rows);
    }
}

/// A block of hinges.
struct Bend<'a>(
    &'a HingeBlock,
    Given<'a>,
    &'a [FacetForces],
    &'a mut Room,
    &'a mut [f64],
);

impl WithSimd for Bend<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Bend(block, given, facets, room, out) = self;
        let Room { quads, hinge, .. } = room;
        for (lane, &slot) in given.slots.iter().enumerate() {
            let [a, b] = [0, 1].map(|k| given.x[block.ends[k][lane] as usize]);
            quads[2].put(slot, [0, 1, 2, 3].map(|i| b[i] - a[i]));
            for k in 0..2 {
                let (facet, side) = (block.facets[k][lane] as usize, block.sides[k][lane]);
                let (home, place) = (&facets[facet / LANES], given.slots[facet % LANES]);
                quads[k].put(slot, home.told_normal.get(place));
                hinge.turn[k][lane] = home.told_turn.number(place, side);
            }
        }
        quads[0].take_apart(simd, &mut hinge.normal[0]);
        quads[1].take_apart(simd, &mut hinge.normal[1]);
        quads[2].take_apart(simd, &mut hinge.edge);
        let mut moments: Row = [0.0; LANES];
        bend(block, hinge, &mut moments);
        out.copy_from_slice(&moments);
    }
}

/// Second pass over a block of triangles.
struct Join<'a>(
    &'a FacetBlock,
    &'a Slots,
    &'a FacetForces,
    &'a [f64],
    &'a mut Room,
    &'a mut [Quad],
);

impl WithSimd for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Join(block, slots, f, moments, room, out) = self;
        let Room {
            quads,
            corners,
            rows: sides,
            ..
        } = room;
        for k in 0..3 {
            for lane in 0..LANES {
                sides[k][lane] = moments[block.hinge[k][lane] as usize];
            }
        }
        let pushed = &mut corners.x;
        join(block, f, sides, pushed);
        for k in 0..3 {
            quads[k].put_together(simd, &pushed[k]);
        }
        for (out, &slot) in out.chunks_exact_mut(3).zip(slots) {
            for (out, quads) in out.iter_mut().zip(&*quads) {
                *out = quads.get(slot);
            }
        }
    }
}

/// Forces in N on every dynamic vertex at the state's positions, zero on the others; for energy at the
/// half kick.
pub(super) fn forces(model: &ShellModel, state: &ShellState) -> Vec<DVec3> {
    let mut kernel = InternalForces::default();
    kernel.x.extend(state.x.iter().map(|x| quad(*x)));
    kernel.v.extend(state.v.iter().map(|v| quad(*v)));
    kernel.sum(&model.facets);
    let dynamic = (0..model.dynamic).map(|i| vector(&kernel.force_on(&model.facets, i)));
    let held = std::iter::repeat_n(DVec3::ZERO, model.vertex_count() - model.dynamic);
    dynamic.chain(held).collect()
}

#[inline(always)]
fn vector(a: &Quad) -> DVec3 {
    DVec3::new(a[0], a[1], a[2])
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
            // what is held is not pushed
            expected[model.dynamic..].fill(DVec3::ZERO);
            for (f, e) in found.iter().zip(&expected) {
                // a few dozen roundings of terms as large as the largest force
                assert!((*f - *e).length() < 1e-12 * largest, "{f} {e} {largest}");
            }
            let kicked = |threads: usize| {
                let (mut kernel, mut state) = (InternalForces::default(), state.clone());
                let threads = Threads::new(threads);
                if threads.count() == 1 {
                    kernel.kick(model, &mut state, 1 << 20, &threads);
                } else {
                    threads.run(|| {
                        kernel.drift_in_parallel(&mut state, 1 << 20);
                        kernel.kick_in_parallel(model, &mut state, seconds(model.internal_step));
                    });
                }
                state.history_bytes()
            };
            assert!(kicked(1) == kicked(3));
        }
    }
}
