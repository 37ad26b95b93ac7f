//! Nothing is lost silently: what became of every element and attribute of a robot's files.

use std::fmt;

/// What became of an element or attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It is in the robot.
    Used,
    /// It is in the robot, but not exactly as the format says.
    Approximated,
    /// It is not in the robot.
    Ignored,
}

/// One element or attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// The element, with the one it stands in: `body/geom`.
    pub element: String,
    /// The attribute, or the element itself.
    pub attribute: Option<String>,
    /// What became of it.
    pub verdict: Verdict,
    /// Why, when it is not used.
    pub why: &'static str,
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self.verdict {
            Verdict::Used => "used",
            Verdict::Approximated => "approximated",
            Verdict::Ignored => "ignored",
        };
        write!(f, "{}:{}: {}", self.file, self.line, self.element)?;
        if let Some(attribute) = &self.attribute {
            write!(f, " {attribute}")?;
        }
        write!(f, ": {word}")?;
        if !self.why.is_empty() {
            write!(f, " ({})", self.why)?;
        }
        Ok(())
    }
}

/// The list of all elements and attributes.
#[derive(Clone, Debug, Default)]
pub struct Coverage {
    /// In the order of the files.
    pub entries: Vec<Entry>,
}

impl Coverage {
    /// How many have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.entries.iter().filter(|e| e.verdict == verdict).count()
    }
}

/// What a format knows of one element.
#[derive(Debug)]
pub(crate) struct Word {
    /// The element, with the one it stands in.
    pub element: &'static str,
    pub verdict: Verdict,
    /// Attributes, separated by blanks.
    pub used: &'static str,
    pub approximated: &'static str,
    pub ignored: &'static str,
    /// Why what is ignored or approximated is.
    pub why: &'static str,
}

impl Word {
    /// What becomes of an attribute, if the format knows it.
    pub fn attribute(&self, name: &str) -> Option<Verdict> {
        let has = |list: &str| list.split(' ').any(|w| w == name);
        if has(self.used) {
            Some(Verdict::Used)
        } else if has(self.approximated) {
            Some(Verdict::Approximated)
        } else if has(self.ignored) {
            Some(Verdict::Ignored)
        } else {
            None
        }
    }

    /// All attributes that are known.
    pub fn known(&self) -> impl Iterator<Item = &'static str> {
        [self.used, self.approximated, self.ignored]
            .into_iter()
            .flat_map(|l| l.split(' '))
            .filter(|w| !w.is_empty())
    }
}
