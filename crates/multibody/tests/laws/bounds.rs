//! Bounds on speeds hold over the whole stretch, and are not absurdly wide.

use crate::trees::{random_state, random_tree, stream, vector};
use warpline_multibody::bounds::{Speed, range};
use warpline_multibody::dop853::{Tolerance, polynomial};
use warpline_multibody::flow::{Law, Trajectory};
use warpline_multibody::loops::Loops;
use warpline_multibody::{Vec3, Workspace};

#[test]
fn the_range_of_a_polynomial_holds_its_values() {
    let mut next = stream(4);
    for _ in 0..200 {
        let p: [f64; 8] = std::array::from_fn(|_| next());
        let (a, b) = ((next() + 1.0) * 0.4, 0.85 + 0.15 * next());
        let (low, high) = range(&p, a, b);
        for k in 0..=50 {
            let x = a + (b - a) * k as f64 / 50.0;
            let y = p.iter().rev().fold(0.0, |s, c| s * x + c);
            assert!(low - 1e-12 <= y && y <= high + 1e-12);
        }
    }
}

#[test]
fn no_point_is_faster_than_its_bound() {
    for seed in 0..10 {
        let model = random_tree(seed * 3, 7, seed % 2 == 0);
        let (q, v) = random_state(&model, seed + 90);
        let y: Vec<f64> = q.iter().chain(&v).copied().collect();
        if model.velocities() == 0 {
            continue;
        }
        let tolerance = Tolerance {
            relative: 1e-8,
            absolute: 1e-8,
        };
        let mut path = Trajectory::new(&y, tolerance);
        let mut law = Law::new(&model, Loops::new(&model, Vec::new()), &[]);
        path.extend(&mut law, 0.2).expect("a smooth motion");
        let mut ws = Workspace::new(&model);
        let mut bounds = vec![Speed::default(); model.len()];
        let mut next = stream(seed);
        let local: Vec<Vec3> = (0..model.len()).map(|_| vector(&mut next) * 0.2).collect();
        let mut state = y.clone();
        let mut points = |time: f64, path: &Trajectory| -> Vec<Vec3> {
            path.state(time, &mut state);
            let (q, v) = state.split_at(model.positions());
            model.kinematics(q, v, &mut ws);
            let at = |k: usize| ws.origin(k) + ws.rotation(k) * local[k];
            (0..model.len()).map(at).collect()
        };
        let (k, start, h) = path.step_at(0.1).expect("a step");
        for part in 0..4 {
            let span = (0.25 * part as f64, 0.25 * (part + 1) as f64);
            model.speed_bounds(path.dense(k), h, span, &mut bounds);
            let times = |i: usize| start + h * (span.0 + 0.25 * i as f64 / 20.0);
            let mut before = points(times(0), &path);
            for i in 1..=20 {
                let now = points(times(i), &path);
                for link in 0..model.len() {
                    let speed = (now[link] - before[link]).length() / (times(i) - times(i - 1));
                    let bound = bounds[link].within(local[link].length());
                    assert!(
                        speed <= bound * (1.0 + 1e-6) + 1e-9,
                        "seed {seed}: {speed} {bound}"
                    );
                    assert!(bound < 1e3, "seed {seed}: {bound}");
                }
                before = now;
            }
        }
    }
}

#[test]
fn dense_output_is_its_polynomial() {
    let mut next = stream(12);
    let dense: Vec<f64> = (0..8).map(|_| next()).collect();
    let p = polynomial(&dense, 1, 0);
    for k in 0..=10 {
        let x = 0.1 * k as f64;
        let mut y = [0.0];
        warpline_multibody::dop853::evaluate(&dense, x, &mut y);
        let other = p.iter().rev().fold(0.0, |s, c| s * x + c);
        assert!((y[0] - other).abs() < 1e-13);
    }
}
