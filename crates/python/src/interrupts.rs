//! A run that Ctrl-C can stop, and that tells how far it is: histories that now and then ask the interpreter.

use pyo3::prelude::*;
use std::fmt;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use warpline::record::Segment;
use warpline::sim::{History, HistoryError, Told};
use warpline::warp::Tick;

/// Between two looks at signals.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// Why a run was stopped: an exception of the interpreter.
#[derive(Debug)]
pub struct Stopped(pub Mutex<Option<PyErr>>);

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("stopped by an exception")
    }
}

impl std::error::Error for Stopped {}

/// Looks at signals while GVT rises, and calls a function with it.
pub struct Watch {
    progress: Option<Py<PyAny>>,
    looked: Instant,
}

impl Watch {
    /// A watch; `progress` is called with the seconds simulated so far.
    pub fn new(progress: Option<Py<PyAny>>) -> Self {
        Watch {
            progress,
            looked: Instant::now(),
        }
    }

    /// Looks, if it is time to.
    pub fn look(&mut self, seconds: f64) -> PyResult<()> {
        if self.looked.elapsed() < LOOK_EVERY {
            return Ok(());
        }
        self.looked = Instant::now();
        Python::attach(|py| {
            py.check_signals()?;
            match &self.progress {
                Some(progress) => progress.call1(py, (seconds,)).map(|_| ()),
                None => Ok(()),
            }
        })
    }
}

impl History for Watch {
    fn segment(&mut self, _: &Segment<'_>) -> Told {
        Ok(())
    }

    fn gvt(&mut self, tick: Tick) -> Told {
        self.look(tick.seconds())
            .map_err(|error| HistoryError::new(Stopped(Mutex::new(Some(error)))))
    }
}

/// The exception that stopped a run, if one did.
pub fn exception_of(error: &HistoryError) -> Option<PyErr> {
    let stopped = error.cause::<Stopped>()?;
    stopped.0.lock().ok()?.take()
}
