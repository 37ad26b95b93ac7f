//! GVT while everybody goes on working: Mattern's two cuts ("Efficient algorithms for distributed
//! snapshots and global virtual time approximation", 1993) over a tree of workers.
//!
//! A round gives all workers a new colour, and every parcel the colour of its sender. The first cut
//! runs through the points where workers change colour, the second through the points where they
//! report. When as many parcels of the old colour have been received as were sent, none of them
//! crosses the second cut; those of the new colour that do are bounded by the earliest that was sent
//! since the change. So GVT is the least of what is pending at the second cut and of what was sent in
//! the new colour. If some of the old colour are still under way, all report once more.
//!
//! Chosen over a barrier because nobody waits: a worker reports between two events. Chosen over
//! acknowledgements (Samadi) because it costs two counters and a bit a parcel. Counts go up a binary
//! tree and not round a ring, so that a pass takes 2 log2(n) hops.

use super::transport::WorkerId;
use crate::time::Tick;

/// What workers tell each other to compute GVT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Down the tree: take this colour, if you do not have it yet, and report.
    Cut {
        /// The colour of the round.
        colour: bool,
    },
    /// Up the tree: what a subtree has to say.
    Report {
        /// Parcels of the old colour: sent less received, since the report before.
        balance: i64,
        /// No event of the subtree, pending or sent in the new colour, is earlier.
        floor: Tick,
    },
    /// To the root: a worker waits for GVT.
    Request,
    /// Down the tree: the new GVT.
    Gvt(Tick),
}

/// What follows from a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// Others have still to report.
    Incomplete,
    /// The subtree is complete: to the parent.
    Report { balance: i64, floor: Tick },
    /// At the root: parcels of the old colour are under way, all must report again.
    Again,
    /// At the root: GVT.
    Gvt(Tick),
}

/// One worker's part in the rounds.
#[derive(Clone, Debug)]
pub(super) struct Cuts {
    worker: WorkerId,
    workers: u32,
    colour: bool,
    /// Parcels sent less received, by colour, since the last report.
    balance: [i64; 2],
    /// Earliest that was sent in the present colour.
    sent_floor: Tick,
    /// Children that have still to report in the present pass; none when no pass is on.
    awaited: Option<u32>,
    pass_floor: Tick,
    /// Parcels of the old colour under way, as far as is known in this subtree.
    under_way: i64,
    /// At the root: a round was begun and has not led to GVT yet.
    in_round: bool,
}

impl Cuts {
    pub(super) fn new(worker: WorkerId, workers: u32) -> Self {
        Cuts {
            worker,
            workers,
            colour: false,
            balance: [0; 2],
            sent_floor: Tick::MAX,
            awaited: None,
            pass_floor: Tick::MAX,
            under_way: 0,
            in_round: false,
        }
    }

    pub(super) fn is_root(&self) -> bool {
        self.worker.0 == 0
    }

    /// The workers below this one.
    pub(super) fn children(&self) -> impl Iterator<Item = WorkerId> + use<> {
        let (first, workers) = (2 * self.worker.0 + 1, self.workers);
        (first..first + 2)
            .filter(move |&child| child < workers)
            .map(WorkerId)
    }

    pub(super) fn parent(&self) -> WorkerId {
        WorkerId((self.worker.0 - 1) / 2)
    }

    /// A parcel leaves that can affect nothing before `tick`; returns its colour.
    #[inline]
    pub(super) fn sent(&mut self, tick: Tick) -> bool {
        self.balance[usize::from(self.colour)] += 1;
        self.sent_floor = self.sent_floor.min(tick);
        self.colour
    }

    /// A parcel has arrived and was made known to the schedule.
    #[inline]
    pub(super) fn received(&mut self, colour: bool) {
        self.balance[usize::from(colour)] -= 1;
    }

    /// At the root: the colour of the next pass, unless one is on.
    pub(super) fn next_pass(&mut self) -> Option<bool> {
        if self.awaited.is_some() {
            return None;
        }
        if !self.in_round {
            self.in_round = true;
            self.under_way = 0;
            return Some(!self.colour);
        }
        Some(self.colour)
    }

    /// Begins a pass here, with nothing pending before `pending`.
    pub(super) fn cut(&mut self, colour: bool, pending: Tick) -> Outcome {
        debug_assert!(self.awaited.is_none(), "a pass was begun within a pass");
        if colour != self.colour {
            self.colour = colour;
            self.sent_floor = Tick::MAX;
        }
        self.awaited = Some(self.children().count() as u32);
        self.pass_floor = Tick::MAX;
        self.outcome(pending)
    }

    /// A child has reported; nothing is pending here before `pending`.
    pub(super) fn report(&mut self, balance: i64, floor: Tick, pending: Tick) -> Outcome {
        self.under_way += balance;
        self.pass_floor = self.pass_floor.min(floor);
        self.awaited = self.awaited.map(|children| children - 1);
        self.outcome(pending)
    }

    /// The second cut passes here when the last child has reported: by then what the subtree had sent
    /// to this worker has arrived, where parcels keep their order, and one pass is mostly enough.
    fn outcome(&mut self, pending: Tick) -> Outcome {
        if self.awaited != Some(0) {
            return Outcome::Incomplete;
        }
        self.awaited = None;
        self.pass_floor = self.pass_floor.min(pending).min(self.sent_floor);
        self.under_way += std::mem::take(&mut self.balance[usize::from(!self.colour)]);
        if !self.is_root() {
            return Outcome::Report {
                balance: std::mem::take(&mut self.under_way),
                floor: self.pass_floor,
            };
        }
        if self.under_way != 0 {
            return Outcome::Again;
        }
        self.in_round = false;
        Outcome::Gvt(self.pass_floor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROOT: WorkerId = WorkerId(0);

    #[test]
    fn alone_gvt_is_what_is_pending() {
        let mut cuts = Cuts::new(ROOT, 1);
        let colour = cuts.next_pass().unwrap();
        assert_eq!(cuts.cut(colour, Tick(7)), Outcome::Gvt(Tick(7)));
    }

    #[test]
    fn a_parcel_of_the_old_colour_holds_the_round_up_and_one_of_the_new_holds_gvt_down() {
        let (mut root, mut leaf) = (Cuts::new(ROOT, 2), Cuts::new(WorkerId(1), 2));
        let old = leaf.sent(Tick(5));
        let colour = root.next_pass().unwrap();
        assert_eq!(root.cut(colour, Tick(1)), Outcome::Incomplete);
        let Outcome::Report { balance, floor } = leaf.cut(colour, Tick(30)) else {
            panic!("a leaf reports at once");
        };
        assert_eq!((balance, floor), (1, Tick(30)));
        assert_eq!(root.report(balance, floor, Tick(20)), Outcome::Again);
        // The old one arrives and is pending; the leaf sends another, which is under way at the end.
        root.received(old);
        let new = leaf.sent(Tick(11));
        assert_ne!(old, new);
        assert_eq!(root.next_pass(), Some(colour));
        assert_eq!(root.cut(colour, Tick(2)), Outcome::Incomplete);
        let Outcome::Report { balance, floor } = leaf.cut(colour, Tick(40)) else {
            panic!("a leaf reports at once");
        };
        assert_eq!((balance, floor), (0, Tick(11)));
        let outcome = root.report(balance, floor, Tick(12));
        assert_eq!(outcome, Outcome::Gvt(Tick(11)));
    }

    #[test]
    fn every_worker_but_the_root_has_one_parent() {
        let mut parents = [0; 11];
        for worker in 0..11 {
            for child in Cuts::new(WorkerId(worker), 11).children() {
                assert_eq!(Cuts::new(child, 11).parent(), WorkerId(worker));
                parents[child.index()] += 1;
            }
        }
        assert_eq!(parents[0], 0);
        assert!(parents[1..].iter().all(|&count| count == 1));
    }
}
