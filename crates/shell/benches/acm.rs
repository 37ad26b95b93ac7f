//! Speculative against kinetic asynchronous contact mechanics, side by side in one run.
//!
//! `cargo bench -p warpline-shell --bench acm -- [SCENE..] [--size N] [--out DIR] [--figures] [--every-pair]`
//! Times are CPU seconds of one thread. Both algorithms run over the same samples of a scene, taken
//! at equally spaced times of a speculative run, and must end in the same bytes. The kinetic
//! baseline certifies only near pairs, found with fat bounds; `--every-pair` also runs it as the
//! paper words it, with a slab for each pair of primitives, over one window in the middle.

use cpu_time::ThreadTime;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Instant;
use warpline_shell::acm::{
    Acm, AcmKds, AcmOptions, Certify, Phase, Profile, Scene, SceneName, ShellState, Tick, WindowLength,
    ticks,
};

/// Samples of a scene's duration at which the algorithms are compared.
const SAMPLES: usize = 5;
/// Length of a sample: five windows of the paper's R.
const SAMPLE_S: f64 = 5.0 / 300.0;

fn main() {
    let options = Options::from_args();
    let scenes = options.scenes.clone();
    let mut csv = Csv::new(&options);
    compare(&scenes, &options, &mut csv);
    if options.figures {
        sweep_windows(&scenes, &options, &mut csv);
        scale_threads(&scenes, &options, &mut csv);
        trace_twister(&options, &mut csv);
    }
}

/// Table 1 and Figure 1: ratio to the kinetic baseline, and where the time goes.
fn compare(scenes: &[SceneName], options: &Options, csv: &mut Csv) {
    let mut table = String::from(
        "scene,vertices,sim_s,acm_kds_cpu_s,acm_no_slabs_cpu_s,acm_cpu_s,ratio,ratio_every_pair\n",
    );
    let mut breakdown = String::from(
        "scene,algorithm,useful_forces,resimulation,unneeded_penalty,broad_phase,narrow_phase,kinetic,bookkeeping\n",
    );
    let (mut ratios, mut literal_ratios) = (Vec::new(), Vec::new());
    for &name in scenes {
        let scene = options.build(name);
        let row = Comparison::measure(&scene, options);
        let (vertices, ratio) = (
            scene.model.vertex_count(),
            row.kinetic_s / row.speculative_s,
        );
        ratios.push(ratio);
        println!(
            "{:15} {vertices} vertices: acm-kds {:.3} s, acm without slabs {:.3} s, acm {:.3} s, ratio {ratio:.1}, same bytes: {}",
            name.as_str(),
            row.kinetic_s,
            row.no_slabs_s,
            row.speculative_s,
            row.equal
        );
        println!("    acm:     {}", row.speculative.describe());
        println!("    acm-kds: {}", row.kinetic.describe());
        let mut literal = String::new();
        if options.every_pair {
            let ratio = every_pair_ratio(&scene, options);
            literal_ratios.push(ratio);
            literal = ratio.to_string();
            println!("    acm-kds with a slab for every pair: ratio {ratio:.0}");
        }
        let sim_s = SAMPLES as f64 * SAMPLE_S;
        let _ = writeln!(
            table,
            "{},{vertices},{sim_s},{},{},{},{ratio},{literal}",
            name.as_str(),
            row.kinetic_s,
            row.no_slabs_s,
            row.speculative_s
        );
        for (algorithm, b) in [("acm-kds", &row.kinetic), ("acm", &row.speculative)] {
            let _ = writeln!(breakdown, "{},{algorithm},{}", name.as_str(), b.csv());
        }
    }
    print_median("acm-kds / acm", ratios);
    print_median("acm-kds with a slab for every pair / acm", literal_ratios);
    csv.write("ainsley_table_1.csv", &table);
    csv.write("ainsley_figure_1.csv", &breakdown);
}

fn print_median(what: &str, mut ratios: Vec<f64>) {
    ratios.sort_by(f64::total_cmp);
    if let Some(median) = ratios.get(ratios.len() / 2) {
        println!("median of {what}: {median:.1}");
    }
}

/// CPU time of the baseline with a slab for each pair of primitives over that of the speculative
/// algorithm, for one window in the middle of the scene; setting up the slabs is not counted.
fn every_pair_ratio(scene: &Scene, options: &Options) -> f64 {
    let begin = ticks(0.5 * scene.duration_s);
    let mut state = scene.state.clone();
    let mut leader = Acm::new(&scene.model, &scene.state, options.acm());
    leader
        .run_until(&scene.model, &mut state, begin)
        .expect("the scene runs");
    let end = begin + ticks(1.0 / 300.0);
    let (after, speculative_s, _) = speculative(scene, &state, end, options.acm());
    let mut kds = AcmKds::new(&scene.model, &state, Certify::EveryPair, false);
    let first = begin + ticks(1e-6);
    kds.run_until(&scene.model, &mut state, first)
        .expect("the scene runs");
    let timer = ThreadTime::now();
    kds.run_until(&scene.model, &mut state, end)
        .expect("the scene runs");
    assert!(
        state.history_bytes() == after.history_bytes(),
        "the histories must agree"
    );
    timer.elapsed().as_secs_f64() / speculative_s
}

/// CPU seconds by purpose.
#[derive(Default, Clone, Copy)]
struct Breakdown {
    useful: f64,
    resimulation: f64,
    unneeded: f64,
    broad: f64,
    narrow: f64,
    kinetic: f64,
    bookkeeping: f64,
}

impl Breakdown {
    /// Splits measured times by counted work: undone forces are resimulation, contact forces that
    /// were zero are unneeded, the rest is useful.
    fn of(profile: &Profile, total_s: f64) -> Breakdown {
        let c = &profile.counts;
        let share = |part: u64, whole: u64| {
            if whole == 0 {
                0.0
            } else {
                part as f64 / whole as f64
            }
        };
        let (internal, penalty) = (
            profile.seconds(Phase::Internal),
            profile.seconds(Phase::Penalty),
        );
        let resimulation = internal * share(c.element_forces_undone, c.element_forces)
            + penalty * share(c.contact_forces_undone, c.contact_forces);
        let kept = penalty * (1.0 - share(c.contact_forces_undone, c.contact_forces));
        let unneeded = kept * share(c.contact_forces - c.contact_pushes, c.contact_forces);
        let (broad, narrow, kinetic) = (
            profile.seconds(Phase::Broad),
            profile.seconds(Phase::Narrow),
            profile.seconds(Phase::Kinetic),
        );
        let useful = internal + penalty - resimulation - unneeded;
        let bookkeeping = (total_s - internal - penalty - broad - narrow - kinetic).max(0.0);
        Breakdown {
            useful,
            resimulation,
            unneeded,
            broad,
            narrow,
            kinetic,
            bookkeeping,
        }
    }

    fn add(&mut self, o: &Breakdown) {
        self.useful += o.useful;
        self.resimulation += o.resimulation;
        self.unneeded += o.unneeded;
        self.broad += o.broad;
        self.narrow += o.narrow;
        self.kinetic += o.kinetic;
        self.bookkeeping += o.bookkeeping;
    }

    fn parts(&self) -> [(&'static str, f64); 7] {
        [
            ("useful forces", self.useful),
            ("resimulation", self.resimulation),
            ("unneeded penalty", self.unneeded),
            ("broad phase", self.broad),
            ("narrow phase", self.narrow),
            ("kinetic", self.kinetic),
            ("bookkeeping", self.bookkeeping),
        ]
    }

    fn total(&self) -> f64 {
        self.parts().iter().map(|p| p.1).sum()
    }

    fn describe(&self) -> String {
        let shares = self
            .parts()
            .map(|(name, s)| format!("{name} {:.1} %", 100.0 * s / self.total()));
        shares.join(", ")
    }

    fn csv(&self) -> String {
        self.parts().map(|(_, s)| s.to_string()).join(",")
    }
}

struct Comparison {
    kinetic_s: f64,
    no_slabs_s: f64,
    speculative_s: f64,
    kinetic: Breakdown,
    speculative: Breakdown,
    equal: bool,
}

impl Comparison {
    fn measure(scene: &Scene, options: &Options) -> Comparison {
        let mut sum = Comparison {
            kinetic_s: 0.0,
            no_slabs_s: 0.0,
            speculative_s: 0.0,
            kinetic: Breakdown::default(),
            speculative: Breakdown::default(),
            equal: true,
        };
        let mut state = scene.state.clone();
        let mut leader = Acm::new(&scene.model, &scene.state, options.acm());
        for k in 0..SAMPLES {
            let begin = ticks(scene.duration_s * (k as f64 + 0.5) / SAMPLES as f64);
            leader
                .run_until(&scene.model, &mut state, begin)
                .expect("the scene runs");
            let end = begin + ticks(SAMPLE_S);
            let (after, seconds, breakdown) = speculative(
                scene,
                &state,
                end,
                AcmOptions {
                    timed: true,
                    ..options.acm()
                },
            );
            sum.speculative_s += seconds;
            sum.speculative.add(&breakdown);
            let (_, seconds, _) = speculative(
                scene,
                &state,
                end,
                AcmOptions {
                    slabs: false,
                    ..options.acm()
                },
            );
            sum.no_slabs_s += seconds;
            let mut kinetic = state.clone();
            let mut kds = AcmKds::new(&scene.model, &kinetic, options.certify(), true);
            let timer = ThreadTime::now();
            kds.run_until(&scene.model, &mut kinetic, end)
                .expect("the scene runs");
            let seconds = timer.elapsed().as_secs_f64();
            sum.kinetic_s += seconds;
            sum.kinetic.add(&Breakdown::of(&kds.profile, seconds));
            sum.equal &= kinetic.history_bytes() == after.history_bytes();
        }
        sum
    }
}

fn speculative(
    scene: &Scene,
    from: &ShellState,
    end: Tick,
    options: AcmOptions,
) -> (ShellState, f64, Breakdown) {
    let mut state = from.clone();
    let mut acm = Acm::new(&scene.model, &scene.state, options);
    let timer = ThreadTime::now();
    acm.run_until(&scene.model, &mut state, end)
        .expect("the scene runs");
    let seconds = timer.elapsed().as_secs_f64();
    (state, seconds, Breakdown::of(&acm.profile, seconds))
}

/// Figures 8 and 9: total time, detection, resimulation and unneeded penalty forces over R.
fn sweep_windows(scenes: &[SceneName], options: &Options, csv: &mut Csv) {
    let mut text =
        String::from("scene,R_s,total_s,collision_detection_s,resimulation_s,unneeded_penalty_s\n");
    for &name in scenes {
        let scene = options.build(name);
        let mut state = scene.state.clone();
        let begin = ticks(0.6 * scene.duration_s);
        Acm::new(&scene.model, &scene.state, options.acm())
            .run_until(&scene.model, &mut state, begin)
            .expect("the scene runs");
        let end = begin + ticks(0.03);
        let lengths = [1e-4, 2e-4, 5e-4, 1e-3, 2e-3, 1.0 / 300.0, 5e-3, 1e-2]
            .map(|r| (r, WindowLength::seconds(r)));
        for (r, window) in lengths.into_iter().chain([(0.0, WindowLength::Adaptive)]) {
            let (_, seconds, b) = speculative(
                &scene,
                &state,
                end,
                AcmOptions {
                    window,
                    timed: true,
                    ..options.acm()
                },
            );
            let label = if r == 0.0 {
                "adaptive".to_string()
            } else {
                r.to_string()
            };
            println!(
                "{:16} R {label:>22} total {seconds:.3} s, detection {:.3}, resimulation {:.3}, unneeded {:.3}",
                name.as_str(),
                b.broad + b.narrow,
                b.resimulation,
                b.unneeded
            );
            let _ = writeln!(
                text,
                "{},{label},{seconds},{},{},{}",
                name.as_str(),
                b.broad + b.narrow,
                b.resimulation,
                b.unneeded
            );
        }
    }
    csv.write("ainsley_figure_8_9.csv", &text);
}

/// Figure 7: wall time over threads.
fn scale_threads(scenes: &[SceneName], options: &Options, csv: &mut Csv) {
    let mut text = String::from("scene,threads,wall_s,speedup\n");
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    for &name in scenes {
        let scene = options.build(name);
        let mut first = 0.0;
        for threads in 1..=cores {
            let mut state = scene.state.clone();
            let mut acm = Acm::new(
                &scene.model,
                &scene.state,
                AcmOptions {
                    threads,
                    ..options.acm()
                },
            );
            let timer = Instant::now();
            acm.run_until(&scene.model, &mut state, ticks(0.3 * scene.duration_s))
                .expect("the scene runs");
            let wall = timer.elapsed().as_secs_f64();
            first = if threads == 1 { wall } else { first };
            println!(
                "{:16} {threads} threads: {wall:.3} s wall, speedup {:.2}",
                name.as_str(),
                first / wall
            );
            let _ = writeln!(text, "{},{threads},{wall},{}", name.as_str(), first / wall);
        }
    }
    csv.write("ainsley_figure_7.csv", &text);
}

/// Figure 6: rollbacks and time for each frame of the twister.
fn trace_twister(options: &Options, csv: &mut Csv) {
    let mut text = String::from("time_s,rollbacks,cpu_s,contacts\n");
    let scene = options.build(SceneName::Twister);
    let mut state = scene.state.clone();
    let mut acm = Acm::new(&scene.model, &scene.state, options.acm());
    let frames = 60;
    for frame in 1..=frames {
        let t = scene.duration_s * f64::from(frame) / f64::from(frames);
        let (timer, before) = (ThreadTime::now(), acm.profile.counts.rollbacks);
        acm.run_until(&scene.model, &mut state, ticks(t))
            .expect("the scene runs");
        let _ = writeln!(
            text,
            "{t},{},{},{}",
            acm.profile.counts.rollbacks - before,
            timer.elapsed().as_secs_f64(),
            state.contacts().entries().len()
        );
    }
    csv.write("ainsley_figure_6.csv", &text);
}

struct Options {
    scenes: Vec<SceneName>,
    size: Option<usize>,
    out: Option<PathBuf>,
    margin: f64,
    figures: bool,
    every_pair: bool,
}

impl Options {
    fn from_args() -> Options {
        let mut options = Options {
            scenes: vec![],
            size: None,
            out: None,
            margin: 1.0e-3,
            figures: false,
            every_pair: false,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--size" => options.size = args.next().and_then(|v| v.parse().ok()),
                "--out" => options.out = args.next().map(PathBuf::from),
                "--margin" => {
                    options.margin = args
                        .next()
                        .and_then(|v| v.parse().ok())
                        .unwrap_or(options.margin)
                }
                "--figures" => options.figures = true,
                "--every-pair" => options.every_pair = true,
                other => options.scenes.extend(SceneName::parse(other)),
            }
        }
        if options.scenes.is_empty() {
            options.scenes = SceneName::ALL.to_vec();
        }
        options
    }

    fn build(&self, name: SceneName) -> Scene {
        name.build(self.size.unwrap_or(name.small_size()))
            .expect("a valid size")
    }

    fn certify(&self) -> Certify {
        if self.every_pair { Certify::NearPrimitives { margin_m: self.margin } } else { Certify::NearTriangles { margin_m: self.margin } }
    }

    fn acm(&self) -> AcmOptions {
        AcmOptions::default()
    }
}

/// Writes the figures' data where `--out` says.
struct Csv {
    folder: Option<PathBuf>,
}

impl Csv {
    fn new(options: &Options) -> Csv {
        Csv {
            folder: options.out.clone(),
        }
    }

    fn write(&mut self, name: &str, text: &str) {
        if let Some(folder) = &self.folder {
            std::fs::create_dir_all(folder)
                .and_then(|()| std::fs::write(folder.join(name), text))
                .expect("a writable folder");
        }
    }
}
