//! An impulse that arrives ten frames late: Warpline's rollback beside what one does with Rapier
//! (f64, 60 Hz): restore a snapshot and simulate the frames again. Then what retained history costs,
//! and what a late input costs in worlds of growing size.
//!
//! `cargo bench --bench late [-- --quick] [--csv FILE] [--only growth|memory|branches|gas|settled|settling]`

mod measure;
#[path = "measure/peer.rs"]
mod peer;

use measure::{Options, Table, cpu, scene};
use peer::rapier_world;
use physics::body::Heft;
use physics::groups::Settings;
use physics::material::Rolling;
use physics::{BodyModel, Material, Part, Pose, Shape, State, Vec3};
use rapier3d_f64::prelude as rapier;
use sim::{Action, BodyId, ContactRules, Input, Kind, Simulation, World};
use warp::{Pcg32, Tick};

/// Frames of a sixtieth of a second.
const FRAMES_LATE: i64 = 10;

fn frame(number: i64) -> Tick {
    Tick::from_seconds(number as f64 / 60.0)
}

fn main() {
    let options = Options::parse();
    let sizes: &[u32] = if options.quick {
        &[1_000, 10_000]
    } else {
        &[1_000, 10_000, 100_000]
    };
    let is_wanted = |part: &str| options.only.as_ref().is_none_or(|only| part.contains(only));
    if is_wanted("growth") {
        growth(sizes, if options.quick { 2 } else { 5 });
    }
    if is_wanted("memory") {
        memory();
    }
    if is_wanted("branches") {
        branches(sizes);
    }
    peers(&options, is_wanted);
}

/// Both engines beside each other, the settling pile last: it takes minutes.
fn peers(options: &Options, is_wanted: impl Fn(&str) -> bool) {
    let trials = if options.quick { 20 } else { 200 };
    println!();
    let mut table = Table::new(&[
        "world",
        "engine",
        "CPU us of a late input (mean)",
        "median",
        "bodies simulated again (mean)",
        "bodies changed (mean)",
        "times Warpline's CPU",
    ]);
    if is_wanted("gas") {
        let gas = scene("gas", &["bodies=1000".into()]);
        compare("gas of 1,000", gas, 120, trials, &mut table);
    }
    if is_wanted("settled") {
        compare("pile of 1,000, settled", pile(), 1500, trials, &mut table);
    }
    if is_wanted("settling") {
        let few = trials.min(20);
        compare("pile of 1,000, settling", pile(), 240, few, &mut table);
    }
    table.finish(options);
}

/// What a late input costs in worlds of growing size, which take turns; the best round counts.
fn growth(sizes: &[u32], rounds: u32) {
    println!("| gas | CPU us of a late input (mean) | median | times the first |");
    println!("|---|---|---|---|");
    let mut sims: Vec<Simulation> = sizes
        .iter()
        .map(|count| {
            let size = 10.0 * (f64::from(*count) / 1000.0).cbrt();
            let settings = [format!("bodies={count}"), format!("size={size}")];
            started(scene("gas", &settings), 40)
        })
        .collect();
    let mut best: Vec<Option<Late>> = sizes.iter().map(|_| None).collect();
    // Other bodies in every round, so that none is in the cache because it was pushed before.
    for round in 0..rounds {
        for (sim, best) in sims.iter_mut().zip(&mut best) {
            let late = warpline(sim, 1000, u64::from(round), false);
            if best.as_ref().is_none_or(|b| late.mean_us() < b.mean_us()) {
                *best = Some(late);
            }
        }
    }
    let mut first = None;
    for (count, late) in sizes.iter().zip(best.iter().flatten()) {
        let (mean, median) = (late.mean_us(), late.median_us());
        let times = mean / *first.get_or_insert(mean);
        println!("| {count} | {mean:.2} | {median:.2} | {times:.2} |");
    }
}

/// A thousand balls that have fallen into a pit.
fn pile() -> World {
    let gravity = Vec3::new(0.0, -9.81, 0.0);
    let mut world = World::new("pile", gravity, 10.0);
    world.contact = Some(ContactRules::soft_step(Settings::default()).expect("sound settings"));
    let material = Material {
        restitution: 0.2,
        friction: 0.5,
    };
    let half = 1.75;
    for (normal, at) in [
        (Vec3::Y, Vec3::ZERO),
        (Vec3::X, Vec3::new(-half, 0.0, 0.0)),
        (Vec3::NEG_X, Vec3::new(half, 0.0, 0.0)),
        (Vec3::Z, Vec3::new(0.0, 0.0, -half)),
        (Vec3::NEG_Z, Vec3::new(0.0, 0.0, half)),
    ] {
        let wall = Part::centred(Shape::HalfSpace { normal });
        let wall = BodyModel::fixed(&[wall], material).expect("a half-space");
        let wall = world.add_model(wall);
        world.add_fixed("wall", wall, Pose::from_translation(at));
    }
    let ball = [Part::centred(Shape::Ball { radius: 0.15 })];
    let ball = BodyModel::dynamic(&ball, Heft::Mass(1.0), material, gravity).expect("a ball");
    // Without any resistance to rolling some of a thousand balls roll to and fro in their hollows for ever.
    let ball = ball.with_rolling(Rolling {
        rolling: 1e-3,
        spinning: 1e-3,
    });
    let ball = world.add_model(ball);
    let mut rng = Pcg32::new(7, 1);
    let mut jitter = || 0.01 * (rng.unit() - 0.5);
    for index in 0..1000 {
        let [x, y, z] = [index % 10, index / 100, index / 10 % 10].map(f64::from);
        let place = Vec3::new(-1.53 + 0.34 * x, 0.2 + 0.32 * y, -1.53 + 0.34 * z);
        let position = place + Vec3::new(jitter(), jitter(), jitter());
        let state = State::at_rest(Pose::from_translation(position));
        world.add_dynamic(format!("ball {index}"), ball, state);
    }
    world
}

/// What a late input costs.
struct Late {
    cpu_us: Vec<f64>,
    again: Vec<usize>,
    changed: Vec<usize>,
}

impl Late {
    fn mean(values: &[usize]) -> f64 {
        values.iter().sum::<usize>() as f64 / values.len().max(1) as f64
    }

    fn mean_us(&self) -> f64 {
        self.cpu_us.iter().sum::<f64>() / self.cpu_us.len() as f64
    }

    fn median_us(&self) -> f64 {
        let mut sorted = self.cpu_us.clone();
        sorted.sort_by(f64::total_cmp);
        sorted[sorted.len() / 2]
    }

    fn row(&self, world: &str, engine: &str, reference: Option<f64>, table: &mut Table) {
        table.row(vec![
            world.into(),
            engine.into(),
            format!("{:.1}", self.mean_us()),
            format!("{:.1}", self.median_us()),
            format!("{:.1}", Self::mean(&self.again)),
            format!("{:.1}", Self::mean(&self.changed)),
            format!(
                "{:.1}",
                self.mean_us() / reference.unwrap_or(self.mean_us())
            ),
        ]);
    }
}

fn started(world: World, frames: i64) -> Simulation {
    let mut sim = Simulation::new(world, 0.5).expect("a sound world");
    for number in 1..=frames {
        sim.advance(frame(number)).expect("it runs");
    }
    sim
}

fn balls(world: &World) -> Vec<u32> {
    (0..world.bodies.len() as u32)
        .filter(|b| world.bodies[*b as usize].kind == Kind::Dynamic)
        .collect()
}

fn pushes(count: usize, bodies: &[u32], seed: u64) -> Vec<(u32, Vec3)> {
    let mut rng = Pcg32::new(seed, 5);
    (0..count)
        .map(|_| {
            let mut one = || 2.0 * rng.unit() - 1.0;
            let impulse = Vec3::new(one(), one(), one());
            (bodies[rng.below(bodies.len() as u32) as usize], impulse)
        })
        .collect()
}

/// Late impulses in Warpline, each taken back afterwards. `verify` looks at all bodies before and after.
fn warpline(sim: &mut Simulation, trials: usize, seed: u64, verify: bool) -> Late {
    let bodies = balls(sim.world());
    let now = sim.now();
    let number = (now.seconds() * 60.0).round() as i64;
    let mut late = Late {
        cpu_us: Vec::new(),
        again: Vec::new(),
        changed: Vec::new(),
    };
    for (body, impulse) in pushes(trials, &bodies, seed) {
        let input = Input {
            at: frame(number - FRAMES_LATE),
            body: BodyId(body),
            order: 0,
            action: Action::Impulse {
                impulse,
                point: None,
            },
        };
        let before = if verify {
            states(sim, &bodies)
        } else {
            Vec::new()
        };
        let (seconds, change) = cpu(|| sim.input(input));
        let change = change.expect("a sound input");
        late.cpu_us.push(1e6 * seconds);
        late.again
            .push(change.changed.len() + change.repeated.len());
        late.changed.push(change.changed.len());
        if verify {
            // Whatever is different now must have been reported.
            let after = states(sim, &bodies);
            for (place, body) in bodies.iter().enumerate() {
                let reported = change.changed.iter().any(|(b, _)| b.0 == *body);
                assert!(
                    reported || before[place] == after[place],
                    "body {body} changed"
                );
            }
        }
        sim.withdraw(input.at, input.body, 0).expect("it is there");
    }
    late
}

fn states(sim: &mut Simulation, bodies: &[u32]) -> Vec<Option<State>> {
    let now = sim.now();
    bodies.iter().map(|b| sim.state(BodyId(*b), now)).collect()
}

/// Both engines on one world.
fn compare(name: &str, world: World, frames: i64, trials: usize, table: &mut Table) {
    let peer = rapier_late(&world, frames, trials.min(20));
    let mut sim = started(world, frames);
    let ours = warpline(&mut sim, trials, 3, true);
    ours.row(name, "Warpline", None, table);
    peer.row(name, "Rapier 60 Hz", Some(ours.mean_us()), table);
}

/// What must be saved and restored of a Rapier world.
struct Snapshot {
    islands: rapier::IslandManager,
    broad_phase: rapier::BroadPhaseBvh,
    narrow_phase: rapier::NarrowPhase,
    bodies: rapier::RigidBodySet,
    colliders: rapier::ColliderSet,
}

impl Snapshot {
    fn take(world: &rapier::PhysicsWorld) -> Self {
        Snapshot {
            islands: world.islands.clone(),
            broad_phase: world.broad_phase.clone(),
            narrow_phase: world.narrow_phase.clone(),
            bodies: world.bodies.clone(),
            colliders: world.colliders.clone(),
        }
    }

    fn restore(&self, world: &mut rapier::PhysicsWorld) {
        world.islands = self.islands.clone();
        world.broad_phase = self.broad_phase.clone();
        world.narrow_phase = self.narrow_phase.clone();
        world.bodies = self.bodies.clone();
        world.colliders = self.colliders.clone();
    }
}

/// Late impulses in Rapier: restore, push, simulate ten frames again.
fn rapier_late(world: &World, frames: i64, trials: usize) -> Late {
    let (mut physics, handles) = rapier_world(world, 60);
    for _ in 0..frames - FRAMES_LATE {
        physics.step();
    }
    let snapshot = Snapshot::take(&physics);
    let resimulate = |physics: &mut rapier::PhysicsWorld, push: Option<(u32, Vec3)>| {
        cpu(|| {
            snapshot.restore(physics);
            if let Some((body, impulse)) = push {
                let handle = handles.iter().find(|(b, _)| *b == body as usize);
                let (_, handle) = handle.expect("a ball");
                physics.bodies[*handle].apply_impulse(impulse, true);
            }
            for _ in 0..FRAMES_LATE {
                physics.step();
            }
        })
        .0
    };
    resimulate(&mut physics, None);
    let places = |physics: &rapier::PhysicsWorld| -> Vec<_> {
        let of = |h: &rapier::RigidBodyHandle| physics.bodies[*h].translation();
        handles.iter().map(|(_, h)| of(h)).collect()
    };
    let before = places(&physics);
    let mut late = Late {
        cpu_us: Vec::new(),
        again: Vec::new(),
        changed: Vec::new(),
    };
    for push in pushes(trials, &balls(world), 3) {
        late.cpu_us.push(1e6 * resimulate(&mut physics, Some(push)));
        late.again.push(handles.len());
        let after = places(&physics);
        let differ = before.iter().zip(&after).filter(|(a, b)| a != b);
        late.changed.push(differ.count());
    }
    late
}

/// What retained history weighs: what a simulation holds beyond one that retains nothing, for every
/// segment (one body's part in one event) that it holds beyond it; without spin and with friction,
/// which makes every ball spin.
fn memory() {
    println!();
    println!(
        "| gas of 1,000 | retained (s) | segments held at most | bytes held | bytes per body and event |"
    );
    println!("|---|---|---|---|---|");
    for friction in [0.0, 0.3] {
        let name = if friction == 0.0 {
            "smooth"
        } else {
            "rough, spinning"
        };
        let mut nothing = (0, 0);
        for retain in [0.0, 0.25, 0.5, 1.0, 2.0] {
            let settings = [
                "bodies=1000".into(),
                format!("materials.elastic.friction={friction}"),
            ];
            let world = scene("gas", &settings);
            let mut sim = Simulation::new(world, retain).expect("a sound world");
            // Memory once reserved is kept: it is weighed against the most segments ever held.
            let mut most = 0;
            for number in 1..=240 {
                sim.advance(frame(number)).expect("it runs");
                most = most.max(sim.segments());
            }
            let held = (most, sim.bytes());
            if retain == 0.0 {
                nothing = held;
            }
            let weight = (held.1 - nothing.1) / (held.0 - nothing.0).max(1);
            let (segments, bytes) = held;
            println!("| {name} | {retain} | {segments} | {bytes} | {weight} |");
        }
    }
}

/// What a branch takes and holds: at once, and after an impulse that came ten frames late.
fn branches(sizes: &[u32]) {
    println!();
    println!("| gas | CPU us a branch | bytes it holds | after a late impulse | the trunk holds |");
    println!("|---|---|---|---|---|");
    for &count in sizes {
        let size = 10.0 * (f64::from(count) / 1000.0).cbrt();
        let settings = [format!("bodies={count}"), format!("size={size}")];
        let mut sim = started(scene("gas", &settings), 40);
        let trunk = sim.bytes();
        let first = sim.branch();
        let trials = 1000;
        let (seconds, mut all) = cpu(|| {
            let mut all = Vec::with_capacity(trials);
            for _ in 0..trials {
                all.push(sim.branch());
            }
            all
        });
        let fresh = all[0].bytes();
        let body = balls(sim.world())[0];
        let late = Input {
            at: frame(30),
            body: BodyId(body),
            order: 0,
            action: Action::Impulse {
                impulse: Vec3::X,
                point: None,
            },
        };
        all[0].input(late).expect("a sound input");
        println!(
            "| {count} | {:.2} | {fresh} | {} | {trunk} |",
            1e6 * seconds / trials as f64,
            all[0].bytes()
        );
        drop((first, all));
    }
}
