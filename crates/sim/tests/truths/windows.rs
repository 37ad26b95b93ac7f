//! Whatever the window, a run costs a small multiple of what `ordered` costs, and gives the same history.

use crate::truths::lab;
use crate::truths::storms::{hashed, work};
use warpline_sim::{Algorithm, LookAhead, World};

const WINDOWS: [f64; 4] = [0.01, 0.05, 0.3, 1.0];

fn assert_cheap(world: &World) {
    let ordered = hashed(world, Algorithm::Ordered);
    for seconds in WINDOWS {
        let ran = hashed(world, Algorithm::TimeWarp(LookAhead::Seconds(seconds)));
        match (&ordered, ran) {
            (Ok((reference, least)), Ok((found, stats))) => {
                assert_eq!(&found, reference, "{} at {seconds} s", world.name);
                // Some speculation is tried in every window before it is found to be in vain.
                let (more, least) = (work(&stats), work(least) + 512);
                assert!(
                    more < 5 * least,
                    "{} at {seconds} s: {more} against {least}",
                    world.name
                );
            }
            // What explodes does so in every window.
            (Err(known), Err(error)) => {
                assert!(!error.to_string().contains("panic"), "{error}");
                assert!(!known.to_string().contains("panic"), "{known}");
            }
            (known, ran) => panic!("{}: {known:?} but {ran:?} at {seconds} s", world.name),
        }
    }
}

#[test]
fn joints_and_motors_are_cheap_in_any_window() {
    assert_cheap(&lab::load("timewarp_hang_joints", &[]));
}

/// A capsule that has run ahead into the ground is not searched there until it is known to get there.
#[test]
fn terrain_is_cheap_in_any_window() {
    assert_cheap(&lab::load("timewarp_hang_terrain", &[]));
}
