//! What must hold during a run: GVT never falls, nothing arrives below it (both asserted by the kernel
//! itself at every step), outputs rise along each process, memory is bounded by the speculation
//! window, and impure models are found out.

use std::cell::Cell;
use warpline_warp::message::{
    CommitCount, Committed, Delay, Direct, Divergence, LowestFirst, Model, Optimistic, Outbox,
    Output, Phold, Reordering, Shuffled, Windowed, run_checked,
};
use warpline_warp::{EventOrder, ProcessId, Tick};

const SMALL: Phold = Phold {
    processes: 40,
    events_each: 4,
    remote: 0.3,
    delay: Delay::Exponential,
    seed: 11,
};

/// Checks that commits rise along each process.
struct Rising(Vec<EventOrder>);

impl Output<Phold> for Rising {
    fn commit(&mut self, _: &Phold, event: Committed<'_, Phold>) {
        let last = &mut self.0[event.process.index()];
        assert!(*last < event.order);
        *last = event.order;
    }
}

#[test]
fn gvt_and_commits_never_fall() {
    let mut rising = Rising(vec![EventOrder::MIN; 40]);
    let mut run = Optimistic::new(&SMALL, Shuffled::new(40, 2), Reordering::new(50, 2));
    let mut gvt = run.gvt();
    for step in 1..80 {
        let until = Tick::from_seconds(f64::from(step) * 0.25);
        run.run(until, &mut rising);
        assert!(run.gvt() >= gvt && run.gvt() == until);
        gvt = run.gvt();
        assert!(rising.0.iter().all(|order| order.moment.tick < gvt));
    }
    // PHOLD keeps the number of messages: all others were committed or annihilated, none leaked.
    assert_eq!(run.messages(), 160);
    assert!(run.statistics().undone > run.statistics().committed / 10);
}

/// Memory after a long run is what it was early in the run.
#[test]
fn memory_is_bounded_by_the_window() {
    let mut calm = Optimistic::new(&SMALL, LowestFirst::default(), Direct);
    let mut windowed = Optimistic::new(&SMALL, Windowed::new(38), Direct);
    let mut wild = Optimistic::new(&SMALL, Shuffled::new(38, 3), Reordering::new(50, 3));
    let mut early = [0; 3];
    for until in [20.0, 400.0] {
        let (until, count) = (Tick::from_seconds(until), &mut CommitCount::default());
        calm.run(until, count);
        windowed.run(until, count);
        wild.run(until, count);
        let bytes = [calm.bytes(), windowed.bytes(), wild.bytes()];
        // The extreme of 20 times as many windows is somewhat larger and vectors double: a leak of
        // even one segment in a hundred would be 5 times the early size by now.
        assert!(early[0] == 0 || (0..3).all(|at| bytes[at] <= 3 * early[at]));
        early = bytes;
    }
    let committed = wild.statistics().committed;
    assert!(committed > 60_000, "{committed}");
}

/// Depth of speculation does not change with the length of the run either.
#[test]
fn what_waits_for_gvt_is_bounded_by_the_window() {
    let mut run = Optimistic::new(&SMALL, Windowed::new(36), Direct);
    run.run(Tick::from_seconds(100.0), &mut CommitCount::default());
    // 160 events a second: a window of 1/16 s and its rollbacks hold about 10 events, so that the
    // interval of collection, 512, decides.
    assert!(run.statistics().most_uncommitted < 700);
    assert!(run.statistics().collections > 20);
}

/// A model with a secret: it counts calls in a cell, outside of its state.
struct Impure(Cell<u64>);

impl Model for Impure {
    type State = u64;
    type Payload = ();

    fn processes(&self) -> u32 {
        1
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<()>) -> u64 {
        outbox.send(process, Tick(1), ());
        0
    }

    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        (): (),
        state: &mut u64,
        outbox: &mut impl Outbox<()>,
    ) {
        self.0.set(self.0.get() + 1);
        *state = self.0.get() / 20;
        outbox.send(process, Tick(now.0 + 1), ());
    }

    fn encode(&self, state: &u64, bytes: &mut Vec<u8>) {
        bytes.extend(state.to_le_bytes());
    }

    fn encode_payload(&self, (): &(), _: &mut Vec<u8>) {}
}

/// A model whose state is shared by all its copies, so that undoing restores nothing.
struct Shared;

impl Model for Shared {
    type State = std::rc::Rc<Cell<u64>>;
    type Payload = ();

    fn processes(&self) -> u32 {
        1
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<()>) -> Self::State {
        outbox.send(process, Tick(1), ());
        std::rc::Rc::new(Cell::new(0))
    }

    fn handle(
        &self,
        _: ProcessId,
        _: Tick,
        (): (),
        state: &mut Self::State,
        _: &mut impl Outbox<()>,
    ) {
        state.set(state.get() + 1);
    }

    fn encode(&self, state: &Self::State, bytes: &mut Vec<u8>) {
        bytes.extend(state.get().to_le_bytes());
    }

    fn encode_payload(&self, (): &(), _: &mut Vec<u8>) {}
}

#[test]
fn checking_finds_impure_handlers_and_shared_states() {
    let count = &mut CommitCount::default();
    let (process, until) = (ProcessId(0), Tick(100));
    let impure = run_checked(&Impure(Cell::new(0)), until, count);
    assert!(matches!(impure, Err(Divergence::NotRepeatable { .. })));
    let shared = run_checked(&Shared, until, count);
    let tick = Tick(1);
    assert_eq!(shared, Err(Divergence::NotRestored { process, tick }));
}

/// A model that sends into the past.
struct Backward;

impl Model for Backward {
    type State = ();
    type Payload = ();

    fn processes(&self) -> u32 {
        1
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<()>) {
        outbox.send(process, Tick(5), ());
    }

    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        (): (),
        (): &mut (),
        outbox: &mut impl Outbox<()>,
    ) {
        outbox.send(process, now, ());
    }

    fn encode(&self, (): &(), _: &mut Vec<u8>) {}

    fn encode_payload(&self, (): &(), _: &mut Vec<u8>) {}
}

#[test]
#[should_panic(expected = "messages must go to the future")]
fn sending_to_the_present_is_refused() {
    let mut run = Optimistic::new(&Backward, LowestFirst::default(), Direct);
    run.run(Tick(10), &mut CommitCount::default());
}
