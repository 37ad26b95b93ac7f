//! Impact time of two segments: the first tick at which the bodies are within the contact
//! tolerance and approach. It is a pure function of the two segments.
//!
//! Two stages. [`approach`] is a closed form over the flights alone: the answer for balls and
//! planes, and for everything else the interval in which bounding balls overlap. [`search`] runs
//! conservative advancement inside that interval, in *canonical windows*: fixed stretches of
//! virtual time, each searched from its own beginning. So a search may stop and go on later, or
//! begin at any tick up to which the pair is known to be free, and still ends on the same tick.

use crate::Vec3;
use crate::advance::{Found, first_touch_within, time_to_close};
use crate::ballistic::{Relative, balls_overlap, balls_touch, falls_to_plane};
use crate::body::BodyModel;
use crate::collider::{Core, Form};
use crate::motion::{Flight, Motion, Turn};
use warp::Tick;

/// What the closed forms say about two segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Approach {
    /// They never touch.
    Never,
    /// They first touch at this tick.
    Impact(Tick),
    /// They can only touch in this interval: [`search`] it.
    Possible(Tick, Tick),
}

/// A canonical window is at most 2^36 ticks long, a sixteenth of a second, and at least 2^10.
const WINDOW_BITS: u32 = 36;
const SHORTEST_BITS: u32 = 10;
/// Motions whose pace is slower than a window by more than this have shorter windows.
const PACES_PER_WINDOW: f64 = 16.0;

/// The pace, in seconds, from which on windows are as long as they get.
const SLOWEST_PACE: f64 = (1u64 << WINDOW_BITS) as f64 / Tick::TICKS_PER_SECOND / PACES_PER_WINDOW;

/// The canonical windows of a pair of segments, or of one: 2^`bits` ticks each. What has to be integrated with very
/// short steps is searched in short windows, so that no search asks for more of them than it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    bits: u32,
}

impl Windows {
    /// Those of a motion that has been extended at all: a function of its segment alone.
    #[inline]
    pub fn of(turn: &Turn) -> Self {
        if turn.is_as_slow_as(SLOWEST_PACE) {
            return Windows { bits: WINDOW_BITS };
        }
        let ticks = PACES_PER_WINDOW * turn.pace() * Tick::TICKS_PER_SECOND;
        let bits = (ticks.min(4e18) as u64).max(1).ilog2();
        Windows {
            bits: bits.clamp(SHORTEST_BITS, WINDOW_BITS),
        }
    }

    /// Those of two motions that meet: the shorter of both.
    pub fn of_pair(a: &Turn, b: &Turn) -> Self {
        let (a, b) = (Windows::of(a), Windows::of(b));
        if a.bits < b.bits { a } else { b }
    }

    /// Their length in ticks.
    pub fn ticks(self) -> i64 {
        1 << self.bits
    }

    /// The end of the window that holds `tick`.
    pub fn end(self, tick: Tick) -> Tick {
        Tick(((tick.0 >> self.bits) + 1) << self.bits)
    }

    /// The tick up to which dense output must reach before [`search`] may look at windows up to `until`.
    pub fn needs(self, until: Tick) -> Tick {
        self.end(until).saturating_add(1)
    }
}

/// The closed-form stage. Reads flights only.
#[inline]
pub fn approach(ma: &BodyModel, a: &Flight, mb: &BodyModel, b: &Flight) -> Approach {
    if ma.law.is_pieced() || mb.law.is_pieced() {
        return Approach::Possible(a.start.max(b.start), Tick::MAX);
    }
    let relative = Relative::new(a, ma.gravity, b, mb.gravity);
    let known = |found: Option<Tick>| found.map_or(Approach::Never, Approach::Impact);
    match (ma.collider.form, mb.collider.form) {
        (Form::Ball { radius: ra }, Form::Ball { radius: rb })
            if relative.acceleration == Vec3::ZERO =>
        {
            known(balls_touch(&relative, ra + rb))
        }
        (Form::Ball { radius }, Form::HalfSpace) => known(ball_on_plane(&relative, radius, mb)),
        (Form::HalfSpace, Form::Ball { radius }) => {
            known(ball_on_plane(&flipped(relative), radius, ma))
        }
        _ => possible(&relative, ma, mb),
    }
}

fn flipped(r: Relative) -> Relative {
    Relative {
        start: r.start,
        position: -r.position,
        velocity: -r.velocity,
        acceleration: -r.acceleration,
    }
}

fn plane_of(model: &BodyModel) -> Option<(Vec3, f64)> {
    model.collider.parts.iter().find_map(|p| match p.core {
        Core::HalfSpace { normal, offset } => Some((normal, offset)),
        _ => None,
    })
}

/// Planes never turn (worlds reject a turning half-space), so the model's normal is the world's.
fn ball_on_plane(r: &Relative, radius: f64, plane: &BodyModel) -> Option<Tick> {
    let (normal, offset) = plane_of(plane)?;
    falls_to_plane(
        r.start,
        normal.dot(r.position) - offset - radius,
        normal.dot(r.velocity),
        normal.dot(r.acceleration),
    )
}

fn possible(r: &Relative, ma: &BodyModel, mb: &BodyModel) -> Approach {
    let (ra, rb) = (ma.bounding_radius(), mb.bounding_radius());
    if ra.is_infinite() || rb.is_infinite() {
        let (r, radius, plane) = if rb.is_infinite() {
            (*r, ra, mb)
        } else {
            (flipped(*r), rb, ma)
        };
        return near_plane(&r, radius, plane);
    }
    if r.acceleration != Vec3::ZERO {
        return Approach::Possible(earliest(r, ra + rb), Tick::MAX);
    }
    match balls_overlap(r, ra + rb) {
        Some((enter, exit)) => Approach::Possible(enter, exit),
        None => Approach::Never,
    }
}

/// A tick before which two bounding balls that accelerate against each other cannot have met.
fn earliest(r: &Relative, reach: f64) -> Tick {
    let gap = r.position.length() - reach;
    if gap <= 0.0 {
        return r.start;
    }
    let speed = r.velocity.length();
    let seconds = time_to_close(gap, -speed, r.acceleration.length());
    let ticks = (seconds * Tick::TICKS_PER_SECOND).min(4e18) as i64;
    r.start.saturating_add((ticks - 1).max(0))
}

/// From when on a body's bounding ball may be below a plane.
fn near_plane(r: &Relative, radius: f64, plane: &BodyModel) -> Approach {
    let Some((normal, offset)) = plane_of(plane).filter(|_| plane.collider.form == Form::HalfSpace)
    else {
        return Approach::Possible(r.start, Tick::MAX);
    };
    let height = normal.dot(r.position) - offset - radius;
    if height <= 0.0 {
        return Approach::Possible(r.start, Tick::MAX);
    }
    let rate = normal.dot(r.velocity);
    match falls_to_plane(r.start, height, rate, normal.dot(r.acceleration)) {
        // A tick early rather than late.
        Some(tick) => Approach::Possible(Tick(tick.0 - 1).max(r.start), Tick::MAX),
        None => Approach::Never,
    }
}

/// Conservative advancement over the canonical windows that meet `[from, until]`, with at most so many looks at the
/// bodies in each. `possible` is what [`approach`] gave. The result may lie beyond `until` (it is then still the
/// right one).
pub fn search(
    a: &Motion,
    b: &Motion,
    (from, until): (Tick, Tick),
    possible: (Tick, Tick),
    rounds: u32,
) -> Found {
    let first = possible.0.max(a.flight.start).max(b.flight.start);
    let Windows { bits } = Windows::of_pair(a.turn, b.turn);
    let mut window = (from.max(first).0) >> bits;
    loop {
        let start = Tick(window << bits);
        let end = Tick((window + 1) << bits);
        let lo = start.max(first);
        let hi = end.min(possible.1);
        if lo > until || lo >= hi {
            return Found::Free;
        }
        match first_touch_within(a, b, (lo, hi), rounds) {
            Found::Free => window += 1,
            found => return found,
        }
    }
}
