//! The history of the protocol is that of the plain loop, to the byte, whatever was tried first.

use crate::worlds::{crowd, threaded};
use proptest::prelude::*;
use warpline_koenig::{Settings, Trajectories, plain, seeded, simulated};

/// Equality of bits, not of numbers: -0 and 0 differ.
fn assert_same(found: &Trajectories, expected: &Trajectories, what: &str) {
    assert_eq!(found.turns.len(), expected.turns.len(), "{what}");
    let text = |all: &Trajectories| format!("{all:?}");
    assert_eq!(text(found), text(expected), "{what}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn any_order_of_activations_gives_the_plain_history(
        world in 0u64..1 << 32,
        order in 0u64..1 << 32,
        count in 1usize..24,
        sub_step in 1i64..9,
        ahead in 2i64..70,
        buckets in prop_oneof![Just(None), (1usize..20).prop_map(Some)],
    ) {
        let scene = crowd(world, count, 40 * sub_step);
        let settings = Settings { sub_step, ahead: ahead * sub_step, buckets, fault: None };
        let expected = plain::run(&scene, &settings);
        let (found, _) = seeded::run(&scene, &settings, order).unwrap();
        assert_same(&found, &expected, "seeded");
    }

    #[test]
    fn any_number_of_simulated_cores_gives_the_plain_history(
        world in 0u64..1 << 32,
        count in 1usize..60,
        cores in 1usize..17,
        ahead in 2i64..70,
    ) {
        let scene = crowd(world, count, 400);
        let settings = Settings { ahead: 4 * ahead, ..Settings::default() };
        let expected = plain::run(&scene, &settings);
        let found = simulated::run(&scene, &settings, cores, false).unwrap();
        assert_same(&found.trajectories, &expected, "simulated");
        prop_assert!(found.elapsed_s <= found.busy_s + 1e-9);
        prop_assert!(found.busy_s <= found.elapsed_s * cores as f64 + 1e-9);
    }

    #[test]
    fn any_number_of_threads_gives_the_plain_history(
        world in 0u64..1 << 32,
        count in 1usize..60,
        threads in 1usize..6,
        ahead in 2i64..70,
    ) {
        let scene = crowd(world, count, 400);
        let settings = Settings { ahead: 4 * ahead, ..Settings::default() };
        let expected = plain::run(&scene, &settings);
        let (found, _) = threaded(&scene, &settings, threads).unwrap();
        assert_same(&found, &expected, "threads");
    }
}

#[test]
fn a_crowd_has_contacts_rollbacks_and_antievents() {
    // Otherwise the properties above would show nothing.
    let scene = crowd(3, 40, 1000);
    let settings = Settings::default();
    let (found, tally) = seeded::run(&scene, &settings, 1).unwrap();
    assert!(found.turns.len() > 500, "{}", found.turns.len());
    assert!(tally.rollbacks > 100 && tally.antievents > 100, "{tally:?}");
    assert!(tally.lock_waits > 100, "{tally:?}");
    assert_same(&found, &plain::run(&scene, &settings), "seeded");
}

#[test]
fn simulated_cores_share_the_work_and_wait_for_each_others_locks() {
    let scene = crowd(3, 60, 600);
    let on = |cores| simulated::run(&scene, &Settings::default(), cores, false).unwrap();
    let (one, four) = (on(1), on(4));
    // One core is never idle, and four finish earlier than one: by how much depends on the clock.
    assert!((one.elapsed_s - one.busy_s).abs() < 1e-9);
    assert!(four.elapsed_s < four.busy_s);
    assert!(four.tally.lock_waits > 0, "{:?}", four.tally);
}
