//! Goes over all elements and attributes of a robot's files and says what becomes of each. What no
//! list of the format knows is an error.

use crate::coverage::{Coverage, Entry, Verdict, Word};
use crate::error::{RobotError, Sources, suggestion};
use crate::xml::Node;

/// What a format knows.
pub(crate) struct Vocabulary {
    pub words: &'static [Word],
    /// The name under which an element's children are looked up.
    pub canonical: fn(&str) -> &str,
    /// Elements whose whole content belongs to other programs.
    pub extensions: &'static [&'static str],
}

const EXTENSION: &str = "an extension for other programs";

/// The list for a whole tree.
pub(crate) fn walk(
    root: &Node,
    vocabulary: &Vocabulary,
    sources: &Sources,
) -> Result<Coverage, RobotError> {
    let mut coverage = Coverage::default();
    visit(root, "", vocabulary, sources, false, &mut coverage)?;
    Ok(coverage)
}

fn visit(
    node: &Node,
    parent: &str,
    vocabulary: &Vocabulary,
    sources: &Sources,
    foreign: bool,
    coverage: &mut Coverage,
) -> Result<(), RobotError> {
    let name = match parent {
        "" => node.tag.clone(),
        p => format!("{p}/{}", (vocabulary.canonical)(&node.tag)),
    };
    let foreign = foreign || node.foreign || vocabulary.extensions.contains(&name.as_str());
    let word = vocabulary.words.iter().find(|w| w.element == name);
    let mut note = |place, attribute: Option<&str>, verdict, why| {
        let (file, line) = sources.line(place);
        coverage.entries.push(Entry {
            file,
            line,
            element: name.clone(),
            attribute: attribute.map(str::to_string),
            verdict,
            why,
        });
    };
    if foreign {
        note(&node.place, None, Verdict::Ignored, EXTENSION);
        for a in &node.attributes {
            note(&a.place, Some(&a.name), Verdict::Ignored, EXTENSION);
        }
    } else {
        let Some(word) = word else {
            let message = if parent.is_empty() {
                format!("`{}` is not the root of a robot's description", node.tag)
            } else {
                format!("`{}` is not known inside `{parent}`", node.tag)
            };
            let inside = format!("{parent}/");
            let known = vocabulary.words.iter().map(|w| w.element);
            let siblings = known.filter_map(|e| e.strip_prefix(inside.as_str()));
            let help = suggestion(&node.tag, siblings);
            return Err(sources.error(&node.place, message).help(help));
        };
        let why = |v| if v == Verdict::Used { "" } else { word.why };
        note(&node.place, None, word.verdict, why(word.verdict));
        for a in &node.attributes {
            if a.name.starts_with('{') {
                note(&a.place, Some(&a.name), Verdict::Ignored, EXTENSION);
                continue;
            }
            let Some(verdict) = word.attribute(&a.name) else {
                let message = format!("`{}` is not an attribute of `{name}`", a.name);
                let help = suggestion(&a.name, word.known());
                return Err(sources.error(&a.place, message).help(help));
            };
            note(&a.place, Some(&a.name), verdict, why(verdict));
        }
    }
    let own = (vocabulary.canonical)(&node.tag);
    for child in &node.children {
        visit(child, own, vocabulary, sources, foreign, coverage)?;
    }
    Ok(())
}
