//! One run: its clocks, its hash, its energy, and whoever listens to its history.

use crate::algorithm::Named;
use crate::changes::Changes;
use crate::energy::{Account, Energy};
use cpu_time::ThreadTime;
use physics::State;
use record::HistoryHash;
use sim::{Algorithm, History, LookAhead, RunError, Stats, Tape, World};
use std::time::Instant;

/// What a run leaves.
#[derive(Clone, Debug)]
pub struct Ran {
    /// Counters, clocks, energy.
    pub stats: Stats,
    /// The bodies' last states, in their principal frames.
    pub states: Vec<State>,
}

/// What runs a world: [`sim::run`], or something that brings more to it.
pub type Runner<'r> =
    dyn FnMut(&World, Algorithm, &mut dyn History) -> Result<(Stats, Vec<State>), RunError> + 'r;

/// Runs a world and fills in the statistics that only the outside can know (clocks and energy).
pub fn timed(world: &World, named: &Named, history: &mut dyn History) -> Result<Ran, RunError> {
    timed_by(world, named, history, &mut sim::run)
}

fn timed_by(
    world: &World,
    named: &Named,
    history: &mut dyn History,
    run: &mut Runner,
) -> Result<Ran, RunError> {
    let start = Energy::at_start(world);
    // The oracle is told what will happen; being told is not part of its cost.
    let mut tape = Tape::default();
    if named.algorithm == Algorithm::Oracle {
        sim::run(world, Algorithm::TimeWarp(LookAhead::Adaptive), &mut tape)?;
    }
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    let ran = match named.algorithm {
        Algorithm::Oracle => sim::replay(world, &tape, history),
        algorithm => run(world, algorithm, history),
    };
    let (wall, cpu) = (wall.elapsed(), cpu.elapsed());
    let (mut stats, states) = ran?;
    stats.scene = world.name.clone();
    stats.algorithm = named.name.clone();
    let mut vertices = Vec::new();
    for deformable in &world.deformables {
        vertices.clear();
        deformable.model.start().positions(&mut vertices);
        stats.vertices_total += vertices.len();
    }
    if stats.solver.is_empty() {
        let solver = world
            .contact
            .as_ref()
            .map_or("none", |rules| rules.solver.name());
        stats.solver = solver.into();
    }
    stats.wall_seconds = wall.as_secs_f64();
    // Executors on several threads bring the time of the others.
    stats.cpu_seconds += cpu.as_secs_f64();
    stats.energy_drift_relative = start.drift(&Energy::of(world, &states));
    Ok(Ran { stats, states })
}

/// Runs a world and also hashes its history.
pub fn hashed(world: &World, named: &Named, other: &mut dyn History) -> Result<Ran, RunError> {
    hashed_by(world, named, other, &mut sim::run)
}

fn hashed_by(
    world: &World,
    named: &Named,
    other: &mut dyn History,
    run: &mut Runner,
) -> Result<Ran, RunError> {
    let mut history = (HistoryHash::new(), other);
    let mut ran = timed_by(world, named, &mut history, run)?;
    ran.stats.history_sha256 = history.0.finish();
    Ok(ran)
}

/// Runs a world, hashes its history, and keeps the books of its energy if they are wanted.
pub fn measured(
    world: &World,
    named: &Named,
    books: bool,
    other: &mut dyn History,
) -> Result<Ran, RunError> {
    measured_by(world, named, books, other, &mut sim::run)
}

/// The same, run by something else than [`sim::run`].
pub fn measured_by(
    world: &World,
    named: &Named,
    books: bool,
    other: &mut dyn History,
    run: &mut Runner,
) -> Result<Ran, RunError> {
    let has_bodies = world.bodies.iter().any(|b| b.kind == sim::Kind::Dynamic);
    if !books || !(has_bodies || !world.deformables.is_empty()) {
        return hashed_by(world, named, other, run);
    }
    let mut history = (Changes::new(world, Account::new(world)), other);
    let mut ran = hashed_by(world, named, &mut history, run)?;
    history.0.conclude().conclude(&mut ran.stats);
    Ok(ran)
}
