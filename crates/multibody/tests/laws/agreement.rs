//! Articulated bodies, composite bodies and Newton-Euler are three ways to the same numbers.

use crate::trees::{random_state, random_tree, stream, vector};
use warpline_multibody::{Multibody, Vec3, Workspace};

/// Solves `m x = b` by elimination with pivots: an algorithm that shares nothing with the tree's.
fn solve(mut m: Vec<f64>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n).max_by(|&i, &j| m[i * n + k].abs().total_cmp(&m[j * n + k].abs()));
        let pivot = pivot.expect("a row");
        for c in 0..n {
            m.swap(k * n + c, pivot * n + c);
        }
        b.swap(k, pivot);
        for r in k + 1..n {
            let f = m[r * n + k] / m[k * n + k];
            for c in k..n {
                m[r * n + c] -= f * m[k * n + c];
            }
            b[r] -= f * b[k];
        }
    }
    for k in (0..n).rev() {
        for c in k + 1..n {
            b[k] -= m[k * n + c] * b[c];
        }
        b[k] /= m[k * n + k];
    }
    b
}

fn largest(x: &[f64]) -> f64 {
    x.iter().fold(0.0, |a, b| a.max(b.abs()))
}

fn apart(x: &[f64], y: &[f64]) -> f64 {
    x.iter().zip(y).fold(0.0, |a, (x, y)| a.max((x - y).abs()))
}

fn each_tree(check: impl Fn(&Multibody, &mut Workspace, u64)) {
    for seed in 0..60 {
        let model = random_tree(seed, 1 + seed as usize % 12, seed % 3 == 0);
        if model.velocities() > 0 {
            check(&model, &mut Workspace::new(&model), seed);
        }
    }
}

#[test]
fn forward_dynamics_undoes_inverse_dynamics() {
    each_tree(|model, ws, seed| {
        let (q, v) = random_state(model, seed + 1000);
        let mut next = stream(seed + 2000);
        let wanted: Vec<f64> = (0..model.velocities()).map(|_| 5.0 * next()).collect();
        let mut tau = vec![0.0; model.velocities()];
        let mut a = tau.clone();
        model.inverse_dynamics(&q, &v, &wanted, ws, &mut tau);
        model.forward_dynamics(&q, &v, &tau, ws, &mut a);
        // mass matrices of these trees have condition numbers up to about 1e5
        assert!(apart(&a, &wanted) < 1e-10, "seed {seed}: {a:?} {wanted:?}");
    });
}

#[test]
fn forward_dynamics_agrees_with_the_mass_matrix() {
    each_tree(|model, ws, seed| {
        let n = model.velocities();
        let (q, v) = random_state(model, seed + 3000);
        let mut next = stream(seed + 4000);
        let tau: Vec<f64> = (0..n).map(|_| 5.0 * next()).collect();
        let zero = vec![0.0; n];
        let (mut a, mut bias, mut m) = (zero.clone(), zero.clone(), vec![0.0; n * n]);
        model.forward_dynamics(&q, &v, &tau, ws, &mut a);
        model.inverse_dynamics(&q, &v, &zero, ws, &mut bias);
        model.mass_matrix(&q, ws, &mut m);
        let b = tau.iter().zip(&bias).map(|(t, b)| t - b).collect();
        let other = solve(m, b);
        assert!(
            apart(&a, &other) < 1e-10 * largest(&a).max(1.0),
            "seed {seed}"
        );
    });
}

#[test]
fn net_forces_are_the_mass_matrix_times_the_accelerations() {
    each_tree(|model, ws, seed| {
        let n = model.velocities();
        let (q, v) = random_state(model, seed);
        let applied: Vec<f64> = v.iter().map(|v| 3.0 - 2.0 * v).collect();
        let (mut a, mut f, mut m) = (vec![0.0; n], vec![0.0; n], vec![0.0; n * n]);
        model.accelerations(&q, &v, &applied, ws, &mut a);
        model.net_forces(&q, &v, &applied, ws, &mut f);
        model.mass_matrix_here(ws, &mut m);
        let product: Vec<f64> = (0..n)
            .map(|i| (0..n).map(|j| m[i * n + j] * a[j]).sum())
            .collect();
        let off = apart(&f, &product);
        assert!(off <= 1e-10 * largest(&f).max(1.0), "{off}");
    });
}

#[test]
fn a_column_of_the_mass_matrix_is_an_inverse_dynamics() {
    each_tree(|model, ws, seed| {
        let n = model.velocities();
        let (q, _) = random_state(model, seed + 5000);
        let zero = vec![0.0; n];
        let mut m = vec![0.0; n * n];
        model.mass_matrix(&q, ws, &mut m);
        let (mut weight, mut column) = (zero.clone(), zero.clone());
        model.inverse_dynamics(&q, &zero, &zero, ws, &mut weight);
        for c in 0..n {
            let mut unit = zero.clone();
            unit[c] = 1.0;
            model.inverse_dynamics(&q, &zero, &unit, ws, &mut column);
            for r in 0..n {
                let other = column[r] - weight[r];
                assert!(
                    (m[r * n + c] - other).abs() < 1e-11 * largest(&m).max(10.0),
                    "seed {seed}"
                );
                assert_eq!(m[r * n + c], m[c * n + r]);
            }
        }
    });
}

#[test]
fn an_impulse_goes_through_the_whole_tree() {
    each_tree(|model, ws, seed| {
        let n = model.velocities();
        let (q, v) = random_state(model, seed + 6000);
        let mut next = stream(seed + 7000);
        let link = seed as usize % model.len();
        let (arm, impulse) = (vector(&mut next), vector(&mut next) * 3.0);
        let zero = vec![0.0; n];
        let mut dv = zero.clone();
        model.factorize(&q, ws);
        let point = ws.origin(link) + arm;
        model.impulse_response(ws, link, point, impulse, &mut dv);

        // against M⁻¹ Jᵀ p by the mass matrix
        let (mut j, mut m) = (vec![0.0; 6 * n], vec![0.0; n * n]);
        model.jacobian(ws, link, point, &mut j);
        let force = (0..n)
            .map(|d| (0..3).map(|k| j[(k + 3) * n + d] * impulse[k]).sum())
            .collect();
        model.mass_matrix(&q, ws, &mut m);
        let other = solve(m, force);
        assert!(
            apart(&dv, &other) < 1e-10 * largest(&dv).max(1.0),
            "seed {seed}"
        );

        // against what a force does to the accelerations, velocities and all
        let (mut with, mut without) = (zero.clone(), zero.clone());
        model.forward_dynamics(&q, &v, &zero, ws, &mut without);
        ws.push(link, impulse, point);
        model.forward_dynamics(&q, &v, &zero, ws, &mut with);
        ws.clear_forces();
        let change: Vec<f64> = with.iter().zip(&without).map(|(a, b)| a - b).collect();
        assert!(
            apart(&dv, &change) < 1e-9 * largest(&without).max(1.0),
            "seed {seed}"
        );
    });
}

#[test]
fn jacobians_are_what_finite_differences_see() {
    each_tree(|model, ws, seed| {
        let n = model.velocities();
        let (q, v) = random_state(model, seed + 8000);
        let link = seed as usize % model.len();
        let local = Vec3::new(0.3, -0.2, 0.1);
        let h = 1e-6;
        let mut at = |dt: f64| {
            let mut moved = q.clone();
            model.displace(&mut moved, &v, dt);
            model.kinematics(&moved, &v, ws);
            ws.origin(link) + ws.rotation(link) * local
        };
        let seen = (at(h) - at(-h)) / (2.0 * h);
        let point = at(0.0);
        let mut j = vec![0.0; 6 * n];
        model.jacobian(ws, link, point, &mut j);
        for k in 0..3 {
            let row: f64 = (0..n).map(|d| j[(k + 3) * n + d] * v[d]).sum();
            // central differences: h² of the third derivative, and rounding over h
            assert!(
                (row - seen[k]).abs() < 1e-7,
                "seed {seed}: {row} {}",
                seen[k]
            );
            assert!((row - ws.point_velocity(link, point)[k]).abs() < 1e-12);
        }
    });
}
