//! What a shell is made of and how a driven vertex moves: the constants a scene gives.

use crate::acm::{ShellError, Tick, seconds};
use glamx::DVec3;

/// Material of a thin shell. The defaults are a stand-in for a light cotton: the material tables
/// of Harmon et al. 2009 are not public.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Material {
    /// Young's modulus in Pa.
    pub young_pa: f64,
    /// Poisson's ratio, in [0, 0.5).
    pub poisson: f64,
    /// Density in kg/m^3.
    pub density_kg_m3: f64,
    /// Thickness in m.
    pub thickness_m: f64,
    /// Bending stiffness kb in J.
    pub bending_j: f64,
    /// Ratio of viscous to elastic stress in s; 0 for no dissipation.
    pub damping_s: f64,
    /// Fraction of the linear stability limit used as the step; below 1, since stretched shells
    /// stiffen and asynchronous integrators resonate. At the default of 0.25 the energy of elastic
    /// crumpling has no drift; 0.5 is enough where something dissipates.
    pub step_fraction: f64,
}

impl Default for Material {
    fn default() -> Material {
        Material {
            young_pa: 1.0e6,
            poisson: 0.2,
            density_kg_m3: 500.0,
            thickness_m: 4.0e-4,
            bending_j: 1.0e-6,
            damping_s: 0.0,
            step_fraction: 0.25,
        }
    }
}

impl Material {
    /// Lame coefficients (lambda, mu) in plane stress, in Pa.
    pub fn plane_stress_lame(&self) -> (f64, f64) {
        let nu = self.poisson;
        (
            self.young_pa * nu / (1.0 - nu * nu),
            self.young_pa / (2.0 * (1.0 + nu)),
        )
    }

    /// Rejects values for which the energy is not convex at rest or the step is not positive.
    pub fn validate(&self) -> Result<(), ShellError> {
        require(
            "young_pa",
            self.young_pa,
            self.young_pa > 0.0,
            "a positive modulus in Pa",
        )?;
        require(
            "poisson",
            self.poisson,
            (0.0..0.5).contains(&self.poisson),
            "a ratio in [0, 0.5)",
        )?;
        require(
            "density_kg_m3",
            self.density_kg_m3,
            self.density_kg_m3 > 0.0,
            "a positive density in kg/m^3",
        )?;
        require(
            "thickness_m",
            self.thickness_m,
            self.thickness_m > 0.0,
            "a positive thickness in m",
        )?;
        require(
            "bending_j",
            self.bending_j,
            self.bending_j >= 0.0,
            "a non-negative stiffness in J",
        )?;
        require(
            "damping_s",
            self.damping_s,
            self.damping_s >= 0.0,
            "a non-negative time in s",
        )?;
        let fraction_ok = self.step_fraction > 0.0 && self.step_fraction <= 1.0;
        require(
            "step_fraction",
            self.step_fraction,
            fraction_ok,
            "a fraction in (0, 1]",
        )
    }
}

/// Fails with the parameter's name when `ok` is false or the value is not finite.
pub(crate) fn require(
    name: &'static str,
    value: f64,
    ok: bool,
    expected: &'static str,
) -> Result<(), ShellError> {
    if ok && value.is_finite() {
        Ok(())
    } else {
        Err(ShellError::BadParameter {
            name,
            value,
            expected,
        })
    }
}

/// Motion of a kinematic body: a rotation about a fixed line and a shift, both linear in time
/// between their keys and constant outside them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Motion {
    /// A point of the rotation axis, in m.
    pub centre: DVec3,
    /// Unit direction of the rotation axis.
    pub axis: DVec3,
    /// Keys (time in s, angle in rad), times ascending.
    pub angle: Vec<(f64, f64)>,
    /// Keys (time in s, displacement in m), times ascending.
    pub shift: Vec<(f64, DVec3)>,
}

impl Motion {
    /// A body that never moves.
    pub fn fixed() -> Motion {
        Motion::default()
    }

    /// A straight motion through the given displacements.
    pub fn shifted(keys: Vec<(f64, DVec3)>) -> Motion {
        Motion {
            shift: keys,
            ..Motion::default()
        }
    }

    /// A rotation through the given angles.
    pub fn turned(centre: DVec3, axis: DVec3, keys: Vec<(f64, f64)>) -> Motion {
        Motion {
            centre,
            axis: axis.normalize_or_zero(),
            angle: keys,
            shift: Vec::new(),
        }
    }

    /// True if no key ever moves the body.
    pub fn is_fixed(&self) -> bool {
        self.angle.is_empty() && self.shift.is_empty()
    }

    /// Where the point that starts at `rest` is at tick `t`.
    pub fn place(&self, rest: DVec3, t: Tick) -> DVec3 {
        let t = seconds(t);
        let mut x = rest;
        if let Some(angle) = between(&self.angle, t, |a, b, s| a + (b - a) * s) {
            let (sin, cos) = libm::sincos(angle);
            let r = x - self.centre;
            let along = self.axis * self.axis.dot(r);
            x = self.centre + along + (r - along) * cos + self.axis.cross(r) * sin;
        }
        if let Some(shift) = between(&self.shift, t, |a, b, s| a + (b - a) * s) {
            x += shift;
        }
        x
    }
}

fn between<V: Copy>(keys: &[(f64, V)], t: f64, mix: impl Fn(V, V, f64) -> V) -> Option<V> {
    let next = keys.partition_point(|k| k.0 <= t);
    match (next.checked_sub(1).map(|i| keys[i]), keys.get(next)) {
        (None, first) => first.map(|k| k.1),
        (Some(last), None) => Some(last.1),
        (Some((t0, a)), Some(&(t1, b))) => Some(mix(a, b, (t - t0) / (t1 - t0))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::acm::TICKS_PER_SECOND;

    #[test]
    fn motion_follows_its_keys() {
        let m = Motion::turned(
            DVec3::X,
            DVec3::Z,
            vec![(1.0, 0.0), (3.0, std::f64::consts::PI)],
        );
        let at = |s: i64| m.place(DVec3::ZERO, s * TICKS_PER_SECOND);
        assert_eq!(at(0), DVec3::ZERO);
        assert!((at(2) - DVec3::new(1.0, -1.0, 0.0)).length() < 1e-15);
        assert!((at(9) - DVec3::new(2.0, 0.0, 0.0)).length() < 1e-15);
    }

    #[test]
    fn a_bad_material_is_named() {
        let error = Material {
            poisson: 0.5,
            ..Material::default()
        }
        .validate()
        .expect_err("incompressible");
        assert!(error.to_string().starts_with("poisson is 0.5"), "{error}");
    }
}
