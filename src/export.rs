//! `warpline export`: a recording in a format that other programs read.

use crate::failure::Failure;
use crate::view::open;
use record::export::{ExportError, Options, export as write};
use std::path::PathBuf;

/// Arguments of `export`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made with `warpline run --record`
    file: PathBuf,
    /// What to write; the name's ending chooses the format: .glb, .usda, .obj (a sequence),
    /// .csv, .parquet or .mcap
    #[arg(long, value_name = "OUT")]
    to: PathBuf,
    /// Equal frames per second instead of each body's own key times
    #[arg(long)]
    fps: Option<f64>,
    /// Largest distance between exported and recorded motion, as a part of a body's size
    #[arg(long, default_value_t = Options::default().tolerance)]
    tolerance: f64,
}

/// Runs the command.
pub fn export(arguments: &Arguments) -> Result<(), Failure> {
    let reader = open(&arguments.file)?;
    let options = Options {
        tolerance: arguments.tolerance,
        fps: arguments.fps,
    };
    write(&reader, &arguments.to, &options).map_err(|error| match error {
        ExportError::Write { .. } => Failure::run(error.to_string(), None),
        _ => Failure::input(error.to_string(), None),
    })
}
