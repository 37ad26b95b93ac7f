//! What bodies of a scene are made of: shapes, heft, material, damping, forces, layers, colour. A `[[body]]`
//! is a template with a state; generators take one template for many bodies.

use super::builder::{Builder, Notes};
use super::decode::{Decoded, Table, list, number};
use super::error::{Fault, suggestion};
use super::files::Files;
use super::forces::{self, Field};
use super::keys;
use super::materials::{self, Stuff};
use super::shapes;
use super::tree::{Node, Value};
use crate::layers::Layers;
use crate::world::Kind;
use physics::body::Heft;
use physics::{BodyModel, Collider, Part, Pose, Vec3};
use std::collections::BTreeMap;

/// Density of a body that says nothing about its mass: water's, kg/m³.
const DEFAULT_DENSITY: f64 = 1000.0;

/// What templates may name.
pub(super) struct Catalogue {
    pub materials: BTreeMap<String, Stuff>,
    pub forces: BTreeMap<String, Field>,
    pub gravity: Vec3,
    pub files: Files,
}

impl Catalogue {
    /// Reads `[materials]`, `[[material_pair]]` and `[forces]`.
    pub fn read(root: &Table<'_>, gravity: Vec3, files: &Files) -> Decoded<Self> {
        let materials = materials::read(root)?;
        let mut forces = BTreeMap::new();
        for (name, (_, node)) in root.named("forces")?.into_iter().flatten() {
            forces.insert(name.clone(), Field::read(node, root.scope())?);
        }
        Ok(Catalogue {
            materials,
            forces,
            gravity,
            files: files.clone(),
        })
    }

    /// The material of a table: `material = "name"`, with `restitution`, `friction` and so on on top.
    pub fn material(&self, t: &Table<'_>) -> Decoded<Stuff> {
        let base = match t.text("material")? {
            None => Stuff::default(),
            Some(name) => self.materials.get(&name).cloned().ok_or_else(|| {
                t.fault("material", format!("there is no material `{name}`"))
                    .help(suggestion(&name, self.materials.keys().map(String::as_str)))
            })?,
        };
        materials::surface(t, base)
    }

    fn fields(&self, t: &Table<'_>) -> Decoded<Vec<Field>> {
        let mut fields = Vec::new();
        for node in t.list("forces")? {
            let name = super::decode::text(node, "forces", t.scope())?;
            let field = self.forces.get(&name).ok_or_else(|| {
                Fault::new(&node.place, format!("there is no force `{name}`"))
                    .help(suggestion(&name, self.forces.keys().map(String::as_str)))
            })?;
            fields.push(*field);
        }
        Ok(fields)
    }
}

/// What is noted of the table's bodies besides what they are made of.
pub(super) fn notes(
    t: &Table<'_>,
    catalogue: &Catalogue,
    kind: Kind,
    builder: &mut Builder,
) -> Decoded<Notes> {
    let is_sensor = t.flag("sensor")?;
    let mut layers = builder.layers.read(t)?;
    if is_sensor {
        let named = ["layer", "collides", "ignores"];
        if let Some(key) = named.iter().find(|key| t.get(key).is_some()) {
            return Err(t.fault(key, format!("a sensor meets nobody; leave out `{key}`")));
        }
        layers = Layers::NOBODY;
    }
    Ok(Notes {
        color: color(t)?,
        layers,
        is_sensor,
        pushes: match kind {
            Kind::Dynamic => forces::pushes(&catalogue.fields(t)?),
            Kind::Fixed | Kind::Kinematic => Vec::new(),
        },
    })
}

/// Who decides how the table's body moves.
pub(super) fn kind(t: &Table<'_>) -> Decoded<Kind> {
    match t.text("kind")?.as_deref() {
        None | Some("dynamic") => Ok(Kind::Dynamic),
        Some("fixed") => Ok(Kind::Fixed),
        Some("kinematic") => Ok(Kind::Kinematic),
        Some(other) => Err(t
            .fault("kind", format!("unknown kind of body `{other}`"))
            .help(suggestion(other, ["dynamic", "fixed", "kinematic"]))),
    }
}

/// The model of a table's body. `variant` tells apart the random shapes of one generator.
pub(super) fn model(
    t: &Table<'_>,
    catalogue: &Catalogue,
    kind: Kind,
    variant: u64,
) -> Decoded<BodyModel> {
    let (nodes, parts) = parts(t, catalogue, kind, variant)?;
    let stuff = catalogue.material(t)?;
    let material = stuff.material;
    let made = match kind {
        Kind::Fixed => BodyModel::fixed(&parts, material),
        Kind::Kinematic => BodyModel::kinematic(&parts, material),
        Kind::Dynamic => BodyModel::dynamic(&parts, heft(t)?, material, catalogue.gravity),
    };
    let model = made.map_err(|e| Fault::new(&blamed(&nodes, &parts, t).place, e.to_string()))?;
    let mut model = stuff.cover(model);
    if kind != Kind::Dynamic {
        return Ok(model);
    }
    let fields = catalogue.fields(t)?;
    // A constant force through the centre of mass is one more uniform acceleration.
    model.gravity += forces::steady(&fields) * model.mass.inverse_mass;
    let field = forces::sum(fields, &model.user_frame);
    Ok(model.with_forces(damping(t)?, field))
}

/// The shapes of a body: the nodes that say them, one for every part, and the parts.
fn parts<'a>(
    t: &Table<'a>,
    catalogue: &Catalogue,
    kind: Kind,
    variant: u64,
) -> Decoded<(Vec<&'a Node>, Vec<Part>)> {
    let nodes: Vec<&Node> = match (t.get("shape"), t.get("shapes")) {
        (Some(one), None) => vec![one],
        (None, Some(many)) => list(many, "shapes")?.iter().collect(),
        (None, None) => {
            return Err(Fault::new(
                t.place,
                "the body has no `shape`; expected for example `shape = { ball = 0.1 }`",
            ));
        }
        (Some(_), Some(_)) => {
            return Err(t.fault("shape", "give either `shape` or `shapes`, not both"));
        }
    };
    let source = shapes::Source {
        files: &catalogue.files,
        variant,
        moves: kind != Kind::Fixed,
    };
    let (mut said, mut parts) = (Vec::new(), Vec::new());
    for node in nodes {
        for part in shapes::parts(node, t, &source)? {
            said.push(node);
            parts.push(part);
        }
    }
    if parts.is_empty() {
        return Err(t.fault("shapes", "the body has no shape; expected one at least"));
    }
    Ok((said, parts))
}

/// The shape that cannot be built, or the whole list.
fn blamed<'a>(nodes: &[&'a Node], parts: &[Part], t: &Table<'a>) -> &'a Node {
    let unusable = |part: &Part| {
        let alone = std::slice::from_ref(part);
        !part.shape.is_solid() || Collider::new(alone, Pose::IDENTITY).is_err()
    };
    let bad = parts.iter().position(unusable).unwrap_or(0);
    nodes
        .get(bad)
        .copied()
        .or_else(|| t.get("shapes"))
        .unwrap_or(nodes[0])
}

fn heft(t: &Table<'_>) -> Decoded<Heft> {
    match (t.positive("mass")?, t.positive("density")?) {
        (Some(mass), None) => Ok(Heft::Mass(mass)),
        (None, density) => Ok(Heft::Density(density.unwrap_or(DEFAULT_DENSITY))),
        _ => Err(t.fault("density", "give either `mass` or `density`, not both")),
    }
}

/// Damping rates of velocity and of angular momentum, 1/s: one number for both, or a table.
fn damping(t: &Table<'_>) -> Decoded<[f64; 2]> {
    match t.get("damping") {
        Some(node) if matches!(node.value, Value::Table(_)) => {
            let t = Table::open(node, &keys::DAMPING, t.scope())?;
            let rate = |key: &str| Ok(t.at_least_zero(key)?.unwrap_or(0.0));
            Ok([rate("linear")?, rate("angular")?])
        }
        _ => Ok([t.at_least_zero("damping")?.unwrap_or(0.0); 2]),
    }
}

/// A colour: `"#rrggbb"` (sRGB) or `[red, green, blue]` from 0 to 1 (linear).
pub(super) fn color(t: &Table<'_>) -> Decoded<Option<[f32; 3]>> {
    let Some(node) = t.get("color") else {
        return Ok(None);
    };
    let wrong = || {
        let expected = "a color is `\"#rrggbb\"` or [red, green, blue] from 0 to 1";
        Fault::new(&node.place, expected)
    };
    if let Value::List(items) = &node.value {
        let [r, g, b] = items.as_slice() else {
            return Err(wrong());
        };
        let mut color = [0.0; 3];
        for (slot, item) in color.iter_mut().zip([r, g, b]) {
            let value = number(item, "color", t.scope())?;
            if !(0.0..=1.0).contains(&value) {
                return Err(wrong());
            }
            *slot = value as f32;
        }
        return Ok(Some(color));
    }
    let text = t.text("color")?.unwrap_or_default();
    let digits = text.strip_prefix('#').filter(|d| d.len() == 6);
    let packed = digits.and_then(|d| u32::from_str_radix(d, 16).ok());
    let packed = packed.ok_or_else(wrong)?;
    let channel = |shift: u32| linear(f64::from((packed >> shift) & 0xff) / 255.0);
    Ok(Some([channel(16), channel(8), channel(0)]))
}

/// The light that an sRGB channel stands for.
fn linear(channel: f64) -> f32 {
    if channel <= 0.04045 {
        (channel / 12.92) as f32
    } else {
        libm::pow((channel + 0.055) / 1.055, 2.4) as f32
    }
}
