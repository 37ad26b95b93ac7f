//! Speculation is invisible: every schedule and transport commits the history of the plain event loop,
//! to the byte, for PHOLD, for PHOLD in which every event ties, and for random models.

use proptest::prelude::*;
use warpline_warp::message::{
    Delay, Direct, LowestFirst, Model, Optimistic, Outbox, Phold, Reordering, Schedule, Shuffled,
    Statistics, TraceHash, Transport, Windowed, run_checked, run_sequential,
};
use warpline_warp::{Pcg32, ProcessId, Tick};

type History = (u64, u64);

fn sequential<M: Model>(model: &M, until: Tick) -> History {
    let mut trace = TraceHash::default();
    let events = run_sequential(model, until, &mut trace);
    assert_eq!(events, trace.finish().0);
    trace.finish()
}

fn optimistic<M: Model>(
    model: &M,
    until: Tick,
    schedule: impl Schedule,
    transport: impl Transport,
) -> (History, Statistics) {
    let mut trace = TraceHash::default();
    let mut run = Optimistic::new(model, schedule, transport);
    let statistics = run.run(until, &mut trace);
    assert_eq!(run.gvt(), until);
    assert_eq!(
        statistics.committed,
        statistics.processed - statistics.undone
    );
    assert_eq!(statistics.committed, trace.finish().0);
    (trace.finish(), statistics)
}

/// All executors against the plain loop; returns what the wildest one did.
fn assert_all_agree<M: Model>(model: &M, until: Tick, window_log2: u32, seed: u64) -> Statistics {
    let expected = sequential(model, until);
    let checked = &mut TraceHash::default();
    run_checked(model, until, checked).expect("the model is pure");
    assert_eq!(checked.finish(), expected, "forward, back, forward");
    let (lowest, calm) = optimistic(model, until, LowestFirst::default(), Direct);
    assert_eq!(lowest, expected, "lowest first");
    assert_eq!(calm.undone, 0, "lowest first has nothing to undo");
    let (windowed, _) = optimistic(model, until, Windowed::new(window_log2), Direct);
    assert_eq!(windowed, expected, "windowed");
    let (shuffled, _) = optimistic(model, until, Shuffled::new(window_log2, seed), Direct);
    assert_eq!(shuffled, expected, "shuffled");
    let (reordered, _) = optimistic(
        model,
        until,
        LowestFirst::default(),
        Reordering::new(40, seed),
    );
    assert_eq!(reordered, expected, "reordering transport");
    let (wild, statistics) = optimistic(
        model,
        until,
        Shuffled::new(window_log2, seed),
        Reordering::new(20, seed),
    );
    assert_eq!(wild, expected, "shuffled over a reordering transport");
    statistics
}

fn phold(processes: u32, events_each: u32, delay: Delay) -> Phold {
    Phold {
        processes,
        events_each,
        remote: 0.1,
        delay,
        seed: 7,
    }
}

#[test]
fn phold_is_the_same_under_all_executors() {
    for (processes, events_each, seconds) in [(1, 3, 40.0), (16, 1, 40.0), (64, 16, 4.0)] {
        let model = phold(processes, events_each, Delay::Exponential);
        // Windows of 1/2 s: five times the shortest delay.
        let until = Tick::from_seconds(seconds);
        let wild = assert_all_agree(&model, until, 39, u64::from(processes));
        assert!(wild.undone > wild.committed / 10, "{wild:?}");
        assert!(wild.antimessages_first > 0, "{wild:?}");
    }
}

#[test]
fn phold_at_full_size_is_the_same() {
    for (processes, events_each, seconds) in [(2_048, 1, 20.0), (2_048, 16, 2.0), (16_384, 1, 3.0)]
    {
        let model = phold(processes, events_each, Delay::Exponential);
        let until = Tick::from_seconds(seconds);
        let expected = sequential(&model, until);
        let (lowest, _) = optimistic(&model, until, LowestFirst::default(), Direct);
        let (windowed, speculative) = optimistic(&model, until, Windowed::new(38), Direct);
        let (shuffled, _) = optimistic(&model, until, Shuffled::new(38, 1), Direct);
        assert_eq!(lowest, expected);
        assert_eq!(windowed, expected);
        assert_eq!(shuffled, expected);
        assert!(speculative.undone > 0, "{speculative:?}");
    }
}

#[test]
fn phold_is_the_same_when_every_event_ties() {
    let model = phold(32, 4, Delay::Tied);
    // A window of 2 s holds two generations of ties.
    let wild = assert_all_agree(&model, Tick::from_seconds(30.5), 41, 3);
    assert!(wild.undone > 0, "{wild:?}");
    assert_eq!(wild.committed, 32 * 4 * 30);
}

/// Renewal theory: n independent chains of delays with mean 1 s and deviation s = 0.9 s make
/// n (t + (s^2 - 1) / 2) events in t seconds, with variance n s^2 t, for t long beside the delays.
#[test]
fn phold_has_the_event_rate_of_its_delays() {
    let (chains, seconds, s) = (2_048.0, 20.0, 0.9);
    let model = phold(2_048, 1, Delay::Exponential);
    let (events, _) = sequential(&model, Tick::from_seconds(seconds));
    let expected = chains * (seconds + (s * s - 1.0) / 2.0);
    let deviation = (chains * s * s * seconds).sqrt();
    assert!((events as f64 - expected).abs() < 4.0 * deviation);
}

/// A run may be continued: two halves are the whole.
#[test]
fn a_run_in_pieces_is_the_same() {
    let model = phold(20, 5, Delay::Exponential);
    let expected = sequential(&model, Tick::from_seconds(9.0));
    let mut trace = TraceHash::default();
    let mut run = Optimistic::new(&model, Shuffled::new(39, 5), Reordering::new(30, 5));
    for second in 1..=9 {
        run.run(Tick::from_seconds(f64::from(second)), &mut trace);
    }
    assert_eq!(trace.finish(), expected);
}

/// A model drawn at random: few processes, short delays of whole ticks (many ties), zero to three
/// messages an event, and a state that remembers the order of everything it has seen.
#[derive(Clone, Copy, Debug)]
struct RandomModel {
    processes: u32,
    longest_delay: u32,
    /// Sixteenths of a message that an event sends on average.
    sixteenths_sent: u32,
    seed: u64,
}

impl RandomModel {
    fn send(&self, random: &mut Pcg32, now: Tick, outbox: &mut impl Outbox<u32>) {
        let at = now.saturating_add(i64::from(1 + random.below(self.longest_delay)));
        let receiver = ProcessId(random.below(self.processes));
        outbox.send(receiver, at, random.next_u32());
    }
}

impl Model for RandomModel {
    type State = u64;
    type Payload = u32;

    fn processes(&self) -> u32 {
        self.processes
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<u32>) -> u64 {
        let mut random = Pcg32::new(self.seed, u64::from(process.0));
        for _ in 0..1 + random.below(3) {
            self.send(&mut random, Tick::ZERO, outbox);
        }
        u64::from(random.next_u32())
    }

    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        payload: u32,
        state: &mut u64,
        outbox: &mut impl Outbox<u32>,
    ) {
        *state = state
            .wrapping_mul(0x9E37_79B9_7F4A_7C15)
            .wrapping_add(u64::from(payload))
            .rotate_left(23);
        let mut random = Pcg32::new(*state, u64::from(process.0) ^ self.seed);
        // Up to three chances, 1.5 on average: 1.5 / 24 is a sixteenth.
        for _ in 0..random.below(4) {
            if random.below(24) < self.sixteenths_sent {
                self.send(&mut random, now, outbox);
            }
        }
    }

    fn encode(&self, state: &u64, bytes: &mut Vec<u8>) {
        bytes.extend(state.to_le_bytes());
    }

    fn encode_payload(&self, payload: &u32, bytes: &mut Vec<u8>) {
        bytes.extend(payload.to_le_bytes());
    }
}

fn random_model() -> impl Strategy<Value = RandomModel> {
    (1..12_u32, 1..20_u32, 12..17_u32, any::<u64>()).prop_map(
        |(processes, longest_delay, sixteenths_sent, seed)| RandomModel {
            processes,
            longest_delay,
            sixteenths_sent,
            seed,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// A failure prints the model with its seed, which replays it.
    #[test]
    fn random_models_are_the_same_under_all_executors(
        model in random_model(),
        window_log2 in 0..7_u32,
        seed in any::<u64>(),
    ) {
        assert_all_agree(&model, Tick(120), window_log2, seed);
    }
}
