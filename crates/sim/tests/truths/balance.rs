//! Sleep needs balance: what is slow but pulled at stays awake.

use crate::truths::lab;
use std::f64::consts::PI;

/// A rod 0.3 degrees off plumb swings on, a brick on a slope that friction does not hold slides on.
#[test]
fn what_is_slow_and_out_of_balance_does_not_fall_asleep() {
    let world = lab::load("sleep-off-balance", &[]);
    let samples = lab::samples(&world, 10.0, 1000);
    let (rod, brick) = (lab::body(&world, "rod"), lab::body(&world, "brick"));
    let tilt = |states: &[physics::State]| states[rod].position.x / 0.5 / (0.3 * PI / 180.0);
    // The last second but one period holds a whole swing: it still reaches nearly as far to both sides.
    let late = samples.iter().filter(|(t, _)| *t > 8.0);
    let tilts: Vec<f64> = late.map(|(_, states)| tilt(states)).collect();
    let most = tilts.iter().copied().fold(f64::MIN, f64::max);
    let least = tilts.iter().copied().fold(f64::MAX, f64::min);
    assert!(
        most > 0.9 && least < -0.9,
        "swings between {least} and {most}"
    );
    // Six and a half periods of 1.638 s end at 10.6 s: six whole ones are 13 crossings with the first.
    let signs: Vec<bool> = samples.iter().map(|(_, s)| tilt(s) > 0.0).collect();
    let crossings = signs.windows(2).filter(|w| w[0] != w[1]).count();
    assert_eq!(crossings, 12, "half swings in 10 s");
    let start = world.bodies[brick].start.position;
    let (sine, cosine) = (libm::sin(PI / 9.0), libm::cos(PI / 9.0));
    let rate = 9.81 * (sine - 0.36 * cosine);
    for seconds in [3.0, 10.0] {
        let at = samples.iter().find(|(t, _)| *t >= seconds - 1e-9);
        let (_, states) = at.expect("it was sampled");
        let gone = (states[brick].position - start).length();
        let right = 0.5 * rate * seconds * seconds;
        // It begins by settling on the slope, a step or two of that acceleration at most.
        let off = (gone - right).abs() / right;
        assert!(off < 0.02, "{gone} m instead of {right} in {seconds} s");
    }
}

/// A crate at 1 m from the axis of a turntable needs a fifth of the friction it has: it rides along and creeps nowhere, at
/// any rate. (It crept by 0.46, 0.20 and 0.09 m in 40 s when friction held to first order only.) `impulse` remembers no
/// points that friction holds: it is second order, and creeps by what its sweeps leave. Mirtich's friction, `penalty`, is no
/// static one: it slips at a share of its slip speed of 1 mm/s, here a fifth.
#[test]
fn a_crate_rides_on_a_turntable() {
    for (solver, most) in [("soft-step", 5e-6), ("impulse", 2e-5), ("penalty", 0.014)] {
        for hertz in [60.0, 100.0, 120.0, 240.0f64] {
            let rate = format!("hz={hertz}");
            let world = lab::load_with("turntable", solver, &[&rate, "until=60"]);
            let at = lab::end_of(&world)[lab::body(&world, "crate")].position;
            let off = (at.x * at.x + at.z * at.z).sqrt() - 1.0;
            // Within a step of h seconds it goes straight from one place on its circle to the next: h^2 / 8 inside at most.
            let chord = 1.0 / (8.0 * hertz * hertz);
            assert!(
                off < most && off > -most - chord,
                "{solver}, {hertz} Hz: {off:e} m after a minute"
            );
        }
    }
}
