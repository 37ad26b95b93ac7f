//! `warpline compare`: the same scene under several algorithms, over a sweep of one value; a table, CSV
//! and SVG.

use crate::algorithm::Named;
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::output::{make_directory, print, write_file};
use crate::simulate::{simulate, simulate_hashed};
use crate::solvers::{self, Entrant};
use crate::source::SceneArguments;
use crate::table::{Table, short};
use sim::scene::Override;
use sim::{Discard, Stats, World};
use std::path::{Path, PathBuf};

/// Arguments of `compare`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// The algorithms, separated by commas
    #[arg(short, long, value_delimiter = ',', default_value = "timewarp,ordered")]
    algorithms: Vec<Named>,
    /// Compare solvers of contact groups instead, separated by commas: `soft-step,penalty,optimization:1/30`
    #[arg(long, value_delimiter = ',', value_name = "SOLVER[:STEP[:SUBSTEPS]]", conflicts_with_all = ["algorithms", "sweep", "repeat"])]
    solvers: Vec<Entrant>,
    /// Values to set one after the other, as in `bodies=25,50,100`
    #[arg(long, value_name = "KEY=A,B,...", value_parser = Sweep::parse)]
    sweep: Option<Sweep>,
    /// Runs of each kind; the fastest counts
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Write compare.csv and compare.svg into this directory
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Values of one key.
#[derive(Clone, Debug)]
struct Sweep {
    key: String,
    values: Vec<String>,
}

impl Sweep {
    fn parse(text: &str) -> Result<Self, String> {
        let (key, values) = text
            .split_once('=')
            .ok_or_else(|| format!("`{text}` is not of the form KEY=A,B,..."))?;
        let values: Vec<String> = values.split(',').map(str::to_string).collect();
        if key.is_empty() || values.iter().any(String::is_empty) {
            return Err(format!("`{text}` is not of the form KEY=A,B,..."));
        }
        Ok(Sweep {
            key: key.into(),
            values,
        })
    }
}

/// One run's numbers and the value it was made with.
pub struct Row {
    /// The swept value, or nothing.
    pub value: String,
    /// What the run did.
    pub stats: Stats,
}

/// Runs the command.
pub fn compare(arguments: &Arguments) -> Result<(), Failure> {
    if !arguments.solvers.is_empty() {
        return compare_solvers(arguments);
    }
    let values = match &arguments.sweep {
        Some(sweep) => sweep.values.clone(),
        None => vec![String::new()],
    };
    if let Some(out) = &arguments.out {
        make_directory(out)?;
    }
    // Every world first: a value that cannot be used is found before anything runs.
    let mut worlds = Vec::new();
    for value in &values {
        let more: Vec<Override> = match &arguments.sweep {
            Some(sweep) => {
                let change = Override::parse(&format!("{}={value}", sweep.key));
                vec![change.map_err(|why| Failure::input(why, None))?]
            }
            None => Vec::new(),
        };
        worlds.push((value.clone(), arguments.scene.load_with(&more)?.world));
    }
    let mut rows = Vec::new();
    for (value, world) in &worlds {
        let ran = side_by_side(world, &arguments.algorithms, arguments.repeat)?;
        for (mut stats, named) in ran.into_iter().zip(&arguments.algorithms) {
            // The hash is taken in a run that is not timed.
            if arguments.out.is_some() {
                let hashed = simulate_hashed(world, named, &mut Discard)?;
                stats.history_sha256 = hashed.history_sha256;
            }
            rows.push(Row {
                value: value.clone(),
                stats,
            });
        }
    }
    let key = arguments.sweep.as_ref().map_or("", |s| s.key.as_str());
    print(&table(key, &rows).render())?;
    match &arguments.out {
        Some(out) => write_results(out, key, &rows, &arguments.algorithms),
        None => Ok(()),
    }
}

/// One scene under several solvers of contact groups.
fn compare_solvers(arguments: &Arguments) -> Result<(), Failure> {
    if let Some(out) = &arguments.out {
        make_directory(out)?;
    }
    // Every world first: a solver that is not there is found before anything runs.
    let entrants = arguments.solvers.iter();
    let worlds: Vec<(&Entrant, World)> = entrants
        .map(|entrant| Ok((entrant, entrant.world(&arguments.scene)?)))
        .collect::<Result<_, Failure>>()?;
    let ran = worlds
        .iter()
        .map(|(entrant, world)| solvers::measure(&entrant.name, world, &mut Discard));
    let outcomes: Vec<solvers::Outcome> = ran.collect();
    let table = solvers::table(&outcomes);
    print(&table.render())?;
    match &arguments.out {
        Some(out) => write_file(&out.join("compare.csv"), table.csv().as_bytes()),
        None => Ok(()),
    }
}

/// Runs a world under each algorithm `repeat` times, taking turns; gives the run of least CPU time.
pub fn side_by_side(
    world: &World,
    algorithms: &[Named],
    repeat: u32,
) -> Result<Vec<Stats>, Failure> {
    let mut best: Vec<Option<Stats>> = vec![None; algorithms.len()];
    for _ in 0..repeat {
        for (named, best) in algorithms.iter().zip(&mut best) {
            let stats = simulate(world, named, &mut Discard)?;
            if best
                .as_ref()
                .is_none_or(|b| stats.cpu_seconds < b.cpu_seconds)
            {
                *best = Some(stats);
            }
        }
    }
    Ok(best.into_iter().flatten().collect())
}

fn table(key: &str, rows: &[Row]) -> Table {
    let mut table = Table::new([
        "algorithm",
        key,
        "CPU ms per s",
        "collisions",
        "mean step ms",
        "integration s per body",
        "rollback s per body",
        "change of energy",
    ]);
    for Row { value, stats } in rows {
        table.row([
            stats.algorithm.clone(),
            value.clone(),
            short(1e3 * stats.cpu_seconds / stats.sim_seconds),
            stats.collisions.to_string(),
            short(stats.mean_step_ms),
            short(stats.integration_per_body_s),
            short(stats.rollback_per_body_s),
            short(stats.energy_drift_relative),
        ]);
    }
    table
}

/// All statistics of all rows as comma-separated values, the swept key first.
pub fn csv(key: &str, rows: &[Row]) -> String {
    let cells = |row: &Row| -> Vec<(String, String)> {
        match serde_json::to_value(&row.stats) {
            Ok(serde_json::Value::Object(map)) => map
                .into_iter()
                .map(|(k, v)| (k, v.to_string().trim_matches('"').to_string()))
                .collect(),
            _ => Vec::new(),
        }
    };
    let heading = rows.first().map(cells).unwrap_or_default();
    let names = heading.into_iter().map(|(name, _)| name);
    let mut table = Table::new(std::iter::once(format!("set {key}")).chain(names));
    for row in rows {
        let values = cells(row).into_iter().map(|(_, value)| value);
        table.row(std::iter::once(row.value.clone()).chain(values));
    }
    table.csv()
}

/// Lines of one statistic over the swept value, one line per algorithm.
pub fn lines(rows: &[Row], algorithms: &[Named], of: impl Fn(&Stats) -> f64) -> Vec<Series> {
    let position = |row: &Row, index: usize| row.value.parse::<f64>().unwrap_or(index as f64 + 1.0);
    algorithms
        .iter()
        .map(|named| {
            let own = rows.iter().filter(|r| r.stats.algorithm == named.name);
            Series {
                name: named.name.clone(),
                points: own
                    .enumerate()
                    .map(|(index, r)| (position(r, index), of(&r.stats)))
                    .collect(),
            }
        })
        .collect()
}

fn write_results(out: &Path, key: &str, rows: &[Row], algorithms: &[Named]) -> Result<(), Failure> {
    write_file(&out.join("compare.csv"), csv(key, rows).as_bytes())?;
    let scene = rows.first().map_or("", |r| r.stats.scene.as_str());
    // Values that are words, or none at all, have no distances between them.
    let x = match rows.iter().all(|r| r.value.parse::<f64>().is_ok()) {
        true => Axis::linear(key),
        false => {
            let mut names: Vec<String> = rows.iter().map(|r| r.value.clone()).collect();
            names.dedup();
            Axis::categories(key, names)
        }
    };
    let chart = Chart {
        title: format!("{scene}: CPU time per simulated second"),
        x,
        y: Axis::log("CPU ms per simulated second"),
        series: lines(rows, algorithms, |s| 1e3 * s.cpu_seconds / s.sim_seconds),
    };
    write_file(&out.join("compare.svg"), chart.svg().as_bytes())
}
