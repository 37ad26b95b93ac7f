//! A segment: one stretch of a body's worldline between two discontinuities, and its evaluation.
//! Closed form when it has no knots, cubic Hermite between the integrator's step ends when it has.

use crate::seconds_between;

/// The partner of an event that has none.
pub const NO_PARTNER: u32 = u32::MAX;

/// The group of a body that is on its own.
pub const NO_GROUP: u32 = u32::MAX;

/// What began a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Event {
    /// The start of the run, or the body's entry into it.
    Start = 0,
    /// An impulse between two bodies.
    Collision = 1,
    /// The body joined a contact group.
    Fusion = 2,
    /// The body left a contact group.
    Fission = 3,
    /// A user's callback.
    Callback = 4,
    /// A user's input.
    Input = 5,
    /// The next piece of a kinematic body's scripted motion.
    Piece = 6,
    /// The body came to rest.
    Rest = 7,
    /// Nothing happened: further knots of the same motion, appended once they are known. Not history:
    /// the history's hash passes over it.
    Continue = 8,
    /// A contact group's solver took a step.
    Step = 9,
    /// The body left the world; it stays away until its next [`Event::Start`].
    Leave = 10,
    /// Cloth or a shell pushed the body in one of its steps.
    Touch = 11,
}

impl Event {
    /// The event with this number, if there is one.
    pub fn from_u8(number: u8) -> Option<Self> {
        use Event::*;
        [
            Start, Collision, Fusion, Fission, Callback, Input, Piece, Rest, Continue, Step, Leave,
            Touch,
        ]
        .get(usize::from(number))
        .copied()
    }
}

/// A state at an integrator's step end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Knot {
    /// When.
    pub tick: i64,
    /// Position of the body's origin, m.
    pub position: [f64; 3],
    /// Its velocity, m/s.
    pub velocity: [f64; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
    /// Angular velocity in world axes, rad/s.
    pub spin: [f64; 3],
}

/// The momentum of a contact group's member over a step. The member's way through the step is straight, and
/// [`Segment::velocity`] and [`Segment::spin`] are those of the way; its momentum changes evenly from the
/// segment's start to the step's end, whether or not the segment lasts until then.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Momentum {
    /// The end of the step, a tick.
    pub end: i64,
    /// Velocity at the segment's start and at the step's end, m/s.
    pub velocity: [[f64; 3]; 2],
    /// Angular velocity in world axes at both, rad/s.
    pub spin: [[f64; 3]; 2],
    /// How far the angular momentum within the step is from the line between its ends: this times
    /// s (1 - s), s going from 0 to 1, kg m²/s. Zero unless the group floats freely.
    pub bend: [f64; 3],
}

impl Momentum {
    /// Velocity and spin at a tick of a segment that begins at `start`; the spin is taken to change evenly.
    pub fn at(&self, start: i64, tick: i64) -> [[f64; 3]; 2] {
        let (gone, whole) = (
            seconds_between(start, tick),
            seconds_between(start, self.end),
        );
        let share = if gone >= whole { 1.0 } else { gone / whole };
        let between = |[a, b]: [[f64; 3]; 2]| {
            let at = |i: usize| match share {
                1.0 => b[i],
                _ => a[i] + (b[i] - a[i]) * share,
            };
            std::array::from_fn(at)
        };
        [between(self.velocity), between(self.spin)]
    }

    fn is_finite(&self) -> bool {
        let [a, b] = self.velocity;
        let [c, d] = self.spin;
        [a, b, c, d, self.bend]
            .iter()
            .flatten()
            .all(|x| x.is_finite())
    }
}

/// One stretch of a worldline, valid from `start` until the body's next segment.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<'a> {
    /// The body, by its place in the header.
    pub body: u32,
    /// First tick.
    pub start: i64,
    /// Order among events of one tick.
    pub micro: u32,
    /// What began it.
    pub event: Event,
    /// The other body of the event, or [`NO_PARTNER`].
    pub partner: u32,
    /// The first member of the body's contact group, or [`NO_GROUP`].
    pub group: u32,
    /// Position of the body's origin at `start`, m.
    pub position: [f64; 3],
    /// Velocity at `start`, m/s; that of the way through a step if there is a `momentum`.
    pub velocity: [f64; 3],
    /// Constant acceleration of closed-form motion, m/s².
    pub acceleration: [f64; 3],
    /// Unit quaternion x, y, z, w at `start`.
    pub rotation: [f64; 4],
    /// Angular velocity in world axes at `start`, rad/s; likewise.
    pub spin: [f64; 3],
    /// For a member of a contact group that moves: its momentum.
    pub momentum: Option<Momentum>,
    /// Magnitude of the event's impulse, N s; 0 if none.
    pub impulse: f64,
    /// Integrated motion: states after `start`, ticks rising. Empty for closed-form motion.
    pub knots: &'a [Knot],
}

/// A body's state at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Position of the body's origin, m.
    pub position: [f64; 3],
    /// Unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
    /// Velocity, m/s.
    pub velocity: [f64; 3],
    /// Angular velocity in world axes, rad/s.
    pub spin: [f64; 3],
}

impl Segment<'_> {
    /// The state at `tick`, which should not be before `start`. Past the last knot the motion goes on
    /// as in free flight with the segment's acceleration. A group's member has the velocity and spin of its
    /// momentum.
    pub fn state(&self, tick: i64) -> State {
        let first = self.knots.partition_point(|knot| knot.tick <= tick);
        let from = if first == 0 {
            self.start_knot()
        } else {
            self.knots[first - 1]
        };
        match self.knots.get(first) {
            Some(to) => hermite(&from, to, tick),
            None => {
                let way = flight(&from, self.acceleration, tick);
                match &self.momentum {
                    Some(momentum) => {
                        let [velocity, spin] = momentum.at(self.start, tick);
                        State {
                            velocity,
                            spin,
                            ..way
                        }
                    }
                    None => way,
                }
            }
        }
    }

    fn start_knot(&self) -> Knot {
        Knot {
            tick: self.start,
            position: self.position,
            velocity: self.velocity,
            rotation: self.rotation,
            spin: self.spin,
        }
    }

    /// Whether the knots' ticks rise, none before the start.
    pub fn has_rising_knots(&self) -> bool {
        self.knots
            .first()
            .is_none_or(|knot| knot.tick >= self.start)
            && self.knots.is_sorted_by(|a, b| a.tick < b.tick)
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        let own = [self.position, self.velocity, self.acceleration, self.spin];
        let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
        own.iter().all(|v| finite(v))
            && finite(&self.rotation)
            && self.impulse.is_finite()
            && self.momentum.is_none_or(|m| m.is_finite())
            && self.knots.iter().all(|k| {
                finite(&k.position) && finite(&k.velocity) && finite(&k.rotation) && finite(&k.spin)
            })
    }
}

/// A segment that owns its knots.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedSegment {
    fixed: Segment<'static>,
    knots: Vec<Knot>,
}

impl OwnedSegment {
    /// The segment, borrowing the knots.
    pub fn as_segment(&self) -> Segment<'_> {
        Segment {
            knots: &self.knots,
            ..self.fixed
        }
    }

    /// Becomes a copy of `segment`, keeping its own storage.
    #[cfg(feature = "files")]
    pub(crate) fn assign(&mut self, segment: &Segment<'_>) {
        self.fixed = Segment {
            knots: &[],
            ..*segment
        };
        self.knots.clear();
        self.knots.extend_from_slice(segment.knots);
    }
}

impl From<Segment<'_>> for OwnedSegment {
    fn from(segment: Segment<'_>) -> Self {
        Self {
            fixed: Segment {
                knots: &[],
                ..segment
            },
            knots: segment.knots.to_vec(),
        }
    }
}

/// x + v t + a t²/2, and the rotation exp(spin t) applied to the start's.
fn flight(from: &Knot, acceleration: [f64; 3], tick: i64) -> State {
    let t = seconds_between(from.tick, tick);
    State {
        position: std::array::from_fn(|i| {
            from.position[i] + from.velocity[i] * t + 0.5 * acceleration[i] * t * t
        }),
        velocity: std::array::from_fn(|i| from.velocity[i] + acceleration[i] * t),
        rotation: normalised(product(exponential(from.spin, t), from.rotation)),
        spin: from.spin,
    }
}

/// Cubic Hermite of positions and quaternions between two knots; spin is interpolated linearly.
fn hermite(from: &Knot, to: &Knot, tick: i64) -> State {
    let span = seconds_between(from.tick, to.tick);
    let s = seconds_between(from.tick, tick) / span;
    let value = |p0: f64, d0: f64, p1: f64, d1: f64| {
        let (r, s2) = (1.0 - s, s * s);
        r * r * (1.0 + 2.0 * s) * p0 + s2 * (3.0 - 2.0 * s) * p1 + span * s * r * (r * d0 - s * d1)
    };
    let slope = |p0: f64, d0: f64, p1: f64, d1: f64| {
        6.0 * s * (1.0 - s) * (p1 - p0) / span
            + (1.0 - s) * (1.0 - 3.0 * s) * d0
            + s * (3.0 * s - 2.0) * d1
    };
    // q and -q are the same rotation: take the end that is near the start
    let dot: f64 = (0..4).map(|i| from.rotation[i] * to.rotation[i]).sum();
    let end = if dot < 0.0 {
        to.rotation.map(|x| -x)
    } else {
        to.rotation
    };
    let (d0, d1) = (rate(from.spin, from.rotation), rate(to.spin, end));
    State {
        position: std::array::from_fn(|i| {
            value(
                from.position[i],
                from.velocity[i],
                to.position[i],
                to.velocity[i],
            )
        }),
        velocity: std::array::from_fn(|i| {
            slope(
                from.position[i],
                from.velocity[i],
                to.position[i],
                to.velocity[i],
            )
        }),
        rotation: normalised(std::array::from_fn(|i| {
            value(from.rotation[i], d0[i], end[i], d1[i])
        })),
        spin: std::array::from_fn(|i| from.spin[i] + s * (to.spin[i] - from.spin[i])),
    }
}

/// The quaternion of a turn by `spin * t`.
fn exponential(spin: [f64; 3], t: f64) -> [f64; 4] {
    let speed = (spin[0] * spin[0] + spin[1] * spin[1] + spin[2] * spin[2]).sqrt();
    if speed == 0.0 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let half = 0.5 * speed * t;
    let scale = libm::sin(half) / speed;
    [
        spin[0] * scale,
        spin[1] * scale,
        spin[2] * scale,
        libm::cos(half),
    ]
}

/// dq/dt = (spin, 0) q / 2.
fn rate(spin: [f64; 3], rotation: [f64; 4]) -> [f64; 4] {
    product([spin[0], spin[1], spin[2], 0.0], rotation).map(|x| 0.5 * x)
}

/// The Hamilton product of two quaternions x, y, z, w.
pub(crate) fn product(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
        a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
        a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
        a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    ]
}

/// The unit quaternion along `q`; the identity if `q` has no direction.
fn normalised(q: [f64; 4]) -> [f64; 4] {
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm > 0.0 && norm.is_finite() {
        q.map(|x| x / norm)
    } else {
        [0.0, 0.0, 0.0, 1.0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::TICKS_PER_SECOND;

    fn thrown(knots: &[Knot]) -> Segment<'_> {
        Segment {
            body: 0,
            start: 0,
            micro: 0,
            event: Event::Start,
            partner: NO_PARTNER,
            group: NO_GROUP,
            position: [1.0, 2.0, 3.0],
            velocity: [4.0, 5.0, 6.0],
            acceleration: [0.0, -10.0, 0.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0, std::f64::consts::PI, 0.0],
            momentum: None,
            impulse: 0.0,
            knots,
        }
    }

    #[test]
    fn flight_is_the_parabola_and_spin_turns_the_body() {
        let half_second = thrown(&[]).state((TICKS_PER_SECOND / 2.0) as i64);
        // all terms are exact in binary
        assert_eq!(half_second.position, [3.0, 3.25, 6.0]);
        assert_eq!(half_second.velocity, [4.0, 0.0, 6.0]);
        let quarter_turn = std::f64::consts::FRAC_1_SQRT_2;
        assert!((half_second.rotation[1] - quarter_turn).abs() < 1e-15);
        assert!((half_second.rotation[3] - quarter_turn).abs() < 1e-15);
    }

    #[test]
    fn a_member_moves_straight_and_its_momentum_changes_evenly() {
        let ticks = |seconds: f64| (seconds * TICKS_PER_SECOND) as i64;
        let member = Segment {
            acceleration: [0.0; 3],
            momentum: Some(Momentum {
                end: ticks(1.0),
                velocity: [[4.0, 5.0, 6.0], [6.0, 5.0, 4.0]],
                spin: [[0.0; 3], [0.0, 8.0, 0.0]],
                bend: [0.0; 3],
            }),
            ..thrown(&[])
        };
        let quarter = member.state(ticks(0.25));
        // all terms are exact in binary
        assert_eq!(quarter.position, [2.0, 3.25, 4.5]);
        assert_eq!(quarter.velocity, [4.5, 5.0, 5.5]);
        assert_eq!(quarter.spin, [0.0, 2.0, 0.0]);
        assert_eq!(member.state(ticks(2.0)).velocity, [6.0, 5.0, 4.0]);
    }

    #[test]
    fn hermite_between_knots_follows_the_parabola_it_was_sampled_from() {
        let free = thrown(&[]);
        let knots: Vec<Knot> = (1..=8)
            .map(|step| {
                let tick = step * (TICKS_PER_SECOND as i64 / 8);
                let s = free.state(tick);
                let flip = if step % 2 == 0 { -1.0 } else { 1.0 };
                let rotation = s.rotation.map(|x| x * flip);
                Knot {
                    tick,
                    position: s.position,
                    velocity: s.velocity,
                    rotation,
                    spin: s.spin,
                }
            })
            .collect();
        let dense = thrown(&knots);
        for step in 0..=100 {
            let tick = step * (TICKS_PER_SECOND as i64 / 100);
            let (a, b) = (free.state(tick), dense.state(tick));
            for i in 0..3 {
                // a cubic contains the parabola: rounding only
                assert!((a.position[i] - b.position[i]).abs() < 1e-14);
                assert!((a.velocity[i] - b.velocity[i]).abs() < 1e-13);
            }
            // Hermite's error is h⁴ |q''''| / 384 with h = 1/8 s and |q''''| = (π/2)⁴: 3.9e-6
            let sign = if a.rotation[3] * b.rotation[3] < 0.0 {
                -1.0
            } else {
                1.0
            };
            for i in 0..4 {
                let error = (a.rotation[i] - sign * b.rotation[i]).abs();
                assert!(error < 4e-6, "at step {step}: {error}");
            }
        }
    }
}
