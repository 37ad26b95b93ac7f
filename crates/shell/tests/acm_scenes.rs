//! The five scenes: safe at every frame and every window length, with one history.

use warpline_shell::acm::{
    Acm, AcmKds, AcmOptions, Certify, Scene, SceneName, ShellState, WindowLength, intersections,
    ticks,
};

/// Runs a part of a scene in frames; every frame is checked exactly.
fn run_checked(
    scene: &Scene,
    from: &ShellState,
    until_s: f64,
    frames: u32,
    options: AcmOptions,
) -> ShellState {
    let mut state = from.clone();
    let mut acm = Acm::new(&scene.model, &scene.state, options);
    let begin = from.now();
    for frame in 1..=frames {
        let t = begin + (ticks(until_s) - begin) / i64::from(frames) * i64::from(frame);
        acm.run_until(&scene.model, &mut state, t)
            .expect("progress");
        let found = intersections(&scene.model, &state.positions());
        assert!(found.is_empty(), "frame {frame}, {options:?}: {found:?}");
    }
    assert!(
        acm.profile.counts.contact_pushes > 0,
        "the part that is run must have contacts"
    );
    state
}

/// All window lengths from 1e-4 to 1e-2 s, adaptive ones, two threads: no intersection, same bytes.
fn safe_at_every_window(name: SceneName, begin: f64, length_s: f64) {
    let scene = name.build(name.small_size()).expect("a scene");
    assert_eq!(intersections(&scene.model, &scene.state.positions()), []);
    let begin_s = begin * scene.duration_s;
    let start = run_checked(&scene, &scene.state, begin_s, 10, AcmOptions::default());
    let fixed = |r: f64| AcmOptions {
        window: WindowLength::seconds(r),
        ..AcmOptions::default()
    };
    let run = |options| run_checked(&scene, &start, begin_s + length_s, 5, options).history_bytes();
    let reference = run(fixed(1.0 / 300.0));
    for options in [
        fixed(1e-4),
        fixed(1e-3),
        fixed(1e-2),
        AcmOptions {
            window: WindowLength::Adaptive,
            threads: 2,
            ..AcmOptions::default()
        },
    ] {
        assert!(
            run(options) == reference,
            "{} with {options:?}",
            name.as_str()
        );
    }
}

#[test]
fn reef_knot_is_safe() {
    safe_at_every_window(SceneName::ReefKnot, 0.6, 0.02);
}

#[test]
fn bowline_knot_is_safe() {
    safe_at_every_window(SceneName::BowlineKnot, 0.5, 0.02);
}

#[test]
fn trash_compactor_is_safe() {
    safe_at_every_window(SceneName::TrashCompactor, 0.35, 0.015);
}

#[test]
fn two_cloths_are_safe() {
    safe_at_every_window(SceneName::TwoCloths, 0.5, 0.03);
}

#[test]
fn twister_is_safe() {
    safe_at_every_window(SceneName::Twister, 0.3, 0.02);
}

/// Five relative turns of a small cloth, every frame checked.
#[test]
fn a_wrung_cloth_survives_five_turns() {
    let scene = SceneName::Twister.build(4).expect("a scene");
    run_checked(
        &scene,
        &scene.state,
        scene.duration_s,
        50,
        AcmOptions::default(),
    );
}

/// The kinetic baseline finds the same contacts on a scene.
#[test]
fn kinetic_baseline_drapes_the_same_cloths() {
    let scene = SceneName::TwoCloths.build(6).expect("a scene");
    let end = ticks(0.5 * scene.duration_s);
    let mut speculative = scene.state.clone();
    Acm::new(&scene.model, &scene.state, AcmOptions::default())
        .run_until(&scene.model, &mut speculative, end)
        .expect("progress");
    let mut kinetic = scene.state.clone();
    AcmKds::new(
        &scene.model,
        &scene.state,
        Certify::NearTriangles { margin_m: 2.0e-3 },
        false,
    )
    .run_until(&scene.model, &mut kinetic, end)
    .expect("progress");
    assert!(kinetic.history_bytes() == speculative.history_bytes());
}

/// What is held during a run follows the window's length, not the run's.
#[test]
fn memory_follows_the_window() {
    let scene = SceneName::TwoCloths.build(6).expect("a scene");
    let peak = |window: f64, run_s: f64| {
        let mut state = scene.state.clone();
        let options = AcmOptions {
            window: WindowLength::seconds(window),
            ..AcmOptions::default()
        };
        let mut acm = Acm::new(&scene.model, &scene.state, options);
        acm.run_until(&scene.model, &mut state, ticks(run_s))
            .expect("progress");
        acm.profile.counts.history_bytes_peak
    };
    // before the first contact every window holds the same samples
    assert_eq!(peak(1e-3, 0.005), peak(1e-3, 0.02));
    assert!(peak(4e-3, 0.02) > 3 * peak(1e-3, 0.02));
}
