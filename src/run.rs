//! `warpline run`: one scene, one algorithm; statistics for people and as JSON, and a recording.

use crate::algorithm::{Named, look_ahead};
use crate::energy;
use crate::failure::Failure;
use crate::output::{WholeFile, print};
use crate::recorder::Recorder;
use crate::simulate::{Progress, simulate_hashed};
use crate::source::SceneArguments;
use crate::table::{Table, short};
use sim::{Discard, History, LookAhead, Stats, World};
use std::path::{Path, PathBuf};

/// Arguments of `run`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// ordered, timewarp (tw), rd:SECONDS, ca or oracle
    #[arg(short, long, default_value = "timewarp")]
    algorithm: Named,
    /// How far bodies may run ahead under timewarp: SECONDS, event or adaptive
    #[arg(long, value_name = "AHEAD", value_parser = look_ahead)]
    look_ahead: Option<LookAhead>,
    /// Stream the committed history to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the statistics as JSON to this file (`-`: to standard output, instead of the table)
    #[arg(long, value_name = "FILE.json")]
    stats: Option<PathBuf>,
    /// Show the run in a browser while it goes, and afterwards
    #[arg(long, conflicts_with = "stats")]
    view: bool,
    /// The viewer's port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0, requires = "view")]
    port: u16,
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let named = arguments.algorithm.clone();
    let named = named
        .with_look_ahead(arguments.look_ahead)
        .map_err(|why| Failure::input(why, None))?;
    let world = arguments.scene.load()?.world;
    if arguments.view {
        let folder = tempfile::tempdir()
            .map_err(|e| Failure::run(format!("cannot make a temporary folder: {e}"), None))?;
        let file = arguments.record.clone();
        let file = file.unwrap_or_else(|| folder.path().join("live.wline"));
        return crate::view::run_in_view(&world, &named, &file, arguments.port);
    }
    let to_stdout = arguments.stats.as_deref() == Some(Path::new("-"));
    let stats_file = match &arguments.stats {
        Some(path) if !to_stdout => Some(WholeFile::create(path)?),
        _ => None,
    };
    let mut recorder = match &arguments.record {
        Some(path) => Some(Recorder::create(path, &world, &named.name)?),
        None => None,
    };
    let progress = Progress::new(&world);
    let mut nowhere = Discard;
    let listener: &mut dyn History = match &mut recorder {
        Some(recorder) => recorder,
        None => &mut nowhere,
    };
    let mut listeners = (progress, listener);
    let ran = simulate_hashed(&world, &named, &mut listeners);
    listeners.0.clear();
    let stats = match ran {
        Ok(stats) => stats,
        Err(failure) => {
            let note = recorder.and_then(Recorder::leave);
            return Err(match note {
                Some(note) => failure.noting(note),
                None => failure,
            });
        }
    };
    let json = json(&stats)?;
    if let Some(recorder) = recorder {
        recorder.finish(&json)?;
    }
    if let Some(file) = stats_file {
        file.finish(json.as_bytes())?;
    }
    match to_stdout {
        true => print(&json),
        false => print(&report(&stats, &world)),
    }
}

fn json(stats: &Stats) -> Result<String, Failure> {
    let text = serde_json::to_string_pretty(stats);
    let text = text.map_err(|e| Failure::run(format!("cannot write the statistics: {e}"), None))?;
    Ok(text + "\n")
}

/// The statistics for people.
fn report(stats: &Stats, world: &World) -> String {
    let heading = format!("{} under {}", stats.scene, stats.algorithm);
    let mut t = Table::new([heading.as_str(), ""]).prose();
    let mut row = |name: &str, value: String| t.row([name.to_string(), value]);
    row("simulated", format!("{} s", short(stats.sim_seconds)));
    row("CPU time", format!("{} s", short(stats.cpu_seconds)));
    row("elapsed", format!("{} s", short(stats.wall_seconds)));
    row(
        "bodies, moving / all",
        format!("{} / {}", stats.bodies_moving, stats.bodies_total),
    );
    row("events", stats.events_committed.to_string());
    row("  collisions", stats.collisions.to_string());
    if stats.groups_created > 0 {
        let changes = format!("{} / {}", stats.fusions, stats.fissions);
        row("  fusions / fissions", changes);
        let groups = format!(
            "{}, the largest of {}",
            stats.groups_created, stats.largest_group
        );
        row("contact groups", groups);
    }
    if stats.callbacks > 0 {
        row("  callbacks", stats.callbacks.to_string());
    }
    row(
        "mean time between events",
        format!("{} ms", short(stats.mean_time_between_events_ms)),
    );
    row("collision checks", stats.checks.to_string());
    row("integrations", stats.integrations.to_string());
    row("mean step", format!("{} ms", short(stats.mean_step_ms)));
    row(
        "integration per body",
        format!("{} s", short(stats.integration_per_body_s)),
    );
    row(
        "rollback per body",
        format!("{} s", short(stats.rollback_per_body_s)),
    );
    row("rollbacks", stats.rollbacks.to_string());
    row(
        "segments, committed / undone",
        format!("{} / {}", stats.segments_committed, stats.segments_undone),
    );
    row("efficiency", format!("{:.2} %", 100.0 * stats.efficiency));
    row(
        "largest penetration",
        format!("{} m", short(stats.max_penetration_m)),
    );
    let note = match energy::is_conserved(world) {
        true => "",
        false => " (something in the scene does work)",
    };
    row(
        "change of energy",
        format!("{}{note}", short(stats.energy_drift_relative)),
    );
    row(
        "peak memory of history",
        format!("{} MB", short(stats.peak_history_bytes as f64 / 1e6)),
    );
    row("history", stats.history_sha256.clone());
    t.render()
}
