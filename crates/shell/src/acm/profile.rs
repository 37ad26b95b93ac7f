//! Where the work goes: counts (always) and CPU seconds of the calling thread (when asked for).
//! Neither ever decides anything about the history.

use cpu_time::ThreadTime;

/// A kind of work that is timed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Phase {
    /// Stretching and bending.
    Internal,
    /// Gravity and kinematic motions.
    Slow,
    /// Penalty layers: which contacts push, and how.
    Penalty,
    /// Kicks by those that do.
    Pushes,
    /// Swept volumes, hierarchy and traversal.
    Broad,
    /// Slabs and fail-safe.
    Narrow,
    /// Kinetic data structures: rescheduling, queue, expiry.
    Kinetic,
    /// Everything of a run, from outside.
    Total,
}

/// Counts of work done.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// Windows accepted.
    pub windows: u64,
    /// Passes over a window that were thrown away.
    pub rollbacks: u64,
    /// Times a pass went back by one savepoint inside a window.
    pub rollbacks_inside: u64,
    /// Events processed, rolled-back ones included.
    pub events: u64,
    /// Membrane and hinge forces evaluated.
    pub element_forces: u64,
    /// The part of `element_forces` that was rolled back.
    pub element_forces_undone: u64,
    /// Contact forces evaluated.
    pub contact_forces: u64,
    /// Contact forces that were not zero.
    pub contact_pushes: u64,
    /// The part of `contact_forces` that was rolled back.
    pub contact_forces_undone: u64,
    /// Overlap tests of nodes in the hierarchy.
    pub node_tests: u64,
    /// Pairs of primitives whose swept volumes were compared.
    pub primitive_tests: u64,
    /// Pairs that reached the slabs.
    pub slab_pairs: u64,
    /// Slab searches (Algorithm 3 calls that walked histories).
    pub slab_steps: u64,
    /// Calls of the fail-safe.
    pub failsafe_calls: u64,
    /// Layers given to pairs.
    pub layers_added: u64,
    /// Kinetic certificates rescheduled.
    pub reschedules: u64,
    /// Kinetic certificates that expired.
    pub expiries: u64,
    /// Most bytes of history held at once.
    pub history_bytes_peak: u64,
}

impl Counts {
    /// Counts all forces since `earlier` as undone, unless they already are.
    pub(crate) fn undo_since(&mut self, earlier: &Counts) {
        let elements = self.element_forces - self.element_forces_undone;
        let contacts = self.contact_forces - self.contact_forces_undone;
        self.element_forces_undone +=
            elements - (earlier.element_forces - earlier.element_forces_undone);
        self.contact_forces_undone +=
            contacts - (earlier.contact_forces - earlier.contact_forces_undone);
        self.rollbacks_inside += 1;
    }
}

/// Counts and times of a run.
#[derive(Debug, Clone, Default)]
pub struct Profile {
    /// What was done.
    pub counts: Counts,
    seconds: [f64; PHASES],
    /// CPU seconds of two threads that worked side by side, and of the longer side each time.
    both_sides: f64,
    longer_side: f64,
    /// Calls of each phase since one was timed.
    calls: [u32; PHASES],
    timed: bool,
    /// What reading the clock twice takes, in s; it comes off every measurement.
    clock_s: f64,
}

/// Number of phases.
const PHASES: usize = Phase::Total as usize + 1;

/// Of the short calls one in this many is timed, since reading the clock costs as much as some of
/// them. Odd, so that it does not keep step with the layers, whose steps halve.
const STRIDE: u32 = 13;

impl Profile {
    /// A profile that also measures CPU time of the calling thread.
    pub fn timed() -> Profile {
        let clock_s = (0..32).map(|_| ThreadTime::now().elapsed().as_secs_f64());
        Profile {
            timed: true,
            clock_s: clock_s.fold(f64::INFINITY, f64::min),
            ..Profile::default()
        }
    }

    /// An empty profile that measures CPU time if this one does.
    pub(crate) fn anew(&self) -> Profile {
        Profile {
            timed: self.timed,
            clock_s: self.clock_s,
            ..Profile::default()
        }
    }

    /// CPU seconds of the calling thread spent in a phase.
    pub fn seconds(&self, phase: Phase) -> f64 {
        self.seconds[phase as usize]
    }

    /// CPU seconds that two threads saved by working side by side: what of a run's CPU time does not
    /// show in its wall time if nothing else keeps the processors busy.
    pub fn saved_seconds(&self) -> f64 {
        self.both_sides - self.longer_side
    }

    /// Counts the CPU seconds of two sides.
    pub(crate) fn overlap(&mut self, one: f64, other: f64) {
        self.both_sides += one + other;
        self.longer_side += one.max(other);
    }

    /// Moves the measured times of another profile here and clears its counts.
    pub(crate) fn take_seconds(&mut self, other: &mut Profile) {
        for (to, from) in self.seconds.iter_mut().zip(&mut other.seconds) {
            *to += std::mem::take(from);
        }
        other.counts = Counts::default();
    }

    /// Starts a timer for a short call, if it is this one's turn.
    #[inline]
    pub(crate) fn start_short(&mut self, phase: Phase) -> Option<ThreadTime> {
        if !self.timed {
            return None;
        }
        let calls = &mut self.calls[phase as usize];
        *calls = (*calls + 1) % STRIDE;
        (*calls == 0).then(ThreadTime::now)
    }

    /// Counts a short call for all those that were not timed.
    #[inline]
    pub(crate) fn stop_short(&mut self, phase: Phase, timer: Option<ThreadTime>) {
        if let Some(timer) = timer {
            self.seconds[phase as usize] += f64::from(STRIDE) * self.since(timer);
        }
    }

    #[inline]
    pub(crate) fn start(&self) -> Option<ThreadTime> {
        self.timed.then(ThreadTime::now)
    }

    #[inline]
    pub(crate) fn stop(&mut self, phase: Phase, timer: Option<ThreadTime>) {
        if let Some(timer) = timer {
            self.seconds[phase as usize] += self.since(timer);
        }
    }

    fn since(&self, timer: ThreadTime) -> f64 {
        (timer.elapsed().as_secs_f64() - self.clock_s).max(0.0)
    }
}
