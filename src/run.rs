//! `warpline run`: one scene, one algorithm; statistics for people and as JSON, and a recording.

use crate::algorithm::{Named, look_ahead, threads};
use crate::distributed;
use crate::failure::Failure;
use crate::output::{WholeFile, print};
use crate::recorder::Recorder;
use crate::report;
use crate::simulate::Progress;
use crate::source::SceneArguments;
use crate::timeline::Timeline;
use sim::{Algorithm, Discard, History, LookAhead, World};
use std::path::{Path, PathBuf};
use warpline::running::{self, Runner};

/// Arguments of `run`.
#[derive(clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// ordered, timewarp (tw), parallel, distributed, rd:SECONDS, ca, oracle, koenig[:SECONDS] or checking
    #[arg(short, long, default_value = "timewarp")]
    algorithm: Named,
    /// How far bodies may run ahead under timewarp: SECONDS, event or adaptive
    #[arg(long, value_name = "AHEAD", value_parser = look_ahead)]
    look_ahead: Option<LookAhead>,
    /// Threads of parallel (a region on each) or koenig, as many as cores if not said; or of each rank of distributed, one if not said
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Stream the committed history to this file
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write the statistics as JSON to this file (`-`: to standard output, instead of the table)
    #[arg(long, value_name = "FILE.json")]
    stats: Option<PathBuf>,
    /// Write what every thread of `parallel` was at, and when, for Perfetto or chrome://tracing
    #[arg(long, value_name = "FILE.json", conflicts_with = "view")]
    trace: Option<PathBuf>,
    /// Show the run in a browser while it goes, and afterwards
    #[arg(long)]
    view: bool,
    /// The viewer's port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0, requires = "view")]
    port: u16,
    /// Do not keep the books of energy, which follow every committed segment
    #[arg(long)]
    no_energy: bool,
}

/// Two commands to try after this one.
fn next(arguments: &Arguments) -> String {
    let scene = arguments.scene.written();
    // The others have a history of their own, which `check` says nothing about.
    let mut commands = match arguments.algorithm.algorithm {
        Algorithm::Ordered
        | Algorithm::TimeWarp(_)
        | Algorithm::Parallel(_)
        | Algorithm::Distributed(_)
        | Algorithm::Checking => vec![(
            format!("warpline check {scene}"),
            "see that every executor commits this history",
        )],
        _ => vec![(
            format!("warpline compare {scene}"),
            "see what the algorithms cost side by side",
        )],
    };
    match &arguments.record {
        Some(file) => {
            let file = file.display();
            commands.push((format!("warpline view {file}"), "watch the recording"));
        }
        None if !arguments.view => {
            commands.insert(
                0,
                (format!("warpline view {scene}"), "watch it in a browser"),
            );
        }
        None => {}
    }
    let width = commands.iter().map(|(c, _)| c.chars().count()).max();
    let width = width.unwrap_or(0);
    let lines = commands
        .iter()
        .map(|(c, what)| format!("  {c:width$}   {what}\n"));
    format!("\nnext:\n{}", lines.collect::<String>())
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<(), Failure> {
    let named = arguments.algorithm.clone();
    let named = named
        .with_look_ahead(arguments.look_ahead)
        .and_then(|named| named.with_threads(arguments.threads))
        .map_err(|why| Failure::input(why, None))?;
    if let Algorithm::Distributed(threads) = named.algorithm {
        let load = || Ok(arguments.scene.load()?.world);
        return distributed::run(threads, load, |world, run| {
            run_by(arguments, &named, world, run)
        });
    }
    let world = arguments.scene.load()?.world;
    run_by(arguments, &named, &world, &mut sim::run)
}

/// Runs a world by `run`, and puts out what was asked for.
fn run_by(
    arguments: &Arguments,
    named: &Named,
    world: &World,
    run: &mut Runner,
) -> Result<(), Failure> {
    let to_stdout = arguments.stats.as_deref() == Some(Path::new("-"));
    let stats_file = match &arguments.stats {
        Some(path) if !to_stdout => Some(WholeFile::create(path)?),
        _ => None,
    };
    let put_out = |text: &str, table: String| match to_stdout {
        true => print(text),
        false => print(&(table + &next(arguments))),
    };
    if arguments.view {
        let told = |stats: &sim::Stats, json: &str| {
            if let Some(file) = stats_file {
                file.finish(json.as_bytes())?;
            }
            put_out(json, report::table(stats, world))
        };
        let record = arguments.record.as_deref();
        return crate::view::run_in_view(world, named, record, arguments.port, told);
    }
    let mut recorder = match &arguments.record {
        Some(path) => Some(Recorder::create(path, world, &named.name)?),
        None => None,
    };
    let mut timeline = match &arguments.trace {
        Some(path) => Some(Timeline::create(path)?),
        None => None,
    };
    let progress = Progress::new(world);
    let (mut nowhere, mut never) = (Discard, Discard);
    let listener: &mut dyn History = match &mut recorder {
        Some(recorder) => recorder,
        None => &mut nowhere,
    };
    let watcher: &mut dyn History = match &mut timeline {
        Some(timeline) => timeline,
        None => &mut never,
    };
    let mut listeners = (progress, (listener, watcher));
    let ran = running::measured_by(world, named, !arguments.no_energy, &mut listeners, run);
    listeners.0.clear();
    let stats = match ran {
        Ok(ran) => ran.stats,
        Err(error) => {
            let failure = Failure::from(error);
            let note = recorder.and_then(Recorder::leave);
            return Err(match note {
                Some(note) => failure.noting(note),
                None => failure,
            });
        }
    };
    let json = report::json(&stats)?;
    if let Some(recorder) = recorder {
        recorder.finish(&json)?;
    }
    if let Some(timeline) = timeline {
        timeline.finish(sim::undivided(world))?;
    }
    if let Some(file) = stats_file {
        file.finish(json.as_bytes())?;
    }
    put_out(&json, report::table(&stats, world))
}
