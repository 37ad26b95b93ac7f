//! What is added to a world: bodies, joints, and everything else that a scene file has a table for. Each is a
//! sentence that ends with `add()`.

use super::value::{Table, Value, table};
use super::{Body, World};
use physics::{Quat, Vec3};

/// A body that is being described.
#[must_use = "a body is part of the world once it is added: end with .add()"]
pub struct BodyEntry<'w> {
    world: &'w mut World,
    table: Table,
    shapes: Vec<Value>,
    keys: Vec<Value>,
    default_name: &'static str,
}

impl<'w> BodyEntry<'w> {
    pub(super) fn new(world: &'w mut World, default_name: &'static str, shape: Value) -> Self {
        BodyEntry {
            world,
            table: Table::new(),
            shapes: vec![shape],
            keys: Vec::new(),
            default_name,
        }
    }

    /// Says anything that a `[[body]]` of a scene file can say.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.table.retain(|(known, _)| known != key);
        self.table.push((key.into(), value.into()));
        self
    }

    /// Its name; without one bodies are numbered.
    pub fn named(self, name: &str) -> Self {
        self.set("name", name)
    }

    /// Where its frame is, metres.
    pub fn at(self, position: impl Into<Vec3>) -> Self {
        self.set("position", position.into())
    }

    /// Turned about an axis, degrees.
    pub fn turned(self, axis: impl Into<Vec3>, degrees: f64) -> Self {
        let rotation = table([("axis", axis.into().into()), ("degrees", degrees.into())]);
        self.set("rotation", rotation)
    }

    /// Turned by a unit quaternion.
    pub fn rotated(self, rotation: Quat) -> Self {
        self.set("rotation", rotation.to_array())
    }

    /// Its velocity, m/s; a kinematic body keeps it for ever.
    pub fn velocity(self, velocity: impl Into<Vec3>) -> Self {
        self.set("velocity", velocity.into())
    }

    /// Its angular velocity, rad/s in the world's axes; a kinematic body keeps it for ever.
    pub fn spin(self, spin: impl Into<Vec3>) -> Self {
        self.set("spin", spin.into())
    }

    /// Its mass, kilograms.
    pub fn mass(self, kilograms: f64) -> Self {
        self.set("mass", kilograms)
    }

    /// Its density, kg/m^3; 1000 unless said.
    pub fn density(self, density: f64) -> Self {
        self.set("density", density)
    }

    /// Part of the normal speed that a collision gives back, 0 to 1.
    pub fn restitution(self, restitution: f64) -> Self {
        self.set("restitution", restitution)
    }

    /// Coulomb's coefficient.
    pub fn friction(self, friction: f64) -> Self {
        self.set("friction", friction)
    }

    /// The rate at which velocity and angular momentum fade, 1/s.
    pub fn damping(self, rate: f64) -> Self {
        self.set("damping", rate)
    }

    /// The name of a [`World::material`].
    pub fn material(self, name: &str) -> Self {
        self.set("material", name)
    }

    /// The names of [`World::force`]s that act on it.
    pub fn forces<const N: usize>(self, names: [&str; N]) -> Self {
        self.set("forces", names)
    }

    /// The layer that it is in.
    pub fn layer(self, name: &str) -> Self {
        self.set("layer", name)
    }

    /// Red, green and blue, 0 to 1.
    pub fn color(self, rgb: [f64; 3]) -> Self {
        self.set("color", rgb)
    }

    /// It never moves.
    pub fn fixed(self) -> Self {
        self.set("kind", "fixed")
    }

    /// Nothing pushes it: it moves by its script, velocity and spin.
    pub fn kinematic(self) -> Self {
        self.set("kind", "kinematic")
    }

    /// A key of a kinematic body's script: where it is at a time, seconds.
    pub fn key(mut self, at: f64, position: impl Into<Vec3>) -> Self {
        let position: Vec3 = position.into();
        self.keys
            .push(table([("at", at.into()), ("position", position.into())]));
        self.set("kind", "kinematic")
    }

    /// The script begins anew after its last key.
    pub fn repeat(self) -> Self {
        self.set("repeat", true)
    }

    /// It is not there until an input brings it in.
    pub fn absent(self) -> Self {
        self.set("absent", true)
    }

    /// One more shape, as a scene file says it: `part("ball", 0.1, [0., 1., 0.])`.
    pub fn part(mut self, shape: &str, size: impl Into<Value>, position: impl Into<Vec3>) -> Self {
        let position: Vec3 = position.into();
        let part = table([(shape, size.into()), ("position", position.into())]);
        self.shapes.push(part);
        self
    }

    /// It reports which bodies overlap it, and pushes none of them.
    pub fn sensor(self) -> Self {
        self.set("sensor", true)
    }

    /// Puts it into the world.
    pub fn add(mut self) -> Body {
        self.complete();
        self.world.add_body(self.default_name, self.table)
    }

    /// What a scene's `[[body]]` would say of it.
    pub(crate) fn into_table(mut self) -> Table {
        self.complete();
        self.table
    }

    /// Says what it is made of and how it moves.
    fn complete(&mut self) {
        let mut shapes = std::mem::take(&mut self.shapes);
        if shapes.len() == 1 {
            self.table.push(("shape".into(), shapes.remove(0)));
        } else {
            self.table.push(("shapes".into(), Value::List(shapes)));
        }
        if !self.keys.is_empty() {
            let keys = std::mem::take(&mut self.keys);
            self.table.push(("script".into(), Value::List(keys)));
        }
    }
}

/// A joint, a cloth, a shell, a lattice, ... that is being described.
#[must_use = "it is part of the world once it is added: end with .add()"]
pub struct Entry<'w> {
    world: &'w mut World,
    kind: &'static str,
    table: Table,
}

impl<'w> Entry<'w> {
    pub(super) fn new(world: &'w mut World, kind: &'static str) -> Self {
        Entry {
            world,
            kind,
            table: Table::new(),
        }
    }

    /// Says anything that such a table of a scene file can say.
    pub fn set(mut self, key: &str, value: impl Into<Value>) -> Self {
        self.table.retain(|(known, _)| known != key);
        self.table.push((key.into(), value.into()));
        self
    }

    /// Its name.
    pub fn named(self, name: &str) -> Self {
        self.set("name", name)
    }

    /// The point of the world where a joint holds both bodies.
    pub fn anchor(self, anchor: impl Into<Vec3>) -> Self {
        self.set("anchor", anchor.into())
    }

    /// A joint's axis.
    pub fn axis(self, axis: impl Into<Vec3>) -> Self {
        self.set("axis", axis.into())
    }

    /// A joint's limits: degrees of a hinge, metres of a slider.
    pub fn limits(self, least: f64, most: f64) -> Self {
        self.set("limits", [least, most])
    }

    /// A joint's motor: rad/s and N m of a hinge, m/s and N of a slider.
    pub fn motor(self, speed: f64, strength: f64) -> Self {
        let is_slider = self
            .table
            .iter()
            .any(|(k, v)| k == "kind" && *v == Value::from("slider"));
        let unit = if is_slider { "force" } else { "torque" };
        self.set(
            "motor",
            table([("speed", speed.into()), (unit, strength.into())]),
        )
    }

    /// The length of a rope or of a distance, metres.
    pub fn length(self, metres: f64) -> Self {
        self.set("length", metres)
    }

    /// Puts it into the world.
    pub fn add(self) {
        self.world.entries.push((self.kind, self.table));
    }
}
