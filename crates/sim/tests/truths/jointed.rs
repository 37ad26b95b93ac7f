//! Joints: blows that pass through them, chains left to themselves, and steps too coarse for what moves.

use crate::truths::lab::{angular_momentum, body, energy, load_with, momentum, outcome, samples};
use physics::{State, Vec3};

fn initial(world: &warpline_sim::World) -> Vec<State> {
    world.bodies.iter().map(|b| b.start).collect()
}

/// Newton's cradle on rigid rods: the energy stays, the last ball leaves.
#[test]
#[ignore = "a hit between two groups knows nothing of their joints yet: soft-step keeps 58 % of the energy"]
fn a_cradle_on_rods_keeps_its_energy() {
    for solver in ["soft-step", "impulse"] {
        for gap in ["gap=0", "gap=1e-4"] {
            let world = load_with("cradle-on-rods", solver, &[gap]);
            let ends = [body(&world, "ball 1"), body(&world, "ball 5")];
            let rest = 5.0 * 9.81 * 2.0;
            let start = energy(&world, &initial(&world)) - rest;
            let (mut least, mut most) = (1.0f64, 0.0f64);
            let mut highest = [0.0f64; 2];
            for (seconds, states) in samples(&world, 10.0, 600) {
                let now = (energy(&world, &states) - rest) / start;
                (least, most) = (least.min(now), most.max(now));
                if seconds > 0.5 && seconds < 1.5 {
                    highest = [0, 1].map(|k| highest[k].max(states[ends[k]].position.y - 2.0));
                }
            }
            println!("{solver} {gap}: energy {least} to {most}, highest {highest:?}");
            assert!(least > 0.99, "{solver} {gap}: down to {least}");
            // Pendulums of second order: (h w)^2 / 8 of the swing, with w = 3 rad/s and h = 2 ms, and what the
            // hits are early or late.
            assert!(most < 1.0 + 2e-4, "{solver} {gap}: up to {most}");
            // The last ball leaves as high as the first one came from, 0.134 m; the first one stays.
            assert!(
                highest[1] > 0.13 && highest[0] < 0.01,
                "{solver} {gap}: {highest:?}"
            );
        }
    }
}

/// Motors on a chain of 0.03 to 400 kg at steps of 20 ms: all stays within reach of the chain, and moves no faster
/// than motors of 3 and 4 rad/s and a fall of half a second make it.
#[test]
#[ignore = "a link tears off: after 1.5 s it is 8 m away"]
fn a_chain_with_motors_at_coarse_steps_stays_bounded() {
    for solver in ["soft-step", "impulse"] {
        let world = load_with("joints_explode", solver, &["until=2"]);
        let hook = world.bodies[0].start.position;
        let reach = 8.0;
        for (seconds, states) in samples(&world, 2.0, 40) {
            for (body, state) in world.bodies.iter().zip(&states) {
                let far = (state.position - hook).length();
                let (fast, spin) = (state.velocity.length(), state.spin.length());
                println!(
                    "{solver} {seconds:.2} {}: {far:.2} m {fast:.2} m/s {spin:.2} rad/s",
                    body.name
                );
                assert!(
                    far < reach,
                    "{solver}: {} is {far} m away at {seconds} s",
                    body.name
                );
                assert!(
                    fast < 30.0,
                    "{solver}: {} at {fast} m/s at {seconds} s",
                    body.name
                );
            }
        }
        assert!(outcome(&world).is_ok());
    }
}

/// Without gravity and ground, a jointed chain keeps its momentum and its angular momentum to rounding.
#[test]
fn a_chain_left_to_itself_keeps_its_momentum() {
    for solver in ["soft-step", "impulse"] {
        let world = load_with("free-chain", solver, &[]);
        let begin = samples(&world, 0.1, 1).remove(0).1;
        let (p, l) = (
            momentum(&world, &begin),
            angular_momentum(&world, &begin, Vec3::ZERO),
        );
        for (seconds, states) in samples(&world, 5.0, 50) {
            let dp = (momentum(&world, &states) - p).length() / p.length();
            let dl = (angular_momentum(&world, &states, Vec3::ZERO) - l).length() / l.length();
            assert!(dp < 1e-12, "{solver}: momentum {dp} at {seconds} s");
            assert!(dl < 1e-12, "{solver}: angular momentum {dl} at {seconds} s");
        }
    }
}
