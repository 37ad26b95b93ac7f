//! Energy and momentum.

use crate::joint::JointKind;
use crate::kinematics::attitude;
use crate::spatial::Force;
use crate::{Multibody, Vec3, Workspace};

/// Energy of a state, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// Of motion, with the drives' armature.
    pub kinetic: f64,
    /// Of height (zero at the world's origin) and of springs.
    pub potential: f64,
}

impl Energy {
    /// Both together.
    pub fn total(self) -> f64 {
        self.kinetic + self.potential
    }
}

impl Multibody {
    /// Kinetic and potential energy of a state.
    pub fn energy(&self, q: &[f64], v: &[f64], ws: &mut Workspace) -> Energy {
        self.kinematics(q, v, ws);
        let mut energy = Energy::default();
        for (k, link) in self.links.iter().enumerate() {
            let s = &ws.states[k + 1];
            let com = s.rot * link.com;
            let lin = s.velocity.at(com).lin;
            let spin = s.rot.transpose().mul_vec3(s.velocity.ang);
            energy.kinetic +=
                0.5 * (link.mass * lin.length_squared() + spin.dot(link.tensor.times(spin)));
            energy.potential -= link.mass * self.gravity.dot(s.pos + com);
            let dof = link.v as usize;
            for c in 0..crate::crba::freedoms(link.kind) {
                energy.kinetic += 0.5 * link.armature * v[dof + c] * v[dof + c];
            }
            energy.potential += self.spring_energy(k, q);
        }
        energy.potential += self.surroundings.energy(self, q);
        energy
    }

    fn spring_energy(&self, k: usize, q: &[f64]) -> f64 {
        let joint = &self.link(k).joint;
        let at = self.position_index(k);
        if joint.stiffness == 0.0 {
            return 0.0;
        }
        let square = match joint.kind {
            JointKind::Fixed => 0.0,
            JointKind::Hinge(_) | JointKind::Slide(_) => {
                let d = q[at] - joint.spring_reference;
                d * d
            }
            JointKind::Ball => {
                crate::coordinates::rotation_vector(attitude(&q[at..at + 4])).length_squared()
            }
            JointKind::Free => {
                let rest = self.link(k).placement;
                let d = Vec3::new(q[at], q[at + 1], q[at + 2]) - rest.translation;
                let turn = rest.rotation.inverse() * attitude(&q[at + 3..at + 7]);
                d.length_squared() + crate::coordinates::rotation_vector(turn).length_squared()
            }
        };
        0.5 * joint.stiffness * square
    }

    /// Momentum of all links: linear, and angular about `point` of the world. Needs kinematics.
    pub fn momentum(&self, ws: &Workspace, point: Vec3) -> Force {
        let mut sum = Force::ZERO;
        for (k, link) in self.links.iter().enumerate() {
            let s = &ws.states[k + 1];
            let com = s.rot * link.com;
            let lin = s.velocity.at(com).lin * link.mass;
            let spin = link.tensor.turned(&s.rot).times(s.velocity.ang);
            sum += Force::new(spin + (s.pos + com - point).cross(lin), lin);
        }
        sum
    }

    /// Mass of all links, and their centre of mass. Needs kinematics.
    pub fn centre_of_mass(&self, ws: &Workspace) -> (f64, Vec3) {
        let mut mass = 0.0;
        let mut moment = Vec3::ZERO;
        for (k, link) in self.links.iter().enumerate() {
            let s = &ws.states[k + 1];
            mass += link.mass;
            moment += (s.pos + s.rot * link.com) * link.mass;
        }
        (mass, if mass > 0.0 { moment / mass } else { moment })
    }
}
