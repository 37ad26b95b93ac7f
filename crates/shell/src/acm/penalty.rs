//! The bucket of one penalty layer: every contact pushes along its closest direction, with
//! restitution and Coulomb friction. All pushes are computed from the state at the tick and then
//! applied in pair order; a contact out of the layer's reach touches nothing.

use super::contact::{Contact, LayerContacts};
use super::distance::Closest;
use super::integrate::drift;
use super::reach::{Block, LANES, Reach};
use super::{Layer, ShellModel, ShellState, Threads, Tick, seconds};
use glamx::DVec3;
use pulp::Arch;
use rayon::prelude::*;

/// Contacts below which threads are not worth waking.
const PARALLEL_MIN: usize = 256;

/// One contact's impulse, in N s, to be spread over its stencil by the weights.
#[derive(Debug, Clone, Copy)]
struct Push {
    weights: [f64; 4],
    normal: DVec3,
    /// Normal impulse in N s.
    strength: f64,
    /// Sliding velocity in m/s.
    sliding: DVec3,
    /// sum w_i^2 / m_i, in 1/kg.
    compliance: f64,
}

/// Buffers of the penalty kernel.
#[derive(Debug, Clone)]
pub(super) struct PenaltyForces {
    arch: Arch,
    /// Where the layer's vertices are at the event's tick, by vertex, in m.
    places: Vec<DVec3>,
    reaches: Vec<Reach>,
    /// The contacts that push in this event, in pair order.
    pushes: Vec<(Contact, Push)>,
    /// Vertices kicked by the last event, each once.
    kicked: Vec<u32>,
    /// For each vertex how many contacts push it in this event.
    sharing: Vec<u32>,
}

impl Default for PenaltyForces {
    fn default() -> PenaltyForces {
        PenaltyForces {
            arch: Arch::new(),
            places: Vec::new(),
            reaches: Vec::new(),
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
        self.places.resize(model.vertex_count(), DVec3::ZERO);
        for &i in &layer.vertices {
            self.places[i as usize] = state.position_at(i as usize, t);
        }
        let (faces, edges) = layer.contacts.split_at(layer.vertex_faces);
        let blocks = || faces.chunks(LANES).chain(edges.chunks(LANES));
        let count = faces.len().div_ceil(LANES) + edges.len().div_ceil(LANES);
        if self.reaches.len() < count {
            self.reaches.resize(count, Reach::ZERO);
        }
        let (arch, places) = (self.arch, &self.places);
        if threads.count() > 1 && layer.contacts.len() >= PARALLEL_MIN {
            let (faces, edges) = (faces.par_chunks(LANES), edges.par_chunks(LANES));
            threads.run(|| {
                (faces.chain(edges), &mut self.reaches[..count])
                    .into_par_iter()
                    .with_min_len(4)
                    .for_each(|(contacts, out)| arch.dispatch(Block(contacts, places, out)));
            });
        } else {
            for (contacts, out) in blocks().zip(&mut self.reaches) {
                arch.dispatch(Block(contacts, places, out));
            }
        }
        self.pushes.clear();
        let law = model.layers.at(depth);
        let squared_max = law.thickness_m * law.thickness_m;
        for (contacts, reach) in blocks().zip(&self.reaches) {
            for (lane, c) in contacts.iter().enumerate() {
                let squared = reach.squared[lane];
                if squared < squared_max && squared > 0.0 {
                    let push = push_of(model, state, law, c, &reach.closest(lane));
                    self.pushes.extend(push.map(|push| (*c, push)));
                }
            }
        }
        self.apply(model, state, t);
        self.pushes.len()
    }

    /// Vertices that the last event kicked, each once.
    pub fn kicked(&self) -> &[u32] {
        &self.kicked
    }

    fn apply(&mut self, model: &ShellModel, state: &mut ShellState, t: Tick) {
        self.kicked.clear();
        self.sharing.resize(model.vertex_count(), 0);
        for (contact, _) in &self.pushes {
            for &i in &contact.stencil {
                if (i as usize) < model.dynamic {
                    if self.sharing[i as usize] == 0 {
                        self.kicked.push(i);
                        drift(state, i as usize, t);
                    }
                    self.sharing[i as usize] += 1;
                }
            }
        }
        let friction = model.layers.friction;
        for (contact, push) in &self.pushes {
            let sharing = contact.stencil.iter().map(|&i| self.sharing[i as usize]);
            let shared = sharing.max().unwrap_or(1);
            let impulse = push.normal * push.strength - push.friction(friction, shared);
            for (&i, w) in contact.stencil.iter().zip(push.weights) {
                state.v[i as usize] += impulse * (w * model.inverse_mass[i as usize]);
            }
        }
        for &i in &self.kicked {
            self.sharing[i as usize] = 0;
        }
    }
}

impl Push {
    /// Impulse against sliding: Coulomb's bound, and never more than this contact's share of what
    /// stops the sliding. Splitting by the number of contacts at the busiest vertex keeps the
    /// simultaneous impulses from adding energy.
    #[inline]
    fn friction(&self, coefficient: f64, shared: u32) -> DVec3 {
        let speed = self.sliding.length();
        if coefficient == 0.0 || speed == 0.0 {
            return DVec3::ZERO;
        }
        let stop = speed / (self.compliance * f64::from(shared.max(1)));
        self.sliding * ((coefficient * self.strength).min(stop) / speed)
    }
}

/// The push of a contact whose closest points are within the layer.
#[inline]
fn push_of(
    model: &ShellModel,
    state: &ShellState,
    layer: &Layer,
    contact: &Contact,
    near: &Closest,
) -> Option<Push> {
    let distance = near.separation.length();
    let normal = near.separation / distance;
    let (mut velocity, mut compliance) = (DVec3::ZERO, 0.0);
    for (&i, w) in contact.stencil.iter().zip(near.weights) {
        velocity += state.v[i as usize] * w;
        compliance += w * w * model.inverse_mass[i as usize];
    }
    let approach = velocity.dot(normal);
    let factor = if approach > 0.0 {
        model.layers.restitution
    } else {
        1.0
    };
    let strength =
        seconds(layer.step) * factor * layer.stiffness_n_m * (layer.thickness_m - distance);
    (compliance > 0.0).then_some(Push {
        weights: near.weights,
        normal,
        strength,
        sliding: velocity - normal * approach,
        compliance,
    })
}
