//! Python functions as callbacks: they see states and slots as arrays, which they change in place. An exception ends the
//! run and comes out of it.

use crate::errors::argument;
use numpy::{PyArray1, PyArrayMethods, ToPyArray};
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex};
use warpline::physics::{Quat, Vec3};
use warpline::record;
use warpline::sim::{self, CollisionFn, ControlFn, ScheduledFn};

/// The exception that a callback has raised.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

type Numbers = Py<PyArray1<f64>>;

/// A tick, s: nothing can be called again before the next one.
const TICK: f64 = 1.0 / record::TICKS_PER_SECOND;

/// What a callback sees of a body.
#[pyclass(frozen, module = "warpline")]
pub struct View {
    /// The body's place in the world.
    #[pyo3(get)]
    pub body: u32,
    /// Metres.
    #[pyo3(get)]
    pub position: Numbers,
    /// A unit quaternion x, y, z, w.
    #[pyo3(get)]
    pub rotation: Numbers,
    /// Metres a second.
    #[pyo3(get)]
    pub velocity: Numbers,
    /// Radians a second.
    #[pyo3(get)]
    pub spin: Numbers,
    /// What is kept for the body.
    #[pyo3(get)]
    pub slots: Numbers,
    /// 1/kg.
    #[pyo3(get)]
    pub inverse_mass: f64,
}

#[pymethods]
impl View {
    /// Applies an impulse (N s) through the centre of mass.
    fn push(&self, py: Python<'_>, impulse: &Bound<'_, PyAny>) -> PyResult<()> {
        let impulse = crate::values::numbers::<3>(impulse, "impulse")?;
        let text = "the view's velocity is no longer an array of numbers that can be changed";
        let velocity = array(py, &self.velocity);
        let velocity = velocity.and_then(|v| v.try_readwrite().ok());
        let mut velocity = velocity.ok_or_else(|| argument(py, text))?;
        for (v, j) in velocity.as_slice_mut()?.iter_mut().zip(impulse) {
            *v += j * self.inverse_mass;
        }
        Ok(())
    }
}

/// What a controller sees of a multibody, and sets.
#[pyclass(frozen, module = "warpline")]
pub struct Control {
    /// The multibody's name.
    #[pyo3(get)]
    pub multibody: String,
    /// Positions of the joints, in the order of the file or the scene.
    #[pyo3(get)]
    pub positions: Numbers,
    /// Velocities of the joints.
    #[pyo3(get)]
    pub velocities: Numbers,
    /// Control signals of the motors, which hold until they are changed.
    #[pyo3(get)]
    pub controls: Numbers,
    /// What the controller remembers.
    #[pyo3(get)]
    pub slots: Numbers,
}

/// A function of the time and a `Control`, which returns the seconds until its next call, or None.
pub fn controller(function: Py<PyAny>, raised: Raised) -> ControlFn {
    Arc::new(move |control| {
        let mut call = || {
            Python::attach(|py| {
                let array = |numbers: &[f64]| numbers.to_pyarray(py).unbind();
                let shown = Py::new(
                    py,
                    Control {
                        multibody: control.multibody.name.clone(),
                        positions: array(control.positions),
                        velocities: array(control.velocities),
                        controls: array(control.controls),
                        slots: array(control.slots),
                    },
                )?;
                let again = function.call1(py, (control.seconds, &shown))?;
                let shown = shown.get();
                copy(py, &shown.controls, control.controls, "controls")?;
                copy(py, &shown.slots, control.slots, "slots")?;
                next_call(again.extract::<Option<f64>>(py)?, py)
            })
        };
        match call() {
            Ok(again) => again,
            Err(error) => end(&raised, error),
        }
    })
}

/// An array as it was handed out: a function may have given it another type since, and numpy forgets what it was.
fn array<'py>(py: Python<'py>, numbers: &Numbers) -> Option<Bound<'py, PyArray1<f64>>> {
    let array = numbers.bind(py).as_any().cast::<PyArray1<f64>>();
    array.ok().cloned()
}

/// Takes numbers over; those that are not finite are refused, and other arrays than were handed out.
fn copy(py: Python<'_>, from: &Numbers, to: &mut [f64], what: &str) -> PyResult<()> {
    let wrong = |text: &str| argument(py, format!("a callback has left `{what}` {text}"));
    let count = to.len();
    let refused = || {
        let text = format!("as another array; expected {count} numbers, changed in place");
        wrong(&text)
    };
    let from = array(py, from).ok_or_else(refused)?;
    let from = from.try_readonly().map_err(|_| refused())?;
    let from = from.as_slice().map_err(|_| refused())?;
    if from.len() != count {
        return Err(refused());
    }
    if from.iter().any(|x| !x.is_finite()) {
        return Err(wrong("with numbers that are not finite"));
    }
    to.copy_from_slice(from);
    Ok(())
}

/// The seconds until the next call; a time that makes no sense is refused.
fn next_call(again: Option<f64>, py: Python<'_>) -> PyResult<Option<f64>> {
    match again {
        Some(s) if !(s.is_finite() && s >= TICK) => {
            let text = format!(
                "a callback has returned {s}; expected the seconds until its next call, at least a tick ({TICK:.2e} s), or None"
            );
            Err(argument(py, text))
        }
        _ => Ok(again),
    }
}

fn shown(py: Python<'_>, view: &sim::View) -> PyResult<Py<View>> {
    let array = |numbers: &[f64]| numbers.to_pyarray(py).unbind();
    Py::new(
        py,
        View {
            body: view.body.0,
            position: array(&view.state.position.to_array()),
            rotation: array(&view.state.rotation.to_array()),
            velocity: array(&view.state.velocity.to_array()),
            spin: array(&view.state.spin.to_array()),
            slots: array(&view.slots),
            inverse_mass: view.inverse_mass,
        },
    )
}

/// Takes over what a callback has changed.
fn taken(py: Python<'_>, shown: &Py<View>, view: &mut sim::View) -> PyResult<()> {
    let shown = shown.get();
    let three = |array: &Numbers, what: &str| -> PyResult<Vec3> {
        let mut numbers = [0.0; 3];
        copy(py, array, &mut numbers, what)?;
        Ok(Vec3::from_array(numbers))
    };
    view.state.position = three(&shown.position, "position")?;
    view.state.velocity = three(&shown.velocity, "velocity")?;
    view.state.spin = three(&shown.spin, "spin")?;
    let mut q = [0.0; 4];
    copy(py, &shown.rotation, &mut q, "rotation")?;
    let rotation = Quat::from_array(q);
    if (rotation.length() - 1.0).abs() > 1e-6 {
        let text =
            "a callback has left `rotation` with numbers that are no unit quaternion x, y, z, w";
        return Err(argument(py, text));
    }
    view.state.rotation = rotation;
    copy(py, &shown.slots, &mut view.slots, "slots")
}

/// Keeps the exception for whoever asked for the run, and ends the run.
fn end(raised: &Raised, error: PyErr) -> ! {
    if let Ok(mut place) = raised.lock() {
        place.get_or_insert(error);
    }
    // The engine turns this into an error of the run.
    resume_unwind(Box::new(String::from("a callback has raised an exception")))
}

/// A function of the time and a list of views, which returns the seconds until its next call, or None.
pub fn scheduled(function: Py<PyAny>, raised: Raised) -> ScheduledFn {
    Arc::new(move |seconds, views| {
        let mut call = || {
            Python::attach(|py| {
                let shown: Vec<Py<View>> = views
                    .iter()
                    .map(|view| shown(py, view))
                    .collect::<PyResult<_>>()?;
                let list = pyo3::types::PyList::new(py, &shown)?;
                let again = function.call1(py, (seconds, list))?;
                for (shown, view) in shown.iter().zip(views.iter_mut()) {
                    taken(py, shown, view)?;
                }
                next_call(again.extract::<Option<f64>>(py)?, py)
            })
        };
        match call() {
            Ok(again) => again,
            Err(error) => end(&raised, error),
        }
    })
}

/// A function of the time, two views and the impulse.
pub fn at_collisions(function: Py<PyAny>, raised: Raised) -> CollisionFn {
    Arc::new(move |seconds, views, impulse| {
        let mut call = || {
            Python::attach(|py| {
                let pair = [shown(py, &views[0])?, shown(py, &views[1])?];
                let list = pyo3::types::PyList::new(py, &pair)?;
                function.call1(py, (seconds, list, impulse))?;
                for (shown, view) in pair.iter().zip(views.iter_mut()) {
                    taken(py, shown, view)?;
                }
                Ok(())
            })
        };
        if let Err(error) = call() {
            end(&raised, error)
        }
    })
}
