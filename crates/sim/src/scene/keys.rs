//! The keys of scenes: one table from which the reader knows what may be written, the reference what it means, and
//! the schema what an editor offers. A key that is not here is refused everywhere.
//!
//! A [`Section`] is a table of a scene (`[[body]]`, `[contact]`, a shape); a [`Key`] is one of its entries. The reader opens
//! every table with its section ([`super::decode::Table::open`]), so no key can be read that is not described. Tests write
//! every example, every default and every wrong kind of value into scenes, and see that reader and schema agree.

mod bodies;
mod controller;
mod deformables;
mod forces;
mod joints;
mod many;
mod multibody;
mod reference;
mod schema;
mod shapes;
mod world;

pub(super) use bodies::{BODY, DAMPING, ROTATION, SCRIPT_KEY, TEMPLATE};
pub(super) use controller::{CONTROLLER, PICK_AND_THROW};
pub(super) use deformables::{
    CLOTH, CLOTH_AIR, CLOTH_GRID, CLOTH_PIN, OBSTACLE, OWN_SHELL, SHELL, SHELL_GRID, SHELL_PIN,
    TURN,
};
pub(super) use forces::{ATTRACTOR, CONSTANT, DRAG, SPRING, WIND};
pub(super) use joints::{HINGE_MOTOR, JOINT, JOINT_SPRING, SLIDER_MOTOR};
pub(super) use many::{DISTRIBUTION, LATTICE, REGION, RING, SCATTER, STACK};
pub(super) use multibody::{LINK, LINK_MOTOR, MULTIBODY, ROBOT};
pub use reference::reference;
pub use schema::schema;
pub(super) use shapes::{
    CAPSULE, CYLINDER, HEIGHT_FIELD, HILLS, MESH, RANDOM_HULL, SHAPE, SHAPE_KINDS,
};
pub(super) use world::{
    BOX, CAMERA, CONTACT, MATERIAL, MATERIAL_PAIR, PARAMETER, SCENE, SURFACE, VIEW,
};

/// A table of a scene.
#[derive(Debug)]
pub struct Section {
    /// Its name in the schema.
    pub id: &'static str,
    /// How it is called in messages: "a body".
    pub what: &'static str,
    /// How it is written: `[[body]]`.
    pub written: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Its keys, in parts that several sections share.
    pub parts: &'static [&'static [Key]],
    /// A scene that has it.
    pub example: Example,
}

/// A scene in which a section's keys can be tried.
#[derive(Debug)]
pub struct Example {
    /// The scene.
    pub scene: &'static str,
    /// Where the section's table is in it, as `--set` says it.
    pub at: &'static str,
}

/// One key of a section.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// As it is written.
    pub name: &'static str,
    /// What its value may be.
    pub kind: Kind,
    /// What holds without it.
    pub default: Default,
    /// The unit of its numbers, or nothing.
    pub unit: &'static str,
    /// What it means.
    pub about: &'static str,
    /// A value, as TOML.
    pub example: &'static str,
    /// What the example needs beside it: `kind = "kinematic"` is written too, `-shape` is left out.
    pub beside: &'static [&'static str],
}

/// What holds where a key is left out.
#[derive(Clone, Copy, Debug)]
pub enum Default {
    /// Nothing: it must be there.
    Needed,
    /// This value, as TOML.
    Is(&'static str),
    /// What these words say.
    Says(&'static str),
}

/// What a value may be.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A number, or an expression in quotes.
    Number(Range),
    /// A whole number from one to another, or an expression.
    Whole(u64, u64),
    /// Three numbers.
    Vector,
    /// A text.
    Text,
    /// A text in which `$i` and `$(…)` stand for values.
    Label,
    /// One of these words.
    Word(&'static [&'static str]),
    /// `true` or `false`.
    Flag,
    /// A table.
    Table(&'static Section),
    /// A list of any length.
    List(&'static Kind),
    /// A list of so many.
    Exactly(usize, &'static Kind),
    /// Tables (or values) whose names the scene chooses.
    Named(&'static Kind),
    /// One of several.
    Either(&'static [Kind]),
}

/// Which numbers a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Range {
    /// Any finite one.
    Any,
    /// Above zero.
    Positive,
    /// Zero or above.
    AtLeastZero,
    /// From one to another, both included.
    Between(f64, f64),
}

/// Any finite number.
const NUMBER: Kind = Kind::Number(Range::Any);
/// A number above zero.
const POSITIVE: Kind = Kind::Number(Range::Positive);
/// A number of at least zero.
const AT_LEAST_ZERO: Kind = Kind::Number(Range::AtLeastZero);
/// A whole number that a seed may be.
const SEED: Kind = Kind::Whole(0, 1 << 53);

/// A key that must be there.
const fn needed(name: &'static str, kind: Kind, example: &'static str, about: &'static str) -> Key {
    key(name, kind, Default::Needed, about).like(example)
}

/// A key with a value that holds without it, which is its example too.
const fn usual(name: &'static str, kind: Kind, default: &'static str, about: &'static str) -> Key {
    key(name, kind, Default::Is(default), about).like(default)
}

/// A key without which `default` holds, in words.
const fn left_out(
    name: &'static str,
    kind: Kind,
    default: &'static str,
    example: &'static str,
    about: &'static str,
) -> Key {
    key(name, kind, Default::Says(default), about).like(example)
}

const fn key(name: &'static str, kind: Kind, default: Default, about: &'static str) -> Key {
    Key {
        name,
        kind,
        default,
        unit: "",
        about,
        example: "",
        beside: &[],
    }
}

impl Key {
    const fn unit(mut self, unit: &'static str) -> Self {
        self.unit = unit;
        self
    }

    const fn like(mut self, example: &'static str) -> Self {
        self.example = example;
        self
    }

    const fn beside(mut self, beside: &'static [&'static str]) -> Self {
        self.beside = beside;
        self
    }
}

impl Section {
    /// Its keys.
    pub fn keys(&self) -> impl Iterator<Item = &'static Key> + use<> {
        self.parts.iter().flat_map(|part| part.iter())
    }

    /// Whether it has a key of this name.
    pub fn has(&self, name: &str) -> bool {
        self.keys().any(|key| key.name == name)
    }
}

/// All sections, in the order of the reference.
pub fn sections() -> Vec<&'static Section> {
    vec![
        &SCENE,
        &PARAMETER,
        &BODY,
        &ROTATION,
        &DAMPING,
        &SCRIPT_KEY,
        &SHAPE,
        &CAPSULE,
        &CYLINDER,
        &RANDOM_HULL,
        &MESH,
        &HEIGHT_FIELD,
        &HILLS,
        &LATTICE,
        &STACK,
        &RING,
        &SCATTER,
        &REGION,
        &DISTRIBUTION,
        &BOX,
        &MATERIAL,
        &MATERIAL_PAIR,
        &CONSTANT,
        &DRAG,
        &ATTRACTOR,
        &WIND,
        &SPRING,
        &CONTACT,
        &JOINT,
        &HINGE_MOTOR,
        &SLIDER_MOTOR,
        &JOINT_SPRING,
        &MULTIBODY,
        &LINK,
        &LINK_MOTOR,
        &ROBOT,
        &CONTROLLER,
        &PICK_AND_THROW,
        &CLOTH,
        &CLOTH_GRID,
        &CLOTH_PIN,
        &CLOTH_AIR,
        &SHELL,
        &SHELL_GRID,
        &SHELL_PIN,
        &OBSTACLE,
        &TURN,
        &VIEW,
        &CAMERA,
    ]
}
