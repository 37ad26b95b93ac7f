//! A world in code: a ball falls on the floor, and in a second future it is pushed, half a second late.

use warpline::prelude::*;

fn main() -> Result<(), Error> {
    let mut world = World::new();
    world.floor();
    let ball = world.ball(0.1).at([0., 2., 0.]).mass(1.0).add();

    let mut sim = world.simulate(f64::INFINITY)?;
    sim.advance(1.0)?;
    let mut other = sim.branch();
    other.input(ball, 0.5, 0, Action::impulse([1., 0., 0.]))?;
    for (name, sim) in [("as it was", &mut sim), ("pushed", &mut other)] {
        sim.advance(3.0)?;
        let position = sim.state(ball)?.map(|state| state.position);
        println!("{name}: {}", position.unwrap_or_default());
    }
    Ok(())
}
