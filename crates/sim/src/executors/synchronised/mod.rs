//! What `rd` and `ca` share: all bodies at one common time, advanced, stopped and restarted together
//! (the synchronised simulation of Mirtich's section 2). Nothing here looks for collisions.
//!
//! A body's flight and turn always begin at `now`. Spheres advance in closed form; tumbling bodies
//! are integrated afresh from every stop, because a stop of one is a stop of all: by one Runge-Kutta
//! step where that suffices, by the event-driven engine's dense pieces over longer steps.

mod events;
mod journal;
mod sweep;

pub(super) use sweep::Sweep;

use crate::grid::Bounds;
use crate::history::{History, HistoryError};
use crate::overlap::corners_at;
use crate::stats::Stats;
use crate::world::World;
use journal::Journal;
use physics::body::Law;
use physics::rotation::turned;
use physics::tumble::free_step;
use physics::{BodyModel, Flight, Form, Motion, Pose, Quat, State, Turn, Vec3};
use warp::{Moment, Tick};

/// All bodies at one time.
pub(super) struct Synchronised<'w> {
    pub(super) world: &'w World,
    /// The common time.
    pub(super) now: Tick,
    pub(super) stats: Stats,
    flights: Vec<Flight>,
    turns: Vec<Turn>,
    /// Bodies that move in closed form.
    drifting: Vec<u32>,
    /// The tick that each body's attitude is of. A ball's attitude matters to nobody but the
    /// history: it is brought up to date when asked for.
    turned: Vec<Tick>,
    /// Bodies whose motion is integrated.
    integrated: Vec<u32>,
    /// Attitude of each of them where the step ends, and that tick; where it took one short
    /// Runge-Kutta step and there is no dense output.
    arrivals: Vec<(Tick, Quat)>,
    /// When each body last met a discontinuity, and how many have followed each other closely.
    last: Vec<(Moment, u16)>,
    slots: Vec<f64>,
    /// Next pieces of scripts by body, then next calls of callbacks.
    alarms: Vec<Tick>,
    next_alarm: Tick,
    journal: Journal,
}

impl<'w> Synchronised<'w> {
    /// All bodies at the start of the world.
    pub(super) fn new(world: &'w World) -> Self {
        let bodies = world.bodies.len();
        let mut all = Synchronised {
            world,
            now: Tick::ZERO,
            stats: Stats {
                scene: world.name.clone(),
                threads: 1,
                sim_seconds: world.until.seconds(),
                bodies_moving: world.moving(),
                bodies_total: bodies,
                ..Stats::default()
            },
            flights: Vec::with_capacity(bodies),
            turns: Vec::with_capacity(bodies),
            drifting: Vec::new(),
            turned: vec![Tick::ZERO; bodies],
            integrated: Vec::new(),
            arrivals: Vec::new(),
            last: vec![(Moment::at(Tick::ZERO), 0); bodies],
            slots: vec![0.0; bodies * world.slots],
            alarms: Vec::with_capacity(bodies + world.callbacks.len()),
            next_alarm: Tick::MAX,
            journal: Journal::default(),
        };
        for body in 0..bodies as u32 {
            all.add(body);
        }
        let first = |c: &crate::callback::Callback| Tick::from_seconds(c.first.max(0.0));
        all.alarms.extend(world.callbacks.iter().map(first));
        all.next_alarm = all.alarms.iter().copied().min().unwrap_or(Tick::MAX);
        all
    }

    fn add(&mut self, index: u32) {
        let body = &self.world.bodies[index as usize];
        let model = &self.world.models[body.model.place()];
        match model.law {
            Law::Constant => {}
            Law::Scripted | Law::Ballistic => self.drifting.push(index),
            Law::Tumbling | Law::Integrated | Law::Linked => {
                self.integrated.push(index);
                self.arrivals.push((Tick::MIN, body.start.rotation));
            }
        }
        let flight = Flight {
            start: Tick::ZERO,
            position: body.start.position,
            velocity: body.start.velocity,
            model: body.model,
            body: index,
        };
        let mut turn = Turn::default();
        turn.begin(body.start.rotation, body.start.spin, model);
        self.journal.start(&flight, &turn, model);
        self.flights.push(flight);
        self.turns.push(turn);
        self.stats.segments_begun += 1;
        let piece = body.script.as_ref().and_then(|s| s.piece(Tick::ZERO));
        let next = piece.and_then(|(_, next)| next);
        self.alarms.push(next.unwrap_or(Tick::MAX));
    }

    /// The next tick at which all must stop whatever the bodies do: an alarm, or the end.
    pub(super) fn next_stop(&self) -> Tick {
        self.next_alarm.min(self.world.until)
    }

    /// The current segment of a body.
    pub(super) fn motion(&self, body: u32) -> Motion<'_> {
        let flight = &self.flights[body as usize];
        Motion {
            model: &self.world.models[flight.model.place()],
            flight,
            turn: &self.turns[body as usize],
        }
    }

    /// Makes sure that one body's dense output reaches `end`. Not a step: nothing moves.
    pub(super) fn foresee(&mut self, body: u32, end: Tick) {
        let flight = &self.flights[body as usize];
        let model = &self.world.models[flight.model.place()];
        self.turns[body as usize].extend(flight, model, end);
    }

    /// Integrates every body from `now` to `end`: one step of the simulator.
    pub(super) fn integrate(&mut self, end: Tick) {
        let moving = self.stats.bodies_moving;
        self.stats.integrations += moving as u64;
        self.stats.integrated_s += moving as f64 * end.since(self.now);
        for (&body, arrival) in self.integrated.iter().zip(&mut self.arrivals) {
            let flight = &self.flights[body as usize];
            let turn = &mut self.turns[body as usize];
            let model = &self.world.models[flight.model.place()];
            match short_step(turn, model, end.since(self.now)) {
                Some(rotation) => *arrival = (end, rotation),
                None => {
                    turn.extend(flight, model, end);
                }
            }
        }
    }

    /// Moves every body to `tick`, within what has been integrated, and restarts it there.
    pub(super) fn advance(&mut self, tick: Tick) {
        let seconds = tick.since(self.now);
        for &body in &self.drifting {
            let flight = &mut self.flights[body as usize];
            let turn = &mut self.turns[body as usize];
            let model = &self.world.models[flight.model.place()];
            let gravity = model.gravity;
            flight.start = tick;
            flight.position += (flight.velocity + gravity * (0.5 * seconds)) * seconds;
            flight.velocity += gravity * seconds;
            if turn.spin_max() > 0.0 && !matches!(model.collider.form, Form::Ball { .. }) {
                turn.rotation = turned(turn.rotation, turn.spin, seconds);
                self.turned[body as usize] = tick;
            }
        }
        for place in 0..self.integrated.len() {
            let body = self.integrated[place];
            let state = self.arrive(place, body, tick);
            self.put(body, tick, &state);
        }
        self.now = tick;
    }

    /// The state of an integrated body at `tick`: where its step ended, or out of its dense output,
    /// or by another step to a collision found on the way.
    fn arrive(&self, place: usize, body: u32, tick: Tick) -> State {
        let motion = self.motion(body);
        let turn = motion.turn;
        let seconds = tick.since(self.now);
        if !turn.is_dense(motion.model) || turn.covered() > seconds {
            return motion.state(tick);
        }
        let (end, arrived) = self.arrivals[place];
        let rotation = if end == tick {
            arrived
        } else {
            free_step(turn.rotation, turn.momentum(), motion.model, seconds).0
        };
        State {
            position: motion.position(tick),
            velocity: motion.velocity(tick),
            rotation,
            spin: motion.spin(tick, rotation),
        }
    }

    /// The state of a body at the common time.
    fn state(&self, body: u32) -> State {
        let mut state = self.motion(body).state(self.now);
        let late = self.now.since(self.turned[body as usize]);
        if self.motion(body).model.law == Law::Ballistic && late > 0.0 {
            state.rotation = turned(state.rotation, state.spin, late);
        }
        state
    }

    /// Lets a body's motion begin at `tick` with `state`.
    fn put(&mut self, body: u32, tick: Tick, state: &State) {
        self.turned[body as usize] = tick;
        let flight = &mut self.flights[body as usize];
        flight.start = tick;
        flight.position = state.position;
        flight.velocity = state.velocity;
        let model = &self.world.models[flight.model.place()];
        self.turns[body as usize].begin(state.rotation, state.spin, model);
    }

    /// The box that a body sweeps from `now` to `end`, within what has been integrated (none if it
    /// is unbounded).
    pub(super) fn swept_box(&self, body: u32, end: Tick) -> Option<Bounds> {
        let motion = self.motion(body);
        let model = motion.model;
        let radius = model.bounding_radius();
        if radius.is_infinite() {
            return None;
        }
        let turns = motion.turn.spin_max() > 0.0 || model.law == Law::Integrated;
        let (below, above) = if turns || matches!(model.collider.form, Form::Ball { .. }) {
            (Vec3::splat(-radius), Vec3::splat(radius))
        } else {
            corners_at(model, &Pose::from_parts(Vec3::ZERO, motion.turn.rotation))?
        };
        let (lo, hi) = match model.law {
            Law::Integrated => integrated_path(&motion, end),
            _ => ballistic_path(&motion, end),
        };
        Some(Bounds::around(lo + below, hi + above))
    }

    /// Hands over what is left and returns statistics and final states.
    pub(super) fn conclude(
        mut self,
        history: &mut dyn History,
    ) -> Result<(Stats, Vec<State>), HistoryError> {
        self.journal.flush(history)?;
        history.gvt(self.world.until)?;
        let bodies = 0..self.world.bodies.len() as u32;
        let states = bodies.map(|b| self.state(b)).collect();
        self.stats.segments_committed = self.stats.segments_begun;
        let per_body = size_of::<Flight>() + size_of::<Turn>();
        self.stats.peak_history_bytes = (per_body * self.flights.len()) as u64;
        self.stats.conclude();
        Ok((self.stats, states))
    }
}

/// Allowed error of the attitude in a short step (a unit quaternion's components).
const SHORT_STEP_TOLERANCE: f64 = 1e-11;
/// Steps of more radians than this are not tried as short ones.
const SHORT_STEP_RADIANS: f64 = 0.1;

/// The attitude of a tumbling body after `seconds`, if one Runge-Kutta step is good enough: several
/// times cheaper than dense output, which a step without a search does not need.
#[inline]
fn short_step(turn: &Turn, model: &BodyModel, seconds: f64) -> Option<Quat> {
    if model.law != Law::Tumbling || turn.spin_max() * seconds > SHORT_STEP_RADIANS {
        return None;
    }
    let (rotation, error) = free_step(turn.rotation, turn.momentum(), model, seconds);
    (error <= SHORT_STEP_TOLERANCE).then_some(rotation)
}

/// Corners of the centre of mass' path under uniform gravity.
fn ballistic_path(motion: &Motion<'_>, end: Tick) -> (Vec3, Vec3) {
    let seconds = end.since(motion.flight.start);
    let (here, there) = (motion.flight.position, motion.position(end));
    // A parabola leaves the box of its ends by at most g t^2 / 8.
    let bulge = motion.model.gravity.abs() * (seconds * seconds / 8.0);
    (here.min(there) - bulge, here.max(there) + bulge)
}

/// Corners of the centre of mass' path under forces, from the integrator's pieces.
fn integrated_path(motion: &Motion<'_>, end: Tick) -> (Vec3, Vec3) {
    let seconds = end.since(motion.flight.start);
    let (mut lo, mut hi) = (motion.flight.position, motion.flight.position);
    for piece in motion.turn.forces() {
        let path = &piece.path;
        if path.start > seconds {
            break;
        }
        let length = path.end - path.start;
        let bulge = Vec3::splat(piece.acceleration_max * length * length / 8.0);
        for t in [path.start, path.end] {
            let at = Vec3::from_array(path.value(t));
            lo = lo.min(at - bulge);
            hi = hi.max(at + bulge);
        }
    }
    (lo, hi)
}
