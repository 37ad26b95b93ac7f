//! Safety over whole scenes: every committed window of every scene is checked exactly, edge against
//! triangle, for windows of 1e-4, 1e-3 and 1e-2 s and of the length that the adaptive rule finds. All
//! must end in the same bytes.
//!
//! `cargo bench -p warpline-shell --bench acm_safety -- [SCENE..] [--size N] [--share S]`
//! `--share` runs only that part of each scene's duration. The peak of the histories shows that memory
//! follows the window; it is given for half of the run and for the whole run, which must not differ
//! by more than contacts make it. Exits with 1 if anything meets or if the bytes differ.

use cpu_time::ThreadTime;
use warpline_shell::acm::{
    Acm, AcmOptions, Scene, SceneName, ShellState, WindowLength, intersections, ticks,
};

/// Lengths of the windows, s; `None` for the adaptive rule.
const LENGTHS: [Option<f64>; 4] = [Some(1e-4), Some(1e-3), Some(1e-2), None];

fn main() {
    let (mut scenes, mut size, mut share) = (Vec::new(), None, 1.0);
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--size" => size = args.next().and_then(|v| v.parse().ok()),
            "--share" => share = args.next().and_then(|v| v.parse().ok()).unwrap_or(share),
            other => scenes.extend(SceneName::parse(other)),
        }
    }
    if scenes.is_empty() {
        scenes = SceneName::ALL.to_vec();
    }
    println!(
        "scene, vertices, R s, windows, rollbacks, frames checked, with intersections, history kB at half, at the end, CPU s"
    );
    let mut unsafe_frames = 0;
    let mut same = true;
    for name in scenes {
        let scene = name
            .build(size.unwrap_or(name.small_size()))
            .expect("a valid size");
        let mut ends = Vec::new();
        for length in LENGTHS {
            let (state, bad) = run_checked(name, &scene, share * scene.duration_s, length);
            unsafe_frames += bad;
            ends.push(state.history_bytes());
        }
        let equal = ends.iter().all(|e| *e == ends[0]);
        println!("{}: same bytes for all R: {equal}", name.as_str());
        same &= equal;
    }
    println!("{unsafe_frames} frames with intersections");
    if unsafe_frames > 0 || !same {
        std::process::exit(1);
    }
}

/// Runs a scene window by window, checks each, prints a row; returns the end and how many frames
/// had intersections.
fn run_checked(
    name: SceneName,
    scene: &Scene,
    until_s: f64,
    length: Option<f64>,
) -> (ShellState, usize) {
    let options = AcmOptions {
        window: length.map_or(WindowLength::Adaptive, WindowLength::seconds),
        ..AcmOptions::default()
    };
    let timer = ThreadTime::now();
    let mut state = scene.state.clone();
    let mut acm = Acm::new(&scene.model, &scene.state, options);
    let (end, mut frames, mut bad, mut half_peak) = (ticks(until_s), 1, 0, 0);
    bad += check(scene, &state);
    while state.now() < end {
        acm.run_single_window(&scene.model, &mut state, end)
            .expect("progress");
        if 2 * state.now() <= end {
            half_peak = acm.profile.counts.history_bytes_peak;
        }
        frames += 1;
        bad += check(scene, &state);
    }
    let counts = &acm.profile.counts;
    println!(
        "{}, {}, {}, {}, {}, {frames}, {bad}, {}, {}, {:.1}",
        name.as_str(),
        scene.model.vertex_count(),
        length.map_or("adaptive".to_string(), |r| r.to_string()),
        counts.windows,
        counts.rollbacks,
        half_peak / 1024,
        counts.history_bytes_peak / 1024,
        timer.elapsed().as_secs_f64()
    );
    (state, bad)
}

fn check(scene: &Scene, state: &ShellState) -> usize {
    usize::from(!intersections(&scene.model, &state.positions()).is_empty())
}
