//! Runs a planned world under every executor, within bounds of time and memory, and says what is wrong
//! with what it saw. Wrong is: histories that differ, a panic, numbers that are not finite, a run that
//! does not end or takes far more work, time or memory than the ordered one.

use super::plan::{HERTZ, LATEST, Plan};
use cpu_time::ProcessTime;
use record::{HistoryHash, Segment};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use warp::Tick;
use warpline_sim::{Algorithm, CheckpointError, History, Simulation, SimulationError, World, run};

/// What a run may cost.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// The ordered run, and what every other run may take however fast that was, in CPU time.
    pub seconds: f64,
    /// Times the ordered run's seconds that another may take on top.
    pub times: f64,
    /// Bytes of memory of the process.
    pub bytes: u64,
}

impl Default for Bounds {
    /// Worlds are small: the ordered run takes milliseconds.
    fn default() -> Self {
        Bounds {
            seconds: 20.0,
            times: 20.0,
            bytes: 2 << 30,
        }
    }
}

/// What came out.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// All as it should be; events committed and segments undone, over all runs.
    Sound {
        /// Events of the ordered run.
        events: u64,
        /// Segments undone by the others.
        undone: u64,
    },
    /// The run ended with an error for its user, the same under every executor.
    Failed(String),
    /// The scene was refused.
    Refused(String),
    /// A fault.
    Fault(String),
}

/// How a run ended: the hash of its history, or the error told to the user.
#[derive(Clone, Debug, PartialEq)]
struct Outcome {
    history: Result<String, String>,
    not_finite: Option<String>,
    events: u64,
    undone: u64,
    work: u64,
}

/// Hashes what is committed and looks for numbers that are none.
#[derive(Default)]
struct Witness {
    hash: Option<HistoryHash>,
    with_vertices: bool,
    not_finite: Option<String>,
}

impl Witness {
    fn new(with_vertices: bool) -> Self {
        Witness {
            hash: Some(HistoryHash::new()),
            with_vertices,
            not_finite: None,
        }
    }
}

impl History for Witness {
    fn segment(&mut self, s: &Segment<'_>) -> warpline_sim::Told {
        let numbers = [s.position, s.velocity, s.acceleration, s.spin];
        let rest = s.rotation.iter().chain([&s.impulse]);
        let is_finite = numbers
            .as_flattened()
            .iter()
            .chain(rest)
            .all(|x| x.is_finite());
        if !is_finite && self.not_finite.is_none() {
            self.not_finite = Some(format!("a committed number is not finite: {s:?}"));
        }
        if let Some(hash) = &mut self.hash {
            hash.push(s);
        }
        Ok(())
    }

    fn vertices(
        &mut self,
        deformable: u32,
        tick: Tick,
        positions: &[[f64; 3]],
    ) -> warpline_sim::Told {
        let is_finite = positions.as_flattened().iter().all(|x| x.is_finite());
        if !is_finite && self.not_finite.is_none() {
            let seconds = tick.seconds();
            self.not_finite = Some(format!(
                "deformable {deformable} is not finite at {seconds} s"
            ));
        }
        if let (Some(hash), true) = (&mut self.hash, self.with_vertices) {
            hash.push_vertices(deformable, tick.0, positions);
        }
        Ok(())
    }
}

/// Bytes that this process holds in memory; none where the system does not tell.
fn resident_bytes() -> Option<u64> {
    let pages = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: u64 = pages.split_whitespace().nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

/// A machine that others use, too, may give a run so much less time than passes.
const WAITING: f64 = 20.0;

/// Does something on a thread of its own, within bounds. What exceeds them is left behind: whoever
/// hears of it ends the process. Tells the CPU seconds it took.
fn bounded<T: Send + 'static>(
    seconds: f64,
    bytes: u64,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<(T, f64), String> {
    let (tell, hear) = mpsc::channel();
    let (began, worked) = (Instant::now(), ProcessTime::now());
    std::thread::spawn(move || {
        let done = catch_unwind(AssertUnwindSafe(work));
        let _ = tell.send(done.map_err(|payload| {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).into()));
            text.unwrap_or_else(|| "no message".into())
        }));
    });
    loop {
        match hear.recv_timeout(Duration::from_millis(100)) {
            Ok(Ok(value)) => return Ok((value, worked.elapsed().as_secs_f64())),
            Ok(Err(panic)) => return Err(format!("panics: {panic}")),
            Err(mpsc::RecvTimeoutError::Disconnected) => return Err("ends without a word".into()),
            Err(mpsc::RecvTimeoutError::Timeout) => {}
        }
        let waited = began.elapsed().as_secs_f64();
        if worked.elapsed().as_secs_f64() > seconds || waited > WAITING * seconds {
            return Err(format!("does not end within {seconds:.0} s"));
        }
        if let Some(held) = resident_bytes().filter(|held| *held > bytes) {
            return Err(format!("takes {} MB of memory", held >> 20));
        }
    }
}

/// Runs a world to its end.
fn outcome(world: &World, algorithm: Algorithm, with_vertices: bool) -> Outcome {
    let mut witness = Witness::new(with_vertices);
    let ran = run(world, algorithm, &mut witness);
    let hash = witness.hash.take().map(HistoryHash::finish);
    let (stats, error) = match ran {
        Ok((stats, _)) => (stats, None),
        Err(error) => (Default::default(), Some(error.to_string())),
    };
    Outcome {
        history: error.map_or(Ok(hash.unwrap_or_default()), Err),
        not_finite: witness.not_finite,
        events: stats.events_committed,
        undone: stats.segments_undone,
        work: stats.segments_begun + stats.checks + stats.group_steps,
    }
}

/// A frame's tick.
fn frame(number: u32) -> Tick {
    Tick(i64::from(number) * ((1 << 40) / i64::from(HERTZ)))
}

/// Talks to a simulation: inputs arrive late, a branch goes its own way and is dropped, the whole is
/// saved and resumed. The history of bodies that becomes final by the plan's end.
fn talked(plan: &Plan, world: &World) -> Result<Outcome, String> {
    let inputs = plan.inputs(world);
    let told = |error: SimulationError| error.to_string();
    let retain = f64::from(LATEST + 2) / f64::from(HERTZ);
    let mut witness = Witness::new(false);
    let mut sim = Simulation::new(world.clone(), retain).map_err(told)?;
    let mut failed = None;
    for number in 0..=plan.frames + LATEST + 2 {
        for (_, input) in inputs.iter().filter(|(arrives, _)| *arrives == number) {
            sim.input(*input).map_err(told)?;
        }
        if let Err(error) = sim.advance_into(frame(number), &mut witness) {
            failed = Some(error.to_string());
            break;
        }
        if plan.branch == Some(number) {
            let mut branch = sim.branch();
            let disturb = inputs.first().map(|(_, input)| *input);
            if let Some(mut input) = disturb {
                (input.at, input.order) = (frame(number), 1 << 20);
                // A branch that fails must leave its trunk alone as well.
                let _ = branch.input(input);
            }
            let _ = branch.advance(frame(number + 8));
        }
        if plan.checkpoint == Some(number) {
            sim = resumed(sim, world)?;
        }
    }
    let hash = witness.hash.take().map(HistoryHash::finish);
    Ok(Outcome {
        history: failed.map_or(Ok(hash.unwrap_or_default()), Err),
        not_finite: witness.not_finite,
        events: 0,
        undone: sim.stats().segments_undone,
        work: 0,
    })
}

/// Saved to a file and read again.
fn resumed(sim: Simulation, world: &World) -> Result<Simulation, String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let path = folder.path().join("state.warp");
    match sim.save(&path) {
        Ok(()) => {
            drop(sim);
            Simulation::load(&path, world.clone()).map_err(|e| format!("what was saved: {e}"))
        }
        Err(CheckpointError::Unsaveable { .. }) => Ok(sim),
        Err(error) => Err(format!("cannot be saved: {error}")),
    }
}

/// Runs a plan under every executor.
pub fn judge(plan: &Plan, bounds: Bounds) -> Verdict {
    match examine(plan, bounds) {
        Ok(verdict) => verdict,
        Err(fault) => Verdict::Fault(fault),
    }
}

fn examine(plan: &Plan, bounds: Bounds) -> Result<Verdict, String> {
    let for_scene = plan.clone();
    let read = move || for_scene.world().map_err(|e| e.to_string());
    let (read, _) = bounded(bounds.seconds, bounds.bytes, read)
        .map_err(|fault| format!("reading the scene {fault}"))?;
    let world = match read {
        Ok(world) => world,
        Err(refused) => return Ok(Verdict::Refused(refused)),
    };
    let mut with_inputs = world.clone();
    with_inputs.inputs = plan
        .inputs(&world)
        .into_iter()
        .map(|(_, input)| input)
        .collect();
    if let Err(refused) = with_inputs.validate() {
        return Ok(Verdict::Refused(refused.to_string()));
    }
    let ran = |algorithm: Algorithm, seconds: f64, with_vertices: bool| {
        let world = with_inputs.clone();
        let work = move || outcome(&world, algorithm, with_vertices);
        let done = bounded(seconds, bounds.bytes, work);
        let (found, seconds) = done.map_err(|fault| format!("{algorithm:?} {fault}"))?;
        match &found.not_finite {
            Some(what) => Err(format!("{algorithm:?}: {what}")),
            None => Ok((found, seconds)),
        }
    };
    let (reference, seconds) = ran(Algorithm::Ordered, bounds.seconds, true)?;
    let allowed = bounds.seconds + bounds.times * seconds;
    let mut undone = 0;
    for look_ahead in &plan.look_aheads {
        let (found, _) = ran(Algorithm::TimeWarp(*look_ahead), allowed, true)?;
        agree(&found, &reference, &format!("timewarp, {look_ahead:?}"))?;
        undone += found.undone;
    }
    let is_rigid = world.deformables.is_empty() && world.joints.is_empty();
    if is_rigid && reference.history.is_ok() {
        let (found, _) = ran(Algorithm::Oracle, allowed, true)?;
        agree(&found, &reference, "the oracle")?;
    }
    // Vertices are handed over with their steps, one of which may stand at the very end.
    let (bodies, _) = ran(Algorithm::Ordered, allowed, false)?;
    let (plan_, world_) = (plan.clone(), world.clone());
    let done = bounded(3.0 * allowed, bounds.bytes, move || talked(&plan_, &world_));
    let (found, _) = done.map_err(|fault| format!("the simulation {fault}"))?;
    let found = found.map_err(|fault| format!("the simulation: {fault}"))?;
    if let Some(what) = found.not_finite {
        return Err(format!("the simulation: {what}"));
    }
    // It runs on beyond the end, and may meet an error there.
    if bodies.history.is_ok() && found.history.is_ok() && found.history != bodies.history {
        return Err("the simulation that was talked to has another history".into());
    }
    if bodies.history.is_err() && found.history.is_ok() {
        return Err("the simulation does not tell the error that the run has met".into());
    }
    Ok(match reference.history {
        Ok(_) => Verdict::Sound {
            events: reference.events,
            undone,
        },
        Err(error) => Verdict::Failed(error),
    })
}

/// How much more a speculative run may do than the ordered one, counted in segments, checks and group
/// steps: what is undone is done again, a few times at most; small worlds have a start to look at.
const WORK_TIMES: u64 = 30;
const WORK_FREE: u64 = 20_000;

fn agree(found: &Outcome, reference: &Outcome, who: &str) -> Result<(), String> {
    if found.history != reference.history {
        let (a, b) = (&found.history, &reference.history);
        return Err(format!("{who} has another history: {a:?} instead of {b:?}"));
    }
    if found.work > WORK_TIMES * reference.work + WORK_FREE {
        let (a, b) = (found.work, reference.work);
        return Err(format!("{who} does {a} units of work, the ordered run {b}"));
    }
    Ok(())
}
