//! `warpline render`: a picture, or a short animation, of a recording; needs no browser.

use crate::failure::Failure;
use crate::view::open;
use record::Reader;
use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Instant;
use viewer::{Animation, Error, Picture};
use warpline::looks;

/// Arguments of `render`.
#[derive(clap::Args)]
pub struct Arguments {
    /// A recording made with `warpline run --record`
    file: PathBuf,
    /// The moment to draw, seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0)]
    at: f64,
    /// Draw an animation from `--at` to this moment, seconds
    #[arg(long, value_name = "SECONDS")]
    to: Option<f64>,
    /// Frames per second of an animation
    #[arg(long, default_value_t = 25.0)]
    fps: f64,
    /// What to write: .png (also animated), .gif, or .mp4 (needs `ffmpeg`)
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Width and height in pixels
    #[arg(long, num_args = 2, value_names = ["WIDTH", "HEIGHT"], default_values_t = [1280, 720])]
    size: Vec<u32>,
    /// On a dark background
    #[arg(long)]
    dark: bool,
    /// Frame what moves at the moments drawn, not over the whole recording
    #[arg(long)]
    close: bool,
    /// Look from this direction, as seen from the middle of the scene: `--camera 0 1 0` is from above
    #[arg(long, num_args = 3, value_names = ["X", "Y", "Z"], allow_negative_numbers = true)]
    camera: Option<Vec<f64>>,
    /// How many times nearer than where all is in the picture
    #[arg(long, default_value_t = 1.0)]
    zoom: f64,
}

/// Draws an animation, and says on a terminal how far it has come.
pub fn animate_told(
    reader: &Reader,
    animation: &Animation,
    picture: &Picture,
    out: &Path,
    what: &str,
) -> viewer::Result<()> {
    let is_seen = std::io::stderr().is_terminal();
    let begun = Instant::now();
    let told = |frame: u32, count: u32| {
        if !is_seen {
            return;
        }
        let left = match frame {
            0 => String::new(),
            _ => {
                let seconds = begun.elapsed().as_secs_f64() / f64::from(frame);
                format!(
                    ", {:.0} s left",
                    (seconds * f64::from(count - frame)).ceil()
                )
            }
        };
        anstream::eprint!("\r{what}: frame {} of {count}{left}\x1b[K", frame + 1);
    };
    let drawn = viewer::animate_told(reader, animation, picture, out, &told);
    if is_seen {
        anstream::eprint!("\r\x1b[K");
    }
    drawn
}

/// Runs the command.
pub fn render(arguments: &Arguments) -> Result<(), Failure> {
    let reader = open(&arguments.file)?;
    // What the scene says of its pictures; the options come first.
    let look = looks::look(reader.header());
    let is_free = arguments.camera.is_none() && arguments.zoom == 1.0 && !arguments.close;
    let picture = Picture {
        width: arguments.size[0],
        height: arguments.size[1],
        dark: arguments.dark || look.dark == Some(true),
        eye: look.eye.filter(|_| is_free),
        light: look.light,
        close: arguments.close,
        camera: arguments.camera.as_ref().map(|v| [v[0], v[1], v[2]]),
        zoom: arguments.zoom,
    };
    let drawn = match arguments.to {
        None => viewer::render(&reader, arguments.at, &picture, &arguments.out),
        Some(to) => {
            let animation = Animation {
                from: arguments.at,
                to,
                fps: arguments.fps,
            };
            animate_told(&reader, &animation, &picture, &arguments.out, "drawing")
        }
    };
    drawn.map_err(|error| match error {
        Error::Moment { .. }
        | Error::Format { .. }
        | Error::Still { .. }
        | Error::Size { .. }
        | Error::Camera => Failure::input(error.to_string(), None),
        _ => Failure::run(error.to_string(), None),
    })
}
