//! What a run did, counted, and where its time went.

/// What an entity may be busy with: the parts of the paper's Figure 8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Algorithm 5.
    Integration,
    /// Locking, writing, and the collision checks of the hash table.
    Tvht,
    /// Undoing: deletes and antievents.
    Rollback,
    /// Counting, and waking those that LVT_ub held back.
    Gvt,
    /// Messages and queues.
    Other,
}

impl Activity {
    /// All of them.
    pub const ALL: [Activity; 5] = [
        Activity::Integration,
        Activity::Tvht,
        Activity::Rollback,
        Activity::Gvt,
        Activity::Other,
    ];

    /// For tables.
    pub fn name(self) -> &'static str {
        match self {
            Activity::Integration => "integration",
            Activity::Tvht => "hash table",
            Activity::Rollback => "rollback",
            Activity::Gvt => "GVT",
            Activity::Other => "other",
        }
    }
}

/// Counters of one entity, or of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Times a task was run.
    pub activations: u64,
    /// Messages read.
    pub messages: u64,
    /// Sub-steps integrated.
    pub integrated: u64,
    /// States written.
    pub written: u64,
    /// Regions they were written into.
    pub regions_written: u64,
    /// Other states that were looked at in them.
    pub checks: u64,
    /// States deleted.
    pub deleted: u64,
    /// Regions they were deleted from.
    pub regions_deleted: u64,
    /// Locks taken.
    pub locks: u64,
    /// Locks waited for.
    pub lock_waits: u64,
    /// Events sent.
    pub events: u64,
    /// Antievents sent.
    pub antievents: u64,
    /// Rollbacks.
    pub rollbacks: u64,
    /// Counters raised or lowered, and entities woken because LVT_ub had risen.
    pub counted: u64,
    /// Nanoseconds by activity, in the order of [`Activity::ALL`]; zero unless the run was timed.
    pub nanoseconds: [u64; 5],
}

impl Tally {
    /// Adds another's counts.
    pub fn add(&mut self, other: &Tally) {
        let Tally {
            activations,
            messages,
            integrated,
            written,
            regions_written,
            checks,
            deleted,
            regions_deleted,
            locks,
            lock_waits,
            events,
            antievents,
            rollbacks,
            counted,
            nanoseconds,
        } = other;
        self.activations += activations;
        self.messages += messages;
        self.integrated += integrated;
        self.written += written;
        self.regions_written += regions_written;
        self.checks += checks;
        self.deleted += deleted;
        self.regions_deleted += regions_deleted;
        self.locks += locks;
        self.lock_waits += lock_waits;
        self.events += events;
        self.antievents += antievents;
        self.rollbacks += rollbacks;
        self.counted += counted;
        for (mine, theirs) in self.nanoseconds.iter_mut().zip(nanoseconds) {
            *mine += theirs;
        }
    }

    pub(crate) fn spend(&mut self, activity: Activity, since: &mut u64, now: u64) {
        self.nanoseconds[activity as usize] += now.saturating_sub(*since);
        *since = now;
    }
}
