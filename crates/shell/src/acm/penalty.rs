//! The bucket of one penalty layer: every contact pushes along its closest direction, with
//! restitution and Coulomb friction. All pushes are computed from the state at the tick, a block of
//! contacts at a time, and then applied in pair order; a contact out of the layer's reach touches
//! nothing.

use super::contact::{Contact, LayerContacts};
use super::integrate::drift;
use super::quads::{
    LANES, Quad, Quads, Row, Slots, Wrapped, fetch, pad, quad, registers, slots, tell, vector,
};
use super::reach::{Stencils, positive, reach};
use super::wide::{Wide, Wide3};
use super::{ShellModel, ShellState, Threads, Tick, seconds};
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
    /// Squared distances in m^2, infinite where nothing is to be pushed.
    squared: Row,
    /// Normal impulse in N s, and Coulomb's bound on friction over the sliding speed, in kg.
    normal: Quads,
    /// Sliding velocity in m/s, and the impulse that would stop it over its speed, in kg.
    sliding: Quads,
    /// For each vertex its weight times its inverse mass, in 1/kg.
    spread: Quads,
}

impl BlockPushes {
    const ZERO: BlockPushes = BlockPushes {
        squared: Row::ZERO,
        normal: [[0.0; 4]; LANES],
        sliding: [[0.0; 4]; LANES],
        spread: [[0.0; 4]; LANES],
    };
}

/// A contact that pushes, by its place in the layer and in its block.
#[derive(Debug, Clone, Copy, Default)]
struct Push {
    contact: u32,
    block: u32,
    slot: u8,
}

/// Buffers of the penalty kernel.
#[derive(Debug, Clone)]
pub(super) struct PenaltyForces {
    arch: Arch,
    slots: Slots,
    /// The layer's vertices at the event's tick, by vertex, filled up to a power of two.
    vertices: Vec<Vertex>,
    blocks: Vec<BlockPushes>,
    /// The contacts that push in this event, in pair order.
    pushes: Vec<Push>,
    /// Vertices kicked by the last event, each once.
    kicked: Vec<u32>,
    /// For each vertex how many contacts push it in this event.
    sharing: Vec<u32>,
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
            sharing: Vec::new(),
        }
    }
}

impl PenaltyForces {
    /// Kicks by one step of layer `depth`; returns how many contacts pushed.
    pub fn kick(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        t: Tick,
        depth: u8,
        layer: &LayerContacts,
        threads: &Threads,
    ) -> usize {
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
        arch.dispatch(Apply {
            forces: self,
            model,
            state,
            t,
            law,
            layer,
        });
        self.pushes.len()
    }

    /// Vertices that the last event kicked, each once.
    pub fn kicked(&self) -> &[u32] {
        &self.kicked
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

    /// The contacts that push, in pair order; without branches, since none could be foretold.
    #[inline(always)]
    fn collect(&mut self, law: Law, blocks: &[Stencils]) {
        let squared_max = law.thickness_m * law.thickness_m;
        self.pushes
            .resize(LANES * blocks.len() + 1, Push::default());
        let (mut count, mut contact) = (0, 0);
        for (block, (stencils, found)) in (0..).zip(blocks.iter().zip(&self.blocks)) {
            let squared = &found.squared.0[..stencils.count];
            for (squared, &slot) in squared.iter().zip(&self.slots) {
                self.pushes[count] = Push {
                    contact,
                    block,
                    slot,
                };
                count += usize::from(*squared < squared_max);
                contact += 1;
            }
        }
        self.pushes.truncate(count);
    }

    /// Counts how many contacts push each dynamic vertex, and lists those that any does.
    #[inline(always)]
    fn count_sharing(&mut self, model: &ShellModel, contacts: &[Contact]) {
        self.sharing.resize(model.vertex_count(), 0);
        self.kicked.resize(model.vertex_count() + 1, 0);
        let mut count = 0;
        for push in &self.pushes {
            for i in contacts[push.contact as usize].stencil {
                let (sharing, dynamic) = (&mut self.sharing[i as usize], i < model.dynamic as u32);
                self.kicked[count] = i;
                count += usize::from(dynamic & (*sharing == 0));
                *sharing += u32::from(dynamic);
            }
        }
        self.kicked.truncate(count);
    }

    #[inline(always)]
    fn apply(&mut self, state: &mut ShellState, t: Tick, contacts: &[Contact]) {
        for push in &self.pushes {
            let (stencil, slot) = (contacts[push.contact as usize].stencil, push.slot as usize);
            let sharing = stencil.iter().map(|&i| self.sharing[i as usize]);
            let block = &self.blocks[push.block as usize];
            let impulse = impulse(
                &block.normal[slot],
                &block.sliding[slot],
                sharing.max().unwrap_or(1),
            );
            for (i, spread) in stencil.into_iter().zip(block.spread[slot]) {
                for (v, impulse) in self.vertices[i as usize].v.iter_mut().zip(impulse) {
                    *v += impulse * spread;
                }
            }
        }
        for &i in &self.kicked {
            let i = i as usize;
            drift(state, i, t);
            state.v[i] = vector(&self.vertices[i].v);
            self.sharing[i] = 0;
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
    law: Law,
    layer: &'a LayerContacts,
}

impl WithSimd for Apply<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Apply { forces, layer, .. } = self;
        forces.collect(self.law, &layer.blocks);
        forces.count_sharing(self.model, &layer.contacts);
        forces.apply(self.state, self.t, &layer.contacts);
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
        let pushes = zero.below(squared).and(zero.below(compliance));
        let squared = pushes.choose(squared, Wide::all(simd, f64::INFINITY));
        out.squared.set(r, squared);
        let squared_max = law.thickness_m * law.thickness_m;
        let own = &out.squared.0[r * S::F64_LANES..(r + 1) * S::F64_LANES];
        if !own.iter().fold(false, |any, s| any | (*s < squared_max)) {
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
