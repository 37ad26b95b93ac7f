//! Constant-strain St Venant-Kirchhoff triangle: in-plane energy, force and strain-rate damping.
//! Pure functions of three positions and velocities; coefficients are folded with the rest area
//! and the thickness once, when the model is built.

use crate::acm::{Material, ShellError};
use glamx::DVec3;

/// One membrane element.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Membrane {
    /// The triangle's vertices, in the model's order.
    pub vertices: [u32; 3],
    /// Inverse of the rest-shape matrix Dm, row by row, in 1/m.
    pub(crate) inverse_rest: [f64; 4],
    /// A0 tau lambda, in J.
    pub(crate) lambda: f64,
    /// A0 tau mu, in J.
    pub(crate) mu: f64,
    /// Ratio of viscous to elastic stress, in s.
    pub(crate) damping_s: f64,
}

/// Deformation gradient as its two columns, and the Green strain (g11, g22, g12).
struct Strain {
    f1: DVec3,
    f2: DVec3,
    green: [f64; 3],
}

impl Membrane {
    /// An element whose rest shape is the triangle `rest`.
    pub fn new(
        vertices: [u32; 3],
        rest: [DVec3; 3],
        material: &Material,
    ) -> Result<Membrane, ShellError> {
        let (e1, e2) = (rest[1] - rest[0], rest[2] - rest[0]);
        let area = 0.5 * e1.cross(e2).length();
        if area.is_nan() || area <= 0.0 {
            return Err(ShellError::DegenerateTriangle {
                triangle: vertices[0] as usize,
                area,
            });
        }
        // Dm in the plane's own frame: columns (l1, 0) and (e2.x, 2A/l1)
        let l1 = e1.length();
        let (m00, m01, m11) = (l1, e2.dot(e1) / l1, 2.0 * area / l1);
        let volume = area * material.thickness_m;
        let (lambda, mu) = material.plane_stress_lame();
        Ok(Membrane {
            vertices,
            inverse_rest: [1.0 / m00, -m01 / (m00 * m11), 0.0, 1.0 / m11],
            lambda: volume * lambda,
            mu: volume * mu,
            damping_s: material.damping_s,
        })
    }

    #[inline(always)]
    fn gradient(&self, d1: DVec3, d2: DVec3) -> (DVec3, DVec3) {
        let [b00, b01, _, b11] = self.inverse_rest;
        (d1 * b00, d1 * b01 + d2 * b11)
    }

    #[inline(always)]
    fn strain(&self, x: [DVec3; 3]) -> Strain {
        let (f1, f2) = self.gradient(x[1] - x[0], x[2] - x[0]);
        let green = [
            0.5 * (f1.dot(f1) - 1.0),
            0.5 * (f2.dot(f2) - 1.0),
            0.5 * f1.dot(f2),
        ];
        Strain { f1, f2, green }
    }

    /// Stored energy in J.
    pub fn energy(&self, x: [DVec3; 3]) -> f64 {
        let [g11, g22, g12] = self.strain(x).green;
        let trace = g11 + g22;
        0.5 * self.lambda * trace * trace + self.mu * (g11 * g11 + g22 * g22 + 2.0 * g12 * g12)
    }

    /// Forces in N on the second and the third vertex; the first takes minus their sum, so that
    /// momentum is conserved by construction.
    #[inline(always)]
    pub fn force(&self, x: [DVec3; 3], v: [DVec3; 3]) -> [DVec3; 2] {
        let Strain {
            f1,
            f2,
            green: [mut g11, mut g22, mut g12],
        } = self.strain(x);
        if self.damping_s > 0.0 {
            let (r1, r2) = self.gradient(v[1] - v[0], v[2] - v[0]);
            g11 += self.damping_s * f1.dot(r1);
            g22 += self.damping_s * f2.dot(r2);
            g12 += self.damping_s * 0.5 * (f1.dot(r2) + f2.dot(r1));
        }
        let volumetric = self.lambda * (g11 + g22);
        let (s11, s22, s12) = (
            volumetric + 2.0 * self.mu * g11,
            volumetric + 2.0 * self.mu * g22,
            2.0 * self.mu * g12,
        );
        let (p1, p2) = (f1 * s11 + f2 * s12, f1 * s12 + f2 * s22);
        let [b00, b01, _, b11] = self.inverse_rest;
        [-(p1 * b00 + p2 * b01), -(p2 * b11)]
    }
}

/// Bound on the squared angular frequency of any mode of a triangle whose vertices carry a third
/// of its mass each: 3 C sum(1 / altitude^2) / rho, with C the largest plane-stress modulus.
pub fn frequency_bound_squared(rest: [DVec3; 3], material: &Material) -> f64 {
    let twice_area = (rest[1] - rest[0]).cross(rest[2] - rest[0]).length();
    let sides = [rest[2] - rest[1], rest[0] - rest[2], rest[1] - rest[0]];
    let gradients: f64 =
        sides.iter().map(|s| s.length_squared()).sum::<f64>() / (twice_area * twice_area);
    3.0 * material.young_pa / (1.0 - material.poisson) * gradients / material.density_kg_m3
}

#[cfg(test)]
mod tests {
    use super::*;

    const REST: [DVec3; 3] = [
        DVec3::ZERO,
        DVec3::new(0.02, 0.0, 0.001),
        DVec3::new(0.004, 0.015, 0.0),
    ];

    #[test]
    fn force_is_minus_the_gradient_of_the_energy() {
        let element = Membrane::new([0, 1, 2], REST, &Material::default()).expect("a triangle");
        let x = [
            DVec3::new(0.001, 0.002, 0.003),
            DVec3::new(0.025, -0.003, 0.004),
            DVec3::new(0.0, 0.02, -0.004),
        ];
        let [f1, f2] = element.force(x, [DVec3::ZERO; 3]);
        let forces = [-(f1 + f2), f1, f2];
        // central differences: truncation h^2 = 1e-12 of a quartic, rounding 1e-16 E / h = 1e-11
        let h = 1e-7;
        for (i, force) in forces.iter().enumerate() {
            for axis in [DVec3::X, DVec3::Y, DVec3::Z] {
                let moved = |s: f64| {
                    let mut y = x;
                    y[i] += axis * (s * h);
                    element.energy(y)
                };
                let slope = -(moved(1.0) - moved(-1.0)) / (2.0 * h);
                assert!(
                    (slope - force.dot(axis)).abs() < 1e-6 * force.length(),
                    "{slope} {force}"
                );
            }
        }
    }

    #[test]
    fn rigid_motion_stores_no_energy() {
        let element = Membrane::new([0, 1, 2], REST, &Material::default()).expect("a triangle");
        let turn = glamx::DQuat::from_axis_angle(DVec3::new(0.6, 0.0, 0.8), 1.1);
        let x = REST.map(|p| turn * p + DVec3::new(1.0, -2.0, 0.5));
        let stretched = REST.map(|p| p * 1.01);
        // coordinates of size 1 carry 1e-16 of error over 0.02 m: strain 1e-14, energy its square
        assert!(element.energy(x) < 1e-20 * element.energy(stretched) + 1e-24);
        let spin = x.map(|p| DVec3::new(3.0, 1.0, -2.0).cross(p));
        let damped = Membrane {
            damping_s: 1e-3,
            ..element
        };
        let [f1, f2] = damped.force(x, spin);
        let [s1, s2] = element.force(stretched, [DVec3::ZERO; 3]);
        assert!(f1.length() + f2.length() < 1e-9 * (s1.length() + s2.length()));
    }
}
