//! Rotations with reproducible elementary functions (libm, never the platform's).

use crate::body::MassProperties;
use crate::series::advanced;
use crate::tumble::{attitude_rate, body_spin};
use crate::{Mat3, Quat, Vec3};

/// Moments of inertia that differ by this share at most count as equal.
const ALIKE: f64 = 1e-12;
/// Angle up to which one Runge-Kutta step of order 4 turns a body, radians: it errs by its fifth power over
/// 120, 2e-10 at most.
const SMALL_TURN: f64 = 0.03;

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

/// World angular momentum of a body with these principal moments that turns with `spin`.
pub fn angular_momentum(rotation: Quat, inertia: Vec3, spin: Vec3) -> Vec3 {
    rotation * (inertia * (rotation.inverse() * spin))
}

/// The spin that belongs to a world angular momentum.
pub fn spin_of(rotation: Quat, inverse_inertia: Vec3, momentum: Vec3) -> Vec3 {
    rotation * (inverse_inertia * (rotation.inverse() * momentum))
}

/// The attitude after `seconds` of turning freely with the world angular momentum `momentum`, which stays what
/// it is; `seconds` may be negative. Exact for bodies with an axis of symmetry and for large turns.
pub fn drifted(rotation: Quat, momentum: Vec3, mass: &MassProperties, seconds: f64) -> Quat {
    if momentum == Vec3::ZERO || seconds == 0.0 {
        return rotation;
    }
    let (inertia, inverse) = (mass.inertia, mass.inverse_inertia);
    if let Some(axis) = symmetry_axis(inertia) {
        let Some(axis) = axis else {
            return turned(rotation, momentum * inverse.x, seconds);
        };
        // It turns about its own axis, and with it about its angular momentum.
        let across = inverse[(axis + 1) % 3];
        let along = (rotation.inverse() * momentum)[axis];
        let mut own = Vec3::ZERO;
        own[axis] = (inverse[axis] - across) * along * seconds;
        let about = from_rotation_vector(momentum * (across * seconds));
        return (about * rotation * from_rotation_vector(own)).normalize();
    }
    if momentum.length() * inverse.max_element() * seconds.abs() > SMALL_TURN {
        return advanced(rotation, momentum, mass, seconds);
    }
    let start = rotation.to_array();
    let rate = |q: &[f64; 4]| attitude_rate(q, body_spin(q, momentum, inverse));
    let after =
        |rate: &[f64; 4], h: f64| -> [f64; 4] { std::array::from_fn(|k| start[k] + h * rate[k]) };
    let half = 0.5 * seconds;
    let a = rate(&start);
    let b = rate(&after(&a, half));
    let c = rate(&after(&b, half));
    let d = rate(&after(&c, seconds));
    let sum = std::array::from_fn(|k| a[k] + 2.0 * (b[k] + c[k]) + d[k]);
    Quat::from_array(after(&sum, seconds / 6.0)).normalize()
}

/// The axis about which the moments are alike; `Some(None)` if all three are, `None` if no two are.
fn symmetry_axis(inertia: Vec3) -> Option<Option<usize>> {
    let alike = |a: f64, b: f64| (a - b).abs() <= ALIKE * a.max(b);
    let Vec3 { x, y, z } = inertia;
    match [alike(y, z), alike(z, x), alike(x, y)] {
        [true, true, _] | [true, _, true] | [_, true, true] => Some(None),
        [true, ..] => Some(Some(0)),
        [_, true, _] => Some(Some(1)),
        [.., true] => Some(Some(2)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whatever the moments and the angle: the same attitude as the power series gives, and back again.
    #[test]
    fn bodies_drift_as_the_series_says() {
        let moments = [
            Vec3::new(1.0, 2.0, 2.5),
            Vec3::new(2.0, 0.5, 2.0),
            Vec3::splat(3.0),
            Vec3::new(0.7, 0.7, 1.4),
            Vec3::new(1.4, 0.7, 0.7),
        ];
        let rotation = from_rotation_vector(Vec3::new(0.3, -0.7, 1.1));
        for inertia in moments {
            let mass = MassProperties::new(1.0, inertia);
            for angle in [1e-4, 1e-2, 0.029, 0.4, 5.0] {
                let momentum = Vec3::new(0.6, 0.2, -0.7);
                let seconds = angle * inertia.min_element() / momentum.length();
                let drifted_to = drifted(rotation, momentum, &mass, seconds);
                let exact = advanced(rotation, momentum, &mass, seconds);
                let apart = rotation_vector(drifted_to * exact.inverse()).length();
                // The fifth power of a small angle over 120, exact for large ones; and rounding.
                let error = if angle < SMALL_TURN {
                    angle.powi(5) / 120.0
                } else {
                    0.0
                } + 5e-13;
                assert!(apart < error, "{inertia}: {apart}");
                let back = drifted(drifted_to, momentum, &mass, -seconds);
                let apart = rotation_vector(back * rotation.inverse()).length();
                assert!(apart < 2.0 * error, "{inertia}: back {apart}");
            }
        }
    }
}
