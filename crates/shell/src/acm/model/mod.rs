//! What a shell is: meshes, topology, materials, the constant model, the state, and what may be wrong with them.

pub(crate) mod contact;
pub(crate) mod error;
pub(crate) mod material;
pub(crate) mod mesh;
pub(crate) mod names;
pub(crate) mod order;
pub(crate) mod saved;
pub(crate) mod shell;
pub(crate) mod start;
pub(crate) mod state;
pub(crate) mod tick;
pub(crate) mod topology;
