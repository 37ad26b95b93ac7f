//! Mechanical energy of a world: kinetic, rotational, and potential in uniform gravity, joules.

use physics::State;
use sim::{Kind, World};

/// Energy at one moment.
#[derive(Clone, Copy, Debug)]
pub struct Energy {
    /// Of motion and rotation.
    pub kinetic: f64,
    /// In uniform gravity, relative to the origin.
    pub potential: f64,
}

impl Energy {
    /// The energy of all dynamic bodies.
    pub fn of(world: &World, states: &[State]) -> Self {
        let mut energy = Energy {
            kinetic: 0.0,
            potential: 0.0,
        };
        for (body, state) in world.bodies.iter().zip(states) {
            if body.kind != Kind::Dynamic {
                continue;
            }
            let model = &world.models[body.model as usize];
            let mass = model.mass;
            let spin = state.rotation.inverse() * state.spin;
            energy.kinetic += 0.5 * mass.mass * state.velocity.length_squared();
            energy.kinetic += 0.5 * spin.dot(mass.inertia * spin);
            energy.potential -= mass.mass * model.gravity.dot(state.position);
        }
        energy
    }

    /// The energy at the start of a world.
    pub fn at_start(world: &World) -> Self {
        let states: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
        Energy::of(world, &states)
    }

    /// Change from `self` to `later`, relative to the largest amount that moved about.
    pub fn drift(&self, later: &Energy) -> f64 {
        let exchanged = (later.potential - self.potential).abs();
        let scale = self.kinetic.max(later.kinetic).max(exchanged);
        if scale == 0.0 {
            return 0.0;
        }
        (later.kinetic + later.potential - self.kinetic - self.potential) / scale
    }
}

/// Why a world's energy may change: something in it does work or takes energy away.
pub fn is_conserved(world: &World) -> bool {
    let conservative = |body: &sim::Body| {
        let model = &world.models[body.model as usize];
        match body.kind {
            Kind::Fixed => true,
            Kind::Kinematic => body.script.as_ref().is_none_or(sim::Script::is_still),
            Kind::Dynamic => {
                let elastic = model.material.restitution == 1.0;
                elastic && model.damping == [0.0; 2] && model.field.is_none()
            }
        }
    };
    world.deformables.is_empty() && world.bodies.iter().all(conservative)
}
