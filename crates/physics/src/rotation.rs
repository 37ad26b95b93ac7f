//! Rotations with reproducible elementary functions (libm, never the platform's).

use crate::{Mat3, Quat, Vec3};

/// The rotation by `angle_axis.length()` radians about `angle_axis`.
pub fn from_rotation_vector(angle_axis: Vec3) -> Quat {
    let angle = angle_axis.length();
    if angle < 1e-12 {
        let half = angle_axis * 0.5;
        return Quat::from_xyzw(half.x, half.y, half.z, 1.0).normalize();
    }
    let (sin, cos) = libm::sincos(angle * 0.5);
    let axis = angle_axis * (sin / angle);
    Quat::from_xyzw(axis.x, axis.y, axis.z, cos)
}

/// `rotation` after `seconds` of turning with constant world angular velocity `spin`.
pub fn turned(rotation: Quat, spin: Vec3, seconds: f64) -> Quat {
    (from_rotation_vector(spin * seconds) * rotation).normalize()
}

/// The world-frame matrix of a diagonal body-frame tensor.
pub fn world_tensor(rotation: Quat, diagonal: Vec3) -> Mat3 {
    let r = Mat3::from_quat(rotation);
    r * Mat3::from_diagonal(diagonal) * r.transpose()
}

/// Axis times angle of a rotation, the short way round.
pub fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let axis = Vec3::new(q.x, q.y, q.z);
    let sin = axis.length();
    if sin < 1e-15 {
        return Vec3::ZERO;
    }
    axis * (2.0 * libm::atan2(sin, q.w) / sin)
}
