//! Speculative against kinetic asynchronous contact mechanics, side by side in one run.
//!
//! `cargo bench -p warpline-shell --bench acm -- [SCENE..] [--size N] [--samples K] [--repeats K] [--margin M] [--every-pair] [--frames DIR]`
//! or `-- --alone [SCENE..] [--size N] [--window S|adaptive] [--threads N] [--until S]` for the speculative algorithm over whole scenes.
//! Times are CPU seconds of one thread, for each sample the least of some runs. All sides run over the same samples of a scene, taken at
//! equally spaced times of a speculative run, and must end in the same bytes. `--every-pair` adds the
//! baseline with a slab for each pair of primitives. `--frames` only writes frames as OBJ files, for
//! a checker that knows nothing of this project (`acm_frames.py`).

use cpu_time::ProcessTime;
use std::path::{Path, PathBuf};
use std::time::Instant;
use warpline_shell::acm::experiment::{Breakdown, Measured, compare, speculative};
use warpline_shell::acm::{
    Acm, AcmOptions, Certify, Scene, SceneName, WindowLength, seconds, ticks,
};

/// Frames that `--frames` writes of each scene.
const FRAMES: u32 = 50;

fn main() {
    let options = Options::from_args();
    match &options.frames {
        Some(folder) => write_frames(&options, folder),
        None if options.alone => run_alone(&options),
        None => compare_all(&options),
    }
}

fn compare_all(options: &Options) {
    let mut readings = vec![
        (
            "slabs for near triangles",
            Certify::NearTriangles {
                margin_m: options.margin,
            },
        ),
        (
            "slabs for near primitives",
            Certify::NearPrimitives {
                margin_m: options.margin,
            },
        ),
    ];
    if options.every_pair {
        readings.push(("slabs for every pair", Certify::EveryPair));
    }
    let certify: Vec<Certify> = readings.iter().map(|r| r.1).collect();
    let mut ratios = vec![Vec::new(); readings.len()];
    for &name in &options.scenes {
        let scene = options.build(name);
        let row =
            compare(&scene, options.samples, &certify, options.repeats).expect("the scene runs");
        println!(
            "{} ({} vertices, {:.3} s): acm {:.3} s, without slabs {:.3} s, same bytes: {}",
            name.as_str(),
            scene.model.vertex_count(),
            row.sim_s,
            row.speculative.cpu_s,
            row.no_slabs.cpu_s,
            row.equal
        );
        println!("    acm: {}", shares(&row.speculative.parts));
        for (i, (label, _)) in readings.iter().enumerate() {
            let Measured { cpu_s, parts } = row.kinetic[i];
            let ratio = cpu_s / row.speculative.cpu_s;
            ratios[i].push(ratio);
            println!(
                "    acm-kds, {label}: {cpu_s:.3} s, ratio {ratio:.1}, {} slabs; {}",
                row.certificates[i],
                shares(&parts)
            );
        }
    }
    for ((label, _), mut ratios) in readings.iter().zip(ratios) {
        ratios.sort_by(f64::total_cmp);
        println!(
            "median of acm-kds / acm, {label}: {:.1}",
            ratios[ratios.len() / 2]
        );
    }
}

/// The speculative algorithm on its own over each whole scene, for a profiler.
fn run_alone(options: &Options) {
    for &name in &options.scenes {
        let scene = options.build(name);
        let mut state = scene.state.clone();
        let mut acm = Acm::new(&scene.model, &scene.state, options.acm());
        let until = ticks(options.until.unwrap_or(scene.duration_s));
        let (timer, wall) = (ProcessTime::now(), Instant::now());
        acm.run_until(&scene.model, &mut state, until)
            .expect("the scene runs");
        let (cpu_s, wall_s) = (timer.elapsed().as_secs_f64(), wall.elapsed().as_secs_f64());
        // a second time with clocks, which cost some per cent
        let (measured, counts) =
            speculative(&scene, &scene.state, until, options.acm()).expect("the scene runs");
        println!(
            "{} ({} vertices, {:.3} s): acm {:.4} s, wall {wall_s:.3} s, on free processors {:.3} s; {}",
            name.as_str(),
            scene.model.vertex_count(),
            seconds(until),
            cpu_s.min(measured.cpu_s),
            cpu_s - acm.profile.saved_seconds(),
            shares(&measured.parts)
        );
        println!("    {counts:?}");
    }
}

fn shares(parts: &Breakdown) -> String {
    let total = parts.total();
    let share = |(name, s): (&str, f64)| format!("{name} {:.1} %", 100.0 * s / total);
    let shown: Vec<String> = parts
        .parts()
        .into_iter()
        .filter(|p| p.1 > 0.0)
        .map(share)
        .collect();
    shown.join(", ")
}

/// Writes each scene's frames as `SCENE-FRAME.obj`.
fn write_frames(options: &Options, folder: &Path) {
    std::fs::create_dir_all(folder).expect("a writable folder");
    for &name in &options.scenes {
        let scene = options.build(name);
        let mut state = scene.state.clone();
        let mut acm = Acm::new(&scene.model, &scene.state, AcmOptions::default());
        for frame in 0..=FRAMES {
            let t = scene.duration_s * f64::from(frame) / f64::from(FRAMES);
            acm.run_until(&scene.model, &mut state, ticks(t))
                .expect("the scene runs");
            let mut text = String::new();
            for x in state.positions() {
                // seventeen digits give back the same number
                text += &format!("v {:.17e} {:.17e} {:.17e}\n", x.x, x.y, x.z);
            }
            for [a, b, c] in scene.model.triangles() {
                text += &format!("f {} {} {}\n", a + 1, b + 1, c + 1);
            }
            let file = folder.join(format!("{}-{frame:03}.obj", name.as_str()));
            std::fs::write(file, text).expect("a writable folder");
        }
        println!("{}: {} frames", name.as_str(), FRAMES + 1);
    }
}

struct Options {
    scenes: Vec<SceneName>,
    size: Option<usize>,
    margin: f64,
    samples: usize,
    repeats: usize,
    every_pair: bool,
    alone: bool,
    threads: usize,
    until: Option<f64>,
    window: Option<WindowLength>,
    frames: Option<PathBuf>,
}

impl Options {
    fn from_args() -> Options {
        let mut options = Options {
            scenes: vec![],
            size: None,
            margin: 1.0e-3,
            samples: 5,
            repeats: 3,
            every_pair: false,
            alone: false,
            threads: 1,
            until: None,
            window: None,
            frames: None,
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--size" => options.size = args.next().and_then(|v| v.parse().ok()),
                "--margin" => {
                    let given = args.next().and_then(|v| v.parse().ok());
                    options.margin = given.unwrap_or(options.margin);
                }
                "--threads" => {
                    let given = args.next().and_then(|v| v.parse().ok());
                    options.threads = given.unwrap_or(options.threads);
                }
                "--until" => options.until = args.next().and_then(|v| v.parse().ok()),
                "--alone" => options.alone = true,
                "--window" => {
                    let given = args.next().and_then(|v| v.parse().ok());
                    options.window =
                        Some(given.map_or(WindowLength::Adaptive, WindowLength::seconds));
                }
                "--samples" => {
                    let given = args.next().and_then(|v| v.parse().ok());
                    options.samples = given.unwrap_or(options.samples);
                }
                "--repeats" => {
                    let given = args.next().and_then(|v| v.parse().ok());
                    options.repeats = given.unwrap_or(options.repeats);
                }
                "--every-pair" => options.every_pair = true,
                "--frames" => options.frames = args.next().map(PathBuf::from),
                other => options.scenes.extend(SceneName::parse(other)),
            }
        }
        if options.scenes.is_empty() {
            options.scenes = SceneName::ALL.to_vec();
        }
        options
    }

    fn acm(&self) -> AcmOptions {
        let default = AcmOptions::default();
        AcmOptions {
            window: self.window.unwrap_or(default.window),
            // what two sides save is only known with clocks
            timed: self.threads > 1,
            threads: self.threads,
            ..default
        }
    }

    fn build(&self, name: SceneName) -> Scene {
        name.build(self.size.unwrap_or(name.small_size()))
            .expect("a valid size")
    }
}
