//! `reproduce scaling`: a gas on more and more threads and ranks. Measured as far as this machine goes, and beyond that
//! replayed on a simulated network, which is said wherever it is shown.

use super::page::{Comparison, Page};
use super::replayed::{Costs, Log, Network};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::table::{Table, short};
use cpu_time::ThreadTime;
use record::HistoryHash;
use sim::scene::{self, Override};
use sim::{Algorithm, Discard, RunError, Stats, Uplink, World, run, run_on_ranks};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Radius of the README's gas, m, and the part of the volume that it fills.
const RADIUS: f64 = 0.15;
const PACKING: f64 = 0.1;
const NETWORKS: [Network; 2] = [
    Network {
        name: "1.5 us, 12 GB/s",
        latency_s: 1.5e-6,
        bandwidth: 12e9,
    },
    Network {
        name: "25 us, 1.2 GB/s",
        latency_s: 25e-6,
        bandwidth: 1.2e9,
    },
];
/// Simulated numbers of ranks.
const RANKS: [u32; 9] = [1, 8, 16, 32, 64, 128, 256, 512, 1024];

/// How much is run.
struct Effort {
    /// Bodies of the measured runs, and for a thread where the world grows with them; seconds; repetitions.
    bodies: u32,
    each: u32,
    seconds: f64,
    repeats: usize,
    /// Bodies of the replayed run, and its seconds.
    replayed: (u32, f64),
}

impl Effort {
    fn new(quick: bool) -> Self {
        match quick {
            true => Effort {
                bodies: 3000,
                each: 1500,
                seconds: 0.3,
                repeats: 1,
                replayed: (10_000, 0.1),
            },
            false => Effort {
                bodies: 20_000,
                each: 10_000,
                seconds: 0.5,
                repeats: 5,
                replayed: (200_000, 0.1),
            },
        }
    }
}

fn gas(bodies: u32, seconds: f64) -> Result<World, Failure> {
    let ball = 4.0 / 3.0 * std::f64::consts::PI * RADIUS.powi(3);
    let settings = [
        format!("bodies={bodies}"),
        format!("radius={RADIUS}"),
        format!("size={}", (f64::from(bodies) * ball / PACKING).cbrt()),
        format!("duration={seconds}"),
    ];
    let unusable = |why: String| Failure::run(format!("gas: {why}"), None);
    let overrides: Result<Vec<Override>, _> = settings.iter().map(|s| Override::parse(s)).collect();
    let overrides = overrides.map_err(|e| unusable(e.to_string()))?;
    let missing = || unusable("there is no such scene".into());
    let builtin = scene::builtin("gas").ok_or_else(missing)?;
    let loaded = scene::load(builtin.name, builtin.text, &overrides);
    Ok(loaded.map_err(|e| unusable(e.message.clone()))?.world)
}

/// A run: CPU seconds that no further core could have saved, bytes between ranks, and the rest.
#[derive(Clone)]
struct Ran {
    critical_s: f64,
    bytes: u64,
    hash: String,
    stats: Stats,
}

/// The median of several runs by the CPU time of their critical paths.
fn median(repeats: usize, once: impl Fn() -> Result<Ran, Failure>) -> Result<Ran, Failure> {
    let mut all = (0..repeats)
        .map(|_| once())
        .collect::<Result<Vec<_>, _>>()?;
    all.sort_by(|a, b| a.critical_s.total_cmp(&b.critical_s));
    let middle = all.len() / 2;
    Ok(all.swap_remove(middle))
}

fn on_threads(world: &World, algorithm: Algorithm) -> Result<Ran, Failure> {
    let mut hash = HistoryHash::new();
    let begun = ThreadTime::now();
    let (stats, _) = run(world, algorithm, &mut hash)?;
    // Undivided, all is done on this thread.
    let here_s = begun.elapsed().as_secs_f64();
    Ok(Ran {
        critical_s: stats.critical_path_s.unwrap_or(here_s),
        bytes: 0,
        hash: hash.finish(),
        stats,
    })
}

/// Ranks of one program: what they exchange is bytes, as between several.
struct Wires {
    rank: usize,
    to: Vec<Sender<Vec<u8>>>,
    from: Vec<Receiver<Vec<u8>>>,
    sent: u64,
}

impl Wires {
    fn all(ranks: usize) -> Vec<Wires> {
        let mut ends: Vec<Wires> = (0..ranks)
            .map(|rank| Wires {
                rank,
                to: Vec::new(),
                from: Vec::new(),
                sent: 0,
            })
            .collect();
        for from in 0..ranks {
            for to in 0..ranks {
                let (send, receive) = channel();
                ends[from].to.push(send);
                ends[to].from.push(receive);
            }
        }
        ends
    }
}

impl Uplink for Wires {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.to.len()
    }

    fn exchange(&mut self, out: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, String> {
        let gone = |rank: usize| format!("rank {rank} does not answer");
        let mut come = vec![Vec::new(); out.len()];
        for (rank, bytes) in out.into_iter().enumerate().filter(|(r, _)| *r != self.rank) {
            self.sent += bytes.len() as u64;
            self.to[rank].send(bytes).map_err(|_| gone(rank))?;
        }
        for (rank, bytes) in come.iter_mut().enumerate().filter(|(r, _)| *r != self.rank) {
            *bytes = self.from[rank].recv().map_err(|_| gone(rank))?;
        }
        Ok(come)
    }
}

fn on_ranks(world: &World, ranks: usize) -> Result<Ran, Failure> {
    let mut hash = HistoryHash::new();
    let mut ends = Wires::all(ranks).into_iter();
    let mut first = ends.next().ok_or(RunError::NoRanks)?;
    let (told, others) = std::thread::scope(|scope| {
        let others: Vec<_> = ends
            .map(|mut end| {
                scope.spawn(move || {
                    let ran = run_on_ranks(world, 1, &mut end, &mut Discard);
                    (ran.map(|_| ()), end.sent)
                })
            })
            .collect();
        let told = run_on_ranks(world, 1, &mut first, &mut hash);
        (
            told,
            others
                .into_iter()
                .map(|rank| rank.join())
                .collect::<Vec<_>>(),
        )
    });
    let (stats, _) = told?.ok_or(RunError::NoRanks)?;
    let mut bytes = first.sent;
    for rank in others.into_iter().flatten() {
        rank.0?;
        bytes += rank.1;
    }
    Ok(Ran {
        critical_s: stats.critical_path_s.unwrap_or(stats.cpu_seconds),
        bytes,
        hash: hash.finish(),
        stats,
    })
}

fn facts(stats: &Stats) -> u64 {
    stats.regions.iter().map(|r| r.facts + r.imports).sum()
}

/// What is measured here.
struct Measured {
    table: Table,
    strong: Vec<(f64, f64)>,
    strong_ranks: Vec<(f64, f64)>,
    weak: Vec<(f64, f64)>,
}

fn measure(effort: &Effort) -> Result<Measured, Failure> {
    let mut made = Measured {
        table: Table::new([
            "measured here",
            "bodies",
            "critical path CPU s",
            "times ordered",
            "load of the busiest",
            "facts and imports",
            "bytes between ranks",
        ]),
        strong: Vec::new(),
        strong_ranks: Vec::new(),
        weak: Vec::new(),
    };
    let world = gas(effort.bodies, effort.seconds)?;
    let ordered = median(effort.repeats, || on_threads(&world, Algorithm::Ordered))?;
    made.note("ordered", effort.bodies, &ordered, 1.0);
    for parts in [1, 2, 4, 8] {
        let how = || on_threads(&world, Algorithm::Parallel(parts));
        let ran = median(effort.repeats, how)?;
        let times = same(&ordered, &ran)?;
        made.strong.push((parts as f64, times));
        made.note(&format!("{parts} threads"), effort.bodies, &ran, times);
    }
    for parts in [2, 4, 8] {
        let ran = median(effort.repeats, || on_ranks(&world, parts))?;
        let times = same(&ordered, &ran)?;
        made.strong_ranks.push((parts as f64, times));
        made.note(&format!("{parts} ranks"), effort.bodies, &ran, times);
    }
    let mut alone_s = f64::NAN;
    for parts in [1u32, 2, 4, 8] {
        let world = gas(effort.each * parts, effort.seconds)?;
        let how = || on_threads(&world, Algorithm::Parallel(parts as usize));
        let ran = median(effort.repeats, how)?;
        if alone_s.is_nan() {
            alone_s = ran.critical_s;
        }
        let efficiency = alone_s / ran.critical_s;
        made.weak.push((f64::from(parts), efficiency));
        let name = format!("{parts} threads, {} bodies each", effort.each);
        made.note(
            &name,
            effort.each * parts,
            &ran,
            f64::from(parts) * efficiency,
        );
    }
    Ok(made)
}

impl Measured {
    fn note(&mut self, name: &str, bodies: u32, ran: &Ran, times: f64) {
        let loads = ran.stats.regions.iter().map(|region| region.load);
        self.table.row([
            name.to_owned(),
            bodies.to_string(),
            short(ran.critical_s),
            short(times),
            short(loads.fold(1.0, f64::max)),
            facts(&ran.stats).to_string(),
            ran.bytes.to_string(),
        ]);
    }
}

/// How much shorter a critical path is than the other; the histories must be the same.
fn same(ordered: &Ran, ran: &Ran) -> Result<f64, Failure> {
    match ordered.hash == ran.hash {
        true => Ok(ordered.critical_s / ran.critical_s),
        false => Err(Failure::run(
            "the histories differ, which is a fault of this program".to_owned(),
            None,
        )),
    }
}

/// What a segment and a message cost, measured on the world that is replayed.
fn costs(world: &World, log: &Log) -> Result<Costs, Failure> {
    let segments = log.len().max(1) as f64;
    let begun = ThreadTime::now();
    run(world, Algorithm::Ordered, &mut Discard)?;
    let bare_s = begun.elapsed().as_secs_f64();
    let with_history = on_threads(world, Algorithm::Ordered)?.critical_s;
    let eight = on_ranks(world, 8)?;
    let at_work: f64 = eight.stats.regions.iter().map(|r| r.cpu_s).sum();
    let told = facts(&eight.stats).max(1) as f64;
    let committed = segments * SEGMENT_BYTES * 7.0 / 8.0;
    Ok(Costs {
        segment_s: bare_s / segments,
        fact_s: (at_work - bare_s).max(0.0) / told,
        fact_bytes: ((eight.bytes as f64 - committed) / told).max(0.0),
        history_s: (with_history - bare_s).max(0.0) / segments,
    })
}

/// What a committed segment is on the wire.
const SEGMENT_BYTES: f64 = 4.0 + 8.0 + 4.0 + 1.0 + 8.0 + 8.0 * 17.0 + 1.0;

/// The page.
pub fn reproduce(quick: bool) -> Result<Page, Failure> {
    let effort = Effort::new(quick);
    let made = measure(&effort)?;
    let (bodies, seconds) = effort.replayed;
    let world = gas(bodies, seconds)?;
    let mut log = Log::default();
    run(&world, Algorithm::Ordered, &mut log)?;
    let costs = costs(&world, &log)?;
    let mut table = Table::new([
        "simulated ranks",
        "network",
        "s",
        "times one rank",
        "efficiency",
        "of it network",
        "rounds a window",
        "with one history on rank 0",
    ]);
    let mut lines = Vec::new();
    // As wide as a hull is beyond its cell, and what a body sweeps in a look-ahead.
    let margin = 4.0 * RADIUS;
    for network in NETWORKS {
        let one = log.replay(1, margin, costs, network).elapsed_s;
        let mut points = Vec::new();
        for ranks in RANKS {
            let replayed = log.replay(ranks, margin, costs, network);
            let times = one / replayed.elapsed_s;
            let merged_s = log.len() as f64 * costs.history_s;
            points.push((f64::from(ranks), times));
            table.row([
                ranks.to_string(),
                network.name.to_owned(),
                short(replayed.elapsed_s),
                short(times),
                short(times / f64::from(ranks)),
                short(replayed.network_s / replayed.elapsed_s),
                short(replayed.rounds as f64 / replayed.windows.max(1) as f64),
                short((one + merged_s) / replayed.elapsed_s.max(merged_s)),
            ]);
        }
        lines.push(Series {
            name: network.name.into(),
            points,
        });
    }
    Ok(page(&effort, made, (table, lines), costs))
}

fn page(
    effort: &Effort,
    made: Measured,
    (table, lines): (Table, Vec<Series>),
    costs: Costs,
) -> Page {
    let chart = |title: &str, y: &str, series: Vec<Series>| Chart {
        title: title.into(),
        x: Axis::log("threads or ranks"),
        y: Axis::log(y),
        series,
    };
    let named = |name: &str, points: &[(f64, f64)]| Series {
        name: name.into(),
        points: points.to_vec(),
    };
    let micro = |seconds: f64| short(1e6 * seconds);
    let rows = [
        ("a segment, us", micro(costs.segment_s)),
        ("a fact heard, us", micro(costs.fact_s)),
        ("a fact, bytes", short(costs.fact_bytes)),
        ("a segment merged and hashed, us", micro(costs.history_s)),
    ];
    let summary = format!(
        "{}\nSIMULATED (replayed: {} bodies, {} s):\n{}",
        made.table.render(),
        effort.replayed.0,
        effort.replayed.1,
        table.render()
    );
    Page {
        stem: "scaling",
        title: "A gas on many threads and ranks",
        text: text(),
        charts: vec![
            (
                "-measured",
                chart(
                    "measured: CPU time of the critical path",
                    "times ordered",
                    vec![
                        named("threads", &made.strong),
                        named("ranks", &made.strong_ranks),
                    ],
                ),
            ),
            (
                "-weak",
                chart(
                    "measured: as many bodies for each thread",
                    "efficiency",
                    vec![named("threads", &made.weak)],
                ),
            ),
            (
                "-simulated",
                chart("SIMULATED: a replayed run", "times one rank", lines),
            ),
        ],
        comparisons: vec![Comparison {
            caption: "measured costs that the simulation uses".into(),
            heading: ["", "here"].map(String::from).to_vec(),
            rows: rows
                .map(|(name, cost)| vec![name.to_owned(), cost])
                .to_vec(),
        }],
        csv: format!("{}\n{}", made.table.csv(), table.csv()),
        summary,
    }
}

fn text() -> Vec<String> {
    vec![
        "Measured: one history on any number of threads and ranks (its hash is compared), and the CPU time of the critical \
         path, that of the busiest region between any two meetings, added up: what the run would take with a core for \
         each region, whoever else uses the machine. Ranks are threads of one program here that exchange bytes; what a \
         network adds is not in it. `ordered` hashes on its only thread; `parallel` on another one."
            .into(),
        "Simulated: what a real run has committed is replayed on up to 1,024 ranks. Space is cut as `parallel` cuts it; a \
         window ends when its busiest rank has begun as many segments as `parallel` lets it; an event waits a round for what another rank has done \
         to its bodies in the same window; every round is one exchange over a binary tree. Segments and messages cost what \
         they were measured to cost, and the network has the latency and the bandwidth that its name says. What is undone and \
         done again is not counted (1 % on two regions, measured). Nothing of it was run on so many machines."
            .into(),
        "The last column merges and hashes one history on rank 0 beside the simulation: it can be no faster than that."
            .into(),
    ]
}
