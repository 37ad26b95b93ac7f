//! Inverse dynamics by recursive Newton-Euler (Featherstone, chapter 5): the joint forces that
//! make given accelerations.

use crate::kinematics::advance;
use crate::model::{Kind, Link};
use crate::spatial::{Force, Motion};
use crate::workspace::State;
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
        self.forces_on_links(q, v, Some(a), ws);
        self.gather_forces(Some(a), ws, tau);
    }

    /// What the joints' accelerations `a` are made of: forces `f` with `M a = f`, where `M` is the mass matrix, from the
    /// `applied` ones and all else that acts (see [`Multibody::accelerations`]). Leaves kinematics in the workspace.
    pub fn net_forces(
        &self,
        q: &[f64],
        v: &[f64],
        applied: &[f64],
        ws: &mut Workspace,
        f: &mut [f64],
    ) {
        self.forces_on_links(q, v, None, ws);
        ws.push_steadily(&self.links);
        if self.surroundings.acts() {
            self.surroundings.push(self.gravity, ws);
        }
        self.gather_forces(None, ws, f);
        for (f, applied) in f.iter_mut().zip(applied) {
            *f = applied - *f;
        }
        self.add_passive(q, v, f);
    }

    /// Forces that make the links move as joints that accelerate by `a`, or not at all, would have it.
    fn forces_on_links(&self, q: &[f64], v: &[f64], a: Option<&[f64]>, ws: &mut Workspace) {
        ws.states[0].acceleration = Motion::new(Vec3::ZERO, -self.gravity);
        for (k, link) in self.links.iter().enumerate() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            let s = &mut after[0];
            let parent = &before[link.parent as usize];
            advance(link, parent, q, v, s);
            let mut own = parent.acceleration.at(s.offset) + s.bias;
            if let Some(a) = a {
                add_own(link, s, a, &mut own);
            }
            if link.kind == Kind::Free {
                let lin = a.map_or(Vec3::ZERO, |a| three(a, link.v as usize));
                own.lin = lin - self.gravity - s.velocity.ang.cross(s.velocity.lin);
                own.ang = a.map_or(Vec3::ZERO, |a| s.rot * three(a, link.v as usize + 3));
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
    }

    /// The joints' parts of the forces on links, from the leaves to the root.
    fn gather_forces(&self, a: Option<&[f64]>, ws: &mut Workspace, tau: &mut [f64]) {
        let a1 = |v: usize| a.map_or(0.0, |a| a[v]);
        let a3 = |v: usize| a.map_or(Vec3::ZERO, |a| three(a, v));
        for (k, link) in self.links.iter().enumerate().rev() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            let s = &after[0];
            let dof = link.v as usize;
            match link.kind {
                Kind::Fixed => {}
                Kind::Hinge => tau[dof] = s.axis.dot(s.force.ang) + link.armature * a1(dof),
                Kind::Slide => tau[dof] = s.axis.dot(s.force.lin) + link.armature * a1(dof),
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

fn three(a: &[f64], at: usize) -> Vec3 {
    Vec3::new(a[at], a[at + 1], a[at + 2])
}

/// Adds a joint's own acceleration to that of its link.
#[inline(always)]
fn add_own(link: &Link, s: &State, a: &[f64], own: &mut Motion) {
    let dof = link.v as usize;
    match link.kind {
        Kind::Fixed | Kind::Free => {}
        Kind::Hinge => own.ang += s.axis * a[dof],
        Kind::Slide => own.lin += s.axis * a[dof],
        Kind::Ball => own.ang += s.rot * three(a, dof),
    }
}
