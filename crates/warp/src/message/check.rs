//! A run that trusts nobody: every event forward, back, compare bytes, forward again, compare again.
//! It finds models whose handlers are not pure functions, states that `encode` forgets, and kernels
//! that do not restore everything.

use thiserror::Error;

use super::model::{Envelope, Model, Outbox, Output};
use super::optimistic::{Optimistic, Statistics};
use super::schedule::LowestFirst;
use super::transport::Direct;
use crate::graph::ProcessId;
use crate::time::Tick;

/// Where undoing and redoing an event went wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum Divergence {
    /// Undoing did not lead back.
    #[error(
        "undoing the event of process {} at {tick:?} did not restore its state: \
         the state must not share anything with other states (no shared pointers)", process.0
    )]
    NotRestored {
        /// The receiver.
        process: ProcessId,
        /// When.
        tick: Tick,
    },
    /// Doing it again led elsewhere.
    #[error(
        "the event of process {} at {tick:?} came out differently when it was done again: \
         a handler must depend on its arguments alone (no clocks, globals or cells)", process.0
    )]
    NotRepeatable {
        /// The receiver.
        process: ProcessId,
        /// When.
        tick: Tick,
    },
}

/// What an event did, or what undoing it must restore.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Image {
    state: Vec<u8>,
    sequence: u32,
}

/// What a handler sends, written down instead of sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Draft<P>(Vec<(ProcessId, Tick, P)>);

impl<P> Outbox<P> for Draft<P> {
    fn send(&mut self, receiver: ProcessId, at: Tick, payload: P) {
        self.0.push((receiver, at, payload));
    }
}

type Run<'m, M> = Optimistic<'m, M, LowestFirst, Direct>;

/// Runs every event before `until` forward, back, and forward again, and tells `output` of each.
pub fn run_checked<M: Model>(
    model: &M,
    until: Tick,
    output: &mut impl Output<M>,
) -> Result<Statistics, Divergence> {
    let mut run = Optimistic::new(model, LowestFirst::default(), Direct);
    while let Some(envelope) = run.next_pending() {
        if envelope.tick >= until {
            run.put_back(envelope);
            break;
        }
        check_event(&mut run, envelope)?;
        run.commit_if_due(until, output);
    }
    Ok(run.run(until, output))
}

fn check_event<M: Model>(run: &mut Run<'_, M>, envelope: Envelope) -> Result<(), Divergence> {
    let (process, tick) = (envelope.receiver, envelope.tick);
    let not_restored = Divergence::NotRestored { process, tick };
    let (before, messages) = (image(run, process), run.messages());
    let draft = rehearse(run, &envelope);
    run.process(envelope);
    let after = image(run, process);
    run.undo(process, envelope.order());
    if image(run, process) != before || run.messages() != messages {
        return Err(not_restored);
    }
    let again = run.next_pending().ok_or(not_restored)?;
    if (again.order(), again.receiver) != (envelope.order(), process) {
        return Err(not_restored);
    }
    let same_draft = rehearse(run, &again) == draft;
    run.process(again);
    if same_draft && image(run, process) == after {
        Ok(())
    } else {
        Err(Divergence::NotRepeatable { process, tick })
    }
}

fn image<M: Model>(run: &Run<'_, M>, process: ProcessId) -> Image {
    let (state, sequence) = run.latest(process);
    let mut bytes = Vec::new();
    run.model.encode(state, &mut bytes);
    Image {
        state: bytes,
        sequence,
    }
}

/// What the event would send, as bytes.
fn rehearse<M: Model>(run: &Run<'_, M>, envelope: &Envelope) -> Draft<Vec<u8>> {
    let mut state = run.latest(envelope.receiver).0.clone();
    let mut draft = Draft(Vec::new());
    let payload = run.payload(envelope.message);
    run.model.handle(
        envelope.receiver,
        envelope.tick,
        payload,
        &mut state,
        &mut draft,
    );
    let encode = |(receiver, at, payload): (ProcessId, Tick, M::Payload)| {
        let mut bytes = Vec::new();
        run.model.encode_payload(&payload, &mut bytes);
        (receiver, at, bytes)
    };
    Draft(draft.0.into_iter().map(encode).collect())
}
