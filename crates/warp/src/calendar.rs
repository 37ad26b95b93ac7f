//! The event queue: a calendar (Paul, "A complexity O(1) priority queue for event driven molecular
//! dynamics simulations", 2007): unsorted buckets of equal width, an overflow list beyond the wheel.
//! Widths are powers of two ticks, so a bucket is a shift. One structure, two disciplines: strict
//! order ([`Calendar::pop_ordered`]) and windows, in which the entries of one bucket come in any order
//! ([`Calendar::pop_in_window`]). Width and wheel size change speed, never the strict order.

mod fit;

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::column::Column;
use crate::time::Tick;
use fit::Observed;

/// What the queue holds: small (24 to 40 bytes serve best) and `Copy`; payloads live elsewhere.
pub trait Entry: Copy {
    /// When it is due.
    fn tick(&self) -> Tick;
    /// The total order. Must agree with [`Entry::tick`], and must tell any two entries apart whose
    /// difference matters: equal entries come in an unspecified order.
    fn cmp_order(&self, other: &Self) -> Ordering;
}

/// Width at first, 2^30 ticks (about 1 ms), until the rate is known.
const FIRST_WIDTH_LOG2: u32 = 30;
const FEWEST_BUCKETS: usize = 64;
/// Room for more entries than this is given back by a bucket that uses less than a quarter of it.
const LARGE_BUCKET: usize = 32;
/// Makes the standard library's max-heap give the earliest entry.
#[derive(Clone, Copy, Debug)]
struct Earliest<E>(E);

impl<E: Entry> Ord for Earliest<E> {
    #[inline]
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.cmp_order(&self.0)
    }
}
impl<E: Entry> PartialOrd for Earliest<E> {
    #[inline]
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl<E: Entry> PartialEq for Earliest<E> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}
impl<E: Entry> Eq for Earliest<E> {}

/// The event queue. See the module's text.
#[derive(Clone, Debug)]
pub struct Calendar<E: Entry> {
    buckets: Column<Vec<E>>,
    /// One bit a bucket, set when it holds anything: empty stretches cost next to nothing.
    occupied: Vec<u64>,
    width_log2: u32,
    automatic: bool,
    /// Number of the current bucket, counted from tick 0; the wheel holds the numbers
    /// `current + 1 .. current + buckets.len()`.
    current: i64,
    /// The current bucket. While `sorted`: latest first, with what was pushed since in `late`.
    /// Otherwise: first in, first out from `head`.
    open: Vec<E>,
    head: usize,
    late: BinaryHeap<Earliest<E>>,
    sorted: bool,
    overflow: Column<E>,
    /// Smallest bucket number in `overflow`.
    overflow_first: i64,
    floor: Tick,
    len: usize,
    observed: Observed,
}

impl<E: Entry> Default for Calendar<E> {
    fn default() -> Self {
        Self::new()
    }
}

impl<E: Entry> Calendar<E> {
    /// Empty, with a width that follows the observed rate under the ordered discipline.
    pub fn new() -> Self {
        Calendar {
            buckets: Column::filled(Vec::new(), FEWEST_BUCKETS),
            occupied: vec![0; FEWEST_BUCKETS / 64],
            width_log2: FIRST_WIDTH_LOG2,
            automatic: true,
            current: i64::MIN >> FIRST_WIDTH_LOG2,
            open: Vec::new(),
            head: 0,
            late: BinaryHeap::new(),
            sorted: false,
            overflow: Column::new(),
            overflow_first: i64::MAX,
            floor: Tick::MIN,
            len: 0,
            observed: Observed::new(),
        }
    }

    /// A second queue with the same entries. Takes the time of the current bucket, not of all.
    pub fn branch(&mut self) -> Self {
        Calendar {
            buckets: self.buckets.branch(),
            overflow: self.overflow.branch(),
            occupied: self.occupied.clone(),
            open: self.open.clone(),
            late: self.late.clone(),
            ..*self
        }
    }

    /// Takes back what no branch shares any more.
    pub fn reclaim(&mut self) {
        self.buckets.reclaim();
        self.overflow.reclaim();
    }

    /// Entries held.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether nothing is held.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// No entry is earlier than this tick. It may fall when an earlier entry is pushed.
    #[inline]
    pub fn floor(&self) -> Tick {
        self.floor
    }

    /// Bytes held, spare capacity included.
    pub fn bytes(&self) -> usize {
        let entries = self
            .buckets
            .owned()
            .iter()
            .map(Vec::capacity)
            .sum::<usize>()
            + self.open.capacity()
            + self.late.capacity()
            + self.overflow.capacity();
        entries * size_of::<E>()
            + self.buckets.capacity() * size_of::<Vec<E>>()
            + self.occupied.capacity() * size_of::<u64>()
    }

    /// Fixes the width of a bucket at 2^`log2` ticks (at most 2^62) and rebuilds; the width no longer
    /// follows the rate. Under the window discipline this is the speculation window.
    pub fn set_width_ticks(&mut self, log2: u32) {
        self.automatic = false;
        self.rebuild(log2.min(62));
    }

    /// Adds an entry; one that is earlier than the current bucket goes into the current one.
    #[inline(always)]
    pub fn push(&mut self, entry: E) {
        self.len += 1;
        let tick = entry.tick();
        if tick < self.floor {
            self.floor = tick;
        }
        self.place(entry);
    }

    /// Takes the first entry in strict total order.
    #[inline]
    pub fn pop_ordered(&mut self) -> Option<E> {
        if !self.sorted || self.open.is_empty() || !self.late.is_empty() {
            self.bring_earliest_to_end()?;
        }
        let entry = self.open.pop()?;
        self.len -= 1;
        self.floor = entry.tick();
        Some(entry)
    }

    /// The entry that [`Calendar::pop_ordered`] would take.
    #[inline]
    pub fn peek_ordered(&mut self) -> Option<&E> {
        self.bring_earliest_to_end()?;
        self.open.last()
    }

    /// Takes an entry of the current bucket, first in, first out; none when the bucket is empty.
    #[inline]
    pub fn pop_in_window(&mut self) -> Option<E> {
        if self.sorted {
            self.unsort();
        }
        let entry = *self.open.get(self.head)?;
        self.head += 1;
        self.len -= 1;
        // Entries pushed while the window is worked off must not make the list grow for ever.
        if self.head == self.open.len() {
            self.open.clear();
            self.head = 0;
        } else if self.head >= 1024 && self.head * 2 >= self.open.len() {
            self.open.drain(..self.head);
            self.head = 0;
        }
        Some(entry)
    }

    /// Takes the first entry of the current bucket in strict total order; none when the bucket is empty.
    pub fn pop_first_in_window(&mut self) -> Option<E> {
        let is_used_up = if self.sorted {
            self.open.is_empty() && self.late.is_empty()
        } else {
            self.head == self.open.len()
        };
        if is_used_up { None } else { self.pop_ordered() }
    }

    /// Moves to the next bucket that holds anything and returns its interval [start, end): if nothing
    /// earlier is pushed any more, all before `start` is final (GVT). Stays where it is while the
    /// current bucket still holds entries; none when the queue is empty.
    pub fn advance_window(&mut self) -> Option<(Tick, Tick)> {
        if self.sorted {
            self.unsort();
        }
        if self.head == self.open.len() && !self.open_next() {
            return None;
        }
        let start = Tick(self.current << self.width_log2);
        Some((start, start.saturating_add(1 << self.width_log2)))
    }

    #[inline]
    fn number(&self, tick: Tick) -> i64 {
        tick.0 >> self.width_log2
    }

    #[inline(always)]
    fn place(&mut self, entry: E) {
        let number = self.number(entry.tick());
        let mask = self.buckets.len() - 1;
        // One comparison for the usual case: the next bucket is 0 ahead, the past is far ahead.
        let ahead = number.wrapping_sub(self.current).wrapping_sub(1) as u64;
        if ahead < mask as u64 {
            let slot = number as usize & mask;
            self.buckets[slot].push(entry);
            self.occupied[slot / 64] |= 1 << (slot % 64);
        } else {
            self.place_outside_wheel(number, entry);
        }
    }

    #[cold]
    fn place_outside_wheel(&mut self, number: i64, entry: E) {
        if number > self.current {
            self.overflow_first = self.overflow_first.min(number);
            self.overflow.push(entry);
        } else if self.sorted {
            self.late.push(Earliest(entry));
        } else {
            self.open.push(entry);
        }
    }

    /// Sorts the current bucket, or the next one that holds anything, and makes sure that the earliest
    /// of its entries is the last of `open`.
    fn bring_earliest_to_end(&mut self) -> Option<()> {
        if !self.sorted || (self.open.is_empty() && self.late.is_empty()) {
            self.open_sorted()?;
        }
        let Some(&Earliest(late)) = self.late.peek() else {
            return Some(());
        };
        if self
            .open
            .last()
            .is_none_or(|open| late.cmp_order(open).is_lt())
        {
            self.late.pop();
            self.open.push(late);
        }
        Some(())
    }

    fn open_sorted(&mut self) -> Option<()> {
        if self.len == 0 {
            return None;
        }
        if self.sorted {
            self.sorted = false;
        } else {
            self.open.drain(..self.head);
        }
        self.head = 0;
        if self.open.is_empty() {
            self.open_next();
            if self.automatic {
                self.watch();
            }
        }
        self.open.sort_unstable_by(|a, b| b.cmp_order(a));
        self.sorted = true;
        Some(())
    }

    /// Back to first in, first out.
    fn unsort(&mut self) {
        self.open
            .extend(self.late.drain().map(|earliest| earliest.0));
        self.sorted = false;
        self.head = 0;
    }

    /// Opens the next bucket that holds anything, unsorted; false when there is none. The current one
    /// must be used up.
    fn open_next(&mut self) -> bool {
        if self.len == 0 {
            return false;
        }
        self.open.clear();
        self.head = 0;
        let next = self.next_occupied();
        if next.is_none_or(|number| self.overflow_first <= number) && !self.overflow.is_empty() {
            self.current = self.overflow_first;
            self.redistribute();
        }
        // What lay in the overflow's first bucket is open by now; a wheel bucket may share its number.
        let number = if self.open.is_empty() {
            self.next_occupied().unwrap_or(self.current)
        } else {
            self.current
        };
        self.current = number;
        let slot = number as usize & (self.buckets.len() - 1);
        // Appended rather than swapped: `open` grows by whatever is pushed while a window is worked
        // off, and swapping would hand that storage round until every bucket has it.
        let bucket = &mut self.buckets[slot];
        let is_oversize = bucket.capacity() > LARGE_BUCKET.max(4 * bucket.len());
        self.open.append(bucket);
        if is_oversize {
            *bucket = Vec::new();
        }
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        self.floor = Tick(number << self.width_log2);
        true
    }

    /// The number of the first bucket of the wheel, after the current one, that holds anything.
    #[inline]
    fn next_occupied(&self) -> Option<i64> {
        let mask = self.buckets.len() - 1;
        let first = (self.current as usize).wrapping_add(1) & mask;
        let words = self.occupied.len();
        for step in 0..=words {
            let word = (first / 64 + step) % words;
            let mut bits = self.occupied[word];
            if step == 0 {
                bits &= u64::MAX << (first % 64);
            } else if step == words {
                bits &= !(u64::MAX << (first % 64));
            }
            if bits != 0 {
                let slot = word * 64 + bits.trailing_zeros() as usize;
                let ahead = slot.wrapping_sub(first) & mask;
                return Some(self.current + 1 + ahead as i64);
            }
        }
        None
    }

    /// Moves what the wheel has reached out of the overflow.
    fn redistribute(&mut self) {
        self.observed.redistributed(self.overflow.len());
        self.overflow_first = i64::MAX;
        let mut at = 0;
        while at < self.overflow.len() {
            let number = self.number(self.overflow[at].tick());
            if number.wrapping_sub(self.current) as u64 >= self.buckets.len() as u64 {
                self.overflow_first = self.overflow_first.min(number);
                at += 1;
            } else {
                let entry = self.overflow.swap_remove(at);
                self.place(entry);
            }
        }
    }
}
