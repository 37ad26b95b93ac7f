//! Where a triangle and a body are closest: contact of cloth with what lies between its vertices.

use crate::collider::{Core, SolidPart};
use crate::contact::Proximity;
use crate::depth::{least_overlap, weights};
use crate::{BodyModel, Pose, Vec3};
use parry3d_f64::query::details::closest_points_support_map_support_map;
use parry3d_f64::query::{ClosestPoints, PointQuery, closest_points};
use parry3d_f64::shape::{SupportMap, Triangle};
use parry3d_f64::transformation::try_convex_hull;

/// The closest points of a triangle and a body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OnTriangle {
    /// Barycentric weights of the triangle's point; they add up to one.
    pub weights: [f64; 3],
    /// The triangle takes the first side: `normal` points out of the body.
    pub proximity: Proximity,
}

/// The closest points of a triangle with these corners, m, and a body, or the deepest ones. None if the triangle has no
/// area, if it crosses a surface, as nobody knows what is behind one, or if the body consists of half-spaces only, which
/// are met by corners alone.
pub fn nearest_to_triangle(
    model: &BodyModel,
    pose: &Pose,
    corners: [Vec3; 3],
) -> Option<OnTriangle> {
    let [a, b, c] = corners;
    let normal = (b - a).cross(c - a);
    let longest = (b - a).length_squared().max((c - a).length_squared());
    if normal.length() <= 1e-9 * longest {
        return None;
    }
    let triangle = Triangle::new(a, b, c);
    let mut first: Option<Proximity> = None;
    for part in &model.collider.parts {
        if let Some(near) = nearest_part(part, pose, &triangle)
            && first.is_none_or(|first| near.gap < first.gap)
        {
            first = Some(near);
        }
    }
    first.map(|proximity| OnTriangle {
        weights: weights(corners, normal, proximity.on_a),
        proximity,
    })
}

/// The surface of the convex hull of points: its corners, and its triangles, wound outwards.
pub fn hull_surface(points: &[Vec3]) -> Option<(Vec<Vec3>, Vec<[u32; 3]>)> {
    try_convex_hull(points).ok()
}

fn nearest_part(part: &SolidPart, pose: &Pose, triangle: &Triangle) -> Option<Proximity> {
    let world = pose * part.pose;
    let (on_triangle, on_core, normal, distance) = match part.core {
        Core::Point => {
            let centre = world.translation;
            let point = triangle.project_local_point(centre, false).point;
            let apart = point - centre;
            let distance = apart.length();
            (point, centre, apart / distance, distance)
        }
        Core::Convex => separation(part, &world, triangle)?,
        Core::Surface => apart_from_surface(part, &world, triangle)?,
        Core::HalfSpace { .. } => return None,
    };
    let found = Proximity {
        gap: distance - part.margin,
        normal,
        on_a: on_triangle,
        on_b: on_core + normal * part.margin,
    };
    normal.is_finite().then_some(found)
}

/// The same for a surface of triangles, which has nothing behind it: only while the triangle does not cross it.
fn apart_from_surface(
    part: &SolidPart,
    world: &Pose,
    triangle: &Triangle,
) -> Option<(Vec3, Vec3, Vec3, f64)> {
    let identity = Pose::identity();
    let found = closest_points(&identity, triangle, world, &*part.shape, f64::MAX);
    let Ok(ClosestPoints::WithinMargin(on_triangle, on_surface)) = found else {
        return None;
    };
    let apart = on_triangle - on_surface;
    let distance = apart.length();
    (distance > 0.0).then(|| (on_triangle, on_surface, apart / distance, distance))
}

/// Point on the triangle, point on the core, direction from the core to the triangle, signed distance. Always by support
/// maps: for boxes the general query takes separating axes, which are right near contact only.
fn separation(
    part: &SolidPart,
    world: &Pose,
    triangle: &Triangle,
) -> Option<(Vec3, Vec3, Vec3, f64)> {
    let core = part.shape.as_support_map()?;
    let closest = closest_points_support_map_support_map(world, triangle, core, f64::MAX);
    if let ClosestPoints::WithinMargin(on_triangle, on_core) = closest {
        let on_core = world * on_core;
        let apart = on_triangle - on_core;
        let distance = apart.length();
        if distance > 0.0 {
            return Some((on_triangle, on_core, apart / distance, distance));
        }
    }
    let deepest = least_overlap(|direction| {
        let against = world.rotation.inverse() * -direction;
        [
            triangle.local_support_point(direction),
            world * core.local_support_point(against),
        ]
    })?;
    let out_of_core = -deepest.outward;
    Some((deepest.on_a, deepest.on_b, out_of_core, -deepest.depth))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::Heft;
    use crate::{Material, Part, Shape};

    fn body(shape: Shape) -> BodyModel {
        let parts = [Part::centred(shape)];
        BodyModel::dynamic(&parts, Heft::Mass(1.0), Material::default(), Vec3::ZERO).unwrap()
    }

    const FLAT: [Vec3; 3] = [
        Vec3::new(-1.0, 0.0, -1.0),
        Vec3::new(1.0, 0.0, -1.0),
        Vec3::new(0.0, 0.0, 2.0),
    ];

    #[test]
    fn weights_say_where_the_point_lies() {
        let pose = Pose::from_translation(Vec3::new(0.1, 0.5, 0.2));
        for shape in [
            Shape::Ball { radius: 0.1 },
            Shape::Box {
                half_extents: Vec3::splat(0.1),
            },
            Shape::Capsule {
                half_height: 0.1,
                radius: 0.05,
            },
        ] {
            let near = nearest_to_triangle(&body(shape), &pose, FLAT).unwrap();
            let point: Vec3 = FLAT.iter().zip(near.weights).map(|(c, w)| *c * w).sum();
            assert!(point.distance(near.proximity.on_a) < 1e-9, "{near:?}");
            assert!((near.weights.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            // the search for closest points of parallel faces ends with directions good to half of all digits
            assert!(near.proximity.normal.y < -1.0 + 1e-7, "{near:?}");
            let apart = near.proximity.on_a - near.proximity.on_b;
            let along = near.proximity.normal.dot(apart);
            assert!((along - near.proximity.gap).abs() < 1e-9);
        }
    }
}
