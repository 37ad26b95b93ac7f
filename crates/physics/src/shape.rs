//! What a user may say about a body's geometry, and the checks that keep nonsense out.
//!
//! Shapes are plain data; [`crate::Collider`] turns them into something that can be asked for
//! distances. Lengths are metres.

use crate::{Pose, Vec3};

/// One geometric primitive in its own frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A ball about the origin.
    Ball {
        /// Radius in metres.
        radius: f64,
    },
    /// A box about the origin.
    Box {
        /// Half of the edge lengths.
        half_extents: Vec3,
    },
    /// All points within `radius` of a segment along y.
    Capsule {
        /// Half of the segment's length.
        half_height: f64,
        /// Radius in metres.
        radius: f64,
    },
    /// A cylinder along y.
    Cylinder {
        /// Half of the height.
        half_height: f64,
        /// Radius in metres.
        radius: f64,
    },
    /// The convex hull of points.
    Hull {
        /// At least four points that do not lie in a plane.
        points: Vec<Vec3>,
    },
    /// All points below the plane through the origin. Only for fixed and kinematic bodies.
    HalfSpace {
        /// Outward unit normal.
        normal: Vec3,
    },
    /// A triangle mesh. Only for fixed bodies.
    Mesh {
        /// Vertices in metres.
        vertices: Vec<Vec3>,
        /// Vertex indices, counter-clockwise seen from outside.
        triangles: Vec<[u32; 3]>,
    },
    /// A height field over the x-z plane, centred on the origin. Only for fixed bodies.
    HeightField {
        /// Rows of heights; a row runs along x, rows follow each other along z.
        heights: Vec<Vec<f64>>,
        /// Full extent along x and z, and the factor on heights along y.
        scale: Vec3,
    },
}

/// A shape placed in a body.
#[derive(Clone, Debug, PartialEq)]
pub struct Part {
    /// The primitive.
    pub shape: Shape,
    /// Its pose in the body's frame.
    pub pose: Pose,
}

impl Part {
    /// A shape at the body's origin.
    pub fn centred(shape: Shape) -> Self {
        Part {
            shape,
            pose: Pose::IDENTITY,
        }
    }

    /// A shape moved by a vector.
    pub fn at(shape: Shape, translation: Vec3) -> Self {
        Part {
            shape,
            pose: Pose::from_translation(translation),
        }
    }
}

/// Why a geometry cannot be simulated.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A length is not a positive, finite number.
    #[error("{what} is {value}; expected a positive, finite number of metres")]
    Length {
        /// Which length.
        what: &'static str,
        /// The value found.
        value: f64,
    },
    /// A coordinate is NaN or infinite.
    #[error("{what} has a coordinate that is not finite")]
    NotFinite {
        /// Which points.
        what: &'static str,
    },
    /// A hull without volume.
    #[error(
        "the hull of {points} points has no volume (all points lie in or close to one plane); \
         give at least four points that span a solid, or use a box for thin plates"
    )]
    DegenerateHull {
        /// How many points were given.
        points: usize,
    },
    /// A normal of length zero.
    #[error("the half-space's normal has length {length}; expected a direction")]
    Normal {
        /// The length found.
        length: f64,
    },
    /// A mesh that cannot be used.
    #[error("the mesh is unusable: {why}")]
    Mesh {
        /// What is wrong with it.
        why: String,
    },
    /// A height field that cannot be used.
    #[error("the height field is unusable: {why}")]
    HeightField {
        /// What is wrong with it.
        why: String,
    },
    /// No part at all.
    #[error("the body has no shape; give it at least one")]
    Empty,
    /// Unbounded or surface geometry on a body that moves freely.
    #[error(
        "{what} can only be part of a fixed body (a half-space also of a kinematic one); \
         use convex parts for bodies that move"
    )]
    NotMovable {
        /// Which kind of shape.
        what: &'static str,
    },
}

fn positive(what: &'static str, value: f64) -> Result<(), ShapeError> {
    if value.is_finite() && value > 0.0 {
        Ok(())
    } else {
        Err(ShapeError::Length { what, value })
    }
}

fn finite(what: &'static str, points: &[Vec3]) -> Result<(), ShapeError> {
    if points.iter().all(|p| p.is_finite()) {
        Ok(())
    } else {
        Err(ShapeError::NotFinite { what })
    }
}

impl Shape {
    /// Checks the numbers (not yet whether a hull has volume: that takes the hull).
    pub fn validate(&self) -> Result<(), ShapeError> {
        match self {
            Shape::Ball { radius } => positive("the ball's radius", *radius),
            Shape::Box { half_extents } => half_extents
                .to_array()
                .iter()
                .try_for_each(|&h| positive("a half extent of the box", h)),
            Shape::Capsule {
                half_height,
                radius,
            } => {
                positive("the capsule's half height", *half_height)?;
                positive("the capsule's radius", *radius)
            }
            Shape::Cylinder {
                half_height,
                radius,
            } => {
                positive("the cylinder's half height", *half_height)?;
                positive("the cylinder's radius", *radius)
            }
            Shape::Hull { points } => finite("the hull", points),
            Shape::HalfSpace { normal } => {
                let length = normal.length();
                if length.is_finite() && length > 1e-12 {
                    Ok(())
                } else {
                    Err(ShapeError::Normal { length })
                }
            }
            Shape::Mesh {
                vertices,
                triangles,
            } => validate_mesh(vertices, triangles),
            Shape::HeightField { heights, scale } => validate_height_field(heights, *scale),
        }
    }

    /// The name used in messages.
    pub fn name(&self) -> &'static str {
        match self {
            Shape::Ball { .. } => "a ball",
            Shape::Box { .. } => "a box",
            Shape::Capsule { .. } => "a capsule",
            Shape::Cylinder { .. } => "a cylinder",
            Shape::Hull { .. } => "a hull",
            Shape::HalfSpace { .. } => "a half-space",
            Shape::Mesh { .. } => "a triangle mesh",
            Shape::HeightField { .. } => "a height field",
        }
    }

    /// Whether the shape has a volume that can move: convex and bounded.
    pub fn is_solid(&self) -> bool {
        !matches!(
            self,
            Shape::HalfSpace { .. } | Shape::Mesh { .. } | Shape::HeightField { .. }
        )
    }
}

fn validate_mesh(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    finite("the mesh", vertices)?;
    if triangles.is_empty() {
        return Err(ShapeError::Mesh {
            why: "it has no triangle".into(),
        });
    }
    for (index, triangle) in triangles.iter().enumerate() {
        if let Some(bad) = triangle.iter().find(|&&v| v as usize >= vertices.len()) {
            return Err(ShapeError::Mesh {
                why: format!(
                    "triangle {index} names vertex {bad}, but there are only {}",
                    vertices.len()
                ),
            });
        }
    }
    Ok(())
}

fn validate_height_field(heights: &[Vec<f64>], scale: Vec3) -> Result<(), ShapeError> {
    let fail = |why: String| Err(ShapeError::HeightField { why });
    let columns = heights.first().map_or(0, Vec::len);
    if heights.len() < 2 || columns < 2 {
        return fail(format!(
            "it has {} rows of {columns} heights; at least 2 by 2 are needed",
            heights.len()
        ));
    }
    if let Some((row, found)) = heights.iter().enumerate().find(|(_, r)| r.len() != columns) {
        return fail(format!(
            "row {row} has {} heights, the first has {columns}",
            found.len()
        ));
    }
    if heights.iter().flatten().any(|h| !h.is_finite()) {
        return fail("a height is not a finite number".into());
    }
    if !(scale.is_finite() && scale.x > 0.0 && scale.z > 0.0) {
        return fail("its extents along x and z must be positive and finite".into());
    }
    Ok(())
}
