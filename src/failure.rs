//! Why a command fails, what it says then, and its exit code. A scene's fault is shown with the lines around it.

use sim::RunError;
use sim::scene::SceneError;
use std::fmt::{self, Write};
use std::io::IsTerminal;
use std::process::ExitCode;

/// Why a command ended early.
pub enum Failure {
    /// The user's input cannot be used: exit code 2.
    Input(Report),
    /// A check failed, a run gave up, or a result could not be written: exit code 1.
    Run(Report),
    /// Whoever read the output has seen enough; not an error.
    ReaderGone,
}

/// What is said of a failure.
pub struct Report {
    message: String,
    help: Option<String>,
    /// Where a scene is at fault.
    scene: Option<Box<SceneError>>,
}

impl Failure {
    /// Bad input.
    pub fn input(message: impl Into<String>, help: Option<String>) -> Self {
        Failure::Input(Report::new(message, help))
    }

    /// A failed check or write.
    pub fn run(message: impl Into<String>, help: Option<String>) -> Self {
        Failure::Run(Report::new(message, help))
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
        let (report, code) = match self {
            Failure::Input(report) => (report, 2),
            Failure::Run(report) => (report, 1),
            Failure::ReaderGone => return ExitCode::SUCCESS,
        };
        let is_colored = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        let ink = match is_colored {
            true => Ink::COLORED,
            false => Ink::PLAIN,
        };
        eprintln!("{}", report.text(&ink));
        ExitCode::from(code)
    }
}

/// How parts of a report are set off on a terminal.
struct Ink {
    wrong: &'static str,
    place: &'static str,
    help: &'static str,
    end: &'static str,
}

impl Ink {
    const PLAIN: Ink = Ink {
        wrong: "",
        place: "",
        help: "",
        end: "",
    };
    const COLORED: Ink = Ink {
        wrong: "\x1b[31m",
        place: "\x1b[36m",
        help: "\x1b[32m",
        end: "\x1b[0m",
    };
}

impl Report {
    fn new(message: impl Into<String>, help: Option<String>) -> Self {
        Report {
            message: message.into(),
            help,
            scene: None,
        }
    }

    /// The report's lines. They are kept whole: they are read by people, but also searched by programs.
    fn text(&self, ink: &Ink) -> String {
        let (wrong, help, end) = (ink.wrong, ink.help, ink.end);
        let mut text = format!("  {wrong}×{end} {}", self.message.replace('\n', "\n    "));
        if let Some(scene) = &self.scene {
            text.push('\n');
            // Writing to a text does not fail.
            let _ = excerpt(&mut text, scene, ink);
        }
        if let Some(advice) = &self.help {
            let _ = write!(
                text,
                "\n{help}  help: {end}{}",
                advice.replace('\n', "\n        ")
            );
        }
        text
    }
}

/// The line at fault between its neighbours, with a mark under what is wrong.
fn excerpt(out: &mut String, scene: &SceneError, ink: &Ink) -> fmt::Result {
    let (wrong, place, end) = (ink.wrong, ink.place, ink.end);
    let (number, column) = (scene.line(), scene.column());
    let lines: Vec<&str> = scene.text.lines().collect();
    let width = (number + 1).min(lines.len().max(1)).to_string().len();
    let name = &scene.source_name;
    writeln!(
        out,
        " {:width$} ╭─[{place}{name}:{number}:{column}{end}]",
        ""
    )?;
    let first = number.saturating_sub(1).max(1);
    for shown in first..=number + 1 {
        let Some(line) = lines.get(shown - 1) else {
            continue;
        };
        let line = line.replace('\t', " ");
        writeln!(out, " {place}{shown:>width$}{end} │ {line}")?;
        if shown == number {
            // The mark ends with the line; a place with no length still gets one.
            let left = line.chars().count().saturating_sub(column - 1);
            let marked = scene
                .excerpt()
                .lines()
                .next()
                .map_or(0, |l| l.chars().count());
            let marked = marked.min(left).max(1);
            let (before, half) = (column - 1, (marked - 1) / 2);
            let dashes = |count: usize| "─".repeat(count);
            writeln!(
                out,
                " {:width$} · {:before$}{wrong}{}┬{}{end}",
                "",
                "",
                dashes(half),
                dashes(marked - 1 - half)
            )?;
            let at = before + half;
            writeln!(out, " {:width$} · {:at$}{wrong}╰── here{end}", "", "")?;
        }
    }
    write!(out, " {:width$} ╰────", "")
}

/// In words, without the text around a fault: for the viewer's page.
impl std::fmt::Display for Failure {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Input(report) | Failure::Run(report) => {
                write!(out, "{}", report.message)?;
                match &report.help {
                    Some(help) => write!(out, "; {help}"),
                    None => Ok(()),
                }
            }
            Failure::ReaderGone => write!(out, "nobody reads the output any more"),
        }
    }
}

impl From<Box<SceneError>> for Failure {
    fn from(error: Box<SceneError>) -> Self {
        Failure::Input(Report {
            message: error.message.clone(),
            help: error.help.clone(),
            scene: Some(error),
        })
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Step { .. }
            | RunError::Deformable { .. }
            | RunError::Joints { .. }
            | RunError::Inputs { .. } => Failure::input(error.to_string(), None),
            RunError::Engine(_) | RunError::Panicked(_) => Failure::run(error.to_string(), None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_under_what_is_wrong() {
        let text = "name = \"drop\"\nuntil = 1\n[[body]]\nvelocty = [1, 0, 0]\n";
        let error = match sim::scene::load("drop.toml", text, &[]) {
            Ok(_) => panic!("this is not a scene"),
            Err(error) => error,
        };
        let Failure::Input(report) = Failure::from(error) else {
            panic!("it is the input's fault");
        };
        let shown = report.text(&Ink::PLAIN);
        let expected = "  × unknown key `velocty` in a body\n   ╭─[drop.toml:4:1]\n 3 │ [[body]]\n 4 │ velocty = [1, 0, 0]\n   · ───┬───\n   ·    ╰── here\n   ╰────\n  help: did you mean `velocity`?";
        assert!(shown.starts_with(expected), "{shown}");
    }
}
