//! Draws a recording: `cargo run -p warpline-viewer --example render -- run.wline 2.5 frame.png [dark]`

use record::Reader;
use std::path::Path;
use warpline_viewer::{Picture, render};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [recording, time, out, rest @ ..] = &args[..] else {
        return Err("give a recording, a time in seconds and the picture's name".into());
    };
    let picture = Picture {
        dark: rest.iter().any(|word| word == "dark"),
        ..Picture::default()
    };
    render(
        &Reader::open(recording)?,
        time.parse()?,
        &picture,
        Path::new(out),
    )?;
    Ok(())
}
