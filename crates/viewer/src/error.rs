//! Errors of the viewer: what was tried, on what, and what to do.

use std::path::PathBuf;

/// What the viewer's functions return.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a recording cannot be shown.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The recording does not open or read.
    #[error(transparent)]
    Recording(#[from] record::Error),
    /// The server could not begin.
    #[error(
        "cannot serve on 127.0.0.1 port {port}: {source}; give another port, or 0 for any free one"
    )]
    Serve {
        /// The port asked for.
        port: u16,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The picture could not be written.
    #[error("cannot write picture {}: {source}", path.display())]
    Picture {
        /// The file.
        path: PathBuf,
        /// The system's or the encoder's reason.
        source: std::io::Error,
    },
    /// The name's ending is none that can be drawn.
    #[error("{} cannot be drawn: end the name in .png, .gif or .mp4", path.display())]
    Format {
        /// The file.
        path: PathBuf,
    },
    /// A film of one moment.
    #[error("{} would show one moment: give the last one too (--to), or end the name in .png", path.display())]
    Still {
        /// The file.
        path: PathBuf,
    },
    /// There is no `ffmpeg`.
    #[error(
        "an .mp4 is written by `ffmpeg`, which was not found: install it, or end the name in .gif or .png"
    )]
    NoFfmpeg,
    /// The picture's size makes no sense.
    #[error(
        "a picture of {width} by {height} pixels cannot be drawn: each side must be 1 to {limit}"
    )]
    Size {
        /// Width asked for.
        width: u32,
        /// Height asked for.
        height: u32,
        /// Largest side.
        limit: u32,
    },
    /// The camera's direction is none.
    #[error(
        "the camera has no direction: give three numbers that are not all zero, as in --camera 1 0.5 1"
    )]
    Camera,
    /// The moment or the rate asked for makes no sense.
    #[error("{what} is {value}: {expected}")]
    Moment {
        /// Which option.
        what: &'static str,
        /// Its value, s or 1/s.
        value: f64,
        /// What it must be.
        expected: String,
    },
}
