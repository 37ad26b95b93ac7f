//! The bucket of internal forces: stretching and bending fused (Ainsley, sections 4.1 and 4.3).
//! Forces are stored by element and gathered by vertex in element order; the sequential path adds
//! them in the same order as it goes, so both paths give the same bytes.

use super::{ShellModel, ShellState, Threads, Tick, seconds};
use glamx::DVec3;
use rayon::prelude::*;

/// Membranes in one unit of parallel work.
const CHUNK: usize = 128;
/// Vertices in one unit of parallel work.
const VERTICES: usize = 512;

/// Buffers of the fused kernel.
#[derive(Debug, Default, Clone)]
pub(super) struct InternalForces {
    /// By slot (parallel) or by vertex (sequential), in N.
    forces: Vec<DVec3>,
}

impl InternalForces {
    /// Drifts all vertices to `t` and kicks the dynamic ones by one step of the internal forces.
    pub fn kick(&mut self, model: &ShellModel, state: &mut ShellState, t: Tick, threads: &Threads) {
        if threads.count() == 1 {
            drift_all(state, t);
            self.kick_in_order(model, state);
        } else {
            threads.run(|| {
                let ShellState { x, v, clock, .. } = state;
                (&mut x[..], &v[..], &mut clock[..])
                    .into_par_iter()
                    .with_min_len(VERTICES)
                    .for_each(|(x, v, clock)| drift_one(x, *v, clock, t));
                self.kick_in_parallel(model, state);
            });
        }
    }

    fn kick_in_order(&mut self, model: &ShellModel, state: &mut ShellState) {
        self.forces.clear();
        self.forces.resize(model.vertex_count(), DVec3::ZERO);
        let forces = &mut self.forces;
        for m in 0..model.membranes.len() {
            for_each_force(model, state, m, |vertex, force| {
                forces[vertex as usize] += force
            });
        }
        let h = seconds(model.internal_step);
        let vertices = state
            .v
            .iter_mut()
            .zip(&model.inverse_mass)
            .zip(&self.forces);
        for ((v, w), force) in vertices.take(model.dynamic) {
            *v += *force * (h * w);
        }
    }

    fn kick_in_parallel(&mut self, model: &ShellModel, state: &mut ShellState) {
        let slots = 3 * model.membranes.len() + 4 * model.hinges.len();
        self.forces.resize(slots, DVec3::ZERO);
        let chunks = slot_chunks(model, &mut self.forces);
        let frozen = &*state;
        chunks.into_par_iter().for_each(|(first, last, out)| {
            let mut slot = 0;
            for m in first..last {
                for_each_force(model, frozen, m, |_, force| {
                    out[slot] = force;
                    slot += 1;
                });
            }
        });
        let (h, forces) = (seconds(model.internal_step), &self.forces);
        let dynamic = model.dynamic;
        (&mut state.v[..dynamic], &model.inverse_mass[..dynamic])
            .into_par_iter()
            .enumerate()
            .with_min_len(VERTICES)
            .for_each(|(i, (v, w))| {
                let rows = model.gather_start[i] as usize..model.gather_start[i + 1] as usize;
                let mut force = DVec3::ZERO;
                model.gather[rows]
                    .iter()
                    .for_each(|&slot| force += forces[slot as usize]);
                *v += force * (h * w);
            });
    }
}

/// Cuts the slots into pieces that belong to whole runs of membranes.
fn slot_chunks<'a>(
    model: &ShellModel,
    forces: &'a mut [DVec3],
) -> Vec<(usize, usize, &'a mut [DVec3])> {
    let hinges_before = |m: usize| {
        if m == 0 {
            0
        } else {
            model.hinge_end[m - 1] as usize
        }
    };
    let (mut chunks, mut rest, mut first) = (Vec::new(), forces, 0);
    while first < model.membranes.len() {
        let last = (first + CHUNK).min(model.membranes.len());
        let slots = 3 * (last - first) + 4 * (hinges_before(last) - hinges_before(first));
        let (head, tail) = rest.split_at_mut(slots);
        chunks.push((first, last, head));
        (rest, first) = (tail, last);
    }
    chunks
}

/// Forces of membrane `m` and of the hinges behind it, in slot order.
#[inline(always)]
fn for_each_force(
    model: &ShellModel,
    state: &ShellState,
    m: usize,
    mut emit: impl FnMut(u32, DVec3),
) {
    let (x, v) = (&state.x, &state.v);
    let membrane = &model.membranes[m];
    let corners = membrane.vertices.map(|i| i as usize);
    let [f1, f2] = membrane.force(corners.map(|i| x[i]), corners.map(|i| v[i]));
    emit(membrane.vertices[0], -(f1 + f2));
    emit(membrane.vertices[1], f1);
    emit(membrane.vertices[2], f2);
    let first = if m == 0 {
        0
    } else {
        model.hinge_end[m - 1] as usize
    };
    for hinge in &model.hinges[first..model.hinge_end[m] as usize] {
        let corners = hinge.vertices.map(|i| i as usize);
        let forces = hinge.force(corners.map(|i| x[i]), corners.map(|i| v[i]));
        for (vertex, force) in hinge.vertices.into_iter().zip(forces) {
            emit(vertex, force);
        }
    }
}

/// Forces in N on every vertex at the state's positions; for energy at the half kick.
pub(super) fn forces(model: &ShellModel, state: &ShellState) -> Vec<DVec3> {
    let mut forces = vec![DVec3::ZERO; model.vertex_count()];
    for m in 0..model.membranes.len() {
        for_each_force(model, state, m, |vertex, force| {
            forces[vertex as usize] += force
        });
    }
    forces
}

fn drift_all(state: &mut ShellState, t: Tick) {
    for ((x, v), clock) in state.x.iter_mut().zip(&state.v).zip(&mut state.clock) {
        drift_one(x, *v, clock, t);
    }
}

#[inline]
fn drift_one(x: &mut DVec3, v: DVec3, clock: &mut Tick, t: Tick) {
    *x += v * seconds(t - *clock);
    *clock = t;
}
