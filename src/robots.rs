//! Robots on the command line: `warpline run arm.urdf`, `warpline view humanoid.xml`, and `warpline inspect FILE`, which
//! lists what becomes of every element and attribute of such a file.

use crate::failure::Failure;
use robot::{Format, Options, Robot, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How long a robot's file runs, seconds.
const UNTIL: f64 = 10.0;

#[derive(clap::Args)]
pub struct Arguments {
    /// A URDF or MJCF file
    file: PathBuf,
    /// List what is used as well, not only what is approximated or ignored
    #[arg(long)]
    all: bool,
}

/// Whether a file's name is that of a robot.
pub fn is_robot(name: &str) -> bool {
    let ending = Path::new(name).extension().and_then(|e| e.to_str());
    ending.is_some_and(|e| ["urdf", "xml", "mjcf"].contains(&e.to_ascii_lowercase().as_str()))
}

fn load(path: &Path) -> Result<Robot, Failure> {
    if !path.is_file() {
        let message = format!("cannot read {}: there is no such file", path.display());
        return Err(Failure::input(message, None));
    }
    robot::load(path, &Options::default()).map_err(|e| Failure::input(e.to_string(), None))
}

/// The scene of a robot alone: as its file says, with y up.
pub fn scene_of(name: &str) -> Result<String, Failure> {
    let path = Path::new(name);
    let robot = load(path)?;
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
        "name = {}\nuntil = {UNTIL}\ngravity = {gravity:?}\n\n[contact]\n\n[[robot]]\nfile = {}\nrotation = {{ axis \
         = [1, 0, 0], degrees = -90 }}\n",
        called(path.file_stem()),
        called(path.file_name()),
    ))
}

/// Prints what becomes of every element and attribute.
pub fn inspect(arguments: &Arguments) -> Result<(), Failure> {
    let robot = load(&arguments.file)?;
    let assembly = robot
        .assemble()
        .map_err(|e| Failure::input(e.to_string(), None))?;
    let mut text = String::new();
    for entry in &robot.coverage.entries {
        if arguments.all || entry.verdict != Verdict::Used {
            let _ = writeln!(text, "{entry}");
        }
    }
    for warning in &robot.warnings {
        let _ = writeln!(text, "{warning}");
    }
    let count = |verdict| robot.coverage.count(verdict);
    let model = &assembly.multibody;
    let _ = writeln!(
        text,
        "{}: {} bodies, {} links that move, {} freedoms, {} motors, {} loops and couplings",
        robot.name,
        robot.bodies.len(),
        model.len(),
        model.velocities(),
        assembly.motors.len(),
        assembly.constraints.len(),
    );
    let _ = writeln!(
        text,
        "elements and attributes: {} used, {} approximated, {} ignored; {} warnings",
        count(Verdict::Used),
        count(Verdict::Approximated),
        count(Verdict::Ignored),
        robot.warnings.len(),
    );
    crate::output::print(&text)
}
