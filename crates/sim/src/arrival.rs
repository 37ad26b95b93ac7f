//! Bodies that come into a running simulation without having been declared.

use crate::input::{Action, Change, Input, InputError};
use crate::room::{NewBody, Tenure};
use crate::session::{Session, SessionError};
use crate::simulation::{Simulation, SimulationError};
use crate::world::BodyId;
use physics::State;
use warp::Tick;

/// Places that are made at a time, at least.
const PLACES: usize = 16;

impl Simulation {
    /// Adds a body that was not declared: it enters at `at`, which may lie in the past, with a state of its user's
    /// frame. `place` is a number of your own, from 0, that becomes part of the body's: two programs that add the same
    /// bodies at the same places have the same history, whenever and in whatever order they learnt of them. Without
    /// one the body gets the next place that has never been filled, in the order of the calls.
    ///
    /// The input takes order 0 of the body at that tick; [`Simulation::withdraw`] takes it back, and
    /// [`Action::Leave`] removes the body. A place can be filled again once that is final.
    pub fn add(
        &mut self,
        at: Tick,
        place: Option<u32>,
        new: NewBody,
        state: State,
    ) -> Result<(BodyId, Change), SimulationError> {
        if at < self.gvt() {
            return Err(SimulationError::Input(InputError::TooLate {
                at: at.seconds(),
                gvt: self.gvt().seconds(),
            }));
        }
        if !state.is_finite() {
            return Err(SimulationError::Input(InputError::BadNumber {
                body: new.name,
                what: "one of its numbers is not finite",
            }));
        }
        let place = place.unwrap_or_else(|| self.next_place());
        self.make_room(place as usize + 1)?;
        let Some(body) = self.world().at_place(place) else {
            let body = place;
            let count = self.world().bodies.len();
            return Err(SimulationError::Input(InputError::NoSuchBody {
                body,
                count,
            }));
        };
        self.engine.admit(body, new)?;
        let input = Input {
            at,
            body,
            order: 0,
            action: Action::Enter(state),
        };
        Ok((body, self.input(input)?))
    }

    /// Makes sure that there are so many places for bodies that are added. It costs as much as reading a checkpoint of
    /// the retained history, so places are made many at a time; whoever knows how many there will be asks before
    /// the start. A world with cloth or shells must have its room then.
    pub fn make_room(&mut self, places: usize) -> Result<(), SimulationError> {
        if places <= self.world().room {
            return Ok(());
        }
        let places = places.next_power_of_two().max(PLACES);
        let now = self.now;
        self.guard(|sim| sim.engine.make_room(places, now))?
    }

    /// The place after the last that has ever been filled.
    pub fn next_place(&self) -> u32 {
        let world = self.world();
        let places = &world.bodies[world.declared()..];
        let last = places.iter().rposition(|b| b.tenure != Tenure::Vacant);
        last.map_or(0, |place| place as u32 + 1)
    }
}

impl Session {
    /// Adds a body that was not declared, at the start of a frame that is not confirmed. All peers give it the same
    /// place; see [`Simulation::add`].
    pub fn add(
        &mut self,
        frame: u64,
        place: u32,
        new: NewBody,
        state: State,
    ) -> Result<(BodyId, Change), SessionError> {
        self.refuse_confirmed(frame)?;
        let at = self.tick(frame);
        Ok(self.simulation().add(at, Some(place), new, state)?)
    }
}
