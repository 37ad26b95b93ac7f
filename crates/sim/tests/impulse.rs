//! `impulse` as the solver of contact groups: law 1 on the scenes of contact groups, and bodies that come
//! to rest without sinking into each other.

use physics::Vec3;
use warpline_sim::overlap::overlaps;
use warpline_sim::scene::{Override, builtin, load};
use warpline_sim::{Algorithm, Discard, LookAhead, World, run};

fn world(name: &str, set: &[&str]) -> World {
    let builtin = builtin(name).unwrap();
    let mut all = vec![Override::option("--solver", "contact.solver", "impulse")];
    all.extend(set.iter().map(|s| Override::parse(s).unwrap()));
    load(builtin.name, builtin.text, &all).unwrap().world
}

#[test]
fn piles_and_stacks_have_one_history() {
    for (name, set) in [
        ("pile", ["until=1.2", "each=3"].as_slice()),
        ("stack", ["until=0.4"].as_slice()),
    ] {
        let world = world(name, set);
        let hash = |algorithm| {
            let mut hash = record::HistoryHash::new();
            let (stats, _) = run(&world, algorithm, &mut hash).unwrap();
            (hash.finish(), stats)
        };
        let (reference, stats) = hash(Algorithm::Ordered);
        assert!(stats.group_steps > 20, "{name}: no group was stepped");
        for look_ahead in [
            LookAhead::Adaptive,
            LookAhead::Seconds(1e-3),
            LookAhead::Seconds(0.3),
        ] {
            let (found, _) = hash(Algorithm::TimeWarp(look_ahead));
            assert_eq!(found, reference, "{name} {look_ahead:?}");
        }
    }
}

#[test]
fn a_pile_settles_without_overlaps() {
    let world = world("pile", &["until=5", "each=3"]);
    let margin = world.contact.as_ref().unwrap().margin;
    let (_, states) = run(&world, Algorithm::Ordered, &mut Discard).unwrap();
    let mut deepest: f64 = 0.0;
    overlaps(&world, &states, 0.0, |_, _, depth| {
        deepest = deepest.max(depth)
    });
    assert!(deepest < margin, "{deepest}");
    let fastest = states
        .iter()
        .map(|s| s.velocity.length())
        .fold(0.0, f64::max);
    assert!(fastest < 0.3, "{fastest} m/s after 5 s");
    let out = |p: Vec3| p.y < -0.01 || p.x.abs() > 1.0 || p.z.abs() > 1.0;
    let bodies = world.bodies.iter().zip(&states);
    let lost = bodies.filter(|(b, s)| b.script.is_none() && out(s.position));
    let lost = lost.filter(|(b, _)| b.kind == warpline_sim::Kind::Dynamic);
    assert_eq!(lost.count(), 0);
}
