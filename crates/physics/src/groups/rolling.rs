//! Round surfaces that roll: the point where a cylinder touches runs over its surface as it turns.
//!
//! A point that is fixed in the body at a step's start lifts off with it, and a cylinder would stand on a corner
//! until the next step. What touches is always the point of a circle that lies farthest along the normal.

use crate::body::BodyModel;
use crate::rotation::{angular_momentum, drifted, spin_of};
use crate::{MassProperties, Quat, State, Vec3};
use parry3d_f64::shape::TypedShape;

/// A cylinder that stands flatter than this (cosine between its rim's plane and the normal) stands on its face.
const FLAT: f64 = 0.02;
/// How far a contact point may be from the farthest point of its circle, in radii.
const NEAR: f64 = 1e-3;

/// A circle of a round surface, in a frame that turns with the body and has its origin at the centre of mass.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    centre: Vec3,
    axis: Vec3,
    radius: f64,
}

/// The circles on which a contact point's two bodies roll, where they do.
pub type Rings = [Option<Ring>; 2];

impl Ring {
    /// The circle of a body's part on which the point `on` of its core lies, if that point is the one that is
    /// farthest from `inwards`, the contact's normal towards the body. In the body's own frame.
    pub fn find(
        model: &BodyModel,
        part: usize,
        state: &State,
        on: Vec3,
        inwards: Vec3,
    ) -> Option<Ring> {
        let part = model.collider.parts.get(part)?;
        let TypedShape::Cylinder(cylinder) = part.shape.as_typed_shape() else {
            return None;
        };
        let pose = state.pose() * part.pose;
        let local = pose.inverse_transform_point(on);
        let ring = Ring {
            centre: part.pose * Vec3::new(0.0, local.y, 0.0),
            axis: part.pose.rotation * Vec3::Y,
            radius: cylinder.radius,
        };
        let arm = ring.arm(state.rotation, inwards)?;
        let apart = (state.position + arm).distance(on);
        (apart <= NEAR * cylinder.radius).then_some(ring)
    }

    /// The same circle in the frame of the world, for a body that has this attitude.
    pub fn in_world(&self, rotation: Quat) -> Ring {
        Ring {
            centre: rotation * self.centre,
            axis: rotation * self.axis,
            radius: self.radius,
        }
    }

    /// From the centre of mass to the circle's point that is farthest from `inwards`; none when all are.
    pub fn arm(&self, rotation: Quat, inwards: Vec3) -> Option<Vec3> {
        let axis = rotation * self.axis;
        let across = inwards - axis * axis.dot(inwards);
        let length = across.length();
        (length > FLAT).then(|| rotation * self.centre - across * (self.radius / length))
    }

    /// How much the velocity of the body's point on the circle will differ `ahead` seconds from now from what it
    /// is, if the body turns freely meanwhile.
    pub fn change(
        &self,
        mass: &MassProperties,
        (rotation, spin): (Quat, Vec3),
        inwards: Vec3,
        ahead: f64,
    ) -> Vec3 {
        let momentum = angular_momentum(rotation, mass.inertia, spin);
        let then = drifted(rotation, momentum, mass, ahead);
        match (self.arm(rotation, inwards), self.arm(then, inwards)) {
            (Some(here), Some(there)) => {
                spin_of(then, mass.inverse_inertia, momentum).cross(there) - spin.cross(here)
            }
            _ => Vec3::ZERO,
        }
    }
}

/// Whether one of a contact's two bodies has a circle to roll on there.
pub fn may_roll(bodies: [(&BodyModel, &State); 2], parts: u32) -> bool {
    let parts = [(parts >> 16) as usize, (parts & 0xffff) as usize];
    bodies.iter().zip(parts).any(|((model, _), part)| {
        let part = model.collider.parts.get(part);
        model.is_movable()
            && part.is_some_and(|p| matches!(p.shape.as_typed_shape(), TypedShape::Cylinder(_)))
    })
}

/// The circles of a contact's two bodies. Points are those on the surfaces; margins lie between them and the
/// cores, and do not turn.
pub fn rings_of(
    bodies: [(&BodyModel, &State); 2],
    parts: u32,
    points: [Vec3; 2],
    normal: Vec3,
    margins: [f64; 2],
) -> Option<Rings> {
    let parts = [(parts >> 16) as usize, (parts & 0xffff) as usize];
    let inwards = [normal, -normal];
    let rings = [0, 1].map(|k| {
        let (model, state) = bodies[k];
        if !model.is_movable() {
            return None;
        }
        let on = points[k] + inwards[k] * margins[k];
        Ring::find(model, parts[k], state, on, inwards[k])
    });
    rings.iter().any(Option::is_some).then_some(rings)
}
