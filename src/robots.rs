//! Robots on the command line: `warpline inspect FILE` lists what becomes of every element and attribute of a URDF or
//! MJCF file. `warpline run arm.urdf` reads it as a scene (`scene_text`).

use crate::failure::Failure;
use robot::{Robot, Verdict};
use std::fmt::Write;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// A URDF or MJCF file
    file: PathBuf,
    /// List what is used as well, not only what is approximated or ignored
    #[arg(long)]
    all: bool,
}

fn load(path: &Path) -> Result<Robot, Failure> {
    warpline::scene_text::robot(path).map_err(|e| Failure::input(e.to_string(), None))
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
