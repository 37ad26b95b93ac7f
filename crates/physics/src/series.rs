//! Free rotation of a body of general inertia as a power series in time.
//!
//! Without torque the angular momentum `L` is constant in the world, and Euler's equations and the
//! attitude's are products of what they determine: `I W' = (I W) x W`, `q' = q W / 2`. Their
//! Taylor coefficients therefore follow from each other by sums of products, to any order, and the
//! truncated series is the dense output itself. One piece of order 16 spans most of a radian at
//! rounding accuracy, where a Runge-Kutta step of order 5 spans a few hundredths.

use crate::body::BodyModel;
use crate::{Quat, Vec3};

/// Highest power kept.
const ORDER: usize = 16;
/// Size of the first neglected terms of a unit quaternion's components.
const TRUNCATION: f64 = 1e-13;
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
        let mut spins = [[0.0; 3]; ORDER + 1];
        let mut attitude = [[0.0; 4]; ORDER + 1];
        // The attitude's coefficients as the three components of a spin multiply them.
        let mut turns = [[[0.0; 4]; 3]; ORDER + 1];
        spins[0] = spin.to_array();
        attitude[0] = rotation.to_array();
        for k in 0..ORDER {
            let [x, y, z, w] = attitude[k];
            turns[k] = [[w, z, -y, -x], [-z, w, x, -y], [y, -x, w, -z]];
            let scale = 1.0 / (k + 1) as f64;
            let (rate, turn) = next(&spins, &turns, k);
            spins[k + 1] = [
                ratios.x * rate[0] * scale,
                ratios.y * rate[1] * scale,
                ratios.z * rate[2] * scale,
            ];
            attitude[k + 1] = turn.map(|c| c * (0.5 * scale));
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

/// Coefficients `k` of the products in Euler's equations and in the attitude's. Four lanes at a time.
#[inline]
fn next(
    spins: &[[f64; 3]; ORDER + 1],
    turns: &[[[f64; 4]; 3]; ORDER + 1],
    k: usize,
) -> ([f64; 3], [f64; 4]) {
    let (mut rate, mut turn) = ([0.0; 3], [0.0; 4]);
    let backwards = spins[..=k].iter().rev();
    for ((a, b), [x, y, z]) in spins[..=k].iter().zip(backwards).zip(&turns[..=k]) {
        rate[0] += a[1] * b[2];
        rate[1] += a[2] * b[0];
        rate[2] += a[0] * b[1];
        for lane in 0..4 {
            turn[lane] += b[0] * x[lane] + b[1] * y[lane] + b[2] * z[lane];
        }
    }
    (rate, turn)
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
