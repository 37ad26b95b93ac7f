//! What is certain: a worker's part in the rounds that find GVT, and fossil collection behind it.

use super::{COLLECTION_INTERVAL, Control, Optimistic, Outcome, Step};
use crate::graph::ProcessId;
use crate::message::model::{Committed, Model, Output};
use crate::message::schedule::Schedule;
use crate::message::transport::{Transport, WorkerId};
use crate::time::Tick;

impl<M: Model, S: Schedule, T: Transport<M::Payload>> Optimistic<'_, M, S, T> {
    /// Nothing pending here is earlier. What lies beyond the end of the run does not count: GVT stops
    /// there.
    #[inline]
    pub(super) fn floor(&self) -> Tick {
        if self.schedule.is_empty() {
            return Tick::MAX;
        }
        // The schedule's floor is a lower bound and may be looser than what is known already.
        self.schedule.floor().max(self.gvt)
    }

    /// Nothing to do: GVT is wanted, and whatever comes.
    #[cold]
    pub(super) fn pause(&mut self, until: Tick) -> Step {
        self.statistics.pauses += 1;
        self.seek_gvt();
        self.post.transport.flush();
        if self.next_gvt > self.gvt || self.deliver(true) {
            return Step::Worked;
        }
        debug_assert!(self.gvt < until);
        Step::Idle
    }

    /// Begins a pass, or asks the root for a round, unless that was done already.
    pub(super) fn seek_gvt(&mut self) {
        if self.post.cuts.is_root() {
            if let Some(colour) = self.post.cuts.next_pass() {
                self.cut(colour);
            }
        } else if !self.asked {
            self.asked = true;
            self.post.control(WorkerId(0), Control::Request);
        }
    }

    pub(super) fn obey(&mut self, control: Control) {
        match control {
            Control::Cut { colour } => self.cut(colour),
            Control::Report { balance, floor } => {
                let outcome = self.post.cuts.report(balance, floor, self.floor());
                self.follow(outcome);
            }
            Control::Request => self.seek_gvt(),
            Control::Gvt(gvt) => {
                self.asked = false;
                self.announce(gvt);
            }
        }
    }

    fn cut(&mut self, colour: bool) {
        self.post.tell_children(Control::Cut { colour });
        let outcome = self.post.cuts.cut(colour, self.floor());
        self.follow(outcome);
    }

    fn follow(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Incomplete => (),
            Outcome::Report { balance, floor } => {
                let parent = self.post.cuts.parent();
                self.post
                    .control(parent, Control::Report { balance, floor });
            }
            // The next pass is due with the next step.
            Outcome::Again => self.collect_at = 0,
            Outcome::Gvt(gvt) => self.announce(gvt),
        }
    }

    /// A round has found GVT. Announcements may overtake each other, and GVT need not have risen: then
    /// it is not looked for again before as much more waits for it.
    fn announce(&mut self, gvt: Tick) {
        self.post.tell_children(Control::Gvt(gvt));
        self.next_gvt = self.next_gvt.max(gvt);
        self.collect_at = COLLECTION_INTERVAL + 2 * self.uncommitted.len();
    }

    /// GVT has risen.
    pub(super) fn rise(&mut self, until: Tick, output: &mut impl Output<M>) {
        self.gvt = self.next_gvt.min(until);
        self.next_gvt = self.gvt;
        self.commit(output);
        self.throttle.learn(&self.statistics);
        if self.gvt == until {
            for envelope in self.beyond.drain(..) {
                self.schedule.push(envelope);
            }
            self.post.transport.flush();
        }
    }

    /// For those who choose events themselves.
    #[inline]
    pub(in crate::message) fn commit_if_due(&mut self, until: Tick, output: &mut impl Output<M>) {
        if self.uncommitted.len() >= self.collect_at {
            self.seek_gvt();
            if self.next_gvt > self.gvt {
                self.rise(until, output);
            }
        }
    }

    /// Fossil collection: what lies before GVT is told to `output`, and its history freed.
    fn commit(&mut self, output: &mut impl Output<M>) {
        let Optimistic {
            model,
            graph,
            segments,
            messages,
            post,
            uncommitted,
            gvt,
            statistics,
            ..
        } = self;
        statistics.most_uncommitted = statistics.most_uncommitted.max(uncommitted.len());
        uncommitted.retain(|&reference| {
            let Some((local, order)) = graph.resolve(reference) else {
                return false;
            };
            if order.moment.tick >= *gvt {
                return true;
            }
            let segment = &segments[reference.node.index()];
            let event = Committed {
                process: post.share.global(local),
                order,
                payload: messages.payload(segment.input),
                state: &segment.state,
            };
            output.commit(model, event);
            let sender = ProcessId((order.key >> 32) as u32);
            if post.is_foreign(sender) {
                post.foreign.forget(messages.place(segment.input));
            }
            messages.remove(segment.input);
            post.forget(segment.posted);
            graph.collect_before(reference.node, |_| ());
            statistics.committed += 1;
            false
        });
        statistics.collections += 1;
        // What stays is walked over again next time: let it at most double the work.
        self.collect_at = COLLECTION_INTERVAL + 2 * self.uncommitted.len();
    }
}
