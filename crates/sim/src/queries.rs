//! Questions about the past: ray casts and overlap tests at any retained tick, as a server needs that
//! has to judge a shot by what the player saw.

use crate::grid::Bounds;
use crate::simulation::Simulation;
use crate::world::BodyId;
use physics::contact::proximity;
use physics::ray::cast_ray;
use physics::{Collider, Part, Pose, ShapeError, Vec3};
use warp::Tick;

/// What a ray met.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// The body.
    pub body: BodyId,
    /// Metres from the origin.
    pub distance: f64,
    /// Where.
    pub point: Vec3,
    /// Outward unit normal of the body there.
    pub normal: Vec3,
}

/// A ray is looked along in pieces of this many metres at least.
const PIECE: f64 = 2.0;
/// A ray of more pieces than this is tried on every body instead.
const PIECES_MAX: f64 = 64.0;

impl Simulation {
    /// The first body that a ray meets at a retained tick, within `farthest` metres; none also where
    /// the tick is out of reach or the direction is zero. Ties go to the lower body.
    pub fn cast_ray(
        &mut self,
        at: Tick,
        origin: Vec3,
        direction: Vec3,
        farthest: f64,
    ) -> Option<RayHit> {
        let direction = direction.try_normalize()?;
        if !self.covers(at) || !origin.is_finite() || farthest.is_nan() {
            return None;
        }
        let mut found = Vec::new();
        if farthest <= PIECE * PIECES_MAX {
            let mut begin = 0.0;
            while begin < farthest {
                let end = (begin + PIECE).min(farthest);
                let (a, b) = (origin + direction * begin, origin + direction * end);
                found.clear();
                let bounds = Bounds::around(a.min(b), a.max(b));
                self.engine.near_at(&bounds, at, &mut found);
                if let Some(hit) = self.first_hit(&found, at, origin, direction, farthest)
                    && hit.distance <= end
                {
                    return Some(hit);
                }
                begin = end;
            }
            return None;
        }
        found.extend((0..self.world().bodies.len() as u32).map(BodyId));
        self.first_hit(&found, at, origin, direction, farthest)
    }

    fn first_hit(
        &mut self,
        bodies: &[BodyId],
        at: Tick,
        origin: Vec3,
        direction: Vec3,
        farthest: f64,
    ) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        for &body in bodies {
            let Some((model, state)) = self.engine.seen_at(body, at) else {
                continue;
            };
            let limit = first.map_or(farthest, |hit| hit.distance);
            let hit = cast_ray(model, &state.pose(), origin, direction, limit);
            let Some((distance, normal)) = hit else {
                continue;
            };
            if first.is_none_or(|f| distance < f.distance) {
                first = Some(RayHit {
                    body,
                    distance,
                    point: origin + direction * distance,
                    normal,
                });
            }
        }
        first
    }

    /// The bodies that a bounded shape at a pose touches or overlaps at a retained tick.
    pub fn overlapping(
        &mut self,
        at: Tick,
        parts: &[Part],
        pose: Pose,
    ) -> Result<Vec<BodyId>, ShapeError> {
        let collider = Collider::new(parts, Pose::IDENTITY)?;
        if !self.covers(at) {
            return Ok(Vec::new());
        }
        let mut found = Vec::new();
        if collider.is_unbounded() {
            found.extend((0..self.world().bodies.len() as u32).map(BodyId));
        } else {
            let radius = Vec3::splat(collider.bounding_radius);
            let bounds = Bounds::around(pose.translation - radius, pose.translation + radius);
            self.engine.near_at(&bounds, at, &mut found);
        }
        found.retain(|body| {
            self.engine
                .seen_at(*body, at)
                .is_some_and(|(model, state)| {
                    let theirs = state.pose();
                    collider.parts.iter().any(|a| {
                        let touches = |b| proximity(a, &pose, b, &theirs).gap <= 0.0;
                        model.collider.parts.iter().any(touches)
                    })
                })
        });
        Ok(found)
    }
}
