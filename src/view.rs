//! `warpline view`: the viewer, on a recording or on a run as it goes.

use crate::algorithm::{Named, look_ahead};
use crate::failure::Failure;
use crate::output::print;
use crate::recorder::Recorder;
use crate::report;
use crate::simulate::{Progress, simulate_measured};
use crate::source::SceneArguments;
use record::Reader;
use sim::{LookAhead, Stats, World};
use std::path::Path;
use tempfile::TempDir;
use viewer::{Options, Server, serve};

/// Arguments of `view`.
#[derive(clap::Args)]
#[command(
    mut_arg("scene", |arg| arg.help("A recording, a built-in scene (see `warpline scenes`) or a TOML file"))
)]
pub struct Arguments {
    #[command(flatten)]
    scene: SceneArguments,
    /// ordered or timewarp (tw), when a scene is run
    #[arg(short, long, default_value = "timewarp")]
    algorithm: Named,
    /// How far bodies may run ahead under timewarp: SECONDS, event or adaptive; far shows more rollbacks
    #[arg(long, value_name = "AHEAD", value_parser = look_ahead)]
    look_ahead: Option<LookAhead>,
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
}

/// Runs the command; it serves until it is interrupted.
pub fn view(arguments: &Arguments) -> Result<(), Failure> {
    let name = Path::new(&arguments.scene.scene);
    let is_scene = sim::scene::builtin(&arguments.scene.scene).is_some()
        || name.extension().is_some_and(|e| e == "toml")
        || !name.exists();
    if !is_scene {
        open(name)?;
        start(name, arguments.port)?.wait();
        return Ok(());
    }
    let named = arguments.algorithm.clone();
    let named = named
        .with_look_ahead(arguments.look_ahead)
        .map_err(|why| Failure::input(why, None))?;
    let world = arguments.scene.load()?.world;
    run_in_view(&world, &named, None, arguments.port, |_, _| Ok(()))
}

/// Runs a world, records it (to `record`, or to a temporary file), and shows it meanwhile and afterwards.
/// `told` gets the statistics, and their JSON, when the run has ended.
pub fn run_in_view(
    world: &World,
    named: &Named,
    record: Option<&Path>,
    port: u16,
    told: impl FnOnce(&Stats, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let folder = match record {
        Some(_) => None,
        None => Some(temporary()?),
    };
    let file = match (record, &folder) {
        (Some(path), _) => path.to_path_buf(),
        (None, Some(folder)) => folder.path().join("live.wline"),
        (None, None) => return Err(Failure::run("there is nowhere to record to", None)),
    };
    let mut recorder = Recorder::create(&file, world, &named.name)?;
    let server = start(recorder.partial_path(), port)?;
    let mut listeners = (Progress::new(world), &mut recorder);
    let ran = simulate_measured(world, named, true, &mut listeners);
    listeners.0.clear();
    let stats = ran?;
    let json = report::json(&stats)?;
    recorder.finish(&json)?;
    told(&stats, &json)?;
    server.wait();
    Ok(())
}

/// A folder that goes when the command ends, by itself or by an interrupt.
fn temporary() -> Result<TempDir, Failure> {
    let folder = tempfile::tempdir()
        .map_err(|e| Failure::run(format!("cannot make a temporary folder: {e}"), None))?;
    let path = folder.path().to_path_buf();
    viewer::on_interrupt(move || {
        // What cannot be removed is the system's to clean up; there is nobody left to tell.
        let _ = std::fs::remove_dir_all(&path);
    })
    .map_err(|e| Failure::run(format!("cannot listen for an interrupt: {e}"), None))?;
    Ok(folder)
}

fn start(file: &Path, port: u16) -> Result<Server, Failure> {
    let server = serve(file, &Options { port }).map_err(|e| Failure::run(e.to_string(), None))?;
    print(&format!("{}\n", server.url()))?;
    Ok(server)
}

/// Opens a recording, or says why it is none.
pub fn open(file: &Path) -> Result<Reader, Failure> {
    let reader = Reader::open(file).map_err(|e| Failure::input(e.to_string(), None))?;
    if let Some(warning) = reader.warning() {
        eprintln!("{warning}");
    }
    Ok(reader)
}
