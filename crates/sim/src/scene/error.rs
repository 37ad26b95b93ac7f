//! What is wrong with a scene, and where. A [`Fault`] knows a place; a [`SceneError`] also carries the
//! text around it, so that a message can show the line.

use std::ops::Range;

/// A stretch of one of the texts a scene is read from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    /// 0 is the scene's file, `n` is the `n`-th override.
    pub source: usize,
    /// Bytes.
    pub span: Range<usize>,
}

/// A fault at a place.
#[derive(Clone, Debug)]
pub(super) struct Fault {
    pub place: Place,
    pub message: String,
    pub help: Option<String>,
}

impl Fault {
    pub fn new(place: &Place, message: impl Into<String>) -> Self {
        Fault {
            place: place.clone(),
            message: message.into(),
            help: None,
        }
    }

    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// Why a scene cannot be read: what, where, and what would be right.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{source_name}:{}:{}: {message}{}", self.line(), self.column(), self.help_text())]
pub struct SceneError {
    /// The file, the built-in scene, or the option that holds the fault.
    pub source_name: String,
    /// Its whole text.
    pub text: String,
    /// The offending bytes of the text.
    pub span: Range<usize>,
    /// What is wrong and what was expected.
    pub message: String,
    /// What can be done.
    pub help: Option<String>,
}

impl SceneError {
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

/// The closest of `known` to `word`, when it is close enough to be what was meant.
pub(super) fn closest_word<'a>(
    word: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    known
        .into_iter()
        .map(|k| (strsim::damerau_levenshtein(word, k), k))
        .filter(|(distance, k)| *distance <= 1 + k.len().min(word.len()) / 3)
        .min()
        .map(|(_, k)| k)
}

/// Words that other engines use, and what they are called here.
const ELSEWHERE: [(&str, &str); 17] = [
    ("bodies", "body"),
    ("joints", "joint"),
    ("robots", "robot"),
    ("sphere", "ball"),
    ("cuboid", "box"),
    ("plane", "half_space"),
    ("convex", "hull"),
    ("heightfield", "height_field"),
    ("trimesh", "mesh"),
    ("static", "fixed"),
    ("rigid", "dynamic"),
    ("pos", "position"),
    ("orientation", "rotation"),
    ("linear_velocity", "velocity"),
    ("angular_velocity", "spin"),
    ("duration", "until"),
    ("timestep", "step"),
];

/// What another engine's word is called here, if it can be named in this place.
fn word_here<'a>(word: &str, known: &[&'a str]) -> Option<&'a str> {
    let (_, here) = ELSEWHERE.iter().find(|(elsewhere, _)| *elsewhere == word)?;
    known.iter().copied().find(|k| k == here)
}

/// "did you mean" when there is a close word, the whole list otherwise.
pub(super) fn suggestion<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let list = || {
        let quoted: Vec<String> = known.iter().map(|k| format!("`{k}`")).collect();
        quoted.join(", ")
    };
    let close = word_here(word, &known).or_else(|| closest_word(word, known.iter().copied()));
    match close {
        Some(close) => format!("did you mean `{close}`? known here: {}", list()),
        None if known.is_empty() => "this scene defines none".into(),
        None => format!("known here: {}", list()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_engines_are_told_what_they_are_called_here() {
        let shapes = ["ball", "box", "capsule", "hull"];
        assert!(suggestion("sphere", shapes).starts_with("did you mean `ball`?"));
        assert!(suggestion("bodies", ["forces", "body"]).starts_with("did you mean `body`?"));
        // A word that cannot be said in this place is not suggested.
        assert!(!suggestion("static", shapes).contains("fixed"));
    }
}
