//! Where threads, locks and counters come from: the standard library, or `shuttle` in this crate's unit tests, which
//! then decides at every lock and every counter which thread goes on. Tests that want real threads, or none, are
//! integration tests and see the standard library.

#[cfg(not(test))]
pub(crate) use std::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(not(test))]
pub(crate) use std::thread;

#[cfg(test)]
pub(crate) use shuttle::sync::{Condvar, Mutex, MutexGuard, atomic};
#[cfg(test)]
pub(crate) use shuttle::thread;

/// Takes a lock whether or not somebody panicked with it: a panic ends the run by another way.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    match mutex.lock() {
        Ok(guard) => guard,
        Err(poisoned) => poisoned.into_inner(),
    }
}
