//! How fast a point of a link moves per joint velocity.

use crate::crba::{direction, freedoms};
use crate::spatial::Motion;
use crate::{Multibody, Vec3, Workspace};

impl Multibody {
    /// Calls `row(dof, motion)` for every freedom that moves `link`: the motion that a unit
    /// velocity of that freedom gives the link, about `point` of the world. Needs kinematics.
    pub fn jacobian_columns(
        &self,
        ws: &Workspace,
        link: usize,
        point: Vec3,
        mut row: impl FnMut(usize, Motion),
    ) {
        let mut at = link;
        loop {
            let (l, s) = (&self.links[at], &ws.states[at + 1]);
            for c in 0..freedoms(l.kind) {
                row(l.v as usize + c, direction(l, s, c).at(point - s.pos));
            }
            if l.parent == 0 {
                break;
            }
            at = l.parent as usize - 1;
        }
    }

    /// The Jacobian of a point of the world that moves with `link`: three rows of angular and three
    /// rows of linear velocity, `velocities()` columns each. Needs kinematics.
    pub fn jacobian(&self, ws: &Workspace, link: usize, point: Vec3, j: &mut [f64]) {
        let n = self.velocities();
        j[..6 * n].fill(0.0);
        self.jacobian_columns(ws, link, point, |dof, m| {
            for k in 0..3 {
                j[k * n + dof] = m.ang[k];
                j[(k + 3) * n + dof] = m.lin[k];
            }
        });
    }
}
