//! The paper's own experiment: two spheres for every water-like molecule, in a box with a divider
//! that stands still in the middle (Mirtich 5.2).

use super::elastic::{ELASTIC, normal_vector, walls};
use physics::body::Heft;
use physics::{BodyModel, Part, Pose, Quat, Shape, State, Vec3};
use rand::SeedableRng;
use rand_pcg::Pcg64Mcg;
use sim::World;

/// Edges of the box, metres.
const BOX: Vec3 = Vec3::new(8.0, 4.0, 4.0);
/// Radius of the spheres, metres.
const RADIUS: f64 = 0.15;

/// `count` bodies, one third of them molecules.
pub fn atoms(count: usize, seconds: f64, seed: u64) -> World {
    let mut world = World::new("atoms", Vec3::ZERO, seconds);
    walls(&mut world, BOX);
    let divider = Part::centred(Shape::Box {
        half_extents: Vec3::new(0.05, 0.5 * BOX.y, 0.5 * BOX.z),
    });
    let divider = BodyModel::fixed(&[divider], ELASTIC).expect("a box is a fixed body");
    let divider = world.add_model(divider);
    world.add_fixed("divider", divider, Pose::from_translation(0.5 * BOX));
    let sphere = [Part::centred(Shape::Ball { radius: RADIUS })];
    let models = [&sphere[..], &molecule()].map(|parts| {
        let model = BodyModel::dynamic(parts, Heft::Mass(1.0), ELASTIC, Vec3::ZERO);
        world.add_model(model.expect("balls are solids"))
    });
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    for (index, position) in places(count).into_iter().enumerate() {
        let is_molecule = index % 3 == 2;
        let spin = normal_vector(&mut rng) * if is_molecule { 3.0 } else { 0.0 };
        let state = State {
            position,
            velocity: normal_vector(&mut rng) * (3.0 / 3f64.sqrt()),
            rotation: Quat::IDENTITY,
            spin,
        };
        world.add_dynamic(
            format!("atom {index}"),
            models[usize::from(is_molecule)],
            state,
        );
    }
    world
}

/// An oxygen and two hydrogens at 105 degrees.
fn molecule() -> Vec<Part> {
    let hydrogen = |side: f64| {
        let angle = side * 52.5f64.to_radians();
        let at = Vec3::new(angle.sin(), angle.cos(), 0.0) * RADIUS;
        Part::at(
            Shape::Ball {
                radius: 0.6 * RADIUS,
            },
            at,
        )
    };
    let oxygen = Part::centred(Shape::Ball {
        radius: 0.9 * RADIUS,
    });
    vec![oxygen, hydrogen(1.0), hydrogen(-1.0)]
}

/// Places on two lattices of cubes, one on each side of the divider.
fn places(count: usize) -> Vec<Vec3> {
    let per_edge = (count as f64 / 2.0).cbrt().ceil() as usize;
    let spacing = BOX.y / per_edge as f64;
    let mut places = Vec::with_capacity(count);
    for index in 0..count {
        let (side, place) = (index % 2, index / 2);
        let cell = [
            place % per_edge,
            place / per_edge % per_edge,
            place / (per_edge * per_edge),
        ];
        let at = Vec3::from_array(cell.map(|c| c as f64 + 0.5)) * spacing;
        places.push(at + Vec3::X * (side as f64 * 0.5 * BOX.x));
    }
    places
}
