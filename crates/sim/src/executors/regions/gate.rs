//! Where the threads of a run meet: each brings what it has to report and goes on with what all have reported.

use super::plan::Tally;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

/// How often a thread looks before it lies down to sleep, where there is a core for each.
const LOOKS: u32 = 4096;

/// What is under way.
struct Meeting {
    arrived: usize,
    so_far: Tally,
    result: Tally,
}

/// See the module's text.
pub(super) struct Gate {
    parties: usize,
    looks: u32,
    meeting: Mutex<Meeting>,
    all_here: Condvar,
    /// Meetings that are over.
    held: AtomicU64,
}

impl Gate {
    /// For so many threads.
    pub fn new(parties: usize) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Gate {
            parties,
            looks: if parties <= cores { LOOKS } else { 0 },
            meeting: Mutex::new(Meeting {
                arrived: 0,
                so_far: Tally::NONE,
                result: Tally::NONE,
            }),
            all_here: Condvar::new(),
            held: AtomicU64::new(0),
        }
    }

    /// Reports, waits for the others and returns what all have reported together; who comes last asks `beyond` what that
    /// is where there are others elsewhere.
    pub fn meet(&self, own: Tally, beyond: impl FnOnce(Tally) -> Tally) -> Tally {
        let mut meeting = self.meeting.lock().unwrap_or_else(PoisonError::into_inner);
        let number = self.held.load(Ordering::Acquire);
        meeting.so_far = meeting.so_far.with(own);
        meeting.arrived += 1;
        if meeting.arrived == self.parties {
            meeting.result = beyond(std::mem::replace(&mut meeting.so_far, Tally::NONE));
            meeting.arrived = 0;
            self.held.store(number + 1, Ordering::Release);
            self.all_here.notify_all();
            return meeting.result;
        }
        drop(meeting);
        for _ in 0..self.looks {
            if self.held.load(Ordering::Acquire) != number {
                break;
            }
            std::hint::spin_loop();
        }
        let mut meeting = self.meeting.lock().unwrap_or_else(PoisonError::into_inner);
        while self.held.load(Ordering::Acquire) == number {
            meeting = self
                .all_here
                .wait(meeting)
                .unwrap_or_else(PoisonError::into_inner);
        }
        meeting.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use warp::Tick;

    #[test]
    fn all_leave_with_what_all_brought() {
        let gate = Gate::new(3);
        std::thread::scope(|scope| {
            for number in 0..3u64 {
                let gate = &gate;
                scope.spawn(move || {
                    for round in 0..200u64 {
                        let own = Tally {
                            sent: number + round,
                            next: Tick((number + round) as i64),
                            ..Tally::NONE
                        };
                        let all = gate.meet(own, |all| all);
                        assert_eq!((all.sent, all.next), (3 * round + 3, Tick(round as i64)));
                    }
                });
            }
        });
    }
}
