//! A history that cannot go on: its own error ends the run, under every executor, and leaves a simulation sound.

use record::{HistoryHash, Segment};
use std::fmt;
use warp::Tick;
use warpline_sim::scene::{Override, builtin, load};
use warpline_sim::{
    Algorithm, Discard, History, HistoryError, LookAhead, Simulation, SimulationError, Told, World,
    run,
};

/// Takes so many segments and refuses the next.
struct Full {
    room: usize,
    told_after: usize,
}

#[derive(Debug)]
struct NoRoom(usize);

impl fmt::Display for NoRoom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no room for segment {}", self.0)
    }
}

impl std::error::Error for NoRoom {}

impl Full {
    fn new(room: usize) -> Self {
        Full {
            room,
            told_after: 0,
        }
    }
}

impl History for Full {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        if self.room == 0 {
            self.told_after += 1;
            return Err(HistoryError::new(NoRoom(self.told_after)));
        }
        self.room -= 1;
        Ok(())
    }
}

fn gas() -> World {
    let gas = builtin("gas").expect("a built-in scene");
    let set = |text: &str| Override::parse(text).expect("an override");
    let overrides = [set("bodies=40"), set("duration=2")];
    load(gas.name, gas.text, &overrides).expect("a scene").world
}

#[test]
fn its_own_error_ends_the_run() {
    let world = gas();
    for algorithm in [
        Algorithm::Ordered,
        Algorithm::TimeWarp(LookAhead::Adaptive),
        Algorithm::RetroactiveDetection(0.01),
        Algorithm::ConservativeAdvancement,
        Algorithm::Oracle,
    ] {
        let mut full = Full::new(60);
        let error = run(&world, algorithm, &mut full).expect_err("the history is full");
        let cause = error
            .of_history()
            .and_then(HistoryError::cause::<NoRoom>)
            .unwrap_or_else(|| panic!("{algorithm:?}: {error}"));
        assert_eq!(cause.0, 1, "{algorithm:?}");
        assert_eq!(full.told_after, 1, "{algorithm:?}: told after it failed");
        assert_eq!(error.to_string(), "no room for segment 1");
    }
}

#[test]
fn a_simulation_survives_it() {
    let mut sim = Simulation::new(gas(), 0.0).expect("a world");
    let mut twin = Simulation::new(gas(), 0.0).expect("a world");
    let second = Tick::from_seconds(1.0);
    let error = sim
        .advance_into(second, &mut Full::new(50))
        .expect_err("the history is full");
    assert!(matches!(error, SimulationError::Engine(_)), "{error}");
    twin.advance(second).expect("a run");
    // What comes afterwards is the same as if nobody had listened.
    let (mut rest, mut same) = (HistoryHash::new(), HistoryHash::new());
    let two = Tick::from_seconds(2.0);
    sim.advance_into(two, &mut rest).expect("a run");
    twin.advance_into(two, &mut same).expect("a run");
    assert_eq!(rest.finish(), same.finish());
    sim.advance_into(Tick::from_seconds(3.0), &mut Discard)
        .expect("a run");
}
