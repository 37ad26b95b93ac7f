//! Cylinders that roll, on their sides and on their rims.

use crate::truths::lab::{SOLVERS, body, energy, load_with, samples};
use physics::Vec3;

/// A cylinder, a ball and a capsule roll on a level floor: nothing slows or turns them.
#[test]
fn cylinders_roll_straight_at_constant_speed() {
    for solver in SOLVERS {
        for hz in [60, 120, 240] {
            let world = load_with("rolling-cylinder", solver, &[&format!("hz={hz}")]);
            let (_, states) = samples(&world, 5.0, 1).remove(0);
            for name in ["cylinder", "ball", "capsule"] {
                let place = body(&world, name);
                let (start, end) = (world.bodies[place].start, states[place]);
                let way = end.position - start.position;
                println!("{solver} {hz} {name}: {way} at {}", end.velocity);
                // `penalty` slips by 1e-3 m/s times what its friction has to do: nothing but for ripples of its
                // springs. The others are exact but for the tolerances of their loops, 1e-6 m/s.
                assert!((way.x - 10.0).abs() < 1e-5, "{solver} {hz} {name}: {way}");
                assert!(
                    (end.velocity.x - 2.0).abs() < 1e-5,
                    "{solver} {hz} {name}: {}",
                    end.velocity
                );
                assert!(way.z.abs() < 1e-4, "{solver} {hz} {name}: {way}");
            }
        }
    }
}

/// Euler's disc rolls round on its rim. The scene starts it as an infinitely thin disc would roll steadily; one of 2 cm
/// nods by 0.09 degrees about that. No solver gives it energy.
#[test]
fn eulers_disc_keeps_its_tilt_and_gains_nothing() {
    for solver in SOLVERS {
        let world = load_with("euler-disk", solver, &[]);
        let place = body(&world, "disc");
        let start = energy(
            &world,
            &world.bodies.iter().map(|b| b.start).collect::<Vec<_>>(),
        );
        let mut lowest = start;
        let mut tilts = [f64::INFINITY, 0.0f64];
        for (seconds, states) in samples(&world, 10.0, 100) {
            let now = energy(&world, &states);
            // Velocities of `soft-step` belong to the middle of a sub-step (h / 2 = 1 ms): the energy that they tell goes
            // up and down with the nodding, by 2e-5 of it.
            let ripple = if solver == "soft-step" { 1e-4 } else { 1e-5 };
            assert!(
                now < lowest + ripple * start,
                "{solver}: {now} J after {lowest} J at {seconds} s"
            );
            lowest = lowest.min(now);
            let model = &world.models[world.bodies[place].model.place()];
            let axis = (states[place].pose() * model.user_frame).rotation * Vec3::Y;
            let tilt = libm::acos(axis.y.abs()).to_degrees();
            tilts = [tilts[0].min(tilt), tilts[1].max(tilt)];
        }
        println!("{solver}: tilt {tilts:?}, energy {start} to {lowest}");
        assert!(
            tilts[0] > 29.8 && tilts[1] < 30.2,
            "{solver}: tilt {tilts:?}"
        );
    }
}
