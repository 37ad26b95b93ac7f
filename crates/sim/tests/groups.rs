//! Contact groups: bodies that touch come to rest, and law 1 holds with them.

use physics::body::Heft;
use physics::groups::Settings;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, State, Vec3};
use record::{Event, HistoryHash, Segment};
use warpline_sim::{Algorithm, ContactRules, History, LookAhead, Stats, World, run};

const G: f64 = 9.81;

fn ground(world: &mut World, material: Material) {
    let plane = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let model = BodyModel::fixed(&[plane], material).expect("a half-space");
    let model = world.add_model(model);
    world.add_fixed("ground", model, Pose::IDENTITY);
}

fn world(seconds: f64) -> World {
    let mut world = World::new("groups", Vec3::new(0.0, -G, 0.0), seconds);
    world.contact = Some(ContactRules::soft_step(Settings::default()).expect("sound settings"));
    world
}

fn add(world: &mut World, shape: Shape, material: Material, position: Vec3) {
    let gravity = world.gravity;
    let model = BodyModel::dynamic(
        &[Part::centred(shape)],
        Heft::Density(1000.0),
        material,
        gravity,
    );
    let model = world.add_model(model.expect("a solid"));
    let name = format!("body {}", world.bodies.len());
    let state = State::at_rest(Pose::from_translation(position));
    world.add_dynamic(name, model, state);
}

#[derive(Default)]
struct Events(Vec<(Event, f64, u32)>);

impl History for Events {
    fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
        let seconds = segment.start as f64 / record::TICKS_PER_SECOND;
        self.0.push((segment.event, seconds, segment.body));
        Ok(())
    }
}

fn hash(world: &World, algorithm: Algorithm) -> (String, Stats) {
    let mut history = HistoryHash::new();
    let (stats, _) = run(world, algorithm, &mut history).expect("the run ends");
    (history.finish(), stats)
}

fn assert_one_history(world: &World) -> Stats {
    let (reference, stats) = hash(world, Algorithm::Ordered);
    for look_ahead in [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(1e-4),
        LookAhead::Seconds(0.01),
        LookAhead::Seconds(0.3),
    ] {
        let (found, _) = hash(world, Algorithm::TimeWarp(look_ahead));
        assert_eq!(found, reference, "{look_ahead:?}");
    }
    let (found, _) = hash(world, Algorithm::Oracle);
    assert_eq!(found, reference, "oracle");
    stats
}

#[test]
fn a_dropped_ball_bounces_on_time_and_then_rests() {
    let material = Material {
        restitution: 0.8,
        friction: 0.5,
    };
    let (radius, height) = (0.1, 1.0);
    let mut world = world(70.0);
    ground(&mut world, material);
    let at = Vec3::new(0.0, radius + height, 0.0);
    add(&mut world, Shape::Ball { radius }, material, at);
    let mut events = Events::default();
    let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
    let (stats, states) = run(&world, algorithm, &mut events).expect("it rests");
    let first = (2.0 * height / G).sqrt();
    let bounces: Vec<f64> = events
        .0
        .iter()
        .filter(|(event, ..)| *event == Event::Collision)
        .map(|(_, seconds, _)| *seconds)
        .collect();
    assert!(bounces.len() > 10, "{} bounces", bounces.len());
    // t_n = t_0 (1 + 2 e (1 - e^(n-1)) / (1 - e)); each bounce adds a tick and some rounding.
    for (n, found) in bounces.iter().enumerate() {
        let e = 0.8f64;
        let expected = first * (1.0 + 2.0 * e * (1.0 - e.powi(n as i32)) / (1.0 - e));
        assert!(
            (found - expected).abs() < 1e-10,
            "bounce {n}: {found} instead of {expected}"
        );
    }
    assert!(stats.fusions == 1 && events.0.iter().any(|(event, ..)| *event == Event::Rest));
    let height = states[1].position.y - radius;
    assert!(
        height.abs() < 1e-3,
        "it rests at {height} m above the ground"
    );
    assert!(states[1].velocity == Vec3::ZERO);
}

#[test]
fn boxes_falling_on_each_other_have_one_history() {
    let material = Material {
        restitution: 0.2,
        friction: 0.5,
    };
    let mut world = world(3.0);
    ground(&mut world, material);
    for i in 0..6 {
        let half_extents = Vec3::new(0.2, 0.15, 0.2);
        let at = Vec3::new(
            0.07 * f64::from(i % 3),
            0.5 + 0.5 * f64::from(i),
            0.05 * f64::from(i % 2),
        );
        add(&mut world, Shape::Box { half_extents }, material, at);
    }
    for i in 0..3 {
        let at = Vec3::new(1.0, 0.5 + 0.7 * f64::from(i), 0.01 * f64::from(i));
        add(&mut world, Shape::Ball { radius: 0.2 }, material, at);
    }
    let stats = assert_one_history(&world);
    assert!(stats.fusions > 3, "{} fusions", stats.fusions);
    assert!(stats.groups_created > 3);
}

#[test]
fn a_resting_stack_wakes_when_it_is_hit() {
    let material = Material {
        restitution: 0.3,
        friction: 0.6,
    };
    let mut world = world(9.0);
    ground(&mut world, material);
    for i in 0..3 {
        let half_extents = Vec3::splat(0.25);
        let at = Vec3::new(0.0, 0.2501 + 0.5005 * f64::from(i), 0.0);
        add(&mut world, Shape::Box { half_extents }, material, at);
    }
    let gravity = world.gravity;
    let ball = [Part::centred(Shape::Ball { radius: 0.2 })];
    let model = BodyModel::dynamic(&ball, Heft::Mass(30.0), material, gravity).expect("a ball");
    let model = world.add_model(model);
    // Thrown so that it reaches the stack's top box after the stack has come to rest.
    let thrown = State {
        position: Vec3::new(-18.0, 1.2, 0.0),
        velocity: Vec3::new(3.0, G * 3.0, 0.0),
        rotation: Quat::IDENTITY,
        spin: Vec3::ZERO,
    };
    world.add_dynamic("ball", model, thrown);
    let stats = assert_one_history(&world);
    assert!(stats.collisions > 0);
    let mut events = Events::default();
    run(&world, Algorithm::Ordered, &mut events).expect("it ends");
    let rest = events
        .0
        .iter()
        .find(|(e, ..)| *e == Event::Rest)
        .expect("the stack rests");
    assert!(rest.1 < 2.5, "rest at {} s", rest.1);
    let later = events
        .0
        .iter()
        .filter(|(e, t, b)| *e == Event::Step && *t > 5.9 && *b == 3);
    assert!(later.count() > 10, "the hit wakes the stack");
}
