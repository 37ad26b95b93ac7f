//! A simulation that was saved and resumed is the one that never stopped; a damaged file is refused.

use crate::random_worlds;

use physics::Vec3;
use random_worlds::{heap, random_world};
use record::HistoryHash;
use warp::Tick;
use warpline_sim::{Action, BodyId, CheckpointError, Input, Kind, Simulation, World};

fn frame(number: u32) -> Tick {
    Tick::from_seconds(f64::from(number) / 60.0)
}

fn inputs(world: &World) -> Vec<(u32, Input)> {
    let bodies: Vec<u32> = (0..world.bodies.len() as u32)
        .filter(|b| world.bodies[*b as usize].kind == Kind::Dynamic)
        .collect();
    (0..10u32)
        .map(|index| {
            let body = BodyId(bodies[index as usize * 7 % bodies.len()]);
            let mass = world.model(body).mass.mass;
            let at = 4 * index + 3;
            let action = match index % 3 {
                0 => Action::Impulse {
                    impulse: mass * Vec3::new(0.5, 1.0, -0.5),
                    point: None,
                },
                1 => Action::Force {
                    force: mass * Vec3::new(3.0, 12.0, 0.0),
                    ticks: frame(6).0,
                },
                _ => Action::Impulse {
                    impulse: mass * Vec3::new(-0.5, 0.7, 0.2),
                    point: Some(world.bodies[body.index()].start.position),
                },
            };
            let input = Input {
                at: frame(at),
                body,
                order: index,
                action,
            };
            // Every other one arrives eight frames late: some of them after the checkpoint.
            (at + 8 * (index % 2), input)
        })
        .collect()
}

/// Runs to frame 80, by way of a file at `stop` if one is given.
fn run(world: &World, stop: Option<u32>) -> (String, u64) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.warp");
    let mut sim = Simulation::new(world.clone(), 0.25).expect("a sound world");
    let mut history = HistoryHash::new();
    for number in 0..=80 {
        for (_, input) in inputs(world).iter().filter(|(a, _)| *a == number) {
            sim.input(*input).expect("an input in time");
        }
        sim.advance_into(frame(number), &mut history)
            .expect("it runs");
        if stop == Some(number) {
            sim.save(&path).expect("it can be saved");
            drop(sim);
            sim = Simulation::load(&path, world.clone()).expect("it can be read");
            assert_eq!(sim.now(), frame(number));
        }
    }
    (history.finish(), sim.hash_at(sim.now()).expect("now"))
}

#[test]
fn resuming_leaves_no_trace() {
    let worlds = [
        random_world(21, 16, 9.81, 0.3),
        random_world(22, 16, 0.0, 0.0),
        heap(3),
    ];
    for world in &worlds {
        let reference = run(world, None);
        for stop in [0, 1, 13, 30, 47, 79] {
            let found = run(world, Some(stop));
            assert_eq!(found, reference, "`{}` stopped at frame {stop}", world.name);
        }
    }
}

#[test]
fn damaged_and_foreign_files_are_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("state.warp");
    let world = heap(1);
    let mut sim = Simulation::new(world.clone(), 0.1).expect("a sound world");
    sim.advance(frame(5)).expect("it runs");
    sim.save(&path).expect("it can be saved");
    let whole = std::fs::read(&path).expect("a file");
    let read = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("a file");
        Simulation::load(&path, world.clone())
    };
    assert!(read(&whole).is_ok());
    for cut in (0..whole.len()).step_by(97) {
        assert!(read(&whole[..cut]).is_err(), "cut at {cut}");
    }
    for place in (0..whole.len()).step_by(61) {
        let mut changed = whole.clone();
        changed[place] ^= 0x20;
        assert!(read(&changed).is_err(), "changed at {place}");
    }
    assert!(matches!(
        Simulation::load(&folder.path().join("nothing"), world.clone()),
        Err(CheckpointError::File { .. })
    ));
    std::fs::write(&path, &whole).expect("a file");
    assert!(matches!(
        Simulation::load(&path, heap(2)),
        Err(CheckpointError::OtherWorld { .. })
    ));
    // A place that cannot be written leaves nothing behind.
    let nowhere = folder.path().join("no folder").join("state.warp");
    assert!(matches!(
        sim.save(&nowhere),
        Err(CheckpointError::File { .. })
    ));
}
