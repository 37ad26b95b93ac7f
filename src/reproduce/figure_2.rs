//! Mirtich's Figure 2 (section 2.3): the cost of the 10-second trajectory of a ballistic, tumbling
//! brick, computed by an adaptive Runge-Kutta integrator that is called once per step, against the
//! length of the step. Beside it, one dense segment that is asked at the end of every step.

use super::page::{Comparison, Page};
use crate::chart::{Axis, Chart, Series};
use crate::table::{Table, short};
use cpu_time::ThreadTime;
use physics::body::Heft;
use physics::runge_kutta::{next_length, step};
use physics::{BodyModel, Flight, Material, Motion, Part, Quat, Shape, Turn, Vec3};
use std::cell::Cell;
use warp::Tick;

/// Seconds of trajectory.
const DURATION: f64 = 10.0;
const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);
/// The brick's spin at the start, rad/s: near its middle axis, so that it tumbles over and over.
const SPIN: Vec3 = Vec3::new(0.3, 5.0, 0.3);
/// Error tolerances of the two curves, per step.
const TOLERANCES: [f64; 2] = [1e-5, 1e-8];

/// Position, velocity, attitude (x, y, z, w) and body-frame spin.
type Brick = [f64; 13];

fn brick() -> Result<BodyModel, physics::ShapeError> {
    let half_extents = Vec3::new(0.1, 0.05, 0.033);
    let part = Part::centred(Shape::Box { half_extents });
    BodyModel::dynamic(&[part], Heft::Mass(2.5), Material::default(), GRAVITY)
}

/// Newton's and Euler's equations without torque.
fn rate(y: &Brick, inertia: Vec3) -> Brick {
    let (v, w) = (Vec3::new(y[6], y[7], y[8]), y[9]);
    let spin = Vec3::new(y[10], y[11], y[12]);
    let dq = 0.5 * (w * spin + v.cross(spin));
    let dw = -0.5 * v.dot(spin);
    let ds = (inertia * spin).cross(spin) / inertia;
    let g = GRAVITY;
    [
        y[3], y[4], y[5], g.x, g.y, g.z, dq.x, dq.y, dq.z, dw, ds.x, ds.y, ds.z,
    ]
}

/// What one way of computing the trajectory costs.
#[derive(Clone, Copy)]
struct Cost {
    evaluations: u64,
    cpu_seconds: f64,
}

/// Repeats `work` until the clock can be trusted; gives one call's evaluations and CPU time.
fn measured(quick: bool, mut work: impl FnMut() -> u64) -> Cost {
    let wanted = if quick { 0.001 } else { 0.02 };
    let (begin, mut calls, mut evaluations) = (ThreadTime::now(), 0, 0);
    loop {
        evaluations = evaluations.max(work());
        calls += 1;
        let cpu = begin.elapsed().as_secs_f64();
        if cpu >= wanted {
            return Cost {
                evaluations,
                cpu_seconds: cpu / f64::from(calls),
            };
        }
    }
}

/// Evaluations of the equations of motion when the integrator is called for every `length` seconds.
fn stepped(model: &BodyModel, length: f64, tolerance: f64) -> u64 {
    let inertia = model.mass.inertia;
    let evaluations = Cell::new(0_u64);
    let f = |_: f64, y: &Brick| {
        evaluations.set(evaluations.get() + 1);
        rate(y, inertia)
    };
    let mut y: Brick = [0.0; 13];
    y[9] = 1.0;
    y[10..].copy_from_slice(&SPIN.to_array());
    let calls = (DURATION / length).round() as u64;
    let mut inner = length;
    for _ in 0..calls {
        // A call knows nothing of the last one but the step that worked.
        let mut dy = f(0.0, &y);
        let mut left = length;
        while left > 1e-12 * length {
            let h = inner.min(left);
            let trial = step(f, 0.0, &y, &dy, h);
            let error = trial.error.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
            let next = next_length(h, error / tolerance);
            if error > tolerance {
                inner = next;
                continue;
            }
            (y, dy) = (trial.y, trial.dy);
            left -= h;
            // A step that was cut to fit says nothing against longer ones.
            inner = if h < inner { inner.max(next) } else { next };
        }
    }
    std::hint::black_box(y);
    evaluations.get()
}

/// Steps of one dense segment over the whole time, asked at the end of every `length` seconds.
fn dense(model: &BodyModel, length: f64) -> u64 {
    let flight = Flight {
        start: Tick::ZERO,
        position: Vec3::ZERO,
        velocity: Vec3::ZERO,
        model: physics::ModelId::default(),
        body: 0,
    };
    let mut turn = Turn::default();
    turn.begin(Quat::IDENTITY, SPIN, model);
    let steps = turn.extend(&flight, model, Tick::from_seconds(DURATION));
    let motion = Motion {
        model,
        flight: &flight,
        turn: &turn,
    };
    let calls = (DURATION / length).round() as u64;
    for call in 1..=calls {
        let at = Tick::from_seconds(DURATION * call as f64 / calls as f64);
        std::hint::black_box(motion.pose(at));
    }
    u64::from(steps)
}

/// Sweeps the step.
pub fn reproduce(quick: bool) -> Page {
    let lengths: Vec<f64> = match quick {
        true => vec![1e-3, 1e-2, 1e-1, 1.0],
        false => (0..=14)
            .map(|k| 1e-4 * 10f64.powf(f64::from(k) * 4.0 / 14.0))
            .collect(),
    };
    let lengths: Vec<f64> = lengths
        .into_iter()
        .map(|h| DURATION / (DURATION / h).round())
        .collect();
    // The brick is fixed and its shape is valid.
    let model = brick().unwrap_or_else(|e| unreachable!("{e}"));
    let mut curves: Vec<(String, Vec<Cost>)> = TOLERANCES
        .iter()
        .map(|eps| {
            let costs = lengths
                .iter()
                .map(|h| measured(quick, || stepped(&model, *h, *eps)))
                .collect();
            (format!("eps = {eps:.0e}"), costs)
        })
        .collect();
    let asked = lengths
        .iter()
        .map(|h| measured(quick, || dense(&model, *h)));
    curves.push(("one dense segment".into(), asked.collect()));
    page(&lengths, &curves)
}

fn page(lengths: &[f64], curves: &[(String, Vec<Cost>)]) -> Page {
    let mut data = Table::new(["curve", "step_s", "evaluations", "cpu_s"]);
    for (name, costs) in curves {
        for (h, cost) in lengths.iter().zip(costs) {
            data.row([
                name.clone(),
                h.to_string(),
                cost.evaluations.to_string(),
                format!("{:e}", cost.cpu_seconds),
            ]);
        }
    }
    let chart = |title: &str, y: &str, count: usize, of: fn(&Cost) -> f64| Chart {
        title: title.into(),
        x: Axis::log("integration step (s)"),
        y: Axis::log(y),
        series: curves[..count]
            .iter()
            .map(|(name, costs)| Series {
                name: name.clone(),
                points: lengths.iter().copied().zip(costs.iter().map(of)).collect(),
            })
            .collect(),
    };
    let comparison = claims(lengths, curves);
    let mut summary = Table::new(comparison.heading.clone());
    comparison.rows.iter().for_each(|r| summary.row(r.clone()));
    let evaluations = "evaluations of the equations of motion";
    Page {
        stem: "mirtich-figure-2",
        title: "Mirtich's Figure 2: the cost of small integration steps",
        text: text(),
        charts: vec![
            (
                "",
                chart("CPU time of a brick's 10 s", "s", 3, |c| c.cpu_seconds),
            ),
            (
                "-evaluations",
                chart("work of a brick's 10 s", evaluations, 2, |c| {
                    c.evaluations as f64
                }),
            ),
        ],
        comparisons: vec![comparison],
        csv: data.csv(),
        summary: summary.render(),
    }
}

/// The slope of a curve between two of its points in the doubly logarithmic picture.
fn slope(lengths: &[f64], costs: &[Cost], (a, b): (usize, usize)) -> f64 {
    let rise = costs[b].cpu_seconds.ln() - costs[a].cpu_seconds.ln();
    rise / (lengths[b].ln() - lengths[a].ln())
}

/// The paper's two claims as slopes: -1 on the left, 0 on the right.
fn claims(lengths: &[f64], curves: &[(String, Vec<Cost>)]) -> Comparison {
    let last = lengths.len() - 1;
    let mut rows = Vec::new();
    for (name, costs) in curves {
        let (left, right) = (
            slope(lengths, costs, (0, 1)),
            slope(lengths, costs, (last - 1, last)),
        );
        let paper = if name.starts_with("eps") {
            ("-1", "0")
        } else {
            ("-", "-")
        };
        rows.push(vec![
            name.clone(),
            paper.0.into(),
            short(left),
            paper.1.into(),
            short(right),
        ]);
    }
    let heading = [
        "slope of log cost over log step",
        "paper, small steps",
        "here",
        "paper, large steps",
        "here",
    ];
    Comparison {
        caption: "halving a small step doubles the work; large steps are subdivided anyway".into(),
        heading: heading.map(String::from).to_vec(),
        rows,
    }
}

fn text() -> Vec<String> {
    vec![
        "A brick flies and tumbles for ten seconds. The integrator, of order 5 with adaptive steps, is \
         called anew for every step of the simulator's loop. At small steps the cost is proportional to \
         the number of calls; at large ones the integrator subdivides the step and the cost is flat. \
         The text of the paper does not state its two tolerances; ours are 1e-5 and 1e-8 per step."
            .into(),
        "The third curve is what Warpline does: one segment with dense output, integrated once, and \
         asked at the end of every step. Asking costs a polynomial, never an integration; the segment's \
         own tolerance is far below both curves'."
            .into(),
    ]
}
