//! The file beneath a reader: blocks by offset, the index of a finished file, and the scan of one that
//! is not. No length that the file claims is believed before it is compared with the file's size.

use crate::block::{self, END_BYTES, ENTRY_BYTES, Entry, HEAD_BYTES, Head, PREAMBLE_BYTES};
use crate::codec::Source;
use crate::error::{Error, Result};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

/// An open file.
pub(crate) struct Store {
    file: File,
}

impl Store {
    /// Opens the file and checks that it is a recording of this version.
    pub(crate) fn open(path: &Path) -> Result<Self> {
        let io = |source| Error::Io {
            action: "open",
            path: path.to_path_buf(),
            source,
        };
        let mut file = File::open(path).map_err(io)?;
        let mut preamble = [0; PREAMBLE_BYTES];
        let not_one = || Error::NotARecording {
            path: path.to_path_buf(),
        };
        if let Err(source) = file.read_exact(&mut preamble) {
            let short = source.kind() == std::io::ErrorKind::UnexpectedEof;
            return Err(if short { not_one() } else { io(source) });
        }
        let mut from = Source {
            bytes: &preamble,
            at: 0,
        };
        if &from.take::<8>() != block::MAGIC {
            return Err(not_one());
        }
        let found = u32::from_le_bytes(from.take());
        if !(block::OLDEST..=block::VERSION).contains(&found) {
            let path = path.to_path_buf();
            return Err(Error::Version {
                path,
                found,
                expected: block::VERSION,
            });
        }
        Ok(Self { file })
    }

    /// The blocks of a finished file, from its index; an error says why there is none.
    pub(crate) fn index(&mut self) -> std::result::Result<Vec<Entry>, String> {
        let size = self.size()?;
        let end = size
            .checked_sub(END_BYTES as u64)
            .ok_or("it has no end mark")?;
        let offset = self.end_mark(end)?.ok_or("it has no end mark")?;
        let (head, stored) = self.block(offset, end)?;
        if head.kind != block::INDEX || offset + head.block_bytes() != end {
            return Err("its end mark does not point to an index".into());
        }
        let payload = block::uncompress(&stored, head.raw as usize)?;
        let (bytes, rest) = payload.as_chunks::<ENTRY_BYTES>();
        let entries: Vec<Entry> = bytes.iter().map(Entry::get).collect();
        // the index must tile the file: then no block overlaps another or reaches beyond the end
        let mut next = PREAMBLE_BYTES as u64;
        for entry in &entries {
            if entry.offset != next || entry.end() > offset {
                return Err("its index does not fit the file".into());
            }
            next = entry.end();
        }
        if next != offset || !rest.is_empty() {
            return Err("its index does not fit the file".into());
        }
        Ok(entries)
    }

    /// The whole blocks from `offset` on, checksums verified, and why they stop: `None` at an end mark.
    pub(crate) fn scan(&mut self, mut offset: u64) -> (Vec<Entry>, Option<String>) {
        let mut entries = Vec::new();
        let size = match self.size() {
            Ok(size) => size,
            Err(what) => return (entries, Some(what)),
        };
        while offset < size {
            let head = match self.block(offset, size) {
                Ok((head, _)) => head,
                Err(what) => return (entries, Some(format!("it stops at byte {offset}: {what}"))),
            };
            let entry = Entry { head, offset };
            if head.kind == block::INDEX {
                let ended = matches!(self.end_mark(entry.end()), Ok(Some(at)) if at == offset);
                return (
                    entries,
                    (!ended).then(|| format!("its end mark is missing at byte {}", entry.end())),
                );
            }
            offset = entry.end();
            entries.push(entry);
        }
        (
            entries,
            Some(format!("it stops after {size} bytes, before the run's end")),
        )
    }

    /// A block's uncompressed payload; its head must be the one that the directory knows.
    pub(crate) fn payload(&mut self, entry: &Entry) -> std::result::Result<Vec<u8>, String> {
        let size = self.size()?;
        let (head, stored) = self.block(entry.offset, size)?;
        if head != entry.head {
            return Err("the block is not the one in the index".into());
        }
        block::uncompress(&stored, head.raw as usize)
    }

    /// The head and stored payload of the block at `offset`, which must end by `limit`.
    fn block(&mut self, offset: u64, limit: u64) -> std::result::Result<(Head, Vec<u8>), String> {
        let room = limit.saturating_sub(offset);
        if room < HEAD_BYTES as u64 {
            return Err("a block's head is cut off".into());
        }
        let mut bytes = [0; HEAD_BYTES];
        self.read_at(offset, &mut bytes)?;
        let mut from = Source {
            bytes: &bytes,
            at: 0,
        };
        let head_bytes = from.take();
        let sum = u64::from_le_bytes(from.take());
        let head = Head::from_bytes(&head_bytes);
        if head.block_bytes() > room {
            return Err(format!(
                "a block of {} bytes is cut off",
                head.block_bytes()
            ));
        }
        let mut stored = vec![0; head.stored as usize];
        self.read_at(offset + HEAD_BYTES as u64, &mut stored)?;
        if block::checksum(&head_bytes, &stored) != sum {
            return Err("a block's checksum does not match its bytes".into());
        }
        Ok((head, stored))
    }

    /// The index's offset from the end mark at `offset`; `None` if there is no valid mark there.
    fn end_mark(&mut self, offset: u64) -> std::result::Result<Option<u64>, String> {
        let mut bytes = [0; END_BYTES];
        self.read_at(offset, &mut bytes)?;
        let mut from = Source {
            bytes: &bytes,
            at: 0,
        };
        let index = from.take::<8>();
        let sum = u64::from_le_bytes(from.take());
        let valid = sum == block::checksum(&index, &[]) && &from.take::<16>() == block::END_MAGIC;
        Ok(valid.then_some(u64::from_le_bytes(index)))
    }

    fn size(&self) -> std::result::Result<u64, String> {
        let data = self
            .file
            .metadata()
            .map_err(|error| format!("its size is unknown: {error}"))?;
        Ok(data.len())
    }

    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> std::result::Result<(), String> {
        self.file
            .seek(SeekFrom::Start(offset))
            .and_then(|_| self.file.read_exact(bytes))
            .map_err(|error| format!("reading {} bytes failed: {error}", bytes.len()))
    }
}
