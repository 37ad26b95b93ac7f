//! A block's payload as segments: everything in it is checked here, so that what a reader hands out is
//! in order, finite and names bodies that exist.

use crate::block::{self, Head};
use crate::codec::{
    KNOT_BYTES, MOMENTUM_BYTES, RECORD_BYTES, get_knot, get_momentum, get_record, has_momentum,
};
use crate::keyframe::PART_BODIES;
use crate::packed::{PACKED, Unpacking, get_knot as get_packed_knot};
use crate::segment::{Knot, Segment};
use std::ops::Range;

/// The segments of one block.
pub(crate) struct Decoded {
    segments: Vec<Segment<'static>>,
    ranges: Vec<Range<usize>>,
    knots: Vec<Knot>,
}

impl Decoded {
    /// Reads a segment or keyframe block; an error says what is wrong with it.
    pub(crate) fn new(head: &Head, payload: &[u8], bodies: usize) -> Result<Self, String> {
        let count = head.count as usize;
        let fixed = count
            .checked_mul(RECORD_BYTES)
            .filter(|&bytes| bytes <= payload.len())
            .ok_or_else(|| format!("{count} segments do not fit into {} bytes", payload.len()))?;
        let (columns, rest) = payload.split_at(fixed);
        let records = block::untranspose(columns, RECORD_BYTES);
        if head.kind == block::SEGMENTS && head.extra > PACKED {
            return Err(format!(
                "its segments are packed in a way {} that is not known",
                head.extra
            ));
        }
        if head.kind == block::SEGMENTS && head.extra == PACKED {
            let out = Self::unpacked(&records, rest)?;
            out.check(head, bodies)?;
            return Ok(out);
        }
        let records: Result<Vec<_>, _> = records.as_chunks().0.iter().map(get_record).collect();
        let records = records?;
        let moving = records.iter().filter(|(_, _, moves)| *moves).count();
        let (columns, knot_bytes) = rest
            .split_at_checked(moving * MOMENTUM_BYTES)
            .ok_or("a segment has a momentum that its block has not")?;
        let momenta = block::untranspose(columns, MOMENTUM_BYTES);
        let mut momenta = momenta.as_chunks().0.iter().map(get_momentum);
        let knots: Vec<Knot> = knot_bytes.as_chunks().0.iter().map(get_knot).collect();
        let mut out = Self {
            segments: Vec::with_capacity(count),
            ranges: Vec::new(),
            knots,
        };
        let mut used = 0;
        for (mut segment, own, moves) in records {
            if moves {
                segment.momentum = momenta.next();
            }
            let end = used + own as usize;
            if end > out.knots.len() {
                return Err("a segment has more knots than its block".into());
            }
            out.segments.push(segment);
            out.ranges.push(used..end);
            used = end;
        }
        if used * KNOT_BYTES != knot_bytes.len() {
            return Err("bytes are left over after the last knot".into());
        }
        out.check(head, bodies)?;
        Ok(out)
    }

    /// The segments of packed records, and of the momenta and knots that follow them.
    fn unpacked(records: &[u8], rest: &[u8]) -> Result<Self, String> {
        let records = records.as_chunks::<RECORD_BYTES>().0;
        let moving = records.iter().filter(|bytes| has_momentum(bytes)).count();
        let (columns, rest) = rest
            .split_at_checked(moving * MOMENTUM_BYTES)
            .ok_or("a segment has a momentum that its block has not")?;
        if !rest.len().is_multiple_of(KNOT_BYTES) {
            return Err("bytes are left over after the last knot".into());
        }
        let (momenta, knots) = (
            block::untranspose(columns, MOMENTUM_BYTES),
            block::untranspose(rest, KNOT_BYTES),
        );
        let mut momenta = momenta.as_chunks().0.iter();
        let mut knots = knots.as_chunks().0.iter();
        let mut out = Self {
            segments: Vec::with_capacity(records.len()),
            ranges: Vec::new(),
            knots: Vec::new(),
        };
        let mut unpacking = Unpacking::default();
        for bytes in records {
            let opened = unpacking.open(bytes)?;
            let (own, first) = (opened.knots, out.knots.len());
            let momentum = match opened.moves {
                true => momenta.next(),
                false => None,
            };
            let segment = opened.segment(momentum);
            for _ in 0..own {
                let bytes = knots
                    .next()
                    .ok_or("a segment has more knots than its block")?;
                let known = Segment {
                    knots: &out.knots[first..],
                    ..segment
                };
                let knot = get_packed_knot(&known, bytes);
                out.knots.push(knot);
            }
            out.segments.push(segment);
            out.ranges.push(first..out.knots.len());
            unpacking.close(&Segment {
                knots: &out.knots[first..],
                ..segment
            });
        }
        match knots.next() {
            None => Ok(out),
            Some(_) => Err("bytes are left over after the last knot".into()),
        }
    }

    fn check(&self, head: &Head, bodies: usize) -> Result<(), String> {
        for segment in self.iter() {
            let (body, start) = (segment.body, segment.start);
            if body as usize >= bodies {
                return Err(format!("a segment names body {body} of {bodies}"));
            }
            if !segment.is_finite() {
                return Err(format!(
                    "the segment of body {body} at tick {start} is not finite"
                ));
            }
            if !segment.has_rising_knots() {
                return Err(format!(
                    "the knots of body {body} at tick {start} are out of order"
                ));
            }
        }
        match head.kind {
            block::KEYFRAME => self.check_keyframe(head),
            _ => self.check_order(head),
        }
    }

    fn check_order(&self, head: &Head) -> Result<(), String> {
        let starts = || self.segments.iter().map(|s| s.start);
        let ends_right = self.segments.is_empty()
            || (starts().next() == Some(head.first) && starts().next_back() == Some(head.last));
        if ends_right && starts().is_sorted() {
            return Ok(());
        }
        Err("its segments are not in the order of time that its head claims".into())
    }

    fn check_keyframe(&self, head: &Head) -> Result<(), String> {
        let part = head.extra as usize;
        let of_part = |s: &Segment| s.body as usize / PART_BODIES == part && s.start <= head.first;
        let rising = self.segments.is_sorted_by(|a, b| a.body < b.body);
        if rising && self.segments.iter().all(of_part) {
            return Ok(());
        }
        Err("a keyframe lists bodies of another part, or later segments".into())
    }

    pub(crate) fn get(&self, index: usize) -> Segment<'_> {
        Segment {
            knots: &self.knots[self.ranges[index].clone()],
            ..self.segments[index]
        }
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Segment<'_>> {
        (0..self.segments.len()).map(|index| self.get(index))
    }

    /// The segments that start at or before `tick`, in a segment block.
    pub(crate) fn before(&self, tick: i64) -> impl DoubleEndedIterator<Item = Segment<'_>> {
        let end = self.segments.partition_point(|s| s.start <= tick);
        (0..end).map(|index| self.get(index))
    }

    /// The last segment of `body` that starts at or before `tick`, in a segment block.
    pub(crate) fn last_of(&self, body: u32, tick: i64) -> Option<Segment<'_>> {
        let end = self.segments.partition_point(|s| s.start <= tick);
        let index = self.segments[..end].iter().rposition(|s| s.body == body)?;
        Some(self.get(index))
    }

    /// The segment of `body` in a keyframe block.
    pub(crate) fn of_body(&self, body: u32) -> Option<Segment<'_>> {
        let index = self.segments.binary_search_by_key(&body, |s| s.body).ok()?;
        Some(self.get(index))
    }

    /// Roughly the memory it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.segments.len() * (size_of::<Segment>() + size_of::<Range<usize>>())
            + self.knots.len() * size_of::<Knot>()
    }
}
