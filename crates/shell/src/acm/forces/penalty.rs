//! The bucket of one penalty layer: every contact pushes along its closest direction, with
//! restitution and Coulomb friction. All pushes are computed from the state at the tick, a block of
//! contacts at a time, and then applied in pair order; a contact out of the layer's reach touches
//! nothing.

use crate::acm::detect::reach::{Stencils, positive, reach};
use crate::acm::forces::integrate::drift;
use crate::acm::forces::rigid::Shove;
use crate::acm::lanes::quads::{
    LANES, Quad, Quads, Slots, Wrapped, fetch, pad, quad, registers, slots, tell, vector,
};
use crate::acm::lanes::wide::{Wide, Wide3};
use crate::acm::model::contact::LayerContacts;
use crate::acm::{ShellModel, ShellState, Threads, Tick, seconds};
use pulp::{Arch, Simd, WithSimd};
use rayon::prelude::*;

/// Contacts below which threads are not worth waking.
const PARALLEL_MIN: usize = 256;

/// A vertex as the kernel reads it: position (m) with the inverse mass (1/kg), and velocity (m/s).
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
struct Vertex {
    x: Quad,
    v: Quad,
}

/// A layer's law for one event.
#[derive(Debug, Clone, Copy)]
struct Law {
    thickness_m: f64,
    /// Step times stiffness, in N s/m.
    firmness: f64,
    restitution: f64,
    friction: f64,
}

/// What a block of contacts does; vectors by slot.
#[derive(Debug, Clone)]
struct BlockPushes {
    /// One bit for each contact that pushes.
    pushing: u8,
    /// Normal impulse in N s, and Coulomb's bound on friction over the sliding speed, in kg.
    normal: Quads,
    /// Sliding velocity in m/s, and the impulse that would stop it over its speed, in kg.
    sliding: Quads,
    /// For each vertex its weight times its inverse mass, in 1/kg.
    spread: Quads,
}

impl BlockPushes {
    const ZERO: BlockPushes = BlockPushes {
        pushing: 0,
        normal: [[0.0; 4]; LANES],
        sliding: [[0.0; 4]; LANES],
        spread: [[0.0; 4]; LANES],
    };
}

/// A contact that pushes, and its place among all.
#[derive(Debug, Clone, Copy, Default)]
struct Push {
    stencil: [u32; 4],
    block: u32,
    slot: u8,
}

/// Buffers of the penalty kernel.
#[derive(Debug, Clone)]
pub(crate) struct PenaltyForces {
    arch: Arch,
    slots: Slots,
    /// The layer's vertices at the event's tick, by vertex, filled up to a power of two.
    vertices: Vec<Vertex>,
    blocks: Vec<BlockPushes>,
    /// The contacts that push in this event, in pair order.
    pushes: Vec<Push>,
    /// Vertices kicked by the last event, each once, and room for more.
    kicked: Vec<u32>,
    kicked_count: usize,
    /// For each vertex how many contacts push it in this event.
    sharing: Vec<u32>,
    /// What is done to each rigid body in this event.
    shoves: Vec<Shove>,
}

impl Default for PenaltyForces {
    fn default() -> PenaltyForces {
        PenaltyForces {
            arch: Arch::new(),
            slots: slots(),
            vertices: Vec::new(),
            blocks: Vec::new(),
            pushes: Vec::new(),
            kicked: Vec::new(),
            kicked_count: 0,
            sharing: Vec::new(),
            shoves: Vec::new(),
        }
    }
}

impl PenaltyForces {
    /// Finds out which contacts push in one step of layer `depth`, and how.
    pub fn evaluate(
        &mut self,
        model: &ShellModel,
        state: &ShellState,
        t: Tick,
        depth: u8,
        layer: &LayerContacts,
        threads: &Threads,
    ) {
        self.read(model, state, t, layer);
        let at = model.layers.at(depth);
        let law = Law {
            thickness_m: at.thickness_m,
            firmness: seconds(at.step) * at.stiffness_n_m,
            restitution: model.layers.restitution,
            friction: model.layers.friction,
        };
        if self.blocks.len() < layer.blocks.len() {
            self.blocks.resize(layer.blocks.len(), BlockPushes::ZERO);
        }
        let (arch, out) = (self.arch, &mut self.blocks[..layer.blocks.len()]);
        let all = Pushes(law, &self.vertices, &layer.blocks, out);
        if threads.count() > 1 && layer.contacts.len() >= PARALLEL_MIN {
            threads.run(|| all.in_parallel(arch));
        } else {
            arch.dispatch(all);
        }
    }

    /// Kicks by the contacts that push; returns how many do.
    pub fn kick(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        t: Tick,
        layer: &LayerContacts,
    ) -> usize {
        self.arch.dispatch(Apply {
            forces: self,
            model,
            state,
            t,
            layer,
        });
        self.pushes.len()
    }

    /// Vertices that the last event kicked, each once.
    pub fn kicked(&self) -> &[u32] {
        &self.kicked[..self.kicked_count]
    }

    /// Reads the layer's vertices at `t`.
    fn read(&mut self, model: &ShellModel, state: &ShellState, t: Tick, layer: &LayerContacts) {
        const NOWHERE: Vertex = Vertex {
            x: [0.0; 4],
            v: [0.0; 4],
        };
        pad(&mut self.vertices, model.vertex_count(), NOWHERE);
        for &i in &layer.vertices {
            let i = i as usize;
            let x = state.position_at(i, t);
            self.vertices[i] = Vertex {
                x: [x.x, x.y, x.z, model.inverse_mass[i]],
                v: quad(state.v[i]),
            };
        }
    }

    /// The contacts that push, in pair order.
    #[inline(always)]
    fn collect(&mut self, layer: &LayerContacts) {
        self.pushes.clear();
        self.pushes.reserve(layer.contacts.len());
        let mut contacts = &layer.contacts[..];
        for (block, (stencils, found)) in (0..).zip(layer.blocks.iter().zip(&self.blocks)) {
            let (own, rest) = contacts.split_at(stencils.count);
            // what fills up the last block repeats its last contact
            let mut pushing = found.pushing & (u8::MAX >> (LANES - own.len()));
            while pushing != 0 {
                let lane = pushing.trailing_zeros() as usize;
                self.pushes.push(Push {
                    stencil: own[lane].stencil,
                    block,
                    slot: self.slots[lane % LANES],
                });
                pushing &= pushing - 1;
            }
            contacts = rest;
        }
    }

    /// Counts how many contacts push each dynamic vertex, and lists those that any does.
    #[inline(always)]
    fn count_sharing(&mut self, model: &ShellModel) {
        pad(&mut self.sharing, model.vertex_count(), 0);
        self.kicked.resize(model.vertex_count() + 1, 0);
        let (sharing, kicked) = (&mut self.sharing[..], &mut self.kicked[..]);
        let (wrap, mut count) = (sharing.len() - 1, 0);
        for push in &self.pushes {
            for &i in &push.stencil {
                let (sharing, dynamic) =
                    (&mut sharing[i as usize & wrap], i < model.dynamic as u32);
                kicked[count] = i;
                count += usize::from(dynamic & (*sharing == 0));
                *sharing += u32::from(dynamic);
            }
        }
        self.kicked_count = count;
    }

    /// What the pushes do to rigid bodies.
    fn collect_shoves(&mut self, model: &ShellModel, state: &ShellState, t: Tick) {
        self.shoves.clear();
        let about = state.rigid.iter().map(|rigid| Shove::about(rigid, t));
        self.shoves.extend(about);
        let (vertices, sharing) = (&self.vertices, &self.sharing);
        for push in &self.pushes {
            if let Some(body) = model.rigid_of(&push.stencil) {
                self.shoves[body].count += 1;
            }
        }
        for push in &self.pushes {
            let Some(body) = model.rigid_of(&push.stencil) else {
                continue;
            };
            let (block, slot) = (
                &mut self.blocks[push.block as usize],
                push.slot as usize % LANES,
            );
            let shove = &mut self.shoves[body];
            // corners of the surface, with their weights and inverse masses
            let on_body = push
                .stencil
                .map(|i| model.rigid_of[i as usize] == body as u32);
            let spread = block.spread[slot];
            let inverse = push.stencil.map(|i| vertices[i as usize].x[3]);
            let weight = |k: usize| spread[k] / inverse[k];
            let corners = (0..4).filter(|&k| on_body[k] && inverse[k] > 0.0);
            // sliding is shared by all that push the same vertex of the shell, and by all that push the same body
            let gives: f64 = corners.clone().map(|k| weight(k) * spread[k]).sum();
            let shared = push.stencil.map(|i| sharing[i as usize]);
            let shared = f64::from(shared.into_iter().fold(1, u32::max));
            let own = (1.0 / block.sliding[slot][3] - gives).max(0.0);
            block.sliding[slot][3] = shared / (own * shared + gives * f64::from(shove.count));
            let impulse = impulse(&block.normal[slot], &block.sliding[slot], shared as u32);
            for k in corners {
                let x = vector(&vertices[push.stencil[k] as usize].x);
                shove.push(x, vector(&impulse) * weight(k));
            }
        }
    }

    /// Pushes the bodies and turns their surfaces, whose vertices count as kicked.
    fn shove(&mut self, model: &ShellModel, state: &mut ShellState, t: Tick) {
        for (body, shove) in self.shoves.iter().enumerate() {
            if shove.count == 0 || !model.rigids[body].is_movable() {
                continue;
            }
            shove.apply(model, state, body, t);
            for &(vertex, _) in &model.rigids[body].surface {
                self.kicked[self.kicked_count] = vertex;
                self.kicked_count += 1;
            }
        }
    }

    #[inline(always)]
    fn apply(&mut self, state: &mut ShellState, t: Tick) {
        let (vertices, sharing) = (&mut self.vertices[..], &mut self.sharing[..]);
        // both are filled up to the same power of two
        let wrap = vertices.len() - 1;
        assert!(sharing.len() == vertices.len() && vertices.len().is_power_of_two());
        for push in &self.pushes {
            let (block, slot) = (
                &self.blocks[push.block as usize],
                push.slot as usize % LANES,
            );
            let stencil = push.stencil.map(|i| i as usize & wrap);
            let [a, b, c, d] = stencil.map(|i| sharing[i]);
            let shared = a.max(b).max(c.max(d));
            let impulse = impulse(&block.normal[slot], &block.sliding[slot], shared);
            for (i, spread) in stencil.into_iter().zip(block.spread[slot]) {
                for (v, impulse) in vertices[i].v.iter_mut().zip(impulse) {
                    *v += impulse * spread;
                }
            }
        }
        for &i in &self.kicked[..self.kicked_count] {
            let i = i as usize;
            drift(state, i, t);
            state.v[i] = vector(&vertices[i & wrap].v);
            sharing[i & wrap] = 0;
        }
    }
}

/// All pushes of a layer, to be applied. No closure, since those are not compiled for the processor's own
/// kind.
struct Apply<'a> {
    forces: &'a mut PenaltyForces,
    model: &'a ShellModel,
    state: &'a mut ShellState,
    t: Tick,
    layer: &'a LayerContacts,
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Apply { forces, layer, .. } = self;
        forces.collect(layer);
        forces.count_sharing(self.model);
        if self.model.rigids.is_empty() {
            forces.apply(self.state, self.t);
        } else {
            forces.collect_shoves(self.model, self.state, self.t);
            forces.apply(self.state, self.t);
            forces.shove(self.model, self.state, self.t);
        }
    }
}

/// A push's impulse in N s, with friction against sliding: Coulomb's bound, and never more than this
/// contact's share of what stops the sliding. Splitting by the number of contacts at the busiest
/// vertex keeps the simultaneous impulses from adding energy.
#[inline(always)]
fn impulse(normal: &Quad, sliding: &Quad, shared: u32) -> Quad {
    let friction = normal[3].min(sliding[3] / f64::from(shared.max(1)));
    let mut impulse = [0.0; 4];
    for k in 0..3 {
        impulse[k] = normal[k] - sliding[k] * friction;
    }
    impulse
}

/// Pushes of all blocks, from the vertices, and where to put them.
struct Pushes<'a>(Law, &'a [Vertex], &'a [Stencils], &'a mut [BlockPushes]);

impl Pushes<'_> {
    fn in_parallel(self, arch: Arch) {
        let Pushes(law, vertices, stencils, out) = self;
        let blocks = stencils.par_chunks(4).zip(out.par_chunks_mut(4));
        blocks.for_each(|(stencils, out)| arch.dispatch(Pushes(law, vertices, stencils, out)));
    }
}

impl WithSimd for Pushes<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Pushes(law, vertices, stencils, out) = self;
        let vertices = Wrapped::new(vertices);
        for (stencils, out) in stencils.iter().zip(out) {
            out.pushing = 0;
            for r in 0..registers::<S>() {
                law.push(simd, r, vertices, stencils, out);
            }
        }
    }
}

impl Law {
    /// Register `r` of a block.
    #[inline(always)]
    fn push<S: Simd>(
        &self,
        simd: S,
        r: usize,
        vertices: Wrapped<Vertex>,
        stencils: &Stencils,
        out: &mut BlockPushes,
    ) {
        let (law, [ia, ib, ic, id]) = (self, &stencils.vertices);
        let (a, wa) = fetch(simd, r, ia, |i| vertices.at(i).x);
        let (b, wb) = fetch(simd, r, ib, |i| vertices.at(i).x);
        let (c, wc) = fetch(simd, r, ic, |i| vertices.at(i).x);
        let (d, wd) = fetch(simd, r, id, |i| vertices.at(i).x);
        let near = reach(stencils.kind, [a, b, c, d]);
        let squared = near.separation.dot(near.separation);
        let [ka, kb, kc, kd] = near.weights;
        let (wa, wb, wc, wd) = (ka * wa, kb * wb, kc * wc, kd * wd);
        // sum w^2 / m, in 1/kg
        let compliance = kd.times_plus(wd, kc.times_plus(wc, kb.times_plus(wb, ka * wa)));
        let (zero, one) = (Wide::all(simd, 0.0), Wide::all(simd, 1.0));
        let squared_max = Wide::all(simd, law.thickness_m * law.thickness_m);
        let touches = zero.below(squared).and(squared.below(squared_max));
        let pushing = touches.and(zero.below(compliance)).bits() as u8;
        out.pushing |= pushing << (r * S::F64_LANES);
        if pushing == 0 {
            return;
        }
        let va = fetch(simd, r, ia, |i| vertices.at(i).v).0;
        let vb = fetch(simd, r, ib, |i| vertices.at(i).v).0;
        let vc = fetch(simd, r, ic, |i| vertices.at(i).v).0;
        let vd = fetch(simd, r, id, |i| vertices.at(i).v).0;
        let velocity = vd.times_plus(kd, vc.times_plus(kc, vb.times_plus(kb, va * ka)));
        let distance = squared.sqrt();
        let normal = near.separation * (one / distance);
        let approach = velocity.dot(normal);
        let restitution = Wide::all(simd, law.restitution);
        let firmness =
            Wide::all(simd, law.firmness) * zero.below(approach).choose(restitution, one);
        let strength = firmness * (Wide::all(simd, law.thickness_m) - distance);
        let sliding = velocity - normal * approach;
        let speed = positive(sliding.dot(sliding).sqrt());
        let bound = Wide::all(simd, law.friction) * strength / speed;
        tell(&mut out.normal, r, normal * strength, bound);
        tell(&mut out.sliding, r, sliding, one / compliance);
        tell(&mut out.spread, r, Wide3([wa, wb, wc]), wd);
    }
}
