//! `[parameters]`: named values that the rest of a scene refers to, each a number, a text, an
//! expression of others, or a table that also explains it.

use super::decode::{Decoded, Scope, Table};
use super::error::{Fault, suggestion};
use super::expression::{Literal, evaluate, is_name, references};
use super::keys;
use super::tree::{Node, Value};
use std::collections::BTreeMap;

/// A parameter as listings show it.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Its value in this scene.
    pub value: Literal,
    /// What it means.
    pub about: String,
}

/// A parameter whose value is not known yet.
struct Raw<'a> {
    node: &'a Node,
    one_of: Vec<String>,
    about: String,
}

/// Evaluates the parameters of a scene.
pub(super) fn read(root: &Table<'_>) -> Decoded<(Scope, Vec<Parameter>)> {
    let mut raw = BTreeMap::new();
    for (name, (place, node)) in root.named("parameters")?.into_iter().flatten() {
        if !is_name(name) {
            let message = format!("`{name}` cannot be referred to; use letters, digits and `_`");
            return Err(Fault::new(place, message));
        }
        raw.insert(name.as_str(), read_raw(name, node, root)?);
    }
    let mut scope = Scope::new();
    for name in raw.keys() {
        settle(name, &raw, &mut scope, &mut Vec::new())?;
    }
    let listing = raw
        .into_iter()
        .filter_map(|(name, raw)| {
            Some(Parameter {
                name: name.into(),
                value: scope.get(name)?.clone(),
                about: raw.about,
            })
        })
        .collect();
    Ok((scope, listing))
}

fn read_raw<'a>(name: &str, node: &'a Node, root: &Table<'a>) -> Decoded<Raw<'a>> {
    if !matches!(node.value, Value::Table(_)) {
        return Ok(Raw {
            node,
            one_of: Vec::new(),
            about: String::new(),
        });
    }
    let what = format!("parameter `{name}`");
    let t = Table::open_as(node, &what, &keys::PARAMETER, root.scope())?;
    let one_of = t
        .list("one_of")?
        .iter()
        .map(|n| super::decode::text(n, "one_of", root.scope()))
        .collect::<Decoded<_>>()?;
    Ok(Raw {
        node: t.require("value", "the parameter's value")?,
        one_of,
        about: t.text("about")?.unwrap_or_default(),
    })
}

/// Evaluates one parameter, after those it refers to.
fn settle<'a>(
    name: &'a str,
    raw: &'a BTreeMap<&'a str, Raw<'a>>,
    scope: &mut Scope,
    open: &mut Vec<&'a str>,
) -> Decoded<()> {
    let Some(parameter) = raw.get(name) else {
        return Ok(());
    };
    if scope.contains_key(name) {
        return Ok(());
    }
    let place = &parameter.node.place;
    if open.contains(&name) {
        let circle = open.join("` → `");
        return Err(Fault::new(
            place,
            format!("parameters refer to each other in a circle: `{circle}`"),
        ));
    }
    open.push(name);
    let value = match &parameter.node.value {
        Value::Number(n) => Literal::Number(*n),
        Value::Text(text) if text.contains('$') => {
            for other in references(text) {
                settle(other, raw, scope, open)?;
            }
            evaluate(text, scope).map_err(|why| Fault::new(place, why))?
        }
        Value::Text(text) => Literal::Text(text.clone()),
        other => {
            let found = other.kind();
            return Err(Fault::new(
                place,
                format!("parameter `{name}` must be a number or a text, found {found}"),
            ));
        }
    };
    open.pop();
    accept(name, &value, parameter)?;
    scope.insert(name.into(), value);
    Ok(())
}

fn accept(name: &str, value: &Literal, parameter: &Raw<'_>) -> Decoded<()> {
    let place = &parameter.node.place;
    if matches!(value, Literal::Number(n) if !n.is_finite()) {
        let message = format!("parameter `{name}` is {value}; expected a finite number");
        return Err(Fault::new(place, message));
    }
    let one_of = &parameter.one_of;
    if one_of.is_empty() || one_of.contains(&value.to_string()) {
        return Ok(());
    }
    let message = format!("parameter `{name}` is `{value}`");
    let known = one_of.iter().map(String::as_str);
    Err(Fault::new(place, message).help(suggestion(&value.to_string(), known)))
}
