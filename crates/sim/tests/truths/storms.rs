//! Many events in a short time: those that end are all simulated, and those that do not end the run.

use crate::truths::lab;
use record::HistoryHash;
use warpline_sim::{Algorithm, LookAhead, RunError, Stats, World, run};

pub fn hashed(world: &World, algorithm: Algorithm) -> Result<(String, Stats), RunError> {
    let mut history = HistoryHash::new();
    let (stats, _) = run(world, algorithm, &mut history)?;
    Ok((history.finish(), stats))
}

/// Work as an executor counts it: segments begun, checks, searches, looks around.
pub fn work(stats: &Stats) -> u64 {
    stats.segments_begun + stats.checks + stats.searches + stats.integrations + stats.group_steps
}

/// Galperin's billiard counts the digits of pi: 31,415 bounces, the closest of them 0.1 us apart.
#[test]
fn a_finite_storm_is_counted_to_the_end() {
    let world = lab::load("galperin-storm", &[]);
    let (reference, ordered) = hashed(&world, Algorithm::Ordered).expect("it ends");
    assert_eq!(ordered.collisions, 31_415);
    let look_aheads = [
        LookAhead::OneEvent,
        LookAhead::Adaptive,
        LookAhead::Seconds(0.3),
        LookAhead::Seconds(1.0),
    ];
    for look_ahead in look_aheads {
        let ran = hashed(&world, Algorithm::TimeWarp(look_ahead));
        let (found, stats) = ran.expect("it ends");
        assert_eq!(found, reference, "{look_ahead:?}");
        // Whatever the window, a body's events cost in proportion to their number.
        let (more, least) = (work(&stats), work(&ordered));
        assert!(more < 5 * least, "{look_ahead:?}: {more} against {least}");
    }
}

/// All of the speed comes back: momentum and energy are conserved over 31,415 bounces. Each of them rounds a
/// velocity of up to 1e4 m/s, so that the sum of the energies' errors is some 1e-12 of the whole.
#[test]
fn a_finite_storm_conserves_energy() {
    let world = lab::load("galperin-storm", &[]);
    let starts: Vec<_> = world.bodies.iter().map(|b| b.start).collect();
    let (before, after) = (
        lab::energy(&world, &starts),
        lab::energy(&world, &lab::end_of(&world)),
    );
    assert!(
        ((after - before) / before).abs() < 1e-10,
        "{before} {after}"
    );
}

/// A ball that loses half of its speed at every bounce has infinitely many of them before it lies still.
#[test]
fn an_accumulation_ends_the_run() {
    for restitution in [0.1, 0.5, 0.9, 0.99] {
        let text = format!(
            "name = 'zeno'\nuntil = 10000\n[contact]\nsolver = 'none'\n[[body]]\nname = 'floor'\nkind = 'fixed'\nshape = {{ half_space = [0, 1, 0] }}\n\
             restitution = {restitution}\n\
             [[body]]\nname = 'ball'\nshape = {{ ball = 0.1 }}\nposition = [0, 1, 0]\n\
             restitution = {restitution}\n"
        );
        let scene = warpline_sim::scene::load("zeno.toml", &text, &[]);
        let world = scene
            .map_err(|e| e.to_string())
            .expect("a sound scene")
            .world;
        for algorithm in [
            Algorithm::Ordered,
            Algorithm::TimeWarp(LookAhead::Adaptive),
            Algorithm::TimeWarp(LookAhead::Seconds(0.3)),
        ] {
            let error = hashed(&world, algorithm).expect_err("bounces without end");
            let text = error.to_string();
            assert!(
                text.contains("accumulate") && text.contains("`ball`"),
                "{text}"
            );
        }
    }
}
