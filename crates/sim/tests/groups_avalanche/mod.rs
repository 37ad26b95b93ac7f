//! The avalanche loses nothing: no rock gets under the mountain, and the largest overlap of rocks of
//! half a metre stays below five millimetres, as an independent routine finds it.
//!
//! The whole 45 seconds: `cargo nextest run --release -p warpline-sim groups_avalanche::
//! --run-ignored all --no-capture`.

use crate::groups_yard;
mod separating_axes;

use groups_yard::load;
use physics::{Pose, State, Vec3};
use separating_axes::Polytope;
use warp::Tick;
use warpline_sim::{BodyId, Kind, Simulation, World};

/// Looks at the rocks, per second.
const LOOKS: f64 = 20.0;
/// The largest overlap, metres.
const DEEPEST: f64 = 5e-3;

fn polytope(world: &World, body: BodyId, pose: &Pose) -> Option<Polytope> {
    let model = world.model(body);
    model
        .collider
        .parts
        .first()
        .and_then(|part| Polytope::of(part, pose))
}

/// The largest overlaps seen so far, metres.
#[derive(Debug, Default)]
struct Depths {
    rocks: f64,
    ground: f64,
}

struct Mountain {
    slabs: Vec<Polytope>,
    /// Outward normals of the half-spaces, and points on them.
    planes: Vec<(Vec3, Vec3)>,
    rocks: Vec<BodyId>,
}

impl Mountain {
    fn of(world: &World) -> Self {
        let (mut slabs, mut planes, mut rocks) = (Vec::new(), Vec::new(), Vec::new());
        for (index, body) in world.bodies.iter().enumerate() {
            let (id, pose) = (BodyId(index as u32), body.start.pose());
            if body.kind == Kind::Dynamic {
                rocks.push(id);
            } else if let Some(slab) = polytope(world, id, &pose) {
                slabs.push(slab);
            } else if let physics::collider::Core::HalfSpace { normal, offset } =
                world.model(id).collider.parts[0].core
            {
                let normal_here = pose.rotation * normal;
                planes.push((normal_here, pose * (normal * offset)));
            }
        }
        Mountain {
            slabs,
            planes,
            rocks,
        }
    }

    /// Measures how deep the rocks lie in each other and in the ground, and refuses rocks below it.
    fn look(&self, world: &World, states: &[State], seconds: f64, depths: &mut Depths) {
        let all = self.rocks.iter().zip(states);
        let solids = all.map(|(rock, state)| polytope(world, *rock, &state.pose()));
        let solids: Vec<Polytope> = solids.map(|s| s.expect("a rock is a hull")).collect();
        for (k, rock) in solids.iter().enumerate() {
            for other in &solids[..k] {
                depths.rocks = depths.rocks.max(rock.overlap(other));
            }
            for slab in &self.slabs {
                depths.ground = depths.ground.max(rock.overlap(slab));
                let name = &world.bodies[self.rocks[k].index()].name;
                assert!(
                    !slab.is_above(rock.centre),
                    "{name} is under the mountain at {seconds} s"
                );
            }
            for (normal, point) in &self.planes {
                let lowest = rock.points.iter().map(|p| normal.dot(*p - *point));
                depths.ground = depths.ground.max(-lowest.fold(f64::INFINITY, f64::min));
            }
        }
    }
}

fn assert_nothing_is_lost(settings: &[&str], seconds: f64) {
    let world = load("avalanche", settings);
    let mountain = Mountain::of(&world);
    let mut simulation = Simulation::new(world.clone(), 0.1).expect("a sound world");
    let mut depths = Depths::default();
    for look in 1..=(seconds * LOOKS) as u32 {
        let now = f64::from(look) / LOOKS;
        let tick = Tick::from_seconds(now);
        simulation.advance(tick).expect("it is simulated");
        let state = |rock: &BodyId| simulation.state(*rock, tick).expect("it is there");
        let states: Vec<State> = mountain.rocks.iter().map(state).collect();
        mountain.look(&world, &states, now, &mut depths);
    }
    eprintln!("largest overlaps in {seconds} s: {depths:?} m");
    assert!(
        depths.rocks < DEEPEST && depths.ground < DEEPEST,
        "{depths:?} m"
    );
}

#[test]
fn nothing_is_lost_at_first() {
    assert_nothing_is_lost(&["duration=4", "rocks=40"], 3.9);
}

#[test]
#[ignore = "takes a minute; run it with --release"]
fn nothing_is_lost() {
    assert_nothing_is_lost(&[], 44.9);
}
