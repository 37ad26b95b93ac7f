//! `warpline export`: a recording in a format that other programs read.

use crate::failure::Failure;
use crate::measures;
use crate::view::open;
use record::export::{ExportError, Options};
use std::path::PathBuf;
use warpline::exports;

/// Arguments of `export`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made with `warpline run --record`
    file: PathBuf,
    /// What to write; the name's ending chooses the format: .glb, .usda, .obj (a sequence),
    /// .csv, .parquet or .mcap
    #[arg(long, value_name = "OUT")]
    to: PathBuf,
    /// What to tell: the bodies' motion; energy, momentum and overlap over time, or contacts (both .csv); or how the
    /// joints of multibodies stand (.csv or .parquet)
    #[arg(long, value_enum, default_value_t = What::Motion)]
    what: What,
    /// Equal frames per second instead of each body's own key times
    #[arg(long)]
    fps: Option<f64>,
    /// Begin at this moment, seconds
    #[arg(long, value_name = "SECONDS")]
    since: Option<f64>,
    /// End at this moment, seconds
    #[arg(long, value_name = "SECONDS")]
    until: Option<f64>,
    /// Largest distance between exported and recorded motion, as a part of a body's size
    #[arg(long, default_value_t = Options::default().tolerance)]
    tolerance: f64,
    /// Write a sequence of files even if it takes more than a gigabyte
    #[arg(long)]
    force: bool,
}

/// What an export tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum What {
    /// Where the bodies are, and how they move
    Motion,
    /// Energy, momentum, angular momentum and the deepest overlap over time
    Energy,
    /// Who hit, touched or left whom, and who was in a sensor
    Contacts,
    /// How the joints of multibodies stand, a column for each, and their rates
    Joints,
}

/// Runs the command.
pub fn export(arguments: &Arguments) -> Result<(), Failure> {
    let reader = open(&arguments.file)?;
    let mut options = Options {
        tolerance: arguments.tolerance,
        fps: arguments.fps,
        since: arguments.since,
        until: arguments.until,
        ..Options::default()
    };
    if arguments.force {
        options.bytes_max = u64::MAX;
    }
    if arguments.what == What::Energy {
        let world = exports::world_of(&reader).map_err(|why| {
            let message = format!("the recording does not tell masses: {why}");
            Failure::input(message, None)
        })?;
        let table = measures::table(&reader, &world, &arguments.to, &options);
        let table = table.map_err(|e| Failure::input(e.to_string(), None))?;
        return crate::output::write_file(&arguments.to, table.as_bytes());
    }
    if arguments.what == What::Contacts {
        let table = exports::contacts(&reader, &arguments.to, &options);
        let table = table.map_err(|e| Failure::input(e.to_string(), None))?;
        return crate::output::write_file(&arguments.to, table.as_bytes());
    }
    if arguments.what == What::Joints {
        return record::export::joints(&reader, &arguments.to, &options).map_err(failure);
    }
    let is_doubtful = exports::motion(&reader, &arguments.to, &options).map_err(failure)?;
    if is_doubtful {
        eprintln!(
            "this version of the program computes another motion from the recorded scene; \
             states between recorded moments are interpolated"
        );
    }
    Ok(())
}

fn failure(error: ExportError) -> Failure {
    let message = error.to_string();
    match error {
        ExportError::Write { .. } => Failure::run(message, None),
        ExportError::TooMuch { .. } => {
            let help =
                "take fewer frames (--fps), a part of the time (--since, --until), or --force";
            Failure::input(message, Some(help.into()))
        }
        _ => Failure::input(message, None),
    }
}
