//! Reproducible random numbers for generators: PCG underneath, libm for every distribution, so a seed
//! means the same scene on every machine.

use physics::{Quat, Vec3};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// A stream of random numbers.
pub(super) struct Random {
    generator: Pcg64Mcg,
    /// The second number of the last normal pair.
    spare: Option<f64>,
}

impl Random {
    pub fn new(seed: u64) -> Self {
        Random {
            generator: Pcg64Mcg::seed_from_u64(seed),
            spare: None,
        }
    }

    /// Uniform in `[low, high)`.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.generator.random::<f64>()
    }

    /// Uniform in a box.
    pub fn inside(&mut self, low: Vec3, high: Vec3) -> Vec3 {
        Vec3::new(
            self.between(low.x, high.x),
            self.between(low.y, high.y),
            self.between(low.z, high.z),
        )
    }

    /// Uniform among `0..count`.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.generator.random::<f64>() * count as f64) as usize).min(count.saturating_sub(1))
    }

    /// Normal with mean 0 and deviation 1 (Marsaglia's polar method).
    pub fn normal(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        loop {
            let (x, y) = (self.between(-1.0, 1.0), self.between(-1.0, 1.0));
            let s = x * x + y * y;
            if s > 0.0 && s < 1.0 {
                let factor = (-2.0 * libm::log(s) / s).sqrt();
                self.spare = Some(y * factor);
                return x * factor;
            }
        }
    }

    /// Three independent normals.
    pub fn normals(&mut self) -> Vec3 {
        Vec3::new(self.normal(), self.normal(), self.normal())
    }

    /// Uniform on the unit sphere.
    pub fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.inside(Vec3::NEG_ONE, Vec3::ONE);
            let length = v.length();
            if length > 1e-3 && length <= 1.0 {
                return v / length;
            }
        }
    }

    /// Uniform among all attitudes.
    pub fn attitude(&mut self) -> Quat {
        loop {
            let (a, b) = (self.normals(), self.normal());
            let q = Quat::from_xyzw(a.x, a.y, a.z, b);
            if q.length() > 1e-3 {
                return q.normalize();
            }
        }
    }
}
