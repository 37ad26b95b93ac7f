//! A run that goes with the clock on the wall and takes inputs from the viewer's page. It keeps the last
//! second of history open. What the page shows is committed, and the world has run on meanwhile: whoever
//! pulls at a body there gives a late input, and what it reaches is rolled back.

use crate::launch::spawn;
use crate::recorder::Recorder;
use physics::Vec3;
use record::Reader;
use sim::scene::Scene;
use sim::{Action, BodyId, Input, Simulation, World};
use std::any::Any;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
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

/// Where an answer goes.
type Answer<T> = SyncSender<Result<T, String>>;

/// What a page asks of a run.
enum Asked {
    /// To pull at a body.
    Pull(Pull, Answer<Pulled>),
    /// For a branch that has had so many inputs; nothing if there is none any more.
    Branch(usize, Answer<Option<Branch>>),
}

/// A second future of a run, and the recording of the past that they share.
struct Branch {
    simulation: Simulation,
    recording: PathBuf,
}

/// The page's hand on a run.
pub struct LiveRun {
    scene: Scene,
    taken: Arc<Mutex<Taken>>,
    pages: Arc<AtomicUsize>,
    asks: Mutex<Sender<Asked>>,
}

impl LiveRun {
    /// Begins a run from a scene's start.
    pub fn start(scene: Scene, file: &Path) -> Result<Started, String> {
        Self::go_on(scene, Taken::default(), None, file)
    }

    /// The same run with the first `inputs` of its inputs, as far as this one has come: a branch of it where there is
    /// still one from before the last of them, else simulated again, which gives the same bytes.
    pub fn branch(&self, inputs: usize, file: &Path) -> Result<Started, String> {
        let branch = match self.scene.world.multibodies.is_empty() {
            // a run that has ended has no branches
            true => self
                .ask(|answer| Asked::Branch(inputs, answer))
                .unwrap_or(None),
            false => None,
        };
        let mut taken = self.kept().clone();
        taken.inputs.truncate(inputs);
        Self::go_on(self.scene.clone(), taken, branch, file)
    }

    fn go_on(
        mut scene: Scene,
        taken: Taken,
        branch: Option<Branch>,
        file: &Path,
    ) -> Result<Started, String> {
        scene.world.until = Tick::from_seconds(UNTIL_SECONDS);
        let (past, simulation) = match branch {
            Some(branch) => (Some(branch.recording), branch.simulation),
            None => {
                let world = scene.world.clone();
                let mut simulation = Simulation::new(world, RETAIN_SECONDS).map_err(words)?;
                simulation.inputs(&taken.inputs).map_err(words)?;
                (None, simulation)
            }
        };
        let (asks, asked) = channel();
        let run = Arc::new(LiveRun {
            scene: scene.clone(),
            taken: Arc::new(Mutex::new(taken.clone())),
            pages: Arc::new(AtomicUsize::new(0)),
            asks: Mutex::new(asks),
        });
        let (tell, told) = sync_channel(1);
        let (file, kept, pages) = (file.to_path_buf(), run.taken.clone(), run.pages.clone());
        spawn("live", move || {
            let begun = begin(&file, &scene.world, past.as_deref(), simulation.gvt());
            let (path, recorder) = match begun {
                Ok(recorder) => (recorder.partial_path().to_path_buf(), recorder),
                Err(why) => return tell.send(Err(why)).unwrap_or(()),
            };
            if tell.send(Ok(path)).is_err() {
                return;
            }
            let mut going = Going {
                simulation,
                recorder,
                kept: &kept,
                spare: None,
            };
            let went = going.go(taken.now, &asked, &pages);
            let outcome = went.and_then(|()| going.recorder.finish("{}").map_err(words));
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

    /// Asks the run something, and waits for the answer.
    fn ask<T>(&self, question: impl FnOnce(Answer<T>) -> Asked) -> Result<T, String> {
        let over =
            |()| "this live run has ended: start it again from the list of scenes".to_string();
        let (tell, told) = sync_channel(1);
        let asks = self.asks.lock().unwrap_or_else(PoisonError::into_inner);
        asks.send(question(tell)).map_err(|_| over(()))?;
        drop(asks);
        match told.recv_timeout(PATIENCE) {
            Ok(answer) => answer,
            Err(RecvTimeoutError::Disconnected) => Err(over(())),
            Err(RecvTimeoutError::Timeout) => Err("the run is too busy to answer".into()),
        }
    }

    fn kept(&self) -> MutexGuard<'_, Taken> {
        lock(&self.taken)
    }
}

impl Live for LiveRun {
    fn pull(&self, pull: &Pull) -> Result<Pulled, String> {
        self.ask(|answer| Asked::Pull(*pull, answer))
    }

    fn watched(&self, pages: usize) {
        self.pages.store(pages, Ordering::Relaxed);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

/// Begins a recording; one of a branch has what lies before `gvt` from the run that it has left.
fn begin<'w>(
    file: &Path,
    world: &'w World,
    past: Option<&Path>,
    gvt: Tick,
) -> Result<Recorder<'w>, String> {
    let mut recorder = Recorder::create(file, world, "live").map_err(words)?;
    if let Some(past) = past {
        let reader = Reader::open(past).map_err(words)?;
        recorder.past(&reader, gvt).map_err(words)?;
        // Whoever looks at the branch sees its past at once, before anybody follows it.
        recorder.flush().map_err(words)?;
    }
    Ok(recorder)
}

/// A run that goes on.
struct Going<'r> {
    simulation: Simulation,
    recorder: Recorder<'r>,
    kept: &'r Mutex<Taken>,
    /// The run as it would be without its last input: nothing of it is copied until one of the two changes it.
    spare: Option<Simulation>,
}

impl Going<'_> {
    /// Advances with the clock on the wall, answers between, and ends with the run's time. Until `hurry_to` it goes as
    /// fast as it can.
    fn go(
        &mut self,
        hurry_to: Tick,
        asked: &Receiver<Asked>,
        pages: &AtomicUsize,
    ) -> Result<(), String> {
        let until = Tick::from_seconds(UNTIL_SECONDS);
        let mut before = Instant::now();
        while self.simulation.now() < until {
            // a page that has gone does not want to know
            match asked.recv_timeout(TICK) {
                Ok(Asked::Pull(pull, answer)) => {
                    let _ = answer.send(self.take(&pull));
                    continue;
                }
                Ok(Asked::Branch(inputs, answer)) => {
                    let _ = answer.send(self.branch(inputs));
                    continue;
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            let passed = before.elapsed().as_secs_f64().min(STEP_SECONDS_MAX);
            before = Instant::now();
            let behind = self.simulation.now() < hurry_to;
            if pages.load(Ordering::Relaxed) == 0 && !behind {
                continue;
            }
            let step = if behind { STEP_SECONDS_MAX } else { passed };
            let to = Tick::from_seconds(self.simulation.now().seconds() + step);
            self.simulation
                .advance_into(to.min(until), &mut self.recorder)
                .map_err(words)?;
            lock(self.kept).now = self.simulation.now();
        }
        self.simulation
            .settle(until, &mut self.recorder)
            .map_err(words)
    }

    /// Enters a pull where the page saw the body, or at the end of final history if that has moved on.
    fn take(&mut self, pull: &Pull) -> Result<Pulled, String> {
        let wish = Vec3::new(pull.x, pull.y, pull.z);
        if !wish.is_finite() || !pull.time.is_finite() || wish.length() > SPEED_MAX {
            return Err(format!("a pull is at most {SPEED_MAX} m/s"));
        }
        let simulation = &mut self.simulation;
        let world = simulation.world();
        let Some(body) = world.bodies.get(pull.body as usize) else {
            return Err("there is no such body".into());
        };
        let mass = world.models[body.model.place()].mass.mass;
        let mut kept = lock(self.kept);
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
        let spare = simulation.branch();
        let change = simulation.input(input).map_err(words)?;
        kept.inputs.push(input);
        self.spare = Some(spare);
        Ok(Pulled {
            at: input.at.seconds(),
            now: simulation.now().seconds(),
            changed: change.changed.iter().map(|(body, _)| body.0).collect(),
            again: change.repeated.len(),
            inputs: kept.inputs.len(),
        })
    }

    /// A branch with all inputs so far, or with all but the last.
    fn branch(&mut self, inputs: usize) -> Result<Option<Branch>, String> {
        let all = lock(self.kept).inputs.len();
        let simulation = match self.spare.as_mut() {
            _ if inputs == all => self.simulation.branch(),
            Some(spare) if inputs + 1 == all => spare.branch(),
            _ => return Ok(None),
        };
        self.recorder.flush().map_err(words)?;
        Ok(Some(Branch {
            simulation,
            recording: self.recorder.partial_path().to_path_buf(),
        }))
    }
}

fn words(error: impl Display) -> String {
    error.to_string()
}

fn lock(kept: &Mutex<Taken>) -> MutexGuard<'_, Taken> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Event, OwnedSegment};
    use sim::scene::{builtin, load};

    fn going<'r>(
        world: &'r World,
        kept: &'r Mutex<Taken>,
        recorder: Recorder<'r>,
        simulation: Option<Simulation>,
    ) -> Going<'r> {
        let begun = || Simulation::new(world.clone(), RETAIN_SECONDS).expect("a sound world");
        Going {
            simulation: simulation.unwrap_or_else(begun),
            recorder,
            kept,
            spare: None,
        }
    }

    fn advance(going: &mut Going<'_>, seconds: f64) {
        let to = Tick::from_seconds(seconds);
        let advanced = going.simulation.advance_into(to, &mut going.recorder);
        advanced.expect("it runs");
    }

    /// Everything but further knots of what was told already.
    fn segments(path: &Path) -> Vec<OwnedSegment> {
        let reader = Reader::open(path).expect("a recording");
        let mut out = Vec::new();
        let read = reader.for_each_segment(i64::MIN, i64::MAX, |segment| {
            if segment.event != Event::Continue {
                out.push(OwnedSegment::from(segment));
            }
        });
        read.expect("it is read");
        out
    }

    /// A branch of a run that was pulled at goes on as if nobody had pulled, and its recording holds the past of both:
    /// the bytes of a run that nobody has pulled at.
    #[test]
    fn a_branch_without_the_last_pull_is_the_run_that_nobody_pulled_at() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = |name: &str| folder.path().join(format!("{name}.wline"));
        for (name, ball) in [("bouncing", 0), ("stack", 3), ("cloth-catch", 0)] {
            let text = builtin(name).expect("a scene").text;
            let mut world = load(name, text, &[]).expect("a sound scene").world;
            world.until = Tick::from_seconds(UNTIL_SECONDS);
            let kept = Mutex::new(Taken::default());
            let begin_at = |name: &str, past: Option<&Path>, gvt| {
                begin(&path(name), &world, past, gvt).expect("it can be written")
            };
            let mut plain = going(&world, &kept, begin_at("plain", None, Tick::ZERO), None);
            advance(&mut plain, 3.0);
            plain.recorder.finish("{}").expect("it is written");

            let mut run = going(&world, &kept, begin_at("run", None, Tick::ZERO), None);
            advance(&mut run, 1.7);
            let dynamic = world.bodies.iter().enumerate();
            let mut dynamic = dynamic.filter(|(_, body)| body.kind == sim::Kind::Dynamic);
            let body = dynamic.nth(ball).expect("a body to pull at").0 as u32;
            let pull = Pull {
                body,
                time: 1.2,
                x: 0.5,
                y: 4.0,
                z: 0.0,
            };
            let told = run.take(&pull).expect("it can be pulled at");
            assert!(told.changed.contains(&body), "{name}: {told:?}");
            advance(&mut run, 2.1);
            let branch = run.branch(0).expect("it answers").expect("a branch");
            let gvt = branch.simulation.gvt();
            assert!(gvt > Tick::ZERO, "{name}: they share a past");
            let recorder = begin_at("branch", Some(&branch.recording), gvt);
            let past = segments(recorder.partial_path());
            let shared = past.iter().filter(|s| s.as_segment().start < gvt.0).count();
            assert!(
                shared > 0,
                "{name}: whoever looks at it sees that past at once"
            );
            let taken = Mutex::new(Taken::default());
            let mut other = going(&world, &taken, recorder, Some(branch.simulation));
            advance(&mut other, 3.0);
            other.recorder.finish("{}").expect("it is written");
            advance(&mut run, 3.0);
            run.recorder.finish("{}").expect("it is written");

            let [plain, other, run] = ["plain", "branch", "run"].map(|name| segments(&path(name)));
            assert!(
                plain == other,
                "{name}: the branch has the history without the pull"
            );
            assert!(plain != run, "{name}: the pull did something");
            let [contacts, others] = ["plain", "branch"].map(|name| {
                let reader = Reader::open(path(name)).expect("a recording");
                reader
                    .contacts_between(i64::MIN, i64::MAX)
                    .expect("they are read")
            });
            assert!(contacts == others, "{name}: so has its list of contacts");
        }
    }
}
