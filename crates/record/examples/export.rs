//! Exports a recording: `cargo run -p warpline-record --example export -- run.wline run.glb [fps]`

use std::path::Path;
use warpline_record::Reader;
use warpline_record::export::{Options, export};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [from, to, rest @ ..] = &args[..] else {
        return Err("give a recording and the file to write".into());
    };
    let fps = rest.first().map(|text| text.parse()).transpose()?;
    let options = Options {
        fps,
        ..Options::default()
    };
    export(&Reader::open(from)?, Path::new(to), &options)?;
    Ok(())
}
