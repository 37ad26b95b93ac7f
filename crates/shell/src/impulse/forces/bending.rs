//! Bending: discrete-shells hinges on all inner edges, with the same energy as those of shells. One backward Euler step of them,
//! found hinge by hinge with an impulse each, changes the previews before the constraints are enforced.

use glamx::DVec3;

use crate::acm::forces::hinge::{angle_and_gradient, wrap};
use crate::acm::model::topology::{Topology, hinge_stencils};

/// Passes over all hinges in a step at most. What they leave of a stiff sheet's bending is left to the next step.
const PASSES: u32 = 40;

/// All hinges of a cloth: constant.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bending {
    hinges: Vec<Hinge>,
}

#[derive(Debug, Clone)]
struct Hinge {
    /// Edge (0, 1) with opposite vertices 2 and 3.
    vertices: [u32; 4],
    /// Angle at rest, rad.
    rest: f64,
    /// Second derivative of the energy, J / rad^2.
    stiffness: f64,
}

impl Bending {
    /// Hinges that are relaxed at `rest`, or flat, with a bending stiffness in J.
    pub fn new(triangles: &[[u32; 3]], rest: &[DVec3], stiffness: f64, is_flat: bool) -> Self {
        let topology = Topology::of_any(rest.len(), triangles);
        let hinge = |(_, vertices, _): (u32, [u32; 4], [u32; 2])| {
            let x = vertices.map(|v| rest[v as usize]);
            let edge = x[1] - x[0];
            let twice = edge.cross(x[2] - x[0]).length() + (x[3] - x[0]).cross(edge).length();
            let angle = angle_and_gradient(x).0;
            // the energy of shells is 3 k e^2 / A of the angle's square
            let stiffness = 12.0 * stiffness * edge.length_squared() / twice;
            (stiffness > 0.0 && stiffness.is_finite()).then_some(Hinge {
                vertices,
                rest: if is_flat { 0.0 } else { angle },
                stiffness,
            })
        };
        let stencils = hinge_stencils(&topology);
        Self {
            hinges: stencils.into_iter().filter_map(hinge).collect(),
        }
    }

    /// Whether there are no hinges.
    pub fn is_empty(&self) -> bool {
        self.hinges.is_empty()
    }

    /// Adds the hinges of another part.
    pub fn extend(&mut self, other: Self) {
        self.hinges.extend(other.hinges);
    }

    /// Energy in bent hinges, J.
    pub fn energy(&self, position: &[DVec3]) -> f64 {
        let energy = |hinge: &Hinge| {
            let x = hinge.vertices.map(|v| position[v as usize]);
            let bend = wrap(angle_and_gradient(x).0 - hinge.rest);
            0.5 * hinge.stiffness * bend * bend
        };
        self.hinges.iter().map(energy).sum()
    }

    /// Moves previews to where a step of `step` seconds ends with bending, to within `settled` metres.
    pub fn bend(&self, step: f64, settled: f64, inverse_mass: &[f64], preview: &mut [DVec3]) {
        let mut turned = vec![0.0; self.hinges.len()];
        for _ in 0..PASSES {
            let mut most: f64 = 0.0;
            for (hinge, turned) in self.hinges.iter().zip(&mut turned) {
                let places = hinge.vertices.map(|v| v as usize);
                let (angle, gradient) = angle_and_gradient(places.map(|v| preview[v]));
                let weights = places.map(|v| inverse_mass[v]);
                let mobility: f64 = gradient
                    .iter()
                    .zip(weights)
                    .map(|(g, w)| g.length_squared() * w)
                    .sum();
                if !mobility.is_finite() || mobility == 0.0 {
                    continue;
                }
                let softness = 1.0 / (hinge.stiffness * step * step);
                let missing = -wrap(angle - hinge.rest) - softness * *turned;
                let change = missing / (mobility + softness);
                *turned += change;
                for ((v, g), w) in places.into_iter().zip(gradient).zip(weights) {
                    let moved = g * (w * change);
                    preview[v] += moved;
                    most = most.max(moved.length_squared());
                }
            }
            if most <= settled * settled {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A hinge that is let go comes to rest flat, and momentum is kept to rounding.
    #[test]
    fn a_bent_hinge_unfolds() {
        let mut x = [
            DVec3::ZERO,
            DVec3::X,
            DVec3::new(0.5, 0.5, 0.8),
            DVec3::new(0.5, 0.4, -0.7),
        ];
        let mut v = [DVec3::ZERO; 4];
        let bending = Bending::new(&[[0, 1, 2], [1, 0, 3]], &x, 1.0, true);
        let inverse_mass = [100.0, 120.0, 90.0, 110.0];
        let energy = bending.energy(&x);
        for _ in 0..400 {
            let mut preview = [0, 1, 2, 3].map(|i| x[i] + v[i] * 0.01);
            bending.bend(0.01, 1e-9, &inverse_mass, &mut preview);
            for i in 0..4 {
                v[i] = (preview[i] - x[i]) / 0.01;
            }
            x = preview;
            let momentum: DVec3 = v.iter().zip(inverse_mass).map(|(v, w)| *v / w).sum();
            assert!(momentum.length() < 1e-12);
        }
        assert!(energy > 1e-3 && bending.energy(&x) < 1e-4 * energy);
    }
}
