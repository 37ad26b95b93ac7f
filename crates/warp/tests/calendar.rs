//! The calendar against a binary heap under random pushes: ties, bursts, far futures, late arrivals.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

use proptest::prelude::*;
use warpline_warp::{Calendar, Entry, Tick};

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Due {
    tick: Tick,
    key: u64,
    payload: u64,
}

impl Entry for Due {
    fn tick(&self) -> Tick {
        self.tick
    }
    fn cmp_order(&self, other: &Self) -> Ordering {
        self.cmp(other)
    }
}

#[derive(Clone, Debug)]
enum Step {
    /// Entries at these ticks after the last one taken (before it, if negative).
    Push(Vec<i64>),
    Pop(usize),
    Width(u32),
    /// Drops the entries whose payloads are multiples of this.
    Drop(u64),
}

fn delay() -> impl Strategy<Value = i64> {
    prop_oneof![
        4 => 0..1_i64 << 34,
        2 => Just(0_i64),
        2 => Just(1_i64 << 33),
        1 => 0..1_i64 << 55,
        1 => -(1_i64 << 34)..0,
        1 => Just(i64::MAX),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let burst = (delay(), 1..300_usize).prop_map(|(delay, n)| vec![delay; n]);
    let push = prop_oneof![
        3 => proptest::collection::vec(delay(), 1..200),
        1 => burst,
    ];
    let step = prop_oneof![
        5 => push.prop_map(Step::Push),
        5 => (1..400_usize).prop_map(Step::Pop),
        1 => (0..62_u32).prop_map(Step::Width),
        1 => (2..5_u64).prop_map(Step::Drop),
    ];
    proptest::collection::vec(step, 1..40)
}

/// Both queues, fed alike.
struct Pair {
    calendar: Calendar<Due>,
    heap: BinaryHeap<Reverse<Due>>,
    now: Tick,
    pushed: u64,
}

impl Pair {
    fn new() -> Pair {
        Pair {
            calendar: Calendar::new(),
            heap: BinaryHeap::new(),
            now: Tick::ZERO,
            pushed: 0,
        }
    }

    fn push(&mut self, delay: i64) {
        self.pushed += 1;
        let due = Due {
            tick: self.now.saturating_add(delay),
            // Scrambled, so that ties do not come in the order of pushing.
            key: self.pushed.wrapping_mul(0x9E37_79B9_7F4A_7C15),
            payload: self.pushed,
        };
        self.calendar.push(due);
        self.heap.push(Reverse(due));
    }

    fn pop(&mut self) -> Option<Due> {
        let expected = self.heap.pop().map(|reverse| reverse.0);
        if let Some(due) = expected {
            assert!(self.calendar.floor() <= due.tick);
            self.now = due.tick;
        }
        assert_eq!(self.calendar.peek_ordered().copied(), expected);
        assert_eq!(self.calendar.pop_ordered(), expected);
        assert_eq!(self.calendar.len(), self.heap.len());
        expected
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn ordered_discipline_is_a_priority_queue(steps in steps()) {
        let mut pair = Pair::new();
        for step in steps {
            match step {
                Step::Push(delays) => delays.into_iter().for_each(|delay| pair.push(delay)),
                Step::Pop(n) => (0..n).for_each(|_| { pair.pop(); }),
                Step::Width(log2) => pair.calendar.set_width_ticks(log2),
                Step::Drop(of) => {
                    pair.calendar.retain(|due| due.payload % of != 0);
                    pair.heap.retain(|due| due.0.payload % of != 0);
                }
            }
        }
        while pair.pop().is_some() {}
        prop_assert!(pair.calendar.is_empty());
    }

    #[test]
    fn windows_rise_and_hold_every_entry_once(
        log2 in 20..45_u32,
        delays in proptest::collection::vec(delay().prop_map(|d| d.max(0)), 1..400),
    ) {
        let mut calendar = Calendar::new();
        calendar.set_width_ticks(log2);
        let mut waiting = std::collections::BTreeSet::new();
        let push = |calendar: &mut Calendar<Due>, waiting: &mut std::collections::BTreeSet<Due>, tick| {
            let due = Due { tick, key: waiting.len() as u64, payload: 0 };
            if waiting.insert(due) {
                calendar.push(due);
            }
        };
        let (first, rest) = delays.split_at(delays.len() / 2);
        for &delay in first {
            push(&mut calendar, &mut waiting, Tick(delay));
        }
        let mut rest = rest.iter();
        let mut last_end = Tick::MIN;
        while let Some((start, end)) = calendar.advance_window() {
            prop_assert!(last_end <= start && start < end);
            prop_assert!(waiting.first().is_none_or(|due| start <= due.tick));
            while let Some(due) = calendar.pop_in_window() {
                // The window that ends at the last tick is closed: nothing lies beyond.
                prop_assert!(start <= due.tick && (due.tick < end || end == Tick::MAX));
                prop_assert!(waiting.remove(&due));
                if let Some(&delay) = rest.next() {
                    push(&mut calendar, &mut waiting, start.saturating_add(delay));
                }
            }
            last_end = end;
        }
        prop_assert!(waiting.is_empty());
    }
}

/// A steady load of the kind that simulations give: each entry taken is replaced by a later one.
#[test]
fn a_steady_load_keeps_order_and_memory() {
    for (pending, scale) in [(10, 1_i64 << 42), (3_000, 1 << 42), (3_000, 1 << 8)] {
        let mut pair = Pair::new();
        let mut random = 1_u64;
        let mut next = || {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((random >> 33) as i64) % scale
        };
        (0..pending).for_each(|_| pair.push(next()));
        let mut bytes = 0;
        for round in 0..100_000 {
            pair.pop();
            pair.push(next());
            if round == 50_000 {
                bytes = pair.calendar.bytes();
            }
        }
        // Buckets of about 8 entries with doubling capacities: twice is slack enough for chance.
        assert!(pair.calendar.bytes() <= 2 * bytes);
    }
}

/// The two disciplines may be mixed: what one leaves, the other finds.
#[test]
fn disciplines_share_one_structure() {
    let mut calendar = Calendar::new();
    calendar.set_width_ticks(10);
    let due = |tick, key| Due {
        tick: Tick(tick),
        key,
        payload: 0,
    };
    for entry in [due(5, 0), due(3, 0), due(3, 1), due(2_000, 0)] {
        calendar.push(entry);
    }
    assert_eq!(calendar.advance_window(), Some((Tick(0), Tick(1024))));
    assert_eq!(calendar.pop_in_window(), Some(due(5, 0)));
    assert_eq!(calendar.pop_ordered(), Some(due(3, 0)));
    calendar.push(due(1, 7));
    assert_eq!(calendar.advance_window(), Some((Tick(0), Tick(1024))));
    assert_eq!(calendar.pop_in_window(), Some(due(3, 1)));
    assert_eq!(calendar.pop_in_window(), Some(due(1, 7)));
    assert_eq!(calendar.pop_in_window(), None);
    assert_eq!(calendar.pop_ordered(), Some(due(2_000, 0)));
    assert_eq!(calendar.pop_ordered(), None);
    assert_eq!(calendar.advance_window(), None);
}
