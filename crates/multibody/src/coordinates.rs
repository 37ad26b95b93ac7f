//! Positions and velocities are not the same coordinates where joints turn freely: quaternions.

use crate::kinematics::attitude;
use crate::model::Kind;
use crate::{Multibody, Quat, Vec3};

/// The rotation vector (axis times angle, at most half a turn) of a unit quaternion.
pub fn rotation_vector(q: Quat) -> Vec3 {
    let q = if q.w < 0.0 { -q } else { q };
    let v = Vec3::new(q.x, q.y, q.z);
    let sin = v.length();
    if sin < 1e-12 {
        return v * 2.0;
    }
    v * (2.0 * libm::atan2(sin, q.w) / sin)
}

/// The unit quaternion of a rotation vector.
pub fn from_rotation_vector(v: Vec3) -> Quat {
    let angle = v.length();
    let half = 0.5 * angle;
    let (sin, cos) = libm::sincos(half);
    let s = if angle < 1e-12 { 0.5 } else { sin / angle };
    Quat::from_xyzw(v.x * s, v.y * s, v.z * s, cos)
}

/// Half of `q` times the angular velocity `w` in the body's axes: how the quaternion changes.
#[inline(always)]
fn quaternion_rate(q: &[f64], w: &[f64], out: &mut [f64]) {
    let [a, b, c, d] = [q[0], q[1], q[2], q[3]];
    let [x, y, z] = [0.5 * w[0], 0.5 * w[1], 0.5 * w[2]];
    out[0] = -b * x - c * y - d * z;
    out[1] = a * x + c * z - d * y;
    out[2] = a * y + d * x - b * z;
    out[3] = a * z + b * y - c * x;
}

fn turn(q: &mut [f64], w: Vec3) {
    let next = (attitude(q) * from_rotation_vector(w)).normalize();
    q.copy_from_slice(&[next.w, next.x, next.y, next.z]);
}

impl Multibody {
    /// Whether all quaternions among positions are of unit length, to a millionth.
    pub fn is_turned_by_unit(&self, q: &[f64]) -> bool {
        let is_unit = |at: usize| {
            let square: f64 = q[at..at + 4].iter().map(|x| x * x).sum();
            (square - 1.0).abs() <= 1e-6
        };
        self.links.iter().all(|link| match link.kind {
            Kind::Ball => is_unit(link.q as usize),
            Kind::Free => is_unit(link.q as usize + 3),
            _ => true,
        })
    }

    /// How the positions change: `dq` from `q` and `v`.
    pub fn position_rates(&self, q: &[f64], v: &[f64], dq: &mut [f64]) {
        for link in &self.links {
            let (at, dof) = (link.q as usize, link.v as usize);
            match link.kind {
                Kind::Fixed => {}
                Kind::Hinge | Kind::Slide => dq[at] = v[dof],
                Kind::Ball => {
                    quaternion_rate(&q[at..at + 4], &v[dof..dof + 3], &mut dq[at..at + 4])
                }
                Kind::Free => {
                    dq[at..at + 3].copy_from_slice(&v[dof..dof + 3]);
                    let (q, dq) = (&q[at + 3..at + 7], &mut dq[at + 3..at + 7]);
                    quaternion_rate(q, &v[dof + 3..dof + 6], dq);
                }
            }
        }
    }

    /// Moves the positions `q` by the constant velocities `v` for the time `dt`.
    pub fn displace(&self, q: &mut [f64], v: &[f64], dt: f64) {
        let at3 = |i: usize| Vec3::new(v[i], v[i + 1], v[i + 2]) * dt;
        for link in &self.links {
            let (at, dof) = (link.q as usize, link.v as usize);
            match link.kind {
                Kind::Fixed => {}
                Kind::Hinge | Kind::Slide => q[at] += v[dof] * dt,
                Kind::Ball => turn(&mut q[at..at + 4], at3(dof)),
                Kind::Free => {
                    for k in 0..3 {
                        q[at + k] += v[dof + k] * dt;
                    }
                    turn(&mut q[at + 3..at + 7], at3(dof + 3));
                }
            }
        }
    }

    /// The velocities that lead from `from` to `to` in unit time.
    pub fn difference(&self, from: &[f64], to: &[f64], v: &mut [f64]) {
        let turned = |at: usize| {
            let d = attitude(&from[at..at + 4]).inverse() * attitude(&to[at..at + 4]);
            rotation_vector(d).to_array()
        };
        for link in &self.links {
            let (at, dof) = (link.q as usize, link.v as usize);
            match link.kind {
                Kind::Fixed => {}
                Kind::Hinge | Kind::Slide => v[dof] = to[at] - from[at],
                Kind::Ball => v[dof..dof + 3].copy_from_slice(&turned(at)),
                Kind::Free => {
                    for k in 0..3 {
                        v[dof + k] = to[at + k] - from[at + k];
                    }
                    v[dof + 3..dof + 6].copy_from_slice(&turned(at + 3));
                }
            }
        }
    }

    /// Brings quaternions back to length 1; says whether there are any.
    pub fn normalize(&self, q: &mut [f64]) -> bool {
        let mut any = false;
        for link in &self.links {
            let at = match link.kind {
                Kind::Ball => link.q as usize,
                Kind::Free => link.q as usize + 3,
                _ => continue,
            };
            let unit = attitude(&q[at..at + 4]);
            q[at..at + 4].copy_from_slice(&[unit.w, unit.x, unit.y, unit.z]);
            any = true;
        }
        any
    }
}
