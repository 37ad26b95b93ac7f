//! Law 1: speculation is invisible. Random worlds of all shapes, with kinematic bodies, callbacks
//! and slots, have the same committed bytes under every event-driven executor and look-ahead.

mod random_worlds;

use physics::State;
use proptest::prelude::*;
use random_worlds::random_world;
use record::{HistoryHash, Segment};
use warp::Tick;
use warpline_sim::{Algorithm, BodyId, History, LookAhead, World, run};

fn hash(world: &World, algorithm: Algorithm) -> (String, u64, u64) {
    let mut history = HistoryHash::new();
    let (stats, _) = run(world, algorithm, &mut history).expect("the run ends");
    (
        history.finish(),
        stats.events_committed,
        stats.segments_undone,
    )
}

fn look_aheads() -> [LookAhead; 6] {
    [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(1e-5),
        LookAhead::Seconds(1e-3),
        LookAhead::Seconds(0.05),
        LookAhead::Seconds(2.0),
    ]
}

#[test]
fn every_look_ahead_commits_the_ordered_history() {
    let mut undone = 0;
    for seed in 0..6 {
        let world = random_world(seed, 20, 9.81 * (seed % 2) as f64, 0.2 * (seed % 3) as f64);
        world.validate().expect("a sound world");
        let (reference, events, _) = hash(&world, Algorithm::Ordered);
        assert!(events > 30, "seed {seed}: only {events} events");
        for look_ahead in look_aheads() {
            let (found, _, rolled_back) = hash(&world, Algorithm::TimeWarp(look_ahead));
            assert_eq!(found, reference, "seed {seed}, {look_ahead:?}");
            undone += rolled_back;
        }
        assert_eq!(
            hash(&world, Algorithm::Oracle).0,
            reference,
            "seed {seed}, oracle"
        );
    }
    assert!(
        undone > 100,
        "the test must force rollbacks; it undid {undone} segments"
    );
}

/// Frames as they are handed over.
#[derive(Default)]
struct Film(Vec<(u32, i64, [f64; 3])>);

impl History for Film {
    fn segment(&mut self, _: &Segment<'_>) {}

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) {
        self.0.push((body.0, tick.0, state.position.to_array()));
    }
}

#[test]
fn redraws_show_the_committed_history_whatever_was_undone() {
    let mut world = random_world(3, 20, 0.0, 0.2);
    world.redraw_hertz = Some(60.0);
    let film = |algorithm| {
        let mut film = Film::default();
        run(&world, algorithm, &mut film).expect("the run ends");
        film.0.sort_by_key(|(body, tick, _)| (*body, *tick));
        film.0
    };
    let reference = film(Algorithm::Ordered);
    let moving = world.moving();
    // 0.6 s at 60 Hz: frames 0 to 35 lie before the end.
    assert_eq!(reference.len(), moving * 36);
    for look_ahead in look_aheads() {
        let found = film(Algorithm::TimeWarp(look_ahead));
        assert!(found == reference, "{look_ahead:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]
    #[test]
    fn random_worlds_have_one_history(
        seed in any::<u64>(),
        bodies in 4usize..24,
        gravity in prop_oneof![Just(0.0), Just(9.81)],
        friction in prop_oneof![Just(0.0), Just(0.5)],
        seconds in 1e-4f64..1.0,
    ) {
        let world = random_world(seed, bodies, gravity, friction);
        prop_assume!(world.validate().is_ok());
        let reference = hash(&world, Algorithm::Ordered).0;
        for look_ahead in [LookAhead::Adaptive, LookAhead::Seconds(seconds)] {
            prop_assert_eq!(&hash(&world, Algorithm::TimeWarp(look_ahead)).0, &reference);
        }
    }
}
