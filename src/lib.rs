//! Warpline: a physics simulator in which every body keeps its own clock.
//!
//! A body runs ahead on the assumption that nothing will disturb it; when a collision proves it wrong,
//! only the history that is provably affected is undone and redone. This crate gathers the parts:
//!
//! - [`sim`]: scenes, worlds and the executors that run them;
//! - [`physics`]: shapes, trajectories, impact times, collisions;
//! - [`warp`]: Time Warp itself, with no physics in it;
//! - [`record`]: recordings of committed history.
//!
//! ```
//! use warpline::sim::{Algorithm, Discard, LookAhead, run, scene};
//!
//! let gas = scene::builtin("gas").expect("a built-in scene");
//! let few = scene::Override::parse("bodies=20").expect("a valid override");
//! let short = scene::Override::parse("duration=0.5").expect("a valid override");
//! let scene = scene::load(gas.name, gas.text, &[few, short]).expect("a valid scene");
//! let algorithm = Algorithm::TimeWarp(LookAhead::Adaptive);
//! let (stats, states) = run(&scene.world, algorithm, &mut Discard).expect("a run without faults");
//! assert_eq!(states.len(), 20 + 6);
//! assert_eq!(stats.bodies_moving, 20);
//! ```

pub use physics;
pub use record;
pub use sim;
pub use warp;

/// The README's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
pub struct Readme;

/// The book's code compiles and runs.
#[cfg(doctest)]
#[doc = include_str!("../docs/late-inputs.md")]
pub struct LateInputs;

#[cfg(doctest)]
#[doc = include_str!("../docs/tutorial.md")]
pub struct Tutorial;

#[cfg(doctest)]
#[doc = include_str!("../docs/time-warp.md")]
pub struct TimeWarp;

#[cfg(doctest)]
#[doc = include_str!("../docs/executors.md")]
pub struct Executors;
