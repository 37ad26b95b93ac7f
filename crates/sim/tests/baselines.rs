//! The synchronised baselines do the same physics as the event-driven executors: the same
//! collisions in the same order, energy and momentum conserved; and their costs have the shape that
//! Mirtich's Figure 6 shows.

use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use record::{Event, Segment};
use std::sync::Arc;
use warp::Tick;
use warpline_sim::{
    Algorithm, Callback, Discard, History, Key, Kind, LookAhead, RunError, Script, World, run,
};

const BASELINES: [Algorithm; 4] = [
    Algorithm::RetroactiveDetection(0.001),
    Algorithm::RetroactiveDetection(0.01),
    Algorithm::RetroactiveDetection(1.0 / 30.0),
    Algorithm::ConservativeAdvancement,
];

const ELASTIC: Material = Material {
    restitution: 1.0,
    friction: 0.0,
};

fn vector(rng: &mut Pcg64Mcg, size: f64) -> Vec3 {
    let mut one = || (rng.random::<f64>() * 2.0 - 1.0) * size;
    Vec3::new(one(), one(), one())
}

fn parts(kind: usize, size: f64) -> Vec<Part> {
    let ball = |radius: f64, at: Vec3| Part::at(Shape::Ball { radius }, at);
    match kind {
        0 => vec![ball(size, Vec3::ZERO)],
        1 => vec![
            ball(0.9 * size, Vec3::ZERO),
            ball(0.6 * size, Vec3::new(0.7 * size, 0.5 * size, 0.0)),
            ball(0.6 * size, Vec3::new(-0.7 * size, 0.5 * size, 0.0)),
        ],
        2 => vec![Part::centred(Shape::Capsule {
            half_height: 0.6 * size,
            radius: 0.6 * size,
        })],
        _ => vec![Part::centred(Shape::Box {
            half_extents: Vec3::new(0.9, 0.5, 0.7) * size,
        })],
    }
}

/// A box of half-spaces with edge `edge` metres.
fn walls(world: &mut World, edge: f64) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for (normal, at) in [(axis, Vec3::ZERO), (-axis, axis * edge)] {
            let part = Part::centred(Shape::HalfSpace { normal });
            let model = world.add_model(BodyModel::fixed(&[part], ELASTIC).expect("a half-space"));
            world.add_fixed(format!("wall {normal}"), model, Pose::from_translation(at));
        }
    }
}

/// Bodies of the first `kinds` kinds on a lattice of `per_edge` places an edge, `spacing` metres
/// apart, radius 0.1 m.
fn bodies(world: &mut World, seed: u64, per_edge: usize, spacing: f64, kinds: usize) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let gravity = world.gravity;
    let models: Vec<physics::ModelId> = (0..kinds)
        .map(|kind| {
            let heft = Heft::Mass(1.0 + kind as f64);
            let model = BodyModel::dynamic(&parts(kind, 0.1), heft, ELASTIC, gravity);
            world.add_model(model.expect("a solid"))
        })
        .collect();
    for place in 0..per_edge.pow(3) {
        let cell = [
            place % per_edge,
            place / per_edge % per_edge,
            place / per_edge.pow(2),
        ];
        let position = (Vec3::from_array(cell.map(|c| c as f64)) + 0.5) * spacing;
        let state = State {
            position: position + vector(&mut rng, 0.05),
            velocity: vector(&mut rng, 3.0),
            rotation: Quat::from_scaled_axis(vector(&mut rng, 3.0)),
            spin: vector(&mut rng, 6.0),
        };
        world.add_dynamic(format!("body {place}"), models[place % kinds], state);
    }
}

fn energy(world: &World, states: &[State]) -> f64 {
    let one = |(body, s): (&warpline_sim::Body, &State)| {
        let model = &world.models[body.model.place()];
        if body.kind != Kind::Dynamic {
            return 0.0;
        }
        let spin = s.rotation.inverse() * s.spin;
        let kinetic =
            model.mass.mass * s.velocity.length_squared() + spin.dot(model.mass.inertia * spin);
        0.5 * kinetic - model.mass.mass * model.gravity.dot(s.position)
    };
    world.bodies.iter().zip(states).map(one).sum()
}

fn starts(world: &World) -> Vec<State> {
    world.bodies.iter().map(|b| b.start).collect()
}

/// Collisions as (tick, first body, second body), in the order they are handed over.
#[derive(Default)]
struct Collisions(Vec<(i64, u32, u32)>);

impl History for Collisions {
    fn segment(&mut self, s: &Segment<'_>) -> warpline_sim::Told {
        let found = (s.start, s.body.min(s.partner), s.body.max(s.partner));
        if s.event == Event::Collision && self.0.last() != Some(&found) {
            self.0.push(found);
        }
        Ok(())
    }
}

fn collisions(world: &World, algorithm: Algorithm) -> Vec<(i64, u32, u32)> {
    let mut found = Collisions::default();
    run(world, algorithm, &mut found).expect("the run ends well");
    found.0
}

/// Bodies of the first `kinds` kinds, gravity, a moving paddle, and a callback that pushes a body.
fn everything(seed: u64, kinds: usize) -> World {
    let mut world = World::new("everything", Vec3::new(0.0, -9.81, 0.0), 0.12);
    walls(&mut world, 1.4);
    bodies(&mut world, seed, 3, 0.45, kinds);
    let paddle = Part::centred(Shape::Box {
        half_extents: Vec3::new(0.02, 0.4, 0.4),
    });
    let model = BodyModel::kinematic(&[paddle], ELASTIC).expect("a box");
    let model = world.add_model(model);
    let key = |seconds: f64, x: f64| Key {
        at: Tick::from_seconds(seconds),
        pose: Pose::from_translation(Vec3::new(x, 0.7, 0.7)),
    };
    let keys = vec![key(0.03, 1.38), key(0.08, 1.3), key(0.1, 1.33)];
    world.add_kinematic("paddle", model, Script::new(keys));
    let pushed = warpline_sim::BodyId(6);
    world.callbacks.push(Callback {
        name: "push".into(),
        bodies: vec![pushed],
        first: 0.05,
        run: Arc::new(|_, views| {
            views[0].push(Vec3::new(0.5, 1.0, -0.5));
            Some(0.05)
        }),
    });
    world
}

/// Chaos multiplies a difference by ten and more per collision of a body (free path over radius; more
/// where a corner slides along a wall), and stops begin with rounding, 1e-16 s: after the two or
/// three collisions a body has here the difference is below a nanosecond. Between bare polytopes
/// `ca` may collide anywhere within their contact tolerance, 1e-7 m, so it is spared the boxes.
#[test]
fn baselines_find_the_collisions_of_the_ordered_executor() {
    for seed in 0..4 {
        for kinds in [3, 4] {
            let world = everything(seed, kinds);
            let expected = collisions(&world, Algorithm::Ordered);
            assert!(expected.len() > 20, "seed {seed}: only {}", expected.len());
            let last = if kinds == 3 { 4 } else { 3 };
            for &algorithm in &BASELINES[..last] {
                let found = collisions(&world, algorithm);
                assert_same(&found, &expected, &format!("seed {seed}, {algorithm:?}"));
            }
        }
    }
}

fn assert_same(found: &[(i64, u32, u32)], expected: &[(i64, u32, u32)], what: &str) {
    let pairs = |list: &[(i64, u32, u32)]| -> Vec<(u32, u32)> {
        list.iter().map(|&(_, a, b)| (a, b)).collect()
    };
    assert_eq!(pairs(found), pairs(expected), "{what}");
    for (f, e) in found.iter().zip(expected) {
        let late = Tick(f.0).since(Tick(e.0));
        assert!(late.abs() < 1e-9, "{what}: {f:?} for {e:?}");
    }
}

/// Each collision conserves energy to rounding; each restart of a tumbling body's integration adds
/// at most the tolerance of its step, 1e-11, and most far less: 1e-9 after hundreds of stops.
#[test]
fn baselines_conserve_energy() {
    let mut world = World::new("box", Vec3::new(0.0, -2.0, 0.0), 0.5);
    walls(&mut world, 1.6);
    bodies(&mut world, 11, 4, 0.4, 4);
    let before = energy(&world, &starts(&world));
    for algorithm in BASELINES {
        let (stats, states) = run(&world, algorithm, &mut Discard).expect("the run ends well");
        let drift = (energy(&world, &states) - before) / before;
        assert!(
            stats.collisions > 250,
            "{algorithm:?}: {}",
            stats.collisions
        );
        assert!(drift.abs() < 1e-9, "{algorithm:?}: {drift:e}");
        assert!(stats.max_penetration_m < 1e-9, "{algorithm:?}");
    }
}

/// Without walls and gravity nothing changes the total momentum but rounding.
#[test]
fn baselines_conserve_momentum() {
    let mut world = World::new("cloud", Vec3::ZERO, 0.5);
    bodies(&mut world, 5, 4, 0.35, 3);
    let momentum = |states: &[State]| -> Vec3 {
        let of = |(b, s): (&warpline_sim::Body, &State)| {
            world.models[b.model.place()].mass.mass * s.velocity
        };
        world.bodies.iter().zip(states).map(of).sum()
    };
    for algorithm in BASELINES {
        let (stats, states) = run(&world, algorithm, &mut Discard).expect("the run ends well");
        let change = momentum(&states) - momentum(&starts(&world));
        assert!(stats.collisions > 20, "{algorithm:?}: {}", stats.collisions);
        assert!(change.length() < 1e-11, "{algorithm:?}: {change}");
    }
}

/// Figure 6: `ca` integrates each body exactly once over, in steps that shrink as bodies are added;
/// `rd` integrates again whatever it backs up, several times more with eight times the bodies;
/// `timewarp` hardly notices the others.
#[test]
fn costs_have_the_shape_of_figure_6() {
    let seconds = 0.5;
    let stats = |per_edge: usize, algorithm: Algorithm| {
        let mut world = World::new("atoms", Vec3::ZERO, seconds);
        walls(&mut world, 2.0);
        bodies(&mut world, 3, per_edge, 2.0 / per_edge as f64, 2);
        run(&world, algorithm, &mut Discard)
            .expect("the run ends well")
            .0
    };
    let frame = Algorithm::RetroactiveDetection(1.0 / 30.0);
    let timewarp = Algorithm::TimeWarp(LookAhead::Adaptive);
    for algorithm in BASELINES {
        let s = stats(5, algorithm);
        let kept = s.integration_per_body_s - s.rollback_per_body_s;
        assert!(
            (kept - seconds).abs() < 1e-9,
            "{algorithm:?}: {kept} s kept"
        );
    }
    let few = stats(3, Algorithm::ConservativeAdvancement);
    let many = stats(6, Algorithm::ConservativeAdvancement);
    assert!(many.mean_step_ms < 0.25 * few.mean_step_ms);
    assert_eq!(many.rollback_per_body_s, 0.0);
    let integrated = |per_edge, algorithm| stats(per_edge, algorithm).integration_per_body_s;
    let growth = |algorithm| integrated(6, algorithm) / integrated(3, algorithm);
    assert!(growth(frame) > 3.0);
    // A body's own time and what stragglers undid of it, however many others there are.
    let worst = stats(6, timewarp);
    let done = worst.integration_per_body_s + worst.rollback_per_body_s;
    assert!(done < 1.5 * seconds, "{done} s of work for {seconds} s");
    assert!(growth(timewarp) < 1.5);
    assert!(integrated(6, frame) > 5.0 * integrated(6, timewarp));
}

#[test]
fn a_step_that_is_no_step_is_refused() {
    let world = World::new("empty", Vec3::ZERO, 1.0);
    for step in [0.0, -0.1, f64::NAN, f64::INFINITY] {
        let result = run(&world, Algorithm::RetroactiveDetection(step), &mut Discard);
        let error = result.expect_err("not a step");
        assert!(matches!(error, RunError::Step { .. }), "{step}: {error}");
    }
}

/// A ball between two walls that close in on it: bounces accumulate, and the run says so.
#[test]
fn accumulating_bounces_end_with_an_error_that_names_the_bodies() {
    let mut world = World::new("press", Vec3::new(0.0, -9.81, 0.0), 3.0);
    let soft = Material {
        restitution: 0.5,
        friction: 0.0,
    };
    let ground = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let ground = world.add_model(BodyModel::fixed(&[ground], soft).expect("a half-space"));
    world.add_fixed("ground", ground, Pose::IDENTITY);
    let ball = Part::centred(Shape::Ball { radius: 0.1 });
    let ball = BodyModel::dynamic(&[ball], Heft::Mass(1.0), soft, world.gravity);
    let ball = world.add_model(ball.expect("a ball"));
    let above = State::at_rest(Pose::from_translation(Vec3::Y));
    world.add_dynamic("marble", ball, above);
    for algorithm in BASELINES {
        let error = run(&world, algorithm, &mut Discard).expect_err("bounces without end");
        let text = error.to_string();
        assert!(
            text.contains("`marble`") && text.contains("`ground`"),
            "{text}"
        );
    }
}
