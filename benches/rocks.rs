//! A rock pile: 300 hulls of 20 vertices slide down a height field of 30 degrees onto a run-out and
//! come to rest. Warpline (`soft-step` under timewarp) beside Rapier f64 in one process, at several
//! rates: CPU time per simulated second against the largest overlaps, and rocks lost.
//!
//! `cargo bench --bench rocks [-- --quick] [--only TEXT] [--csv FILE]`

#[path = "measure/frames.rs"]
mod frames;
mod measure;
#[path = "measure/rapier.rs"]
mod rapier;
#[path = "measure/terrain.rs"]
mod terrain;

use measure::{Options, Table, cpu};
use physics::State;
use sim::{Algorithm, LookAhead, World};
use terrain::Depths;

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
/// Both sides are asked for overlaps this often, per simulated second.
const AUDITS_PER_SECOND: u32 = 60;
const DENSITY: f64 = 2500.0;

/// A way to run the pile.
#[derive(Clone, Copy, PartialEq)]
enum Engine {
    /// Steps per second and sub-steps in each.
    Warpline(u32, u32),
    /// Steps per second.
    Rapier(u32),
}

/// What the others are measured by.
const REFERENCE: Engine = Engine::Rapier(240);
/// The curve of time against overlap, for both engines.
const ENGINES: [Engine; 10] = [
    Engine::Rapier(60),
    Engine::Rapier(120),
    REFERENCE,
    Engine::Warpline(60, 2),
    Engine::Warpline(60, 4),
    Engine::Warpline(60, 8),
    Engine::Warpline(120, 2),
    Engine::Warpline(120, 4),
    Engine::Warpline(240, 2),
    Engine::Warpline(240, 4),
];

impl Engine {
    fn name(self) -> String {
        match self {
            Engine::Warpline(hertz, substeps) => format!("Warpline {hertz} Hz x {substeps}"),
            Engine::Rapier(hertz) => format!("Rapier {hertz} Hz"),
        }
    }
}

fn main() {
    let options = Options::parse();
    let (rocks, seconds, repetitions) = if options.quick {
        (300, 3.0, 1)
    } else {
        (300, 10.0, 2)
    };
    let wanted = |engine: &Engine| {
        let only = options.only.as_deref().unwrap_or("");
        engine.name().contains(only)
    };
    let engines: Vec<Engine> = ENGINES.into_iter().filter(wanted).collect();
    let mut best = vec![f64::INFINITY; engines.len()];
    let mut depths = Vec::new();
    for round in 0..repetitions {
        for (place, engine) in engines.iter().enumerate() {
            let (seconds_cpu, found) = run(*engine, rocks, seconds, round == 0);
            best[place] = best[place].min(seconds_cpu);
            depths.extend(found);
        }
    }
    let reference = engines.iter().position(|e| *e == REFERENCE);
    let times = |seconds_cpu: f64| match reference {
        Some(place) => format!("{:.2}", seconds_cpu / best[place]),
        None => String::from("-"),
    };
    let mut table = Table::new(&[
        "engine",
        "CPU ms per simulated s",
        "overlap of rocks (mm)",
        "overlap with ground (mm)",
        "rocks lost",
        "times Rapier 240 Hz",
    ]);
    for ((engine, &seconds_cpu), depth) in engines.iter().zip(&best).zip(&depths) {
        table.row(vec![
            engine.name(),
            format!("{:.0}", 1e3 * seconds_cpu / seconds),
            format!("{:.2}", 1e3 * depth.rocks),
            format!("{:.2}", 1e3 * depth.ground),
            depth.lost.to_string(),
            times(seconds_cpu),
        ]);
    }
    table.finish(&options);
}

/// CPU seconds of one run, and the overlaps if they are asked for.
fn run(engine: Engine, rocks: usize, seconds: f64, audit: bool) -> (f64, Option<Depths>) {
    match engine {
        Engine::Warpline(hertz, substeps) => {
            let world = terrain::pile(rocks, seconds, (hertz, substeps), DENSITY);
            let depths = audit.then(|| audit_warpline(&world));
            (measure::run(&world, TIMEWARP).0, depths)
        }
        Engine::Rapier(hertz) => {
            let world = terrain::pile(rocks, seconds, (hertz, 4), DENSITY);
            let (seconds_cpu, depths) = run_rapier(&world, seconds, hertz, audit);
            (seconds_cpu, audit.then_some(depths))
        }
    }
}

fn audit_warpline(world: &World) -> Depths {
    let mut depths = Depths::default();
    let all = frames::Frames::of(world, TIMEWARP, f64::from(AUDITS_PER_SECOND));
    for states in &all.states {
        depths.look(world, states);
    }
    depths
}

/// One run of Rapier; only its steps are timed.
fn run_rapier(world: &World, seconds: f64, hertz: u32, audit: bool) -> (f64, Depths) {
    let mut copy = rapier::Copy::of(world, DENSITY, hertz);
    let mut states: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    let mut depths = Depths::default();
    let mut cpu_seconds = 0.0;
    for step in 1..=(seconds * f64::from(hertz)).round() as u32 {
        cpu_seconds += cpu(|| copy.physics.step()).0;
        if audit && step % (hertz / AUDITS_PER_SECOND) == 0 {
            copy.read(&mut states);
            depths.look(world, &states);
        }
    }
    (cpu_seconds, depths)
}
