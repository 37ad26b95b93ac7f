//! Mirtich's Figure 4, step by step (section 4.4): bodies A to E over the fixed body F, and the contact
//! groups that come and go among them.
//!
//! ```text
//!                 E <-                  A, C   blocks on the ground F, frictionless
//!     B        [ D ]                    D      slides from C over to A when E has hit it
//!   [   A   ] [  C  ]                   B      is dropped on A, and is pushed off by D
//!  =======================  F           E      weighs nothing, so that it waits where it is sent
//! ```

use physics::body::Heft;
use physics::groups::Settings;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use record::HistoryHash;
use warp::Tick;
use warpline_sim::{
    Action, Algorithm, BodyId, ContactRules, Discard, Input, LookAhead, Simulation, World, run,
};

const A: BodyId = BodyId(1);
const B: BodyId = BodyId(2);
const C: BodyId = BodyId(3);
const D: BodyId = BodyId(4);
const E: BodyId = BodyId(5);
const NAMES: [(BodyId, char); 5] = [(A, 'A'), (B, 'B'), (C, 'C'), (D, 'D'), (E, 'E')];

/// When E is put over D, seconds.
const LANDING: f64 = 2.1;

fn world() -> World {
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut world = World::new("figure 4", gravity, 2.5);
    let rules = ContactRules::soft_step(Settings::default()).expect("sound settings");
    // Nothing falls asleep: the groups are the story.
    world.contact = Some(ContactRules {
        rest_after: 100.0,
        ..rules
    });
    let stone = |restitution| Material {
        restitution,
        friction: 0.0,
    };
    let plane = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let ground = BodyModel::fixed(&[plane], stone(0.0)).expect("a half-space");
    let ground = world.add_model(ground);
    world.add_fixed("F", ground, Pose::IDENTITY);
    let block = |x, y| Shape::Box {
        half_extents: Vec3::new(x, y, 0.3),
    };
    let ball = Shape::Ball { radius: 0.1 };
    let still = Vec3::ZERO;
    let flies = Vec3::new(-1.2, 0.0, 0.0);
    for (name, shape, mass, bounce, weight, at, velocity) in [
        (
            "A",
            block(0.95, 0.2),
            60.0,
            0.0,
            gravity,
            [-0.95, 0.20001],
            still,
        ),
        ("B", block(0.1, 0.1), 4.0, 0.5, gravity, [-1.0, 0.51], still),
        (
            "C",
            block(0.4, 0.2),
            60.0,
            0.0,
            gravity,
            [0.5, 0.20001],
            still,
        ),
        (
            "D",
            block(0.3, 0.1),
            20.0,
            0.0,
            gravity,
            [0.5, 0.50002],
            still,
        ),
        ("E", ball, 20.0, 0.8, Vec3::ZERO, [1.14, 0.501], flies),
    ] {
        let (solid, material) = ([Part::centred(shape)], stone(bounce));
        let model = BodyModel::dynamic(&solid, Heft::Mass(mass), material, weight);
        let model = world.add_model(model.expect("a solid"));
        let position = Vec3::new(at[0], at[1], 0.0);
        let state = State {
            velocity,
            ..State::at_rest(Pose::from_translation(position))
        };
        world.add_dynamic(name, model, state);
    }
    world
}

fn tick(seconds: f64) -> Tick {
    Tick::from_seconds(seconds)
}

/// The groups at a time, named by their members, each body that is on its own in brackets.
fn groups(simulation: &Simulation, seconds: f64) -> String {
    let name = |body: &BodyId| NAMES.iter().find(|(b, _)| b == body).map_or('?', |n| n.1);
    let mut found: Vec<String> = Vec::new();
    for (body, own) in NAMES {
        let members = simulation.contact_group(body, tick(seconds));
        if members.is_empty() {
            found.push(format!("({own})"));
        } else if members[0] == body {
            found.push(members.iter().map(name).collect());
        }
    }
    found.join(" ")
}

fn advance(simulation: &mut Simulation, seconds: f64) {
    simulation.advance(tick(seconds)).expect("it is simulated");
}

/// Puts E close over D, in step with it.
fn land(simulation: &mut Simulation) {
    let under = simulation.state(D, tick(LANDING)).expect("D is there");
    let position = under.position + Vec3::new(0.0, 0.1 + 0.1 + 1e-3, 0.0);
    let velocity = under.velocity * Vec3::X - Vec3::new(0.0, 0.02, 0.0);
    let over = State {
        velocity,
        ..State::at_rest(Pose::from_translation(position))
    };
    let input = Input {
        at: tick(LANDING),
        body: E,
        order: 0,
        action: Action::Teleport(over),
    };
    simulation.input(input).expect("E is put over D");
}

/// What the figure shows: from when to when, and the groups meanwhile.
const STORY: [(f64, f64, &str); 7] = [
    // Two groups on the ground; F belongs to both, and links them no more than it moves.
    (0.01, 0.04, "A (B) CD (E)"),
    // B has bounced on A and is now part of it: a fusion.
    (0.07, 0.19, "AB CD (E)"),
    // E has hit D hard. The group is intact, E is on its own, and D slides.
    (0.21, 0.42, "AB CD (E)"),
    // D reaches over to A: two groups have become one. The paper's t1.
    (0.55, 0.84, "ABCD (E)"),
    // D has left C: a fission with no collision.
    (0.90, 1.20, "ABD C (E)"),
    // D has pushed B off A, and B falls.
    (2.07, 2.09, "AD (B) C (E)"),
    // E has settled on D. The paper's t2.
    (2.17, 2.20, "ADE (B) C"),
];
/// The end of the story, seconds.
const END: f64 = 2.25;

fn assert_groups(simulation: &Simulation, from: f64, to: f64, expected: &str) {
    for k in 0..=10 {
        let at = from + (to - from) * f64::from(k) / 10.0;
        assert_eq!(groups(simulation, at), expected, "at {at} s");
    }
}

/// The story up to its end, E's landing included.
fn told() -> Simulation {
    let mut simulation = Simulation::new(world(), 10.0).expect("a sound world");
    advance(&mut simulation, LANDING + 0.01);
    land(&mut simulation);
    advance(&mut simulation, END);
    simulation
}

#[test]
fn groups_fuse_and_split_as_in_the_figure() {
    let mut simulation = Simulation::new(world(), 10.0).expect("a sound world");
    // Step by step, as history grows.
    for (from, to, expected) in &STORY[..6] {
        advance(&mut simulation, *to);
        assert_groups(&simulation, *from, *to, expected);
    }
    let velocity = |simulation: &mut Simulation, body, at| {
        let state = simulation.state(body, tick(at)).expect("it is retained");
        state.velocity.x
    };
    // The hard collision: 20 kg at 1.2 m/s against 20 kg at rest, restitution 0.8. D, which nothing
    // holds sideways, may have drifted at a fraction of a millimetre a second. The group is none the
    // worse for the collision, and C feels nothing sideways: there is no friction.
    let after = velocity(&mut simulation, E, 0.25);
    assert!((after + 0.12).abs() < 1e-3, "{after} m/s");
    assert!((velocity(&mut simulation, D, 0.25) + 1.08).abs() < 1e-3);
    assert!(velocity(&mut simulation, C, 0.25).abs() < 1e-3);
    // D pushes B: momentum is kept between 20 kg and 4 kg.
    let momentum =
        20.0 * velocity(&mut simulation, D, 1.5) + 4.0 * velocity(&mut simulation, B, 1.5);
    assert!((momentum + 20.0 * 1.08).abs() < 0.05, "{momentum} N s");
    advance(&mut simulation, LANDING + 0.01);
    land(&mut simulation);
    advance(&mut simulation, END);
    // All of it can still be asked for when it is told.
    for (from, to, expected) in STORY {
        assert_groups(&simulation, from, to, expected);
    }
}

#[test]
fn ended_groups_are_kept_until_gvt_has_passed_them() {
    let mut simulation = told();
    // A and CD at the start, then AB, ABCD, ABD, C, AD and ADE: six new ones, as in the figure.
    assert!(simulation.groups() >= 8, "{} groups", simulation.groups());
    let held = simulation.groups();
    simulation
        .settle(tick(END), &mut Discard)
        .expect("it is committed");
    assert_eq!(simulation.gvt(), tick(END));
    assert_eq!(groups(&simulation, END), "ADE (B) C");
    assert_eq!(simulation.groups(), 2, "of {held}");
}

#[test]
fn rollback_goes_through_fusions_and_fissions() {
    let mut simulation = told();
    let (middle, end) = (simulation.hash_at(tick(0.7)), simulation.hash_at(tick(END)));
    let held = simulation.groups();
    // E is pushed aside before it meets D, and this becomes known only now. All that came of the
    // collision is undone, the groups that it led to are no more; A, B and C go on as they did.
    let at = tick(0.1);
    let push = Action::Impulse {
        impulse: Vec3::new(0.0, 0.0, 20.0 * 5.0),
        point: None,
    };
    let input = Input {
        at,
        body: E,
        order: 1,
        action: push,
    };
    simulation.input(input).expect("E is pushed aside");
    assert_groups(&simulation, 0.07, END, "AB CD (E)");
    assert!(simulation.groups() < held);
    assert_ne!(simulation.hash_at(tick(END)), end);
    // It was a mistake. Everything is as before, to the bit.
    simulation.withdraw(at, E, 1).expect("it is taken back");
    for (from, to, expected) in STORY {
        assert_groups(&simulation, from, to, expected);
    }
    assert_eq!(simulation.hash_at(tick(0.7)), middle);
    assert_eq!(simulation.hash_at(tick(END)), end);
    assert_eq!(simulation.groups(), held);
}

#[test]
fn the_figure_has_one_history() {
    let hash = |algorithm| {
        let mut history = HistoryHash::new();
        run(&world(), algorithm, &mut history).expect("the run ends");
        history.finish()
    };
    let reference = hash(Algorithm::Ordered);
    for look_ahead in [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(0.01),
        LookAhead::Seconds(1.0),
    ] {
        let found = hash(Algorithm::TimeWarp(look_ahead));
        assert_eq!(found, reference, "{look_ahead:?}");
    }
    assert_eq!(hash(Algorithm::Oracle), reference, "oracle");
}
