//! Recordings as arrays, pictures and files.

use crate::arrays::{self, ROW, put};
use crate::errors::{argument, raised};
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods, PyReadonlyArray1};
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use tempfile::TempDir;
use warpline::events::Events;
use warpline::physics::{Quat, State, Vec3};
use warpline::record::export::{ExportError, Options};
use warpline::record::{self, Reader};
use warpline::sim::{BodyId, History};
use warpline::viewer::{self, Picture};
use warpline::warp::Tick;
use warpline::{Error, exports, looks};

/// A recording.
#[pyclass(frozen, module = "warpline")]
pub struct Recording {
    path: PathBuf,
    reader: Reader,
    /// The world it was recorded from, where its scene can be read.
    world: Option<warpline::sim::World>,
}

impl Recording {
    fn user(&self, body: usize, state: &record::State) -> State {
        let state = State {
            position: Vec3::from_array(state.position),
            velocity: Vec3::from_array(state.velocity),
            rotation: Quat::from_array(state.rotation),
            spin: Vec3::from_array(state.spin),
        };
        match &self.world {
            Some(world) if body < world.bodies.len() => {
                world.model(BodyId(body as u32)).user_state(&state)
            }
            _ => state,
        }
    }

    fn fill(&self, py: Python<'_>, at: f64, out: &mut [f64]) -> PyResult<()> {
        let tick = self.tick(py, at)?;
        let mut states = Vec::new();
        let read = self.reader.states_at(tick, &mut states);
        read.map_err(|e| raised(py, Error::Recording(e)))?;
        for (body, (state, row)) in states.iter().zip(out.chunks_exact_mut(ROW)).enumerate() {
            let state = state.as_ref().map(|s| self.user(body, s));
            put(state.as_ref(), row);
        }
        Ok(())
    }

    fn tick(&self, py: Python<'_>, at: f64) -> PyResult<i64> {
        let (first, last) = self.reader.span();
        let tick = warpline::world::tick(at).map_err(|e| raised(py, e))?.0;
        match (first..=last).contains(&tick) {
            true => Ok(tick),
            false => Err(argument(
                py,
                format!(
                    "the recording covers {} to {} s; {at} s is asked for",
                    Tick(first).seconds(),
                    Tick(last).seconds()
                ),
            )),
        }
    }

    fn place(&self, py: Python<'_>, body: &Bound<'_, PyAny>) -> PyResult<usize> {
        let bodies = &self.reader.header().bodies;
        let name: String = match body.cast::<crate::world::Body>() {
            Ok(body) => body.get().name.clone(),
            Err(_) => match body.extract::<usize>() {
                Ok(index) if index < bodies.len() => return Ok(index),
                Ok(index) => {
                    let text = format!("there is no body {index}; there are {}", bodies.len());
                    return Err(crate::errors::exception(py, "BodyError", text));
                }
                Err(_) => body
                    .extract()
                    .map_err(|_| argument(py, "expected a body, its name, or its row"))?,
            },
        };
        let index = bodies.iter().position(|b| b.name == name);
        index.ok_or_else(|| raised(py, Error::NoBody(name)))
    }

    /// Why a body has no vertices.
    fn is_rigid(&self, py: Python<'_>, body: usize) -> PyErr {
        let name = &self.reader.header().bodies[body].name;
        let text = format!("`{name}` does not deform, or not yet at this moment; use trajectory()");
        argument(py, text)
    }
}

#[pymethods]
impl Recording {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let reader = Reader::open(&path).map_err(|e| raised(py, Error::Recording(e)))?;
        let world = exports::world_of(&reader).ok();
        Ok(Recording {
            path,
            reader,
            world,
        })
    }

    /// The file.
    #[getter]
    fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// The scene's name.
    #[getter]
    fn scene(&self) -> &str {
        &self.reader.header().scene
    }

    /// The bodies' names, in the order of rows.
    #[getter]
    fn names(&self) -> Vec<String> {
        let bodies = &self.reader.header().bodies;
        bodies.iter().map(|b| b.name.clone()).collect()
    }

    /// First and last moment, s.
    #[getter]
    fn span(&self) -> (f64, f64) {
        let (first, last) = self.reader.span();
        (Tick(first).seconds(), Tick(last).seconds())
    }

    /// Whether the run came to its end.
    #[getter]
    fn is_complete(&self) -> bool {
        self.reader.is_complete()
    }

    /// The run's statistics as JSON, if it came to its end.
    #[getter]
    fn stats_json(&self) -> Option<String> {
        self.reader.footer().map(str::to_owned)
    }

    /// The states of all bodies at a moment, a row each.
    fn states<'py>(&self, py: Python<'py>, at: f64) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let count = self.reader.header().bodies.len();
        let mut flat = vec![f64::NAN; count * ROW];
        self.fill(py, at, &mut flat)?;
        PyArray1::from_vec(py, flat).reshape([count, ROW])
    }

    /// The states of all bodies at several moments: (moments, bodies, 13).
    fn sample<'py>(
        &self,
        py: Python<'py>,
        times: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let count = self.reader.header().bodies.len();
        let times = times.as_array();
        let mut flat = vec![f64::NAN; times.len() * count * ROW];
        for (at, part) in times.iter().zip(flat.chunks_mut((count * ROW).max(1))) {
            self.fill(py, *at, part)?;
        }
        PyArray1::from_vec(py, flat).reshape([times.len(), count, ROW])
    }

    /// The states of one body at several moments: (moments, 13).
    fn trajectory<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        times: PyReadonlyArray1<'py, f64>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let body = self.place(py, body)?;
        let times = times.as_array();
        let mut flat = vec![f64::NAN; times.len() * ROW];
        for (at, row) in times.iter().zip(flat.chunks_exact_mut(ROW)) {
            let tick = self.tick(py, *at)?;
            let state = self.reader.pose(body as u32, tick);
            let state = state.map_err(|e| raised(py, Error::Recording(e)))?;
            put(state.map(|s| self.user(body, &s)).as_ref(), row);
        }
        PyArray1::from_vec(py, flat).reshape([times.len(), ROW])
    }

    /// The vertices of cloth or of a shell at a moment, (vertices, 3), blended between recorded frames.
    fn vertices<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
        at: f64,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let body = self.place(py, body)?;
        let tick = self.tick(py, at)?;
        let found = self.reader.vertices_blended(body as u32, tick);
        let found = found.map_err(|e| raised(py, Error::Recording(e)))?;
        let points = found.ok_or_else(|| self.is_rigid(py, body))?;
        let count = points.len();
        PyArray1::from_vec(py, points.into_flattened()).reshape([count, 3])
    }

    /// The triangles between those vertices, (triangles, 3).
    fn triangles<'py>(
        &self,
        py: Python<'py>,
        body: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<u32>>> {
        let body = self.place(py, body)?;
        let shapes = &self.reader.header().bodies[body].shapes;
        let deforms = !self.reader.vertex_ticks(body as u32).is_empty();
        match shapes.first().map(|part| &part.shape) {
            Some(record::Shape::Mesh { triangles, .. }) if deforms => {
                let count = triangles.len();
                PyArray1::from_vec(py, triangles.clone().into_flattened()).reshape([count, 3])
            }
            _ => Err(self.is_rigid(py, body)),
        }
    }

    /// The bytes of all events.
    fn events_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let mut events = Events::default();
        let (first, last) = self.reader.span();
        let read = self
            .reader
            .for_each_segment(first, last.saturating_add(1), |segment| {
                // This history takes everything.
                let _ = events.segment(&segment);
            });
        read.map_err(|e| raised(py, Error::Recording(e)))?;
        Ok(arrays::events(py, &events.happenings))
    }

    /// The bytes of all contact events.
    fn contacts_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyByteArray>> {
        let (first, last) = self.reader.span();
        let read = self.reader.contacts_between(first, last.saturating_add(1));
        let contacts = read.map_err(|e| raised(py, Error::Recording(e)))?;
        Ok(arrays::contacts(py, &contacts))
    }

    /// Writes it for other programs; the name's ending chooses the format.
    #[pyo3(signature = (to, what = "motion", fps = None, since = None, until = None))]
    fn export(
        &self,
        py: Python<'_>,
        to: PathBuf,
        what: &str,
        fps: Option<f64>,
        since: Option<f64>,
        until: Option<f64>,
    ) -> PyResult<()> {
        let options = Options {
            fps,
            since,
            until,
            ..Options::default()
        };
        let written = py.detach(|| match what {
            "motion" => exports::motion(&self.reader, &to, &options)
                .map(|_| ())
                .map_err(Error::Export),
            "contacts" => exports::contacts(&self.reader, &to, &options).and_then(|table| {
                let path = to.clone();
                let unwritten = |source| ExportError::Write { path, source };
                Ok(std::fs::write(&to, table).map_err(unwritten)?)
            }),
            other => Err(Error::Other(format!(
                "there is nothing called `{other}` to export; expected `motion` or `contacts`"
            ))),
        });
        written.map_err(|e| raised(py, e))
    }

    /// A picture of a moment, as the bytes of a PNG file.
    #[pyo3(signature = (at = 0.0, width = 960, height = 540, dark = false, close = false))]
    fn render_png<'py>(
        &self,
        py: Python<'py>,
        at: f64,
        width: u32,
        height: u32,
        dark: bool,
        close: bool,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let look = looks::look(self.reader.header());
        let picture = Picture {
            width,
            height,
            dark: dark || look.dark == Some(true),
            close,
            eye: look.eye.filter(|_| !close),
            light: look.light,
            ..Picture::default()
        };
        let bytes = py.detach(|| -> Result<Vec<u8>, Error> {
            let folder = tempfile::tempdir().map_err(|e| Error::Other(e.to_string()))?;
            let file = folder.path().join("frame.png");
            viewer::render(&self.reader, at, &picture, &file)?;
            std::fs::read(&file).map_err(|e| Error::Other(e.to_string()))
        });
        Ok(PyBytes::new(py, &bytes.map_err(|e| raised(py, e))?))
    }

    /// Serves the viewer on loopback.
    #[pyo3(signature = (port = 0))]
    fn serve(&self, py: Python<'_>, port: u16) -> PyResult<Viewer> {
        Viewer::open(py, &self.path, port, None)
    }
}

/// A viewer that is being served.
#[pyclass(frozen, module = "warpline")]
pub struct Viewer {
    /// Its address.
    #[pyo3(get)]
    url: String,
    /// What a frame says to be let in.
    key: String,
    held: Mutex<Option<(viewer::Server, Option<TempDir>)>>,
}

impl Viewer {
    /// Serves a recording; `folder` goes with the viewer.
    pub fn open(py: Python<'_>, path: &Path, port: u16, folder: Option<TempDir>) -> PyResult<Self> {
        let secrets = py.import("secrets")?;
        let key: String = secrets.call_method1("token_urlsafe", (16,))?.extract()?;
        let options = viewer::Options {
            port,
            launcher: None,
            look: Some(looks::look),
            key: Some(key.clone()),
        };
        let server = viewer::serve(path, &options);
        let server = server.map_err(|e| raised(py, Error::Viewer(e)))?;
        Ok(Viewer {
            url: server.url(),
            key,
            held: Mutex::new(Some((server, folder))),
        })
    }
}

#[pymethods]
impl Viewer {
    /// Stops serving.
    fn close(&self, py: Python<'_>) {
        let held = self.held.lock().ok().and_then(|mut held| held.take());
        py.detach(|| drop(held));
    }

    fn __repr__(&self) -> String {
        format!("<viewer at {}>", self.url)
    }

    fn _repr_html_(&self) -> String {
        format!(
            "<iframe src=\"{}?key={}\" width=\"100%\" height=\"540\" style=\"border:0\"></iframe>",
            self.url, self.key
        )
    }
}
