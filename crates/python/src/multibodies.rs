//! What a world's multibodies are: their joints, links and motors.

use warpline::sim::World;

/// A multibody: its name, the names of its joints with their places among positions and velocities, the names of its
/// links, and how many motors it has.
pub type Described = (String, Vec<(String, usize, usize)>, Vec<String>, usize);

/// The multibodies of a world.
pub fn described(world: &World) -> Vec<Described> {
    let of = |made: &warpline::sim::MultibodyBody| {
        let joints = made.joints.iter().enumerate().map(|(link, name)| {
            let q = made.model.position_index(link);
            let v = made.model.velocity_index(link);
            (name.clone(), q, v)
        });
        let links = made.links.iter().map(|link| {
            let body = &world.bodies[link.body.index()];
            body.name.clone()
        });
        (
            made.name.clone(),
            joints.collect(),
            links.collect(),
            made.motors.len(),
        )
    };
    world.multibodies.iter().map(of).collect()
}
