//! A running simulation, as users of the library talk to it: times are seconds, bodies are those of the [`World`], and
//! states come out in the frame in which they went in.
//!
//! ```
//! use warpline::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let mut world = World::new();
//! world.floor();
//! let ball = world.ball(0.1).at([0., 2., 0.]).mass(1.0).add();
//! let mut sim = world.simulate(5.0)?;
//! sim.advance(1.0)?;
//! let mut other = sim.branch();
//! // In this future the ball was pushed half a second ago.
//! other.input(ball, 0.5, 0, Action::Impulse { impulse: [1., 0., 0.].into(), point: None })?;
//! assert_eq!(sim.state(ball)?.map(|s| s.position.x), Some(0.0));
//! assert!(other.state(ball)?.is_some_and(|s| s.position.x > 0.3));
//! # Ok(())
//! # }
//! ```
//!
//! [`World`]: crate::World

use crate::contacts::{ContactNews, Contacts, Follower};
use crate::error::Error;
use crate::world::{Body, BodyEntry, Model, Table, tick};
use physics::{Part, Pose, State, Vec3};
use sim::{Action, BodyId, Change, Discard, History, Input, RayHit, Tenure, scene};
use std::path::Path;
use std::sync::Arc;
use warp::Tick;

/// A running simulation. See the module's text.
pub struct Simulation {
    pub(crate) inner: sim::Simulation,
    tag: u32,
    ids: Arc<Vec<BodyId>>,
    follower: Option<Box<Follower>>,
}

impl Simulation {
    /// A simulation at the start of a world; see [`crate::World::simulate`].
    pub fn new(model: Model, retain: f64) -> Result<Self, Error> {
        if retain.is_nan() || retain < 0.0 {
            return Err(Error::Time(retain));
        }
        let world = Arc::unwrap_or_clone(model.world);
        Ok(Simulation {
            inner: sim::Simulation::new(world, retain)?,
            tag: model.tag,
            ids: model.ids,
            follower: None,
        })
    }

    /// Goes on from a checkpoint that the same world has saved.
    pub fn load(path: impl AsRef<Path>, model: Model) -> Result<Self, Error> {
        let world = Arc::unwrap_or_clone(model.world);
        Ok(Simulation {
            inner: sim::Simulation::load(path.as_ref(), world)?,
            tag: model.tag,
            ids: model.ids,
            follower: None,
        })
    }

    /// Saves a checkpoint.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        Ok(self.inner.save(path.as_ref())?)
    }

    /// How far it has been simulated, seconds.
    pub fn now(&self) -> f64 {
        self.inner.now().seconds()
    }

    /// Where final history ends, seconds: inputs before are refused.
    pub fn final_until(&self) -> f64 {
        self.inner.gvt().seconds()
    }

    /// The place of a body in the world.
    pub fn id(&self, body: Body) -> Result<BodyId, Error> {
        let id = match body.added_at() {
            None => self.ids.get(body.place as usize).copied(),
            Some(place) => {
                let world = self.inner.world();
                let is_added = |id: &BodyId| world.bodies[id.index()].tenure != Tenure::Vacant;
                world.at_place(place).filter(is_added)
            }
        };
        id.filter(|_| body.world == self.tag)
            .ok_or(Error::OtherWorld)
    }

    /// Adds a body that the world does not have: it enters at a time that may lie in the past, as an input does. It is
    /// described as for the world, without `add()`; unless it has a name it is called `added N`.
    ///
    /// ```
    /// use warpline::prelude::*;
    ///
    /// # fn main() -> Result<(), Error> {
    /// let mut world = World::new();
    /// world.floor();
    /// let mut sim = world.simulate(5.0)?;
    /// sim.advance(1.0)?;
    /// // It has been falling for half a second already.
    /// let ball = sim.add(0.5, world.ball(0.1).at([0., 2., 0.]).mass(1.0))?;
    /// assert!(sim.state(ball)?.is_some_and(|s| s.position.y < 0.8));
    /// sim.remove(ball, 0.75)?;
    /// assert_eq!(sim.state(ball)?, None);
    /// # Ok(())
    /// # }
    /// ```
    pub fn add(&mut self, at: f64, body: BodyEntry<'_>) -> Result<Body, Error> {
        self.add_at_place(at, self.inner.next_place(), body)
    }

    /// The same at a place of your own, a number from 0 that becomes part of the body's: programs that learn of bodies
    /// at different times, or in another order, have the same history if they give them the same places.
    pub fn add_at_place(
        &mut self,
        at: f64,
        place: u32,
        body: BodyEntry<'_>,
    ) -> Result<Body, Error> {
        Ok(self.add_table(at, place, body.into_table())?.0)
    }

    /// The same with the keys of a scene's `[[body]]`; says what it changed.
    pub fn add_table(
        &mut self,
        at: f64,
        place: u32,
        mut keys: Table,
    ) -> Result<(Body, Change), Error> {
        if !keys.iter().any(|(key, _)| key == "name") {
            keys.push(("name".into(), format!("added {place}").into()));
        }
        self.add_text(at, place, &crate::world::to_text(&keys))
    }

    /// The same with the content of a scene's `[[body]]`; says what it changed.
    pub fn add_text(&mut self, at: f64, place: u32, text: &str) -> Result<(Body, Change), Error> {
        let at = tick(at)?;
        let (new, state) = scene::read_body(self.inner.world(), text)?;
        let (_, change) = self.inner.add(at, Some(place), new, state)?;
        if let Some(follower) = &mut self.follower {
            follower.contacts.know(self.inner.world());
        }
        Ok((Body::added(self.tag, place), change))
    }

    /// How many rows the states of all bodies have: the declared ones, and places up to the last that was ever filled.
    pub fn rows(&self) -> usize {
        self.inner.world().declared() + self.inner.next_place() as usize
    }

    /// The handle of a body by its place in the world, if it was added while this ran.
    pub fn added(&self, id: BodyId) -> Option<Body> {
        let place = id.index().checked_sub(self.inner.world().declared())?;
        Some(Body::added(self.tag, place as u32))
    }

    /// Removes a body at a time that may lie in the past, as an input does.
    pub fn remove(&mut self, body: Body, at: f64) -> Result<Change, Error> {
        self.input(body, at, 0, Action::Leave)
    }

    /// From now on contacts are followed, for [`Simulation::contacts`]. They are followed from the start: an error if
    /// some of history is final already.
    pub fn follow_contacts(&mut self) -> Result<(), Error> {
        if self.follower.is_none() {
            if self.inner.gvt() > Tick::ZERO {
                let message =
                    "contacts are followed from the start; ask for them before history is final";
                return Err(Error::Other(message.into()));
            }
            self.follower = Some(Box::new(Follower::new(self.inner.world())));
        }
        Ok(())
    }

    /// What is new about contacts since this was last asked: those that are final, those that are foreseen, and those
    /// that were foreseen and are no longer. Bodies are told by their places in the world.
    pub fn contacts(&mut self) -> Result<ContactNews, Error> {
        self.follow_contacts()?;
        let Some(follower) = &mut self.follower else {
            return Ok(ContactNews::default());
        };
        let mut ahead: Contacts = follower.contacts.clone();
        ahead.take();
        self.inner.foretell(&mut ahead)?;
        ahead.finish(self.inner.now());
        Ok(follower.news(ahead.take()))
    }

    /// Simulates up to a time.
    pub fn advance(&mut self, to: f64) -> Result<(), Error> {
        self.advance_into(to, &mut Discard)
    }

    /// Simulates up to a time and hands what becomes final to `history`.
    pub fn advance_into(&mut self, to: f64, history: &mut dyn History) -> Result<(), Error> {
        self.advance_to(tick(to)?, history)
    }

    /// The same up to a tick.
    pub fn advance_to(&mut self, to: Tick, history: &mut dyn History) -> Result<(), Error> {
        match &mut self.follower {
            None => self.inner.advance_into(to, history)?,
            Some(follower) => {
                let both = &mut (&mut follower.contacts, history);
                self.inner.advance_into(to, both)?;
            }
        }
        Ok(())
    }

    /// Nothing will change before this time any more: hands it to `history` and lets it go, up to a whole sixty-fourth
    /// of a second.
    pub fn settle(&mut self, to: f64, history: &mut dyn History) -> Result<(), Error> {
        let to = tick(to)?;
        match &mut self.follower {
            None => self.inner.settle(to, history)?,
            Some(follower) => {
                let both = &mut (&mut follower.contacts, history);
                self.inner.settle(to, both)?;
            }
        }
        Ok(())
    }

    /// The state of a body now, in the frame in which it was given; none if it is not there.
    pub fn state(&mut self, body: Body) -> Result<Option<State>, Error> {
        let id = self.id(body)?;
        Ok(self.user_state(id, self.inner.now()))
    }

    /// The state of a body at a retained time; an error where that is out of reach.
    pub fn state_at(&mut self, body: Body, at: f64) -> Result<Option<State>, Error> {
        let (id, at) = (self.id(body)?, self.reach(at)?);
        Ok(self.user_state(id, at))
    }

    /// The states of all bodies at a retained time, by their places in the world.
    pub fn states_at(&mut self, at: f64) -> Result<Vec<Option<State>>, Error> {
        let at = self.reach(at)?;
        Ok(self.all(at))
    }

    pub(crate) fn all(&mut self, at: Tick) -> Vec<Option<State>> {
        (0..self.rows() as u32)
            .map(|b| self.user_state(BodyId(b), at))
            .collect()
    }

    /// The state of the user's frame of a body by its place, at a tick that is covered.
    pub fn user_state(&mut self, id: BodyId, at: Tick) -> Option<State> {
        self.inner.user_state(id, at)
    }

    /// A tick of which questions can be answered.
    pub fn reach(&self, at: f64) -> Result<Tick, Error> {
        let tick = tick(at)?;
        match self.inner.covers(tick) {
            true => Ok(tick),
            false => Err(Error::Other(format!(
                "{at} s is out of reach: history is kept from {} s to {} s; retain more, or advance",
                self.final_until(),
                self.now()
            ))),
        }
    }

    /// Takes an input, which may lie in the past. `order` tells inputs to one body at one time apart.
    pub fn input(
        &mut self,
        body: Body,
        at: f64,
        order: u32,
        action: Action,
    ) -> Result<Change, Error> {
        let input = self.to_input(body, at, order, action)?;
        Ok(self.inner.input(input)?)
    }

    /// An input to this simulation, for [`Simulation::inputs`] and [`Simulation::rollouts`].
    pub fn to_input(
        &self,
        body: Body,
        at: f64,
        order: u32,
        action: Action,
    ) -> Result<Input, Error> {
        Ok(Input {
            at: tick(at)?,
            body: self.id(body)?,
            order,
            action,
        })
    }

    /// Takes several inputs at once: all or none.
    pub fn inputs(&mut self, inputs: &[Input]) -> Result<Change, Error> {
        Ok(self.inner.inputs(inputs)?)
    }

    /// Takes an input back, as if it had never come.
    pub fn withdraw(&mut self, body: Body, at: f64, order: u32) -> Result<Change, Error> {
        let (id, at) = (self.id(body)?, tick(at)?);
        Ok(self.inner.withdraw(at, id, order)?)
    }

    /// A second future that shares its past with this one.
    pub fn branch(&mut self) -> Simulation {
        Simulation {
            inner: self.inner.branch(),
            tag: self.tag,
            ids: Arc::clone(&self.ids),
            follower: self.follower.clone(),
        }
    }

    /// The first body that a ray meets at a retained time, within `farthest` metres.
    pub fn cast_ray(
        &mut self,
        at: f64,
        origin: impl Into<Vec3>,
        direction: impl Into<Vec3>,
        farthest: f64,
    ) -> Result<Option<RayHit>, Error> {
        let at = self.reach(at)?;
        let (origin, direction) = (origin.into(), direction.into());
        let is_ray = origin.is_finite() && direction.try_normalize().is_some();
        if !is_ray || farthest.is_nan() || farthest < 0.0 {
            let message = "a ray needs a finite origin, a direction with a length, and a distance of at least 0 m";
            return Err(Error::Other(message.into()));
        }
        Ok(self.inner.cast_ray(at, origin, direction, farthest))
    }

    /// The bodies that a shape at a pose touches or overlaps at a retained time.
    pub fn overlapping(
        &mut self,
        at: f64,
        parts: &[Part],
        pose: Pose,
    ) -> Result<Vec<BodyId>, Error> {
        let at = self.reach(at)?;
        Ok(self.inner.overlapping(at, parts, pose)?)
    }

    /// A hash of all states at a retained time: simulations that agree on it agree on every bit.
    pub fn hash_at(&mut self, at: f64) -> Result<u64, Error> {
        let at = self.reach(at)?;
        let hash = self.inner.hash_at(at);
        hash.ok_or_else(|| Error::Other(format!("{} s is out of reach", at.seconds())))
    }

    /// The engine's own simulation: ticks, ids, statistics.
    pub fn inner(&mut self) -> &mut sim::Simulation {
        &mut self.inner
    }

    /// The constant world.
    pub fn model(&self) -> &sim::World {
        self.inner.world()
    }
}
