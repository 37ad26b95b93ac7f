//! Vectors as four numbers each and their passage into registers and back. Elements scattered in
//! memory are fetched whole and taken apart by shuffles: a third of the memory accesses of picking
//! number by number. The shuffles leave the elements of a register in an order of their own, so what
//! is fetched is listed by slot, which undoes it.

use crate::acm::lanes::real::Real;
use crate::acm::lanes::wide::{Wide, Wide3};
use glamx::DVec3;
use pulp::bytemuck::cast_slice_mut;
use pulp::{Arch, Simd, WithSimd};
use std::marker::PhantomData;
use std::ops::Range;

/// Elements that are computed together in double precision.
pub(crate) const LANES: usize = 8;

/// One number for each element of a block.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(crate) struct Row<T: Real = f64>(pub T::Each<T>);

/// One index for each element of a block.
pub(crate) type Indices = [u32; LANES];

/// A vector and one more number.
pub(crate) type Quad<T = f64> = [T; 4];

/// A block of quads by slot.
pub(crate) type Quads = [Quad; LANES];

/// For each element of a block its slot.
pub(crate) type Slots = [u8; LANES];

/// A list whose length is a power of two. Places are taken modulo it, so that none has to be checked: checks
/// in the order of accesses would keep the compiler from ordering the loads (a tenth of a kick).
#[derive(Clone, Copy)]
pub(crate) struct Wrapped<'a, T>(&'a [T]);

impl<'a, T> Wrapped<'a, T> {
    /// The length must be a power of two.
    #[inline(always)]
    pub fn new(all: &'a [T]) -> Wrapped<'a, T> {
        assert!(!all.is_empty() && all.len().is_power_of_two());
        Wrapped(all)
    }

    /// The element at `i`, round and round.
    #[inline(always)]
    pub fn around(self, i: usize) -> &'a T {
        &self.0[i & (self.0.len() - 1)]
    }

    /// The element at `i`, which must be less than the length.
    #[inline(always)]
    pub fn at(self, i: usize) -> &'a T {
        debug_assert!(i < self.0.len());
        self.around(i)
    }
}

/// A list of quads seen as numbers, for those who know where in it a quad begins: with sixteen bytes to a quad
/// the processor would have to multiply its place each time (a fifth of a look). Wraps like [`Wrapped`].
#[derive(Clone, Copy)]
pub(crate) struct Flat<'a, T> {
    numbers: &'a [T],
    /// Keeps the beginnings of quads.
    mask: u32,
}

impl<'a, T: Copy> Flat<'a, T> {
    /// The length must be a power of two.
    #[inline(always)]
    pub fn new(quads: &'a [Quad<T>]) -> Flat<'a, T> {
        assert!(quads.len().is_power_of_two() && quads.len() <= 1 << 28);
        let mask = 4 * (quads.len() as u32 - 1);
        // what the compiler has to know to see that no access needs a check
        let numbers = &quads.as_flattened()[..mask as usize + 4];
        Flat { numbers, mask }
    }

    /// The quad that begins at number `first`, which must be less than the length.
    #[inline(always)]
    pub fn at(self, first: usize) -> Quad<T> {
        debug_assert!(first.is_multiple_of(4) && first < self.numbers.len());
        let first = (first as u32 & self.mask) as usize;
        let quad = &self.numbers[first..first + 4];
        [quad[0], quad[1], quad[2], quad[3]]
    }
}

/// Resizes a list to the next power of two, for [`Wrapped`] and [`Flat`].
pub(crate) fn pad<T: Clone>(all: &mut Vec<T>, len: usize, with: T) {
    all.resize(len.next_power_of_two(), with);
}

/// Numbers that begin where a line of the cache does: what is stored or loaded across two lines takes twice as
/// long, and a list that is aligned by the type of its elements could not be seen as numbers or quads.
#[derive(Debug, Default)]
pub(crate) struct Aligned(Vec<f64>);

impl Aligned {
    /// Resizes to the next power of two, filled up with zeros. What was there need not stay.
    pub fn pad(&mut self, len: usize) {
        let size = len.next_power_of_two() + LANES - 1;
        if self.0.len() != size {
            self.0 = vec![0.0; size];
        }
    }

    /// Where the line begins, and as many as were asked for.
    #[inline(always)]
    fn range(&self) -> Range<usize> {
        let first = self.0.as_ptr().align_offset(size_of::<Row>());
        let first = first.min(LANES - 1);
        first..first + self.0.len().saturating_sub(LANES - 1)
    }

    #[inline(always)]
    pub fn numbers(&self) -> &[f64] {
        &self.0[self.range()]
    }

    #[inline(always)]
    pub fn numbers_mut(&mut self) -> &mut [f64] {
        let range = self.range();
        &mut self.0[range]
    }
}

/// Registers that hold a row.
pub(crate) const fn registers<S: Simd>() -> usize {
    registers_of::<S, f64>()
}

/// Registers that hold a row in some precision.
pub(crate) const fn registers_of<S: Simd, T: Real>() -> usize {
    T::LANES * size_of::<T>() / size_of::<T::Register<S>>()
}

/// A vector as a quad.
#[inline(always)]
pub(crate) fn quad(a: DVec3) -> Quad {
    [a.x, a.y, a.z, 0.0]
}

/// The vector of a quad.
#[inline(always)]
pub(crate) fn vector(a: &Quad) -> DVec3 {
    DVec3::new(a[0], a[1], a[2])
}

impl<T: Real> Row<T> {
    pub const ZERO: Row<T> = Row(T::ZEROS);

    /// Register `r` of the row.
    #[inline(always)]
    pub fn get<S: Simd>(&self, simd: S, r: usize) -> Wide<S, T> {
        Wide(simd, T::registers::<S>(self.0.as_ref())[r])
    }

    /// Sets register `r` of the row.
    #[inline(always)]
    pub fn set<S: Simd>(&mut self, r: usize, a: Wide<S, T>) {
        T::registers_mut::<S>(self.0.as_mut())[r] = a.1;
    }
}

/// Register `r` of three rows.
#[inline(always)]
pub(crate) fn get3<S: Simd>(rows: &[Row; 3], simd: S, r: usize) -> Wide3<S> {
    let [x, y, z] = rows;
    Wide3([x.get(simd, r), y.get(simd, r), z.get(simd, r)])
}

/// Sets register `r` of three rows.
#[inline(always)]
pub(crate) fn set3<S: Simd>(rows: &mut [Row; 3], r: usize, a: Wide3<S>) {
    let ([x, y, z], [u, v, w]) = (rows, a.0);
    x.set(r, u);
    y.set(r, v);
    z.set(r, w);
}

/// The quads of register `r`'s elements, whose indices are given by slot, taken apart into a vector
/// and the last number.
#[inline(always)]
pub(crate) fn fetch<S: Simd, T: Real>(
    simd: S,
    r: usize,
    by_slot: &T::Each<u32>,
    quad: impl Fn(usize) -> Quad<T>,
) -> (Wide3<S, T>, Wide<S, T>) {
    let mut four = [T::splat(simd, T::of(0.0)); 4];
    let lanes = const { size_of::<T::Register<S>>() / size_of::<T>() };
    let own = &by_slot.as_ref()[r * lanes..(r + 1) * lanes];
    let quads: &mut [Quad<T>] = cast_slice_mut(&mut four);
    for (to, &i) in quads.iter_mut().zip(own) {
        *to = quad(i as usize);
    }
    let [x, y, z, last] = T::take_apart(simd, four);
    let wide = (Wide(simd, x), Wide(simd, y), Wide(simd, z));
    (Wide3([wide.0, wide.1, wide.2]), Wide(simd, last))
}

/// The quads of one register's elements as they lie in memory, still whole.
#[derive(Clone, Copy)]
pub(crate) struct Whole<S: Simd>(S, [S::f64s; 4]);

/// The quads of register `r`'s elements, whose indices are given by slot.
#[inline(always)]
pub(crate) fn whole<S: Simd>(
    simd: S,
    r: usize,
    by_slot: &Indices,
    quad: impl Fn(usize) -> Quad,
) -> Whole<S> {
    let mut four = [simd.splat_f64s(0.0); 4];
    let own = &by_slot[r * S::F64_LANES..(r + 1) * S::F64_LANES];
    let quads: &mut [Quad] = cast_slice_mut(&mut four);
    for (to, &i) in quads.iter_mut().zip(own) {
        *to = quad(i as usize);
    }
    Whole(simd, four)
}

impl<S: Simd> Whole<S> {
    /// The vectors of the differences to other quads. Half as many shuffles as if both were taken apart first.
    #[inline(always)]
    pub fn minus(self, b: Whole<S>) -> Wide3<S> {
        let (Whole(simd, mut four), Whole(_, b)) = (self, b);
        for (a, b) in four.iter_mut().zip(b) {
            *a = simd.sub_f64s(*a, b);
        }
        let [x, y, z, _] = simd.deinterleave_shfl_f64s(four);
        Wide3([Wide(simd, x), Wide(simd, y), Wide(simd, z)])
    }
}

/// Puts a vector and a last number together as the quads of register `r`'s elements, by slot.
#[inline(always)]
pub(crate) fn tell<S: Simd>(out: &mut Quads, r: usize, a: Wide3<S>, last: Wide<S>) {
    let ([x, y, z], simd) = (a.0, last.0);
    let four = simd.interleave_shfl_f64s([x.1, y.1, z.1, last.1]);
    let all = S::as_mut_simd_f64s(out.as_flattened_mut()).0;
    all[4 * r..4 * r + 4].copy_from_slice(&four);
}

/// The slots of this processor's registers.
pub(crate) fn slots() -> Slots {
    slots_of::<f64>()
}

/// The slots of this processor's registers in some precision.
pub(crate) fn slots_of<T: Real>() -> T::Each<u8> {
    struct Order<T>(PhantomData<T>);
    impl<T: Real> WithSimd for Order<T> {
        type Output = T::Each<u8>;

        #[inline(always)]
        fn with_simd<S: Simd>(self, simd: S) -> T::Each<u8> {
            let (mut row, mut in_order) = (Row::ZERO, T::each(0));
            for (i, index) in in_order.as_mut().iter_mut().enumerate() {
                *index = i as u32;
            }
            for r in 0..registers_of::<S, T>() {
                row.set(r, fetch(simd, r, &in_order, |i| [T::of(i as f64); 4]).1);
            }
            let mut slots = T::each(0);
            for (slot, at) in slots.as_mut().iter_mut().zip(row.0.as_ref()) {
                *slot = at.double() as u8;
            }
            slots
        }
    }
    Arch::new().dispatch(Order::<T>(PhantomData))
}

/// Lists by slot what is given by lane.
pub(crate) fn by_slot(slots: &Slots, by_lane: &Indices) -> Indices {
    let mut listed = [0; LANES];
    for (&slot, &index) in slots.iter().zip(by_lane) {
        listed[slot as usize] = index;
    }
    listed
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many numbers as asked for or more, a power of two of them, from where a line begins.
    #[test]
    fn aligned_numbers_begin_at_a_line() {
        for len in [1, 7, 8, 9, 1000, 100_000] {
            let mut numbers = Aligned::default();
            numbers.pad(len);
            numbers.numbers_mut().fill(1.0);
            let all = numbers.numbers();
            assert!(all.len() >= len && all.len().is_power_of_two());
            assert_eq!(all.as_ptr().align_offset(size_of::<Row>()), 0);
        }
    }

    /// Quads are found where they begin, in lists of any length.
    #[test]
    fn flat_quads_begin_where_they_are() {
        for len in [1, 2, 1024] {
            let quads: Vec<Quad<f32>> = (0..len).map(|i| [i as f32; 4]).collect();
            for (i, quad) in quads.iter().enumerate() {
                assert_eq!(Flat::new(&quads).at(4 * i), *quad);
            }
        }
    }

    /// What is fetched in single precision stands in the order of lanes, too.
    #[test]
    fn slots_undo_the_shuffles_of_single_precision() {
        struct Fetch([u8; 16]);
        impl WithSimd for Fetch {
            type Output = ();

            fn with_simd<S: Simd>(self, simd: S) {
                let element = |i: usize| [0.0, 100.0, 200.0, 300.0].map(|a| a + i as f32);
                let (mut at, mut rows) = ([0; 16], [Row::<f32>::ZERO; 4]);
                for (i, &slot) in self.0.iter().enumerate() {
                    at[slot as usize] = i as u32;
                }
                for r in 0..registers_of::<S, f32>() {
                    let (a, last) = fetch(simd, r, &at, element);
                    for (row, a) in rows.iter_mut().zip(a.0.into_iter().chain([last])) {
                        row.set(r, a);
                    }
                }
                for i in 0..16 {
                    assert_eq!(rows.map(|row| row.0[i]), element(i));
                }
            }
        }
        Arch::new().dispatch(Fetch(slots_of::<f32>()));
        Arch::Scalar.dispatch(Fetch(std::array::from_fn(|i| i as u8)));
    }

    /// Every slot is used once, what is fetched stands in the order of lanes, as do differences, and what is told
    /// can be read at the slots.
    #[test]
    fn slots_undo_the_shuffles() {
        struct Trip(Slots);
        impl WithSimd for Trip {
            type Output = ();

            fn with_simd<S: Simd>(self, simd: S) {
                let element = |i: usize| [0.0, 100.0, 200.0, 300.0].map(|a| a + i as f64);
                let at = by_slot(&self.0, &std::array::from_fn(|i| 7 * i as u32));
                let (mut rows, mut told) = ([Row::ZERO; 4], [[0.0; 4]; LANES]);
                let mut differences = [Row::ZERO; 3];
                for r in 0..registers::<S>() {
                    let (a, last) = fetch(simd, r, &at, |i| element(i / 7));
                    for (row, a) in rows.iter_mut().zip(a.0.into_iter().chain([last])) {
                        row.set(r, a);
                    }
                    tell(&mut told, r, a, last);
                    // differences of whole quads stand in the same order
                    let double = |i: usize| element(i / 7).map(|a| a + a);
                    let twice = whole(simd, r, &at, double);
                    let once = twice.minus(whole(simd, r, &at, |i| element(i / 7)));
                    set3(&mut differences, r, once);
                }
                assert_eq!(differences, [rows[0], rows[1], rows[2]]);
                for (i, &slot) in self.0.iter().enumerate() {
                    assert_eq!([0, 1, 2, 3].map(|k| rows[k].0[i]), element(i));
                    assert_eq!(told[slot as usize], element(i));
                }
            }
        }
        Arch::new().dispatch(Trip(slots()));
        Arch::Scalar.dispatch(Trip(std::array::from_fn(|i| i as u8)));
        let mut all = slots();
        all.sort_unstable();
        assert!(all.iter().enumerate().all(|(i, &slot)| i == slot as usize));
    }
}
