//! Numbers and vectors of several elements side by side, in registers as wide as the processor has.
//! What is rounded once is said to be (`times_plus`, `dot`, `cross`); nothing else is contracted, so
//! every processor gives the same bytes. Functions here and those that use them are always inlined and
//! take no closures over wide numbers: only code of the processor's own kind can hold them in registers.

use crate::acm::lanes::real::Real;
use pulp::Simd;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// One bit for each single-precision element for which something holds, the first one lowest.
#[inline(always)]
pub(crate) fn bits<S: Simd>(holds: S::m32s) -> u16 {
    f32::bits::<S>(holds)
}

/// One number for each element.
#[derive(Clone, Copy)]
pub(crate) struct Wide<S: Simd, T: Real = f64>(pub S, pub T::Register<S>);

/// Which elements something holds for.
#[derive(Clone, Copy)]
pub(crate) struct Holds<S: Simd, T: Real = f64>(S, T::Mask<S>);

impl<S: Simd, T: Real> Wide<S, T> {
    /// The same number for every element.
    #[inline(always)]
    pub fn all(simd: S, a: f64) -> Wide<S, T> {
        Wide(simd, T::splat(simd, T::of(a)))
    }

    /// The same number for every element, beside this one.
    #[inline(always)]
    pub fn constant(self, a: f64) -> Wide<S, T> {
        Wide::all(self.0, a)
    }

    /// `self * b + c`, rounded once.
    #[inline(always)]
    pub fn times_plus(self, b: Wide<S, T>, c: Wide<S, T>) -> Wide<S, T> {
        Wide(self.0, T::mul_add(self.0, self.1, b.1, c.1))
    }

    /// `self - a * b`, rounded once.
    #[inline(always)]
    pub fn minus_times(self, a: Wide<S, T>, b: Wide<S, T>) -> Wide<S, T> {
        Wide(self.0, T::negate_mul_add(self.0, a.1, b.1, self.1))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Wide<S, T> {
        Wide(self.0, T::sqrt(self.0, self.1))
    }

    #[inline(always)]
    pub fn abs(self) -> Wide<S, T> {
        Wide(self.0, T::abs(self.0, self.1))
    }

    #[inline(always)]
    pub fn below(self, b: Wide<S, T>) -> Holds<S, T> {
        Holds(self.0, T::below(self.0, self.1, b.1))
    }

    #[inline(always)]
    pub fn at_most(self, b: Wide<S, T>) -> Holds<S, T> {
        Holds(self.0, T::at_most(self.0, self.1, b.1))
    }
}

impl<S: Simd, T: Real> Holds<S, T> {
    /// Where both hold.
    #[inline(always)]
    pub fn and(self, b: Holds<S, T>) -> Holds<S, T> {
        Holds(self.0, T::and(self.0, self.1, b.1))
    }

    /// One bit for each element for which it holds, the first one lowest.
    #[inline(always)]
    pub fn bits(self) -> u16 {
        T::bits::<S>(self.1)
    }

    /// `a` where it holds, else `b`.
    #[inline(always)]
    pub fn choose(self, a: Wide<S, T>, b: Wide<S, T>) -> Wide<S, T> {
        Wide(self.0, T::select(self.0, self.1, a.1, b.1))
    }
}

impl<S: Simd, T: Real> Add for Wide<S, T> {
    type Output = Wide<S, T>;

    #[inline(always)]
    fn add(self, b: Wide<S, T>) -> Wide<S, T> {
        Wide(self.0, T::add(self.0, self.1, b.1))
    }
}

impl<S: Simd, T: Real> Sub for Wide<S, T> {
    type Output = Wide<S, T>;

    #[inline(always)]
    fn sub(self, b: Wide<S, T>) -> Wide<S, T> {
        Wide(self.0, T::sub(self.0, self.1, b.1))
    }
}

impl<S: Simd, T: Real> Mul for Wide<S, T> {
    type Output = Wide<S, T>;

    #[inline(always)]
    fn mul(self, b: Wide<S, T>) -> Wide<S, T> {
        Wide(self.0, T::mul(self.0, self.1, b.1))
    }
}

impl<S: Simd, T: Real> Div for Wide<S, T> {
    type Output = Wide<S, T>;

    #[inline(always)]
    fn div(self, b: Wide<S, T>) -> Wide<S, T> {
        Wide(self.0, T::div(self.0, self.1, b.1))
    }
}

impl<S: Simd, T: Real> Neg for Wide<S, T> {
    type Output = Wide<S, T>;

    #[inline(always)]
    fn neg(self) -> Wide<S, T> {
        Wide(self.0, T::neg(self.0, self.1))
    }
}

/// One vector for each element.
#[derive(Clone, Copy)]
pub(crate) struct Wide3<S: Simd, T: Real = f64>(pub [Wide<S, T>; 3]);

impl<S: Simd, T: Real> Wide3<S, T> {
    /// Scalar product, two of its three sums rounded once.
    #[inline(always)]
    pub fn dot(self, b: Wide3<S, T>) -> Wide<S, T> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        z.times_plus(w, y.times_plus(v, x * u))
    }

    /// Scalar product plus a number, each sum rounded once.
    #[inline(always)]
    pub fn dot_plus(self, b: Wide3<S, T>, c: Wide<S, T>) -> Wide<S, T> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        z.times_plus(w, y.times_plus(v, x.times_plus(u, c)))
    }

    /// Vector product, each difference rounded once.
    #[inline(always)]
    pub fn cross(self, b: Wide3<S, T>) -> Wide3<S, T> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Wide3([
            (y * w).minus_times(z, v),
            (z * u).minus_times(x, w),
            (x * v).minus_times(y, u),
        ])
    }

    /// `self * b + c`, rounded once.
    #[inline(always)]
    pub fn times_plus(self, b: Wide<S, T>, c: Wide3<S, T>) -> Wide3<S, T> {
        let ([x, y, z], [u, v, w]) = (self.0, c.0);
        Wide3([x.times_plus(b, u), y.times_plus(b, v), z.times_plus(b, w)])
    }
}

impl<S: Simd, T: Real> Add for Wide3<S, T> {
    type Output = Wide3<S, T>;

    #[inline(always)]
    fn add(self, b: Wide3<S, T>) -> Wide3<S, T> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Wide3([x + u, y + v, z + w])
    }
}

impl<S: Simd, T: Real> Sub for Wide3<S, T> {
    type Output = Wide3<S, T>;

    #[inline(always)]
    fn sub(self, b: Wide3<S, T>) -> Wide3<S, T> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Wide3([x - u, y - v, z - w])
    }
}

impl<S: Simd, T: Real> Mul<Wide<S, T>> for Wide3<S, T> {
    type Output = Wide3<S, T>;

    #[inline(always)]
    fn mul(self, b: Wide<S, T>) -> Wide3<S, T> {
        let [x, y, z] = self.0;
        Wide3([x * b, y * b, z * b])
    }
}

impl<S: Simd, T: Real> Neg for Wide3<S, T> {
    type Output = Wide3<S, T>;

    #[inline(always)]
    fn neg(self) -> Wide3<S, T> {
        let [x, y, z] = self.0;
        Wide3([-x, -y, -z])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pulp::{Arch, WithSimd};

    /// Bits stand in the order of elements, in single and in double precision.
    #[test]
    fn bits_are_in_order() {
        struct Check;
        impl WithSimd for Check {
            type Output = ();

            fn with_simd<S: Simd>(self, simd: S) {
                for pattern in [0b0110_0101_1010_0001u16, 0, u16::MAX] {
                    let set = |i: usize| pattern >> i & 1 == 1;
                    let row: [f32; 16] = std::array::from_fn(|i| if set(i) { -1.0 } else { 1.0 });
                    let mut found = 0;
                    for (i, &part) in S::as_simd_f32s(&row).0.iter().enumerate() {
                        let below = simd.less_than_f32s(part, simd.splat_f32s(0.0));
                        found |= bits::<S>(below) << (i * S::F32_LANES);
                    }
                    assert_eq!(found, pattern);
                    let row: [f64; 8] = std::array::from_fn(|i| if set(i) { -1.0 } else { 1.0 });
                    let mut found = 0;
                    for (i, &part) in S::as_simd_f64s(&row).0.iter().enumerate() {
                        let below = Wide::<S, f64>(simd, part).below(Wide::all(simd, 0.0));
                        found |= below.bits() << (i * S::F64_LANES);
                    }
                    assert_eq!(found, pattern & 0xff);
                }
            }
        }
        Arch::new().dispatch(Check);
        Arch::Scalar.dispatch(Check);
    }
}
