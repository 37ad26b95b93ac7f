//! `impulse` on the tests that every contact solver has to pass: rest, slopes, stacks, bounces.

use crate::groups_yard;

use groups_yard::{Yard, at, cuboid, material, turned_about_z};
use warpline_physics::groups::{Impulse, Settings};
use warpline_physics::{Shape, Vec3};

const STEP: f64 = 1.0 / 120.0;

fn solver() -> Impulse {
    Impulse::new(Settings::default()).expect("the default settings are valid")
}

#[test]
fn a_ball_rests_without_sinking_or_creeping() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    let shape = Shape::Ball { radius: 0.3 };
    let ball = yard.add(shape, 2.0, at(0.0, 0.3, 0.0), material(0.5, 0.0));
    yard.run(&solver(), STEP, 10.0);
    let drift = yard.states[ball].position - Vec3::new(0.0, 0.3, 0.0);
    assert!(drift.length() < 1e-5, "drifted by {drift}");
}

#[test]
fn boxes_on_slopes_hold_or_slide_as_coulomb_says() {
    let friction: f64 = 0.5;
    for degrees in [10.0, 20.0, 26.0, 27.5, 35.0, 50.0] {
        let slope = f64::to_radians(degrees);
        let mut yard = Yard::with_floor(slope, friction);
        let normal = Vec3::new(libm::sin(slope), libm::cos(slope), 0.0);
        let pose = turned_about_z(normal * 0.1, -slope);
        let block = yard.add(cuboid(0.3, 0.1, 0.2), 3.0, pose, material(friction, 0.0));
        let start = yard.states[block].position;
        let pull = 9.81 * (libm::sin(slope) - friction * libm::cos(slope));
        yard.run(&solver(), STEP, 0.5);
        let half = yard.states[block].position;
        yard.run(&solver(), STEP, 1.5);
        let after = yard.states[block].position;
        if pull <= 0.0 {
            // Impulses hold from the first sub-step on, to the loops' tolerances: 1e-5 m/s for 2 s.
            let (slip, creep) = (half - start, after - half);
            assert!(slip.length() < 4.3e-5, "{degrees}: slipped by {slip}");
            assert!(creep.length() < 2e-5, "{degrees}: crept by {creep}");
        } else {
            let (moved, expected) = ((after - start).length(), 0.5 * pull * 4.0);
            let error = moved / expected - 1.0;
            assert!(error.abs() < 0.01, "{degrees}: {moved} m, not {expected} m");
        }
    }
}

#[test]
fn a_tower_of_ten_boxes_stands() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    for k in 0..10 {
        let pose = at(0.0, 0.25 + 0.5 * f64::from(k), 0.0);
        yard.add(cuboid(0.25, 0.25, 0.25), 10.0, pose, material(0.5, 0.0));
    }
    let start = yard.states.clone();
    yard.run(&solver(), STEP, 10.0);
    for (before, after) in start.iter().zip(&yard.states) {
        let moved = after.position - before.position;
        assert!(moved.length() < 0.01, "moved by {moved}");
    }
}

#[test]
fn balls_bounce_by_newtons_law() {
    let mut yard = Yard::with_floor(0.0, 0.0);
    let shape = Shape::Ball { radius: 0.2 };
    let ball = yard.add(shape, 1.0, at(0.0, 0.5, 0.0), material(0.0, 0.8));
    yard.states[ball].velocity.y = -4.0;
    let mut fastest_up = 0f64;
    for _ in 0..24 {
        yard.step(&solver(), STEP).expect("a step");
        fastest_up = fastest_up.max(yard.states[ball].velocity.y);
    }
    let impact = (16.0f64 + 2.0 * 9.81 * 0.3).sqrt();
    // The approach speed is read at the step's start: up to g * STEP less than at the impact.
    let expected = 0.8 * impact;
    assert!(
        (fastest_up - expected).abs() < 9.81 * STEP * 1.8,
        "{fastest_up}, not {expected}"
    );
}

/// A ball pushed without spin slides until it rolls, with 5/7 of its speed: exact for any friction.
#[test]
fn a_sliding_ball_ends_up_rolling() {
    let mut yard = Yard::with_floor(0.0, 0.3);
    let shape = Shape::Ball { radius: 0.2 };
    let ball = yard.add(shape, 1.0, at(0.0, 0.2, 0.0), material(0.3, 0.0));
    yard.states[ball].velocity = Vec3::new(7.0, 0.0, 0.0);
    yard.run(&solver(), STEP, 3.0);
    let speed = yard.states[ball].velocity.x;
    assert!((speed - 5.0).abs() < 0.01, "speed {speed}");
}

/// Impulses are exact opposites: without a floor two boxes keep their momentum.
#[test]
fn momentum_is_exchanged_exactly() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    let a = yard.add(
        cuboid(0.2, 0.2, 0.2),
        1.0,
        at(0.0, 50.0, 0.0),
        material(0.3, 0.0),
    );
    let b = yard.add(
        cuboid(0.2, 0.2, 0.2),
        3.0,
        at(0.402, 50.1, 0.0),
        material(0.3, 0.0),
    );
    yard.states[a].velocity.x = 2.0;
    yard.run(&solver(), STEP, 0.25);
    let momentum = yard.states[a].velocity.x + 3.0 * yard.states[b].velocity.x;
    assert!((momentum - 2.0).abs() < 1e-12, "{momentum}");
    assert!(yard.states[b].velocity.x > 0.3, "they have met");
}

/// The same inputs give the same bytes, whatever the buffers were used for before.
#[test]
fn a_step_is_a_pure_function() {
    let build = |dirty: bool| {
        let mut yard = Yard::with_floor(0.1, 0.4);
        if dirty {
            let mut other = Yard::with_floor(0.0, 0.9);
            let shape = Shape::Ball { radius: 0.3 };
            other.add(shape, 1.0, at(0.1, 0.5, 0.0), material(0.5, 0.5));
            other.run(&solver(), STEP, 0.5);
            yard.scratch = other.scratch;
            yard.report = other.report;
        }
        for k in 0..4 {
            let place = Vec3::new(0.05 * f64::from(k), 0.4 + 0.6 * f64::from(k), 0.0);
            let pose = turned_about_z(place, 0.3 * f64::from(k));
            yard.add(cuboid(0.3, 0.2, 0.25), 4.0, pose, material(0.4, 0.2));
        }
        yard.run(&solver(), STEP, 1.0);
        (yard.states, yard.memory, yard.report)
    };
    assert_eq!(build(false), build(true));
}
