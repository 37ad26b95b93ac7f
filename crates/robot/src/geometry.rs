//! Volumes and inertias of simple shapes, about their centres, along their own axes.

use crate::description::Shape;
use multibody::Vec3;
use multibody::spatial::Sym3;

const PI: f64 = std::f64::consts::PI;

/// Volume in m³; none for what has no volume of its own.
pub(crate) fn volume(shape: &Shape) -> Option<f64> {
    Some(match shape {
        Shape::Sphere(r) => 4.0 / 3.0 * PI * r * r * r,
        Shape::Capsule(r, half) => PI * (r * r * 2.0 * half + 4.0 / 3.0 * r * r * r),
        Shape::Cylinder(r, half) => PI * r * r * 2.0 * half,
        Shape::Box(h) => 8.0 * h.x * h.y * h.z,
        Shape::Ellipsoid(h) => 4.0 / 3.0 * PI * h.x * h.y * h.z,
        Shape::Plane | Shape::Mesh(_) | Shape::HeightField => return None,
    })
}

/// Area of the surface, m², for bodies that are hollow.
pub(crate) fn area(shape: &Shape) -> Option<f64> {
    Some(match shape {
        Shape::Sphere(r) => 4.0 * PI * r * r,
        Shape::Capsule(r, half) => 4.0 * PI * r * r + 2.0 * PI * r * 2.0 * half,
        Shape::Cylinder(r, half) => 2.0 * PI * r * r + 2.0 * PI * r * 2.0 * half,
        Shape::Box(h) => 8.0 * (h.x * h.y + h.y * h.z + h.z * h.x),
        _ => return None,
    })
}

/// Inertia of a solid of this mass.
pub(crate) fn solid(shape: &Shape, mass: f64) -> Sym3 {
    let diagonal = match shape {
        Shape::Sphere(r) => Vec3::splat(0.4 * mass * r * r),
        Shape::Capsule(r, half) => {
            let height = 2.0 * half;
            let balls = mass * 4.0 * r / (4.0 * r + 3.0 * height);
            let rod = mass - balls;
            let ball = 2.0 * balls * r * r / 5.0;
            let across = rod * (3.0 * r * r + height * height) / 12.0
                + ball
                + balls * height * (3.0 * r + 2.0 * height) / 8.0;
            Vec3::new(across, across, rod * r * r / 2.0 + ball)
        }
        Shape::Cylinder(r, half) => {
            let height = 2.0 * half;
            let across = mass * (3.0 * r * r + height * height) / 12.0;
            Vec3::new(across, across, mass * r * r / 2.0)
        }
        Shape::Box(h) => squares(*h) * (mass / 3.0),
        Shape::Ellipsoid(h) => squares(*h) * (mass / 5.0),
        _ => Vec3::ZERO,
    };
    Sym3 {
        diagonal,
        off: Vec3::ZERO,
    }
}

/// Inertia of a hollow body of this mass, for the shapes that have a formula.
pub(crate) fn hollow(shape: &Shape, mass: f64) -> Sym3 {
    let diagonal = match shape {
        Shape::Sphere(r) => Vec3::splat(2.0 / 3.0 * mass * r * r),
        Shape::Capsule(r, half) => {
            let height = 2.0 * half;
            let whole = 4.0 * PI * r * r + 2.0 * PI * r * height;
            let balls = mass * 4.0 * PI * r * r / whole;
            let tube = mass - balls;
            let ball = 2.0 * balls * r * r / 3.0;
            let across = tube * (6.0 * r * r + height * height) / 12.0
                + ball
                + balls * (height * height / 4.0 + height * r / 2.0);
            Vec3::new(across, across, tube * r * r + ball)
        }
        Shape::Cylinder(r, half) => {
            let height = 2.0 * half;
            let caps = mass * r / (r + height);
            let tube = mass - caps;
            let across =
                tube * (6.0 * r * r + height * height) / 12.0 + caps * (r * r / 4.0 + half * half);
            Vec3::new(across, across, tube * r * r + caps * r * r / 2.0)
        }
        Shape::Box(h) => {
            let faces = Vec3::new(h.y * h.z, h.z * h.x, h.x * h.y);
            let each = faces * (mass / faces.element_sum());
            let s = *h * *h;
            // a pair of faces across x lies h.x away, spread over y and z
            let along = |y: f64, z: f64, own: f64, q: f64, r: f64| {
                own * (y + z) / 3.0 + q * (y + z / 3.0) + r * (z + y / 3.0)
            };
            Vec3::new(
                along(s.y, s.z, each.x, each.y, each.z),
                along(s.z, s.x, each.y, each.z, each.x),
                along(s.x, s.y, each.z, each.x, each.y),
            )
        }
        _ => return solid(shape, mass),
    };
    Sym3 {
        diagonal,
        off: Vec3::ZERO,
    }
}

fn squares(h: Vec3) -> Vec3 {
    let s = h * h;
    Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y)
}
