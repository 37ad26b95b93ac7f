//! A callback that changes a member of a contact group acts at once: the group steps again from there.

use physics::body::Heft;
use physics::groups::Settings;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use record::HistoryHash;
use std::sync::Arc;
use warp::Tick;
use warpline_sim::world::BodyId;
use warpline_sim::{Algorithm, Callback, ContactRules, LookAhead, Simulation, World, run};

/// Half the side of all boxes, metres.
const HALF: f64 = 0.25;
/// Between two steps of 1/120 s.
const CALLED_AT: f64 = 0.3537;

/// Two boxes on each other, a third one aside, and a callback.
fn world(seconds: f64, rest_after: f64) -> World {
    let mut world = World::new("called", Vec3::new(0.0, -9.81, 0.0), seconds);
    let rules = ContactRules::soft_step(Settings::default()).expect("sound settings");
    world.contact = Some(ContactRules {
        rest_after,
        ..rules
    });
    world.slots = 1;
    let material = Material {
        restitution: 0.0,
        friction: 0.5,
    };
    let plane = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let model = BodyModel::fixed(&[plane], material).expect("a half-space");
    let model = world.add_model(model);
    world.add_fixed("ground", model, Pose::IDENTITY);
    let half_extents = Vec3::splat(HALF);
    let solid = [Part::centred(Shape::Box { half_extents })];
    let model = BodyModel::dynamic(&solid, Heft::Mass(10.0), material, world.gravity);
    let model = world.add_model(model.expect("a box"));
    for (name, x, y) in [
        ("lower", 0.0, 1.0),
        ("upper", 0.0, 3.0),
        ("aside", 4.0, 1.0),
    ] {
        let position = Vec3::new(x, y * (HALF + 5e-4), 0.0);
        let state = State::at_rest(Pose::from_translation(position));
        world.add_dynamic(name, model, state);
    }
    world
}

const LOWER: BodyId = BodyId(1);
const UPPER: BodyId = BodyId(2);
const ASIDE: BodyId = BodyId(3);

/// Throws the bodies it sees up, once, and counts that in their slots.
fn throw(world: &mut World, first: f64, bodies: Vec<BodyId>, speed: f64) {
    world.callbacks.push(Callback {
        name: "throw".into(),
        bodies,
        first,
        run: Arc::new(move |_, views| {
            for view in views {
                view.state.velocity.y += speed;
                view.slots[0] += 1.0;
            }
            None
        }),
    });
}

fn assert_one_history(world: &World) {
    let hash = |algorithm| {
        let mut history = HistoryHash::new();
        run(world, algorithm, &mut history).expect("the run ends");
        history.finish()
    };
    let reference = hash(Algorithm::Ordered);
    for look_ahead in [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(1e-4),
        LookAhead::Seconds(0.01),
        LookAhead::Seconds(0.3),
    ] {
        let found = hash(Algorithm::TimeWarp(look_ahead));
        assert_eq!(found, reference, "{look_ahead:?}");
    }
    assert_eq!(hash(Algorithm::Oracle), reference, "oracle");
}

fn simulate(world: World, to: f64) -> Simulation {
    let mut simulation = Simulation::new(world, 10.0).expect("a sound world");
    simulation
        .advance(Tick::from_seconds(to))
        .expect("it is simulated");
    simulation
}

fn height(simulation: &mut Simulation, body: BodyId, seconds: f64) -> f64 {
    let state = simulation.state(body, Tick::from_seconds(seconds));
    state.expect("it is retained").position.y
}

#[test]
fn the_body_on_top_is_lifted_at_once() {
    let mut world = world(1.0, 10.0);
    throw(&mut world, CALLED_AT, vec![LOWER], 2.0);
    let mut simulation = simulate(world, 0.5);
    // A body that learned of it only at the next step would be entered by up to 16 mm until then. The
    // solver's push-out lets fast contacts in by the travel of a fraction of a sub-step at most.
    for k in 0..20 {
        let at = CALLED_AT + 1e-3 * f64::from(k);
        let [low, high] = [LOWER, UPPER].map(|b| height(&mut simulation, b, at));
        let gap = high - low - 2.0 * HALF;
        assert!(gap > -1e-3, "{} mm at {at} s", 1e3 * gap);
    }
    // Two bodies share the momentum: about 1 m/s each.
    let at = CALLED_AT + 0.05;
    let flown = height(&mut simulation, UPPER, at) - height(&mut simulation, UPPER, CALLED_AT);
    let expected = 1.0 * 0.05 - 0.5 * 9.81 * 0.05 * 0.05;
    assert!(
        (flown - expected).abs() < 2e-3,
        "{flown} m, not {expected} m"
    );
}

#[test]
fn groups_that_one_callback_changes_stay_apart() {
    let mut world = world(1.0, 10.0);
    throw(&mut world, CALLED_AT, vec![UPPER, ASIDE], 0.5);
    let simulation = simulate(world, 0.5);
    let group = |body, seconds| simulation.contact_group(body, Tick::from_seconds(seconds));
    assert_eq!(group(ASIDE, CALLED_AT - 0.01), [ASIDE]);
    assert_eq!(group(UPPER, CALLED_AT - 0.01), [LOWER, UPPER]);
    for k in 1..10 {
        let at = CALLED_AT + 1e-2 * f64::from(k);
        assert!(!group(ASIDE, at).contains(&UPPER), "at {at} s");
        assert!(!group(UPPER, at).contains(&ASIDE), "at {at} s");
    }
}

#[test]
fn sleepers_wake_and_slots_are_kept() {
    let mut world = world(1.5, 0.1);
    throw(&mut world, CALLED_AT, vec![LOWER, ASIDE], 1.0);
    let mut simulation = simulate(world.clone(), 1.2);
    let asleep = Tick::from_seconds(CALLED_AT - 1e-3);
    assert!(
        simulation.contact_group(LOWER, asleep).is_empty(),
        "it slept"
    );
    let top = height(&mut simulation, UPPER, CALLED_AT);
    assert!(height(&mut simulation, UPPER, CALLED_AT + 0.03) > top + 5e-3);
    let before = height(&mut simulation, ASIDE, CALLED_AT);
    let flown = height(&mut simulation, ASIDE, CALLED_AT + 0.1) - before;
    let expected = 1.0 * 0.1 - 0.5 * 9.81 * 0.1 * 0.1;
    assert!(
        (flown - expected).abs() < 2e-3,
        "{flown} m, not {expected} m"
    );
    assert_eq!(simulation.slots(LOWER), [1.0]);
    assert_eq!(simulation.slots(UPPER), [0.0]);
    assert_eq!(simulation.slots(ASIDE), [1.0]);
    assert_one_history(&world);
}

#[test]
fn the_history_is_one() {
    for rest_after in [0.1, 10.0] {
        let mut world = world(1.0, rest_after);
        throw(&mut world, CALLED_AT, vec![LOWER], 2.0);
        throw(&mut world, CALLED_AT, vec![ASIDE, UPPER], 0.7);
        throw(&mut world, 0.4, vec![UPPER], 0.0);
        assert_one_history(&world);
    }
}
