//! What users do to multibodies: impulses on links and signals to motors, in time or late; controllers that remember in
//! slots, and one that does not; simulations that are saved and resumed.

use physics::{State, Vec3};
use record::HistoryHash;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use warp::Tick;
use warpline_sim::scene::load;
use warpline_sim::{
    Action, Algorithm, BodyId, CheckpointError, Control, Controller, Input, InputError, LookAhead,
    Simulation, SimulationError, World,
};

/// A cart on two wheels and a skid that drives against a box, and an arm that a ball hits.
const YARD: &str = r#"
name = "yard"
until = 100
[contact]
[materials.rubber]
friction = 0.9
restitution = 0
[materials.steel]
restitution = 0.8
friction = 0.1
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
material = "rubber"
[[body]]
name = "box"
shape = { box = [0.3, 0.3, 0.3] }
position = [1.4, 0.16, 0]
density = 100
material = "rubber"
[[body]]
name = "ball"
shape = { ball = 0.1 }
mass = 0.3
position = [3, 2.1, 4]
velocity = [-3, 2, 0]
material = "steel"
[[multibody]]
name = "cart"
position = [0, 0.32, 0]
[[multibody.links]]
name = "chassis"
joint = "free"
shape = { box = [0.8, 0.2, 0.4] }
mass = 20
material = "rubber"
[[multibody.links]]
name = "left"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [0.2, -0.1, 0.35]
shape = { ball = 0.2 }
mass = 2
motor = { velocity = 0, damping = 5 }
material = "rubber"
[[multibody.links]]
name = "right"
parent = "chassis"
joint = "hinge"
axis = [0, 0, 1]
position = [0.2, -0.1, -0.35]
shape = { ball = 0.2 }
mass = 2
motor = { velocity = 0, damping = 5 }
material = "rubber"
[[multibody]]
name = "arm"
position = [0, 2, 4]
[[multibody.links]]
name = "rod"
joint = "hinge"
axis = [0, 0, 1]
start = 170
shape = { box = [0.1, 1, 0.1], position = [0, -0.5, 0] }
mass = 1
material = "steel"
motor = { position = 180, stiffness = 60, damping = 8 }
"#;

const CART: usize = 0;
const ARM: usize = 1;

fn yard() -> World {
    load("yard.toml", YARD, &[])
        .map_err(|error| error.message)
        .expect("sound")
        .world
}

fn body(world: &World, name: &str) -> BodyId {
    let place = world.bodies.iter().position(|body| body.name == name);
    BodyId(place.expect("there") as u32)
}

fn frame(number: u32) -> Tick {
    Tick::from_seconds(f64::from(number) / 60.0)
}

/// Wheels are told to turn, the arm to lean, and both are pushed and pulled.
fn inputs(world: &World) -> Vec<Input> {
    let input = |at: u32, name: &str, action| Input {
        at: frame(at),
        body: body(world, name),
        order: at,
        action,
    };
    let signal = |motor, value| Action::Signal { motor, value };
    let push = |impulse: [f64; 3], point: Option<[f64; 3]>| Action::Impulse {
        impulse: impulse.into(),
        point: point.map(Vec3::from),
    };
    let pull = |force: [f64; 3], frames: u32| Action::Force {
        force: force.into(),
        ticks: frame(frames).0,
    };
    vec![
        input(12, "cart.left", signal(0, -6.0)),
        input(12, "cart.chassis", signal(1, -6.0)),
        input(20, "arm.rod", signal(0, 2.0)),
        input(35, "cart.chassis", push([0.0, 30.0, 5.0], None)),
        input(41, "arm.rod", push([0.4, 0.0, 0.0], Some([0.0, 2.7, 4.0]))),
        input(50, "arm.rod", signal(0, 3.0)),
        // Two forces on the cart that overlap in time, one on the arm.
        input(24, "cart.chassis", pull([0.0, 0.0, 15.0], 22)),
        input(30, "cart.left", pull([-4.0, 1.0, 0.0], 22)),
        input(55, "arm.rod", pull([0.0, 0.0, 3.0], 7)),
    ]
}

/// Runs to frame 90 with inputs that arrive so many frames late, by way of a file at `stop` if one is given. The hash of
/// all that was committed, and the joints at the end.
fn run(world: &World, late: u32, stop: Option<u32>) -> (String, Vec<[Vec<f64>; 3]>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.warp");
    let mut sim = Simulation::new(world.clone(), 0.6).expect("a sound world");
    let mut history = HistoryHash::new();
    for number in 0..=90 {
        let arrive = |input: &&Input| input.at.0 + frame(late).0 <= frame(number).0;
        let before = |input: &&Input| input.at.0 + frame(late).0 > frame(number).0 - frame(1).0;
        for input in inputs(world).iter().filter(arrive).filter(before) {
            sim.input(*input).expect("an input in time");
        }
        sim.advance_into(frame(number), &mut history)
            .expect("it runs");
        if stop == Some(number) {
            sim.save(&path).expect("it can be saved");
            sim = Simulation::load(&path, world.clone()).expect("it can be read");
        }
    }
    let now = sim.now();
    let joints = (0..world.multibodies.len()).map(|m| sim.joints(m, now).expect("now"));
    let joints = joints.collect();
    (history.finish(), joints)
}

#[test]
fn late_targets_of_motors_and_late_pushes_change_history_as_if_in_time() {
    let world = yard();
    let (reference, joints) = run(&world, 0, None);
    // The cart has driven, and the arm leans where it was told to.
    assert!(joints[CART][0][0] > 0.5, "{:?}", joints[CART]);
    assert!((joints[ARM][0][0] - 3.0).abs() < 0.3, "{:?}", joints[ARM]);
    assert_eq!(joints[ARM][1], [3.0]);
    for late in [1, 9, 30] {
        let found = run(&world, late, None);
        assert_eq!(found.1, joints, "{late} frames late");
        assert_eq!(found.0, reference, "{late} frames late");
    }
}

#[test]
fn inputs_that_are_known_beforehand_do_what_those_do_that_come_in_time() {
    let mut world = yard();
    let (_, joints) = run(&world, 0, None);
    world.inputs = inputs(&world);
    let mut reference = None;
    for algorithm in [
        Algorithm::Ordered,
        Algorithm::TimeWarp(LookAhead::Adaptive),
        Algorithm::Checking,
    ] {
        let mut world = world.clone();
        world.until = frame(90);
        let mut history = HistoryHash::new();
        warpline_sim::run(&world, algorithm, &mut history).expect("it runs");
        let hash = history.finish();
        assert_eq!(
            *reference.get_or_insert(hash.clone()),
            hash,
            "{algorithm:?}"
        );
    }
    let mut sim = Simulation::new(world.clone(), 0.6).expect("sound");
    sim.advance(frame(90)).expect("it runs");
    for (number, joints) in joints.iter().enumerate() {
        assert_eq!(&sim.joints(number, frame(90)).expect("now"), joints);
    }
}

/// The yard without weight, its cart high above the ground.
fn yard_in_space() -> World {
    let text = YARD
        .replace("until = 100", "until = 100\ngravity = [0, 0, 0]")
        .replace("position = [0, 0.32, 0]", "position = [0, 30, 0]");
    load("yard.toml", &text, &[])
        .map_err(|error| error.message)
        .expect("sound")
        .world
}

#[test]
fn a_force_on_a_floating_tree_gives_it_its_momentum_while_it_lasts() {
    let world = yard_in_space();
    let mut sim = Simulation::new(world.clone(), 1.0).expect("sound");
    sim.advance(frame(30)).expect("it runs");
    let force = Vec3::new(3.0, -2.0, 1.0);
    sim.input(Input {
        at: frame(6),
        body: body(&world, "cart.right"),
        order: 0,
        action: Action::Force {
            force,
            ticks: frame(12).0,
        },
    })
    .expect("a late input");
    let mut momentum = |at: Tick| {
        let links = world.multibodies[CART].links.iter();
        let of = links.map(|link| {
            let state = sim.state(link.body, at).expect("retained");
            state.velocity * world.model(link.body).mass.mass
        });
        of.sum::<Vec3>()
    };
    for (at, seconds) in [(3, 0.0), (9, 0.05), (12, 0.1), (18, 0.2), (27, 0.2)] {
        let error = (momentum(frame(at)) - force * seconds).length();
        assert!(error < 1e-8, "after {at} frames: {error}");
    }
}

#[test]
fn saving_and_resuming_multibodies_leaves_no_trace() {
    let world = yard();
    let reference = run(&world, 9, None);
    for stop in [0, 1, 15, 33, 47, 61, 89] {
        assert_eq!(run(&world, 9, Some(stop)), reference, "stopped at {stop}");
    }
}

#[test]
fn an_impulse_on_a_floating_tree_is_its_change_of_momentum() {
    let world = yard_in_space();
    let mut sim = Simulation::new(world.clone(), 0.6).expect("sound");
    sim.advance(frame(5)).expect("it runs");
    let (impulse, point) = (Vec3::new(0.3, -1.2, 0.7), Vec3::new(0.3, 29.9, 0.4));
    sim.input(Input {
        at: frame(2),
        body: body(&world, "cart.left"),
        order: 0,
        action: Action::Impulse {
            impulse,
            point: Some(point),
        },
    })
    .expect("a late input");
    sim.advance(frame(6)).expect("it runs");
    let (mut linear, mut angular) = (Vec3::ZERO, Vec3::ZERO);
    for link in &world.multibodies[CART].links {
        let state: State = sim.state(link.body, frame(4)).expect("retained");
        let mass = world.model(link.body).mass;
        linear += state.velocity * mass.mass;
        let turn = state.rotation;
        let spin = turn * (mass.inertia * (turn.inverse() * state.spin));
        angular += state.position.cross(state.velocity * mass.mass) + spin;
    }
    assert!((linear - impulse).length() < 1e-9, "{linear}");
    let torque = point.cross(impulse);
    assert!((angular - torque).length() < 1e-7, "{angular} {torque}");
}

/// The arm under a controller that counts its calls in a slot, and beside it in a counter that nothing rolls back.
fn counting() -> (World, Arc<AtomicU64>) {
    let mut world = yard();
    let counter = Arc::new(AtomicU64::new(0));
    let flawed = Arc::clone(&counter);
    let run = move |control: &mut Control<'_>| {
        flawed.fetch_add(1, Ordering::Relaxed);
        control.slots[0] += 1.0;
        control.controls[0] = 3.0;
        Some(0.01)
    };
    world.multibodies[ARM].controller = Some(Controller::new(0.0, 1, Arc::new(run)));
    (world, counter)
}

#[test]
fn a_slot_counts_the_calls_that_happened_and_a_counter_elsewhere_those_that_were_undone_as_well() {
    let (world, counter) = counting();
    let mut sim = Simulation::new(world.clone(), 2.0).expect("sound");
    sim.advance(frame(60)).expect("it runs");
    let push = Input {
        at: frame(30),
        body: body(&world, "arm.rod"),
        order: 0,
        action: Action::Impulse {
            impulse: Vec3::new(0.2, 0.0, 0.0),
            point: None,
        },
    };
    sim.input(push).expect("a late input");
    sim.advance(frame(60)).expect("it runs");
    let [_, _, slots] = sim.joints(ARM, frame(60)).expect("now");
    // Calls at 0, 0.01, ..., 0.99 s are before the first second's end.
    assert_eq!(slots, [100.0]);
    // Those between half a second and the end were made twice.
    let counted = counter.load(Ordering::Relaxed);
    assert!(counted >= 145, "{counted}");
}

#[test]
fn what_links_do_not_take_is_refused_with_a_reason() {
    let world = yard();
    let mut sim = Simulation::new(world.clone(), 1.0).expect("sound");
    let mut refused = |name: &str, action| {
        let input = Input {
            at: frame(1),
            body: body(&world, name),
            order: 0,
            action,
        };
        let error = sim.input(input).expect_err("refused");
        assert!(
            matches!(error, SimulationError::Input(InputError::NotOfLink { .. })),
            "{error}"
        );
        error.to_string()
    };
    let signal = |motor, value| Action::Signal { motor, value };
    assert!(refused("arm.rod", signal(1, 0.0)).contains("none of number 1"));
    assert!(refused("ball", signal(0, 0.0)).contains("no motors"));
    assert!(refused("arm.rod", Action::Leave).contains("impulses, forces and signals"));
}

#[test]
fn a_file_with_other_multibodies_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.warp");
    let world = yard();
    let mut sim = Simulation::new(world.clone(), 0.2).expect("sound");
    sim.advance(frame(5)).expect("it runs");
    sim.save(&path).expect("it can be saved");
    assert!(Simulation::load(&path, world.clone()).is_ok());
    let mut other = world;
    other.multibodies[ARM].controls[0] = 1.0;
    assert!(matches!(
        Simulation::load(&path, other),
        Err(CheckpointError::OtherWorld { .. })
    ));
}
