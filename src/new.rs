//! `warpline new`: a scene to begin with, with a comment on every line that one may want to change.

use crate::failure::Failure;
use crate::output::print;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::PathBuf;

/// Arguments of `new`.
#[derive(clap::Args)]
pub struct Arguments {
    /// The file to write; it must not be there yet
    #[arg(value_name = "SCENE.toml")]
    file: PathBuf,
}

/// The scene that is written.
const SCENE: &str = include_str!("new_scene.toml");

/// Runs the command.
pub fn new(arguments: &Arguments) -> Result<(), Failure> {
    let path = &arguments.file;
    if path.extension().is_none_or(|ending| ending != "toml") {
        let message = format!("{} does not end in .toml, as scenes do", path.display());
        return Err(Failure::input(message, None));
    }
    let name = path.file_stem().map(|stem| stem.to_string_lossy());
    // A name goes into the scene as a text of TOML.
    let name: String = name
        .unwrap_or_default()
        .chars()
        .filter(|c| !matches!(c, '"' | '\\') && !c.is_control())
        .collect();
    let made = OpenOptions::new().write(true).create_new(true).open(path);
    let mut file = made.map_err(|error| {
        let help = (error.kind() == std::io::ErrorKind::AlreadyExists)
            .then(|| "choose another name; nothing was changed".to_string());
        Failure::input(format!("cannot write {}: {error}", path.display()), help)
    })?;
    let text = SCENE.replacen("\"new\"", &format!("\"{name}\""), 1);
    file.write_all(text.as_bytes())
        .map_err(|error| Failure::run(format!("cannot write {}: {error}", path.display()), None))?;
    let path = path.display();
    print(&format!(
        "wrote {path}\n\nnext:\n  warpline view {path}                   watch it in a browser\n  warpline run {path} --set balls=30     simulate it with other values\n"
    ))
}
