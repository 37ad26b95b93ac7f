//! Interrupts: what was made for the time of the command is taken away before it ends.

use std::io::{Error, Result};
use std::sync::Mutex;

/// The exit code of a command that was interrupted, as shells expect it.
const INTERRUPTED: i32 = 130;

/// Calls `tidy` when the program is interrupted, asked to end or loses its terminal, and ends it.
pub fn on_interrupt(tidy: impl FnOnce() + Send + 'static) -> Result<()> {
    let tidy = Mutex::new(Some(tidy));
    let handler = move || {
        let tidy = tidy.lock().ok().and_then(|mut tidy| tidy.take());
        if let Some(tidy) = tidy {
            tidy();
        }
        std::process::exit(INTERRUPTED);
    };
    ctrlc::set_handler(handler).map_err(Error::other)
}
