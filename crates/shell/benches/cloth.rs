//! Impulse-based cloth measured against itself in one run, as CPU time of this thread: the paper's eighteen
//! cases with each optimisation (table 1), its grids from 5 x 5 to 40 x 40 (figure 4), and a large cloth by
//! strips. `--only table|sweep|large` selects a part, `--variants none,all,strips` columns of the table (all of
//! them take ten minutes), `--scene NAME`, `--strain 0.01` and `--velocity no` rows of it, `--steps N` shortens,
//! `--out DIR` writes CSV.

use std::fmt::Write as _;
use std::path::PathBuf;

use cpu_time::ThreadTime;
use warpline_shell::impulse::scenes::{self, ClothScene, SceneFunction, Weave};
use warpline_shell::impulse::*;

const EXTENSIBILITIES: [f64; 3] = [1e-5, 0.01, 0.1];

const fn with(anticipation: bool, skipping: Skipping, frozen_direction: bool) -> Solver {
    Solver::Impulses(Optimisations {
        reuse_direction: true,
        anticipation,
        skipping,
        frozen_direction,
        early_update: false,
    })
}

const BASELINE: Solver = with(false, Skipping::Off, false);
const PAPER: Solver = with(true, Skipping::Flags, true);
const ALL: Solver = Solver::Impulses(Optimisations::ALL);
const STRIPS: Solver = Solver::Strips { is_parallel: false };

/// Name, solver, and the paper's best, worst and average speed-up over the baseline. The paper's average is
/// that of the run times: the reciprocal of the mean of the relative times.
type Variant = (&'static str, Solver, Option<[f64; 3]>);

const VARIANTS: [Variant; 10] = [
    ("4.1", BASELINE, None),
    ("none", Solver::Impulses(Optimisations::NONE), None),
    (
        "4.3",
        with(false, Skipping::BodyBits, false),
        Some([1.31, 0.96, 1.01]),
    ),
    (
        "4.2",
        with(true, Skipping::Off, false),
        Some([1.83, 1.31, 1.46]),
    ),
    (
        "4.2+3",
        with(true, Skipping::Flags, false),
        Some([2.30, 1.40, 1.60]),
    ),
    (
        "4.3+4",
        with(false, Skipping::BodyBits, true),
        Some([4.40, 1.01, 1.66]),
    ),
    (
        "4.2+4",
        with(true, Skipping::Off, true),
        Some([3.75, 1.68, 2.51]),
    ),
    ("4.2+3+4", PAPER, Some([11.35, 2.16, 3.44])),
    ("all", ALL, None),
    ("strips", STRIPS, None),
];

/// What one run measured.
struct Measured {
    ms_per_step: f64,
    report: StepReport,
    largest_strain: f64,
}

/// Runs of a case below this, ms, are repeated, all variants in turn, and the best time of each counts.
const SHORT_MS: f64 = 300.0;
/// So often.
const REPEATS: usize = 7;

/// Every solver on one case, in turn.
fn measure_all(
    build: SceneFunction,
    case: &ClothScene,
    steps: u32,
    solvers: impl Iterator<Item = Solver> + Clone,
) -> Vec<Result<Measured, ClothError>> {
    let once = |solver: Solver| {
        let scene = ClothScene {
            solver,
            ..case.clone()
        };
        measure(build, &scene, steps)
    };
    let mut best: Vec<_> = solvers.clone().map(once).collect();
    let is_short = |m: &Measured| m.ms_per_step * f64::from(steps) < SHORT_MS;
    if !best.iter().flatten().all(is_short) {
        return best;
    }
    for _ in 1..REPEATS {
        for (best, solver) in best.iter_mut().zip(solvers.clone()) {
            if let (Ok(best), Ok(again)) = (best, once(solver)) {
                best.ms_per_step = best.ms_per_step.min(again.ms_per_step);
            }
        }
    }
    best
}

fn measure(build: SceneFunction, scene: &ClothScene, steps: u32) -> Result<Measured, ClothError> {
    let (cloth, mut state) = build(scene)?;
    let mut work = Workspace::new(&cloth);
    let mut measured = Measured {
        ms_per_step: 0.0,
        report: StepReport::default(),
        largest_strain: 0.0,
    };
    for _ in 0..steps {
        let start = ThreadTime::now();
        let report = cloth.step(&mut state, &mut work, &mut [])?;
        measured.ms_per_step += start.elapsed().as_secs_f64() * 1e3 / f64::from(steps);
        measured.report += report;
        measured.largest_strain = measured.largest_strain.max(cloth.largest_strain(&state));
    }
    Ok(measured)
}

struct Options {
    steps: u32,
    only: Option<String>,
    variants: Option<String>,
    scene: Option<String>,
    strain: Option<f64>,
    velocity: Option<bool>,
    out: Option<PathBuf>,
}

impl Options {
    fn read() -> Self {
        let arguments: Vec<String> = std::env::args().collect();
        let value = |name: &str| {
            let index = arguments.iter().position(|a| a == name)?;
            arguments.get(index + 1).cloned()
        };
        Self {
            steps: value("--steps").and_then(|s| s.parse().ok()).unwrap_or(200),
            only: value("--only"),
            variants: value("--variants"),
            scene: value("--scene"),
            strain: value("--strain").and_then(|s| s.parse().ok()),
            velocity: value("--velocity").map(|v| v == "yes"),
            out: value("--out").map(PathBuf::from),
        }
    }

    fn wants(&self, part: &str) -> bool {
        self.only.as_deref().is_none_or(|only| only == part)
    }

    /// The baseline and the variants that were asked for.
    fn variants(&self) -> Vec<Variant> {
        let is_wanted = |name: &str| match &self.variants {
            Some(names) => name == VARIANTS[0].0 || names.split(',').any(|wanted| wanted == name),
            None => true,
        };
        VARIANTS
            .into_iter()
            .filter(|(name, ..)| is_wanted(name))
            .collect()
    }

    fn write(&self, name: &str, csv: &str) -> std::io::Result<()> {
        let Some(directory) = &self.out else {
            return Ok(());
        };
        std::fs::create_dir_all(directory)?;
        std::fs::write(directory.join(name), csv)
    }
}

const COLUMNS: &str = "scene,resolution,extensibility,velocity_correction,variant,ms_per_step,iterations,\
                       direction_updates,corrections,velocity_iterations,velocity_corrections,largest_strain\n";

fn append(csv: &mut String, name: &str, scene: &ClothScene, variant: &str, m: &Measured) {
    let r = &m.report;
    let _ = writeln!(
        csv,
        "{name},{},{},{},{variant},{:.6},{},{},{},{},{},{:e}",
        scene.resolution,
        scene.extensibility,
        scene.is_velocity_corrected,
        m.ms_per_step,
        r.iterations,
        r.direction_updates,
        r.corrections,
        r.velocity_iterations,
        r.velocity_corrections,
        m.largest_strain
    );
}

/// The eighteen cases: milliseconds a step of the baseline, speed-ups of the rest over it.
fn table(options: &Options) -> std::io::Result<()> {
    println!(
        "Eighteen cases, 20 x 20, {} steps: speed-up over 4.1 alone, the paper's baseline",
        options.steps
    );
    print!("{:<13}{:>9}{:>5}{:>11}", "scene", "strain", "vel", "4.1 ms");
    let variants = options.variants();
    variants[1..]
        .iter()
        .for_each(|(name, ..)| print!("{name:>8}"));
    println!();
    let mut csv = COLUMNS.to_string();
    let mut speedups: Vec<Vec<f64>> = vec![Vec::new(); variants.len()];
    let is_wanted = |name: &str| options.scene.as_deref().is_none_or(|scene| scene == name);
    for (name, build) in scenes::SCENES
        .into_iter()
        .filter(|(name, _)| is_wanted(name))
    {
        let is_asked = |e: &f64| options.strain.is_none_or(|strain| strain == *e);
        for extensibility in EXTENSIBILITIES.into_iter().filter(is_asked) {
            let is_chosen = |v: &bool| options.velocity.is_none_or(|velocity| velocity == *v);
            for is_velocity_corrected in [false, true].into_iter().filter(is_chosen) {
                let case = ClothScene {
                    extensibility,
                    is_velocity_corrected,
                    ..ClothScene::default()
                };
                table_row(options, (name, build), &case, &mut csv, &mut speedups);
            }
        }
    }
    summary(&variants, &speedups);
    options.write("cloth-table-1.csv", &csv)
}

fn table_row(
    options: &Options,
    (name, build): (&str, SceneFunction),
    case: &ClothScene,
    csv: &mut String,
    speedups: &mut [Vec<f64>],
) {
    let velocity = if case.is_velocity_corrected {
        "yes"
    } else {
        "no"
    };
    print!("{name:<13}{:>8}%{velocity:>5}", case.extensibility * 100.0);
    let mut baseline = f64::NAN;
    let variants = options.variants();
    let solvers = variants.iter().map(|(_, solver, _)| *solver);
    let results = measure_all(build, case, options.steps, solvers);
    for (index, ((variant, ..), result)) in variants.iter().zip(results).enumerate() {
        match result {
            Ok(m) => {
                append(csv, name, case, variant, &m);
                if index == 0 {
                    baseline = m.ms_per_step;
                    print!("{baseline:>11.3}");
                } else {
                    print!("{:>8.2}", baseline / m.ms_per_step);
                }
                speedups[index].push(baseline / m.ms_per_step);
            }
            Err(error) => print!(
                "{:>8}",
                if matches!(error, ClothError::TooManyConstraints { .. }) {
                    ">64"
                } else {
                    "-"
                }
            ),
        }
    }
    println!();
}

/// Best, worst and both averages, with the paper's beside them.
fn summary(variants: &[Variant], speedups: &[Vec<f64>]) {
    println!(
        "\n{:<8}{:>8}{:>8}{:>12}{:>14}   paper: best, worst, average of times",
        "", "best", "worst", "mean ratio", "mean of times"
    );
    let row = |name: &str, ratios: &[f64], paper: &str| {
        let count = ratios.len() as f64;
        let best = ratios.iter().copied().fold(0.0, f64::max);
        let worst = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let mean = ratios.iter().sum::<f64>() / count;
        let of_times = count / ratios.iter().map(|r| 1.0 / r).sum::<f64>();
        println!("{name:<8}{best:>8.2}{worst:>8.2}{mean:>12.2}{of_times:>14.2}   {paper}");
    };
    for ((name, _, paper), ratios) in variants.iter().zip(speedups).skip(1) {
        let paper = paper.map_or(String::new(), |p| {
            format!("{:.2}, {:.2}, {:.2}", p[0], p[1], p[2])
        });
        row(name, ratios, &paper);
    }
    let of = |name: &str| {
        let index = variants.iter().position(|(variant, ..)| *variant == name)?;
        Some(&speedups[index])
    };
    if let (Some(all), Some(none)) = (of("all"), of("none"))
        && all.len() == none.len()
    {
        let over_none: Vec<f64> = all.iter().zip(none).map(|(all, none)| all / none).collect();
        row("all/none", &over_none, "(all four over none of the four)");
    }
}

/// Figure 4: the first scene at several resolutions.
fn sweep(options: &Options) -> std::io::Result<()> {
    println!("\nFirst scene, milliseconds a step (real time: 10)");
    println!(
        "{:<10}{:>9}{:>12}{:>12}{:>12}",
        "grid", "strain", "4.1", "all", "strips"
    );
    let mut csv = COLUMNS.to_string();
    for resolution in [5, 10, 20, 30, 40] {
        for extensibility in EXTENSIBILITIES {
            print!(
                "{:<10}{:>8}%",
                format!("{resolution} x {resolution}"),
                extensibility * 100.0
            );
            for (variant, solver) in [("4.1", BASELINE), ("all", ALL), ("strips", STRIPS)] {
                let scene = ClothScene {
                    resolution,
                    extensibility,
                    solver,
                    ..ClothScene::default()
                };
                match measure(scenes::cloth_swing, &scene, options.steps) {
                    Ok(m) => {
                        append(&mut csv, "cloth-swing", &scene, variant, &m);
                        print!("{:>12.3}", m.ms_per_step);
                    }
                    Err(_) => print!("{:>12}", "-"),
                }
            }
            println!();
        }
    }
    options.write("cloth-figure-4.csv", &csv)
}

/// A triangulated 40 x 40 cloth: every edge of the mesh is a constraint, as other systems have it.
fn large(options: &Options) -> std::io::Result<()> {
    println!("\nFirst scene, 40 x 40, all edges of the triangle mesh, one thread");
    println!(
        "{:>9}{:>12}{:>14}{:>14}",
        "strain", "solver", "ms a step", "largest"
    );
    let mut csv = COLUMNS.to_string();
    for extensibility in [0.001, 0.01, 0.08] {
        for (variant, solver) in [("all", ALL), ("strips", STRIPS)] {
            let weave = Weave::Triangulated;
            let scene = ClothScene {
                resolution: 40,
                extensibility,
                weave,
                solver,
                ..ClothScene::default()
            };
            match measure(scenes::cloth_swing, &scene, options.steps) {
                Ok(m) => {
                    append(&mut csv, "cloth-swing", &scene, variant, &m);
                    let percent = format!("{:.4}%", m.largest_strain * 100.0);
                    println!(
                        "{:>8}%{variant:>12}{:>14.3}{percent:>14}",
                        extensibility * 100.0,
                        m.ms_per_step
                    );
                }
                Err(error) => println!("{:>8}%{variant:>12}  {error}", extensibility * 100.0),
            }
        }
    }
    options.write("cloth-large.csv", &csv)
}

fn main() -> std::io::Result<()> {
    let options = Options::read();
    if options.wants("table") {
        table(&options)?;
    }
    if options.wants("sweep") {
        sweep(&options)?;
    }
    if options.wants("large") {
        large(&options)?;
    }
    Ok(())
}
