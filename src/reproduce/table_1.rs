//! Mirtich's Table 1: data over the full simulations. Here the row of *atoms*.

use super::page::{Comparison, Page};
use crate::compare::{Row, csv};
use crate::failure::Failure;
use crate::simulate::{Progress, simulate_hashed};
use crate::table::{Table, short};
use sim::Stats;
use sim::scene::{self, Override};

/// The paper's columns, and its row for atoms.
const COLUMNS: [(&str, &str); 9] = [
    ("duration (s)", "120"),
    ("rigid bodies, moving / total", "302 / 308"),
    ("discontinuities (thousands)", "51.9"),
    ("mean time between them (ms)", "2.31"),
    ("mean integration step (ms)", "6.25"),
    ("integrations (millions)", "6.04"),
    ("total integration per moving body (s)", "125 (+4.2 %)"),
    ("total rollback per moving body (s)", "0.278 (0.23 %)"),
    ("computation per frame (s)", "0.767"),
];

/// Frames per simulated second in the paper's last column.
const FRAMES_PER_SECOND: f64 = 30.0;

/// Runs atoms in full.
pub fn reproduce(quick: bool) -> Result<Page, Failure> {
    let atoms = scene::builtin("atoms").ok_or_else(|| Failure::input("no scene atoms", None))?;
    let mut changes = Vec::new();
    if quick {
        changes.push(Override::option("--quick", "duration", "5"));
    }
    let world = scene::load(atoms.name, atoms.text, &changes)?.world;
    let named = "timewarp"
        .parse()
        .map_err(|why: String| Failure::input(why, None))?;
    let mut progress = Progress::new(&world);
    let ran = simulate_hashed(&world, &named, &mut progress);
    progress.clear();
    let stats = ran?;
    let ours = row(&stats);
    let mut table = Table::new(["atoms", "paper", "here"]);
    for ((name, paper), ours) in COLUMNS.iter().zip(&ours) {
        table.row([name.to_string(), paper.to_string(), ours.clone()]);
    }
    Ok(Page {
        stem: "mirtich-table-1",
        title: "Mirtich's Table 1: the full simulations",
        text: text(),
        charts: Vec::new(),
        comparisons: vec![Comparison {
            caption: "atoms".into(),
            heading: ["", "paper", "here"].map(String::from).to_vec(),
            rows: COLUMNS
                .iter()
                .zip(&ours)
                .map(|((name, paper), ours)| {
                    vec![name.to_string(), paper.to_string(), ours.clone()]
                })
                .collect(),
        }],
        summary: table.render(),
        csv: csv(
            "",
            &[Row {
                value: String::new(),
                stats,
            }],
        ),
    })
}

fn row(s: &Stats) -> Vec<String> {
    let percent = |seconds: f64| format!("{:.2} %", 100.0 * seconds / s.sim_seconds);
    let integration = s.integration_per_body_s;
    let over = format!("{:+.1} %", 100.0 * (integration / s.sim_seconds - 1.0));
    vec![
        short(s.sim_seconds),
        format!("{} / {}", s.bodies_moving, s.bodies_total),
        short(s.events_committed as f64 / 1e3),
        short(s.mean_time_between_events_ms),
        short(s.mean_step_ms),
        short(s.integrations as f64 / 1e6),
        format!("{} ({over})", short(integration)),
        format!(
            "{} ({})",
            short(s.rollback_per_body_s),
            percent(s.rollback_per_body_s)
        ),
        short(s.cpu_seconds / (s.sim_seconds * FRAMES_PER_SECOND)),
    ]
}

fn text() -> Vec<String> {
    vec![
        "The paper gives the numbers of bodies, the duration and the rates of collisions of atoms, but \
         no sizes or speeds. Ours are chosen so that the rate of collisions is the paper's."
            .into(),
        "A step here is a stretch of trajectory that was computed at once: spheres have a closed form \
         and need no integrator, molecules are integrated with dense output, so that locating a \
         collision re-integrates nothing (the paper's footnote 3 names this idea)."
            .into(),
        "The paper's times are of a 200 MHz R10000 of 1999; ours are CPU seconds of this machine. Only \
         ratios between algorithms on one machine mean something: see Figure 6."
            .into(),
        "The rows of cars, robots and avalanche follow when their scenes exist.".into(),
    ]
}
