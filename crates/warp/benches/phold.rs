//! PHOLD: committed events per CPU second, Time Warp on one thread beside the plain event loop; then
//! workers in threads, per second on the clock, beside one of them. Repetitions are interleaved and
//! the best of each counts, since the machine may be shared; the ratio is the result, the rates say
//! where it was measured. A wall time means something only on a machine that does nothing else: the
//! CPU time of all threads together, over one thread's, is shown beside it.
//! `cargo bench -p warpline-warp --bench phold [-- REPETITIONS] [P1 P2 ...]`

use cpu_time::{ProcessTime, ThreadTime};
use std::time::Instant;
use warpline_warp::Tick;
use warpline_warp::message::{
    CommitCount, Delay, Direct, LowestFirst, Optimistic, Phold, Schedule, Statistics, TraceHash,
    Windowed, mailboxes, run_sequential, run_together,
};

/// Each run commits about this many events.
const EVENTS: f64 = 3e6;

struct Load {
    name: &'static str,
    processes: u32,
    events_each: u32,
    remote: f64,
}

const LOADS: [Load; 4] = [
    Load {
        name: "P1",
        processes: 2_048,
        events_each: 1,
        remote: 0.10,
    },
    Load {
        name: "P2",
        processes: 2_048,
        events_each: 16,
        remote: 0.10,
    },
    Load {
        name: "P3",
        processes: 16_384,
        events_each: 1,
        remote: 0.10,
    },
    Load {
        name: "P4",
        processes: 16_384,
        events_each: 16,
        remote: 0.25,
    },
];

impl Load {
    fn model(&self) -> Phold {
        Phold {
            processes: self.processes,
            events_each: self.events_each,
            remote: self.remote,
            delay: Delay::Exponential,
            seed: 1,
        }
    }

    /// The mean delay is 1 s, so each event in the system happens about once a second.
    fn until(&self) -> Tick {
        Tick::from_seconds(EVENTS / f64::from(self.processes * self.events_each))
    }

    /// Windows of one event for every 16 processes, so that few processes meet two events in the wrong
    /// order, and at most 2^-4 s, less than the shortest delay.
    fn window_log2(&self) -> u32 {
        let seconds = 1.0 / f64::from(16 * self.events_each);
        (seconds * Tick::TICKS_PER_SECOND).log2().min(36.0) as u32
    }
}

/// Million committed events per CPU second.
fn rate(run: impl FnOnce() -> u64) -> f64 {
    let start = ThreadTime::now();
    let events = run();
    events as f64 / start.elapsed().as_secs_f64() / 1e6
}

fn sequential(load: &Load) -> u64 {
    let mut count = CommitCount::default();
    run_sequential(&load.model(), load.until(), &mut count);
    count.0
}

fn optimistic(load: &Load, schedule: impl Schedule) -> u64 {
    let mut count = CommitCount::default();
    let model = load.model();
    Optimistic::new(&model, schedule, Direct).run(load.until(), &mut count);
    count.0
}

/// One run of workers in threads.
struct Together {
    wall_s: f64,
    cpu_s: f64,
    statistics: Statistics,
}

fn together(load: &Load, threads: u32) -> Together {
    let model = load.model();
    let mut crew: Vec<_> = mailboxes(threads)
        .into_iter()
        .map(|endpoint| Optimistic::new(&model, LowestFirst::default(), endpoint))
        .collect();
    let mut counts = vec![CommitCount::default(); threads as usize];
    let (wall, cpu) = (Instant::now(), ProcessTime::now());
    let statistics = run_together(&mut crew, load.until(), &mut counts);
    Together {
        wall_s: wall.elapsed().as_secs_f64(),
        cpu_s: cpu.elapsed().as_secs_f64(),
        statistics,
    }
}

fn best_together(load: &Load, repetitions: usize) {
    let mut best: [Option<Together>; 2] = [None, None];
    for _ in 0..repetitions {
        for (best, threads) in best.iter_mut().zip([1, 2]) {
            let run = together(load, threads);
            if best.as_ref().is_none_or(|best| run.wall_s < best.wall_s) {
                *best = Some(run);
            }
        }
    }
    let [Some(one), Some(two)] = best else {
        return;
    };
    let rate = |run: &Together| run.statistics.committed as f64 / run.wall_s / 1e6;
    println!(
        "{}   | {:10.2} | {:10.2} ({:.2}) | {:.2} | {:.1} % | {}",
        load.name,
        rate(&one),
        rate(&two),
        one.wall_s / two.wall_s,
        two.cpu_s / one.cpu_s,
        100.0 * two.statistics.efficiency(),
        two.statistics.pauses,
    );
}

/// The runs that are timed must commit the same history, or the comparison means nothing.
fn check_histories(load: &Load) {
    let (model, until) = (load.model(), load.until());
    let [mut plain, mut lowest, mut windowed] = [0; 3].map(|_| TraceHash::default());
    run_sequential(&model, until, &mut plain);
    Optimistic::new(&model, LowestFirst::default(), Direct).run(until, &mut lowest);
    Optimistic::new(&model, Windowed::new(load.window_log2()), Direct).run(until, &mut windowed);
    let mut crew: Vec<_> = mailboxes(2)
        .into_iter()
        .map(|endpoint| Optimistic::new(&model, LowestFirst::default(), endpoint))
        .collect();
    let mut shares = [TraceHash::default(), TraceHash::default()];
    run_together(&mut crew, until, &mut shares);
    assert_eq!(plain.finish(), TraceHash::of_all(&shares).finish());
    assert_eq!(plain.finish(), lowest.finish());
    assert_eq!(plain.finish(), windowed.finish());
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chosen = |load: &&Load| {
        let named = |argument: &String| argument.starts_with('P');
        !arguments.iter().any(named) || arguments.iter().any(|argument| argument == load.name)
    };
    let repetitions = arguments
        .iter()
        .find_map(|argument| argument.parse().ok())
        .unwrap_or(7);
    println!("million committed events per CPU second, best of {repetitions}");
    println!(
        "load | sequential | optimistic, lowest first (times slower) | optimistic, windows (times slower)"
    );
    for load in LOADS.iter().filter(chosen) {
        check_histories(load);
        let mut best = [0.0_f64; 3];
        for _ in 0..repetitions {
            best[0] = best[0].max(rate(|| sequential(load)));
            best[1] = best[1].max(rate(|| optimistic(load, LowestFirst::default())));
            best[2] = best[2].max(rate(|| optimistic(load, Windowed::new(load.window_log2()))));
        }
        let [plain, lowest, windowed] = best;
        println!(
            "{}   | {plain:10.2} | {lowest:10.2} ({:.2}) | {windowed:10.2} ({:.2})",
            load.name,
            plain / lowest,
            plain / windowed
        );
    }
    println!("million committed events per second on the clock, best of {repetitions}");
    println!(
        "load | one thread | two threads (times one) | CPU time of two over one | efficiency | pauses"
    );
    for load in LOADS.iter().filter(chosen) {
        best_together(load, repetitions);
    }
}
