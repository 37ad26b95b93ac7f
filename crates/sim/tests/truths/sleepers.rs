//! Sleepers take their share of what hits them.

use crate::truths::lab::{self, SOLVERS};

/// The row has slept for a second when the ball comes, on a floor without friction: the momentum is the ball's,
/// to rounding, and nobody is thrown back.
fn hit(solver: &str, mass: f64, cubes: u32) {
    let sets = [
        format!("mass={mass}"),
        format!("cubes={cubes}"),
        "until=2.5".into(),
    ];
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    let world = lab::load_with("hit-sleepers", solver, &sets);
    let states = lab::end_of(&world);
    let (is, right) = (lab::momentum(&world, &states).x, 5.0 * mass);
    let off = (is - right) / right;
    assert!(
        off.abs() < 1e-12,
        "{solver}, {mass} kg on {cubes}: momentum {is} instead of {right}"
    );
    let ball = states[lab::body(&world, "ball")].velocity.x;
    // How much a long row of soft contacts throws back is the solver's matter.
    assert!(
        ball > 0.0 || cubes > 10,
        "{solver}, {mass} kg on {cubes}: thrown back at {ball} m/s"
    );
}

#[test]
fn a_row_of_sleepers_takes_the_momentum_of_a_ball() {
    for solver in SOLVERS {
        hit(solver, 1.0, 3);
    }
    hit("impulse", 1e-3, 3);
    hit("impulse", 1000.0, 10);
    hit("soft-step", 1.0, 30);
}

#[test]
fn a_heavy_ball_goes_on_through_sleepers() {
    for solver in ["penalty", "impulse"] {
        let sets = ["mass=1000", "cubes=10", "until=3.2", "friction=0.3"];
        let world = lab::load_with("hit-sleepers", solver, &sets);
        let ball = lab::end_of(&world)[lab::body(&world, "ball")].velocity.x;
        // It comes rolling, at 5/7 of its speed. Ten kilograms more take a hundredth of that, and again as much
        // at most is taken by friction, of the cubes on the floor and of the ball on the first of them.
        let rolling = 5.0 * 5.0 / 7.0;
        let range = 0.98 * rolling..rolling;
        assert!(range.contains(&ball), "{solver}: {ball} m/s");
    }
}
