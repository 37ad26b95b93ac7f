//! The certificate of a kinetic data structure: a slab that separates a pair of primitives and holds
//! until the first vertex, moving straight as it does now, crosses into it.

use crate::acm::detect::distance::{closest, gap};
use crate::acm::model::contact::{Kind, Pair};
use crate::acm::{ShellModel, ShellState, TICKS_PER_SECOND, Tick, seconds};
use glamx::DVec3;

/// Farthest a certificate is scheduled ahead, in ticks (1 s): later is as good as never.
const HORIZON: Tick = 1 << 40;
/// A pair this much outside a layer counts as inside: slabs thinner than this expire at once.
const IMMINENT: f64 = 1.0e-3;

/// A separating slab of one pair of primitives.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Certificate {
    /// The pair.
    pub pair: Pair,
    pub stencil: [u32; 4],
    pub n: DVec3,
    /// The plane is n.x = offset + speed (t - since).
    pub offset: f64,
    pub speed: f64,
    pub since: Tick,
    /// Half of the slab's thickness in m.
    pub half: f64,
    pub layers: u8,
}

impl Certificate {
    /// Puts a slab between the two primitives; false if they are within the next layer or about to be.
    pub fn separate(&mut self, model: &ShellModel, state: &ShellState, now: Tick) -> bool {
        let thickness = model.layers.next_thickness(self.layers);
        let x = self.stencil.map(|v| state.position_at(v as usize, now));
        let near = closest(self.pair.kind(), &x);
        let distance = near.separation.length();
        if distance.is_nan() || distance <= thickness * (1.0 + IMMINENT) {
            return false;
        }
        let n = near.separation / distance;
        let projected = x.map(|p| p.dot(n));
        let width = gap(self.pair.kind(), &projected);
        if width <= thickness {
            return false;
        }
        let top = match self.pair.kind() {
            Kind::VertexFace => projected[0],
            Kind::EdgeEdge => projected[0].min(projected[1]),
        };
        let velocity: DVec3 = self
            .stencil
            .iter()
            .zip(near.weights)
            .map(|(&v, w)| state.v[v as usize] * (0.5 * w.abs()))
            .sum();
        (self.n, self.offset, self.speed, self.since) =
            (n, top - 0.5 * width, velocity.dot(n), now);
        self.half = 0.5 * thickness + 64.0 * f64::EPSILON * (1.0 + x[0].abs().max_element());
        true
    }

    /// When the first vertex, as it moves now, crosses into the slab.
    #[inline]
    pub fn expiry(&self, state: &ShellState, now: Tick) -> Tick {
        let plane = self.offset + self.speed * seconds(now - self.since);
        let split = self.pair.kind().first_len();
        let mut first = f64::INFINITY;
        for (i, &v) in self.stencil.iter().enumerate() {
            let v = v as usize;
            let side = state.position_at(v, now).dot(self.n) - plane;
            let rate = state.v[v].dot(self.n) - self.speed;
            let (room, rate) = if i < split {
                (side - self.half, rate)
            } else {
                (-side - self.half, -rate)
            };
            if rate < 0.0 {
                first = first.min(room / -rate);
            } else if room < 0.0 {
                first = 0.0;
            }
        }
        now + after(first)
    }
}

/// Ticks surely before `seconds` have passed, within the horizon.
#[inline]
pub(crate) fn after(seconds: f64) -> Tick {
    ((seconds.max(0.0) * TICKS_PER_SECOND as f64).min(HORIZON as f64) as Tick - 1).max(0)
}
