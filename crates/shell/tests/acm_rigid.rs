//! Rigid bodies among shells: pushed by the layers, never through anything, and without a trace of how it was computed.

use glamx::{DQuat, DVec3};
use warpline_shell::acm::{
    Acm, AcmOptions, ContactLaw, Course, Material, Mesh, Motion, RigidBody, RigidId, ShellBuilder,
    ShellModel, ShellState, WindowLength, intersections, ticks,
};

const RADIUS: f64 = 0.03;

struct World {
    model: ShellModel,
    state: ShellState,
    ball: RigidId,
}

/// A sheet of 15 by 15 vertices and a ball above it.
fn world(mass: f64, height: f64, is_pinned: bool, gravity: DVec3, friction: f64) -> World {
    let law = ContactLaw {
        restitution: 0.3,
        friction,
        ..ContactLaw::default()
    };
    let mut shells = ShellBuilder::new(gravity, law);
    let side = 0.14;
    let corner = DVec3::new(-0.5 * side, 0.0, -0.5 * side);
    let sheet = Mesh::rectangle(15, 15, corner, DVec3::X * side, DVec3::Z * side);
    let fixed = shells.motion(Motion::fixed());
    let corners = [0, 14, 210, 224];
    let material = Material {
        damping_s: 2e-5,
        ..Material::default()
    };
    let held = |v: usize| (is_pinned && corners.contains(&v)).then_some(fixed);
    shells.shell(sheet, material, held);
    let centre = DVec3::new(0.004, height, 0.007);
    let moment = 0.4 * mass * RADIUS * RADIUS;
    let body = RigidBody {
        inverse_mass: 1.0 / mass,
        inverse_inertia: DVec3::splat(1.0 / moment),
    };
    let ball = shells.body(body, centre, DQuat::IDENTITY);
    shells.surface(Mesh::sphere(10, centre, RADIUS), ball);
    let (model, state) = shells.build().expect("a world");
    World { model, state, ball }
}

fn send(world: &mut World, velocity: DVec3, spin: DVec3, acceleration: DVec3) {
    let course = Course {
        velocity,
        spin,
        acceleration,
        ..Course::default()
    };
    world.state.send(&world.model, world.ball, course);
}

#[test]
fn a_ball_falls_on_a_pinned_shell_and_lies_on_it() {
    let gravity = DVec3::Y * -9.81;
    let mut world = world(0.05, 0.05, true, gravity, 0.3);
    send(&mut world, DVec3::ZERO, DVec3::ZERO, gravity);
    let World { model, state, ball } = &mut world;
    let mut acm = Acm::new(model, state, AcmOptions::default());
    let mut lowest = f64::INFINITY;
    for frame in 1..=100 {
        acm.run_until(model, state, ticks(frame as f64 * 0.005))
            .expect("it runs");
        assert!(
            intersections(model, &state.positions()).is_empty(),
            "frame {frame}"
        );
        lowest = lowest.min(state.rigid(*ball).position.y);
    }
    let end = state.rigid(*ball);
    // free fall would have ended 1.2 m below
    assert!(lowest > -0.12, "it fell to {lowest} m");
    assert!(end.position.y > -0.08, "it lies at {} m", end.position.y);
    assert!(end.course.velocity.length() < 0.3, "{:?}", end.course);
    assert!(
        DVec3::new(end.position.x, 0.0, end.position.z).length() < 0.03,
        "{:?}",
        end.position
    );
}

/// Without gravity nothing pushes from outside, and each push acts along the line between the points that push.
#[test]
fn what_a_ball_loses_a_free_shell_gains() {
    for friction in [0.0, 0.4] {
        let mut world = world(0.02, 0.035, false, DVec3::ZERO, friction);
        send(
            &mut world,
            DVec3::new(0.3, -1.5, 0.1),
            DVec3::new(0.0, 5.0, 20.0),
            DVec3::ZERO,
        );
        let World { model, state, ball } = &mut world;
        let before = (state.momentum(model), state.angular_momentum(model));
        let sent = state.rigid(*ball).course.velocity;
        let mut acm = Acm::new(model, state, AcmOptions::default());
        acm.run_until(model, state, ticks(0.06)).expect("it runs");
        assert!(intersections(model, &state.positions()).is_empty());
        let lost = (sent - state.rigid(*ball).course.velocity).length();
        assert!(lost > 0.05, "the ball lost {lost} m/s only");
        let change = (state.momentum(model) - before.0).length() / before.0.length();
        assert!(change < 1e-12, "momentum changed by {change}");
        let turned = (state.angular_momentum(model) - before.1).length() / before.1.length();
        // friction acts at two points a layer's thickness apart, on a body of 30 times that
        let allowed = if friction == 0.0 { 1e-9 } else { 1e-2 };
        assert!(
            turned < allowed,
            "angular momentum changed by {turned}, friction {friction}"
        );
    }
}

#[test]
fn windows_threads_and_saving_leave_no_trace() {
    let gravity = DVec3::Y * -9.81;
    let run = |window: WindowLength, threads: usize, saves: bool| {
        let mut world = world(0.05, 0.04, true, gravity, 0.3);
        send(
            &mut world,
            DVec3::new(0.2, -0.5, 0.0),
            DVec3::Z * 30.0,
            gravity,
        );
        let World {
            model, mut state, ..
        } = world;
        let options = AcmOptions {
            window,
            threads,
            ..AcmOptions::default()
        };
        let mut acm = Acm::new(&model, &state, options);
        for frame in 1..=10 {
            acm.run_until(&model, &mut state, ticks(frame as f64 * 0.006))
                .expect("it runs");
            if saves {
                let again = model.state_from_numbers(&state.to_numbers());
                assert_eq!(again.as_ref(), Some(&state));
                state = again.expect("a state");
                acm = Acm::new(&model, &state, options);
            }
        }
        assert!(state.contacts().deepest() > 0, "nothing touches");
        state.history_bytes()
    };
    let expected = run(WindowLength::Adaptive, 1, false);
    for (window, threads, saves) in [
        (WindowLength::seconds(2e-4), 1, false),
        (WindowLength::seconds(2e-3), 1, false),
        (WindowLength::Adaptive, 2, false),
        (WindowLength::Adaptive, 1, true),
    ] {
        assert!(
            run(window, threads, saves) == expected,
            "{window:?}, {threads} threads, {saves}"
        );
    }
}

/// A body that nothing pushes takes the shell along.
#[test]
fn a_driven_body_lifts_a_shell() {
    let mut world = world(1.0, -0.034, false, DVec3::ZERO, 0.3);
    let rigid = world.state.rigid(world.ball);
    let course = Course {
        velocity: DVec3::Y * 0.5,
        ..Course::default()
    };
    world.state.send(&world.model, world.ball, course);
    let World { model, state, ball } = &mut world;
    let mut acm = Acm::new(model, state, AcmOptions::default());
    acm.run_until(model, state, ticks(0.05)).expect("it runs");
    assert!(intersections(model, &state.positions()).is_empty());
    assert!(state.rigid(*ball).position.y > rigid.position.y);
    assert!(state.momentum(model).y > 0.0);
    let mean = state.positions()[..225].iter().map(|x| x.y).sum::<f64>() / 225.0;
    assert!(mean > 0.005, "the shell is at {mean} m");
}
