//! All tests of this crate in one program: what they test is compiled and linked once.

// The example that is tested here knows the crate by its full name.
extern crate record as warpline_record;

mod pictures;
mod server;
