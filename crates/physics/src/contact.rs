//! Where two parts are closest, and how far apart: a pure function of two poses.

use crate::collider::{Core, Form, SolidPart};
use crate::motion::State;
use crate::terrain::closest_on_surface;
use crate::{BodyModel, Pose, Vec3};
use parry3d_f64::query::{self, ClosestPoints};

/// The closest points of two parts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Proximity {
    /// Distance between the surfaces, metres; negative when they overlap.
    pub gap: f64,
    /// Unit vector from the second part towards the first.
    pub normal: Vec3,
    /// The point on the first surface, in the world.
    pub on_a: Vec3,
    /// The point on the second surface, in the world.
    pub on_b: Vec3,
}

impl Proximity {
    /// Nothing to touch.
    pub const NEVER: Proximity = Proximity {
        gap: f64::INFINITY,
        normal: Vec3::Y,
        on_a: Vec3::ZERO,
        on_b: Vec3::ZERO,
    };

    fn between_cores(a: Vec3, b: Vec3, normal: Vec3, distance: f64, margins: [f64; 2]) -> Self {
        Proximity {
            gap: distance - margins[0] - margins[1],
            normal,
            on_a: a - normal * margins[0],
            on_b: b + normal * margins[1],
        }
    }

    fn flipped(self) -> Self {
        Proximity {
            gap: self.gap,
            normal: -self.normal,
            on_a: self.on_b,
            on_b: self.on_a,
        }
    }

    /// Midpoint of the closest points: where an impulse acts.
    pub fn point(&self) -> Vec3 {
        0.5 * (self.on_a + self.on_b)
    }
}

/// The closest points of two parts of bodies at the given poses.
pub fn proximity(a: &SolidPart, pose_a: &Pose, b: &SolidPart, pose_b: &Pose) -> Proximity {
    match (a.core, b.core) {
        (Core::Point, Core::Point) => {
            let (ca, cb) = (pose_a * a.pose.translation, pose_b * b.pose.translation);
            between_points(ca, cb, [a.margin, b.margin])
        }
        (Core::HalfSpace { .. }, Core::HalfSpace { .. }) => Proximity::NEVER,
        (_, Core::HalfSpace { normal, offset }) => above_plane(
            a,
            pose_a,
            pose_b.rotation * normal,
            pose_b.translation,
            offset,
        ),
        (Core::HalfSpace { normal, offset }, _) => above_plane(
            b,
            pose_b,
            pose_a.rotation * normal,
            pose_a.translation,
            offset,
        )
        .flipped(),
        (Core::Surface, Core::Surface) => Proximity::NEVER,
        (_, Core::Surface) => closest_on_surface(a, pose_a, b, pose_b),
        (Core::Surface, _) => closest_on_surface(b, pose_b, a, pose_a).flipped(),
        (Core::Point, _) => point_to_solid(a, pose_a, b, pose_b),
        (_, Core::Point) => point_to_solid(b, pose_b, a, pose_a).flipped(),
        _ => solid_to_solid(a, pose_a, b, pose_b),
    }
}

/// The closest points of two balls with the given centres and radii.
pub fn between_points(a: Vec3, b: Vec3, margins: [f64; 2]) -> Proximity {
    let apart = a - b;
    let distance = apart.length();
    let normal = if distance > 0.0 {
        apart / distance
    } else {
        Vec3::Y
    };
    Proximity::between_cores(a, b, normal, distance, margins)
}

fn above_plane(
    part: &SolidPart,
    pose: &Pose,
    normal: Vec3,
    origin: Vec3,
    offset: f64,
) -> Proximity {
    let lowest = lowest_point(part, pose, normal);
    let height = normal.dot(lowest - origin) - offset;
    Proximity::between_cores(
        lowest,
        lowest - normal * height,
        normal,
        height,
        [part.margin, 0.0],
    )
}

/// The core's point that lies farthest against `normal`.
fn lowest_point(part: &SolidPart, pose: &Pose, normal: Vec3) -> Vec3 {
    match part.shape.as_support_map() {
        Some(core) if part.core != Core::Point => {
            let world = pose * part.pose;
            let local = world.rotation.inverse() * -normal;
            world * core.local_support_point(local)
        }
        _ => pose * part.pose.translation,
    }
}

fn point_to_solid(point: &SolidPart, pose: &Pose, solid: &SolidPart, at: &Pose) -> Proximity {
    let centre = pose * point.pose.translation;
    let world = at * solid.pose;
    let margins = [point.margin, solid.margin];
    if let Some(cuboid) = solid.shape.as_cuboid() {
        let local = world.rotation.inverse() * (centre - world.translation);
        let nearest = local.clamp(-cuboid.half_extents, cuboid.half_extents);
        let apart = local - nearest;
        let length = apart.length();
        // Outside; inside the nearest face is to be found.
        if length > 0.0 {
            let normal = world.rotation * (apart / length);
            let on_cuboid = world * nearest;
            return Proximity::between_cores(centre, on_cuboid, normal, length, margins);
        }
    }
    let projected = solid.shape.project_point(&world, centre, false);
    let apart = centre - projected.point;
    let length = apart.length();
    let sign = if projected.is_inside { -1.0 } else { 1.0 };
    let normal = if length > 0.0 {
        apart * (sign / length)
    } else {
        Vec3::Y
    };
    Proximity::between_cores(centre, projected.point, normal, sign * length, margins)
}

fn solid_to_solid(a: &SolidPart, pose_a: &Pose, b: &SolidPart, pose_b: &Pose) -> Proximity {
    let (wa, wb) = (pose_a * a.pose, pose_b * b.pose);
    let margins = [a.margin, b.margin];
    match query::closest_points(&wa, &*a.shape, &wb, &*b.shape, f64::MAX) {
        Ok(ClosestPoints::WithinMargin(pa, pb)) => {
            let apart = pa - pb;
            let distance = apart.length();
            if distance > 0.0 {
                return Proximity::between_cores(pa, pb, apart / distance, distance, margins);
            }
            overlapping(a, &wa, b, &wb)
        }
        Ok(ClosestPoints::Intersecting) => overlapping(a, &wa, b, &wb),
        _ => Proximity::NEVER,
    }
}

fn overlapping(a: &SolidPart, wa: &Pose, b: &SolidPart, wb: &Pose) -> Proximity {
    match query::contact(wa, &*a.shape, wb, &*b.shape, 0.0) {
        Ok(Some(c)) => {
            let margins = [a.margin, b.margin];
            Proximity::between_cores(c.point1, c.point2, -c.normal1, c.dist, margins)
        }
        _ => {
            let apart = wa.translation - wb.translation;
            let normal = apart.normalize_or(Vec3::Y);
            let middle = 0.5 * (wa.translation + wb.translation);
            Proximity::between_cores(middle, middle, normal, 0.0, [a.margin, b.margin])
        }
    }
}

/// The point of a body's surface nearest to a point of the world, which takes the first side: `gap` is
/// negative inside, `normal` points out of the body. Ground is solid below a height field; the triangles
/// of a mesh have nothing behind them.
pub fn nearest(model: &BodyModel, pose: &Pose, point: Vec3) -> Proximity {
    let mut first = Proximity::NEVER;
    for part in &model.collider.parts {
        let near = nearest_of_part(part, pose, point);
        if near.gap < first.gap {
            first = near;
        }
    }
    first
}

fn nearest_of_part(part: &SolidPart, pose: &Pose, point: Vec3) -> Proximity {
    match part.core {
        Core::Point => between_points(point, pose * part.pose.translation, [0.0, part.margin]),
        Core::HalfSpace { normal, offset } => {
            let normal = pose.rotation * normal;
            let height = normal.dot(point - pose.translation) - offset;
            Proximity::between_cores(point, point - normal * height, normal, height, [0.0; 2])
        }
        Core::Convex | Core::Surface => {
            let world = pose * part.pose;
            let projected = part.shape.project_point(&world, point, false);
            let apart = point - projected.point;
            let is_below =
                part.shape.as_heightfield().is_some() && (world.rotation.inverse() * apart).y < 0.0;
            let sign = if projected.is_inside || is_below {
                -1.0
            } else {
                1.0
            };
            let length = apart.length();
            let normal = if length > 0.0 {
                apart * (sign / length)
            } else {
                Vec3::Y
            };
            let margins = [0.0, part.margin];
            Proximity::between_cores(point, projected.point, normal, sign * length, margins)
        }
    }
}

/// The closest points of two whole bodies: the pair of parts with the smallest gap (the first one
/// of equals, in the order of the parts).
pub fn closest(model_a: &BodyModel, a: &State, model_b: &BodyModel, b: &State) -> Proximity {
    if let (Form::Ball { radius: ra }, Form::Ball { radius: rb }) =
        (model_a.collider.form, model_b.collider.form)
    {
        return between_points(a.position, b.position, [ra, rb]);
    }
    let (pose_a, pose_b) = (a.pose(), b.pose());
    let mut best = Proximity::NEVER;
    for part_a in &model_a.collider.parts {
        for part_b in &model_b.collider.parts {
            let found = proximity(part_a, &pose_a, part_b, &pose_b);
            if found.gap < best.gap {
                best = found;
            }
        }
    }
    best
}
