//! The arithmetic of the fused kernel, a block of elements at a time. The loops are plain so that
//! the compiler can use the widest vectors that the processor has; no operation is contracted, so
//! every processor gives the same bytes.

use super::facets::{FacetBlock, HingeBlock, LANES, Row};
use super::hinge::{angle_of, wrap};
use super::quads::Quads;
use glamx::DVec3;

/// Three coordinates of a block.
pub(super) type Rows = [Row; 3];

/// Positions (m) and velocities (m/s) of the corners of a block of triangles.
#[derive(Debug, Clone)]
pub(super) struct Corners {
    pub x: [Rows; 3],
    pub v: [Rows; 3],
}

/// What a block of triangles tells its hinges and keeps for itself.
#[derive(Debug, Clone)]
pub(super) struct FacetForces {
    /// Normal divided by twice the area, in 1/m^2 times m: n / |n|^2.
    pub normal: Rows,
    /// For each side where the opposite corner stands over it, as a fraction of the side.
    pub foot: Rows,
    /// Normals by slot, and for each side how fast the triangle turns about it, over the side's length,
    /// in rad/(m s), by slot: what hinges read.
    pub told_normal: Quads,
    pub told_turn: Quads,
    /// Stretching forces on corners 1 and 2, in N; corner 0 takes minus their sum.
    pub stretch: [Rows; 2],
}

/// What a block of hinges reads.
#[derive(Debug, Clone)]
pub(super) struct HingeInputs {
    pub edge: Rows,
    pub normal: [Rows; 2],
    pub turn: [Row; 2],
}

#[inline(always)]
fn at(rows: &Rows, i: usize) -> DVec3 {
    DVec3::new(rows[0][i], rows[1][i], rows[2][i])
}

#[inline(always)]
fn set(rows: &mut Rows, i: usize, a: DVec3) {
    (rows[0][i], rows[1][i], rows[2][i]) = (a.x, a.y, a.z);
}

/// Stretching forces, normals, and what the hinges need.
#[inline(always)]
pub(super) fn stretch(c: &FacetBlock, corners: &Corners, out: &mut FacetForces, turns: &mut Rows) {
    for i in 0..LANES {
        let (x0, v0) = (at(&corners.x[0], i), at(&corners.v[0], i));
        let (v1, v2) = (at(&corners.v[1], i), at(&corners.v[2], i));
        let (d1, d2) = (at(&corners.x[1], i) - x0, at(&corners.x[2], i) - x0);
        let (w1, w2) = (v1 - v0, v2 - v0);
        let [b00, b01, b11] = [0, 1, 2].map(|k| c.inverse_rest[k][i]);
        let (f1, f2) = (d1 * b00, d1 * b01 + d2 * b11);
        let (r1, r2) = (w1 * b00, w1 * b01 + w2 * b11);
        let damping = c.damping_s[i];
        let g11 = 0.5 * (f1.dot(f1) - 1.0) + damping * f1.dot(r1);
        let g22 = 0.5 * (f2.dot(f2) - 1.0) + damping * f2.dot(r2);
        let g12 = 0.5 * (f1.dot(f2) + damping * (f1.dot(r2) + f2.dot(r1)));
        let (volumetric, shear) = (c.lambda[i] * (g11 + g22), 2.0 * c.mu[i]);
        let (s11, s22, s12) = (
            volumetric + shear * g11,
            volumetric + shear * g22,
            shear * g12,
        );
        let (p1, p2) = (f1 * s11 + f2 * s12, f1 * s12 + f2 * s22);
        set(&mut out.stretch[0], i, -(p1 * b00 + p2 * b01));
        set(&mut out.stretch[1], i, -(p2 * b11));
        let n = d1.cross(d2);
        let (l0, l2, mixed) = (d1.dot(d1), d2.dot(d2), d1.dot(d2));
        let l1 = l0 + l2 - 2.0 * mixed;
        // two divisions for four quotients
        let square = n.length_squared();
        let (one, other) = (1.0 / (square * l0), 1.0 / (l1 * l2));
        let u = n * (one * l0);
        set(&mut out.normal, i, u);
        let foot = DVec3::new(
            mixed * (one * square),
            (l0 - mixed) * (other * l2),
            (l2 - mixed) * (other * l1),
        );
        set(&mut out.foot, i, foot);
        let (n0, n1, n2) = (u.dot(v0), u.dot(v1), u.dot(v2));
        let turn = DVec3::new(
            n0 + foot.x * (n1 - n0) - n2,
            n1 + foot.y * (n2 - n1) - n0,
            n2 + foot.z * (n0 - n2) - n1,
        );
        set(turns, i, turn);
    }
}

/// Moments of a block of hinges times the length of their edges, in J m.
#[inline(always)]
pub(super) fn bend(c: &HingeBlock, given: &HingeInputs, moments: &mut Row) {
    for i in 0..LANES {
        let (e, u1, u2) = (
            at(&given.edge, i),
            at(&given.normal[0], i),
            at(&given.normal[1], i),
        );
        let [f1, f2] = [0, 1].map(|k| c.facing[k][i]);
        let (both, length) = (f1 * f2, e.length());
        // all three times the length, which saves a division
        let sine = both * u1.cross(u2).dot(e);
        let size = (u1.length_squared() * u2.length_squared()).sqrt() * length;
        let angle = angle_of(sine, both * u1.dot(u2) * length, size);
        let turn = f1 * given.turn[0][i] + f2 * given.turn[1][i];
        let bend = wrap(angle - c.rest_angle[i]) + c.damping_s[i] * (length * turn);
        moments[i] = (-2.0 * c.stiffness[i] * bend) * length;
    }
}

/// Forces on the three corners, in N: stretching, and the moments of the three sides.
#[inline(always)]
pub(super) fn join(c: &FacetBlock, f: &FacetForces, moments: &Rows, out: &mut [Rows; 3]) {
    for i in 0..LANES {
        let [m0, m1, m2] = [0, 1, 2].map(|k| c.facing[k][i] * moments[k][i]);
        let [a0, a1, a2] = [0, 1, 2].map(|k| f.foot[k][i]);
        let (u, f1, f2) = (at(&f.normal, i), at(&f.stretch[0], i), at(&f.stretch[1], i));
        let s1 = m0 * a0 + m1 * (1.0 - a1) - m2;
        let s2 = m1 * a1 + m2 * (1.0 - a2) - m0;
        let (f1, f2) = (f1 + u * s1, f2 + u * s2);
        set(&mut out[0], i, -(f1 + f2));
        set(&mut out[1], i, f1);
        set(&mut out[2], i, f2);
    }
}

impl Corners {
    pub const ZERO: Corners = Corners {
        x: [[[0.0; LANES]; 3]; 3],
        v: [[[0.0; LANES]; 3]; 3],
    };
}

impl FacetForces {
    pub const ZERO: FacetForces = FacetForces {
        normal: [[0.0; LANES]; 3],
        foot: [[0.0; LANES]; 3],
        told_normal: Quads::ZERO,
        told_turn: Quads::ZERO,
        stretch: [[[0.0; LANES]; 3]; 2],
    };
}

impl HingeInputs {
    pub const ZERO: HingeInputs = HingeInputs {
        edge: [[0.0; LANES]; 3],
        normal: [[[0.0; LANES]; 3]; 2],
        turn: [[0.0; LANES]; 2],
    };
}
