//! Where physics meets Time Warp: scenes, worlds, executors.
