//! Errors as Python exceptions, with the words of the command.

use pyo3::prelude::*;
use pyo3::types::PyType;
use warpline::Error;
use warpline::sim::{SessionError, SimulationError};

/// The exception of this name in `warpline.errors`.
pub fn exception(py: Python<'_>, name: &str, text: String) -> PyErr {
    let class = py
        .import("warpline.errors")
        .and_then(|module| module.getattr(name))
        .and_then(|class| Ok(class.cast_into::<PyType>()?));
    match class {
        Ok(class) => PyErr::from_type(class, text),
        Err(error) => error,
    }
}

/// An error of the library as an exception.
pub fn raised(py: Python<'_>, error: Error) -> PyErr {
    let name = match &error {
        Error::Scene(_) | Error::World(_) | Error::Source { .. } | Error::Shape(_) => "SceneError",
        Error::Input(_) => "InputError",
        Error::Simulation(SimulationError::Input(_)) => "InputError",
        Error::Simulation(SimulationError::World(_)) => "SceneError",
        Error::Session(SessionError::Simulation(SimulationError::Input(_)))
        | Error::Session(SessionError::Confirmed { .. }) => "InputError",
        Error::Session(SessionError::Rate { .. }) => "ArgumentError",
        Error::OtherWorld | Error::NoBody(_) => "BodyError",
        Error::Time(_) | Error::Other(_) => "ArgumentError",
        Error::Recording(_) | Error::Checkpoint(_) | Error::Export(_) | Error::Viewer(_) => {
            "RecordingError"
        }
        _ => "RunError",
    };
    exception(py, name, error.to_string())
}

/// A wrong argument.
pub fn argument(py: Python<'_>, text: impl Into<String>) -> PyErr {
    exception(py, "ArgumentError", text.into())
}
