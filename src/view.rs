//! `warpline view`: the viewer, on a recording or on a run as it goes.

use crate::algorithm::{Named, look_ahead};
use crate::failure::Failure;
use crate::output::print;
use crate::recorder::Recorder;
use crate::simulate::{Progress, simulate_hashed};
use crate::source::SceneArguments;
use record::Reader;
use sim::{LookAhead, World};
use std::path::Path;
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
    let directory = tempfile::tempdir()
        .map_err(|e| Failure::run(format!("cannot make a temporary folder: {e}"), None))?;
    let file = directory.path().join("live.wline");
    run_in_view(&world, &named, &file, arguments.port)
}

/// Runs a world, records it to `file`, and shows it meanwhile and afterwards.
pub fn run_in_view(world: &World, named: &Named, file: &Path, port: u16) -> Result<(), Failure> {
    let mut recorder = Recorder::create(file, world, &named.name)?;
    let server = start(recorder.partial_path(), port)?;
    let mut listeners = (Progress::new(world), &mut recorder);
    let ran = simulate_hashed(world, named, &mut listeners);
    listeners.0.clear();
    let stats = ran?;
    let json = serde_json::to_string(&stats).unwrap_or_default();
    recorder.finish(&json)?;
    server.wait();
    Ok(())
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
