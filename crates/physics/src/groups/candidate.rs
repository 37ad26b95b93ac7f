//! Two parts that may touch: where they are, how they move against each other during the step, and
//! the closest points of their cores.

use super::boxes;
use super::clip::Polygon;
use super::faces::Solid;
use super::gjk::{Corners, Outcome, closest};
use crate::motion::State;
use crate::{Pose, Quat, Vec3};
use parry3d_f64::query::epa::EPA;
use parry3d_f64::query::gjk::{self, CsoPoint, GJKResult, VoronoiSimplex};

/// Two parts that may touch.
#[derive(Clone, Copy)]
pub(super) struct Candidate<'a> {
    pub pair: (u32, u32),
    pub parts: u32,
    pub piece: u32,
    pub solids: [Solid<'a>; 2],
    /// Poses of the cores in the world.
    pub poses: [Pose; 2],
    pub margins: [f64; 2],
    /// Largest gap of interest, metres.
    pub reach: f64,
    /// What the first body will do, seen from the second one.
    pub twist: Twist,
}

/// Relative motion of two bodies during the step.
#[derive(Clone, Copy, Debug)]
pub struct Approach {
    /// Largest gap of interest, metres: the contact margin and all that the bodies may travel.
    pub reach: f64,
    /// Gap at the step's end up to which a point counts, metres.
    pub margin: f64,
    /// Length of the step, seconds.
    pub seconds: f64,
}

/// Displacement of the first body's points against the second body, in the first core's frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twist {
    shift: Vec3,
    turn: Vec3,
    /// Gap at the step's end up to which a point counts, metres.
    margin: f64,
}

impl Twist {
    pub(super) fn new(a: &State, b: &State, core: &Pose, approach: &Approach) -> Self {
        let back = core.rotation.inverse();
        let here = core.translation;
        let drift = a.velocity_at(here) - b.velocity_at(here);
        Twist {
            shift: back * drift * approach.seconds,
            turn: back * (a.spin - b.spin) * approach.seconds,
            margin: approach.margin,
        }
    }

    /// The same in a frame in which the first core is turned.
    pub(super) fn turned(&self, rotation: Quat) -> Self {
        Twist {
            shift: rotation * self.shift,
            turn: rotation * self.turn,
            margin: self.margin,
        }
    }

    /// How far a point comes.
    pub(super) fn displacement(&self, point: Vec3) -> Vec3 {
        self.shift + self.turn.cross(point)
    }
}

impl Candidate<'_> {
    /// How far a point of the first body comes against the second one during the step; both in the
    /// first core's frame.
    pub(super) fn displacement(&self, point: Vec3) -> Vec3 {
        self.twist.displacement(point)
    }

    /// Height above the reference plane from which on a point cannot arrive during the step.
    pub(super) fn highest(&self) -> f64 {
        2.0 * (self.reach + self.margins[0] + self.margins[1])
    }

    /// Keeps the corners that may touch before the step ends, and notes their heights by then.
    /// `outward` and the points that `local` returns are in the first core's frame.
    pub(super) fn keep_arriving(
        &self,
        polygon: &mut Polygon,
        outward: Vec3,
        local: impl Fn(Vec3) -> Vec3,
    ) {
        let limit = self.twist.margin + self.margins[0] + self.margins[1];
        polygon.keep(|corner| {
            let gain = outward.dot(self.displacement(local(corner.point)));
            corner.arrival = corner.height - gain.max(0.0);
            corner.arrival <= limit
        });
    }
}

/// Closest points of two cores in the frame of the first one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Witness {
    pub points: [Vec3; 2],
    /// Unit vector out of the first core.
    pub outward: Vec3,
    /// Signed distance of the cores.
    pub distance: f64,
}

/// The closest points of two cores, if they are within `limit` metres. `corners` are where the search
/// begins, and then where it has ended.
pub(super) fn witness(near: &Candidate, limit: f64, corners: &mut Corners) -> Option<Witness> {
    let relative = near.poses[0].inverse() * near.poses[1];
    if let [Solid::Cuboid(a), Solid::Cuboid(b)] = near.solids
        && let Some(witness) = boxes::overlap([a, b], &relative)
    {
        return Some(witness);
    }
    match closest(&near.solids, &relative, limit, corners) {
        Outcome::Apart => None,
        Outcome::Found(witness) => Some(witness),
        Outcome::Unclear => overlapping(near, &relative, limit),
    }
}

/// The same for cores that touch, overlap or are round.
fn overlapping(near: &Candidate, relative: &Pose, limit: f64) -> Option<Witness> {
    let [a, b] = &near.solids;
    let towards = relative.translation.normalize_or(Vec3::X);
    let mut simplex = VoronoiSimplex::new();
    simplex.reset(CsoPoint::from_shapes(relative, a, b, towards));
    match gjk::closest_points(relative, a, b, limit, true, &mut simplex) {
        GJKResult::ClosestPoints(p, q, outward) => Some(Witness {
            points: [p, q],
            outward,
            distance: (q - p).dot(outward),
        }),
        GJKResult::Intersection => Some(
            EPA::new()
                .closest_points(relative, a, b, &simplex)
                .filter(|(_, _, outward)| outward.is_finite())
                .map_or_else(
                    || Witness {
                        points: [0.5 * relative.translation; 2],
                        outward: towards,
                        distance: 0.0,
                    },
                    |(p, q, outward)| Witness {
                        points: [p, q],
                        outward,
                        distance: (q - p).dot(outward),
                    },
                ),
        ),
        _ => None,
    }
}
