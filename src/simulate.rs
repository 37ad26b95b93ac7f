//! One run: its clocks, its hash, its energy, and whoever listens to its history.

use crate::algorithm::Named;
use crate::changes::Changes;
use crate::energy::{Account, Energy};
use crate::failure::Failure;
use cpu_time::ThreadTime;
use indicatif::{ProgressBar, ProgressStyle};
use record::{HistoryHash, Segment};
use sim::{Algorithm, History, LookAhead, Stats, Tape, World};
use std::time::Instant;
use warp::Tick;

/// Runs a world and fills in the statistics that only the outside can know (clocks and energy).
pub fn simulate(world: &World, named: &Named, history: &mut dyn History) -> Result<Stats, Failure> {
    let start = Energy::at_start(world);
    // The oracle is told what will happen; being told is not part of its cost.
    let mut tape = Tape::default();
    if named.algorithm == Algorithm::Oracle {
        sim::run(world, Algorithm::TimeWarp(LookAhead::Adaptive), &mut tape)?;
    }
    let (wall, cpu) = (Instant::now(), ThreadTime::now());
    let ran = match named.algorithm {
        Algorithm::Oracle => sim::replay(world, &tape, history),
        algorithm => sim::run(world, algorithm, history),
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
    stats.cpu_seconds = cpu.as_secs_f64();
    stats.energy_drift_relative = start.drift(&Energy::of(world, &states));
    Ok(stats)
}

/// Runs a world and also hashes its history.
pub fn simulate_hashed(
    world: &World,
    named: &Named,
    other: &mut dyn History,
) -> Result<Stats, Failure> {
    let mut history = (HistoryHash::new(), other);
    let mut stats = simulate(world, named, &mut history)?;
    stats.history_sha256 = history.0.finish();
    Ok(stats)
}

/// Runs a world, hashes its history, and keeps the books of its energy if they are wanted.
pub fn simulate_measured(
    world: &World,
    named: &Named,
    books: bool,
    other: &mut dyn History,
) -> Result<Stats, Failure> {
    let has_bodies = world.bodies.iter().any(|b| b.kind == sim::Kind::Dynamic);
    if !books || !has_bodies {
        return simulate_hashed(world, named, other);
    }
    let mut history = (Changes::new(world, Account::new(world)), other);
    let mut stats = simulate_hashed(world, named, &mut history)?;
    history.0.conclude().conclude(&mut stats);
    Ok(stats)
}

/// Shows GVT as a bar on a terminal.
pub struct Progress {
    bar: ProgressBar,
    until: f64,
}

/// Steps of the bar.
const STEPS: f64 = 1e4;

impl Progress {
    /// A bar for a world; invisible where there is no terminal.
    pub fn new(world: &World) -> Self {
        let bar = ProgressBar::new(STEPS as u64);
        let template = "{msg} {bar:40.cyan/blue} {percent:>3} %  {elapsed} elapsed, {eta} to go";
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.set_message(world.name.clone());
        Progress {
            bar,
            until: world.until.seconds(),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl History for Progress {
    fn segment(&mut self, _: &Segment<'_>) -> sim::Told {
        Ok(())
    }

    fn gvt(&mut self, tick: Tick) -> sim::Told {
        let share = (tick.seconds() / self.until).clamp(0.0, 1.0);
        self.bar.set_position((share * STEPS) as u64);
        Ok(())
    }
}
