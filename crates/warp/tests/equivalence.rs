//! Speculation is invisible: every schedule and transport commits the history of the plain event loop,
//! to the byte, for PHOLD, for PHOLD in which every event ties, for colliding pucks, and for random models.

use super::models::{phold, random_model, sequential};
use proptest::prelude::*;
use warpline_warp::Tick;
use warpline_warp::message::{
    Delay, Direct, LowestFirst, Model, Optimistic, Pucks, Reordering, Schedule, Shuffled,
    Statistics, TraceHash, Transport, Windowed, run_checked,
};

type History = (u64, u64);

fn optimistic<M: Model>(
    model: &M,
    until: Tick,
    schedule: impl Schedule,
    transport: impl Transport<M::Payload>,
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
fn colliding_pucks_are_the_same_under_all_executors() {
    let model = Pucks {
        sectors: 4,
        pucks_each: 6,
        seed: 5,
    };
    // Windows of 1/16 s, in which pucks meet and are told of it.
    let wild = assert_all_agree(&model, Tick::from_seconds(4.0), 36, 2);
    assert!(wild.undone > wild.committed / 10, "{wild:?}");
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
