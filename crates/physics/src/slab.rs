//! The gap of two parts along a fixed direction while both move on uniformly: what a look at closest points certifies for a
//! stretch of time.

use crate::collider::{Core, SolidPart};
use crate::motion::State;
use crate::{Pose, Vec3};

/// Corners whose heights are found once for all times that are asked about; of what has more they are found each time.
const FEW: usize = 24;

/// Heights and their rates along a direction for the points whose hull is a part.
// It lives on the stack for one look at two bodies, and is never moved about.
#[allow(clippy::large_enum_variant)]
pub(crate) enum Side<'a> {
    /// Those of the first `count` of few corners.
    Corners {
        heights: [f64; FEW],
        rates: [f64; FEW],
        count: usize,
    },
    /// Many corners, seen from the body.
    Many(View, &'a [Vec3]),
    /// A half-space: one height for all.
    Plane { height: f64, rate: f64 },
    /// One triangle of a surface.
    Triangle { heights: [f64; 3], rates: [f64; 3] },
    /// No corners to look at.
    Round,
}

/// A direction, and how a body moves along it, brought into the body: that takes less than bringing every corner into the
/// world.
pub(crate) struct View {
    local: Vec3,
    swing: Vec3,
    base: f64,
    drift: f64,
}

impl View {
    fn new(part: &SolidPart, state: &State, pose: &Pose, direction: Vec3) -> Self {
        View {
            local: pose.rotation.inverse() * direction,
            swing: pose.rotation.inverse() * direction.cross(state.spin),
            base: direction.dot(pose.translation) - part.margin,
            drift: direction.dot(state.velocity),
        }
    }

    /// Height of a corner, and its rate.
    #[inline]
    fn of(&self, corner: Vec3) -> (f64, f64) {
        let rate = self.drift + self.swing.dot(corner);
        (self.base + self.local.dot(corner), rate)
    }
}

impl<'a> Side<'a> {
    pub(crate) fn new(part: &'a SolidPart, state: &State, pose: &Pose, direction: Vec3) -> Self {
        if let Core::HalfSpace { normal, offset } = part.core {
            return Side::Plane {
                height: direction.dot(pose.translation + pose.rotation * normal * offset),
                rate: direction.dot(state.velocity),
            };
        }
        if part.corners.is_empty() {
            return Side::Round;
        }
        let view = View::new(part, state, pose, direction);
        if part.corners.len() > FEW {
            return Side::Many(view, &part.corners);
        }
        let (mut heights, mut rates) = ([0.0; FEW], [0.0; FEW]);
        for (place, corner) in part.corners.iter().enumerate() {
            (heights[place], rates[place]) = view.of(*corner);
        }
        Side::Corners {
            heights,
            rates,
            count: part.corners.len(),
        }
    }

    /// The least height after `seconds` of uniform motion, and its rate.
    pub(crate) fn lowest(&self, seconds: f64) -> Option<(f64, f64)> {
        match self {
            Side::Round => None,
            Side::Plane { height, rate } => Some((height + rate * seconds, *rate)),
            Side::Triangle { heights, rates } => (0..3)
                .map(|k| (heights[k] + rates[k] * seconds, rates[k]))
                .min_by(|a, b| a.0.total_cmp(&b.0)),
            Side::Corners {
                heights,
                rates,
                count,
            } => {
                let all = heights[..*count].iter().zip(&rates[..*count]);
                Some(least(all.map(|(height, rate)| (*height, *rate)), seconds))
            }
            Side::Many(view, corners) => Some(least(corners.iter().map(|c| view.of(*c)), seconds)),
        }
    }
}

/// The least of heights after so many seconds, the first of several, and its rate.
#[inline]
fn least(all: impl Iterator<Item = (f64, f64)>, seconds: f64) -> (f64, f64) {
    let mut least = (f64::INFINITY, 0.0);
    for (height, rate) in all {
        let height = height + rate * seconds;
        if height < least.0 {
            least = (height, rate);
        }
    }
    least
}

/// The gap of two parts along a fixed direction: a concave function of time, bounded from below.
pub(crate) struct Slab<'a> {
    pub a: Side<'a>,
    pub b: Side<'a>,
    pub bend: f64,
}

impl Slab<'_> {
    fn gap(&self, seconds: f64) -> Option<(f64, f64)> {
        let ((a, rate_a), (b, rate_b)) = (self.a.lowest(seconds)?, self.b.lowest(seconds)?);
        let value = a + b - 0.5 * self.bend * seconds * seconds;
        Some((value, rate_a + rate_b - self.bend * seconds))
    }

    /// Whether the gap is at least `floor` now and after `seconds`, and so all the time between.
    pub(crate) fn is_clear(&self, floor: f64, seconds: f64) -> bool {
        let clear = |s: f64| self.gap(s).is_some_and(|(gap, _)| gap >= floor);
        clear(0.0) && clear(seconds)
    }

    /// How long, at most `longest`, the gap stays at or above `floor`. Newton's iteration from the
    /// far side of a concave function comes down to its root and never jumps over it.
    pub(crate) fn time_above(&self, floor: f64, longest: f64) -> Option<f64> {
        let mut seconds = longest.min(1.0);
        for _ in 0..12 {
            let (value, rate) = self.gap(seconds)?;
            let excess = value - floor;
            if excess >= 0.0 {
                return Some(seconds);
            }
            if rate >= 0.0 {
                return None;
            }
            seconds = (seconds - excess / rate) * (1.0 - 1e-12);
            if seconds <= 0.0 {
                return None;
            }
        }
        None
    }
}
