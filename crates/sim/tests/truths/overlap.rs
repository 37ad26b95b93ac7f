//! Nothing gets into anything else: overlaps of whole scenes, looked at in between steps as well, by a routine that shares
//! nothing with the solver.

use crate::truths::lab;
use warpline_sim::World;
use warpline_sim::overlap::overlaps;
use warpline_sim::scene::{Override, builtin, load};

/// A built-in scene with some parameters set.
fn scene(name: &str, sets: &[&str]) -> World {
    let parse = |set: &&str| Override::parse(set).expect("KEY=VALUE");
    let overrides: Vec<Override> = sets.iter().map(parse).collect();
    let text = builtin(name).expect("a built-in scene").text;
    load(name, text, &overrides).expect("a sound scene").world
}

/// The deepest overlap at `count` moments up to `until`, metres, and whose it is.
fn deepest(world: &World, until: f64, count: u32) -> (f64, String) {
    let mut deepest = (0.0, String::new());
    for (seconds, states) in lab::samples(world, until, count) {
        overlaps(world, &states, 0.0, |a, b, depth| {
            if depth > deepest.0 {
                let [a, b] = [a, b].map(|body| &world.bodies[body.index()].name);
                deepest = (depth, format!("{a} and {b} at {seconds} s"));
            }
        });
    }
    deepest
}

/// The balls that wait fall asleep while the first one swings, the last of them during the very step in which it
/// arrives. It hits all the same: contact is a matter of collisions here, to rounding.
#[test]
fn who_falls_asleep_during_a_step_is_hit_in_it() {
    let world = scene("cradle", &["duration=0.7"]);
    let (depth, whose) = deepest(&world, 0.7, 700);
    assert!(depth < 1e-4, "{depth} m: {whose}");
}

/// Rocks and boxes that lie on the floor are hit by others that fall at 6 m/s: the floor takes the blow up, and a
/// hundredth of a body's width (2 mm and more) is nobody's to sink.
#[test]
fn what_is_struck_does_not_get_into_the_floor() {
    for seed in 1..=3 {
        let world = scene("pile", &[&format!("seed={seed}"), "duration=1.5"]);
        let (depth, whose) = deepest(&world, 1.5, 360);
        assert!(depth < 2e-3, "{depth} m: {whose}, seed {seed}");
    }
}

/// A cube on one of a thousandth, a hundred-thousandth and a millionth of its mass: the light one is not crushed. (Kept from
/// sleep, the contacts of a ratio of 1e5 and more are not always found, and it sinks by millimetres in such a step.)
#[test]
fn a_heavy_cube_does_not_sink_into_a_light_one() {
    for ratio in ["1e3", "1e5", "1e6"] {
        let world = lab::load("heavy-on-light", &[&format!("ratio={ratio}")]);
        let (depth, whose) = deepest(&world, 5.0, 300);
        assert!(depth < 1e-3, "{depth} m: {whose}, ratio {ratio}");
    }
}
