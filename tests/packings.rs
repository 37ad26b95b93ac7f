//! Dense packings by the optimiser, looked at from outside: overlaps at the end of every step by separating axes and exact
//! distances that no solver knows of, how much of the space equal spheres fill, and what is said where there is no room.

mod separation;
mod watched;

use separation::{Solid, separation};
use std::process::Command;
use std::time::Instant;
use warpline::audit::{Audit, Moments};
use warpline::filled::filled;
use warpline::physics::{State, Vec3};
use warpline::record::HistoryHash;
use warpline::sim::scene::Override;
use warpline::sim::{Algorithm, Body, BodyId, Discard, Kind, LookAhead, World, run};
use watched::Watched;

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

/// The largest overlap at the end of any step and at any other event, as a part of the smaller body's least width. It is
/// measured by [`separation`], which knows poses and shapes alone; what that does not know (surfaces), by the audit of `check`.
fn overlap_at_every_event(world: &World) -> f64 {
    let mut moments = Moments::default();
    run(world, TIMEWARP, &mut moments).expect("there is room");
    let mut audit = Audit::at_moments(world, &moments);
    let (stats, _) = run(world, TIMEWARP, &mut audit).expect("there is room");
    let samples = audit.states();
    if world
        .contact
        .as_ref()
        .is_some_and(|rules| rules.solver.name() == "optimization")
    {
        assert!(stats.optimized_steps > 20, "{}", stats.optimized_steps);
        assert_eq!(stats.optimization_unclear, 0);
        let often = samples.len() as u64 >= stats.optimized_steps / 2;
        assert!(often, "{} of {}", samples.len(), stats.optimized_steps);
    }
    let solids: Vec<Option<Solid>> = (0..world.bodies.len() as u32)
        .map(|body| Solid::of(world.model(BodyId(body))))
        .collect();
    if solids.iter().any(Option::is_none) {
        let found = audit.conclude();
        return found.deepest.map_or(0.0, |o| o.depth / o.width);
    }
    let solids: Vec<Solid> = solids.into_iter().flatten().collect();
    samples
        .iter()
        .map(|s| overlap(world, &solids, s))
        .fold(0.0, f64::max)
}

/// The largest overlap of any two bodies that can meet.
fn overlap(world: &World, solids: &[Solid], states: &[State]) -> f64 {
    let radius = |body: usize| world.model(BodyId(body as u32)).bounding_radius();
    let moves = |body: usize| world.bodies[body].kind == Kind::Dynamic;
    let mut largest = 0.0f64;
    for i in (0..solids.len()).filter(|i| moves(*i)) {
        for j in (0..solids.len()).filter(|j| *j > i || !moves(*j)) {
            let apart = states[i].position.distance(states[j].position);
            if apart < radius(i) + radius(j) {
                let [a, b] = [i, j].map(|k| (&solids[k], states[k].pose()));
                let depth = -separation((a.0, &a.1), (b.0, &b.1));
                largest = largest.max(depth / a.0.width.min(b.0.width));
            }
        }
    }
    largest
}

/// What the optimiser returns satisfies non-overlap, the constraint of all its programs, to 1e-9 of a body's size: measured
/// after every one of its steps, for all members against each other and against what is near, where it has put them.
#[test]
fn what_the_optimiser_returns_satisfies_its_constraints() {
    for (scene, settings) in [
        (
            "packing",
            &[("bodies", "60"), ("layers", "5"), ("duration", "3.5")][..],
        ),
        (
            "packing-spheres",
            &[("bodies", "90"), ("layers", "5"), ("duration", "3.5")],
        ),
        ("gears", &[("duration", "3")]),
        ("hourglass", &[("grains", "60"), ("duration", "3")]),
    ] {
        for solver in ["optimization", "auto"] {
            let solver = ("contact.solver", solver);
            let mut world = load(scene, &[settings, &[solver]].concat());
            let watched = Watched::watch(&mut world);
            let (stats, _) = run(&world, Algorithm::Ordered, &mut Discard).expect("there is room");
            let seen = watched.seen();
            println!("{scene} {solver:?}: {seen:?} of {}", stats.optimized_steps);
            let what = format!("{scene} {solver:?}: {seen:?}");
            assert!(seen.violation <= 1e-9, "{what}");
            assert_eq!(stats.optimization_unclear, 0, "{what}");
            let enough = seen.steps > 20 && seen.pairs > 1000;
            assert!(enough || solver.1 == "auto", "{what}");
        }
    }
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
        // `auto` leaves loose groups to `soft-step`, which may overlap by what `check` allows.
        for (solver, most) in [("optimization", 1e-4), ("auto", 1e-2)] {
            let set = [settings, &[("contact.solver", solver)]].concat();
            let part = overlap_at_every_event(&load(scene, &set));
            println!("{solver} {scene} {settings:?}: {part} of a body's width");
            assert!(part < most, "{solver} {scene} {settings:?}: {part}");
        }
    }
}

/// Unions of convex pieces, capsules, cylinders and balls, on a fixed plane, on a kinematic paddle that turns among them, and
/// on a mesh.
#[test]
fn no_kind_of_contact_lets_bodies_overlap() {
    for ground in [PADDLE, MESH] {
        let text = format!("{KINDS}{ground}");
        let world = warpline::sim::scene::load("kinds.toml", &text, &[])
            .expect("a scene")
            .world;
        let part = overlap_at_every_event(&world);
        assert!(part < 1e-4, "{part} of a body's width\n{ground}");
    }
}

/// Grains of sand resist rolling, so that the heap below an hourglass comes to rest under every solver.
#[test]
fn the_heap_below_an_hourglass_comes_to_rest() {
    for solver in ["soft-step", "optimization", "auto"] {
        let world = load("hourglass", &[("contact.solver", solver)]);
        let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("there is room");
        assert!(!anything_moves(&world, &states), "{solver}");
    }
}

/// Poured, tapped, and asleep in the end: every body's newest segment is still, whatever the random start.
#[test]
fn piles_come_to_rest_whatever_the_start() {
    for (seed, step) in [("1", "1/60"), ("2", "1/60"), ("3", "1/60"), ("4", "1/30")] {
        let settings = [
            ("bodies", "45"),
            ("layers", "5"),
            ("duration", "8"),
            ("seed", seed),
            ("contact.step", step),
        ];
        let world = load("packing", &settings);
        let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("there is room");
        assert!(
            !anything_moves(&world, &states),
            "seed {seed}, steps of {step} s"
        );
    }
}

/// Steps of 1/30 s: where `soft-step` lets bodies overlap by centimetres, the optimiser keeps them apart, at the end of every
/// step and by the same measure. It also shows that both audits can fail.
#[test]
fn steps_of_a_thirtieth_of_a_second_do_not_overlap_where_others_do() {
    let set = |solver| {
        let few = [("bodies", "45"), ("layers", "5"), ("duration", "1.5")];
        let long = [("contact.step", "1/30"), ("contact.substeps", "1")];
        load(
            "packing",
            &[&few[..], &long[..], &[("contact.solver", solver)]].concat(),
        )
    };
    let (soft, apart) = (set("soft-step"), set("optimization"));
    let [overlaps, does_not] = [&soft, &apart].map(overlap_at_every_event);
    // The least width of the smallest body is 0.1 m and more.
    assert!(overlaps > 0.1, "{overlaps} of a body's width");
    assert!(does_not < 1e-4, "{does_not} of a body's width");
    let mut audit = Audit::new(&soft, 100);
    run(&soft, TIMEWARP, &mut audit).expect("a run");
    let deepest = audit.conclude().deepest.expect("overlaps");
    assert!(deepest.depth > 0.01, "{deepest:?}");
}

fn anything_moves(world: &World, states: &[State]) -> bool {
    let moves = |(b, s): (&Body, &State)| {
        b.kind == Kind::Dynamic && (s.velocity != Vec3::ZERO || s.spin != Vec3::ZERO)
    };
    world.bodies.iter().zip(states).any(moves)
}

/// Experiments with steel balls: 0.60 when poured, 0.64 when tapped for long (random close packing).
#[test]
fn equal_spheres_are_packed_as_experiments_find() {
    let world = load("packing-spheres", &[]);
    let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("there is room");
    let fraction = filled(&world, &states).expect("a region away from the walls");
    assert!((0.60..=0.64).contains(&fraction), "{fraction}");
    assert!(!anything_moves(&world, &states), "something still moves");
}

/// A body that comes fast is seen by the steps of groups from as far away as it gets in them, whatever the broad phase
/// holds of it; so all executors commit one history, and nothing overlaps.
#[test]
fn a_paddle_that_is_thrown_at_a_heap_is_met_alike_by_all() {
    let load = |solver: &str| {
        let solver = Override::option("test", "contact.solver", solver);
        let scene = warpline::sim::scene::load("thrown.toml", THROWN, &[solver]);
        scene.expect("a scene").world
    };
    for solver in ["soft-step", "impulse", "optimization"] {
        let world = load(solver);
        let ahead = [1e-4, 1e-2, 1.0].map(LookAhead::Seconds);
        let ahead = ahead.into_iter().chain([LookAhead::OneEvent]);
        let all = ahead.map(Algorithm::TimeWarp).chain([Algorithm::Checking]);
        let histories: Vec<String> = all
            .map(|algorithm| {
                let mut hash = HistoryHash::new();
                run(&world, algorithm, &mut hash).expect("a run");
                hash.finish()
            })
            .collect();
        assert!(
            histories.windows(2).all(|h| h[0] == h[1]),
            "{solver}: {histories:?}"
        );
    }
    let part = overlap_at_every_event(&load("optimization"));
    assert!(part < 1e-4, "{part} of a body's width");
}

/// Two walls close on a crate: that is told at once, and not after every collision that follows from it.
#[test]
fn what_is_crushed_is_named_at_once() {
    let world = warpline::sim::scene::load("pinch.toml", PINCH, &[])
        .expect("a scene")
        .world;
    let begun = Instant::now();
    let error = run(&world, TIMEWARP, &mut Discard).expect_err("no room");
    let message = error.to_string();
    assert!(
        message.contains("`crate`") && message.contains("overlap by"),
        "{message}"
    );
    assert!(begun.elapsed().as_secs() < 20, "{:?}", begun.elapsed());
}

/// A lid presses crates into a bin that cannot hold them.
#[test]
fn what_has_no_room_is_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let scene = directory.path().join("press.toml");
    std::fs::write(&scene, PRESS).expect("written");
    for solver in ["optimization", "auto"] {
        let output = Command::new(env!("CARGO_BIN_EXE_warpline"))
            .args(["run".as_ref(), scene.as_os_str()])
            .args(["--solver", solver])
            .output()
            .expect("a run");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{solver}: {message}");
        for phrase in [
            "the contact group of `crate 1`",
            "`crate",
            "group of",
            "ms",
            "more room",
        ] {
            let said = message.contains(phrase);
            assert!(said, "{solver}: `{phrase}` is not in:\n{message}");
        }
        let overlap = message.contains("overlap by") || message.contains("pressed to within");
        let nonsense = ["NaN", "panicked", "by -"]
            .iter()
            .any(|w| message.contains(w));
        assert!(overlap && !nonsense, "{solver}: {message}");
    }
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

const PINCH: &str = r#"
name = "pinch"
until = 2.0
gravity = [0, -9.81, 0]
[contact]
solver = "optimization"
[[body]]
name = "left"
kind = "kinematic"
shape = { box = [0.2, 1, 1] }
script = [ { at = 0, position = [-1, 0.5, 0] }, { at = 0.5, position = [-1, 0.5, 0] }, { at = 1, position = [-0.15, 0.5, 0] } ]
[[body]]
name = "right"
kind = "kinematic"
shape = { box = [0.2, 1, 1] }
script = [ { at = 0, position = [1, 0.5, 0] }, { at = 0.5, position = [1, 0.5, 0] }, { at = 1, position = [0.15, 0.5, 0] } ]
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
[[body]]
name = "crate"
shape = { box = [0.3, 0.3, 0.3] }
position = [0, 0.15, 0]
density = 500
"#;

const THROWN: &str = r#"
name = "thrown"
until = 1.6
gravity = [0, -9.81, 0]
[contact]
solver = "optimization"
[box]
min = [-1, 0, -1]
max = [1, 3, 1]
open = ["+y"]
[[scatter]]
name = "rock"
count = 16
shape = { random_hull = { vertices = 14, size = 0.2, seed = 2 } }
density = 700
region = { min = [-0.9, 0.05, -0.9], max = [0.9, 1.2, 0.9] }
gap = 0.01
seed = 3
[[body]]
name = "paddle"
kind = "kinematic"
shape = { box = [0.1, 1.0, 1.9] }
script = [ { at = 0, position = [-3, 0.52, 0] }, { at = 1.2, position = [-3, 0.52, 0] }, { at = 1.3, position = [0.5, 0.52, 0] }, { at = 1.6, position = [-3, 0.52, 0] } ]
"#;

const KINDS: &str = r#"
name = "kinds"
until = 2.5
gravity = [0, -9.81, 0]
[materials.wood]
restitution = 0.1
friction = 0.4
[contact]
solver = "optimization"
[box]
min = [-0.6, -1, -0.6]
max = [0.6, 12, 0.6]
open = ["+y", "-y"]
material = "wood"
[[scatter]]
name = "capsule"
count = 7
shape = { capsule = { length = 0.2, radius = 0.06 } }
density = 700
material = "wood"
region = { min = [-0.6, 0.4, -0.6], max = [0.6, 8.0, 0.6] }
gap = 0.01
seed = 1
[[scatter]]
name = "can"
count = 7
shape = { cylinder = { height = 0.16, radius = 0.07 } }
density = 700
material = "wood"
region = { min = [-0.6, 0.4, -0.6], max = [0.6, 8.0, 0.6] }
gap = 0.01
seed = 2
[[scatter]]
name = "ball"
count = 7
shape = { ball = 0.08 }
density = 700
material = "wood"
region = { min = [-0.6, 0.4, -0.6], max = [0.6, 8.0, 0.6] }
gap = 0.01
seed = 3
[[scatter]]
name = "dumbbell"
count = 7
shapes = [ { ball = 0.07, position = [-0.12, 0, 0] }, { ball = 0.07, position = [0.12, 0, 0] }, { box = [0.2, 0.04, 0.04] } ]
density = 700
material = "wood"
region = { min = [-0.6, 0.4, -0.6], max = [0.6, 8.0, 0.6] }
gap = 0.01
seed = 4
[[scatter]]
name = "elbow"
count = 7
shapes = [ { box = [0.24, 0.07, 0.07], position = [0.06, 0, 0] }, { box = [0.07, 0.24, 0.07], position = [0, 0.06, 0] } ]
density = 700
material = "wood"
region = { min = [-0.6, 0.4, -0.6], max = [0.6, 8.0, 0.6] }
gap = 0.01
seed = 5
"#;

const PADDLE: &str = r#"
[[body]]
name = "ground"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
material = "wood"
[[body]]
name = "paddle"
kind = "kinematic"
shape = { box = [0.9, 0.1, 0.1] }
position = [0, 0.12, 0]
spin = [0, 3, 0]
material = "wood"
"#;

const MESH: &str = r#"
[[body]]
name = "ground"
kind = "fixed"
shape = { mesh = { vertices = [[-1, 0.2, -1], [1, 0.2, -1], [1, 0.2, 1], [-1, 0.2, 1], [0, -0.1, 0]], triangles = [[0, 4, 1], [1, 4, 2], [2, 4, 3], [3, 4, 0]] } }
material = "wood"
"#;
