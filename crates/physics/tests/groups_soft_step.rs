//! `soft-step` on the tests that every contact solver has to pass: rest, slopes, stacks, piles.

use crate::groups_yard;

use groups_yard::{Yard, at, cuboid, material, turned_about_z};
use warpline_physics::groups::SolverError;
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
    assert!(most < 0.01, "moved by {most}");
}

/// A rolling ball neither lifts off nor digs in, and keeps its speed: rolling costs nothing.
#[test]
fn a_ball_rolls_on() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    let shape = Shape::Ball { radius: 0.2 };
    let ball = yard.add(shape, 1.0, at(0.0, 0.2, 0.0), material(0.5, 0.0));
    yard.states[ball].velocity = Vec3::new(3.0, 0.0, 0.0);
    yard.states[ball].spin = Vec3::new(0.0, 0.0, -15.0);
    yard.run(&solver(), STEP, 5.0);
    let state = &yard.states[ball];
    assert!(
        (state.position.y - 0.2).abs() < 1e-5,
        "height {}",
        state.position.y
    );
    assert!(
        (state.position.x - 15.0).abs() < 1e-3,
        "came to {}",
        state.position.x
    );
    assert!(
        (state.velocity.x - 3.0).abs() < 1e-4,
        "speed {}",
        state.velocity.x
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
    let state = &yard.states[ball];
    assert!(
        (state.velocity.x - 5.0).abs() < 0.01,
        "speed {}",
        state.velocity.x
    );
    assert!((state.spin.z + 25.0).abs() < 0.05, "spin {}", state.spin.z);
}

/// Newton's restitution above the threshold, none below it.
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

#[test]
fn mass_ratios_of_a_thousand_and_a_million_stand() {
    for masses in [
        [1.0, 1e3, 1.0],
        [1e3, 1.0, 1e3],
        [1.0, 1.0, 1e3],
        [1.0, 30.0, 1e3],
        [1e3, 1e-3, 1e3],
        [1.0, 1.0, 1e6],
    ] {
        let mut yard = Yard::with_floor(0.0, 0.5);
        for (k, mass) in masses.into_iter().enumerate() {
            let pose = at(0.0, 0.25 + 0.5 * k as f64, 0.0);
            yard.add(cuboid(0.25, 0.25, 0.25), mass, pose, material(0.5, 0.0));
        }
        yard.run(&solver(), STEP, 10.0);
        for (k, state) in yard.states.iter().enumerate() {
            let drift = state.position - Vec3::new(0.0, 0.25 + 0.5 * k as f64, 0.0);
            assert!(
                drift.length() < 5e-3,
                "{masses:?}: box {k} moved by {drift}"
            );
        }
        assert!(
            yard.fastest() < 1e-6,
            "{masses:?}: still moving at {}",
            yard.fastest()
        );
    }
}

/// Impulses act on the true masses: momentum is exact.
#[test]
#[ignore = "open: momentum is exact, but the light body leaves with 1.0015 m/s of 1"]
fn heavy_and_light_bodies_exchange_momentum_exactly() {
    let mut yard = Yard::default();
    for (mass, x, speed) in [(1e6, 0.0, 1.0), (1.0, 0.6, 0.0)] {
        let body = yard.add(
            cuboid(0.25, 0.25, 0.25),
            mass,
            at(x, 0.0, 0.0),
            material(0.5, 0.0),
        );
        yard.models[body].gravity = Vec3::ZERO;
        yard.states[body].velocity.x = speed;
    }
    yard.run(&solver(), STEP, 1.0);
    let momentum = 1e6 * yard.states[0].velocity.x + yard.states[1].velocity.x;
    assert!((momentum / 1e6 - 1.0).abs() < 1e-12, "momentum {momentum}");
    assert!(
        (yard.states[1].velocity.x - 1.0).abs() < 1e-3,
        "{}",
        yard.states[1].velocity.x
    );
}

/// Contacts act equally and oppositely, at one point of space: a heap of cubes and balls that nothing else touches
/// keeps its momentum and its angular momentum to rounding, at every mass ratio. (Their inertia is the same about all
/// axes, so that free turning changes nothing.)
#[test]
fn a_heap_in_space_keeps_its_momentum_and_angular_momentum() {
    for ratio in [1.0, 30.0, 1e3, 1e6] {
        let mut yard = Yard::default();
        for k in 0..12 {
            let place = Vec3::new((k % 3) as f64, (k / 3 % 2) as f64, (k / 6) as f64);
            let mass = if k % 4 == 1 { ratio } else { 1.0 };
            let shape = match k % 5 {
                3 => Shape::Ball { radius: 0.25 },
                _ => cuboid(0.25, 0.25, 0.25),
            };
            let body = yard.add(shape, mass, at(0.0, 0.0, 0.0), material(0.6, 0.0));
            let inwards = Vec3::new(1.0, 0.5, 0.5) - place;
            yard.models[body].gravity = Vec3::ZERO;
            yard.states[body].position = place * 0.55;
            yard.states[body].velocity =
                inwards * 2.0 + Vec3::new(0.1, 0.3 * place.x, -0.2 * place.y);
            yard.states[body].spin = Vec3::new(0.5 * k as f64, 1.0, -2.0);
        }
        let sums = |yard: &Yard| {
            let mut sums = [Vec3::ZERO, Vec3::ZERO];
            let mut sizes = [0.0, 0.0];
            for (model, state) in yard.models.iter().zip(&yard.states) {
                let push = state.velocity * model.mass.mass;
                let turn = state.position.cross(push) + state.spin * model.mass.inertia.x;
                sums[0] += push;
                sums[1] += turn;
                sizes[0] += push.length();
                sizes[1] += turn.length();
            }
            (sums, sizes)
        };
        for _ in 0..60 {
            let (before, sizes) = sums(&yard);
            yard.step(&solver(), STEP).expect("a step");
            let (after, _) = sums(&yard);
            for k in 0..2 {
                let error = (after[k] - before[k]).length() / sizes[k];
                assert!(error < 1e-12, "1:{ratio}: {error} in a step, quantity {k}");
            }
        }
    }
}

/// Friction holds a body in its place: at a fifth of the cone a brick on a slope and a crate on a turntable stay
/// where they are, at any rate, whatever the sweeps leave undone.
#[test]
fn static_friction_does_not_creep() {
    for hertz in [60.0, 120.0, 240.0] {
        let step = 1.0 / hertz;
        let settings = Settings {
            step,
            ..Settings::default()
        };
        let solver = SoftStep::new(settings).expect("valid settings");
        let slope = libm::atan(0.1);
        let mut yard = Yard::with_floor(slope, 0.5);
        let normal = Vec3::new(libm::sin(slope), libm::cos(slope), 0.0);
        let pose = turned_about_z(normal * 0.1, -slope);
        yard.add(cuboid(0.3, 0.1, 0.2), 3.0, pose, material(0.5, 0.0));
        yard.run(&solver, step, 1.0);
        let start = yard.states[0].position;
        yard.run(&solver, step, 60.0);
        let creep = (yard.states[0].position - start).length();
        assert!(creep < 1e-5, "{hertz} Hz: crept {creep} m in a minute");

        let mut yard = Yard::default();
        let table = Vec3::new(0.0, -0.1, 0.0);
        yard.fixed(cuboid(3.0, 0.1, 3.0), table, material(0.5, 0.0));
        yard.grounds[0].1.spin = Vec3::new(0.0, 1.0, 0.0);
        let rider = cuboid(0.05, 0.025, 0.05);
        let pose = at(1.0, 0.025, 0.0);
        yard.add(rider, 1.0, pose, material(0.5, 0.0));
        yard.states[0].velocity = Vec3::new(0.0, 0.0, -1.0);
        yard.states[0].spin = Vec3::new(0.0, 1.0, 0.0);
        let mut radii = Vec::new();
        for second in 0..40 {
            for k in 0..hertz as u32 {
                let at = f64::from(second) + f64::from(k) * step;
                let (sin, cos) = libm::sincos(0.5 * at);
                yard.grounds[0].1.rotation = warpline_physics::Quat::from_xyzw(0.0, sin, 0.0, cos);
                yard.step(&solver, step).expect("a step");
            }
            let place = yard.states[0].position;
            radii.push(libm::hypot(place.x, place.z));
        }
        // The chord of a sub-step leads outwards by half the square of its angle, 9e-6 of the radius at 60 Hz and
        // four sub-steps; a sweep of friction takes about a tenth of it back in each, so that ten times as much remains.
        let (off, creep) = (radii[39] - 1.0, radii[39] - radii[1]);
        assert!(off.abs() < 1e-4, "{hertz} Hz: {off} m from its place");
        // (Without the hold the scene turntable lost 0.46 m in 40 s.)
        assert!(creep.abs() < 1e-5, "{hertz} Hz: crept {creep} m");
    }
}

/// Deep overlap is pushed out with no more than the push-out speed, and nothing explodes.
#[test]
fn bodies_that_start_in_deep_overlap_come_apart_gently() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    for k in 0..8 {
        let x = 0.01 * k as f64;
        yard.add(
            cuboid(0.25, 0.25, 0.25),
            5.0,
            at(x, 0.3, 0.02 * x),
            material(0.5, 0.0),
        );
    }
    let mut fastest = 0f64;
    for _ in 0..600 {
        yard.step(&solver(), STEP).expect("a step");
        fastest = fastest.max(yard.fastest());
    }
    // Push-outs of seven partners may add up.
    assert!(fastest < 8.0 * 3.0, "{fastest} m/s");
    assert!(
        yard.report.deepest < 1e-3,
        "still {} m deep",
        yard.report.deepest
    );
}

#[test]
fn a_kinematic_belt_carries_what_lies_on_it() {
    let mut yard = Yard::default();
    yard.fixed(
        cuboid(5.0, 0.5, 5.0),
        Vec3::new(0.0, -0.5, 0.0),
        material(0.5, 0.0),
    );
    yard.grounds[0].1.velocity = Vec3::new(1.0, 0.0, 0.0);
    let block = yard.add(
        cuboid(0.2, 0.2, 0.2),
        2.0,
        at(0.0, 0.2005, 0.0),
        material(0.5, 0.0),
    );
    for _ in 0..120 {
        yard.step(&solver(), STEP).expect("a step");
        yard.grounds[0].1.position.x += STEP;
    }
    let speed = yard.states[block].velocity.x;
    assert!((speed - 1.0).abs() < 1e-6, "speed {speed}");
}

/// The same inputs give the same bytes, whatever the buffers were used for before.
#[test]
fn a_step_is_a_pure_function() {
    let build = |dirty: bool| {
        let mut yard = Yard::with_floor(0.1, 0.4);
        if dirty {
            let mut other = Yard::with_floor(0.0, 0.9);
            for k in 0..5 {
                let shape = Shape::Ball { radius: 0.3 };
                other.add(
                    shape,
                    1.0,
                    at(0.1 * k as f64, 0.3 + 0.5 * k as f64, 0.0),
                    material(0.5, 0.5),
                );
            }
            other.run(&solver(), STEP, 0.5);
            yard.scratch = other.scratch;
            yard.report = other.report;
        }
        for k in 0..6 {
            let pose = turned_about_z(
                Vec3::new(0.05 * k as f64, 0.4 + 0.6 * k as f64, 0.0),
                0.3 * k as f64,
            );
            yard.add(cuboid(0.3, 0.2, 0.25), 4.0, pose, material(0.4, 0.2));
        }
        yard.run(&solver(), STEP, 2.0);
        (yard.states, yard.memory, yard.report)
    };
    assert_eq!(build(false), build(true));
}

#[test]
fn nonsense_is_refused_with_a_reason() {
    let settings = Settings {
        step: 0.0,
        ..Settings::default()
    };
    let error = SoftStep::new(settings).expect_err("no step at all");
    assert!(error.to_string().contains("`step` is 0"), "{error}");
    let mut yard = Yard::with_floor(0.0, 0.5);
    yard.add(
        Shape::Ball { radius: 0.3 },
        2.0,
        at(0.0, 0.3, 0.0),
        material(0.5, 0.0),
    );
    yard.states[0].velocity.x = f64::NAN;
    let error = yard.step(&solver(), STEP).expect_err("not a number");
    assert!(
        matches!(error, SolverError::NotFinite { body: 0, .. }),
        "{error}"
    );
}

/// How far the deepest corner of a box is below the floor, metres.
fn sunk(state: &warpline_physics::State, half: Vec3) -> f64 {
    let corners = (0..8).map(|k| {
        let side = |bit: u32, h: f64| if k & bit == 0 { -h } else { h };
        let corner = Vec3::new(side(1, half.x), side(2, half.y), side(4, half.z));
        -(state.position + state.rotation * corner).y
    });
    corners.fold(f64::NEG_INFINITY, f64::max)
}

/// A brick that lies on the floor is hit so hard that it presses down at 12 m/s and turns at 300 rad/s, which in a sub-step
/// would be more than half a radian. The floor takes the blow up before anything moves, and says so.
#[test]
fn the_floor_takes_up_a_blow_before_anything_moves() {
    let half = Vec3::new(0.15, 0.05, 0.1);
    for spin in [
        Vec3::ZERO,
        Vec3::new(300.0, 10.0, 60.0),
        Vec3::new(-40.0, 0.0, 150.0),
    ] {
        let mut yard = Yard::with_floor(0.0, 0.5);
        let brick = cuboid(half.x, half.y, half.z);
        let it = yard.add(brick, 3.0, at(0.0, half.y, 0.0), material(0.5, 0.0));
        yard.run(&solver(), STEP, 0.2);
        yard.states[it].velocity = Vec3::new(0.4, -12.0, -1.2);
        yard.states[it].spin = spin;
        yard.step(&solver(), STEP).expect("a step");
        let [velocity, _] = yard.report.kicks[it];
        assert!(velocity.y > 6.0, "{spin}: kicked by {velocity}");
        for step in 0..60 {
            let depth = sunk(&yard.states[it], half);
            assert!(depth < 1e-3, "{spin}: {depth} m deep after {step} steps");
            yard.step(&solver(), STEP).expect("a step");
        }
    }
}

/// A box that tumbles over the floor at 40 rad/s touches with other corners in every sub-step than those near it when
/// the step began.
#[test]
fn a_box_that_spins_over_the_floor_stays_above_it() {
    let half = Vec3::splat(0.125);
    for axis in [Vec3::Z, Vec3::new(1.0, 0.3, 0.5), Vec3::new(0.2, 2.0, -1.0)] {
        let mut yard = Yard::with_floor(0.0, 0.5);
        let shape = cuboid(half.x, half.y, half.z);
        let it = yard.add(shape, 2.0, at(0.0, 0.22, 0.0), material(0.5, 0.0));
        yard.states[it].spin = axis.normalize() * 40.0;
        yard.states[it].velocity = Vec3::new(1.0, -1.0, 0.0);
        for step in 0..240 {
            yard.step(&solver(), STEP).expect("a step");
            let depth = sunk(&yard.states[it], half);
            assert!(depth < 1.5e-3, "{axis}: {depth} m deep after {step} steps");
        }
    }
}
