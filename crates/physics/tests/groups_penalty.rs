//! `penalty`: the order of its integrator, and contacts whose answers are known in closed form.

use crate::groups_yard;

use groups_yard::{Yard, at, cuboid, material, turned_about_z};
use warpline_physics::groups::rosenbrock::{Rosenbrock, System};
use warpline_physics::groups::{Penalty, PenaltySettings, SolverError};
use warpline_physics::{Shape, Vec3};

const STEP: f64 = 1.0 / 120.0;

fn solver() -> Penalty {
    Penalty::new(PenaltySettings::default()).expect("the default settings are valid")
}

/// `y' = -rate (y - cos t) - sin t`, whose solution from 1 is `cos t`, coupled with a rotation that
/// it drives: stiff, non-linear and time-dependent.
struct Chase {
    rate: f64,
    jacobian: [[f64; 2]; 2],
    inverse: [[f64; 2]; 2],
}

impl System for Chase {
    fn rates(&self, t: f64, y: &[f64], out: &mut [f64]) {
        out[0] = -self.rate * (y[0] - t.cos()) - t.sin();
        out[1] = y[0] * (1.0 - y[1] * y[1]);
    }
    fn time_rates(&self, t: f64, _: &[f64], out: &mut [f64]) {
        out[0] = -self.rate * t.sin() - t.cos();
        out[1] = 0.0;
    }
    fn linearise(&mut self, _: f64, y: &[f64]) {
        self.jacobian = [[-self.rate, 0.0], [1.0 - y[1] * y[1], -2.0 * y[0] * y[1]]];
    }
    fn factor(&mut self, shift: f64) -> bool {
        let [[a, b], [c, d]] = self.jacobian;
        let (a, b, c, d) = (shift - a, -b, -c, shift - d);
        let det = a * d - b * c;
        self.inverse = [[d / det, -b / det], [-c / det, a / det]];
        det != 0.0
    }
    fn solve(&self, right: &mut [f64]) {
        let [x, y] = [right[0], right[1]];
        right[0] = self.inverse[0][0] * x + self.inverse[0][1] * y;
        right[1] = self.inverse[1][0] * x + self.inverse[1][1] * y;
    }
    fn error_size(&self, error: &[f64]) -> f64 {
        error.iter().map(|e| e.abs() / 1e-9).fold(0.0, f64::max)
    }
}

fn chase(rate: f64) -> Chase {
    Chase {
        rate,
        jacobian: [[0.0; 2]; 2],
        inverse: [[0.0; 2]; 2],
    }
}

/// Error at t = 1 with `steps` equal steps. Exact: `y0 = cos t`, `y1 = tanh(sin t)`.
fn error_after(rate: f64, steps: u32) -> f64 {
    let mut system = chase(rate);
    let mut integrator = Rosenbrock::default();
    let mut y = vec![1.0, 0.0];
    let h = 1.0 / f64::from(steps);
    for k in 0..steps {
        let t = h * f64::from(k);
        system.linearise(t, &y);
        integrator.step(&mut system, t, &y, h).expect("regular");
        y.copy_from_slice(integrator.next());
    }
    (y[0] - 1f64.cos()).abs() + (y[1] - 1f64.sin().tanh()).abs()
}

#[test]
fn the_integrator_has_order_four() {
    for (coarse, fine) in [(20, 40), (40, 80)] {
        let order = (error_after(1.0, coarse) / error_after(1.0, fine)).log2();
        assert!(
            (order - 4.0).abs() < 0.25,
            "order {order} from {coarse} to {fine} steps"
        );
    }
}

#[test]
fn the_integrator_takes_stiffness_in_long_steps() {
    // An explicit method of order 4 needs steps below 3e-6 here; 50 long ones follow the solution,
    // with the order 2 that is left to such methods in the stiff limit.
    let error = error_after(1e6, 50);
    assert!(error < 0.02 * 0.02, "error {error}");
    let mut y = vec![1.0, 0.0];
    let mut steps = 0;
    let mut count = |_: &Chase, _: f64, _: &[f64], _: f64| steps += 1;
    Rosenbrock::default()
        .integrate(&mut chase(1e6), 0.0, 1.0, &mut y, &mut count)
        .expect("stiff is what it is for");
    // Stability alone would cost an explicit method 1 / 3e-6 steps.
    assert!(steps < 33_000, "{steps} steps");
    assert!((y[0] - 1f64.cos()).abs() < 1e-7, "{y:?}");
}

#[test]
fn a_ball_rests_at_the_depth_of_its_spring() {
    let mut yard = Yard::with_floor(0.0, 0.5);
    let ball = yard.add(
        Shape::Ball { radius: 0.3 },
        2.0,
        at(0.0, 0.3, 0.0),
        material(0.5, 0.2),
    );
    let solver = solver();
    yard.run(&solver, STEP, 3.0);
    let depth = 0.3 - yard.states[ball].position.y;
    let expected = 2.0 * 9.81 / solver.stiffness(&yard.models[ball], &yard.grounds[0].0);
    // Ringing has died down by a factor exp(-2 pi 60 * 0.45 * 3); the integrator allows 1e-6 m.
    assert!(
        (depth - expected).abs() < 2e-6,
        "{depth} m, not {expected} m"
    );
    let weight = yard.report.touches[0].normal_impulse / STEP;
    assert!((weight / 19.62 - 1.0).abs() < 1e-3, "carries {weight} N");
}

#[test]
fn a_ball_bounces_with_its_restitution() {
    for restitution in [0.3, 0.6, 0.9] {
        let mut yard = Yard::with_floor(0.0, 0.0);
        yard.add(
            Shape::Ball { radius: 0.3 },
            2.0,
            at(0.0, 0.4, 0.0),
            material(0.0, restitution),
        );
        yard.states[0].velocity.y = -3.0;
        let solver = solver();
        let impact = (9.0f64 + 2.0 * 9.81 * 0.1).sqrt();
        let mut rebound = 0f64;
        for _ in 0..24 {
            yard.step(&solver, STEP).expect("a step");
            let state = &yard.states[0];
            let height = state.position.y - 0.3;
            if state.velocity.y > 0.0 && height > 0.0 {
                let at_floor = state.velocity.y.powi(2) + 2.0 * 9.81 * height;
                rebound = at_floor.sqrt();
            }
        }
        // The spring's law is exact but for gravity during contact and the depth over which the
        // damper comes in: about 1 % of the depth reached here each.
        let found = rebound / impact;
        assert!(
            (found - restitution).abs() < 0.02,
            "{found} for {restitution}"
        );
    }
}

/// A box on a slope with `tan(slope) < mu` creeps at `eps artanh(tan(slope) / mu)`: this law has no
/// static friction. Steeper, it slides with `g (sin - mu cos)`.
#[test]
fn boxes_creep_and_slide_on_slopes() {
    let friction = 0.5;
    let solver = solver();
    for degrees in [15.0, 35.0] {
        let slope = f64::to_radians(degrees);
        let mut yard = Yard::with_floor(slope, friction);
        let normal = Vec3::new(slope.sin(), slope.cos(), 0.0);
        let pose = turned_about_z(normal * 0.1, -slope);
        yard.add(cuboid(0.3, 0.1, 0.2), 3.0, pose, material(friction, 0.0));
        let downhill = Vec3::new(slope.cos(), -slope.sin(), 0.0);
        yard.run(&solver, STEP, 0.5);
        let start = yard.states[0];
        yard.run(&solver, STEP, 1.0);
        let moved = (yard.states[0].position - start.position).dot(downhill);
        let expected = if slope.tan() < friction {
            1e-3 * (slope.tan() / friction).atanh()
        } else {
            let pull = 9.81 * (slope.sin() - friction * slope.cos());
            start.velocity.dot(downhill) + 0.5 * pull
        };
        assert!(
            (moved / expected - 1.0).abs() < 0.01,
            "{degrees}: {moved} m, not {expected} m"
        );
    }
}

#[test]
fn a_small_pile_stays_together_and_repeats_to_the_byte() {
    let build = || {
        let mut yard = Yard::with_floor(0.0, 0.5);
        for k in 0..4 {
            yard.add(
                cuboid(0.25, 0.25, 0.25),
                10.0,
                at(0.0, 0.25 + 0.5 * k as f64, 0.0),
                material(0.5, 0.0),
            );
        }
        yard.run(&solver(), STEP, 2.0);
        yard.states
    };
    let states = build();
    assert_eq!(states, build());
    for (k, state) in states.iter().enumerate() {
        let drift = state.position - Vec3::new(0.0, 0.25 + 0.5 * k as f64, 0.0);
        assert!(drift.length() < 0.01, "box {k} moved by {drift}");
    }
}

#[test]
fn stiffness_beyond_the_integrator_is_refused() {
    let settings = PenaltySettings {
        hertz: 1e7,
        ..PenaltySettings::default()
    };
    let error = Penalty::new(settings).expect_err("too stiff");
    assert!(
        matches!(error, SolverError::Setting { what: "hertz", .. }),
        "{error}"
    );
}
