//! Koenig, Karamouzas & Guy's Figures 7 and 8: cores, and where the time goes; and what Figures 9 and 10 need as well. Real
//! threads as many as the paper's protocol can have here; more of them are simulated, and said to be. Beside them the
//! same scenes under `ordered` and `parallel`, in absolute time.

use super::page::{Comparison, Page};
use crate::chart::{Axis, Chart, Series};
use crate::failure::Failure;
use crate::table::{Table, short};
use ::koenig::{Activity, Ms, Scene, Settings, Workers, simulated, threads};
use sim::scene::{self, Override};
use sim::{Algorithm, Discard, World, koenig_scene};
use std::ops::ControlFlow;

/// Cores of the paper's Figures 7 and 8.
const CORES: [usize; 5] = [1, 2, 4, 8, 16];
/// Sub-step of all figures, ms: the paper does not say its own.
const SUB_STEP: u32 = 4;

/// One of the paper's scenarios.
#[derive(Clone, Copy)]
pub(super) struct Scenario {
    scene: &'static str,
    bodies: u32,
    /// What the text of section 6.2 says of 16 cores.
    on_16: &'static str,
}

pub(super) const SCENARIOS: [Scenario; 6] = [
    Scenario {
        scene: "parallel",
        bodies: 200,
        on_16: "9.5 to 11",
    },
    Scenario {
        scene: "parallel",
        bodies: 500,
        on_16: "9.5 to 11",
    },
    Scenario {
        scene: "cylinders",
        bodies: 200,
        on_16: "hardly more than on 8",
    },
    Scenario {
        scene: "cylinders",
        bodies: 500,
        on_16: "9.5 to 11",
    },
    Scenario {
        scene: "bouncing-koenig",
        bodies: 200,
        on_16: "7 (\"9 or larger\" with Figure 9)",
    },
    Scenario {
        scene: "bouncing-koenig",
        bodies: 500,
        on_16: "7",
    },
];

impl Scenario {
    pub fn name(&self) -> String {
        format!("{}, {}", self.scene, self.bodies)
    }
}

/// How much is run.
#[derive(Clone, Copy)]
pub(super) struct Effort {
    pub seconds: f64,
    pub repeats: usize,
}

impl Effort {
    pub fn new(quick: bool) -> Self {
        match quick {
            true => Effort {
                seconds: 0.6,
                repeats: 1,
            },
            false => Effort {
                seconds: 2.0,
                repeats: 5,
            },
        }
    }
}

/// A built-in scene with some parameters set, as a world and as the protocol's scene.
pub(super) fn load(name: &str, settings: &[String]) -> Result<(World, Scene), Failure> {
    let missing = || Failure::run(format!("there is no scene `{name}`"), None);
    let builtin = scene::builtin(name).ok_or_else(missing)?;
    let unusable = |why: String| Failure::run(format!("{name}: {why}"), None);
    let overrides: Result<Vec<Override>, _> = settings.iter().map(|s| Override::parse(s)).collect();
    let overrides = overrides.map_err(|e| unusable(e.to_string()))?;
    let loaded = scene::load(name, builtin.text, &overrides);
    let world = loaded.map_err(|e| unusable(e.message.clone()))?.world;
    let translated = koenig_scene(&world, SUB_STEP).map_err(|e| unusable(e.to_string()))?;
    Ok((world, translated))
}

pub(super) fn scenario(of: Scenario, effort: Effort) -> Result<(World, Scene), Failure> {
    let settings = [
        format!("bodies={}", of.bodies),
        format!("duration={}", effort.seconds),
    ];
    load(of.scene, &settings)
}

fn settings(ahead: Ms) -> Settings {
    Settings {
        sub_step: Ms::from(SUB_STEP),
        ahead,
        ..Settings::default()
    }
}

fn failed(error: ::koenig::Error) -> Failure {
    Failure::run(error.to_string(), None)
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(all.len() / 2).copied().unwrap_or(f64::NAN)
}

/// A run on simulated cores.
pub(super) struct OnCores {
    pub elapsed_s: f64,
    /// Share of the cores' time at work.
    busy: f64,
    /// Seconds by activity, in the order of [`Activity::ALL`].
    activities: [f64; 5],
}

/// Medians of several runs.
pub(super) fn on_cores(
    scene: &Scene,
    cores: usize,
    (ahead, timed): (Ms, bool),
    repeats: usize,
) -> Result<OnCores, Failure> {
    let mut runs = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let ran = simulated::run(scene, &settings(ahead), cores, timed).map_err(failed)?;
        runs.push((
            ran.elapsed_s,
            ran.busy_s,
            ran.tally.nanoseconds.map(|ns| 1e-9 * ns as f64),
        ));
    }
    let elapsed_s = median(runs.iter().map(|run| run.0).collect());
    let busy_s = median(runs.iter().map(|run| run.1).collect());
    let activity = |i: usize| median(runs.iter().map(|run| run.2[i]).collect());
    Ok(OnCores {
        elapsed_s,
        busy: busy_s / (elapsed_s * cores as f64),
        activities: std::array::from_fn(activity),
    })
}

/// Elapsed seconds of a run on real threads: the median of several.
fn on_threads(scene: &Scene, count: usize, repeats: usize) -> Result<f64, Failure> {
    let mut walls = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let workers = Workers {
            threads: count,
            timed: false,
        };
        let mut taker = |_: &[::koenig::Turn], _: Ms| ControlFlow::Continue(());
        let ran = threads::run(scene, &settings(256), workers, &mut taker).map_err(failed)?;
        walls.push(ran.wall_s);
    }
    Ok(median(walls))
}

/// CPU seconds of the same world event by event: under `ordered`, and the critical path of two regions.
fn event_driven(world: &World, repeats: usize) -> Result<[f64; 2], Failure> {
    let (mut ordered, mut regions) = (Vec::new(), Vec::new());
    for _ in 0..repeats {
        let begun = cpu_time::ThreadTime::now();
        sim::run(world, Algorithm::Ordered, &mut Discard)?;
        ordered.push(begun.elapsed().as_secs_f64());
        let (stats, _) = sim::run(world, Algorithm::Parallel(2), &mut Discard)?;
        regions.push(stats.critical_path_s.unwrap_or(stats.cpu_seconds));
    }
    Ok([median(ordered), median(regions)])
}

/// What every page says of its numbers.
pub(super) fn how(effort: Effort) -> Vec<String> {
    let real = std::thread::available_parallelism().map_or(1, usize::from);
    vec![
        format!(
            "{} s of each scene with sub-steps of {SUB_STEP} ms. The paper measured interpreted Erlang on 16 cores. Here \
             Rust runs on {real}; what is called simulated was run by one real thread that keeps a clock for each core: \
             every activation is run for real and lasts for the CPU time that it took, locks are held and waited for \
             meanwhile, and tasks lie in one queue for each core. Contention for those queues, caches and memory is not \
             in it. The history is the same to the byte for any number of cores, real or simulated.",
            effort.seconds
        ),
        "The paper gives neither radii, speeds, restitution, gravity nor sub-steps; the files of the scenes say what was \
         chosen. It contradicts itself about the bouncing balls on 16 cores: 7 times in the text on Figure 7, 9 times and \
         more with Figure 9."
            .into(),
    ]
}

/// A scenario on all numbers of cores.
struct Sped {
    /// What the table of speedups says of it.
    row: Vec<String>,
    /// Milliseconds of the protocol and of others.
    absolute: Vec<String>,
    series: Series,
}

/// Runs a scenario on simulated cores, on real threads, and event by event.
fn speed_up(of: Scenario, effort: Effort, table: &mut Table) -> Result<Sped, Failure> {
    let real = std::thread::available_parallelism().map_or(1, usize::from);
    let (world, scene) = scenario(of, effort)?;
    let mut points: Vec<(f64, f64)> = Vec::new();
    let mut one = f64::NAN;
    for cores in CORES {
        let ran = on_cores(&scene, cores, (256, false), effort.repeats)?;
        if cores == 1 {
            one = ran.elapsed_s;
        }
        points.push((cores as f64, one / ran.elapsed_s));
        row(table, &of, cores, "simulated", (ran.elapsed_s, one));
    }
    let mut walls = Vec::new();
    for count in (1..=real.min(2)).chain((real > 2).then_some(real)) {
        let wall = on_threads(&scene, count, effort.repeats)?;
        walls.push(wall);
        row(table, &of, count, "real threads", (wall, walls[0]));
    }
    let on = |cores: f64| {
        let found = points.iter().find(|p| p.0 == cores);
        found.map_or(f64::NAN, |p| p.1)
    };
    let two = walls.get(1).map(|wall| short(walls[0] / wall));
    let [ordered, regions] = event_driven(&world, effort.repeats)?;
    Ok(Sped {
        row: vec![
            of.name(),
            two.unwrap_or("-".into()),
            "5 to 6.5".into(),
            short(on(8.0)),
            of.on_16.into(),
            short(on(16.0)),
        ],
        absolute: vec![
            of.name(),
            short(1e3 * walls[0]),
            short(1e3 * ordered),
            short(1e3 * regions),
        ],
        series: Series {
            name: of.name(),
            points,
        },
    })
}

/// Figure 7: speedup over the number of cores.
pub fn figure_7(quick: bool) -> Result<Page, Failure> {
    let effort = Effort::new(quick);
    let mut table = Table::new(["scene", "cores", "how", "elapsed s", "times one core"]);
    let mut series = Vec::new();
    let (mut rows, mut absolute) = (Vec::new(), Vec::new());
    for of in SCENARIOS {
        let sped = speed_up(of, effort, &mut table)?;
        rows.push(sped.row);
        absolute.push(sped.absolute);
        series.push(sped.series);
    }
    let said = |name: &str, points: [(f64, f64); 2]| Series {
        name: name.into(),
        points: points.to_vec(),
    };
    series.push(said("the paper, most", [(8.0, 6.5), (16.0, 11.0)]));
    series.push(said("the paper, least", [(8.0, 5.0), (16.0, 7.0)]));
    Ok(Page {
        stem: "koenig-figure-7",
        title: "Koenig's Figure 7: speedup over cores",
        text: how(effort),
        charts: vec![(
            "",
            Chart {
                title: "speedup on simulated cores".into(),
                x: Axis::linear("cores"),
                y: Axis::linear("times one core"),
                series,
            },
        )],
        comparisons: vec![
            Comparison {
                caption: "times one core".into(),
                heading: [
                    "",
                    "2 real threads here",
                    "8 cores, paper",
                    "8 simulated here",
                    "16 cores, paper",
                    "16 simulated here",
                ]
                .map(String::from)
                .to_vec(),
                rows,
            },
            Comparison {
                caption: format!("milliseconds for {} s of the scene", effort.seconds),
                heading: [
                    "",
                    "koenig, 1 thread, elapsed",
                    "ordered, CPU",
                    "parallel, 2 regions, CPU of the critical path",
                ]
                .map(String::from)
                .to_vec(),
                rows: absolute,
            },
        ],
        summary: table.render(),
        csv: table.csv(),
    })
}

fn row(table: &mut Table, of: &Scenario, cores: usize, how: &str, (took, one): (f64, f64)) {
    table.row([
        of.name(),
        cores.to_string(),
        how.to_string(),
        short(took),
        short(one / took),
    ]);
}

/// Figure 8: where the time goes, over the number of cores.
pub fn figure_8(quick: bool) -> Result<Page, Failure> {
    let effort = Effort::new(quick);
    let (_, scene) = scenario(SCENARIOS[3], effort)?;
    let mut table = Table::new(["cores", "activity", "share %"]);
    let mut series: Vec<Series> = Activity::ALL
        .iter()
        .map(|activity| Series {
            name: activity.name().into(),
            points: Vec::new(),
        })
        .collect();
    series.push(Series {
        name: "idle".into(),
        points: Vec::new(),
    });
    let mut rows = Vec::new();
    for cores in CORES {
        let ran = on_cores(&scene, cores, (256, true), effort.repeats)?;
        let all: f64 = ran.activities.iter().sum();
        let mut shares: Vec<f64> = ran
            .activities
            .iter()
            .map(|s| 100.0 * ran.busy * s / all)
            .collect();
        shares.push(100.0 * (1.0 - ran.busy));
        for (one, share) in series.iter_mut().zip(&shares) {
            one.points.push((cores as f64, *share));
            table.row([cores.to_string(), one.name.clone(), short(*share)]);
        }
        let mut cells = vec![cores.to_string()];
        cells.extend(shares.iter().map(|share| short(*share)));
        rows.push(cells);
    }
    let mut heading = vec!["cores (simulated)".to_string()];
    heading.extend(series.iter().map(|one| one.name.clone()));
    let mut text = how(effort);
    text.push(
        "What the paper says of its figure: checking for collisions in the hash table takes more than half of the time at \
         any number of cores, the rest is mostly GVT and the language's own cost, and neither integration nor rollback \
         counts for much."
            .into(),
    );
    Ok(Page {
        stem: "koenig-figure-8",
        title: "Koenig's Figure 8: where the time of cylinders with 500 spheres goes",
        text,
        charts: vec![(
            "",
            Chart {
                title: "share of the cores' time, simulated".into(),
                x: Axis::linear("cores"),
                y: Axis::linear("%"),
                series,
            },
        )],
        comparisons: vec![Comparison {
            caption: "per cent of the cores' time; the paper: hash table above 50, integration and rollback small".into(),
            heading,
            rows,
        }],
        summary: table.render(),
        csv: table.csv(),
    })
}
