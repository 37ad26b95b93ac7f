//! Springs in joints and motors that aim at a position, against closed forms.

use physics::Vec3;
use record::HistoryHash;
use warp::Tick;
use warpline_sim::{Algorithm, BodyId, LookAhead, Simulation, World, run, scene};

fn world(text: &str) -> World {
    let loaded = scene::load("springs.toml", text, &[]);
    loaded.unwrap_or_else(|e| panic!("{e}")).world
}

/// A ball of a kilogram at x = `start` that something holds to the origin along x.
fn held(start: f64, gravity: f64, joint: &str) -> World {
    world(&format!(
        r#"
name = "held"
until = 1
gravity = [{gravity}, 0, 0]

[contact]

[[body]]
name = "wall"
kind = "fixed"
shape = {{ box = [0.1, 0.1, 0.1] }}

[[body]]
name = "bob"
shape = {{ ball = 0.1 }}
mass = 1
position = [{start}, 0, 0]

[[joint]]
bodies = ["wall", "bob"]
{joint}
"#
    ))
}

/// Positions of the second body along x, a hundred times a second.
fn path(world: World, seconds: f64) -> Vec<(f64, Vec3)> {
    let mut sim = Simulation::new(world, 0.1).expect("a sound world");
    let count = (seconds * 100.0) as u32;
    let mut path = Vec::new();
    for k in 1..=count {
        let at = f64::from(k) / 100.0;
        sim.advance(Tick::from_seconds(at)).expect("it runs");
        let state = sim.state(BodyId(1), Tick::from_seconds(at));
        path.push((at, state.expect("it is there").position));
    }
    path
}

/// The solver pushes and then moves, 480 times a second: a swing at 10 rad/s is ahead by half a sub-step, which is
/// 1.04 % of its amplitude where it is fastest.
const OFF: f64 = 1.1 * 10.0 * 0.5 / 480.0;

#[test]
fn a_spring_swings_as_it_must() {
    let joint = "kind = \"spring\"\nspring = { stiffness = 100, rest = 1 }";
    for (at, position) in path(held(1.2, 0.0, joint), 3.0) {
        let expected = 1.0 + 0.2 * (10.0 * at).cos();
        assert!(
            (position.x - expected).abs() < 0.2 * OFF,
            "{at}: {position}"
        );
        assert!(position.y.abs() + position.z.abs() < 1e-9);
    }
}

#[test]
fn a_spring_in_a_field_swings_about_where_it_balances() {
    let joint = "kind = \"spring\"\nspring = { stiffness = 100 }";
    for (at, position) in path(held(1.0, 9.81, joint), 3.0) {
        let expected = 1.0 + 0.0981 * (1.0 - (10.0 * at).cos());
        assert!(
            (position.x - expected).abs() < 0.0981 * OFF,
            "{at}: {position}"
        );
    }
}

#[test]
fn damping_takes_away_what_it_must() {
    let joint = "kind = \"slider\"\naxis = [1, 0, 0]\nanchor = [0, 0, 0]\nspring = { stiffness = 100, damping = 2, rest = -0.2 }";
    // Damped by a tenth of what is critical.
    let (decay, turn) = (1.0f64, 99.0f64.sqrt());
    for (at, position) in path(held(1.0, 0.0, joint), 3.0) {
        let wave = (turn * at).cos() + decay / turn * (turn * at).sin();
        let expected = 0.8 + 0.2 * (-decay * at).exp() * wave;
        assert!(
            (position.x - expected).abs() < 0.2 * OFF,
            "{at}: {position}"
        );
    }
}

#[test]
fn a_hinge_with_a_spring_swings_as_a_torsion_pendulum() {
    let joint = "kind = \"hinge\"\naxis = [0, 0, 1]\nanchor = [0, 0, 0]\nspring = { stiffness = 50, rest = 10 }";
    // A ball of radius 0.1 m at 1 m from the axis.
    let inertia = 1.0 + 0.4 * 0.01;
    let turn = (50.0f64 / inertia).sqrt();
    let rest = 10.0f64.to_radians();
    for (at, position) in path(held(1.0, 0.0, joint), 3.0) {
        let expected = rest * (1.0 - (turn * at).cos());
        let angle = position.y.atan2(position.x);
        assert!(
            (angle - expected).abs() < rest * OFF,
            "{at}: {angle} {expected}"
        );
    }
}

#[test]
fn a_motor_that_aims_at_a_position_goes_there_with_its_strength() {
    let joint = "kind = \"slider\"\naxis = [1, 0, 0]\nanchor = [0, 0, 0]\n\
                 motor = { position = 0.5, force = 2, stiffness = 100, damping = 20 }";
    let path = path(held(1.0, 0.0, joint), 4.0);
    // As long as more is missing than two centimetres and speed does not matter yet, it pushes as hard as it can.
    for (at, position) in path.iter().filter(|(at, _)| *at <= 0.3) {
        let expected = 1.0 + 0.5 * 2.0 * at * at;
        assert!((position.x - expected).abs() < 1e-3, "{at}: {position}");
    }
    let (_, last) = path[path.len() - 1];
    assert!((last.x - 1.5).abs() < 1e-4, "{last}");
    // What pulls at it for ever leaves it off by that over its stiffness.
    let sagging = held(1.0, 1.0, joint);
    let path = self::path(sagging, 4.0);
    let (_, last) = path[path.len() - 1];
    assert!((last.x - 1.51).abs() < 1e-4, "{last}");
}

#[test]
fn a_spring_of_any_stiffness_is_stable() {
    for stiffness in [1e4, 1e6, 1e9, 1e12] {
        let joint = format!("kind = \"spring\"\nspring = {{ stiffness = {stiffness}, rest = 1 }}");
        for (at, position) in path(held(1.05, 9.81, &joint), 1.0) {
            let off = (position.x - 1.0).abs();
            assert!(
                off < 0.0501 + 9.81 / stiffness,
                "{stiffness}, {at}: {position}"
            );
        }
    }
}

#[test]
fn springs_have_one_history() {
    let text = r#"
name = "sprung"
until = 0.6

[contact]

[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }

[[body]]
for = "i = 1 to 6"
name = "ball $i"
shape = { ball = 0.1 }
position = ["0.35 * $i", "0.2 + 0.05 * $i", 0]
restitution = 0.3

[[joint]]
chain = "ball"
kind = "spring"
spring = { stiffness = 200, damping = 1, rest = 0.3 }
"#;
    let world = world(text);
    let hash = |algorithm| {
        let mut history = HistoryHash::new();
        run(&world, algorithm, &mut history).expect("it runs");
        history.finish()
    };
    let reference = hash(Algorithm::Ordered);
    for algorithm in [
        Algorithm::TimeWarp(LookAhead::Adaptive),
        Algorithm::TimeWarp(LookAhead::Seconds(0.1)),
        Algorithm::Checking,
    ] {
        assert_eq!(hash(algorithm), reference, "{algorithm:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (joint, words) in [
        ("kind = \"spring\"", "spring"),
        (
            "kind = \"ball\"\nspring = { stiffness = 1 }",
            "a ball joint has no `spring`",
        ),
        (
            "kind = \"spring\"\nspring = { stiffness = -1 }",
            "stiffness",
        ),
        (
            "kind = \"slider\"\naxis = [1, 0, 0]\nmotor = { position = 1, speed = 1, force = 1 }",
            "not both",
        ),
        (
            "kind = \"slider\"\naxis = [1, 0, 0]\nmotor = { stiffness = 1, force = 1 }",
            "has no `stiffness`",
        ),
        (
            "kind = \"slider\"\naxis = [1, 0, 0]\nmotor = { position = 1, force = 1 }\nspring = { stiffness = 1 }",
            "leave out one",
        ),
    ] {
        let text = format!(
            "name = \"x\"\nuntil = 1\n[contact]\n[[body]]\nname = \"a\"\nshape = {{ ball = 0.1 }}\n\
             [[body]]\nname = \"b\"\nshape = {{ ball = 0.1 }}\nposition = [1, 0, 0]\n[[joint]]\nbodies = [\"a\", \"b\"]\n{joint}\n"
        );
        let refused = scene::load("x.toml", &text, &[]).err();
        let message = refused
            .unwrap_or_else(|| panic!("{joint} was taken"))
            .message
            .clone();
        assert!(message.contains(words), "{joint}: {message}");
    }
}
