//! Callbacks (Mirtich 4.6): user functions that see only the time, the states and the slots of the
//! bodies passed in. Slots are values adjoined to a body's state: copied from state to state, and
//! rolled back with it, so a counter kept in a slot is right whatever was tried and undone.

use crate::world::BodyId;
use physics::{State, Vec3};
use std::sync::Arc;

/// What a callback sees of one body, and what it may change.
#[derive(Clone, Debug)]
pub struct View {
    /// Which body.
    pub body: BodyId,
    /// Its state at the event.
    pub state: State,
    /// One over its mass, 1/kg; zero if nothing can push it.
    pub inverse_mass: f64,
    /// Its slots.
    pub slots: Vec<f64>,
}

impl View {
    /// Applies an impulse (N s) through the centre of mass.
    pub fn push(&mut self, impulse: Vec3) {
        self.state.velocity += impulse * self.inverse_mass;
    }
}

/// A user function called at scheduled times. Returns the seconds until it wants to be called
/// again, or none. It must be a pure function of what it is given.
pub type ScheduledFn = Arc<dyn Fn(f64, &mut [View]) -> Option<f64> + Send + Sync>;

/// A user function called at every collision with both bodies and the normal impulse (N s). It may
/// change slots; changes to states are ignored. It must be a pure function of what it is given.
pub type CollisionFn = Arc<dyn Fn(f64, &mut [View; 2], f64) + Send + Sync>;

/// A scheduled callback.
#[derive(Clone)]
pub struct Callback {
    /// For messages.
    pub name: String,
    /// The bodies it sees, in this order.
    pub bodies: Vec<BodyId>,
    /// When it is called first, seconds.
    pub first: f64,
    /// The function.
    pub run: ScheduledFn,
}
