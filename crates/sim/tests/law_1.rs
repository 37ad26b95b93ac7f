//! Law 1: speculation is invisible. Random worlds of all shapes, with kinematic bodies, callbacks
//! and slots, have the same committed bytes under every event-driven executor and look-ahead.

use crate::random_worlds;

use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, State, Vec3};
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use random_worlds::random_world;
use record::{HistoryHash, Segment};
use warp::Tick;
use warpline_sim::scene::{Override, builtin, load};
use warpline_sim::{Algorithm, BodyId, History, LookAhead, World, run};

fn hash(world: &World, algorithm: Algorithm) -> (String, u64, u64) {
    let mut history = HistoryHash::new();
    let (stats, _) = run(world, algorithm, &mut history).expect("the run ends");
    (
        history.finish(),
        stats.events_committed,
        stats.segments_undone,
    )
}

fn look_aheads() -> [LookAhead; 6] {
    [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(1e-5),
        LookAhead::Seconds(1e-3),
        LookAhead::Seconds(0.05),
        LookAhead::Seconds(2.0),
    ]
}

#[test]
fn every_look_ahead_commits_the_ordered_history() {
    let mut undone = 0;
    for seed in 0..6 {
        let world = random_world(seed, 20, 9.81 * (seed % 2) as f64, 0.2 * (seed % 3) as f64);
        world.validate().expect("a sound world");
        let (reference, events, _) = hash(&world, Algorithm::Ordered);
        assert!(events > 30, "seed {seed}: only {events} events");
        for look_ahead in look_aheads() {
            let (found, _, rolled_back) = hash(&world, Algorithm::TimeWarp(look_ahead));
            assert_eq!(found, reference, "seed {seed}, {look_ahead:?}");
            undone += rolled_back;
        }
        assert_eq!(
            hash(&world, Algorithm::Oracle).0,
            reference,
            "seed {seed}, oracle"
        );
    }
    assert!(
        undone > 100,
        "the test must force rollbacks; it undid {undone} segments"
    );
}

/// Balls of two sizes that fly between walls for a long time.
fn room(seed: u64, balls: u32, seconds: f64) -> World {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut world = World::new("room", Vec3::ZERO, seconds);
    let elastic = Material {
        restitution: 1.0,
        friction: 0.0,
    };
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for (normal, at) in [(axis, Vec3::ZERO), (-axis, axis * 8.0)] {
            let part = Part::centred(Shape::HalfSpace { normal });
            let model = world.add_model(BodyModel::fixed(&[part], elastic).expect("a wall"));
            world.add_fixed(format!("wall {normal}"), model, Pose::from_translation(at));
        }
    }
    for index in 0..balls {
        let radius = if index % 3 == 0 { 0.2 } else { 0.12 };
        let ball = Part::centred(Shape::Ball { radius });
        let model = BodyModel::dynamic(&[ball], Heft::Density(1000.0), elastic, Vec3::ZERO);
        let model = world.add_model(model.expect("a ball"));
        let place = [index % 8, index / 8 % 8, index / 64].map(f64::from);
        let mut one = || 2.0 * rng.random::<f64>() - 1.0;
        let state = State {
            position: Vec3::from_array(place) + Vec3::splat(0.5),
            velocity: 8.0 * Vec3::new(one(), one(), one()),
            rotation: Quat::IDENTITY,
            spin: Vec3::ZERO,
        };
        world.add_dynamic(format!("ball {index}"), model, state);
    }
    world
}

/// A worldline that was rolled back looks less far ahead than before, and events found beyond that are
/// still pending: whoever closes its segment there must have the rest of it checked first.
#[test]
fn a_segment_closed_beyond_its_look_ahead_was_checked_up_to_its_end() {
    let mut rolled_back = 0;
    for seed in 5..8 {
        let world = room(seed, 400, 20.0);
        let (reference, ..) = hash(&world, Algorithm::Ordered);
        for seconds in [0.5, 1.0] {
            let look_ahead = LookAhead::Seconds(seconds);
            let (found, _, undone) = hash(&world, Algorithm::TimeWarp(look_ahead));
            rolled_back += undone;
            assert_eq!(found, reference, "seed {seed}, {seconds} s");
        }
    }
    assert!(rolled_back > 10_000, "only {rolled_back} segments undone");
}

/// Frames as they are handed over.
#[derive(Default)]
struct Film(Vec<(u32, i64, [f64; 3])>);

impl History for Film {
    fn segment(&mut self, _: &Segment<'_>) -> warpline_sim::Told {
        Ok(())
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> warpline_sim::Told {
        self.0.push((body.0, tick.0, state.position.to_array()));
        Ok(())
    }
}

#[test]
fn redraws_show_the_committed_history_whatever_was_undone() {
    let mut world = random_world(3, 20, 0.0, 0.2);
    world.redraw_hertz = Some(60.0);
    let film = |algorithm| {
        let mut film = Film::default();
        run(&world, algorithm, &mut film).expect("the run ends");
        film.0.sort_by_key(|(body, tick, _)| (*body, *tick));
        film.0
    };
    let reference = film(Algorithm::Ordered);
    let moving = world.moving();
    // 0.6 s at 60 Hz: frames 0 to 35 lie before the end.
    assert_eq!(reference.len(), moving * 36);
    for look_ahead in look_aheads() {
        let found = film(Algorithm::TimeWarp(look_ahead));
        assert!(found == reference, "{look_ahead:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn random_worlds_have_one_history(
        seed in any::<u64>(),
        bodies in 4usize..24,
        gravity in prop_oneof![Just(0.0), Just(9.81)],
        friction in prop_oneof![Just(0.0), Just(0.5)],
        seconds in 1e-4f64..1.0,
    ) {
        let world = random_world(seed, bodies, gravity, friction);
        prop_assume!(world.validate().is_ok());
        let reference = hash(&world, Algorithm::Ordered).0;
        for look_ahead in [LookAhead::Adaptive, LookAhead::Seconds(seconds)] {
            prop_assert_eq!(&hash(&world, Algorithm::TimeWarp(look_ahead)).0, &reference);
        }
    }
}

/// Triangle meshes, height fields and fields of force, which the random worlds have not.
#[test]
fn terrain_and_fields_of_force_have_one_history() {
    for (name, until) in [("bouncing", "until=0.6"), ("orbits", "until=5.0")] {
        let text = builtin(name).expect("a built-in scene").text;
        let until = Override::parse(until).expect("a setting");
        let Ok(scene) = load(name, text, &[until]) else {
            panic!("{name} is a sound scene");
        };
        let (reference, events, _) = hash(&scene.world, Algorithm::Ordered);
        assert!(events > 10, "{name}: only {events} events");
        for look_ahead in look_aheads() {
            let (found, _, _) = hash(&scene.world, Algorithm::TimeWarp(look_ahead));
            assert_eq!(found, reference, "{name}, {look_ahead:?}");
        }
    }
}
