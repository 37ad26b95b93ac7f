//! `warpline view`: the viewer, on a recording or on a run as it goes.

use crate::algorithm::{Named, look_ahead};
use crate::failure::Failure;
use crate::launch;
use crate::output::print;
use crate::recorder::Recorder;
use crate::report;
use crate::simulate::{Progress, simulate_measured};
use crate::source::SceneArguments;
use record::Reader;
use sim::scene::Override;
use sim::{LookAhead, Stats, World};
use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use viewer::{Launcher, Options, Server, serve};

/// Arguments of `view`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording, a built-in scene (see `warpline scenes`) or a TOML file; without one the page lists the scenes
    scene: Option<String>,
    /// The tour "what is a rollback": five bodies, in slow motion
    #[arg(long, conflicts_with_all = ["scene", "set", "until", "solver", "algorithm", "look_ahead"])]
    tour: bool,
    /// Set a parameter or any value of the scene, as in `bodies=1000` or `body.ground.friction=0.2`
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = Override::parse)]
    set: Vec<Override>,
    /// End of the run in simulated seconds, instead of the scene's
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true)]
    until: Option<String>,
    /// The solver of contact groups: soft-step, penalty, impulse, optimization, auto, or none to let every collision bounce
    #[arg(long, value_name = "SOLVER")]
    solver: Option<String>,
    /// ordered or timewarp (tw), when a scene is run
    #[arg(short, long, default_value = "timewarp")]
    algorithm: Named,
    /// How far bodies may run ahead under timewarp: SECONDS, event or adaptive; far shows more rollbacks
    #[arg(long, value_name = "AHEAD", value_parser = look_ahead)]
    look_ahead: Option<LookAhead>,
    /// The port on 127.0.0.1; 0 takes any free one
    #[arg(long, default_value_t = 0)]
    port: u16,
    /// Open the page in the system's browser
    #[arg(long)]
    open: bool,
}

/// Runs the command; it serves until it is interrupted.
pub fn view(arguments: &Arguments) -> Result<(), Failure> {
    let folder = temporary()?;
    let mut desk = Stand {
        port: arguments.port,
        open: arguments.open,
        tour: arguments.tour,
        launcher: Some(launch::desk(folder.path())),
    };
    if arguments.tour {
        let world = launch::load_tour()?.world;
        let file = folder.path().join("tour.wline");
        return record_and_show(&world, &launch::tour_algorithm(), &file, &desk, |_, _| {
            Ok(())
        });
    }
    let Some(scene) = &arguments.scene else {
        let served = viewer::serve_scenes(&desk.options());
        desk.announce(served.map_err(cannot_serve)?)?.wait();
        return Ok(());
    };
    let name = Path::new(scene);
    let is_scene = sim::scene::builtin(scene).is_some()
        || name.extension().is_some_and(|e| e == "toml")
        || !name.exists();
    if !is_scene {
        open(name)?;
        desk.show(name)?.wait();
        return Ok(());
    }
    let named = arguments.algorithm.clone();
    let named = named
        .with_look_ahead(arguments.look_ahead)
        .map_err(|why| Failure::input(why, None))?;
    let source = SceneArguments {
        scene: scene.clone(),
        set: arguments.set.clone(),
        until: arguments.until.clone(),
        solver: arguments.solver.clone(),
    };
    let world = source.load()?.world;
    desk.tour = false;
    let file = folder.path().join("live.wline");
    record_and_show(&world, &named, &file, &desk, |_, _| Ok(()))
}

/// Where and how the page is served.
struct Stand {
    port: u16,
    open: bool,
    tour: bool,
    launcher: Option<Arc<dyn Launcher>>,
}

impl Stand {
    fn options(&self) -> Options {
        Options {
            port: self.port,
            launcher: self.launcher.clone(),
            look: Some(warpline::looks::look),
            key: None,
        }
    }

    fn show(&self, file: &Path) -> Result<Server, Failure> {
        self.announce(serve(file, &self.options()).map_err(cannot_serve)?)
    }

    /// Says where the page is; on a terminal also what to do with that.
    fn announce(&self, server: Server) -> Result<Server, Failure> {
        let mut address = server.url();
        if self.tour {
            address += "?tour";
        }
        print(&format!("{address}\n"))?;
        if self.open {
            open_browser(&address);
        }
        if std::io::stderr().is_terminal() {
            eprintln!(
                "Open this address in a browser; press ? there for help, Ctrl-C here to end."
            );
        }
        Ok(server)
    }
}

/// Asks the system to open an address. Where it cannot, the address has been printed.
fn open_browser(address: &str) {
    let program = match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    };
    let quiet = std::process::Stdio::null;
    let spawned = std::process::Command::new(program)
        .arg(address)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn();
    if let Err(error) = spawned {
        eprintln!("`{program}` did not open a browser ({error}): open the address yourself");
    }
}

fn cannot_serve(error: viewer::Error) -> Failure {
    Failure::run(error.to_string(), None)
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
    let folder = temporary()?;
    let file = match record {
        Some(path) => path.to_path_buf(),
        None => folder.path().join("live.wline"),
    };
    let stand = Stand {
        port,
        open: false,
        tour: false,
        launcher: Some(launch::desk(folder.path())),
    };
    record_and_show(world, named, &file, &stand, told)
}

fn record_and_show(
    world: &World,
    named: &Named,
    file: &Path,
    stand: &Stand,
    told: impl FnOnce(&Stats, &str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let mut recorder = Recorder::create(file, world, &named.name)?;
    let server = stand.show(recorder.partial_path())?;
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

/// How a recording is made, if what should be one is a scene.
pub fn record_first(file: &Path) -> Option<String> {
    let name = file.to_str()?;
    let is_scene = sim::scene::builtin(name).is_some() || name.ends_with(".toml");
    let stem = file.file_stem()?.to_str()?;
    is_scene.then(|| {
        format!(
            "`{name}` is a scene; make a recording of it first: `warpline run {name} --record {stem}.wline`"
        )
    })
}

/// Opens a recording, or says why it is none.
pub fn open(file: &Path) -> Result<Reader, Failure> {
    let reader =
        Reader::open(file).map_err(|e| Failure::input(e.to_string(), record_first(file)))?;
    if let Some(warning) = reader.warning() {
        eprintln!("{warning}");
    }
    Ok(reader)
}
