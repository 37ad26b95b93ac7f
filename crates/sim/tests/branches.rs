//! Branches share their past and nothing else: each is what a simulation of its own would be.

use crate::random_worlds;

use physics::Vec3;
use random_worlds::random_world;
use warp::Tick;
use warpline_sim::{Action, BodyId, Input, Kind, Simulation, World};

fn frame(number: u32) -> Tick {
    Tick::from_seconds(f64::from(number) / 60.0)
}

fn simulation(world: &World, frames: u32) -> Simulation {
    let mut sim = Simulation::new(world.clone(), 0.5).expect("a sound world");
    for number in 1..=frames {
        sim.advance(frame(number)).expect("it runs");
    }
    sim
}

fn push(world: &World, index: usize) -> Input {
    let bodies: Vec<u32> = (0..world.bodies.len() as u32)
        .filter(|b| world.bodies[*b as usize].kind == Kind::Dynamic)
        .collect();
    let body = BodyId(bodies[index % bodies.len()]);
    let mass = world.model(body).mass.mass;
    Input {
        at: frame(12 + index as u32 % 8),
        body,
        order: 0,
        action: Action::Impulse {
            impulse: mass * Vec3::new(1.0, 0.5 * index as f64, -1.0),
            point: None,
        },
    }
}

fn hashes(sim: &mut Simulation, to: u32) -> Vec<u64> {
    (20..=to)
        .map(|n| sim.hash_at(frame(n)).expect("a retained frame"))
        .collect()
}

#[test]
fn a_branch_is_what_a_simulation_of_its_own_would_be() {
    let world = random_world(11, 16, 9.81, 0.3);
    let mut trunk = simulation(&world, 20);
    let mut branches: Vec<Simulation> = (0..6).map(|_| trunk.branch()).collect();
    for (index, branch) in branches.iter_mut().enumerate() {
        branch.input(push(&world, index)).expect("a sound input");
        branch.advance(frame(40)).expect("it runs");
    }
    // The trunk goes on too, and branches of branches are branches.
    trunk.advance(frame(40)).expect("it runs");
    let mut twig = branches[3].branch();
    twig.advance(frame(45)).expect("it runs");
    assert_eq!(
        hashes(&mut trunk, 40),
        hashes(&mut simulation(&world, 40), 40)
    );
    for (index, branch) in branches.iter_mut().enumerate() {
        let mut alone = simulation(&world, 20);
        alone.input(push(&world, index)).expect("a sound input");
        alone.advance(frame(40)).expect("it runs");
        assert_eq!(hashes(branch, 40), hashes(&mut alone, 40), "branch {index}");
        if index == 3 {
            alone.advance(frame(45)).expect("it runs");
            assert_eq!(hashes(&mut twig, 45), hashes(&mut alone, 45), "the twig");
        }
    }
    // With the others gone the trunk owns its history again.
    drop((branches, twig));
    trunk.advance(frame(60)).expect("it runs");
    let mut alone = simulation(&world, 60);
    assert_eq!(trunk.hash_at(frame(60)), alone.hash_at(frame(60)));
}

#[test]
fn a_chain_of_branches_goes_on_for_ever() {
    let world = random_world(5, 10, 0.0, 0.2);
    let mut sim = simulation(&world, 20);
    for number in 21..=60 {
        let mut next = sim.branch();
        next.advance(frame(number)).expect("it runs");
        sim = next;
    }
    let mut alone = simulation(&world, 60);
    assert_eq!(sim.hash_at(frame(60)), alone.hash_at(frame(60)));
}
