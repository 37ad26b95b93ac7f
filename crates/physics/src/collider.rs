//! A body's geometry as the narrow phase wants it: parts with a convex *core* and a *margin*.
//!
//! A ball is a point with a margin, a capsule a segment with a margin: distances are then taken
//! between cores, which stay well apart at contact, and are exact to rounding. Parts live in the
//! body's principal frame: origin at the centre of mass, axes along the principal inertia axes.

use crate::lanes::{HullLanes, Lanes};
use crate::shape::{Part, Shape, ShapeError};
use crate::{Pose, Vec3};
use parry3d_f64::bounding_volume::Aabb;
use parry3d_f64::mass_properties::MassProperties as ParryMass;
use parry3d_f64::shape::{HeightField, SharedShape, TriMesh};
use parry3d_f64::utils::Array2;

/// What the narrow phase may assume about a part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Core {
    /// A point: the part is a ball.
    Point,
    /// A bounded convex set.
    Convex,
    /// A half-space with this outward normal in the body's frame and `normal . x = offset`.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
        /// Signed distance of the plane from the body's origin.
        offset: f64,
    },
    /// A surface made of many convex pieces.
    Surface,
}

/// One part of a collider.
#[derive(Clone)]
pub struct SolidPart {
    /// What kind of core it is.
    pub core: Core,
    /// The core as parry knows it.
    pub shape: SharedShape,
    /// Pose of the core in the body's frame.
    pub pose: Pose,
    /// Thickness around the core, metres.
    pub margin: f64,
    /// Largest distance of a core point from the body's origin, metres (infinite for half-spaces).
    pub reach: f64,
    /// Points in the body's frame whose hull is the core; empty where there are none (cylinders,
    /// half-spaces, surfaces).
    pub corners: Vec<Vec3>,
    /// Points and normals of a hull in the core's frame, for fast searches; other shapes have none.
    pub hull: Option<HullLanes>,
}

/// The shortcut that fits the whole collider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// One ball about the centre of mass.
    Ball {
        /// Radius in metres.
        radius: f64,
    },
    /// One half-space.
    HalfSpace,
    /// Several balls and nothing else.
    Balls,
    /// Anything else.
    General,
}

/// A body's geometry in its principal frame.
#[derive(Clone)]
pub struct Collider {
    /// The shortcut that fits.
    pub form: Form,
    /// All parts.
    pub parts: Vec<SolidPart>,
    /// Radius of a ball about the centre of mass that holds everything (infinite if unbounded).
    pub bounding_radius: f64,
    /// Box in the principal frame that holds everything bounded.
    pub local_box: Aabb,
    /// The user's parts, moved into the principal frame: for recordings and pictures.
    pub described: Vec<Part>,
}

impl Collider {
    /// Builds the collider of `parts` given in a frame whose pose in the principal frame is `frame`.
    pub fn new(parts: &[Part], frame: Pose) -> Result<Self, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::Empty);
        }
        let described: Vec<Part> = parts
            .iter()
            .map(|p| Part {
                shape: p.shape.clone(),
                pose: frame * p.pose,
            })
            .collect();
        let parts = described
            .iter()
            .map(solid_part)
            .collect::<Result<Vec<_>, _>>()?;
        let bounding_radius = parts.iter().map(|p| p.reach + p.margin).fold(0.0, f64::max);
        let local_box = parts
            .iter()
            .filter(|p| p.reach.is_finite())
            .map(part_box)
            .reduce(|a, b| Aabb::new(a.mins.min(b.mins), a.maxs.max(b.maxs)))
            .unwrap_or(Aabb::new(Vec3::ZERO, Vec3::ZERO));
        Ok(Collider {
            form: form_of(&parts),
            parts,
            bounding_radius,
            local_box,
            described,
        })
    }

    /// Whether the collider has no bounding box.
    pub fn is_unbounded(&self) -> bool {
        self.bounding_radius.is_infinite()
    }

    /// The least width of its box, metres: infinite for what has no bounds, and for a flat surface, which has no width.
    pub fn least_width(&self) -> f64 {
        let width = (self.local_box.maxs - self.local_box.mins).min_element();
        match self.is_unbounded() || width == 0.0 {
            true => f64::INFINITY,
            false => width,
        }
    }

    /// The smallest distance at which two surfaces count as touching, metres: zero when either
    /// side has a margin that keeps the cores apart, otherwise the distance down to which
    /// distances and normals between bare polytopes are trustworthy.
    pub fn contact_tolerance(a: &SolidPart, b: &SolidPart) -> f64 {
        let thick = a.margin + b.margin;
        let flat = |p: &SolidPart| matches!(p.core, Core::HalfSpace { .. });
        if thick > 0.0 || flat(a) || flat(b) {
            0.0
        } else {
            POLYTOPE_TOLERANCE
        }
    }
}

/// Contact tolerance between bare polytopes, metres.
pub const POLYTOPE_TOLERANCE: f64 = 4e-6;

fn form_of(parts: &[SolidPart]) -> Form {
    let all_balls = parts.iter().all(|p| p.core == Core::Point);
    match parts {
        [p] if p.core == Core::Point && p.reach < 1e-12 => Form::Ball { radius: p.margin },
        [p] if matches!(p.core, Core::HalfSpace { .. }) => Form::HalfSpace,
        _ if all_balls => Form::Balls,
        _ => Form::General,
    }
}

fn part_box(part: &SolidPart) -> Aabb {
    let b = part.shape.compute_aabb(&part.pose);
    let margin = Vec3::splat(part.margin);
    Aabb::new(b.mins - margin, b.maxs + margin)
}

fn solid_part(part: &Part) -> Result<SolidPart, ShapeError> {
    part.shape.validate()?;
    let pose = part.pose;
    let (core, shape, margin) = match &part.shape {
        Shape::Ball { radius } => (Core::Point, SharedShape::ball(0.0), *radius),
        Shape::Capsule {
            half_height,
            radius,
        } => {
            let tip = Vec3::new(0.0, *half_height, 0.0);
            (Core::Convex, SharedShape::segment(-tip, tip), *radius)
        }
        Shape::HalfSpace { normal } => {
            let normal = (pose.rotation * normal.normalize()).normalize();
            let offset = normal.dot(pose.translation);
            let core = Core::HalfSpace { normal, offset };
            let outward = match &part.shape {
                Shape::HalfSpace { normal } => normal.normalize(),
                _ => normal,
            };
            (core, SharedShape::halfspace(outward), 0.0)
        }
        solid => (
            if solid.is_solid() {
                Core::Convex
            } else {
                Core::Surface
            },
            parry_shape(solid)?,
            0.0,
        ),
    };
    let reach = match core {
        Core::Point => pose.translation.length(),
        Core::HalfSpace { .. } => f64::INFINITY,
        _ => reach_of(&shape, &pose),
    };
    let corners = corners_of(core, &shape, &pose);
    let hull = shape.as_convex_polyhedron().map(|hull| HullLanes {
        points: Lanes::new(hull.points()),
        normals: Lanes::new(&hull.faces().iter().map(|f| f.normal).collect::<Vec<_>>()),
    });
    Ok(SolidPart {
        core,
        shape,
        pose,
        margin,
        reach,
        corners,
        hull,
    })
}

fn corners_of(core: Core, shape: &SharedShape, pose: &Pose) -> Vec<Vec3> {
    if core == Core::Point {
        return vec![pose.translation];
    }
    if let Some(hull) = shape.as_convex_polyhedron() {
        return hull.points().iter().map(|p| pose * *p).collect();
    }
    if let Some(segment) = shape.as_segment() {
        return vec![pose * segment.a, pose * segment.b];
    }
    if let Some(cuboid) = shape.as_cuboid() {
        let h = cuboid.half_extents;
        let sign = |corner: usize, bit: usize| if corner & bit == 0 { -1.0 } else { 1.0 };
        return (0..8)
            .map(|c| pose * (h * Vec3::new(sign(c, 1), sign(c, 2), sign(c, 4))))
            .collect();
    }
    Vec::new()
}

/// The shape, core and margin together, as one parry shape (used for mass properties as well).
pub fn parry_shape(shape: &Shape) -> Result<SharedShape, ShapeError> {
    Ok(match shape {
        Shape::Ball { radius } => SharedShape::ball(*radius),
        Shape::Box { half_extents: h } => SharedShape::cuboid(h.x, h.y, h.z),
        Shape::Capsule {
            half_height,
            radius,
        } => SharedShape::capsule_y(*half_height, *radius),
        Shape::Cylinder {
            half_height,
            radius,
        } => SharedShape::cylinder(*half_height, *radius),
        Shape::Hull { points } => hull(points)?,
        Shape::HalfSpace { normal } => SharedShape::halfspace(normal.normalize()),
        Shape::Mesh {
            vertices,
            triangles,
        } => SharedShape::new(
            TriMesh::new(vertices.clone(), triangles.clone())
                .map_err(|e| ShapeError::Mesh { why: e.to_string() })?,
        ),
        Shape::HeightField { heights, scale } => {
            let (rows, columns) = (heights.len(), heights[0].len());
            let mut column_major = Vec::with_capacity(rows * columns);
            for column in 0..columns {
                column_major.extend(heights.iter().map(|row| row[column]));
            }
            SharedShape::new(HeightField::new(
                Array2::new(rows, columns, column_major),
                *scale,
            ))
        }
    })
}

fn hull(points: &[Vec3]) -> Result<SharedShape, ShapeError> {
    let degenerate = || ShapeError::DegenerateHull {
        points: points.len(),
    };
    if points.len() < 4 || !has_volume(points) {
        return Err(degenerate());
    }
    SharedShape::convex_hull(points).ok_or_else(degenerate)
}

/// Whether the points span a solid whose thickness is at least a millionth of its size.
fn has_volume(points: &[Vec3]) -> bool {
    let origin = points[0];
    let farthest =
        |f: &dyn Fn(Vec3) -> f64| points.iter().map(|&p| f(p - origin)).fold(0.0, f64::max);
    let size = farthest(&|d| d.length());
    let Some(along) = points
        .iter()
        .map(|&p| p - origin)
        .find(|d| d.length() == size)
    else {
        return false;
    };
    let width = farthest(&|d| along.cross(d).length());
    let Some(normal) = points
        .iter()
        .map(|&p| along.cross(p - origin))
        .find(|n| n.length() == width)
    else {
        return false;
    };
    if size == 0.0 || width <= 1e-6 * size * size {
        return false;
    }
    let normal = normal.normalize();
    farthest(&|d| normal.dot(d).abs()) > 1e-6 * size
}

fn reach_of(shape: &SharedShape, pose: &Pose) -> f64 {
    if let Some(hull) = shape.as_convex_polyhedron() {
        let far = |r: f64, &p: &Vec3| r.max((pose * p).length());
        return hull.points().iter().fold(0.0, far);
    }
    if let Some(mesh) = shape.as_trimesh() {
        let far = |r: f64, &p: &Vec3| r.max((pose * p).length());
        return mesh.vertices().iter().fold(0.0, far);
    }
    let b = shape.compute_local_aabb();
    (0..8)
        .map(|corner| {
            let pick = |bit: usize, lo: f64, hi: f64| if corner & bit == 0 { lo } else { hi };
            let p = Vec3::new(
                pick(1, b.mins.x, b.maxs.x),
                pick(2, b.mins.y, b.maxs.y),
                pick(4, b.mins.z, b.maxs.z),
            );
            (pose * p).length()
        })
        .fold(0.0, f64::max)
}

/// Mass properties of solid parts of equal density one, in the frame the parts are given in.
pub(crate) fn unit_density_mass(parts: &[Part]) -> Result<ParryMass, ShapeError> {
    let mut total = ParryMass::default();
    for part in parts {
        if !part.shape.is_solid() {
            return Err(ShapeError::NotMovable {
                what: part.shape.name(),
            });
        }
        part.shape.validate()?;
        total += parry_shape(&part.shape)?
            .mass_properties(1.0)
            .transform_by(&part.pose);
    }
    Ok(total)
}
