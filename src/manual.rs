//! `warpline completions` and `warpline man`: what shells and `man` read, made from the command's own arguments.

use crate::failure::Failure;
use crate::output::{make_directory, print, write_file};
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;
use std::path::PathBuf;

/// Arguments of `completions`.
#[derive(clap::Args)]
pub struct Completions {
    /// The shell that is to complete the command
    shell: Shell,
}

/// Arguments of `man`.
#[derive(clap::Args)]
pub struct Manual {
    /// Write a page for every subcommand into this directory, not the first one to standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints a shell's completions.
pub fn completions(arguments: &Completions) -> Result<(), Failure> {
    let mut text = Vec::new();
    let mut command = crate::Arguments::command();
    clap_complete::generate(arguments.shell, &mut command, "warpline", &mut text);
    print(&String::from_utf8_lossy(&text))
}

/// Prints or writes the pages of the manual.
pub fn manual(arguments: &Manual) -> Result<(), Failure> {
    let mut command = crate::Arguments::command();
    command.build();
    let Some(out) = &arguments.out else {
        return print(&page(command)?);
    };
    make_directory(out)?;
    let mut pages = vec![("warpline".to_string(), command.clone())];
    for sub in command.get_subcommands() {
        let name = format!("warpline-{}", sub.get_name());
        pages.push((name.clone(), sub.clone().display_name(name)));
    }
    for (name, command) in pages {
        write_file(&out.join(format!("{name}.1")), page(command)?.as_bytes())?;
    }
    Ok(())
}

fn page(command: clap::Command) -> Result<String, Failure> {
    let mut text = Vec::new();
    let written = Man::new(command).render(&mut text);
    written.map_err(|error| Failure::run(format!("cannot write the manual: {error}"), None))?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}
