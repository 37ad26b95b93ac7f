//! What hits a large contact group in the middle of its step is taken into the next one: nothing of its momentum is lost, and
//! the step is not made again for it.

use crate::truths::lab::{self, SOLVERS};
use record::HistoryHash;
use warp::Tick;
use warpline_sim::{Algorithm, BodyId, LookAhead, Simulation, World, run};

const SECONDS: f64 = 1.0;
const HERTZ: f64 = 120.0;

fn hail(solver: &str) -> World {
    lab::load_with("hail-on-raft", solver, &[])
}

/// Two by two, under the solver that takes in small groups.
fn pairs() -> World {
    lab::load_with("pairs-on-raft", "optimization", &["contact.step=1/60"])
}

/// Sums of some hundred products of up to 30 kg m/s round to some 1e-13; one hail stone has 0.5 kg m/s.
#[test]
fn nothing_of_what_falls_on_a_group_is_lost_at_any_tick() {
    let worlds = SOLVERS.map(|solver| (solver, hail(solver)));
    for (solver, world) in worlds.into_iter().chain([("optimization", pairs())]) {
        let start: Vec<_> = world.bodies.iter().map(|b| b.start).collect();
        let begin = lab::momentum(&world, &start);
        // 1009 samples are in the middle of steps.
        for (seconds, states) in lab::samples(&world, SECONDS, 1009) {
            let off = lab::momentum(&world, &states) - begin;
            let across = off.x.hypot(off.z);
            assert!(across < 1e-11, "{solver}, {seconds} s: {across:e} kg m/s");
        }
    }
}

#[test]
fn steps_are_not_made_again_for_hits() {
    let world = hail("soft-step");
    let (stats, _) = lab::outcome(&world).expect("it runs");
    assert!(stats.collisions > 40, "{} collisions", stats.collisions);
    assert!(stats.fusions > 12, "{} fusions", stats.fusions);
    // Before the raft and its cubes have become one group there are up to 37, which step for themselves; a tenth more
    // for what a step cannot take in.
    let most = 1.1 * HERTZ * SECONDS + 37.0 * 4.0;
    let steps = stats.group_steps as f64;
    assert!(steps < most, "{steps} steps, {most} allowed");
}

/// Steps of the raft with all that lies on it are not made again for what falls on it two by two.
#[test]
fn small_groups_come_in_company() {
    let world = pairs();
    let (stats, _) = lab::outcome(&world).expect("it runs");
    assert!(stats.fusions >= 20, "{} fusions", stats.fusions);
    // 60 of the raft; pairs and cubes on their own step for themselves until then.
    let segments = stats.segments_committed as f64;
    let members = world.bodies.len() as f64;
    let most = 2.0 * 60.0 * SECONDS * members;
    assert!(segments < most, "{segments} segments, {most} allowed");
    assert!(stats.max_group_overlap_m < 1e-5, "{stats:?}");
}

#[test]
fn guests_have_one_history() {
    for world in [hail("soft-step"), pairs()] {
        has_one_history(&world);
    }
}

fn has_one_history(world: &World) {
    let hash = |algorithm| {
        let mut history = HistoryHash::new();
        run(world, algorithm, &mut history).expect("it runs");
        history.finish()
    };
    let ordered = hash(Algorithm::Ordered);
    for seconds in [1e-4, 0.004, 0.05, 1.0] {
        let ahead = Algorithm::TimeWarp(LookAhead::Seconds(seconds));
        assert_eq!(hash(ahead), ordered, "look-ahead of {seconds} s");
    }
    assert_eq!(hash(Algorithm::Checking), ordered, "forward, back, forward");
}

/// Saved in the middle of steps, with guests among the members.
#[test]
fn a_checkpoint_keeps_guests() {
    for world in [hail("soft-step"), pairs()] {
        is_kept(&world);
    }
}

fn is_kept(world: &World) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("raft.warp");
    let end = Tick::from_seconds(0.6);
    let ends = |sim: &mut Simulation| {
        sim.advance(end).expect("it runs");
        let all = (0..world.bodies.len() as u32).map(|b| sim.state(BodyId(b), end));
        all.map(|s| s.expect("it is there")).collect::<Vec<_>>()
    };
    let straight = ends(&mut Simulation::new(world.clone(), 0.5).expect("a sound world"));
    for stop in [0.21, 0.263, 0.3137, 0.377, 0.4441] {
        let mut sim = Simulation::new(world.clone(), 0.05).expect("a sound world");
        sim.advance(Tick::from_seconds(stop)).expect("it runs");
        sim.save(&path).expect("it is saved");
        let mut again = Simulation::load(&path, world.clone()).expect("it is sound");
        assert!(ends(&mut again) == straight, "stopped at {stop} s");
    }
}
