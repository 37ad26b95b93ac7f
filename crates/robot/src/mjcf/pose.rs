//! Positions and attitudes, which MJCF says in five ways.

use super::{Element, Reader};
use crate::error::RobotError;
use crate::values::exactly;
use crate::xml::Attribute;
use multibody::{Mat3, Pose, Quat, Vec3};

const TURNS: [&str; 4] = ["axisangle", "xyaxes", "zaxis", "euler"];

/// A turn about an axis of any length.
fn about(axis: Vec3, angle: f64) -> Quat {
    let (sin, cos) = libm::sincos(0.5 * angle);
    let axis = axis.normalize_or(Vec3::Z);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// The shortest turn that takes z to `v`.
pub(super) fn z_to(v: Vec3) -> Quat {
    let v = v.normalize_or(Vec3::Z);
    let axis = Vec3::Z.cross(v);
    let sin = axis.length();
    let angle = libm::atan2(sin, v.z);
    about(if sin < 1e-10 { Vec3::X } else { axis / sin }, angle)
}

impl Reader<'_> {
    /// An element's pose in the frame around it.
    pub(super) fn pose(&self, e: Element<'_>) -> Result<Pose, RobotError> {
        let at = e.some("pos", [0.0; 3], self.sources())?;
        Ok(Pose::from_parts(Vec3::from_array(at), self.attitude(e)?))
    }

    fn attitude(&self, e: Element<'_>) -> Result<Quat, RobotError> {
        // what the element says itself comes before its class
        for own in [true, false] {
            let from = |name| {
                if own {
                    e.node.attribute(name)
                } else {
                    e.default(name)
                }
            };
            for name in TURNS {
                if let Some(a) = from(name) {
                    return self.turn(name, a);
                }
            }
            if let Some(a) = from("quat") {
                let [w, x, y, z] = exactly::<4>(a, self.sources())?;
                let q = Quat::from_xyzw(x, y, z, w);
                if q.length() < 1e-12 {
                    return Err(self.error(&a.place, "this quaternion is zero"));
                }
                return Ok(q.normalize());
            }
        }
        Ok(Quat::IDENTITY)
    }

    fn turn(&self, name: &str, a: &Attribute) -> Result<Quat, RobotError> {
        let sources = self.sources();
        Ok(match name {
            "axisangle" => {
                let [x, y, z, angle] = exactly::<4>(a, sources)?;
                about(Vec3::new(x, y, z), self.compiler.angle(angle))
            }
            "xyaxes" => {
                let v = exactly::<6>(a, sources)?;
                let x = Vec3::new(v[0], v[1], v[2]).normalize_or(Vec3::X);
                let y = Vec3::new(v[3], v[4], v[5]);
                let y = (y - x * x.dot(y)).normalize_or(x.any_orthonormal_vector());
                Quat::from_mat3(&Mat3::from_cols(x, y, x.cross(y))).normalize()
            }
            "zaxis" => z_to(Vec3::from_array(exactly::<3>(a, sources)?)),
            _ => {
                let angles = exactly::<3>(a, sources)?;
                let mut q = Quat::IDENTITY;
                for (letter, angle) in self.compiler.euler.chars().zip(angles) {
                    let axis = match letter.to_ascii_lowercase() {
                        'x' => Vec3::X,
                        'y' => Vec3::Y,
                        _ => Vec3::Z,
                    };
                    let turn = about(axis, self.compiler.angle(angle));
                    // small letters turn about the axes that turned before, capitals about fixed ones
                    q = if letter.is_ascii_lowercase() {
                        q * turn
                    } else {
                        turn * q
                    };
                }
                q.normalize()
            }
        })
    }
}
