//! Contact events: closed forms, law 1, and what a late input does to those that were only foreseen.

use std::collections::BTreeMap;
use warpline::prelude::*;
use warpline::{record, sim};

const G: f64 = 9.81;

fn seconds(contact: &Contact) -> f64 {
    record::seconds_between(0, contact.tick)
}

/// All contacts of a world, up to `until`.
fn contacts_of(world: &World, until: f64, algorithm: &str) -> Vec<Contact> {
    let model = world.build(Some(until)).expect("a sound world");
    let mut contacts = Contacts::new(&model.world);
    let algorithm: Named = algorithm.parse().expect("an algorithm");
    let ran = model.run(None, &algorithm, &mut contacts);
    ran.expect("it runs");
    contacts.finish(model.world.until);
    contacts.take()
}

#[test]
fn a_bouncing_ball_hits_when_and_as_hard_as_it_must() {
    let mut world = World::new();
    world.bouncing();
    world.floor();
    world
        .ball(0.1)
        .at([0., 1.1, 0.])
        .mass(2.0)
        .restitution(0.5)
        .add();
    world.set("body.floor 1.restitution", 0.5);
    let found = contacts_of(&world, 1.0, "timewarp");
    // It falls one metre; every bounce halves the speed.
    let (fall, speed) = ((2.0 / G).sqrt(), (2.0 * G).sqrt());
    let expected = [
        (fall, 1.5 * 2.0 * speed),
        (fall + speed / G, 0.75 * 2.0 * speed),
    ];
    assert!(found.len() >= 2, "{found:?}");
    for (contact, (at, impulse)) in found.iter().zip(expected) {
        assert_eq!(contact.touch, Touch::Hit);
        assert_eq!(contact.bodies, [0, 1]);
        assert!((seconds(contact) - at).abs() < 1e-9, "{contact:?}");
        assert!((contact.impulse - impulse).abs() < 1e-8, "{contact:?}");
    }
}

#[test]
fn a_box_that_is_thrown_up_leaves_the_floor_and_comes_back() {
    let mut world = World::new();
    world.floor();
    let brick = world
        .cuboid([0.2, 0.2, 0.2])
        .at([0., 0.1, 0.])
        .mass(3.0)
        .add();
    let up = Action::Impulse {
        impulse: [0., 6.0, 0.].into(),
        point: None,
    };
    world.input(brick, 0.5, 0, up).expect("an input");
    let found = contacts_of(&world, 2.0, "ordered");
    let lasting: Vec<&Contact> = found.iter().filter(|c| c.touch != Touch::Hit).collect();
    let told: Vec<Touch> = lasting.iter().map(|c| c.touch).collect();
    // When it is back it may lose touch for a moment once more before it lies still.
    assert!(told.len() >= 3 && told.len() % 2 == 1, "{found:?}");
    assert!(
        told.iter().step_by(2).all(|touch| *touch == Touch::Begin),
        "{found:?}"
    );
    assert!(
        told[1..]
            .iter()
            .step_by(2)
            .all(|touch| *touch == Touch::End),
        "{found:?}"
    );
    assert!((seconds(lasting[1]) - 0.5).abs() < 1e-9, "{found:?}");
    // Thrown with 2 m/s it is back after 2 v / g.
    let back = 0.5 + 4.0 / G;
    let landed = found.iter().find(|c| seconds(c) > 0.6);
    let landed = landed.expect("it comes back");
    assert_eq!(landed.touch, Touch::Hit);
    // It had lain a hundredth of a millimetre off.
    assert!((seconds(landed) - back).abs() < 1e-4, "{found:?}");
    // It bounces some more before it lies still.
    assert!(seconds(lasting[2]) >= back, "{found:?}");
}

#[test]
fn a_sensor_tells_when_a_ball_flies_through_it_and_does_not_touch_it() {
    let fall = |with_sensor: bool| {
        let mut world = World::new();
        let ball = world
            .ball(0.1)
            .at([0., 2., 0.])
            .spin([1., 2., 3.])
            .mass(1.0)
            .add();
        if with_sensor {
            world
                .cuboid([1., 0.5, 1.])
                .at([0., 1., 0.])
                .fixed()
                .sensor()
                .add();
        }
        let found = contacts_of(&world, 1.0, "timewarp");
        (
            found,
            world
                .run(1.0)
                .expect("it runs")
                .state(ball)
                .expect("it is there"),
        )
    };
    let (found, state) = fall(true);
    let (nothing, free) = fall(false);
    assert!(nothing.is_empty());
    assert_eq!(state, free, "a sensor pushes nobody");
    // The ball's lowest point is at 1.25 m after falling 0.65 m, its highest at 0.75 m after 1.35 m.
    let at = |metres: f64| (2.0 * metres / G).sqrt();
    assert_eq!(found.len(), 2, "{found:?}");
    for (contact, (touch, metres)) in found
        .iter()
        .zip([(Touch::Enter, 0.65), (Touch::Exit, 1.35)])
    {
        assert_eq!((contact.touch, contact.bodies), (touch, [1, 0]));
        assert!((seconds(contact) - at(metres)).abs() < 1e-7, "{contact:?}");
    }
}

fn busy() -> World {
    let mut world = World::load("pile", &[("each", "8")]).expect("a scene");
    world
        .cuboid([3., 0.6, 3.])
        .at([0., 0.8, 0.])
        .fixed()
        .sensor()
        .named("gate")
        .add();
    world
}

#[test]
fn every_executor_tells_the_same_contacts() {
    let world = busy();
    let reference = contacts_of(&world, 1.0, "ordered");
    let count = |touch| reference.iter().filter(|c| c.touch == touch).count();
    for touch in [Touch::Hit, Touch::Begin, Touch::End, Touch::Enter] {
        assert!(
            count(touch) > 3,
            "{touch:?} was seen {} times",
            count(touch)
        );
    }
    let mut open = BTreeMap::new();
    for contact in &reference {
        let change = match contact.touch {
            Touch::Hit => continue,
            Touch::Begin | Touch::Enter => 1,
            Touch::End | Touch::Exit => -1,
        };
        let is_sensor = matches!(contact.touch, Touch::Enter | Touch::Exit);
        let held = open.entry((is_sensor, contact.bodies)).or_insert(0);
        *held += change;
        assert!((0..=1).contains(held), "{contact:?} ends or begins twice");
    }
    for algorithm in ["timewarp", "parallel", "checking"] {
        assert_eq!(
            contacts_of(&world, 1.0, algorithm),
            reference,
            "{algorithm}"
        );
    }
}

/// Runs frame by frame, with a push in the past that is learnt of at frame `learns`; gives what was committed, and how
/// many contacts were retracted.
fn told(world: &World, body: Body, learns: u32) -> (Vec<Contact>, usize) {
    let mut sim = world.simulate(0.5).expect("a sound world");
    sim.follow_contacts().expect("nothing is final yet");
    let (mut committed, mut foreseen) = (Vec::new(), Vec::new());
    let mut retracted = 0;
    for frame in 0..=96 {
        if frame == learns {
            let push = Action::Impulse {
                impulse: [0.7, 0.4, 0.].into(),
                point: None,
            };
            sim.input(body, 12.0 / 64.0, 0, push).expect("an input");
        }
        sim.advance(f64::from(frame) / 64.0).expect("it runs");
        let news = sim.contacts().expect("they are followed");
        for gone in &news.retracted {
            let place = foreseen.iter().position(|c| c == gone);
            foreseen.remove(place.expect("only what was told is taken back"));
        }
        retracted += news.retracted.len();
        foreseen.extend(news.foreseen);
        for contact in &news.committed {
            let place = foreseen.iter().position(|c| c == contact);
            foreseen.remove(place.expect("what is final was foreseen"));
        }
        committed.extend(news.committed);
    }
    (committed, retracted)
}

#[test]
fn contacts_are_final_once_and_foreseen_ones_are_taken_back() {
    let mut world = busy();
    let model = world.build(None).expect("a world");
    let mut bodies = model.world.bodies.iter();
    let first = bodies.find(|b| b.kind == sim::Kind::Dynamic);
    let name = first.expect("something moves").name.clone();
    let body = world.named_body(&name).expect("it is there");
    let (in_time, _) = told(&world, body, 0);
    let (late, retracted) = told(&world, body, 40);
    assert_eq!(in_time, late);
    assert!(
        !late.is_empty() && retracted > 0,
        "{retracted} were taken back"
    );
    assert!(late.windows(2).all(|w| w[0].tick <= w[1].tick), "in order");
    let key = |c: &Contact| (c.order(), c.impulse.to_bits());
    let distinct: std::collections::BTreeSet<_> = late.iter().map(key).collect();
    assert_eq!(distinct.len(), late.len(), "each once");
}

#[test]
fn a_recording_keeps_its_contacts_and_exports_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("busy.wline");
    let mut world = busy();
    let expected = contacts_of(&world, 0.8, "timewarp");
    world.record(&path).expect("a file");
    world.run(0.8).expect("it runs");
    let reader = record::Reader::open(&path).expect("a recording");
    let found = reader
        .contacts_between(i64::MIN, i64::MAX)
        .expect("contacts");
    assert_eq!(found, expected);
    let options = record::export::Options::default();
    let table = warpline::exports::contacts(&reader, "c.csv".as_ref(), &options).expect("a table");
    assert_eq!(table.lines().count(), expected.len() + 1);
    assert!(table.contains(",\"gate\","), "{table}");
    assert!(warpline::exports::contacts(&reader, "c.glb".as_ref(), &options).is_err());
}
