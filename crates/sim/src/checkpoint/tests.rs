//! Files whose digest is right and whose content is not: none of them does harm.

use super::*;
use crate::{BodyId, SimulationError, scene};

/// Some of everything that a checkpoint may hold: groups, joints, a script, cloth, inputs to come.
const SCENE: &str = r#"
name = "everything"
until = 1
[contact]
[[body]]
name = "floor"
kind = "fixed"
shape = { half_space = [0, 1, 0] }
[[body]]
name = "brick"
shape = { box = [0.2, 0.1, 0.15] }
position = [0, 0.05, 0]
[[body]]
name = "hull"
shape = { hull = [[0.1, 0, 0], [-0.1, 0, 0], [0, 0.1, 0], [0, -0.1, 0], [0, 0, 0.1], [0, 0, -0.1]] }
position = [0.02, 0.21, 0]
spin = [1, 2, 3]
[[body]]
name = "arm"
shape = { capsule = { radius = 0.05, length = 0.2 } }
position = [1, 0.6, 0]
[[body]]
name = "hand"
shape = { ball = 0.05 }
position = [1, 0.9, 0]
[[body]]
name = "flyer"
shape = { cylinder = { radius = 0.1, height = 0.05 } }
position = [-1, 2, 0]
spin = [3, 0, 1]
[[joint]]
kind = "ball"
bodies = ["arm", "hand"]
[[cloth]]
grid = { columns = 2, rows = 2, corner = [3, 1, 0], u = [0.4, 0, 0], v = [0, 0, 0.4] }
mass = 0.1
"#;

fn world() -> World {
    let mut world = match scene::load("everything.toml", SCENE, &[]) {
        Ok(scene) => scene.world,
        Err(error) => panic!("{error}"),
    };
    world.prepare_open_ended();
    world
}

fn content(sim: &Simulation) -> Vec<u8> {
    let saved = sim.engine.save(sim.now).expect("it can be saved");
    postcard::to_allocvec(&(
        sim.now.0,
        sim.retain,
        (0u32, Vec::<(u32, String)>::new()),
        saved,
    ))
    .expect("plain data")
}

/// The numbers of Knuth's generator: the same mutations every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % sides
    }
}

/// A copy with a few bytes changed, or one cut out or doubled.
fn mutated(content: &[u8], dice: &mut Dice) -> Vec<u8> {
    let mut bytes = content.to_vec();
    for _ in 0..=dice.roll(3) {
        let at = dice.roll(bytes.len());
        match dice.roll(8) {
            0 => bytes[at] = 0,
            1 => bytes[at] = 0xff,
            2 => bytes[at] = bytes[at].wrapping_add(1),
            3 => bytes[at] = bytes[at].wrapping_sub(1),
            4 => drop(bytes.remove(at)),
            5 => bytes.insert(at, dice.roll(256) as u8),
            _ => bytes[at] ^= 1 << dice.roll(8),
        }
    }
    bytes
}

#[test]
fn no_change_of_its_content_does_harm() {
    let world = world();
    let mut sim = Simulation::new(world.clone(), 0.05).expect("a sound world");
    sim.advance(Tick::from_seconds(0.2)).expect("it runs");
    let impulse = crate::Action::Impulse {
        impulse: physics::Vec3::Y,
        point: None,
    };
    let input = crate::Input {
        at: Tick::from_seconds(0.25),
        body: BodyId(5),
        order: 3,
        action: impulse,
    };
    sim.input(input).expect("an input in time");
    let content = content(&sim);
    assert!(resume(&content, world.clone()).is_ok(), "it is whole");
    let mut dice = Dice(17);
    let (mut refused, mut resumed) = (0, 0);
    for round in 0..3000 {
        let bytes = mutated(&content, &mut dice);
        let Ok(mut sim) = resume(&bytes, world.clone()) else {
            refused += 1;
            continue;
        };
        resumed += 1;
        // What moves as bodies do is simulated on: neither does that do harm, though it may fail.
        let now = sim.now();
        let is_calm = (0..world.bodies.len() as u32).all(|b| {
            let state = sim.state(BodyId(b), now);
            state.is_none_or(|s| s.velocity.length() < 50.0 && s.spin.length() < 100.0)
        });
        if is_calm && round % 4 == 0 {
            let went = sim.advance(now.saturating_add(1 << 33));
            let panicked = matches!(went, Err(SimulationError::Panicked(_)));
            assert!(!panicked, "round {round}: {went:?}");
        }
    }
    // Both happen: most bytes are numbers that could be others.
    assert!(refused > 300 && resumed > 300, "{refused} {resumed}");
}

#[test]
fn what_claims_to_be_large_takes_no_memory() {
    let packed = zstd::bulk::compress(&vec![0u8; 1 << 27], COMPRESSION).expect("zeros");
    assert!(packed.len() < 1 << 16);
    assert!(expanded(&packed).is_none());
    assert_eq!(
        expanded(&zstd::bulk::compress(b"small", 3).expect("bytes")),
        Some(b"small".to_vec())
    );
}
