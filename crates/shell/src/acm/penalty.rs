//! The bucket of one penalty layer: every contact pushes along its closest direction, with
//! restitution and Coulomb friction. All pushes are computed from the state at the tick and then
//! applied in pair order; a contact out of the layer's reach touches nothing.

use super::contact::Contact;
use super::distance::closest;
use super::integrate::drift;
use super::{Layer, ShellModel, ShellState, Threads, Tick, seconds};
use glamx::DVec3;
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
#[derive(Debug, Default, Clone)]
pub(super) struct PenaltyForces {
    /// The contacts that push in this event, in pair order.
    pushes: Vec<(Contact, Push)>,
    all: Vec<Option<Push>>,
    /// Vertices kicked by the last event.
    kicked: Vec<u32>,
    /// For each vertex how many contacts push it in this event.
    sharing: Vec<u32>,
}

impl PenaltyForces {
    /// Kicks by one step of layer `depth`; returns how many contacts pushed.
    pub fn kick(
        &mut self,
        model: &ShellModel,
        state: &mut ShellState,
        t: Tick,
        depth: u8,
        contacts: &[Contact],
        threads: &Threads,
    ) -> usize {
        let layer = model.layers.at(depth);
        let frozen = &*state;
        self.pushes.clear();
        if threads.count() > 1 && contacts.len() >= PARALLEL_MIN {
            let all = &mut self.all;
            threads.run(|| {
                let push = contacts.par_iter().with_min_len(64);
                push.map(|c| push_of(model, frozen, t, layer, c))
                    .collect_into_vec(all);
            });
            let pushing = contacts.iter().zip(&self.all);
            self.pushes
                .extend(pushing.filter_map(|(c, p)| p.map(|p| (*c, p))));
        } else {
            let pushing = |c: &Contact| push_of(model, frozen, t, layer, c).map(|p| (*c, p));
            self.pushes.extend(contacts.iter().filter_map(pushing));
        }
        self.apply(model, state, t);
        self.pushes.len()
    }

    /// Vertices that the last event kicked; a vertex may stand here more than once.
    pub fn kicked(&self) -> &[u32] {
        &self.kicked
    }

    fn apply(&mut self, model: &ShellModel, state: &mut ShellState, t: Tick) {
        self.kicked.clear();
        self.sharing.resize(model.vertex_count(), 0);
        for (contact, _) in &self.pushes {
            for &i in &contact.stencil {
                if (i as usize) < model.dynamic {
                    self.sharing[i as usize] += 1;
                    self.kicked.push(i);
                    drift(state, i as usize, t);
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

#[inline]
fn push_of(
    model: &ShellModel,
    state: &ShellState,
    t: Tick,
    layer: &Layer,
    contact: &Contact,
) -> Option<Push> {
    let stencil = contact.stencil.map(|i| i as usize);
    let x = stencil.map(|i| state.position_at(i, t));
    let near = closest(contact.kind, &x);
    let squared = near.separation.length_squared();
    if !(squared < layer.thickness_m * layer.thickness_m && squared > 0.0) {
        return None;
    }
    let distance = squared.sqrt();
    let normal = near.separation / distance;
    let (mut velocity, mut compliance) = (DVec3::ZERO, 0.0);
    for (&i, w) in stencil.iter().zip(near.weights) {
        velocity += state.v[i] * w;
        compliance += w * w * model.inverse_mass[i];
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
