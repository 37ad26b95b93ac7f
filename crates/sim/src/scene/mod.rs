//! Scenes: TOML files that become worlds. A scene is read, checked and expanded here; whatever is wrong
//! with it comes back as a [`SceneError`] that knows the line.
//!
//! ```
//! let text = r#"
//!     name = "drop"
//!     until = 1.0
//!     [[body]]
//!     name = "ball"
//!     shape = { ball = 0.1 }
//!     position = [0, 2, 0]
//! "#;
//! let scene = warpline_sim::scene::load("drop.toml", text, &[])?;
//! assert_eq!(scene.world.bodies.len(), 1);
//! # Ok::<(), Box<warpline_sim::scene::SceneError>>(())
//! ```

mod arrays;
mod builder;
mod builtin;
mod cloth_pins;
mod contact;
mod controllers;
mod decode;
mod deformables;
mod error;
mod expression;
mod files;
mod forces;
mod gltf;
mod joints;
pub mod keys;
mod layers;
mod loops;
mod materials;
mod mesh_files;
mod meshes;
mod multibody;
mod newcomer;
mod parameters;
mod random;
mod robot;
mod robot_contact;
mod scatter;
mod shapes;
mod shell_bodies;
mod shell_motion;
mod shells;
mod template;
mod tree;
mod view;

pub use builtin::{BUILTIN, Builtin, builtin, similar};
pub use error::SceneError;
pub use expression::Literal;
pub use newcomer::read_body;
pub use parameters::Parameter;
pub use tree::Override;
pub use view::{Camera, Ground, View, view_of};

use crate::periodic::Periodic;
use crate::script::{Key, Script, Then};
use crate::world::{Kind, World, WorldError};
use builder::{Builder, Notes};
use decode::{Decoded, Table, list};
use error::Fault;
use files::Files;
use loops::each;
use physics::{BodyModel, Part, Pose, Shape, State, Vec3};
use template::Catalogue;
use tree::Node;
use warp::Tick;

/// Longest run, seconds: what the clock's integers hold with room to spare.
const UNTIL_MAX: f64 = 4e6;

/// A scene that has been read.
#[derive(Clone)]
pub struct Scene {
    /// One line for listings.
    pub description: String,
    /// Its parameters, with the values of this reading.
    pub parameters: Vec<Parameter>,
    /// How pictures of it look.
    pub view: View,
    /// What is odd about files that it names.
    pub warnings: Vec<String>,
    /// What will be simulated.
    pub world: World,
}

/// Reads a scene from its text. `source_name` is the file or the built-in name, for messages;
/// `overrides` are applied in order.
pub fn load(
    source_name: &str,
    text: &str,
    overrides: &[Override],
) -> Result<Scene, Box<SceneError>> {
    let files = match builtin(source_name) {
        Some(scene) => Files {
            embedded: scene.files,
            ..Files::default()
        },
        None => Files::beside(source_name),
    };
    read(text, overrides, &files).map_err(|fault| {
        let (source_name, text) = match fault.place.source {
            0 => (source_name, text),
            n => ("command line", overrides[n - 1].label()),
        };
        Box::new(SceneError {
            source_name: source_name.into(),
            text: text.into(),
            span: fault.place.span,
            message: fault.message,
            help: fault.help,
        })
    })
}

fn read(text: &str, overrides: &[Override], files: &Files) -> Decoded<Scene> {
    let mut tree = tree::parse(text)?;
    for (index, change) in overrides.iter().enumerate() {
        tree::apply(&mut tree, change, index + 1)?;
    }
    let nothing = decode::Scope::new();
    let bare = Table::open(&tree, &keys::SCENE, &nothing)?;
    let (scope, parameters) = parameters::read(&bare)?;
    let root = Table::open(&tree, &keys::SCENE, &scope)?;
    let mut builder = Builder::new(empty_world(&root)?);
    builder.world.source = match overrides {
        [] => text.into(),
        _ => tree::render(&tree),
    };
    fill(&root, files, &mut builder)?;
    refuse_rolling(&root, &builder.world)?;
    let checked = builder.world.validate();
    checked.map_err(|e| blame(e, &root, &builder, text))?;
    Ok(Scene {
        description: root.text("description")?.unwrap_or_default(),
        view: view::read(&root)?,
        warnings: builder.warnings,
        parameters,
        world: builder.world,
    })
}

/// Refuses resistance to rolling where the solver would leave it out.
fn refuse_rolling(root: &Table<'_>, world: &World) -> Decoded<()> {
    let Some(rules) = &world.contact else {
        return Ok(());
    };
    let solver = rules.solver.name();
    let rolls = |model: &std::sync::Arc<BodyModel>| model.resists_rolling();
    if solver != "penalty" || !world.models.iter().any(rolls) {
        return Ok(());
    }
    let message = format!("the solver `{solver}` has no rolling friction");
    let help = "use another solver, or leave out `rolling_friction` and `spinning_friction`";
    Err(root.fault("contact", message).help(help))
}

fn empty_world(root: &Table<'_>) -> Decoded<World> {
    root.require("name", "the scene's name")?;
    root.require("until", "how many seconds to simulate")?;
    let name = root.text("name")?.unwrap_or_default();
    let until = root.number("until")?.unwrap_or(0.0);
    if until <= 0.0 {
        let message =
            format!("the run is asked to end at {until} s, which is not after its start at 0 s");
        return Err(root.fault("until", message));
    }
    if until > UNTIL_MAX {
        let message = format!("`until` is {until} s; the clock reaches {UNTIL_MAX} s at most");
        return Err(root.fault("until", message));
    }
    let gravity = root.vector("gravity")?;
    Ok(World::new(
        &name,
        gravity.unwrap_or(Vec3::new(0.0, -9.81, 0.0)),
        until,
    ))
}

/// Adds everything: walls, bodies, arrangements, and last the scatters, which avoid the rest.
fn fill(root: &Table<'_>, files: &Files, builder: &mut Builder) -> Decoded<()> {
    let catalogue = Catalogue::read(root, builder.world.gravity, files)?;
    if let Some(node) = root.get("contact") {
        builder.world.contact = contact::read(node, root)?;
    }
    let region = match root.get("box") {
        Some(node) => Some(walls(node, root, &catalogue, builder)?),
        None => None,
    };
    each(root, "body", builder, |node, root, builder| {
        body(node, root, &catalogue, builder)
    })?;
    each(root, "lattice", builder, |node, root, builder| {
        arrays::lattice(node, root, &catalogue, builder)
    })?;
    each(root, "stack", builder, |node, root, builder| {
        arrays::stack(node, root, &catalogue, builder)
    })?;
    each(root, "ring", builder, |node, root, builder| {
        arrays::ring(node, root, &catalogue, builder)
    })?;
    each(root, "multibody", builder, |node, root, builder| {
        multibody::multibody(node, root, &catalogue, builder)
    })?;
    each(root, "robot", builder, |node, root, builder| {
        robot::robot(node, root, files, builder)
    })?;
    each(root, "scatter", builder, |node, root, builder| {
        scatter::scatter(node, root, &catalogue, region, builder)
    })?;
    each(root, "joint", builder, joints::joint)?;
    each(root, "controller", builder, controllers::controller)?;
    deformables::cloths(root, files, builder)?;
    shells::shells(root, files, builder)?;
    close_box(root, builder)?;
    if root.get("contact").is_none()
        && builder.world.periodic.is_none()
        && contact::is_asked_for(&builder.world)
    {
        builder.world.contact = Some(contact::usual(root)?);
    }
    builder.world.layer_names = builder.layers.names();
    builder.layers.check()
}

/// `[box]`: half-spaces on all six sides but the `open` ones. Gives the corners.
fn walls(
    node: &Node,
    root: &Table<'_>,
    catalogue: &Catalogue,
    builder: &mut Builder,
) -> Decoded<(Vec3, Vec3)> {
    let t = Table::open(node, &keys::BOX, root.scope())?;
    let (lo, hi) = scatter::corners(&t)?;
    let stuff = catalogue.material(&t)?;
    let notes = Notes {
        color: template::color(&t)?,
        layers: builder.layers.read(&t)?,
        ..Notes::default()
    };
    let sides = [
        ("-x", Vec3::X, lo),
        ("+x", Vec3::NEG_X, hi),
        ("-y", Vec3::Y, lo),
        ("+y", Vec3::NEG_Y, hi),
        ("-z", Vec3::Z, lo),
        ("+z", Vec3::NEG_Z, hi),
    ];
    let mut open = Vec::new();
    for item in t.list("open")? {
        let side = decode::text(item, "open", t.scope())?;
        if !sides.iter().any(|(name, _, _)| *name == side) {
            let message = format!("`{side}` is not a side of the box");
            let sides = sides.map(|(name, _, _)| name);
            return Err(Fault::new(&item.place, message).help(error::suggestion(&side, sides)));
        }
        open.push(side);
    }
    let axes = periodic_axes(&t)?;
    for (place, (side, normal, corner)) in sides.into_iter().enumerate() {
        if open.iter().any(|o| o == side) || axes[place / 2] {
            continue;
        }
        let part = Part::centred(Shape::HalfSpace { normal });
        let model = BodyModel::fixed(&[part], stuff.material)
            .map_err(|e| Fault::new(t.place, e.to_string()))?;
        let model = builder.world.add_model(stuff.clone().cover(model));
        let at = normal.abs() * corner;
        let pose = Pose::from_translation(at);
        let body = builder.world.add_fixed(format!("wall {side}"), model, pose);
        builder.added(body, &notes, t.place)?;
    }
    Ok((lo, hi))
}

/// Along which axes the box is periodic.
fn periodic_axes(t: &Table<'_>) -> Decoded<[bool; 3]> {
    const NAMES: [&str; 3] = ["x", "y", "z"];
    let mut axes = [false; 3];
    for item in t.list("periodic")? {
        let name = decode::text(item, "periodic", t.scope())?;
        let Some(axis) = NAMES.iter().position(|known| *known == name) else {
            let message = format!("`{name}` is not an axis");
            return Err(Fault::new(&item.place, message).help(error::suggestion(&name, NAMES)));
        };
        axes[axis] = true;
    }
    Ok(axes)
}

/// Makes the box periodic where it says so, once all bodies are there: the largest decides how far they reach over a side.
fn close_box(root: &Table<'_>, builder: &mut Builder) -> Decoded<()> {
    let Some(node) = root.get("box") else {
        return Ok(());
    };
    let t = Table::open(node, &keys::BOX, root.scope())?;
    let axes = periodic_axes(&t)?;
    if axes == [false; 3] {
        return Ok(());
    }
    let (lo, hi) = scatter::corners(&t)?;
    let models = builder.world.models.iter();
    let radii = models.map(|model| model.bounding_radius());
    let radius = radii.filter(|r| r.is_finite()).fold(0.0, f64::max);
    builder.world.periodic = Some(Periodic::new(lo, hi, axes, radius));
    Ok(())
}

/// One `[[body]]`.
fn body(
    node: &Node,
    root: &Table<'_>,
    catalogue: &Catalogue,
    builder: &mut Builder,
) -> Decoded<()> {
    let t = Table::open(node, &keys::BODY, root.scope())?;
    let kind = template::kind(&t)?;
    refuse_what_has_no_meaning(&t, kind)?;
    let model = builder.model(|| template::model(&t, catalogue, kind, 0))?;
    let name = match t.label("name")? {
        Some(name) => name,
        None => format!("body {}", builder.world.bodies.len() + 1),
    };
    let pose = t.pose()?;
    let notes = template::notes(&t, catalogue, kind, builder)?;
    if t.flag("absent")? {
        if kind != Kind::Dynamic {
            let message = "only a dynamic body can be absent: an input brings it in";
            return Err(t.fault("absent", message));
        }
        let body = builder.world.add_absent(name, model);
        return builder.added(body, &notes, t.place);
    }
    if kind == Kind::Kinematic {
        let script = script(&t, pose)?;
        let body = builder.world.add_kinematic(name, model, script);
        return builder.added(body, &notes, t.place);
    }
    let state = State {
        position: pose.translation,
        velocity: t.vector("velocity")?.unwrap_or(Vec3::ZERO),
        rotation: pose.rotation,
        spin: t.vector("spin")?.unwrap_or(Vec3::ZERO),
    };
    builder.add(name, (kind, model), state, &notes, t.place)
}

fn refuse_what_has_no_meaning(t: &Table<'_>, kind: Kind) -> Decoded<()> {
    let fixed = ["velocity", "spin", "mass", "density", "damping", "forces"];
    let (what, keys): (_, &[&str]) = match kind {
        Kind::Fixed => ("fixed", &fixed),
        Kind::Kinematic => ("kinematic", &fixed[2..]),
        Kind::Dynamic => ("dynamic", &[]),
    };
    if let Some(key) = keys.iter().find(|key| t.get(key).is_some()) {
        return Err(t.fault(key, format!("a {what} body has no `{key}`")));
    }
    let scripted = ["script", "repeat"];
    match scripted.iter().find(|key| t.get(key).is_some()) {
        Some(key) if kind != Kind::Kinematic => Err(t
            .fault(key, format!("a {what} body follows no `script`"))
            .help("say `kind = \"kinematic\"`")),
        _ => Ok(()),
    }
}

/// How a kinematic body moves: its key poses, then for ever what `velocity` and `spin` say, or the same again.
fn script(t: &Table<'_>, start: Pose) -> Decoded<Script> {
    let (velocity, spin) = (t.vector("velocity")?, t.vector("spin")?);
    let goes_on = velocity.is_some() || spin.is_some();
    let (velocity, spin) = (velocity.unwrap_or(Vec3::ZERO), spin.unwrap_or(Vec3::ZERO));
    if goes_on && t.get("script").is_none() && !t.flag("repeat")? {
        return Ok(Script::endless(start, velocity, spin));
    }
    let keys = poses(t, start)?;
    let then = match (t.flag("repeat")?, goes_on) {
        (true, true) => {
            let message = "a script that repeats does not go on at a `velocity` or `spin`";
            return Err(t.fault("repeat", message));
        }
        (true, false) => Then::Repeat,
        (false, true) => Then::GoOn { velocity, spin },
        (false, false) => Then::Rest,
    };
    let script = Script { keys, then };
    script.validate().map_err(|why| t.fault("script", why))?;
    Ok(script)
}

/// Key poses; what a key leaves out stays as it was.
fn poses(t: &Table<'_>, start: Pose) -> Decoded<Vec<Key>> {
    let expected = "the kinematic body's key poses, or a `velocity` or `spin` to keep for ever";
    let node = t.require("script", expected)?;
    let mut pose = start;
    let mut keys: Vec<Key> = Vec::new();
    for item in list(node, "script")? {
        let key = Table::open(item, &keys::SCRIPT_KEY, t.scope())?;
        key.require("at", "the key's time in seconds")?;
        let seconds = key.checked("at", |s| (0.0..=UNTIL_MAX).contains(&s), "a time from 0 on")?;
        let at = Tick::from_seconds(seconds.unwrap_or(0.0));
        if keys.last().is_some_and(|last| last.at >= at) {
            return Err(key.fault("at", "the keys of a script must rise in time"));
        }
        pose = Pose::from_parts(
            key.vector("position")?.unwrap_or(pose.translation),
            key.rotation()?.unwrap_or(pose.rotation),
        );
        keys.push(Key { at, pose });
    }
    if keys.is_empty() {
        return Err(Fault::new(&node.place, "the script has no key"));
    }
    Ok(keys)
}

/// Puts a world's fault where the scene says what is at fault.
fn blame(error: WorldError, root: &Table<'_>, builder: &Builder, text: &str) -> Fault {
    let name = match &error {
        WorldError::Shape { body, .. }
        | WorldError::NotFinite { body, .. }
        | WorldError::OutOfRange { body, .. }
        | WorldError::TurnedPlane { body }
        | WorldError::SameName { name: body }
        | WorldError::Script { body, .. } => body,
        WorldError::Overlap { b, .. } => b,
        WorldError::Periodic { .. } => return root.fault("box", error.to_string()),
        WorldError::Until { .. } => return root.fault("until", error.to_string()),
        WorldError::Joint { joint, .. } => {
            let place = builder.joint_place(joint).unwrap_or(root.place);
            return Fault::new(place, error.to_string());
        }
        WorldError::Multibody { multibody, .. } => {
            let place = builder.multibody_place(multibody).unwrap_or(root.place);
            return Fault::new(place, error.to_string());
        }
        WorldError::Callback { .. } | WorldError::Input(_) => {
            return Fault::new(root.place, error.to_string());
        }
    };
    let place = builder.place_of(name).unwrap_or(root.place);
    let fault = Fault::new(place, error.to_string());
    let WorldError::Overlap { a, .. } = &error else {
        return fault;
    };
    match builder.place_of(a) {
        Some(other) if other.source == 0 && other != place => {
            let before = text.get(..other.span.start).unwrap_or("");
            let line = before.matches('\n').count() + 1;
            fault.help(format!("`{a}` is defined at line {line}"))
        }
        _ => fault,
    }
}
