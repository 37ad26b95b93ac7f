//! A panic as an error. A bug of the simulator, or of a user's own function that it calls, must not take the
//! program and what was recorded so far with it: it ends the run with an error that tells what was said and where.

use crate::engine::{Engine, Kind};
use crate::simulation::Simulation;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use warp::Tick;

/// A panic in the middle of a run.
#[derive(Clone, Debug, thiserror::Error)]
#[error(
    "a panic has ended the run {place}: {message}. This is a bug, of the simulator or of a function that the world \
     calls (a callback, a force field, a history); what was committed before it is whole"
)]
pub struct Panicked {
    /// What it said.
    pub message: String,
    /// Where the run was: the kind of event and its simulated time.
    pub place: String,
}

/// What knows where it is.
pub(crate) trait AtWork {
    /// Kind and tick of the event that is processed, or was last.
    fn at_work(&self) -> Option<(Kind, Tick)>;
}

impl AtWork for Engine {
    fn at_work(&self) -> Option<(Kind, Tick)> {
        Engine::at_work(self)
    }
}

impl AtWork for Simulation {
    fn at_work(&self) -> Option<(Kind, Tick)> {
        self.engine.at_work()
    }
}

/// Runs `work` on an engine or a simulation. A panic becomes an error; what unwinds with something else than words
/// is none of our business and goes on.
pub(crate) fn guarded<E: AtWork, T>(
    at: &mut E,
    work: impl FnOnce(&mut E) -> T,
) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(|| work(at))).map_err(|payload| {
        let place = match at.at_work() {
            Some((kind, at)) => whereabouts(kind, at),
            None => "before its first event".into(),
        };
        told(payload, place)
    })
}

/// The same where there is no engine to say where it is.
pub(crate) fn guarded_anywhere<T>(work: impl FnOnce() -> T) -> Result<T, Panicked> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| told(payload, "somewhere".into()))
}

fn told(payload: Box<dyn Any + Send>, place: String) -> Panicked {
    let message = match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => match payload.downcast::<&'static str>() {
            Ok(text) => text.to_string(),
            Err(payload) => resume_unwind(payload),
        },
    };
    Panicked { message, place }
}

fn whereabouts(kind: Kind, at: Tick) -> String {
    let event = match kind {
        Kind::Extend => "a look-ahead",
        Kind::CollisionCheck => "a collision check",
        Kind::Redraw => "a frame",
        Kind::Piece => "a script's next piece",
        Kind::Input => "an input",
        Kind::Fact => "what another region has said",
        Kind::GroupStep => "a contact group's step",
        Kind::Callback => "a callback",
        Kind::Collision => "a collision",
        Kind::Deform => "a deformable's step",
    };
    format!("in {event} at {} s", at.seconds())
}
