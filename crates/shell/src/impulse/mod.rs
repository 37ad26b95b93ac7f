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

mod contact;
mod forces;
mod gathered;
mod lanes;
mod loops;
mod model;
pub mod scenes;
mod step;
mod strips;

pub use contact::calm::Calm;
pub use contact::hold::Fastening;
pub use forces::air::Air;
pub use model::cloth::{Cloth, ClothDescription, ConstraintSet, Contacts, Particle};
pub use model::constraint::{Constraint, Kind};
pub use model::error::ClothError;
pub use model::mesh::TriangleMesh;
pub use model::obstacle::{GroundObstacle, Obstacle, SphereObstacle, SurfacePoint, TrianglePoint};
pub use model::settings::{Optimisations, Settings, Skipping, Solver};
pub use model::state::{ClothState, StepReport, Workspace};
