//! CPU time of forward dynamics for chains of hinges, and of smooth motion to a given energy error.
//!
//! `cargo bench -p warpline-multibody --bench aba` prints both; with `-- chain 64 100000` it only
//! calls forward dynamics so often, for counting instructions under callgrind.

use cpu_time::ProcessTime;
use multibody::dop853::Tolerance;
use multibody::flow::{Law, Trajectory};
use multibody::loops::Loops;
use multibody::spatial::Sym3;
use multibody::{Builder, Inertia, Joint, LinkSpec, Multibody, Pose, Vec3, Workspace};
use std::hint::black_box;
use warpline_multibody as multibody;

/// Rods of 1 kg, hinged about y (or about y and x in turn).
fn chain(n: usize, length: f64, spatial: bool) -> Multibody {
    let mut builder = Builder::new(Vec3::new(0.0, 0.0, -9.81));
    for k in 0..n {
        let at = if k == 0 { 0.0 } else { -length };
        let moment = length * length / 12.0;
        let axis = if spatial && k % 2 == 1 {
            Vec3::X
        } else {
            Vec3::Y
        };
        let spec = LinkSpec {
            name: format!("rod {k}"),
            parent: k.checked_sub(1),
            placement: Pose::from_translation(Vec3::new(0.0, 0.0, at)),
            joint: Joint::hinge(axis),
            inertia: Inertia {
                mass: 1.0,
                com: Vec3::new(0.0, 0.0, -0.5 * length),
                tensor: Sym3 {
                    diagonal: Vec3::new(moment, moment, 1e-4),
                    off: Vec3::ZERO,
                },
            },
        };
        builder.add(spec).expect("a rod");
    }
    builder.build().expect("a chain")
}

fn forward(n: usize, calls: usize) -> f64 {
    let model = chain(n, 0.1, true);
    let mut ws = Workspace::new(&model);
    let q: Vec<f64> = (0..n).map(|k| 0.3 + 0.1 * (k % 7) as f64).collect();
    let v: Vec<f64> = (0..n).map(|k| 0.2 - 0.1 * (k % 5) as f64).collect();
    let tau = vec![0.1; n];
    let mut a = vec![0.0; n];
    let start = ProcessTime::now();
    for _ in 0..calls {
        model.forward_dynamics(black_box(&q), &v, &tau, &mut ws, &mut a);
        black_box(&a);
    }
    start.elapsed().as_secs_f64() / calls as f64
}

fn energy(n: usize, length: f64, q: &[f64], tolerance: f64) -> (f64, f64, usize) {
    let model = chain(n, length, false);
    let mut ws = Workspace::new(&model);
    let v = vec![0.0; n];
    let first = model.energy(q, &v, &mut ws).total();
    let lowest = model.energy(&model.reference(), &v, &mut ws).total();
    let mut y: Vec<f64> = q.iter().chain(&v).copied().collect();
    let both = Tolerance {
        relative: tolerance,
        absolute: tolerance,
    };
    let mut path = Trajectory::new(&y, both);
    let mut law = Law::new(&model, Loops::new(&model, Vec::new()), &[]);
    let start = ProcessTime::now();
    path.extend(&mut law, 10.0).expect("a smooth motion");
    let cost = start.elapsed().as_secs_f64() / 10.0;
    let mut worst = 0.0f64;
    for k in 0..=2000 {
        path.state(k as f64 * 0.005, &mut y);
        let (q, v) = y.split_at(n);
        let now = model.energy(q, v, &mut ws).total();
        worst = worst.max((now - first).abs() / (first - lowest));
    }
    (worst, cost, path.steps())
}

fn main() {
    let words: Vec<String> = std::env::args().collect();
    if let Some(at) = words.iter().position(|w| w == "chain") {
        let number = |k: usize| words.get(at + k).and_then(|w| w.parse().ok());
        let (n, calls) = (number(1).unwrap_or(8), number(2).unwrap_or(1000));
        forward(n, calls);
        return;
    }
    println!("forward dynamics of a chain, least of 7 runs");
    for n in [8, 16, 64, 256] {
        let calls = 400_000 / n;
        let least = (0..7)
            .map(|_| forward(n, calls))
            .fold(f64::INFINITY, f64::min);
        println!(
            "{n:4} hinges: {:8.3} us, {:6.1} ns a link",
            least * 1e6,
            least * 1e9 / n as f64
        );
    }
    println!("largest error of the energy over 10 s, over the energy available");
    let mut hanging = vec![0.0; 10];
    hanging[0] = 1.5;
    for t in [1e-8, 1e-9, 1e-10, 1e-11] {
        let (e, cost, steps) = energy(2, 1.0, &[2.0, 0.5], t);
        println!(
            "double pendulum, {t:e}: {e:.1e} at {:.3} ms of CPU a second, {steps} steps",
            cost * 1e3
        );
        let (e, cost, steps) = energy(10, 0.3, &hanging, t);
        println!(
            "chain of ten,    {t:e}: {e:.1e} at {:.3} ms of CPU a second, {steps} steps",
            cost * 1e3
        );
    }
}
