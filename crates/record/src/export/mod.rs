//! Exports: a recording for other people's programs. The format follows from the file's extension.
//! Every export is written under another name first, so a failed one leaves nothing that looks whole.

mod buffer;
mod csv;
mod evaluator;
mod extent;
mod glb;
mod hull;
mod joints;
mod keys;
mod links;
#[cfg(feature = "mcap")]
mod mcap;
mod obj;
#[cfg(feature = "parquet")]
mod parquet;
mod tessellate;
mod usda;

pub use evaluator::{Evaluator, Interpolated};
pub use joints::joints;
pub use keys::size;
pub use tessellate::{Surface, tessellate};

use crate::model::{Body, Kind};
use crate::reader::Reader;
use crate::{TICKS_PER_SECOND, seconds_between};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// How finely motion is sampled for formats that interpolate linearly.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Largest distance between the exported and the recorded motion, as a part of the body's size.
    pub tolerance: f64,
    /// Frames per second, where equal frames are wanted instead of each body's own key times.
    pub fps: Option<f64>,
    /// First moment, s; the recording's own unless told.
    pub since: Option<f64>,
    /// Last moment, s; the recording's own unless told.
    pub until: Option<f64>,
    /// A sequence of files that would take more bytes than this is not begun.
    pub bytes_max: u64,
}

/// Bytes of a sequence that is written without asking.
const BYTES_MAX: u64 = 1 << 30;

impl Default for Options {
    fn default() -> Self {
        Self {
            tolerance: 1e-4,
            fps: None,
            since: None,
            until: None,
            bytes_max: BYTES_MAX,
        }
    }
}

impl Options {
    /// First and last tick to export.
    pub fn span(&self, reader: &Reader) -> (i64, i64) {
        let (first, last) = reader.span();
        let tick = |seconds: f64| (seconds * TICKS_PER_SECOND).round() as i64;
        let since = self.since.map_or(first, |s| tick(s).clamp(first, last));
        let until = self.until.map_or(last, |s| tick(s).clamp(since, last));
        (since, until)
    }
}

/// Why an export failed.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// The extension names no format.
    #[error("{} has no format that can be exported: end the name in .glb, .usda, .obj, .csv, \
             .parquet or .mcap", path.display())]
    Format {
        /// The file asked for.
        path: PathBuf,
    },
    /// The program was built without the format's writer.
    #[error("{} cannot be written: this build has no exports to .{format}; build it with `--features exports`", path.display())]
    Absent {
        /// The file asked for.
        path: PathBuf,
        /// The ending.
        format: String,
    },
    /// The extension is not that of a table.
    #[error("{} is no table: end the name in .csv or .parquet", path.display())]
    NoTable {
        /// The file asked for.
        path: PathBuf,
    },
    /// There are no multibodies.
    #[error(
        "the recording tells of no multibodies, so it has no joints to be told; were they in it when it was made?"
    )]
    NoJoints,
    /// An option makes no sense.
    #[error("{option} is {value}, it must be a positive number")]
    Option {
        /// Its name.
        option: &'static str,
        /// Its value.
        value: f64,
    },
    /// The moments asked for are not in the recording.
    #[error("the recording covers {first} to {last} s; {since} to {until} s is asked for")]
    Span {
        /// First moment recorded, s.
        first: f64,
        /// Last moment recorded, s.
        last: f64,
        /// First moment asked for, s.
        since: f64,
        /// Last moment asked for, s.
        until: f64,
    },
    /// A sequence would take a lot of room.
    #[error("{} would become {files} files of about {megabytes} MB in all", path.display())]
    TooMuch {
        /// The file asked for.
        path: PathBuf,
        /// How many files.
        files: u64,
        /// Estimated size, MB.
        megabytes: u64,
    },
    /// The format has a limit that this recording passes.
    #[error("{} would be larger than the 4 GiB that .glb allows: use fewer frames (fps) or .usda", path.display())]
    TooLarge {
        /// The file asked for.
        path: PathBuf,
    },
    /// The recording could not be read.
    #[error(transparent)]
    Recording(#[from] crate::Error),
    /// The file could not be written.
    #[error("cannot write {}: {source}", path.display())]
    Write {
        /// The file asked for.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
}

/// Exports a recording to `path`: `.glb`, `.usda`, `.obj` (a sequence), `.csv`, `.parquet` or `.mcap`.
pub fn export(reader: &Reader, path: &Path, options: &Options) -> Result<(), ExportError> {
    export_with(reader, path, options, &mut Interpolated)
}

/// The same, with somebody who tells states between recorded moments.
pub fn export_with(
    reader: &Reader,
    path: &Path,
    options: &Options,
    evaluator: &mut dyn Evaluator,
) -> Result<(), ExportError> {
    check_span(reader, options)?;
    check_positive("tolerance", options.tolerance)?;
    check_positive("fps", options.fps.unwrap_or(1.0))?;
    let extension = path
        .extension()
        .and_then(|e| e.to_str())
        .unwrap_or("")
        .to_ascii_lowercase();
    match extension.as_str() {
        "glb" => {
            let bytes = glb::build(reader, options, evaluator)?;
            let bytes = bytes.ok_or_else(|| ExportError::TooLarge { path: path.into() })?;
            write_whole(path, |out| out.write_all(&bytes))
        }
        "usda" => {
            let scene = usda::Stage::gather(reader, options, evaluator)?;
            write_whole(path, |out| scene.write(out))
        }
        "obj" => obj::write(reader, path, options, evaluator),
        #[cfg(feature = "parquet")]
        "parquet" => {
            let table = csv::Table::gather(reader, options, evaluator)?;
            let bytes = parquet::build(&table).map_err(|error| unwritten(path, error))?;
            write_whole(path, |out| out.write_all(&bytes))
        }
        #[cfg(feature = "mcap")]
        "mcap" => {
            let bytes = mcap::build(reader, options, evaluator).map_err(|error| match error {
                mcap::Failure::Recording(error) => ExportError::Recording(error),
                mcap::Failure::Log(error) => unwritten(path, error),
            })?;
            write_whole(path, |out| out.write_all(&bytes))
        }
        "csv" => {
            let table = csv::Table::gather(reader, options, evaluator)?;
            write_whole(path, |out| table.write(out))
        }
        #[cfg(not(feature = "parquet"))]
        "parquet" => Err(ExportError::Absent {
            path: path.into(),
            format: extension,
        }),
        #[cfg(not(feature = "mcap"))]
        "mcap" => Err(ExportError::Absent {
            path: path.into(),
            format: extension,
        }),
        _ => Err(ExportError::Format { path: path.into() }),
    }
}

/// An encoder's own failure.
#[cfg(any(feature = "mcap", feature = "parquet"))]
fn unwritten(path: &Path, error: impl std::error::Error + Send + Sync + 'static) -> ExportError {
    ExportError::Write {
        path: path.into(),
        source: std::io::Error::other(error),
    }
}

fn check_span(reader: &Reader, options: &Options) -> Result<(), ExportError> {
    let (first, last) = reader.span();
    let seconds = |tick| seconds_between(0, tick);
    let (first, last) = (seconds(first), seconds(last));
    let (since, until) = (
        options.since.unwrap_or(first),
        options.until.unwrap_or(last),
    );
    // The last tick may be a tick before the second that was asked for.
    let tick = 1.0 / TICKS_PER_SECOND;
    if first - tick <= since && since <= until + tick && until <= last + tick {
        return Ok(());
    }
    Err(ExportError::Span {
        first,
        last,
        since,
        until,
    })
}

fn check_positive(option: &'static str, value: f64) -> Result<(), ExportError> {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    Err(ExportError::Option { option, value })
}

/// Linear RGB for bodies whose scene chose none: told apart at a glance, calm together.
const PALETTE: [[f32; 3]; 8] = [
    [0.07, 0.25, 0.60],
    [0.75, 0.16, 0.08],
    [0.10, 0.42, 0.18],
    [0.80, 0.45, 0.06],
    [0.32, 0.14, 0.50],
    [0.05, 0.45, 0.48],
    [0.62, 0.12, 0.32],
    [0.40, 0.38, 0.10],
];
/// Linear RGB of what does not move by itself.
const GROUND: [f32; 3] = [0.42, 0.43, 0.45];

/// A body's colour, linear RGB: its own, or one from the palette.
pub fn colour(index: usize, body: &Body) -> [f32; 3] {
    let moving = body.kind == Kind::Dynamic;
    let default = if moving {
        PALETTE[index % PALETTE.len()]
    } else {
        GROUND
    };
    let [r, g, b] = body.color.unwrap_or(default);
    [r, g, b].map(|x| x.clamp(0.0, 1.0))
}

/// Seconds since `start` in the single precision that glTF uses.
fn seconds_f32(start: i64, tick: i64) -> f32 {
    seconds_between(start, tick) as f32
}

/// The rotation that turns the scene's up (against gravity) to +y, which is up in glTF.
fn upright([x, y, z]: [f64; 3]) -> [f64; 4] {
    let strength = (x * x + y * y + z * z).sqrt();
    if strength == 0.0 {
        return [0.0, 0.0, 0.0, 1.0];
    }
    let up = [-x / strength, -y / strength, -z / strength];
    // half-way quaternion between `up` and +y; opposite vectors turn about x
    let q = [-up[2], 0.0, up[0], 1.0 + up[1]];
    let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt();
    if norm < 1e-9 {
        [1.0, 0.0, 0.0, 0.0]
    } else {
        q.map(|x| x / norm)
    }
}

/// Writes beside `path` and renames when all is there; a device is written to directly.
fn write_whole(
    path: &Path,
    content: impl FnOnce(&mut dyn Write) -> std::io::Result<()>,
) -> Result<(), ExportError> {
    let partial = crate::writer::partial_name(path);
    let outcome = std::fs::File::create(&partial).and_then(|file| {
        let mut out = BufWriter::new(file);
        content(&mut out)?;
        out.flush()?;
        if partial == path {
            Ok(())
        } else {
            std::fs::rename(&partial, path)
        }
    });
    outcome.map_err(|source| {
        if partial != path {
            // what remains is of no use; if it cannot be removed, its name still says what it is
            let _ = std::fs::remove_file(&partial);
        }
        ExportError::Write {
            path: path.into(),
            source,
        }
    })
}
