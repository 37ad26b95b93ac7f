//! A world made in code.
//!
//! It is as complete as a scene file because it *is* one: what is said in code becomes the same tables, is read by the
//! same reader, refused with the same words, and simulated with the same bytes. On top come what no file can say:
//! callbacks, and inputs that are known beforehand.
//!
//! ```
//! use warpline::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let mut world = World::new();
//! world.floor();
//! let ball = world.ball(0.1).at([0., 2., 0.]).mass(1.0).add();
//! let run = world.run(3.0)?;
//! let height = run.state(ball)?.position.y;
//! assert!((height - 0.1).abs() < 1e-3, "{height}");
//! # Ok(())
//! # }
//! ```

mod entries;
mod model;
mod multibodies;
mod value;

pub use entries::{BodyEntry, Entry};
pub use model::{Model, Run};
pub use value::{Table, Value, table};

use crate::algorithm::Named;
use crate::error::Error;
use crate::recorder::Recorder;
use crate::running;
use crate::simulation::Simulation;
use physics::Vec3;
use sim::scene::{self, Override};
use sim::{Action, Algorithm, CollisionFn, Discard, History, LookAhead, ScheduledFn};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Tells worlds apart, so that a body of one is never taken for a body of another.
static WORLDS: AtomicU32 = AtomicU32::new(1);

/// A body of a [`World`], as `add()` gives it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Body {
    pub(crate) world: u32,
    pub(crate) place: u32,
}

impl Body {
    /// Set in the place of a body that was added while a simulation ran.
    const ADDED: u32 = 1 << 31;

    /// The body that was added at a place of a simulation's own.
    pub(crate) fn added(world: u32, place: u32) -> Self {
        Body {
            world,
            place: place | Self::ADDED,
        }
    }

    /// The place at which it was added, if it was.
    pub(crate) fn added_at(self) -> Option<u32> {
        (self.place & Self::ADDED != 0).then_some(self.place & !Self::ADDED)
    }
}

/// A callback, until the bodies it names have their places.
#[derive(Clone)]
struct Scheduled {
    name: String,
    bodies: Vec<Body>,
    first: f64,
    run: ScheduledFn,
}

/// A world that is being made. See the module's text.
#[derive(Clone)]
pub struct World {
    tag: u32,
    /// The scene that it began with: its name, its text, and what was set in it.
    scene: Option<(String, String)>,
    overrides: Vec<Override>,
    name: String,
    top: Table,
    tables: Vec<(String, Table)>,
    entries: Vec<(&'static str, Table)>,
    /// Names of the bodies that have been given out, by [`Body::place`].
    names: Vec<String>,
    callbacks: Vec<Scheduled>,
    on_collision: Option<CollisionFn>,
    slots: usize,
    inputs: Vec<(Body, f64, u32, Action)>,
    /// Who sets the motors of the multibodies of these names.
    controllers: Vec<(String, multibodies::Commanded)>,
    recording: Option<PathBuf>,
}

impl Default for World {
    fn default() -> Self {
        World::new()
    }
}

impl World {
    /// An empty world under the Earth's gravity, in which bodies may come to rest on each other.
    pub fn new() -> Self {
        let mut world = World::blank(None);
        world.contact("soft-step");
        world
    }

    /// A built-in scene or a TOML file, with values set in it (`[("bodies", "100")]`) as `--set` does. Bodies, joints
    /// and the rest can be added to it in code.
    pub fn load(scene: &str, set: &[(&str, &str)]) -> Result<Self, Error> {
        let text = crate::scene_text::read(scene)?;
        Self::from_text(scene, &text, set)
    }

    /// A scene's text; `name` is for messages, and where it is a path, files that the scene names lie beside it.
    pub fn from_text(name: &str, text: &str, set: &[(&str, &str)]) -> Result<Self, Error> {
        let mut world = World::blank(Some((name.into(), text.into())));
        for (key, value) in set {
            let wrong = |message| Error::Source {
                message,
                help: None,
            };
            let change = Override::parse(&format!("{key}={value}")).map_err(wrong)?;
            world.overrides.push(change);
        }
        // What is wrong with the scene is told now, not when it runs.
        world.build(None)?;
        Ok(world)
    }

    fn blank(scene: Option<(String, String)>) -> Self {
        World {
            tag: WORLDS.fetch_add(1, Ordering::Relaxed),
            scene,
            overrides: Vec::new(),
            name: "world".into(),
            top: Table::new(),
            tables: Vec::new(),
            entries: Vec::new(),
            names: Vec::new(),
            callbacks: Vec::new(),
            on_collision: None,
            slots: 0,
            inputs: Vec::new(),
            controllers: Vec::new(),
            recording: None,
        }
    }

    /// Its name, for recordings and messages.
    pub fn named(&mut self, name: &str) -> &mut Self {
        self.name = name.into();
        self.top_level("name", name.into())
    }

    /// Uniform gravity, m/s^2. It is said once, for all bodies, cloth and shells.
    pub fn gravity(&mut self, gravity: impl Into<Vec3>) -> &mut Self {
        self.top_level("gravity", gravity.into().into())
    }

    /// Says anything that the top level of a scene file can say, or one of its values by its path
    /// (`"body.ground.friction"`).
    pub fn set(&mut self, key: &str, value: impl Into<Value>) -> &mut Self {
        self.top_level(key, value.into())
    }

    fn top_level(&mut self, key: &str, value: Value) -> &mut Self {
        if self.scene.is_some() || key.contains('.') {
            let option = format!("{key} =");
            let change = Override::option(&option, key, &value.to_string());
            self.overrides.push(change);
        } else {
            self.top.retain(|(known, _)| known != key);
            self.top.push((key.into(), value));
        }
        self
    }

    /// Who advances bodies in contact: `soft-step` (of [`World::new`]), `impulse`, `penalty`, `optimization` or `auto`.
    pub fn contact(&mut self, solver: &str) -> &mut Self {
        self.table("contact", [("solver", solver.into())])
    }

    /// Every collision bounces, and nothing comes to rest on anything.
    pub fn bouncing(&mut self) -> &mut Self {
        self.table("contact", [("solver", "none".into())])
    }

    /// A material that bodies name.
    pub fn material(&mut self, name: &str, restitution: f64, friction: f64) -> &mut Self {
        let surface = [
            ("restitution", restitution.into()),
            ("friction", friction.into()),
        ];
        self.table(&format!("materials.{name}"), surface)
    }

    /// A force that bodies name, of a kind that scene files know.
    pub fn force<const N: usize>(
        &mut self,
        name: &str,
        kind: &str,
        keys: [(&str, Value); N],
    ) -> &mut Self {
        let path = format!("forces.{name}");
        self.table(&path, keys);
        if let Some((_, table)) = self.tables.iter_mut().find(|(known, _)| *known == path) {
            table.insert(0, ("kind".into(), kind.into()));
        }
        self
    }

    /// A table of the scene by its path, such as `contact` or `materials.steel`; it takes the place of the one before.
    pub fn table<const N: usize>(&mut self, path: &str, keys: [(&str, Value); N]) -> &mut Self {
        let table = keys.into_iter().map(|(k, v)| (k.into(), v)).collect();
        self.put_table(path, table)
    }

    /// The same with keys that are known only when the program runs.
    pub fn put_table(&mut self, path: &str, table: Table) -> &mut Self {
        if self.scene.is_some() {
            let value = Value::Table(table);
            return self.top_level(path, value);
        }
        self.tables.retain(|(known, _)| known != path);
        self.tables.push((path.into(), table));
        self
    }

    /// Ground at height zero.
    pub fn floor(&mut self) -> Body {
        self.body("floor", "half_space", [0., 1., 0.]).fixed().add()
    }

    /// A ball, by its radius in metres.
    pub fn ball(&mut self, radius: f64) -> BodyEntry<'_> {
        self.body("ball", "ball", radius)
    }

    /// A box, by its three edges in metres.
    pub fn cuboid(&mut self, edges: impl Into<Vec3>) -> BodyEntry<'_> {
        self.body("box", "box", edges.into())
    }

    /// A capsule along y: the length of its straight part, and its radius.
    pub fn capsule(&mut self, length: f64, radius: f64) -> BodyEntry<'_> {
        let size = table([("length", length.into()), ("radius", radius.into())]);
        self.body("capsule", "capsule", size)
    }

    /// A cylinder along y.
    pub fn cylinder(&mut self, height: f64, radius: f64) -> BodyEntry<'_> {
        let size = table([("height", height.into()), ("radius", radius.into())]);
        self.body("cylinder", "cylinder", size)
    }

    /// The convex hull of points.
    pub fn hull(&mut self, points: &[[f64; 3]]) -> BodyEntry<'_> {
        self.body("hull", "hull", points.to_vec())
    }

    /// A fixed triangle mesh.
    pub fn mesh(&mut self, vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> BodyEntry<'_> {
        let mesh = table([
            ("vertices", vertices.to_vec().into()),
            ("triangles", triangles.to_vec().into()),
        ]);
        self.body("mesh", "mesh", mesh).fixed()
    }

    /// A fixed height field: rows of heights, and its size along x and z (and the factor on heights along y).
    pub fn height_field(&mut self, heights: &[Vec<f64>], size: [f64; 3]) -> BodyEntry<'_> {
        let field = table([("heights", heights.to_vec().into()), ("size", size.into())]);
        self.body("terrain", "height_field", field).fixed()
    }

    /// A body of any shape that scene files know.
    pub fn body(
        &mut self,
        default_name: &'static str,
        shape: &str,
        size: impl Into<Value>,
    ) -> BodyEntry<'_> {
        let shape = table([(shape, size.into())]);
        BodyEntry::new(self, default_name, shape)
    }

    /// A body as a table of the scene; one without a name gets `default_name` and a number.
    pub fn add_body(&mut self, default_name: &str, mut table: Table) -> Body {
        let name = match table.iter().find(|(key, _)| key == "name") {
            Some((_, Value::Text(name))) => name.clone(),
            _ => {
                let name = format!("{default_name} {}", self.names.len() + 1);
                table.retain(|(key, _)| key != "name");
                table.push(("name".into(), name.clone().into()));
                name
            }
        };
        self.entries.push(("body", table));
        self.give_out(name)
    }

    fn give_out(&mut self, name: String) -> Body {
        self.names.push(name);
        Body {
            world: self.tag,
            place: self.names.len() as u32 - 1,
        }
    }

    /// A body of the scene that this world began with, by its name.
    pub fn named_body(&mut self, name: &str) -> Result<Body, Error> {
        if let Some(place) = self.names.iter().position(|known| known == name) {
            return Ok(Body {
                world: self.tag,
                place: place as u32,
            });
        }
        let model = self.build(None)?;
        match model.world.bodies.iter().any(|body| body.name == name) {
            true => Ok(self.give_out(name.into())),
            false => Err(Error::NoBody(name.into())),
        }
    }

    /// The name of a body.
    pub fn name_of(&self, body: Body) -> Result<&str, Error> {
        self.refuse_others(body)?;
        let name = self.names.get(body.place as usize);
        name.map(String::as_str).ok_or(Error::OtherWorld)
    }

    fn refuse_others(&self, body: Body) -> Result<(), Error> {
        match body.world == self.tag {
            true => Ok(()),
            false => Err(Error::OtherWorld),
        }
    }

    /// Something that holds two bodies together: `ball`, `hinge`, `slider`, `fixed`, `distance` or `rope`.
    pub fn joint(&mut self, kind: &str, a: Body, b: Body) -> Result<Entry<'_>, Error> {
        let names = [self.name_of(a)?.to_string(), self.name_of(b)?.to_string()];
        let entry = Entry::new(self, "joint");
        Ok(entry.set("kind", kind).set("bodies", names))
    }

    /// A piece of cloth; see the page on cloth for its keys.
    pub fn cloth(&mut self) -> Entry<'_> {
        Entry::new(self, "cloth")
    }

    /// A thin shell; see the page on shells for its keys.
    pub fn shell(&mut self) -> Entry<'_> {
        Entry::new(self, "shell")
    }

    /// Many bodies in an arrangement: `lattice`, `stack`, `ring` or `scatter`.
    pub fn many(&mut self, arrangement: Arrangement) -> Entry<'_> {
        Entry::new(self, arrangement.key())
    }

    /// An entry of the scene of any kind; `kind` is one of `body`, `joint`, `cloth`, `shell`, `lattice`, `stack`, `ring`,
    /// `scatter`, `material_pair`, `multibody` and `robot`.
    pub fn put_entry(&mut self, kind: &str, table: Table) -> Result<(), Error> {
        const KINDS: [&str; 11] = [
            "body",
            "joint",
            "cloth",
            "shell",
            "lattice",
            "stack",
            "ring",
            "scatter",
            "material_pair",
            "multibody",
            "robot",
        ];
        match KINDS.iter().find(|known| **known == kind) {
            Some(known) => {
                self.entries.push((known, table));
                Ok(())
            }
            None => Err(Error::Other(format!(
                "a scene has no list `{kind}`; expected one of {}",
                KINDS.join(", ")
            ))),
        }
    }

    /// Walls around everything, from one corner to the other.
    pub fn walls(&mut self, min: impl Into<Vec3>, max: impl Into<Vec3>) -> &mut Self {
        self.table(
            "box",
            [("min", min.into().into()), ("max", max.into().into())],
        )
    }

    /// Slots adjoined to every body's state: what a callback may keep. They are rolled back with the body.
    pub fn slots(&mut self, count: usize) -> &mut Self {
        self.slots = count;
        self
    }

    /// A function that is called at `first` seconds with some bodies' states and slots, and then whenever it asks to be
    /// (it returns the seconds until the next call, or none). It must be a pure function of what it is given: what
    /// it wants to remember belongs into slots.
    pub fn callback(
        &mut self,
        name: &str,
        bodies: &[Body],
        first: f64,
        run: ScheduledFn,
    ) -> Result<&mut Self, Error> {
        for body in bodies {
            self.refuse_others(*body)?;
        }
        tick(first)?;
        self.callbacks.push(Scheduled {
            name: name.into(),
            bodies: bodies.to_vec(),
            first,
            run,
        });
        Ok(self)
    }

    /// A function that is called at every collision; it may change slots.
    pub fn on_collision(&mut self, run: CollisionFn) -> &mut Self {
        self.on_collision = Some(run);
        self
    }

    /// An input that is known beforehand. `order` tells inputs to one body at one time apart.
    pub fn input(
        &mut self,
        body: Body,
        at: f64,
        order: u32,
        action: Action,
    ) -> Result<&mut Self, Error> {
        self.refuse_others(body)?;
        tick(at)?;
        self.inputs.push((body, at, order, action));
        Ok(self)
    }

    /// The next runs are recorded in this file. Told at once if there is no such folder.
    pub fn record(&mut self, path: impl AsRef<Path>) -> Result<&mut Self, Error> {
        let path = path.as_ref();
        let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
        if folder.is_some_and(|f| !f.is_dir()) || path.is_dir() {
            let message = format!("cannot create recording {}", path.display());
            let help = "give a path in a directory that exists and can be written to";
            return Err(Error::Source {
                message,
                help: Some(help.into()),
            });
        }
        self.recording = Some(path.to_path_buf());
        Ok(self)
    }

    /// The scene file that says what was said in code (callbacks and inputs apart).
    pub fn to_scene(&self, until: f64) -> String {
        let mut text = match &self.scene {
            Some((_, text)) => text.clone() + "\n",
            None => {
                let mut text = String::new();
                if !self.top.iter().any(|(key, _)| key == "name") {
                    let name = Value::from(self.name.as_str());
                    let _ = writeln!(text, "name = {name}");
                }
                if !self.top.iter().any(|(key, _)| key == "until") {
                    let _ = writeln!(text, "until = {}", Value::from(until));
                }
                write_table(&mut text, &self.top);
                text
            }
        };
        for (path, table) in &self.tables {
            // Writing to a string cannot fail.
            let _ = write!(text, "\n[");
            for (index, key) in path.splitn(2, '.').enumerate() {
                if index > 0 {
                    text.push('.');
                }
                let _ = value::write_key(key, &mut text);
            }
            text.push_str("]\n");
            write_table(&mut text, table);
        }
        for (kind, table) in &self.entries {
            let _ = writeln!(text, "\n[[{kind}]]");
            write_table(&mut text, table);
        }
        text
    }

    /// The constant model that executors run: everything is checked here. `until` is the end of a run in seconds; the
    /// scene's own where there is one.
    pub fn build(&self, until: Option<f64>) -> Result<Model, Error> {
        if let Some(until) = until {
            tick(until)?;
        }
        let text = self.to_scene(until.unwrap_or(1.0));
        let source_name = self.scene.as_ref().map_or("world", |(name, _)| name);
        let mut overrides = self.overrides.clone();
        if let (Some(until), true) = (until, self.has_end()) {
            let end = Value::from(until).to_string();
            overrides.push(Override::option("until =", "until", &end));
        }
        let world = scene::load(source_name, &text, &overrides)?.world;
        self.complete(world)
    }

    /// Whether it has an end of its own.
    fn has_end(&self) -> bool {
        self.scene.is_some() || self.top.iter().any(|(key, _)| key == "until")
    }

    /// Its own end, seconds, where it has one.
    pub fn until(&self) -> Result<Option<f64>, Error> {
        match self.has_end() {
            true => Ok(Some(self.build(None)?.world.until.seconds())),
            false => Ok(None),
        }
    }

    /// Runs it for so many seconds.
    pub fn run(&self, seconds: f64) -> Result<Run, Error> {
        let algorithm = Named {
            name: "timewarp".into(),
            algorithm: Algorithm::TimeWarp(LookAhead::Adaptive),
        };
        self.run_with(Some(seconds), &algorithm, &mut Discard)
    }

    /// Runs it under any executor, to the scene's own end if none is given, and tells what becomes final to `history`.
    pub fn run_with(
        &self,
        seconds: Option<f64>,
        algorithm: &Named,
        history: &mut dyn History,
    ) -> Result<Run, Error> {
        if seconds.is_none() && !self.has_end() {
            let message = "this world has no end of its own; say how many seconds to run";
            return Err(Error::Other(message.into()));
        }
        let model = self.build(seconds)?;
        model.run(self.recording.as_deref(), algorithm, history)
    }

    /// A simulation at the start, to be talked to, which keeps the last `retain` seconds ready for late inputs and
    /// questions (`f64::INFINITY` for all).
    pub fn simulate(&self, retain: f64) -> Result<Simulation, Error> {
        Simulation::new(self.build(None)?, retain)
    }
}

/// How many bodies are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// In rows, columns and layers.
    Lattice,
    /// One on the other.
    Stack,
    /// On a circle.
    Ring,
    /// At random places, without overlap.
    Scatter,
}

impl Arrangement {
    fn key(self) -> &'static str {
        match self {
            Arrangement::Lattice => "lattice",
            Arrangement::Stack => "stack",
            Arrangement::Ring => "ring",
            Arrangement::Scatter => "scatter",
        }
    }
}

/// A table as a scene file writes it.
pub(crate) fn to_text(table: &Table) -> String {
    let mut text = String::new();
    write_table(&mut text, table);
    text
}

fn write_table(text: &mut String, table: &Table) {
    for (key, value) in table {
        // Writing to a string cannot fail.
        let _ = value::write_key(key, text);
        let _ = writeln!(text, " = {value}");
    }
}

/// A time in ticks; one that makes no sense is refused.
pub fn tick(seconds: f64) -> Result<warp::Tick, Error> {
    match (0.0..=4e6).contains(&seconds) {
        true => Ok(warp::Tick::from_seconds(seconds)),
        false => Err(Error::Time(seconds)),
    }
}

/// Runs a model, recorded if that is asked for.
fn run_recorded(
    world: &sim::World,
    recording: Option<&Path>,
    algorithm: &Named,
    history: &mut dyn History,
) -> Result<running::Ran, Error> {
    let Some(path) = recording else {
        return Ok(running::measured(world, algorithm, true, history)?);
    };
    let mut recorder = Recorder::create(path, world, &algorithm.name)?;
    let ran = running::measured(world, algorithm, true, &mut (&mut recorder, history));
    match ran {
        Ok(ran) => {
            let summary = serde_json::to_string_pretty(&ran.stats)
                .map_err(|e| Error::Other(format!("cannot write the statistics: {e}")))?;
            recorder.finish(&(summary + "\n"))?;
            Ok(ran)
        }
        Err(error) => {
            // What was written stays, whole up to the last GVT.
            recorder.leave();
            Err(error.into())
        }
    }
}
