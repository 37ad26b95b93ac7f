//! Laws that impulse-based cloth must obey whatever the solver: momentum, free fall, a pendulum against its
//! equation of motion, and above all a strain that never exceeds the tolerance.

use glamx::DVec3;
use proptest::prelude::*;
use warpline_shell::impulse::scenes::{self, ClothScene, Weave};
use warpline_shell::impulse::*;

const SOLVERS: [Solver; 4] = [
    Solver::Impulses(Optimisations::NONE),
    Solver::Impulses(Optimisations::PAPER_BASELINE),
    Solver::Impulses(Optimisations::ALL),
    Solver::Strips { is_parallel: false },
];

fn no_contacts() -> Contacts {
    Contacts {
        balls: Vec::new(),
        tolerance: 1e-3,
    }
}

/// A free triangulated 6 x 6 cloth of 1 kg with velocities that pull it apart.
fn free_cloth(solver: Solver, gravity: DVec3) -> (Cloth, ClothState) {
    let mesh = TriangleMesh::grid(6, 6, DVec3::ZERO, DVec3::X, DVec3::Z).unwrap();
    let particle = |(i, &position): (usize, &DVec3)| {
        let mut particle = Particle::new(position, 1.0 / 36.0);
        let phase = i as f64;
        particle.velocity = DVec3::new(
            0.3 * (phase * 0.7 % 1.0),
            (phase * 0.37 % 1.0) - 0.5,
            phase * 0.11 % 1.0,
        );
        particle
    };
    let description = ClothDescription {
        particles: mesh.vertices.iter().enumerate().map(particle).collect(),
        sets: vec![ConstraintSet {
            name: "edges".into(),
            kind: Kind::Distance,
            extensibility: 0.01,
            pairs: mesh.edges(),
        }],
        contacts: no_contacts(),
        settings: Settings {
            solver,
            gravity,
            velocity_tolerance: Some(0.01),
            ..Settings::default()
        },
    };
    Cloth::new(&description).unwrap()
}

#[test]
fn impulses_conserve_momentum() {
    for solver in SOLVERS {
        let (cloth, mut state) = free_cloth(solver, DVec3::ZERO);
        let mut work = Workspace::new(&cloth);
        let before = cloth.momentum(&state);
        let mut corrections = 0;
        for _ in 0..100 {
            corrections += cloth
                .step(&mut state, &mut work, &mut [])
                .unwrap()
                .corrections;
        }
        // each correction adds two opposite impulses, each rounded to 1e-16 of a momentum below 1 N s; there
        // are fewer than 1e6 of them
        assert!(
            corrections > 100,
            "{solver:?}: the cloth must have been pulled ({corrections})"
        );
        assert!(
            cloth.momentum(&state).distance(before) < 1e-10,
            "{solver:?}"
        );
    }
}

#[test]
fn the_centre_of_mass_falls_freely() {
    let gravity = DVec3::new(0.0, -10.0, 0.0);
    for solver in SOLVERS {
        let (cloth, mut state) = free_cloth(solver, gravity);
        let mut work = Workspace::new(&cloth);
        let centre = |state: &ClothState| state.position.iter().sum::<DVec3>() / 36.0;
        let (start, velocity) = (centre(&state), cloth.momentum(&state));
        for _ in 0..100 {
            cloth.step(&mut state, &mut work, &mut []).unwrap();
        }
        let expected = start + velocity + gravity * 0.5;
        // equation 2 is exact for constant forces, so only rounding remains
        assert!(centre(&state).distance(expected) < 1e-10, "{solver:?}");
    }
}

/// Angle of a pendulum of 1 m released level, by Runge-Kutta with steps of 0.1 ms: error below 1e-12.
fn exact_pendulum(time: f64) -> f64 {
    let (mut angle, mut rate, h) = (0.0_f64, 0.0_f64, 1e-4);
    let f = |angle: f64, rate: f64| (rate, 10.0 * angle.cos());
    for _ in 0..(time / h).round() as usize {
        let k1 = f(angle, rate);
        let k2 = f(angle + 0.5 * h * k1.0, rate + 0.5 * h * k1.1);
        let k3 = f(angle + 0.5 * h * k2.0, rate + 0.5 * h * k2.1);
        let k4 = f(angle + h * k3.0, rate + h * k3.1);
        angle += h / 6.0 * (k1.0 + 2.0 * k2.0 + 2.0 * k3.0 + k4.0);
        rate += h / 6.0 * (k1.1 + 2.0 * k2.1 + 2.0 * k3.1 + k4.1);
    }
    angle
}

fn pendulum_angle(solver: Solver, step: f64, time: f64) -> f64 {
    let description = ClothDescription {
        particles: vec![Particle::fixed(DVec3::ZERO), Particle::new(DVec3::X, 0.5)],
        sets: vec![ConstraintSet {
            name: "bar".into(),
            kind: Kind::Distance,
            extensibility: 1e-9,
            pairs: vec![[0, 1]],
        }],
        contacts: no_contacts(),
        settings: Settings {
            solver,
            step,
            velocity_tolerance: Some(1e-9),
            ..Settings::default()
        },
    };
    let (cloth, mut state) = Cloth::new(&description).unwrap();
    let mut work = Workspace::new(&cloth);
    for _ in 0..(time / step).round() as usize {
        cloth.step(&mut state, &mut work, &mut []).unwrap();
    }
    (-state.position[1].y).atan2(state.position[1].x)
}

#[test]
fn a_pendulum_converges_to_its_equation_of_motion() {
    let exact = exact_pendulum(1.0);
    for solver in SOLVERS {
        let error = |step: f64| (pendulum_angle(solver, step, 1.0) - exact).abs();
        let (coarse, middle, fine) = (error(0.01), error(0.0025), error(0.000625));
        // the impulse of a step is aimed along the direction at its end: a first-order method, so a quarter
        // of the step leaves a quarter of the error, up to the next order
        for ratio in [coarse / middle, middle / fine] {
            assert!(
                (3.5..4.5).contains(&ratio),
                "{solver:?}: {coarse} -> {middle} -> {fine}"
            );
        }
    }
}

#[test]
fn energy_does_not_grow() {
    for solver in SOLVERS {
        let scene = ClothScene {
            resolution: 10,
            is_velocity_corrected: true,
            solver,
            ..ClothScene::default()
        };
        let (cloth, mut state) = scenes::cloth_swing(&scene).unwrap();
        let mut work = Workspace::new(&cloth);
        let start = cloth.energy(&state);
        // a level 1 kg cloth that swings down turns up to 5 J into motion; corrections towards rest lengths
        // within 1 % can lift a particle by that much of a link, about 0.01 J for the whole cloth
        for step in 0..200 {
            cloth.step(&mut state, &mut work, &mut []).unwrap();
            let gain = cloth.energy(&state) - start;
            assert!(gain < 0.01, "{solver:?} step {step}: {gain} J gained");
        }
    }
}

#[test]
fn strain_and_penetration_stay_within_tolerance_at_every_step() {
    for (name, build) in scenes::SCENES {
        for extensibility in [0.1, 0.01, 1e-4] {
            for is_velocity_corrected in [false, true] {
                for solver in SOLVERS {
                    let resolution = 8;
                    let scene = ClothScene {
                        resolution,
                        extensibility,
                        is_velocity_corrected,
                        solver,
                        ..ClothScene::default()
                    };
                    let (cloth, mut state) = build(&scene).unwrap();
                    let mut work = Workspace::new(&cloth);
                    for step in 0..60 {
                        cloth.step(&mut state, &mut work, &mut []).unwrap();
                        let strain = cloth.largest_strain(&state);
                        assert!(
                            strain <= extensibility,
                            "{name} {solver:?} step {step}: strain {strain}"
                        );
                        let depth = cloth.largest_penetration(&state);
                        assert!(
                            depth <= scene.contact_tolerance,
                            "{name} {solver:?} step {step}: depth {depth}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn the_paper_scenes_at_full_size_stay_within_tolerance() {
    for solver in [
        Solver::Impulses(Optimisations::ALL),
        Solver::Strips { is_parallel: false },
    ] {
        for extensibility in [0.1, 0.01, 1e-5] {
            let scene = ClothScene {
                extensibility,
                solver,
                ..ClothScene::default()
            };
            let (cloth, mut state) = scenes::cloth_swing(&scene).unwrap();
            let mut work = Workspace::new(&cloth);
            for step in 0..200 {
                cloth.step(&mut state, &mut work, &mut []).unwrap();
                let strain = cloth.largest_strain(&state);
                assert!(strain <= extensibility, "{solver:?} step {step}: {strain}");
            }
        }
    }
}

#[test]
fn corrected_velocities_do_not_stretch_the_cloth() {
    for solver in SOLVERS {
        let scene = ClothScene {
            resolution: 10,
            is_velocity_corrected: true,
            solver,
            ..ClothScene::default()
        };
        let (cloth, mut state) = scenes::cloth_swing(&scene).unwrap();
        let mut work = Workspace::new(&cloth);
        for _ in 0..50 {
            cloth.step(&mut state, &mut work, &mut []).unwrap();
            for c in cloth.constraints() {
                let (a, b) = c.pair();
                let n = Constraint::direction(state.position[a], state.position[b]);
                let stretching = n.dot(state.velocity[b] - state.velocity[a]);
                assert!(stretching.abs() <= 0.01, "{solver:?}: {stretching} m/s");
            }
        }
    }
}

#[test]
fn a_rope_pulls_and_does_not_push() {
    for solver in SOLVERS {
        let mut moving = Particle::new(DVec3::X, 1.0);
        moving.velocity = DVec3::new(-1.0, 0.0, 0.0);
        let description = ClothDescription {
            particles: vec![Particle::fixed(DVec3::ZERO), moving],
            sets: vec![ConstraintSet {
                name: "rope".into(),
                kind: Kind::Rope,
                extensibility: 0.01,
                pairs: vec![[0, 1]],
            }],
            contacts: no_contacts(),
            settings: Settings {
                solver,
                gravity: DVec3::ZERO,
                ..Settings::default()
            },
        };
        let (cloth, mut state) = Cloth::new(&description).unwrap();
        let mut work = Workspace::new(&cloth);
        // slack from x = 1 m through the anchor to x = -1 m: free motion, bit for bit
        for _ in 0..190 {
            cloth.step(&mut state, &mut work, &mut []).unwrap();
            assert_eq!(state.velocity[1], DVec3::new(-1.0, 0.0, 0.0), "{solver:?}");
        }
        for _ in 0..50 {
            cloth.step(&mut state, &mut work, &mut []).unwrap();
            assert!(cloth.largest_strain(&state) <= 0.01, "{solver:?}");
        }
    }
}

#[test]
fn external_forces_act_on_free_particles_only() {
    let description = ClothDescription {
        particles: vec![Particle::fixed(DVec3::ZERO), Particle::new(DVec3::X, 2.0)],
        sets: Vec::new(),
        contacts: no_contacts(),
        settings: Settings {
            gravity: DVec3::ZERO,
            ..Settings::default()
        },
    };
    let (cloth, mut state) = Cloth::new(&description).unwrap();
    let mut work = Workspace::new(&cloth);
    state.force.fill(DVec3::new(0.0, 0.0, 4.0));
    for _ in 0..100 {
        cloth.step(&mut state, &mut work, &mut []).unwrap();
    }
    // 4 N on 2 kg for 1 s: 1 m, 2 m/s; only rounding of 100 steps
    assert_eq!(state.position[0], DVec3::ZERO);
    assert!((state.position[1] - DVec3::new(1.0, 0.0, 1.0)).length() < 1e-13);
    assert!((state.velocity[1] - DVec3::new(0.0, 0.0, 2.0)).length() < 1e-13);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    /// Random forces on a triangulated cloth, random tolerance: every solver keeps the strain.
    #[test]
    fn random_forces_never_exceed_the_strain(
        forces in prop::collection::vec((-0.1..0.1, -0.1..0.1, -0.1..0.1), 25),
        extensibility in 0.002..0.1_f64,
        is_rope in any::<bool>(),
    ) {
        for solver in SOLVERS {
            let kind = if is_rope { Kind::Rope } else { Kind::Distance };
            let scene = ClothScene {
                resolution: 5, extensibility, kind, weave: Weave::Triangulated, solver, ..ClothScene::default()
            };
            let (cloth, mut state) = scenes::cloth_swing(&scene).unwrap();
            for (force, &(x, y, z)) in state.force.iter_mut().zip(&forces) {
                *force = DVec3::new(x, y, z);
            }
            let mut work = Workspace::new(&cloth);
            for _ in 0..20 {
                cloth.step(&mut state, &mut work, &mut []).unwrap();
                prop_assert!(cloth.largest_strain(&state) <= extensibility);
            }
        }
    }
}
