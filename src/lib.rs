//! Warpline: a physics simulator in which every body keeps its own clock.
