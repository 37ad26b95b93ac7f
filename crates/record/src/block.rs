//! The file format: a row of self-contained, checksummed, zstd-compressed blocks.
//!
//! ```text
//! file     "WARPLINE" version:u32 0:u32   block*   [end mark]
//! block    kind, count, raw, stored, extra: u32   first, last, gvt: i64   checksum: u64   payload
//! end mark index offset: u64, checksum of the offset: u64, "WARPLINE-END-001"
//! ```
//!
//! All little-endian. The checksum is XXH3-64 over the block's head and stored payload, so a reader of
//! a cut file keeps every whole block and knows where to stop. The last block of a finished file is the
//! index (the heads of all blocks before it, which must tile the file); a file without an end mark is
//! unfinished and readers say so. While a run goes on the file is named `NAME.partial`; `finish` writes
//! the end mark and renames it, so nothing half-written ever stands under the name that was asked for.
//! Readers pass over kinds of block they do not know.
//!
//! | kind | payload | extra | first, last |
//! |---|---|---|---|
//! | 1 header | JSON of [`crate::Header`] | | |
//! | 2 segments | `count` records, transposed bytewise, then momenta, then knots, likewise | 1: packed | first and last start |
//! | 3 vertices | `count` positions of one deformable | its body | tick of the frame |
//! | 4 keyframe | as segments: the newest segment of each body in a part | part number | last start so far |
//! | 5 footer | the run's summary, JSON | | |
//! | 6 index | `count` block heads with their offsets | | |
//! | 7 undone | `count` stretches that rollbacks took back, transposed | | GVT |
//! | 8 clocks | `count` bodies' own times, transposed | | GVT |
//! | 9 sample | the run's counters at a moment, JSON | | GVT |
//! | 10 contacts | `count` contact events, transposed | | first and last tick |
//! | 11 forces | `count` forces at contact points, transposed | | first and last tick |
//! | 12 joints | `count` coordinates of multibodies, transposed | 1: packed | first and last tick |
//!
//! In packed blocks numbers are told as their distances from what can be foretold of them (see [`crate::packed`]); segments that
//! are not packed have their knots behind each other as they are.

use crate::codec::Source;
use xxhash_rust::xxh3::Xxh3;

pub(crate) const MAGIC: &[u8; 8] = b"WARPLINE";
pub(crate) const END_MAGIC: &[u8; 16] = b"WARPLINE-END-001";
/// The format's version. Version 4 has no packed blocks, version 3 no momenta either.
pub const VERSION: u32 = 5;
/// The oldest version that is read.
pub(crate) const OLDEST: u32 = 3;
/// Bytes before the first block.
pub(crate) const PREAMBLE_BYTES: usize = 16;
/// Bytes of the end mark.
pub(crate) const END_BYTES: usize = 32;
/// Bytes of a block's head, checksum included.
pub(crate) const HEAD_BYTES: usize = 52;
/// Bytes of an index entry: a head without its checksum, and its offset.
pub(crate) const ENTRY_BYTES: usize = HEAD_BYTES;
/// The largest uncompressed payload: a bound on what a hostile file can make a reader allocate.
pub(crate) const MAX_RAW: usize = 256 << 20;
/// The GVT of a block written before any was known.
pub(crate) const NO_GVT: i64 = i64::MIN;

pub(crate) const HEADER: u32 = 1;
pub(crate) const SEGMENTS: u32 = 2;
pub(crate) const VERTICES: u32 = 3;
pub(crate) const KEYFRAME: u32 = 4;
pub(crate) const FOOTER: u32 = 5;
pub(crate) const INDEX: u32 = 6;
pub(crate) const UNDONE: u32 = 7;
pub(crate) const CLOCKS: u32 = 8;
pub(crate) const SAMPLE: u32 = 9;
pub(crate) const CONTACTS: u32 = 10;
pub(crate) const FORCES: u32 = 11;
pub(crate) const JOINTS: u32 = 12;

/// What stands before each payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Head {
    pub(crate) kind: u32,
    pub(crate) count: u32,
    pub(crate) raw: u32,
    pub(crate) stored: u32,
    pub(crate) extra: u32,
    pub(crate) first: i64,
    pub(crate) last: i64,
    pub(crate) gvt: i64,
}

impl Head {
    /// The head's bytes without the checksum.
    pub(crate) fn to_bytes(self) -> [u8; HEAD_BYTES - 8] {
        let mut out = [0; HEAD_BYTES - 8];
        let words = [self.kind, self.count, self.raw, self.stored, self.extra];
        for (place, word) in out.chunks_exact_mut(4).zip(words) {
            place.copy_from_slice(&word.to_le_bytes());
        }
        for (place, tick) in out[20..]
            .chunks_exact_mut(8)
            .zip([self.first, self.last, self.gvt])
        {
            place.copy_from_slice(&tick.to_le_bytes());
        }
        out
    }

    pub(crate) fn from_bytes(bytes: &[u8; HEAD_BYTES - 8]) -> Self {
        let mut from = Source { bytes, at: 0 };
        Self {
            kind: u32::from_le_bytes(from.take()),
            count: u32::from_le_bytes(from.take()),
            raw: u32::from_le_bytes(from.take()),
            stored: u32::from_le_bytes(from.take()),
            extra: u32::from_le_bytes(from.take()),
            first: i64::from_le_bytes(from.take()),
            last: i64::from_le_bytes(from.take()),
            gvt: i64::from_le_bytes(from.take()),
        }
    }

    /// Bytes of the whole block in the file.
    pub(crate) fn block_bytes(&self) -> u64 {
        HEAD_BYTES as u64 + u64::from(self.stored)
    }
}

/// A head and where its block begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) head: Head,
    pub(crate) offset: u64,
}

impl Entry {
    pub(crate) fn end(&self) -> u64 {
        self.offset + self.head.block_bytes()
    }

    pub(crate) fn put(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.head.to_bytes());
        out.extend_from_slice(&self.offset.to_le_bytes());
    }

    pub(crate) fn get(bytes: &[u8; ENTRY_BYTES]) -> Self {
        let mut from = Source { bytes, at: 0 };
        let head = Head::from_bytes(&from.take());
        Self {
            head,
            offset: u64::from_le_bytes(from.take()),
        }
    }
}

/// The checksum that closes a block's head.
pub(crate) fn checksum(head: &[u8], stored: &[u8]) -> u64 {
    let mut sum = Xxh3::new();
    sum.update(head);
    sum.update(stored);
    sum.digest()
}

/// Uncompresses a payload to exactly `raw` bytes. Memory grows with what really comes out.
pub(crate) fn uncompress(stored: &[u8], raw: usize) -> Result<Vec<u8>, String> {
    use std::io::Read;
    if raw > MAX_RAW {
        return Err(format!(
            "the block claims {raw} bytes, more than the limit of {MAX_RAW}"
        ));
    }
    let mut out = Vec::with_capacity(raw.min(1 << 20));
    let stream = zstd::stream::read::Decoder::with_buffer(stored)
        .map_err(|error| format!("the block does not uncompress: {error}"))?;
    stream
        .take(raw as u64 + 1)
        .read_to_end(&mut out)
        .map_err(|error| format!("the block does not uncompress: {error}"))?;
    if out.len() != raw {
        return Err(format!(
            "the block does not hold the {raw} bytes that its head claims"
        ));
    }
    Ok(out)
}

/// Gathers byte `i` of every record of `width` bytes: equal exponents and constants come together and
/// compress. Appends to `out`.
pub(crate) fn transpose(records: &[u8], width: usize, out: &mut Vec<u8>) {
    out.reserve(records.len());
    for column in 0..width.min(records.len()) {
        out.extend(records[column..].iter().step_by(width));
    }
}

/// The inverse of [`transpose`].
pub(crate) fn untranspose(columns: &[u8], width: usize) -> Vec<u8> {
    let count = columns.len() / width;
    let mut out = vec![0; columns.len()];
    for (column, bytes) in columns.chunks_exact(count.max(1)).enumerate() {
        for (row, byte) in bytes.iter().enumerate() {
            out[row * width + column] = *byte;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transposing_twice_gives_the_records_back() {
        let records: Vec<u8> = (0..35).collect();
        let mut columns = Vec::new();
        transpose(&records, 7, &mut columns);
        assert_eq!(&columns[..5], &[0, 7, 14, 21, 28]);
        assert_eq!(untranspose(&columns, 7), records);
        assert_eq!(untranspose(&[], 7), Vec::<u8>::new());
    }

    #[test]
    fn a_payload_that_grows_past_its_claim_is_refused() {
        let bomb = zstd::encode_all(&vec![0u8; 1 << 20][..], 1).expect("in memory");
        assert!(uncompress(&bomb, 100).is_err());
        assert!(uncompress(&bomb, 2 << 20).is_err());
        assert_eq!(uncompress(&bomb, 1 << 20).expect("exact").len(), 1 << 20);
    }
}
