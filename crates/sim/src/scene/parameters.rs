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
    /// The least and the most that it may be; infinite where nothing is said.
    pub bounds: [f64; 2],
    /// The texts that it may be; none where anything will do.
    pub one_of: Vec<String>,
}

impl Parameter {
    /// What it may be, in a few words; empty where anything will do.
    pub fn range(&self) -> String {
        let [least, most] = self.bounds;
        match (&self.one_of[..], least.is_finite(), most.is_finite()) {
            ([_, ..], ..) => self.one_of.join(" or "),
            (_, true, true) => format!("{least} to {most}"),
            (_, true, false) => format!("{least} or more"),
            (_, false, true) => format!("{most} or less"),
            _ => String::new(),
        }
    }
}

/// A parameter whose value is not known yet.
struct Raw<'a> {
    node: &'a Node,
    one_of: Vec<String>,
    about: String,
    bounds: [Option<&'a Node>; 2],
}

/// What is known of the parameters that are settled.
#[derive(Default)]
struct Settled {
    scope: Scope,
    bounds: BTreeMap<String, [f64; 2]>,
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
    let mut settled = Settled::default();
    for name in raw.keys() {
        settle(name, &raw, &mut settled, &mut Vec::new())?;
    }
    let Settled { scope, bounds } = settled;
    let listing = raw
        .into_iter()
        .filter_map(|(name, raw)| {
            Some(Parameter {
                name: name.into(),
                value: scope.get(name)?.clone(),
                about: raw.about,
                bounds: *bounds.get(name)?,
                one_of: raw.one_of,
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
            bounds: [None; 2],
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
        bounds: [t.get("min"), t.get("max")],
    })
}

/// Evaluates one parameter, after those it refers to.
fn settle<'a>(
    name: &'a str,
    raw: &'a BTreeMap<&'a str, Raw<'a>>,
    settled: &mut Settled,
    open: &mut Vec<&'a str>,
) -> Decoded<()> {
    let Some(parameter) = raw.get(name) else {
        return Ok(());
    };
    if settled.scope.contains_key(name) {
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
    let value = literal(&format!("parameter `{name}`"), parameter.node, |text| {
        refer(text, raw, settled, open)
    })?;
    let mut bounds = [f64::NEG_INFINITY, f64::INFINITY];
    for ((node, key), bound) in parameter.bounds.iter().zip(["min", "max"]).zip(&mut bounds) {
        let Some(node) = node else { continue };
        let what = format!("`{key}` of parameter `{name}`");
        match literal(&what, node, |text| refer(text, raw, settled, open))? {
            Literal::Number(n) => *bound = n,
            Literal::Text(text) => {
                let message = format!("{what} must be a number, found the text `{text}`");
                return Err(Fault::new(&node.place, message));
            }
        }
    }
    open.pop();
    accept(name, &value, parameter, bounds)?;
    settled.scope.insert(name.into(), value);
    settled.bounds.insert(name.into(), bounds);
    Ok(())
}

/// Settles what an expression refers to, and gives all that is settled.
fn refer<'a, 's>(
    text: &'a str,
    raw: &'a BTreeMap<&'a str, Raw<'a>>,
    settled: &'s mut Settled,
    open: &mut Vec<&'a str>,
) -> Decoded<&'s Scope> {
    for other in references(text) {
        settle(other, raw, settled, open)?;
    }
    Ok(&settled.scope)
}

/// A number, a text or the value of an expression, in the scope that `scope` finds for it.
fn literal<'a, 's>(
    what: &str,
    node: &'a Node,
    scope: impl FnOnce(&'a str) -> Decoded<&'s Scope>,
) -> Decoded<Literal> {
    let fault = |message| Fault::new(&node.place, message);
    match &node.value {
        Value::Number(n) => Ok(Literal::Number(*n)),
        Value::Text(text) if text.contains('$') => evaluate(text, scope(text)?).map_err(fault),
        Value::Text(text) => Ok(Literal::Text(text.clone())),
        other => {
            let found = other.kind();
            Err(fault(format!(
                "{what} must be a number or a text, found {found}"
            )))
        }
    }
}

fn accept(name: &str, value: &Literal, parameter: &Raw<'_>, bounds: [f64; 2]) -> Decoded<()> {
    let place = &parameter.node.place;
    if matches!(value, Literal::Number(n) if !n.is_finite()) {
        let message = format!("parameter `{name}` is {value}; expected a finite number");
        return Err(Fault::new(place, message));
    }
    let [least, most] = bounds;
    let is_within = matches!(value, Literal::Number(n) if (least..=most).contains(n));
    let is_bounded = parameter.bounds.iter().any(Option::is_some);
    if is_bounded && !is_within {
        let message = format!("parameter `{name}` is {value}; expected {}", range(bounds));
        let fault = Fault::new(place, message);
        return Err(match parameter.about.as_str() {
            "" => fault,
            about => fault.help(format!("`{name}`: {about}")),
        });
    }
    let one_of = &parameter.one_of;
    if one_of.is_empty() || one_of.contains(&value.to_string()) {
        return Ok(());
    }
    let message = format!("parameter `{name}` is `{value}`");
    let known = one_of.iter().map(String::as_str);
    Err(Fault::new(place, message).help(suggestion(&value.to_string(), known)))
}

/// What a bounded parameter may be, in words.
fn range([least, most]: [f64; 2]) -> String {
    match (least.is_finite(), most.is_finite()) {
        (true, true) => format!("a number from {least} to {most}"),
        (false, true) => format!("a number of at most {most}"),
        _ => format!("a number of at least {least}"),
    }
}
