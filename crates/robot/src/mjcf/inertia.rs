//! What bodies weigh: from `inertial`, or from their shapes.

use super::bodies::{Heavy, bare};
use super::compiler::FromGeom;
use super::{Element, Reader};
use crate::description::*;
use crate::error::RobotError;
use crate::mesh::{self, MeshInertia};
use crate::values::{exactly, number, required};
use crate::xml::Node;
use crate::{geometry, physical};
use multibody::spatial::Sym3;
use multibody::{Inertia, Mat3, Pose, Quat, Vec3};

impl Reader<'_> {
    pub(super) fn inertial(&mut self, node: &Node, frame: Pose) -> Result<Inertia, RobotError> {
        let e: Element<'_> = bare(node);
        let sources = self.sources();
        let mass = number(required(node, "mass", sources)?, sources)?;
        if mass < 0.0 {
            return Err(self.error(&node.place, "this mass is negative"));
        }
        let tensor = match (e.attribute("fullinertia"), e.attribute("diaginertia")) {
            (Some(a), _) => {
                let v = exactly::<6>(a, sources)?;
                Sym3::new(Vec3::new(v[0], v[1], v[2]), v[3], v[4], v[5])
            }
            (None, Some(a)) => Sym3 {
                diagonal: Vec3::from_array(exactly::<3>(a, sources)?),
                off: Vec3::ZERO,
            },
            (None, None) => Sym3::ZERO,
        };
        if let Some(odd) = physical::odd(tensor).filter(|_| !self.compiler.balance) {
            self.robot.warn(
                &node.place,
                format!("this inertia {odd}; it is used as it is"),
            );
        }
        let pose = frame * self.pose(e)?;
        let body = Inertia {
            mass,
            com: Vec3::ZERO,
            tensor,
        };
        Ok(body.placed(pose.translation, &Mat3::from_quat(pose.rotation)))
    }

    /// A body's inertia as the compiler's settings want it.
    pub(super) fn body_inertia(
        &mut self,
        body: &Body,
        inertial: Option<Inertia>,
        heavy: &[Heavy],
    ) -> Inertia {
        let c = &self.compiler;
        let from_shapes = match c.from_geom {
            FromGeom::Never => false,
            FromGeom::Always => true,
            FromGeom::WhenMissing => inertial.is_none(),
        };
        let (low, high) = c.groups;
        let mut whole = if from_shapes {
            Inertia::NONE
        } else {
            inertial.unwrap_or(Inertia::NONE)
        };
        if from_shapes {
            for h in heavy.iter().filter(|h| (low..=high).contains(&h.group)) {
                let part = self.shape_inertia(h);
                whole = whole.and(part);
            }
            // a body that has no shapes to take it from keeps what it was given
            if whole.mass == 0.0 && heavy.is_empty() {
                whole = inertial.unwrap_or(Inertia::NONE);
            }
        }
        self.adjusted(body, whole)
    }

    fn adjusted(&mut self, body: &Body, mut whole: Inertia) -> Inertia {
        let c = &self.compiler;
        whole.mass = whole.mass.max(c.bound_mass);
        let (mut moments, axes) = multibody::eigen::symmetric(whole.tensor);
        let bounded = moments.max(Vec3::splat(c.bound_inertia));
        let unbalanced = c.balance && moments.x + moments.y < moments.z;
        if unbalanced {
            moments = Vec3::splat(bounded.element_sum() / 3.0);
            let message = format!(
                "the inertia of `{}` was balanced, as the compiler is told to",
                body.name
            );
            self.robot.warn(&body.place, message);
        } else if c.bound_inertia > 0.0 && bounded != moments {
            moments = bounded;
        } else {
            return whole;
        }
        let diagonal = Sym3 {
            diagonal: moments,
            off: Vec3::ZERO,
        };
        whole.tensor = diagonal.turned(&axes);
        whole
    }

    fn shape_inertia(&mut self, h: &Heavy) -> Inertia {
        if h.mass == Some(0.0) || (h.mass.is_none() && h.density == 0.0) {
            return Inertia::NONE;
        }
        let turn = Mat3::from_quat(h.geom.pose.rotation);
        let at = h.geom.pose.translation;
        let shape = &h.geom.shape;
        if let Shape::Mesh(index) = shape {
            return self.mesh_inertia(*index, h).placed(at, &turn);
        }
        let size = if h.hollow {
            geometry::area(shape)
        } else {
            geometry::volume(shape)
        };
        let Some(size) = size else {
            return Inertia::NONE;
        };
        let mass = h.mass.unwrap_or(h.density * size);
        let own = if h.hollow {
            geometry::hollow
        } else {
            geometry::solid
        };
        let body = Inertia {
            mass,
            com: Vec3::ZERO,
            tensor: own(shape, mass),
        };
        body.placed(at, &turn)
    }

    fn mesh_inertia(&mut self, index: usize, h: &Heavy) -> Inertia {
        let file = &self.robot.meshes[index];
        let how = if h.hollow {
            MeshInertia::Shell
        } else {
            file.inertia
        };
        let weight = file.mesh().map(|m| m.weight(how));
        let why = match weight {
            Ok(Some(w)) => {
                let mass = h.mass.unwrap_or(h.density * w.volume);
                return Inertia {
                    mass,
                    com: w.com,
                    tensor: principal_only(w.tensor) * (mass / w.volume),
                };
            }
            Ok(None) => "encloses no volume".to_string(),
            Err(why) => match &self.missing[index] {
                Some(missing) => format!("has no file ({missing})"),
                None => why,
            },
        };
        let message = format!(
            "the mesh `{}` {why}; this shape counts as massless",
            file.name
        );
        self.robot.warn(&h.geom.place, message);
        Inertia::NONE
    }

    /// Scales all masses so that the whole weighs what the compiler is told.
    pub(super) fn total_mass(&mut self) {
        let wanted = self.compiler.total_mass;
        let bodies = &mut self.robot.bodies;
        let whole: f64 = bodies.iter().map(|b| b.inertia.mass).sum();
        if wanted > 0.0 && whole > 0.0 {
            let factor = wanted / whole;
            for b in bodies {
                b.inertia.mass *= factor;
                b.inertia.tensor = b.inertia.tensor * factor;
            }
        }
    }
}

/// The inertia of a mesh as MuJoCo's compiler keeps it: principal moments and axes, found by turns
/// that end when no entry off the diagonal exceeds 1e-7 of the largest entry. What is left there is
/// dropped; it shows in accelerations from the eighth to the eleventh digit. (The rule is inferred
/// from compiled models: what remains at 8e-8 is dropped there, what is at 5e-7 is turned away.)
fn principal_only(tensor: Sym3) -> Sym3 {
    let full = tensor.to_mat();
    let size = tensor.diagonal.abs().max_element();
    let mut turn = Quat::IDENTITY;
    let mut axes = Mat3::IDENTITY;
    let mut d = full;
    for _ in 0..500 {
        let off = [d.z_axis.y, d.z_axis.x, d.y_axis.x];
        // the largest entry off the diagonal, and the axis to turn about
        let about = if off[2].abs() > off[1].abs() && off[2].abs() > off[0].abs() {
            2
        } else if off[1].abs() > off[0].abs() {
            1
        } else {
            0
        };
        let (r, c) = [(1, 2), (0, 2), (0, 1)][about];
        if off[about].abs() <= 1e-7 * size {
            break;
        }
        let tau = (d.col(c)[c] - d.col(r)[r]) / (2.0 * off[about]);
        let t = tau.signum() / (tau.abs() + (1.0 + tau * tau).sqrt());
        // the sine of half the angle whose tangent is t
        let square = 1.0 + t * t;
        let half = t.abs() / (2.0 * (square + square.sqrt())).sqrt();
        let sin = half
            * if (tau >= 0.0) == (about == 1) {
                1.0
            } else {
                -1.0
            };
        let axis = Vec3::AXES[about] * sin;
        let step = Quat::from_xyzw(axis.x, axis.y, axis.z, (1.0 - sin * sin).sqrt());
        turn = (turn * step).normalize();
        axes = Mat3::from_quat(turn);
        d = axes.transpose() * full * axes;
    }
    let moments = Sym3 {
        diagonal: Vec3::new(d.x_axis.x, d.y_axis.y, d.z_axis.z),
        off: Vec3::ZERO,
    };
    moments.turned(&axes)
}

impl MeshFile {
    /// The mesh itself, scaled and placed; the message of an error does not name it.
    pub fn mesh(&self) -> Result<mesh::Mesh, String> {
        let raw = match (&self.given, &self.path) {
            (Some(given), _) => given.clone(),
            (None, Some(path)) => mesh::read(path)?,
            (None, None) => return Err("has no file".into()),
        };
        let back = Mat3::from_quat(self.turn).transpose();
        Ok(raw.map(|v| (back * (v - self.origin)) * self.scale))
    }
}
