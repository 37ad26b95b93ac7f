//! The same bodies in Rapier: shapes, poses, velocities, densities and materials of a world.

use physics::{Shape, State};
use rapier3d_f64::prelude as rapier;
use sim::World;
use sim::world::Kind;

/// A world in Rapier, and the handles of its dynamic bodies.
pub struct Copy {
    pub physics: rapier::PhysicsWorld,
    pub handles: Vec<(usize, rapier::RigidBodyHandle)>,
}

impl Copy {
    /// Copies a world of fixed and dynamic bodies of `density`, stepped at `hertz`.
    pub fn of(world: &World, density: f64, hertz: u32) -> Self {
        let mut physics = rapier::PhysicsWorld {
            gravity: world.gravity,
            ..Default::default()
        };
        physics.integration_parameters.dt = 1.0 / f64::from(hertz);
        let mut handles = Vec::new();
        for (index, body) in world.bodies.iter().enumerate() {
            let model = &world.models[body.model.place()];
            let builder = match body.kind {
                Kind::Dynamic => rapier::RigidBodyBuilder::dynamic()
                    .linvel(body.start.velocity)
                    .angvel(body.start.spin),
                _ => rapier::RigidBodyBuilder::fixed(),
            };
            let handle = physics.bodies.insert(builder.pose(body.start.pose()));
            for part in &model.collider.described {
                let collider = rapier::ColliderBuilder::new(shape(&part.shape))
                    .position(part.pose)
                    .density(density)
                    .restitution(model.material.restitution)
                    .friction(model.material.friction)
                    .restitution_combine_rule(rapier::CoefficientCombineRule::Max)
                    .friction_combine_rule(rapier::CoefficientCombineRule::Min);
                physics
                    .colliders
                    .insert_with_parent(collider, handle, &mut physics.bodies);
            }
            if body.kind == Kind::Dynamic {
                handles.push((index, handle));
            }
        }
        Copy { physics, handles }
    }

    /// Writes where the dynamic bodies are now into `states`; not every benchmark looks at overlaps.
    #[allow(dead_code)]
    pub fn read(&self, states: &mut [State]) {
        for (body, handle) in &self.handles {
            let at = self.physics.bodies[*handle].position();
            states[*body].position = at.translation;
            states[*body].rotation = at.rotation;
        }
    }
}

fn shape(shape: &Shape) -> rapier::SharedShape {
    match physics::collider::parry_shape(shape) {
        Ok(shape) => shape,
        Err(error) => panic!("a shape that Rapier cannot have: {error}"),
    }
}
