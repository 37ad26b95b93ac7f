//! All tests of this crate in one program. They see real threads, or one thread and a seed; schedules under `shuttle` are
//! unit tests.

mod equivalence;
mod faults;
mod laws;
mod worlds;
