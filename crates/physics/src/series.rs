//! Free rotation of a body of general inertia as a power series in time.
//!
//! Without torque the angular momentum `L` is constant in the world, and Euler's equations and the
//! attitude's are products of what they determine: `I W' = (I W) x W`, `q' = q W / 2`. Their
//! Taylor coefficients therefore follow from each other by sums of products, to any order, and the
//! truncated series is the dense output itself. One piece of order 14 spans most of a radian at
//! rounding accuracy, where a Runge-Kutta step of order 5 spans a few hundredths.

use crate::body::BodyModel;
use crate::{Quat, Vec3};

/// Highest power kept.
const ORDER: usize = 14;
/// Size of the first neglected terms of a unit quaternion's components.
const TRUNCATION: f64 = 1e-14;
/// A body turning more slowly than this per second is still cut into pieces of bounded length.
const LONGEST_PIECE_S: f64 = 1024.0;

/// Attitude over `[start, end]` seconds since the segment began.
#[derive(Clone, Copy, Debug)]
pub struct Series {
    /// Start, seconds.
    pub start: f64,
    /// End, seconds.
    pub end: f64,
    /// Coefficients of the attitude (x, y, z, w) in powers of `t - start`.
    attitude: [[f64; 4]; ORDER + 1],
}

impl Series {
    /// The series of a body with attitude `rotation` and world angular momentum `momentum`.
    pub fn new(start: f64, rotation: Quat, momentum: Vec3, model: &BodyModel) -> Self {
        let inertia = model.mass.inertia;
        let spin = model.mass.inverse_inertia * (rotation.inverse() * momentum);
        let ratios = Vec3::new(
            (inertia.y - inertia.z) / inertia.x,
            (inertia.z - inertia.x) / inertia.y,
            (inertia.x - inertia.y) / inertia.z,
        );
        let mut spins = [Vec3::ZERO; ORDER + 1];
        let mut attitude = [[0.0; 4]; ORDER + 1];
        spins[0] = spin;
        attitude[0] = rotation.to_array();
        for k in 0..ORDER {
            let scale = 1.0 / (k + 1) as f64;
            spins[k + 1] = ratios * next_spin(&spins, k) * scale;
            attitude[k + 1] = next_attitude(&attitude, &spins, k).map(|c| c * 0.5 * scale);
        }
        Series {
            start,
            end: start + valid_seconds(&attitude),
            attitude,
        }
    }

    /// The attitude at `t` seconds, normalised.
    #[inline]
    pub fn rotation(&self, t: f64) -> Quat {
        let u = t - self.start;
        let mut sum = self.attitude[ORDER];
        for coefficients in self.attitude[..ORDER].iter().rev() {
            for (value, c) in sum.iter_mut().zip(coefficients) {
                *value = *value * u + c;
            }
        }
        let q = Quat::from_array(sum);
        q * (1.0 / q.length_squared().sqrt())
    }
}

/// Coefficient `k` of the products in Euler's equations.
#[inline]
fn next_spin(spins: &[Vec3; ORDER + 1], k: usize) -> Vec3 {
    let mut sum = Vec3::ZERO;
    for j in 0..=k {
        let (a, b) = (spins[j], spins[k - j]);
        sum += Vec3::new(a.y * b.z, a.z * b.x, a.x * b.y);
    }
    sum
}

/// Coefficient `k` of the product of attitude and spin.
#[inline]
fn next_attitude(
    attitude: &[[f64; 4]; ORDER + 1],
    spins: &[Vec3; ORDER + 1],
    k: usize,
) -> [f64; 4] {
    let mut sum = [0.0; 4];
    for j in 0..=k {
        let [x, y, z, w] = attitude[j];
        let s = spins[k - j];
        sum[0] += w * s.x + (y * s.z - z * s.y);
        sum[1] += w * s.y + (z * s.x - x * s.z);
        sum[2] += w * s.z + (x * s.y - y * s.x);
        sum[3] -= x * s.x + y * s.y + z * s.z;
    }
    sum
}

/// Seconds for which the last two terms stay below the truncation bound.
fn valid_seconds(attitude: &[[f64; 4]; ORDER + 1]) -> f64 {
    let mut seconds = LONGEST_PIECE_S;
    for power in [ORDER - 1, ORDER] {
        let size = attitude[power].iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        if size > 0.0 {
            let bound = libm::exp2(libm::log2(TRUNCATION / size) / power as f64);
            seconds = seconds.min(bound);
        }
    }
    seconds
}

/// Adds pieces until they reach beyond `until` seconds. Returns how many.
pub fn extend(
    pieces: &mut Vec<Series>,
    rotation: Quat,
    momentum: Vec3,
    model: &BodyModel,
    until: f64,
) -> u32 {
    let mut added = 0;
    loop {
        let (start, rotation) = match pieces.last() {
            Some(last) if last.end > until => return added,
            Some(last) => (last.end, last.rotation(last.end)),
            None => (0.0, rotation),
        };
        pieces.push(Series::new(start, rotation, momentum, model));
        added += 1;
    }
}

/// The piece that holds `t` seconds (the last one if `t` lies beyond).
#[inline]
pub fn piece_at(pieces: &[Series], t: f64) -> &Series {
    let index = pieces.partition_point(|p| p.end <= t);
    &pieces[index.min(pieces.len() - 1)]
}
