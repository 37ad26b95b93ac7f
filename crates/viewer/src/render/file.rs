//! Frames into files: PNG (animated or not) and GIF by ourselves, MP4 through `ffmpeg` where it is
//! installed. A file gets its name when it is whole.

use super::Picture;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{BufWriter, Error as IoError, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How the colours of a GIF are chosen: 1 is slowest and best, 30 fastest.
const GIF_SPEED: i32 = 10;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Png,
    Gif,
    Mp4,
}

impl Format {
    /// The format that a name's ending asks for.
    pub(super) fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().and_then(|e| e.to_str()).unwrap_or("");
        match ending.to_ascii_lowercase().as_str() {
            "png" | "apng" => Ok(Format::Png),
            "gif" => Ok(Format::Gif),
            "mp4" => Ok(Format::Mp4),
            _ => Err(Error::Format { path: path.into() }),
        }
    }
}

/// Frames in a row.
#[derive(Clone, Copy)]
pub(super) struct Film {
    pub(super) count: u32,
    pub(super) fps: f64,
}

/// Writes frames beside `path` and renames when all are there.
pub(super) fn write(
    path: &Path,
    picture: &Picture,
    film: Option<Film>,
    frames: impl Iterator<Item = Result<Vec<u8>>>,
) -> Result<()> {
    let format = Format::of(path)?;
    let partial = partial_name(path);
    let written = match (format, film) {
        (Format::Png, film) => png(&partial, picture, film, frames),
        (Format::Gif, film) => gif(&partial, picture, film, frames),
        (Format::Mp4, Some(film)) => mp4(&partial, picture, film, frames),
        (Format::Mp4, None) => Err(Error::Still { path: path.into() }),
    };
    let failed = |source| Error::Picture {
        path: path.into(),
        source,
    };
    let renamed = written.and_then(|()| std::fs::rename(&partial, path).map_err(failed));
    if renamed.is_err() {
        // what remains is of no use; if it cannot be removed, its name still says what it is
        let _ = std::fs::remove_file(&partial);
    }
    renamed
}

fn partial_name(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    name.into()
}

/// An error about a file, from whatever an encoder says.
fn unfit<E: Into<Box<dyn std::error::Error + Send + Sync>>>(path: &Path) -> impl Fn(E) -> Error {
    move |error| Error::Picture {
        path: path.into(),
        source: IoError::other(error),
    }
}

fn png(
    path: &Path,
    picture: &Picture,
    film: Option<Film>,
    frames: impl Iterator<Item = Result<Vec<u8>>>,
) -> Result<()> {
    let file = File::create(path).map_err(unfit(path))?;
    let mut encoder = png::Encoder::new(BufWriter::new(file), picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    if let Some(Film { count, fps }) = film {
        encoder.set_animated(count, 0).map_err(unfit(path))?;
        let rate = fps.round().max(1.0) as u16;
        encoder.set_frame_delay(1, rate).map_err(unfit(path))?;
    }
    let mut writer = encoder.write_header().map_err(unfit(path))?;
    for frame in frames {
        writer.write_image_data(&frame?).map_err(unfit(path))?;
    }
    writer.finish().map_err(unfit(path))
}

/// A GIF has 256 colours a frame, and delays in hundredths of a second: they are chosen so that the
/// whole keeps its time.
fn gif(
    path: &Path,
    picture: &Picture,
    film: Option<Film>,
    frames: impl Iterator<Item = Result<Vec<u8>>>,
) -> Result<()> {
    let side = |length: u32| u16::try_from(length).unwrap_or(u16::MAX);
    let (width, height) = (side(picture.width), side(picture.height));
    let file = BufWriter::new(File::create(path).map_err(unfit(path))?);
    let mut encoder = gif::Encoder::new(file, width, height, &[]).map_err(unfit(path))?;
    if film.is_some() {
        encoder
            .set_repeat(gif::Repeat::Infinite)
            .map_err(unfit(path))?;
    }
    for (index, pixels) in frames.enumerate() {
        let mut frame = gif::Frame::from_rgb_speed(width, height, &pixels?, GIF_SPEED);
        if let Some(Film { fps, .. }) = film {
            let hundredths = |frames: usize| (100.0 * frames as f64 / fps).round();
            frame.delay = (hundredths(index + 1) - hundredths(index)).max(1.0) as u16;
        }
        encoder.write_frame(&frame).map_err(unfit(path))?;
    }
    Ok(())
}

fn mp4(
    path: &Path,
    picture: &Picture,
    film: Film,
    frames: impl Iterator<Item = Result<Vec<u8>>>,
) -> Result<()> {
    let size = format!("{}x{}", picture.width, picture.height);
    let rate = film.fps.to_string();
    let from = [
        "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", &size, "-r", &rate, "-i", "-",
    ];
    // most players want even sides and halved colours
    let even = "pad=ceil(iw/2)*2:ceil(ih/2)*2";
    let to = [
        "-vf",
        even,
        "-pix_fmt",
        "yuv420p",
        "-movflags",
        "+faststart",
        "-f",
        "mp4",
        "-y",
    ];
    let spawned = Command::new("ffmpeg")
        .args(["-v", "error"])
        .args(from)
        .args(to)
        .arg(path)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = match spawned {
        Ok(child) => child,
        Err(error) if error.kind() == ErrorKind::NotFound => return Err(Error::NoFfmpeg),
        Err(error) => return Err(unfit(path)(error)),
    };
    let mut outcome = Ok(());
    if let Some(mut input) = child.stdin.take() {
        for frame in frames {
            let pixels = match frame {
                Ok(pixels) => pixels,
                Err(error) => {
                    outcome = Err(error);
                    break;
                }
            };
            // a program that has given up closes its input; what it says comes next
            if input.write_all(&pixels).is_err() {
                break;
            }
        }
    }
    let output = child.wait_with_output().map_err(unfit(path))?;
    outcome?;
    match output.status.success() {
        true => Ok(()),
        false => {
            let words = String::from_utf8_lossy(&output.stderr);
            Err(unfit(path)(format!("ffmpeg: {}", words.trim())))
        }
    }
}
