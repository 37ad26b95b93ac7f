//! Memory in large pages. Worldlines of many bodies fill hundreds of megabytes, and an event or a late
//! input reads a few lines here and there: with pages of 4 KiB nearly every such line costs a walk
//! through the page tables as well, which on a virtual machine takes as long as the line itself.
//!
//! Blocks of a mebibyte and more come straight from the kernel, on the boundary of a large page and
//! never touched before, because that is what it backs with large pages; smaller ones come from the
//! program's allocator. Where there is no such kernel all of them do.

use allocator_api2::alloc::{AllocError, Allocator, Global};
use std::alloc::Layout;
use std::ptr::NonNull;

/// A vector whose memory is in large pages if it is much.
pub(crate) type HugeVec<T> = allocator_api2::vec::Vec<T, Pages>;

/// The allocator of such vectors. See the module's text.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Pages;

/// Blocks smaller than this are the program's allocator's affair.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 20;

// SAFETY: a block belongs to one of two sources, told apart by its layout alone, which the contract of
// `Allocator` obliges callers to repeat; each source keeps the contract. Clones are the same.
#[allow(unsafe_code)]
unsafe impl Allocator for Pages {
    fn allocate(&self, layout: Layout) -> Result<NonNull<[u8]>, AllocError> {
        #[cfg(target_os = "linux")]
        if layout.size() >= LARGE && layout.align() <= mapped::HUGE {
            return mapped::allocate(layout.size());
        }
        Global.allocate(layout)
    }

    unsafe fn deallocate(&self, block: NonNull<u8>, layout: Layout) {
        #[cfg(target_os = "linux")]
        if layout.size() >= LARGE && layout.align() <= mapped::HUGE {
            // SAFETY: a block of this layout came from `mapped`.
            return unsafe { mapped::deallocate(block, layout.size()) };
        }
        // SAFETY: all others came from there.
        unsafe { Global.deallocate(block, layout) }
    }
}

/// Blocks straight from the kernel.
#[cfg(target_os = "linux")]
#[allow(unsafe_code)]
mod mapped {
    use super::{AllocError, NonNull};
    use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous, munmap};
    use std::ptr::{null_mut, slice_from_raw_parts_mut};

    /// A large page.
    pub const HUGE: usize = 1 << 21;

    fn whole_pages(bytes: usize) -> Result<usize, AllocError> {
        bytes.checked_next_multiple_of(HUGE).ok_or(AllocError)
    }

    /// A fresh block on the boundary of a large page.
    pub fn allocate(bytes: usize) -> Result<NonNull<[u8]>, AllocError> {
        let length = whole_pages(bytes)?;
        let asked = length.checked_add(HUGE).ok_or(AllocError)?;
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
        // SAFETY: a new mapping at a place of the kernel's choice touches no memory in use.
        let start = unsafe { mmap_anonymous(null_mut(), asked, access, flags) };
        let start = start.map_err(|_| AllocError)?.cast::<u8>();
        let lead = start.addr().next_multiple_of(HUGE) - start.addr();
        let block = start.wrapping_byte_add(lead);
        let rest = HUGE - lead;
        // SAFETY: what lies before and behind the block is part of the new mapping, and unused. The
        // advice changes how the kernel backs the pages, never what is in them. If the kernel refuses
        // any of it the block is as good without.
        unsafe {
            if lead > 0 {
                let _ = munmap(start.cast(), lead);
            }
            if rest > 0 {
                let _ = munmap(block.wrapping_byte_add(length).cast(), rest);
            }
            let _ = madvise(block.cast(), length, Advice::LinuxHugepage);
        }
        NonNull::new(slice_from_raw_parts_mut(block, length)).ok_or(AllocError)
    }

    /// Gives a block of `bytes` back.
    ///
    /// # Safety
    /// The block came from [`allocate`] with as many bytes, or with as many as fill the same pages, and
    /// nobody uses it any more.
    pub unsafe fn deallocate(block: NonNull<u8>, bytes: usize) {
        if let Ok(length) = whole_pages(bytes) {
            // SAFETY: the whole mapping, as the caller promises.
            let _ = unsafe { munmap(block.as_ptr().cast(), length) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn items_survive_the_way_to_large_pages_and_back() {
        let mut items: HugeVec<u64> = HugeVec::new_in(Pages);
        items.extend(0..1000);
        items.reserve_exact(1 << 20);
        assert!(items.capacity() >= 1 << 20);
        assert!(items.iter().copied().eq(0..1000));
        items.extend(1000..1 << 20);
        assert_eq!(items.clone().len(), 1 << 20);
        items.truncate(10);
        items.shrink_to_fit();
        assert!(items.iter().copied().eq(0..10));
    }

    #[test]
    fn a_large_block_lies_on_the_boundary_of_a_large_page() {
        let items: HugeVec<u8> = HugeVec::with_capacity_in(3 << 20, Pages);
        if cfg!(target_os = "linux") {
            assert_eq!(items.as_ptr().addr() % (1 << 21), 0);
        }
    }
}
