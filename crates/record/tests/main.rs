//! All tests of this crate in one program: what they test is compiled and linked once.

mod exports;
mod recording;
