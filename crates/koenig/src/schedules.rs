//! The protocol under `shuttle`: at every lock and counter another thread may go on, at random or by PCT. A few entities,
//! since it is the interleavings that count.

use crate::scene::{Fault, Phy, Scene, Settings, Sphere, Vec3};
use crate::threads::{self, Workers};
use crate::{Error, Trajectories, plain};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Schedules of each kind; `WARPLINE_SCHEDULES` asks for more.
fn schedules() -> usize {
    let asked = std::env::var("WARPLINE_SCHEDULES").ok();
    asked.and_then(|n| n.parse().ok()).unwrap_or(300)
}

/// One ball between two others that reach it at the same LVT, and one more that hits afterwards: three contacts at one LVT,
/// rollbacks while others resolve, and antievents both ways.
fn meeting() -> Scene {
    let ball = |x: f64, y: f64, vx: f64, vy: f64| Sphere {
        radius: 0.1,
        mass: 1.0,
        surface: 0,
        start: Phy {
            position: Vec3::new(x, y, 0.0),
            velocity: Vec3::new(vx, vy, 0.0),
        },
    };
    Scene {
        spheres: vec![
            ball(0.0, 0.0, 0.0, 0.0),
            ball(-0.23, 0.0, 3.0, 0.0),
            ball(0.23, 0.0, -3.0, 0.0),
            ball(0.0, 0.26, 0.0, -3.0),
        ],
        restitution: vec![vec![0.8]],
        end: 40,
        ..Scene::default()
    }
}

fn settings(fault: Option<Fault>) -> Settings {
    Settings {
        sub_step: 4,
        ahead: 32,
        buckets: Some(8),
        fault,
    }
}

fn threaded(scene: &Scene, fault: Option<Fault>) -> Result<Trajectories, Error> {
    let mut turns = Vec::new();
    let workers = Workers {
        threads: 2,
        timed: false,
    };
    let ran = threads::run(scene, &settings(fault), workers, &mut |new, _| {
        turns.extend_from_slice(new);
        ControlFlow::Continue(())
    })?;
    let states = ran.states;
    Ok(Trajectories { turns, states })
}

fn has_the_plain_history() {
    let scene = meeting();
    let expected = plain::run(&scene, &settings(None));
    assert!(expected.turns.len() >= 4);
    assert_eq!(threaded(&scene, None), Ok(expected));
}

#[test]
fn random_schedules_give_the_plain_history() {
    shuttle::check_random(has_the_plain_history, schedules());
}

#[test]
fn pct_schedules_give_the_plain_history() {
    shuttle::check_pct(has_the_plain_history, schedules(), 3);
}

#[test]
fn unsorted_locks_are_found_as_a_deadlock() {
    static STUCK: AtomicUsize = AtomicUsize::new(0);
    let fault = Some(Fault::UnsortedLocks);
    let check = move || match threaded(&meeting(), fault) {
        Err(Error::Stuck { .. }) => {
            STUCK.fetch_add(1, Ordering::Relaxed);
        }
        other => assert!(other.is_ok(), "{other:?}"),
    };
    shuttle::check_random(check, schedules());
    assert!(STUCK.load(Ordering::Relaxed) > 0);
}
