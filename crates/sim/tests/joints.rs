//! Joints in the engine: one history whatever is tried first or comes late, bodies that stay together, sleep
//! and wake together, checkpoints, and scenes that say what is wrong.

use physics::{State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use record::{HistoryHash, Segment};
use warp::Tick;
use warpline_sim::scene::{Override, SceneError, load};
use warpline_sim::{
    Action, Algorithm, BodyId, Discard, History, Input, Kind, LookAhead, RunError, Simulation,
    World, run,
};

/// A chain on a cart that drives to and fro, a paddle with a motor, a drawer, a bolted pair and a rope, among balls
/// that fly about.
const PLAYGROUND: &str = r#"
name = "playground"
until = 1.5
gravity = [0, -9.81, 0]

[contact]
solver = "soft-step"

[box]
min = [-2, 0, -2]
max = [2, 4, 2]
restitution = 0.5
friction = 0.3

[[body]]
name = "cart"
kind = "kinematic"
shape = { box = [0.3, 0.2, 0.3] }
position = [-0.5, 3, 0]
script = [{ at = 0 }, { at = 0.5, position = [0.4, 3, 0] }, { at = 1, position = [-0.5, 3, 0] }]

[[body]]
name = "post"
kind = "fixed"
shape = { box = [0.1, 0.6, 0.1] }
position = [1.2, 0.3, 0]

[[stack]]
name = "link"
count = 4
shape = { box = [0.08, 0.3, 0.08] }
position = [-0.5, 1.6999999, 0]
density = 400

[[joint]]
kind = "ball"
chain = "link"
anchors = [[0, 0.15, 0], [0, -0.15, 0]]

[[joint]]
kind = "ball"
bodies = ["cart", "link 4"]
anchor = [-0.5, 2.9, 0]

[[body]]
name = "paddle"
shape = { box = [1, 0.1, 0.2] }
position = [1.2, 0.7, 0]
density = 300

[[joint]]
kind = "hinge"
bodies = ["post", "paddle"]
anchor = [1.2, 0.65, 0]
axis = [0, 1, 0]
motor = { speed = 4, torque = 30 }

[[body]]
name = "drawer"
shape = { box = [0.4, 0.3, 0.4] }
position = [0, 1, 1.2]

[[body]]
name = "handle"
shape = { ball = 0.1 }
position = [0, 1, 0.8]

[[joint]]
kind = "slider"
bodies = ["post", "drawer"]
axis = [1, 0, 0]
limits = [-0.8, 0.8]

[[joint]]
kind = "fixed"
bodies = ["drawer", "handle"]

[[body]]
name = "bob"
shape = { ball = 0.15 }
position = [-1, 2, -1]

[[joint]]
kind = "rope"
bodies = ["cart", "bob"]
length = 1.8
collide = true

[[scatter]]
name = "ball"
count = 14
shape = { ball = 0.12 }
restitution = 0.6
friction = 0.2
speed = { rms = 3 }
seed = 5
"#;

fn world(text: &str, overrides: &[&str]) -> World {
    let changes: Vec<Override> = overrides
        .iter()
        .map(|o| Override::parse(o).expect("an override"))
        .collect();
    load("test.toml", text, &changes)
        .expect("a sound scene")
        .world
}

#[derive(Default)]
struct Committed(Vec<String>);

impl History for Committed {
    fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
        self.0.push(format!("{segment:?}"));
        Ok(())
    }
}

fn assert_same(found: &Committed, reference: &Committed, what: &str) {
    let longest = found.0.len().max(reference.0.len());
    if let Some(at) = (0..longest).find(|i| found.0.get(*i) != reference.0.get(*i)) {
        let (is, should) = (found.0.get(at), reference.0.get(at));
        panic!("{what}: segment {at} is\n{is:?}\ninstead of\n{should:?}");
    }
}

fn history(world: &World, algorithm: Algorithm) -> (Committed, u64) {
    let mut history = Committed::default();
    let (stats, _) = run(world, algorithm, &mut history).expect("the run ends");
    (history, stats.segments_undone)
}

#[test]
fn joints_have_one_history_at_every_look_ahead() {
    for solver in ["soft-step", "impulse"] {
        let solver_is = format!("contact.solver={solver}");
        let world = world(PLAYGROUND, &[&solver_is, "until=3"]);
        let (reference, _) = history(&world, Algorithm::Ordered);
        assert!(reference.0.len() > 1000, "{} segments", reference.0.len());
        let mut undone = 0;
        for look_ahead in [
            LookAhead::OneEvent,
            LookAhead::Adaptive,
            LookAhead::Seconds(1e-4),
            LookAhead::Seconds(0.02),
            LookAhead::Seconds(0.5),
        ] {
            let (found, rolled_back) = history(&world, Algorithm::TimeWarp(look_ahead));
            assert_same(&found, &reference, &format!("{solver}, {look_ahead:?}"));
            undone += rolled_back;
        }
        // Windows in which more is undone than stands are worked off in order, so that it is not many.
        assert!(undone > 20, "the test must roll back; it undid {undone}");
    }
}

fn vector(rng: &mut Pcg64Mcg, size: f64) -> Vec3 {
    let mut one = || (rng.random::<f64>() * 2.0 - 1.0) * size;
    Vec3::new(one(), one(), one())
}

fn random_input(rng: &mut Pcg64Mcg, world: &World, order: u32) -> Input {
    let is_jointed = |b: &u32| world.joints.iter().any(|j| j.bodies.contains(b));
    let bodies: Vec<u32> = (0..world.bodies.len() as u32)
        .filter(|b| world.bodies[*b as usize].kind != Kind::Fixed)
        .filter(is_jointed)
        .collect();
    let body = BodyId(bodies[rng.random_range(0..bodies.len())]);
    let mass = world.model(body).mass.mass;
    let start = world.bodies[body.index()].start;
    let place = State {
        position: start.position + vector(rng, 0.1),
        velocity: vector(rng, 1.0),
        ..start
    };
    let action = match (world.bodies[body.index()].kind, rng.random_range(0..7)) {
        (Kind::Kinematic, _) => Action::Motor {
            velocity: vector(rng, 0.5),
            spin: vector(rng, 0.5),
        },
        (_, 0) => Action::Teleport(place),
        (_, 1) => Action::Leave,
        (_, 2) => Action::Enter(place),
        (_, 3) => Action::Force {
            force: mass * vector(rng, 20.0),
            ticks: Tick::from_seconds(0.2).0,
        },
        _ => Action::Impulse {
            impulse: mass * vector(rng, 2.0),
            point: None,
        },
    };
    Input {
        at: Tick::from_seconds(0.7 * rng.random::<f64>()),
        body,
        order,
        action,
    }
}

/// Inputs to jointed bodies, among them some that take links out of the chain and put them back, have the same
/// result in time and up to two thirds of a second late.
#[test]
fn late_inputs_to_joints_leave_no_trace() {
    let end = 0.75;
    let mut undone = 0;
    for seed in 0..6 {
        let mut rng = Pcg64Mcg::seed_from_u64(seed);
        let mut world = world(PLAYGROUND, &[]);
        world.until = Tick::from_seconds(end);
        let inputs: Vec<Input> = (0..7).map(|k| random_input(&mut rng, &world, k)).collect();
        world.inputs.clone_from(&inputs);
        let (reference, _) = history(&world, Algorithm::Ordered);
        for look_ahead in [LookAhead::Adaptive, LookAhead::Seconds(0.2)] {
            let (found, _) = history(&world, Algorithm::TimeWarp(look_ahead));
            assert_same(&found, &reference, &format!("seed {seed}, {look_ahead:?}"));
        }
        world.inputs.clear();
        let mut sim = Simulation::new(world, end).expect("a sound world");
        let mut found = Committed::default();
        for n in 0..=90u32 {
            for input in &inputs {
                let due = (input.at.seconds() * 60.0) as u32;
                if due + input.order * 6 == n {
                    undone += sim.input(*input).expect("an input in time").undone;
                }
            }
            let tick = Tick::from_seconds(f64::from(n) / 60.0);
            sim.advance_into(tick, &mut found).expect("it runs");
        }
        assert_same(&found, &reference, &format!("seed {seed}, late"));
    }
    assert!(undone > 500, "the test must roll back; it undid {undone}");
}

#[test]
fn a_saved_world_with_joints_goes_on_as_if_it_had_not_stopped() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.warp");
    let frame = |n: u32| Tick::from_seconds(f64::from(n) / 60.0);
    let mut hashes = Vec::new();
    for stop in [None, Some(0), Some(17), Some(40)] {
        let mut sim = Simulation::new(world(PLAYGROUND, &[]), 0.25).expect("a sound world");
        let mut history = HistoryHash::new();
        for number in 0..=70 {
            sim.advance_into(frame(number), &mut history)
                .expect("it runs");
            if stop == Some(number) {
                sim.save(&path).expect("a checkpoint");
                sim = Simulation::load(&path, world(PLAYGROUND, &[])).expect("the same world");
            }
        }
        hashes.push(history.finish());
    }
    assert!(hashes.iter().all(|h| *h == hashes[0]), "{hashes:?}");
    let other = world(PLAYGROUND, &["joint.0.collide=true"]);
    assert!(
        Simulation::load(&path, other).is_err(),
        "another world was taken"
    );
}

/// A chain that hangs still falls asleep as one, and all of it swings when its end is hit.
#[test]
fn a_chain_sleeps_and_wakes_as_one() {
    let text = r#"
name = "hanging"
until = 4
[contact]
[[body]]
name = "hook"
kind = "fixed"
shape = { box = [0.2, 0.2, 0.2] }
position = [0, 3, 0]
[[stack]]
name = "link"
count = 5
shape = { box = [0.06, 0.3, 0.06] }
position = [0, 1.4, 0]
[[joint]]
kind = "ball"
chain = "link"
anchors = [[0, 0.15, 0], [0, -0.15, 0]]
[[joint]]
kind = "ball"
bodies = ["hook", "link 5"]
anchor = [0, 2.9, 0]
[[body]]
name = "hammer"
kind = "kinematic"
shape = { box = [0.2, 0.2, 0.2] }
position = [-1, 1.5, 0]
script = [{ at = 0 }, { at = 2.8 }, { at = 3.2, position = [0.3, 1.5, 0] }]
"#;
    let world = world(text, &[]);
    let mut sim = Simulation::new(world, 5.0).expect("a sound world");
    sim.advance(Tick::from_seconds(2.5)).expect("it runs");
    let at = |sim: &mut Simulation, body: u32, seconds: f64| {
        sim.state(BodyId(body), Tick::from_seconds(seconds))
            .expect("it is there")
    };
    for body in 2..7 {
        assert_eq!(
            at(&mut sim, body, 2.4).velocity,
            Vec3::ZERO,
            "body {body} is awake"
        );
        assert_eq!(at(&mut sim, body, 2.4), at(&mut sim, body, 2.5));
    }
    sim.advance(Tick::from_seconds(3.6)).expect("it runs");
    for body in 2..7 {
        let moved = at(&mut sim, body, 3.5)
            .position
            .distance(at(&mut sim, body, 2.5).position);
        assert!(moved > 1e-3, "body {body} moved by {moved} m only");
    }
}

/// Bodies that only a joint connects are never parted, whatever the group checks find.
#[test]
fn joined_bodies_stay_in_one_group() {
    struct Groups(Vec<(u32, u32, u32)>);
    impl History for Groups {
        fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
            let at = segment.start;
            if at > 0 && (segment.body == 1 || segment.body == 2) {
                self.0
                    .push(((at >> 24) as u32, segment.body, segment.group));
            }
            Ok(())
        }
    }
    let text = r#"
name = "dumbbell"
until = 2
gravity = [0, 0, 0]
[contact]
[[body]]
name = "wall"
kind = "fixed"
shape = { box = [1, 1, 1] }
position = [20, 0, 0]
[[body]]
name = "a"
shape = { ball = 0.1 }
velocity = [0, 1, 0]
[[body]]
name = "b"
shape = { ball = 0.1 }
position = [1, 0, 0]
[[joint]]
kind = "distance"
bodies = ["a", "b"]
"#;
    let mut groups = Groups(Vec::new());
    run(&world(text, &[]), Algorithm::Ordered, &mut groups).expect("it runs");
    assert!(groups.0.len() > 400, "{} segments", groups.0.len());
    assert!(
        groups
            .0
            .iter()
            .all(|(_, _, group)| *group != record::NO_PARTNER)
    );
    for pair in groups.0.chunks(2) {
        assert_eq!(pair[0].0, pair[1].0, "they step together");
        assert_eq!(pair[0].2, pair[1].2, "they are in one group");
    }
}

#[test]
fn executors_without_groups_refuse_joints() {
    let world = world(PLAYGROUND, &[]);
    for algorithm in [
        Algorithm::RetroactiveDetection(0.01),
        Algorithm::ConservativeAdvancement,
        Algorithm::Oracle,
    ] {
        let error = run(&world, algorithm, &mut Discard).expect_err("no joints there");
        assert!(matches!(error, RunError::Joints { .. }), "{error}");
    }
}

fn fault(joint: &str, contact: &str) -> Box<SceneError> {
    let head = "name = \"t\"\nuntil = 1\n";
    let bodies = "[[body]]\nname = \"a\"\nshape = { ball = 0.1 }\n\
                  [[body]]\nname = \"b\"\nshape = { ball = 0.1 }\nposition = [1, 0, 0]\n\
                  [[body]]\nname = \"rock\"\nkind = \"fixed\"\nshape = { ball = 0.1 }\nposition = [3, 0, 0]\n\
                  [[body]]\nname = \"wall\"\nkind = \"fixed\"\nshape = { ball = 0.1 }\nposition = [4, 0, 0]\n";
    let text = format!("{head}{contact}\n{bodies}[[joint]]\n{joint}\n");
    match load("t.toml", &text, &[]) {
        Ok(_) => panic!("this was read:\n{joint}"),
        Err(error) => error,
    }
}

#[test]
fn scenes_say_what_is_wrong_with_a_joint_and_where() {
    let cases = [
        (
            "kind = \"bal\"\nbodies = [\"a\", \"b\"]",
            "unknown kind of joint `bal`",
            "\"bal\"",
        ),
        (
            "kind = \"ball\"\nbodies = [\"a\", \"c\"]",
            "there is no body `c`",
            "\"c\"",
        ),
        (
            "kind = \"ball\"\nbodies = [\"a\"]",
            "expected two bodies",
            "[\"a\"]",
        ),
        (
            "kind = \"ball\"\nbodies = [\"a\", \"a\"]",
            "a body to itself",
            "\"a\"",
        ),
        (
            "kind = \"ball\"\nchain = \"link\"",
            "needs two bodies at least",
            "\"link\"",
        ),
        (
            "kind = \"hinge\"\nbodies = [\"a\", \"b\"]\naxis = [0, 0, 0]",
            "no length",
            "[0, 0, 0]",
        ),
        (
            "kind = \"ball\"\nbodies = [\"a\", \"b\"]\nanchors = [[0, 0, 0], [0, 0, 0]]",
            "1 m apart at the start",
            "[[0, 0, 0]",
        ),
        (
            "kind = \"rope\"\nbodies = [\"a\", \"b\"]\nlength = 0.5",
            "a rope that reaches",
            "0.5",
        ),
        (
            "kind = \"hinge\"\nbodies = [\"a\", \"b\"]\naxis = [0, 1, 0]\nlimits = [10, 20]",
            "expected zero between",
            "[10, 20]",
        ),
        (
            "kind = \"hinge\"\nbodies = [\"a\", \"b\"]\naxis = [0, 1, 0]\nlimits = [-200, 20]",
            "below half a turn",
            "[-200, 20]",
        ),
        (
            "kind = \"ball\"\nbodies = [\"a\", \"b\"]\nlength = 1",
            "has no `length`",
            "1",
        ),
        (
            "kind = \"ball\"\nbodies = [\"a\", \"b\"]\ncollide = 1",
            "true or false",
            "1",
        ),
        (
            "kind = \"ball\"\nbodies = [\"rock\", \"wall\"]",
            "can move",
            "",
        ),
    ];
    for (joint, message, excerpt) in cases {
        let error = fault(joint, "[contact]");
        assert!(error.message.contains(message), "{joint}\n{error}");
        assert!(
            error.excerpt().starts_with(excerpt),
            "{joint}\n{}",
            error.excerpt()
        );
    }
}

#[test]
fn joints_need_a_solver_that_holds_them() {
    let joint = "kind = \"ball\"\nbodies = [\"a\", \"b\"]";
    let without = fault(joint, "[contact]\nsolver = \"none\"");
    assert!(without.message.contains("add `[contact]`"), "{without}");
    let penalty = fault(joint, "[contact]\nsolver = \"penalty\"");
    assert!(
        penalty.message.contains("`penalty` holds no joints"),
        "{penalty}"
    );
}
