//! From positions and velocities of joints to poses and velocities of links.

use crate::model::{Kind, Link};
use crate::spatial::Motion;
use crate::workspace::State;
use crate::{Mat3, Multibody, Quat, Vec3, Workspace};

/// The unit quaternion at the start of `q` (w, x, y, z).
#[inline(always)]
pub(crate) fn attitude(q: &[f64]) -> Quat {
    let raw = Quat::from_xyzw(q[1], q[2], q[3], q[0]);
    let square = raw.length_squared();
    if square > 0.0 {
        raw * (1.0 / square.sqrt())
    } else {
        Quat::IDENTITY
    }
}

/// Attitude of a link, and its origin from the parent's origin, in the world's axes.
#[inline(always)]
fn place(link: &Link, parent: &Mat3, q: &[f64]) -> (Mat3, Vec3) {
    let at = link.q as usize;
    match link.kind {
        Kind::Hinge => {
            let (sin, cos) = libm::sincos(q[at] - link.reference);
            let turn = link.turn + link.by_sin * sin + link.by_versin * (1.0 - cos);
            (*parent * turn, *parent * link.at)
        }
        Kind::Slide => {
            let rot = *parent * link.turn;
            let along = (rot * link.axis) * (q[at] - link.reference);
            (rot, *parent * link.at + along)
        }
        Kind::Fixed => (*parent * link.turn, *parent * link.at),
        Kind::Ball => {
            let turn = link.turn * Mat3::from_quat(attitude(&q[at..at + 4]));
            (*parent * turn, *parent * link.at)
        }
        Kind::Free => (
            Mat3::from_quat(attitude(&q[at + 3..at + 7])),
            Vec3::new(q[at], q[at + 1], q[at + 2]),
        ),
    }
}

/// Pose, velocity and velocity-made acceleration of one link.
#[inline(always)]
pub(crate) fn advance(link: &Link, parent: &State, q: &[f64], v: &[f64], s: &mut State) {
    let (rot, offset) = place(link, &parent.rot, q);
    let mut velocity = parent.velocity.at(offset);
    let dof = link.v as usize;
    let mut bias = Motion::ZERO;
    match link.kind {
        Kind::Hinge => {
            let axis = rot * link.axis;
            let joint = axis * v[dof];
            bias.ang = velocity.ang.cross(joint);
            bias.lin = velocity.lin.cross(joint);
            velocity.ang += joint;
            s.axis = axis;
        }
        Kind::Slide => {
            let axis = rot * link.axis;
            let joint = axis * v[dof];
            velocity.lin += joint;
            bias.lin = velocity.ang.cross(joint);
            s.axis = axis;
        }
        Kind::Ball => {
            let joint = rot * Vec3::new(v[dof], v[dof + 1], v[dof + 2]);
            bias.ang = velocity.ang.cross(joint);
            bias.lin = velocity.lin.cross(joint);
            velocity.ang += joint;
        }
        Kind::Free => {
            let lin = Vec3::new(v[dof], v[dof + 1], v[dof + 2]);
            let ang = rot * Vec3::new(v[dof + 3], v[dof + 4], v[dof + 5]);
            velocity = Motion::new(ang, lin);
        }
        Kind::Fixed => {}
    }
    s.pos = parent.pos + offset;
    s.rot = rot;
    s.offset = offset;
    s.velocity = velocity;
    s.bias = bias;
}

impl Multibody {
    /// Poses, velocities and joint axes of all links into the workspace.
    pub fn kinematics(&self, q: &[f64], v: &[f64], ws: &mut Workspace) {
        for (k, link) in self.links.iter().enumerate() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            advance(link, &before[link.parent as usize], q, v, &mut after[0]);
        }
    }
}
