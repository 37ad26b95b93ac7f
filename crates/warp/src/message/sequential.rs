//! The plain event loop: one queue in strict order, nothing saved, nothing undone.
//! It is the oracle for what Time Warp commits, and the speed that speculation is measured against.

use super::model::{Committed, Envelope, Model, Outbox, Output, check_send};
use crate::calendar::Calendar;
use crate::graph::ProcessId;
use crate::time::Tick;

/// Runs every event before `until` in order and tells `output` of each; returns their number.
pub fn run_sequential<M: Model>(model: &M, until: Tick, output: &mut impl Output<M>) -> u64 {
    let processes = model.processes() as usize;
    let mut states = Vec::with_capacity(processes);
    let mut sending = Sending {
        queue: Calendar::new(),
        now: Tick::MIN,
        sender: ProcessId(0),
        sequence: 0,
        processes,
    };
    for index in 0..processes {
        sending.sender = ProcessId(index as u32);
        sending.sequence = 0;
        let state = model.start(sending.sender, &mut sending);
        states.push((state, sending.sequence));
    }
    let mut events = 0;
    while let Some(envelope) = sending.queue.pop_ordered() {
        if envelope.tick >= until {
            break;
        }
        let process = envelope.receiver;
        let (state, sequence) = &mut states[process.index()];
        sending.now = envelope.tick;
        sending.sender = process;
        sending.sequence = *sequence;
        model.handle(
            process,
            envelope.tick,
            envelope.message,
            state,
            &mut sending,
        );
        *sequence = sending.sequence;
        let committed = Committed {
            process,
            order: envelope.order(),
            payload: &envelope.message,
            state,
        };
        output.commit(model, committed);
        events += 1;
    }
    events
}

/// Sends straight into the queue.
struct Sending<P: Copy> {
    queue: Calendar<Envelope<P>>,
    now: Tick,
    sender: ProcessId,
    sequence: u32,
    processes: usize,
}

impl<P: Copy> Outbox<P> for Sending<P> {
    #[inline]
    fn send(&mut self, receiver: ProcessId, at: Tick, payload: P) {
        check_send(self.now, at, receiver, self.processes);
        self.queue.push(Envelope {
            tick: at,
            receiver,
            sender: self.sender,
            sequence: self.sequence,
            message: payload,
        });
        self.sequence += 1;
    }
}
