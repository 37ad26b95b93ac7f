//! Why the library could not do what it was asked: one type over the parts' own errors, with their own words.

use record::export::ExportError;
use sim::scene::SceneError;
use sim::{CheckpointError, InputError, RunError, SessionError, SimulationError, WorldError};

/// Why the library could not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// A scene, or what was said of a world in code, makes no sense.
    #[error(transparent)]
    Scene(#[from] Box<SceneError>),
    /// The world cannot be simulated.
    #[error(transparent)]
    World(#[from] WorldError),
    /// The run ended early.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A simulation could not do it.
    #[error(transparent)]
    Simulation(#[from] SimulationError),
    /// A session could not do it.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The input was refused.
    #[error(transparent)]
    Input(#[from] InputError),
    /// A shape that was asked about is none.
    #[error(transparent)]
    Shape(#[from] physics::ShapeError),
    /// A checkpoint could not be written or read.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// A recording could not be written or read.
    #[error(transparent)]
    Recording(#[from] record::Error),
    /// A recording could not be exported.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// A picture or the viewer.
    #[error(transparent)]
    Viewer(#[from] viewer::Error),
    /// There is no such scene.
    #[error("{message}{}", .help.as_ref().map_or(String::new(), |h| format!(" ({h})")))]
    Source {
        /// What is wrong.
        message: String,
        /// What can be done.
        help: Option<String>,
    },
    /// A body that belongs to another world.
    #[error(
        "this body belongs to another world; use one that this world's add() gave, or its name"
    )]
    OtherWorld,
    /// A name that no body has.
    #[error("no body is called `{0}`")]
    NoBody(String),
    /// A time that makes no sense.
    #[error(
        "the time is {0} s; expected a finite number of seconds, 0 or more, and at most 4000000"
    )]
    Time(f64),
    /// It was asked to stop, and did.
    #[error("stopped before its end, as asked")]
    Stopped,
    /// Something else, in words.
    #[error("{0}")]
    Other(String),
}
