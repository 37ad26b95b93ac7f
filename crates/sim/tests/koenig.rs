//! Koenig's protocol on worlds: the number of threads is not to be seen in the history, the physics is that of the scene,
//! and what the protocol does not know is refused by name.

use crate::groups_yard::{G, add, hash, material, plane, still};
use physics::{Shape, Vec3};
use warpline_sim::scene::{self, Override};
use warpline_sim::{Algorithm, Discard, World, run};

fn koenig(threads: usize) -> Algorithm {
    Algorithm::Koenig {
        sub_step_ms: 4,
        threads,
    }
}

fn load(name: &str, sets: &[&str]) -> World {
    let builtin = scene::builtin(name).expect("a built-in scene");
    let parse = |set: &&str| Override::parse(set).expect("KEY=VALUE");
    let sets: Vec<Override> = sets.iter().map(parse).collect();
    let loaded = scene::load(builtin.name, builtin.text, &sets);
    loaded.expect("a sound scene").world
}

fn refusal(world: &World) -> String {
    let refused = run(world, koenig(1), &mut Discard);
    refused
        .expect_err("the protocol does not know this")
        .to_string()
}

#[test]
fn threads_cannot_be_seen_in_the_history() {
    let world = load("gas", &["bodies=60", "size=3", "duration=0.5"]);
    let (one, stats) = hash(&world, koenig(1));
    assert!(stats.collisions > 50, "{} collisions", stats.collisions);
    for threads in [2, 4] {
        let (other, stats) = hash(&world, koenig(threads));
        assert_eq!(other, one, "{threads} threads");
        assert_eq!(stats.threads, threads as u32);
    }
}

#[test]
fn a_ball_that_falls_bounces_back() {
    let mut world = World::new("ball", Vec3::new(0.0, -G, 0.0), 1.0);
    plane(&mut world, Vec3::Y, material(0.0, 1.0));
    let ball = Shape::Ball { radius: 0.1 };
    let start = still(Vec3::new(0.0, 0.6, 0.0));
    let id = add(&mut world, ball, 1.0, material(0.0, 1.0), start);
    let (stats, states) = run(&world, koenig(2), &mut Discard).expect("balls and a plane");
    let end = states[id.index()];
    // It falls for sqrt(2 h / g), about 0.319 s, and bounces again after twice that.
    assert_eq!(stats.collisions, 2);
    let fall = (2.0 * 0.5 / G).sqrt();
    let since = 1.0 - 3.0 * fall;
    let height = 0.1 + G * fall * since - 0.5 * G * since * since;
    // A contact is seen up to a sub-step late, at G * fall m/s at most.
    let late = 4.0 * 0.004 * G * fall;
    assert!((end.position.y - height).abs() < late, "{}", end.position.y);
    // It was seen within a sub-step, so it is no deeper than that.
    assert!(stats.max_penetration_m > 0.0);
    assert!(stats.max_penetration_m <= 0.004 * G * fall * 1.1);
}

#[test]
fn what_it_does_not_know_is_named() {
    let mut world = World::new("refused", Vec3::new(0.0, -G, 0.0), 1.0);
    plane(&mut world, Vec3::Y, material(0.5, 1.0));
    let ball = || Shape::Ball { radius: 0.1 };
    let smooth = material(0.0, 1.0);
    add(&mut world, ball(), 1.0, smooth, still(Vec3::Y));
    assert!(run(&world, koenig(1), &mut Discard).is_ok());

    let mut rough = world.clone();
    add(
        &mut rough,
        ball(),
        1.0,
        material(0.5, 1.0),
        still(3.0 * Vec3::Y),
    );
    assert!(
        refusal(&rough).contains("have friction"),
        "{}",
        refusal(&rough)
    );

    let mut spinning = world.clone();
    let mut state = still(3.0 * Vec3::Y);
    state.spin = Vec3::X;
    add(&mut spinning, ball(), 1.0, smooth, state);
    assert!(refusal(&spinning).contains("`body 2` spins"));

    let mut cube = world.clone();
    let shape = Shape::Box {
        half_extents: Vec3::splat(0.1),
    };
    add(&mut cube, shape, 1.0, smooth, still(3.0 * Vec3::Y));
    assert!(refusal(&cube).contains("`body 2` moves and is not a ball"));

    let kinematic = load("atoms", &["bodies=2"]);
    assert!(refusal(&kinematic).contains("`front panel` is kinematic"));
    assert!(refusal(&load("pile", &[])).contains("[contact]"));

    let none = run(&world, koenig(0), &mut Discard).expect_err("no threads");
    assert!(none.to_string().contains("0 threads"), "{none}");
}
