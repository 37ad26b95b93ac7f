//! Hinge bending (discrete shells): energy kappa (theta - theta0)^2 over the dihedral angle of the
//! two triangles at an edge. Pure functions of four positions and velocities.

use crate::acm::Material;
use glamx::DVec3;

/// One bending element: edge (0, 1) with opposite vertices 2 and 3.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hinge {
    /// The stencil, in the model's order.
    pub vertices: [u32; 4],
    /// Rest angle in rad, zero when flat.
    pub(crate) rest_angle: f64,
    /// Stiffness in J / rad^2.
    pub(crate) stiffness: f64,
    /// Ratio of viscous to elastic moment, in s.
    pub(crate) damping_s: f64,
}

impl Hinge {
    /// A hinge that is relaxed in the configuration `rest`.
    pub fn new(vertices: [u32; 4], rest: [DVec3; 4], material: &Material) -> Hinge {
        let edge = rest[1] - rest[0];
        let twice_areas =
            edge.cross(rest[2] - rest[0]).length() + (rest[3] - rest[0]).cross(edge).length();
        Hinge {
            vertices,
            rest_angle: angle_and_gradient(rest).0,
            stiffness: 3.0 * material.bending_j * edge.length_squared() / (0.5 * twice_areas),
            damping_s: material.damping_s,
        }
    }

    /// Stored energy in J.
    pub fn energy(&self, x: [DVec3; 4]) -> f64 {
        let bend = wrap(angle_and_gradient(x).0 - self.rest_angle);
        self.stiffness * bend * bend
    }

    /// Forces in N on the four vertices; they sum to zero up to rounding.
    #[inline(always)]
    pub fn force(&self, x: [DVec3; 4], v: [DVec3; 4]) -> [DVec3; 4] {
        let (angle, gradient) = angle_and_gradient(x);
        let mut bend = wrap(angle - self.rest_angle);
        if self.damping_s > 0.0 {
            let rate: f64 = gradient[0].dot(v[0])
                + gradient[1].dot(v[1])
                + gradient[2].dot(v[2])
                + gradient[3].dot(v[3]);
            bend += self.damping_s * rate;
        }
        gradient.map(|g| g * (-2.0 * self.stiffness * bend))
    }

    /// Squared frequency contributed at rest, given each vertex's inverse mass in 1/kg already
    /// multiplied by the number of hinges that share the vertex (mass splitting).
    pub fn frequency_bound_squared(&self, rest: [DVec3; 4], split_inverse_mass: [f64; 4]) -> f64 {
        let gradient = angle_and_gradient(rest).1;
        let sum: f64 = gradient
            .iter()
            .zip(split_inverse_mass)
            .map(|(g, w)| g.length_squared() * w)
            .sum();
        2.0 * self.stiffness * sum
    }
}

/// The difference of two angles taken to (-pi, pi]: a fold that is pressed flat from either side
/// must not see the branch cut of the angle.
#[inline(always)]
pub(crate) fn wrap(angle: f64) -> f64 {
    use std::f64::consts::{PI, TAU};
    if angle > PI {
        angle - TAU
    } else if angle <= -PI {
        angle + TAU
    } else {
        angle
    }
}

/// The arc tangent of a quarter of an angle, over the quarter, by powers of its square: interpolated
/// at Chebyshev nodes, good to 1e-16.
pub(crate) const ATAN: [f64; 11] = [
    1.0,
    -0.333_333_333_333_281_9,
    0.199_999_999_988_031_95,
    -0.142_857_141_768_119_8,
    0.111_111_060_116_989_92,
    -0.090_907_691_648_889_29,
    0.076_898_985_691_519_25,
    -0.066_397_580_592_267_36,
    0.056_858_656_883_771_01,
    -0.043_408_966_388_329_424,
    0.021_047_975_818_354_468,
];

/// The angle whose sine and cosine are given times `size`: four times the arc tangent of a quarter
/// of it, by a polynomial, obtuse angles by their supplement. Without branches, since general
/// trigonometry would cost more than the rest.
#[inline(always)]
pub(crate) fn angle_of(sine: f64, cosine: f64, size: f64) -> f64 {
    let half = sine / (size + cosine.abs());
    let quarter = half / (1.0 + (1.0 + half * half).sqrt());
    let square = quarter * quarter;
    let acute = 4.0
        * quarter
        * ATAN
            .iter()
            .rev()
            .fold(0.0f64, |sum, &c| sum.mul_add(square, c));
    if cosine < 0.0 {
        std::f64::consts::PI.copysign(sine) - acute
    } else {
        acute
    }
}

#[inline(always)]
pub(crate) fn angle_and_gradient(x: [DVec3; 4]) -> (f64, [DVec3; 4]) {
    let (e, a2, a3) = (x[1] - x[0], x[2] - x[0], x[3] - x[0]);
    let length = e.length();
    let (n1, n2) = (e.cross(a2), a3.cross(e));
    let (q1, q2) = (n1.length_squared(), n2.length_squared());
    let (u1, u2) = (n1 / q1, n2 / q2);
    let sine = n1.cross(n2).dot(e) / length;
    let angle = angle_of(sine, n1.dot(n2), (q1 * q2).sqrt());
    let (s2, s3) = (a2.dot(e) / length, a3.dot(e) / length);
    let g1 = u1 * s2 + u2 * s3;
    let g0 = u1 * (length - s2) + u2 * (length - s3);
    (angle, [g0, g1, u1 * -length, u2 * -length])
}

#[cfg(test)]
mod tests {
    use super::*;

    const BENT: [DVec3; 4] = [
        DVec3::new(0.001, 0.0, 0.0),
        DVec3::new(0.011, 0.001, 0.0),
        DVec3::new(0.004, 0.009, 0.003),
        DVec3::new(0.006, -0.008, 0.004),
    ];

    fn flat() -> Hinge {
        let rest = [
            DVec3::ZERO,
            DVec3::X * 0.01,
            DVec3::new(0.004, 0.009, 0.0),
            DVec3::new(0.006, -0.008, 0.0),
        ];
        Hinge::new([0, 1, 2, 3], rest, &Material::default())
    }

    #[test]
    fn force_is_minus_the_gradient_of_the_energy() {
        let hinge = flat();
        let forces = hinge.force(BENT, [DVec3::ZERO; 4]);
        let h = 1e-8;
        for (i, force) in forces.iter().enumerate() {
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let moved = |s: f64| {
                    let mut y = BENT;
                    y[i] += axis * (s * h);
                    hinge.energy(y)
                };
                let slope = -(moved(1.0) - moved(-1.0)) / (2.0 * h);
                // h / 0.01 m = 1e-6, so the quadratic truncation is 1e-12 and rounding 1e-10
                assert!(
                    (slope - force.dot(axis)).abs() < 1e-6 * force.length(),
                    "{slope} {force}"
                );
            }
        }
    }

    #[test]
    fn polynomial_angle_is_the_arc_tangent() {
        for k in -1000..=1000 {
            let angle = 3.1 * f64::from(k) / 1000.0;
            let (sin, cos) = libm::sincos(angle);
            // a dozen rounded operations on an angle of up to 3.1
            assert!(
                (angle_of(2.0 * sin, 2.0 * cos, 2.0) - angle).abs() < 1e-14,
                "{angle}"
            );
        }
    }

    #[test]
    fn forces_carry_no_net_force_and_no_torque() {
        let f = flat().force(BENT, [DVec3::X, DVec3::Y, DVec3::Z, -DVec3::X]);
        let size: f64 = f.iter().map(|f| f.length()).sum();
        let net: DVec3 = f.iter().copied().sum();
        let torque: DVec3 = f.iter().zip(BENT).map(|(f, x)| x.cross(*f)).sum();
        assert!(net.length() < 1e-14 * size);
        assert!(torque.length() < 1e-15 * size);
    }
}
