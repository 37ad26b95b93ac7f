//! Mirtich's section 5.2: two seconds of `atoms` with the divider at rest under timewarp, retroactive
//! detection with three steps, conservative advancement and the oracle. The columns of steps and
//! integration are Figure 6; the ratios are the paper's execution times.
//!
//! `cargo bench --bench atoms [-- --quick] [--csv FILE]`

mod measure;

use measure::{Options, Table, cpu, scene};
use sim::{Algorithm, Discard, LookAhead, Stats, Tape, World};

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
const OTHERS: [(&str, Algorithm); 4] = [
    ("rd:0.001", Algorithm::RetroactiveDetection(0.001)),
    ("rd:0.01", Algorithm::RetroactiveDetection(0.01)),
    ("rd:1/30", Algorithm::RetroactiveDetection(1.0 / 30.0)),
    ("ca", Algorithm::ConservativeAdvancement),
];
/// Simulated seconds, as in the paper.
const SECONDS: f64 = 2.0;

fn main() {
    let options = Options::parse();
    let (counts, repetitions): (&[usize], u32) = if options.quick {
        (&[50, 200], 2)
    } else {
        (&[25, 50, 100, 200], 7)
    };
    let mut table = Table::new(&[
        "bodies",
        "algorithm",
        "CPU ms",
        "collisions",
        "checks",
        "mean step (ms)",
        "integrated per body (s)",
        "rolled back per body (s)",
        "times timewarp's CPU",
    ]);
    for &count in counts {
        let settings = [
            "divider=still".into(),
            format!("bodies={count}"),
            format!("duration={SECONDS}"),
        ];
        let world = scene("atoms", &settings);
        let all = compare(&world, repetitions);
        for (name, seconds, stats) in &all {
            table.row(cells(count, name, *seconds, all[0].1, stats));
        }
    }
    table.finish(&options);
}

/// Name, best CPU seconds and statistics of every algorithm, taking turns.
fn compare(world: &World, repetitions: u32) -> Vec<(&'static str, f64, Stats)> {
    let mut tape = Tape::default();
    if let Err(error) = sim::run(world, TIMEWARP, &mut tape) {
        panic!("atoms failed: {error}");
    }
    let algorithms = std::iter::once(("timewarp", TIMEWARP)).chain(OTHERS);
    let mut best: Vec<(&'static str, f64, Stats)> = Vec::new();
    for repetition in 0..repetitions {
        let mut runs: Vec<(&'static str, f64, Stats)> = algorithms
            .clone()
            .map(|(name, algorithm)| {
                let (seconds, stats) = measure::run(world, algorithm);
                (name, seconds, stats)
            })
            .collect();
        let (seconds, replayed) = cpu(|| sim::replay(world, &tape, &mut Discard));
        match replayed {
            Ok((stats, _)) => runs.push(("oracle", seconds, stats)),
            Err(error) => panic!("the oracle failed: {error}"),
        }
        if repetition == 0 {
            best = runs;
            continue;
        }
        for (known, run) in best.iter_mut().zip(runs) {
            known.1 = known.1.min(run.1);
        }
    }
    best
}

fn cells(count: usize, name: &str, seconds: f64, timewarp: f64, stats: &Stats) -> Vec<String> {
    vec![
        count.to_string(),
        name.to_string(),
        format!("{:.2}", 1e3 * seconds),
        stats.collisions.to_string(),
        stats.checks.to_string(),
        format!("{:.3}", stats.mean_step_ms),
        format!("{:.2}", stats.integration_per_body_s),
        format!("{:.2}", stats.rollback_per_body_s),
        format!("{:.2}", seconds / timewarp),
    ]
}
