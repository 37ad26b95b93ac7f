//! Writing: segments are gathered into blocks of about a quarter of a megabyte, compressed and written
//! whole. See [`crate::block`] for the format and for how an unfinished file is told from a finished one.

use crate::block::{self, Entry, Head};
use crate::codec::{KNOT_BYTES, MOMENTUM_BYTES, RECORD_BYTES};
use crate::error::{Error, Result};
use crate::keyframe::{self, Newest};
use crate::model::Header;
use crate::packed::{PACKED, Packing};
use crate::segment::Segment;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Uncompressed bytes at which a block is closed: more segments of a body in one block are foretold better.
const BLOCK_BYTES: usize = 1024 * 1024;
/// zstd's fastest regular level: the run must not wait for it.
const ZSTD_LEVEL: i32 = 1;

/// Streams a run's committed history to a file.
pub struct Writer {
    file: File,
    /// The name the file has while the run goes on.
    partial: PathBuf,
    /// The name it gets when it is finished.
    path: PathBuf,
    bytes_written: u64,
    /// Set by the first write that failed: nothing may follow a half-written block.
    failed: Option<std::io::ErrorKind>,
    entries: Vec<Entry>,
    newest: Newest,
    bodies: usize,
    gvt: i64,
    gvt_written: i64,
    last_start: i64,
    open: OpenBlock,
    undone: Vec<u8>,
    compressor: zstd::bulk::Compressor<'static>,
    scratch: Vec<u8>,
}

/// The segments that no block holds yet.
#[derive(Default)]
struct OpenBlock {
    packing: Packing,
    count: u32,
    first: i64,
}

impl Writer {
    /// Begins a recording. It is written as `path` + `.partial` and gets its name in [`Writer::finish`];
    /// a device or pipe is written to directly.
    pub fn create(path: impl AsRef<Path>, header: &Header) -> Result<Self> {
        let path = path.as_ref().to_path_buf();
        let json = header_json(header)?;
        let partial = partial_name(&path);
        let io = |source| Error::Io {
            action: "create",
            path: partial.clone(),
            source,
        };
        if path.is_dir() {
            return Err(io(std::io::ErrorKind::IsADirectory.into()));
        }
        let file = File::create(&partial).map_err(io)?;
        let compressor = zstd::bulk::Compressor::new(ZSTD_LEVEL).map_err(io)?;
        let mut writer = Self {
            file,
            partial,
            path,
            bytes_written: 0,
            failed: None,
            entries: Vec::new(),
            newest: Newest::new(header.bodies.len()),
            bodies: header.bodies.len(),
            gvt: block::NO_GVT,
            gvt_written: block::NO_GVT,
            last_start: i64::MIN,
            open: OpenBlock::default(),
            undone: Vec::new(),
            compressor,
            scratch: Vec::new(),
        };
        let mut preamble = block::MAGIC.to_vec();
        preamble.extend_from_slice(&block::VERSION.to_le_bytes());
        preamble.extend_from_slice(&0u32.to_le_bytes());
        writer.write(&preamble)?;
        writer.write_block(block::HEADER, 1, 0, (0, 0), &json)?;
        Ok(writer)
    }

    /// Where the bytes go until [`Writer::finish`]: what a live viewer follows.
    pub fn partial_path(&self) -> &Path {
        &self.partial
    }

    /// Appends a committed segment. Starts must not fall.
    pub fn append(&mut self, segment: &Segment<'_>) -> Result<()> {
        let (body, start) = (segment.body, segment.start);
        self.check_body(body)?;
        if start < self.last_start {
            return Err(Error::OutOfOrder {
                body,
                start,
                last: self.last_start,
            });
        }
        if !segment.is_finite() {
            return Err(Error::NotFinite { body, start });
        }
        if !segment.has_rising_knots() {
            return Err(Error::KnotOrder { body, start });
        }
        let bytes = RECORD_BYTES + MOMENTUM_BYTES + segment.knots.len() * KNOT_BYTES;
        check_size(body, bytes)?;
        if self.open.bytes() + segment.knots.len() * KNOT_BYTES >= BLOCK_BYTES {
            self.close_block()?;
        }
        self.last_start = start;
        self.open.push(segment);
        self.newest.set(segment);
        Ok(())
    }

    /// Appends the vertex positions of a deformable at a tick; `process` is the body that has its mesh.
    /// Ticks must not fall for one process.
    pub fn append_vertices(
        &mut self,
        process: u32,
        tick: i64,
        positions: &[[f64; 3]],
    ) -> Result<()> {
        self.check_body(process)?;
        check_size(process, positions.len() * 24)?;
        if !positions.iter().flatten().all(|x| x.is_finite()) {
            return Err(Error::NotFinite {
                body: process,
                start: tick,
            });
        }
        let mut records = Vec::with_capacity(positions.len() * 24);
        for number in positions.iter().flatten() {
            records.extend_from_slice(&number.to_le_bytes());
        }
        let mut payload = Vec::new();
        block::transpose(&records, 24, &mut payload);
        let count = positions.len() as u32;
        self.write_block(block::VERTICES, count, process, (tick, tick), &payload)
    }

    /// States that nothing before `tick` can change any more.
    pub fn gvt(&mut self, tick: i64) {
        self.gvt = self.gvt.max(tick);
    }

    /// Hands everything appended so far to the system, with the latest GVT: a crash of this program
    /// after it loses nothing before it.
    pub fn flush(&mut self) -> Result<()> {
        if self.open.count > 0 || !self.undone.is_empty() || self.gvt > self.gvt_written {
            self.close_block()?;
        }
        Ok(())
    }

    /// Ends the recording: the rest, the run's summary, the index, the end mark, and the final name.
    pub fn finish(mut self, summary: &str) -> Result<()> {
        self.flush()?;
        self.write_block(block::FOOTER, 1, 0, (0, 0), summary.as_bytes())?;
        let index_offset = self.bytes_written;
        let mut index = Vec::with_capacity(self.entries.len() * block::ENTRY_BYTES);
        self.entries.iter().for_each(|entry| entry.put(&mut index));
        let count = self.entries.len() as u32;
        self.write_block(block::INDEX, count, 0, (0, 0), &index)?;
        let mut end = index_offset.to_le_bytes().to_vec();
        end.extend_from_slice(&block::checksum(&index_offset.to_le_bytes(), &[]).to_le_bytes());
        end.extend_from_slice(block::END_MAGIC);
        self.write(&end)?;
        if self.partial == self.path {
            return Ok(());
        }
        self.file
            .sync_all()
            .map_err(|source| self.write_error(source))?;
        std::fs::rename(&self.partial, &self.path).map_err(|source| Error::Io {
            action: "rename",
            path: self.partial.clone(),
            source,
        })
    }

    pub(crate) fn undone_buffer(&mut self) -> &mut Vec<u8> {
        &mut self.undone
    }

    /// The time range of a block that holds what is so at this moment.
    pub(crate) fn gvt_range(&self) -> (i64, i64) {
        (self.gvt, self.gvt)
    }

    /// Writes a block of the trace, its records transposed.
    pub(crate) fn write_trace(
        &mut self,
        kind: u32,
        count: usize,
        records: &[u8],
        width: usize,
        range: (i64, i64),
    ) -> Result<()> {
        self.write_records((kind, 0), count, records, width, range)
    }

    /// The same with an `extra`.
    pub(crate) fn write_records(
        &mut self,
        (kind, extra): (u32, u32),
        count: usize,
        records: &[u8],
        width: usize,
        range: (i64, i64),
    ) -> Result<()> {
        let mut payload = Vec::new();
        block::transpose(records, width, &mut payload);
        self.write_block(kind, count as u32, extra, range, &payload)
    }

    fn check_body(&self, body: u32) -> Result<()> {
        if (body as usize) < self.bodies {
            return Ok(());
        }
        Err(Error::NoSuchBody {
            body,
            count: self.bodies,
        })
    }

    fn close_block(&mut self) -> Result<()> {
        self.write_undone()?;
        let open = std::mem::take(&mut self.open);
        let payload = open.packing.payload();
        let (first, last) = if open.count > 0 {
            (open.first, self.last_start)
        } else {
            (self.gvt, self.gvt)
        };
        self.write_block(block::SEGMENTS, open.count, PACKED, (first, last), &payload)?;
        self.gvt_written = self.gvt;
        self.open = open.emptied();
        if self.newest.is_due() {
            self.write_keyframe()
        } else {
            Ok(())
        }
    }

    fn write_keyframe(&mut self) -> Result<()> {
        let tick = self.last_start;
        for part in 0..keyframe::parts(self.bodies) {
            let mut put = keyframe::Put::default();
            let count = self.newest.put_part(part, tick, &mut put);
            let mut payload = Vec::new();
            block::transpose(&put.records, RECORD_BYTES, &mut payload);
            block::transpose(&put.momenta, MOMENTUM_BYTES, &mut payload);
            payload.append(&mut put.knots);
            // a world whose knots do not fit a block goes without keyframes: slower to seek, still whole
            if payload.len() > block::MAX_RAW {
                break;
            }
            self.write_block(block::KEYFRAME, count, part as u32, (tick, tick), &payload)?;
        }
        self.newest.written();
        Ok(())
    }

    fn write_block(
        &mut self,
        kind: u32,
        count: u32,
        extra: u32,
        (first, last): (i64, i64),
        payload: &[u8],
    ) -> Result<()> {
        check_size(extra, payload.len())?;
        let stored = self
            .compressor
            .compress(payload)
            .map_err(|source| self.write_error(source))?;
        let (raw, length) = (payload.len() as u32, stored.len() as u32);
        let head = Head {
            kind,
            count,
            raw,
            stored: length,
            extra,
            first,
            last,
            gvt: self.gvt,
        };
        let offset = self.bytes_written;
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        bytes.extend_from_slice(&head.to_bytes());
        bytes.extend_from_slice(&block::checksum(&head.to_bytes(), &stored).to_le_bytes());
        bytes.extend_from_slice(&stored);
        let outcome = self.write(&bytes);
        self.scratch = bytes;
        self.entries.push(Entry { head, offset });
        outcome
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        if let Some(kind) = self.failed {
            return Err(self.write_error(kind.into()));
        }
        if let Err(source) = self.file.write_all(bytes) {
            self.failed = Some(source.kind());
            return Err(self.write_error(source));
        }
        self.bytes_written += bytes.len() as u64;
        Ok(())
    }

    fn write_error(&self, source: std::io::Error) -> Error {
        Error::Write {
            path: self.partial.clone(),
            bytes_written: self.bytes_written,
            source,
        }
    }
}

impl OpenBlock {
    fn bytes(&self) -> usize {
        self.packing.bytes()
    }

    fn push(&mut self, segment: &Segment<'_>) {
        if self.count == 0 {
            self.first = segment.start;
        }
        self.packing.push(segment);
        self.count += 1;
    }

    /// The same storage with nothing in it.
    fn emptied(self) -> Self {
        Self {
            count: 0,
            first: 0,
            packing: self.packing.emptied(),
        }
    }
}

fn check_size(body: u32, bytes: usize) -> Result<()> {
    if bytes <= block::MAX_RAW {
        return Ok(());
    }
    Err(Error::TooLarge {
        body,
        bytes,
        limit: block::MAX_RAW,
    })
}

/// The header as JSON that is known to read back as the same header (JSON has no NaN).
fn header_json(header: &Header) -> Result<Vec<u8>> {
    let unfit = |error: serde_json::Error| Error::Header {
        what: error.to_string(),
    };
    let json = serde_json::to_vec(header).map_err(unfit)?;
    let back: Header = serde_json::from_slice(&json).map_err(unfit)?;
    if back != *header {
        return Err(Error::Header {
            what: "it does not read back as it was written".into(),
        });
    }
    Ok(json)
}

/// The name of a file while it is being written: `path` + `.partial`, or a device's or pipe's own.
pub(crate) fn partial_name(path: &Path) -> PathBuf {
    let special = path
        .metadata()
        .is_ok_and(|data| !data.is_file() && !data.is_dir());
    if special {
        return path.to_path_buf();
    }
    let mut name = path.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}
