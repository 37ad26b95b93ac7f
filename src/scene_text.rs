//! `SCENE`: a built-in name, a TOML file, or a robot: a URDF or MJCF file, which becomes the scene of that robot alone.

use crate::error::Error;
use robot::{Format, Options, Robot};
use sim::scene;
use std::path::Path;

/// How long a robot's file runs, seconds.
const ROBOT_UNTIL: f64 = 10.0;

/// Whether a file's name is that of a robot.
pub fn is_robot(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|e| e.to_str());
    ending.is_some_and(|e| ["urdf", "xml", "mjcf"].contains(&e.to_ascii_lowercase().as_str()))
}

/// Reads a robot's file.
pub fn robot(path: &Path) -> Result<Robot, Error> {
    let wrong = |message| Error::Source {
        message,
        help: None,
    };
    if !path.is_file() {
        let message = format!("cannot read {}: there is no such file", path.display());
        return Err(wrong(message));
    }
    robot::load(path, &Options::default()).map_err(|e| wrong(e.to_string()))
}

/// The scene of a robot alone: as its file says, with y up.
fn scene_of(path: &Path) -> Result<String, Error> {
    let robot = robot(path)?;
    let called = |part: Option<&std::ffi::OsStr>| {
        let text = part.map_or_else(String::new, |p| p.to_string_lossy().into_owned());
        // A JSON string is a TOML string too.
        serde_json::Value::String(text).to_string()
    };
    // Robots have z up, scenes y: x stays.
    let gravity = match robot.format {
        Format::Urdf => [0.0, -9.81, 0.0],
        Format::Mjcf => [robot.gravity.x, robot.gravity.z, -robot.gravity.y],
    };
    Ok(format!(
        "name = {}\nuntil = {ROBOT_UNTIL}\ngravity = {gravity:?}\n\n[contact]\n\n[[robot]]\nfile = {}\nrotation = {{ axis \
         = [1, 0, 0], degrees = -90 }}\n",
        called(path.file_stem()),
        called(path.file_name()),
    ))
}

/// Whether a file is called as recordings are.
fn is_recording(name: &str) -> bool {
    name.ends_with(".wline")
}

/// The text of a built-in scene or of a file, or the scene of a robot.
pub fn read(name: &str) -> Result<String, Error> {
    if let Some(builtin) = scene::builtin(name) {
        return Ok(builtin.text.into());
    }
    if is_robot(name) {
        return scene_of(Path::new(name));
    }
    std::fs::read_to_string(name).map_err(|e| {
        let looks_like_a_file = name.ends_with(".toml") || is_recording(name) || Path::new(name).exists();
        if looks_like_a_file {
            let message = match e.kind() {
                std::io::ErrorKind::InvalidData if is_recording(name) => format!(
                    "it is a recording; `warpline view {name}` shows it, `warpline export` writes it out"
                ),
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
