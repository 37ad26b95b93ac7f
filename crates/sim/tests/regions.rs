//! Regions on threads commit the same history as `ordered`, whatever their number (law 1).

use crate::groups_yard::hash;
use warp::Tick;
use warpline_sim::{Algorithm, World, scene};

/// Numbers of regions that are tried, with more of them than cores.
const REGIONS: [usize; 5] = [1, 2, 3, 4, 16];

fn built_in(name: &str, seconds: f64) -> World {
    let scene = scene::BUILTIN.iter().find(|scene| scene.name == name);
    let text = scene.expect("a built-in scene").text;
    let mut world = scene::load(name, text, &[]).expect("a scene").world;
    world.until = Tick::from_seconds(seconds);
    world
}

fn same_on_all_regions(world: &World) {
    let (expected, ordered) = hash(world, Algorithm::Ordered);
    for regions in REGIONS {
        let (found, stats) = hash(world, Algorithm::Parallel(regions));
        assert_eq!(
            stats.events_committed, ordered.events_committed,
            "{} on {regions} regions: {:?}",
            world.name, stats.regions
        );
        assert_eq!(found, expected, "{} on {regions} regions", world.name);
        let moving = world.moving();
        assert_eq!(stats.regions.len(), regions.min(moving), "{}", world.name);
    }
}

#[test]
fn a_gas_has_one_history_on_any_number_of_regions() {
    same_on_all_regions(&built_in("gas", 1.0));
}

#[test]
fn atoms_and_a_billiard_have_one_history_on_any_number_of_regions() {
    for (name, seconds) in [("atoms", 2.0), ("billiard", 2.0)] {
        same_on_all_regions(&built_in(name, seconds));
    }
}

#[test]
fn bodies_that_tumble_have_one_history_on_any_number_of_regions() {
    same_on_all_regions(&built_in("tumblers", 2.0));
}

#[test]
fn what_cannot_be_divided_yet_runs_undivided() {
    let world = built_in("stack", 0.2);
    let (expected, _) = hash(&world, Algorithm::Ordered);
    let (found, stats) = hash(&world, Algorithm::Parallel(4));
    assert_eq!(found, expected);
    assert!(stats.regions.is_empty());
}
