//! A committed segment evaluated again: the laws of motion are pure, so a segment's start and its
//! body's model give the very trajectory that was simulated.

use physics::{Drive, Flight, ModelId, Motion, Quat, State, Turn, Vec3};
use record::export::Evaluator;
use record::{Event, Momentum, OwnedSegment, Segment};
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
        let free = ModelId::at(world.bodies[segment.body as usize].model);
        // A group's member moves uniformly within a step.
        let model = match segment.group {
            record::NO_GROUP => free,
            _ => free.carried(),
        };
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
        turn.begin(rotation, spin, &world.models[model.place()]);
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
        let model = &self.world.models[self.flight.model.place()];
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
        &self.world.models[self.flight.model.place()]
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

/// Evaluates recorded motion by the laws of the world it was recorded from.
pub struct Replayed<'w> {
    world: &'w World,
    /// Each body's newest segment, and its trajectory once somebody asks.
    newest: Vec<Option<(OwnedSegment, Option<Replay<'w>>)>>,
    is_doubtful: bool,
}

impl<'w> Replayed<'w> {
    /// Motion in a world.
    pub fn new(world: &'w World) -> Self {
        Replayed {
            world,
            newest: vec_of_none(world.bodies.len()),
            is_doubtful: false,
        }
    }

    /// Whether what the world's laws give was not what is recorded; from then on states are interpolated.
    pub fn is_doubtful(&self) -> bool {
        self.is_doubtful
    }

    /// Whether a trajectory passes through the knots that were recorded with its segment.
    fn passes(replay: &mut Replay<'w>, segment: &Segment<'_>) -> bool {
        let near = |a: Vec3, b: [f64; 3]| {
            let b = Vec3::from_array(b);
            // Knots are the same computation: this allows for another compiler, not for another scene.
            (a - b).length() <= 1e-9 * (1.0 + b.length())
        };
        segment.knots.first().is_none_or(|knot| {
            let state = replay.state(Tick(knot.tick));
            near(state.position, knot.position) && near(state.spin, knot.spin)
        })
    }
}

fn vec_of_none<T>(length: usize) -> Vec<Option<T>> {
    (0..length).map(|_| None).collect()
}

impl Evaluator for Replayed<'_> {
    fn begin(&mut self, segment: &Segment<'_>) {
        let Some(place) = self.newest.get_mut(segment.body as usize) else {
            return;
        };
        if segment.event == Event::Continue {
            return;
        }
        *place = Some((OwnedSegment::from(*segment), None));
    }

    fn state(&mut self, segment: &Segment<'_>, tick: i64) -> record::State {
        let place = self.newest.get_mut(segment.body as usize);
        let Some(Some((owned, replay))) = place.filter(|_| !self.is_doubtful) else {
            return segment.state(tick);
        };
        let replay = replay.get_or_insert_with(|| {
            let mut replay = Replay::new(self.world, &owned.as_segment());
            if !Self::passes(&mut replay, &owned.as_segment()) {
                self.is_doubtful = true;
            }
            replay
        });
        if self.is_doubtful {
            return segment.state(tick);
        }
        let state = replay.state(Tick(tick));
        record::State {
            position: state.position.to_array(),
            rotation: state.rotation.to_array(),
            velocity: state.velocity.to_array(),
            spin: state.spin.to_array(),
        }
    }
}
