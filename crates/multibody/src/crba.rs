//! The mass matrix by composite rigid bodies (Featherstone, chapter 6).

use crate::inertia::Articulated;
use crate::model::{Kind, Link};
use crate::spatial::{Force, Motion};
use crate::workspace::State;
use crate::{Multibody, Vec3, Workspace};

/// The motion that a unit velocity of the joint's freedom `c` gives its link, about its origin.
pub(crate) fn direction(link: &Link, s: &State, c: usize) -> Motion {
    match link.kind {
        Kind::Fixed => Motion::ZERO,
        Kind::Hinge => Motion::new(s.axis, Vec3::ZERO),
        Kind::Slide => Motion::new(Vec3::ZERO, s.axis),
        Kind::Ball => Motion::new(s.rot.col(c), Vec3::ZERO),
        Kind::Free if c < 3 => Motion::new(Vec3::ZERO, Vec3::AXES[c]),
        Kind::Free => Motion::new(s.rot.col(c - 3), Vec3::ZERO),
    }
}

/// How many freedoms.
pub(crate) fn freedoms(kind: Kind) -> usize {
    match kind {
        Kind::Fixed => 0,
        Kind::Hinge | Kind::Slide => 1,
        Kind::Ball => 3,
        Kind::Free => 6,
    }
}

impl Multibody {
    /// The symmetric mass matrix for the positions `q`, by rows: `velocities()` squared entries.
    pub fn mass_matrix(&self, q: &[f64], ws: &mut Workspace, m: &mut [f64]) {
        ws.tau.fill(0.0);
        let zero = std::mem::take(&mut ws.tau);
        self.kinematics(q, &zero, ws);
        ws.tau = zero;
        self.mass_matrix_here(ws, m);
    }

    /// The same where kinematics has left the links.
    pub fn mass_matrix_here(&self, ws: &mut Workspace, m: &mut [f64]) {
        let n = self.velocities();
        m[..n * n].fill(0.0);
        for (k, link) in self.links.iter().enumerate() {
            let s = &mut ws.states[k + 1];
            let tensor = link.tensor.turned(&s.rot);
            s.inertia = Articulated::rigid(link.mass, s.rot * link.com, tensor);
        }
        for k in (0..self.links.len()).rev() {
            let link = &self.links[k];
            let count = freedoms(link.kind);
            for c in 0..count {
                let s = &ws.states[k + 1];
                let column = link.v as usize + c;
                let mut force: Force = s.inertia.times(direction(link, s, c));
                m[column * n + column] += link.armature;
                let mut at = k;
                loop {
                    let (other, o) = (&self.links[at], &ws.states[at + 1]);
                    for r in 0..freedoms(other.kind) {
                        let row = other.v as usize + r;
                        let entry = direction(other, o, r).dot(force);
                        if at != k || row <= column {
                            m[row * n + column] += entry;
                            if row != column {
                                m[column * n + row] += entry;
                            }
                        }
                    }
                    if other.parent == 0 {
                        break;
                    }
                    force = force.about(o.offset);
                    at = other.parent as usize - 1;
                }
            }
            if link.parent > 0 {
                let (before, after) = ws.states.split_at_mut(k + 1);
                let whole = after[0].inertia.about(after[0].offset);
                before[link.parent as usize].inertia += whole;
            }
        }
    }
}
