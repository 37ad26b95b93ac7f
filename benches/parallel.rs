//! Many cores: `parallel` on one, two and four threads beside the better of `ordered` and `timewarp`, all with the
//! history's hash. Elapsed time, CPU time, and the CPU time of the critical path (that of the busiest region between any
//! two meetings, added up), which is what a run would take with a core for each region: on a machine that others use as
//! well it tells more than the elapsed time. The history has a thread of its own; its CPU time stands beside.
//!
//! `cargo bench --bench parallel [-- --quick] [--only TEXT] [--csv FILE]`

mod measure;

use cpu_time::ProcessTime;
use measure::{Options, Table, cpu, scene};
use record::HistoryHash;
use sim::{Algorithm, LookAhead, Stats, World};
use std::time::Instant;

/// A world that is run.
struct Case {
    name: &'static str,
    scene: &'static str,
    settings: &'static [&'static str],
    /// Simulated seconds of a short run, and of a long one.
    seconds: [f64; 2],
}

const CASES: &[Case] = &[
    Case {
        name: "gas 1,000",
        scene: "gas",
        settings: &["bodies=1000", "size=5.21"],
        seconds: [3.0, 10.0],
    },
    Case {
        name: "gas 10,000",
        scene: "gas",
        settings: &["bodies=10000", "size=11.22"],
        seconds: [1.0, 5.0],
    },
    Case {
        name: "gas 100,000",
        scene: "gas",
        settings: &["bodies=100000", "size=24.18"],
        seconds: [0.2, 1.0],
    },
];

/// What a run took, in seconds.
#[derive(Clone, Default)]
struct Took {
    wall: Vec<f64>,
    cpu: Vec<f64>,
    critical: Vec<f64>,
    history: Vec<f64>,
}

fn main() {
    let options = Options::parse();
    let repetitions = if options.quick { 1 } else { 5 };
    let mut table = Table::new(&[
        "scene",
        "executor",
        "events",
        "elapsed s",
        "CPU s",
        "critical path CPU s",
        "history thread CPU s",
        "times elapsed",
        "times CPU of the critical path",
        "facts, segments undone",
    ]);
    for case in CASES {
        let is_wanted = |text: &String| case.name.contains(text.as_str());
        if options.only.as_ref().is_some_and(|text| !is_wanted(text)) {
            continue;
        }
        compare(case, &options, repetitions, &mut table);
    }
    table.finish(&options);
}

/// All executors on one world, taking turns.
fn compare(case: &Case, options: &Options, repetitions: u32, table: &mut Table) {
    let seconds = case.seconds[usize::from(!options.quick)];
    let mut settings: Vec<String> = case.settings.iter().map(|s| s.to_string()).collect();
    settings.push(format!("duration={seconds}"));
    let world = scene(case.scene, &settings);
    let executors = [
        ("ordered", Algorithm::Ordered),
        ("timewarp", Algorithm::TimeWarp(LookAhead::Adaptive)),
        ("parallel, 1 thread", Algorithm::Parallel(1)),
        ("parallel, 2 threads", Algorithm::Parallel(2)),
        ("parallel, 4 threads", Algorithm::Parallel(4)),
    ];
    let mut took = vec![Took::default(); executors.len()];
    let mut stats = vec![Stats::default(); executors.len()];
    let mut history: Option<String> = None;
    for _ in 0..repetitions {
        for (place, (name, algorithm)) in executors.iter().enumerate() {
            let (found, ran) = run(&world, *algorithm, &mut took[place]);
            let expected = history.get_or_insert_with(|| found.clone());
            assert_eq!(&found, expected, "{name} has another history");
            stats[place] = ran;
        }
    }
    let middle: Vec<Took> = took.iter().map(Took::medians).collect();
    let best = |of: fn(&Took) -> f64| of(&middle[0]).min(of(&middle[1]));
    let (wall, path) = (best(|t| t.wall[0]), best(|t| t.critical[0]));
    for (place, (name, _)) in executors.iter().enumerate() {
        let (took, stats) = (&middle[place], &stats[place]);
        let facts: u64 = stats.regions.iter().map(|region| region.facts).sum();
        table.row(vec![
            case.name.to_string(),
            name.to_string(),
            stats.events_committed.to_string(),
            format!("{:.3}", took.wall[0]),
            format!("{:.3}", took.cpu[0]),
            format!("{:.3}", took.critical[0]),
            format!("{:.3}", took.history[0]),
            format!("{:.2}", wall / took.wall[0]),
            format!("{:.2}", path / took.critical[0]),
            format!("{facts}; {}", stats.segments_undone),
        ]);
    }
}

/// One run with the history's hash.
fn run(world: &World, algorithm: Algorithm, took: &mut Took) -> (String, Stats) {
    let mut hash = HistoryHash::new();
    let (wall, all) = (Instant::now(), ProcessTime::now());
    let (own, ran) = cpu(|| sim::run(world, algorithm, &mut hash));
    took.wall.push(wall.elapsed().as_secs_f64());
    took.cpu.push(all.elapsed().as_secs_f64());
    let stats = match ran {
        Ok((stats, _)) => stats,
        Err(error) => panic!("{} under {algorithm:?}: {error}", world.name),
    };
    // Without regions the thread that was asked does everything.
    took.critical.push(stats.critical_path_s.unwrap_or(own));
    let history = stats.critical_path_s.map_or(0.0, |_| own);
    took.history.push(history);
    (hash.finish(), stats)
}

impl Took {
    /// The median of each.
    fn medians(&self) -> Self {
        let middle = |all: &Vec<f64>| {
            let mut all = all.clone();
            all.sort_by(f64::total_cmp);
            vec![all[all.len() / 2]]
        };
        Took {
            wall: middle(&self.wall),
            cpu: middle(&self.cpu),
            critical: middle(&self.critical),
            history: middle(&self.history),
        }
    }
}
