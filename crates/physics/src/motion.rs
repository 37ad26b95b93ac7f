//! One segment of a body's worldline: where it starts, and how to evaluate it at any later tick.
//!
//! [`Flight`] is the hot half: one cache line that suffices for bodies whose attitude does not
//! matter. [`Turn`] is the other half: attitude, spin and, where there is no closed form, the dense
//! output of the integrator. Asking never changes a segment (law 3: integrate once, ask anywhere);
//! [`Turn::extend`] integrates further, always from where the segment's own steps ended.

use crate::body::{BodyModel, Law};
use crate::dense::{Quintic, piece_at};
use crate::rotation::turned;
use crate::series::{self, Series};
use crate::tumble::extend_integrated;
use crate::{Mat3, ModelId, Pose, Quat, Vec3};
use warp::Tick;

/// A body's dynamic state at one tick, in its principal frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Centre of mass, metres.
    pub position: Vec3,
    /// Its velocity, m/s.
    pub velocity: Vec3,
    /// Attitude of the principal axes.
    pub rotation: Quat,
    /// World angular velocity, rad/s.
    pub spin: Vec3,
}

impl State {
    /// At rest at a pose.
    pub fn at_rest(pose: Pose) -> Self {
        State {
            position: pose.translation,
            velocity: Vec3::ZERO,
            rotation: pose.rotation,
            spin: Vec3::ZERO,
        }
    }

    /// Position and attitude.
    pub fn pose(&self) -> Pose {
        Pose::from_parts(self.position, self.rotation)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.position.is_finite()
            && self.velocity.is_finite()
            && self.rotation.is_finite()
            && self.spin.is_finite()
    }

    /// Velocity of the body's point that is at `point` in the world.
    pub fn velocity_at(&self, point: Vec3) -> Vec3 {
        self.velocity + self.spin.cross(point - self.position)
    }
}

/// The translation of a segment: position and velocity of the centre of mass at the start tick.
/// One cache line; the first thing every check reads.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Flight {
    /// The tick the segment begins at.
    pub start: Tick,
    /// Centre of mass, metres.
    pub position: Vec3,
    /// Velocity, m/s.
    pub velocity: Vec3,
    /// The body's model, and how it is followed.
    pub model: ModelId,
    /// The body.
    pub body: u32,
}

/// Integrated translation and momentum over one step.
#[derive(Clone, Debug)]
pub struct Forces {
    /// Centre of mass.
    pub path: Quintic<3>,
    /// Angular momentum at both ends.
    pub momentum: [Vec3; 2],
    /// Torque at both ends.
    pub torque: [Vec3; 2],
    /// Bound on the acceleration, m/s^2.
    pub acceleration_max: f64,
    /// Bound on the angular speed, rad/s.
    pub spin_max: f64,
    /// Bound on the angular acceleration, rad/s^2.
    pub spin_rate_max: f64,
    /// The packed state at the end, from which the next step goes on.
    pub(crate) end_state: [f64; 13],
}

/// The rotation of a segment, in one cache line, and whatever had to be integrated.
#[repr(align(64))]
#[derive(Clone, Debug)]
pub struct Turn {
    /// Attitude at the start.
    pub rotation: Quat,
    /// World angular velocity at the start, rad/s.
    pub spin: Vec3,
    /// What only motion without a closed form has.
    pub dense: Option<Box<Dense>>,
}

/// Dense output of a segment that has no closed form, and what it starts from.
#[derive(Clone, Debug, Default)]
pub struct Dense {
    /// World angular momentum at the start, kg m^2/s.
    pub momentum: Vec3,
    /// Bound on the angular speed over the whole segment (not used by integrated motion).
    pub spin_max: f64,
    /// Bound on the angular acceleration over the whole segment (likewise).
    pub spin_rate_max: f64,
    /// The integrator's next step, seconds.
    pub(crate) next_step: f64,
    /// Steps taken since the segment began, and how far the first few of them reached, seconds.
    pub(crate) steps: u32,
    pub(crate) pace: f64,
    /// Where it was given up, if it was.
    pub(crate) halt: Option<Halt>,
    /// Seconds from which on a link only stands for what nobody asks about; zero if there are none.
    pub(crate) stands_from: f64,
    /// Attitude of free tumbling, piece by piece; empty for other laws.
    pub tumbling: Vec<Series>,
    /// Attitude under forces, piece by piece; empty without.
    pub attitude: Vec<Quintic<4>>,
    /// Translation under forces, piece by piece; empty without.
    pub forces: Vec<Forces>,
}

/// One piece of a link's motion, handed over by whoever integrates the multibody.
#[derive(Clone, Copy, Debug)]
pub struct Piece {
    /// Centre of mass.
    pub path: Quintic<3>,
    /// Attitude of the principal axes, a quaternion of unit length but for the error of the polynomial.
    pub attitude: Quintic<4>,
}

/// What a polynomial attitude may lack of unit length, as a factor on bounds.
const WITHIN_UNIT: f64 = 1.001;

/// Why a motion could not be followed any further, and from when on it stands still instead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Halt {
    /// Seconds since the segment began.
    pub seconds: f64,
    /// The reason.
    pub why: HaltReason,
}

/// Why a motion could not be followed any further.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HaltReason {
    /// A force or a torque is not a number, or what follows from it is not.
    NotFinite,
    /// The integrator's steps, seconds, are so short that it gets nowhere.
    Crawling(f64),
    /// So many pieces of dense output would have to be kept at once.
    Large(usize),
}

/// Pieces of dense output of one segment from which on those are let go that nobody asks about any more.
const MANY_PIECES: usize = 256;
/// Pieces of dense output of one segment that are kept at once at most: some 200 MB.
pub(crate) const MOST_PIECES: usize = 1 << 18;

/// Lets go of the pieces that end before `settled` seconds, once they are half of many.
pub(crate) fn let_go<P>(pieces: &mut Vec<P>, settled: f64, end: impl Fn(&P) -> f64) {
    if pieces.len() >= MANY_PIECES && end(&pieces[pieces.len() / 2]) < settled {
        let over = pieces.partition_point(|piece| end(piece) < settled);
        pieces.drain(..over.min(pieces.len() - 1));
    }
}

impl Dense {
    /// Bytes held.
    pub fn bytes(&self) -> usize {
        size_of::<Dense>()
            + self.tumbling.capacity() * size_of::<Series>()
            + self.attitude.capacity() * size_of::<Quintic<4>>()
            + self.forces.capacity() * size_of::<Forces>()
    }
}

impl Default for Turn {
    fn default() -> Self {
        Turn {
            rotation: Quat::IDENTITY,
            spin: Vec3::ZERO,
            dense: None,
        }
    }
}

/// What a tumbling body turns by while others take eight steps: power series reach far.
const RADIANS_AT_A_TIME: f64 = 256.0;

/// The root of the sum of squared products of two of three components is at most this share of the
/// squared length: 1 / sqrt(3), reached when all are equal.
const EULER_SHARE: f64 = 0.577_350_269_2;

impl Turn {
    /// Makes this the turn of a segment that begins with `rotation` and `spin`; buffers are reused.
    pub fn begin(&mut self, rotation: Quat, spin: Vec3, model: &BodyModel) {
        self.rotation = rotation;
        self.spin = spin;
        if !is_dense(model.law) {
            self.dense = None;
            return;
        }
        let dense = self.dense.get_or_insert_default();
        dense.tumbling.clear();
        dense.attitude.clear();
        dense.forces.clear();
        (dense.steps, dense.pace, dense.halt) = (0, f64::INFINITY, None);
        dense.stands_from = 0.0;
        let inertia = model.mass.inertia;
        dense.momentum = rotation * (inertia * (rotation.inverse() * spin));
        // Kinetic energy bounds the spin, and Euler's equations then bound its rate: each component
        // is a ratio of moments times a product of two components of the spin.
        let twice_energy = spin.dot(dense.momentum);
        dense.spin_max = (twice_energy / inertia.min_element()).max(0.0).sqrt() * (1.0 + 1e-9);
        let [x, y, z] = inertia.to_array();
        let ratio = ((y - z) / x)
            .abs()
            .max(((z - x) / y).abs())
            .max(((x - y) / z).abs());
        dense.spin_rate_max = ratio * dense.spin_max * dense.spin_max * EULER_SHARE;
    }

    /// Bound on the angular speed over the whole segment (not for integrated motion).
    #[inline]
    pub fn spin_max(&self) -> f64 {
        match &self.dense {
            Some(dense) => dense.spin_max,
            None => self.spin.length(),
        }
    }

    /// Bound on the angular acceleration over the whole segment (likewise).
    #[inline]
    pub fn spin_rate_max(&self) -> f64 {
        self.dense.as_ref().map_or(0.0, |dense| dense.spin_rate_max)
    }

    /// World angular momentum at the start of motion without a closed form, kg m^2/s.
    pub fn momentum(&self) -> Vec3 {
        self.dense
            .as_ref()
            .map_or(Vec3::ZERO, |dense| dense.momentum)
    }

    /// Translation under forces, piece by piece; empty without.
    pub fn forces(&self) -> &[Forces] {
        self.dense.as_ref().map_or(&[], |dense| &dense.forces)
    }

    /// Attitude under forces, piece by piece; empty without.
    pub fn attitude(&self) -> &[Quintic<4>] {
        self.dense.as_ref().map_or(&[], |dense| &dense.attitude)
    }

    fn tumbling(&self) -> &[Series] {
        self.dense.as_ref().map_or(&[], |dense| &dense.tumbling)
    }

    /// Integrates until the dense output covers `until`. Returns the steps taken.
    pub fn extend(&mut self, flight: &Flight, model: &BodyModel, until: Tick) -> u32 {
        self.extend_after(flight, model, until, Tick::MIN)
    }

    /// The same where nobody asks about anything before `settled` any more. A motion that cannot be followed
    /// stands still from there on, and [`Turn::halt`] says so.
    pub fn extend_after(
        &mut self,
        flight: &Flight,
        model: &BodyModel,
        until: Tick,
        settled: Tick,
    ) -> u32 {
        let span = [until.since(flight.start), settled.since(flight.start)];
        match model.law {
            Law::Tumbling if self.spin_max() > 0.0 => {
                let rotation = self.rotation;
                series::extend(self.dense.get_or_insert_default(), rotation, model, span)
            }
            Law::Integrated => extend_integrated(flight, self, model, span),
            _ => 0,
        }
    }

    /// Takes over the next piece of a link's motion, where nobody asks about anything before `settled` seconds any
    /// more. `pace` is how many seconds take about eight pieces.
    pub fn append(&mut self, piece: &Piece, pace: f64, settled: f64) {
        let dense = self.dense.get_or_insert_default();
        if dense.steps == 0 {
            dense.pace = pace;
        }
        dense.steps = dense.steps.saturating_add(1);
        dense.attitude.push(piece.attitude);
        dense.forces.push(Forces {
            path: piece.path,
            momentum: [Vec3::ZERO; 2],
            torque: [Vec3::ZERO; 2],
            acceleration_max: piece.path.second_derivative_bound(),
            // The attitude's polynomial stays within rounding of unit length.
            spin_max: 2.0 * WITHIN_UNIT * piece.attitude.derivative_bound(),
            spin_rate_max: 2.0 * WITHIN_UNIT * piece.attitude.second_derivative_bound(),
            end_state: [0.0; 13],
        });
        let_go(&mut dense.attitude, settled, |piece| piece.end);
        let_go(&mut dense.forces, settled, |piece| piece.path.end);
    }

    /// Says from when on a link's pieces stand for what nobody will ask about, because its segment ends there.
    pub fn stand_from(&mut self, seconds: f64) {
        self.dense.get_or_insert_default().stands_from = seconds;
    }

    /// How far the motion was integrated, seconds; none where that is as dear as it is far, or free.
    pub fn integrated(&self) -> Option<f64> {
        let dense = self.dense.as_ref()?;
        let end = dense.attitude.last()?.end;
        Some(match dense.stands_from > 0.0 {
            true => end.min(dense.stands_from),
            false => end,
        })
    }

    /// Says that a link's motion could not be followed any further.
    pub fn halt_at(&mut self, halt: Halt) {
        self.dense.get_or_insert_default().halt = Some(halt);
    }

    /// Why and where the motion could not be followed any further, if so.
    #[inline]
    pub fn halt(&self) -> Option<Halt> {
        self.dense.as_ref().and_then(|dense| dense.halt)
    }

    /// How many seconds of the motion take about eight of the integrator's steps, or a few hundred radians where
    /// nothing is integrated. It is known as soon as the segment has been extended at all, and always the same.
    #[inline]
    pub fn pace(&self) -> f64 {
        match &self.dense {
            Some(dense) if dense.steps > 0 => dense.pace,
            Some(dense) => RADIANS_AT_A_TIME / dense.spin_max,
            None => RADIANS_AT_A_TIME / self.spin.length(),
        }
    }

    /// Whether the pace is so many seconds at least.
    #[inline]
    pub fn is_as_slow_as(&self, seconds: f64) -> bool {
        match &self.dense {
            Some(dense) if dense.steps > 0 => dense.pace >= seconds,
            Some(dense) => dense.spin_max * seconds <= RADIANS_AT_A_TIME,
            None => {
                self.spin.length_squared() * (seconds * seconds)
                    <= RADIANS_AT_A_TIME * RADIANS_AT_A_TIME
            }
        }
    }

    /// Seconds since the segment's start that the dense output covers (zero where there is none).
    pub fn covered(&self) -> f64 {
        let tumbling = self.tumbling().last().map_or(0.0, |p| p.end);
        self.attitude().last().map_or(tumbling, |p| p.end)
    }

    /// Whether the segment has no closed form and `extend` matters.
    pub fn is_dense(&self, model: &BodyModel) -> bool {
        match model.law {
            Law::Tumbling => self.spin_max() > 0.0,
            Law::Integrated | Law::Linked => true,
            _ => false,
        }
    }
}

/// Bounds on a segment's motion that hold from the asked tick until `until` seconds.
#[derive(Clone, Copy, Debug)]
pub struct MotionBounds {
    /// Acceleration of the centre of mass: exact vector where it is uniform.
    pub acceleration: Vec3,
    /// What the acceleration may differ from it, m/s^2.
    pub acceleration_slack: f64,
    /// Angular speed, rad/s.
    pub spin: f64,
    /// Angular acceleration, rad/s^2.
    pub spin_rate: f64,
    /// Seconds since the segment's start up to which the bounds hold.
    pub until: f64,
}

/// A segment with the model it belongs to: everything needed to evaluate it.
#[derive(Clone, Copy)]
pub struct Motion<'a> {
    /// The body's constant part.
    pub model: &'a BodyModel,
    /// Translation.
    pub flight: &'a Flight,
    /// Rotation.
    pub turn: &'a Turn,
}

impl Motion<'_> {
    /// Centre of mass at `tick`.
    #[inline(always)]
    pub fn position(&self, tick: Tick) -> Vec3 {
        let t = tick.since(self.flight.start);
        if self.model.law.is_pieced() {
            return Vec3::from_array(self.forces_at(t).path.value(t));
        }
        self.flight.position + (self.flight.velocity + self.model.gravity * (0.5 * t)) * t
    }

    /// Velocity of the centre of mass at `tick`.
    #[inline(always)]
    pub fn velocity(&self, tick: Tick) -> Vec3 {
        let t = tick.since(self.flight.start);
        if self.model.law.is_pieced() {
            return Vec3::from_array(self.forces_at(t).path.rate(t));
        }
        self.flight.velocity + self.model.gravity * t
    }

    /// Attitude at `tick`.
    #[inline]
    pub fn rotation(&self, tick: Tick) -> Quat {
        let turn = self.turn;
        if turn.spin_max() == 0.0 && !self.model.law.is_pieced() {
            return turn.rotation;
        }
        let t = tick.since(self.flight.start);
        match self.model.law {
            Law::Tumbling => series::piece_at(turn.tumbling(), t).rotation(t),
            Law::Integrated | Law::Linked => {
                let q = Quat::from_array(piece_at(turn.attitude(), t).value(t));
                q * (1.0 / q.length_squared().sqrt())
            }
            _ => turned(turn.rotation, turn.spin, t),
        }
    }

    /// World angular velocity at `tick`, given the attitude there.
    pub fn spin(&self, tick: Tick, rotation: Quat) -> Vec3 {
        let momentum = match self.model.law {
            Law::Tumbling => self.turn.momentum(),
            Law::Integrated => self.momentum(tick.since(self.flight.start)),
            Law::Linked => return self.linked_spin(tick.since(self.flight.start)),
            _ => return self.turn.spin,
        };
        rotation * (self.model.mass.inverse_inertia * (rotation.inverse() * momentum))
    }

    /// Attitude as a matrix and world angular velocity at `tick`.
    #[inline(always)]
    pub(crate) fn turned_at(&self, tick: Tick) -> (Mat3, Vec3) {
        let is_later = tick != self.flight.start;
        if is_later && self.model.law == Law::Tumbling && self.turn.spin_max() > 0.0 {
            let t = tick.since(self.flight.start);
            let frame = series::piece_at(self.turn.tumbling(), t).matrix(t);
            let momentum = self.turn.momentum();
            let own = frame.transpose() * momentum;
            return (frame, frame * (self.model.mass.inverse_inertia * own));
        }
        let State { rotation, spin, .. } = self.state(tick);
        (Mat3::from_quat(rotation), spin)
    }

    /// Pose at `tick`.
    pub fn pose(&self, tick: Tick) -> Pose {
        Pose::from_parts(self.position(tick), self.rotation(tick))
    }

    /// The whole state at `tick`.
    pub fn state(&self, tick: Tick) -> State {
        if tick == self.flight.start {
            return State {
                position: self.flight.position,
                velocity: self.flight.velocity,
                rotation: self.turn.rotation,
                spin: self.turn.spin,
            };
        }
        if self.model.law == Law::Linked {
            return self.linked_state(tick.since(self.flight.start));
        }
        let rotation = self.rotation(tick);
        State {
            position: self.position(tick),
            velocity: self.velocity(tick),
            rotation,
            spin: self.spin(tick, rotation),
        }
    }

    /// Bounds that hold from `tick` on.
    pub fn bounds(&self, tick: Tick) -> MotionBounds {
        if self.model.law.is_pieced() {
            let f = self.forces_at(tick.since(self.flight.start));
            return MotionBounds {
                acceleration: Vec3::ZERO,
                acceleration_slack: f.acceleration_max,
                spin: f.spin_max,
                spin_rate: f.spin_rate_max,
                until: f.path.end,
            };
        }
        MotionBounds {
            acceleration: self.model.gravity,
            acceleration_slack: 0.0,
            spin: self.turn.spin_max(),
            spin_rate: self.turn.spin_rate_max(),
            until: f64::INFINITY,
        }
    }

    /// Bounds that hold from `tick` on, up to the first piece's end that is not before `until`.
    pub(crate) fn bounds_between(&self, tick: Tick, until: Tick) -> MotionBounds {
        let mut bounds = self.bounds(tick);
        if self.model.law.is_pieced() {
            let end = until.since(self.flight.start);
            for f in &self.turn.forces()[self.index_at(tick.since(self.flight.start))..] {
                if bounds.until >= end {
                    break;
                }
                bounds.acceleration_slack = bounds.acceleration_slack.max(f.acceleration_max);
                bounds.spin = bounds.spin.max(f.spin_max);
                bounds.spin_rate = bounds.spin_rate.max(f.spin_rate_max);
                bounds.until = f.path.end;
            }
        }
        bounds
    }

    fn index_at(&self, t: f64) -> usize {
        let pieces = self.turn.forces();
        let index = pieces.partition_point(|p| p.path.end <= t);
        index.min(pieces.len() - 1)
    }

    fn forces_at(&self, t: f64) -> &Forces {
        &self.turn.forces()[self.index_at(t)]
    }

    /// World angular velocity of a link: that of its attitude.
    fn linked_spin(&self, t: f64) -> Vec3 {
        let piece = piece_at(self.turn.attitude(), t);
        spin_of(piece.value(t), piece.rate(t))
    }

    /// The whole state of a link. Path and attitude have the same pieces.
    fn linked_state(&self, t: f64) -> State {
        let index = self.index_at(t);
        let path = &self.turn.forces()[index].path;
        let attitude = &self.turn.attitude()[index];
        let (turn, rate) = (attitude.value(t), attitude.rate(t));
        let q = Quat::from_array(turn);
        State {
            position: Vec3::from_array(path.value(t)),
            velocity: Vec3::from_array(path.rate(t)),
            rotation: q * (1.0 / q.length_squared().sqrt()),
            spin: spin_of(turn, rate),
        }
    }

    fn momentum(&self, t: f64) -> Vec3 {
        let f = self.forces_at(t);
        let h = f.path.end - f.path.start;
        let u = (t - f.path.start) / h;
        let (a, b) = (f.momentum[0], f.momentum[1]);
        let (da, db) = (f.torque[0] * h, f.torque[1] * h);
        let (u2, u3) = (u * u, u * u * u);
        a * (2.0 * u3 - 3.0 * u2 + 1.0)
            + da * (u3 - 2.0 * u2 + u)
            + b * (3.0 * u2 - 2.0 * u3)
            + db * (u3 - u2)
    }
}

/// World angular velocity of an attitude that changes so.
fn spin_of(q: [f64; 4], rate: [f64; 4]) -> Vec3 {
    let [q, rate] = [q, rate].map(Quat::from_array);
    let turning = rate * q.conjugate();
    Vec3::new(turning.x, turning.y, turning.z) * (2.0 / q.length_squared())
}

/// Whether motion under this law has to be integrated.
pub fn is_dense(law: Law) -> bool {
    matches!(law, Law::Tumbling | Law::Integrated | Law::Linked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_halves_of_a_segment_are_cache_lines() {
        assert_eq!(size_of::<Flight>(), 64);
        assert_eq!(size_of::<Turn>(), 64);
    }
}
