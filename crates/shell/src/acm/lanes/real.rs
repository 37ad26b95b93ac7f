//! Single and double precision, for code that is the same in both.

use crate::acm::lanes::quads::Quad;
use glamx::DVec3;
use pulp::bytemuck::{Pod, cast, cast_slice};
use pulp::{Interleave, Simd};
use std::fmt::Debug;

/// A number and what registers do with numbers like it. A block fills a line of the cache.
pub(crate) trait Real: Pod + Debug + PartialOrd + Send + Sync {
    /// Something for each element of a block.
    type Each<E: Copy + Debug + PartialEq + Send + Sync>: Copy
        + Debug
        + PartialEq
        + Send
        + Sync
        + AsRef<[E]>
        + AsMut<[E]>;
    type Register<S: Simd>: Interleave + Pod + Debug;
    type Mask<S: Simd>: Copy + Debug;

    /// Elements of a block.
    const LANES: usize;
    const ZEROS: Self::Each<Self>;
    const NOWHERE: Self::Each<u32>;
    const EPSILON: f64;
    const MIN_POSITIVE: f64;

    /// The nearest number.
    fn of(a: f64) -> Self;
    fn double(self) -> f64;
    /// The least number that is not below.
    fn at_least(a: f64) -> Self;
    /// The same for each element of a block.
    fn each<E: Copy + Debug + PartialEq + Send + Sync>(e: E) -> Self::Each<E>;

    fn registers<S: Simd>(row: &[Self]) -> &[Self::Register<S>];
    fn registers_mut<S: Simd>(row: &mut [Self]) -> &mut [Self::Register<S>];
    /// One bit for each element for which something holds, the first one lowest.
    fn bits<S: Simd>(holds: Self::Mask<S>) -> u16;

    fn splat<S: Simd>(simd: S, a: Self) -> Self::Register<S>;
    fn add<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    fn sub<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    fn mul<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    fn div<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Register<S>;
    fn neg<S: Simd>(simd: S, a: Self::Register<S>) -> Self::Register<S>;
    fn sqrt<S: Simd>(simd: S, a: Self::Register<S>) -> Self::Register<S>;
    fn abs<S: Simd>(simd: S, a: Self::Register<S>) -> Self::Register<S>;
    /// `a * b + c`, rounded once.
    fn mul_add<S: Simd>(
        simd: S,
        a: Self::Register<S>,
        b: Self::Register<S>,
        c: Self::Register<S>,
    ) -> Self::Register<S>;
    /// `c - a * b`, rounded once.
    fn negate_mul_add<S: Simd>(
        simd: S,
        a: Self::Register<S>,
        b: Self::Register<S>,
        c: Self::Register<S>,
    ) -> Self::Register<S>;
    fn below<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Mask<S>;
    fn at_most<S: Simd>(simd: S, a: Self::Register<S>, b: Self::Register<S>) -> Self::Mask<S>;
    fn and<S: Simd>(simd: S, a: Self::Mask<S>, b: Self::Mask<S>) -> Self::Mask<S>;
    fn select<S: Simd>(
        simd: S,
        holds: Self::Mask<S>,
        a: Self::Register<S>,
        b: Self::Register<S>,
    ) -> Self::Register<S>;
    /// Takes as many quads as a register has elements apart, in the order of slots.
    fn take_apart<S: Simd>(simd: S, quads: [Self::Register<S>; 4]) -> [Self::Register<S>; 4];
}

macro_rules! real {
    ($real:ident, $bits:ident, $lanes:literal, $register:ident, $mask:ident, $as:ident, $as_mut:ident,
     $and:ident, $select:ident, $apart:ident,
     [$($one:ident = $one_of:ident),*], [$($two:ident = $two_of:ident),*],
     [$($three:ident = $three_of:ident),*], [$($compare:ident = $compare_of:ident),*]) => {
        impl Real for $real {
            type Each<E: Copy + Debug + PartialEq + Send + Sync> = [E; $lanes];
            type Register<S: Simd> = S::$register;
            type Mask<S: Simd> = S::$mask;

            const LANES: usize = $lanes;
            const ZEROS: [$real; $lanes] = [0.0; $lanes];
            const NOWHERE: [u32; $lanes] = [0; $lanes];
            const EPSILON: f64 = $real::EPSILON as f64;
            const MIN_POSITIVE: f64 = $real::MIN_POSITIVE as f64;

            #[inline(always)]
            fn of(a: f64) -> $real {
                a as $real
            }

            #[inline(always)]
            fn double(self) -> f64 {
                self as f64
            }

            #[inline(always)]
            fn at_least(a: f64) -> $real {
                let nearest = a as $real;
                if (nearest as f64) < a {
                    nearest.next_up()
                } else {
                    nearest
                }
            }

            #[inline(always)]
            fn each<E: Copy + Debug + PartialEq + Send + Sync>(e: E) -> [E; $lanes] {
                [e; $lanes]
            }

            #[inline(always)]
            fn registers<S: Simd>(row: &[$real]) -> &[S::$register] {
                S::$as(row).0
            }

            #[inline(always)]
            fn registers_mut<S: Simd>(row: &mut [$real]) -> &mut [S::$register] {
                S::$as_mut(row).0
            }

            #[inline(always)]
            fn bits<S: Simd>(holds: S::$mask) -> u16 {
                if const { size_of::<S::$mask>() == size_of::<u16>() } {
                    cast(holds)
                } else if const { size_of::<S::$mask>() == size_of::<u8>() } {
                    u16::from(cast::<_, u8>(holds))
                } else {
                    let each: &[$bits] = cast_slice(std::slice::from_ref(&holds));
                    let numbered = each.iter().enumerate();
                    numbered.fold(0, |bits, (i, one)| bits | ((*one & 1) as u16) << i)
                }
            }

            #[inline(always)]
            fn splat<S: Simd>(simd: S, a: $real) -> S::$register {
                real!(@splat $real, simd, a)
            }

            $(#[inline(always)]
            fn $one<S: Simd>(simd: S, a: S::$register) -> S::$register {
                simd.$one_of(a)
            })*

            $(#[inline(always)]
            fn $two<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$register {
                simd.$two_of(a, b)
            })*

            $(#[inline(always)]
            fn $three<S: Simd>(
                simd: S,
                a: S::$register,
                b: S::$register,
                c: S::$register,
            ) -> S::$register {
                simd.$three_of(a, b, c)
            })*

            $(#[inline(always)]
            fn $compare<S: Simd>(simd: S, a: S::$register, b: S::$register) -> S::$mask {
                simd.$compare_of(a, b)
            })*

            #[inline(always)]
            fn and<S: Simd>(simd: S, a: S::$mask, b: S::$mask) -> S::$mask {
                simd.$and(a, b)
            }

            #[inline(always)]
            fn select<S: Simd>(
                simd: S,
                holds: S::$mask,
                a: S::$register,
                b: S::$register,
            ) -> S::$register {
                simd.$select(holds, a, b)
            }

            #[inline(always)]
            fn take_apart<S: Simd>(simd: S, quads: [S::$register; 4]) -> [S::$register; 4] {
                simd.$apart(quads)
            }
        }
    };
    (@splat f64, $simd:ident, $a:ident) => { $simd.splat_f64s($a) };
    (@splat f32, $simd:ident, $a:ident) => { $simd.splat_f32s($a) };
}

real!(
    f64,
    u64,
    8,
    f64s,
    m64s,
    as_simd_f64s,
    as_mut_simd_f64s,
    and_m64s,
    select_f64s,
    deinterleave_shfl_f64s,
    [neg = neg_f64s, sqrt = sqrt_f64s, abs = abs_f64s],
    [
        add = add_f64s,
        sub = sub_f64s,
        mul = mul_f64s,
        div = div_f64s
    ],
    [mul_add = mul_add_f64s, negate_mul_add = negate_mul_add_f64s],
    [below = less_than_f64s, at_most = less_than_or_equal_f64s]
);

real!(
    f32,
    u32,
    16,
    f32s,
    m32s,
    as_simd_f32s,
    as_mut_simd_f32s,
    and_m32s,
    select_f32s,
    deinterleave_shfl_f32s,
    [neg = neg_f32s, sqrt = sqrt_f32s, abs = abs_f32s],
    [
        add = add_f32s,
        sub = sub_f32s,
        mul = mul_f32s,
        div = div_f32s
    ],
    [mul_add = mul_add_f32s, negate_mul_add = negate_mul_add_f32s],
    [below = less_than_f32s, at_most = less_than_or_equal_f32s]
);

/// In which precision distances are measured, and from where coordinates count.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Precision {
    pub single: bool,
    centre: DVec3,
    /// Bounds all coordinates, in m; not a number if one of them is not finite.
    pub largest: f64,
}

impl Precision {
    /// Single precision from the middle of the vertices' bounding box if coordinates are rounded by no more
    /// than `rounding` (m) then.
    pub fn for_vertices(vertices: impl Iterator<Item = DVec3>, rounding: f64) -> Precision {
        let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
        let mut finite = true;
        for x in vertices {
            (low, high) = (low.min(x), high.max(x));
            finite &= x.is_finite();
        }
        if !finite {
            return Precision::double(f64::NAN);
        }
        // the centre is rounded, too
        let farthest = low.abs().max(high.abs()).max_element();
        let largest = (high - low).max_element() * 0.5 + farthest * f64::EPSILON;
        if (0.0..=rounding).contains(&(largest * <f32 as Real>::EPSILON / 2.0)) {
            Precision {
                single: true,
                centre: low + (high - low) * 0.5,
                largest,
            }
        } else {
            Precision::double(farthest)
        }
    }

    fn double(largest: f64) -> Precision {
        Precision {
            largest,
            ..Precision::default()
        }
    }

    /// Where a vertex is, counted from the centre.
    #[inline(always)]
    pub fn place<T: Real>(&self, x: DVec3) -> Quad<T> {
        let x = x - self.centre;
        [x.x, x.y, x.z, 0.0].map(T::of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Single precision is fine for a scene of metres wherever it is, and not for one of kilometres, nor
    /// where there is nothing that could be counted from.
    #[test]
    fn precision_follows_the_extent() {
        let single = |x: [DVec3; 2]| Precision::for_vertices(x.into_iter(), 1.0e-5).single;
        for place in [DVec3::ZERO, DVec3::new(1.0e5, -2.0e5, 3.0e5)] {
            assert!(single([place, place + DVec3::X]));
            assert!(!single([place, place + DVec3::Y * 1.0e3]));
        }
        assert!(!single([DVec3::ZERO, DVec3::INFINITY]));
        assert!(!Precision::for_vertices(std::iter::empty(), 1.0e-5).single);
    }

    /// Places in single precision are as exact as it is said to be.
    #[test]
    fn places_are_fine() {
        let x = [[1.0e5, 0.1, -0.3], [1.0e5 + 300.0, 7.0, 8.0]].map(DVec3::from);
        let precision = Precision::for_vertices(x.into_iter(), 1.0e-5);
        assert!(precision.single);
        let [a, b] = x.map(|x| precision.place::<f32>(x).map(f64::from));
        for ((a, b), d) in a.into_iter().zip(b).zip((x[1] - x[0]).to_array()) {
            // both are rounded, and so are coordinates of size 1e5 themselves
            assert!((b - a - d).abs() <= 2.0e-5 + 1.0e-10);
            assert!(a.abs().max(b.abs()) <= precision.largest);
        }
    }
}
