//! A step that is cut at any tick leaves the momentum of that tick.

use crate::truths::lab::{self, SOLVERS};
use physics::Vec3;
use warp::Tick;
use warpline_sim::{BodyId, Simulation};

/// Pulled sideways by 5 m/s^2 for two seconds without friction: 10 m/s, however often a hit ends a step early.
/// The sums of some hundred products round to a few 1e-13; a step kept whole would be 0.04 m/s. The balls leave
/// the lid at up to a metre a second, across the vertical by as much as the lid is not level: some 1e-9.
#[test]
fn hops_on_a_crate_do_not_push_it() {
    let runs = SOLVERS.map(|solver| (solver, "hz=120"));
    for (solver, hz) in runs.into_iter().chain([("soft-step", "hz=60")]) {
        let world = lab::load_with("interrupted-step", solver, &[hz, "until=2"]);
        let states = lab::end_of(&world);
        for (name, most) in [
            ("crate", 1e-11),
            ("ball 1 1 1", 1e-8),
            ("ball 20 1 1", 1e-8),
        ] {
            let off = states[lab::body(&world, name)].velocity.x - 10.0;
            assert!(off.abs() < most, "{solver} {hz}: {name} is {off:e} m/s off");
        }
    }
}

/// SimBenchmark's rolling test: box and first ball at 1 kHz for 4 s. The box is pushed by 150 N against friction
/// of 0.4 under 35 kg; the balls roll with 2/7 of its acceleration.
#[test]
fn balls_roll_on_a_pushed_box_from_the_first_step_on() {
    let world = lab::load("sb-rolling", &[]);
    let push = 150.0 - 0.4 * 35.0 * 9.81;
    let along = Vec3::new(0.5, 0.0, 0.75f64.sqrt());
    let box_rate = push / (10.0 + 25.0 * 2.0 / 7.0);
    let pairs = [("box", box_rate), ("ball 1 1 1", box_rate * 2.0 / 7.0)];
    let samples = lab::samples(&world, 4.0, 4000);
    let mut squares = 0.0;
    for (seconds, states) in &samples {
        for (name, rate) in pairs {
            let velocity = states[lab::body(&world, name)].velocity;
            squares += (velocity - along * (rate * seconds)).length_squared();
        }
    }
    let mean = squares / samples.len() as f64;
    // Bullet, the best of the published, has 5.7e-9.
    assert!(mean < 5.7e-9, "mean square error {mean:e}");
}

/// Two boxes on a ball joint tumble in empty space: whatever a step does to the angular momentum of the whole,
/// between the step's ends it is between the ends' (rounding of sums of some ten products).
#[test]
fn the_angular_momentum_of_a_floating_group_is_even_within_a_step() {
    for solver in ["soft-step", "impulse"] {
        let world = lab::load_with("floating-pair", solver, &[]);
        let mut sim = Simulation::new(world.clone(), 1.0).expect("a sound world");
        sim.advance(Tick::from_seconds(0.5)).expect("it runs");
        let step = Tick::from_seconds(1.0 / 120.0).0;
        let mut at = |tick: i64| {
            let state = |b| sim.state(BodyId(b), Tick(tick)).expect("it is there");
            let states: Vec<_> = (0..2).map(state).collect();
            lab::angular_momentum(&world, &states, Vec3::ZERO)
        };
        for number in 1..40 {
            let (from, to) = (number * step, (number + 1) * step);
            let (begin, end) = (at(from), at(to));
            let size = begin.length();
            for part in [0.1, 0.5, 0.7] {
                let now = at(from + (part * step as f64) as i64);
                let off = (now - begin - (end - begin) * part).length() / size;
                assert!(off < 1e-9, "{solver}, step {number}: {off:e} at {part}");
            }
        }
    }
}
