//! Errors of reading and writing recordings: each says which file, where in it, what was expected
//! and what can be done.

use std::path::PathBuf;

/// What reading or writing a recording returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why a recording could not be written or read.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The file could not be created, opened or read.
    #[error("cannot {action} recording {}: {source}", path.display())]
    Io {
        /// What was tried: "create", "open", "read", "rename".
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: std::io::Error,
    },
    /// A write failed: most often the disk is full.
    #[error(
        "cannot write recording {} past its first {bytes_written} bytes: {source}; what was flushed before is readable, free some space or record elsewhere",
        path.display()
    )]
    Write {
        /// The file.
        path: PathBuf,
        /// Bytes that reached the file before the failure.
        bytes_written: u64,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file is something else.
    #[error("{} is not a Warpline recording: it does not begin with WARPLINE", path.display())]
    NotARecording {
        /// The file.
        path: PathBuf,
    },
    /// The file was written by another version of the format.
    #[error(
        "{} has recording format {found}, this program reads format {expected}; record the run again or use the program that wrote it",
        path.display()
    )]
    Version {
        /// The file.
        path: PathBuf,
        /// The version in the file.
        found: u32,
        /// The version this crate reads.
        expected: u32,
    },
    /// The bytes are not what a writer leaves behind.
    #[error("recording {} is damaged at byte {offset}: {what}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Where the damaged block or field begins.
        offset: u64,
        /// What was found and what was expected.
        what: String,
    },
    /// The header cannot be stored.
    #[error("the recording's header cannot be stored: {what}; every number must be finite")]
    Header {
        /// What the serialiser said.
        what: String,
    },
    /// A segment came before one that is already in the file.
    #[error(
        "segment of body {body} starts at tick {start}, before tick {last} that is already recorded: append in commit order"
    )]
    OutOfOrder {
        /// The segment's body.
        body: u32,
        /// Its start.
        start: i64,
        /// The latest start already appended.
        last: i64,
    },
    /// A body number that the header does not have.
    #[error("body {body} does not exist: the recording has {count} bodies, numbered from 0")]
    NoSuchBody {
        /// The number asked for.
        body: u32,
        /// Bodies in the header.
        count: usize,
    },
    /// A segment with a NaN or an infinity.
    #[error("segment of body {body} at tick {start} holds a number that is not finite")]
    NotFinite {
        /// The segment's body.
        body: u32,
        /// Its start.
        start: i64,
    },
    /// A segment whose knots do not rise in time.
    #[error("segment of body {body} at tick {start} has knots that are not in the order of time")]
    KnotOrder {
        /// The segment's body.
        body: u32,
        /// Its start.
        start: i64,
    },
    /// One record is larger than a block may be.
    #[error("one record of body {body} takes {bytes} bytes, a block holds at most {limit}")]
    TooLarge {
        /// The body or process.
        body: u32,
        /// Its size.
        bytes: usize,
        /// The format's limit.
        limit: usize,
    },
}
