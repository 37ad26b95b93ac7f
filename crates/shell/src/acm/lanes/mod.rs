//! Several numbers side by side in registers: what the kernels of forces and of detection are written in.

pub(crate) mod quads;
pub(crate) mod real;
pub(crate) mod wide;
