//! A heap: boxes, balls and rocks (the scene `heap`) fall onto open ground. Warpline (`soft-step` under timewarp) beside
//! Rapier f64 in one process, at several rates: CPU time per simulated second, the largest and the mean overlap, and how
//! many bodies are at rest at the end.
//!
//! `cargo bench --bench heap [-- --quick] [--only TEXT] [--csv FILE]`

#[path = "measure/frames.rs"]
mod frames;
mod measure;
#[path = "measure/rapier.rs"]
mod rapier;

use measure::{Options, Table, cpu};
use physics::State;
use sim::world::Kind;
use sim::{Algorithm, LookAhead, World};

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
/// Both sides are asked for overlaps this often, per simulated second.
const AUDITS_PER_SECOND: u32 = 30;
const DENSITY: f64 = 1000.0;
/// What has come less far than this between the last two looks is at rest, metres.
const AT_REST: f64 = 1e-3;

/// A way to run the heap.
#[derive(Clone, Copy, PartialEq)]
enum Engine {
    /// Steps per second and sub-steps in each.
    Warpline(u32, u32),
    /// Steps per second.
    Rapier(u32),
}

/// What the others are measured by.
const REFERENCE: Engine = Engine::Rapier(60);
const ENGINES: [Engine; 8] = [
    REFERENCE,
    Engine::Rapier(120),
    Engine::Rapier(240),
    Engine::Warpline(60, 2),
    Engine::Warpline(60, 4),
    Engine::Warpline(60, 8),
    Engine::Warpline(120, 4),
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

/// What was seen of a run.
#[derive(Default)]
struct Sight {
    /// Metres.
    deepest: f64,
    /// Sum and number of the deepest overlap of each look, metres.
    sum: f64,
    looks: u32,
    before: Vec<State>,
    at_rest: usize,
}

impl Sight {
    fn look(&mut self, world: &World, states: &[State]) {
        let mut deepest = 0f64;
        sim::overlap::overlaps(world, states, 0.0, |_, _, depth| {
            deepest = deepest.max(depth)
        });
        self.deepest = self.deepest.max(deepest);
        self.sum += deepest;
        self.looks += 1;
        let bodies = world.bodies.iter().zip(states.iter().zip(&self.before));
        let rests = bodies.filter(|(body, (now, before))| {
            body.kind == Kind::Dynamic && (now.position - before.position).length() < AT_REST
        });
        self.at_rest = rests.count();
        self.before.clear();
        self.before.extend_from_slice(states);
    }
}

fn main() {
    let options = Options::parse();
    let (sizes, seconds): (&[u32], f64) = match options.quick {
        true => (&[300], 2.0),
        false => (&[1000, 10_000], 5.0),
    };
    let mut table = Table::new(&[
        "bodies",
        "engine",
        "CPU ms per simulated s",
        "largest overlap (mm)",
        "mean of the deepest (mm)",
        "at rest",
        "times Rapier 60 Hz",
    ]);
    let only = options.only.as_deref().unwrap_or("");
    for &bodies in sizes {
        let mut reference = f64::NAN;
        let wanted = |engine: &Engine| format!("{bodies}: {}", engine.name()).contains(only);
        for engine in ENGINES.into_iter().filter(wanted) {
            let (cpu_seconds, sight) = run(engine, bodies, seconds);
            if engine == REFERENCE {
                reference = cpu_seconds;
            }
            table.row(vec![
                bodies.to_string(),
                engine.name(),
                format!("{:.0}", 1e3 * cpu_seconds / seconds),
                format!("{:.2}", 1e3 * sight.deepest),
                format!("{:.2}", 1e3 * sight.sum / f64::from(sight.looks.max(1))),
                sight.at_rest.to_string(),
                format!("{:.2}", cpu_seconds / reference),
            ]);
        }
    }
    table.finish(&options);
}

/// CPU seconds of one run, and what was seen of it.
fn run(engine: Engine, bodies: u32, seconds: f64) -> (f64, Sight) {
    let mut settings = vec![format!("bodies={bodies}"), format!("duration={seconds}")];
    let mut sight = Sight::default();
    match engine {
        Engine::Warpline(hertz, substeps) => {
            settings.push(format!("contact.step={:?}", 1.0 / f64::from(hertz)));
            settings.push(format!("contact.substeps={substeps}"));
            let world = measure::scene("heap", &settings);
            let frames = frames::Frames::of(&world, TIMEWARP, f64::from(AUDITS_PER_SECOND));
            for states in &frames.states {
                sight.look(&world, states);
            }
            (measure::run(&world, TIMEWARP).0, sight)
        }
        Engine::Rapier(hertz) => {
            let world = measure::scene("heap", &settings);
            let mut copy = rapier::Copy::of(&world, DENSITY, hertz);
            let mut states: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
            let mut cpu_seconds = 0.0;
            for step in 1..=(seconds * f64::from(hertz)).round() as u32 {
                cpu_seconds += cpu(|| copy.physics.step()).0;
                if step % (hertz / AUDITS_PER_SECOND) == 0 {
                    copy.read(&mut states);
                    sight.look(&world, &states);
                }
            }
            (cpu_seconds, sight)
        }
    }
}
