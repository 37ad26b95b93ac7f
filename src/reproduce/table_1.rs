//! Mirtich's Table 1: data over the full simulations.

use super::page::{Comparison, Page};
use crate::compare::{Row, csv};
use crate::failure::Failure;
use crate::simulate::{Progress, simulate_hashed};
use crate::table::{Table, short};
use sim::Stats;
use sim::scene::{self, Override};

/// The paper's columns.
const COLUMNS: [&str; 9] = [
    "duration (s)",
    "rigid bodies, moving / total",
    "discontinuities (thousands)",
    "mean time between them (ms)",
    "mean integration step (ms)",
    "integrations (millions)",
    "total integration per moving body (s)",
    "total rollback per moving body (s)",
    "computation per frame (s)",
];

/// A row of the paper, and what of its scene is cut short for a quick look.
struct Simulation {
    scene: &'static str,
    paper: [&'static str; 9],
    quick: &'static [(&'static str, &'static str)],
}

const SIMULATIONS: [Simulation; 4] = [
    Simulation {
        scene: "atoms",
        paper: [
            "120",
            "302 / 308",
            "51.9",
            "2.31",
            "6.25",
            "6.04",
            "125 (+4.2 %)",
            "0.278 (0.23 %)",
            "0.767",
        ],
        quick: &[("duration", "5")],
    },
    Simulation {
        scene: "cars",
        paper: [
            "60",
            "428 / 524",
            "17.8",
            "3.38",
            "14.9",
            "1.98",
            "69.2 (+15 %)",
            "1.57 (2.6 %)",
            "0.904",
        ],
        quick: &[("until", "3")],
    },
    Simulation {
        scene: "robots",
        paper: [
            "120",
            "240 / 430",
            "26.8",
            "4.48",
            "9.88",
            "3.00",
            "124 (+3.3 %)",
            "1.45 (1.2 %)",
            "0.707",
        ],
        quick: &[("until", "3")],
    },
    Simulation {
        scene: "avalanche",
        paper: [
            "45",
            "300 / 824",
            "217",
            "0.208",
            "3.39",
            "5.84",
            "66.0 (+47 %)",
            "7.15 (16 %)",
            "97.0",
        ],
        quick: &[("duration", "1"), ("rocks", "20")],
    },
];

/// Frames per simulated second in the paper's last column.
const FRAMES_PER_SECOND: f64 = 30.0;

/// Runs every simulation in full.
pub fn reproduce(quick: bool) -> Result<Page, Failure> {
    let mut comparisons = Vec::new();
    let mut rows = Vec::new();
    let mut summary = String::new();
    for simulation in &SIMULATIONS {
        let stats = simulation.run(quick)?;
        let ours = row(&stats);
        let mut table = Table::new([simulation.scene, "paper", "here"]);
        let mut cells = Vec::new();
        for ((name, paper), ours) in COLUMNS.iter().zip(simulation.paper).zip(&ours) {
            table.row([name.to_string(), paper.to_string(), ours.clone()]);
            cells.push(vec![name.to_string(), paper.to_string(), ours.clone()]);
        }
        if !summary.is_empty() {
            summary.push('\n');
        }
        summary += &table.render();
        comparisons.push(Comparison {
            caption: simulation.scene.into(),
            heading: ["", "paper", "here"].map(String::from).to_vec(),
            rows: cells,
        });
        rows.push(Row {
            value: simulation.scene.into(),
            stats,
        });
    }
    Ok(Page {
        stem: "mirtich-table-1",
        title: "Mirtich's Table 1: the full simulations",
        text: text(),
        charts: Vec::new(),
        comparisons,
        summary,
        csv: csv("simulation", &rows),
    })
}

impl Simulation {
    fn run(&self, quick: bool) -> Result<Stats, Failure> {
        let found = scene::builtin(self.scene)
            .ok_or_else(|| Failure::input(format!("no scene {}", self.scene), None))?;
        let mut changes = Vec::new();
        for (key, value) in self.quick.iter().filter(|_| quick) {
            changes.push(Override::option("--quick", key, value));
        }
        let world = scene::load(found.name, found.text, &changes)?.world;
        let named = "timewarp"
            .parse()
            .map_err(|why: String| Failure::input(why, None))?;
        let mut progress = Progress::new(&world);
        let ran = simulate_hashed(&world, &named, &mut progress);
        progress.clear();
        ran
    }
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
        "Nor does it give shapes of the cars and robots, or say how often their controllers were called. Here they are \
         called 50 times a second; each call is a discontinuity, which ends the multibody's step, and \
         so are the contact group's steps with wheels on the ground and boxes in hands."
            .into(),
        "The paper gives no shapes of the avalanche's mountain either. Ours has 520 tilted slabs, a plane and \
         three walls; the rocks are random hulls of half a metre. Its discontinuities here are collisions, \
         fusions and fissions: a contact group advances by steps of 1/120 s, which count as integrations."
            .into(),
    ]
}
