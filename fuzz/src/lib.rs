//! What is fuzzed: see `entries`.

pub mod entries;
