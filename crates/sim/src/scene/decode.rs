//! Typed access to the tree: every getter says what it expected and where. Tables are opened with the
//! section that lists their keys, so nothing misspelt is ever ignored.

use super::error::{Fault, Place, suggestion};
use super::expression::{Literal, evaluate, fill_in};
use super::keys::{self, Section};
use super::tree::{Entries, Node, Value};
use physics::{Pose, Quat, Vec3};
use std::collections::BTreeMap;

/// A result with a place.
pub(super) type Decoded<T> = Result<T, Fault>;

/// The scene's parameters.
pub(super) type Scope = BTreeMap<String, Literal>;

/// A table that is being read.
#[derive(Clone, Copy)]
pub(super) struct Table<'a> {
    pub place: &'a Place,
    entries: &'a Entries,
    scope: &'a Scope,
}

impl<'a> Table<'a> {
    /// Opens a node as a table that may hold the keys of a section.
    pub fn open(node: &'a Node, section: &Section, scope: &'a Scope) -> Decoded<Self> {
        Self::open_as(node, section.what, section, scope)
    }

    /// Opens a node as a table that may hold the keys of a section. `what` names it in messages.
    pub fn open_as(
        node: &'a Node,
        what: &str,
        section: &Section,
        scope: &'a Scope,
    ) -> Decoded<Self> {
        let Value::Table(entries) = &node.value else {
            let found = node.value.kind();
            return Err(Fault::new(
                &node.place,
                format!("{what} must be a table, found {found}"),
            ));
        };
        for (key, (place, _)) in entries {
            if !section.has(key) {
                let known = section.keys().map(|key| key.name);
                return Err(Fault::new(place, format!("unknown key `{key}` in {what}"))
                    .help(suggestion(key, known)));
            }
        }
        Ok(Table {
            place: &node.place,
            entries,
            scope,
        })
    }

    /// The node at a key.
    pub fn get(&self, key: &str) -> Option<&'a Node> {
        self.entries.get(key).map(|(_, node)| node)
    }

    /// The parameters.
    pub fn scope(&self) -> &'a Scope {
        self.scope
    }

    /// The same table with other parameters.
    pub fn with_scope<'b>(&self, scope: &'b Scope) -> Table<'b>
    where
        'a: 'b,
    {
        Table {
            place: self.place,
            entries: self.entries,
            scope,
        }
    }

    /// A fault at the key's value, or at the table if it is absent.
    pub fn fault(&self, key: &str, message: impl Into<String>) -> Fault {
        let place = self.get(key).map_or(self.place, |node| &node.place);
        Fault::new(place, message)
    }

    /// The node at a key that must be there.
    pub fn require(&self, key: &str, expected: &str) -> Decoded<&'a Node> {
        self.get(key).ok_or_else(|| {
            Fault::new(
                self.place,
                format!("`{key}` is missing; expected {expected}"),
            )
        })
    }

    /// A finite number, if the key is there.
    pub fn number(&self, key: &str) -> Decoded<Option<f64>> {
        self.get(key)
            .map(|n| number(n, key, self.scope))
            .transpose()
    }

    /// A number that must be positive, if the key is there.
    pub fn positive(&self, key: &str) -> Decoded<Option<f64>> {
        self.checked(key, |v| v > 0.0, "a positive number")
    }

    /// A number that must be at least zero, if the key is there.
    pub fn at_least_zero(&self, key: &str) -> Decoded<Option<f64>> {
        self.checked(key, |v| v >= 0.0, "a number of at least 0")
    }

    /// A number that must satisfy a condition, if the key is there.
    pub fn checked(
        &self,
        key: &str,
        holds: impl Fn(f64) -> bool,
        expected: &str,
    ) -> Decoded<Option<f64>> {
        match self.number(key)? {
            Some(v) if !holds(v) => {
                Err(self.fault(key, format!("`{key}` is {v}; expected {expected}")))
            }
            other => Ok(other),
        }
    }

    /// A whole number from `least` to `most`, if the key is there.
    pub fn whole(&self, key: &str, least: u64, most: u64) -> Decoded<Option<u64>> {
        let Some(node) = self.get(key) else {
            return Ok(None);
        };
        whole(node, key, (least, most), self.scope).map(Some)
    }

    /// A vector of three numbers, if the key is there.
    pub fn vector(&self, key: &str) -> Decoded<Option<Vec3>> {
        self.get(key)
            .map(|n| vector(n, key, self.scope))
            .transpose()
    }

    /// A text, if the key is there.
    pub fn text(&self, key: &str) -> Decoded<Option<String>> {
        self.get(key).map(|n| text(n, key, self.scope)).transpose()
    }

    /// A name in which parameters stand for their values, if the key is there: `"link $i"`.
    pub fn label(&self, key: &str) -> Decoded<Option<String>> {
        self.get(key).map(|n| label(n, key, self.scope)).transpose()
    }

    /// Whether the key is there and says `true`.
    pub fn flag(&self, key: &str) -> Decoded<bool> {
        match self.get(key).map(|n| &n.value) {
            None => Ok(false),
            Some(Value::Truth(truth)) => Ok(*truth),
            Some(other) => {
                let found = other.kind();
                Err(self.fault(key, format!("`{key}` must be true or false, found {found}")))
            }
        }
    }

    /// The items of a list, if the key is there.
    pub fn list(&self, key: &str) -> Decoded<&'a [Node]> {
        self.get(key).map_or(Ok(&[]), |n| list(n, key))
    }

    /// The entries of a table whose keys the user chose, if the key is there.
    pub fn named(&self, key: &str) -> Decoded<Option<&'a Entries>> {
        match self.get(key) {
            None => Ok(None),
            Some(Node {
                value: Value::Table(entries),
                ..
            }) => Ok(Some(entries)),
            Some(other) => {
                let found = other.value.kind();
                Err(self.fault(key, format!("`{key}` must be a table, found {found}")))
            }
        }
    }

    /// Position and rotation, both optional.
    pub fn pose(&self) -> Decoded<Pose> {
        Ok(Pose::from_parts(
            self.vector("position")?.unwrap_or(Vec3::ZERO),
            self.rotation()?.unwrap_or(Quat::IDENTITY),
        ))
    }

    /// A rotation, if the table has one: `{ axis, degrees }` or a quaternion `[x, y, z, w]`.
    pub fn rotation(&self) -> Decoded<Option<Quat>> {
        let Some(node) = self.get("rotation") else {
            return Ok(None);
        };
        if let Value::List(items) = &node.value {
            return quaternion(node, items, self.scope).map(Some);
        }
        let t = Table::open(node, &keys::ROTATION, self.scope)?;
        let axis = t
            .vector("axis")?
            .ok_or_else(|| t.fault("axis", "a rotation needs an `axis` and `degrees`"))?;
        if axis.length() < 1e-12 {
            return Err(t.fault("axis", "the axis has no length; expected a direction"));
        }
        let angle = match (t.number("degrees")?, t.number("radians")?) {
            (Some(d), None) => d * std::f64::consts::PI / 180.0,
            (None, Some(r)) => r,
            _ => {
                return Err(Fault::new(
                    &node.place,
                    "a rotation needs either `degrees` or `radians`",
                ));
            }
        };
        let vector = axis * (angle / axis.length());
        Ok(Some(physics::rotation::from_rotation_vector(vector)))
    }
}

fn quaternion(node: &Node, items: &[Node], scope: &Scope) -> Decoded<Quat> {
    let wrong =
        "a rotation is `{ axis = [x, y, z], degrees = angle }` or a quaternion [x, y, z, w]";
    if items.len() != 4 {
        return Err(Fault::new(&node.place, wrong));
    }
    let mut q = [0.0; 4];
    for (slot, item) in q.iter_mut().zip(items) {
        *slot = number(item, "rotation", scope)?;
    }
    let q = Quat::from_array(q);
    if q.length() < 1e-9 {
        return Err(Fault::new(
            &node.place,
            format!("the quaternion is zero; {wrong}"),
        ));
    }
    Ok(q.normalize())
}

/// A finite number: written as such, or as an expression in quotes.
pub(super) fn number(node: &Node, what: &str, scope: &Scope) -> Decoded<f64> {
    let fault = |message: String| Err(Fault::new(&node.place, message));
    let value = match &node.value {
        Value::Number(n) => *n,
        Value::Text(text) => match evaluate(text, scope) {
            Ok(Literal::Number(n)) => n,
            Ok(Literal::Text(t)) => {
                return fault(format!("`{what}` must be a number, found the text `{t}`"));
            }
            Err(why) => return fault(format!("`{what}` must be a number: {why}")),
        },
        other => {
            let found = other.kind();
            return fault(format!("`{what}` must be a number, found {found}"));
        }
    };
    if value.is_finite() {
        Ok(value)
    } else {
        fault(format!("`{what}` is {value}; expected a finite number"))
    }
}

/// A whole number from `least` to `most`.
pub(super) fn whole(
    node: &Node,
    what: &str,
    (least, most): (u64, u64),
    scope: &Scope,
) -> Decoded<u64> {
    let value = number(node, what, scope)?;
    if value.fract() == 0.0 && value >= least as f64 && value <= most as f64 {
        return Ok(value as u64);
    }
    Err(Fault::new(
        &node.place,
        format!("`{what}` is {value}; expected a whole number from {least} to {most}"),
    ))
}

/// Three finite numbers.
pub(super) fn vector(node: &Node, what: &str, scope: &Scope) -> Decoded<Vec3> {
    let items = list(node, what)?;
    let [x, y, z] = items else {
        let found = items.len();
        return Err(Fault::new(
            &node.place,
            format!("`{what}` has {found} numbers; expected three: [x, y, z]"),
        ));
    };
    Ok(Vec3::new(
        number(x, what, scope)?,
        number(y, what, scope)?,
        number(z, what, scope)?,
    ))
}

/// A list of vectors.
pub(super) fn vectors(node: &Node, what: &str, scope: &Scope) -> Decoded<Vec<Vec3>> {
    let items = list(node, what)?.iter();
    items.map(|item| vector(item, what, scope)).collect()
}

/// A text; `"$name"` stands for a parameter.
pub(super) fn text(node: &Node, what: &str, scope: &Scope) -> Decoded<String> {
    let Value::Text(text) = &node.value else {
        let found = node.value.kind();
        return Err(Fault::new(
            &node.place,
            format!("`{what}` must be a text in quotes, found {found}"),
        ));
    };
    if !text.starts_with('$') {
        return Ok(text.clone());
    }
    match evaluate(text, scope) {
        Ok(literal) => Ok(literal.to_string()),
        Err(why) => Err(Fault::new(&node.place, why)),
    }
}

/// A name in which parameters stand for their values.
pub(super) fn label(node: &Node, what: &str, scope: &Scope) -> Decoded<String> {
    let Value::Text(text) = &node.value else {
        return text(node, what, scope);
    };
    fill_in(text, scope).map_err(|why| Fault::new(&node.place, why))
}

/// The items of a list.
pub(super) fn list<'a>(node: &'a Node, what: &str) -> Decoded<&'a [Node]> {
    match &node.value {
        Value::List(items) => Ok(items),
        other => Err(Fault::new(
            &node.place,
            format!("`{what}` must be a list, found {}", other.kind()),
        )),
    }
}
