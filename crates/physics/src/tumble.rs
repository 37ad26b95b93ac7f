//! Motion under damping and force fields, integrated by an adaptive Runge-Kutta method of order 5.
//!
//! The state is position, velocity, attitude and world angular momentum `L`; the attitude obeys
//! `q' = q W / 2` with `W = I^-1 (q^-1 L q)` in the body's frame. Steps are chosen from the
//! segment's start alone, and quintic Hermite pieces between them are the dense output.

use crate::body::{BodyModel, Law};
use crate::dense::{Jet, Quintic};
use crate::motion::{Dense, Flight, Forces, Halt, HaltReason, MOST_PIECES, State, Turn, let_go};
use crate::runge_kutta::{next_length, step};
use crate::series::STANDING_S;
use crate::{Quat, Vec3};

/// Allowed error of an integrated state per step, relative to one metre, m/s, ...
pub const STATE_TOLERANCE: f64 = 1e-10;

/// Body-frame angular velocity at attitude `q` (x, y, z, w) and world momentum `l`.
#[inline]
fn body_spin(q: &[f64; 4], momentum: Vec3, inverse_inertia: Vec3) -> Vec3 {
    let (v, w) = (Vec3::new(q[0], q[1], q[2]), q[3]);
    let t = 2.0 * momentum.cross(v);
    inverse_inertia * (momentum + w * t + t.cross(v))
}

/// `q` times the pure quaternion `spin`, halved: the rate of the attitude.
#[inline]
fn attitude_rate(q: &[f64; 4], spin: Vec3) -> [f64; 4] {
    let (v, w) = (Vec3::new(q[0], q[1], q[2]), q[3]);
    let xyz = 0.5 * (w * spin + v.cross(spin));
    [xyz.x, xyz.y, xyz.z, -0.5 * v.dot(spin)]
}

/// The attitude's jet at a step's end: rate and rate of the rate.
fn attitude_jet(q: [f64; 4], spin: Vec3, spin_rate: Vec3) -> Jet<4> {
    let dy = attitude_rate(&q, spin);
    let from_spin = attitude_rate(&dy, spin);
    let from_rate = attitude_rate(&q, spin_rate);
    Jet {
        y: q,
        dy,
        ddy: std::array::from_fn(|i| from_spin[i] + from_rate[i]),
    }
}

/// Euler's equations without torque in the body's frame.
#[inline]
fn free_spin_rate(spin: Vec3, model: &BodyModel) -> Vec3 {
    model.mass.inverse_inertia * (model.mass.inertia * spin).cross(spin)
}

fn normalised(q: [f64; 4]) -> [f64; 4] {
    let scale = 1.0 / (q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]).sqrt();
    q.map(|c| c * scale)
}

/// The attitude after `h` seconds of torque-free rotation, by one Runge-Kutta step of order 5, and
/// the embedded estimate of its error: what a synchronised executor pays to stop a body anywhere.
pub fn free_step(rotation: Quat, momentum: Vec3, model: &BodyModel, h: f64) -> (Quat, f64) {
    let inverse = model.mass.inverse_inertia;
    let rate = |_: f64, q: &[f64; 4]| attitude_rate(q, body_spin(q, momentum, inverse));
    let q = rotation.to_array();
    let taken = step(rate, 0.0, &q, &rate(0.0, &q), h);
    let error = taken.error.iter().fold(0.0, |m: f64, e| m.max(e.abs()));
    (Quat::from_array(normalised(taken.y)), error)
}

/// The shortest step that is tried, seconds.
const LEAST_STEP: f64 = 1e-9;

type Full = [f64; 13];

fn pack(state: &State, momentum: Vec3) -> Full {
    let (p, v, q) = (state.position, state.velocity, state.rotation);
    [
        p.x, p.y, p.z, v.x, v.y, v.z, q.x, q.y, q.z, q.w, momentum.x, momentum.y, momentum.z,
    ]
}

fn part3(y: &Full, at: usize) -> Vec3 {
    Vec3::new(y[at], y[at + 1], y[at + 2])
}

fn part4(y: &Full) -> [f64; 4] {
    [y[6], y[7], y[8], y[9]]
}

/// The state that a packed vector describes.
fn unpack(y: &Full, model: &BodyModel) -> State {
    let rotation = Quat::from_array(normalised(part4(y)));
    let spin = rotation
        * body_spin(
            &rotation.to_array(),
            part3(y, 10),
            model.mass.inverse_inertia,
        );
    State {
        position: part3(y, 0),
        velocity: part3(y, 3),
        rotation,
        spin,
    }
}

/// Acceleration and torque in the world frame.
fn forces(y: &Full, model: &BodyModel, seconds: f64) -> (Vec3, Vec3) {
    let [linear, angular] = model.damping;
    let mut acceleration = model.gravity - linear * part3(y, 3);
    let mut torque = -angular * part3(y, 10);
    if let Some(field) = &model.field {
        let wrench = field.wrench(seconds, model.mass.mass, &unpack(y, model));
        acceleration += wrench.force * model.mass.inverse_mass;
        torque += wrench.torque;
    }
    (acceleration, torque)
}

fn full_rate(y: &Full, model: &BodyModel, seconds: f64) -> Full {
    let (acceleration, torque) = forces(y, model, seconds);
    let q = part4(y);
    let dq = attitude_rate(&q, body_spin(&q, part3(y, 10), model.mass.inverse_inertia));
    let v = part3(y, 3);
    [
        v.x,
        v.y,
        v.z,
        acceleration.x,
        acceleration.y,
        acceleration.z,
        dq[0],
        dq[1],
        dq[2],
        dq[3],
        torque.x,
        torque.y,
        torque.z,
    ]
}

/// The three jets (path, attitude, momentum) at a step's end.
fn full_jets(y: &Full, dy: &Full, model: &BodyModel) -> (Jet<3>, Jet<4>, Vec3) {
    let inverse = model.mass.inverse_inertia;
    let q = part4(y);
    let spin = body_spin(&q, part3(y, 10), inverse);
    let rotation = Quat::from_array(normalised(q));
    let body_torque = rotation.inverse() * part3(dy, 10);
    let spin_rate = free_spin_rate(spin, model) + inverse * body_torque;
    let path = Jet {
        y: part3(y, 0).to_array(),
        dy: part3(y, 3).to_array(),
        ddy: part3(dy, 3).to_array(),
    };
    (path, attitude_jet(q, spin, spin_rate), spin_rate)
}

/// Steps whose common length is the pace of a segment, and seconds that tell that it is an easy one.
const PACE_STEPS: u32 = 8;
const PACE_SECONDS: f64 = 0.125;
/// A segment that has taken so many steps should have come somewhere: this far with each of them, seconds (15 ns).
const PATIENCE_STEPS: u32 = 1 << 18;
const SHORTEST_STEP: f64 = 1.0 / (1u64 << 26) as f64;

/// Integrates motion under forces until the pieces reach `until` seconds; what ends before `settled` seconds may
/// be let go. Returns the steps taken.
pub fn extend_integrated(
    flight: &Flight,
    turn: &mut Turn,
    model: &BodyModel,
    [until, settled]: [f64; 2],
) -> u32 {
    debug_assert_eq!(model.law, Law::Integrated);
    let offset = flight.start.seconds();
    let start = State {
        position: flight.position,
        velocity: flight.velocity,
        rotation: turn.rotation,
        spin: turn.spin,
    };
    let dense = turn.dense.get_or_insert_default();
    let mut reached = dense.attitude.last().map_or(0.0, |p| p.end);
    if reached > until {
        return 0;
    }
    let mut y = match dense.forces.last() {
        None => {
            dense.next_step = 1e-3;
            pack(&start, dense.momentum)
        }
        Some(last) => last.end_state,
    };
    let rate = |t: f64, y: &Full| full_rate(y, model, offset + t);
    let mut dy = rate(reached, &y);
    let mut taken = 0;
    // The first few steps are always taken: they tell the pace, whoever asks first.
    while reached <= until || (dense.steps < PACE_STEPS && reached < PACE_SECONDS) {
        if let Some(why) = reason_to_halt(dense, &y, &dy, reached) {
            let halt = Halt {
                seconds: reached,
                why,
            };
            dense.halt = Some(halt);
            push_standing(dense, model, reached, &y);
            break;
        }
        let h = dense.next_step.min(0.25);
        let trial = step(rate, reached, &y, &dy, h);
        let ratio = full_error(&y, &trial.error) / STATE_TOLERANCE;
        if ratio > 1.0 && h > LEAST_STEP {
            dense.next_step = next_length(h, ratio);
            continue;
        }
        dense.next_step = next_length(h, ratio).max(LEAST_STEP);
        let mut end = trial.y;
        if !end.iter().all(|x| x.is_finite()) {
            // The step cannot be taken, however short: the next look finds what is wrong.
            dy = end;
            continue;
        }
        let q = normalised(part4(&end));
        end[6..10].copy_from_slice(&q);
        let end_rate = rate(reached + h, &end);
        push_full(dense, model, (reached, h), (&y, &dy), (&end, &end_rate));
        (y, dy) = (end, end_rate);
        reached += h;
        taken += 1;
        dense.steps = dense.steps.saturating_add(1);
        if dense.steps == PACE_STEPS {
            dense.pace = reached;
        }
        let_go(&mut dense.attitude, settled, |piece| piece.end);
        let_go(&mut dense.forces, settled, |piece| piece.path.end);
    }
    taken
}

/// Why a motion with this state and rate should not be followed any further, if so.
fn reason_to_halt(dense: &Dense, y: &Full, dy: &Full, reached: f64) -> Option<HaltReason> {
    if !y.iter().chain(dy).all(|x| x.is_finite()) {
        return Some(HaltReason::NotFinite);
    }
    let least = f64::from(dense.steps) * SHORTEST_STEP;
    if dense.steps >= PATIENCE_STEPS && reached < least {
        return Some(HaltReason::Crawling(reached / f64::from(dense.steps)));
    }
    let pieces = dense.forces.len();
    (pieces >= MOST_PIECES).then_some(HaltReason::Large(pieces))
}

/// A piece that stands still where a motion could not be followed any further, for longer than time lasts.
fn push_standing(dense: &mut Dense, model: &BodyModel, start: f64, y: &Full) {
    let mut still = y.map(|x| if x.is_finite() { x } else { 0.0 });
    still[3..6].fill(0.0);
    still[10..13].fill(0.0);
    if part4(&still) == [0.0; 4] {
        still[9] = 1.0;
    }
    let rest = [0.0; 13];
    push_full(
        dense,
        model,
        (start, STANDING_S),
        (&still, &rest),
        (&still, &rest),
    );
}

fn full_error(y: &Full, error: &Full) -> f64 {
    let mut worst: f64 = 0.0;
    for i in 0..13 {
        worst = worst.max((error[i] / (1.0 + y[i].abs())).abs());
        if !error[i].is_finite() {
            return f64::INFINITY;
        }
    }
    worst
}

fn push_full(
    dense: &mut Dense,
    model: &BodyModel,
    (start, h): (f64, f64),
    (y0, dy0): (&Full, &Full),
    (y1, dy1): (&Full, &Full),
) {
    let (path0, attitude0, rate0) = full_jets(y0, dy0, model);
    let (path1, attitude1, rate1) = full_jets(y1, dy1, model);
    let end = start + h;
    let path = Quintic::new(start, end, &path0, &path1);
    let spin = |y: &Full| body_spin(&part4(y), part3(y, 10), model.mass.inverse_inertia).length();
    let spin_rate_max = 2.0 * rate0.length().max(rate1.length());
    dense
        .attitude
        .push(Quintic::new(start, end, &attitude0, &attitude1));
    dense.forces.push(Forces {
        path,
        momentum: [part3(y0, 10), part3(y1, 10)],
        torque: [part3(dy0, 10), part3(dy1, 10)],
        acceleration_max: path.second_derivative_bound(),
        spin_max: spin(y0).max(spin(y1)) + 0.5 * h * spin_rate_max,
        spin_rate_max,
        end_state: *y1,
    });
}
