//! Executors: who decides what is tried next. `ordered` and `timewarp` drive the same engine and
//! commit the same history; `rd` and `ca` are the synchronised baselines of Mirtich's section 2; `koenig` is another paper's
//! protocol.

mod ca;
mod checking;
mod event_driven;
mod governor;
#[cfg(feature = "koenig")]
mod koenig;
mod oracle;
mod rd;
mod regions;
mod synchronised;
mod throttle;
mod windows;
mod worker;

use event_driven::EventDriven;
#[cfg(feature = "koenig")]
pub use koenig::{Unknown, koenig_scene};
pub use oracle::Tape;
pub use regions::{Uplink, run_on_ranks, undivided};
pub(crate) use worker::{UpTo, work};

use crate::engine::{Engine, EngineError};
use crate::history::{History, HistoryError};
use crate::panicked::{Panicked, guarded, guarded_anywhere};
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use std::sync::Arc;
use warp::Tick;

/// How far bodies may run ahead of GVT.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LookAhead {
    /// Chosen from how much is rolled back.
    Adaptive,
    /// Not at all: pending events are tried in their total order.
    OneEvent,
    /// By this many seconds (rounded to a power of two of ticks).
    Seconds(f64),
}

/// The executors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Algorithm {
    /// Strict time order, nothing speculative: the reference for law 1.
    Ordered,
    /// Mirtich's loop: optimistic, with rollback.
    TimeWarp(LookAhead),
    /// All bodies take steps of this many seconds and are backed up to every collision (`rd:DT`).
    RetroactiveDetection(f64),
    /// All bodies advance to each lower bound on the next collision (`ca`).
    ConservativeAdvancement,
    /// Replays known events with no detection: the least any algorithm could do.
    Oracle,
    /// Regions on so many threads that run ahead together. Worlds that cannot be divided yet run as under
    /// [`Algorithm::TimeWarp`].
    Parallel(usize),
    /// Regions on the ranks of a job, so many threads on each: [`run_on_ranks`].
    Distributed(usize),
    /// Koenig's object-centric protocol, for balls that bounce off each other and off what stays (`koenig`). Its history is
    /// its own: states lie a sub-step apart. It is the same for any number of threads.
    #[cfg(feature = "koenig")]
    Koenig {
        /// The sub-step, ms.
        sub_step_ms: u32,
        /// Threads.
        threads: usize,
    },
    /// Runs every stretch of time forward, undoes a part of it, runs it again and compares.
    Checking,
}

/// Why a run failed.
#[derive(Clone, Debug, thiserror::Error)]
pub enum RunError {
    /// The engine gave up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Something has panicked.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// The executor knows rigid bodies only.
    #[error(
        "`{name}` is cloth or a shell, and {algorithm} simulates rigid bodies only; \
         use timewarp or ordered"
    )]
    Deformable {
        /// A deformable of the world.
        name: String,
        /// The executor.
        algorithm: &'static str,
    },
    /// The executor knows no joints.
    #[error("the world has joints, and {algorithm} knows none; use timewarp or ordered")]
    Joints {
        /// The executor.
        algorithm: &'static str,
    },
    /// The executor knows no multibodies.
    #[error("`{name}` is a multibody, and {algorithm} knows none; use timewarp or ordered")]
    Multibody {
        /// A multibody of the world.
        name: String,
        /// The executor.
        algorithm: &'static str,
    },
    /// The executor knows no periodic box.
    #[error("the box is periodic, and {algorithm} knows only walls; use timewarp or ordered")]
    Periodic {
        /// The executor.
        algorithm: &'static str,
    },
    /// The world cannot be divided into regions.
    #[error(
        "the world has {why}, and only free bodies can be distributed over ranks; run it by itself with `--algorithm timewarp`"
    )]
    Undivided {
        /// What keeps it from being divided.
        why: &'static str,
    },
    /// There are more ranks than regions.
    #[error(
        "{ranks} ranks are too many: the world's moving bodies make {regions} regions at most; start fewer ranks"
    )]
    FewRegions {
        /// The ranks.
        ranks: usize,
        /// The regions.
        regions: usize,
    },
    /// A region of another rank has failed.
    #[error("rank {rank}: {message}")]
    Rank {
        /// The rank.
        rank: usize,
        /// What it said.
        message: String,
    },
    /// A program by itself is no job of several ranks.
    #[error(
        "`distributed` runs on the ranks of a job: `mpirun -n RANKS warpline run SCENE --algorithm distributed`"
    )]
    NoRanks,
    /// The ranks have lost each other.
    #[error("the ranks have lost each other: {why}")]
    Network {
        /// How.
        why: String,
    },
    /// The executor takes no inputs.
    #[error(
        "the world has inputs, or forces that begin or end, and {algorithm} knows none; use timewarp or ordered"
    )]
    Inputs {
        /// The executor.
        algorithm: &'static str,
    },
    /// A stretch of time that was undone and run again came out otherwise.
    #[error(
        "`{body}` moves otherwise from {seconds} s on when what it has done is undone and done again: a callback, \
         force field or collision callback of the world is not a pure function of what it is given, or this is a \
         fault of the simulator"
    )]
    Unrepeatable {
        /// The first body that differs.
        body: String,
        /// From when on.
        seconds: f64,
    },
    /// The world has what Koenig's protocol does not know.
    #[cfg(feature = "koenig")]
    #[error(transparent)]
    Unknown(#[from] Unknown),
    /// Koenig's protocol could not begin, or did not come to its end.
    #[cfg(feature = "koenig")]
    #[error(transparent)]
    Koenig(#[from] ::koenig::Error),
    /// The step of retroactive detection is unusable.
    #[error(
        "the step of rd is {seconds} s; expected a positive, finite number of seconds, as in rd:0.01"
    )]
    Step {
        /// The step asked for.
        seconds: f64,
    },
}

impl From<HistoryError> for RunError {
    fn from(error: HistoryError) -> Self {
        RunError::Engine(EngineError::History(error))
    }
}

impl RunError {
    /// The history's error, if it was the history that could not go on.
    pub fn of_history(&self) -> Option<&HistoryError> {
        match self {
            RunError::Engine(EngineError::History(error)) => Some(error),
            _ => None,
        }
    }
}

/// Runs a world to its end and returns statistics and the final states. A panic on the way, in the simulator or
/// in a function that the world or the history brings, becomes an error; the history has then been told everything
/// up to the last GVT and nothing beyond it.
pub fn run(
    world: &World,
    algorithm: Algorithm,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    refuse_deformables(world, algorithm)?;
    let look_ahead = match algorithm {
        Algorithm::Ordered => LookAhead::OneEvent,
        // One region has nobody to talk to.
        Algorithm::Parallel(..=1) if regions::undivided(world).is_none() => LookAhead::OneEvent,
        Algorithm::TimeWarp(look_ahead) => look_ahead,
        Algorithm::Parallel(_) if regions::undivided(world).is_some() => LookAhead::Adaptive,
        Algorithm::RetroactiveDetection(step) => {
            return guarded_anywhere(|| rd::run_rd(world, step, history))?;
        }
        Algorithm::ConservativeAdvancement => {
            return guarded_anywhere(|| ca::run_ca(world, history))?;
        }
        Algorithm::Checking => return guarded_anywhere(|| checking::run_checking(world, history))?,
        Algorithm::Parallel(threads) => {
            return guarded_anywhere(|| regions::run_regions(world, threads, history))?;
        }
        #[cfg(feature = "koenig")]
        Algorithm::Koenig {
            sub_step_ms,
            threads,
        } => {
            let settings = (sub_step_ms, threads);
            return guarded_anywhere(|| koenig::run_koenig(world, settings, history))?;
        }
        Algorithm::Oracle => {
            let mut tape = Tape::default();
            run(world, Algorithm::TimeWarp(LookAhead::Adaptive), &mut tape)?;
            return replay(world, &tape, history);
        }
        Algorithm::Distributed(_) => return Err(RunError::NoRanks),
    };
    guarded_anywhere(|| {
        let mut engine = Engine::new(Arc::new(world.clone()), true);
        guarded(&mut engine, |engine| {
            let discipline = EventDriven::new(engine, look_ahead);
            work(engine, discipline, history)?;
            engine.commit(Tick::MAX, history)?;
            conclude(engine, world, history)
        })?
    })?
}

fn refuse_deformables(world: &World, algorithm: Algorithm) -> Result<(), RunError> {
    let algorithm = match algorithm {
        Algorithm::RetroactiveDetection(_) => "rd",
        Algorithm::ConservativeAdvancement => "ca",
        Algorithm::Oracle => "the oracle",
        Algorithm::Ordered
        | Algorithm::TimeWarp(_)
        | Algorithm::Parallel(_)
        | Algorithm::Distributed(_)
        | Algorithm::Checking => return Ok(()),
        #[cfg(feature = "koenig")]
        Algorithm::Koenig { .. } => return Ok(()),
    };
    if let Some(first) = world.multibodies.first() {
        return Err(RunError::Multibody {
            name: first.name.clone(),
            algorithm,
        });
    }
    let takes_inputs = algorithm == "the oracle";
    if world.periodic.is_some() && !takes_inputs {
        return Err(RunError::Periodic { algorithm });
    }
    match world.deformables.first() {
        None if !world.inputs.is_empty() && !takes_inputs => Err(RunError::Inputs { algorithm }),
        None if !world.joints.is_empty() => Err(RunError::Joints { algorithm }),
        None => Ok(()),
        Some(first) => Err(RunError::Deformable {
            name: first.name.clone(),
            algorithm,
        }),
    }
}

/// The oracle alone, on a tape made by an earlier run of the same world: what it costs is the limit
/// that the others are measured against.
pub fn replay(
    world: &World,
    tape: &Tape,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    guarded_anywhere(|| oracle::run_oracle(world, tape, history))?
}

/// Final states and statistics of an engine that has reached the end of its world.
fn conclude(
    engine: &mut Engine,
    world: &World,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    engine.finish(history)?;
    history.gvt(world.until)?;
    let states: Vec<State> = (0..world.bodies.len() as u32)
        .map(|b| {
            let body = crate::world::BodyId(b);
            engine
                .state_at(body, world.until)
                .unwrap_or(world.bodies[b as usize].start)
        })
        .collect();
    let mut stats = engine.take_stats();
    stats.conclude();
    Ok((stats, states))
}
