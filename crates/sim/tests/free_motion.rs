//! A body on its own: damping, the force fields that scenes can name and those that users write, and
//! torque-free tumbling, against closed forms and an independent integration.
//!
//! Motion under forces is integrated with an error of at most [`STATE_TOLERANCE`] a step, relative to
//! one plus the size of what is integrated. The tolerances here are that, times the number of
//! steps, times how much the motion itself multiplies a difference.

use physics::body::{Heft, Law};
use physics::tumble::STATE_TOLERANCE;
use physics::{BodyModel, Flight, Material, Part, Pose, Quat, Shape, State, Turn, Vec3, Wrench};
use std::f64::consts::{PI, TAU};
use std::sync::Arc;
use warp::Tick;
use warpline_sim::{BodyId, Callback, Simulation, World, scene};

const GRAVITY: Vec3 = Vec3::new(0.0, -9.81, 0.0);

/// What a body did.
struct Seen {
    /// Seconds and states, most of them inside steps of the integrator.
    states: Vec<(f64, State)>,
    /// Steps (pieces of a power series for tumbling) that cover the motion.
    steps: f64,
    /// The longest one of an integrated motion, s.
    longest: f64,
}

impl Seen {
    /// The error that the integrator is allowed in values up to `size`: one step more than
    /// there were, for the interpolation.
    fn allowed(&self, size: f64) -> f64 {
        (self.steps + 1.0) * STATE_TOLERANCE * (1.0 + size)
    }
}

/// Watches a body for some seconds in which it has no event.
fn watch(world: &World, body: BodyId, seconds: f64) -> Seen {
    let mut sim = Simulation::new(world.clone(), 2.0 * seconds).expect("a sound world");
    sim.advance(Tick::from_seconds(seconds)).expect("it runs");
    let looks = 97;
    let states = (0..=looks).map(|look| {
        let tick = Tick::from_seconds(seconds * f64::from(look) / f64::from(looks));
        (tick.seconds(), sim.state(body, tick).expect("retained"))
    });
    let states = states.collect();
    let (model, start) = (world.model(body), world.bodies[body.index()].start);
    let flight = Flight {
        start: Tick::ZERO,
        position: start.position,
        velocity: start.velocity,
        model: world.bodies[body.index()].model,
        body: body.0,
    };
    let mut turn = Turn::default();
    turn.begin(start.rotation, start.spin, model);
    let steps = turn.extend(&flight, model, Tick::from_seconds(seconds));
    let lengths = turn.attitude().iter().map(|piece| piece.end - piece.start);
    Seen {
        states,
        steps: f64::from(steps),
        longest: lengths.fold(0.0, f64::max),
    }
}

fn dynamic(shape: Shape, mass: f64, gravity: Vec3) -> BodyModel {
    let parts = [Part::centred(shape)];
    BodyModel::dynamic(&parts, Heft::Mass(mass), Material::default(), gravity).expect("a solid")
}

/// A ball of 2.5 kg and 1 m: its moment of inertia is 1 kg m^2.
fn ball(gravity: Vec3) -> BodyModel {
    dynamic(Shape::Ball { radius: 1.0 }, 2.5, gravity)
}

/// A world with one body.
fn alone(model: BodyModel, start: State) -> World {
    let mut world = World::new("alone", model.gravity, 1.0);
    let model = world.add_model(model);
    world.add_dynamic("body", model, start);
    world
}

fn moving(velocity: Vec3, spin: Vec3) -> State {
    State {
        velocity,
        spin,
        ..State::at_rest(Pose::from_translation(Vec3::new(0.3, 2.0, -1.0)))
    }
}

/// The angle between two attitudes; accurate for small ones.
fn angle(a: Quat, b: Quat) -> f64 {
    let apart = a.inverse() * b;
    2.0 * Vec3::new(apart.x, apart.y, apart.z).length()
}

fn momentum(model: &BodyModel, s: &State) -> Vec3 {
    s.rotation * (model.mass.inertia * (s.rotation.inverse() * s.spin))
}

const ONLY: BodyId = BodyId(0);

/// `v' = g - c v` and `w' = -d w`.
#[test]
fn damping_is_an_exponential_decay_towards_the_terminal_velocity() {
    let (c, d) = (0.8, 1.7);
    let (v, w) = (Vec3::new(4.0, 1.0, -2.0), Vec3::new(1.0, -3.0, 2.0));
    let model = ball(GRAVITY).with_forces([c, d], None);
    assert_eq!(model.law, Law::Integrated);
    assert_eq!(model.mass.inertia, Vec3::ONE);
    let start = moving(v, w);
    let seen = watch(&alone(model, start), ONLY, 3.0);
    let terminal = GRAVITY / c;
    for &(t, s) in &seen.states {
        let left = (-c * t).exp();
        let velocity = terminal + (v - terminal) * left;
        let position = start.position + terminal * t + (v - terminal) * ((1.0 - left) / c);
        assert!((s.velocity - velocity).length() < seen.allowed(15.0), "{t}");
        // Errors of the velocity add up over the time that damping leaves them.
        let added = 1.0 + 1.0 / c;
        let off = (s.position - position).length();
        assert!(off < added * seen.allowed(30.0), "{t}: {off:e}");
        // Between steps the angular momentum is a cubic through values and torques at their ends, whose
        // error is at most h^4 / 384 times its fourth derivative.
        let cubic = (d * seen.longest).powi(4) / 384.0 * w.length();
        let off = (s.spin - w * (-d * t).exp()).length();
        assert!(off < seen.allowed(w.length()) + cubic, "{t}: {off:e}");
        // The axis stays, and the angle is what the spin adds up to.
        let turned = Quat::from_scaled_axis(w * ((1.0 - (-d * t).exp()) / d));
        let off = angle(turned, s.rotation);
        assert!(off < 2.0 * seen.allowed(1.0 + w.length()), "{t}: {off:e}");
    }
}

/// Damping takes angular momentum along its own direction: a tumbling body goes through the attitudes of
/// the undamped one, the one of time t at `(1 - e^(-d t)) / d`.
#[test]
fn a_damped_body_tumbles_through_the_attitudes_of_a_free_one() {
    let half_extents = Vec3::new(0.9, 0.5, 0.7);
    let model = dynamic(Shape::Box { half_extents }, 6.0, Vec3::ZERO);
    let start = moving(Vec3::ZERO, Vec3::new(1.0, 2.0, -2.5));
    let d = 0.6;
    let damped = alone(model.clone().with_forces([0.0, d], None), start);
    let seen = watch(&damped, ONLY, 2.5);
    let mut free = Simulation::new(alone(model.clone(), start), 10.0).expect("a sound world");
    free.advance(Tick::from_seconds(2.5)).expect("it runs");
    // Of two neighbouring motions, attitudes part at first order in time with the spin.
    let growth = 2.0 * (1.0 + 2.5 * start.spin.length());
    for &(t, s) in &seen.states {
        let slowed = Tick::from_seconds((1.0 - (-d * t).exp()) / d);
        let twin = free.state(ONLY, slowed).expect("retained");
        let off = angle(twin.rotation, s.rotation);
        assert!(off < growth * seen.allowed(1.0), "{t}: {off:e}");
        let lost = momentum(&model, &twin) * (-d * t).exp() - momentum(&model, &s);
        let size = momentum(&model, &twin).length();
        let cubic = (d * seen.longest).powi(4) / 384.0 * size;
        assert!(lost.length() < seen.allowed(size) + cubic, "{t}: {lost}");
    }
}

/// A scene with one body of 2 kg at (1, 0.5, 0), and what it must do: position and velocity at a time.
fn field(
    forces: &str,
    [gravity, velocity]: [Vec3; 2],
    seconds: f64,
    growth: f64,
    exact: impl Fn(f64) -> (Vec3, Vec3),
) {
    let names: Vec<_> = forces
        .lines()
        .filter_map(|l| l.trim().strip_prefix("[forces.")?.strip_suffix(']'))
        .collect();
    assert!(!names.is_empty());
    let text = format!(
        "name = 'field'\nuntil = 1\ngravity = {:?}\n{forces}\n[[body]]\nname = 'body'\n\
         shape = {{ ball = 0.1 }}\nmass = 2\nposition = [1, 0.5, 0]\nvelocity = {:?}\nforces = {names:?}\n",
        gravity.to_array(),
        velocity.to_array(),
    );
    let world = match scene::load("field.toml", &text, &[]) {
        Ok(scene) => scene.world,
        Err(error) => panic!("{error}"),
    };
    let seen = watch(&world, ONLY, seconds);
    for &(t, s) in &seen.states {
        let (position, velocity) = exact(t);
        let size = position.length().max(velocity.length());
        let allowed = growth * seen.allowed(size);
        let off = (s.position - position).length();
        assert!(off < allowed, "position at {t} s: {off:e} of {allowed:e}");
        let off = (s.velocity - velocity).length();
        assert!(off < allowed, "velocity at {t} s: {off:e} of {allowed:e}");
    }
}

const PLACE: Vec3 = Vec3::new(1.0, 0.5, 0.0);
const MASS: f64 = 2.0;

/// `m v' = m g - a v`.
#[test]
fn linear_drag_leads_to_the_terminal_velocity() {
    let v = Vec3::new(3.0, 4.0, -5.0);
    let forces = "[forces.air]\nkind = 'drag'\nlinear = 1.5";
    let c = 1.5 / MASS;
    let terminal = GRAVITY / c;
    field(forces, [GRAVITY, v], 4.0, 1.0 + 1.0 / c, |t| {
        let left = (-c * t).exp();
        let position = PLACE + terminal * t + (v - terminal) * ((1.0 - left) / c);
        (position, terminal + (v - terminal) * left)
    });
}

/// `m v' = -(a + b v) v` along a line: `1 / v` obeys a linear equation.
#[test]
fn drag_slows_a_body_along_its_line_as_its_two_terms_say() {
    let direction = Vec3::new(2.0, -1.0, 2.0) / 3.0;
    let v = 6.0;
    let (a, b): (f64, f64) = (0.4 / MASS, 0.9 / MASS);
    let both = "[forces.air]\nkind = 'drag'\nlinear = 0.4\nquadratic = 0.9";
    field(both, [Vec3::ZERO, direction * v], 3.0, 1.0 + 1.0 / a, |t| {
        let grown = 1.0 + b * v / a * (1.0 - (-a * t).exp());
        let way = grown.ln() / b;
        let speed = v * (-a * t).exp() / grown;
        (PLACE + direction * way, direction * speed)
    });
    let square = "[forces.air]\nkind = 'drag'\nquadratic = 0.9";
    field(square, [Vec3::ZERO, direction * v], 3.0, 4.0, |t| {
        let grown = 1.0 + b * v * t;
        (
            PLACE + direction * (grown.ln() / b),
            direction * (v / grown),
        )
    });
}

/// A fall from rest in air: `v = u tanh(g t / u)` with the terminal speed `u`.
#[test]
fn quadratic_drag_and_gravity_make_a_hyperbolic_tangent() {
    let u = (MASS * 9.81 / 0.7f64).sqrt();
    let forces = "[forces.air]\nkind = 'drag'\nquadratic = 0.7";
    field(forces, [GRAVITY, Vec3::ZERO], 3.0, 4.0, |t| {
        let x = 9.81 * t / u;
        let fallen = u * u / 9.81 * x.cosh().ln();
        (PLACE - Vec3::Y * fallen, -Vec3::Y * (u * x.tanh()))
    });
}

/// Harmonic about the point where spring and gravity balance, an ellipse in space.
#[test]
fn a_spring_swings_harmonically_about_its_equilibrium() {
    let v = Vec3::new(0.5, -1.0, 2.0);
    let forces = "[forces.pull]\nkind = 'spring'\nanchor = [0.2, 1, -0.3]\nstiffness = 18";
    let w = (18.0 / MASS).sqrt();
    let middle = Vec3::new(0.2, 1.0, -0.3) + GRAVITY / (w * w);
    // Positions err by what velocities err by, divided by the frequency, and the other way round.
    field(forces, [GRAVITY, v], 10.0, w + 1.0 / w, |t| {
        let (sin, cos) = (w * t).sin_cos();
        let away = PLACE - middle;
        (
            middle + away * cos + v * (sin / w),
            v * cos - away * (w * sin),
        )
    });
}

/// Several fields add up: a spring and a linear drag are the damped oscillator.
#[test]
fn a_spring_in_air_is_a_damped_oscillator() {
    let v = Vec3::new(0.0, 3.0, 1.0);
    let forces = "[forces.pull]\nkind = 'spring'\nstiffness = 50\n\
                  [forces.air]\nkind = 'drag'\nlinear = 2.8";
    let (square, half) = (50.0 / MASS, 0.5 * 2.8 / MASS);
    let w = (square - half * half).sqrt();
    field(forces, [Vec3::ZERO, v], 6.0, w + 1.0 / w, |t| {
        let (sin, cos) = (w * t).sin_cos();
        let left = (-half * t).exp();
        let slope = (v + PLACE * half) / w;
        let position = (PLACE * cos + slope * sin) * left;
        let rate = (slope * cos - PLACE * sin) * (w * left);
        (position, rate - position * half)
    });
}

/// Within a softening far larger than the orbit the attraction is a spring; on a circle it is exact
/// for any softening: `w^2 = strength / (r^2 + s^2)^(3/2)`.
#[test]
fn a_circle_about_an_attractor_has_the_softened_period() {
    let centre = Vec3::new(1.0, 0.5, 1.5);
    let w = (8.0 / (1.5f64.powi(2) + 0.8f64.powi(2)).powf(1.5)).sqrt();
    let v = Vec3::X * (1.5 * w);
    let forces =
        "[forces.sun]\nkind = 'attractor'\ncentre = [1, 0.5, 1.5]\nstrength = 8\nsoftening = 0.8";
    // Neighbouring orbits part by three times the difference a radian.
    let growth = 1.0 + 3.0 * w * 12.0;
    field(forces, [Vec3::ZERO, v], 12.0, growth, |t| {
        let (sin, cos) = (w * t).sin_cos();
        let position = centre + Vec3::new(1.5 * sin, 0.0, -1.5 * cos);
        (position, Vec3::new(1.5 * w * cos, 0.0, 1.5 * w * sin))
    });
}

/// Without softening the orbit is Kepler's ellipse: the eccentric anomaly of every time.
#[test]
fn an_attractor_bends_a_path_into_keplers_ellipse() {
    // From the far end of an ellipse about the origin, eccentricity 0.4; a softening of 1e-7 m
    // changes the force by 3 s^2 / (2 r^2), less than rounding in the sum.
    let (mu, e) = (5.0f64, 0.4f64);
    let far = PLACE.length();
    let a = far / (1.0 + e);
    let outward = PLACE / far;
    let across = Vec3::Z;
    let v = across * (mu * (1.0 - e) / far).sqrt();
    let n = (mu / a.powi(3)).sqrt();
    let seconds = 3.0 * TAU / n;
    let forces = "[forces.sun]\nkind = 'attractor'\nstrength = 5\nsoftening = 1e-7";
    let depth = (1.0 + e) / (1.0 - e);
    let growth = depth * depth * (1.0 + 3.0 * n * seconds);
    field(forces, [Vec3::ZERO, v], seconds, growth, |t| {
        // Counted from the far end: M = n t = E + e sin E there.
        let mean = n * t;
        let mut anomaly = mean;
        for _ in 0..50 {
            anomaly -= (anomaly + e * anomaly.sin() - mean) / (1.0 + e * anomaly.cos());
        }
        let (sin, cos) = anomaly.sin_cos();
        let b = a * (1.0 - e * e).sqrt();
        let rate = n / (1.0 + e * cos);
        (
            outward * (a * (cos + e)) + across * (b * sin),
            (across * (b * cos) - outward * (a * sin)) * rate,
        )
    });
}

/// The closed form of `v' = k (u (1 + gust sin(W t)) - v)`: position and velocity.
fn blown(v: Vec3, u: Vec3, [k, gust, w]: [f64; 3], t: f64) -> (Vec3, Vec3) {
    let forced = u * (gust * k / (k * k + w * w));
    let (sin, cos) = (w * t).sin_cos();
    let left = (-k * t).exp();
    let rest = v - u + forced * w;
    let velocity = u + forced * (k * sin - w * cos) + rest * left;
    let position = PLACE + u * t + forced * (k / w * (1.0 - cos) - sin) + rest * ((1.0 - left) / k);
    (position, velocity)
}

const WIND: &str =
    "[forces.wind]\nkind = 'wind'\nvelocity = [4, 0, -1]\ndrag = 1.8\ngust = 0.6\nperiod = 0.7";

#[test]
fn wind_takes_a_body_along_and_its_gusts_shake_it() {
    let (v, u) = (Vec3::new(-1.0, 2.0, 0.0), Vec3::new(4.0, 0.0, -1.0));
    let k = 1.8 / MASS;
    field(WIND, [Vec3::ZERO, v], 4.0, 1.0 + 1.0 / k, |t| {
        blown(v, u, [k, 0.6, TAU / 0.7], t)
    });
}

/// The clock of a field is the world's, not a segment's: a callback that changes nothing but cuts the
/// worldline leaves the gusts where they were.
#[test]
fn a_field_knows_the_time_of_the_world_in_later_segments() {
    let text = format!(
        "name = 'gusts'\nuntil = 1\ngravity = [0, 0, 0]\n{WIND}\n[[body]]\nname = 'body'\n\
         shape = {{ ball = 0.1 }}\nmass = 2\nposition = [1, 0.5, 0]\nforces = ['wind']\n"
    );
    let scene = scene::load("gusts.toml", &text, &[]).unwrap_or_else(|e| panic!("{e}"));
    let mut world = scene.world;
    let whole = watch(&world, ONLY, 2.0);
    world.callbacks.push(Callback {
        name: "cut".into(),
        bodies: vec![ONLY],
        first: 0.25,
        run: Arc::new(|_, _| Some(0.25)),
    });
    let mut cut = Simulation::new(world, 4.0).expect("a sound world");
    cut.advance(Tick::from_seconds(2.0)).expect("it runs");
    let k = 1.8 / MASS;
    for &(t, _) in &whole.states {
        let s = cut.state(ONLY, Tick::from_seconds(t)).expect("retained");
        let u = Vec3::new(4.0, 0.0, -1.0);
        let (position, velocity) = blown(Vec3::ZERO, u, [k, 0.6, TAU / 0.7], t);
        // Eight segments, which begin with steps of their own.
        let allowed = (1.0 + 1.0 / k) * 2.0 * whole.allowed(8.0);
        assert!((s.position - position).length() < allowed, "{t}");
        assert!((s.velocity - velocity).length() < allowed, "{t}");
    }
}

/// A user's own field with a torque: a torsion wire about x, a harmonic turn of the ball.
#[test]
fn a_torsion_wire_turns_a_ball_to_and_fro() {
    let w: f64 = 3.0;
    let wire = move |_: f64, _: f64, s: &State| Wrench {
        force: Vec3::ZERO,
        torque: -w * w * physics::rotation::rotation_vector(s.rotation),
    };
    let model = ball(Vec3::ZERO).with_forces([0.0; 2], Some(Arc::new(wire)));
    let swing = 1.2;
    let start = moving(Vec3::ZERO, Vec3::X * (swing * w));
    let seen = watch(&alone(model, start), ONLY, 8.0);
    for &(t, s) in &seen.states {
        let (sin, cos) = (w * t).sin_cos();
        let growth = 2.0 * (w + 1.0 / w);
        let off = angle(Quat::from_rotation_x(swing * sin), s.rotation);
        assert!(off < growth * seen.allowed(swing), "{t}: {off:e}");
        let cubic = (w * seen.longest).powi(4) / 384.0 * swing * w;
        let off = (s.spin - Vec3::X * (swing * w * cos)).length();
        assert!(
            off < growth * seen.allowed(swing * w) + cubic,
            "{t}: {off:e}"
        );
    }
}

/// A brick with three different moments, known in closed form.
fn brick() -> BodyModel {
    let half_extents = Vec3::new(0.5, 0.3, 0.15);
    let mass = 4.5;
    let model = dynamic(Shape::Box { half_extents }, mass, GRAVITY);
    let squares = half_extents * half_extents;
    let moment = |a: f64, b: f64| mass / 3.0 * (a + b);
    let mut expected = [
        moment(squares.y, squares.z),
        moment(squares.x, squares.z),
        moment(squares.x, squares.y),
    ];
    let mut found = model.mass.inertia.to_array();
    expected.sort_by(f64::total_cmp);
    found.sort_by(f64::total_cmp);
    for (f, e) in found.iter().zip(expected) {
        assert!((f - e).abs() < 1e-14, "{found:?} for {expected:?}");
    }
    assert_eq!(model.law, Law::Tumbling);
    model
}

/// Size of the terms that a piece of the power series neglects in the four components of a unit quaternion:
/// they turn the body by at most twice the root of four times that.
const PIECE_TOLERANCE: f64 = 4e-13;

#[test]
fn a_tumbling_brick_keeps_its_energy_and_angular_momentum_over_a_hundred_turns() {
    let model = brick();
    let energy = |s: &State| 0.5 * s.spin.dot(momentum(&model, s));
    for spin in [[9.0, 1.0, -3.0], [0.1, 10.0, 0.1], [1.0, 2.0, 10.0]] {
        let start = moving(Vec3::new(1.0, 5.0, 0.0), Vec3::from_array(spin));
        let world = alone(model.clone(), start);
        let begin = world.bodies[0].start;
        let seen = watch(&world, ONLY, 64.0);
        let (l, e) = (momentum(&model, &begin), energy(&begin));
        for &(t, s) in &seen.states {
            // The spin follows from the angular momentum: a few roundings, whatever the time.
            let off = (momentum(&model, &s) - l).length() / l.length();
            assert!(off < 1e-14, "{t}: {off:e}");
            // The largest ratio of moments bounds how much energy a turn of the body changes.
            let off = (energy(&s) - e).abs() / e;
            let allowed = 4.0 * (1.0 + seen.steps) * PIECE_TOLERANCE;
            assert!(off < allowed, "{t}: {off:e}");
            let fallen = start.velocity * t + GRAVITY * (0.5 * t * t);
            let size = 1.0 + fallen.length();
            assert!((s.position - start.position - fallen).length() < 1e-14 * size);
        }
    }
}

/// Euler's equations and the attitude's, by the classical method of order 4: body spin and attitude.
fn euler(model: &BodyModel, s: &State, seconds: f64, steps: u32) -> (Vec3, Quat) {
    type Y = (Vec3, Quat);
    let inertia = model.mass.inertia;
    let rate = |(w, q): Y| -> Y {
        let dq = q * Quat::from_xyzw(w.x, w.y, w.z, 0.0);
        (-w.cross(inertia * w) / inertia, dq * 0.5)
    };
    let plus = |(w, q): Y, (dw, dq): Y, h: f64| (w + dw * h, q + dq * h);
    let h = seconds / f64::from(steps);
    let mut y = (s.rotation.inverse() * s.spin, s.rotation);
    for _ in 0..steps {
        let k1 = rate(y);
        let k2 = rate(plus(y, k1, 0.5 * h));
        let k3 = rate(plus(y, k2, 0.5 * h));
        let k4 = rate(plus(y, k3, h));
        let sum = plus(plus(plus(k1, k2, 2.0), k3, 2.0), k4, 1.0);
        y = plus(y, sum, h / 6.0);
    }
    (y.0, y.1.normalize())
}

/// The reference errs by what halving its steps changes, the series by its pieces, and spins that differ
/// part in proportion to the time. The second spin begins 0.06 rad from the axis of the middle moment and
/// flips to and fro, which multiplies a difference by the inverse of that angle, 17.
#[test]
fn a_tumbling_brick_follows_eulers_equations() {
    let model = brick();
    for spin in [[5.0, 1.0, -2.0], [0.3, 6.0, 0.2], [1.0, 0.5, 6.0]] {
        let start = moving(Vec3::ZERO, Vec3::from_array(spin));
        let world = alone(model.clone(), start);
        let begin = world.bodies[0].start;
        let mut sim = Simulation::new(world.clone(), 20.0).expect("a sound world");
        sim.advance(Tick::from_seconds(8.0)).expect("it runs");
        let pieces = watch(&world, ONLY, 8.0).steps;
        for t in [0.5, 2.0, 8.0] {
            let steps = (20_000.0 * t) as u32;
            let (_, rough) = euler(&model, &begin, t, steps / 2);
            let (spin, fine) = euler(&model, &begin, t, steps);
            let s = sim.state(ONLY, Tick::from_seconds(t)).expect("retained");
            let off = angle(fine, s.rotation);
            let growth = 17.0 + t * begin.spin.length();
            let unsure = angle(rough, fine);
            let allowed = unsure + growth * (1.0 + pieces) * PIECE_TOLERANCE;
            assert!(
                unsure < 1e-10,
                "the reference must be the better one: {unsure:e}"
            );
            assert!(off < allowed, "{t}: {off:e} of {allowed:e}");
            let off = (s.rotation.inverse() * s.spin - spin).length();
            assert!(
                off < allowed * begin.spin.length() * 2.0,
                "{t}: {off:e} of {allowed:e}"
            );
        }
    }
}

/// Landau and Lifshitz, section 37: with `L^2 > 2 E B` the spin in the body's frame has the period
/// `4 K sqrt(A B C / ((C - B) (L^2 - 2 E A)))`, and after half of it two components have turned round.
#[test]
fn the_spin_of_a_brick_has_the_period_of_the_elliptic_functions() {
    let model = brick();
    let start = moving(Vec3::ZERO, Vec3::new(1.0, 6.0, 2.5));
    let world = alone(model.clone(), start);
    let begin = world.bodies[0].start;
    let mut axes = [0, 1, 2];
    let inertia = model.mass.inertia.to_array();
    axes.sort_by(|&i, &j| inertia[i].total_cmp(&inertia[j]));
    let [a, b, c] = axes.map(|i| inertia[i]);
    let l = momentum(&model, &begin);
    let (square, twice) = (l.length_squared(), begin.spin.dot(l));
    assert!(square > twice * b, "about the axis of the largest moment");
    let modulus = (b - a) * (twice * c - square) / ((c - b) * (square - twice * a));
    let (mut mean, mut low) = (1.0, (1.0 - modulus).sqrt());
    for _ in 0..10 {
        (mean, low) = (0.5 * (mean + low), (mean * low).sqrt());
    }
    let quarter = PI / (2.0 * mean) * (a * b * c / ((c - b) * (square - twice * a))).sqrt();
    let pieces = watch(&world, ONLY, 40.0 * quarter).steps;
    let mut sim = Simulation::new(world, 100.0).expect("a sound world");
    sim.advance(Tick::from_seconds(40.0 * quarter))
        .expect("it runs");
    // A spin that is off by a little has another period: the difference grows with the time.
    let growth = |time: f64| (1.0 + time * begin.spin.length()) * begin.spin.length();
    let own = |s: &State| (s.rotation.inverse() * s.spin).to_array();
    for periods in 1..=9u32 {
        let half = f64::from(2 * periods) * quarter;
        for (time, sign) in [(half, -1.0), (2.0 * half, 1.0)] {
            let sign = if periods % 2 == 0 { 1.0 } else { sign };
            let s = sim.state(ONLY, Tick::from_seconds(time)).expect("retained");
            let (found, first) = (own(&s), own(&begin));
            for (axis, sign) in [(axes[0], sign), (axes[1], sign), (axes[2], 1.0)] {
                let off = (found[axis] - sign * first[axis]).abs();
                let allowed = growth(time) * (1.0 + pieces) * PIECE_TOLERANCE;
                assert!(
                    off < allowed,
                    "{time} s, axis {axis}: {off:e} of {allowed:e}"
                );
            }
        }
    }
}

/// A symmetric body precesses about its angular momentum at `L / A` and turns about its own axis besides.
#[test]
fn a_spinning_cylinder_precesses_regularly() {
    let shape = Shape::Cylinder {
        half_height: 0.1,
        radius: 0.4,
    };
    let model = dynamic(shape, 2.0, Vec3::ZERO);
    let start = moving(Vec3::ZERO, Vec3::new(1.5, 7.0, -0.5));
    let world = alone(model.clone(), start);
    let begin = world.bodies[0].start;
    let (radius, height) = (0.4f64, 0.2f64);
    let across = 2.0 * (3.0 * radius.powi(2) + height.powi(2)) / 12.0;
    let along = 2.0 * radius.powi(2) / 2.0;
    let l = across * (begin.spin - Vec3::Y * begin.spin.y) + along * Vec3::Y * begin.spin.y;
    // In the body's frame the spin turns about the axis at this rate.
    let own = begin.spin.y * (across - along) / across;
    let seen = watch(&world, ONLY, 16.0);
    for &(t, s) in &seen.states {
        let precession = Quat::from_scaled_axis(l / across * t);
        let turn = Quat::from_scaled_axis(Vec3::Y * (own * t));
        let off = angle(precession * turn * begin.rotation, s.rotation);
        let growth = 1.0 + t * begin.spin.length();
        let allowed = growth * (1.0 + seen.steps) * PIECE_TOLERANCE;
        assert!(off < allowed, "{t}: {off:e} of {allowed:e}");
    }
}
