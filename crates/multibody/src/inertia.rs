//! Inertia of a rigid link, and articulated inertia: what a link feels like with all that hangs on it.

use crate::spatial::{Force, Motion, Sym3};
use crate::{Mat3, Vec3};
use std::ops::AddAssign;

/// Mass properties of a rigid body in the axes of its link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Inertia {
    /// kg.
    pub mass: f64,
    /// Centre of mass, from the link's origin, m.
    pub com: Vec3,
    /// Inertia about the centre of mass, kg·m².
    pub tensor: Sym3,
}

impl Inertia {
    /// No mass at all: links between the joints of a composite joint.
    pub const NONE: Inertia = Inertia {
        mass: 0.0,
        com: Vec3::ZERO,
        tensor: Sym3::ZERO,
    };

    /// Both bodies as one.
    pub fn and(self, other: Inertia) -> Inertia {
        let mass = self.mass + other.mass;
        let com = if mass > 0.0 {
            (self.com * self.mass + other.com * other.mass) / mass
        } else {
            Vec3::ZERO
        };
        let part = |b: Inertia| b.tensor + Sym3::point_mass(b.mass, b.com - com);
        Inertia {
            mass,
            com,
            tensor: part(self) + part(other),
        }
    }

    /// The same body seen from another frame, in which this one lies at `at`, turned by `turn`.
    pub fn placed(self, at: Vec3, turn: &Mat3) -> Inertia {
        Inertia {
            mass: self.mass,
            com: at + *turn * self.com,
            tensor: self.tensor.turned(turn),
        }
    }

    /// Moments of inertia about the principal axes, smallest first.
    pub fn principal(self) -> Vec3 {
        crate::eigen::symmetric(self.tensor).0
    }
}

/// A symmetric 6 by 6 inertia at a reference point, by blocks: it takes an acceleration (angular,
/// linear) to a force (moment, force) by `[rot, coupling; couplingᵀ, mass]`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Articulated {
    /// Moment of an angular acceleration.
    pub rot: Sym3,
    /// Rows of the block that takes linear accelerations to moments.
    pub coupling: [Vec3; 3],
    /// Force of a linear acceleration.
    pub mass: Sym3,
}

impl Articulated {
    /// A rigid body whose centre of mass lies `com` away from the reference point, with the inertia
    /// `tensor` about its centre of mass, in the same axes.
    #[inline(always)]
    pub fn rigid(mass: f64, com: Vec3, tensor: Sym3) -> Articulated {
        let h = com * mass;
        Articulated {
            rot: tensor + Sym3::point_mass(mass, com),
            coupling: [
                Vec3::new(0.0, -h.z, h.y),
                Vec3::new(h.z, 0.0, -h.x),
                Vec3::new(-h.y, h.x, 0.0),
            ],
            mass: Sym3::scalar(mass),
        }
    }

    /// The force that the acceleration `a` takes.
    #[inline(always)]
    pub fn times(&self, a: Motion) -> Force {
        let b = &self.coupling;
        Force::new(
            self.rot.times(a.ang) + Vec3::new(b[0].dot(a.lin), b[1].dot(a.lin), b[2].dot(a.lin)),
            self.transposed_coupling(a.ang) + self.mass.times(a.lin),
        )
    }

    #[inline(always)]
    pub(crate) fn transposed_coupling(&self, v: Vec3) -> Vec3 {
        let b = &self.coupling;
        b[0] * v.x + b[1] * v.y + b[2] * v.z
    }

    /// `self - u uᵀ s`: what is left when a joint gives way along a direction.
    #[inline(always)]
    pub fn without(&self, u: Force, s: f64) -> Articulated {
        let w = u.lin * s;
        let b = &self.coupling;
        Articulated {
            rot: self.rot - Sym3::outer(u.ang, s),
            coupling: [b[0] - w * u.ang.x, b[1] - w * u.ang.y, b[2] - w * u.ang.z],
            mass: self.mass - Sym3::outer(u.lin, s),
        }
    }

    /// The same inertia about a point from which the present one lies `r` away.
    #[inline(always)]
    pub fn about(&self, r: Vec3) -> Articulated {
        let b = &self.coupling;
        let (m0, m1, m2) = (self.mass.row0(), self.mass.row1(), self.mass.row2());
        // coupling' = coupling + [r] mass
        let n = [
            b[0] + m2 * r.y - m1 * r.z,
            b[1] + m0 * r.z - m2 * r.x,
            b[2] + m1 * r.x - m0 * r.y,
        ];
        // rot'(i, j) = rot(i, j) + (r × b_i)_j + (r × n_j)_i
        let cx = |v: Vec3| r.y * v.z - r.z * v.y;
        let cy = |v: Vec3| r.z * v.x - r.x * v.z;
        let cz = |v: Vec3| r.x * v.y - r.y * v.x;
        Articulated {
            rot: Sym3 {
                diagonal: self.rot.diagonal
                    + Vec3::new(
                        cx(b[0]) + cx(n[0]),
                        cy(b[1]) + cy(n[1]),
                        cz(b[2]) + cz(n[2]),
                    ),
                off: self.rot.off
                    + Vec3::new(
                        cz(b[1]) + cy(n[2]),
                        cz(b[0]) + cx(n[2]),
                        cy(b[0]) + cx(n[1]),
                    ),
            },
            coupling: n,
            mass: self.mass,
        }
    }
}

impl AddAssign for Articulated {
    #[inline(always)]
    fn add_assign(&mut self, o: Articulated) {
        self.rot = self.rot + o.rot;
        for k in 0..3 {
            self.coupling[k] += o.coupling[k];
        }
        self.mass = self.mass + o.mass;
    }
}
