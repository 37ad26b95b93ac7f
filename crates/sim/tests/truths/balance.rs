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
