//! Going back: a worldline is truncated, its inputs are pending again, and what it had sent is unsent.

use super::{Optimistic, Segment};
use crate::graph::{ProcessId, Undone};
use crate::message::model::{Envelope, MessageId, Model};
use crate::message::schedule::Schedule;
use crate::message::slab::{SentList, Status};
use crate::message::transport::Transport;
use crate::time::EventOrder;

impl<M: Model, S: Schedule, T: Transport<M::Payload>> Optimistic<'_, M, S, T> {
    /// Undoes `process` from `to` on, and all that follows from it.
    #[cold]
    pub(in crate::message) fn undo(&mut self, process: ProcessId, to: EventOrder) {
        self.roll_back(self.post.share.local(process), to);
        self.annihilate();
    }

    /// Truncates one worldline: inputs go back to the schedule, what was sent is unsent.
    fn roll_back(&mut self, local: ProcessId, to: EventOrder) {
        self.check_above_gvt(to.moment.tick);
        let mut undone = std::mem::take(&mut self.undone);
        self.graph.roll_back(local, to, &mut undone);
        self.statistics.rollbacks += 1;
        self.statistics.undone += undone.len() as u64;
        for segment in undone.drain(..) {
            let Segment {
                input,
                sent,
                posted,
                ..
            } = self.segments[segment.node.index()];
            self.take_back(segment, input);
            self.unsend(sent);
            self.statistics.antimessages += self.post.unsend(posted);
        }
        self.undone = undone;
    }

    fn take_back(&mut self, undone: Undone, input: MessageId) {
        if self.messages.status(input) == Status::Annihilating {
            self.messages.remove(input);
        } else {
            self.messages.set_status(input, Status::Pending);
            let receiver = self.post.share.global(undone.process);
            let envelope = Envelope::of_event(receiver, undone.order, input);
            self.schedule.push(envelope);
        }
    }

    /// Between processes of one worker an antimessage arrives at once.
    fn unsend(&mut self, mut sent: SentList) {
        while let Some(message) = self.messages.next_sent(&mut sent) {
            self.statistics.antimessages += 1;
            self.arrived.push(message);
        }
    }

    /// Carries out the antimessages that have arrived. Undoing a receipt may send more of them: the
    /// recursion of Mirtich's section 3, as a list.
    pub(super) fn annihilate(&mut self) {
        while let Some(message) = self.arrived.pop() {
            match self.messages.status(message) {
                Status::Pending => self.messages.annul(message),
                Status::Processed(node) => {
                    self.messages.set_status(message, Status::Annihilating);
                    self.roll_back(self.graph.process(node), self.graph.order(node));
                }
                status => unreachable!("a second antimessage for a message that is {status:?}"),
            }
        }
    }
}
