//! A running simulation that its user talks to: it advances, takes inputs that may come late,
//! answers questions about the past it retains, and branches.
//!
//! It is `ordered` inside: pending events are taken in their total order up to the tick asked for.
//! What makes it Time Warp is what a late input does: only the worldlines it provably affects are
//! rolled back, and only what follows from them is simulated again.
//!
//! A panic while it simulates, in the simulator or in a function that the world or the history brings, becomes
//! [`SimulationError::Panicked`]. The history has then been told everything up to the last GVT. The simulation itself
//! may have been left in the middle of an event and is over: every later call that simulates returns the same
//! error, and questions are answered as if everything were out of reach. Its branches live on.

use crate::engine::{Engine, EngineError, PAGE_LOG2};
use crate::executors::{UpTo, work};
use crate::history::{Discard, History, HistoryError};
use crate::input::{Change, Input, InputError};
use crate::panicked::{Panicked, guarded};
use crate::stats::Stats;
use crate::world::{BodyId, World, WorldError};
use physics::State;
use std::sync::Arc;
use warp::{EventOrder, Moment, Tick};

/// Why a simulation could not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SimulationError {
    /// The engine gave up.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The input was refused.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The world makes no sense.
    #[error(transparent)]
    World(#[from] WorldError),
    /// Something has panicked, now or before.
    #[error(transparent)]
    Panicked(#[from] Panicked),
    /// Time only goes forward.
    #[error("asked to advance to {asked} s, but the simulation is at {now} s")]
    Backwards {
        /// Where it should go, seconds.
        asked: f64,
        /// Where it is, seconds.
        now: f64,
    },
}

impl SimulationError {
    /// The history's error, if it was the history that could not go on.
    pub fn of_history(&self) -> Option<&HistoryError> {
        match self {
            SimulationError::Engine(EngineError::History(error)) => Some(error),
            _ => None,
        }
    }
}

/// A running simulation. See the module's text.
pub struct Simulation {
    pub(crate) engine: Engine,
    pub(crate) now: Tick,
    pub(crate) retain: i64,
    /// Whether it may share its past with another.
    is_branched: bool,
    /// The panic that it did not survive.
    over: Option<Panicked>,
}

impl Simulation {
    /// A simulation at the start of `world`, which keeps the last `retain` seconds of history ready
    /// for late inputs and questions. It has no end: the world's own is ignored.
    pub fn new(mut world: World, retain: f64) -> Result<Self, SimulationError> {
        world.prepare_open_ended();
        world.validate()?;
        let mut engine = Engine::new(Arc::new(world), true);
        engine.retain();
        Ok(Simulation {
            engine,
            now: Tick::ZERO,
            retain: Tick::from_seconds(retain.max(0.0)).0,
            is_branched: false,
            over: None,
        })
    }

    /// A simulation that goes on from a checkpoint.
    pub(crate) fn resumed(engine: Engine, now: Tick, retain: i64) -> Self {
        Simulation {
            engine,
            now,
            retain,
            is_branched: false,
            over: None,
        }
    }

    /// How far everything has been simulated.
    pub fn now(&self) -> Tick {
        self.now
    }

    /// Where final history ends: inputs before this tick are refused. It follows `now` at the
    /// retained distance, in steps of a sixty-fourth of a second.
    pub fn gvt(&self) -> Tick {
        self.engine.gvt().max(Tick::ZERO)
    }

    /// Simulates up to `to`: everything before it has happened then.
    pub fn advance(&mut self, to: Tick) -> Result<(), SimulationError> {
        self.advance_into(to, &mut Discard)
    }

    /// Simulates up to `to` and hands what becomes final to `history`.
    pub fn advance_into(
        &mut self,
        to: Tick,
        history: &mut dyn History,
    ) -> Result<(), SimulationError> {
        if to < self.now {
            return Err(SimulationError::Backwards {
                asked: to.seconds(),
                now: self.now.seconds(),
            });
        }
        self.guard(|sim| {
            if sim.is_branched {
                sim.engine.reclaim();
            }
            sim.now = to;
            sim.catch_up();
        })?;
        self.settle(Tick(to.0.saturating_sub(self.retain)), history)
    }

    /// Does something unless a panic has ended the simulation before; one that ends it now is kept.
    pub(crate) fn guard<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> Result<T, Panicked> {
        if let Some(panicked) = &self.over {
            return Err(panicked.clone());
        }
        guarded(self, work).inspect_err(|panicked| self.over = Some(panicked.clone()))
    }

    /// Nothing will change before `to` any more: hands it to `history` and lets it go, up to the whole
    /// sixty-fourth of a second.
    pub fn settle(&mut self, to: Tick, history: &mut dyn History) -> Result<(), SimulationError> {
        let settled = to.min(self.now).0 >> PAGE_LOG2 << PAGE_LOG2;
        if settled > self.gvt().0 {
            self.guard(|sim| sim.engine.commit(Tick(settled), history))??;
        }
        Ok(())
    }

    /// Tells `history` what has been simulated up to `now` and is not final yet, in the canonical order. None of it is
    /// handed over: a late input may still undo it, and what is told the next time is then another story.
    pub fn foretell(&self, history: &mut dyn History) -> Result<(), SimulationError> {
        if let Some(panicked) = &self.over {
            return Err(panicked.clone().into());
        }
        Ok(self.engine.foretell(self.now, history)?)
    }

    /// Processes whatever is pending before `now`.
    fn catch_up(&mut self) {
        let now = EventOrder::before(Moment::at(self.now));
        // Nothing is committed on the way, so nothing can go wrong.
        let _ = work(&mut self.engine, UpTo(now), &mut Discard);
    }

    /// Takes an input. If it lies in the past, exactly the affected worldlines are rolled back and
    /// simulated again up to `now`; the answer says which.
    pub fn input(&mut self, input: Input) -> Result<Change, SimulationError> {
        self.inputs(&[input])
    }

    /// Takes several inputs at once: what they share is simulated again only once. Either all are
    /// taken or none.
    pub fn inputs(&mut self, inputs: &[Input]) -> Result<Change, SimulationError> {
        self.guard(|sim| sim.take_inputs(inputs))?
    }

    fn take_inputs(&mut self, inputs: &[Input]) -> Result<Change, SimulationError> {
        self.engine.begin_watch(self.now);
        for (index, input) in inputs.iter().enumerate() {
            if let Err(error) = self.engine.add_input(input) {
                for taken in &inputs[..index] {
                    // What was taken a moment ago can be taken back.
                    let _ = self
                        .engine
                        .withdraw_input(taken.at, taken.body, taken.order);
                }
                self.catch_up();
                self.engine.end_watch();
                return Err(error.into());
            }
        }
        self.catch_up();
        self.engine.sweep();
        Ok(self.engine.end_watch())
    }

    /// Takes an input back, as if it had never come: a prediction that proved wrong.
    pub fn withdraw(
        &mut self,
        at: Tick,
        body: BodyId,
        order: u32,
    ) -> Result<Change, SimulationError> {
        self.guard(|sim| {
            sim.engine.begin_watch(sim.now);
            let withdrawn = sim.engine.withdraw_input(at, body, order);
            sim.catch_up();
            sim.engine.sweep();
            let change = sim.engine.end_watch();
            withdrawn?;
            Ok(change)
        })?
    }

    /// A second future that shares its past with this one: nothing is copied until one of them changes
    /// it. Neither notices the other; when one is dropped, what it alone held is gone.
    pub fn branch(&mut self) -> Simulation {
        self.is_branched = true;
        Simulation {
            engine: self.engine.branch(),
            over: self.over.clone(),
            ..*self
        }
    }

    /// Whether a question about a tick can be answered: it is retained, and simulated.
    pub fn covers(&self, at: Tick) -> bool {
        self.over.is_none() && self.gvt() <= at && at <= self.now
    }

    /// The state of a body's principal frame just before the events of a retained tick up to `now`;
    /// none if it is not there, or if the tick is out of reach.
    pub fn state(&mut self, body: BodyId, at: Tick) -> Option<State> {
        if !self.covers(at) || body.index() >= self.engine.world().bodies.len() {
            return None;
        }
        self.engine.seen_at(body, at).map(|(_, state)| state)
    }

    /// The same of the frame in which the body was given.
    pub fn user_state(&mut self, body: BodyId, at: Tick) -> Option<State> {
        if !self.covers(at) || body.index() >= self.engine.world().bodies.len() {
            return None;
        }
        let (model, state) = self.engine.seen_at(body, at)?;
        Some(model.user_state(&state))
    }

    /// Writes the states of all bodies in the frames in which they were given, 13 numbers each: position, rotation
    /// (x, y, z, w), velocity, spin; not a number where a body is not there, or the tick is out of reach.
    pub fn fill_states(&mut self, at: Tick, out: &mut [f64]) {
        match self.covers(at) {
            true => self.engine.fill_states(at, out),
            false => out.fill(f64::NAN),
        }
    }

    /// Positions, then velocities of the joints of a multibody just before the events of a retained tick up to `now`, the
    /// control signals of its motors, and what its controller remembers; none if there is no such multibody or the tick
    /// is out of reach.
    pub fn joints(&mut self, multibody: usize, at: Tick) -> Option<[Vec<f64>; 3]> {
        if !self.covers(at) || multibody >= self.engine.world().multibodies.len() {
            return None;
        }
        self.engine.joints_seen_at(multibody, at)
    }

    /// The members of the contact group that a body belongs to just before the events of a retained tick
    /// up to `now`, by rising number; none if the body is on its own or the tick is out of reach.
    pub fn contact_group(&self, body: BodyId, at: Tick) -> Vec<BodyId> {
        if !self.covers(at) || body.index() >= self.engine.world().bodies.len() {
            return Vec::new();
        }
        self.engine.group_at(body, at)
    }

    /// A body's slots at `now`.
    pub fn slots(&self, body: BodyId) -> Vec<f64> {
        self.engine.slots(body)
    }

    /// How many contact groups history holds, among them those that have ended and may still be asked
    /// about.
    pub fn groups(&self) -> usize {
        self.engine.groups_held()
    }

    /// A hash of the states of all bodies just before a retained tick up to `now`: two simulations that
    /// agree on it agree on every bit of every body. None out of reach. Cloth and shells are not in it.
    pub fn hash_at(&mut self, at: Tick) -> Option<u64> {
        if !self.covers(at) {
            return None;
        }
        let mut sum: u64 = at.0 as u64;
        let mut mix = |bits: u64| {
            sum = (sum ^ bits)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15)
                .rotate_left(31);
        };
        for body in 0..self.engine.world().bodies.len() as u32 {
            let is_declared = (body as usize) < self.engine.world().declared();
            match self.state(BodyId(body), at) {
                // How many places there are is no part of the state.
                None if !is_declared => {}
                None => mix(1),
                Some(state) => {
                    if !is_declared {
                        mix(u64::from(body));
                    }
                    for v in [state.position, state.velocity, state.spin] {
                        v.to_array().into_iter().for_each(|x| mix(x.to_bits()));
                    }
                    let turn = state.rotation.to_array();
                    turn.into_iter().for_each(|x| mix(x.to_bits()));
                }
            }
        }
        Some(sum)
    }

    /// The world.
    pub fn world(&self) -> &World {
        self.engine.world()
    }

    /// Counters.
    pub fn stats(&self) -> &Stats {
        self.engine.stats()
    }

    /// Bytes held for history, pending events and the broad phase.
    pub fn bytes(&self) -> usize {
        self.engine.bytes()
    }

    /// Segments held.
    pub fn segments(&self) -> usize {
        self.engine.segments_held()
    }
}
