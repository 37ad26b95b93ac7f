//! The physics is plain, but it is physics.

use warpline_koenig::{Fixed, Form, Phy, Scene, Settings, Sphere, Vec3, plain};

fn ball(x: f64, velocity: f64, mass: f64) -> Sphere {
    Sphere {
        radius: 0.1,
        mass,
        surface: 0,
        start: Phy {
            position: Vec3::X * x,
            velocity: Vec3::X * velocity,
        },
    }
}

#[test]
fn two_balls_exchange_momentum_and_keep_energy() {
    let scene = Scene {
        spheres: vec![ball(0.0, 2.0, 1.0), ball(1.0, -1.0, 3.0)],
        restitution: vec![vec![1.0]],
        end: 1000,
        ..Scene::default()
    };
    let states = plain::run(&scene, &Settings::default()).states;
    // Elastic in one dimension: v1 = ((m1 - m2) u1 + 2 m2 u2) / (m1 + m2), and likewise for the other. A few roundings.
    let expected = [-2.5, 0.5];
    for (state, expected) in states.iter().zip(expected) {
        assert!((state.velocity.x - expected).abs() < 1e-14, "{state:?}");
    }
}

#[test]
fn an_elastic_ball_keeps_its_energy_on_a_floor() {
    let floor = Fixed {
        form: Form::HalfSpace {
            normal: Vec3::Y,
            offset: 0.0,
        },
        surface: 0,
    };
    let mut sphere = ball(0.0, 0.3, 2.0);
    sphere.start.position.y = 1.0;
    let scene = Scene {
        spheres: vec![sphere],
        fixed: vec![floor],
        restitution: vec![vec![1.0]],
        gravity: Vec3::Y * -9.81,
        end: 10_000,
    };
    let ran = plain::run(&scene, &Settings::default());
    let energy = |p: &Phy| 0.5 * p.velocity.length_squared() + 9.81 * p.position.y;
    // Parabolas are followed exactly and a bounce turns the velocity where the ball is: 2,500 sub-steps of rounding.
    let drift = energy(&ran.states[0]) / energy(&scene.spheres[0].start) - 1.0;
    assert!(drift.abs() < 2500.0 * 4.0 * f64::EPSILON, "{drift:e}");
    assert!(ran.turns.len() > 10);
}

#[test]
fn a_dull_ball_comes_to_rest_on_a_floor_and_does_not_sink() {
    let floor = Fixed {
        form: Form::HalfSpace {
            normal: Vec3::Y,
            offset: 0.0,
        },
        surface: 0,
    };
    let mut sphere = ball(0.0, 0.0, 1.0);
    sphere.start.position.y = 0.5;
    let scene = Scene {
        spheres: vec![sphere],
        fixed: vec![floor],
        restitution: vec![vec![0.0]],
        gravity: Vec3::Y * -9.81,
        end: 20_000,
    };
    let height = plain::run(&scene, &Settings::default()).states[0]
        .position
        .y;
    // A fifth of the overlap is taken back in a sub-step: it settles where that is what gravity adds, g dt^2 / 0.2, and the
    // half-step of the parabola.
    assert!(
        (0.1 - height) < 9.81 * 0.004 * 0.004 * 6.0 && height <= 0.1 + 1e-3,
        "{height}"
    );
}
