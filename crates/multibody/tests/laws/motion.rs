//! Energy and momentum over time.

use crate::trees::{chain, random_state, random_tree};
use warpline_multibody::dop853::Tolerance;
use warpline_multibody::flow::{Law, Trajectory};
use warpline_multibody::loops::Loops;
use warpline_multibody::{Multibody, Vec3, Workspace};

fn law(model: &Multibody) -> Law<'_> {
    Law::new(model, Loops::new(model, Vec::new()), &[])
}

fn tolerance(t: f64) -> Tolerance {
    Tolerance {
        relative: t,
        absolute: t,
    }
}

/// Largest error of the energy over ten seconds, asked 1000 times between steps, over the energy
/// that is available: from the start to the lowest position.
fn largest_energy_error(model: &Multibody, q: &[f64], t: f64) -> f64 {
    let mut ws = Workspace::new(model);
    let v = vec![0.0; model.velocities()];
    let start = model.energy(q, &v, &mut ws).total();
    let lowest = model.energy(&model.reference(), &v, &mut ws).total();
    let y: Vec<f64> = q.iter().chain(&v).copied().collect();
    let mut path = Trajectory::new(&y, tolerance(t));
    path.extend(&mut law(model), 10.0).expect("a smooth motion");
    let mut state = y.clone();
    (0..=1000).fold(0.0f64, |most, k| {
        path.state(k as f64 * 0.01, &mut state);
        let (q, v) = state.split_at(model.positions());
        most.max((model.energy(q, v, &mut ws).total() - start).abs() / (start - lowest))
    })
}

#[test]
fn a_double_pendulum_keeps_its_energy() {
    let model = chain(2, 1.0);
    let error = largest_energy_error(&model, &[2.0, 0.5], 1e-10);
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn a_chain_of_ten_keeps_its_energy() {
    let model = chain(10, 0.3);
    let mut q = vec![0.0; 10];
    q[0] = 1.5;
    let error = largest_energy_error(&model, &q, 1e-10);
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn a_floating_tree_keeps_its_momentum() {
    for seed in 0..6 {
        let model = random_tree(seed * 3, 8, true);
        let (q, v) = random_state(&model, seed + 50);
        let mut ws = Workspace::new(&model);
        model.kinematics(&q, &v, &mut ws);
        let (mass, _) = model.centre_of_mass(&ws);
        let before = model.momentum(&ws, Vec3::ZERO);
        let start = model.centre_of_mass(&ws).1;
        let y: Vec<f64> = q.iter().chain(&v).copied().collect();
        let mut path = Trajectory::new(&y, tolerance(1e-11));
        path.extend(&mut law(&model), 2.0).expect("a smooth motion");
        let mut state = y.clone();
        for k in 1..=20 {
            let t = 0.1 * k as f64;
            path.state(t, &mut state);
            let (q, v) = state.split_at(model.positions());
            model.kinematics(q, v, &mut ws);
            // the centre of mass is thrown; about it nothing turns the tree
            let g = model.gravity();
            let velocity = before.lin / mass;
            let centre = start + velocity * t + g * (0.5 * t * t);
            let seen = model.centre_of_mass(&ws).1;
            assert!(
                (seen - centre).length() < 1e-8,
                "seed {seed}: {seen} {centre}"
            );
            let now = model.momentum(&ws, seen);
            let spin = before.ang - start.cross(before.lin);
            // some hundred steps with errors of 1e-11 of velocities of about 10 rad/s
            assert!(
                (now.ang - spin).length() < 1e-7,
                "seed {seed}: {} {spin}",
                now.ang
            );
            assert!(
                (now.lin - before.lin - g * (mass * t)).length() < 1e-7,
                "seed {seed}"
            );
        }
    }
}

#[test]
fn asking_between_steps_changes_nothing() {
    let model = random_tree(3, 6, true);
    let (q, v) = random_state(&model, 9);
    let y: Vec<f64> = q.iter().chain(&v).copied().collect();
    let ends = |asked: &[f64]| {
        let mut path = Trajectory::new(&y, tolerance(1e-9));
        let mut law = law(&model);
        for t in asked {
            path.extend(&mut law, *t).expect("a smooth motion");
        }
        let mut state = y.clone();
        path.state(0.7, &mut state);
        state.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
    };
    assert_eq!(ends(&[1.0]), ends(&[0.01, 0.2, 0.7, 0.71, 1.0]));
}

#[test]
fn a_pendulum_swings_with_its_period() {
    // a rod on a hinge: T = 2π √(2 L / 3 g) for small swings, longer by 1 + a²/16 + 11 a⁴/3072
    let model = chain(1, 1.0);
    let a = 0.1f64;
    let period = 2.0 * std::f64::consts::PI * (2.0 / (3.0 * 9.81f64)).sqrt();
    // the moment about the pin is that of a rod
    let period = period * (1.0 + a * a / 16.0 + 11.0 * a.powi(4) / 3072.0);
    let mut path = Trajectory::new(&[a, 0.0], tolerance(1e-12));
    path.extend(&mut law(&model), period)
        .expect("a smooth motion");
    let mut y = [0.0; 2];
    path.state(period, &mut y);
    // the next term of the series is 173 a⁶ / 737280, 2e-10 of a period
    assert!((y[0] - a).abs() < 1e-12 && y[1].abs() < 1e-8, "{y:?}");
}
