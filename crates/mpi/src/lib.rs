//! Warpline on many machines: the ranks of an MPI job as workers of the kernel, or each with a share of a world's
//! regions. What travels and what it means is their matter (`warpline_warp::message`, `warpline_sim::run_on_ranks`);
//! here is only how bytes get from one rank to another, and how a job begins and ends.
//!
//! The crate is empty unless its feature `mpi` is asked for, which needs an MPI library (Debian:
//! `libopenmpi-dev`, `openmpi-bin`) and `libclang-dev` to be built.

#![cfg(feature = "mpi")]

mod job;
mod meetings;
mod ranks;

pub use job::{Begun, Job, JobError};
pub use meetings::Meetings;
pub use ranks::Ranks;
