//! Where physics meets Time Warp: worlds, the event-driven engine, the executors that drive it, and
//! what they report.

// Without checkpoints nobody asks for what is saved, without deformables of its own nobody for what they read.
#![cfg_attr(
    not(all(feature = "checkpoints", feature = "shells")),
    allow(dead_code, unused_imports)
)]

mod arrival;
pub mod callback;
#[cfg(feature = "checkpoints")]
pub mod checkpoint;
pub mod contact;
pub mod deformable;
mod engine;
pub mod executors;
pub mod grid;
pub mod history;
pub mod input;
pub mod layers;
pub mod multibodies;
pub mod overlap;
pub mod panicked;
pub mod periodic;
pub mod queries;
pub mod room;
#[cfg(feature = "scenes")]
pub mod scene;
pub mod script;
pub mod session;
pub mod simulation;
pub mod span;
pub mod stats;
pub mod world;

pub use callback::{Callback, CollisionFn, ScheduledFn, View};
#[cfg(feature = "checkpoints")]
pub use checkpoint::CheckpointError;
pub use contact::ContactRules;
pub use deformable::{Collides, Deformable, DeformableBody, Form, FormEnergy, Neighbour};
pub use engine::EngineError;
pub use executors::{
    Algorithm, LookAhead, RunError, Tape, Uplink, replay, run, run_on_ranks, undivided,
};
#[cfg(feature = "koenig")]
pub use executors::{Unknown, koenig_scene};
pub use history::{Discard, GroupContacts, History, HistoryError, JointSegment, Pressed, Told};
pub use input::{Action, Change, Input, InputError};
pub use layers::Layers;
pub use multibodies::{
    Acting, Collided, CollidedFn, Control, ControlFn, Controller, Flow, LinkBody, MultibodyBody,
    Other,
};
pub use panicked::Panicked;
pub use queries::RayHit;
pub use room::{NewBody, Tenure};
pub use script::{Key, Script, Then};
pub use session::{Session, SessionError};
pub use simulation::{Simulation, SimulationError};
pub use span::{Doing, Span};
pub use stats::{EnergyBooks, RegionStats, Stats};
pub use world::{Body, BodyId, JointFault, Kind, World, WorldError};
