//! Collisions of isolated bodies: Newton's restitution and Coulomb's friction against closed forms, and
//! what no collision may change: momentum, angular momentum and, where nothing is lost, energy.

use physics::body::Heft;
use physics::collider::Core;
use physics::contact::closest;
use physics::tumble::STATE_TOLERANCE;
use physics::{BodyModel, Flight, Material, Part, Pose, Quat, Shape, State, Turn, Vec3, Wrench};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use record::{Event, Segment};
use std::sync::Arc;
use warp::Tick;
use warpline_sim::scene::{Override, builtin, load};
use warpline_sim::{
    Algorithm, Body, BodyId, Discard, History, Key, Kind, LookAhead, Script, Simulation, World, run,
};

const ELASTIC: Material = Material {
    restitution: 1.0,
    friction: 0.0,
};

/// Length of a tick, s: how late a collision may be noticed.
const TICK: f64 = 1.0 / Tick::TICKS_PER_SECOND;

/// One body's side of a collision.
#[derive(Clone, Copy, Debug)]
struct Bounce {
    body: BodyId,
    partner: BodyId,
    tick: Tick,
    position: Vec3,
    velocity: Vec3,
    spin: Vec3,
    impulse: f64,
}

#[derive(Default)]
struct Bounces(Vec<Bounce>);

impl History for Bounces {
    fn segment(&mut self, s: &Segment<'_>) -> warpline_sim::Told {
        if s.event == Event::Collision {
            self.0.push(Bounce {
                body: BodyId(s.body),
                partner: BodyId(s.partner),
                tick: Tick(s.start),
                position: Vec3::from_array(s.position),
                velocity: Vec3::from_array(s.velocity),
                spin: Vec3::from_array(s.spin),
                impulse: s.impulse,
            });
        }
        Ok(())
    }
}

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);

fn bounces(world: &World) -> Vec<Bounce> {
    let mut found = Bounces::default();
    run(world, TIMEWARP, &mut found).expect("the run ends well");
    found.0
}

fn add(world: &mut World, shape: Shape, mass: f64, material: Material, start: State) -> BodyId {
    let parts = [Part::centred(shape)];
    let model = BodyModel::dynamic(&parts, Heft::Mass(mass), material, world.gravity);
    let model = world.add_model(model.expect("a solid"));
    let name = format!("body {}", world.bodies.len());
    world.add_dynamic(name, model, start)
}

fn floor(world: &mut World, material: Material) -> BodyId {
    let part = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let model = world.add_model(BodyModel::fixed(&[part], material).expect("a half-space"));
    world.add_fixed("floor", model, Pose::IDENTITY)
}

fn at(position: Vec3, velocity: Vec3, spin: Vec3) -> State {
    State {
        velocity,
        spin,
        ..State::at_rest(Pose::from_translation(position))
    }
}

/// Each bounce keeps the fraction e of the speed, and the next one comes 2 e^n v / g later.
#[test]
fn a_dropped_ball_bounces_at_the_times_of_the_geometric_series() {
    for e in [0.5, 0.8, 1.0] {
        let material = Material {
            restitution: e,
            friction: 0.3,
        };
        let mut world = World::new("drop", Vec3::new(0.0, -9.81, 0.0), 4.0);
        floor(&mut world, material);
        let start = at(Vec3::Y * 2.1, Vec3::ZERO, Vec3::ZERO);
        let speed = (2.0 * 9.81 * 2.0f64).sqrt();
        add(
            &mut world,
            Shape::Ball { radius: 0.1 },
            1.0,
            material,
            start,
        );
        let mut time = speed / 9.81;
        let (mut kept, mut bound) = (speed, 0.0);
        let mut expected = Vec::new();
        // Without rules of contact bounces accumulate; the run ends before that.
        while time < 4.0 && kept > 0.02 {
            kept *= e;
            // A tick late is a tick's fall faster, and every later bounce is as much later.
            bound += 4.0 * TICK;
            expected.push((time, kept, bound));
            time += 2.0 * kept / 9.81;
        }
        world.until = Tick::from_seconds(time.min(4.0) - 1e-6);
        let found = bounces(&world);
        assert_eq!(found.len(), expected.len(), "e = {e}");
        for (b, (time, kept, bound)) in found.iter().zip(expected) {
            assert!((b.tick.seconds() - time).abs() < bound, "{b:?} for {time}");
            assert!((b.velocity.y - kept).abs() < 9.81 * bound, "{b:?}");
            assert!((b.position.y - 0.1).abs() < speed * 2.0 * TICK, "{b:?}");
            assert_eq!((b.velocity.x, b.velocity.z, b.spin), (0.0, 0.0, Vec3::ZERO));
        }
    }
}

/// Of the ball that strikes the floor, m.
const RADIUS: f64 = 0.25;
/// Where it touches the floor, from its centre.
const ARM: Vec3 = Vec3::new(0.0, -RADIUS, 0.0);

/// A solid ball flies against the floor; the first bounce.
fn strike(friction: f64, e: f64, velocity: Vec3, spin: Vec3) -> Bounce {
    let mut world = World::new("strike", Vec3::ZERO, 1.0);
    // A pair has the larger restitution and the geometric mean of the frictions.
    let (soft, hard) = (0.25 * e, e);
    floor(
        &mut world,
        Material {
            restitution: soft,
            friction: 4.0 * friction,
        },
    );
    let material = Material {
        restitution: hard,
        friction: 0.25 * friction,
    };
    // It touches after a power of two of ticks, so that no fraction of a tick is left over.
    assert_eq!(velocity.y, -2.0);
    let start = at(Vec3::new(0.0, 1.25, 0.0), velocity, spin);
    add(
        &mut world,
        Shape::Ball { radius: RADIUS },
        3.0,
        material,
        start,
    );
    let found = bounces(&world);
    assert_eq!(found.len(), 1);
    assert_eq!(
        (found[0].tick.seconds(), found[0].position.y),
        (0.5, RADIUS)
    );
    found[0]
}

/// Nothing here is larger than ten, and the arithmetic is a dozen operations.
const ROUNDING: f64 = 1e-13;

/// Angular momentum about the contact point is kept, so a ball that ends up rolling has 5/7 of its
/// velocity along the floor and 2/7 of what its spin would make of it.
#[test]
fn with_much_friction_a_ball_leaves_rolling() {
    for e in [0.0, 0.6, 1.0] {
        for spin in [Vec3::ZERO, Vec3::new(4.0, 7.0, -9.0)] {
            let velocity = Vec3::new(3.0, -2.0, 1.5);
            let b = strike(5.0, e, velocity, spin);
            let along = Vec3::new(velocity.x, 0.0, velocity.z);
            let rolled = RADIUS * spin.cross(Vec3::Y);
            let expected = (5.0 * along + 2.0 * rolled) / 7.0 + Vec3::Y * (2.0 * e);
            assert!((b.velocity - expected).length() < ROUNDING, "{b:?}");
            let contact = b.velocity + b.spin.cross(ARM);
            assert!((contact - Vec3::Y * (2.0 * e)).length() < ROUNDING, "{b:?}");
            // Nothing turns it about the normal.
            assert!((b.spin.y - spin.y).abs() < ROUNDING, "{b:?}");
        }
    }
}

/// Friction takes mu times the normal impulse, against the sliding of the contact point.
#[test]
fn with_little_friction_a_ball_slips_and_the_impulse_lies_on_the_cone() {
    let mu = 0.15;
    for e in [0.3, 1.0] {
        for spin in [Vec3::ZERO, Vec3::new(-6.0, 3.0, -9.0)] {
            let velocity = Vec3::new(5.0, -2.0, -1.0);
            let b = strike(mu, e, velocity, spin);
            let sliding = velocity + spin.cross(ARM) + Vec3::Y * 2.0;
            let normal = 3.0 * (1.0 + e) * 2.0;
            let impulse = Vec3::Y * normal - sliding.normalize() * (mu * normal);
            let expected = velocity + impulse / 3.0;
            assert!((b.velocity - expected).length() < ROUNDING, "{b:?}");
            let inertia = 0.4 * 3.0 * RADIUS * RADIUS;
            let turned = spin + ARM.cross(impulse) / inertia;
            // Spins are divided by the radius.
            assert!((b.spin - turned).length() < 10.0 * ROUNDING, "{b:?}");
            assert!((b.impulse - impulse.length()).abs() < 10.0 * ROUNDING);
            let after = b.velocity + b.spin.cross(ARM);
            assert!(after.dot(sliding) > 0.0, "it still slides");
        }
    }
}

/// Stopping the contact point takes 2/7 of the sliding's momentum: it sticks when that is at most
/// mu (1 + e) of the normal one.
#[test]
fn a_ball_sticks_just_above_the_friction_that_stopping_takes_and_slips_just_below() {
    let (e, velocity) = (0.5, Vec3::new(4.0, -2.0, 0.0));
    let needed = 2.0 / 7.0 * 4.0 / (1.5 * 2.0);
    let after = |mu: f64| {
        let b = strike(mu, e, velocity, Vec3::ZERO);
        b.velocity.x + RADIUS * b.spin.z
    };
    assert!(after(needed * (1.0 + 1e-9)).abs() < ROUNDING);
    assert!(after(needed * 100.0).abs() < ROUNDING);
    // Below, what is left of the sliding is the missing fraction of all of it.
    for missing in [1e-9, 1e-3, 0.5, 0.999] {
        let left = after(needed * (1.0 - missing));
        assert!((left - 4.0 * missing).abs() < ROUNDING, "{missing}: {left}");
    }
    // Without friction a ball keeps its spin to the bit.
    let b = strike(0.0, e, velocity, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(b.spin, Vec3::new(1.0, 2.0, 3.0));
    assert_eq!(b.velocity.x, 4.0);
}

/// The time is the root of a quadratic; the velocities along the line of centres follow from both masses.
#[test]
fn two_balls_exchange_momentum_along_the_line_of_their_centres() {
    let e = 0.7;
    let material = Material {
        restitution: e,
        friction: 0.0,
    };
    let mut world = World::new("billiards", Vec3::ZERO, 2.0);
    let a = at(
        Vec3::new(-2.0, 0.1, 0.05),
        Vec3::new(3.0, 0.0, 0.0),
        Vec3::X,
    );
    let b = at(Vec3::new(1.0, 0.0, 0.0), Vec3::new(-1.0, 0.2, 0.0), Vec3::Y);
    add(&mut world, Shape::Ball { radius: 0.3 }, 2.0, material, a);
    add(&mut world, Shape::Ball { radius: 0.2 }, 5.0, material, b);
    let found = bounces(&world);
    assert_eq!(found.len(), 2);
    let (x, v) = (a.position - b.position, a.velocity - b.velocity);
    let (half, c) = (x.dot(v), x.length_squared() - 0.25);
    let time = (-half - (half * half - v.length_squared() * c).sqrt()) / v.length_squared();
    let normal = (x + v * time).normalize();
    let impulse = -(1.0 + e) * v.dot(normal) / (1.0 / 2.0 + 1.0 / 5.0);
    // A tick late the line of centres has turned by a tick's way over the distance.
    let late = 2.0 * TICK * v.length() / 0.5 * impulse;
    for (b, (start, mass, sign)) in found.iter().zip([(a, 2.0, 1.0), (b, 5.0, -1.0)]) {
        assert!((b.tick.seconds() - time).abs() < 2.0 * TICK, "{b:?}");
        let expected = start.velocity + normal * (sign * impulse / mass);
        assert!((b.velocity - expected).length() < late, "{b:?}");
        assert_eq!(b.spin, start.spin);
    }
}

/// A wall that moves at u sends a ball back at `u + e (u - v)`, and is not slowed by it.
#[test]
fn a_moving_wall_gives_a_ball_twice_its_own_speed() {
    for e in [0.4, 1.0] {
        let material = Material {
            restitution: e,
            friction: 0.0,
        };
        let mut world = World::new("piston", Vec3::ZERO, 2.0);
        let shape = Shape::Box {
            half_extents: Vec3::new(0.1, 1.0, 1.0),
        };
        let model = BodyModel::kinematic(&[Part::centred(shape)], material).expect("a box");
        let model = world.add_model(model);
        let key = |seconds: f64, x: f64| Key {
            at: Tick::from_seconds(seconds),
            pose: Pose::from_translation(Vec3::X * x),
        };
        let keys = vec![key(0.0, 0.0), key(4.0, 2.0)];
        world.add_kinematic("piston", model, Script::new(keys));
        let start = at(
            Vec3::new(3.2, 0.3, 0.0),
            Vec3::new(-2.5, 0.25, 0.0),
            Vec3::ZERO,
        );
        add(
            &mut world,
            Shape::Ball { radius: 0.1 },
            1.0,
            material,
            start,
        );
        let found = bounces(&world);
        let b = found
            .iter()
            .find(|b| b.body == BodyId(1))
            .expect("a bounce");
        // Three metres apart, closing at 0.5 + 2.5 m/s.
        assert!((b.tick.seconds() - 1.0).abs() < 4.0 * TICK, "{b:?}");
        let expected = Vec3::new(0.5 + e * 3.0, 0.25, 0.0);
        assert!((b.velocity - expected).length() < ROUNDING, "{b:?}");
    }
}

/// A ball on a spring, let go 1 m from its anchor, meets a wall 0.4 m behind it. Elastic, it goes back the
/// way it came: it is at the wall at odd multiples of the first time, and at rest at even ones.
#[test]
fn a_ball_on_a_spring_meets_a_wall_at_odd_multiples_of_the_first_time() {
    let w: f64 = 4.0;
    let spring = move |_: f64, mass: f64, s: &State| Wrench {
        force: s.position * (-mass * w * w),
        torque: Vec3::ZERO,
    };
    let parts = [Part::centred(Shape::Ball { radius: 0.1 })];
    let model = BodyModel::dynamic(&parts, Heft::Mass(3.0), ELASTIC, Vec3::ZERO);
    let model = model
        .expect("a ball")
        .with_forces([0.0; 2], Some(Arc::new(spring)));
    let first = (-0.4f64).acos() / w;
    let start = at(Vec3::X * -1.0, Vec3::ZERO, Vec3::ZERO);
    let flight = Flight {
        start: Tick::ZERO,
        position: start.position,
        velocity: start.velocity,
        model: physics::ModelId::default(),
        body: 0,
    };
    let mut turn = Turn::default();
    turn.begin(start.rotation, start.spin, &model);
    let steps = turn.extend(&flight, &model, Tick::from_seconds(2.0 * first));
    let square = Shape::Mesh {
        vertices: [[-2.0, -2.0], [3.0, -1.0], [0.0, 2.5]]
            .map(|[y, z]| Vec3::new(0.0, y, z))
            .to_vec(),
        triangles: vec![[0, 1, 2]],
    };
    for wall in [Shape::HalfSpace { normal: -Vec3::X }, square] {
        let mut world = World::new("spring", Vec3::ZERO, 12.0 * first);
        let wall = BodyModel::fixed(&[Part::centred(wall)], ELASTIC).expect("a wall");
        let wall = world.add_model(wall);
        world.add_fixed("wall", wall, Pose::from_translation(Vec3::X * 0.5));
        let model = world.add_model(model.clone());
        world.add_dynamic("ball", model, start);
        let found = bounces(&world);
        assert_eq!(found.len(), 6);
        let speed = w * (1.0f64 - 0.4 * 0.4).sqrt();
        for (number, b) in found.iter().enumerate() {
            // The integrator's tolerance in each flight, of positions and velocities up to w.
            let flights = 1.0 + number as f64;
            let off = flights * f64::from(steps + 1) * STATE_TOLERANCE * (1.0 + w) * (w + 1.0 / w);
            let time = (2.0 * number as f64 + 1.0) * first;
            assert!(
                (b.tick.seconds() - time).abs() < off / speed + TICK,
                "{b:?}"
            );
            assert!((b.velocity + Vec3::X * speed).length() < off, "{b:?}");
            assert!((b.position.x - 0.4).abs() < 2.0 * speed * TICK, "{b:?}");
        }
    }
}

fn vector(rng: &mut Pcg64Mcg, size: f64) -> Vec3 {
    let mut one = || (rng.random::<f64>() * 2.0 - 1.0) * size;
    Vec3::new(one(), one(), one())
}

/// A body of one of six kinds that fits into a ball of 0.3 m.
fn random_parts(rng: &mut Pcg64Mcg, kind: u32) -> Vec<Part> {
    let one = |shape| vec![Part::centred(shape)];
    match kind % 6 {
        0 => one(Shape::Ball { radius: 0.2 }),
        1 => one(Shape::Box {
            half_extents: Vec3::new(0.2, 0.1, 0.15),
        }),
        2 => one(Shape::Capsule {
            half_height: 0.15,
            radius: 0.1,
        }),
        3 => one(Shape::Cylinder {
            half_height: 0.1,
            radius: 0.2,
        }),
        4 => one(Shape::Hull {
            points: (0..12)
                .map(|_| vector(rng, 1.0).normalize() * 0.2)
                .collect(),
        }),
        _ => vec![
            Part::at(Shape::Ball { radius: 0.1 }, Vec3::X * 0.15),
            Part::at(
                Shape::Box {
                    half_extents: Vec3::splat(0.08),
                },
                Vec3::new(-0.1, 0.05, 0.0),
            ),
        ],
    }
}

/// Momentum, angular momentum about the origin, and kinetic energy of one body.
fn kept(model: &BodyModel, s: &State) -> (Vec3, Vec3, f64) {
    let p = model.mass.mass * s.velocity;
    let own = s.rotation * (model.mass.inertia * (s.rotation.inverse() * s.spin));
    let energy = 0.5 * (p.dot(s.velocity) + own.dot(s.spin));
    (p, s.position.cross(p) + own, energy)
}

fn total(world: &World, states: &[State]) -> (Vec3, Vec3, f64) {
    let dynamic = |(body, _): &(&Body, &State)| body.kind == Kind::Dynamic;
    let pairs = world.bodies.iter().zip(states).filter(dynamic);
    let each = pairs.map(|(body, s)| kept(&world.models[body.model.place()], s));
    each.fold((Vec3::ZERO, Vec3::ZERO, 0.0), |t, k| {
        (t.0 + k.0, t.1 + k.1, t.2 + k.2)
    })
}

/// Two bodies of random kinds that fly at each other.
fn pair(seed: u64) -> (World, Material) {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let material = Material {
        restitution: [0.2, 0.6, 1.0][seed as usize % 3],
        friction: [0.0, 0.3, 2.0][seed as usize / 3 % 3],
    };
    let mut world = World::new("pair", Vec3::ZERO, 1.0);
    for side in [-1.0, 1.0] {
        let kind = rng.random::<u32>();
        let parts = random_parts(&mut rng, kind);
        let heft = Heft::Mass(1.0 + rng.random::<f64>());
        let model = BodyModel::dynamic(&parts, heft, material, Vec3::ZERO).expect("a solid");
        let model = world.add_model(model);
        let state = State {
            position: Vec3::X * (0.5 * side) + vector(&mut rng, 0.1),
            velocity: Vec3::X * (-2.0 * side) + vector(&mut rng, 0.3),
            rotation: Quat::from_scaled_axis(vector(&mut rng, 3.0)),
            spin: vector(&mut rng, 8.0),
        };
        world.add_dynamic(format!("side {side}"), model, state);
    }
    (world, material)
}

/// The states just before and just after the first collision of two bodies.
fn first_collision(world: &World) -> Option<([State; 2], [State; 2], f64)> {
    // When it comes does not depend on the material; what comes after may be a rattle without end.
    let mut elastic = world.clone();
    for model in &mut elastic.models {
        Arc::make_mut(model).material = ELASTIC;
    }
    let tick = bounces(&elastic).first()?.tick;
    let short = World {
        until: tick.saturating_add(1),
        ..world.clone()
    };
    let found = bounces(&short);
    let first = found.first().expect("the same collision");
    assert_eq!(first.tick, tick);
    let mut sim = Simulation::new(world.clone(), 2.0).expect("a sound world");
    sim.advance(first.tick).expect("it runs");
    let before = [0, 1].map(|i| sim.state(BodyId(i), first.tick).expect("retained"));
    let after = [0, 1].map(|i: usize| {
        let b = found[..2].iter().find(|b| b.body.index() == i);
        let b = b.expect("both bodies' sides");
        assert_eq!((b.tick, b.position), (first.tick, before[i].position));
        State {
            velocity: b.velocity,
            spin: b.spin,
            ..before[i]
        }
    });
    Some((before, after, first.impulse))
}

/// Both bodies after an impulse on the first and its opposite on the second, at a point.
fn pushed(models: &[&BodyModel; 2], s: &[State; 2], point: Vec3, impulse: Vec3) -> [State; 2] {
    [(0, impulse), (1, -impulse)].map(|(i, j): (usize, Vec3)| {
        let (mass, turn) = (models[i].mass, s[i].rotation);
        let torque = turn.inverse() * (point - s[i].position).cross(j);
        State {
            velocity: s[i].velocity + j / mass.mass,
            spin: s[i].spin + turn * (torque / mass.inertia),
            ..s[i]
        }
    })
}

/// Whatever the shapes, masses and materials: one impulse and its opposite at one point, within the friction
/// cone, that reverses the approach as restitution says and creates no energy.
#[test]
fn two_bodies_of_any_shape_keep_momentum_and_obey_newton_and_coulomb() {
    let (mut collided, mut stuck, mut slipped, mut smooth) = (0, 0, 0, 0);
    for seed in 0..270 {
        let (world, material) = pair(seed);
        let Some((before, after, impulse)) = first_collision(&world) else {
            continue;
        };
        collided += 1;
        let (p, l, energy) = total(&world, &before);
        let (q, m, left) = total(&world, &after);
        assert!((p - q).length() < ROUNDING, "seed {seed}: {p} {q}");
        assert!((l - m).length() < ROUNDING, "seed {seed}: {l} {m}");
        assert!(left < energy + ROUNDING * energy, "seed {seed}");
        let models = [0, 1].map(|i| world.model(BodyId(i)));
        let near = closest(models[0], &before[0], models[1], &before[1]);
        let point = near.point();
        let relative = |s: &[State; 2]| s[0].velocity_at(point) - s[1].velocity_at(point);
        let (come, gone) = (relative(&before), relative(&after));
        // Newton: along the normal, whatever friction does.
        let (come_in, go_out) = (near.normal.dot(come), near.normal.dot(gone));
        assert!(come_in < 0.0, "seed {seed}: they approach");
        let off = (go_out + material.restitution * come_in).abs();
        assert!(off < 10.0 * ROUNDING, "seed {seed}: {off:e}");
        // Coulomb: the impulse is in the cone, on its edge if anything slides on.
        let j = models[0].mass.mass * (after[0].velocity - before[0].velocity);
        assert!(
            (j.length() - impulse).abs() < ROUNDING * 10.0,
            "seed {seed}"
        );
        let along = near.normal.dot(j);
        let across = (j - near.normal * along).length();
        let edge = material.friction * along;
        assert!(across <= edge + 10.0 * ROUNDING, "seed {seed}");
        let slide = gone - near.normal * go_out;
        if material.friction == 0.0 {
            if material.restitution == 1.0 {
                assert!((left - energy).abs() < ROUNDING * energy, "seed {seed}");
            }
        } else if slide.length() < 100.0 * ROUNDING {
            stuck += 1;
        } else {
            let sliding = (come - near.normal * come_in).normalize();
            let on_edge = near.normal - sliding * material.friction;
            if across > ROUNDING {
                slipped += 1;
                let off = (j - on_edge * along).length();
                assert!(off < 10.0 * ROUNDING, "seed {seed}: {off:e}");
                continue;
            }
            // No friction at all: only where the impulse on the cone's edge that restitution asks for
            // would create energy (Newton's law does, with friction and bodies of odd shape).
            smooth += 1;
            let gain = near
                .normal
                .dot(relative(&pushed(&models, &before, point, on_edge)));
            let wanted = (1.0 + material.restitution) * -come_in / (gain - come_in);
            let rough = pushed(&models, &before, point, on_edge * wanted);
            let made = total(&world, &rough).2 - energy;
            assert!(made > 0.0, "seed {seed}: {made:e}");
        }
    }
    assert!(collided > 200, "only {collided} pairs met");
    let counts = format!("{stuck} stuck, {slipped} slipped, {smooth} smooth");
    assert!(stuck > 20 && slipped > 20 && smooth < 20, "{counts}");
}

/// A cluster that flies together, with nothing around it.
fn cluster(seed: u64, material: Material, balls: bool) -> World {
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let mut world = World::new("cluster", Vec3::ZERO, 0.8);
    for place in 0..64u32 {
        let cell = [place % 4, place / 4 % 4, place / 16].map(f64::from);
        let position = (Vec3::from_array(cell) - 1.5) * 0.7;
        let parts = random_parts(&mut rng, if balls { 0 } else { place });
        let heft = Heft::Mass(1.0 + f64::from(place % 3));
        let model = BodyModel::dynamic(&parts, heft, material, Vec3::ZERO).expect("a solid");
        let model = world.add_model(model);
        let state = State {
            position,
            velocity: vector(&mut rng, 1.0) - 2.0 * position,
            rotation: Quat::from_scaled_axis(vector(&mut rng, 3.0)),
            spin: vector(&mut rng, 4.0),
        };
        world.add_dynamic(format!("body {place}"), model, state);
    }
    world
}

/// Internal impulses cancel: only rounding, of 1e-16 of a few hundred kg m/s for each of a few hundred
/// collisions, changes the sums. Without friction and loss the energy, too: a tumbling body's pieces
/// add at most 4e-13 each.
#[test]
fn a_free_cluster_keeps_momentum_angular_momentum_and_energy() {
    let rough = Material {
        restitution: 0.8,
        friction: 0.5,
    };
    for (material, balls) in [
        (ELASTIC, true),
        (ELASTIC, false),
        (rough, true),
        (rough, false),
    ] {
        for algorithm in [TIMEWARP, Algorithm::Ordered] {
            let world = cluster(3, material, balls);
            let start: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
            let (stats, end) = run(&world, algorithm, &mut Discard).expect("the run ends well");
            assert!(stats.collisions > 60, "only {}", stats.collisions);
            let (p, l, energy) = total(&world, &start);
            let (q, m, left) = total(&world, &end);
            let collisions = stats.collisions as f64;
            let rounding = collisions * 3e-16 * 300.0;
            assert!((p - q).length() < rounding, "{p} {q}");
            assert!((l - m).length() < rounding, "{l} {m}");
            if material == ELASTIC {
                let drift = (left - energy).abs() / energy;
                assert!(drift < collisions * 1e-13, "{drift:e}");
            } else {
                assert!(left < energy);
            }
            // Of balls a tick's way; bare polytopes touch within a tolerance of some micrometres.
            let deepest = if balls { 1e-10 } else { 1e-6 };
            assert!(stats.max_penetration_m < deepest);
        }
    }
}

/// The paper's experiment: 200 bodies, the divider at rest. The bounds are the project's own: energy to
/// 1e-9, no overlap of a micrometre. The walls are smooth and square, so the gas gains the sum of
/// their impulses along their normals and nothing else.
#[test]
fn atoms_keeps_its_energy_and_gains_only_the_momentum_that_walls_give() {
    let set = ["bodies=200", "divider=still", "duration=10"];
    let set = set.map(|o| Override::parse(o).expect("an override"));
    let scene = load("atoms", builtin("atoms").expect("built in").text, &set);
    let world = scene.unwrap_or_else(|e| panic!("{e}")).world;
    let start: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
    let mut found = Bounces::default();
    let (stats, end) = run(&world, TIMEWARP, &mut found).expect("the run ends well");
    assert!(stats.collisions > 1000, "only {}", stats.collisions);
    let (p, _, energy) = total(&world, &start);
    let (q, _, left) = total(&world, &end);
    let drift = (left - energy) / energy;
    assert!(drift.abs() < 1e-9, "{drift:e}");
    assert!(stats.energy_drift_relative.abs() < 1e-9);
    assert!(
        stats.max_penetration_m < 1e-6,
        "{}",
        stats.max_penetration_m
    );
    let mut given = Vec3::ZERO;
    let mut walls = 0;
    for b in &found.0 {
        let wall = world.model(b.partner);
        given += match wall.collider.parts[0].core {
            _ if wall.is_movable() => continue,
            Core::HalfSpace { normal, .. } => normal * b.impulse,
            // The divider stands in the middle and pushes to the side that the body is on.
            _ => Vec3::X * (b.impulse * b.position.x.signum()),
        };
        walls += 1;
    }
    assert!(walls > 100, "only {walls}");
    // Sums of thousands of terms of about a newton second.
    let off = (q - p - given).length();
    assert!(off < stats.collisions as f64 * 1e-14, "{off:e}");
}
