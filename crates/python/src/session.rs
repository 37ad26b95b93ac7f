//! A simulation in frames, for games that predict and roll back.

use crate::callbacks::Raised;
use crate::errors::{argument, exception, raised};
use crate::interrupts::Watch;
use crate::simulation::told;
use crate::values::table;
use crate::world::{Body, failure};
use crate::{actions, arrays};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, MutexGuard};
use warpline::Error;
use warpline::sim::{self, BodyId};
use warpline::world::Model;

/// A simulation in frames.
#[pyclass(frozen, module = "warpline")]
pub struct Session {
    /// In a box: an object of the interpreter's is not aligned as the engine's columns want to be.
    held: Mutex<Box<sim::Session>>,
    model: Model,
    raised: Raised,
}

impl Session {
    /// A session at frame 0.
    pub fn new(
        py: Python<'_>,
        model: Model,
        hertz: u32,
        most_ahead: u64,
        from_callback: Raised,
    ) -> PyResult<Self> {
        let world = (*model.world).clone();
        let made = sim::Session::new(world, hertz, most_ahead);
        Ok(Session {
            held: Mutex::new(Box::new(made.map_err(|e| raised(py, e.into()))?)),
            model,
            raised: from_callback,
        })
    }

    fn hold(&self, py: Python<'_>) -> PyResult<MutexGuard<'_, Box<sim::Session>>> {
        self.held.try_lock().map_err(|_| {
            let text = "this session is in use by another thread";
            exception(py, "BusyError", text.into())
        })
    }

    fn place(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<BodyId> {
        if let Ok(body) = body.cast::<Body>() {
            let id = self.model.id(body.get().handle);
            return id.map_err(|e| raised(py, e));
        }
        let Ok(name) = body.extract::<String>() else {
            return Err(argument(py, "expected a body or its name"));
        };
        let mut hold = self.hold(py)?;
        let bodies = &hold.simulation().world().bodies;
        match bodies.iter().position(|b| b.name == name) {
            Some(index) => Ok(BodyId(index as u32)),
            None => Err(raised(py, Error::NoBody(name))),
        }
    }

    fn failed(&self, py: Python<'_>, error: sim::SessionError) -> PyErr {
        failure(py, &self.raised, error.into())
    }
}

fn gone(py: Python<'_>, frame: u64) -> PyErr {
    let text = format!("frame {frame} is not simulated yet, or has been let go");
    argument(py, text)
}

#[pymethods]
impl Session {
    /// The frame that has been simulated up to.
    #[getter]
    fn frame(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.hold(py)?.frame())
    }

    /// The frame before which all inputs are known.
    #[getter]
    fn confirmed(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.hold(py)?.confirmed())
    }

    /// Simulates up to the start of a frame.
    fn advance_to(&self, py: Python<'_>, frame: u64) -> PyResult<()> {
        let mut hold = self.hold(py)?;
        let session: &mut sim::Session = &mut hold;
        session.reach(frame).map_err(|e| self.failed(py, e))?;
        let mut watch = Watch::new(None);
        py.detach(|| {
            // Frame by frame, so that Ctrl-C can stop it.
            for next in session.frame() + 1..=frame {
                session.advance_to(next).map_err(Ok)?;
                watch.look(0.0).map_err(Err)?;
            }
            Ok(())
        })
        .map_err(|stop: Result<sim::SessionError, PyErr>| match stop {
            Ok(error) => self.failed(py, error),
            Err(exception) => exception,
        })
    }

    /// An input made by a player in a frame.
    #[pyo3(signature = (frame, player, body, **keys))]
    fn input<'py>(
        &self,
        py: Python<'py>,
        frame: u64,
        player: u32,
        body: &Bound<'py, PyAny>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let none = PyDict::new(py);
        let action = actions::action(keys.unwrap_or(&none))?;
        let body = self.place(py, body)?;
        let mut hold = self.hold(py)?;
        let session: &mut sim::Session = &mut hold;
        let change = py.detach(|| session.input(frame, player, body, action));
        told(py, &change.map_err(|e| self.failed(py, e))?)
    }

    /// Adds a body that was not declared at the start of a frame; all peers give it the same place. Returns its name.
    #[pyo3(signature = (frame, place, /, **keys))]
    fn add_body(
        &self,
        py: Python<'_>,
        frame: u64,
        place: u32,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<String> {
        let keys = keys.map_or(Ok(Vec::new()), table)?;
        let mut text = String::new();
        if !keys.iter().any(|(key, _)| key == "name") {
            text = format!("name = \"added {place}\"\n");
        }
        for (key, value) in &keys {
            text += &format!("{key} = {value}\n");
        }
        let mut hold = self.hold(py)?;
        let session: &mut sim::Session = &mut hold;
        let (new, state) = sim::scene::read_body(session.simulation().world(), &text)
            .map_err(|e| raised(py, Error::Scene(e)))?;
        let (id, _) = py
            .detach(|| session.add(frame, place, new, state))
            .map_err(|e| self.failed(py, e))?;
        Ok(session.simulation().world().bodies[id.index()].name.clone())
    }

    /// Takes a predicted input back.
    fn withdraw<'py>(
        &self,
        py: Python<'py>,
        frame: u64,
        player: u32,
        body: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let body = self.place(py, body)?;
        let mut hold = self.hold(py)?;
        let session: &mut sim::Session = &mut hold;
        let change = py.detach(|| session.withdraw(frame, player, body));
        told(py, &change.map_err(|e| self.failed(py, e))?)
    }

    /// All inputs of the frames before this one are known.
    fn confirm(&self, py: Python<'_>, frame: u64) -> PyResult<()> {
        let mut hold = self.hold(py)?;
        let session: &mut sim::Session = &mut hold;
        let confirmed = py.detach(|| session.confirm(frame));
        confirmed.map_err(|e| self.failed(py, e))
    }

    /// A hash of all states at the start of a frame.
    fn hash(&self, py: Python<'_>, frame: u64) -> PyResult<u64> {
        let hash = self.hold(py)?.hash(frame);
        hash.ok_or_else(|| gone(py, frame))
    }

    /// The state of a body at the start of a frame; None if it is not there.
    fn state<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        frame: u64,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let body = self.place(py, body)?;
        let mut hold = self.hold(py)?;
        let tick = hold.tick(frame);
        if !hold.simulation().covers(tick) {
            return Err(gone(py, frame));
        }
        let state = hold.simulation().user_state(body, tick);
        Ok(state.map(|s| arrays::row(py, &s)))
    }

    /// The states of all bodies at the start of a frame.
    fn states<'py>(&self, py: Python<'py>, frame: u64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut hold = self.hold(py)?;
        let tick = hold.tick(frame);
        if !hold.simulation().covers(tick) {
            return Err(gone(py, frame));
        }
        let declared = hold.simulation().world().declared();
        let count = declared + hold.simulation().next_place() as usize;
        let array = PyArray2::zeros(py, [count, arrays::ROW], false);
        let mut rows = array.readwrite();
        hold.simulation().fill_states(tick, rows.as_slice_mut()?);
        drop(rows);
        Ok(array)
    }
}
