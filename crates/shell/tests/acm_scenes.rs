//! The five scenes: safe at every frame and every window length, with one history.

use warpline_shell::acm::experiment::compare;
use warpline_shell::acm::{
    Acm, AcmKds, AcmOptions, Certify, Scene, SceneName, ShellState, WindowLength, intersections,
    seconds, ticks,
};

/// Runs a part of a scene in frames of `frame_s`; every frame is checked exactly.
fn run_checked(
    scene: &Scene,
    from: &ShellState,
    until_s: f64,
    frame_s: f64,
    options: AcmOptions,
) -> ShellState {
    let mut state = from.clone();
    let mut acm = Acm::new(&scene.model, &scene.state, options);
    while state.now() < ticks(until_s) {
        let next = (state.now() + ticks(frame_s)).min(ticks(until_s));
        acm.run_until(&scene.model, &mut state, next)
            .expect("progress");
        let found = intersections(&scene.model, &state.positions());
        assert!(
            found.is_empty(),
            "{} s, {options:?}: {found:?}",
            seconds(state.now())
        );
    }
    assert!(
        acm.profile.counts.contact_pushes > 0,
        "the part that is run must have contacts"
    );
    state
}

/// All window lengths from 1e-4 to 1e-2 s, adaptive ones, two threads: no intersection at the end of
/// any window, same bytes. Whole scenes: `cargo bench -p warpline-shell --bench acm_safety`.
fn safe_at_every_window(name: SceneName, begin: f64, length_s: f64) {
    let scene = name.build(name.small_size()).expect("a scene");
    assert_eq!(intersections(&scene.model, &scene.state.positions()), []);
    let begin_s = begin * scene.duration_s;
    let default = AcmOptions::default();
    let start = run_checked(&scene, &scene.state, begin_s, 0.004, default);
    let end_s = begin_s + length_s;
    let run = |r: f64| {
        let options = AcmOptions {
            window: WindowLength::seconds(r),
            ..AcmOptions::default()
        };
        run_checked(&scene, &start, end_s, r, options).history_bytes()
    };
    let reference = run(1.0 / 300.0);
    for r in [1e-4, 1e-3, 1e-2] {
        assert!(run(r) == reference, "{} with R = {r} s", name.as_str());
    }
    let adaptive = AcmOptions {
        window: WindowLength::Adaptive,
        threads: 2,
        ..AcmOptions::default()
    };
    let end = run_checked(&scene, &start, end_s, length_s, adaptive);
    assert!(
        end.history_bytes() == reference,
        "{} adaptive",
        name.as_str()
    );
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
        0.02,
        AcmOptions::default(),
    );
}

/// The kinetic baseline finds the same contacts in the middle of every scene: a contact that only one
/// side found would push on that side only, and the bytes would differ.
#[test]
fn kinetic_baseline_finds_the_same_contacts() {
    for name in SceneName::ALL {
        let scene = name.build(name.small_size()).expect("a scene");
        let certify = Certify::NearPrimitives { margin_m: 1.0e-3 };
        let row = compare(&scene, 1, &[certify], 1).expect("progress");
        assert!(row.equal, "{}", name.as_str());
    }
}

/// With slabs for all pairs of near triangles a whole drape comes out the same.
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

/// Sizes differ in how elements fall into blocks; none of them may show in the history.
#[test]
fn every_size_has_one_history() {
    for (name, sizes) in [
        (SceneName::Twister, 3..=9),
        (SceneName::TwoCloths, 3..=9),
        (SceneName::TrashCompactor, 5..=8),
        (SceneName::ReefKnot, 3..=4),
    ] {
        for size in sizes {
            let scene = name.build(size).expect("a scene");
            let run = |window: WindowLength, threads: usize| {
                let options = AcmOptions {
                    window,
                    threads,
                    ..AcmOptions::default()
                };
                let mut state = scene.state.clone();
                let mut acm = Acm::new(&scene.model, &state, options);
                let until = ticks(0.2 * scene.duration_s);
                acm.run_until(&scene.model, &mut state, until)
                    .expect("progress");
                state.history_bytes()
            };
            let reference = run(WindowLength::Adaptive, 1);
            let label = name.as_str();
            assert!(
                run(WindowLength::seconds(1e-3), 1) == reference,
                "{label} {size}"
            );
            assert!(
                run(WindowLength::seconds(7e-3), 3) == reference,
                "{label} {size}"
            );
        }
    }
}
