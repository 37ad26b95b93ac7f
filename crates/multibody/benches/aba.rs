//! CPU time of forward dynamics for chains of hinges, and of smooth motion to a given energy error.
//!
//! `cargo bench -p warpline-multibody --bench aba` prints both; with `-- chain 64 100000` it only
//! calls forward dynamics so often, for counting instructions under callgrind; with `-- figures` it prints numbers for
//! `peers.py`, which sets them beside MuJoCo's and Pinocchio's.

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

/// Seconds of CPU a call, and the sum of what accelerations there are.
fn forward(n: usize, calls: usize) -> (f64, f64) {
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
    let seconds = start.elapsed().as_secs_f64() / calls.max(1) as f64;
    (seconds, a.iter().map(|a| a.abs()).sum())
}

/// The least of several runs.
fn least(n: usize) -> (f64, f64) {
    let runs = (0..7).map(|_| forward(n, 400_000 / n));
    runs.fold((f64::INFINITY, 0.0), |a, b| (a.0.min(b.0), b.1))
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
    if let Some(at) = words.iter().position(|w| w == "figures") {
        return figures(words.get(at + 1).map_or("", |w| w));
    }
    println!("forward dynamics of a chain, least of 7 runs");
    for n in SIZES {
        let (seconds, _) = least(n);
        println!(
            "{n:4} hinges: {:8.3} us, {:6.1} ns a link",
            seconds * 1e6,
            seconds * 1e9 / n as f64
        );
    }
    println!("largest error of the energy over 10 s, over the energy available");
    for (name, n, length, start) in motions() {
        for t in TOLERANCES {
            let (e, cost, steps) = energy(n, length, &start, t);
            println!(
                "{name}, {t:e}: {e:.1e} at {:.3} ms of CPU a second, {steps} steps",
                cost * 1e3
            );
        }
    }
}

const SIZES: [usize; 4] = [8, 16, 64, 256];
const TOLERANCES: [f64; 4] = [1e-8, 1e-9, 1e-10, 1e-11];

/// A double pendulum and a chain of ten: names, rods, their length and angles.
fn motions() -> [(&'static str, usize, f64, Vec<f64>); 2] {
    let mut hanging = vec![0.0; 10];
    hanging[0] = 1.5;
    [
        ("double", 2, 1.0, vec![2.0, 0.5]),
        ("ten", 10, 0.3, hanging),
    ]
}

fn figures(what: &str) {
    if what != "energy" {
        for n in SIZES {
            let (seconds, sum) = least(n);
            println!("forward {n} {seconds:e} {sum:e}");
        }
    }
    if what != "forward" {
        for (name, n, length, start) in motions() {
            for t in TOLERANCES {
                let (e, cost, _) = energy(n, length, &start, t);
                println!("energy {name} {t:e} {e:e} {cost:e}");
            }
        }
    }
}
