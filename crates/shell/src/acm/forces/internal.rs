//! The bucket of internal forces: stretching and bending fused (Ainsley, sections 4.1 and 4.3).
//! Blocks of triangles, then of hinges, then of triangles again; forces are stored by corner and
//! gathered by vertex in the order of triangles. On one thread a block follows as soon as all it needs
//! is known, while that is still near; no sum depends on it, so any path gives the same bytes.

use crate::acm::forces::facets::{FacetBlock, Facets, Gathers, HingeBlock, TOGETHER};
use crate::acm::forces::fused::{Bent, Kept, Sides, bent, join, moments, shape, stretch};
use crate::acm::lanes::quads::{
    Aligned, LANES, Quad, Quads, Row, Wrapped, fetch, get3, pad, quad, registers, vector, whole,
};
use crate::acm::{ShellModel, ShellState, Threads, Tick, seconds};
use glamx::DVec3;
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Blocks of triangles below which threads are not worth waking.
const PARALLEL_MIN: usize = 256;
/// Vertices in one unit of parallel work.
const VERTICES: usize = 1024;
/// Blocks in one unit of parallel work.
const BLOCKS: usize = 64;

/// Buffers of the fused kernel, most of them filled up to a power of two.
#[derive(Debug)]
pub(crate) struct InternalForces {
    arch: Arch,
    vertices: Vec<Vertex>,
    /// For each of the last blocks of triangles, round and round, its three sides and room for one more, as quads.
    sides: Aligned,
    /// The same.
    kept: Vec<Kept>,
    /// By hinge, and at least one more that is always zero.
    moments: Aligned,
    /// Forces by corner, as quads in N, and at least one more that is always zero.
    pushed: Aligned,
}

/// A vertex as the kernel reads it: position (m) and velocity (m/s).
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Vertex {
    x: Quad,
    v: Quad,
}

const AT_REST: Vertex = Vertex {
    x: [0.0; 4],
    v: [0.0; 4],
};

impl Default for InternalForces {
    fn default() -> InternalForces {
        InternalForces {
            arch: Arch::new(),
            vertices: Vec::new(),
            sides: Aligned::default(),
            kept: Vec::new(),
            moments: Aligned::default(),
            pushed: Aligned::default(),
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
            let pushed = quads(self.pushed.numbers());
            self.arch.dispatch(Gather(pushed, model, &mut state.v, h));
        } else {
            threads.run(|| {
                self.drift_in_parallel(state, t);
                self.kick_in_parallel(model, state, h);
            });
        }
    }

    /// Makes room for what is told of the last `ring` blocks of triangles and for all forces.
    fn reserve(&mut self, facets: &Facets, ring: usize) {
        let (blocks, hinges) = (facets.blocks.len(), facets.hinges.len());
        self.sides
            .pad(size_of::<[Quads; 4]>() / size_of::<f64>() * ring);
        self.kept.resize(ring, Kept::ZERO);
        self.moments.pad(LANES * hinges + 1);
        self.pushed
            .pad(size_of::<[Quads; 3]>() / size_of::<f64>() * blocks + 4);
    }

    /// Drifts all vertices to `t` and reads them.
    fn drift(&mut self, state: &mut ShellState, t: Tick) {
        pad(&mut self.vertices, state.x.len(), AT_REST);
        self.arch.dispatch(Drift(state, t, &mut self.vertices));
    }

    fn drift_in_parallel(&mut self, state: &mut ShellState, t: Tick) {
        let ShellState { x, v, clock, .. } = state;
        pad(&mut self.vertices, x.len(), AT_REST);
        let vertices = &mut self.vertices[..x.len()];
        (&mut x[..], &v[..], &mut clock[..], vertices)
            .into_par_iter()
            .with_min_len(VERTICES)
            .for_each(|(x, v, clock, to)| *to = drift_one(x, *v, clock, t));
    }

    /// Forces on all corners at the positions and velocities read last.
    fn sum(&mut self, facets: &Facets) {
        self.reserve(facets, facets.ring);
        self.arch.dispatch(Sum(facets, self));
    }

    fn kick_in_parallel(&mut self, model: &ShellModel, state: &mut ShellState, h: f64) {
        let (facets, arch) = (&model.facets, self.arch);
        self.reserve(facets, facets.blocks.len().next_power_of_two());
        let vertices = &self.vertices[..];
        let sides = &mut in_fours(self.sides.numbers_mut())[..facets.blocks.len()];
        (&facets.blocks, sides, &mut self.kept)
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each(|(block, sides, kept)| {
                arch.dispatch(Stretch(block, vertices, kept, sides));
            });
        let sides = quads(self.sides.numbers());
        let moments = self.moments.numbers_mut().as_chunks_mut().0;
        (&facets.hinges, &mut moments[..facets.hinges.len()])
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each(|(block, out)| {
                let (block, out) = (std::array::from_ref(block), std::array::from_mut(out));
                arch.dispatch(Bend(block, vertices, sides, out));
            });
        let moments = self.moments.numbers();
        let pushed = &mut in_threes(self.pushed.numbers_mut())[..facets.blocks.len()];
        (&facets.blocks, &self.kept, pushed)
            .into_par_iter()
            .with_min_len(BLOCKS)
            .for_each(|(block, kept, out)| arch.dispatch(Join(block, kept, moments, out)));
        let forces = self.forces(facets);
        let dynamic = model.dynamic;
        (
            &mut state.v[..dynamic],
            &model.inverse_mass[..dynamic],
            &facets.gathered_at,
        )
            .into_par_iter()
            .with_min_len(VERTICES)
            .for_each(|(v, w, &at)| *v += forces[at as usize] * (h * w));
    }

    /// Forces on the dynamic vertices as they gather them, in N.
    fn forces(&self, facets: &Facets) -> Vec<DVec3> {
        let pushed = Wrapped::new(quads(self.pushed.numbers()));
        let some = |Gathers { each, corners, .. }: &Gathers| {
            let rows = corners.chunks_exact(*each);
            rows.map(|row| force(pushed, row)).collect::<Vec<DVec3>>()
        };
        let all = facets.gathers.par_iter();
        let all = all.with_min_len(VERTICES / TOGETHER);
        all.flat_map_iter(some).collect()
    }
}

/// Drifts all vertices to a time and reads them, some together.
struct Drift<'a>(&'a mut ShellState, Tick, &'a mut [Vertex]);

impl WithSimd for Drift<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Drift(ShellState { x, v, clock, .. }, t, to) = self;
        let (x, x_rest) = x.as_chunks_mut::<LANES>();
        let (v, v_rest) = v.as_chunks::<LANES>();
        let (clock, clock_rest) = clock.as_chunks_mut::<LANES>();
        let (lines, to_rest) = to[..].split_at_mut(LANES * x.len());
        let lines = lines.as_chunks_mut::<LANES>().0;
        for (((x, v), clock), to) in x.iter_mut().zip(v).zip(clock).zip(lines) {
            let since = clock.map(|clock| seconds(t - clock));
            *clock = [t; LANES];
            for i in 0..LANES {
                x[i] += v[i] * since[i];
            }
            // the last number of a quad stays nothing: stores are what this waits for
            for i in 0..LANES {
                [to[i].x[0], to[i].x[1], to[i].x[2]] = x[i].to_array();
                [to[i].v[0], to[i].v[1], to[i].v[2]] = v[i].to_array();
            }
        }
        for (((x, v), clock), to) in x_rest.iter_mut().zip(v_rest).zip(clock_rest).zip(to_rest) {
            *to = drift_one(x, *v, clock, t);
        }
    }
}

/// The force on a vertex, in N: its corners in the order of triangles.
#[inline(always)]
fn force(pushed: Wrapped<Quad>, corners: &[usize]) -> DVec3 {
    let mut force = [0.0; 4];
    for &corner in corners {
        for (sum, f) in force.iter_mut().zip(pushed.at(corner)) {
            *sum += f;
        }
    }
    vector(&force)
}

/// Kicks of the dynamic vertices by the forces on their corners over some seconds. No closure, since those
/// are not compiled for the processor's own kind.
struct Gather<'a>(&'a [Quad], &'a ShellModel, &'a mut [DVec3], f64);

impl WithSimd for Gather<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Gather(pushed, model, v, h) = self;
        let (pushed, w) = (Wrapped::new(pushed), &model.inverse_mass[..]);
        for Gathers {
            each,
            vertices,
            corners,
        } in &model.facets.gathers
        {
            match each {
                2 => kick_like::<2>(pushed, vertices, corners, v, w, h),
                4 => kick_like::<4>(pushed, vertices, corners, v, w, h),
                6 => kick_like::<6>(pushed, vertices, corners, v, w, h),
                8 => kick_like::<8>(pushed, vertices, corners, v, w, h),
                _ => {
                    for (&i, row) in vertices.iter().zip(corners.chunks_exact(*each)) {
                        v[i as usize] += force(pushed, row) * (h * w[i as usize]);
                    }
                }
            }
        }
    }
}

/// Kicks vertices of which each has `K` corners.
#[inline(always)]
fn kick_like<const K: usize>(
    pushed: Wrapped<Quad>,
    vertices: &[u32],
    corners: &[usize],
    v: &mut [DVec3],
    w: &[f64],
    h: f64,
) {
    for (&i, row) in vertices.iter().zip(corners.as_chunks::<K>().0) {
        v[i as usize] += force(pushed, row) * (h * w[i as usize]);
    }
}

/// All blocks, each as soon as it can be.
struct Sum<'a>(&'a Facets, &'a mut InternalForces);

impl WithSimd for Sum<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Sum(facets, own) = self;
        let Facets { blocks, hinges, .. } = facets;
        let InternalForces {
            vertices,
            sides,
            kept,
            moments,
            pushed,
            ..
        } = own;
        let (sides, moments) = (sides.numbers_mut(), moments.numbers_mut());
        let pushed = in_threes(pushed.numbers_mut());
        let (mut known, mut told, mut joined) = (0, 0, 0);
        // what one round finds out the next one uses: blocks that follow each other do not wait for each other, and
        // the processor works on several at once
        while joined < blocks.len() {
            let (bend, now_joined) = facets.next(known, told, joined);
            if let Some(block) = blocks.get(known) {
                let at = known & (kept.len() - 1);
                let sides = &mut in_fours(sides)[at];
                Stretch(block, vertices, &mut kept[at], sides).with_simd(simd);
            }
            let sides = quads(sides);
            let (ready, out) = (&hinges[told..], &mut moments.as_chunks_mut().0[told..]);
            if let (2, Some(two), Some(out)) = (bend, ready.first_chunk(), out.first_chunk_mut()) {
                Bend::<2>(two, vertices, sides, out).with_simd(simd);
            } else if let (1, [one], [out, ..]) = (bend, ready, out) {
                let (one, out) = (std::array::from_ref(one), std::array::from_mut(out));
                Bend(one, vertices, sides, out).with_simd(simd);
            }
            for i in joined..now_joined {
                let kept = &kept[i & (kept.len() - 1)];
                Join(&blocks[i], kept, moments, &mut pushed[i]).with_simd(simd);
            }
            (known, told, joined) = ((known + 1).min(blocks.len()), told + bend, now_joined);
        }
    }
}

/// First pass over a block of triangles.
struct Stretch<'a>(&'a FacetBlock, &'a [Vertex], &'a mut Kept, &'a mut Sides);

impl WithSimd for Stretch<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Stretch(block, vertices, kept, sides) = self;
        let vertices = Wrapped::new(vertices);
        for r in 0..registers::<S>() {
            let [a, b, c] = &block.corners;
            let from = whole(simd, r, a, |i| vertices.at(i).x);
            let d1 = whole(simd, r, b, |i| vertices.at(i).x).minus(from);
            let d2 = whole(simd, r, c, |i| vertices.at(i).x).minus(from);
            let shape = shape(d1, d2);
            let from = whole(simd, r, a, |i| vertices.at(i).v);
            let w1 = whole(simd, r, b, |i| vertices.at(i).v).minus(from);
            let w2 = whole(simd, r, c, |i| vertices.at(i).v).minus(from);
            stretch(block, r, shape, [w1, w2], kept, sides);
        }
    }
}

/// Some blocks of hinges, and where to put their moments.
struct Bend<'a, const N: usize>(
    &'a [HingeBlock; N],
    &'a [Vertex],
    &'a [Quad],
    &'a mut [[f64; LANES]; N],
);

impl<const N: usize> WithSimd for Bend<'_, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Bend(blocks, vertices, told, out) = self;
        let (vertices, told) = (Wrapped::new(vertices), Wrapped::new(told));
        for r in 0..registers::<S>() {
            let mut all = [first(simd, r, &blocks[0], vertices, told); N];
            for i in 1..N {
                all[i] = first(simd, r, &blocks[i], vertices, told);
            }
            let mut own = [&blocks[0]; N];
            for i in 1..N {
                own[i] = &blocks[i];
            }
            let moments = moments(own, r, all);
            for i in 0..N {
                S::as_mut_simd_f64s(&mut out[i]).0[r] = moments[i].1;
            }
        }
    }
}

/// How register `r` of a block of hinges is bent.
#[inline(always)]
fn first<S: Simd>(
    simd: S,
    r: usize,
    block: &HingeBlock,
    vertices: Wrapped<Vertex>,
    told: Wrapped<Quad>,
) -> Bent<S> {
    let ([a, b], [one, other]) = (&block.ends, &block.sides);
    let a = whole(simd, r, a, |i| vertices.at(i).x);
    let e = whole(simd, r, b, |i| vertices.at(i).x).minus(a);
    let sides = [
        fetch(simd, r, one, |i| *told.around(i)),
        fetch(simd, r, other, |i| *told.around(i)),
    ];
    bent(block, r, e, sides)
}

/// Second pass over a block of triangles.
struct Join<'a>(&'a FacetBlock, &'a Kept, &'a [f64], &'a mut [Quads; 3]);

impl WithSimd for Join<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Join(block, kept, moments, out) = self;
        let (moments, mut sides) = (Wrapped::new(moments), [Row::<f64>::ZERO; 3]);
        for (side, hinges) in sides.iter_mut().zip(&block.hinge) {
            for (moment, &hinge) in side.0.iter_mut().zip(hinges) {
                *moment = *moments.at(hinge);
            }
        }
        for r in 0..registers::<S>() {
            join(block, r, kept, get3(&sides, simd, r), out);
        }
    }
}

/// Forces in N on every dynamic vertex at the state's positions, zero on the others; for energy at the
/// half kick.
pub(crate) fn forces(model: &ShellModel, state: &ShellState) -> Vec<DVec3> {
    let mut kernel = InternalForces::default();
    let read = |(x, v): (&DVec3, &DVec3)| Vertex {
        x: quad(*x),
        v: quad(*v),
    };
    kernel
        .vertices
        .extend(state.x.iter().zip(&state.v).map(read));
    pad(&mut kernel.vertices, state.x.len(), AT_REST);
    kernel.sum(&model.facets);
    let forces = kernel.forces(&model.facets);
    let dynamic = model.facets.gathered_at.iter();
    let dynamic = dynamic.map(|&at| forces[at as usize]);
    let held = std::iter::repeat_n(DVec3::ZERO, model.vertex_count() - model.dynamic);
    dynamic.chain(held).collect()
}

/// Numbers as quads.
#[inline(always)]
fn quads(numbers: &[f64]) -> &[Quad] {
    numbers.as_chunks().0
}

/// Numbers as blocks of quads, three for each block of triangles and room for one more.
#[inline(always)]
fn in_fours(numbers: &mut [f64]) -> &mut [Sides] {
    let quads = numbers.as_chunks_mut().0;
    quads.as_chunks_mut().0.as_chunks_mut().0
}

/// Numbers as blocks of quads, three for each block of triangles.
#[inline(always)]
fn in_threes(numbers: &mut [f64]) -> &mut [[Quads; 3]] {
    let quads = numbers.as_chunks_mut().0;
    quads.as_chunks_mut().0.as_chunks_mut().0
}

#[inline(always)]
fn drift_one(x: &mut DVec3, v: DVec3, clock: &mut Tick, t: Tick) -> Vertex {
    *x += v * seconds(t - *clock);
    *clock = t;
    Vertex {
        x: quad(*x),
        v: quad(v),
    }
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
        for (name, size) in [
            (SceneName::TwoCloths, 5),
            (SceneName::TwoCloths, 9),
            (SceneName::BowlineKnot, 5),
            (SceneName::Twister, 5),
            (SceneName::Twister, 8),
            (SceneName::Twister, 9),
            (SceneName::TrashCompactor, 7),
            (SceneName::ReefKnot, 6),
        ] {
            let scene = name.build(size).expect("a scene");
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
            let elsewhere = {
                let mut state = state.clone();
                state.x.iter_mut().for_each(|x| *x += jolt(0.003));
                state
            };
            let kicked = |threads: usize| {
                let (mut kernel, mut state) = (InternalForces::default(), state.clone());
                let threads = Threads::new(threads);
                // what was there before leaves no trace
                kernel.kick(model, &mut elsewhere.clone(), 1 << 20, &Threads::new(1));
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
