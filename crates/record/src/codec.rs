//! The canonical bytes of segments and knots: fixed width, little-endian, field by field.
//! The history's hash is over these bytes, so their layout never changes within a format version.

use crate::segment::{Event, Knot, Momentum, Segment};

/// Bytes of a segment without its knots.
pub(crate) const SEGMENT_BYTES: usize = 4 + 8 + 4 + 1 + 4 + 4 + 4 * 24 + 32 + 8;
/// Bytes of a segment's record in a block: the segment and its number of knots.
pub(crate) const RECORD_BYTES: usize = SEGMENT_BYTES + 4;
/// Bytes of a momentum.
pub(crate) const MOMENTUM_BYTES: usize = 8 + 5 * 24;
/// Set in the number of knots of a segment that has a momentum.
const HAS_MOMENTUM: u32 = 1 << 31;
/// Bytes of a knot.
pub(crate) const KNOT_BYTES: usize = 8 + 3 * 24 + 32;

/// Appends the canonical bytes of a segment, without its knots and its momentum.
pub(crate) fn put_segment(out: &mut Vec<u8>, s: &Segment<'_>) {
    let mut bytes = [0u8; SEGMENT_BYTES];
    let mut at = Cursor {
        bytes: &mut bytes,
        at: 0,
    };
    at.put(&s.body.to_le_bytes());
    at.put(&s.start.to_le_bytes());
    at.put(&s.micro.to_le_bytes());
    at.put(&[s.event as u8]);
    at.put(&s.partner.to_le_bytes());
    at.put(&s.group.to_le_bytes());
    at.numbers(&s.position);
    at.numbers(&s.velocity);
    at.numbers(&s.acceleration);
    at.numbers(&s.rotation);
    at.numbers(&s.spin);
    at.numbers(&[s.impulse]);
    out.extend_from_slice(&bytes);
}

/// Appends a momentum.
pub(crate) fn put_momentum(out: &mut Vec<u8>, m: &Momentum) {
    let mut bytes = [0u8; MOMENTUM_BYTES];
    let mut at = Cursor {
        bytes: &mut bytes,
        at: 0,
    };
    at.put(&m.end.to_le_bytes());
    let vectors = m.velocity.iter().chain(&m.spin).chain([&m.bend]);
    vectors.for_each(|v| at.numbers(v));
    out.extend_from_slice(&bytes);
}

/// Appends a segment's record: its canonical bytes, its number of knots, and whether it has a momentum.
pub(crate) fn put_record(out: &mut Vec<u8>, s: &Segment<'_>, knots: u32) {
    put_segment(out, s);
    let mark = if s.momentum.is_some() {
        HAS_MOMENTUM
    } else {
        0
    };
    out.extend_from_slice(&(knots | mark).to_le_bytes());
}

/// Appends a knot.
pub(crate) fn put_knot(out: &mut Vec<u8>, k: &Knot) {
    let mut bytes = [0u8; KNOT_BYTES];
    let mut at = Cursor {
        bytes: &mut bytes,
        at: 0,
    };
    at.put(&k.tick.to_le_bytes());
    at.numbers(&k.position);
    at.numbers(&k.velocity);
    at.numbers(&k.rotation);
    at.numbers(&k.spin);
    out.extend_from_slice(&bytes);
}

/// Reads a record; an error says what is wrong with it. Gives its number of knots, and whether it has a
/// momentum, which stands elsewhere.
pub(crate) fn get_record(
    bytes: &[u8; RECORD_BYTES],
) -> Result<(Segment<'static>, u32, bool), &'static str> {
    let mut from = Source { bytes, at: 0 };
    let segment = Segment {
        body: u32::from_le_bytes(from.take()),
        start: i64::from_le_bytes(from.take()),
        micro: u32::from_le_bytes(from.take()),
        event: Event::from_u8(from.take::<1>()[0]).ok_or("a segment has an unknown event")?,
        partner: u32::from_le_bytes(from.take()),
        group: u32::from_le_bytes(from.take()),
        position: from.numbers(),
        velocity: from.numbers(),
        acceleration: from.numbers(),
        rotation: from.numbers(),
        spin: from.numbers(),
        momentum: None,
        impulse: from.numbers::<1>()[0],
        knots: &[],
    };
    let knots = u32::from_le_bytes(from.take());
    let has_momentum = knots & HAS_MOMENTUM != 0;
    Ok((segment, knots & !HAS_MOMENTUM, has_momentum))
}

/// Whether a record has a momentum.
pub(crate) fn has_momentum(bytes: &[u8; RECORD_BYTES]) -> bool {
    bytes[RECORD_BYTES - 1] & (HAS_MOMENTUM >> 24) as u8 != 0
}

/// Reads a momentum.
pub(crate) fn get_momentum(bytes: &[u8; MOMENTUM_BYTES]) -> Momentum {
    let mut from = Source { bytes, at: 0 };
    Momentum {
        end: i64::from_le_bytes(from.take()),
        velocity: [from.numbers(), from.numbers()],
        spin: [from.numbers(), from.numbers()],
        bend: from.numbers(),
    }
}

/// Reads a knot.
pub(crate) fn get_knot(bytes: &[u8; KNOT_BYTES]) -> Knot {
    let mut from = Source { bytes, at: 0 };
    Knot {
        tick: i64::from_le_bytes(from.take()),
        position: from.numbers(),
        velocity: from.numbers(),
        rotation: from.numbers(),
        spin: from.numbers(),
    }
}

struct Cursor<'a> {
    bytes: &'a mut [u8],
    at: usize,
}

impl Cursor<'_> {
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.at..self.at + bytes.len()].copy_from_slice(bytes);
        self.at += bytes.len();
    }

    fn numbers(&mut self, values: &[f64]) {
        for value in values {
            self.put(&value.to_le_bytes());
        }
    }
}

/// Takes fields off a slice whose length the caller has fixed by its type.
pub(crate) struct Source<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) at: usize,
}

impl Source<'_> {
    pub(crate) fn take<const N: usize>(&mut self) -> [u8; N] {
        let mut out = [0; N];
        out.copy_from_slice(&self.bytes[self.at..self.at + N]);
        self.at += N;
        out
    }

    pub(crate) fn numbers<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| f64::from_le_bytes(self.take()))
    }
}
