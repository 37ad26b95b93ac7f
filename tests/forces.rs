//! Contact forces in recordings: what stands is borne, at the points where it stands, also once it has come to rest.

use warpline::physics::Vec3;
use warpline::prelude::*;
use warpline::record::{Force, Reader};
use warpline::warp::Tick;

const G: f64 = 9.81;

/// The forces at a time, and where their points are in the world.
fn forces(reader: &Reader, at: f64) -> Vec<(Force, Vec3)> {
    let tick = Tick::from_seconds(at).0;
    let found = reader.forces_at(tick).expect("it is read");
    let place = |force: &Force| {
        let pose = reader.pose(force.bodies[0], tick);
        let pose = pose.expect("it is read").expect("it is there");
        let at = Vec3::from_array(force.at.map(f64::from));
        Vec3::from_array(pose.position) + Quat::from_array(pose.rotation) * at
    };
    found.iter().map(|force| (*force, place(force))).collect()
}

/// The upward force of one body on another.
fn borne(forces: &[(Force, Vec3)], by: u32, what: u32) -> f64 {
    let of = |(force, _): &(Force, Vec3)| match force.bodies {
        [a, b] if [a, b] == [what, by] => f64::from(force.force[1]),
        [a, b] if [a, b] == [by, what] => -f64::from(force.force[1]),
        _ => 0.0,
    };
    forces.iter().map(of).sum()
}

#[test]
fn what_stands_is_borne_where_it_stands() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("forces.wline");
    let mut world = World::new();
    world.floor();
    let edges = [0.2, 0.2, 0.2];
    world.cuboid(edges).at([0., 0.1, 0.]).mass(3.0).add();
    world.cuboid(edges).at([0.03, 0.3, 0.]).mass(2.0).add();
    world.ball(0.1).at([2., 0.1, 0.]).mass(4.0).add();
    world.record(&file).expect("it can be written");
    world.run(4.0).expect("it runs");
    let reader = Reader::open(&file).expect("it is read");
    // Early they stand in a group that is stepped, late they have come to rest.
    for at in [0.3, 3.9] {
        let found = forces(&reader, at);
        for (by, what, weight) in [(0, 1, 5.0 * G), (1, 2, 2.0 * G), (0, 3, 4.0 * G)] {
            let force = borne(&found, by, what);
            let error = (force / weight - 1.0).abs();
            assert!(error < 0.02, "at {at} s {by} bears {what} with {force} N");
        }
        for (force, point) in &found {
            let height = if force.bodies.contains(&2) { 0.2 } else { 0.0 };
            assert!((point.y - height).abs() < 1e-3, "{force:?} at {point:?}");
            let beside = if force.bodies.contains(&3) { 2.0 } else { 0.0 };
            let aside = (point.x - beside).abs();
            assert!(aside < 0.131, "{force:?} at {point:?}");
        }
    }
    let early = forces(&reader, -1.0);
    assert!(early.is_empty(), "before the run nobody presses: {early:?}");
}
