//! How bodies in groups turn: as they do alone where nothing touches them, and as tops where a joint does.

use crate::truths::lab::{SOLVERS, angular_momentum, energy, load, load_with, samples};
use physics::rotation::rotation_vector;
use physics::{State, Vec3};

/// The box that tumbles about its middle axis, tied by a slack rope: energy and angular momentum are constant, and
/// it flips when the same box does that no group has ever held.
#[test]
fn what_nothing_touches_turns_as_it_does_alone() {
    for solver in ["soft-step", "impulse"] {
        let world = load_with("dzhanibekov-group", solver, &[]);
        let mut alone = world.clone();
        alone.joints.clear();
        let (start, momentum) = constants(&world, &initial(&world));
        let pairs = samples(&world, 60.0, 60);
        let pairs = pairs.into_iter().zip(samples(&alone, 60.0, 60));
        let mut flips = 0;
        let mut up = 1.0;
        for ((seconds, states), (_, free)) in pairs {
            let (now, turned) = constants(&world, &states);
            // Rounding of 7,200 steps: 1e-16 each, were they all to one side.
            assert!(
                (now / start - 1.0).abs() < 1e-10,
                "{solver}: energy {now} at {seconds} s"
            );
            let change = (turned - momentum).length() / momentum.length();
            assert!(
                change < 1e-10,
                "{solver}: angular momentum {change} at {seconds} s"
            );
            let apart = rotation_vector(states[1].rotation * free[1].rotation.inverse()).length();
            // Close to the saddle errors grow by 1 / 0.005^2 within a flip: 1e-14 become 1e-9.
            assert!(
                apart < 1e-6,
                "{solver}: {apart} rad from the free box at {seconds} s"
            );
            let axis = states[1].rotation * Vec3::Y;
            if axis.y * up < -0.5 {
                (flips, up) = (flips + 1, -up);
            }
        }
        assert!((13..=14).contains(&flips), "{solver}: {flips} flips");
    }
}

fn initial(world: &warpline_sim::World) -> Vec<State> {
    world.bodies.iter().map(|b| b.start).collect()
}

fn constants(world: &warpline_sim::World, states: &[State]) -> (f64, Vec3) {
    (
        energy(world, states),
        angular_momentum(world, states, Vec3::ZERO),
    )
}

/// Heavy symmetric tops in steady precession keep their tilt, their energy and their pace.
#[test]
fn tops_precess_and_keep_their_tilt() {
    for (name, pace) in [("top-60", 3.789_589_40), ("top-200", 0.991_674_20)] {
        for solver in ["soft-step", "impulse"] {
            let world = load_with(name, solver, &[]);
            let start = energy(&world, &initial(&world));
            let (mut turned, mut last) = (0.0, 0.0);
            let mut tilts = [f64::INFINITY, 0.0f64];
            let mut worst: f64 = 0.0;
            for (_, states) in samples(&world, 10.0, 200) {
                let at = states[1].position;
                let tilt = libm::acos(at.y / at.length()).to_degrees();
                tilts = [tilts[0].min(tilt), tilts[1].max(tilt)];
                worst = worst.max((energy(&world, &states) / start - 1.0).abs());
                let now = libm::atan2(-at.z, at.x);
                let step = now - last;
                turned += step - std::f64::consts::TAU * (step / std::f64::consts::TAU).round();
                last = now;
            }
            println!(
                "{name} {solver}: tilt {tilts:?}, energy {worst:.1e}, pace {}",
                turned / 10.0
            );
            // Second order in the sub-step: the axis turns by 0.42 rad in one, the precession by 0.008.
            assert!(
                tilts[0] > 29.95 && tilts[1] < 30.05,
                "{name} {solver}: tilt {tilts:?}"
            );
            assert!(worst < 1e-6, "{name} {solver}: energy {worst}");
            let off = turned / 10.0 / pace - 1.0;
            assert!(off.abs() < 5e-4, "{name} {solver}: precession off by {off}");
        }
    }
}

/// Free fall in a group is free fall: a slack rope changes nothing, whatever the solver does meanwhile.
#[test]
fn what_nothing_touches_falls_as_it_does_alone() {
    for solver in ["soft-step", "impulse"] {
        let gravity = "gravity=[0, -9.81, 0.5]";
        let world = load_with("dzhanibekov-group", solver, &[gravity, "until=3"]);
        let (_, states) = samples(&world, 3.0, 1).remove(0);
        let (fallen, speed) = (states[1].position, states[1].velocity);
        let pull = Vec3::new(0.0, -9.81, 0.5);
        // A step is a whole number of ticks only to half a tick, 5e-13 s of 8e-3 s; and rounding.
        assert!((fallen - pull * 4.5).length() < 1e-8, "{solver}: {fallen}");
        assert!((speed - pull * 3.0).length() < 1e-8, "{solver}: {speed}");
    }
}

/// All three solvers, where a body is in a group by contact alone: a box that flies over another one in a pile.
#[test]
fn scenes_of_this_subject_load_under_every_solver() {
    for solver in SOLVERS {
        let world = load("rolling-cylinder", &[&format!("contact.solver={solver}")]);
        assert_eq!(world.bodies.len(), 4);
    }
}
