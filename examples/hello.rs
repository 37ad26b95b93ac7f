//! A world in code: a ball falls on the floor, is recorded, and pushed in a second future.

use warpline::prelude::*;

fn main() -> Result<(), Error> {
    let mut world = World::new();
    world.floor();
    let ball = world.ball(0.1).at([0., 2., 0.]).mass(1.0).add();

    let run = world.run(3.0)?;
    println!("after 3 s the ball lies at {}", run.state(ball)?.position);

    let mut sim = world.simulate(f64::INFINITY)?;
    sim.advance(1.0)?;
    let mut other = sim.branch();
    let push = Action::Impulse {
        impulse: [1., 0., 0.].into(),
        point: None,
    };
    let change = other.input(ball, 0.5, 0, push)?;
    println!(
        "an input half a second late changed {} body",
        change.changed.len()
    );
    for (name, sim) in [("here", &mut sim), ("there", &mut other)] {
        sim.advance(3.0)?;
        println!(
            "{name}: {:?}",
            sim.state(ball)?.map(|s| s.position.to_array())
        );
    }
    Ok(())
}
