//! Spatial vectors and inertias (Featherstone, *Rigid Body Dynamics Algorithms*, chapter 2). All
//! components are along the world's axes; the reference point is said by whoever holds the value
//! (here always the origin of a link), so that going from link to link is a translation only and
//! no 6 by 6 matrix is ever turned.

use crate::{Mat3, Vec3};
use std::ops::{Add, AddAssign, Mul, Neg, Sub};

/// A velocity or an acceleration: angular part, and linear part at the reference point.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Motion {
    /// Angular part, rad/s or rad/s².
    pub ang: Vec3,
    /// Linear part at the reference point, m/s or m/s².
    pub lin: Vec3,
}

/// A force or an impulse: moment about the reference point, and force.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Force {
    /// Moment about the reference point, N·m or N·m·s.
    pub ang: Vec3,
    /// Force, N or N·s.
    pub lin: Vec3,
}

macro_rules! vector_space {
    ($T:ident) => {
        impl $T {
            /// Nothing.
            pub const ZERO: $T = $T {
                ang: Vec3::ZERO,
                lin: Vec3::ZERO,
            };

            /// From its two parts.
            #[inline(always)]
            pub fn new(ang: Vec3, lin: Vec3) -> Self {
                $T { ang, lin }
            }
        }
        impl Add for $T {
            type Output = $T;
            #[inline(always)]
            fn add(self, o: $T) -> $T {
                $T::new(self.ang + o.ang, self.lin + o.lin)
            }
        }
        impl Sub for $T {
            type Output = $T;
            #[inline(always)]
            fn sub(self, o: $T) -> $T {
                $T::new(self.ang - o.ang, self.lin - o.lin)
            }
        }
        impl Neg for $T {
            type Output = $T;
            #[inline(always)]
            fn neg(self) -> $T {
                $T::new(-self.ang, -self.lin)
            }
        }
        impl Mul<f64> for $T {
            type Output = $T;
            #[inline(always)]
            fn mul(self, s: f64) -> $T {
                $T::new(self.ang * s, self.lin * s)
            }
        }
        impl AddAssign for $T {
            #[inline(always)]
            fn add_assign(&mut self, o: $T) {
                *self = *self + o;
            }
        }
    };
}
vector_space!(Motion);
vector_space!(Force);

impl Motion {
    /// The same motion seen at a point that lies `r` away from the reference point.
    #[inline(always)]
    pub fn at(self, r: Vec3) -> Motion {
        Motion::new(self.ang, self.lin + self.ang.cross(r))
    }

    /// Power of a force at the same reference point.
    #[inline(always)]
    pub fn dot(self, f: Force) -> f64 {
        self.ang.dot(f.ang) + self.lin.dot(f.lin)
    }

    /// How `m`, fixed in a frame that moves with `self`, changes.
    #[inline(always)]
    pub fn cross(self, m: Motion) -> Motion {
        Motion::new(
            self.ang.cross(m.ang),
            self.ang.cross(m.lin) + self.lin.cross(m.ang),
        )
    }

    /// How the force `f`, fixed in a frame that moves with `self`, changes.
    #[inline(always)]
    pub fn cross_force(self, f: Force) -> Force {
        Force::new(
            self.ang.cross(f.ang) + self.lin.cross(f.lin),
            self.ang.cross(f.lin),
        )
    }
}

impl Force {
    /// A force that attacks at `point`, seen from `reference`.
    #[inline(always)]
    pub fn at_point(force: Vec3, point: Vec3, reference: Vec3) -> Force {
        Force::new((point - reference).cross(force), force)
    }

    /// The same force about a point from which the present one lies `r` away.
    #[inline(always)]
    pub fn about(self, r: Vec3) -> Force {
        Force::new(self.ang + r.cross(self.lin), self.lin)
    }
}

/// A symmetric 3 by 3 matrix.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Sym3 {
    /// The diagonal.
    pub diagonal: Vec3,
    /// The entries yz, xz, xy.
    pub off: Vec3,
}

impl Sym3 {
    /// All entries 0.
    pub const ZERO: Sym3 = Sym3 {
        diagonal: Vec3::ZERO,
        off: Vec3::ZERO,
    };

    /// A multiple of the identity.
    #[inline(always)]
    pub fn scalar(s: f64) -> Sym3 {
        Sym3 {
            diagonal: Vec3::splat(s),
            off: Vec3::ZERO,
        }
    }

    /// From the diagonal and the entries xy, xz, yz.
    pub fn new(diagonal: Vec3, xy: f64, xz: f64, yz: f64) -> Sym3 {
        Sym3 {
            diagonal,
            off: Vec3::new(yz, xz, xy),
        }
    }

    /// The symmetric part of `m`.
    pub fn from_mat(m: Mat3) -> Sym3 {
        let half = |a: f64, b: f64| 0.5 * (a + b);
        Sym3::new(
            Vec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z),
            half(m.y_axis.x, m.x_axis.y),
            half(m.z_axis.x, m.x_axis.z),
            half(m.z_axis.y, m.y_axis.z),
        )
    }

    /// As a full matrix.
    pub fn to_mat(self) -> Mat3 {
        Mat3::from_cols(self.row0(), self.row1(), self.row2())
    }

    #[inline(always)]
    pub(crate) fn row0(self) -> Vec3 {
        Vec3::new(self.diagonal.x, self.off.z, self.off.y)
    }

    #[inline(always)]
    pub(crate) fn row1(self) -> Vec3 {
        Vec3::new(self.off.z, self.diagonal.y, self.off.x)
    }

    #[inline(always)]
    pub(crate) fn row2(self) -> Vec3 {
        Vec3::new(self.off.y, self.off.x, self.diagonal.z)
    }

    /// Matrix times vector.
    #[inline(always)]
    pub fn times(self, v: Vec3) -> Vec3 {
        Vec3::new(
            self.diagonal.x * v.x + self.off.z * v.y + self.off.y * v.z,
            self.off.z * v.x + self.diagonal.y * v.y + self.off.x * v.z,
            self.off.y * v.x + self.off.x * v.y + self.diagonal.z * v.z,
        )
    }

    /// `a aᵀ` times `s`.
    #[inline(always)]
    pub fn outer(a: Vec3, s: f64) -> Sym3 {
        let b = a * s;
        Sym3 {
            diagonal: a * b,
            off: Vec3::new(a.y * b.z, a.x * b.z, a.x * b.y),
        }
    }

    /// `R S Rᵀ`.
    #[inline(always)]
    pub fn turned(self, r: &Mat3) -> Sym3 {
        // rows of R, and R S by rows
        let (r0, r1, r2) = (r.row(0), r.row(1), r.row(2));
        let (t0, t1, t2) = (self.times(r0), self.times(r1), self.times(r2));
        Sym3 {
            diagonal: Vec3::new(t0.dot(r0), t1.dot(r1), t2.dot(r2)),
            off: Vec3::new(t1.dot(r2), t0.dot(r2), t0.dot(r1)),
        }
    }

    /// The inverse; entries are not finite when there is none.
    pub fn inverse(self) -> Sym3 {
        let (d, o) = (self.diagonal, self.off);
        let cofactor = Vec3::new(
            d.y * d.z - o.x * o.x,
            d.x * d.z - o.y * o.y,
            d.x * d.y - o.z * o.z,
        );
        let cross = Vec3::new(
            o.y * o.z - d.x * o.x,
            o.x * o.z - d.y * o.y,
            o.x * o.y - d.z * o.z,
        );
        let determinant = d.x * cofactor.x + o.z * cross.z + o.y * cross.y;
        let s = 1.0 / determinant;
        Sym3 {
            diagonal: cofactor * s,
            off: cross * s,
        }
    }

    /// What a point mass `mass` at `r` adds to the inertia about the reference point.
    #[inline(always)]
    pub fn point_mass(mass: f64, r: Vec3) -> Sym3 {
        let b = r * mass;
        let s = r * b;
        Sym3 {
            diagonal: Vec3::new(s.y + s.z, s.x + s.z, s.x + s.y),
            off: Vec3::new(-r.y * b.z, -r.x * b.z, -r.x * b.y),
        }
    }
}

impl Add for Sym3 {
    type Output = Sym3;
    #[inline(always)]
    fn add(self, o: Sym3) -> Sym3 {
        Sym3 {
            diagonal: self.diagonal + o.diagonal,
            off: self.off + o.off,
        }
    }
}

impl Sub for Sym3 {
    type Output = Sym3;
    #[inline(always)]
    fn sub(self, o: Sym3) -> Sym3 {
        Sym3 {
            diagonal: self.diagonal - o.diagonal,
            off: self.off - o.off,
        }
    }
}

impl Mul<f64> for Sym3 {
    type Output = Sym3;
    #[inline(always)]
    fn mul(self, s: f64) -> Sym3 {
        Sym3 {
            diagonal: self.diagonal * s,
            off: self.off * s,
        }
    }
}
