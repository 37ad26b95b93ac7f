//! Warpline: a physics simulator in which every body keeps its own clock.
//!
//! A body runs ahead on the assumption that nothing will disturb it; when a collision proves it wrong,
//! only the history that is provably affected is undone and redone.
//!
//! ```
//! use warpline::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let mut world = World::new();
//! world.floor();
//! let ball = world.ball(0.1).at([0., 2., 0.]).mass(1.0).add();
//! let run = world.run(3.0)?;
//! println!("after 3 s the ball is at {}", run.state(ball)?.position);
//! # Ok(())
//! # }
//! ```
//!
//! [`World`] is where to begin, and [`Simulation`] what to talk to while it runs; scenes in files come from
//! [`World::load`]. Beneath them, for whoever needs more:
//!
//! - [`sim`]: scenes, worlds and the executors that run them;
//! - [`physics`]: shapes, trajectories, impact times, collisions;
//! - [`warp`]: Time Warp itself, with no physics in it;
//! - [`shell`]: cloth and thin shells;
//! - [`record`]: recordings of committed history.

pub mod algorithm;
pub mod audit;
pub mod changes;
pub mod conservation;
pub mod contacts;
pub mod energy;
mod error;
pub mod events;
pub mod exports;
pub mod filled;
pub mod forces;
pub mod joints;
pub mod looks;
pub mod measures;
pub mod multibodies;
pub mod recorder;
pub mod replay;
mod rollouts;
pub mod running;
pub mod scene_text;
mod simulation;
pub mod wording;
pub mod world;

pub use error::Error;
pub use physics;
pub use record;
pub use rollouts::{Rollout, Rollouts};
pub use shell;
pub use sim;
pub use simulation::Simulation;
pub use viewer;
pub use warp;
pub use world::{Body, World};

/// What a program that makes worlds and talks to them needs.
pub mod prelude {
    pub use crate::algorithm::Named;
    pub use crate::contacts::{ContactNews, Contacts};
    pub use crate::events::{Events, Happening};
    pub use crate::multibodies::Joints;
    pub use crate::world::{Arrangement, Model, Run, Value, table};
    pub use crate::{Body, Error, Rollouts, Simulation, World};
    pub use physics::{Pose, Quat, State, Vec3};
    pub use record::{Contact, Touch};
    pub use sim::{Action, Change, History, HistoryError, Told, View};
}

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The book's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/late-inputs.md")]
pub struct LateInputs;

/// The book's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
pub struct Library;

#[cfg(doctest)]
#[doc = include_str!("../docs/tutorial.md")]
pub struct Tutorial;

#[cfg(doctest)]
#[doc = include_str!("../docs/time-warp.md")]
pub struct TimeWarp;

#[cfg(doctest)]
#[doc = include_str!("../docs/executors.md")]
pub struct Executors;
