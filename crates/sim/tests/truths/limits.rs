//! Where the simulator gives up, it says so: no panic, no hang, no gigabytes.

use crate::truths::lab;
use crate::truths::storms::hashed;
use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use physics::{ForceField, Wrench};
use record::Segment;
use std::sync::Arc;
use warp::Tick;
use warpline_sim::{
    Algorithm, BodyId, Callback, History, LookAhead, RunError, Simulation, SimulationError, World,
    run,
};

const EXECUTORS: [Algorithm; 3] = [
    Algorithm::Ordered,
    Algorithm::TimeWarp(LookAhead::Adaptive),
    Algorithm::TimeWarp(LookAhead::Seconds(0.3)),
];

/// A capsule of 0.2 mm at 600 m/s that bounces off a wall turns a million times a second. That takes many short
/// steps, but no more of them than there is time.
#[test]
fn what_is_thin_and_fast_is_followed() {
    let world = lab::load("oom_fast_thin", &["until=0.001"]);
    let (reference, stats) = hashed(&world, Algorithm::Ordered).expect("it runs");
    assert!(stats.collisions >= 1);
    assert!(
        stats.peak_history_bytes < 100 << 20,
        "{}",
        stats.peak_history_bytes
    );
    for algorithm in EXECUTORS {
        assert_eq!(hashed(&world, algorithm).expect("it runs").0, reference);
    }
}

/// Two micrograms under a drag of 2 N s/m settle within a nanosecond: explicit steps of that length come nowhere.
#[test]
fn forces_that_are_too_stiff_are_refused_with_the_body_s_name() {
    let world = lab::load("oom_stack", &[]);
    for algorithm in EXECUTORS {
        let error = hashed(&world, algorithm)
            .expect_err("too stiff")
            .to_string();
        assert!(
            error.contains("`body 1`") && error.contains("needs steps of"),
            "{error}"
        );
    }
}

/// A chain that explodes throws its links to where numbers end: an error names one of them, or it does not
/// explode at all.
#[test]
fn what_flies_away_is_no_panic() {
    for scene in ["panic_grid_level", "timewarp_hang_joints", "joints_explode"] {
        let world = lab::load(scene, &["until=0.5"]);
        for algorithm in EXECUTORS {
            if let Err(error) = hashed(&world, algorithm) {
                assert!(matches!(error, RunError::Engine(_)), "{scene}: {error}");
            }
        }
    }
}

/// Cloth that is torn out of shape by a heavy body meets it in any way: closest points are always found, or the
/// cloth's own solver says that it is beyond it.
#[test]
fn cloth_on_a_union_is_no_panic() {
    let world = lab::load("panic_epa_cloth", &[]);
    if let Err(error) = hashed(&world, Algorithm::Ordered) {
        assert!(matches!(error, RunError::Engine(_)), "{error}");
    }
}

struct Nonsense;

impl ForceField for Nonsense {
    fn wrench(&self, seconds: f64, _: f64, _: &State) -> Wrench {
        let force = if seconds > 0.25 { f64::NAN } else { 0.0 };
        Wrench {
            force: Vec3::new(force, 0.0, 0.0),
            torque: Vec3::ZERO,
        }
    }
}

fn ball(world: &mut World, field: Option<Arc<dyn ForceField>>) {
    let part = Part::centred(Shape::Ball { radius: 0.1 });
    let model = BodyModel::dynamic(&[part], Heft::Mass(1.0), Material::default(), world.gravity);
    let model = model.expect("a ball").with_forces([0.0; 2], field);
    let model = world.add_model(model);
    let start = State::at_rest(Pose::from_translation(Vec3::Y));
    world.add_dynamic("probe", model, start);
}

#[test]
fn a_field_that_is_not_a_number_is_told_when_it_is_met() {
    let mut world = World::new("nonsense", Vec3::ZERO, 1.0);
    ball(&mut world, Some(Arc::new(Nonsense)));
    for algorithm in EXECUTORS {
        let error = hashed(&world, algorithm)
            .expect_err("not a number")
            .to_string();
        assert!(
            error.contains("`probe`") && error.contains("0.2"),
            "{error}"
        );
    }
}

/// Notes how far it was told history, and what came.
#[derive(Default)]
struct Told {
    gvt: Tick,
    latest: Tick,
}

impl History for Told {
    fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
        self.latest = self.latest.max(Tick(segment.start));
        Ok(())
    }

    fn gvt(&mut self, tick: Tick) -> warpline_sim::Told {
        self.gvt = tick;
        Ok(())
    }
}

/// A world whose callback counts to ten and then gives up.
fn panics_at_one_second() -> World {
    let mut world = World::new("panics", Vec3::ZERO, 5.0);
    ball(&mut world, None);
    world.callbacks.push(Callback {
        name: "counts".into(),
        first: 0.1,
        bodies: vec![BodyId(0)],
        run: Arc::new(|seconds, views| {
            views[0].state.velocity.x += 0.1;
            assert!(seconds < 0.95, "the callback has had enough");
            Some(0.1)
        }),
    });
    world
}

#[test]
fn a_panic_is_an_error_and_history_is_whole_up_to_gvt() {
    let world = panics_at_one_second();
    for algorithm in EXECUTORS {
        let mut told = Told::default();
        let error = run(&world, algorithm, &mut told).expect_err("it panics");
        let RunError::Panicked(panicked) = &error else {
            panic!("{error}");
        };
        assert!(panicked.message.contains("had enough"), "{panicked:?}");
        assert!(
            panicked.place.contains("a callback at 1.0000"),
            "{panicked:?}"
        );
        assert!(told.latest <= told.gvt.max(Tick::ZERO) && told.gvt < Tick::from_seconds(1.1));
    }
}

#[test]
fn a_simulation_that_has_panicked_is_over() {
    let mut sim = Simulation::new(panics_at_one_second(), 0.1).expect("a sound world");
    sim.advance(Tick::from_seconds(0.9))
        .expect("so far so good");
    for _ in 0..2 {
        let error = sim.advance(Tick::from_seconds(1.5)).expect_err("it panics");
        assert!(matches!(error, SimulationError::Panicked(_)), "{error}");
    }
    assert!(
        sim.state(BodyId(0), sim.now()).is_none(),
        "nothing is answered"
    );
}

#[test]
fn too_many_bodies_are_refused_before_they_are_made() {
    let text = "name = 'many'\nuntil = 1\n[[stack]]\nshape = { ball = 0.1 }\ncount = 10000000\n";
    let error = warpline_sim::scene::load("many.toml", text, &[])
        .map(|_| ())
        .expect_err("too many");
    assert!(error.to_string().contains("2000000"), "{error}");
}

/// Checkpoints of older formats are refused by their version, whatever is in them.
#[test]
fn checkpoints_of_another_format_are_refused_with_both_versions() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.warp");
    let world = lab::load("free-chain", &[]);
    let mut sim = Simulation::new(world.clone(), 0.1).expect("a sound world");
    sim.advance(Tick::from_seconds(0.05)).expect("it runs");
    sim.save(&path).expect("it can be saved");
    let mut bytes = std::fs::read(&path).expect("a file");
    // Sixteen bytes say what it is, four say which version.
    let version = u32::from_le_bytes([bytes[16], bytes[17], bytes[18], bytes[19]]);
    for other in [version - 1, version + 1, 0, u32::MAX] {
        bytes[16..20].copy_from_slice(&other.to_le_bytes());
        std::fs::write(&path, &bytes).expect("a file");
        let error = Simulation::load(&path, world.clone()).map(|_| ());
        let error = error.expect_err("another format").to_string();
        let says = |number: u32| error.contains(&number.to_string());
        assert!(says(other) && says(version), "{error}");
    }
}
