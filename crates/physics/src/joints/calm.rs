//! Chains that joints have given energy to: how it is taken from them again.

use super::hold::WORK;
use super::system::{Body, System};
use crate::{Mat3, Vec3};

impl System {
    /// Slows chains down that have more energy than `before` (twice the energy of each body, J), for joints do
    /// no work. What a chain does as a whole, its momentum and its angular momentum, stays as it is; its parts
    /// move less against each other, all by the same share, and its joints stay shut.
    pub(super) fn calm(&mut self, before: &[f64]) {
        let mut energies = vec![[0.0; 2]; self.bodies.len()];
        for (body, had) in self.bodies.iter().zip(before) {
            let [before, after] = &mut energies[body.chain as usize];
            *before += had;
            *after += body.energy();
        }
        for chain in 0..self.bodies.len() as u32 {
            let [had, has] = energies[chain as usize];
            if has <= (1.0 + WORK) * had || self.is_driven(chain) {
                continue;
            }
            let members = self.bodies.iter().filter(|b| b.chain == chain);
            let whole = match self.is_anchored(chain) {
                true => Whole::default(),
                false => Whole::of(members),
            };
            let share = (had - whole.energy).max(0.0) / (has - whole.energy);
            let share = share.sqrt().min(1.0);
            for body in self.bodies.iter_mut().filter(|b| b.chain == chain) {
                let [velocity, spin] = whole.motion(body.pose.translation);
                body.velocity = velocity + (body.velocity - velocity) * share;
                body.spin = spin + (body.spin - spin) * share;
            }
            for entry in &self.entries {
                if entry
                    .bodies
                    .iter()
                    .any(|b| self.bodies[*b as usize].chain == chain)
                {
                    self.impulses[entry.rows()].fill(0.0);
                }
            }
        }
    }

    /// The bodies that do not yield and have a joint with the chain.
    fn anchors(&self, chain: u32) -> impl Iterator<Item = &Body> {
        let at_chain = move |entry: &&super::system::Entry| {
            let mut bodies = entry.bodies.iter().map(|b| &self.bodies[*b as usize]);
            bodies.any(|b| !b.is_fixed() && b.chain == chain)
        };
        let entries = self.entries.iter().filter(at_chain);
        let ends = entries.flat_map(|e| e.bodies.map(|b| &self.bodies[b as usize]));
        ends.filter(|b| b.is_fixed())
    }

    fn is_anchored(&self, chain: u32) -> bool {
        self.anchors(chain).next().is_some()
    }

    /// Whether something that moves by itself holds the chain: that may well give it energy.
    fn is_driven(&self, chain: u32) -> bool {
        let moves = |b: &Body| b.velocity != Vec3::ZERO || b.spin != Vec3::ZERO;
        self.anchors(chain).any(moves)
    }
}

/// The motion of a chain as if it were one body.
#[derive(Default)]
struct Whole {
    centre: Vec3,
    velocity: Vec3,
    spin: Vec3,
    /// Twice its kinetic energy, J.
    energy: f64,
}

impl Whole {
    /// With the momentum and the angular momentum of the bodies.
    fn of<'b>(bodies: impl Iterator<Item = &'b Body> + Clone) -> Self {
        let mut whole = Whole::default();
        let mut mass = 0.0;
        for body in bodies.clone() {
            mass += body.mass.mass;
            whole.centre += body.pose.translation * body.mass.mass;
            whole.velocity += body.velocity * body.mass.mass;
        }
        whole.centre /= mass;
        whole.velocity /= mass;
        let (mut inertia, mut momentum) = (Mat3::ZERO, Vec3::ZERO);
        for body in bodies {
            let (m, d) = (body.mass.mass, body.pose.translation - whole.centre);
            let outer = Mat3::from_cols(d * d.x, d * d.y, d * d.z);
            inertia += body.inertia[0] + (Mat3::IDENTITY * d.length_squared() - outer) * m;
            momentum += body.inertia[0] * body.spin + d.cross(body.velocity) * m;
        }
        whole.spin = inertia.inverse() * momentum;
        whole.energy = mass * whole.velocity.length_squared() + whole.spin.dot(momentum);
        whole
    }

    /// Velocity and spin of a part of it.
    fn motion(&self, at: Vec3) -> [Vec3; 2] {
        [self.velocity + self.spin.cross(at - self.centre), self.spin]
    }
}
