//! Where truths are measured: scenes of `scenes/` by name, run under any solver, rate and executor,
//! and the quantities that mechanics conserves.
#![allow(dead_code, reason = "every subject uses a part of the laboratory")]

use physics::{State, Vec3};
use std::path::Path;
use warp::Tick;
use warpline_sim::scene::{self, Override};
use warpline_sim::{Algorithm, Discard, Kind, RunError, Simulation, Stats, World, run};

/// The solvers of contact groups.
pub const SOLVERS: [&str; 3] = ["soft-step", "penalty", "impulse"];

/// A scene of `scenes/` with `KEY=VALUE` overrides.
pub fn load(name: &str, sets: &[&str]) -> World {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/truths/scenes")
        .join(format!("{name}.toml"));
    let text = std::fs::read_to_string(&path).expect("a scene of the laboratory");
    let parse = |set: &&str| Override::parse(set).expect("KEY=VALUE");
    let overrides: Vec<Override> = sets.iter().map(parse).collect();
    let file = path.to_str().expect("a readable path");
    match scene::load(file, &text, &overrides) {
        Ok(scene) => scene.world,
        Err(error) => panic!("{name}: {error}"),
    }
}

/// A scene under one solver.
pub fn load_with(name: &str, solver: &str, sets: &[&str]) -> World {
    let solver = format!("contact.solver={solver}");
    let mut all = vec![solver.as_str()];
    all.extend_from_slice(sets);
    load(name, &all)
}

/// A scene written where it is needed, with `KEY=VALUE` overrides.
pub fn scene(text: &str, sets: &[&str]) -> World {
    let parse = |set: &&str| Override::parse(set).expect("KEY=VALUE");
    let overrides: Vec<Override> = sets.iter().map(parse).collect();
    match scene::load("a scene", text, &overrides) {
        Ok(scene) => scene.world,
        Err(error) => panic!("line {}: {error}", error.line()),
    }
}

/// A scene with a `[contact]` table under one solver, with so many steps a second.
pub fn scene_with(text: &str, solver: &str, hertz: u32) -> World {
    let (solver, step) = (
        format!("contact.solver={solver}"),
        format!("contact.step={}", 1.0 / f64::from(hertz)),
    );
    scene(text, &[&solver, &step])
}

/// What a run came to.
pub fn outcome(world: &World) -> Result<(Stats, Vec<State>), RunError> {
    run(world, Algorithm::Ordered, &mut Discard)
}

/// The final states of a run that must succeed.
pub fn end_of(world: &World) -> Vec<State> {
    match outcome(world) {
        Ok((_, states)) => states,
        Err(error) => panic!("{}: {error}", world.name),
    }
}

/// States of all bodies at `count` evenly spaced times up to `until`, the start left out.
pub fn samples(world: &World, until: f64, count: u32) -> Vec<(f64, Vec<State>)> {
    let bodies = world.bodies.len() as u32;
    let mut sim = Simulation::new(world.clone(), 0.1).expect("a sound world");
    let mut all = Vec::new();
    for k in 1..=count {
        let seconds = until * f64::from(k) / f64::from(count);
        let tick = Tick::from_seconds(seconds);
        sim.advance(tick).expect("it runs");
        let mut state = |b| sim.state(warpline_sim::BodyId(b), tick);
        let states = (0..bodies).map(|b| state(b).expect("it is there"));
        all.push((seconds, states.collect()));
    }
    all
}

/// The index of a body by its name.
pub fn body(world: &World, name: &str) -> usize {
    let found = world.bodies.iter().position(|b| b.name == name);
    found.unwrap_or_else(|| panic!("no body `{name}`"))
}

/// The dynamic bodies with their states.
fn moving<'a>(
    world: &'a World,
    states: &'a [State],
) -> impl Iterator<Item = (&'a physics::BodyModel, &'a State)> {
    let pairs = world.bodies.iter().zip(states);
    let dynamic = pairs.filter(|(body, _)| body.kind == Kind::Dynamic);
    dynamic.map(|(body, state)| (&*world.models[body.model.place()], state))
}

/// Linear momentum of all dynamic bodies, kg m/s.
pub fn momentum(world: &World, states: &[State]) -> Vec3 {
    let each = moving(world, states).map(|(m, s)| s.velocity * m.mass.mass);
    each.fold(Vec3::ZERO, |sum, p| sum + p)
}

/// Angular momentum of all dynamic bodies about `centre`, kg m^2/s.
pub fn angular_momentum(world: &World, states: &[State], centre: Vec3) -> Vec3 {
    let each = moving(world, states).map(|(m, s)| {
        let own = s.rotation * (m.mass.inertia * (s.rotation.inverse() * s.spin));
        own + (s.position - centre).cross(s.velocity * m.mass.mass)
    });
    each.fold(Vec3::ZERO, |sum, l| sum + l)
}

/// Kinetic energy and energy in uniform gravity of all dynamic bodies, joules.
pub fn energy(world: &World, states: &[State]) -> f64 {
    let each = moving(world, states).map(|(m, s)| {
        let spin = s.rotation.inverse() * s.spin;
        let kinetic = 0.5 * m.mass.mass * s.velocity.length_squared();
        let turning = 0.5 * spin.dot(m.mass.inertia * spin);
        kinetic + turning - m.mass.mass * m.gravity.dot(s.position)
    });
    each.sum()
}

/// Gathers what is wrong over all cases of a test: one failure often explains another.
#[derive(Default)]
pub struct Wrongs(Vec<String>);

impl Wrongs {
    /// Notes what is wrong unless an error is within what is allowed.
    pub fn expect(&mut self, error: f64, allowed: f64, what: &str) {
        if error.is_nan() || error.abs() > allowed {
            self.0
                .push(format!("{what}: {error:e}, allowed {allowed:e}"));
        }
    }

    /// Fails if anything was wrong.
    pub fn conclude(self) {
        assert!(
            self.0.is_empty(),
            "{} wrong:\n{}",
            self.0.len(),
            self.0.join("\n")
        );
    }
}
