//! Contact groups over a minute: what stands keeps standing, what rests does not creep, and friction
//! decides about slopes as Coulomb says.

use crate::groups_yard;

use groups_yard::{G, TIMEWARP, add, cube, empty, material, plane, still};
use physics::{Quat, Shape, State, Vec3};
use warpline_sim::{Discard, World, run};

/// How far bodies end from where they began: sideways and downwards, metres.
fn drift(world: &World, states: &[State]) -> (f64, f64) {
    let mut worst = (0f64, 0f64);
    for (body, state) in world.bodies.iter().zip(states).skip(1) {
        let moved = state.position - body.start.position;
        let aside = Vec3::new(moved.x, 0.0, moved.z).length();
        worst = (worst.0.max(aside), worst.1.max(-moved.y));
    }
    worst
}

/// How far the top of ten layers may come down, metres: they start a millimetre apart, and each of the
/// ten contacts may sink by the overlap that the solver leaves alone (0.2 mm).
const SETTLED: f64 = 10.0 * (1e-3 + 2e-4);

/// After a tower has settled nothing may move: the group rests, and rest is a constant.
#[test]
fn a_tower_of_ten_boxes_stands_for_a_minute() {
    let mut world = empty(60.0);
    plane(&mut world, Vec3::Y, material(0.6, 0.1));
    for k in 0..10 {
        let at = Vec3::new(0.0, 0.251 + 0.501 * f64::from(k), 0.0);
        add(&mut world, cube(0.25), 125.0, material(0.6, 0.1), still(at));
    }
    let (stats, states) = run(&world, TIMEWARP, &mut Discard).expect("it stands");
    let (aside, down) = drift(&world, &states);
    assert!(
        aside < 5e-3 && down < SETTLED,
        "aside {aside} m, down {down} m"
    );
    assert!(states.iter().all(|s| s.velocity == Vec3::ZERO), "it rests");
    // It comes to rest within seconds; steps at 120 Hz for a minute would be 7,200.
    assert!(stats.group_steps < 3_000, "{} steps", stats.group_steps);
}

#[test]
fn a_pyramid_of_ten_rows_stands_for_a_minute() {
    let mut world = empty(60.0);
    plane(&mut world, Vec3::Y, material(0.6, 0.1));
    for row in 0..10u32 {
        for k in 0..10 - row {
            let x = 0.6 * f64::from(k) + 0.3 * f64::from(row);
            let at = Vec3::new(x, 0.251 + 0.501 * f64::from(row), 0.0);
            add(&mut world, cube(0.25), 125.0, material(0.6, 0.1), still(at));
        }
    }
    let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("it stands");
    let (aside, down) = drift(&world, &states);
    assert!(
        aside < 10e-3 && down < SETTLED,
        "aside {aside} m, down {down} m"
    );
    assert!(states.iter().all(|s| s.velocity == Vec3::ZERO), "it rests");
}

/// A ball that has bounced to rest stays within 1e-5 m for a minute, to the last.
#[test]
fn a_ball_at_rest_does_not_creep() {
    let end_of = |seconds: f64| {
        let mut world = empty(seconds);
        plane(&mut world, Vec3::Y, material(0.5, 0.8));
        let at = Vec3::new(0.0, 1.1, 0.0);
        add(
            &mut world,
            Shape::Ball { radius: 0.1 },
            1.0,
            material(0.5, 0.8),
            still(at),
        );
        let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("it rests");
        states[1].position
    };
    let (early, late) = (end_of(10.0), end_of(70.0));
    assert!((late - early).length() < 1e-5, "{early} then {late}");
}

/// A box on a slope of `degrees`, friction 0.5 (so the friction angle is 26.57 degrees): how far it has
/// come down the slope after `seconds`.
fn slide(degrees: f64, seconds: f64) -> f64 {
    let angle = degrees.to_radians();
    let normal = Vec3::new(libm::sin(angle), libm::cos(angle), 0.0);
    let down = Vec3::new(normal.y, -normal.x, 0.0);
    let mut world = empty(seconds);
    plane(&mut world, normal, material(0.5, 0.0));
    let start = State {
        rotation: Quat::from_rotation_z(-angle),
        ..still(normal * 0.25)
    };
    add(&mut world, cube(0.25), 125.0, material(0.5, 0.0), start);
    let (_, states) = run(&world, TIMEWARP, &mut Discard).expect("it holds or slides");
    down.dot(states[1].position - start.position)
}

#[test]
fn a_box_holds_below_the_friction_angle_and_slides_above_it() {
    let held = slide(25.0, 10.0);
    assert!(held.abs() < 1e-3, "it slipped by {held} m");
    // The step that finds the first forces may slip a little: distances are compared between 1 and
    // 3 s, where s(3) - s(1) = 4 a.
    let angle = 35f64.to_radians();
    let acceleration = G * (libm::sin(angle) - 0.5 * libm::cos(angle));
    let found = (slide(35.0, 3.0) - slide(35.0, 1.0)) / 4.0;
    assert!(
        (found / acceleration - 1.0).abs() < 0.01,
        "{found} instead of {acceleration} m/s^2"
    );
}
