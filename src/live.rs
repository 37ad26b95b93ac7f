//! A run that goes with the clock on the wall and takes inputs from the viewer's page. It keeps the last
//! second of history open. What the page shows is committed, and the world has run on meanwhile: whoever
//! pulls at a body there gives a late input, and what it reaches is rolled back.

use crate::launch::spawn;
use crate::recorder::Recorder;
use physics::Vec3;
use sim::scene::Scene;
use sim::{Action, BodyId, History, Input, Simulation};
use std::any::Any;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use viewer::{Live, Pull, Pulled, Started};
use warp::Tick;

/// How much history stays open for inputs, s.
const RETAIN_SECONDS: f64 = 1.0;
/// How long a run takes inputs, s.
const UNTIL_SECONDS: f64 = 120.0;
/// Time between two advances.
const TICK: Duration = Duration::from_millis(16);
/// A page that was away does not make the run hurry after it, s.
const STEP_SECONDS_MAX: f64 = 0.1;
/// The fastest that a pull makes a body, m/s.
const SPEED_MAX: f64 = 60.0;
/// How long a page waits for an answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a run has been given so far.
#[derive(Clone, Default)]
pub struct Taken {
    inputs: Vec<Input>,
    /// How far it had come.
    now: Tick,
}

type Answer = std::sync::mpsc::SyncSender<Result<Pulled, String>>;

/// The page's hand on a run.
pub struct LiveRun {
    scene: Scene,
    taken: Arc<Mutex<Taken>>,
    pages: Arc<AtomicUsize>,
    pulls: Mutex<Sender<(Pull, Answer)>>,
}

impl LiveRun {
    /// Begins a run that has been given some inputs already.
    pub fn start(mut scene: Scene, taken: Taken, file: &Path) -> Result<Started, String> {
        scene.world.until = Tick::from_seconds(UNTIL_SECONDS);
        let mut simulation =
            Simulation::new(scene.world.clone(), RETAIN_SECONDS).map_err(|e| e.to_string())?;
        simulation
            .inputs(&taken.inputs)
            .map_err(|e| e.to_string())?;
        let (pulls, pulled) = channel();
        let run = Arc::new(LiveRun {
            scene: scene.clone(),
            taken: Arc::new(Mutex::new(taken.clone())),
            pages: Arc::new(AtomicUsize::new(0)),
            pulls: Mutex::new(pulls),
        });
        let (tell, told) = sync_channel(1);
        let (file, kept, pages) = (file.to_path_buf(), run.taken.clone(), run.pages.clone());
        spawn("live", move || {
            let mut recorder = match Recorder::create(&file, &scene.world, "live") {
                Ok(recorder) => recorder,
                Err(failure) => return tell.send(Err(failure.to_string())).unwrap_or(()),
            };
            let path = recorder.partial_path().to_path_buf();
            if tell.send(Ok(path)).is_err() {
                return;
            }
            let went = go(
                &mut simulation,
                &mut recorder,
                taken.now,
                &pulled,
                &kept,
                &pages,
            );
            let outcome = went.and_then(|()| recorder.finish("{}").map_err(|e| e.to_string()));
            if let Err(why) = outcome {
                eprintln!("the live run has ended: {why}");
            }
        })?;
        let recording = told
            .recv()
            .unwrap_or_else(|_| Err("the run ended before it began".into()))?;
        Ok(Started {
            recording,
            live: Some(run),
        })
    }

    /// The same scene with the first `inputs` of its inputs, and how far this one has come.
    pub fn again(&self, inputs: usize) -> (Scene, Taken) {
        let mut taken = self.kept().clone();
        taken.inputs.truncate(inputs);
        (self.scene.clone(), taken)
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live for LiveRun {
    fn pull(&self, pull: &Pull) -> Result<Pulled, String> {
        let over =
            |_| "this live run has ended: start it again from the list of scenes".to_string();
        let (tell, told) = sync_channel(1);
        let pulls = self.pulls.lock().unwrap_or_else(PoisonError::into_inner);
        pulls.send((*pull, tell)).map_err(|_| over(()))?;
        drop(pulls);
        match told.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => Err(over(())),
            Err(RecvTimeoutError::Timeout) => Err("the run is too busy to answer".into()),
        }
    }

    fn watched(&self, pages: usize) {
        self.pages.store(pages, Ordering::Relaxed);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Advances with the clock on the wall, takes pulls between, and ends with the run's time. Until
/// `hurry_to` it goes as fast as it can.
fn go(
    simulation: &mut Simulation,
    history: &mut dyn History,
    hurry_to: Tick,
    pulled: &Receiver<(Pull, Answer)>,
    kept: &Mutex<Taken>,
    pages: &AtomicUsize,
) -> Result<(), String> {
    let until = Tick::from_seconds(UNTIL_SECONDS);
    let mut before = Instant::now();
    while simulation.now() < until {
        match pulled.recv_timeout(TICK) {
            Ok((pull, answer)) => {
                let outcome = take(simulation, kept, &pull);
                // a page that has gone does not want to know
                let _ = answer.send(outcome);
                continue;
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return Ok(()),
        }
        let passed = before.elapsed().as_secs_f64().min(STEP_SECONDS_MAX);
        before = Instant::now();
        let behind = simulation.now() < hurry_to;
        if pages.load(Ordering::Relaxed) == 0 && !behind {
            continue;
        }
        let step = if behind { STEP_SECONDS_MAX } else { passed };
        let to = Tick::from_seconds(simulation.now().seconds() + step);
        simulation
            .advance_into(to.min(until), history)
            .map_err(|e| e.to_string())?;
        lock(kept).now = simulation.now();
    }
    simulation.settle(until, history).map_err(|e| e.to_string())
}

fn lock(kept: &Mutex<Taken>) -> std::sync::MutexGuard<'_, Taken> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Enters a pull where the page saw the body, or at the end of final history if that has moved on.
fn take(simulation: &mut Simulation, kept: &Mutex<Taken>, pull: &Pull) -> Result<Pulled, String> {
    let wish = Vec3::new(pull.x, pull.y, pull.z);
    if !wish.is_finite() || !pull.time.is_finite() || wish.length() > SPEED_MAX {
        return Err(format!("a pull is at most {SPEED_MAX} m/s"));
    }
    let world = simulation.world();
    let Some(body) = world.bodies.get(pull.body as usize) else {
        return Err("there is no such body".into());
    };
    let mass = world.models[body.model.place()].mass.mass;
    let mut kept = lock(kept);
    let earliest = simulation.gvt().saturating_add(1);
    let at = Tick::from_seconds(pull.time).max(earliest);
    let input = Input {
        at: at.min(simulation.now().max(earliest)),
        body: BodyId(pull.body),
        order: kept.inputs.len() as u32,
        action: Action::Impulse {
            impulse: wish * mass,
            point: None,
        },
    };
    let change = simulation.input(input).map_err(|e| e.to_string())?;
    kept.inputs.push(input);
    Ok(Pulled {
        at: input.at.seconds(),
        now: simulation.now().seconds(),
        changed: change.changed.iter().map(|(body, _)| body.0).collect(),
        again: change.repeated.len(),
        inputs: kept.inputs.len(),
    })
}
