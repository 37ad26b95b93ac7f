//! All tests of this crate in one program: what they test is compiled and linked once.

mod groups_impulse;
mod groups_optimization;
mod groups_penalty;
mod groups_piles;
mod groups_soft_step;
mod groups_yard;
mod joints;
mod landscape;
mod rotation;
