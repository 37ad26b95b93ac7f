//! A robot as both formats can say it: bodies in a tree with joints, shapes, motors, couplings.

use crate::coverage::Coverage;
use crate::error::{Place, Sources, Warning};
use multibody::{Inertia, Pose, Quat, Vec3};
use std::path::PathBuf;

/// The format a robot was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Unified Robot Description Format.
    Urdf,
    /// MuJoCo's XML.
    Mjcf,
}

/// A robot.
#[derive(Clone, Debug)]
pub struct Robot {
    /// Its name.
    pub name: String,
    /// What it was read from.
    pub format: Format,
    /// m/s².
    pub gravity: Vec3,
    /// Density (kg/m³) and viscosity (Pa·s) of the fluid around it, and its velocity.
    pub fluid: (f64, f64, Vec3),
    /// Bodies; parents come first.
    pub bodies: Vec<Body>,
    /// Shapes of the world itself.
    pub world_geoms: Vec<Geom>,
    /// Sites of the world itself.
    pub world_sites: Vec<Site>,
    /// Fixed tendons.
    pub tendons: Vec<Tendon>,
    /// What must hold besides joints.
    pub equalities: Vec<Equality>,
    /// Motors.
    pub actuators: Vec<Actuator>,
    /// Pairs of bodies that do not touch.
    pub excludes: Vec<(usize, usize)>,
    /// Whether anything touches at all (MJCF can switch it off).
    pub touches: bool,
    /// Named states.
    pub keyframes: Vec<Keyframe>,
    /// Files of meshes that shapes name.
    pub meshes: Vec<MeshFile>,
    /// What is odd.
    pub warnings: Vec<Warning>,
    /// What became of every element and attribute.
    pub coverage: Coverage,
    /// The texts it was read from.
    pub sources: Sources,
}

/// A body.
#[derive(Clone, Debug)]
pub struct Body {
    /// Its name; `body 3` and the like for those that have none in MJCF.
    pub name: String,
    /// The body it stands on, or the world.
    pub parent: Option<usize>,
    /// In the parent's frame.
    pub pose: Pose,
    /// In its own frame; `NONE` when it has no mass.
    pub inertia: Inertia,
    /// How it moves against its parent: all of these one after the other, or not at all.
    pub joints: Vec<JointDescription>,
    /// Shapes.
    pub geoms: Vec<Geom>,
    /// Marked frames.
    pub sites: Vec<Site>,
    /// Part of its weight that is compensated.
    pub gravity_compensation: f64,
    /// Where it is described.
    pub place: Place,
}

/// A joint.
#[derive(Clone, Debug)]
pub struct JointDescription {
    /// Its name; may be empty in MJCF.
    pub name: String,
    /// The joint itself, its axis in the body's frame.
    pub joint: multibody::Joint,
    /// A point of its axis in the body's frame.
    pub anchor: Vec3,
    /// Largest force a motor may exert, as limits.
    pub effort: Option<(f64, f64)>,
    /// Largest velocity, rad/s or m/s.
    pub velocity: Option<f64>,
    /// Time constant and damping ratio that stand for stiffness and damping (`springdamper`).
    pub spring_damper: Option<(f64, f64)>,
    /// Where it is described.
    pub place: Place,
}

/// A shape.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// Radius.
    Sphere(f64),
    /// Radius, half of the straight part along z.
    Capsule(f64, f64),
    /// Radius, half height along z.
    Cylinder(f64, f64),
    /// Half sizes.
    Box(Vec3),
    /// Half axes.
    Ellipsoid(Vec3),
    /// The half space below z = 0.
    Plane,
    /// Index into the robot's meshes.
    Mesh(usize),
    /// A field of heights (not read further).
    HeightField,
}

/// A shape on a body.
#[derive(Clone, Debug)]
pub struct Geom {
    /// Its name; may be empty.
    pub name: String,
    /// What it is.
    pub shape: Shape,
    /// In the body's frame.
    pub pose: Pose,
    /// Whether it is only seen.
    pub visual: bool,
    /// Whether it is only touched, not seen (URDF `collision`).
    pub collision_only: bool,
    /// Bits by which pairs of shapes may touch (MJCF `contype`, `conaffinity`).
    pub contact: (u32, u32),
    /// Sliding, torsional, rolling.
    pub friction: [f64; 3],
    /// Colour.
    pub rgba: [f64; 4],
    /// Where it is described.
    pub place: Place,
}

/// A marked frame on a body.
#[derive(Clone, Debug)]
pub struct Site {
    /// Its name.
    pub name: String,
    /// In the body's frame.
    pub pose: Pose,
}

/// A fixed tendon: a sum of joint positions.
#[derive(Clone, Debug)]
pub struct Tendon {
    /// Its name.
    pub name: String,
    /// Names of joints and their coefficients.
    pub terms: Vec<(String, f64)>,
    /// Least and largest length.
    pub limits: Option<(f64, f64)>,
    /// N/m.
    pub stiffness: f64,
    /// N·s/m.
    pub damping: f64,
    /// Dry friction.
    pub friction_loss: f64,
    /// Where its spring is slack; without it, at the joints' spring references.
    pub rest: Option<(f64, f64)>,
    /// Where it is described.
    pub place: Place,
}

/// Something that must hold.
#[derive(Clone, Debug)]
pub enum EqualityKind {
    /// A point of the first body (or of the world), in its frame, stays at the second's.
    Connect {
        /// First body.
        first: Option<usize>,
        /// Second body.
        second: Option<usize>,
        /// In the first body's frame.
        anchor: Vec3,
        /// In the second body's frame; without it, where the anchor is in the reference position.
        other: Option<Vec3>,
    },
    /// The second body keeps its pose against the first.
    Weld {
        /// First body.
        first: Option<usize>,
        /// Second body.
        second: Option<usize>,
        /// Pose of the second in the first; without it, that of the reference position.
        pose: Option<Pose>,
        /// Where the forces act, in the second body's frame.
        anchor: Vec3,
    },
    /// A joint follows another by a polynomial, from their reference positions.
    Joint {
        /// What follows.
        first: String,
        /// What it follows.
        second: Option<String>,
        /// Constant first.
        polynomial: [f64; 5],
    },
    /// A tendon follows another by a polynomial, from their reference lengths.
    Tendon {
        /// What follows.
        first: String,
        /// What it follows.
        second: Option<String>,
        /// Constant first.
        polynomial: [f64; 5],
    },
    /// A joint follows another, absolutely: `multiplier · other + offset` (URDF).
    Mimic {
        /// What follows.
        first: String,
        /// What it follows.
        second: String,
        /// Factor.
        multiplier: f64,
        /// Added.
        offset: f64,
    },
}

/// A constraint of the robot.
#[derive(Clone, Debug)]
pub struct Equality {
    /// Its name; may be empty.
    pub name: String,
    /// What holds.
    pub kind: EqualityKind,
    /// Whether it holds from the start.
    pub active: bool,
    /// Where it is described.
    pub place: Place,
}

/// What a motor pulls at.
#[derive(Clone, Debug, PartialEq)]
pub enum Transmission {
    /// A joint, times the gear.
    Joint(String, f64),
    /// A fixed tendon, times the gear.
    Tendon(String, f64),
    /// Something that is not simulated (a site, a body, a crank).
    Other,
}

/// A motor.
#[derive(Clone, Debug)]
pub struct Actuator {
    /// Its name; may be empty.
    pub name: String,
    /// What it pulls at.
    pub transmission: Transmission,
    /// Force per control: constant, per length, per rate.
    pub gain: [f64; 3],
    /// Force without control: constant, per length, per rate.
    pub bias: [f64; 3],
    /// Damping as a part of critical damping, in place of a given one.
    pub damping_ratio: Option<f64>,
    /// Limits of the control.
    pub control_range: Option<(f64, f64)>,
    /// Limits of the force.
    pub force_range: Option<(f64, f64)>,
    /// Where it is described.
    pub place: Place,
}

/// A named state.
#[derive(Clone, Debug)]
pub struct Keyframe {
    /// Its name; may be empty.
    pub name: String,
    /// Positions; empty for the reference.
    pub positions: Vec<f64>,
    /// Velocities; empty for none.
    pub velocities: Vec<f64>,
    /// Controls; empty for none.
    pub controls: Vec<f64>,
    /// Where it is described.
    pub place: Place,
}

/// A mesh that shapes name.
#[derive(Clone, Debug)]
pub struct MeshFile {
    /// Its name.
    pub name: String,
    /// Where it is; empty for a mesh given in the text, or a visual mesh that is missing.
    pub path: Option<PathBuf>,
    /// Sizes along the axes are multiplied by these.
    pub scale: Vec3,
    /// Subtracted from the vertices, before the turn.
    pub origin: Vec3,
    /// The turn whose inverse is applied to the vertices.
    pub turn: Quat,
    /// Vertices and faces given in the text.
    pub given: Option<crate::mesh::Mesh>,
    /// How MJCF wants its inertia computed.
    pub inertia: crate::mesh::MeshInertia,
    /// Where it is described.
    pub place: Place,
}
