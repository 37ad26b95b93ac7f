//! A gas of balls that lose energy at every collision cools as Haff's law says.

use crate::truths::lab::{momentum, outcome, scene};
use physics::State;

const BALLS: f64 = 216.0;
const RESTITUTION: f64 = 0.9;

/// Balls in a box whose walls lose nothing; only what two balls do to each other cools them.
fn gas(seconds: f64) -> String {
    format!(
        "name = \"haff\"\nuntil = {seconds}\ngravity = [0, 0, 0]\n\
         [box]\nmin = [0, 0, 0]\nmax = [4, 4, 4]\nrestitution = 1\nfriction = 0\n\
         [[scatter]]\nname = \"ball\"\ncount = 216\nshape = {{ ball = 0.2 }}\nmass = 1\nfriction = 0\n\
         restitution = {RESTITUTION}\nspeed = {{ rms = 3 }}\nseed = 5\n"
    )
}

/// Twice the kinetic energy per degree of freedom, and how often two balls have met.
fn temperature(seconds: f64) -> (f64, f64) {
    struct Count(u64);
    impl warpline_sim::History for Count {
        fn segment(&mut self, s: &record::Segment<'_>) -> warpline_sim::Told {
            let is_hit = s.event == record::Event::Collision;
            // Walls come first in the world: balls have numbers from 6 on.
            self.0 += u64::from(is_hit && s.body >= 6 && s.partner >= 6 && s.body < s.partner);
            Ok(())
        }
    }
    let world = scene(&gas(seconds), &[]);
    let mut count = Count(0);
    let ran = warpline_sim::run(&world, warpline_sim::Algorithm::Ordered, &mut count);
    let (_, states) = ran.expect("it ends");
    let moving = |s: &&State| s.velocity.length_squared() > 0.0;
    let sum: f64 = states
        .iter()
        .filter(moving)
        .map(|s| s.velocity.length_squared())
        .sum();
    (sum / (3.0 * BALLS), count.0 as f64)
}

/// A collision takes (1 - e^2)/4 m u^2 from a pair that meets at speed u along its centres; the mean of
/// u^2 over collisions is 4 kT/m, so ln T falls by (2/3)(1 - e^2)/N for each. With collisions as frequent
/// as sqrt T, 1/sqrt T grows evenly.
#[test]
fn a_lossy_gas_cools_by_haffs_law() {
    let (start, _) = temperature(1e-9);
    let found: Vec<(f64, f64, f64)> = [1.0, 2.0, 3.0, 4.0]
        .into_iter()
        .map(|seconds| {
            let (t, hits) = temperature(seconds);
            (seconds, t, hits)
        })
        .collect();
    for (seconds, t, hits) in &found {
        let expected = (2.0 / 3.0) * (1.0 - RESTITUTION * RESTITUTION) * hits / BALLS;
        let fallen = (start / t).ln();
        // u^2 is distributed exponentially: its mean over n collisions varies by 1/sqrt n. Four times that,
        // and 3 % because velocities are no longer Maxwell's (the fourth cumulant is -0.02 at e = 0.9).
        let allowed = 4.0 / hits.sqrt() + 0.03;
        let error = (fallen / expected - 1.0).abs();
        assert!(*hits > 300.0, "only {hits} collisions in {seconds} s");
        assert!(
            error < allowed,
            "{seconds} s: ln T fell by {fallen}, expected {expected}"
        );
    }
    // Slopes of 1/sqrt T over each second agree: each rests on some 500 collisions, 1/sqrt(500) = 4.5 %
    // of the fall of ln T, half of that in sqrt T, four times that, for both.
    let mut roots = vec![1.0 / start.sqrt()];
    roots.extend(found.iter().map(|(_, t, _)| 1.0 / t.sqrt()));
    let slopes: Vec<f64> = roots.windows(2).map(|pair| pair[1] - pair[0]).collect();
    for slope in &slopes[1..] {
        let ratio = slope / slopes[0];
        assert!((ratio - 1.0).abs() < 0.25, "slopes of 1/sqrt T: {slopes:?}");
    }
}

/// In the same gas without walls nothing pushes from outside: momentum stays to rounding.
#[test]
fn a_lossy_gas_in_the_open_keeps_its_momentum() {
    let text = gas(2.0);
    let (head, rest) = text.split_once("[box]").expect("a box");
    let (_, balls) = rest.split_once("[[scatter]]").expect("balls");
    let open = format!("{head}[[scatter]]{balls}region = {{ min = [0, 0, 0], max = [4, 4, 4] }}\n");
    let world = scene(&open, &[]);
    let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    let (stats, states) = outcome(&world).expect("it ends");
    assert!(stats.collisions > 50, "only {}", stats.collisions);
    let off = (momentum(&world, &states) - momentum(&world, &starts)).length();
    // Two roundings of 3 m/s for each collision, all of one sign at worst.
    assert!(
        off < 1e-15 * 6.0 * stats.collisions as f64,
        "{off:e} kg m/s"
    );
}
