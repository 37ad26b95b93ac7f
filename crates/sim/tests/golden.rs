//! Every built-in scene has the history it had yesterday: `golden.txt` pins the hash of a short run of each, and
//! every event-driven executor must give it. A change of the code's shape changes no line of that file; a change of
//! physics does, and says so in its commit. `WARPLINE_WRITE_GOLDEN=1` writes the file anew.

use crate::groups_yard::hash;
use std::fmt::Write as _;
use warp::Tick;
use warpline_sim::{Algorithm, LookAhead, World, scene};

/// How much of a scene is run, seconds: long enough that it collides, fuses, steps and rolls back.
fn seconds_of(scene: &str) -> f64 {
    match scene {
        "bowline-knot" | "reef-knot" | "trash-compactor" | "twister" | "two-cloths" => 0.1,
        "chain" => 0.3,
        "heap" => 0.5,
        "packing" => 0.7,
        "avalanche" => 1.5,
        "bouncing" | "hourglass" | "newtons-cradle" | "tumblers" => 2.0,
        _ => 1.0,
    }
}

fn world_of(scene: &scene::Builtin) -> World {
    let mut world = scene::load(scene.name, scene.text, &[])
        .expect("a built-in scene")
        .world;
    world.until = Tick::from_seconds(seconds_of(scene.name));
    world
}

fn executors(world: &World) -> Vec<Algorithm> {
    let mut all = vec![
        Algorithm::TimeWarp(LookAhead::Adaptive),
        Algorithm::TimeWarp(LookAhead::Seconds(0.05)),
        Algorithm::Checking,
    ];
    let is_rigid = world.deformables.is_empty() && world.multibodies.is_empty();
    if is_rigid && world.joints.is_empty() {
        all.push(Algorithm::Oracle);
    }
    all
}

#[test]
fn no_history_has_changed() {
    let mut found = String::new();
    for scene in scene::BUILTIN {
        let (hash, stats) = hash(&world_of(scene), Algorithm::Ordered);
        let events = stats.events_committed;
        let seconds = seconds_of(scene.name);
        writeln!(found, "{} {seconds} s, {events} events: {hash}", scene.name).expect("a string");
    }
    if std::env::var_os("WARPLINE_WRITE_GOLDEN").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden.txt");
        std::fs::write(path, &found).expect("the test's own file");
        return;
    }
    let differing: Vec<&str> = found
        .lines()
        .filter(|line| !include_str!("golden.txt").lines().any(|l| l == *line))
        .collect();
    assert!(
        differing.is_empty(),
        "other histories than in golden.txt:\n{}",
        differing.join("\n")
    );
}

#[test]
fn every_executor_gives_it() {
    for scene in scene::BUILTIN {
        let world = world_of(scene);
        let (reference, _) = hash(&world, Algorithm::Ordered);
        for algorithm in executors(&world) {
            let (found, _) = hash(&world, algorithm);
            assert_eq!(found, reference, "{} under {algorithm:?}", scene.name);
        }
    }
}
