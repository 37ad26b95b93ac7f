//! Numbers and words out of attributes.

use crate::error::{RobotError, Sources};
use crate::xml::{Attribute, Node};
use multibody::Vec3;

/// The numbers of a text, separated by blanks.
pub(crate) fn numbers(a: &Attribute, sources: &Sources) -> Result<Vec<f64>, RobotError> {
    let mut out = Vec::new();
    for word in a.value.split_whitespace() {
        match word.parse::<f64>() {
            Ok(x) if x.is_finite() => out.push(x),
            _ => {
                let message = format!("`{}` holds `{word}`, which is not a finite number", a.name);
                return Err(sources.error(&a.place, message));
            }
        }
    }
    Ok(out)
}

/// Exactly `N` numbers.
pub(crate) fn exactly<const N: usize>(
    a: &Attribute,
    sources: &Sources,
) -> Result<[f64; N], RobotError> {
    let found = numbers(a, sources)?;
    <[f64; N]>::try_from(found.as_slice()).map_err(|_| {
        let message = format!("`{}` has {} numbers; {N} are expected", a.name, found.len());
        sources.error(&a.place, message)
    })
}

/// One number.
pub(crate) fn number(a: &Attribute, sources: &Sources) -> Result<f64, RobotError> {
    exactly::<1>(a, sources).map(|[x]| x)
}

/// Three numbers.
pub(crate) fn vector(a: &Attribute, sources: &Sources) -> Result<Vec3, RobotError> {
    exactly::<3>(a, sources).map(Vec3::from_array)
}

/// An attribute that must be there.
pub(crate) fn required<'a>(
    node: &'a Node,
    name: &str,
    sources: &Sources,
) -> Result<&'a Attribute, RobotError> {
    node.attribute(name).ok_or_else(|| {
        let message = format!("`{}` needs the attribute `{name}`", node.tag);
        sources.error(&node.place, message)
    })
}
