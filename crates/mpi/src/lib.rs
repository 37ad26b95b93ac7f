//! Warpline on many machines: the ranks of an MPI job as workers. What travels and what it means is
//! the kernel's matter (`warpline_warp::message`); here is only how bytes get from one rank to another,
//! and how a job begins and ends.
//!
//! The crate is empty unless its feature `mpi` is asked for, which needs an MPI library (Debian:
//! `libopenmpi-dev`, `openmpi-bin`) and `libclang-dev` to be built.

#![cfg(feature = "mpi")]

mod job;
mod ranks;

pub use job::{Begun, Job, JobError};
pub use ranks::Ranks;
