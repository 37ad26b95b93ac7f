//! Planted faults are found, bad input is refused, and a worker that panics leaves nothing behind.

use crate::worlds::{crowd, threaded};
use std::ops::ControlFlow;
use warpline_koenig::{Error, Fault, Settings, Workers, seeded, threads};

/// How many of the first seeds end with entities that wait for each other.
fn stuck(fault: Option<Fault>, seeds: u64) -> u64 {
    let settings = Settings {
        fault,
        buckets: Some(8),
        ..Settings::default()
    };
    let mut found = 0;
    for seed in 0..seeds {
        let scene = crowd(seed, 12, 400);
        match seeded::run(&scene, &settings, seed) {
            Ok(_) => {}
            Err(Error::Stuck { whom, .. }) => {
                assert!(whom.contains("waits for"), "{whom}");
                found += 1;
            }
            Err(other) => panic!("{other}"),
        }
    }
    found
}

#[test]
fn unsorted_locks_are_found_as_a_deadlock() {
    assert!(stuck(Some(Fault::UnsortedLocks), 20) > 0);
    assert_eq!(stuck(None, 20), 0);
}

#[test]
fn a_worker_that_panics_ends_the_run_with_its_words() {
    for threads in [1, 2, 4] {
        let settings = Settings {
            fault: Some(Fault::Panic(7)),
            ..Settings::default()
        };
        let error = threaded(&crowd(1, 20, 400), &settings, threads).unwrap_err();
        assert_eq!(
            error,
            Error::Panicked("entity 7 was told to panic".into()),
            "{threads}"
        );
    }
}

#[test]
fn whoever_takes_the_history_may_end_the_run() {
    let workers = Workers {
        threads: 2,
        timed: false,
    };
    let scene = crowd(1, 20, 4000);
    let ran = threads::run(
        &scene,
        &Settings::default(),
        workers,
        &mut |_, gvt| match gvt < 500 {
            true => ControlFlow::Continue(()),
            false => ControlFlow::Break(()),
        },
    );
    assert_eq!(ran.unwrap_err(), Error::Interrupted);
}

#[test]
fn nonsense_is_refused_and_the_odd_runs() {
    let settings = Settings::default();
    let scene = crowd(1, 3, 40);
    for threads in [0, 100_000] {
        assert!(threaded(&scene, &settings, threads).is_err());
    }
    let with = |sub_step, ahead| Settings {
        sub_step,
        ahead,
        ..settings
    };
    for bad in [with(0, 8), with(-4, 8), with(4, 4), with(3, 30)] {
        assert!(matches!(threaded(&scene, &bad, 1), Err(Error::Unusable(_))));
    }
    // More threads than entities, no entities, no time.
    for (count, end) in [(3, 40), (1, 40), (0, 40), (3, 0)] {
        let scene = crowd(1, count, end);
        let (found, _) = threaded(&scene, &settings, 16).unwrap();
        assert_eq!(found, warpline_koenig::plain::run(&scene, &settings));
    }
}
