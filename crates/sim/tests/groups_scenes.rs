//! The built-in scenes with lasting contact have one history under all executors, cut short here.

use crate::groups_yard;

use groups_yard::{hash, load};
use warpline_sim::{Algorithm, LookAhead, Stats};

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
