//! The gas against theories with known answers: Enskog's collision rate with the contact value of
//! Carnahan and Starling, Maxwell's distribution, reversibility, and closed forms of single bodies.

use physics::body::Heft;
use physics::{BodyModel, Material, Part, Pose, Quat, Shape, State, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;
use record::{Event, Segment};
use std::f64::consts::PI;
use warp::Tick;
use warpline_sim::{Algorithm, Discard, History, Kind, LookAhead, World, run};

const TIMEWARP: Algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
const ELASTIC: Material = Material {
    restitution: 1.0,
    friction: 0.0,
};
/// Spheres have diameter 1 m and mass 1 kg.
const RADIUS: f64 = 0.5;

fn walls(world: &mut World, edge: f64) {
    for axis in [Vec3::X, Vec3::Y, Vec3::Z] {
        for (normal, at) in [(axis, Vec3::ZERO), (-axis, axis * edge)] {
            let part = Part::centred(Shape::HalfSpace { normal });
            let model = world.add_model(BodyModel::fixed(&[part], ELASTIC).expect("a half-space"));
            world.add_fixed(format!("wall {normal}"), model, Pose::from_translation(at));
        }
    }
}

fn ball_model(world: &mut World) -> physics::ModelId {
    let ball = Part::centred(Shape::Ball { radius: RADIUS });
    let model = BodyModel::dynamic(&[ball], Heft::Mass(1.0), ELASTIC, world.gravity);
    world.add_model(model.expect("a ball"))
}

fn moving(position: Vec3, velocity: Vec3) -> State {
    State {
        position,
        velocity,
        rotation: Quat::IDENTITY,
        spin: Vec3::ZERO,
    }
}

/// `per_edge`^3 spheres at rest but for velocities of which each component is uniform, which is far
/// from Maxwell's distribution, scaled to a mean square speed of 3 (kT = 1).
fn gas(per_edge: usize, edge: f64, seconds: f64, seed: u64) -> World {
    let mut world = World::new("gas", Vec3::ZERO, seconds);
    walls(&mut world, edge);
    let model = ball_model(&mut world);
    let mut rng = Pcg64Mcg::seed_from_u64(seed);
    let count = per_edge.pow(3);
    let mut velocities: Vec<Vec3> = (0..count)
        .map(|_| Vec3::from_array(std::array::from_fn(|_| rng.random::<f64>() - 0.5)))
        .collect();
    let square: f64 = velocities.iter().map(|v| v.length_squared()).sum::<f64>() / count as f64;
    velocities
        .iter_mut()
        .for_each(|v| *v *= (3.0 / square).sqrt());
    let spacing = edge / per_edge as f64;
    for (place, velocity) in velocities.into_iter().enumerate() {
        let cell = [
            place % per_edge,
            place / per_edge % per_edge,
            place / per_edge.pow(2),
        ];
        let position = Vec3::from_array(cell.map(|c| c as f64 + 0.5)) * spacing;
        world.add_dynamic(format!("ball {place}"), model, moving(position, velocity));
    }
    world
}

/// Counts collisions between spheres, and the time spheres spend, inside an inner region; and the
/// moments of their speeds there, weighted with time.
struct Bulk {
    from: i64,
    until: i64,
    low: f64,
    high: f64,
    segments: Vec<Option<Segment<'static>>>,
    /// Sphere-sides of collisions inside: two per collision of two spheres inside.
    sides: u64,
    /// Seconds that sphere centres have spent inside.
    seconds: f64,
    square: f64,
    fourth: f64,
}

impl Bulk {
    fn new(bodies: usize, from: f64, until: f64, low: f64, high: f64) -> Self {
        Bulk {
            from: Tick::from_seconds(from).0,
            until: Tick::from_seconds(until).0,
            low,
            high,
            segments: vec![None; bodies],
            sides: 0,
            seconds: 0.0,
            square: 0.0,
            fourth: 0.0,
        }
    }

    /// Accounts for a sphere's straight path up to `end`.
    fn fly(&mut self, body: usize, end: i64) {
        let Some(path) = self.segments[body] else {
            return;
        };
        let (begin, end) = (path.start.max(self.from), end.min(self.until));
        if end <= begin {
            return;
        }
        // The stretch of the path inside: clipped axis by axis.
        let (mut enter, mut exit) = (
            Tick(begin).since(Tick(path.start)),
            Tick(end).since(Tick(path.start)),
        );
        for axis in 0..3 {
            let (x, v) = (path.position[axis], path.velocity[axis]);
            let (a, b) = ((self.low - x) / v, (self.high - x) / v);
            enter = enter.max(a.min(b));
            exit = exit.min(a.max(b));
        }
        if exit > enter {
            let square: f64 = path.velocity.iter().map(|v| v * v).sum();
            self.seconds += exit - enter;
            self.square += square * (exit - enter);
            self.fourth += square * square * (exit - enter);
        }
    }

    fn finish(&mut self) {
        for body in 0..self.segments.len() {
            self.fly(body, self.until);
        }
    }
}

impl History for Bulk {
    fn segment(&mut self, s: &Segment<'_>) -> warpline_sim::Told {
        let body = s.body as usize;
        self.fly(body, s.start);
        let inside = s.position.iter().all(|&x| x > self.low && x < self.high);
        let counted = (self.from..self.until).contains(&s.start) && inside;
        // The walls are the first six bodies.
        if s.event == Event::Collision && s.partner >= 6 && counted {
            self.sides += 1;
        }
        let moves = s.velocity != [0.0; 3];
        self.segments[body] = moves.then_some(Segment { knots: &[], ..*s });
        Ok(())
    }
}

/// Collisions of a sphere per second at `density` spheres per cubic metre and kT = 1 (Enskog, with
/// the contact value of Carnahan and Starling).
fn enskog_rate(density: f64) -> f64 {
    let packing = PI / 6.0 * density;
    let contact = (1.0 - 0.5 * packing) / (1.0 - packing).powi(3);
    4.0 * PI.sqrt() * density * contact
}

/// What the inner region shows.
struct Found {
    packing: f64,
    collisions: u64,
    /// Relative deviation of the collision rate from Enskog's.
    rate: f64,
    /// Relative deviation of the velocities' kurtosis from Maxwell's.
    kurtosis: f64,
}

/// Runs a gas of `per_edge`^3 spheres, lets it settle, and looks at its inner region.
fn deviations(packing: f64, per_edge: usize, settle: f64, seconds: f64) -> Found {
    let margin = 4.0;
    let count = per_edge.pow(3) as f64;
    let edge = (count * PI / 6.0 / packing).cbrt();
    let until = settle + seconds;
    let world = gas(per_edge, edge, until, 7);
    let mut bulk = Bulk::new(world.bodies.len(), settle, until, margin, edge - margin);
    run(&world, TIMEWARP, &mut bulk).expect("the gas ends well");
    bulk.finish();
    let density = bulk.seconds / (seconds * (edge - 2.0 * margin).powi(3));
    let temperature = bulk.square / bulk.seconds / 3.0;
    let rate = bulk.sides as f64 / bulk.seconds;
    let kurtosis = bulk.fourth * bulk.seconds / (bulk.square * bulk.square);
    // At fixed energy velocities lie on a sphere in 3 N dimensions.
    let maxwell = 5.0 / 3.0 * 3.0 * count / (3.0 * count + 2.0);
    let found = Found {
        packing: density * PI / 6.0,
        collisions: bulk.sides / 2,
        rate: rate / (enskog_rate(density) * temperature.sqrt()) - 1.0,
        kurtosis: kurtosis / maxwell - 1.0,
    };
    println!(
        "bulk packing {:.4}: {} collisions, rate off by {:.4}, kurtosis by {:.4}",
        found.packing, found.collisions, found.rate, found.kurtosis
    );
    found
}

/// `packing` is that of the whole box, chosen so that the bulk comes out at `bulk`: walls keep
/// centres away.
///
/// Error bars. The rate: collisions arrive almost independently, so C of them are good to
/// 1/sqrt(C), one standard deviation: 0.25 % at 160,000, 0.16 % at 400,000. The theory: the virial
/// coefficients that Carnahan and Starling round off add 0.3 % at packing 0.3 and less than 0.1 % at
/// 0.1, so the dense gas gets the smaller error bar. Both together stay below 1 % at three deviations. The
/// kurtosis: for Gaussian velocities the ratio of moments of S independent samples has relative
/// deviation sqrt(8/15/S); a sphere's velocity is independent again after a collision or two, so
/// S = C and the deviation is 0.2 %; 1 % is five of them. Walls layer the gas within about three
/// diameters at the highest packing: the inner region stays four away, and its own density and
/// temperature are measured.
fn assert_kinetic_theory((bulk, packing): (f64, f64), per_edge: usize, settle: f64, seconds: f64) {
    let found = deviations(packing, per_edge, settle, seconds);
    let least = if bulk > 0.2 { 380_000 } else { 150_000 };
    assert!(found.collisions > least, "only {}", found.collisions);
    assert!(
        (found.packing / bulk - 1.0).abs() < 0.02,
        "packing {}",
        found.packing
    );
    assert!(
        found.rate.abs() < 0.01,
        "collision rate off by {}",
        found.rate
    );
    assert!(
        found.kurtosis.abs() < 0.01,
        "kurtosis off by {}",
        found.kurtosis
    );
}

#[test]
fn dilute_gas_collides_as_enskog_says() {
    assert_kinetic_theory((0.01, 0.0095), 15, 100.0, 1200.0);
}

#[test]
fn gas_collides_as_enskog_says() {
    assert_kinetic_theory((0.1, 0.0919), 15, 15.0, 165.0);
}

#[test]
fn dense_gas_collides_as_enskog_says() {
    assert_kinetic_theory((0.3, 0.2865), 20, 10.0, 32.0);
}

/// A world that goes on from `states`.
fn continued(world: &World, states: &[State], change: impl Fn(&State) -> State) -> World {
    let mut next = world.clone();
    for (body, state) in next.bodies.iter_mut().zip(states) {
        if body.kind == Kind::Dynamic {
            body.start = change(state);
        }
    }
    next
}

/// Laws are reversible, errors are not: 1e-12 s of rounding per collision grows by some factor below
/// ten per collision, forwards and backwards; after four collisions a sphere it is far below 1e-6.
#[test]
fn reversed_velocities_lead_back_to_the_start() {
    let packing: f64 = 0.1;
    let edge = (216.0 * PI / 6.0 / packing).cbrt();
    let seconds = 4.0 / enskog_rate(packing * 6.0 / PI);
    let world = gas(6, edge, seconds, 3);
    let (stats, there) = run(&world, TIMEWARP, &mut Discard).expect("the way there");
    assert!(stats.collisions > 3 * 216, "only {}", stats.collisions);
    let reversed = continued(&world, &there, |s| moving(s.position, -s.velocity));
    reversed.validate().expect("the end of a run is a start");
    let (_, back) = run(&reversed, TIMEWARP, &mut Discard).expect("the way back");
    for (body, state) in world.bodies.iter().zip(&back) {
        let missed = (state.position - body.start.position).length();
        assert!(
            missed < 1e-6,
            "`{}` misses its start by {missed} m",
            body.name
        );
    }
}

/// Two equal spheres that meet head-on exchange velocities; when they meet obliquely they exchange
/// the components along the line of centres.
#[test]
fn equal_masses_swap_velocities() {
    let along = Vec3::new(0.36, 0.48, 0.8);
    let across = Vec3::new(0.8, -0.6, 0.0);
    for drift in [Vec3::ZERO, across * 0.7] {
        let mut world = World::new("two balls", Vec3::ZERO, 2.0);
        let model = ball_model(&mut world);
        // They touch after one second, whatever the drift that they share.
        let (va, vb) = (along * 1.3 + drift, along * -0.4 + drift);
        world.add_dynamic("a", model, moving(-along * 1.8, va));
        world.add_dynamic("b", model, moving(along * 0.9, vb));
        let (stats, states) = run(&world, TIMEWARP, &mut Discard).expect("two balls");
        assert_eq!(stats.collisions, 1);
        assert!((states[0].velocity - (along * -0.4 + drift)).length() < 1e-14);
        assert!((states[1].velocity - (along * 1.3 + drift)).length() < 1e-14);
    }
}

/// Ticks at which a body collides.
#[derive(Default)]
struct Bounces(Vec<i64>);

impl History for Bounces {
    fn segment(&mut self, segment: &Segment<'_>) -> warpline_sim::Told {
        if segment.event == Event::Collision {
            self.0.push(segment.start);
        }
        Ok(())
    }
}

fn bounces(restitution: f64, height: f64, gravity: f64, seconds: f64) -> Vec<f64> {
    let material = Material {
        restitution,
        friction: 0.0,
    };
    let mut world = World::new("bouncing ball", Vec3::new(0.0, -gravity, 0.0), seconds);
    let ground = Part::centred(Shape::HalfSpace { normal: Vec3::Y });
    let ground = BodyModel::fixed(&[ground], material).expect("a half-space");
    let ground = world.add_model(ground);
    world.add_fixed("ground", ground, Pose::IDENTITY);
    let ball = Part::centred(Shape::Ball { radius: RADIUS });
    let ball = BodyModel::dynamic(&[ball], Heft::Mass(1.0), material, world.gravity);
    let ball = world.add_model(ball.expect("a ball"));
    let start = moving(Vec3::Y * (RADIUS + height), Vec3::ZERO);
    world.add_dynamic("ball", ball, start);
    let mut found = Bounces::default();
    run(&world, TIMEWARP, &mut found).expect("the ball ends well");
    found.0.iter().map(|&t| Tick(t).seconds()).collect()
}

/// A collision is at the first tick at or after contact, so it is late by up to a tick (0.9e-12 s),
/// the ball by then below the ground and as much later in surfacing. So the n-th bounce is late by
/// at most 2 n - 1 ticks: relative to its time, (2 n - 1) first, by 0.9e-12 s / 2 s.
#[test]
fn bouncing_ball_keeps_the_closed_form_s_times() {
    let (height, gravity) = (20.0_f64, 9.81);
    let first = (2.0 * height / gravity).sqrt();
    for restitution in [1.0, 0.9] {
        let found = bounces(restitution, height, gravity, 30.0);
        let expected = |n: usize| {
            let ratio = |k: usize| restitution.powi(k as i32);
            first * (1.0 + 2.0 * (1..n).map(ratio).sum::<f64>())
        };
        assert!(found.len() >= 7, "only {} bounces", found.len());
        for (index, &time) in found.iter().enumerate() {
            let error = time / expected(index + 1) - 1.0;
            assert!(error.abs() < 1e-12, "bounce {}: {error:e}", index + 1);
        }
    }
}
