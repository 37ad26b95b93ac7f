//! Runs that are started from the viewer's page: each on a thread of its own, recorded into the viewer's
//! temporary folder.

use crate::algorithm::{Named, look_ahead};
use crate::failure::Failure;
use crate::live::LiveRun;
use crate::recorder::Recorder;
use crate::report;
use crate::simulate::simulate_measured;
use crate::source::SceneArguments;
use sim::scene::{self, Override, Scene};
use sim::{Algorithm, Discard, LookAhead, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::sync_channel;
use viewer::{Launcher, Live, Offer, Parameter, Started, Wish};

/// The scene of the tour "what is a rollback", and how far its bodies run ahead, s: all the way.
pub const TOUR: &str = include_str!("tour.toml");
/// The name by which the page asks for the tour.
pub const TOUR_NAME: &str = "tour";
const TOUR_AHEAD: f64 = 10.0;

/// Starts runs for the page.
pub struct Desk {
    folder: PathBuf,
    begun: AtomicUsize,
}

impl Desk {
    /// One whose recordings go to a folder.
    pub fn new(folder: &Path) -> Self {
        Desk {
            folder: folder.into(),
            begun: AtomicUsize::new(0),
        }
    }

    fn next_file(&self) -> PathBuf {
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        self.folder.join(format!("run-{number}.wline"))
    }
}

impl Launcher for Desk {
    fn offers(&self) -> Vec<Offer> {
        let offer = |builtin: &scene::Builtin| {
            let scene = scene::load(builtin.name, builtin.text, &[]).ok()?;
            let parameters = scene.parameters.iter().map(|p| Parameter {
                name: p.name.clone(),
                value: p.value.to_string(),
                about: p.about.clone(),
                range: p.range(),
                one_of: p.one_of.clone(),
            });
            Some(Offer {
                name: builtin.name.into(),
                description: scene.description,
                parameters: parameters.collect(),
            })
        };
        scene::BUILTIN.iter().filter_map(offer).collect()
    }

    fn start(&self, wish: &Wish, from: Option<&dyn Live>) -> Result<Started, String> {
        if wish.live {
            let parent = from.and_then(|live| live.as_any().downcast_ref::<LiveRun>());
            return match parent.filter(|_| wish.scene.is_empty()) {
                Some(parent) => parent.branch(wish.inputs, &self.next_file()),
                None => LiveRun::start(read(wish)?, &self.next_file()),
            };
        }
        let named = algorithm(wish)?;
        let world = read(wish)?.world;
        Ok(Started {
            recording: record_on_a_thread(world, named, self.next_file())?,
            live: None,
        })
    }
}

/// The scene that somebody wishes for. Only built-in ones: the page names no files.
fn read(wish: &Wish) -> Result<Scene, String> {
    let lines = wish.set.lines().filter(|line| !line.trim().is_empty());
    let set: Result<Vec<Override>, String> = lines.map(Override::parse).collect();
    if wish.scene == TOUR_NAME {
        return load_tour().map_err(|failure| failure.to_string());
    }
    if scene::builtin(&wish.scene).is_none() {
        return Err(format!(
            "there is no built-in scene `{}`; choose one of the list",
            wish.scene
        ));
    }
    let source = SceneArguments {
        scene: wish.scene.clone(),
        set: set?,
        until: None,
        solver: None,
    };
    source.load().map_err(|failure| failure.to_string())
}

/// The tour's scene.
pub fn load_tour() -> Result<Scene, Failure> {
    Ok(scene::load(TOUR_NAME, TOUR, &[])?)
}

/// How the tour is run: every body runs ahead as far as it can.
pub fn tour_algorithm() -> Named {
    Named {
        name: "timewarp".into(),
        algorithm: Algorithm::TimeWarp(LookAhead::Seconds(TOUR_AHEAD)),
    }
}

fn algorithm(wish: &Wish) -> Result<Named, String> {
    if wish.scene == TOUR_NAME {
        return Ok(tour_algorithm());
    }
    let ahead = match wish.look_ahead.trim() {
        "" => None,
        text => Some(look_ahead(text)?),
    };
    "timewarp".parse::<Named>()?.with_look_ahead(ahead)
}

/// Begins a run; gives its recording as soon as there is one to open.
fn record_on_a_thread(world: World, named: Named, file: PathBuf) -> Result<PathBuf, String> {
    let (tell, told) = sync_channel(1);
    let work = move || {
        let mut recorder = match Recorder::create(&file, &world, &named.name) {
            Ok(recorder) => recorder,
            Err(failure) => return tell.send(Err(failure.to_string())).unwrap_or(()),
        };
        let path = recorder.partial_path().to_path_buf();
        if tell.send(Ok(path)).is_err() {
            return;
        }
        let mut listeners = (Discard, &mut recorder);
        let ran = simulate_measured(&world, &named, true, &mut listeners);
        // A run that fails leaves what it came to: the page shows it as unfinished.
        let outcome = ran.and_then(|stats| {
            recorder.finish(&report::json(&stats)?)?;
            Ok(())
        });
        if let Err(failure) = outcome {
            eprintln!("{failure}");
        }
    };
    spawn("run", work)?;
    told.recv()
        .unwrap_or_else(|_| Err("the run ended before it began".into()))
}

/// A thread with a name, or why there is none.
pub fn spawn(name: &str, work: impl FnOnce() + Send + 'static) -> Result<(), String> {
    let builder = std::thread::Builder::new().name(name.into());
    let spawned = builder.spawn(work);
    spawned.map_err(|e| format!("cannot start a thread: {e}"))?;
    Ok(())
}

/// The desk, as the server wants it.
pub fn desk(folder: &Path) -> Arc<dyn Launcher> {
    Arc::new(Desk::new(folder))
}
