//! What swings on joints: the conical pendulum, the two modes of a double pendulum, a plane pendulum of
//! large amplitude, and a dumbbell that tumbles on its rope.

use crate::truths::lab::{Wrongs, angular_momentum, body, energy, momentum, samples, scene_with};
use physics::{State, Vec3};

/// Solvers that hold joints.
const SOLVERS: [&str; 2] = ["soft-step", "impulse"];
const G: f64 = 9.81;

/// A ball on a rope going round: w^2 = g / (L cos). The rope's end is fixed to a ball's centre.
#[test]
fn a_conical_pendulum_keeps_its_height_and_its_period() {
    for solver in SOLVERS {
        for (hertz, degrees) in [(120, 30.0f64), (240, 60.0)] {
            for kind in ["rope", "distance"] {
                let (sin, cos) = degrees.to_radians().sin_cos();
                let rate = (G / cos).sqrt();
                let text = format!(
                    "name = \"cone\"\nuntil = 4\n[contact]\nrest_after = 100\n\
                     [[body]]\nname = \"nail\"\nkind = \"fixed\"\nshape = {{ ball = 0.01 }}\n\
                     [[body]]\nname = \"bob\"\nshape = {{ ball = 0.05 }}\nmass = 1\n\
                     position = [{sin}, {}, 0]\nvelocity = [0, 0, {}]\n\
                     [[joint]]\nkind = \"{kind}\"\nbodies = [\"nail\", \"bob\"]\n",
                    -cos,
                    -rate * sin
                );
                let world = scene_with(&text, solver, hertz);
                let at = body(&world, "bob");
                for (seconds, states) in samples(&world, 4.0, 200) {
                    let s = &states[at];
                    let angle = rate * seconds;
                    let expected = Vec3::new(sin * angle.cos(), -cos, -sin * angle.sin());
                    // Second order in sub-steps of h/4: the phase drifts by (w h/4)^2 w t / 24 and the circle
                    // is a polygon; a hundredth of a radius in 4 s leaves room for four times that.
                    let error = (s.position - expected).length();
                    let what = format!("{kind} of {degrees} degrees, {solver} at {hertz} Hz");
                    assert!(error < 5e-3, "{what}: {error:e} m off at {seconds} s");
                }
            }
        }
    }
}

/// Two equal bobs on equal rods without mass: small swings have w^2 = (2 -+ sqrt 2) g / L and the shapes
/// (1, +-sqrt 2).
#[test]
fn a_double_pendulum_has_the_two_modes_of_the_closed_form() {
    let root = 2f64.sqrt();
    for solver in SOLVERS {
        for (sign, square) in [(1.0, 2.0 - root), (-1.0, 2.0 + root)] {
            let rate = (square * G).sqrt();
            let (a, b) = (1e-3f64, sign * root * 1e-3);
            // Angles from the vertical; distances keep the bobs on circles of 1 m.
            let first = [a.sin(), -a.cos()];
            let second = [first[0] + b.sin(), first[1] - b.cos()];
            let text = format!(
                "name = \"double\"\nuntil = 3\n[contact]\nrest_after = 100\nrest_speed = 0\n\
                 [[body]]\nname = \"nail\"\nkind = \"fixed\"\nshape = {{ ball = 0.01 }}\n\
                 [[body]]\nname = \"upper\"\nshape = {{ ball = 0.05 }}\nmass = 1\n\
                 position = [{}, {}, 0]\n\
                 [[body]]\nname = \"lower\"\nshape = {{ ball = 0.05 }}\nmass = 1\n\
                 position = [{}, {}, 0]\n\
                 [[joint]]\nkind = \"distance\"\nbodies = [\"nail\", \"upper\"]\n\
                 [[joint]]\nkind = \"distance\"\nbodies = [\"upper\", \"lower\"]\n",
                first[0], first[1], second[0], second[1]
            );
            let world = scene_with(&text, solver, 120);
            let (upper, lower) = (body(&world, "upper"), body(&world, "lower"));
            for (seconds, states) in samples(&world, 3.0, 60) {
                let swing = (rate * seconds).cos();
                let x = states[upper].position.x;
                let y = states[lower].position.x - x;
                // Phase error of second order, (w h/4)^2 / 24 of the phase; amplitude squared for the next
                // term of the sine; the rest is for the joints' tolerance.
                for (found, expected) in [(x, 1e-3 * swing), (y, sign * root * 1e-3 * swing)] {
                    let error = (found - expected).abs();
                    let what = format!("{solver}, mode {sign}");
                    assert!(
                        error < 2e-5,
                        "{what}: {found:e} instead of {expected:e} at {seconds} s"
                    );
                }
            }
        }
    }
}

/// The period of a plane pendulum, 2 pi / agm(1, cos(a/2)) sqrt(L/g), by the arithmetic-geometric mean.
fn period(amplitude: f64) -> f64 {
    let (mut a, mut b) = (1.0, (0.5 * amplitude).cos());
    for _ in 0..8 {
        (a, b) = (0.5 * (a + b), (a * b).sqrt());
    }
    std::f64::consts::TAU / a / G.sqrt()
}

/// After one period everything is where it began, with any amplitude and at any rate.
#[test]
fn a_pendulum_comes_back_after_the_period_of_the_closed_form() {
    for solver in SOLVERS {
        for hertz in [60, 120, 240] {
            for degrees in [5.0f64, 60.0, 120.0, 170.0] {
                let (sin, cos) = degrees.to_radians().sin_cos();
                let text = format!(
                    "name = \"pendulum\"\nuntil = 20\n[contact]\nrest_after = 100\nrest_speed = 0\n\
                     [[body]]\nname = \"nail\"\nkind = \"fixed\"\nshape = {{ ball = 0.01 }}\n\
                     [[body]]\nname = \"bob\"\nshape = {{ ball = 0.05 }}\nmass = 1\n\
                     position = [{sin}, {}, 0]\n\
                     [[joint]]\nkind = \"distance\"\nbodies = [\"nail\", \"bob\"]\n",
                    -cos
                );
                let world = scene_with(&text, solver, hertz);
                let at = body(&world, "bob");
                let swings = 2.0;
                let all = samples(&world, swings * period(degrees.to_radians()), 1);
                let s: &State = &all[0].1[at];
                // It turns back here: a phase late by a step's square shows as its square, but for the
                // amplitude lost, of second order as well; at 60 Hz and 170 degrees (w h)^2 = 3e-3.
                let off = (s.position - Vec3::new(sin, -cos, 0.0)).length();
                let allowed = 10.0 * G / f64::from(hertz * hertz) + 1e-4;
                let what = format!("{degrees} degrees, {solver} at {hertz} Hz");
                assert!(
                    off < allowed,
                    "{what}: {off:e} m off after two swings, allowed {allowed:e}"
                );
            }
        }
    }
}

/// Two balls on a taut rope, thrown: the middle flies a parabola, the balls go round at a constant rate,
/// and momentum, angular momentum and energy stay.
#[test]
fn a_dumbbell_on_a_rope_flies_as_one() {
    let text = "name = \"bolas\"\nuntil = 3\n[contact]\nrest_after = 100\n\
         [[body]]\nname = \"a\"\nshape = { ball = 0.05 }\nmass = 1\nposition = [0, 0, 0]\nvelocity = [3, 6, 0]\n\
         [[body]]\nname = \"b\"\nshape = { ball = 0.1 }\nmass = 3\nposition = [1, 0, 0]\nvelocity = [3, 10, 0]\n\
         [[joint]]\nkind = \"rope\"\nbodies = [\"a\", \"b\"]\n";
    let mut wrongs = Wrongs::default();
    for solver in SOLVERS {
        for hertz in [60, 240] {
            let world = scene_with(text, solver, hertz);
            let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
            let middle = |states: &[State]| 0.25 * states[0].position + 0.75 * states[1].position;
            let (from, before) = (middle(&starts), energy(&world, &starts));
            let turning = angular_momentum(&world, &starts, from);
            for (seconds, states) in samples(&world, 3.0, 6) {
                let what = format!("{solver} at {hertz} Hz, {seconds} s");
                let now = middle(&states);
                let fall = Vec3::new(
                    3.0 * seconds,
                    9.0 * seconds - 0.5 * G * seconds * seconds,
                    0.0,
                );
                // The rope is inside: the middle is as exact as a ball's own flight in a group.
                let off = (now - from - fall).length();
                wrongs.expect(off, 1e-9, &format!("{what}: the middle"));
                let fell = Vec3::new(12.0, 36.0 - 4.0 * G * seconds, 0.0);
                let pushed = (momentum(&world, &states) - fell).length();
                wrongs.expect(pushed, 1e-9, &format!("{what}: momentum"));
                let turned = (angular_momentum(&world, &states, now) - turning).length();
                wrongs.expect(turned, 1e-9, &format!("{what}: angular momentum"));
                let length = states[0].position.distance(states[1].position);
                wrongs.expect(length - 1.0, 1e-6, &format!("{what}: the rope"));
                let angle = 4.0 * seconds;
                let along = (states[1].position - states[0].position).normalize();
                let error = (along - Vec3::new(angle.cos(), angle.sin(), 0.0)).length();
                // Phase: (w h/4)^2 / 24 of 12 rad.
                wrongs.expect(error, 1e-3, &format!("{what}: direction"));
                let gained = energy(&world, &states) / before - 1.0;
                wrongs.expect(gained, 1e-6, &format!("{what}: energy"));
            }
        }
    }
    wrongs.conclude();
}
