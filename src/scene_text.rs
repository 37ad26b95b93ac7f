//! `SCENE`: a built-in name or a TOML file.

use crate::error::Error;
use sim::scene;
use std::path::Path;

/// The text of a built-in scene or of a file.
pub fn read(name: &str) -> Result<String, Error> {
    if let Some(builtin) = scene::builtin(name) {
        return Ok(builtin.text.into());
    }
    std::fs::read_to_string(name).map_err(|e| {
        let looks_like_a_file = name.ends_with(".toml") || Path::new(name).exists();
        if looks_like_a_file {
            let message = match e.kind() {
                std::io::ErrorKind::InvalidData => "it is not UTF-8 text".into(),
                _ => e.to_string(),
            };
            let message = format!("cannot read scene {name}: {message}");
            return Error::Source {
                message,
                help: None,
            };
        }
        let names: Vec<&str> = scene::BUILTIN.iter().map(|s| s.name).collect();
        let help = match scene::similar(name) {
            Some(close) => format!("did you mean `{close}`?"),
            None => format!("built-in scenes: {}; or give a TOML file", names.join(", ")),
        };
        let message =
            format!("`{name}` is neither a built-in scene nor a file that is there ({e})");
        Error::Source {
            message,
            help: Some(help),
        }
    })
}
