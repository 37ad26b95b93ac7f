//! Regions with windows of any length, what a run tells of its threads, and histories that fail.

use super::run_divided;
use crate::executors::{Algorithm, run};
use crate::history::{Discard, History, HistoryError, Told};
use crate::scene;
use crate::span::{Doing, Span};
use crate::world::World;
use proptest::prelude::*;
use record::{HistoryHash, Segment};

pub(super) fn gas(bodies: usize, packing: f64, speed: f64, seed: u32) -> World {
    let volume = bodies as f64 * 4.0 / 3.0 * std::f64::consts::PI * 0.15f64.powi(3) / packing;
    let settings = [
        format!("bodies={bodies}"),
        format!("size={}", libm::cbrt(volume).max(0.7)),
        format!("speed={speed}"),
        format!("seed={seed}"),
        format!("duration={}", (4.0 / speed).min(2.0)),
    ];
    built_in("gas", &settings)
}

pub(super) fn built_in(name: &str, settings: &[String]) -> World {
    let scene = scene::builtin(name).expect("a built-in scene");
    let parse = |text: &String| scene::Override::parse(text).expect("an override");
    let overrides: Vec<scene::Override> = settings.iter().map(parse).collect();
    let loaded = scene::load(scene.name, scene.text, &overrides);
    loaded.expect("a sound scene").world
}

fn divided(world: &World, regions: usize, per_window: u64) -> String {
    let mut hash = HistoryHash::new();
    let ran = run_divided(world, (regions, per_window), &mut hash);
    ran.expect("the run ends");
    hash.finish()
}

pub(super) fn ordered(world: &World) -> String {
    let mut hash = HistoryHash::new();
    run(world, Algorithm::Ordered, &mut hash).expect("the run ends");
    hash.finish()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_gas_has_one_history_whatever_the_windows(
        bodies in 2usize..160,
        packing in 0.005f64..0.15,
        speed in 0.1f64..40.0,
        seed in 0u32..10_000,
        regions in 1usize..17,
        per_window in prop::sample::select(vec![4u64, 64, 768, 100_000]),
    ) {
        let world = gas(bodies, packing, speed, seed);
        prop_assert_eq!(divided(&world, regions, per_window), ordered(&world));
    }
}

#[test]
fn a_body_that_leaves_its_region_cuts_the_window_and_does_not_end_the_regions() {
    // Narrow regions, bodies that cross one in a hundredth of a second, and windows without a bound.
    let world = gas(150, 0.02, 40.0, 5);
    for regions in [2, 5, 16] {
        let mut hash = HistoryHash::new();
        let ran = run_divided(&world, (regions, 100_000), &mut hash);
        let (stats, _) = ran.expect("the run ends");
        assert_eq!(hash.finish(), ordered(&world));
        let cuts: u64 = stats.regions.iter().map(|region| region.cuts).sum();
        let told: u64 = stats.regions.iter().map(|region| region.segments).sum();
        assert!(cuts > 0, "{regions}");
        assert_eq!(
            told, stats.segments_committed,
            "{regions}: the regions did all of it"
        );
    }
}

#[test]
fn cuts_move_with_the_load_and_leave_no_trace() {
    let mut world = gas(600, 0.05, 3.0, 3);
    let middle = world.bodies.iter().map(|b| b.start.position.x).sum::<f64>();
    let middle = middle / world.bodies.len() as f64;
    // Nearly all happens on one side.
    for body in &mut world.bodies {
        if body.start.position.x > middle {
            body.start.velocity *= 0.02;
        }
    }
    for regions in [2, 3, 4] {
        let mut hash = HistoryHash::new();
        let ran = run_divided(&world, (regions, 48), &mut hash);
        let (stats, _) = ran.expect("the run ends");
        assert_eq!(hash.finish(), ordered(&world), "{regions}");
        let told: u64 = stats.regions.iter().map(|region| region.segments).sum();
        assert_eq!(told, stats.segments_committed, "{regions}");
        assert!(stats.regions.iter().all(|r| r.recuts > 0), "{regions}");
    }
}

#[test]
fn a_run_tells_what_it_cost_and_what_its_threads_were_at() {
    let world = gas(400, 0.05, 3.0, 2);
    let mut spans = Spans::default();
    // Short windows: nobody gets as far as to leave its region within one.
    let (stats, _) = run_divided(&world, (2, 64), &mut spans).expect("the run ends");
    let critical = stats.critical_path_s.expect("it was divided");
    let cpu: Vec<f64> = stats.regions.iter().map(|region| region.cpu_s).collect();
    // The critical path is no shorter than the busiest region, and no longer than both.
    assert!(critical >= 0.99 * cpu[0].max(cpu[1]) && critical <= 1.01 * (cpu[0] + cpu[1]));
    let load: f64 = stats.regions.iter().map(|region| region.load).sum();
    assert!((load - 2.0).abs() < 1e-9, "{load}");
    for (thread, what) in [
        (0, Doing::Work),
        (1, Doing::Wait),
        (1, Doing::Commit),
        (2, Doing::Merge),
    ] {
        let mut of = spans
            .0
            .iter()
            .filter(|s| (s.thread, s.what) == (thread, what));
        assert!(of.clone().count() > 0, "{thread} {what:?}");
        assert!(of.all(|span| span.begin <= span.end));
    }
    let merged = spans.0.iter().filter(|span| span.what == Doing::Merge);
    let segments: u64 = merged.map(|span| span.count).sum();
    assert_eq!(segments, stats.segments_committed);
}

#[derive(Default)]
struct Spans(Vec<Span>);

impl History for Spans {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        Ok(())
    }

    fn wants_spans(&self) -> bool {
        true
    }

    fn span(&mut self, span: &Span) -> Told {
        self.0.push(*span);
        Ok(())
    }
}

/// A history that panics or fails after so many segments.
struct Fragile {
    left: u32,
    panics: bool,
}

impl History for Fragile {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        self.left = self.left.saturating_sub(1);
        match (self.left, self.panics) {
            (0, true) => panic!("the history is broken"),
            (0, false) => Err(HistoryError::new("the disk is full")),
            _ => Ok(()),
        }
    }
}

#[test]
fn a_history_that_fails_or_panics_ends_the_run_with_its_message() {
    let world = gas(200, 0.05, 10.0, 1);
    for panics in [false, true] {
        let mut fragile = Fragile { left: 900, panics };
        let ran = run(&world, Algorithm::Parallel(3), &mut fragile);
        let error = ran.expect_err("it cannot go on").to_string();
        let expected = if panics {
            "the history is broken"
        } else {
            "the disk is full"
        };
        assert!(error.contains(expected), "{error}");
    }
    // Nothing is left of that run: another one goes on as ever.
    assert!(run(&world, Algorithm::Parallel(3), &mut Discard).is_ok());
}
