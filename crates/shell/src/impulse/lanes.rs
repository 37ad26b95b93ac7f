//! Four numbers or vectors side by side, in plain arrays: compiled for what the processor has, the operations on
//! them become one instruction each, and the bytes are the same everywhere.

use glamx::DVec3;

/// How many constraints are taken at once.
pub(crate) const LANES: usize = 4;

/// A number for each lane.
pub(crate) type Lanes = [f64; LANES];

#[inline(always)]
pub(crate) fn zip(a: Lanes, b: Lanes, of: impl Fn(f64, f64) -> f64) -> Lanes {
    let mut result = [0.0; LANES];
    for lane in 0..LANES {
        result[lane] = of(a[lane], b[lane]);
    }
    result
}

#[inline(always)]
pub(crate) fn times(a: Lanes, b: Lanes) -> Lanes {
    zip(a, b, |a, b| a * b)
}

#[inline(always)]
pub(crate) fn minus(a: Lanes, b: Lanes) -> Lanes {
    zip(a, b, |a, b| a - b)
}

/// `value`, but no further from 0 than `limit`; what is not a number stays that.
#[inline(always)]
pub(crate) fn within(value: f64, limit: f64) -> f64 {
    let value = if value > limit { limit } else { value };
    if value < -limit { -limit } else { value }
}

/// A vector for each lane.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Vectors {
    pub x: Lanes,
    pub y: Lanes,
    pub z: Lanes,
}

impl Vectors {
    pub const ZERO: Self = Vectors {
        x: [0.0; LANES],
        y: [0.0; LANES],
        z: [0.0; LANES],
    };

    #[inline(always)]
    pub fn minus(self, other: Self) -> Self {
        Vectors {
            x: minus(self.x, other.x),
            y: minus(self.y, other.y),
            z: minus(self.z, other.z),
        }
    }

    #[inline(always)]
    pub fn scaled(self, by: Lanes) -> Self {
        Vectors {
            x: times(self.x, by),
            y: times(self.y, by),
            z: times(self.z, by),
        }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Lanes {
        let xy = zip(times(self.x, other.x), times(self.y, other.y), |x, y| x + y);
        zip(xy, times(self.z, other.z), |xy, z| xy + z)
    }

    #[inline(always)]
    pub fn set(&mut self, lane: usize, vector: DVec3) {
        (self.x[lane], self.y[lane], self.z[lane]) = (vector.x, vector.y, vector.z);
    }

    /// One of the four.
    #[inline(always)]
    pub fn lane(&self, lane: usize) -> DVec3 {
        DVec3::new(self.x[lane], self.y[lane], self.z[lane])
    }
}
