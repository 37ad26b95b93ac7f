//! Energy and momentum of a state, sampled at the half kick: an explicit asynchronous integrator
//! conserves the energy of positions at t with velocities halfway through the kicks due at t.

use crate::acm::detect::distance::closest;
use crate::acm::forces::integrate::{Bucket, drift};
use crate::acm::forces::internal;
use crate::acm::forces::penalty::PenaltyForces;
use crate::acm::forces::rigid::Rigid;
use crate::acm::{RigidState, ShellModel, ShellState, Threads, seconds};
use glamx::DVec3;

/// Energies of a state, in J.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Energy {
    /// Of motion.
    pub kinetic: f64,
    /// In stretching.
    pub membrane: f64,
    /// In bending.
    pub bending: f64,
    /// In gravity, relative to the origin.
    pub gravity: f64,
    /// In penalty layers.
    pub contact: f64,
}

impl Energy {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.kinetic + self.membrane + self.bending + self.gravity + self.contact
    }

    /// Energy of `state` at its own time.
    pub fn of(model: &ShellModel, state: &ShellState) -> Energy {
        let at = synchronised(state);
        let mut energy = Energy::default();
        for m in &model.membranes {
            energy.membrane += m.energy(m.vertices.map(|v| at.x[v as usize]));
        }
        for h in &model.hinges {
            energy.bending += h.energy(h.vertices.map(|v| at.x[v as usize]));
        }
        for &(pair, layers) in state.contacts.entries() {
            let x = pair.stencil(&model.topology).map(|v| at.x[v as usize]);
            let distance = closest(pair.kind(), &x).separation.length();
            for layer in (1..=layers).map(|depth| model.layers.at(depth)) {
                let depth = (layer.thickness_m - distance).max(0.0);
                energy.contact += 0.5 * layer.stiffness_n_m * depth * depth;
            }
        }
        let halfway = half_kicked(model, at);
        for i in 0..model.dynamic {
            energy.kinetic += 0.5 * model.mass[i] * halfway.v[i].length_squared();
            energy.gravity -= model.mass[i] * model.gravity.dot(halfway.x[i]);
        }
        energy
    }
}

impl ShellState {
    /// Linear momentum of the dynamic vertices and of the rigid bodies, in kg m/s.
    pub fn momentum(&self, model: &ShellModel) -> DVec3 {
        let vertices: DVec3 = (0..model.dynamic).map(|i| self.v[i] * model.mass[i]).sum();
        let pushed = model.rigids.iter().zip(&self.rigid);
        let pushed = pushed.filter(|(rigid, _)| rigid.body.inverse_mass > 0.0);
        let of = |(rigid, state): (&Rigid, &RigidState)| {
            state.at(self.now).course.velocity / rigid.body.inverse_mass
        };
        vertices + pushed.map(of).sum::<DVec3>()
    }

    /// Angular momentum of the dynamic vertices and of the rigid bodies about the origin, in kg m^2/s.
    pub fn angular_momentum(&self, model: &ShellModel) -> DVec3 {
        let of_vertex = |i: usize| {
            self.position_at(i, self.now)
                .cross(self.v[i] * model.mass[i])
        };
        let of_body = |(rigid, state): (&Rigid, &RigidState)| {
            let now = state.at(self.now);
            let own = now.rotation.inverse() * now.course.spin;
            let moving = now.course.velocity / rigid.body.inverse_mass;
            now.position.cross(moving) + now.rotation * (own / rigid.body.inverse_inertia)
        };
        let bodies = model.rigids.iter().zip(&self.rigid);
        let bodies = bodies.filter(|(rigid, _)| rigid.body.inverse_mass > 0.0);
        (0..model.dynamic).map(of_vertex).sum::<DVec3>() + bodies.map(of_body).sum::<DVec3>()
    }
}

fn synchronised(state: &ShellState) -> ShellState {
    let mut at = state.clone();
    for i in 0..at.x.len() {
        drift(&mut at, i, state.now);
    }
    at
}

/// Adds half of every kick that is due at the state's time.
fn half_kicked(model: &ShellModel, mut at: ShellState) -> ShellState {
    let before = at.v.clone();
    let t = at.now;
    let mut contacts = Vec::new();
    at.contacts.buckets(model, &mut contacts);
    for bucket in model.buckets(at.contacts.deepest()) {
        let step = model.step_of(bucket);
        if t < step || t % step != 0 {
            continue;
        }
        match bucket {
            Bucket::Motion => {}
            Bucket::Gravity => at.v[..model.dynamic]
                .iter_mut()
                .for_each(|v| *v += model.gravity * seconds(step)),
            Bucket::Internal => {
                let forces = internal::forces(model, &at);
                let kicks = at.v.iter_mut().zip(&forces).zip(&model.inverse_mass);
                kicks.for_each(|((v, f), w)| *v += *f * (seconds(step) * w));
            }
            Bucket::Penalty(depth) => {
                let bucket = &contacts[depth as usize - 1];
                let mut penalty = PenaltyForces::default();
                penalty.evaluate(model, &at, t, depth, bucket, &Threads::new(1));
                penalty.kick(model, &mut at, t, bucket);
            }
        }
    }
    for (v, before) in at.v.iter_mut().zip(before) {
        *v = (*v + before) * 0.5;
    }
    at
}
