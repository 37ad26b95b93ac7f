//! Runs that are started from the page. The viewer knows nothing of simulation: whoever serves brings a
//! [`Launcher`], and each run it starts is one more recording to show.

use crate::render::Eye;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// How a scene wants to be seen; what it leaves out is up to who shows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Look {
    /// Where it is seen from.
    pub eye: Option<Eye>,
    /// The direction in which the light is.
    pub light: Option<[f64; 3]>,
    /// Whether it stands on a dark ground.
    pub dark: Option<bool>,
}

/// A scene that can be started.
#[derive(Clone, Debug, Serialize)]
pub struct Offer {
    /// The name it is started by.
    pub name: String,
    /// What happens in it, in a sentence.
    pub description: String,
    /// What can be set.
    pub parameters: Vec<Parameter>,
}

/// Something that can be set in a scene.
#[derive(Clone, Debug, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// What it is unless told.
    pub value: String,
    /// What it means, with its unit.
    pub about: String,
    /// What it may be, in a few words; empty where anything will do.
    pub range: String,
    /// The texts that it may be; none where anything will do.
    pub one_of: Vec<String>,
}

/// What somebody wants to see.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// A scene's name.
    pub scene: String,
    /// Parameters that are set, as `name=value` separated by line breaks.
    pub set: String,
    /// How far bodies may run ahead, as the command line spells it; empty leaves it to the run.
    pub look_ahead: String,
    /// In step with the clock on the wall, and open to inputs.
    pub live: bool,
    /// How many of the inputs of the run that is looked at are taken over (`live` runs only).
    pub inputs: usize,
}

/// A run that has begun.
pub struct Started {
    /// Its recording, still being written.
    pub recording: PathBuf,
    /// What can be done to it while it goes on.
    pub live: Option<Arc<dyn Live>>,
}

/// Starts runs.
pub trait Launcher: Send + Sync {
    /// What can be started.
    fn offers(&self) -> Vec<Offer>;

    /// Starts a run, or says why it cannot. `from` is the run that is looked at.
    fn start(&self, wish: &Wish, from: Option<&dyn Live>) -> Result<Started, String>;
}

/// A pull at a body.
#[derive(Clone, Copy, Debug)]
pub struct Pull {
    /// Whose.
    pub body: u32,
    /// When, s: the moment that was seen when somebody pulled.
    pub time: f64,
    /// How fast the body is to be changed, m/s; its mass makes an impulse of it.
    pub x: f64,
    /// See `x`.
    pub y: f64,
    /// See `x`.
    pub z: f64,
}

/// What a late input did.
#[derive(Clone, Debug, Serialize)]
pub struct Pulled {
    /// The moment at which it was entered, s.
    pub at: f64,
    /// How far the run had been by then, s.
    pub now: f64,
    /// Bodies whose history is another one from some moment on.
    pub changed: Vec<u32>,
    /// Bodies that were simulated again and came out as before.
    pub again: usize,
    /// How many inputs the run has had.
    pub inputs: usize,
}

/// A run that goes with the clock on the wall and takes inputs.
pub trait Live: Send + Sync {
    /// Pulls at a body, or says why it cannot.
    fn pull(&self, pull: &Pull) -> Result<Pulled, String>;

    /// How many pages look at it: a run that nobody sees stands still.
    fn watched(&self, pages: usize);

    /// Itself, for the launcher that made it.
    fn as_any(&self) -> &dyn std::any::Any;
}
