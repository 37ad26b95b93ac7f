//! Memory in large pages. Worldlines of many bodies fill hundreds of megabytes, and an event or a late
//! input reads a few lines here and there: with pages of 4 KiB nearly every such line costs a walk
//! through the page tables as well, which on a virtual machine takes as long as the line itself.

/// Memory smaller than this stays as it is.
const LARGE: usize = 1 << 20;
/// A multiple of the kernel's page size, whichever it is.
#[cfg(target_os = "linux")]
const PAGE: usize = 1 << 16;

/// An empty vector with room for `capacity` items, in large pages if that is much.
pub(crate) fn with_capacity<T>(capacity: usize) -> Vec<T> {
    let mut items = Vec::with_capacity(capacity);
    advise(&mut items);
    items
}

/// Makes room for exactly `capacity` items.
pub(crate) fn reserve<T>(items: &mut Vec<T>, capacity: usize) {
    if capacity.saturating_mul(size_of::<T>()) < LARGE {
        items.reserve_exact(capacity - items.len());
        return;
    }
    // Not in place: the kernel gives large pages to memory that was never touched.
    let mut moved = with_capacity(capacity);
    moved.append(items);
    *items = moved;
}

/// Asks the kernel to back a vector's memory with large pages.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
fn advise<T>(items: &mut Vec<T>) {
    use rustix::mm::{Advice, madvise};
    let start = items.as_mut_ptr();
    let bytes = items.capacity() * size_of::<T>();
    if bytes < LARGE {
        return;
    }
    // Whole pages inside memory that `items` owns.
    let lead = start.addr().next_multiple_of(PAGE) - start.addr();
    let (first, length) = (start.wrapping_byte_add(lead), (bytes - lead) / PAGE * PAGE);
    // SAFETY: the advice changes how the kernel backs these pages, never what is in them or who may
    // use them. A kernel that does not know it answers with an error, and nothing is lost.
    let _ = unsafe { madvise(first.cast(), length, Advice::LinuxHugepage) };
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_: &mut Vec<T>) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_survive_the_move_to_large_pages() {
        let mut items: Vec<u64> = (0..1000).collect();
        reserve(&mut items, 1 << 20);
        assert!(items.capacity() >= 1 << 20);
        assert!(items.iter().copied().eq(0..1000));
    }
}
