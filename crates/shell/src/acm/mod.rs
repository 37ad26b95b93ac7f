//! Asynchronous contact mechanics: thin shells that never pass through each other
//! (Ainsley, Vouga, Grinspun & Tamstorf 2012; Harmon et al. 2009).
//!
//! A constant [`ShellModel`] and a mutable [`ShellState`]. Every force has its own step and its own
//! events; vertices move straight between kicks. Contacts are nested penalty layers. The history is
//! defined as if every layer of every pair were active at all times: a layer out of reach exerts
//! exactly nothing, so which layers happen to be active, how long the rollback windows are, how many
//! threads work and which algorithm found the contacts leaves no trace in it, to the byte.
//!
//! One window of the speculative algorithm: run ([`Acm`] drives the integrator over the window),
//! look back (swept 26-DOPs, space-time slabs, conservative continuous detection), and either commit
//! or roll back to the last clean checkpoint and add layers. [`AcmKds`] is the kinetic original.
//!
//! ```
//! use warpline_shell::acm::{Acm, AcmOptions, SceneName, intersections, ticks};
//!
//! let scene = SceneName::TwoCloths.build(6)?;
//! let mut state = scene.state.clone();
//! let mut acm = Acm::new(&scene.model, &state, AcmOptions::default());
//! acm.run_until(&scene.model, &mut state, ticks(0.05))?;
//! assert!(intersections(&scene.model, &state.positions()).is_empty());
//! # Ok::<(), warpline_shell::acm::ShellError>(())
//! ```

mod ccd;
mod certificate;
mod certify;
mod checkpoint;
mod chords;
mod cluster;
mod coarse;
mod contact;
mod detect;
mod distance;
mod dop;
mod energy;
mod error;
pub mod experiment;
mod facets;
mod fused;
mod hierarchy;
mod hinge;
mod history;
mod integrate;
mod internal;
mod intersect;
mod kds;
mod kinetic_queue;
mod knots;
mod layers;
mod material;
mod membrane;
mod mesh;
mod model;
mod names;
mod narrow;
mod order;
mod parts;
mod penalty;
mod profile;
mod quads;
mod reach;
mod real;
mod rigid;
mod saved;
mod scenes;
mod slab;
mod spans;
mod start;
mod state;
mod sweep;
mod threads;
mod tick;
mod topology;
mod tube;
mod watch;
mod wide;
mod window;

pub use ccd::may_come_within;
pub use certify::Certify;
pub use contact::{ContactSet, Kind, Pair};
pub use distance::{Closest, closest};
pub use energy::Energy;
pub use error::ShellError;
pub use hinge::Hinge;
pub use history::{Histories, Sample};
pub use intersect::{Intersection, edge_meets_triangle, intersections};
pub use kds::AcmKds;
pub use layers::{ContactLaw, Layer, Layers};
pub use material::{Material, Motion};
pub use membrane::Membrane;
pub use mesh::Mesh;
pub use model::{MotionId, Part, ShellBuilder, ShellModel};
pub use order::reverse_cuthill_mckee;
pub use profile::{Counts, Phase, Profile};
pub use rigid::{Course, RigidBody, RigidId, RigidState};
pub use scenes::{Scene, SceneName};
pub use state::ShellState;
pub use threads::Threads;
pub use tick::{TICKS_PER_SECOND, Tick, seconds, ticks};
pub use topology::Topology;
pub use window::{Acm, AcmOptions, WindowLength};
