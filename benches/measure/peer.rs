//! A world of spheres and walls, built again in Rapier.

use rapier3d_f64::prelude as rapier;
use sim::World;

/// The same spheres and walls in Rapier, and which body is whose.
pub fn rapier_world(
    world: &World,
    hertz: u32,
) -> (rapier::PhysicsWorld, Vec<(usize, rapier::RigidBodyHandle)>) {
    let mut physics = rapier::PhysicsWorld {
        gravity: world.gravity,
        ..Default::default()
    };
    physics.integration_parameters.dt = 1.0 / f64::from(hertz);
    let mut handles = Vec::new();
    for (index, body) in world.bodies.iter().enumerate() {
        let model = &world.models[body.model.place()];
        let material = model.material;
        let with_material = |collider: rapier::ColliderBuilder| {
            collider
                .restitution(material.restitution)
                .friction(material.friction)
                .restitution_combine_rule(rapier::CoefficientCombineRule::Max)
        };
        let at = body.start.position;
        let shape = &model.collider.described[0].shape;
        if let physics::Shape::HalfSpace { normal } = shape {
            let wall = rapier::ColliderBuilder::new(rapier::SharedShape::halfspace(*normal));
            let fixed = rapier::RigidBodyBuilder::fixed().translation(at);
            physics.insert(fixed, with_material(wall));
            continue;
        }
        let &physics::Shape::Ball { radius } = shape else {
            panic!("only balls and half-spaces are known here");
        };
        // A gas never sleeps; whatever falls may, as Rapier sees fit.
        let ball = rapier::RigidBodyBuilder::dynamic()
            .translation(at)
            .linvel(body.start.velocity)
            .ccd_enabled(true)
            .can_sleep(world.gravity != rapier::Vector::ZERO);
        let collider = rapier::ColliderBuilder::ball(radius).mass(model.mass.mass);
        let (handle, _) = physics.insert(ball, with_material(collider));
        handles.push((index, handle));
    }
    (physics, handles)
}
