//! A committed segment evaluated again: the laws of motion are pure, so a segment's start and its
//! body's model give the very trajectory that was simulated.

use physics::{Drive, Flight, Motion, Quat, State, Turn, Vec3};
use record::{Momentum, Segment};
use sim::World;
use warp::Tick;

/// One segment's trajectory.
pub struct Replay<'w> {
    world: &'w World,
    flight: Flight,
    turn: Turn,
    /// The momentum of a group's member, and the end of its step.
    drive: Option<(Drive, Tick)>,
}

impl<'w> Replay<'w> {
    /// The trajectory that a segment begins.
    pub fn new(world: &'w World, segment: &Segment<'_>) -> Self {
        // A group's member moves uniformly within a step: its model's odd neighbour.
        let is_member = segment.group != record::NO_GROUP;
        let model = world.bodies[segment.body as usize].model | u32::from(is_member);
        let flight = Flight {
            start: Tick(segment.start),
            position: Vec3::from_array(segment.position),
            velocity: Vec3::from_array(segment.velocity),
            model,
            body: segment.body,
        };
        let mut turn = Turn::default();
        let rotation = Quat::from_array(segment.rotation);
        let spin = Vec3::from_array(segment.spin);
        turn.begin(rotation, spin, &world.models[model as usize]);
        Replay {
            world,
            flight,
            turn,
            drive: segment.momentum.as_ref().map(drive),
        }
    }

    /// Whether the motion has no closed form that a recording could evaluate.
    pub fn is_dense(&self) -> bool {
        self.turn.is_dense(self.model())
    }

    /// A bound on the angular speed at the start, rad/s.
    pub fn spin_max(&self) -> f64 {
        self.turn.spin_max()
    }

    /// The first tick.
    pub fn start(&self) -> Tick {
        self.flight.start
    }

    /// The state at a tick; a group's member has the velocity and spin of its momentum.
    pub fn state(&mut self, tick: Tick) -> State {
        let model = &self.world.models[self.flight.model as usize];
        self.turn.extend(&self.flight, model, tick);
        let motion = Motion {
            model,
            flight: &self.flight,
            turn: &self.turn,
        };
        let mut state = motion.state(tick);
        if let Some((drive, end)) = &self.drive {
            [state.velocity, state.spin] = drive.at(&motion, *end, tick);
        }
        state
    }

    fn model(&self) -> &'w physics::BodyModel {
        &self.world.models[self.flight.model as usize]
    }
}

fn drive(momentum: &Momentum) -> (Drive, Tick) {
    let drive = Drive {
        velocity: momentum.velocity.map(Vec3::from_array),
        spin: momentum.spin.map(Vec3::from_array),
        bend: Vec3::from_array(momentum.bend),
    };
    (drive, Tick(momentum.end))
}
