//! A session: a simulation in frames, for games that predict and roll back. Every peer runs its own;
//! inputs carry the frame they were made in and may come late. A frame is *confirmed* when all its
//! inputs are known: then it can no longer change, and peers can compare hashes of it.

use crate::history::{Discard, History};
use crate::input::{Action, Change, Input};
use crate::simulation::{Simulation, SimulationError};
use crate::world::{BodyId, World};
use physics::State;
use warp::Tick;

/// Why a session could not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
pub enum SessionError {
    /// The simulation's own reasons.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// The others are too far behind.
    #[error(
        "frame {asked} is more than {most} frames ahead of the last confirmed one, {confirmed}; \
         wait for the others' inputs"
    )]
    TooFarAhead {
        /// The frame asked for.
        asked: u64,
        /// The last confirmed frame.
        confirmed: u64,
        /// How many frames a session may run ahead.
        most: u64,
    },
    /// The frame is confirmed.
    #[error("the input is for frame {frame}, but frames before {confirmed} are confirmed")]
    Confirmed {
        /// The input's frame.
        frame: u64,
        /// The last confirmed frame.
        confirmed: u64,
    },
    /// A rate of frames that makes no sense.
    #[error("{hertz} frames a second; expected between 1 and 10,000")]
    Rate {
        /// What was asked for.
        hertz: u32,
    },
}

/// A simulation in frames. See the module's text.
pub struct Session {
    sim: Simulation,
    hertz: u32,
    frame: u64,
    confirmed: u64,
    most_ahead: u64,
}

impl Session {
    /// A session at frame 0 of `world`, with `hertz` frames a second, that runs at most `most_ahead`
    /// frames ahead of the last confirmed one.
    pub fn new(world: World, hertz: u32, most_ahead: u64) -> Result<Self, SessionError> {
        if !(1..=10_000).contains(&hertz) {
            return Err(SessionError::Rate { hertz });
        }
        // History is held back by confirmation, not by age.
        let sim = Simulation::new(world, f64::INFINITY)?;
        Ok(Session {
            sim,
            hertz,
            frame: 0,
            confirmed: 0,
            most_ahead,
        })
    }

    /// The tick at which a frame begins: the same on every peer.
    pub fn tick(&self, frame: u64) -> Tick {
        let ticks = u128::from(frame) * (1 << 40) / u128::from(self.hertz);
        Tick(i64::try_from(ticks).unwrap_or(i64::MAX))
    }

    /// The frame that has been simulated up to.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    /// The frame before which all inputs are known.
    pub fn confirmed(&self) -> u64 {
        self.confirmed
    }

    /// Whether a frame is near enough to what is confirmed to be simulated: an error if not.
    pub fn reach(&self, frame: u64) -> Result<(), SessionError> {
        match frame > self.confirmed.saturating_add(self.most_ahead) {
            true => Err(SessionError::TooFarAhead {
                asked: frame,
                confirmed: self.confirmed,
                most: self.most_ahead,
            }),
            false => Ok(()),
        }
    }

    /// Simulates up to the start of `frame`.
    pub fn advance_to(&mut self, frame: u64) -> Result<(), SessionError> {
        self.reach(frame)?;
        if frame > self.frame {
            self.sim.advance(self.tick(frame))?;
            self.frame = frame;
        }
        Ok(())
    }

    /// An input made by `player` (below 2^29, one input per player, body and frame) in a frame that
    /// is not confirmed. If it lies in the past, what it affects is simulated again.
    pub fn input(
        &mut self,
        frame: u64,
        player: u32,
        body: BodyId,
        action: Action,
    ) -> Result<Change, SessionError> {
        self.refuse_confirmed(frame)?;
        let input = Input {
            at: self.tick(frame),
            body,
            order: player,
            action,
        };
        Ok(self.sim.input(input)?)
    }

    /// Takes a predicted input back.
    pub fn withdraw(
        &mut self,
        frame: u64,
        player: u32,
        body: BodyId,
    ) -> Result<Change, SessionError> {
        self.refuse_confirmed(frame)?;
        Ok(self.sim.withdraw(self.tick(frame), body, player)?)
    }

    pub(crate) fn refuse_confirmed(&self, frame: u64) -> Result<(), SessionError> {
        if frame < self.confirmed {
            return Err(SessionError::Confirmed {
                frame,
                confirmed: self.confirmed,
            });
        }
        Ok(())
    }

    /// All inputs of the frames before `frame` are known: they are final, and their history is let go.
    pub fn confirm(&mut self, frame: u64) -> Result<(), SessionError> {
        self.confirm_into(frame, &mut Discard)
    }

    /// Confirms, and hands what becomes final to `history`.
    pub fn confirm_into(
        &mut self,
        frame: u64,
        history: &mut dyn History,
    ) -> Result<(), SessionError> {
        let frame = frame.min(self.frame);
        if frame > self.confirmed {
            self.confirmed = frame;
            self.sim.settle(self.tick(frame), history)?;
        }
        Ok(())
    }

    /// The state of a body's principal frame at the start of a frame, before that frame's inputs.
    pub fn state(&mut self, body: BodyId, frame: u64) -> Option<State> {
        self.sim.state(body, self.tick(frame))
    }

    /// A hash of all states at the start of a frame: peers that agree on it agree on every bit of every
    /// body. None for a frame that is not simulated yet or has been let go.
    pub fn hash(&mut self, frame: u64) -> Option<u64> {
        self.sim.hash_at(self.tick(frame))
    }

    /// The simulation itself: questions about the past, branches, statistics.
    pub fn simulation(&mut self) -> &mut Simulation {
        &mut self.sim
    }
}
