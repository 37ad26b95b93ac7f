//! Why a command fails, what it says then, and its exit code.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use sim::RunError;
use sim::scene::SceneError;
use std::ops::Range;
use std::process::ExitCode;

/// Why a command ended early.
pub enum Failure {
    /// The user's input cannot be used: exit code 2.
    Input(Box<Report>),
    /// A check failed, a run gave up, or a result could not be written: exit code 1.
    Run(Box<Report>),
    /// Whoever read the output has seen enough; not an error.
    ReaderGone,
}

/// What is wrong, where, and what to do about it.
pub struct Report {
    message: String,
    place: Option<Place>,
    help: Option<String>,
}

/// A fault's place in a text.
struct Place {
    /// The text's name: a file's path.
    name: String,
    text: String,
    /// Bytes of the text.
    at: Range<usize>,
}

/// In words, without the text around a fault: for the viewer's page.
impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(report) | Failure::Run(report) => {
                write!(out, "{report}")?;
                match &report.help {
                    Some(help) => write!(out, "; {help}"),
                    None => Ok(()),
                }
            }
            Failure::ReaderGone => write!(out, "nobody reads the output any more"),
        }
    }
}

impl Failure {
    /// Bad input.
    pub fn input(message: impl Into<String>, help: Option<String>) -> Self {
        Failure::Input(Report::plain(message.into(), help))
    }

    /// A failed check or write.
    pub fn run(message: impl Into<String>, help: Option<String>) -> Self {
        Failure::Run(Report::plain(message.into(), help))
    }

    /// The same with a word on what is left.
    pub fn noting(self, note: String) -> Self {
        match self {
            Failure::Run(report) => Failure::run(report.message, Some(note)),
            other => other,
        }
    }

    /// Prints the report and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Input(report) => {
                report.print();
                ExitCode::from(2)
            }
            Failure::Run(report) => {
                report.print();
                ExitCode::from(1)
            }
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

/// The message alone.
impl std::fmt::Display for Report {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.message)
    }
}

impl Report {
    fn plain(message: String, help: Option<String>) -> Box<Self> {
        Box::new(Report {
            message,
            place: None,
            help,
        })
    }

    /// To the standard error, with colours where it is a terminal.
    fn print(&self) {
        anstream::eprintln!("{}", self.drawn(writes_unicode()));
    }

    fn drawn(&self, in_unicode: bool) -> String {
        let mut group = Group::with_title(Level::ERROR.primary_title(self.message.as_str()));
        if let Some(place) = &self.place {
            // A fault at the end of a text is shown behind its last letter.
            let end = place.at.end.min(place.text.len());
            let mark = AnnotationKind::Primary.span(place.at.start.min(end)..end);
            let text = Snippet::source(place.text.as_str()).path(place.name.as_str());
            group = group.element(text.annotation(mark.label("here")));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        let decor = match in_unicode {
            true => DecorStyle::Unicode,
            false => DecorStyle::Ascii,
        };
        Renderer::styled().decor_style(decor).render(&[group])
    }
}

/// Whether the language of this environment is written in UTF-8.
fn writes_unicode() -> bool {
    if cfg!(windows) {
        return true;
    }
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let language = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    language.is_some_and(|name| {
        let name = name.to_lowercase();
        name.ends_with("utf-8") || name.ends_with("utf8")
    })
}

impl From<Box<SceneError>> for Failure {
    fn from(error: Box<SceneError>) -> Self {
        Failure::Input(Box::new(Report {
            message: error.message,
            place: Some(Place {
                name: error.source_name,
                text: error.text,
                at: error.span,
            }),
            help: error.help,
        }))
    }
}

/// A recording that cannot be created is bad input; one that cannot be written is a failed run.
impl From<record::Error> for Failure {
    fn from(error: record::Error) -> Self {
        match error {
            record::Error::Io { .. } => Failure::input(error.to_string(), None),
            _ => Failure::run(error.to_string(), None),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Step { .. }
            | RunError::Unknown(_)
            | RunError::Koenig(koenig::Error::Unusable(_))
            | RunError::Deformable { .. }
            | RunError::Joints { .. }
            | RunError::Multibody { .. }
            | RunError::Periodic { .. }
            | RunError::Inputs { .. }
            | RunError::Undivided { .. }
            | RunError::FewRegions { .. }
            | RunError::NoRanks => Failure::input(error.to_string(), None),
            RunError::Engine(_)
            | RunError::Koenig(_)
            | RunError::Panicked(_)
            | RunError::Rank { .. }
            | RunError::Network { .. }
            | RunError::Unrepeatable { .. } => Failure::run(error.to_string(), None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str, at: Range<usize>) -> String {
        let report = Report {
            message: "unknown key `velocty` in a body".into(),
            place: Some(Place {
                name: "drop.toml".into(),
                text: text.into(),
                at,
            }),
            help: Some("did you mean `velocity`?".into()),
        };
        anstream::adapter::strip_str(&report.drawn(true)).to_string()
    }

    #[test]
    fn a_fault_is_drawn_in_its_line() {
        let text = "mass = 1\nvelocty = [1, 0, 0]\n";
        let drawn = drawn(text, 9..16);
        for part in [
            "error: unknown key `velocty`",
            "drop.toml:2:1",
            "2 │ velocty = [1, 0, 0]",
            "━━━━━━━ here",
            "help: did you mean `velocity`?",
        ] {
            assert!(drawn.contains(part), "{part} is not in:\n{drawn}");
        }
    }

    #[test]
    fn faults_at_the_end_and_in_empty_texts_are_drawn() {
        for (text, at) in [
            ("", 0..0),
            ("a", 1..1),
            ("a\n", 2..2),
            ("ü", 0..2),
            ("a", 3..9),
        ] {
            assert!(drawn(text, at).contains("did you mean"), "{text:?}");
        }
    }
}
