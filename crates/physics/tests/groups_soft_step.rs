//! `soft-step` on the tests that every contact solver has to pass: rest, slopes, stacks, piles.

mod groups_yard;

use groups_yard::{Yard, at, cuboid, material, turned_about_z};
use warpline_physics::groups::{Settings, SoftStep};
use warpline_physics::{Shape, Vec3};

const STEP: f64 = 1.0 / 120.0;

fn solver() -> SoftStep {
    SoftStep::new(Settings::default()).expect("the default settings are valid")
}

#[test]
fn a_ball_rests_without_sinking_or_creeping() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    let ball = yard.add(
        Shape::Ball { radius: 0.3 },
        2.0,
        at(0.0, 0.3, 0.0),
        material(0.5, 0.0),
    );
    yard.run(&solver(), STEP, 60.0);
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
            // The forces are found within the first sub-steps, during which g h^2 (43 um) is the
            // natural size of a slip; after that nothing may creep.
            let (slip, creep) = (half - start, after - half);
            assert!(slip.length() < 4.3e-5, "{degrees}: slipped by {slip}");
            assert!(creep.length() < 1e-9, "{degrees}: crept by {creep}");
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
        yard.add(
            cuboid(0.25, 0.25, 0.25),
            10.0,
            at(0.0, 0.25 + 0.5 * k as f64, 0.0),
            material(0.5, 0.0),
        );
    }
    let start = yard.states.clone();
    yard.run(&solver(), STEP, 60.0);
    for (before, after) in start.iter().zip(&yard.states) {
        let moved = after.position - before.position;
        println!("{moved} {}", after.velocity.length());
        assert!(moved.length() < 0.01, "moved by {moved}");
    }
}

#[test]
fn a_pyramid_of_ten_rows_stands() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    for row in 0..10 {
        for k in 0..10 - row {
            let x = 0.55 * (k as f64 - 0.5 * (9 - row) as f64);
            yard.add(
                cuboid(0.25, 0.25, 0.25),
                10.0,
                at(x, 0.25 + 0.5 * row as f64, 0.0),
                material(0.5, 0.0),
            );
        }
    }
    let start = yard.states.clone();
    yard.run(&solver(), STEP, 60.0);
    let mut most = 0f64;
    for (before, after) in start.iter().zip(&yard.states) {
        let moved = after.position - before.position;
        most = most.max(moved.length());
    }
    println!("moved {most} fastest {}", yard.fastest());
    assert!(most < 0.01, "moved by {most}");
}
