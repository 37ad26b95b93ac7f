//! What is wrong with a robot's file, and where: the same shape as errors of scenes, so that a
//! message can show the line.

use std::fmt;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;

/// A stretch of one of the texts a robot is read from.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Place {
    /// Index into [`Sources`]; 0 is the robot's own file, the others are included.
    pub file: usize,
    /// Bytes.
    pub span: Range<usize>,
}

/// The texts a robot was read from.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub(crate) files: Vec<(PathBuf, Arc<str>)>,
}

impl Sources {
    /// The file's name and the line, from 1, of a place.
    pub fn line(&self, place: &Place) -> (String, usize) {
        let Some((path, text)) = self.files.get(place.file) else {
            return (String::new(), 0);
        };
        let before = text.get(..place.span.start).unwrap_or("");
        (path.display().to_string(), before.matches('\n').count() + 1)
    }

    pub(crate) fn error(&self, place: &Place, message: impl Into<String>) -> RobotError {
        let (path, text) = self
            .files
            .get(place.file)
            .cloned()
            .unwrap_or_else(|| (PathBuf::new(), Arc::from("")));
        RobotError {
            source_name: path.display().to_string(),
            text,
            span: place.span.clone(),
            message: message.into(),
            help: None,
        }
    }
}

/// Why a robot cannot be read: what, where, and what would be right.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{source_name}:{}:{}: {message}{}", self.line(), self.column(), self.help_text())]
pub struct RobotError {
    /// The file that holds the fault.
    pub source_name: String,
    /// Its whole text.
    pub text: Arc<str>,
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// What is wrong and what was expected.
    pub message: String,
    /// What can be done.
    pub help: Option<String>,
}

impl RobotError {
    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// An error about a whole file.
    pub(crate) fn file(path: &std::path::Path, message: impl Into<String>) -> Self {
        RobotError {
            source_name: path.display().to_string(),
            text: Arc::from(""),
            span: 0..0,
            message: message.into(),
            help: None,
        }
    }

    /// Line of the fault, from 1.
    pub fn line(&self) -> usize {
        self.before().matches('\n').count() + 1
    }

    /// Column of the fault in characters, from 1.
    pub fn column(&self) -> usize {
        let line = self.before().rsplit('\n').next();
        line.map_or(0, |l| l.chars().count()) + 1
    }

    /// The offending text.
    pub fn excerpt(&self) -> &str {
        self.text.get(self.span.clone()).unwrap_or("")
    }

    fn before(&self) -> &str {
        self.text.get(..self.span.start).unwrap_or("")
    }

    fn help_text(&self) -> String {
        let help = self.help.as_ref();
        help.map_or(String::new(), |h| format!(" ({h})"))
    }
}

/// Something that is odd but does not stop the robot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is odd, and what was done about it.
    pub message: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// "did you mean" when there is a close word, the whole list otherwise.
pub(crate) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let mut known: Vec<&str> = known.into_iter().collect();
    known.sort_unstable();
    known.dedup();
    let close = known
        .iter()
        .map(|k| (strsim::damerau_levenshtein(word, k), *k))
        .filter(|(distance, k)| *distance <= 1 + k.len().min(word.len()) / 3)
        .min();
    let quoted: Vec<String> = known.iter().take(24).map(|k| format!("`{k}`")).collect();
    let more = if known.len() > 24 { ", …" } else { "" };
    match close {
        Some((_, close)) => format!("did you mean `{close}`?"),
        None if known.is_empty() => "nothing can stand here".into(),
        None => format!("known here: {}{more}", quoted.join(", ")),
    }
}
