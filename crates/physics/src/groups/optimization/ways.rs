//! The ways between two configurations: within a step every body moves and turns uniformly from where it
//! was to where the programs have put it, and nothing may overlap on the way either. A step may be cut at
//! any tick, and then begins again from what lies between.
//!
//! A way is certified by planes that do not move: along a fixed normal the separation of two convex pieces
//! that move uniformly is a concave function of time, less the sagitta of what turns, so a plane that
//! separates them at both ends of an interval separates them in between. Where no plane is found the
//! interval is halved, until a moment at which they overlap is found: a *critical moment*.

use super::planes::{OVERLAP, width};
use crate::collider::{Core, SolidPart};
use crate::contact::{Proximity, proximity};
use crate::groups::faces::Solid;
use crate::groups::{Member, Neighbour};
use crate::rotation::{rotation_vector, turned};
use crate::{BodyModel, Pose, State, Vec3};

/// Moments of a step: it is divided into this many.
pub(super) const MOMENTS: u32 = 1 << 12;

/// The same for pairs with a surface: it is not convex, so that no plane certifies an interval, but only what the two move
/// in it against the gap that they have.
const SURFACE_MOMENTS: u32 = 1 << 9;

/// A body's way through a step.
#[derive(Clone, Copy)]
pub(super) struct Way<'a> {
    pub model: &'a BodyModel,
    start: Pose,
    end: Pose,
    /// What it moves in the whole step, metres.
    shift: Vec3,
    /// What it turns in the whole step, a rotation vector.
    turn: Vec3,
    /// By how much it turns, radians.
    angle: f64,
}

impl<'a> Way<'a> {
    /// From a member's state at the step's start to where it is now.
    pub fn of_member(member: &Member<'a>, start: &State) -> Self {
        let now = &member.state;
        let turn = rotation_vector(now.rotation * start.rotation.inverse());
        Way {
            model: member.model,
            start: start.pose(),
            end: now.pose(),
            shift: now.position - start.position,
            turn,
            angle: turn.length(),
        }
    }

    /// Of what keeps its velocity and spin.
    pub fn of_neighbour(neighbour: &Neighbour<'a>, seconds: f64) -> Self {
        Way {
            model: neighbour.model,
            start: neighbour.state.pose(),
            end: neighbour.pose_after(seconds),
            shift: neighbour.state.velocity * seconds,
            turn: neighbour.state.spin * seconds,
            angle: neighbour.state.spin.length() * seconds,
        }
    }

    /// Where the body is when a share of the step has passed.
    pub fn pose(&self, share: f64) -> Pose {
        // Most questions are about the ends.
        if share == 0.0 {
            return self.start;
        }
        if share == 1.0 {
            return self.end;
        }
        let rotation = match self.turn == Vec3::ZERO {
            true => self.start.rotation,
            false => turned(self.start.rotation, self.turn, share),
        };
        Pose::from_parts(self.start.translation + self.shift * share, rotation)
    }

    /// How far points at most so far from the centre of mass come by turning, metres.
    fn turning(&self, reach: f64) -> f64 {
        match self.angle == 0.0 {
            true => 0.0,
            false => self.angle * reach,
        }
    }

    /// The same as a state at rest.
    pub fn state(&self, share: f64) -> State {
        State::at_rest(self.pose(share))
    }
}

/// Two parts on their ways.
struct Passing<'a> {
    ways: [&'a Way<'a>; 2],
    parts: [&'a SolidPart; 2],
    /// How far the surfaces move against each other in the whole step, metres.
    travel: f64,
    /// The gap that counts as overlap, metres; below zero.
    floor: f64,
    /// The shortest interval that is looked at.
    finest: u32,
}

/// The moment, in parts of [`MOMENTS`], at which two bodies are found to overlap on their ways. At their ends
/// they are at least `gap` metres apart; `normals` are directions that probably separate them, towards the first.
pub(super) fn critical_moment(ways: [&Way<'_>; 2], gap: f64, normals: &[Vec3]) -> Option<u32> {
    let [a, b] = ways;
    let turning = |way: &Way<'_>| way.turning(way.model.bounding_radius());
    if (a.shift - b.shift).length() + turning(a) + turning(b) <= gap {
        return None;
    }
    let radii = a.model.bounding_radius() + b.model.bounding_radius();
    if radii.is_finite() && nearest(ways) > radii {
        return None;
    }
    let size = width([a.model, b.model]);
    let parts_of = |way: &Way<'_>| way.model.collider.parts.len();
    for i in 0..parts_of(a) {
        for j in 0..parts_of(b) {
            let parts = [&a.model.collider.parts[i], &b.model.collider.parts[j]];
            let turning = |k: usize| ways[k].turning(parts[k].reach);
            let passing = Passing {
                ways,
                parts,
                travel: (a.shift - b.shift).length() + turning(0) + turning(1),
                floor: -OVERLAP * size,
                finest: match parts.iter().any(|p| p.core == Core::Surface) {
                    true => MOMENTS / SURFACE_MOMENTS,
                    false => 1,
                },
            };
            if let Some(moment) = passing.search(normals) {
                return Some(moment);
            }
        }
    }
    None
}

/// The least distance of two centres on their ways, metres.
fn nearest([a, b]: [&Way<'_>; 2]) -> f64 {
    let (from, along) = (a.start.translation - b.start.translation, a.shift - b.shift);
    let square = along.length_squared();
    let share = match square > 0.0 {
        true => (-from.dot(along) / square).clamp(0.0, 1.0),
        false => 0.0,
    };
    (from + along * share).length()
}

impl Passing<'_> {
    /// The first critical moment that halving finds.
    fn search(&self, normals: &[Vec3]) -> Option<u32> {
        if normals.iter().any(|n| self.is_separated(*n, 0.0, 1.0)) {
            return None;
        }
        let [a, b] = self.ways.map(|way| way.start.translation + way.shift * 0.5);
        let apart = (a - b).normalize_or_zero();
        if apart != Vec3::ZERO && self.is_separated(apart, 0.0, 1.0) {
            return None;
        }
        let (begin, end) = (self.look(0.0), self.look(1.0));
        // What overlaps at the start has to overlap for a while.
        let floor = self.floor.min(begin.gap).min(end.gap);
        Passing { floor, ..*self }.between((0, &begin), (MOMENTS, &end))
    }

    fn between(
        &self,
        (from, begin): (u32, &Proximity),
        (to, end): (u32, &Proximity),
    ) -> Option<u32> {
        let shares = [from, to].map(|m| f64::from(m) / f64::from(MOMENTS));
        let travel = self.travel * (shares[1] - shares[0]);
        if 0.5 * (begin.gap + end.gap - travel) >= self.floor || to - from <= self.finest {
            return None;
        }
        let normals = [begin.normal, end.normal];
        if (normals.iter()).any(|n| self.is_separated(*n, shares[0], shares[1])) {
            return None;
        }
        let middle = from.midpoint(to);
        let seen = self.look(f64::from(middle) / f64::from(MOMENTS));
        if seen.gap < self.floor {
            return Some(middle);
        }
        self.between((from, begin), (middle, &seen))
            .or_else(|| self.between((middle, &seen), (to, end)))
    }

    fn look(&self, share: f64) -> Proximity {
        let [a, b] = self.ways.map(|way| way.pose(share));
        proximity(self.parts[0], &a, self.parts[1], &b)
    }

    /// Whether one plane with this normal separates the parts from one moment to another.
    fn is_separated(&self, normal: Vec3, from: f64, to: f64) -> bool {
        let sagitta = |k: usize| {
            let angle = self.ways[k].angle * (to - from);
            match angle == 0.0 {
                true => 0.0,
                false => self.parts[k].reach * angle * angle / 8.0,
            }
        };
        let slack = self.floor + sagitta(0) + sagitta(1);
        [from, to].into_iter().all(|share| {
            let [a, b] = self.ways.map(|way| way.pose(share));
            let low = -farthest(self.parts[0], &a, -normal);
            low - farthest(self.parts[1], &b, normal) >= slack
        })
    }
}

/// How far a part reaches along a direction; without end where that is not known.
fn farthest(part: &SolidPart, pose: &Pose, direction: Vec3) -> f64 {
    if let Core::HalfSpace { normal, offset } = part.core {
        let normal = pose.rotation * normal;
        return match normal.dot(direction) > 1.0 - 1e-15 {
            true => normal.dot(pose.translation) + offset,
            false => f64::INFINITY,
        };
    }
    let Some(solid) = Solid::of(part) else {
        return f64::INFINITY;
    };
    let world = pose * part.pose;
    let local = world.rotation.inverse() * direction;
    direction.dot(world * solid.support(local)) + part.margin
}
