//! What an impulse does to the joint velocities, through the whole tree at once: the last two
//! passes of forward dynamics with the factors that its last call left in the workspace.

use crate::aba::solve;
use crate::model::Kind;
use crate::spatial::{Force, Motion};
use crate::{Multibody, Vec3, Workspace};

impl Multibody {
    /// The factors that impulses need, for the positions `q` (velocities do not matter).
    /// [`Multibody::forward_dynamics`] leaves them as well.
    pub fn factorize(&self, q: &[f64], ws: &mut Workspace) {
        ws.tau.fill(0.0);
        let zero = std::mem::take(&mut ws.tau);
        self.outward(q, &zero, ws);
        self.inward(&zero, ws);
        ws.tau = zero;
    }

    /// Change of the joint velocities `dv` when `impulse` (N·s) hits a link at a point of the world.
    /// O(n). Needs the factors of this position.
    pub fn impulse_response(
        &self,
        ws: &mut Workspace,
        link: usize,
        point: Vec3,
        impulse: Vec3,
        dv: &mut [f64],
    ) {
        ws.forces.fill(Force::ZERO);
        let origin = ws.states[link + 1].pos;
        ws.forces[link + 1] = -Force::at_point(impulse, point, origin);
        self.respond(ws, None, dv);
    }

    /// The same for several impulses at once: (link, moment and impulse about the link's origin).
    pub fn wrench_response(&self, ws: &mut Workspace, wrenches: &[(usize, Force)], dv: &mut [f64]) {
        ws.forces.fill(Force::ZERO);
        for (link, wrench) in wrenches {
            ws.forces[link + 1] += -*wrench;
        }
        self.respond(ws, None, dv);
    }

    /// `M⁻¹ tau` in O(n): velocities from impulses along the joints, accelerations from forces.
    pub fn solve_mass(&self, ws: &mut Workspace, tau: &[f64], dv: &mut [f64]) {
        ws.forces.fill(Force::ZERO);
        self.respond(ws, Some(tau), dv);
    }

    /// Change of a link's velocity about its origin by the last response.
    pub fn response_of(&self, ws: &Workspace, link: usize) -> Motion {
        ws.motions[link + 1]
    }

    fn respond(&self, ws: &mut Workspace, tau: Option<&[f64]>, dv: &mut [f64]) {
        let joint = |v: usize| tau.map_or(0.0, |t| t[v]);
        let joint3 = |v: usize| Vec3::new(joint(v), joint(v + 1), joint(v + 2));
        for (k, link) in self.links.iter().enumerate().rev() {
            let s = &ws.states[k + 1];
            let v = link.v as usize;
            let mut force = ws.forces[k + 1];
            match link.kind {
                Kind::Hinge | Kind::Slide => {
                    let along = if link.kind == Kind::Hinge {
                        s.axis.dot(force.ang)
                    } else {
                        s.axis.dot(force.lin)
                    };
                    let rest = joint(v) - along;
                    ws.rests[k + 1] = rest;
                    force += s.u * (rest * s.d_inv);
                }
                Kind::Fixed => {}
                Kind::Ball => {
                    let wide = &mut ws.wide[link.wide as usize];
                    wide.rest.ang = s.rot * joint3(v) - force.ang;
                    let x = wide.d_inv.times(wide.rest.ang);
                    force += Force::new(s.inertia.rot.times(x), s.inertia.transposed_coupling(x));
                }
                Kind::Free => {
                    let own = Force::new(s.rot * joint3(v + 3), joint3(v));
                    ws.wide[link.wide as usize].rest = own - force;
                    continue;
                }
            }
            if link.parent > 0 {
                ws.forces[link.parent as usize] += force.about(s.offset);
            }
        }
        ws.motions[0] = Motion::ZERO;
        for (k, link) in self.links.iter().enumerate() {
            let s = &ws.states[k + 1];
            let given = ws.motions[link.parent as usize].at(s.offset);
            let v = link.v as usize;
            ws.motions[k + 1] = match link.kind {
                Kind::Hinge => {
                    let own = s.d_inv * (ws.rests[k + 1] - given.dot(s.u));
                    dv[v] = own;
                    Motion::new(given.ang + s.axis * own, given.lin)
                }
                Kind::Slide => {
                    let own = s.d_inv * (ws.rests[k + 1] - given.dot(s.u));
                    dv[v] = own;
                    Motion::new(given.ang, given.lin + s.axis * own)
                }
                Kind::Fixed => given,
                Kind::Ball => {
                    let wide = &ws.wide[link.wide as usize];
                    let own = wide.answer_to(s, given, wide.rest.ang);
                    dv[v..v + 3].copy_from_slice(&s.rot.transpose().mul_vec3(own).to_array());
                    Motion::new(given.ang + own, given.lin)
                }
                Kind::Free => {
                    let wide = &ws.wide[link.wide as usize];
                    let own = solve(&wide.ldl, wide.rest);
                    dv[v..v + 3].copy_from_slice(&own.lin.to_array());
                    let ang = s.rot.transpose().mul_vec3(own.ang);
                    dv[v + 3..v + 6].copy_from_slice(&ang.to_array());
                    own
                }
            };
        }
    }
}
