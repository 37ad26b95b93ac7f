//! Closed forms between two ballistic flights: balls against balls, balls against planes, and the
//! interval in which two bounding balls overlap. Gravity cancels between two falling bodies.

use crate::Vec3;
use crate::motion::Flight;
use warp::Tick;

/// Relative motion of two flights from the later of both starts on.
#[derive(Clone, Copy, Debug)]
pub struct Relative {
    /// The later start.
    pub start: Tick,
    /// First minus second position there.
    pub position: Vec3,
    /// First minus second velocity there.
    pub velocity: Vec3,
    /// First minus second acceleration.
    pub acceleration: Vec3,
}

impl Relative {
    /// The relative motion of two flights with their accelerations.
    #[inline]
    pub fn new(a: &Flight, gravity_a: Vec3, b: &Flight, gravity_b: Vec3) -> Self {
        let start = a.start.max(b.start);
        let (ta, tb) = (start.since(a.start), start.since(b.start));
        if gravity_a == Vec3::ZERO && gravity_b == Vec3::ZERO {
            return Relative {
                start,
                position: (a.position + a.velocity * ta) - (b.position + b.velocity * tb),
                velocity: a.velocity - b.velocity,
                acceleration: Vec3::ZERO,
            };
        }
        let at = |f: &Flight, g: Vec3, t: f64| f.position + (f.velocity + g * (0.5 * t)) * t;
        Relative {
            start,
            position: at(a, gravity_a, ta) - at(b, gravity_b, tb),
            velocity: (a.velocity + gravity_a * ta) - (b.velocity + gravity_b * tb),
            acceleration: gravity_a - gravity_b,
        }
    }
}

/// The tick `seconds` after `start`, rounded up: at or just past contact, never before it.
#[inline]
fn tick_after(start: Tick, seconds: f64) -> Option<Tick> {
    let ticks = seconds * Tick::TICKS_PER_SECOND;
    let whole = ticks as i64;
    let up = whole + i64::from((whole as f64) < ticks);
    (ticks < 4.0e18).then(|| start.saturating_add(up))
}

/// The first tick at which two balls in free relative flight touch and approach, `reach` being the
/// sum of their radii.
#[inline]
pub fn balls_touch(r: &Relative, reach: f64) -> Option<Tick> {
    let b = r.position.dot(r.velocity);
    if b >= 0.0 {
        return None;
    }
    let c = r.position.length_squared() - reach * reach;
    if c <= 0.0 {
        return Some(r.start);
    }
    let discriminant = b * b - r.velocity.length_squared() * c;
    if discriminant < 0.0 {
        return None;
    }
    tick_after(r.start, c / (discriminant.sqrt() - b))
}

/// The first tick at which a point whose height above a plane is `height`, changing at `rate` and
/// accelerating at `acceleration`, is at or below it and sinks.
#[inline]
pub fn falls_to_plane(start: Tick, height: f64, rate: f64, acceleration: f64) -> Option<Tick> {
    if height <= 0.0 {
        if rate < 0.0 {
            return Some(start);
        }
        if acceleration >= 0.0 {
            return None;
        }
        // At the plane or a tick's travel below it, and rising: it comes back to the plane itself,
        // not to its depth, which would grow from bounce to bounce. Too slow to surface, it comes
        // back when rise and fall have cancelled.
        let surfaces = (rate * rate - 2.0 * acceleration * height).max(0.0).sqrt();
        let seconds = if surfaces > 0.0 {
            rate + surfaces
        } else {
            2.0 * rate
        };
        return tick_after(start, -seconds / acceleration);
    }
    if acceleration == 0.0 {
        return (rate < 0.0)
            .then(|| tick_after(start, -height / rate))
            .flatten();
    }
    let discriminant = rate * rate - 2.0 * acceleration * height;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    if acceleration < 0.0 {
        // One root ahead; the form without cancellation depends on the sign of the rate.
        let seconds = if rate > 0.0 {
            -(rate + root) / acceleration
        } else {
            2.0 * height / (root - rate)
        };
        return tick_after(start, seconds);
    }
    (rate < 0.0)
        .then(|| tick_after(start, 2.0 * height / (root - rate)))
        .flatten()
}

/// The ticks between which two balls of summed radii `reach` overlap in free relative flight: a
/// pair of bounding balls that overlaps never or no more gives `None`.
#[inline]
pub fn balls_overlap(r: &Relative, reach: f64) -> Option<(Tick, Tick)> {
    let b = r.position.dot(r.velocity);
    let c = r.position.length_squared() - reach * reach;
    let speed2 = r.velocity.length_squared();
    if c > 0.0 && b >= 0.0 {
        return None;
    }
    if speed2 == 0.0 {
        return Some((r.start, Tick::MAX));
    }
    let discriminant = b * b - speed2 * c;
    if discriminant < 0.0 {
        return None;
    }
    let root = discriminant.sqrt();
    let enter = if c > 0.0 {
        // A tick early rather than late.
        let ticks = (c / (root - b) * Tick::TICKS_PER_SECOND).floor() - 1.0;
        if ticks > 4.0e18 {
            return None;
        }
        r.start.saturating_add((ticks as i64).max(0))
    } else {
        r.start
    };
    let exit = tick_after(r.start, (root - b) / speed2).unwrap_or(Tick::MAX);
    Some((enter, exit.saturating_add(1)))
}
