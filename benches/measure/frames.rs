//! States of all bodies at regular times of a run, whatever the executor: what redraw events hand over.

use physics::State;
use record::Segment;
use sim::world::BodyId;
use sim::{History, World};
use warp::Tick;

/// States by frame, then by body.
pub struct Frames {
    pub states: Vec<Vec<State>>,
    hertz: f64,
}

impl Frames {
    /// Runs a world once with redraw events at `hertz` and keeps every frame.
    pub fn of(world: &World, algorithm: sim::Algorithm, hertz: f64) -> Self {
        let mut world = world.clone();
        world.redraw_hertz = Some(hertz);
        // What happens at the end of the run is drawn by none.
        let count = (world.until.seconds() * hertz).ceil() as usize;
        let starts: Vec<State> = world.bodies.iter().map(|b| b.start).collect();
        let mut frames = Frames {
            states: vec![starts; count],
            hertz,
        };
        if let Err(error) = sim::run(&world, algorithm, &mut frames) {
            panic!("{}: {error}", world.name);
        }
        frames
    }
}

impl History for Frames {
    fn segment(&mut self, _: &Segment<'_>) -> sim::Told {
        Ok(())
    }

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> sim::Told {
        let frame = (tick.seconds() * self.hertz).round() as usize;
        if let Some(states) = self.states.get_mut(frame) {
            states[body.index()] = *state;
        }
        Ok(())
    }
}
