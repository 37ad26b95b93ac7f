//! A gas of elastic spheres in a box: the scene that every engine is measured on.

use super::elastic::{ELASTIC, normal_vector, walls};
use physics::body::Heft;
use physics::{BodyModel, Part, Quat, Shape, State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use sim::World;

/// What a gas is made of.
#[derive(Clone, Copy)]
pub struct Gas {
    /// Spheres.
    pub count: usize,
    /// Their radius, metres.
    pub radius: f64,
    /// Edge of the box, metres.
    pub edge: f64,
    /// Root mean square speed, m/s.
    pub speed: f64,
}

/// Spheres on a lattice with a Maxwell distribution of velocities, in a box of half-spaces.
pub fn gas(gas: Gas, seconds: f64, seed: u64) -> World {
    let mut world = World::new("gas", Vec3::ZERO, seconds);
    walls(&mut world, Vec3::splat(gas.edge));
    let radius = gas.radius;
    let ball = Part::centred(Shape::Ball { radius });
    let ball = BodyModel::dynamic(&[ball], Heft::Mass(1.0), ELASTIC, Vec3::ZERO);
    let ball = world.add_model(ball.expect("a ball is a solid"));
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let per_edge = (gas.count as f64).cbrt().ceil() as usize;
    let spacing = gas.edge / per_edge as f64;
    let room = (0.5 * spacing - radius).max(0.0);
    for place in 0..gas.count {
        let cell = [
            place % per_edge,
            place / per_edge % per_edge,
            place / (per_edge * per_edge),
        ];
        let corner = Vec3::from_array(cell.map(|c| c as f64 + 0.5)) * spacing;
        let nudge = Vec3::from_array(std::array::from_fn(|_| rng.random::<f64>() * 2.0 - 1.0));
        let state = State {
            position: corner + nudge * (0.99 * room),
            velocity: normal_vector(&mut rng) * (gas.speed / 3f64.sqrt()),
            rotation: Quat::IDENTITY,
            spin: Vec3::ZERO,
        };
        world.add_dynamic(format!("ball {place}"), ball, state);
    }
    world
}
