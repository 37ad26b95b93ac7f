//! Forward dynamics by articulated bodies (Featherstone, chapter 7): outward for velocities, inward
//! for articulated inertias, outward for accelerations. Hinges and slides have a scalar each where
//! balls have a 3 by 3 and free joints a 6 by 6 matrix.

use crate::inertia::Articulated;
use crate::kinematics::advance;
use crate::model::{Kind, Link};
use crate::spatial::{Force, Motion, Sym3};
use crate::workspace::{State, Wide};
use crate::{Mat3, Multibody, Vec3, Workspace};

impl Multibody {
    /// Accelerations `a` of the joints in the state `q`, `v` under the joint forces `tau`, gravity
    /// and what [`Workspace::push`] added. Springs, dampers and fluids are not in it; see
    /// [`Multibody::accelerations`].
    pub fn forward_dynamics(
        &self,
        q: &[f64],
        v: &[f64],
        tau: &[f64],
        ws: &mut Workspace,
        a: &mut [f64],
    ) {
        self.outward(q, v, ws);
        if ws.disturbed {
            for (s, f) in ws.states.iter_mut().zip(&ws.external) {
                s.force += -*f;
            }
        }
        ws.push_steadily(&self.links);
        self.inward(tau, ws);
        self.accelerate(ws, a);
    }

    /// Poses, velocities, and the inertia and bias force of each link alone.
    pub(crate) fn outward(&self, q: &[f64], v: &[f64], ws: &mut Workspace) {
        for (k, link) in self.links.iter().enumerate() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            let s = &mut after[0];
            advance(link, &before[link.parent as usize], q, v, s);
            let com = s.rot * link.com;
            let tensor = link.tensor.turned(&s.rot);
            s.inertia = Articulated::rigid(link.mass, com, tensor);
            let w = s.velocity.ang;
            let lin = (s.velocity.lin + w.cross(com)) * link.mass;
            let ang = tensor.times(w) + com.cross(lin);
            s.force = s.velocity.cross_force(Force::new(ang, lin));
        }
    }

    /// Articulated inertias, from the leaves to the root.
    pub(crate) fn inward(&self, tau: &[f64], ws: &mut Workspace) {
        for (k, link) in self.links.iter().enumerate().rev() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            let s = &mut after[0];
            let (inertia, force) = match link.kind {
                Kind::Hinge => {
                    s.u = Force::new(
                        s.inertia.rot.times(s.axis),
                        s.inertia.transposed_coupling(s.axis),
                    );
                    let d = s.axis.dot(s.u.ang) + link.armature;
                    let rest = tau[link.v as usize] - s.axis.dot(s.force.ang);
                    give_way(s, d, rest)
                }
                Kind::Slide => {
                    let b = &s.inertia.coupling;
                    let ang = Vec3::new(b[0].dot(s.axis), b[1].dot(s.axis), b[2].dot(s.axis));
                    s.u = Force::new(ang, s.inertia.mass.times(s.axis));
                    let d = s.axis.dot(s.u.lin) + link.armature;
                    let rest = tau[link.v as usize] - s.axis.dot(s.force.lin);
                    give_way(s, d, rest)
                }
                Kind::Fixed => (s.inertia, s.force),
                Kind::Ball => ball(link, s, &mut ws.wide[link.wide as usize], tau),
                Kind::Free => {
                    free(link, s, &mut ws.wide[link.wide as usize], tau, self.gravity);
                    continue;
                }
            };
            if link.parent > 0 {
                let p = &mut before[link.parent as usize];
                p.inertia += inertia.about(s.offset);
                p.force += force.about(s.offset);
            }
        }
    }

    /// Accelerations, from the root to the leaves. Gravity is an acceleration of the world upwards.
    pub(crate) fn accelerate(&self, ws: &mut Workspace, a: &mut [f64]) {
        ws.states[0].acceleration = Motion::new(Vec3::ZERO, -self.gravity);
        for (k, link) in self.links.iter().enumerate() {
            let (before, after) = ws.states.split_at_mut(k + 1);
            let s = &mut after[0];
            let given = before[link.parent as usize].acceleration.at(s.offset) + s.bias;
            let v = link.v as usize;
            s.acceleration = match link.kind {
                Kind::Hinge => {
                    let own = s.d_inv * (s.rest - given.dot(s.u));
                    a[v] = own;
                    Motion::new(given.ang + s.axis * own, given.lin)
                }
                Kind::Slide => {
                    let own = s.d_inv * (s.rest - given.dot(s.u));
                    a[v] = own;
                    Motion::new(given.ang, given.lin + s.axis * own)
                }
                Kind::Fixed => given,
                Kind::Ball => {
                    let own = ws.wide[link.wide as usize].answer(s, given);
                    a[v..v + 3].copy_from_slice(&s.rot.transpose().mul_vec3(own).to_array());
                    Motion::new(given.ang + own, given.lin)
                }
                Kind::Free => {
                    let wide = &ws.wide[link.wide as usize];
                    let own = solve(&wide.ldl, wide.rest);
                    let lin = own.lin + self.gravity + s.velocity.ang.cross(s.velocity.lin);
                    a[v..v + 3].copy_from_slice(&lin.to_array());
                    let ang = s.rot.transpose().mul_vec3(own.ang);
                    a[v + 3..v + 6].copy_from_slice(&ang.to_array());
                    own
                }
            };
        }
    }
}

/// What the parent feels of a link whose joint gives way along one direction.
#[inline(always)]
fn give_way(s: &mut State, d: f64, rest: f64) -> (Articulated, Force) {
    let d_inv = 1.0 / d;
    s.d_inv = d_inv;
    s.rest = rest;
    let inertia = s.inertia.without(s.u, d_inv);
    let force = s.force + inertia.times(s.bias) + s.u * (rest * d_inv);
    (inertia, force)
}

fn ball(link: &Link, s: &State, wide: &mut Wide, tau: &[f64]) -> (Articulated, Force) {
    let v = link.v as usize;
    let joint = s.rot * Vec3::new(tau[v], tau[v + 1], tau[v + 2]);
    wide.d_inv = (s.inertia.rot + Sym3::scalar(link.armature)).inverse();
    wide.rest = Force::new(joint - s.force.ang, Vec3::ZERO);
    let inertia = ball_inertia(&s.inertia, wide.d_inv);
    let x = wide.d_inv.times(wide.rest.ang);
    let through = Force::new(s.inertia.rot.times(x), s.inertia.transposed_coupling(x));
    (inertia, s.force + inertia.times(s.bias) + through)
}

fn ball_inertia(i: &Articulated, d_inv: Sym3) -> Articulated {
    let (a, d) = (i.rot.to_mat(), d_inv.to_mat());
    let b = Mat3::from_cols(i.coupling[0], i.coupling[1], i.coupling[2]).transpose();
    let left = b - a * (d * b);
    Articulated {
        rot: Sym3::from_mat(a - a * (d * a)),
        coupling: [left.row(0), left.row(1), left.row(2)],
        mass: Sym3::from_mat(i.mass.to_mat() - b.transpose() * (d * b)),
    }
}

fn free(link: &Link, s: &State, wide: &mut Wide, tau: &[f64], gravity: Vec3) {
    let v = link.v as usize;
    let lin = Vec3::new(tau[v], tau[v + 1], tau[v + 2]);
    let ang = s.rot * Vec3::new(tau[v + 3], tau[v + 4], tau[v + 5]);
    // the armature resists the coordinates' own acceleration, not the spatial one
    let own = (gravity + s.velocity.ang.cross(s.velocity.lin)) * link.armature;
    wide.rest = Force::new(ang, lin - own) - s.force;
    wide.ldl = factor(&s.inertia, link.armature);
}

impl Wide {
    /// A ball's own acceleration in the world's axes when the link is given `given`.
    #[inline(always)]
    pub(crate) fn answer(&self, s: &State, given: Motion) -> Vec3 {
        self.answer_to(s, given, self.rest.ang)
    }

    #[inline(always)]
    pub(crate) fn answer_to(&self, s: &State, given: Motion, rest: Vec3) -> Vec3 {
        self.d_inv.times(rest - s.inertia.times(given).ang)
    }
}

/// L D Lᵀ of a 6 by 6 inertia: angular rows first.
fn factor(i: &Articulated, armature: f64) -> [f64; 21] {
    let (a, m) = (i.rot.to_mat(), i.mass.to_mat());
    let entry = |r: usize, c: usize| match (r < 3, c < 3) {
        (true, _) => a.col(c)[r],
        (false, true) => i.coupling[c][r - 3],
        (false, false) => m.col(c - 3)[r - 3],
    };
    let mut l = [0.0; 21];
    for r in 0..6 {
        for c in 0..=r {
            let mut sum = entry(r, c) + if r == c { armature } else { 0.0 };
            for k in 0..c {
                sum -= l[row(r) + k] * l[row(c) + k] * l[row(k) + k];
            }
            l[row(r) + c] = if r == c { sum } else { sum / l[row(c) + c] };
        }
    }
    l
}

const fn row(r: usize) -> usize {
    r * (r + 1) / 2
}

/// The motion that the force makes.
pub(crate) fn solve(l: &[f64; 21], force: Force) -> Motion {
    let (n, f) = (force.ang.to_array(), force.lin.to_array());
    let mut x = [n[0], n[1], n[2], f[0], f[1], f[2]];
    for r in 0..6 {
        for k in 0..r {
            x[r] -= l[row(r) + k] * x[k];
        }
    }
    for r in 0..6 {
        x[r] /= l[row(r) + r];
    }
    for r in (0..6).rev() {
        for k in r + 1..6 {
            x[r] -= l[row(k) + r] * x[k];
        }
    }
    Motion::new(Vec3::new(x[0], x[1], x[2]), Vec3::new(x[3], x[4], x[5]))
}
