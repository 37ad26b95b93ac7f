//! The scene's text as a tree whose every value knows where it was written, and the overrides that
//! `--set` puts into it.

use super::error::{Fault, Place, closest_word, suggestion};
use super::expression::{Literal, evaluate, references, replace_reference};
use super::keys::SCENE;
use std::collections::BTreeMap;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A value and its place.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub place: Place,
    pub value: Value,
}

/// What a TOML value can be here (numbers are all `f64`; dates have no use in a scene).
#[derive(Clone, Debug)]
pub(super) enum Value {
    Number(f64),
    Text(String),
    Truth(bool),
    List(Vec<Node>),
    Table(Entries),
}

/// The entries of a table: where the key stands, and the value.
pub(super) type Entries = BTreeMap<String, (Place, Node)>;

impl Value {
    /// The name used in messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "a number",
            Value::Text(_) => "a text",
            Value::Truth(_) => "true or false",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }
}

/// A change to a scene's text, as the command line says it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Override {
    /// The option as the user wrote it, for messages.
    label: String,
    /// Where the label names the key.
    key: Range<usize>,
    path: String,
    value: String,
}

impl Override {
    /// From `KEY=VALUE`, where the key may be a parameter or a path such as `body.ground.friction`
    /// or `scatter.0.count`.
    pub fn parse(assignment: &str) -> Result<Self, String> {
        let (path, value) = assignment
            .split_once('=')
            .ok_or_else(|| format!("`{assignment}` is not of the form KEY=VALUE"))?;
        if path.is_empty() || path.split('.').any(str::is_empty) {
            return Err(format!("`{assignment}` does not name a key before the `=`"));
        }
        let option = "--set ";
        Ok(Override {
            label: format!("{option}{path}={value}"),
            key: option.len()..option.len() + path.len(),
            path: path.into(),
            value: value.into(),
        })
    }

    /// An option of its own that sets one key, such as `--until`.
    pub fn option(option: &str, path: &str, value: &str) -> Self {
        Override {
            label: format!("{option} {value}"),
            key: 0..option.len(),
            path: path.into(),
            value: value.into(),
        }
    }

    /// The option's text, as messages show it.
    pub fn label(&self) -> &str {
        &self.label
    }

    fn node(&self, source: usize) -> Result<Node, Fault> {
        let start = self.label.len() - self.value.len();
        let place = Place {
            source,
            span: start..self.label.len(),
        };
        let value = match DeValue::parse(&self.value) {
            Ok(parsed) => convert(parsed.get_ref(), &place, true)?,
            Err(_) => Value::Text(self.value.clone()),
        };
        Ok(Node { place, value })
    }
}

/// Reads a scene's text.
pub(super) fn parse(text: &str) -> Result<Node, Fault> {
    let place = |span: Range<usize>| Place { source: 0, span };
    let table = DeTable::parse(text).map_err(|e| {
        let at = e.span().unwrap_or(text.len()..text.len());
        Fault::new(&place(at), format!("not valid TOML: {}", e.message()))
    })?;
    let root = place(0..0);
    let value = Value::Table(convert_table(table.get_ref(), &root, false)?);
    Ok(Node { place: root, value })
}

fn convert_table(table: &DeTable<'_>, within: &Place, fixed: bool) -> Result<Entries, Fault> {
    let mut entries = Entries::new();
    for (key, value) in table {
        let at = |span| match fixed {
            true => within.clone(),
            false => Place {
                source: within.source,
                span,
            },
        };
        let place = at(value.span());
        let node = Node {
            value: convert(value.get_ref(), &place, fixed)?,
            place,
        };
        entries.insert(key.get_ref().to_string(), (at(key.span()), node));
    }
    Ok(entries)
}

/// Converts a value. With `fixed`, everything inside stands at `place` (an override's value).
fn convert(value: &DeValue<'_>, place: &Place, fixed: bool) -> Result<Value, Fault> {
    Ok(match value {
        DeValue::String(s) => Value::Text(s.to_string()),
        DeValue::Boolean(b) => Value::Truth(*b),
        DeValue::Float(f) => Value::Number(f.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Integer(i) => match i64::from_str_radix(i.as_str(), i.radix()) {
            Ok(i) => Value::Number(i as f64),
            Err(_) => return Err(Fault::new(place, "this integer is too large")),
        },
        DeValue::Datetime(_) => return Err(Fault::new(place, "a scene has no use for dates")),
        DeValue::Table(table) => Value::Table(convert_table(table, place, fixed)?),
        DeValue::Array(array) => {
            let mut list = Vec::with_capacity(array.len());
            for item in array {
                let at = match fixed {
                    true => place.clone(),
                    false => Place {
                        source: place.source,
                        span: item.span(),
                    },
                };
                list.push(Node {
                    value: convert(item.get_ref(), &at, fixed)?,
                    place: at,
                });
            }
            Value::List(list)
        }
    })
}

/// Puts an override into the tree. `source` is its number among the scene's sources.
pub(super) fn apply(root: &mut Node, change: &Override, source: usize) -> Result<(), Fault> {
    let mut node = change.node(source)?;
    let key_place = Place {
        source,
        span: change.key.clone(),
    };
    let mut steps: Vec<&str> = change.path.split('.').collect();
    let parameters = parameter_names(root);
    if !SCENE.has(steps[0]) {
        if !parameters.iter().any(|p| p == steps[0]) {
            let names = || parameters.iter().map(String::as_str);
            // A parameter is what people set; the scene's own keys are the second guess.
            let help = match closest_word(steps[0], names()) {
                Some(_) => suggestion(steps[0], names()),
                None => suggestion(steps[0], names().chain(SCENE.keys().map(|key| key.name))),
            };
            let message = format!("the scene has no parameter or key `{}`", steps[0]);
            return Err(Fault::new(&key_place, message).help(help));
        }
        steps.insert(0, "parameters");
    }
    let last = steps.pop().unwrap_or_default();
    let is_parameter = steps == ["parameters"];
    let mut here = root;
    for step in steps {
        here = descend(here, step, &key_place)?;
    }
    if is_parameter {
        own_value_in(&mut node, here, last);
        if is_number(here, last) && !becomes_a_number(&mut node) {
            let given = match &node.value {
                Value::Text(text) => format!("the text `{text}`"),
                value => value.kind().into(),
            };
            let message = format!(
                "parameter `{last}` is a number, and cannot be {given}; expected a number or an expression"
            );
            return Err(Fault::new(&node.place, message));
        }
    }
    put(here, last, key_place, node)
}

/// What the scene says of a parameter.
fn written<'a>(table: &'a Node, key: &str) -> Option<&'a Value> {
    let Value::Table(entries) = &table.value else {
        return None;
    };
    match &entries.get(key)?.1.value {
        Value::Table(inner) => inner.get("value").map(|(_, node)| &node.value),
        value => Some(value),
    }
}

/// Whether a parameter is written as a number.
fn is_number(table: &Node, key: &str) -> bool {
    matches!(written(table, key), Some(Value::Number(_)))
}

/// In an expression that sets a parameter, the parameter itself stands for what the scene says:
/// `--set bodies="2 * $bodies"` doubles it.
fn own_value_in(node: &mut Node, table: &Node, key: &str) {
    let Value::Text(text) = &mut node.value else {
        return;
    };
    let own = match written(table, key) {
        Some(Value::Number(n)) => format!("({n})"),
        Some(Value::Text(t)) if t.contains('$') => format!("({t})"),
        _ => return,
    };
    if references(text).contains(&key) {
        *text = replace_reference(text, key, &own);
    }
}

/// Makes an expression of numbers alone the number it is worth; whether the node can be a number.
fn becomes_a_number(node: &mut Node) -> bool {
    match &node.value {
        Value::Number(_) => true,
        Value::Text(text) if text.contains('$') => true,
        Value::Text(text) => match evaluate(text, &BTreeMap::new()) {
            Ok(Literal::Number(n)) => {
                node.value = Value::Number(n);
                true
            }
            _ => false,
        },
        _ => false,
    }
}

fn parameter_names(root: &Node) -> Vec<String> {
    let Value::Table(entries) = &root.value else {
        return Vec::new();
    };
    match entries.get("parameters").map(|(_, node)| &node.value) {
        Some(Value::Table(parameters)) => parameters.keys().cloned().collect(),
        _ => Vec::new(),
    }
}

/// Steps into a table by key (made if absent), or into a list by index or by an item's name.
fn descend<'a>(here: &'a mut Node, step: &str, place: &Place) -> Result<&'a mut Node, Fault> {
    let kind = here.value.kind();
    match &mut here.value {
        Value::Table(entries) => {
            let empty = || {
                let node = Node {
                    place: place.clone(),
                    value: Value::Table(Entries::new()),
                };
                (place.clone(), node)
            };
            Ok(&mut entries.entry(step.into()).or_insert_with(empty).1)
        }
        Value::List(items) => {
            let count = items.len();
            let index = step
                .parse()
                .ok()
                .or_else(|| items.iter().position(|item| name_of(item) == Some(step)))
                .filter(|index| *index < count);
            let Some(index) = index else {
                let message =
                    format!("the list has no item `{step}`; it has {count}, numbered from 0");
                let names: Vec<&str> = items.iter().filter_map(name_of).collect();
                let fault = Fault::new(place, message);
                return Err(match names.is_empty() {
                    true => fault,
                    false => fault.help(suggestion(step, names)),
                });
            };
            Ok(&mut items[index])
        }
        _ => Err(Fault::new(
            place,
            format!("there is nothing to set below `{step}`: the value above it is {kind}"),
        )),
    }
}

fn name_of(item: &Node) -> Option<&str> {
    let Value::Table(entries) = &item.value else {
        return None;
    };
    match &entries.get("name")?.1.value {
        Value::Text(name) => Some(name),
        _ => None,
    }
}

fn put(here: &mut Node, key: &str, key_place: Place, node: Node) -> Result<(), Fault> {
    if let Value::List(_) = &here.value {
        *descend(here, key, &key_place)? = node;
        return Ok(());
    }
    let kind = here.value.kind();
    let Value::Table(entries) = &mut here.value else {
        return Err(Fault::new(
            &key_place,
            format!("`{key}` cannot be set: the value above it is {kind}"),
        ));
    };
    // A parameter written as a table with a `value` keeps its explanation.
    if let Some((
        _,
        Node {
            value: Value::Table(inner),
            ..
        },
    )) = entries.get_mut(key)
        && inner.contains_key("value")
        && !matches!(node.value, Value::Table(_))
    {
        inner.insert("value".into(), (key_place, node));
        return Ok(());
    }
    entries.insert(key.into(), (key_place, node));
    Ok(())
}

/// The tree as TOML again: the scene as it is run, overrides applied.
pub(super) fn render(root: &Node) -> String {
    fn value(node: &Node) -> toml::Value {
        match &node.value {
            Value::Number(n) if n.fract() == 0.0 && n.abs() < 9e15 => {
                toml::Value::Integer(*n as i64)
            }
            Value::Number(n) => toml::Value::Float(*n),
            Value::Text(t) => toml::Value::String(t.clone()),
            Value::Truth(b) => toml::Value::Boolean(*b),
            Value::List(items) => toml::Value::Array(items.iter().map(value).collect()),
            Value::Table(entries) => toml::Value::Table(
                entries
                    .iter()
                    .map(|(key, (_, node))| (key.clone(), value(node)))
                    .collect(),
            ),
        }
    }
    // A tree that was read from TOML can be written as TOML.
    toml::to_string(&value(root)).unwrap_or_default()
}
