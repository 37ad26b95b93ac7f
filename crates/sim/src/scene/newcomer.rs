//! A body that is added to a world that runs, in the words of a scene: the content of one `[[body]]`, which may name
//! the materials, forces, layers and parameters of the scene that the world was read from.

use super::decode::{Decoded, Scope, Table};
use super::error::SceneError;
use super::files::Files;
use super::layers::LayerNames;
use super::template::{self, Catalogue};
use super::{keys, parameters, tree};
use crate::room::NewBody;
use crate::scene::builder::Builder;
use crate::world::{Kind, World};
use physics::{State, Vec3};

/// Reads a body that is added to `world`, and the state in which it enters.
pub fn read_body(world: &World, text: &str) -> Result<(NewBody, State), Box<SceneError>> {
    let refused = |source_name: &str, text: &str, fault: super::error::Fault| {
        Box::new(SceneError {
            source_name: source_name.into(),
            text: text.into(),
            span: fault.place.span,
            message: fault.message,
            help: fault.help,
        })
    };
    let scene = tree::parse(&world.source).map_err(|f| refused(&world.name, &world.source, f))?;
    let nothing = Scope::new();
    let read = || {
        let bare = Table::open(&scene, &keys::SCENE, &nothing)?;
        let (scope, _) = parameters::read(&bare)?;
        let root = Table::open(&scene, &keys::SCENE, &scope)?;
        let catalogue = Catalogue::read(&root, world.gravity, &Files::default())?;
        Ok((scope, catalogue))
    };
    let (scope, catalogue) = read().map_err(|f| refused(&world.name, &world.source, f))?;
    newcomer(world, text, &scope, &catalogue).map_err(|f| refused("the added body", text, f))
}

fn newcomer(
    world: &World,
    text: &str,
    scope: &Scope,
    catalogue: &Catalogue,
) -> Decoded<(NewBody, State)> {
    let node = tree::parse(text)?;
    let t = Table::open(&node, &keys::BODY, scope)?;
    let kind = template::kind(&t)?;
    super::refuse_what_has_no_meaning(&t, kind)?;
    if kind != Kind::Dynamic {
        let message = "only a dynamic body can be added while the world runs";
        return Err(t.fault("kind", message));
    }
    t.require("name", "the body's name, which no other has")?;
    // The world as far as notes are concerned: its layers.
    let mut builder = Builder::new(World::new("", Vec3::ZERO, 1.0));
    builder.layers = LayerNames::known(&world.layer_names);
    let notes = template::notes(&t, catalogue, kind, &mut builder)?;
    if !notes.pushes.is_empty() {
        let message = "a force that acts for a while cannot be given to a body that is added";
        return Err(t
            .fault("forces", message)
            .help("send the body an input with that force"));
    }
    let pose = t.pose()?;
    let state = State {
        position: pose.translation,
        velocity: t.vector("velocity")?.unwrap_or(Vec3::ZERO),
        rotation: pose.rotation,
        spin: t.vector("spin")?.unwrap_or(Vec3::ZERO),
    };
    let new = NewBody {
        name: t.label("name")?.unwrap_or_default(),
        model: template::model(&t, catalogue, kind, 0)?,
        color: notes.color,
        layers: notes.layers,
        is_sensor: notes.is_sensor,
        text: text.into(),
    };
    Ok((new, state))
}
