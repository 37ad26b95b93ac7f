//! The `warpline` command: one match over its subcommands, and the exit codes: 0 done, 1 a check or a
//! write failed, 2 bad input.

mod chart;
mod check;
mod compare;
mod distributed;
mod export;
mod failure;
mod gallery;
mod launch;
mod live;
mod manual;
mod new;
mod output;
mod render;
mod report;
mod reproduce;
mod robots;
mod run;
mod scenes;
mod schema;
mod simulate;
mod solvers;
mod source;
mod table;
mod timeline;
mod view;

use clap::{Parser, Subcommand};
use failure::Failure;
use std::process::ExitCode;
// What the library does, under the names by which the subcommands know it.
use warpline::{algorithm, audit, changes, conservation, filled, measures, recorder};

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
    /// List what of a robot's file (URDF, MJCF) is used, approximated or ignored
    Inspect(robots::Arguments),
    /// List the built-in scenes and their parameters
    Scenes(scenes::Arguments),
    /// Write a commented scene to begin with
    New(new::Arguments),
    /// Print the keys of scene files: a JSON schema for editors, or the reference
    Schema(schema::Arguments),
    /// Show a recording, or a run as it goes, in a browser
    View(view::Arguments),
    /// Draw a moment of a recording, or a short animation: PNG, GIF or MP4
    Render(render::Arguments),
    /// Draw twelve clips of built-in scenes and a page that shows them
    Gallery(gallery::Arguments),
    /// Write a recording for other programs: .glb, .usda, .obj, .csv, .parquet or .mcap
    Export(export::Arguments),
    /// Regenerate a paper's table or figure beside the paper's own numbers
    Reproduce(reproduce::Arguments),
    /// Print what a shell needs to complete this command
    Completions(manual::Completions),
    /// Print the manual page
    Man(manual::Manual),
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Compare(arguments) => compare::compare(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::Inspect(arguments) => robots::inspect(&arguments),
        Command::Scenes(arguments) => scenes::scenes(&arguments),
        Command::New(arguments) => new::new(&arguments),
        Command::Schema(arguments) => schema::schema(&arguments),
        Command::View(arguments) => view::view(&arguments),
        Command::Render(arguments) => render::render(&arguments),
        Command::Gallery(arguments) => gallery::gallery(&arguments),
        Command::Export(arguments) => export::export(&arguments),
        Command::Reproduce(arguments) => reproduce::reproduce(&arguments),
        Command::Completions(arguments) => manual::completions(&arguments),
        Command::Man(arguments) => manual::manual(&arguments),
    };
    match outcome {
        Ok(()) | Err(Failure::ReaderGone) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}
