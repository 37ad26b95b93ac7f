//! What the elastic scenes share: their surface, their walls, their velocities.

use physics::{BodyModel, Material, Part, Pose, Shape, Vec3};
use rand::{Rng, RngExt};
use sim::World;

/// Perfectly elastic and smooth.
pub const ELASTIC: Material = Material {
    restitution: 1.0,
    friction: 0.0,
};

/// Six half-spaces that bound a box of these edges (metres) with one corner in the origin.
pub fn walls(world: &mut World, edges: Vec3) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for (normal, at) in [(axis, Vec3::ZERO), (-axis, axis * edges)] {
            let part = Part::centred(Shape::HalfSpace { normal });
            let model = BodyModel::fixed(&[part], ELASTIC).expect("a half-space is a fixed body");
            let model = world.add_model(model);
            world.add_fixed(format!("wall {normal}"), model, Pose::from_translation(at));
        }
    }
}

/// Three independent normal deviates, each from the sum of twelve uniform ones.
pub fn normal_vector(rng: &mut impl Rng) -> Vec3 {
    let mut normal = || (0..12).map(|_| rng.random::<f64>()).sum::<f64>() - 6.0;
    Vec3::new(normal(), normal(), normal())
}
