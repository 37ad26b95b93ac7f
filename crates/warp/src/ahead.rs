//! Reading ahead. An event of a large world touches lines of memory that nothing has touched for a long
//! time. Whoever knows an address early says so, and the line is there when it is needed.

/// Asks for the line of memory that a place begins in, and does not wait for it.
#[inline(always)]
pub fn prefetch<T>(place: &T) {
    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch is a hint: it changes nothing a program can see and never faults.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}
