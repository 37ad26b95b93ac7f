//! `for`: one table that stands for many. `for = "i = 1 to 10"` reads the table ten times, with `$i` as one more
//! parameter; a list of such texts nests, and an inner range may refer to an outer index.

use super::builder::{BODIES_MAX, Builder, Shared};
use super::decode::{Decoded, Scope, Table, list};
use super::error::Fault;
use super::expression::{Literal, evaluate, is_name, references};
use super::keys;
use super::tree::{Node, Value};

/// The key.
pub(super) const FOR: &str = "for";

const WRONG: &str =
    "expected an index and its range, both ends included, as in `for = \"i = 1 to 10\"`";

/// One range: an index, and the expressions of its first and last value.
struct Range<'a> {
    node: &'a Node,
    index: &'a str,
    first: &'a str,
    last: &'a str,
}

impl<'a> Range<'a> {
    fn parse(node: &'a Node, scope: &Scope, outer: &[Range<'_>]) -> Decoded<Self> {
        let fault = |message: String| Fault::new(&node.place, message);
        let Value::Text(text) = &node.value else {
            let found = node.value.kind();
            return Err(fault(format!(
                "`for` must be a text, found {found}; {WRONG}"
            )));
        };
        let (index, range) = text
            .split_once('=')
            .ok_or_else(|| fault(format!("`{text}` has no `=`; {WRONG}")))?;
        let (first, last) = range
            .split_once(" to ")
            .ok_or_else(|| fault(format!("`{text}` has no `to`; {WRONG}")))?;
        let index = index.trim();
        if !is_name(index) {
            return Err(fault(format!("`{index}` is not a name; {WRONG}")));
        }
        if scope.contains_key(index) || outer.iter().any(|range| range.index == index) {
            let message = format!("`{index}` is the name of a parameter already");
            return Err(fault(message).help("give the index another name"));
        }
        Ok(Range {
            node,
            index,
            first,
            last,
        })
    }

    fn end(&self, text: &str, scope: &Scope) -> Decoded<i64> {
        let fault = |message: String| Fault::new(&self.node.place, message);
        let whole = |n: f64| n.fract() == 0.0 && n.abs() < 1e15;
        match evaluate(text, scope) {
            Ok(Literal::Number(n)) if whole(n) => Ok(n as i64),
            Ok(other) => Err(fault(format!(
                "`{}` of `for` is {other}; expected a whole number",
                text.trim()
            ))),
            Err(why) => Err(fault(format!("`{}` of `for`: {why}", text.trim()))),
        }
    }
}

/// Reads every table of a list, as often as its `for` says.
pub(super) fn each(
    root: &Table<'_>,
    key: &str,
    builder: &mut Builder,
    mut read: impl FnMut(&Node, &Table<'_>, &mut Builder) -> Decoded<()>,
) -> Decoded<()> {
    for node in root.list(key)? {
        let Value::Table(entries) = &node.value else {
            read(node, root, builder)?;
            continue;
        };
        let Some((_, ranges)) = entries.get(FOR) else {
            read(node, root, builder)?;
            continue;
        };
        let texts = match &ranges.value {
            Value::List(_) => list(ranges, FOR)?,
            _ => std::slice::from_ref(ranges),
        };
        let mut parsed = Vec::with_capacity(texts.len());
        for text in texts {
            parsed.push(Range::parse(text, root.scope(), &parsed)?);
        }
        let mut once = entries.clone();
        once.remove(FOR);
        let once = Node {
            place: node.place.clone(),
            value: Value::Table(once),
        };
        builder.shared = match are_alike(&once, &parsed) {
            true => Shared::Wanted,
            false => Shared::No,
        };
        let mut scope = root.scope().clone();
        let mut left = BODIES_MAX;
        nest(&parsed, &mut scope, &mut left, &mut |scope| {
            read(&once, &root.with_scope(scope), builder)
        })?;
        builder.shared = Shared::No;
    }
    Ok(())
}

/// Runs through the first range, and for every value through the others.
fn nest(
    ranges: &[Range<'_>],
    scope: &mut Scope,
    left: &mut u64,
    read: &mut dyn FnMut(&Scope) -> Decoded<()>,
) -> Decoded<()> {
    let Some((range, inner)) = ranges.split_first() else {
        return read(scope);
    };
    let (first, last) = (
        range.end(range.first, scope)?,
        range.end(range.last, scope)?,
    );
    for value in first..=last {
        *left = left.checked_sub(1).ok_or_else(|| {
            let message = format!("`for` makes more than {BODIES_MAX} of them");
            Fault::new(&range.node.place, message)
        })?;
        scope.insert(range.index.into(), Literal::Number(value as f64));
        nest(inner, scope, left, read)?;
    }
    scope.remove(range.index);
    Ok(())
}

/// Whether no index decides what the table's bodies are made of, so that all can share a model.
fn are_alike(node: &Node, ranges: &[Range<'_>]) -> bool {
    let Value::Table(entries) = &node.value else {
        return false;
    };
    let aside = ["name", "color", "layer", "collides", "ignores"];
    let keys = keys::TEMPLATE.iter().flat_map(|part| part.iter());
    let made_of = keys.filter(|key| !aside.contains(&key.name));
    let mut nodes = made_of.filter_map(|key| entries.get(key.name));
    !nodes.any(|(_, node)| mentions(node, ranges))
}

fn mentions(node: &Node, ranges: &[Range<'_>]) -> bool {
    match &node.value {
        Value::Text(text) => {
            let is_index = |name: &&str| ranges.iter().any(|range| range.index == *name);
            references(text).iter().any(is_index)
        }
        Value::List(items) => items.iter().any(|item| mentions(item, ranges)),
        Value::Table(entries) => entries.values().any(|(_, node)| mentions(node, ranges)),
        Value::Number(_) | Value::Truth(_) => false,
    }
}
