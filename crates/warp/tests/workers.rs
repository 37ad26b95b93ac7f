//! Several workers commit the history of the plain event loop, to the byte: in threads, over a
//! transport that delays, reorders and lets antimessages overtake, and by turns in one thread, where a
//! seed replays every choice.

use super::models::{RandomModel, phold, random_model, sequential};
use proptest::prelude::*;
use warpline_warp::message::{
    CommitCount, Delay, Endpoint, Hostile, LowestFirst, Model, Optimistic, Outbox, Pucks, Schedule,
    Shuffled, Statistics, Step, TraceHash, Transport, mailboxes, mailboxes_in_one_thread,
    run_together,
};
use warpline_warp::{Pcg32, ProcessId, Tick};

type History = (u64, u64);

/// A crew over `transport`, with a schedule each.
fn crew<M: Model, S: Schedule, T: Transport<M::Payload>>(
    model: &M,
    transports: impl IntoIterator<Item = T>,
    schedule: impl Fn() -> S,
) -> Vec<Optimistic<'_, M, S, T>> {
    let worker = |transport| Optimistic::new(model, schedule(), transport);
    transports.into_iter().map(worker).collect()
}

fn threads<M, S, T>(
    model: &M,
    until: Tick,
    crew: &mut [Optimistic<'_, M, S, T>],
) -> (History, Statistics)
where
    M: Model<State: Send, Payload: Send> + Sync,
    S: Schedule + Send,
    T: Transport<M::Payload> + Send,
{
    let _ = model;
    let mut traces = vec![TraceHash::default(); crew.len()];
    let statistics = run_together(crew, until, &mut traces);
    check(statistics);
    assert!(crew.iter().all(|worker| worker.gvt() == until));
    (TraceHash::of_all(&traces).finish(), statistics)
}

fn check(statistics: Statistics) {
    assert_eq!(
        statistics.committed,
        statistics.processed - statistics.undone
    );
}

fn hostile<P: Copy>(
    endpoints: Vec<Endpoint<P>>,
    seed: u64,
) -> impl Iterator<Item = Hostile<P, Endpoint<P>>> {
    endpoints
        .into_iter()
        .map(move |endpoint| Hostile::new(endpoint, 30, seed))
}

/// Steps workers in a random order until all are done.
fn by_turns<M: Model, S: Schedule, T: Transport<M::Payload>>(
    crew: &mut [Optimistic<'_, M, S, T>],
    until: Tick,
    seed: u64,
) -> (History, Statistics) {
    let mut traces = vec![TraceHash::default(); crew.len()];
    let mut random = Pcg32::new(seed, 3);
    let mut done = vec![false; crew.len()];
    while !done.iter().all(|done| *done) {
        let worker = random.below(crew.len() as u32) as usize;
        // Some run for long while the others stand still, as threads do that the system stops.
        for _ in 0..1 << random.below(9) {
            if crew[worker].step(until, &mut traces[worker]) != Step::Worked {
                done[worker] = crew[worker].gvt() >= until;
                break;
            }
        }
    }
    let all = crew.iter().map(Optimistic::statistics);
    let statistics = all.fold(Statistics::default(), Statistics::with);
    check(statistics);
    (TraceHash::of_all(&traces).finish(), statistics)
}

#[test]
fn threads_commit_the_history_of_the_plain_loop() {
    for (processes, events_each, seconds) in [(3, 5, 40.0), (64, 16, 6.0), (2_048, 4, 4.0)] {
        for delay in [Delay::Exponential, Delay::Tied] {
            let (model, until) = (
                phold(processes, events_each, delay),
                Tick::from_seconds(seconds),
            );
            let expected = sequential(&model, until);
            for workers in 1..=4 {
                let mut plain = crew(&model, mailboxes(workers), LowestFirst::default);
                let (history, _) = threads(&model, until, &mut plain);
                assert_eq!(history, expected, "{workers} workers, {model:?}");
                let transports = hostile(mailboxes(workers), u64::from(processes));
                let mut wild = crew(&model, transports, || Shuffled::new(39, 1));
                let (history, _) = threads(&model, until, &mut wild);
                assert_eq!(history, expected, "{workers} hostile workers, {model:?}");
            }
        }
    }
}

/// By turns in one thread the test is the same in every run, and what it is about does happen.
#[test]
fn a_hostile_transport_is_hostile() {
    let (model, until) = (phold(64, 4, Delay::Exponential), Tick::from_seconds(20.0));
    let expected = sequential(&model, until);
    let transports = hostile(mailboxes_in_one_thread(3), 8);
    let mut wild = crew(&model, transports, LowestFirst::default);
    let (history, statistics) = by_turns(&mut wild, until, 8);
    assert_eq!(history, expected);
    assert!(
        statistics.undone > statistics.committed / 10,
        "{statistics:?}"
    );
    assert!(statistics.antimessages_first > 10, "{statistics:?}");
    assert!(statistics.posted > 200, "{statistics:?}");
}

#[test]
fn pucks_collide_alike_in_several_workers() {
    let model = Pucks {
        sectors: 5,
        pucks_each: 4,
        seed: 9,
    };
    let until = Tick::from_seconds(5.0);
    let expected = sequential(&model, until);
    for workers in [2, 3] {
        let mut calm = crew(&model, mailboxes(workers), LowestFirst::default);
        assert_eq!(threads(&model, until, &mut calm).0, expected);
        let transports = hostile(mailboxes(workers), u64::from(workers));
        let mut wild = crew(&model, transports, LowestFirst::default);
        assert_eq!(threads(&model, until, &mut wild).0, expected);
    }
}

#[test]
fn workers_may_be_more_than_processes() {
    let model = phold(3, 2, Delay::Exponential);
    let until = Tick::from_seconds(10.0);
    let mut many = crew(&model, mailboxes(5), LowestFirst::default);
    assert_eq!(
        threads(&model, until, &mut many).0,
        sequential(&model, until)
    );
}

#[test]
fn threads_may_run_in_pieces() {
    let model = phold(40, 5, Delay::Exponential);
    let mut crew = crew(&model, mailboxes(3), LowestFirst::default);
    let mut traces = vec![TraceHash::default(); 3];
    for second in 1..=9 {
        run_together(
            &mut crew,
            Tick::from_seconds(f64::from(second)),
            &mut traces,
        );
    }
    let expected = sequential(&model, Tick::from_seconds(9.0));
    assert_eq!(TraceHash::of_all(&traces).finish(), expected);
}

/// One worker is never given the processor until the others have nothing left that they may do: they
/// stop at the bound, and memory with them.
#[test]
fn throttling_bounds_what_waits_for_gvt() {
    let model = phold(2_000, 8, Delay::Exponential);
    let until = Tick::from_seconds(30.0);
    let mut crew = crew(&model, mailboxes_in_one_thread(2), LowestFirst::default);
    crew.iter_mut()
        .for_each(|worker| worker.set_most_uncommitted(500));
    let mut traces = [TraceHash::default(), TraceHash::default()];
    let mut ahead = 0;
    while crew[1].gvt() < until {
        while crew[0].step(until, &mut traces[0]) == Step::Worked {
            ahead += 1;
        }
        // Two looks for mail.
        for _ in 0..40 {
            crew[1].step(until, &mut traces[1]);
        }
    }
    crew[0].step(until, &mut traces[0]);
    assert!(ahead > 100_000, "worker 0 did {ahead} steps");
    let most = crew[0].statistics().most_uncommitted;
    assert!(most <= 501, "{most} events waited for GVT");
    assert_eq!(
        TraceHash::of_all(&traces).finish(),
        sequential(&model, until)
    );
}

/// A model whose process 9 fails at 3 s.
struct Failing;

impl Model for Failing {
    type State = ();
    type Payload = ();

    fn processes(&self) -> u32 {
        10
    }

    fn start(&self, process: ProcessId, outbox: &mut impl Outbox<()>) {
        outbox.send(process, Tick(1), ());
    }

    fn handle(
        &self,
        process: ProcessId,
        now: Tick,
        (): (),
        (): &mut (),
        outbox: &mut impl Outbox<()>,
    ) {
        assert!(process.0 != 9 || now.0 < 1_000, "process 9 has had enough");
        let receiver = ProcessId((process.0 + 3) % 10);
        outbox.send(receiver, Tick(now.0 + 1), ());
    }

    fn encode(&self, (): &(), _: &mut Vec<u8>) {}

    fn encode_payload(&self, (): &(), _: &mut Vec<u8>) {}
}

#[test]
#[should_panic(expected = "process 9 has had enough")]
fn a_panic_of_one_worker_ends_all() {
    let mut crew = crew(&Failing, mailboxes(3), LowestFirst::default);
    let mut outputs = [CommitCount::default(); 3];
    run_together(&mut crew, Tick(1_000_000), &mut outputs);
}

/// How many random runs; `WARPLINE_RUNS=1000 cargo nextest run -p warpline-warp random_runs` makes
/// them a thousand.
fn runs() -> u64 {
    let asked = std::env::var("WARPLINE_RUNS").ok();
    asked.map_or(40, |count| {
        count.parse().expect("WARPLINE_RUNS is a number")
    })
}

/// Random seeds and delays on real threads: no abort, no hang, the same history.
#[test]
fn random_runs_never_abort() {
    for seed in 0..runs() {
        let mut random = Pcg32::new(seed, 17);
        let workers = 2 + random.below(3);
        let model = RandomModel {
            processes: 2 + random.below(20),
            longest_delay: 1 + random.below(60),
            sixteenths_sent: 14 + random.below(3),
            seed,
        };
        let (until, most) = (Tick(2_000), random.below(60) as usize);
        let expected = sequential(&model, until);
        let transports = mailboxes(workers)
            .into_iter()
            .map(|endpoint| Hostile::new(endpoint, most, seed));
        let mut crew = crew(&model, transports, LowestFirst::default);
        let (history, _) = threads(&model, until, &mut crew);
        assert_eq!(history, expected, "seed {seed}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A failure prints the model with its seed, which replays it.
    #[test]
    fn random_models_are_the_same_for_any_number_of_workers(
        model in random_model(),
        workers in 1..7_u32,
        most in 0..50_usize,
        uncommitted in 1..100_usize,
        seed in any::<u64>(),
    ) {
        let until = Tick(120);
        let endpoints = mailboxes_in_one_thread(workers);
        let transports = endpoints.into_iter().map(|endpoint| Hostile::new(endpoint, most, seed));
        let mut crew = crew(&model, transports, || Shuffled::new(4, seed));
        crew.iter_mut().for_each(|worker| worker.set_most_uncommitted(uncommitted));
        let (history, _) = by_turns(&mut crew, until, seed);
        prop_assert_eq!(history, sequential(&model, until));
    }
}
