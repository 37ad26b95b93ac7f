//! Four numbers side by side, for the searches that look at four balls at once. Nothing but element by
//! element arithmetic, so that wider registers change no bit of a result.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// Four numbers.
#[repr(align(32))]
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quad(pub [f64; 4]);

impl Quad {
    #[inline(always)]
    pub fn splat(value: f64) -> Self {
        Quad([value; 4])
    }

    #[inline(always)]
    pub fn sqrt(self) -> Self {
        let [a, b, c, d] = self.0;
        Quad([a.sqrt(), b.sqrt(), c.sqrt(), d.sqrt()])
    }

    #[inline(always)]
    pub fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    pub fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    /// The smallest of the four.
    #[inline(always)]
    pub fn least(self) -> f64 {
        let [a, b, c, d] = self.0;
        let lesser = |a: f64, b: f64| if a < b { a } else { b };
        lesser(lesser(a, c), lesser(b, d))
    }

    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let ([a, b, c, d], [e, g, h, i]) = (self.0, other.0);
        Quad([f(a, e), f(b, g), f(c, h), f(d, i)])
    }
}

impl Add for Quad {
    type Output = Quad;
    #[inline(always)]
    fn add(self, other: Quad) -> Quad {
        self.zip(other, |a, b| a + b)
    }
}

impl Sub for Quad {
    type Output = Quad;
    #[inline(always)]
    fn sub(self, other: Quad) -> Quad {
        self.zip(other, |a, b| a - b)
    }
}

impl Mul for Quad {
    type Output = Quad;
    #[inline(always)]
    fn mul(self, other: Quad) -> Quad {
        self.zip(other, |a, b| a * b)
    }
}

impl Div for Quad {
    type Output = Quad;
    #[inline(always)]
    fn div(self, other: Quad) -> Quad {
        self.zip(other, |a, b| a / b)
    }
}

impl Neg for Quad {
    type Output = Quad;
    #[inline(always)]
    fn neg(self) -> Quad {
        let [a, b, c, d] = self.0;
        Quad([-a, -b, -c, -d])
    }
}

/// Four vectors, component by component.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Vectors {
    pub x: Quad,
    pub y: Quad,
    pub z: Quad,
}

impl Vectors {
    #[inline(always)]
    pub fn splat(v: crate::Vec3) -> Self {
        Vectors {
            x: Quad::splat(v.x),
            y: Quad::splat(v.y),
            z: Quad::splat(v.z),
        }
    }

    /// Changes one of the four.
    #[inline(always)]
    pub fn set(&mut self, place: usize, v: crate::Vec3) {
        (self.x.0[place], self.y.0[place], self.z.0[place]) = (v.x, v.y, v.z);
    }

    /// One of the four, four times.
    #[inline(always)]
    pub fn only(&self, place: usize) -> Self {
        Vectors {
            x: Quad::splat(self.x.0[place]),
            y: Quad::splat(self.y.0[place]),
            z: Quad::splat(self.z.0[place]),
        }
    }

    #[inline(always)]
    pub fn dot(self, other: Self) -> Quad {
        self.x * other.x + self.y * other.y + self.z * other.z
    }

    #[inline(always)]
    pub fn cross(self, other: Self) -> Self {
        Vectors {
            x: self.y * other.z - self.z * other.y,
            y: self.z * other.x - self.x * other.z,
            z: self.x * other.y - self.y * other.x,
        }
    }

    #[inline(always)]
    pub fn scaled(self, by: Quad) -> Self {
        Vectors {
            x: self.x * by,
            y: self.y * by,
            z: self.z * by,
        }
    }

    /// The vectors as a matrix turns them.
    #[inline(always)]
    pub fn turned(self, by: &crate::Mat3) -> Self {
        let along = |axis: crate::Vec3, by: Quad| Vectors::splat(axis).scaled(by);
        along(by.x_axis, self.x) + along(by.y_axis, self.y) + along(by.z_axis, self.z)
    }
}

impl Add for Vectors {
    type Output = Vectors;
    #[inline(always)]
    fn add(self, other: Vectors) -> Vectors {
        Vectors {
            x: self.x + other.x,
            y: self.y + other.y,
            z: self.z + other.z,
        }
    }
}

impl Sub for Vectors {
    type Output = Vectors;
    #[inline(always)]
    fn sub(self, other: Vectors) -> Vectors {
        Vectors {
            x: self.x - other.x,
            y: self.y - other.y,
            z: self.z - other.z,
        }
    }
}
