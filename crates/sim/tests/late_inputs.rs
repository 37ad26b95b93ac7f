//! Inputs that come late leave no trace of their lateness: history has the same bytes as if they had
//! come in time, in whatever order they arrive, with and without contact groups.

use crate::random_worlds;

use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use random_worlds::{heap, random_world};
use record::Segment;
use warp::Tick;
use warpline_sim::scene::{Override, builtin, load};
use warpline_sim::{
    Action, Algorithm, BodyId, ContactRules, History, Input, Key, Kind, LookAhead, Script, Session,
    Simulation, World, run,
};

/// Where comparisons end: a whole number of sixty-fourths, so that GVT can stand exactly there.
const END: f64 = 0.75;

fn vector(rng: &mut Pcg64Mcg, size: f64) -> Vec3 {
    let mut one = || (rng.random::<f64>() * 2.0 - 1.0) * size;
    Vec3::new(one(), one(), one())
}

/// Every committed segment, to the last bit.
#[derive(Default)]
struct Committed(Vec<String>);

impl History for Committed {
    fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
        self.0.push(format!("{segment:?}"));
        Ok(())
    }
}

/// Says where two histories part.
fn assert_same(found: &Committed, reference: &Committed, what: &str) {
    if let Some(at) =
        (0..found.0.len().max(reference.0.len())).find(|i| found.0.get(*i) != reference.0.get(*i))
    {
        panic!(
            "{what}: segment {at} is\n{:?}\ninstead of\n{:?}",
            found.0.get(at),
            reference.0.get(at)
        );
    }
}

fn in_time(world: &World, inputs: &[Input], algorithm: Algorithm) -> Committed {
    let mut world = world.clone();
    world.until = Tick::from_seconds(END);
    world.inputs = inputs.to_vec();
    world.validate().expect("a sound world");
    let mut history = Committed::default();
    run(&world, algorithm, &mut history).expect("the run ends");
    history
}

/// Runs frame by frame; each input arrives at its frame of `arrivals`, and so does each mistake, which is
/// taken back at its second frame.
fn with_arrivals(
    world: &World,
    inputs: &[Input],
    arrivals: &[u32],
    mistakes: &[(Input, [u32; 2])],
) -> (Committed, usize) {
    let mut sim = Simulation::new(world.clone(), END).expect("a sound world");
    let mut history = Committed::default();
    let mut undone = 0;
    let frame = |n: u32| Tick::from_seconds(f64::from(n) / 60.0);
    for n in 0..=90 {
        for (mistake, _) in mistakes.iter().filter(|(_, frames)| frames[0] == n) {
            sim.input(*mistake).expect("an input in time");
        }
        for (input, _) in inputs.iter().zip(arrivals).filter(|(_, a)| **a == n) {
            undone += sim.input(*input).expect("an input in time").undone;
        }
        for (mistake, _) in mistakes.iter().filter(|(_, frames)| frames[1] == n) {
            let taken_back = sim.withdraw(mistake.at, mistake.body, mistake.order);
            undone += taken_back.expect("it is there").undone;
        }
        sim.advance_into(frame(n), &mut history).expect("it runs");
    }
    assert_eq!(sim.gvt(), Tick::from_seconds(END));
    (history, undone)
}

fn random_input(rng: &mut Pcg64Mcg, world: &World, order: u32) -> Input {
    let bodies: Vec<u32> = (0..world.bodies.len() as u32)
        .filter(|b| world.bodies[*b as usize].kind != Kind::Fixed)
        .collect();
    let is_moved = |b: &&u32| world.bodies[**b as usize].kind == Kind::Kinematic;
    // Kinematic bodies are few, and have their share.
    let body = match bodies.iter().find(is_moved) {
        Some(kinematic) if rng.random_range(0..4) == 0 => BodyId(*kinematic),
        _ => BodyId(bodies[rng.random_range(0..bodies.len())]),
    };
    let data = &world.bodies[body.index()];
    let mass = world.model(body).mass.mass;
    let place = State {
        position: Vec3::splat(1.5) + vector(rng, 1.0),
        velocity: vector(rng, 2.0),
        rotation: physics::rotation::from_rotation_vector(vector(rng, 1.0)),
        spin: vector(rng, 2.0),
    };
    let action = match (data.kind, rng.random_range(0..8)) {
        (Kind::Kinematic, _) => Action::Motor {
            velocity: vector(rng, 0.3),
            spin: vector(rng, 0.5),
        },
        (_, 0) => Action::Teleport(place),
        (_, 1) => Action::Leave,
        (_, 2) => Action::Enter(place),
        (_, 3 | 4) => Action::Force {
            force: mass * vector(rng, 20.0),
            ticks: Tick::from_seconds(0.02 + 0.3 * rng.random::<f64>()).0,
        },
        _ => Action::Impulse {
            impulse: mass * vector(rng, 2.0),
            point: Some(data.start.position + vector(rng, 0.1)).filter(|_| rng.random()),
        },
    };
    Input {
        at: Tick::from_seconds(0.7 * rng.random::<f64>()),
        body,
        order,
        action,
    }
}

fn assert_lateness_is_invisible(world: &World, seed: u64, count: u32) -> usize {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let inputs: Vec<Input> = (0..count)
        .map(|order| random_input(&mut rng, world, order))
        .collect();
    let reference = in_time(world, &inputs, Algorithm::Ordered);
    for look_ahead in [LookAhead::Adaptive, LookAhead::Seconds(0.05)] {
        let found = in_time(world, &inputs, Algorithm::TimeWarp(look_ahead));
        assert_same(&found, &reference, &format!("seed {seed}, {look_ahead:?}"));
    }
    let mut undone = 0;
    for delay in [0u32, 5, 40] {
        let arrivals: Vec<u32> = inputs
            .iter()
            .map(|input| {
                let due = (input.at.seconds() * 60.0) as u32;
                due + rng.random_range(0..=delay)
            })
            .collect();
        let mistakes: Vec<(Input, [u32; 2])> = (0..4)
            .map(|k| {
                let mistake = random_input(&mut rng, world, 100 + k);
                let made = (mistake.at.seconds() * 60.0) as u32 + rng.random_range(0..=delay / 2);
                (mistake, [made, made + rng.random_range(0..20)])
            })
            .collect();
        let (found, rolled_back) = with_arrivals(world, &inputs, &arrivals, &mistakes);
        let what = format!("seed {seed}, up to {delay} frames late");
        assert_same(&found, &reference, &what);
        undone += rolled_back;
    }
    undone
}

#[test]
fn late_inputs_to_free_bodies_leave_no_trace() {
    let mut undone = 0;
    for seed in 0..5 {
        let world = random_world(seed, 18, 9.81 * (seed % 2) as f64, 0.2 * (seed % 3) as f64);
        undone += assert_lateness_is_invisible(&world, 100 + seed, 6);
    }
    assert!(undone > 100, "the test must roll back; it undid {undone}");
}

#[test]
fn late_inputs_to_groups_leave_no_trace() {
    let mut undone = 0;
    for seed in 0..8 {
        undone += assert_lateness_is_invisible(&heap(seed), 200 + seed, 6);
    }
    assert!(undone > 1000, "the test must roll back; it undid {undone}");
}

/// Inputs that come and go while time stands still leave neither a trace in history nor a growing heap
/// behind.
#[test]
fn inputs_that_are_taken_back_leave_nothing_behind() {
    let settings = ["bodies=40", "size=2"].map(|s| Override::parse(s).expect("a setting"));
    let text = builtin("gas").expect("a built-in scene").text;
    let Ok(scene) = load("gas", text, &settings) else {
        panic!("a sound scene");
    };
    let world = scene.world;
    let reference = in_time(&world, &[], Algorithm::Ordered);
    let mut sim = Simulation::new(world, END).expect("a sound world");
    let mut history = Committed::default();
    let frame = |n: u32| Tick::from_seconds(f64::from(n) / 60.0);
    for n in 0..=20 {
        sim.advance_into(frame(n), &mut history).expect("it runs");
    }
    let dynamic: Vec<BodyId> = (0..sim.world().bodies.len() as u32)
        .map(BodyId)
        .filter(|b| sim.world().bodies[b.index()].kind == Kind::Dynamic)
        .collect();
    let mut rng = Pcg64Mcg::seed_from_u64(17);
    let mut bytes = 0;
    for round in 0..20_000 {
        let body = dynamic[rng.random_range(0..dynamic.len())];
        let at = frame(rng.random_range(10..20));
        let action = Action::Impulse {
            impulse: vector(&mut rng, 0.5),
            point: None,
        };
        let input = Input {
            at,
            body,
            order: 0,
            action,
        };
        sim.input(input).expect("an input in time");
        sim.withdraw(at, body, 0).expect("it is there");
        if round == 5_000 {
            bytes = sim.bytes();
        }
    }
    assert!(
        sim.bytes() < bytes + bytes / 4,
        "{} bytes after 20,000 rounds, {bytes} after 5,000",
        sim.bytes()
    );
    for n in 21..=90 {
        sim.advance_into(frame(n), &mut history).expect("it runs");
    }
    assert_same(&history, &reference, "inputs that were taken back");
}

/// A block that stands in the way of a ball, which comes back from it at 0.5 s.
fn block_and_ball(contact: bool) -> World {
    let mut world = World::new("block", Vec3::ZERO, 2.0);
    let material = Material {
        restitution: 1.0,
        friction: 0.0,
    };
    if contact {
        let rules = ContactRules::soft_step(physics::groups::Settings::default());
        world.contact = Some(rules.expect("sound rules"));
    }
    let block = Part::centred(Shape::Box {
        half_extents: Vec3::splat(0.2),
    });
    let block = world.add_model(BodyModel::kinematic(&[block], material).expect("a block"));
    let ball = Part::centred(Shape::Ball { radius: 0.1 });
    let ball = BodyModel::dynamic(&[ball], Heft::Mass(1.0), material, Vec3::ZERO);
    let ball = world.add_model(ball.expect("a ball"));
    let key = Key {
        at: Tick::ZERO,
        pose: Pose::IDENTITY,
    };
    world.add_kinematic("block", block, Script::new(vec![key]));
    let start = State::at_rest(Pose::from_translation(Vec3::new(-1.3, 0.0, 0.0)));
    let velocity = Vec3::new(2.0, 0.0, 0.0);
    world.add_dynamic("ball", ball, State { velocity, ..start });
    world
}

/// A kinematic body that moves otherwise than it was thought to, or after all as it was thought at first,
/// takes the bounces off it along.
#[test]
fn a_late_motor_undoes_bounces_off_its_body() {
    let (at, end) = (Tick::from_seconds(0.1), Tick::from_seconds(1.0));
    let motor = |velocity| Input {
        at,
        body: BodyId(0),
        order: 0,
        action: Action::Motor {
            velocity,
            spin: Vec3::ZERO,
        },
    };
    let (away, towards) = (Vec3::new(0.0, 4.0, 0.0), Vec3::new(-2.0, 0.0, 0.0));
    for contact in [false, true] {
        let simulate = |input: Option<Input>| {
            let mut sim = Simulation::new(block_and_ball(contact), 5.0).expect("a sound world");
            if let Some(input) = input {
                sim.input(input).expect("an input in time");
            }
            sim.advance(end).expect("it runs");
            sim
        };
        let place = |sim: &mut Simulation| {
            let state = sim.state(BodyId(1), end).expect("the ball");
            state.position.x
        };
        let never = place(&mut simulate(None));
        assert!((never + 1.3).abs() < 1e-9, "it bounces: {never}");
        for velocity in [away, towards] {
            let input = motor(velocity);
            let in_time = simulate(Some(input)).hash_at(end);
            let mut late = simulate(None);
            let change = late.input(input).expect("an input in time");
            assert_eq!(late.hash_at(end), in_time);
            assert!(change.changed.iter().any(|(body, _)| *body == BodyId(1)));
            late.withdraw(at, BodyId(0), 0).expect("it is there");
            assert_eq!(late.hash_at(end), simulate(None).hash_at(end));
        }
        assert!((place(&mut simulate(Some(motor(away)))) - 0.7).abs() < 1e-9);
    }
}

#[test]
fn inputs_at_the_first_tick_have_one_history() {
    for world in [heap(3), random_world(3, 14, 9.81, 0.2)] {
        let body = BodyId(world.bodies.len() as u32 - 3);
        let action = Action::Impulse {
            impulse: Vec3::X,
            point: None,
        };
        let input = Input {
            at: Tick::ZERO,
            body,
            order: 0,
            action,
        };
        let reference = in_time(&world, &[input], Algorithm::Ordered);
        for look_ahead in [LookAhead::Adaptive, LookAhead::Seconds(0.05)] {
            let found = in_time(&world, &[input], Algorithm::TimeWarp(look_ahead));
            assert_same(&found, &reference, &format!("{look_ahead:?}"));
        }
    }
}

/// Forces of one order that end together are taken in any order of arrival, and taken back one by one.
#[test]
fn forces_that_end_together_share_their_end() {
    let push = |from: f64| Input {
        at: Tick::from_seconds(from),
        body: BodyId(1),
        order: 7,
        action: Action::Force {
            force: Vec3::new(0.0, 1.0, 0.0),
            ticks: Tick::from_seconds(0.4).0 - Tick::from_seconds(from).0,
        },
    };
    let (first, second) = (push(0.1), push(0.2));
    let end = Tick::from_seconds(1.0);
    let simulate = |inputs: &[Input]| {
        let mut sim = Simulation::new(block_and_ball(false), 5.0).expect("a sound world");
        sim.advance(end).expect("it runs");
        for input in inputs {
            sim.input(*input).expect("an input in time");
        }
        sim
    };
    let both = simulate(&[first, second]).hash_at(end);
    let mut turned = simulate(&[second, first]);
    assert_eq!(turned.hash_at(end), both);
    let speed = turned.state(BodyId(1), end).expect("the ball").velocity.y;
    assert!(
        (speed - 0.5).abs() < 1e-9,
        "0.3 and 0.2 newton seconds: {speed}"
    );
    turned
        .withdraw(first.at, first.body, 7)
        .expect("it is there");
    assert_eq!(turned.hash_at(end), simulate(&[second]).hash_at(end));
}

#[test]
fn a_session_holds_to_what_it_has_confirmed() {
    let mut session = Session::new(block_and_ball(false), 120, 60).expect("a session");
    let push = Action::Impulse {
        impulse: Vec3::Y,
        point: None,
    };
    session.advance_to(15).expect("it runs");
    session.input(15, 0, BodyId(1), push).expect("an input");
    session.advance_to(20).expect("it runs");
    session.confirm(16).expect("it confirms");
    assert!(session.input(15, 1, BodyId(1), push).is_err());
    assert!(session.withdraw(15, 0, BodyId(1)).is_err());
    assert!(session.hash(20).is_some());
    assert_eq!(session.hash(21), None, "not simulated yet");
    assert_eq!(session.hash(2), None, "let go");
}
