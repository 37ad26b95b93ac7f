//! Why a command fails, what it says then, and its exit code.

use miette::{Diagnostic, NamedSource, SourceSpan};
use sim::RunError;
use sim::scene::SceneError;
use std::process::ExitCode;

/// Why a command ended early.
pub enum Failure {
    /// The user's input cannot be used: exit code 2.
    Input(miette::Report),
    /// A check failed, a run gave up, or a result could not be written: exit code 1.
    Run(miette::Report),
    /// Whoever read the output has seen enough; not an error.
    ReaderGone,
}

/// In words, without the text around a fault: for the viewer's page.
impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(report) | Failure::Run(report) => {
                write!(out, "{report}")?;
                match report.help() {
                    Some(help) => write!(out, "; {help}"),
                    None => Ok(()),
                }
            }
            Failure::ReaderGone => write!(out, "nobody reads the output any more"),
        }
    }
}

/// A scene's fault with the text around it.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
struct Labelled {
    message: String,
    #[source_code]
    text: NamedSource<String>,
    #[label("here")]
    at: SourceSpan,
    #[help]
    help: Option<String>,
}

/// A fault with advice but no text to show.
#[derive(Debug, thiserror::Error, Diagnostic)]
#[error("{message}")]
struct Plain {
    message: String,
    #[help]
    help: Option<String>,
}

impl Failure {
    /// Bad input.
    pub fn input(message: impl Into<String>, help: Option<String>) -> Self {
        let message = message.into();
        Failure::Input(Plain { message, help }.into())
    }

    /// A failed check or write.
    pub fn run(message: impl Into<String>, help: Option<String>) -> Self {
        let message = message.into();
        Failure::Run(Plain { message, help }.into())
    }

    /// The same with a word on what is left.
    pub fn noting(self, note: String) -> Self {
        match self {
            Failure::Run(report) => Failure::run(report.to_string(), Some(note)),
            other => other,
        }
    }

    /// Prints the report and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Failure::Input(report) => {
                eprintln!("{report:?}");
                ExitCode::from(2)
            }
            Failure::Run(report) => {
                eprintln!("{report:?}");
                ExitCode::from(1)
            }
            Failure::ReaderGone => ExitCode::SUCCESS,
        }
    }
}

impl From<Box<SceneError>> for Failure {
    fn from(error: Box<SceneError>) -> Self {
        let length = error.span.len();
        let at = SourceSpan::new(error.span.start.into(), length);
        Failure::Input(
            Labelled {
                message: error.message,
                text: NamedSource::new(error.source_name, error.text),
                at,
                help: error.help,
            }
            .into(),
        )
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
            | RunError::Inputs { .. } => Failure::input(error.to_string(), None),
            RunError::Engine(_)
            | RunError::Koenig(_)
            | RunError::Panicked(_)
            | RunError::Unrepeatable { .. } => Failure::run(error.to_string(), None),
        }
    }
}

/// Reports keep their lines whole: they are read by people, but also searched by programs.
pub fn install_handler() {
    let handler = |_: &_| -> Box<dyn miette::ReportHandler> {
        let options = miette::MietteHandlerOpts::new();
        Box::new(options.terminal_links(false).wrap_lines(false).build())
    };
    // Only fails when a handler is installed already.
    let _ = miette::set_hook(Box::new(handler));
}
