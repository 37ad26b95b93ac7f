//! Inputs that come late leave no trace of their lateness: history has the same bytes as if they had
//! come in time, in whatever order they arrive, with and without contact groups.

mod random_worlds;

use physics::{State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use random_worlds::{heap, random_world};
use record::Segment;
use warp::Tick;
use warpline_sim::scene::{Override, builtin, load};
use warpline_sim::{
    Action, Algorithm, BodyId, History, Input, Kind, LookAhead, Simulation, World, run,
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
    fn segment(&mut self, segment: &Segment<'_>) {
        self.0.push(format!("{segment:?}"));
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

/// Runs frame by frame; each input arrives at its frame of `arrivals`.
fn with_arrivals(world: &World, inputs: &[Input], arrivals: &[u32]) -> (Committed, usize) {
    let mut sim = Simulation::new(world.clone(), END).expect("a sound world");
    let mut history = Committed::default();
    let mut undone = 0;
    let frame = |n: u32| Tick::from_seconds(f64::from(n) / 60.0);
    for n in 0..=90 {
        for (input, _) in inputs.iter().zip(arrivals).filter(|(_, a)| **a == n) {
            undone += sim.input(*input).expect("an input in time").undone;
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
    let body = BodyId(bodies[rng.random_range(0..bodies.len())]);
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
        let (found, rolled_back) = with_arrivals(world, &inputs, &arrivals);
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
