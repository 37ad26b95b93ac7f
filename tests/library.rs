//! Worlds made in code: they are what a scene file would make, and refuse what makes no sense.

use std::sync::Arc;
use warpline::algorithm::Named;
use warpline::prelude::*;
use warpline::{record, sim};

fn ordered() -> Named {
    "ordered".parse().expect("an algorithm")
}

#[test]
fn a_world_in_code_is_the_scene_that_says_the_same() {
    let text = r#"
        name = "drop"
        until = 2.0
        [contact]
        solver = "soft-step"
        [[body]]
        name = "floor"
        kind = "fixed"
        shape = { half_space = [0, 1, 0] }
        [[body]]
        name = "brick"
        shapes = [{ box = [0.3, 0.1, 0.2] }, { ball = 0.05, position = [0.4, 0.1, 0] }]
        position = [0.1, 0.7, -0.3]
        rotation = { axis = [1, 2, 3], degrees = 33 }
        velocity = [0.1, 0, 0.2]
        spin = [1, 0.1, 3]
        mass = 1.7
        friction = 0.3
    "#;
    let file = World::from_text("drop.toml", text, &[]).expect("a scene");
    let mut code = World::new();
    code.floor();
    let brick = code
        .cuboid([0.3, 0.1, 0.2])
        .named("brick")
        .part("ball", 0.05, [0.4, 0.1, 0.])
        .at([0.1, 0.7, -0.3])
        .turned([1., 2., 3.], 33.)
        .velocity([0.1, 0., 0.2])
        .spin([1., 0.1, 3.])
        .mass(1.7)
        .friction(0.3)
        .add();
    let from_file = file
        .run_with(None, &ordered(), &mut sim::Discard)
        .expect("a run");
    let from_code = code.run(2.0).expect("a run");
    assert_eq!(
        from_file.stats.history_sha256,
        from_code.stats.history_sha256
    );
    // What went in comes out.
    let mut sim = code.simulate(1.0).expect("a world");
    let start = sim.state(brick).expect("its body").expect("it is there");
    assert!((start.position - Vec3::new(0.1, 0.7, -0.3)).length() < 1e-15);
    assert!((start.velocity - Vec3::new(0.1, 0., 0.2)).length() < 1e-15);
    let check = code
        .build(Some(1.0))
        .and_then(|m| m.check())
        .expect("a check");
    assert!(check.differing.is_empty(), "{check:?}");
}

#[test]
fn what_makes_no_sense_is_refused_with_the_reader_s_words() {
    let mut world = World::new();
    let _ = world.ball(0.1).set("velocty", [1., 0., 0.]).add();
    let error = world.run(1.0).err().expect("a misspelt key").to_string();
    assert!(
        error.contains("unknown key `velocty`") && error.contains("did you mean"),
        "{error}"
    );

    for (bad, words) in [(f64::NAN, "finite"), (-1.0, "positive"), (0.0, "positive")] {
        let mut world = World::new();
        let _ = world.ball(bad).add();
        let error = world.run(1.0).err().expect("a bad radius").to_string();
        assert!(error.contains(words), "{error}");
    }
    for seconds in [f64::NAN, -1.0, f64::INFINITY] {
        assert!(World::new().run(seconds).is_err());
    }
}

#[test]
fn bodies_of_another_world_are_refused() {
    let (mut one, mut two) = (World::new(), World::new());
    let (a, b) = (one.ball(0.1).add(), two.ball(0.1).add());
    assert!(matches!(one.joint("ball", a, b), Err(Error::OtherWorld)));
    let mut sim = one.simulate(1.0).expect("a world");
    assert!(matches!(sim.state(b), Err(Error::OtherWorld)));
    assert!(sim.state(a).is_ok());
}

#[test]
fn no_input_is_dropped() {
    let mut world = World::new();
    world.gravity([0., 0., 0.]);
    let ball = world.ball(0.1).mass(1.0).add();
    let push = Action::Impulse {
        impulse: Vec3::X,
        point: None,
    };
    world.input(ball, 0.5, 0, push).expect("an input");
    let run = world.run(1.0).expect("a run");
    assert_eq!(run.state(ball).expect("its body").position.x, 0.5);
    world.input(ball, 0.5, 0, push).expect("noted");
    let error = world
        .run(1.0)
        .err()
        .expect("two inputs in one place")
        .to_string();
    assert!(error.contains("already an input"), "{error}");
}

#[test]
fn a_world_in_code_is_recorded_with_its_scene() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("drop.wline");
    let mut world = World::new();
    world.named("drop").floor();
    let _ = world.ball(0.1).at([0., 1., 0.]).add();
    assert!(world.record(folder.path().join("none/drop.wline")).is_err());
    let run = world.record(&path).and_then(|w| w.run(1.5)).expect("a run");
    let reader = record::Reader::open(&path).expect("a recording");
    assert!(reader.is_complete());
    let again = warpline::exports::world_of(&reader).expect("its world");
    assert_eq!(again.bodies.len(), run.states.len());
    let csv = folder.path().join("drop.csv");
    warpline::exports::file(&path, &csv, &record::export::Options::default()).expect("a table");
    assert!(csv.is_file());
}

#[test]
fn rollouts_do_not_depend_on_threads() {
    let world = World::load("pile", &[("each", "8")]).expect("a scene");
    let mut sim = world.simulate(0.0).expect("a world");
    sim.advance(0.3).expect("a run");
    let body = (0..8u32)
        .map(sim::BodyId)
        .find(|b| sim.model().bodies[b.index()].kind == sim::Kind::Dynamic);
    let body = body.expect("a dynamic body");
    let at = sim.inner().now();
    let plan = |k: u32| {
        let impulse = Vec3::new(0.1 * f64::from(k), 1.0, 0.0);
        vec![sim::Input {
            at,
            body,
            order: 0,
            action: Action::Impulse {
                impulse,
                point: None,
            },
        }]
    };
    let plans: Vec<_> = (0..7).map(plan).collect();
    let before = sim.hash_at(0.3).expect("now");
    let mut told = [1, 2, 5].map(|threads| {
        let asked = Rollouts {
            horizon: 0.4,
            samples: 2,
            events: true,
            threads,
        };
        format!("{:?}", sim.rollouts(&plans, &asked).expect("rollouts"))
    });
    told.sort();
    assert_eq!(told[0], told[2]);
    assert_eq!(sim.hash_at(0.3).expect("now"), before);
    assert!(told[0].contains("Collision") || told[0].contains("Input"));
}

#[test]
fn a_callback_keeps_count_in_a_slot() {
    let mut world = World::new();
    world.gravity([0., 0., 0.]).slots(1);
    let ball = world.ball(0.1).add();
    let count: sim::ScheduledFn = Arc::new(|_, bodies: &mut [View]| {
        bodies[0].slots[0] += 1.0;
        Some(0.25)
    });
    world
        .callback("count", &[ball], 0.25, count)
        .expect("a callback");
    let mut sim = world.simulate(f64::INFINITY).expect("a world");
    sim.advance(1.1).expect("a run");
    let id = sim.id(ball).expect("its body");
    assert_eq!(sim.inner().slots(id), vec![4.0]);
}
