//! The history's hash: SHA-256 over the canonical bytes of the committed segments and of deformables' vertex
//! positions, in commit order.
//! Two runs have the same history exactly when these digests agree (law 1 is tested with it).

use crate::codec::{SEGMENT_BYTES, put_momentum, put_segment};
use crate::segment::{Event, Segment};
use sha2::{Digest, Sha256};

/// Bytes gathered before the digest is fed; the result does not depend on it.
const BATCH_BYTES: usize = 64 * 1024;

/// Hashes segments as they are committed. The caller guarantees the order (start, micro, body).
///
/// Knots and [`Event::Continue`] are left out: they say how finely a motion was sampled, and where it
/// was cut for streaming, not what happened.
pub struct HistoryHash {
    digest: Sha256,
    buffer: Vec<u8>,
}

impl Default for HistoryHash {
    fn default() -> Self {
        Self::new()
    }
}

impl HistoryHash {
    /// The hash of an empty history.
    pub fn new() -> Self {
        Self {
            digest: Sha256::new(),
            buffer: Vec::with_capacity(BATCH_BYTES + SEGMENT_BYTES),
        }
    }

    /// Adds the next committed segment.
    pub fn push(&mut self, segment: &Segment<'_>) {
        if segment.event == Event::Continue {
            return;
        }
        put_segment(&mut self.buffer, segment);
        if let Some(momentum) = &segment.momentum {
            put_momentum(&mut self.buffer, momentum);
        }
        if self.buffer.len() >= BATCH_BYTES {
            self.feed();
        }
    }

    /// Adds the vertex positions of a deformable at a tick.
    pub fn push_vertices(&mut self, process: u32, tick: i64, positions: &[[f64; 3]]) {
        self.buffer.extend_from_slice(&process.to_le_bytes());
        self.buffer.extend_from_slice(&tick.to_le_bytes());
        for number in positions.iter().flatten() {
            self.buffer.extend_from_slice(&number.to_le_bytes());
        }
        self.feed();
    }

    /// Adds a batch in its order.
    pub fn extend<'a>(&mut self, segments: impl IntoIterator<Item = Segment<'a>>) {
        for segment in segments {
            self.push(&segment);
        }
    }

    /// The digest of all that was pushed, as 64 hexadecimal digits.
    pub fn finish(mut self) -> String {
        self.feed();
        self.digest
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect()
    }

    fn feed(&mut self) {
        self.digest.update(&self.buffer);
        self.buffer.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_history_has_the_known_digest_of_nothing() {
        let nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";
        assert_eq!(HistoryHash::new().finish(), nothing);
    }
}
