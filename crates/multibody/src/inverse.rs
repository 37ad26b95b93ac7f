//! Inverse dynamics by recursive Newton-Euler (Featherstone, chapter 5): the joint forces that
//! make given accelerations.

use crate::model::Kind;
use crate::spatial::{Force, Motion};
use crate::{Multibody, Vec3, Workspace};

impl Multibody {
    /// Joint forces `tau` under which the state `q`, `v` accelerates by `a`. Springs, dampers and
    /// fluids come on top; external forces of the workspace are counted.
    pub fn inverse_dynamics(
        &self,
        q: &[f64],
        v: &[f64],
        a: &[f64],
        ws: &mut Workspace,
        tau: &mut [f64],
    ) {
        self.kinematics(q, v, ws);
        ws.states[0].acceleration = Motion::new(Vec3::ZERO, -self.gravity);
        let a3 = |v: usize| Vec3::new(a[v], a[v + 1], a[v + 2]);
        for (k, link) in self.links.iter().enumerate() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            let s = &mut after[0];
            let mut own = before[link.parent as usize].acceleration.at(s.offset) + s.bias;
            let dof = link.v as usize;
            match link.kind {
                Kind::Fixed => {}
                Kind::Hinge => own.ang += s.axis * a[dof],
                Kind::Slide => own.lin += s.axis * a[dof],
                Kind::Ball => own.ang += s.rot * a3(dof),
                Kind::Free => {
                    own.ang = s.rot * a3(dof + 3);
                    own.lin = a3(dof) - self.gravity - s.velocity.ang.cross(s.velocity.lin);
                }
            }
            s.acceleration = own;
            let com = s.rot * link.com;
            let tensor = link.tensor.turned(&s.rot);
            let force = |m: Motion| {
                let lin = m.at(com).lin * link.mass;
                Force::new(tensor.times(m.ang) + com.cross(lin), lin)
            };
            s.force = force(own) + s.velocity.cross_force(force(s.velocity));
            if ws.disturbed {
                s.force += -ws.external[k + 1];
            }
        }
        for (k, link) in self.links.iter().enumerate().rev() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            let s = &after[0];
            let dof = link.v as usize;
            match link.kind {
                Kind::Fixed => {}
                Kind::Hinge => tau[dof] = s.axis.dot(s.force.ang) + link.armature * a[dof],
                Kind::Slide => tau[dof] = s.axis.dot(s.force.lin) + link.armature * a[dof],
                Kind::Ball => {
                    let own = s.rot.transpose().mul_vec3(s.force.ang) + a3(dof) * link.armature;
                    tau[dof..dof + 3].copy_from_slice(&own.to_array());
                }
                Kind::Free => {
                    let lin = s.force.lin + a3(dof) * link.armature;
                    let ang = s.rot.transpose().mul_vec3(s.force.ang) + a3(dof + 3) * link.armature;
                    tau[dof..dof + 3].copy_from_slice(&lin.to_array());
                    tau[dof + 3..dof + 6].copy_from_slice(&ang.to_array());
                }
            }
            if link.parent > 0 {
                let p = &mut before[link.parent as usize];
                p.force += s.force.about(s.offset);
            }
        }
    }
}
