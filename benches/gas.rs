//! A gas of elastic spheres: Warpline beside Rapier (f64, 60 and 240 Hz, continuous collision
//! detection) in one process. CPU time per simulated second, energy that was lost, deepest overlap.
//!
//! `cargo bench --bench gas [-- --quick] [--csv FILE]`

mod measure;
#[path = "measure/peer.rs"]
mod peer;

use measure::{Options, Table, cpu, scene};
use peer::rapier_world;
use record::Segment;
use sim::overlap::overlaps;
use sim::{Algorithm, History, LookAhead, World};
use warp::Tick;

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
/// Both sides are asked for overlaps this often, per simulated second.
const AUDITS_PER_SECOND: u32 = 60;

/// Best of the repetitions so far.
struct Measured {
    name: String,
    cpu_seconds: f64,
    energy_change: f64,
    overlap: f64,
}

fn main() {
    let options = Options::parse();
    // Spheres, simulated seconds, repetitions.
    let cases: &[(usize, f64, u32)] = if options.quick {
        &[(200, 2.0, 2), (1_000, 1.0, 2), (5_000, 0.25, 1)]
    } else {
        &[
            (200, 10.0, 5),
            (1_000, 5.0, 5),
            (5_000, 2.0, 3),
            (20_000, 0.2, 2),
        ]
    };
    let mut table = Table::new(&[
        "spheres",
        "engine",
        "CPU ms per simulated s",
        "energy change",
        "largest overlap (mm)",
        "times Warpline's CPU",
    ]);
    for &(count, seconds, repetitions) in cases {
        let settings = [format!("bodies={count}"), format!("duration={seconds}")];
        let world = scene("gas", &settings);
        let all = compare(&world, seconds, repetitions);
        for measured in &all {
            table.row(measured.cells(count, seconds, all[0].cpu_seconds));
        }
    }
    table.finish(&options);
}

impl Measured {
    fn cells(&self, count: usize, seconds: f64, reference: f64) -> Vec<String> {
        vec![
            count.to_string(),
            self.name.clone(),
            format!("{:.2}", 1e3 * self.cpu_seconds / seconds),
            format!("{:.1e}", self.energy_change),
            format!("{:.1e}", 1e3 * self.overlap),
            format!("{:.1}", self.cpu_seconds / reference),
        ]
    }
}

/// All engines on one world, taking turns.
fn compare(world: &World, seconds: f64, repetitions: u32) -> Vec<Measured> {
    let mut all = vec![audit_warpline(world)];
    for hertz in [60, 240] {
        all.push(Measured {
            name: format!("Rapier {hertz} Hz"),
            cpu_seconds: f64::INFINITY,
            energy_change: 0.0,
            overlap: 0.0,
        });
    }
    for _ in 0..repetitions {
        all[0].cpu_seconds = all[0].cpu_seconds.min(measure::run(world, TIMEWARP).0);
        for (place, hertz) in [(1, 60), (2, 240)] {
            run_rapier(world, seconds, hertz, &mut all[place]);
        }
    }
    all
}

/// Kinetic energy of unit masses, joules.
fn energy(velocities: impl Iterator<Item = physics::Vec3>) -> f64 {
    velocities.map(|v| 0.5 * v.length_squared()).sum()
}

/// The deepest overlap of the world's bodies at the given states, metres.
fn deepest(world: &World, states: &[physics::State]) -> f64 {
    let mut worst: f64 = 0.0;
    overlaps(world, states, 0.0, |_, _, depth| worst = worst.max(depth));
    worst
}

/// A run that is looked at instead of timed: states at every audit come from the history.
fn audit_warpline(world: &World) -> Measured {
    let mut audit = Audit {
        world,
        states: world.bodies.iter().map(|b| b.start).collect(),
        segments: vec![None; world.bodies.len()],
        next: 0,
        overlap: 0.0,
    };
    let (stats, states) = match sim::run(world, TIMEWARP, &mut audit) {
        Ok(result) => result,
        Err(error) => panic!("the gas failed: {error}"),
    };
    let before = energy(world.bodies.iter().map(|b| b.start.velocity));
    let after = energy(states.iter().map(|s| s.velocity));
    Measured {
        name: "Warpline timewarp".into(),
        cpu_seconds: f64::INFINITY,
        energy_change: after / before - 1.0,
        // At each collision as well, where it is deepest.
        overlap: audit.overlap.max(stats.max_penetration_m),
    }
}

struct Audit<'w> {
    world: &'w World,
    states: Vec<physics::State>,
    segments: Vec<Option<Segment<'static>>>,
    next: u32,
    overlap: f64,
}

impl History for Audit<'_> {
    fn segment(&mut self, segment: &Segment<'_>) -> sim::Told {
        while segment.start > self.tick() {
            self.look();
        }
        self.segments[segment.body as usize] = Some(Segment {
            knots: &[],
            ..*segment
        });
        Ok(())
    }
}

impl Audit<'_> {
    fn tick(&self) -> i64 {
        Tick::from_seconds(f64::from(self.next) / f64::from(AUDITS_PER_SECOND)).0
    }

    fn look(&mut self) {
        let tick = self.tick();
        for (state, segment) in self.states.iter_mut().zip(&self.segments) {
            if let Some(segment) = segment {
                state.position = physics::Vec3::from_array(segment.state(tick).position);
            }
        }
        self.overlap = self.overlap.max(deepest(self.world, &self.states));
        self.next += 1;
    }
}

/// One run of Rapier; only its steps are timed.
fn run_rapier(world: &World, seconds: f64, hertz: u32, measured: &mut Measured) {
    let (mut physics, handles) = rapier_world(world, hertz);
    let steps = (seconds * f64::from(hertz)).round() as u32;
    let mut states: Vec<physics::State> = world.bodies.iter().map(|b| b.start).collect();
    let mut cpu_seconds = 0.0;
    let mut overlap: f64 = 0.0;
    for step in 1..=steps {
        cpu_seconds += cpu(|| physics.step()).0;
        if step % (hertz / AUDITS_PER_SECOND) == 0 {
            for (body, handle) in &handles {
                states[*body].position = physics.bodies[*handle].translation();
            }
            overlap = overlap.max(deepest(world, &states));
        }
    }
    let before = energy(world.bodies.iter().map(|b| b.start.velocity));
    let after = energy(handles.iter().map(|(_, h)| physics.bodies[*h].linvel()));
    measured.cpu_seconds = measured.cpu_seconds.min(cpu_seconds);
    measured.energy_change = after / before - 1.0;
    measured.overlap = overlap;
}
