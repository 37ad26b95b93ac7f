//! Numbers and vectors of several elements side by side, in registers as wide as the processor has.
//! What is rounded once is said to be (`times_plus`, `dot`, `cross`); nothing else is contracted, so
//! every processor gives the same bytes. Functions here and those that use them are always inlined and
//! take no closures over wide numbers: only code of the processor's own kind can hold them in registers.

use pulp::Simd;
use pulp::bytemuck::{cast, cast_slice};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// One bit for each single-precision element for which something holds, the first one lowest.
#[inline(always)]
pub(super) fn bits<S: Simd>(holds: S::m32s) -> u16 {
    if const { size_of::<S::m32s>() == size_of::<u16>() } {
        cast(holds)
    } else if const { size_of::<S::m32s>() == size_of::<u8>() } {
        u16::from(cast::<_, u8>(holds))
    } else {
        let each: &[u32] = cast_slice(std::slice::from_ref(&holds));
        let numbered = each.iter().enumerate();
        numbered.fold(0, |bits, (i, one)| bits | ((*one & 1) as u16) << i)
    }
}

impl<S: Simd> Holds<S> {
    /// One bit for each element for which it holds, the first one lowest.
    #[inline(always)]
    pub fn bits(self) -> u8 {
        if const { size_of::<S::m64s>() == size_of::<u8>() } {
            cast(self.1)
        } else {
            let each: &[u64] = cast_slice(std::slice::from_ref(&self.1));
            let numbered = each.iter().enumerate();
            numbered.fold(0, |bits, (i, one)| bits | ((*one & 1) as u8) << i)
        }
    }
}

/// One number for each element.
#[derive(Clone, Copy)]
pub(super) struct Wide<S: Simd>(pub S, pub S::f64s);

/// Which elements something holds for.
#[derive(Clone, Copy)]
pub(super) struct Holds<S: Simd>(S, S::m64s);

impl<S: Simd> Wide<S> {
    /// The same number for every element.
    #[inline(always)]
    pub fn all(simd: S, a: f64) -> Wide<S> {
        Wide(simd, simd.splat_f64s(a))
    }

    /// The same number for every element, beside this one.
    #[inline(always)]
    pub fn constant(self, a: f64) -> Wide<S> {
        Wide::all(self.0, a)
    }

    /// `self * b + c`, rounded once.
    #[inline(always)]
    pub fn times_plus(self, b: Wide<S>, c: Wide<S>) -> Wide<S> {
        Wide(self.0, self.0.mul_add_f64s(self.1, b.1, c.1))
    }

    /// `self - a * b`, rounded once.
    #[inline(always)]
    pub fn minus_times(self, a: Wide<S>, b: Wide<S>) -> Wide<S> {
        Wide(self.0, self.0.negate_mul_add_f64s(a.1, b.1, self.1))
    }

    #[inline(always)]
    pub fn sqrt(self) -> Wide<S> {
        Wide(self.0, self.0.sqrt_f64s(self.1))
    }

    #[inline(always)]
    pub fn abs(self) -> Wide<S> {
        Wide(self.0, self.0.abs_f64s(self.1))
    }

    #[inline(always)]
    pub fn below(self, b: Wide<S>) -> Holds<S> {
        Holds(self.0, self.0.less_than_f64s(self.1, b.1))
    }

    #[inline(always)]
    pub fn at_most(self, b: Wide<S>) -> Holds<S> {
        Holds(self.0, self.0.less_than_or_equal_f64s(self.1, b.1))
    }
}

impl<S: Simd> Holds<S> {
    /// Where both hold.
    #[inline(always)]
    pub fn and(self, b: Holds<S>) -> Holds<S> {
        Holds(self.0, self.0.and_m64s(self.1, b.1))
    }

    /// `a` where it holds, else `b`.
    #[inline(always)]
    pub fn choose(self, a: Wide<S>, b: Wide<S>) -> Wide<S> {
        Wide(self.0, self.0.select_f64s(self.1, a.1, b.1))
    }
}

impl<S: Simd> Add for Wide<S> {
    type Output = Wide<S>;

    #[inline(always)]
    fn add(self, b: Wide<S>) -> Wide<S> {
        Wide(self.0, self.0.add_f64s(self.1, b.1))
    }
}

impl<S: Simd> Sub for Wide<S> {
    type Output = Wide<S>;

    #[inline(always)]
    fn sub(self, b: Wide<S>) -> Wide<S> {
        Wide(self.0, self.0.sub_f64s(self.1, b.1))
    }
}

impl<S: Simd> Mul for Wide<S> {
    type Output = Wide<S>;

    #[inline(always)]
    fn mul(self, b: Wide<S>) -> Wide<S> {
        Wide(self.0, self.0.mul_f64s(self.1, b.1))
    }
}

impl<S: Simd> Div for Wide<S> {
    type Output = Wide<S>;

    #[inline(always)]
    fn div(self, b: Wide<S>) -> Wide<S> {
        Wide(self.0, self.0.div_f64s(self.1, b.1))
    }
}

impl<S: Simd> Neg for Wide<S> {
    type Output = Wide<S>;

    #[inline(always)]
    fn neg(self) -> Wide<S> {
        Wide(self.0, self.0.neg_f64s(self.1))
    }
}

/// One vector for each element.
#[derive(Clone, Copy)]
pub(super) struct Wide3<S: Simd>(pub [Wide<S>; 3]);

impl<S: Simd> Wide3<S> {
    /// Scalar product, two of its three sums rounded once.
    #[inline(always)]
    pub fn dot(self, b: Wide3<S>) -> Wide<S> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        z.times_plus(w, y.times_plus(v, x * u))
    }

    /// Scalar product plus a number, each sum rounded once.
    #[inline(always)]
    pub fn dot_plus(self, b: Wide3<S>, c: Wide<S>) -> Wide<S> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        z.times_plus(w, y.times_plus(v, x.times_plus(u, c)))
    }

    /// Vector product, each difference rounded once.
    #[inline(always)]
    pub fn cross(self, b: Wide3<S>) -> Wide3<S> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Wide3([
            (y * w).minus_times(z, v),
            (z * u).minus_times(x, w),
            (x * v).minus_times(y, u),
        ])
    }

    /// `self * b + c`, rounded once.
    #[inline(always)]
    pub fn times_plus(self, b: Wide<S>, c: Wide3<S>) -> Wide3<S> {
        let ([x, y, z], [u, v, w]) = (self.0, c.0);
        Wide3([x.times_plus(b, u), y.times_plus(b, v), z.times_plus(b, w)])
    }
}

impl<S: Simd> Add for Wide3<S> {
    type Output = Wide3<S>;

    #[inline(always)]
    fn add(self, b: Wide3<S>) -> Wide3<S> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Wide3([x + u, y + v, z + w])
    }
}

impl<S: Simd> Sub for Wide3<S> {
    type Output = Wide3<S>;

    #[inline(always)]
    fn sub(self, b: Wide3<S>) -> Wide3<S> {
        let ([x, y, z], [u, v, w]) = (self.0, b.0);
        Wide3([x - u, y - v, z - w])
    }
}

impl<S: Simd> Mul<Wide<S>> for Wide3<S> {
    type Output = Wide3<S>;

    #[inline(always)]
    fn mul(self, b: Wide<S>) -> Wide3<S> {
        let [x, y, z] = self.0;
        Wide3([x * b, y * b, z * b])
    }
}

impl<S: Simd> Neg for Wide3<S> {
    type Output = Wide3<S>;

    #[inline(always)]
    fn neg(self) -> Wide3<S> {
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
                        let below = Wide(simd, part).below(Wide::all(simd, 0.0));
                        found |= below.bits() << (i * S::F64_LANES);
                    }
                    assert_eq!(found, pattern as u8);
                }
            }
        }
        Arch::new().dispatch(Check);
        Arch::Scalar.dispatch(Check);
    }
}
