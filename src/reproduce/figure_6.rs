//! Mirtich's Figure 6 and the times of section 5.2: two seconds of *atoms* with the divider at rest
//! under timewarp, retroactive detection with three steps, and conservative advancement.

use super::page::{Comparison, Page};
use crate::algorithm::Named;
use crate::chart::{Axis, Chart, Series};
use crate::compare::{Row, csv, lines, side_by_side};
use crate::failure::Failure;
use crate::table::{Table, short};
use sim::Stats;
use sim::scene::{self, Override};

const ALGORITHMS: [&str; 5] = ["timewarp", "rd:0.001", "rd:0.01", "rd:1/30", "ca"];

/// Frames per simulated second in the paper's times.
const FRAMES_PER_SECOND: f64 = 30.0;

/// Runs the sweep.
pub fn reproduce(quick: bool) -> Result<Page, Failure> {
    let (counts, repeat): (&[u32], u32) = match quick {
        true => (&[25, 50, 100], 1),
        false => (&[25, 50, 75, 100, 125, 150, 175, 200], 3),
    };
    let algorithms = ALGORITHMS
        .iter()
        .map(|name| name.parse::<Named>())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|why| Failure::input(why, None))?;
    let atoms = scene::builtin("atoms").ok_or_else(|| Failure::input("no scene atoms", None))?;
    let mut rows = Vec::new();
    for count in counts {
        let changes = [
            Override::option("--set", "bodies", &count.to_string()),
            Override::option("--set", "divider", "still"),
            Override::option("--set", "duration", "2"),
        ];
        let world = scene::load(atoms.name, atoms.text, &changes)?.world;
        for stats in side_by_side(&world, &algorithms, repeat)? {
            let value = count.to_string();
            rows.push(Row { value, stats });
        }
    }
    let most = counts.last().map_or(String::new(), u32::to_string);
    Ok(Page {
        stem: "mirtich-figure-6",
        title: "Mirtich's Figure 6: integration statistics of atoms",
        text: text(counts),
        charts: charts(&rows, &algorithms),
        comparisons: comparisons(&rows),
        summary: summary(&rows, &most),
        csv: csv("bodies", &rows),
    })
}

/// Seconds of integration per body at 200 bodies that the paper's text gives; for ca it is an upper bound.
const PAPER_INTEGRATION: [(&str, f64); 3] =
    [("timewarp", 2.3), ("rd:1/30", 30.0), ("ca, at most", 2.0)];

fn charts(rows: &[Row], algorithms: &[Named]) -> Vec<(&'static str, Chart)> {
    let chart = |title: &str, y: &str, of: fn(&Stats) -> f64| Chart {
        title: title.into(),
        x: Axis::linear("bodies"),
        y: Axis::log(y),
        series: lines(rows, algorithms, of),
    };
    let mut integration = chart("integration per body over 2 s", "s", |s| {
        s.integration_per_body_s
    });
    integration
        .series
        .extend(PAPER_INTEGRATION.map(|(name, seconds)| Series {
            name: format!("{name} (paper)"),
            points: vec![(200.0, seconds)],
        }));
    vec![
        (
            "-step",
            chart("mean integration step", "ms", |s| s.mean_step_ms),
        ),
        ("-integration", integration),
        (
            "-time",
            chart("CPU time per frame of 1/30 s", "ms", |s| 1e3 * per_frame(s)),
        ),
    ]
}

fn per_frame(s: &Stats) -> f64 {
    s.cpu_seconds / (s.sim_seconds * FRAMES_PER_SECOND)
}

fn find<'a>(rows: &'a [Row], bodies: &str, algorithm: &str) -> Option<&'a Stats> {
    rows.iter()
        .find(|r| r.value == bodies && r.stats.algorithm == algorithm)
        .map(|r| &r.stats)
}

/// What the paper says in words and numbers, with ours beside it.
fn comparisons(rows: &[Row]) -> Vec<Comparison> {
    let ours = |bodies: &str, algorithm: &str, of: fn(&Stats) -> f64| {
        find(rows, bodies, algorithm).map_or("-".to_string(), |s| short(of(s)))
    };
    let ratio = |bodies: &str, algorithm: &str| {
        let time = |a: &str| find(rows, bodies, a).map(per_frame);
        let ratio = time(algorithm).zip(time("timewarp")).map(|(a, tw)| a / tw);
        ratio.map_or("-".to_string(), short)
    };
    let integration: fn(&Stats) -> f64 = |s| s.integration_per_body_s;
    let row =
        |name: &str, paper: &str, here: String| vec![name.to_string(), paper.to_string(), here];
    let heading = || ["", "paper", "here"].map(String::from).to_vec();
    vec![
        Comparison {
            caption: "integration per body over two seconds of 200 bodies (s)".into(),
            heading: heading(),
            rows: vec![
                row("timewarp", "2.3", ours("200", "timewarp", integration)),
                row("rd:1/30", "30", ours("200", "rd:1/30", integration)),
                row("ca", "at most 2", ours("200", "ca", integration)),
            ],
        },
        Comparison {
            caption: "time per frame, as a multiple of timewarp's".into(),
            heading: heading(),
            rows: vec![
                row("100 bodies, rd:1/30", "0.97", ratio("100", "rd:1/30")),
                row("100 bodies, ca", "7.8", ratio("100", "ca")),
                row("200 bodies, rd:0.01", "6.7", ratio("200", "rd:0.01")),
                row("200 bodies, ca", "12.2", ratio("200", "ca")),
            ],
        },
    ]
}

fn summary(rows: &[Row], most: &str) -> String {
    let mut table = Table::new([
        "algorithm",
        "bodies",
        "collisions",
        "mean step ms",
        "integration s per body",
        "CPU ms per frame",
        "over timewarp",
    ]);
    let base = find(rows, most, "timewarp").map(per_frame);
    for Row { value, stats } in rows.iter().filter(|r| r.value == most) {
        table.row([
            stats.algorithm.clone(),
            value.clone(),
            stats.collisions.to_string(),
            short(stats.mean_step_ms),
            short(stats.integration_per_body_s),
            short(1e3 * per_frame(stats)),
            base.map_or(String::new(), |b| short(per_frame(stats) / b)),
        ]);
    }
    table.render()
}

fn text(counts: &[u32]) -> Vec<String> {
    let (few, many) = (counts.first(), counts.last());
    let (few, many) = few.zip(many).map_or((0, 0), |(a, b)| (*a, *b));
    vec![
        format!(
            "Two seconds of atoms with the divider at rest in the middle, from {few} to {many} bodies \
             (the paper: from 25 to 200)."
        ),
        "The paper does not give sizes and speeds; ours are chosen so that 200 bodies collide about 900 times, as \
         many as the paper's 30 s of integration per body under rd:1/30 stand for: every collision \
         costs each body one more attempt at a whole step."
            .into(),
        "What must come out: the step of ca falls as bodies are added, since all of them halt at every \
         check of any pair; rd integrates each body many times over, since every collision backs all \
         of them up; timewarp stays flat in both."
            .into(),
        "All five algorithms share shapes, trajectories and the search for impact times, and were run \
         in turn in one process; the least CPU time of the repetitions counts."
            .into(),
    ]
}
