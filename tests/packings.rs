//! Dense packings by the optimiser, looked at from outside: overlaps at the end of every step by exact distances, how
//! much of the space equal spheres fill, and what is said where there is no room.

use std::process::Command;
use warpline::audit::{Audit, Moments};
use warpline::filled::filled;
use warpline::sim::scene::Override;
use warpline::sim::{Algorithm, Discard, Kind, LookAhead, World, run};

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);

fn load(scene: &str, settings: &[(&str, &str)]) -> World {
    let text = warpline::sim::scene::builtin(scene)
        .expect("a built-in scene")
        .text;
    let set: Vec<Override> = settings
        .iter()
        .map(|(key, value)| Override::option("test", key, value))
        .collect();
    warpline::sim::scene::load(scene, text, &set)
        .expect("a scene")
        .world
}

/// The largest overlap at the end of any step and at any other event, as a part of the smaller body's least width. The
/// audit knows poses and shapes alone.
fn overlap_of_every_step(scene: &str, settings: &[(&str, &str)]) -> f64 {
    let solver = ("contact.solver", "optimization");
    let world = load(scene, &[settings, &[solver]].concat());
    let mut moments = Moments::default();
    run(&world, TIMEWARP, &mut moments).expect("there is room");
    let mut audit = Audit::at_moments(&world, &moments);
    let (stats, _) = run(&world, TIMEWARP, &mut audit).expect("there is room");
    let found = audit.conclude();
    assert!(
        found.samples as u64 >= stats.optimized_steps / 2,
        "{}",
        found.samples
    );
    assert!(stats.optimized_steps > 20, "{}", stats.optimized_steps);
    assert_eq!(stats.optimization_unclear, 0);
    found.deepest.map_or(0.0, |o| o.depth / o.width)
}

#[test]
fn nothing_overlaps_at_the_end_of_any_step() {
    for (scene, settings) in [
        (
            "packing",
            &[("bodies", "45"), ("layers", "5"), ("duration", "3.5")][..],
        ),
        (
            "packing",
            &[
                ("bodies", "45"),
                ("layers", "5"),
                ("duration", "3.5"),
                ("contact.step", "1/30"),
            ],
        ),
        (
            "packing-spheres",
            &[("bodies", "60"), ("layers", "5"), ("duration", "3.5")],
        ),
        ("gears", &[("duration", "2")]),
        ("hourglass", &[("duration", "1"), ("grains", "40")]),
    ] {
        let part = overlap_of_every_step(scene, settings);
        assert!(
            part < 1e-4,
            "{scene} {settings:?}: {part} of a body's width"
        );
    }
}

/// The audit can fail: `soft-step` with long steps overlaps by far more.
#[test]
fn the_audit_sees_overlaps() {
    let world = load(
        "packing",
        &[
            ("bodies", "45"),
            ("layers", "5"),
            ("duration", "1.5"),
            ("contact.solver", "soft-step"),
            ("contact.step", "1/30"),
            ("contact.substeps", "1"),
        ],
    );
    let mut audit = Audit::new(&world, 100);
    run(&world, TIMEWARP, &mut audit).expect("a run");
    let deepest = audit.conclude().deepest.expect("overlaps");
    assert!(deepest.depth > 0.01, "{deepest:?}");
}

/// Experiments with steel balls: 0.60 when poured, 0.64 when tapped for long (random close packing).
#[test]
fn equal_spheres_are_packed_as_experiments_find() {
    let world = load("packing-spheres", &[]);
    let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("there is room");
    let fraction = filled(&world, &states).expect("a region away from the walls");
    assert!((0.60..=0.64).contains(&fraction), "{fraction}");
    let moves = |(b, s): (&warpline::sim::Body, &warpline::physics::State)| {
        b.kind == Kind::Dynamic && s.velocity != warpline::physics::Vec3::ZERO
    };
    assert!(
        !world.bodies.iter().zip(&states).any(moves),
        "something still moves"
    );
}

/// A lid presses crates into a bin that cannot hold them.
#[test]
fn what_has_no_room_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let scene = directory.path().join("press.toml");
    std::fs::write(&scene, PRESS).expect("written");
    let output = Command::new(env!("CARGO_BIN_EXE_warpline"))
        .args(["run".as_ref(), scene.as_os_str()])
        .output()
        .expect("a run");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{message}");
    for phrase in [
        "the contact group of `crate 1`",
        "`crate",
        "overlap by",
        "group of",
        "ms",
        "more room",
    ] {
        assert!(message.contains(phrase), "`{phrase}` is not in:\n{message}");
    }
    assert!(
        !message.contains("NaN") && !message.contains("panicked"),
        "{message}"
    );
}

const PRESS: &str = r#"
name = "press"
until = 3.0
gravity = [0, -9.81, 0]
[contact]
solver = "optimization"
[box]
min = [-0.25, 0, -0.25]
max = [0.25, 3, 0.25]
open = ["+y"]
[[body]]
name = "lid"
kind = "kinematic"
shape = { box = [0.48, 0.2, 0.48] }
script = [ { at = 0, position = [0, 2, 0] }, { at = 1, position = [0, 2, 0] }, { at = 2, position = [0, 0.2, 0] } ]
[[body]]
for = "i = 1 to 8"
name = "crate $i"
shape = { box = [0.2, 0.2, 0.2] }
position = ["0.002 * $i", "0.22 * $i - 0.1", 0.003]
density = 500
"#;
