//! `warpline schema`: the keys of scene files, for editors and for people.

use crate::failure::Failure;
use crate::output::print;
use sim::scene::keys;

/// Arguments of `schema`.
#[derive(clap::Args)]
pub struct Arguments {
    /// Print the reference of all keys (Markdown) instead of the JSON schema
    #[arg(long)]
    reference: bool,
}

/// Runs the command.
pub fn schema(arguments: &Arguments) -> Result<(), Failure> {
    match arguments.reference {
        true => print(&keys::reference()),
        false => print(&keys::schema()),
    }
}
