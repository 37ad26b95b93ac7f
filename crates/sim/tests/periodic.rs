//! A periodic box: what leaves on one side comes in on the other, bodies meet across the sides, and nothing of it depends
//! on who simulates it.

use physics::{State, Vec3};
use record::{Event, HistoryHash, Segment};
use std::f64::consts::PI;
use warp::Tick;
use warpline_sim::scene::{self, Override};
use warpline_sim::{
    Action, Algorithm, BodyId, Discard, History, Input, LookAhead, RunError, Simulation, Stats,
    World, run,
};

fn load(text: &str, overrides: &[&str]) -> World {
    let overrides: Vec<Override> = overrides
        .iter()
        .map(|o| Override::parse(o).expect("an override"))
        .collect();
    match scene::load("periodic", text, &overrides) {
        Ok(scene) => scene.world,
        Err(error) => panic!("{error}"),
    }
}

const PAIR: &str = r#"
name = "pair"
until = 3
gravity = [0, 0, 0]
[box]
min = [-1, -1, -1]
max = [1, 1, 1]
periodic = ["x", "y", "z"]
[[body]]
name = "a"
shape = { ball = 0.1 }
mass = 1
restitution = 1
friction = 0
position = [0.5, 0, 0]
velocity = [1, 0, 0]
[[body]]
name = "b"
shape = { ball = 0.1 }
mass = 1
restitution = 1
friction = 0
position = [-0.5, 0, 0]
velocity = [-1, 0, 0]
"#;

/// Keeps every segment's beginning.
#[derive(Default)]
struct Tape(Vec<(f64, u32, Event, f64, [f64; 3])>);

impl History for Tape {
    fn segment(&mut self, s: &Segment<'_>) -> warpline_sim::Told {
        let seconds = Tick(s.start).seconds();
        self.0
            .push((seconds, s.body, s.event, s.impulse, s.position));
        Ok(())
    }
}

fn hashed(world: &World, algorithm: Algorithm) -> (String, Stats, Vec<State>) {
    struct Hashing(HistoryHash);
    impl History for Hashing {
        fn segment(&mut self, s: &Segment<'_>) -> warpline_sim::Told {
            self.0.push(s);
            Ok(())
        }
    }
    let mut history = Hashing(HistoryHash::new());
    let (stats, states) = run(world, algorithm, &mut history).expect("it runs");
    (history.0.finish(), stats, states)
}

/// Two balls that part meet across the side after (2 - 1 - 0.2) / 2 seconds, go back, and meet in the middle.
#[test]
fn two_balls_meet_across_a_side() {
    let mut tape = Tape::default();
    let (_, states) = run(&load(PAIR, &[]), Algorithm::Ordered, &mut tape).expect("it runs");
    let hits: Vec<_> = tape
        .0
        .iter()
        .filter(|(_, _, event, ..)| *event == Event::Collision)
        .collect();
    let expected = [0.4, 1.2, 2.0, 2.8];
    assert_eq!(hits.len(), 2 * expected.len());
    for (pair, at) in hits.chunks(2).zip(expected) {
        for (seconds, _, _, impulse, _) in pair {
            assert!((seconds - at).abs() < 1e-10, "{seconds} s instead of {at}");
            assert!((impulse - 2.0).abs() < 1e-12);
        }
    }
    // The first meeting is at the side, where neither has crossed it yet.
    assert!((hits[0].4[0] - 0.9).abs() < 1e-10 && (hits[1].4[0] + 0.9).abs() < 1e-10);
    assert!(
        (states[0].position.x - 0.3).abs() < 1e-9,
        "{}",
        states[0].position
    );
}

/// A ball goes round and round, also in three directions at once. (The other one meets nobody.)
#[test]
fn a_ball_goes_round() {
    let overrides = [
        "until=7",
        "body.1.ignores=[\"default\"]",
        "body.0.velocity=[1, 0.3, -0.7]",
    ];
    let mut tape = Tape::default();
    let world = load(PAIR, &overrides);
    let (_, states) = run(&world, Algorithm::Ordered, &mut tape).expect("it runs");
    let count = |body: u32, sought: Event| {
        let told = tape.0.iter();
        told.filter(|(_, b, event, ..)| (*b, *event) == (body, sought))
            .count()
    };
    assert_eq!(count(0, Event::Collision), 0);
    // x from 0.5 by 7 m crosses at 1, 3, 5, 7; y by 2.1 m once; z by -4.9 m at -1, -3.
    assert_eq!(count(0, Event::Piece), 4 + 1 + 2);
    assert_eq!(count(1, Event::Piece), 4);
    let inside = |x: f64| x - 2.0 * ((x + 1.0) / 2.0).floor();
    let free = Vec3::new(inside(7.5), inside(2.1), inside(-4.9));
    let off = (states[0].position - free).length();
    assert!(off < 1e-12, "{off:e}");
}

const GAS: &str = r#"
name = "periodic gas"
until = 4
gravity = [0, 0, 0]
[parameters]
balls = 60
boxes = 12
side = 2
[materials.elastic]
restitution = 1
friction = 0
[box]
min = [0, 0, 0]
max = ["$side", "$side", "$side"]
periodic = ["x", "y", "z"]
[[scatter]]
name = "ball"
count = "$balls"
shape = { ball = 0.12 }
mass = 1
material = "elastic"
seed = 3
speed = { rms = 1 }
[[scatter]]
name = "brick"
count = "$boxes"
shape = { box = [0.2, 0.1, 0.3] }
mass = 1
material = "elastic"
seed = 4
speed = { rms = 1 }
"#;

/// Its images stand in all corners.
const POST: &str = r#"
[[body]]
name = "post"
kind = "fixed"
shape = { ball = 0.15 }
position = [0, 0, 0]
material = "elastic"
"#;

fn gas_with_post(overrides: &[&str]) -> World {
    load(&format!("{GAS}{POST}"), overrides)
}

const EXECUTORS: [Algorithm; 6] = [
    Algorithm::TimeWarp(LookAhead::Adaptive),
    Algorithm::TimeWarp(LookAhead::Seconds(0.01)),
    Algorithm::TimeWarp(LookAhead::Seconds(1.0)),
    Algorithm::Checking,
    Algorithm::Oracle,
    Algorithm::Parallel(2),
];

/// Law 1, with balls, bricks that tumble, and a post whose images stand in all corners.
#[test]
fn a_periodic_gas_has_one_history() {
    let world = gas_with_post(&[]);
    let (reference, stats, states) = hashed(&world, Algorithm::Ordered);
    assert!(stats.collisions > 300, "{}", stats.collisions);
    for algorithm in EXECUTORS {
        let (hash, _, ends) = hashed(&world, algorithm);
        assert_eq!(hash, reference, "{algorithm:?}");
        assert_eq!(ends.len(), states.len());
    }
    // Nothing overlaps, across the sides neither.
    let nearest = |apart: Vec3| apart - 2.0 * (apart / 2.0).round();
    let balls: Vec<&State> = (0..states.len())
        .filter(|b| world.bodies[*b].name.starts_with("ball"))
        .map(|b| &states[b])
        .collect();
    for (place, a) in balls.iter().enumerate() {
        for b in &balls[place + 1..] {
            let apart = nearest(a.position - b.position).length();
            assert!(apart > 0.24 - 1e-8, "{apart}");
        }
    }
    for state in &states {
        let inside = (0..3).all(|i| (-1e-9..=2.0 + 1e-9).contains(&state.position.to_array()[i]));
        assert!(inside, "{}", state.position);
    }
}

/// Inputs that come late leave no trace, and a branch goes its own way.
#[test]
fn late_inputs_leave_no_trace_in_a_periodic_box() {
    let world = gas_with_post(&["until=1"]);
    let frame = |number: i64| Tick(number << 34);
    let input = |body: u32, at: f64| Input {
        at: Tick::from_seconds(at),
        body: BodyId(body),
        order: 0,
        action: Action::Impulse {
            impulse: Vec3::new(1.5, -0.7, 0.3),
            point: None,
        },
    };
    let inputs = [input(5, 0.11), input(17, 0.3), input(65, 0.42)];
    let simulate = |late: i64| {
        let mut sim = Simulation::new(world.clone(), 1.0).expect("a world");
        for number in 0..=64 {
            for input in &inputs {
                if input.at < frame(number - late) && input.at >= frame(number - late - 1) {
                    let _ = sim.branch();
                    sim.input(*input).expect("in time");
                }
            }
            sim.advance(frame(number)).expect("it runs");
        }
        sim.hash_at(frame(64)).expect("retained")
    };
    assert_eq!(simulate(0), simulate(20));
}

/// What a dense gas of elastic spheres does without walls: momentum and energy are kept, the pressure is Carnahan and
/// Starling's, and the mean free path Enskog's.
#[test]
fn a_periodic_gas_has_the_pressure_and_the_mean_free_path_of_theory() {
    let side = 3.0;
    let count = 400.0;
    let radius = 0.12;
    let overrides = ["balls=400", "boxes=0", "side=3", "until=12"];
    let world = load(GAS, &overrides);
    let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    let momentum = |s: &[State]| s.iter().map(|s| s.velocity).sum::<Vec3>();
    let energy = |s: &[State]| {
        s.iter()
            .map(|s| 0.5 * s.velocity.length_squared())
            .sum::<f64>()
    };
    let mut tape = Tape::default();
    let (_, states) = run(&world, Algorithm::Ordered, &mut tape).expect("it runs");
    let kept = (momentum(&states) - momentum(&starts)).length() / count;
    assert!(kept < 1e-12, "momentum changes by {kept:e}");
    let kept = energy(&states) / energy(&starts) - 1.0;
    assert!(kept.abs() < 1e-12, "energy changes by {kept:e}");
    // After two seconds the lattice of the scatter and its speeds are forgotten.
    let (from, until) = (2.0, 12.0);
    let hits = || {
        tape.0
            .iter()
            .filter(|(t, _, event, ..)| *event == Event::Collision && *t > from)
    };
    let sides = hits().count() as f64;
    let temperature = 2.0 * energy(&states) / (3.0 * count);
    let packing = count * 4.0 / 3.0 * PI * f64::powi(radius, 3) / f64::powi(side, 3);
    let contact = (1.0 - packing / 2.0) / f64::powi(1.0 - packing, 3);
    // Every collision is told by both of its spheres.
    let virial: f64 = hits()
        .map(|(_, _, _, impulse, _)| 0.5 * impulse * 2.0 * radius)
        .sum();
    let pressure = 1.0 + virial / (3.0 * count * temperature * (until - from));
    let theory = 1.0 + 4.0 * packing * contact;
    let off = pressure / theory - 1.0;
    // Twenty thousand collisions, whose impulses scatter by about their half: 0.5 / sqrt(20,000), and thrice that.
    assert!(off.abs() < 0.012, "PV/NkT {pressure}, theory {theory}");
    let speed = (8.0 * temperature / PI).sqrt();
    let path = speed * (until - from) * count / sides;
    let density = count / f64::powi(side, 3);
    let theory = 1.0 / (2.0f64.sqrt() * PI * density * f64::powi(2.0 * radius, 2) * contact);
    assert!(
        (path / theory - 1.0).abs() < 0.02,
        "{path} m, theory {theory} m, {sides} sides"
    );
}

/// Along one axis only: walls stand on the others, and gravity may pull towards them.
#[test]
fn a_box_may_be_periodic_along_one_axis() {
    let overrides = [
        "box.periodic=[\"x\"]",
        "gravity=[0, -2, 0]",
        "body.0.velocity=[1, 1, 0.5]",
    ];
    let world = load(PAIR, &overrides);
    assert_eq!(
        world
            .bodies
            .iter()
            .filter(|b| b.name.starts_with("wall"))
            .count(),
        4
    );
    let (reference, stats, _) = hashed(&world, Algorithm::Ordered);
    assert!(stats.collisions > 2);
    for algorithm in EXECUTORS {
        assert_eq!(hashed(&world, algorithm).0, reference, "{algorithm:?}");
    }
}

#[test]
fn what_a_periodic_box_cannot_hold_is_refused_with_a_reason() {
    let refused = |overrides: &[&str]| {
        let overrides: Vec<Override> = overrides
            .iter()
            .map(|o| Override::parse(o).expect("one"))
            .collect();
        match scene::load("periodic", PAIR, &overrides) {
            Ok(_) => panic!("{overrides:?} is accepted"),
            Err(error) => error.message.clone(),
        }
    };
    let cases: [(&[&str], &str); 7] = [
        (&["contact={}"], "bodies only bounce"),
        (&["gravity=[0, -9.81, 0]"], "gravity pulls along y"),
        (&["body.0.damping=0.1"], "`a` follows a script or a force"),
        (&["body.0.position=[1.5, 0, 0]"], "`a` is outside"),
        (
            &["box.max=[-0.7, 1, 1]", "body.0.position=[-0.9, 0.5, 0]"],
            "four of its radii",
        ),
        (&["box.periodic=[\"w\"]"], "not an axis"),
        (
            &[
                "body.0.position=[0.95, 0, 0]",
                "body.1.position=[-0.95, 0, 0]",
            ],
            "overlap",
        ),
    ];
    for (overrides, expected) in cases {
        let message = refused(overrides);
        assert!(message.contains(expected), "{overrides:?}: {message}");
    }
    let world = load(PAIR, &[]);
    for algorithm in [
        Algorithm::ConservativeAdvancement,
        Algorithm::RetroactiveDetection(0.01),
    ] {
        let error = run(&world, algorithm, &mut Discard).expect_err("it knows only walls");
        assert!(matches!(error, RunError::Periodic { .. }), "{error}");
    }
}
