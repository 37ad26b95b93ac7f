//! Rays: where a half-line first meets a body.

use crate::collider::{Core, SolidPart};
use crate::{BodyModel, Pose, Vec3};
use parry3d_f64::query::{Ray, RayCast};
use parry3d_f64::shape::{Ball, Capsule};

/// The first point of a body that a ray meets: distance along it and outward normal. The direction
/// must have unit length; a ray that starts inside meets the body at distance zero.
pub fn cast_ray(
    model: &BodyModel,
    pose: &Pose,
    origin: Vec3,
    direction: Vec3,
    farthest: f64,
) -> Option<(f64, Vec3)> {
    let ray = Ray::new(origin, direction);
    let mut first: Option<(f64, Vec3)> = None;
    for part in &model.collider.parts {
        let limit = first.map_or(farthest, |(distance, _)| distance);
        if let Some(hit) = cast_on_part(part, &(pose * part.pose), &ray, limit) {
            first = Some(hit);
        }
    }
    first
}

fn cast_on_part(part: &SolidPart, pose: &Pose, ray: &Ray, farthest: f64) -> Option<(f64, Vec3)> {
    let hit = match part.core {
        Core::Point => Ball::new(part.margin).cast_ray_and_get_normal(pose, ray, farthest, true),
        _ => match part.shape.as_segment() {
            Some(segment) => Capsule::new(segment.a, segment.b, part.margin)
                .cast_ray_and_get_normal(pose, ray, farthest, true),
            None => part
                .shape
                .cast_ray_and_get_normal(pose, ray, farthest, true),
        },
    };
    hit.map(|hit| (hit.time_of_impact, hit.normal))
}
