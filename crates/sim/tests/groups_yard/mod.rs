//! Worlds with contact groups for tests, and how their histories are compared.
//! Each test uses a part of it.
#![allow(dead_code)]

use physics::body::Heft;
use physics::groups::Settings;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, State, Vec3};
use record::HistoryHash;
use warpline_sim::{Algorithm, BodyId, ContactRules, LookAhead, Stats, World, run, scene};

pub const G: f64 = 9.81;
pub const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);

pub fn material(friction: f64, restitution: f64) -> Material {
    Material {
        friction,
        restitution,
    }
}

/// A world with gravity, the default contact rules and nothing in it.
pub fn empty(seconds: f64) -> World {
    let mut world = World::new("groups", Vec3::new(0.0, -G, 0.0), seconds);
    world.contact = Some(ContactRules::soft_step(Settings::default()).expect("sound settings"));
    world
}

/// A fixed half-space with this outward normal through the origin.
pub fn plane(world: &mut World, normal: Vec3, material: Material) {
    let part = Part::centred(Shape::HalfSpace { normal });
    let model = BodyModel::fixed(&[part], material).expect("a half-space");
    let model = world.add_model(model);
    world.add_fixed(
        format!("plane {}", world.bodies.len()),
        model,
        Pose::IDENTITY,
    );
}

pub fn still(position: Vec3) -> State {
    State {
        position,
        velocity: Vec3::ZERO,
        rotation: Quat::IDENTITY,
        spin: Vec3::ZERO,
    }
}

/// Adds a body of this mass and state.
pub fn add(world: &mut World, shape: Shape, mass: f64, what: Material, state: State) -> BodyId {
    let parts = [Part::centred(shape)];
    let model = BodyModel::dynamic(&parts, Heft::Mass(mass), what, world.gravity);
    let model = world.add_model(model.expect("a solid"));
    world.add_dynamic(format!("body {}", world.bodies.len()), model, state)
}

pub fn cube(half: f64) -> Shape {
    Shape::Box {
        half_extents: Vec3::splat(half),
    }
}

/// The hash of the history under one executor, and what the run did.
pub fn hash(world: &World, algorithm: Algorithm) -> (String, Stats) {
    let mut history = HistoryHash::new();
    let (stats, _) = run(world, algorithm, &mut history).expect("the run ends");
    (history.finish(), stats)
}

/// The world of a built-in scene with some of its parameters set, written `KEY=VALUE`.
pub fn load(name: &str, settings: &[&str]) -> World {
    let builtin = scene::builtin(name).expect("a built-in scene");
    let settings: Result<Vec<_>, _> = settings.iter().map(|s| scene::Override::parse(s)).collect();
    let settings = settings.expect("overrides as on the command line");
    match scene::load(name, builtin.text, &settings) {
        Ok(scene) => scene.world,
        Err(error) => panic!("`{name}`: {}", error.message),
    }
}
