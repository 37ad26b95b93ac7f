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
//! or roll back to the last clean savepoint and add layers. [`AcmKds`] is the kinetic original.
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

pub(crate) mod detect;
pub(crate) mod forces;
mod kinetic;
mod lanes;
pub(crate) mod model;
mod scenes;
mod speculate;

pub mod experiment;
mod profile;
mod threads;

pub use detect::ccd::may_come_within;
pub use detect::distance::{Closest, closest};
pub use detect::history::{Histories, Sample};
pub use detect::intersect::{Intersection, edge_meets_triangle, intersections};
pub use forces::energy::Energy;
pub use forces::hinge::Hinge;
pub use forces::layers::{ContactLaw, Layer, Layers};
pub use forces::membrane::Membrane;
pub use forces::rigid::{Course, RigidBody, RigidId, RigidState};
pub use kinetic::certify::Certify;
pub use kinetic::kds::AcmKds;
pub use model::contact::{ContactSet, Kind, Pair};
pub use model::error::ShellError;
pub use model::material::{Material, Motion};
pub use model::mesh::Mesh;
pub use model::order::reverse_cuthill_mckee;
pub use model::shell::{MotionId, Part, ShellBuilder, ShellModel};
pub use model::state::ShellState;
pub use model::tick::{TICKS_PER_SECOND, Tick, seconds, ticks};
pub use model::topology::Topology;
pub use profile::{Counts, Phase, Profile};
pub use scenes::{Scene, SceneName};
pub use speculate::window::{Acm, AcmOptions, WindowLength};
pub use threads::Threads;
