//! Conservative advancement for bodies made of a few balls, against each other, against planes and
//! against boxes that do not turn: gaps and their rates are read off the centres, four at a time, so a
//! look costs little more than evaluating the two motions. The general search of [`crate::advance`]
//! finds the same contacts.

#[cfg(test)]
mod tests;

use crate::advance::{Certificate, Found, first_tick, seconds_from, slack};
use crate::collider::{Core, Form, SolidPart};
use crate::motion::Motion;
use crate::quad::{Quad, Vectors};
use crate::{Mat3, Vec3};
use pulp::{Arch, NullaryFnOnce};
use warp::Tick;

/// How many balls a body may have.
const FEW: usize = 4;

/// A body of balls. Places that are not needed repeat the first ball.
struct Balls<'a> {
    motion: &'a Motion<'a>,
    count: usize,
    /// Centres in the body's frame; zero for a ball about the centre of mass.
    arms: Vectors,
    radius: Quad,
    /// Bound on how far each centre's acceleration differs from the centre of mass's, m/s^2.
    bend: Quad,
    is_turning: bool,
}

/// Centres and their velocities at one tick.
struct Centres {
    position: Vectors,
    velocity: Vectors,
}

/// Where four centres are seen from one part of the other body.
struct Sight {
    /// Unit vectors from the part to the centres.
    normal: Vectors,
    distance: Quad,
    /// The part's thickness, and the bound on its own acceleration as of [`Balls::bend`].
    margin: f64,
    bend: f64,
}

/// Four pairs at one tick: their gaps, the rates of these, and bounds on how fast the rates fall.
struct Gaps {
    gap: Quad,
    rate: Quad,
    bend: Quad,
}

/// What balls can be looked at against.
trait Opponent {
    /// How many parts it has.
    fn count(&self) -> usize;
    /// Where its parts are.
    fn at(&self, tick: Tick) -> Centres;
    /// Four centres from one of its parts.
    fn sight(&self, apart: Vectors, place: usize) -> Sight;
}

/// Whether a body is a union of few balls.
fn is_balls(motion: &Motion) -> bool {
    let collider = &motion.model.collider;
    let is_few = match collider.form {
        Form::Ball { .. } => true,
        Form::Balls => collider.parts.len() <= FEW,
        _ => false,
    };
    is_few && !motion.model.law.is_pieced()
}

impl<'a> Balls<'a> {
    #[inline(always)]
    fn new(motion: &'a Motion<'a>) -> Self {
        let parts = motion.model.collider.parts.as_slice();
        let first = &parts[0];
        let is_turning = motion.model.collider.form == Form::Balls;
        let mut balls = Balls {
            motion,
            count: parts.len(),
            arms: Vectors::splat(Vec3::ZERO),
            radius: Quad::splat(first.margin),
            bend: Quad::splat(0.0),
            is_turning,
        };
        if is_turning {
            let (spin, rate) = (motion.turn.spin_max(), motion.turn.spin_rate_max());
            let most = spin * spin + rate;
            balls.arms = Vectors::splat(first.pose.translation);
            balls.bend = Quad::splat(most * first.reach);
            for (place, part) in parts.iter().enumerate().take(FEW).skip(1) {
                balls.arms.set(place, part.pose.translation);
                balls.radius.0[place] = part.margin;
                balls.bend.0[place] = most * part.reach;
            }
        }
        balls
    }
}

impl Opponent for Balls<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        self.count.min(FEW)
    }

    #[inline(always)]
    fn at(&self, tick: Tick) -> Centres {
        let centres = carried(self.motion, tick, Vec3::ZERO);
        if !self.is_turning {
            return centres;
        }
        let (frame, spin) = self.motion.turned_at(tick);
        let arms = self.arms.turned(&frame);
        Centres {
            position: centres.position + arms,
            velocity: centres.velocity + Vectors::splat(spin).cross(arms),
        }
    }

    #[inline(always)]
    fn sight(&self, apart: Vectors, place: usize) -> Sight {
        let distance = apart.dot(apart).sqrt();
        Sight {
            normal: direction(apart, distance),
            distance,
            margin: self.radius.0[place],
            bend: self.bend.0[place],
        }
    }
}

/// A point that a body carries along and does not turn, four times.
#[inline(always)]
fn carried(motion: &Motion, tick: Tick, offset: Vec3) -> Centres {
    Centres {
        position: Vectors::splat(motion.position(tick) + offset),
        velocity: Vectors::splat(motion.velocity(tick)),
    }
}

/// A half-space. Planes do not turn, so the model's normal is the world's.
struct Plane<'a> {
    motion: &'a Motion<'a>,
    normal: Vec3,
    offset: f64,
}

impl Opponent for Plane<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn at(&self, tick: Tick) -> Centres {
        carried(self.motion, tick, self.normal * self.offset)
    }

    #[inline(always)]
    fn sight(&self, apart: Vectors, _: usize) -> Sight {
        let normal = Vectors::splat(self.normal);
        Sight {
            normal,
            distance: normal.dot(apart),
            margin: 0.0,
            bend: 0.0,
        }
    }
}

/// A box that does not turn.
struct StillBox<'a> {
    motion: &'a Motion<'a>,
    frame: Mat3,
    half: Vec3,
    /// Its centre from the body's.
    offset: Vec3,
    margin: f64,
}

impl<'a> StillBox<'a> {
    #[inline(always)]
    fn new(motion: &'a Motion<'a>, part: &SolidPart, half: Vec3) -> Self {
        let rotation = motion.turn.rotation;
        StillBox {
            motion,
            frame: Mat3::from_quat(rotation * part.pose.rotation),
            half,
            offset: rotation * part.pose.translation,
            margin: part.margin,
        }
    }
}

impl Opponent for StillBox<'_> {
    #[inline(always)]
    fn count(&self) -> usize {
        1
    }

    #[inline(always)]
    fn at(&self, tick: Tick) -> Centres {
        carried(self.motion, tick, self.offset)
    }

    #[inline(always)]
    fn sight(&self, apart: Vectors, _: usize) -> Sight {
        let (normal, distance) = from_cuboid(apart, &self.frame, self.half);
        Sight {
            normal,
            distance,
            margin: self.margin,
            bend: 0.0,
        }
    }
}

/// What the other body is.
#[derive(Clone, Copy)]
enum Kind<'a> {
    Balls,
    Plane(Vec3, f64),
    StillBox(&'a SolidPart, Vec3),
}

/// Two bodies that this search is for.
pub(crate) struct Pair<'a> {
    balls: &'a Motion<'a>,
    other: &'a Motion<'a>,
    kind: Kind<'a>,
}

impl<'a> Pair<'a> {
    /// The pair, if one is a union of few balls and the other one too, or a plane, or a still box.
    pub fn new(a: &'a Motion<'a>, b: &'a Motion<'a>) -> Option<Self> {
        let count = |m: &Motion| m.model.collider.parts.len();
        let (balls, other, kind) = match (is_balls(a), is_balls(b)) {
            // Many side by side, the few one after the other.
            (true, true) if count(a) < count(b) => (b, a, Kind::Balls),
            (true, true) => (a, b, Kind::Balls),
            (true, false) => (a, b, Self::kind_of(b)?),
            (false, true) => (b, a, Self::kind_of(a)?),
            _ => return None,
        };
        Some(Pair { balls, other, kind })
    }

    fn kind_of(motion: &'a Motion<'a>) -> Option<Kind<'a>> {
        let [part] = motion.model.collider.parts.as_slice() else {
            return None;
        };
        if motion.model.law.is_pieced() {
            return None;
        }
        if let Core::HalfSpace { normal, offset } = part.core {
            return Some(Kind::Plane(normal, offset));
        }
        let cuboid = part.shape.as_cuboid()?;
        (motion.turn.spin_max() == 0.0).then_some(Kind::StillBox(part, cuboid.half_extents))
    }

    /// The first tick in `[lo, hi)` at which the bodies touch and approach.
    pub fn first_touch_within(&self, lo: Tick, hi: Tick, rounds: u32) -> Found {
        // Wider lanes where the processor has them; the arithmetic, and so every bit, is the same.
        Arch::new().dispatch(Search {
            pair: self,
            lo,
            hi,
            rounds,
        })
    }

    /// What one look at `at` certifies.
    pub fn certify(&self, at: Tick, slack: f64) -> Certificate {
        match self.kind {
            Kind::Balls => self.against(Balls::new(self.other)).certify(at, slack),
            Kind::Plane(normal, offset) => {
                let plane = self.plane(normal, offset);
                self.against(plane).certify(at, slack)
            }
            Kind::StillBox(part, half) => {
                let still = StillBox::new(self.other, part, half);
                self.against(still).certify(at, slack)
            }
        }
    }

    #[inline(always)]
    fn plane(&self, normal: Vec3, offset: f64) -> Plane<'a> {
        Plane {
            motion: self.other,
            normal,
            offset,
        }
    }

    #[inline(always)]
    fn against<O: Opponent>(&self, other: O) -> Match<'a, O> {
        let acceleration = self.balls.model.gravity - self.other.model.gravity;
        Match {
            balls: Balls::new(self.balls),
            other,
            acceleration: Vectors::splat(acceleration),
        }
    }
}

/// One search, for [`Arch::dispatch`].
struct Search<'a> {
    pair: &'a Pair<'a>,
    lo: Tick,
    hi: Tick,
    rounds: u32,
}

impl NullaryFnOnce for Search<'_> {
    type Output = Found;

    #[inline(always)]
    fn call(self) -> Found {
        let Search {
            pair,
            lo,
            hi,
            rounds,
        } = self;
        match pair.kind {
            Kind::Balls => pair
                .against(Balls::new(pair.other))
                .first_touch(lo, hi, rounds),
            Kind::Plane(normal, offset) => {
                let plane = pair.plane(normal, offset);
                pair.against(plane).first_touch(lo, hi, rounds)
            }
            Kind::StillBox(part, half) => {
                let still = StillBox::new(pair.other, part, half);
                pair.against(still).first_touch(lo, hi, rounds)
            }
        }
    }
}

/// Balls and what they are looked at against.
struct Match<'a, O> {
    balls: Balls<'a>,
    other: O,
    /// Acceleration of the balls' centre of mass against the other's.
    acceleration: Vectors,
}

impl<O: Opponent> Match<'_, O> {
    /// All balls against one part of the other body.
    #[inline(always)]
    fn gaps(&self, own: &Centres, other: &Centres, place: usize) -> Gaps {
        let apart = own.position - other.position.only(place);
        let sight = self.other.sight(apart, place);
        let falls = sight.normal.dot(self.acceleration);
        let speed = own.velocity - other.velocity.only(place);
        let bend = self.balls.bend + Quad::splat(sight.bend) - falls;
        Gaps {
            gap: sight.distance - self.balls.radius - Quad::splat(sight.margin),
            rate: sight.normal.dot(speed),
            bend: bend.max(Quad::splat(0.0)),
        }
    }

    #[inline(always)]
    fn first_touch(&self, lo: Tick, hi: Tick, rounds: u32) -> Found {
        let (mut before, mut at) = (lo, lo);
        for round in 0..rounds {
            let (own, other) = (self.balls.at(at), self.other.at(at));
            let longest = hi.since(at);
            let mut free = longest;
            for place in 0..self.other.count() {
                let gaps = self.gaps(&own, &other, place);
                if gaps.is_touch() {
                    return Found::Touch(first_tick(before, at, |tick| self.touches(tick)));
                }
                if !gaps.are_open_for(longest) {
                    free = free.min(gaps.free_seconds(slack(round)));
                }
            }
            let next = seconds_from(at, free).max(at.saturating_add(1));
            // With slack they may touch before they are found to.
            before = if slack(round) > 0.0 { at } else { next };
            at = next;
            if free >= longest || at >= hi {
                return Found::Free;
            }
        }
        Found::Unfinished
    }

    /// Whether any parts touch and approach at a tick.
    #[cold]
    fn touches(&self, tick: Tick) -> bool {
        let (own, other) = (self.balls.at(tick), self.other.at(tick));
        (0..self.other.count()).any(|place| self.gaps(&own, &other, place).is_touch())
    }

    #[inline(always)]
    fn certify(&self, at: Tick, slack: f64) -> Certificate {
        let (own, other) = (self.balls.at(at), self.other.at(at));
        let mut free = f64::INFINITY;
        for place in 0..self.other.count() {
            let gaps = self.gaps(&own, &other, place);
            if gaps.is_touch() {
                return Certificate::Touch;
            }
            free = free.min(gaps.free_seconds(slack));
        }
        Certificate::FreeUntil(seconds_from(at, free))
    }
}

/// Unit vectors; upwards where there is no direction.
#[inline(always)]
fn direction(apart: Vectors, distance: Quad) -> Vectors {
    if distance.least() > 0.0 {
        return apart.scaled(Quad::splat(1.0) / distance);
    }
    let mut normal = apart.scaled(Quad::splat(1.0) / distance.max(Quad::splat(f64::MIN_POSITIVE)));
    for place in 0..FEW {
        if distance.0[place] == 0.0 {
            normal.y.0[place] = 1.0;
        }
    }
    normal
}

/// Directions and distances from a box about the origin to four points. A direction is that of a plane
/// that holds the box behind it, so what it certifies holds inside, too.
#[inline(always)]
fn from_cuboid(apart: Vectors, frame: &Mat3, half: Vec3) -> (Vectors, Quad) {
    let local = apart.turned(&frame.transpose());
    let beyond = |at: Quad, half: f64| at - at.max(Quad::splat(-half)).min(Quad::splat(half));
    let outside = Vectors {
        x: beyond(local.x, half.x),
        y: beyond(local.y, half.y),
        z: beyond(local.z, half.z),
    };
    let mut distance = outside.dot(outside).sqrt();
    let mut normal = direction(outside, distance);
    if distance.least() == 0.0 {
        for place in 0..FEW {
            if distance.0[place] == 0.0 {
                let at = Vec3::new(local.x.0[place], local.y.0[place], local.z.0[place]);
                let (face, height) = nearest_face(at, half);
                distance.0[place] = height;
                (normal.x.0[place], normal.y.0[place], normal.z.0[place]) =
                    (face.x, face.y, face.z);
            }
        }
    }
    (normal.turned(frame), distance)
}

/// The face of a box that a point inside is nearest to, and the point's height over it (not positive).
#[cold]
fn nearest_face(at: Vec3, half: Vec3) -> (Vec3, f64) {
    let depth = half - at.abs();
    let side = |c: f64| if c < 0.0 { -1.0 } else { 1.0 };
    if depth.x <= depth.y && depth.x <= depth.z {
        (Vec3::X * side(at.x), -depth.x)
    } else if depth.y <= depth.z {
        (Vec3::Y * side(at.y), -depth.y)
    } else {
        (Vec3::Z * side(at.z), -depth.z)
    }
}

impl Gaps {
    #[inline(always)]
    fn is_touch(&self) -> bool {
        (0..FEW).any(|place| self.gap.0[place] <= 0.0 && self.rate.0[place] < 0.0)
    }

    /// Whether all stay open for so many seconds: their bounds are concave, so the ends suffice.
    #[inline(always)]
    fn are_open_for(&self, seconds: f64) -> bool {
        let seconds = Quad::splat(seconds);
        let then = self.gap + (self.rate - Quad::splat(0.5) * self.bend * seconds) * seconds;
        self.gap.min(then).least() > 0.0
    }

    /// Seconds for which all gaps are certain not to close; a pair that overlaps and separates counts
    /// as touching.
    #[inline(always)]
    fn free_seconds(&self, slack: f64) -> f64 {
        let gap = self.gap.max(Quad::splat(0.0)) + Quad::splat(slack);
        let two = Quad::splat(2.0);
        let root = (self.rate * self.rate + two * self.bend * gap).sqrt();
        let closing = two * gap / (root - self.rate);
        let opening = (self.rate + root) / self.bend;
        let seconds = |place: usize| {
            if self.rate.0[place] < 0.0 {
                closing.0[place]
            } else if self.bend.0[place] > 0.0 {
                opening.0[place]
            } else {
                f64::INFINITY
            }
        };
        Quad([seconds(0), seconds(1), seconds(2), seconds(3)]).least()
    }
}
