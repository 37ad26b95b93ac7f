//! Impulse-based dynamics of particles (Bayer, Diziol & Bender 2009): constraints are enforced by impulses
//! found iteratively on a previewed state, so that no constraint is ever violated by more than its
//! tolerance. `Cloth` is the constant model, `ClothState` what changes, `Cloth::step` a pure function.
//!
//! ```
//! use warpline_shell::impulse::{scenes::{self, ClothScene}, Workspace};
//!
//! let scene = ClothScene { resolution: 5, ..ClothScene::default() };
//! let (cloth, mut state) = scenes::cloth_swing(&scene)?;
//! let mut work = Workspace::new(&cloth);
//! for _ in 0..20 {
//!     cloth.step(&mut state, &mut work, &mut [])?;
//!     assert!(cloth.largest_strain(&state) <= scene.extensibility);
//! }
//! # Ok::<(), warpline_shell::impulse::ClothError>(())
//! ```

mod abreast;
mod active;
mod anticipation;
mod blocks;
mod constraint;
mod contacts;
mod couple;
mod direct;
mod error;
mod gathered;
mod gathered_sweep;
mod incidence;
mod lanes;
mod loops;
mod measure;
pub mod mesh;
mod mirror;
mod model;
mod obstacle;
mod reminder;
pub mod scenes;
mod settings;
mod slots;
mod state;
mod step;
mod strip_solver;
mod strips;
mod ties;
mod touch;
mod velocity;
mod want;

pub use constraint::{Constraint, Kind};
pub use error::ClothError;
pub use model::{Cloth, ClothDescription, ConstraintSet, Contacts, Particle};
pub use obstacle::{GroundObstacle, Obstacle, SphereObstacle, SurfacePoint, TrianglePoint};
pub use settings::{Optimisations, Settings, Skipping, Solver};
pub use state::{ClothState, StepReport, Workspace};
