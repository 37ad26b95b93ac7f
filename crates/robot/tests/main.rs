//! All tests of this crate in one program: what they test is compiled and linked once.

mod bad_input;
mod coverage;
mod loops;
mod references;
