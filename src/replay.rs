//! A committed segment evaluated again: the laws of motion are pure, so a segment's start and its
//! body's model give the very trajectory that was simulated.

use physics::body::Law;
use physics::{Drive, Flight, Motion, Quat, State, Turn, Vec3};
use record::export::Evaluator;
use record::{Event, Momentum, OwnedSegment, Segment};
use sim::{Flow, JointSegment, MultibodyBody, World};
use std::sync::{Arc, Mutex, PoisonError};
use warp::Tick;

/// The motion that a link takes part in.
#[derive(Clone)]
pub struct Tree<'w> {
    made: &'w MultibodyBody,
    place: usize,
    flow: Arc<Mutex<Flow>>,
}

impl Tree<'_> {
    /// Extends a link's turn until it covers `seconds`.
    fn extend(&self, turn: &mut Turn, seconds: f64) {
        let mut flow = self.flow.lock().unwrap_or_else(PoisonError::into_inner);
        flow.reach(self.made, seconds);
        flow.fill(self.made.links.len(), self.place, turn, f64::NEG_INFINITY);
    }
}

/// The multibodies of a world, each as history has told of it last.
pub struct Trees<'w> {
    world: &'w World,
    newest: Vec<Option<Arc<Mutex<Flow>>>>,
    /// The multibody and the place there of each body that is a link.
    links: Vec<Option<(u32, u32)>>,
}

impl<'w> Trees<'w> {
    /// Nothing is told yet.
    pub fn new(world: &'w World) -> Self {
        let mut links = vec![None; world.bodies.len()];
        for (number, made) in (0u32..).zip(&world.multibodies) {
            for (place, link) in (0u32..).zip(&made.links) {
                links[link.body.index()] = Some((number, place));
            }
        }
        Trees {
            world,
            links,
            newest: vec_of_none(world.multibodies.len()),
        }
    }

    /// A multibody goes on from a state of its joints.
    pub fn tell(&mut self, joints: &JointSegment<'_>) {
        if let Some(place) = self.newest.get_mut(joints.multibody as usize) {
            // What the run has integrated is not integrated again.
            let anew = || Flow::of(joints.joints, joints.acting, f64::INFINITY);
            let flow = joints.flow.cloned().unwrap_or_else(anew);
            *place = Some(Arc::new(Mutex::new(flow)));
        }
    }

    /// The joints of a multibody so many seconds after its newest segment began, as the laws of motion alone have them.
    pub fn joints(&self, multibody: usize, seconds: f64, joints: &mut [f64]) {
        let made = &self.world.multibodies[multibody];
        if let Some(flow) = &self.newest[multibody] {
            let mut flow = flow.lock().unwrap_or_else(PoisonError::into_inner);
            flow.reach(made, seconds);
            flow.state(seconds, joints);
            made.model.normalize(&mut joints[..made.model.positions()]);
        }
    }

    /// The motion that the newest segment of a body takes part in, if it is a link.
    pub fn of(&self, body: u32) -> Option<Tree<'w>> {
        let (number, place) = (*self.links.get(body as usize)?)?;
        let flow = self.newest[number as usize].as_ref()?;
        Some(Tree {
            made: &self.world.multibodies[number as usize],
            place: place as usize,
            flow: Arc::clone(flow),
        })
    }
}

/// One segment's trajectory.
pub struct Replay<'w> {
    world: &'w World,
    flight: Flight,
    turn: Turn,
    /// The momentum of a group's member, and the end of its step.
    drive: Option<(Drive, Tick)>,
    /// The motion that it takes part in, if it is a link.
    tree: Option<Tree<'w>>,
}

impl<'w> Replay<'w> {
    /// The trajectory that a segment begins.
    pub fn new(world: &'w World, segment: &Segment<'_>, tree: Option<Tree<'w>>) -> Self {
        let free = world.bodies[segment.body as usize].model;
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
            tree: tree.filter(|_| segment.group == record::NO_GROUP),
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

    /// The tick at which the motion is known to end; the last of all if none is.
    pub fn end(&self) -> Tick {
        let flow = self.tree.as_ref().map(|tree| &tree.flow);
        let seconds = flow.map(|flow| flow.lock().unwrap_or_else(PoisonError::into_inner).ends());
        let seconds = seconds.filter(|seconds| *seconds < 1e6);
        seconds.map_or(Tick::MAX, |s| {
            self.flight.start.saturating_add(Tick::from_seconds(s).0)
        })
    }

    /// The first tick.
    pub fn start(&self) -> Tick {
        self.flight.start
    }

    /// The state at a tick; a group's member has the velocity and spin of its momentum.
    pub fn state(&mut self, tick: Tick) -> State {
        let model = &self.world.models[self.flight.model.place()];
        match &self.tree {
            Some(tree) => tree.extend(&mut self.turn, tick.since(self.flight.start)),
            None => {
                self.turn.extend(&self.flight, model, tick);
            }
        }
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
        // Recordings do not hold the joints of multibodies: their links are interpolated between knots.
        let is_link = |b: &sim::Body| self.world.models[b.model.place()].law == Law::Linked;
        if self
            .world
            .bodies
            .get(segment.body as usize)
            .is_some_and(is_link)
        {
            return segment.state(tick);
        }
        let place = self.newest.get_mut(segment.body as usize);
        let Some(Some((owned, replay))) = place.filter(|_| !self.is_doubtful) else {
            return segment.state(tick);
        };
        let replay = replay.get_or_insert_with(|| {
            let mut replay = Replay::new(self.world, &owned.as_segment(), None);
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
