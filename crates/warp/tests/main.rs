//! All tests of this crate in one program: what they test is compiled and linked once.

mod calendar;
mod column;
mod equivalence;
mod figure_3;
mod graph;
mod invariants;
mod models;
mod workers;
