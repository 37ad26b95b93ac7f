//! Sleep is local: what is disturbed wakes, what is not stays; and nobody hangs in the air.

use physics::body::Heft;
use physics::groups::Settings;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use warp::Tick;
use warpline_sim::{Action, BodyId, ContactRules, Input, Simulation, World};

const HALF: f64 = 0.15;

/// Towers of boxes on a floor, two metres apart.
fn towers(count: u32, height: u32) -> World {
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut world = World::new("towers", gravity, 10.0);
    world.contact = Some(ContactRules::soft_step(Settings::default()).expect("sound settings"));
    let material = Material {
        restitution: 0.1,
        friction: 0.6,
    };
    let floor = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let floor = world.add_model(BodyModel::fixed(&[floor], material).expect("a half-space"));
    world.add_fixed("floor", floor, Pose::IDENTITY);
    let cube = Part::centred(Shape::Box {
        half_extents: Vec3::splat(HALF),
    });
    let cube = BodyModel::dynamic(&[cube], Heft::Mass(2.0), material, gravity).expect("a box");
    let cube = world.add_model(cube);
    for tower in 0..count {
        for level in 0..height {
            let at = Vec3::new(
                2.0 * f64::from(tower),
                (HALF + 1e-3) * (1.0 + 2.0 * f64::from(level)),
                0.0,
            );
            let state = State::at_rest(Pose::from_translation(at));
            world.add_dynamic(format!("box {tower} {level}"), cube, state);
        }
    }
    world
}

fn asleep(sim: &mut Simulation, body: u32) -> bool {
    let now = sim.now();
    let state = sim.state(BodyId(body), now).expect("it is there");
    state.velocity == Vec3::ZERO && state.spin == Vec3::ZERO
}

fn height(sim: &mut Simulation, body: u32) -> f64 {
    let now = sim.now();
    sim.state(BodyId(body), now)
        .expect("it is there")
        .position
        .y
}

#[test]
fn a_tower_whose_foot_is_taken_away_comes_down() {
    let world = towers(2, 4);
    let mut sim = Simulation::new(world, 0.5).expect("a sound world");
    sim.advance(Tick::from_seconds(3.0)).expect("it runs");
    assert!((1..=8).all(|body| asleep(&mut sim, body)));
    let steps = sim.stats().group_steps;
    sim.advance(Tick::from_seconds(30.0)).expect("it runs");
    assert_eq!(sim.stats().group_steps, steps, "sleep costs nothing");
    let before: Vec<f64> = (1..=8).map(|body| height(&mut sim, body)).collect();
    // Late, too: the foot has been gone for a quarter of a second already.
    let change = sim.input(Input {
        at: Tick::from_seconds(29.75),
        body: BodyId(1),
        order: 0,
        action: Action::Leave,
    });
    let changed = change.expect("a sound input").changed;
    assert!(changed.iter().all(|(body, _)| body.0 <= 4), "{changed:?}");
    sim.advance(Tick::from_seconds(33.0)).expect("it runs");
    for body in 2..=4 {
        let fallen = before[body as usize - 1] - height(&mut sim, body);
        assert!(
            (fallen - 2.0 * HALF).abs() < 5e-3,
            "box {body} fell {fallen} m"
        );
        assert!(asleep(&mut sim, body), "and sleeps again");
    }
    for body in 5..=8 {
        assert_eq!(height(&mut sim, body), before[body as usize - 1]);
    }
}

#[test]
fn a_push_wakes_the_tower_it_is_felt_in() {
    let world = towers(3, 3);
    let mut sim = Simulation::new(world, 0.5).expect("a sound world");
    sim.advance(Tick::from_seconds(3.0)).expect("it runs");
    let change = sim.input(Input {
        at: sim.now(),
        body: BodyId(6),
        order: 0,
        action: Action::Impulse {
            impulse: Vec3::new(3.0, 0.0, 0.0),
            point: None,
        },
    });
    change.expect("a sound input");
    sim.advance(Tick::from_seconds(3.1)).expect("it runs");
    assert!(!asleep(&mut sim, 6), "the box that was pushed slides");
    for body in [1, 2, 3, 7, 8, 9] {
        assert!(asleep(&mut sim, body), "box {body} felt nothing");
    }
    sim.advance(Tick::from_seconds(8.0)).expect("it runs");
    assert!((1..=9).all(|body| asleep(&mut sim, body)));
    assert!(height(&mut sim, 6) < HALF + 0.01, "it lies on the floor");
}
