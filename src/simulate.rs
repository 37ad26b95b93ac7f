//! One run: its clocks, its hash, its energy, and whoever listens to its history.

use crate::algorithm::Named;
use crate::changes::Changes;
use crate::energy::{Account, Energy};
use crate::failure::Failure;
use crate::recorder::{self, Aborted};
use cpu_time::ThreadTime;
use record::{HistoryHash, Segment};
use sim::{Algorithm, History, LookAhead, Stats, Tape, World};
use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::{Duration, Instant};
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
    let ran = catch_unwind(AssertUnwindSafe(|| match named.algorithm {
        Algorithm::Oracle => sim::replay(world, &tape, history),
        algorithm => sim::run(world, algorithm, history),
    }));
    let (wall, cpu) = (wall.elapsed(), cpu.elapsed());
    let (mut stats, states) = match ran {
        Ok(outcome) => outcome?,
        Err(payload) => match payload.downcast::<Aborted>() {
            Ok(aborted) => return Err(recorder::failure(aborted.0)),
            Err(panic) => resume_unwind(panic),
        },
    };
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
    name: String,
    until: f64,
    begun: Instant,
    /// When the bar was last drawn; nothing where there is no terminal.
    drawn: Option<Instant>,
}

/// Cells of the bar.
const CELLS: usize = 40;
/// The bar is drawn at most so often.
const REDRAWN: Duration = Duration::from_millis(100);

impl Progress {
    /// A bar for a world; invisible where there is no terminal.
    pub fn new(world: &World) -> Self {
        let begun = Instant::now();
        Progress {
            name: world.name.clone(),
            until: world.until.seconds(),
            begun,
            drawn: std::io::stderr().is_terminal().then_some(begun),
        }
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        if self.drawn.is_some() {
            eprint!("\r\x1b[2K");
        }
    }
}

impl History for Progress {
    fn segment(&mut self, _: &Segment<'_>) {}

    fn gvt(&mut self, tick: Tick) {
        let Some(drawn) = self.drawn.filter(|drawn| drawn.elapsed() >= REDRAWN) else {
            return;
        };
        let share = (tick.seconds() / self.until).clamp(0.0, 1.0);
        let full = (share * CELLS as f64) as usize;
        let (full, empty) = ("█".repeat(full), "░".repeat(CELLS - full));
        let elapsed = self.begun.elapsed().as_secs_f64();
        let left = match share > 0.0 {
            true => format!("{:.0} s to go", elapsed * (1.0 - share) / share),
            false => String::new(),
        };
        let percent = 100.0 * share;
        eprint!(
            "\r\x1b[2K{} {full}{empty} {percent:.0} %  {elapsed:.0} s, {left}",
            self.name
        );
        self.drawn = Some(drawn + drawn.elapsed());
    }
}
