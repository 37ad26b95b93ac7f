//! Conservative advancement over a continuous interval: never past a contact, never a sampled gap.
//!
//! At a tick the closest points of two convex parts give a direction along which they are apart by
//! `gap`. Along this fixed direction the gap can shrink no faster than `rate` and `acceleration`
//! bounds allow, which certifies a stretch of time; the search jumps to its end and looks again.
//! For balls the rate is exact, so the jumps converge like Newton's method. A pair that grazes for very
//! long is certified with a little slack, and what that lets pass is gone back to.

use crate::collider::{Collider, Core, POLYTOPE_TOLERANCE, SolidPart};
use crate::contact::{Proximity, proximity};
use crate::motion::{Motion, MotionBounds, State};
use crate::slab::{Side, Slab};
use crate::terrain::Meeting;
use crate::unions::Pair;
use crate::{Pose, Vec3};
use warp::Tick;

/// Both bodies at one tick.
struct Instant {
    a: State,
    b: State,
    pose_a: Pose,
    pose_b: Pose,
    /// As of [`slack`].
    slack: f64,
}

/// How far a pair of parts is certified to be free.
pub(crate) enum Verdict {
    /// Touching and approaching.
    Touch,
    /// Free for this many seconds.
    Free(f64),
}

/// What a search has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// They touch and approach at this tick, and not before.
    Touch(Tick),
    /// They do not.
    Free,
    /// It was given up: so many looks were not enough.
    Unfinished,
}

impl Found {
    /// The tick, if there is one.
    pub fn tick(self) -> Option<Tick> {
        match self {
            Found::Touch(tick) => Some(tick),
            Found::Free | Found::Unfinished => None,
        }
    }
}

/// The first tick in `[lo, hi)` at which the bodies touch and approach. Dense output must cover `hi`.
pub fn first_touch(a: &Motion, b: &Motion, lo: Tick, hi: Tick) -> Option<Tick> {
    first_touch_within(a, b, (lo, hi), u32::MAX).tick()
}

/// The same with at most so many looks at the bodies.
pub fn first_touch_within(a: &Motion, b: &Motion, (lo, hi): (Tick, Tick), rounds: u32) -> Found {
    if let Some(pair) = Pair::new(a, b) {
        return pair.first_touch_within(lo, hi, rounds);
    }
    first_touch_of_parts(a, b, (lo, hi), rounds)
}

/// The same for bodies made of any parts.
pub(crate) fn first_touch_of_parts(
    a: &Motion,
    b: &Motion,
    (lo, hi): (Tick, Tick),
    rounds: u32,
) -> Found {
    let parts_b = b.model.collider.parts.len();
    let pairs = a.model.collider.parts.len() * parts_b;
    let mut few = [lo; MANY];
    let mut many;
    let free_until: &mut [Tick] = if pairs <= MANY {
        &mut few[..pairs]
    } else {
        many = vec![lo; pairs];
        &mut many
    };
    let mut at = lo;
    let mut before = lo;
    for round in 0..rounds {
        let now = instant(a, b, at, slack(round));
        let (bounds_a, bounds_b) = (a.bounds_between(at, hi), b.bounds_between(at, hi));
        let valid = bounds_a
            .until
            .min(f64::INFINITY)
            .min(bounds_b.until + b.flight.start.since(a.flight.start));
        let bounds_end = seconds_from(a.flight.start, valid).max(at.saturating_add(1));
        let mut next = hi.min(bounds_end);
        let is_due = pairs > 1 && free_until.iter().all(|free| *free <= at);
        if is_due && pass_by(&now, (a, b), (&bounds_a, &bounds_b), next.since(at)) {
            free_until.fill(next);
        }
        for (index, free) in free_until.iter_mut().enumerate() {
            if *free <= at {
                let part_a = &a.model.collider.parts[index / parts_b];
                let part_b = &b.model.collider.parts[index % parts_b];
                let longest = next.since(at);
                let parts = (part_a, part_b);
                match judge(&now, parts, (&bounds_a, &bounds_b), longest) {
                    Verdict::Touch => {
                        // Within a tolerance, or with slack, they may be before they were found.
                        let slack = slack(round.saturating_sub(1));
                        let parts = (part_a, part_b);
                        return Found::Touch(polish(a, b, parts, (before, slack), at));
                    }
                    Verdict::Free(seconds) => *free = seconds_from(at, seconds).min(bounds_end),
                }
            }
            next = next.min(*free);
        }
        before = at;
        at = next.max(at.saturating_add(1));
        if at >= hi {
            return Found::Free;
        }
    }
    Found::Unfinished
}

/// What one look at two bodies certifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certificate {
    /// They touch and approach.
    Touch,
    /// They do not touch and approach before this tick.
    FreeUntil(Tick),
}

/// One round of the search: what the bodies' states and bounds at `at` alone certify. For callers
/// that do the advancing themselves, with the slack of this many rounds. Dense output must cover `at`.
pub fn certify(a: &Motion, b: &Motion, at: Tick, round: u32) -> Certificate {
    if let Some(pair) = Pair::new(a, b) {
        return pair.certify(at, slack(round));
    }
    let now = instant(a, b, at, slack(round));
    let (bounds_a, bounds_b) = (a.bounds(at), b.bounds(at));
    let mut free = seconds_from(a.flight.start, bounds_a.until)
        .min(seconds_from(b.flight.start, bounds_b.until));
    for part_a in &a.model.collider.parts {
        for part_b in &b.model.collider.parts {
            let parts = (part_a, part_b);
            match judge(&now, parts, (&bounds_a, &bounds_b), 1.0) {
                Verdict::Touch => return Certificate::Touch,
                Verdict::Free(seconds) => free = free.min(seconds_from(at, seconds)),
            }
        }
    }
    Certificate::FreeUntil(free)
}

/// How many pairs of parts fit on the stack.
const MANY: usize = 64;

/// How deep a graze may be that is not noticed, metres.
const GRAZE: f64 = 1e-7;

/// How far a gap may fall below what it may fall to before the next look: not at all, unless a pair grazes
/// for so many rounds that it would never end.
pub fn slack(round: u32) -> f64 {
    if round < 128 { 0.0 } else { GRAZE }
}

/// The slack of a pair that is found a tolerance before it touches: a quarter of that.
pub(crate) fn slack_within(slack: f64, tolerance: f64) -> f64 {
    if slack > 0.0 {
        slack.max(0.25 * tolerance)
    } else {
        0.0
    }
}

/// The first tick in `(free, touching]` at which a pair that is free at `free` touches, to a tick, if it
/// touches only once.
pub(crate) fn first_tick(free: Tick, touching: Tick, touches: impl Fn(Tick) -> bool) -> Tick {
    let (mut free, mut touching) = (free, touching);
    while touching.0 - free.0 > 1 {
        let middle = Tick(free.0 + (touching.0 - free.0) / 2);
        if touches(middle) {
            touching = middle;
        } else {
            free = middle;
        }
    }
    touching
}

/// The last tick that is not more than so many seconds (not negative) after another.
pub(crate) fn seconds_from(tick: Tick, seconds: f64) -> Tick {
    let ticks = seconds * Tick::TICKS_PER_SECOND;
    if ticks >= 4.0e18 {
        Tick::MAX
    } else {
        tick.saturating_add(ticks as i64)
    }
}

fn instant(a: &Motion, b: &Motion, at: Tick, slack: f64) -> Instant {
    let (sa, sb) = (a.state(at), b.state(at));
    Instant {
        pose_a: sa.pose(),
        pose_b: sb.pose(),
        a: sa,
        b: sb,
        slack,
    }
}

/// The closest points of two parts, and the least rate (most negative) of their gap, m/s.
struct Near {
    proximity: Proximity,
    closing: f64,
    /// Whether the rate is that of the gap itself and no better one can be had.
    is_exact: bool,
}

impl Instant {
    /// Two parts of any kind.
    fn look(&self, a: &SolidPart, b: &SolidPart) -> Near {
        let proximity = proximity(a, &self.pose_a, b, &self.pose_b);
        let rigid = |p: &SolidPart, s: &State| {
            matches!(p.core, Core::Point | Core::HalfSpace { .. }) || s.spin == Vec3::ZERO
        };
        Near {
            closing: least_rate(self, a, b, &proximity),
            proximity,
            is_exact: rigid(a, &self.a) && rigid(b, &self.b),
        }
    }
}

/// What is certified of two parts for at most `longest` seconds.
fn judge(
    now: &Instant,
    (part_a, part_b): (&SolidPart, &SolidPart),
    bounds: (&MotionBounds, &MotionBounds),
    longest: f64,
) -> Verdict {
    let is_surface = |part: &SolidPart| part.core == Core::Surface;
    if is_surface(part_a) || is_surface(part_b) {
        let first = (part_a, &now.a, &now.pose_a);
        let second = (part_b, &now.b, &now.pose_b);
        let swapped = is_surface(part_a);
        let (solid, surface) = if swapped {
            (second, first)
        } else {
            (first, second)
        };
        let relative = bounds.0.acceleration - bounds.1.acceleration;
        let meeting = Meeting {
            solid,
            surface,
            rate: least_rate(now, part_a, part_b, &Proximity::NEVER),
            acceleration: if swapped { -relative } else { relative },
            turning: turning_bend(part_a, bounds.0) + turning_bend(part_b, bounds.1),
            slack: now.slack,
        };
        return meeting.verdict(longest);
    }
    if passes_by(now, (part_a, part_b), bounds, longest) {
        return Verdict::Free(longest);
    }
    let near = now.look(part_a, part_b);
    verdict(now, &near, (part_a, part_b), bounds, longest)
}

/// Whether the line between the bodies' centres alone shows that two polytopes stay apart for `longest`
/// seconds: most pairs that are near do, and need no closest points.
fn passes_by(
    now: &Instant,
    (part_a, part_b): (&SolidPart, &SolidPart),
    (bounds_a, bounds_b): (&MotionBounds, &MotionBounds),
    longest: f64,
) -> bool {
    if part_a.corners.len() < 2 || part_b.corners.len() < 2 || longest > 1.0 {
        return false;
    }
    let between = now.a.position - now.b.position;
    let Some(direction) = between.try_normalize() else {
        return false;
    };
    let slab = Slab {
        a: Side::new(part_a, &now.a, &now.pose_a, direction),
        b: Side::new(part_b, &now.b, &now.pose_b, -direction),
        bend: curvature(part_a, part_b, bounds_a, bounds_b, direction),
    };
    slab.is_clear(0.5 * Collider::contact_tolerance(part_a, part_b), longest)
}

/// The same of whole bodies that are made of several parts.
fn pass_by(
    now: &Instant,
    (a, b): (&Motion, &Motion),
    (bounds_a, bounds_b): (&MotionBounds, &MotionBounds),
    longest: f64,
) -> bool {
    let (parts_a, parts_b) = (&a.model.collider.parts, &b.model.collider.parts);
    let has_corners = |parts: &[SolidPart]| parts.iter().all(|part| !part.corners.is_empty());
    if longest > 1.0 || !has_corners(parts_a) || !has_corners(parts_b) {
        return false;
    }
    let Some(direction) = (now.a.position - now.b.position).try_normalize() else {
        return false;
    };
    let turning = |parts: &[SolidPart], bounds: &MotionBounds| {
        let parts = parts.iter().map(|part| turning_bend(part, bounds));
        parts.fold(0.0, f64::max)
    };
    let relative = bounds_a.acceleration - bounds_b.acceleration;
    let bend = turning(parts_a, bounds_a) + turning(parts_b, bounds_b) - direction.dot(relative);
    let fall = 0.5 * bend.max(0.0) * longest * longest;
    let lowest = |parts: &[SolidPart], state: &State, pose: &Pose, along: Vec3| {
        let (mut first, mut last) = (f64::INFINITY, f64::INFINITY);
        for part in parts {
            let side = Side::new(part, state, pose, along);
            let height = |seconds: f64| side.lowest(seconds).map_or(f64::NEG_INFINITY, |low| low.0);
            first = first.min(height(0.0));
            last = last.min(height(longest));
        }
        (first, last)
    };
    let (first_a, last_a) = lowest(parts_a, &now.a, &now.pose_a, direction);
    let (first_b, last_b) = lowest(parts_b, &now.b, &now.pose_b, -direction);
    // A concave gap that is wide enough at both ends is wide enough between.
    let floor = POLYTOPE_TOLERANCE;
    first_a + first_b >= floor && last_a + last_b - fall >= floor
}

fn verdict(
    now: &Instant,
    near: &Near,
    (part_a, part_b): (&SolidPart, &SolidPart),
    (bounds_a, bounds_b): (&MotionBounds, &MotionBounds),
    longest: f64,
) -> Verdict {
    let (closing, is_exact) = (near.closing, near.is_exact);
    let near = &near.proximity;
    if near.gap.is_infinite() {
        return Verdict::Free(f64::INFINITY);
    }
    let tolerance = Collider::contact_tolerance(part_a, part_b);
    // The gap may fall this far before we look again.
    let floor = if near.gap > tolerance {
        0.5 * tolerance
    } else {
        let point = near.point();
        let apart = now.a.velocity_at(point) - now.b.velocity_at(point);
        if near.normal.dot(apart) < 0.0 {
            return Verdict::Touch;
        }
        floor_while_touching(near.gap, tolerance)
    };
    let floor = floor - slack_within(now.slack, tolerance);
    let bend = curvature(part_a, part_b, bounds_a, bounds_b, near.normal);
    let crude = time_to_close((near.gap - floor).max(0.0), closing, bend);
    if crude >= longest || is_exact {
        return Verdict::Free(crude);
    }
    let slab = Slab {
        a: Side::new(part_a, &now.a, &now.pose_a, near.normal),
        b: Side::new(part_b, &now.b, &now.pose_b, -near.normal),
        bend,
    };
    Verdict::Free(
        slab.time_above(floor, longest)
            .map_or(crude, |s| s.max(crude)),
    )
}

/// How far the gap of a pair that touches and separates may fall before we look again: a quarter of
/// the tolerance, and never from apart to overlapping.
pub(crate) fn floor_while_touching(gap: f64, tolerance: f64) -> f64 {
    if gap > 0.0 {
        (gap - 0.25 * tolerance).max(0.5 * gap)
    } else {
        gap - 0.25 * tolerance
    }
}

/// Seconds until a gap that changes at `rate` and bends down by at most `bend` can have closed.
pub(crate) fn time_to_close(gap: f64, rate: f64, bend: f64) -> f64 {
    let root = (rate * rate + 2.0 * bend * gap).sqrt();
    if rate < 0.0 {
        2.0 * gap / (root - rate)
    } else if bend > 0.0 {
        (rate + root) / bend
    } else {
        f64::INFINITY
    }
}

/// The least rate (most negative) at which the gap can change now, m/s.
fn least_rate(now: &Instant, a: &SolidPart, b: &SolidPart, near: &Proximity) -> f64 {
    if a.core == Core::Surface || b.core == Core::Surface {
        let turning = |p: &SolidPart, s: &State| spin_reach(s.spin.length(), p);
        return -((now.a.velocity - now.b.velocity).length()
            + turning(a, &now.a)
            + turning(b, &now.b));
    }
    let n = near.normal;
    let side = |part: &SolidPart, state: &State, pose: &Pose| match part.core {
        Core::Point => {
            let arm = pose.rotation * part.pose.translation;
            (n.dot(state.velocity + state.spin.cross(arm)), 0.0)
        }
        _ => (
            n.dot(state.velocity),
            spin_reach(n.cross(state.spin).length(), part),
        ),
    };
    let (va, slack_a) = side(a, &now.a, &now.pose_a);
    let (vb, slack_b) = side(b, &now.b, &now.pose_b);
    va - vb - slack_a - slack_b
}

/// `spin` times the part's reach; a plane does not turn.
fn spin_reach(spin: f64, part: &SolidPart) -> f64 {
    if part.reach.is_finite() {
        spin * part.reach
    } else {
        0.0
    }
}

/// Bound on how fast the rate of the gap along `normal` can fall, m/s^2.
fn curvature(
    a: &SolidPart,
    b: &SolidPart,
    bounds_a: &MotionBounds,
    bounds_b: &MotionBounds,
    normal: Vec3,
) -> f64 {
    let relative = bounds_a.acceleration - bounds_b.acceleration;
    let turning = turning_bend(a, bounds_a) + turning_bend(b, bounds_b);
    (turning - normal.dot(relative)).max(0.0)
}

/// The share of it that a part's turning, and what is not known of its acceleration, may have.
fn turning_bend(part: &SolidPart, m: &MotionBounds) -> f64 {
    spin_reach(m.spin * m.spin + m.spin_rate, part) + m.acceleration_slack
}

/// The first tick after `before` and up to `at` at which the pair is within tolerance: bisection over integer
/// ticks, its guesses sharpened by interpolation.
fn polish(
    a: &Motion,
    b: &Motion,
    (part_a, part_b): (&SolidPart, &SolidPart),
    (before, slack): (Tick, f64),
    at: Tick,
) -> Tick {
    let tolerance = Collider::contact_tolerance(part_a, part_b);
    if tolerance + slack == 0.0 || before >= at {
        return at;
    }
    let gap = |tick: Tick| proximity(part_a, &a.pose(tick), part_b, &b.pose(tick)).gap - tolerance;
    let (mut free, mut touching) = (before, at);
    let (mut gap_free, mut gap_touching) = (gap(free), gap(touching));
    if gap_free <= 0.0 {
        return at;
    }
    let mut bisect = false;
    while touching.0 - free.0 > 1 {
        let width = touching.0 - free.0;
        let share = if bisect {
            0.5
        } else {
            gap_free / (gap_free - gap_touching)
        };
        let middle = Tick(free.0 + ((width as f64 * share) as i64).clamp(1, width - 1));
        let found = gap(middle);
        let shrunk = if found > 0.0 {
            let gained = middle.0 - free.0;
            (free, gap_free) = (middle, found);
            gained
        } else {
            let gained = touching.0 - middle.0;
            (touching, gap_touching) = (middle, found);
            gained
        };
        bisect = !bisect && shrunk < width / 2;
    }
    touching
}
