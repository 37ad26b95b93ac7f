//! A running simulation. It belongs to one thread at a time; the interpreter's lock is not held while it simulates.

use crate::arrays::{self, ROW};
use crate::callbacks::Raised;
use crate::errors::{argument, exception, raised};
use crate::interrupts::Watch;
use crate::multibodies::{self, Described};
use crate::values::{numbers, table, vector};
use crate::world::{Body, failure};
use crate::{actions, rollouts};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict, PyList, PyTuple};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard};
use warpline::events::Events;
use warpline::physics::{Part, Pose, Quat, Shape, Vec3};
use warpline::sim::{Action, BodyId, Change, Discard, Input};
use warpline::warp::Tick;
use warpline::{Error, Simulation as Inner};

/// Simulated between two looks at the clock: a sixteenth of a second.
const SLICE: i64 = 1 << 36;

/// A running simulation.
#[pyclass(frozen, module = "warpline", subclass)]
pub struct Simulation {
    /// In a box: an object of the interpreter's is not aligned as the engine's columns want to be.
    held: Mutex<Option<Box<Held>>>,
    raised: Raised,
}

/// What a simulation holds until it is closed.
pub struct Held {
    pub sim: Inner,
    /// Events that have become final and were not taken yet, if they are wanted.
    events: Option<Events>,
}

impl Simulation {
    /// Around one of the library.
    pub fn new(sim: Inner, raised: Raised, events: bool) -> Self {
        let events = events.then(Events::default);
        Simulation {
            held: Mutex::new(Some(Box::new(Held { sim, events }))),
            raised,
        }
    }

    /// Takes hold of it for a call.
    fn hold(&self, py: Python<'_>) -> PyResult<Hold<'_>> {
        let Ok(guard) = self.held.try_lock() else {
            let text = "this simulation is in use: by another thread, or by the call that has called back; \
                        give each thread a branch of its own";
            return Err(exception(py, "BusyError", text.into()));
        };
        match guard.is_some() {
            true => Ok(Hold(guard)),
            false => Err(exception(
                py,
                "ClosedError",
                "this simulation is closed".into(),
            )),
        }
    }

    fn failed(&self, py: Python<'_>, error: Error) -> PyErr {
        failure(py, &self.raised, error)
    }

    fn stopped(&self, py: Python<'_>, stop: Stop) -> PyErr {
        match stop {
            Stop::Exception(exception) => exception,
            Stop::Error(error) => self.failed(py, error),
        }
    }
}

/// A simulation that is there, held for a call.
struct Hold<'a>(MutexGuard<'a, Option<Box<Held>>>);

impl Hold<'_> {
    fn get(&mut self) -> PyResult<&mut Held> {
        // Whoever holds it has looked that it is there.
        self.0
            .as_deref_mut()
            .ok_or_else(|| Python::attach(|py| argument(py, "this simulation is closed")))
    }
}

/// The place of a body: a body of the world, its name, or the place itself.
pub fn place(py: Python<'_>, sim: &Inner, body: &Bound<'_, PyAny>) -> PyResult<BodyId> {
    if let Ok(body) = body.cast::<Body>() {
        return sim.id(body.get().handle).map_err(|e| raised(py, e));
    }
    // Places beyond the rows were never filled.
    let bodies = &sim.model().bodies[..sim.rows().min(sim.model().bodies.len())];
    if let Ok(index) = body.extract::<u32>() {
        return match (index as usize) < bodies.len() {
            true => Ok(BodyId(index)),
            false => {
                let count = bodies.len();
                let text = format!("there is no body {index}; there are {count}");
                Err(exception(py, "BodyError", text))
            }
        };
    }
    let Ok(name) = body.extract::<String>() else {
        return Err(argument(
            py,
            "expected a body, its name, or its row in states()",
        ));
    };
    match bodies.iter().position(|b| b.name == name) {
        Some(index) => Ok(BodyId(index as u32)),
        None => Err(raised(py, Error::NoBody(name))),
    }
}

/// A time, or now.
fn moment(sim: &mut Inner, at: Option<f64>) -> Result<Tick, Error> {
    let Some(at) = at else {
        let now = sim.inner().now();
        if !sim.inner().covers(now) {
            // It is over: asking it to go on says why.
            sim.advance_to(now, &mut Discard)?;
        }
        return Ok(now);
    };
    sim.reach(at)
}

pub fn told<'py>(py: Python<'py>, change: &Change) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let bodies: Vec<u32> = change.changed.iter().map(|(b, _)| b.0).collect();
    let since: Vec<f64> = change.changed.iter().map(|(_, t)| t.seconds()).collect();
    dict.set_item("changed", bodies)?;
    dict.set_item("since", since)?;
    let repeated: Vec<u32> = change.repeated.iter().map(|b| b.0).collect();
    dict.set_item("repeated", repeated)?;
    dict.set_item("undone", change.undone)?;
    dict.set_item("begun", change.begun)?;
    Ok(dict)
}

fn advance(held: &mut Held, to: Tick, watch: &mut Watch) -> Result<(), Stop> {
    loop {
        let now = held.sim.inner().now();
        let next = match to > now {
            true => to.min(now.saturating_add(SLICE)),
            // An error if it is earlier.
            false => to,
        };
        let advanced = match &mut held.events {
            Some(events) => held.sim.advance_to(next, events),
            None => held.sim.advance_to(next, &mut Discard),
        };
        advanced.map_err(Stop::Error)?;
        if next == to {
            return Ok(());
        }
        watch.look(next.seconds()).map_err(Stop::Exception)?;
    }
}

/// Why it stopped.
enum Stop {
    Error(Error),
    Exception(PyErr),
}

#[pymethods]
impl Simulation {
    /// How far it has been simulated, s.
    #[getter]
    fn now(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.hold(py)?.get()?.sim.now())
    }

    /// Where final history ends, s.
    #[getter]
    fn final_until(&self, py: Python<'_>) -> PyResult<f64> {
        Ok(self.hold(py)?.get()?.sim.final_until())
    }

    /// The bodies' names, in the order of the rows of `states()`.
    #[getter]
    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let mut hold = self.hold(py)?;
        let sim = &hold.get()?.sim;
        let bodies = sim.model().bodies.iter().take(sim.rows());
        Ok(bodies.map(|b| b.name.clone()).collect())
    }

    /// How many bodies there are.
    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.hold(py)?.get()?.sim.rows())
    }

    /// The row of a body in `states()`.
    fn row(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<usize> {
        Ok(place(py, &self.hold(py)?.get()?.sim, body)?.index())
    }

    /// Simulates up to a time, s.
    fn advance(&self, py: Python<'_>, to: f64) -> PyResult<()> {
        let mut hold = self.hold(py)?;
        let held = hold.get()?;
        let tick = warpline::world::tick(to).map_err(|e| raised(py, e))?;
        let mut watch = Watch::new(None);
        py.detach(|| advance(held, tick, &mut watch))
            .map_err(|stop| self.stopped(py, stop))
    }

    /// Nothing before a time will change any more.
    fn settle(&self, py: Python<'_>, to: f64) -> PyResult<()> {
        let mut hold = self.hold(py)?;
        let Held { sim, events } = hold.get()?;
        let settled = match events {
            Some(events) => sim.settle(to, events),
            None => sim.settle(to, &mut Discard),
        };
        settled.map_err(|e| self.failed(py, e))
    }

    /// The state of a body, 13 numbers; None if it is not there.
    #[pyo3(signature = (body, at = None))]
    fn state<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        at: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyArray1<f64>>>> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let id = place(py, sim, body)?;
        let tick = moment(sim, at).map_err(|e| raised(py, e))?;
        Ok(sim.user_state(id, tick).map(|s| arrays::row(py, &s)))
    }

    /// The states of all bodies, a row of 13 numbers each.
    #[pyo3(signature = (at = None, out = None))]
    fn states<'py>(
        &self,
        py: Python<'py>,
        at: Option<f64>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let tick = moment(sim, at).map_err(|e| raised(py, e))?;
        let count = sim.rows();
        let array = match out {
            Some(out) if out.cast::<PyArray2<f64>>().is_err() => {
                let text = format!(
                    "out: expected a contiguous array of float64 of shape ({count}, {ROW})"
                );
                return Err(argument(py, text));
            }
            Some(out) => Some(out.cast_into::<PyArray2<f64>>()?),
            None => None,
        };
        let array = match array {
            Some(out) if out.shape() == [count, ROW] && out.is_c_contiguous() => out,
            Some(out) => {
                let shape = out.shape();
                return Err(argument(
                    py,
                    format!(
                        "out: expected a contiguous array of shape ({count}, {ROW}), not {shape:?}"
                    ),
                ));
            }
            // SAFETY: `fill_states` writes every number of it, and nobody sees it before.
            None => unsafe { PyArray2::new(py, [count, ROW], false) },
        };
        {
            let mut rows = array
                .try_readwrite()
                .map_err(|_| argument(py, "out: the array cannot be written to"))?;
            sim.inner().fill_states(tick, rows.as_slice_mut()?);
        }
        Ok(array)
    }

    /// What is kept for a body.
    fn slots<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let id = place(py, sim, body)?;
        Ok(PyArray1::from_vec(py, sim.inner().slots(id)))
    }

    /// Takes an input, which may lie in the past.
    #[pyo3(signature = (body, at = None, order = 0, **keys))]
    fn input<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        at: Option<f64>,
        order: u32,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let none = PyDict::new(py);
        let action = actions::action(keys.unwrap_or(&none))?;
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let input = input(py, sim, body, at, order, action)?;
        let change = py.detach(|| sim.inputs(&[input]));
        told(py, &change.map_err(|e| self.failed(py, e))?)
    }

    /// Takes several inputs at once, dicts with `body` and the keyword arguments of `input`: all or none.
    fn inputs<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let inputs = plan(py, sim, inputs)?;
        let change = py.detach(|| sim.inputs(&inputs));
        told(py, &change.map_err(|e| self.failed(py, e))?)
    }

    /// Takes an input back.
    #[pyo3(signature = (body, at, order = 0))]
    fn withdraw<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        at: f64,
        order: u32,
    ) -> PyResult<Bound<'py, PyDict>> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let id = place(py, sim, body)?;
        let tick = warpline::world::tick(at).map_err(|e| raised(py, e))?;
        let change = py.detach(|| sim.inner().withdraw(tick, id, order));
        told(py, &change.map_err(|e| self.failed(py, e.into()))?)
    }

    /// Adds a body that the world does not have, with the keys of a scene's `[[body]]`; says what that changed.
    #[pyo3(signature = (at = None, place = None, /, **keys))]
    fn add_body<'py>(
        &self,
        py: Python<'py>,
        at: Option<f64>,
        place: Option<u32>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<(Body, Bound<'py, PyDict>)> {
        let keys = keys.map_or(Ok(Vec::new()), table)?;
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let at = at.unwrap_or(sim.now());
        let place = place.unwrap_or(sim.inner().next_place());
        let (handle, change) = py
            .detach(|| sim.add_table(at, place, keys))
            .map_err(|e| self.failed(py, e))?;
        let id = sim.id(handle).map_err(|e| raised(py, e))?;
        let name = sim.model().bodies[id.index()].name.clone();
        Ok((Body { handle, name }, told(py, &change)?))
    }

    /// The bytes of the contact events that are new: final, foreseen, retracted.
    fn contact_news<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyByteArray>; 3]> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let news = py.detach(|| sim.contacts());
        let news = news.map_err(|e| self.failed(py, e))?;
        let bytes = [&news.committed, &news.foreseen, &news.retracted];
        Ok(bytes.map(|list| arrays::contacts(py, list)))
    }

    /// The multibodies: name, names of joints, of links, and how many motors.
    #[getter]
    fn multibodies(&self, py: Python<'_>) -> PyResult<Vec<Described>> {
        Ok(multibodies::described(self.hold(py)?.get()?.sim.model()))
    }

    /// Positions, velocities, control signals and slots of a multibody.
    #[pyo3(signature = (multibody, at = None))]
    fn joints<'py>(
        &self,
        py: Python<'py>,
        multibody: &str,
        at: Option<f64>,
    ) -> PyResult<[Bound<'py, PyArray1<f64>>; 4]> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let at = at.unwrap_or(sim.now());
        let joints = sim.joints(multibody, at).map_err(|e| raised(py, e))?;
        let parts = [
            joints.positions,
            joints.velocities,
            joints.controls,
            joints.slots,
        ];
        Ok(parts.map(|part| PyArray1::from_vec(py, part)))
    }

    /// A second future that shares its past with this one.
    fn branch(&self, py: Python<'_>) -> PyResult<Simulation> {
        let mut hold = self.hold(py)?;
        let held = hold.get()?;
        Ok(Simulation {
            held: Mutex::new(Some(Box::new(Held {
                sim: held.sim.branch(),
                events: held.events.as_ref().map(|_| Events::default()),
            }))),
            raised: Arc::clone(&self.raised),
        })
    }

    /// The first body that a ray meets: row, distance, point, normal; or None.
    #[pyo3(signature = (origin, direction, farthest = 1000.0, at = None))]
    fn cast_ray<'py>(
        &self,
        py: Python<'py>,
        origin: &Bound<'py, PyAny>,
        direction: &Bound<'py, PyAny>,
        farthest: f64,
        at: Option<f64>,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let (origin, direction) = (vector(origin, "origin")?, vector(direction, "direction")?);
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let at = at.unwrap_or(sim.now());
        let hit = sim.cast_ray(at, origin, direction, farthest);
        let Some(hit) = hit.map_err(|e| raised(py, e))? else {
            return Ok(None);
        };
        let array = |v: Vec3| PyArray1::from_slice(py, &v.to_array());
        let hit = (
            hit.body.0,
            hit.distance,
            array(hit.point),
            array(hit.normal),
        );
        Ok(Some(hit.into_pyobject(py)?))
    }

    /// The rows of bodies that a ball or a box touches or overlaps.
    #[pyo3(signature = (position, ball = None, cuboid = None, rotation = None, at = None))]
    fn overlapping(
        &self,
        py: Python<'_>,
        position: &Bound<'_, PyAny>,
        ball: Option<f64>,
        cuboid: Option<&Bound<'_, PyAny>>,
        rotation: Option<&Bound<'_, PyAny>>,
        at: Option<f64>,
    ) -> PyResult<Vec<u32>> {
        let shape = match (ball, cuboid) {
            (Some(radius), None) => Shape::Ball { radius },
            (None, Some(edges)) => Shape::Box {
                half_extents: vector(edges, "box")? * 0.5,
            },
            _ => {
                return Err(argument(
                    py,
                    "expected either `ball` (a radius) or `box` (three edges)",
                ));
            }
        };
        let rotation = match rotation {
            Some(rotation) => Quat::from_array(numbers::<4>(rotation, "rotation")?).normalize(),
            None => Quat::IDENTITY,
        };
        let pose = Pose::from_parts(vector(position, "position")?, rotation);
        if !(pose.translation.is_finite() && pose.rotation.is_finite()) {
            return Err(argument(
                py,
                "position and rotation: expected finite numbers",
            ));
        }
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let at = at.unwrap_or(sim.now());
        let found = sim.overlapping(at, &[Part::centred(shape)], pose);
        Ok(found
            .map_err(|e| raised(py, e))?
            .iter()
            .map(|b| b.0)
            .collect())
    }

    /// Saves a checkpoint.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let mut hold = self.hold(py)?;
        hold.get()?.sim.save(path).map_err(|e| raised(py, e))
    }

    /// A hash of all states: simulations that agree on it agree on every bit.
    #[pyo3(signature = (at = None))]
    fn hash(&self, py: Python<'_>, at: Option<f64>) -> PyResult<u64> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let at = at.unwrap_or(sim.now());
        sim.hash_at(at).map_err(|e| raised(py, e))
    }

    /// The bytes of the events that have become final since they were last taken.
    fn take_events<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let mut hold = self.hold(py)?;
        match &mut hold.get()?.events {
            Some(events) => {
                let happenings = std::mem::take(&mut events.happenings);
                Ok(arrays::events(py, &happenings))
            }
            None => Err(argument(
                py,
                "events were not asked for: simulate(events=True)",
            )),
        }
    }

    /// Runs many branches; see `warpline.Simulation.rollouts`.
    #[pyo3(signature = (inputs, horizon, bodies = None, kind = "force", samples = 1, events = false, threads = 0))]
    #[allow(clippy::too_many_arguments)]
    fn run_rollouts<'py>(
        &self,
        py: Python<'py>,
        inputs: &Bound<'py, PyAny>,
        horizon: f64,
        bodies: Option<&Bound<'py, PyAny>>,
        kind: &str,
        samples: usize,
        events: bool,
        threads: usize,
    ) -> PyResult<Bound<'py, PyTuple>> {
        let mut hold = self.hold(py)?;
        let sim = &mut hold.get()?.sim;
        let plans = match bodies {
            Some(bodies) => rollouts::controls(py, sim, inputs, horizon, bodies, kind)?,
            None => {
                let plans = inputs.try_iter()?.map(|p| plan(py, sim, &p?));
                plans.collect::<PyResult<Vec<_>>>()?
            }
        };
        let asked = warpline::Rollouts {
            horizon,
            samples,
            events,
            threads,
        };
        let told = py.detach(|| {
            let mut watch = Watch::new(None);
            let mut exception = None;
            let told = sim.rollouts_while(&plans, &asked, &mut || {
                exception = watch.look(0.0).err();
                exception.is_none()
            });
            told.map_err(|error| match exception {
                Some(exception) => Stop::Exception(exception),
                None => Stop::Error(error),
            })
        });
        let told = told.map_err(|stop| self.stopped(py, stop))?;
        rollouts::arrays(py, &told, sim.rows())
    }

    /// Statistics.
    #[getter]
    fn stats_json(&self, py: Python<'_>) -> PyResult<String> {
        let mut hold = self.hold(py)?;
        let stats = serde_json::to_string(hold.get()?.sim.inner().stats());
        stats.map_err(|e| argument(py, format!("cannot write the statistics: {e}")))
    }

    /// Bytes held for history, pending events and the broad phase.
    #[getter]
    fn bytes(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.hold(py)?.get()?.sim.inner().bytes())
    }

    /// Lets it go; every later call raises ClosedError.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let Ok(mut guard) = self.held.try_lock() else {
            let text = "this simulation is in use by another thread";
            return Err(exception(py, "BusyError", text.into()));
        };
        *guard = None;
        Ok(())
    }

    fn __enter__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    #[pyo3(signature = (*_exception))]
    fn __exit__(&self, py: Python<'_>, _exception: &Bound<'_, PyTuple>) -> PyResult<()> {
        self.close(py)
    }
}

fn input(
    py: Python<'_>,
    sim: &mut Inner,
    body: &Bound<'_, PyAny>,
    at: Option<f64>,
    order: u32,
    action: Action,
) -> PyResult<Input> {
    let body = place(py, sim, body)?;
    let at = match at {
        Some(at) => warpline::world::tick(at).map_err(|e| raised(py, e))?,
        None => sim.inner().now(),
    };
    Ok(Input {
        at,
        body,
        order,
        action,
    })
}

/// A list of dicts as inputs.
fn plan(py: Python<'_>, sim: &mut Inner, list: &Bound<'_, PyAny>) -> PyResult<Vec<Input>> {
    let wrong = "expected a list of dicts with `body` and the keyword arguments of input()";
    let items = list.try_iter().map_err(|_| argument(py, wrong))?;
    let mut inputs = Vec::new();
    for item in items {
        let item = item?;
        let keys = item.cast::<PyDict>().map_err(|_| argument(py, wrong))?;
        let Some(body) = keys.get_item("body")? else {
            return Err(argument(py, wrong));
        };
        let at = match keys.get_item("at")? {
            Some(at) => at.extract()?,
            None => None,
        };
        let order = match keys.get_item("order")? {
            Some(order) => order.extract()?,
            None => 0,
        };
        let action = actions::action(keys)?;
        inputs.push(input(py, sim, &body, at, order, action)?);
    }
    Ok(inputs)
}

/// Bodies as their places.
pub fn places(py: Python<'_>, sim: &Inner, list: &Bound<'_, PyAny>) -> PyResult<Vec<BodyId>> {
    if let Ok(list) = list.cast::<PyList>() {
        return list.iter().map(|b| place(py, sim, &b)).collect();
    }
    list.try_iter()?.map(|b| place(py, sim, &b?)).collect()
}
