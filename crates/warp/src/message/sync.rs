//! What threads share memory with: the standard library's, or loom's, which tries all interleavings
//! (`RUSTFLAGS="--cfg loom" cargo test -p warpline-warp --lib loom`).

#[cfg(loom)]
pub(super) use loom::sync::{
    Arc, Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};
#[cfg(not(loom))]
pub(super) use std::sync::{
    Arc, Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, Ordering},
};
