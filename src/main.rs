//! The `warpline` command: one match over its subcommands, and the exit codes: 0 done, 1 a check or a
//! write failed, 2 bad input.

mod algorithm;
mod audit;
mod changes;
mod chart;
mod check;
mod compare;
mod conservation;
mod energy;
mod export;
mod failure;
mod measures;
mod output;
mod recorder;
mod render;
mod replay;
mod report;
mod reproduce;
mod run;
mod scenes;
mod simulate;
mod solvers;
mod source;
mod table;
mod view;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;

/// A physics simulator in which every body keeps its own clock.
#[derive(Parser)]
#[command(name = "warpline", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a scene and print its statistics
    Run(run::Arguments),
    /// Run one scene under several algorithms and set them side by side
    Compare(compare::Arguments),
    /// Check that every executor commits the same history, without overlaps
    Check(check::Arguments),
    /// List the built-in scenes and their parameters
    Scenes(scenes::Arguments),
    /// Show a recording, or a run as it goes, in a browser
    View(view::Arguments),
    /// Draw a moment of a recording, or a short animation: PNG, GIF or MP4
    Render(render::Arguments),
    /// Write a recording for other programs: .glb, .usda, .obj, .csv, .parquet or .mcap
    Export(export::Arguments),
    /// Regenerate a paper's table or figure beside the paper's own numbers
    Reproduce(reproduce::Arguments),
}

fn main() -> ExitCode {
    failure::install_handler();
    let outcome = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Scenes(arguments) => scenes::scenes(&arguments),
        Command::View(arguments) => view::view(&arguments),
        Command::Render(arguments) => render::render(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Reproduce(arguments) => reproduce::reproduce(&arguments),
    };
    match outcome {
        Ok(()) | Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
