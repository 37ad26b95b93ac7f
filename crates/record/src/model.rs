//! What a recording says once, at its start: the scene, its bodies and how they look.
//! Stored as JSON inside the header block, so that any tool can read it.

use serde::{Deserialize, Serialize};

/// The run that was recorded.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The scene's name.
    pub scene: String,
    /// The scene as it was run, overrides applied: the recording can be simulated again.
    pub scene_toml: String,
    /// The executor, as the command line spells it.
    pub algorithm: String,
    /// Uniform gravity, m/s².
    pub gravity: [f64; 3],
    /// The tick at which the run was asked to end.
    pub until: i64,
    /// The bodies; segments name them by their place in this list.
    pub bodies: Vec<Body>,
    /// What holds bodies together; for pictures.
    #[serde(default)]
    pub joints: Vec<Joint>,
    /// Trees of links, whose motion is that of their joints.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub multibodies: Vec<Multibody>,
    /// Deformables that are shown in the forms that were recorded and never in between: a blend of two forms that do
    /// not cross themselves may.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub forms_only: Vec<u32>,
}

/// A joint of the scene.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// The two bodies, by their place in the header's list.
    pub bodies: [u32; 2],
    /// Where it is in each body's frame, m.
    pub anchors: [[f64; 3]; 2],
    /// How it holds.
    pub kind: JointKind,
}

/// How a joint holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointKind {
    /// The anchors stay together: ball, hinge, slider, fixed.
    Pin,
    /// The anchors keep a distance: a rod.
    Rod,
    /// The anchors are no farther apart than the rope's length.
    Rope,
}

/// A tree of links.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Multibody {
    /// Its name in the scene.
    pub name: String,
    /// Links that are bodies, parents first.
    pub links: Vec<Link>,
}

/// A link of a multibody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Link {
    /// The body, by its place in the header's list.
    pub body: u32,
    /// The body of the next link towards the root; none if it hangs on the world.
    pub parent: Option<u32>,
    /// The joints between both, from the parent on; none if it is fixed there.
    pub joints: Vec<LinkJoint>,
}

/// A joint of a multibody.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LinkJoint {
    /// Its name in the scene.
    pub name: String,
    /// How it lets the link move.
    pub kind: JointFreedom,
    /// The first of its coordinates among those of the multibody.
    pub first: u32,
    /// Where it is; none in the midst of several joints between two links.
    pub axis: Option<JointAxis>,
}

/// Where a joint is, in the frame of one of its bodies.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct JointAxis {
    /// The body, by its place in the header's list.
    pub body: u32,
    /// Its place there, m.
    pub at: [f64; 3],
    /// Its direction there: of length one, or zero for a joint without.
    pub along: [f64; 3],
}

/// How a joint of a multibody lets its link move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum JointFreedom {
    /// It turns about an axis: an angle, rad.
    Hinge,
    /// It slides along an axis: a distance, m.
    Slide,
    /// It turns about a point: a quaternion w, x, y, z.
    Ball,
    /// It moves freely: a place, m, and a quaternion w, x, y, z.
    Free,
}

impl JointFreedom {
    /// How many coordinates tell how it stands.
    pub fn coordinates(self) -> usize {
        self.endings().len()
    }

    /// What its coordinates' names end with.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            JointFreedom::Hinge | JointFreedom::Slide => &[""],
            JointFreedom::Ball => &[".qw", ".qx", ".qy", ".qz"],
            JointFreedom::Free => &[".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz"],
        }
    }
}

impl Multibody {
    /// The names of its coordinates, in their order.
    pub fn coordinates(&self) -> Vec<String> {
        let mut names = std::collections::BTreeMap::new();
        for joint in self.links.iter().flat_map(|link| &link.joints) {
            for (number, ending) in (joint.first..).zip(joint.kind.endings()) {
                names.insert(number, format!("{}{ending}", joint.name));
            }
        }
        names.into_values().collect()
    }
}

/// One body of the scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Body {
    /// Its name in the scene.
    pub name: String,
    /// How it moves.
    pub kind: Kind,
    /// Its shapes, placed in the body's frame, whose origin is the recorded position.
    pub shapes: Vec<ShapeAt>,
    /// Linear RGB in 0..=1, where the scene chose a colour.
    pub color: Option<[f32; 3]>,
}

/// How a body moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// Never.
    Fixed,
    /// As a given function of time.
    Kinematic,
    /// By the laws of motion.
    Dynamic,
}

/// A shape and its place in the body's frame.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShapeAt {
    /// The shape.
    pub shape: Shape,
    /// Its origin in the body's frame, m.
    pub position: [f64; 3],
    /// Its rotation in the body's frame: unit quaternion x, y, z, w.
    pub rotation: [f64; 4],
}

impl ShapeAt {
    /// A shape at the body's origin.
    pub fn centred(shape: Shape) -> Self {
        Self {
            shape,
            position: [0.0; 3],
            rotation: [0.0, 0.0, 0.0, 1.0],
        }
    }
}

/// A geometric shape in its own frame; lengths in metres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Shape {
    /// A ball about the origin.
    Ball { radius: f64 },
    /// A box about the origin.
    Box { half_extents: [f64; 3] },
    /// A capsule along y: a segment of `2 half_height` thickened by `radius`.
    Capsule { half_height: f64, radius: f64 },
    /// A cylinder along y, `2 half_height` tall.
    Cylinder { half_height: f64, radius: f64 },
    /// The convex hull of the points.
    Hull { points: Vec<[f64; 3]> },
    /// All points `p` with `p · normal <= 0`.
    HalfSpace { normal: [f64; 3] },
    /// A triangle mesh; for a deformable this gives the topology, vertex frames the positions.
    Mesh {
        vertices: Vec<[f64; 3]>,
        triangles: Vec<[u32; 3]>,
    },
    /// Heights on a regular grid about the origin: row `i` of `n` lies at `z = (i/(n-1) - 1/2) scale.z`,
    /// column `j` of `m` at `x = (j/(m-1) - 1/2) scale.x`, and `y = height scale.y`.
    HeightField {
        heights: Vec<Vec<f64>>,
        scale: [f64; 3],
    },
}
