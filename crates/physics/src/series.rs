//! Free rotation of a body of general inertia as a power series in time.
//!
//! Without torque the angular momentum `L` is constant in the world, and Euler's equations and the
//! attitude's are products of what they determine: `I W' = (I W) x W`, `q' = q W / 2`. Their
//! Taylor coefficients therefore follow from each other by sums of products, to any order, and the
//! truncated series is the dense output itself. One piece of order 24 spans more than two
//! radians at rounding accuracy, where a Runge-Kutta step of order 5 spans a few hundredths.

use crate::body::BodyModel;
use crate::motion::{Dense, Halt, HaltReason, MOST_PIECES, let_go};
use crate::quad::Quad;
use crate::{Mat3, Quat, Vec3};
use arrayvec::ArrayVec;
use pulp::{Arch, NullaryFnOnce};

/// Highest power kept, a multiple of four. Fewer would mean more pieces, each nearly as dear.
const ORDER: usize = 24;
/// Size of the first neglected terms of a unit quaternion's components.
const TRUNCATION: f64 = 1e-13;
/// A body turning more slowly than this per second is still cut into pieces of bounded length.
const LONGEST_PIECE_S: f64 = 1024.0;

/// Seconds that virtual time does not last.
pub(crate) const STANDING_S: f64 = 1e9;

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
    const BLANK: Series = Series {
        start: 0.0,
        end: 0.0,
        attitude: [[0.0; 4]; ORDER + 1],
    };

    /// One that stands still, for longer than time lasts.
    fn standing(start: f64, rotation: Quat) -> Self {
        let mut standing = Series {
            start,
            end: start + STANDING_S,
            ..Series::BLANK
        };
        if rotation.is_finite() {
            standing.attitude[0] = rotation.to_array();
        } else {
            standing.attitude[0][3] = 1.0;
        }
        standing
    }

    /// Makes this the series from `start` on of a body with attitude `rotation` and world angular
    /// momentum `momentum`.
    fn begin(&mut self, start: f64, rotation: Quat, momentum: Vec3, model: &BodyModel) {
        let inertia = model.mass.inertia;
        let spin = model.mass.inverse_inertia * (rotation.inverse() * momentum);
        let ratios = [
            (inertia.y - inertia.z) / inertia.x,
            (inertia.z - inertia.x) / inertia.y,
            (inertia.x - inertia.y) / inertia.z,
        ];
        // Wider lanes where the processor has them; the arithmetic, and so every bit, is the same.
        Arch::new().dispatch(Expansion {
            rotation,
            spin,
            ratios,
            attitude: &mut self.attitude,
        });
        self.start = start;
        self.end = start + valid_seconds(&self.attitude);
    }

    /// The attitude at `t` seconds, normalised.
    #[inline]
    pub fn rotation(&self, t: f64) -> Quat {
        let q = Quat::from_array(self.sum(t));
        q * (1.0 / q.length_squared().sqrt())
    }

    /// The same as a matrix, which needs no root.
    #[inline(always)]
    pub fn matrix(&self, t: f64) -> Mat3 {
        let [x, y, z, w] = self.sum(t);
        let twice = 2.0 / (x * x + y * y + z * z + w * w);
        let (tx, ty, tz) = (twice * x, twice * y, twice * z);
        let (xx, xy, xz, xw) = (tx * x, tx * y, tx * z, tx * w);
        let (yy, yz, yw) = (ty * y, ty * z, ty * w);
        let (zz, zw) = (tz * z, tz * w);
        Mat3::from_cols(
            Vec3::new(1.0 - yy - zz, xy + zw, xz - yw),
            Vec3::new(xy - zw, 1.0 - xx - zz, yz + xw),
            Vec3::new(xz + yw, yz - xw, 1.0 - xx - yy),
        )
    }

    /// The sum of the series, a quaternion of nearly unit length.
    #[inline(always)]
    fn sum(&self, t: f64) -> [f64; 4] {
        let u = t - self.start;
        let at = |power: usize| Quad(self.attitude[power]);
        // Powers apart by their remainders modulo four: a quarter as long a chain of operations that
        // wait for each other.
        let (line, square) = (Quad::splat(u), Quad::splat(u * u));
        let fourth = square * square;
        let zero = Quad::splat(0.0);
        let (mut a, mut b, mut c, mut d) = (at(ORDER), zero, zero, zero);
        for four in (0..ORDER / 4).rev() {
            a = a * fourth + at(4 * four);
            b = b * fourth + at(4 * four + 1);
            c = c * fourth + at(4 * four + 2);
            d = d * fourth + at(4 * four + 3);
        }
        let (low, high) = (a + b * line, c + d * line);
        (low + high * square).0
    }
}

/// What the coefficients follow from.
struct Expansion<'a> {
    rotation: Quat,
    spin: Vec3,
    /// Differences of two moments of inertia by the third.
    ratios: [f64; 3],
    /// Where they go.
    attitude: &'a mut [[f64; 4]; ORDER + 1],
}

impl NullaryFnOnce for Expansion<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Expansion {
            rotation,
            spin,
            ratios,
            attitude,
        } = self;
        coefficients(rotation, spin, ratios, attitude);
    }
}

/// The coefficients of the attitude, each from those before it.
#[inline(always)]
fn coefficients(
    rotation: Quat,
    spin: Vec3,
    ratios: [f64; 3],
    attitude: &mut [[f64; 4]; ORDER + 1],
) {
    attitude[0] = rotation.to_array();
    let first = Coefficient::new(attitude[0], [spin.x, spin.y, spin.z, 0.0]);
    // A fourth lane that stays zero.
    let ratios = [ratios[0], ratios[1], ratios[2], 0.0];
    let mut newest = first;
    // Between the first and the newest one: in order, and their spins from the last to the first, so
    // that the factors of a product stand side by side.
    let mut between: ArrayVec<([[f64; 4]; 3], [f64; 4]), ORDER> = ArrayVec::new();
    let mut backwards = [[[0.0; 4]; 2]; ORDER];
    for k in 0..ORDER {
        // What lies between does not wait for the newest.
        let (mut rate, mut by) = ([0.0; 4], [[0.0; 4]; 3]);
        let factors = &backwards[ORDER - between.len()..];
        for ((turn, a), [b, c]) in between.iter().zip(factors) {
            by[0] = plus(by[0], times(turn[0], [b[0]; 4]));
            by[1] = plus(by[1], times(turn[1], [b[1]; 4]));
            by[2] = plus(by[2], times(turn[2], [b[2]; 4]));
            rate = plus(rate, times(*a, *c));
        }
        newest.meet(&first, &mut by, &mut rate);
        if k > 0 {
            first.meet(&newest, &mut by, &mut rate);
            let [b, a, c] = newest.spin;
            between.push((newest.turn, a));
            backwards[ORDER - between.len()] = [b, c];
        }
        let scale = 1.0 / (k + 1) as f64;
        let spin = times(times(ratios, rate), [scale; 4]);
        let sum = plus(plus(by[0], by[1]), by[2]);
        attitude[k + 1] = times(sum, [0.5 * scale; 4]);
        newest = Coefficient::new(attitude[k + 1], spin);
    }
}

/// One coefficient of the attitude and of the spin, as products need them.
#[derive(Clone, Copy)]
struct Coefficient {
    /// The attitude as the three components of a spin multiply it.
    turn: [[f64; 4]; 3],
    /// The spin in the three orders that let Euler's products be taken lane by lane.
    spin: [[f64; 4]; 3],
}

impl Coefficient {
    #[inline(always)]
    fn new([x, y, z, w]: [f64; 4], spin: [f64; 4]) -> Self {
        // Whole registers, shuffled: what is stored whole is soon read again whole.
        let [p, q, r, zero] = spin;
        Coefficient {
            turn: [
                times([w, z, y, x], [1.0, 1.0, -1.0, -1.0]),
                times([z, w, x, y], [-1.0, 1.0, 1.0, -1.0]),
                times([y, x, w, z], [1.0, -1.0, 1.0, -1.0]),
            ],
            spin: [spin, [q, r, p, zero], [r, p, q, zero]],
        }
    }

    /// Adds the products of another one's attitude with this spin.
    #[inline(always)]
    fn meet(&self, other: &Coefficient, by: &mut [[f64; 4]; 3], rate: &mut [f64; 4]) {
        for axis in 0..3 {
            by[axis] = plus(by[axis], times(other.turn[axis], [self.spin[0][axis]; 4]));
        }
        *rate = plus(*rate, times(other.spin[1], self.spin[2]));
    }
}

#[inline(always)]
fn plus(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]]
}

#[inline(always)]
fn times(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]]
}

/// Seconds for which the last two terms stay below the truncation bound.
fn valid_seconds(attitude: &[[f64; 4]; ORDER + 1]) -> f64 {
    let mut octaves = libm::log2(LONGEST_PIECE_S);
    for power in [ORDER - 1, ORDER] {
        let size = attitude[power].iter().fold(0.0, |m: f64, c| m.max(c.abs()));
        if size > 0.0 {
            octaves = octaves.min(libm::log2(TRUNCATION / size) / power as f64);
        }
    }
    libm::exp2(octaves)
}

/// Adds pieces until they reach beyond `until` seconds; what ends before `settled` seconds may be let go.
/// Returns how many.
pub(crate) fn extend(
    dense: &mut Dense,
    rotation: Quat,
    model: &BodyModel,
    [until, settled]: [f64; 2],
) -> u32 {
    let (pieces, momentum) = (&mut dense.tumbling, dense.momentum);
    let mut added = 0;
    loop {
        let_go(pieces, settled, |piece| piece.end);
        let (start, rotation) = match pieces.last() {
            Some(last) if last.end > until => return added,
            Some(last) => (last.end, last.rotation(last.end)),
            None => (0.0, rotation),
        };
        if pieces.len() >= MOST_PIECES || !rotation.is_finite() {
            let why = match rotation.is_finite() {
                true => HaltReason::Large(pieces.len()),
                false => HaltReason::NotFinite,
            };
            dense.halt = Some(Halt {
                seconds: start,
                why,
            });
            pieces.push(Series::standing(start, rotation));
            return added;
        }
        // Few segments have more than two: room for four at once would be half wasted.
        if pieces.len() == pieces.capacity() {
            pieces.reserve_exact(2);
        }
        let place = pieces.len();
        pieces.push(Series::BLANK);
        pieces[place].begin(start, rotation, momentum, model);
        added += 1;
    }
}

/// The piece that holds `t` seconds (the last one if `t` lies beyond).
#[inline]
pub fn piece_at(pieces: &[Series], t: f64) -> &Series {
    let index = pieces.partition_point(|p| p.end <= t);
    &pieces[index.min(pieces.len() - 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Wider lanes change no bit.
    #[test]
    fn coefficients_are_the_same_on_every_processor() {
        for round in 0..50 {
            let turn = 0.1 * f64::from(round);
            let rotation = Quat::from_scaled_axis(Vec3::new(turn, 1.0 - turn, 0.3));
            let (spin, ratios) = (Vec3::new(7.0, -turn, 3.0), [0.9, -0.4 - 0.01 * turn, 0.2]);
            let (mut plain, mut wide) = (Series::BLANK.attitude, Series::BLANK.attitude);
            coefficients(rotation, spin, ratios, &mut plain);
            Arch::new().dispatch(Expansion {
                rotation,
                spin,
                ratios,
                attitude: &mut wide,
            });
            assert_eq!(
                plain.map(|c| c.map(f64::to_bits)),
                wide.map(|c| c.map(f64::to_bits))
            );
        }
    }
}
