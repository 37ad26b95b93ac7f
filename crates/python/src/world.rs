//! Worlds: made in code or from scenes, and run.

use crate::callbacks::{Raised, at_collisions, controller, scheduled};
use crate::errors::{argument, raised};
use crate::interrupts::{Watch, exception_of};
use crate::recordings::Viewer;
use crate::session::Session;
use crate::simulation::Simulation;
use crate::values::{table, value};
use crate::{actions, arrays};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyDict};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use warpline::algorithm::{Named, look_ahead};
use warpline::contacts::Contacts;
use warpline::events::{Events, Happening};
use warpline::physics::State;
use warpline::record::Contact;
use warpline::sim::{Discard, History, HistoryError, RunError, SimulationError};
use warpline::{Error, World as Made};

/// A body of a world.
#[pyclass(frozen, module = "warpline")]
pub struct Body {
    pub handle: warpline::Body,
    /// Its name.
    #[pyo3(get)]
    pub name: String,
}

#[pymethods]
impl Body {
    fn __repr__(&self) -> String {
        format!("<body {:?}>", self.name)
    }
}

/// More slots than this are somebody's mistake, and no memory would hold them.
const SLOTS_MAX: usize = 4096;

/// Refuses what cannot be called, before a run does.
fn callable(py: Python<'_>, function: &Py<PyAny>) -> PyResult<()> {
    let function = function.bind(py);
    if function.is_callable() {
        return Ok(());
    }
    let kind = function.get_type().name()?.to_string();
    Err(argument(py, format!("expected a function, not a {kind}")))
}

/// A world that is being made.
#[pyclass(module = "warpline", subclass)]
pub struct World {
    pub made: Made,
    pub raised: Raised,
}

/// The exception of a run: the one that a callback or a signal has raised, or the library's error.
pub fn failure(py: Python<'_>, from_callback: &Raised, error: Error) -> PyErr {
    if let Ok(mut place) = from_callback.lock()
        && let Some(exception) = place.take()
    {
        return exception;
    }
    let history: Option<&HistoryError> = match &error {
        Error::Run(error) => RunError::of_history(error),
        Error::Simulation(error) => SimulationError::of_history(error),
        _ => None,
    };
    if let Some(exception) = history.and_then(exception_of) {
        return exception;
    }
    raised(py, error)
}

impl World {
    fn bodies(&self, list: &Bound<'_, PyAny>) -> PyResult<Vec<warpline::Body>> {
        let mut bodies = Vec::new();
        for item in list.try_iter()? {
            let item = item?;
            let Ok(body) = item.cast::<Body>() else {
                return Err(argument(
                    list.py(),
                    "expected a list of bodies, as add() gives them",
                ));
            };
            bodies.push(body.get().handle);
        }
        Ok(bodies)
    }
}

#[pymethods]
impl World {
    #[new]
    #[pyo3(signature = (name = "world", gravity = None, contact = Some("soft-step")))]
    fn new(
        name: &str,
        gravity: Option<&Bound<'_, PyAny>>,
        contact: Option<&str>,
    ) -> PyResult<Self> {
        let mut made = Made::new();
        made.named(name);
        made.contact(contact.unwrap_or("none"));
        if let Some(gravity) = gravity {
            made.set("gravity", value(gravity)?);
        }
        Ok(World {
            made,
            raised: Arc::default(),
        })
    }

    /// A built-in scene or a TOML file; keyword arguments set values as `--set` does.
    #[staticmethod]
    #[pyo3(signature = (scene, set = None, **parameters))]
    fn load(
        py: Python<'_>,
        scene: &str,
        set: Option<&Bound<'_, PyDict>>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let text = warpline::scene_text::read(scene).map_err(|e| raised(py, e))?;
        Self::from_text(py, &text, scene, set, parameters)
    }

    /// A scene's text.
    #[staticmethod]
    #[pyo3(signature = (text, name = "scene", set = None, **parameters))]
    fn from_text(
        py: Python<'_>,
        text: &str,
        name: &str,
        set: Option<&Bound<'_, PyDict>>,
        parameters: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let mut pairs: Vec<(String, String)> = Vec::new();
        for dict in [set, parameters].into_iter().flatten() {
            for (key, item) in table(dict)? {
                let text = match item {
                    warpline::world::Value::Text(text) => text,
                    other => other.to_string(),
                };
                pairs.push((key, text));
            }
        }
        let pairs: Vec<(&str, &str)> = pairs.iter().map(|(k, v)| (&**k, &**v)).collect();
        let made = Made::from_text(name, text, &pairs).map_err(|e| raised(py, e))?;
        Ok(World {
            made,
            raised: Arc::default(),
        })
    }

    /// Sets a value of the top level, or any other by its path.
    fn set(&mut self, key: &str, item: &Bound<'_, PyAny>) -> PyResult<()> {
        self.made.set(key, value(item)?);
        Ok(())
    }

    /// Sets a table such as `contact` or `materials.steel`.
    #[pyo3(signature = (path, /, **keys))]
    fn table(&mut self, path: &str, keys: Option<&Bound<'_, PyDict>>) -> PyResult<()> {
        let keys = keys.map_or(Ok(Vec::new()), table)?;
        self.made.put_table(path, keys);
        Ok(())
    }

    /// Adds a body with the keys of a scene's `[[body]]`.
    #[pyo3(signature = (default_name, /, **keys))]
    fn add_body(
        &mut self,
        py: Python<'_>,
        default_name: &str,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Body> {
        let keys = keys.map_or(Ok(Vec::new()), table)?;
        let handle = self.made.add_body(default_name, keys);
        let name = self.made.name_of(handle).map_err(|e| raised(py, e))?;
        let name = name.to_string();
        Ok(Body { handle, name })
    }

    /// Adds an entry of any other list of a scene.
    #[pyo3(signature = (kind, /, **keys))]
    fn add_entry(
        &mut self,
        py: Python<'_>,
        kind: &str,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let keys = keys.map_or(Ok(Vec::new()), table)?;
        self.made.put_entry(kind, keys).map_err(|e| raised(py, e))
    }

    /// Refuses a body of another world.
    fn owns(&self, py: Python<'_>, body: &Bound<'_, Body>) -> PyResult<()> {
        let name = self.made.name_of(body.get().handle);
        name.map(|_| ()).map_err(|e| raised(py, e))
    }

    /// A body by its name.
    fn body_named(&mut self, py: Python<'_>, name: &str) -> PyResult<Body> {
        let handle = self.made.named_body(name).map_err(|e| raised(py, e))?;
        let name = name.into();
        Ok(Body { handle, name })
    }

    /// Slots of every body.
    fn slots(&mut self, py: Python<'_>, count: usize) -> PyResult<()> {
        if count > SLOTS_MAX {
            let text = format!("{count} slots for every body are too many; at most {SLOTS_MAX}");
            return Err(argument(py, text));
        }
        self.made.slots(count);
        Ok(())
    }

    /// A function that is called at scheduled times.
    fn add_callback(
        &mut self,
        py: Python<'_>,
        name: &str,
        bodies: &Bound<'_, PyAny>,
        first: f64,
        function: Py<PyAny>,
    ) -> PyResult<()> {
        let bodies = self.bodies(bodies)?;
        callable(py, &function)?;
        let run = scheduled(function, Arc::clone(&self.raised));
        let made = self.made.callback(name, &bodies, first, run);
        made.map(|_| ()).map_err(|e| raised(py, e))
    }

    /// A function that is called at collisions.
    fn add_on_collision(&mut self, py: Python<'_>, function: Py<PyAny>) -> PyResult<()> {
        callable(py, &function)?;
        let run = at_collisions(function, Arc::clone(&self.raised));
        self.made.on_collision(run);
        Ok(())
    }

    /// A function that sets the motors of a multibody.
    fn add_controller(
        &mut self,
        py: Python<'_>,
        multibody: &str,
        first: f64,
        slots: usize,
        function: Py<PyAny>,
    ) -> PyResult<()> {
        callable(py, &function)?;
        let run = controller(function, Arc::clone(&self.raised));
        let made = self.made.controller(multibody, first, slots, run);
        made.map(|_| ()).map_err(|e| raised(py, e))
    }

    /// What readers of the scene and of robots' files had to say.
    #[getter]
    fn warnings(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.made.warnings().map_err(|e| raised(py, e))
    }

    /// An input that is known beforehand.
    #[pyo3(signature = (body, at, order = 0, **keys))]
    fn input(
        &mut self,
        py: Python<'_>,
        body: &Bound<'_, Body>,
        at: f64,
        order: u32,
        keys: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<()> {
        let none = PyDict::new(py);
        let action = actions::action(keys.unwrap_or(&none))?;
        let made = self.made.input(body.get().handle, at, order, action);
        made.map(|_| ()).map_err(|e| raised(py, e))
    }

    /// The scene file that says the same.
    #[pyo3(signature = (until = 1.0))]
    fn to_scene(&self, until: f64) -> String {
        self.made.to_scene(until)
    }

    /// Runs it.
    #[pyo3(signature = (seconds = None, algorithm = "timewarp", ahead = None, threads = None, record = None, events = false, contacts = false, progress = None))]
    #[allow(clippy::too_many_arguments)]
    fn run(
        &self,
        py: Python<'_>,
        seconds: Option<f64>,
        algorithm: &str,
        ahead: Option<&Bound<'_, PyAny>>,
        threads: Option<usize>,
        record: Option<PathBuf>,
        events: bool,
        contacts: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Run> {
        let named: Named = algorithm.parse().map_err(|e: String| argument(py, e))?;
        let ahead = match ahead {
            Some(ahead) => {
                Some(look_ahead(&ahead.str()?.to_string()).map_err(|e| argument(py, e))?)
            }
            None => None,
        };
        let named = named.with_look_ahead(ahead).map_err(|e| argument(py, e))?;
        if threads == Some(0) {
            let text = "threads: no run goes without a thread; expected at least 1";
            return Err(argument(py, text));
        }
        let named = named.with_threads(threads).map_err(|e| argument(py, e))?;
        let mut made = self.made.clone();
        if let Some(path) = &record {
            made.record(path).map_err(|e| raised(py, e))?;
        }
        if let Some(progress) = &progress {
            callable(py, progress)?;
        }
        let mut watch = Watch::new(progress);
        let mut kept = Events::default();
        let mut followed = match contacts {
            true => {
                let model = made.build(seconds).map_err(|e| raised(py, e))?;
                Some(Contacts::new(&model.world))
            }
            false => None,
        };
        let ran = py.detach(|| {
            let (mut nothing, mut nobody) = (Discard, Discard);
            let listener: &mut dyn History = match events {
                true => &mut kept,
                false => &mut nothing,
            };
            let follower: &mut dyn History = match &mut followed {
                Some(contacts) => contacts,
                None => &mut nobody,
            };
            made.run_with(seconds, &named, &mut (&mut watch, (listener, follower)))
        });
        let ran = ran.map_err(|e| failure(py, &self.raised, e))?;
        let contacts = followed.map(|mut contacts| {
            contacts.finish(ran.model.world.until);
            contacts.take()
        });
        let stats = serde_json::to_string(&ran.stats)
            .map_err(|e| argument(py, format!("cannot write the statistics: {e}")))?;
        Ok(Run {
            stats,
            states: ran.states.iter().copied().map(Some).collect(),
            events: events.then_some(kept.happenings),
            contacts,
            names: ran
                .model
                .world
                .bodies
                .iter()
                .map(|b| b.name.clone())
                .collect(),
            ran: Mutex::new(ran),
        })
    }

    /// One history under every executor, and no overlaps.
    #[pyo3(signature = (seconds = None))]
    fn check<'py>(&self, py: Python<'py>, seconds: Option<f64>) -> PyResult<Bound<'py, PyDict>> {
        let mut watch = Watch::new(None);
        let check = py
            .detach(|| self.made.build(seconds)?.check_with(&mut watch))
            .map_err(|e| failure(py, &self.raised, e))?;
        let dict = PyDict::new(py);
        dict.set_item("history_sha256", &check.history_sha256)?;
        dict.set_item("differing", &check.differing)?;
        let deepest = check.overlaps.deepest.as_ref();
        dict.set_item("deepest_overlap_m", deepest.map_or(0.0, |o| o.depth))?;
        Ok(dict)
    }

    /// A simulation to talk to.
    #[pyo3(signature = (retain = 1.0, events = false, contacts = false))]
    fn simulate(
        &self,
        py: Python<'_>,
        retain: f64,
        events: bool,
        contacts: bool,
    ) -> PyResult<Simulation> {
        let sim = py.detach(|| {
            let mut sim = self.made.simulate(retain)?;
            if contacts {
                sim.follow_contacts()?;
            }
            Ok(sim)
        });
        let sim = sim.map_err(|e| failure(py, &self.raised, e))?;
        Ok(Simulation::new(sim, Arc::clone(&self.raised), events))
    }

    /// A simulation in frames.
    fn session(&self, py: Python<'_>, hertz: u32, most_ahead: u64) -> PyResult<Session> {
        let model = self.made.build(None);
        let model = model.map_err(|e| failure(py, &self.raised, e))?;
        Session::new(py, model, hertz, most_ahead, Arc::clone(&self.raised))
    }

    /// A simulation that goes on from a checkpoint of this world.
    #[pyo3(signature = (path, events = false))]
    fn resume(&self, py: Python<'_>, path: PathBuf, events: bool) -> PyResult<Simulation> {
        let sim = py.detach(|| warpline::Simulation::load(path, self.made.build(None)?));
        let sim = sim.map_err(|e| failure(py, &self.raised, e))?;
        Ok(Simulation::new(sim, Arc::clone(&self.raised), events))
    }

    /// Runs it and shows the recording.
    #[pyo3(signature = (seconds = None, port = 0))]
    fn view(&self, py: Python<'_>, seconds: Option<f64>, port: u16) -> PyResult<Viewer> {
        let folder = tempfile::tempdir()
            .map_err(|e| argument(py, format!("cannot make a temporary folder: {e}")))?;
        let path = folder.path().join("run.wline");
        self.run(
            py,
            seconds,
            "timewarp",
            None,
            None,
            Some(path.clone()),
            false,
            false,
            None,
        )?;
        Viewer::open(py, &path, port, Some(folder))
    }
}

/// A run that has ended.
#[pyclass(frozen, module = "warpline")]
pub struct Run {
    stats: String,
    states: Vec<Option<State>>,
    events: Option<Vec<Happening>>,
    contacts: Option<Vec<Contact>>,
    /// The bodies' names, in the order of the rows of `states`.
    #[pyo3(get)]
    names: Vec<String>,
    ran: Mutex<warpline::world::Run>,
}

#[pymethods]
impl Run {
    /// The statistics as JSON.
    #[getter]
    fn stats_json(&self) -> &str {
        &self.stats
    }

    /// The last states, a row for each body.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        arrays::rows(py, &self.states)
    }

    /// The last state of a body.
    fn state<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let index = if let Ok(body) = body.cast::<Body>() {
            let ran = self
                .ran
                .lock()
                .map_err(|_| argument(py, "this run is in use"))?;
            let id = ran.model.id(body.get().handle).map_err(|e| raised(py, e))?;
            id.index()
        } else {
            let name: String = body
                .extract()
                .map_err(|_| argument(py, "expected a body or its name"))?;
            let index = self.names.iter().position(|n| *n == name);
            index.ok_or_else(|| raised(py, Error::NoBody(name)))?
        };
        match &self.states[index] {
            Some(state) => Ok(arrays::row(py, state)),
            None => Err(argument(py, "the body is not there")),
        }
    }

    /// The bytes of all events, or None if they were not asked for.
    #[getter]
    fn events_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyByteArray>> {
        self.events
            .as_ref()
            .map(|events| arrays::events(py, events))
    }

    /// The bytes of all contact events, or None if they were not asked for.
    #[getter]
    fn contacts_bytes<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyByteArray>> {
        self.contacts
            .as_ref()
            .map(|contacts| arrays::contacts(py, contacts))
    }
}

/// The built-in scenes and what they show.
#[pyfunction]
pub fn scenes(py: Python<'_>) -> PyResult<Vec<(String, String)>> {
    let mut all = Vec::new();
    for builtin in warpline::sim::scene::BUILTIN {
        let scene = warpline::sim::scene::load(builtin.name, builtin.text, &[])
            .map_err(|e| raised(py, Error::Scene(e)))?;
        all.push((builtin.name.to_string(), scene.description));
    }
    Ok(all)
}
