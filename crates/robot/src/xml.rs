//! A robot's XML as an owned tree in which every element and attribute knows its place. Included
//! files are spliced in. Bounded in size, depth and number of files; no document types, so that no
//! entity can expand.

use crate::error::{Place, RobotError, Sources};
use crate::files::Folder;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Larger texts are no robots.
const BYTES_MAX: u64 = 64 << 20;
const NODES_MAX: u32 = 2_000_000;
const DEPTH_MAX: usize = 512;
const FILES_MAX: usize = 256;

/// An attribute.
#[derive(Clone, Debug)]
pub(crate) struct Attribute {
    pub name: String,
    pub value: String,
    pub place: Place,
}

/// An element.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub tag: String,
    /// Of a namespace, so no word of the format itself.
    pub foreign: bool,
    pub attributes: Vec<Attribute>,
    pub children: Vec<Node>,
    pub place: Place,
}

impl Node {
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    pub fn get(&self, name: &str) -> Option<&str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    pub fn all<'a>(&'a self, tag: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children
            .iter()
            .filter(move |c| !c.foreign && c.tag == tag)
    }

    pub fn child(&self, tag: &str) -> Option<&Node> {
        self.children.iter().find(|c| !c.foreign && c.tag == tag)
    }
}

/// Reads a file as text, refusing what is too large or not UTF-8.
fn read_text(path: &Path) -> Result<Arc<str>, RobotError> {
    let cannot = |e: std::io::Error| RobotError::file(path, format!("cannot be read: {e}"));
    let size = std::fs::metadata(path).map_err(cannot)?.len();
    if size > BYTES_MAX {
        let message = format!("has {size} bytes; a robot's description may have {BYTES_MAX}");
        return Err(RobotError::file(path, message));
    }
    let bytes = std::fs::read(path).map_err(cannot)?;
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok(Arc::from(text)),
        Err(e) => {
            let good = &bytes[..e.valid_up_to()];
            let text: Arc<str> = Arc::from(String::from_utf8_lossy(good));
            Err(RobotError {
                source_name: path.display().to_string(),
                span: text.len()..text.len(),
                text,
                message: "this byte is not UTF-8".into(),
                help: Some("save the file as UTF-8".into()),
            })
        }
    }
}

/// Reads a file and all that it includes.
pub(crate) fn read(
    path: &Path,
    folder: &Folder,
    sources: &mut Sources,
) -> Result<Node, RobotError> {
    let mut stack = Vec::new();
    read_file(path, folder, sources, &mut stack)
}

fn read_file(
    path: &Path,
    folder: &Folder,
    sources: &mut Sources,
    stack: &mut Vec<PathBuf>,
) -> Result<Node, RobotError> {
    let text = read_text(path)?;
    let file = sources.files.len();
    sources.files.push((path.to_path_buf(), text.clone()));
    let options = roxmltree::ParsingOptions {
        nodes_limit: NODES_MAX,
        ..Default::default()
    };
    let document = roxmltree::Document::parse_with_options(&text, options)
        .map_err(|e| malformed(&e, file, &text, sources))?;
    let mut root = own(document.root_element(), file, 0, sources)?;
    stack.push(path.canonicalize().unwrap_or_else(|_| path.to_path_buf()));
    splice(&mut root, path, folder, sources, stack)?;
    stack.pop();
    Ok(root)
}

fn malformed(e: &roxmltree::Error, file: usize, text: &str, sources: &Sources) -> RobotError {
    let position = e.pos();
    let mut start = 0;
    for (k, line) in text.split_inclusive('\n').enumerate() {
        if k + 1 == position.row as usize {
            let column = position.col as usize - 1;
            start += line.char_indices().nth(column).map_or(0, |(at, _)| at);
            break;
        }
        start += line.len();
    }
    if matches!(e, roxmltree::Error::DtdDetected) {
        start = text.find("<!DOCTYPE").unwrap_or(0);
        let place = Place {
            file,
            span: start..start + 9.min(text.len() - start),
        };
        return sources
            .error(&place, "a document type with entities is not read")
            .help("remove it: robots need no entities, and entities can expand without end");
    }
    let place = Place {
        file,
        span: start..start,
    };
    sources.error(&place, format!("this is not XML: {e}"))
}

fn own(
    node: roxmltree::Node<'_, '_>,
    file: usize,
    depth: usize,
    sources: &Sources,
) -> Result<Node, RobotError> {
    let range = node.range();
    // the start tag's name is what a message should point at
    let place = Place {
        file,
        span: range.start..(range.start + 1 + node.tag_name().name().len()).min(range.end),
    };
    if depth > DEPTH_MAX {
        let message = format!("elements are nested deeper than {DEPTH_MAX}");
        return Err(sources.error(&place, message));
    }
    let attributes = node
        .attributes()
        .map(|a| Attribute {
            name: match a.namespace() {
                Some(space) => format!("{{{space}}}{}", a.name()),
                None => a.name().to_string(),
            },
            value: a.value().to_string(),
            place: Place {
                file,
                span: a.range(),
            },
        })
        .collect();
    let children = node
        .children()
        .filter(roxmltree::Node::is_element)
        .map(|c| own(c, file, depth + 1, sources))
        .collect::<Result<_, _>>()?;
    Ok(Node {
        tag: node.tag_name().name().to_string(),
        foreign: node.tag_name().namespace().is_some(),
        attributes,
        children,
        place,
    })
}

fn splice(
    node: &mut Node,
    path: &Path,
    folder: &Folder,
    sources: &mut Sources,
    stack: &mut Vec<PathBuf>,
) -> Result<(), RobotError> {
    let old = std::mem::take(&mut node.children);
    for mut child in old {
        if child.tag != "include" || child.foreign {
            splice(&mut child, path, folder, sources, stack)?;
            node.children.push(child);
            continue;
        }
        let included = include(&child, path, folder, sources, stack)?;
        // the element itself stays, so that nothing of the file is lost from sight
        node.children.push(child);
        node.children.extend(included.children);
    }
    Ok(())
}

fn include(
    element: &Node,
    path: &Path,
    folder: &Folder,
    sources: &mut Sources,
    stack: &mut Vec<PathBuf>,
) -> Result<Node, RobotError> {
    let Some(attribute) = element.attribute("file") else {
        return Err(sources.error(&element.place, "`include` needs `file`"));
    };
    let place = &attribute.place;
    let near = path.parent().unwrap_or(Path::new("."));
    let found = folder
        .find(&attribute.value, &[&folder.own, near])
        .map_err(|why| sources.error(place, why))?;
    let canonical = found.canonicalize().unwrap_or_else(|_| found.clone());
    if stack.contains(&canonical) {
        let message = format!("`{}` includes itself", attribute.value);
        return Err(sources.error(place, message));
    }
    if sources.files.len() >= FILES_MAX {
        let message = format!("more than {FILES_MAX} files are included");
        return Err(sources.error(place, message));
    }
    read_file(&found, folder, sources, stack)
}
