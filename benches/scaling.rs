//! What a committed event costs as a gas of constant density grows from a thousand to a hundred
//! thousand spheres, and what a body's history weighs as a run grows longer.
//!
//! `cargo bench --bench scaling [-- --quick] [--csv FILE]`

mod measure;

use measure::{Options, Table, scene};
use sim::{Algorithm, LookAhead, World};

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
const RADIUS: f64 = 0.15;
/// Part of the volume that spheres fill.
const PACKING: f64 = 0.1;

/// A gas of `count` spheres at the one density, for `seconds`.
fn gas(count: usize, seconds: f64) -> World {
    let volume = count as f64 * 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3) / PACKING;
    let settings = [
        format!("bodies={count}"),
        format!("radius={RADIUS}"),
        format!("size={}", volume.cbrt()),
        format!("duration={seconds}"),
    ];
    scene("gas", &settings)
}

fn main() {
    let options = Options::parse();
    events(&options);
    println!();
    memory(&options);
}

/// Cost of an event: a longer run less a shorter one, so that setting up does not count.
fn events(options: &Options) {
    // Spheres, shorter and longer run in simulated seconds, repetitions.
    let cases: &[(usize, [f64; 2], u32)] = if options.quick {
        &[
            (1_000, [0.5, 2.5], 3),
            (10_000, [0.2, 0.7], 2),
            (100_000, [0.05, 0.15], 1),
        ]
    } else {
        &[
            (1_000, [1.0, 21.0], 5),
            (10_000, [0.5, 2.5], 5),
            (100_000, [0.1, 0.4], 3),
        ]
    };
    let mut best = vec![[f64::INFINITY; 2]; cases.len()];
    let mut counts = vec![[0u64; 2]; cases.len()];
    let mut bytes = vec![0u64; cases.len()];
    // The sizes take turns, so that a noisy stretch of time does not hit one of them only.
    for repetition in 0..cases.iter().map(|c| c.2).max().unwrap_or(0) {
        for (case, &(count, lengths, repetitions)) in cases.iter().enumerate() {
            if repetition >= repetitions {
                continue;
            }
            for (place, length) in lengths.into_iter().enumerate() {
                let world = gas(count, length);
                let (seconds, stats) = measure::run(&world, TIMEWARP);
                best[case][place] = best[case][place].min(seconds);
                counts[case][place] = stats.events_committed;
                bytes[case] = stats.peak_history_bytes;
            }
        }
    }
    let mut table = Table::new(&[
        "spheres",
        "events",
        "CPU us per event",
        "relative to the first",
        "history bytes per body",
    ]);
    let cost = |case: usize| {
        (best[case][1] - best[case][0]) / (counts[case][1] - counts[case][0]).max(1) as f64
    };
    for (case, &(count, ..)) in cases.iter().enumerate() {
        table.row(vec![
            count.to_string(),
            (counts[case][1] - counts[case][0]).to_string(),
            format!("{:.2}", 1e6 * cost(case)),
            format!("{:.2}", cost(case) / cost(0)),
            (bytes[case] / count as u64).to_string(),
        ]);
    }
    table.finish(options);
}

/// Memory over a run that grows longer.
fn memory(options: &Options) {
    let lengths: &[f64] = if options.quick {
        &[0.5, 2.0, 8.0]
    } else {
        &[10.0, 100.0, 1000.0]
    };
    let count = 1_000;
    let mut table = Table::new(&[
        "spheres",
        "simulated s",
        "events",
        "peak history bytes per body",
    ]);
    for &length in lengths {
        let (_, stats) = measure::run(&gas(count, length), TIMEWARP);
        table.row(vec![
            count.to_string(),
            format!("{length}"),
            stats.events_committed.to_string(),
            (stats.peak_history_bytes / count as u64).to_string(),
        ]);
    }
}
