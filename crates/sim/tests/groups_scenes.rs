//! The built-in scenes with lasting contact have one history under all executors, cut short here.

use crate::groups_yard;

use groups_yard::{hash, load};
use physics::rotation::rotation_vector;
use warpline_sim::overlap::overlaps;
use warpline_sim::{Algorithm, Discard, LookAhead, Stats, run};

fn assert_one_history(scene: &str, settings: &[&str]) -> Stats {
    let world = load(scene, settings);
    let (reference, stats) = hash(&world, Algorithm::Ordered);
    for look_ahead in [
        LookAhead::OneEvent,
        LookAhead::Seconds(1e-3),
        LookAhead::Adaptive,
    ] {
        let (found, _) = hash(&world, Algorithm::TimeWarp(look_ahead));
        assert_eq!(found, reference, "{scene}, look-ahead {look_ahead:?}");
    }
    let (found, _) = hash(&world, Algorithm::Oracle);
    assert_eq!(found, reference, "{scene}, oracle");
    stats
}

#[test]
fn newtons_cradle() {
    let stats = assert_one_history("newtons-cradle", &["duration=3"]);
    assert!(stats.collisions >= 8, "{} collisions", stats.collisions);
}

#[test]
fn pool_break() {
    let stats = assert_one_history("pool-break", &["duration=1"]);
    assert!(stats.collisions > 20, "{} collisions", stats.collisions);
}

#[test]
fn hourglass() {
    let stats = assert_one_history("hourglass", &["duration=1", "grains=40"]);
    assert!(stats.fusions > 10, "{} fusions", stats.fusions);
}

#[test]
fn avalanche() {
    let stats = assert_one_history("avalanche", &["duration=2.5", "rocks=30"]);
    assert!(stats.fusions > 10, "{} fusions", stats.fusions);
}

#[test]
fn packing() {
    let settings = ["bodies=24", "layers=4", "duration=2.6"];
    let stats = assert_one_history("packing", &settings);
    assert!(stats.optimized_steps > 100, "{}", stats.optimized_steps);
    assert_eq!(stats.optimization_unclear, 0);
    assert_one_history(
        "packing",
        &[&settings[..], &["contact.solver=auto"]].concat(),
    );
}

/// What was poured and tapped comes to rest, at steps of 1/30 s as well, and nothing overlaps.
#[test]
fn packings_come_to_rest() {
    for step in ["contact.step=1/60", "contact.step=1/30"] {
        let world = load("packing", &["bodies=45", "layers=5", step]);
        let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
        let (stats, states) = run(&world, algorithm, &mut Discard).expect("there is room");
        assert_eq!(stats.optimization_unclear, 0);
        let moves = |s: &physics::State| s.velocity != physics::Vec3::ZERO;
        assert!(!states.iter().any(moves), "{step}: something still moves");
        overlaps(&world, &states, 0.0, |a, b, depth| {
            panic!("{step}: {a:?} and {b:?} overlap by {depth} m")
        });
    }
}

/// Grains fall through the neck under the optimiser as well.
#[test]
fn hourglass_by_the_optimiser() {
    let settings = ["duration=1", "grains=40", "contact.solver=optimization"];
    let stats = assert_one_history("hourglass", &settings);
    assert!(stats.optimized_steps > 20, "{}", stats.optimized_steps);
}

/// Each gear turns the next one the other way round, less than the play of the teeth behind.
#[test]
fn gears() {
    assert_one_history("gears", &["duration=1"]);
    let world = load("gears", &["duration=3"]);
    let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
    let (_, states) = run(&world, algorithm, &mut Discard).expect("gears have room to turn");
    let mut sign = 1.0;
    for (body, state) in world.bodies.iter().zip(&states) {
        let Some(number) = body.name.strip_prefix("gear ") else {
            continue;
        };
        sign = -sign;
        let turn = rotation_vector(state.rotation * body.start.rotation.inverse());
        // Twelve teeth of 0.07 m at a radius of 0.43 m: 0.2 rad of play, half of it to either side.
        let number: f64 = number.parse().expect("a number");
        let expected = sign * 0.8 * 3.0;
        assert!(
            (turn.y - expected).abs() < 0.11 * number,
            "{} {turn}",
            body.name
        );
    }
}

/// A floor that begins to move within a step takes what lies on it along at that very tick.
#[test]
fn scripts_cut_steps() {
    let mut overlap = 0.0f64;
    for until in ["2.41", "2.43", "2.4501", "2.47", "2.81", "2.85"] {
        let world = load(
            "packing",
            &["bodies=9", "layers=1", &format!("duration={until}")],
        );
        let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
        let (_, states) = run(&world, algorithm, &mut Discard).expect("a run");
        overlaps(&world, &states, 0.0, |_, _, depth| {
            overlap = overlap.max(depth)
        });
    }
    // A ten-thousandth of a body's size; the floor rises by 10 mm in a step.
    assert!(overlap < 2e-5, "{overlap} m");
}
