//! A column: a vector that can branch. `Column::branch` takes constant time and copies nothing: both
//! sides go on over what they share, and each copies a page of it when it first writes there. A
//! column that was never branched is a plain vector behind one predictable test.

use crate::ahead::prefetch;
use crate::huge::{HugeVec, Pages};
use std::ops::{Index, IndexMut};
use std::sync::Arc;

const PAGE_LOG2: usize = 6;
const PAGE: usize = 1 << PAGE_LOG2;
const SHARED: u32 = u32::MAX;
/// Layers that a read may have to go through before a branch is given a copy of its own.
const DEPTH_MAX: u32 = 8;

/// A vector that can branch. See the module's text.
#[derive(Clone, Debug)]
pub struct Column<T> {
    /// All items, or, above shared ones, the pages that differ from them.
    own: HugeVec<T>,
    beneath: Option<Arc<Column<T>>>,
    /// Above shared items: where in `own` a page lies (in pages), or `SHARED`.
    pages: Vec<u32>,
    len: usize,
    depth: u32,
}

/// Room for `len` items: an eighth more than there are, where a vector would double. Columns are large
/// and steady; what they never use would weigh more than a few copies cost.
#[cold]
fn make_room<T>(own: &mut HugeVec<T>, len: usize) {
    if len > own.capacity() {
        let target = len.max(own.len() + own.len() / 8 + 16);
        own.reserve_exact(target - own.len());
    }
}

impl<T> Default for Column<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T> Column<T> {
    /// Empty.
    pub const fn new() -> Self {
        Column {
            own: HugeVec::new_in(Pages),
            beneath: None,
            pages: Vec::new(),
            len: 0,
            depth: 0,
        }
    }

    /// Items held.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is held.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Items for which memory of its own is reserved; what is shared does not count.
    pub fn capacity(&self) -> usize {
        self.own.capacity()
    }

    /// Bytes of its own, but for what items hold elsewhere; what is shared does not count.
    pub fn bytes(&self) -> usize {
        self.own.capacity() * size_of::<T>() + self.pages.capacity() * size_of::<u32>()
    }

    /// The items in memory of its own, in no particular order.
    pub fn owned(&self) -> &[T] {
        &self.own
    }

    /// The item at `index`, if there is one.
    #[inline]
    pub fn get(&self, index: usize) -> Option<&T> {
        (index < self.len).then(|| &self[index])
    }

    /// Asks for the line of memory that an item begins in, and does not wait for it.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
        if let Some(item) = self.own.get(index) {
            prefetch(item);
        }
    }

    /// All items in order.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len).map(|index| &self[index])
    }

    /// The item at `index` of a column above shared ones.
    #[cold]
    fn above(&self, index: usize) -> &T {
        assert!(index < self.len, "index {index} out of {} items", self.len);
        let mut column = self;
        loop {
            let Some(beneath) = &column.beneath else {
                return &column.own[index];
            };
            match column.pages.get(index >> PAGE_LOG2) {
                Some(&page) if page != SHARED => {
                    return &column.own[((page as usize) << PAGE_LOG2) | (index & (PAGE - 1))];
                }
                _ => column = beneath,
            }
        }
    }
}

impl<T: Clone> Column<T> {
    /// `len` copies of an item.
    pub fn filled(item: T, len: usize) -> Self {
        let mut own = HugeVec::with_capacity_in(len, Pages);
        own.resize(len, item);
        Column {
            own,
            len,
            ..Column::new()
        }
    }

    /// A second column with the same items. Takes constant time, whatever the length.
    pub fn branch(&mut self) -> Self {
        if self.depth >= DEPTH_MAX {
            self.merge_layers();
        }
        let is_changed = self.beneath.is_none() || !self.own.is_empty();
        if is_changed {
            let beneath = std::mem::take(self);
            *self = Column {
                own: HugeVec::new_in(Pages),
                pages: Vec::new(),
                len: beneath.len,
                depth: beneath.depth + 1,
                beneath: Some(Arc::new(beneath)),
            };
        }
        self.clone()
    }

    /// Puts the layers above the lowest one, which holds everything, into one: what has changed since is
    /// copied, and all else stays shared. Once half has changed, everything is copied.
    #[cold]
    fn merge_layers(&mut self) {
        let mut lowest = self.beneath.as_ref();
        while let Some(next) = lowest.and_then(|layer| layer.beneath.as_ref()) {
            lowest = Some(next);
        }
        let Some(lowest) = lowest.map(Arc::clone) else {
            return;
        };
        let mut merged = Column {
            own: HugeVec::new_in(Pages),
            pages: Vec::new(),
            len: self.len,
            depth: 1,
            beneath: Some(Arc::clone(&lowest)),
        };
        for page in 0..self.len.div_ceil(PAGE) {
            if let Some(items) = self.changed_page(page) {
                let place = merged.own.len() >> PAGE_LOG2;
                merged.own.extend(items.iter().cloned());
                merged.note_page(page, place);
            }
        }
        if 2 * merged.own.len() > lowest.len {
            let mut own = HugeVec::with_capacity_in(self.len, Pages);
            own.extend(self.iter().cloned());
            merged = Column {
                len: own.len(),
                own,
                ..Column::new()
            };
        }
        *self = merged;
    }

    /// The newest copy of a page above the lowest layer, if there is one.
    fn changed_page(&self, page: usize) -> Option<&[T]> {
        let mut column = self;
        while let Some(beneath) = &column.beneath {
            match column.pages.get(page) {
                Some(&place) if place != SHARED => {
                    let from = (place as usize) << PAGE_LOG2;
                    return Some(&column.own[from..from + PAGE]);
                }
                _ => column = beneath,
            }
        }
        None
    }

    /// Takes back what it alone still refers to: with every branch gone it is a plain vector again.
    pub fn reclaim(&mut self) {
        while let Some(shared) = self.beneath.take() {
            let mut beneath = match Arc::try_unwrap(shared) {
                Ok(beneath) => beneath,
                Err(shared) => {
                    self.beneath = Some(shared);
                    return;
                }
            };
            let own = std::mem::replace(&mut self.own, HugeVec::new_in(Pages));
            let pages = std::mem::take(&mut self.pages);
            let len = self.len;
            for (page, &place) in pages.iter().enumerate() {
                if place == SHARED {
                    continue;
                }
                let from = (place as usize) << PAGE_LOG2;
                let first = page << PAGE_LOG2;
                for (offset, item) in own[from..from + PAGE].iter().enumerate() {
                    if first + offset < len {
                        beneath.set_or_push(first + offset, item.clone());
                    }
                }
            }
            beneath.truncate(len);
            *self = beneath;
        }
    }

    fn set_or_push(&mut self, index: usize, item: T) {
        if index < self.len {
            self[index] = item;
        } else {
            self.push(item);
        }
    }

    /// Adds an item at the end.
    #[inline]
    pub fn push(&mut self, item: T) {
        if self.beneath.is_none() {
            if self.own.len() == self.own.capacity() {
                make_room(&mut self.own, self.len + 1);
            }
            self.own.push(item);
            self.len += 1;
        } else {
            self.push_above(item);
        }
    }

    #[cold]
    fn push_above(&mut self, item: T) {
        let (page, offset) = (self.len >> PAGE_LOG2, self.len & (PAGE - 1));
        self.len += 1;
        if offset == 0 {
            let place = self.own.len() >> PAGE_LOG2;
            self.own.extend(std::iter::repeat_n(item, PAGE));
            self.note_page(page, place);
        } else {
            let place = self.own_page(page);
            self.own[(place << PAGE_LOG2) | offset] = item;
        }
    }

    /// Takes the last item.
    pub fn pop(&mut self) -> Option<T> {
        if self.beneath.is_none() {
            self.len = self.len.saturating_sub(1);
            return self.own.pop();
        }
        let last = self.len.checked_sub(1)?;
        let item = self[last].clone();
        self.len = last;
        Some(item)
    }

    /// Takes the item at `index`; the last one takes its place.
    pub fn swap_remove(&mut self, index: usize) -> T {
        if self.beneath.is_none() {
            self.len -= 1;
            return self.own.swap_remove(index);
        }
        let item = self[index].clone();
        if let Some(last) = self.pop()
            && index < self.len
        {
            self[index] = last;
        }
        item
    }

    /// Grows to `len` items, each a copy of `item`; never shrinks.
    pub fn grow(&mut self, len: usize, item: T) {
        if self.beneath.is_none() {
            if len > self.own.len() {
                make_room(&mut self.own, len);
                self.own.resize(len, item);
                self.len = len;
            }
            return;
        }
        while self.len < len {
            self.push(item.clone());
        }
    }

    /// Drops the items from `len` on.
    pub fn truncate(&mut self, len: usize) {
        if self.beneath.is_none() {
            self.own.truncate(len);
        }
        self.len = self.len.min(len);
    }

    /// Drops all items and whatever is shared.
    pub fn clear(&mut self) {
        self.own.clear();
        self.pages.clear();
        self.beneath = None;
        self.len = 0;
        self.depth = 0;
    }

    fn note_page(&mut self, page: usize, place: usize) {
        if self.pages.len() <= page {
            self.pages.resize(page + 1, SHARED);
        }
        self.pages[page] = place as u32;
    }

    /// Where the own copy of a page lies, made if there is none. Places past the end are filled with
    /// copies: they are never read.
    fn own_page(&mut self, page: usize) -> usize {
        if let Some(&place) = self.pages.get(page)
            && place != SHARED
        {
            return place as usize;
        }
        let place = self.own.len() >> PAGE_LOG2;
        let first = page << PAGE_LOG2;
        if let Some(beneath) = &self.beneath {
            let end = (first + PAGE).min(beneath.len).min(self.len);
            self.own.extend((first..end).map(|i| beneath[i].clone()));
            let missing = PAGE - (end - first);
            let filler = beneath[first].clone();
            self.own.extend(std::iter::repeat_n(filler, missing));
        }
        self.note_page(page, place);
        place
    }

    #[cold]
    fn above_mut(&mut self, index: usize) -> &mut T {
        assert!(index < self.len, "index {index} out of {} items", self.len);
        let place = self.own_page(index >> PAGE_LOG2);
        &mut self.own[(place << PAGE_LOG2) | (index & (PAGE - 1))]
    }
}

impl<T> Index<usize> for Column<T> {
    type Output = T;

    #[inline(always)]
    fn index(&self, index: usize) -> &T {
        if self.beneath.is_none() {
            &self.own[index]
        } else {
            self.above(index)
        }
    }
}

impl<T: Clone> IndexMut<usize> for Column<T> {
    #[inline(always)]
    fn index_mut(&mut self, index: usize) -> &mut T {
        if self.beneath.is_none() {
            &mut self.own[index]
        } else {
            self.above_mut(index)
        }
    }
}

impl<T> From<Vec<T>> for Column<T> {
    fn from(items: Vec<T>) -> Self {
        let mut own = HugeVec::with_capacity_in(items.len(), Pages);
        own.extend(items);
        Column {
            len: own.len(),
            own,
            ..Column::new()
        }
    }
}
