//! Joints: how a link may move against its parent, and what acts along that motion.

use crate::Vec3;

/// The kinds of joint. Universal and planar joints are made of these
/// ([`crate::Builder::universal`], [`crate::Builder::planar`]).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum JointKind {
    /// No freedom.
    Fixed,
    /// Turns about an axis through the joint's origin; one position, rad.
    Hinge(Vec3),
    /// Slides along an axis; one position, m.
    Slide(Vec3),
    /// Turns about its origin; four positions (unit quaternion w, x, y, z), three velocities
    /// (angular velocity in the link's own axes).
    Ball,
    /// Moves freely in the world; seven positions (x, y, z, then the quaternion w, x, y, z) and six
    /// velocities (linear in the world's axes, angular in the link's own axes).
    Free,
}

impl JointKind {
    /// How many positions describe it.
    pub fn positions(self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Hinge(_) | JointKind::Slide(_) => 1,
            JointKind::Ball => 4,
            JointKind::Free => 7,
        }
    }

    /// How many velocities describe it: its degrees of freedom.
    pub fn velocities(self) -> usize {
        match self {
            JointKind::Fixed => 0,
            JointKind::Hinge(_) | JointKind::Slide(_) => 1,
            JointKind::Ball => 3,
            JointKind::Free => 6,
        }
    }
}

/// A joint with all that acts along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joint {
    /// How it moves.
    pub kind: JointKind,
    /// Position of a hinge or slide at which the link stands as it was placed.
    pub reference: f64,
    /// Inertia of the drive, seen at the joint: kg·m² or kg.
    pub armature: f64,
    /// Spring, N·m/rad or N/m. A ball's spring pulls to the reference attitude, a free joint's to
    /// the reference pose.
    pub stiffness: f64,
    /// Position at which the spring is at rest (hinges and slides).
    pub spring_reference: f64,
    /// Viscous damping, N·m·s/rad or N·s/m.
    pub damping: f64,
    /// Dry friction, N·m or N. Data for whoever solves contacts; smooth motion does not feel it.
    pub friction_loss: f64,
    /// Least and largest position; a ball has only a largest angle. Data, as `friction_loss`.
    pub limits: Option<(f64, f64)>,
}

impl Joint {
    /// A joint on which nothing acts.
    pub fn new(kind: JointKind) -> Joint {
        Joint {
            kind,
            reference: 0.0,
            armature: 0.0,
            stiffness: 0.0,
            spring_reference: 0.0,
            damping: 0.0,
            friction_loss: 0.0,
            limits: None,
        }
    }

    /// A hinge about `axis`.
    pub fn hinge(axis: Vec3) -> Joint {
        Joint::new(JointKind::Hinge(axis))
    }

    /// A slide along `axis`.
    pub fn slide(axis: Vec3) -> Joint {
        Joint::new(JointKind::Slide(axis))
    }
}
