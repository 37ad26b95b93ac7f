//! Keyframes: the newest segment of every body, repeated in the file now and then, so that the state at
//! a tick is found from one keyframe and the few segment blocks after it.
//! A keyframe follows at least twelve times its own bytes of segments, before either is compressed.

use crate::codec::{KNOT_BYTES, MOMENTUM_BYTES, RECORD_BYTES, put_knot, put_momentum, put_record};
use crate::segment::{OwnedSegment, Segment};

/// Bodies in one keyframe block; larger worlds have several blocks a keyframe.
pub(crate) const PART_BODIES: usize = 4096;
/// Segment bytes between keyframes, as a multiple of the keyframe's own.
const SPACING: usize = 12;

/// How many blocks a keyframe of `bodies` has.
pub(crate) fn parts(bodies: usize) -> usize {
    bodies.div_ceil(PART_BODIES)
}

/// The parts of a keyframe's payload.
#[derive(Default)]
pub(crate) struct Put {
    pub(crate) records: Vec<u8>,
    pub(crate) momenta: Vec<u8>,
    pub(crate) knots: Vec<u8>,
}

/// The newest segment of each body, and how much was written since the last keyframe.
pub(crate) struct Newest {
    segments: Vec<Option<OwnedSegment>>,
    bytes: usize,
    since: usize,
}

impl Newest {
    pub(crate) fn new(bodies: usize) -> Self {
        Self {
            segments: vec![None; bodies],
            bytes: 0,
            since: 0,
        }
    }

    /// Takes a segment's place as its body's newest.
    pub(crate) fn set(&mut self, segment: &Segment<'_>) {
        let place = &mut self.segments[segment.body as usize];
        let bytes = record_bytes(segment);
        self.since += bytes;
        self.bytes += bytes;
        match place {
            Some(old) => {
                self.bytes -= record_bytes(&old.as_segment());
                old.assign(segment);
            }
            None => *place = Some(OwnedSegment::from(*segment)),
        }
    }

    /// Whether enough was written for the next keyframe to be worth its bytes.
    pub(crate) fn is_due(&self) -> bool {
        self.since >= SPACING * self.bytes && self.since > 0
    }

    /// Marks that a keyframe was written.
    pub(crate) fn written(&mut self) {
        self.since = 0;
    }

    /// Appends the records, momenta and knots of one part; gives the number of records. Knots that ended
    /// before `tick` are left out: no one asks for them here.
    pub(crate) fn put_part(&self, part: usize, tick: i64, put: &mut Put) -> u32 {
        let bodies = self
            .segments
            .chunks(PART_BODIES)
            .nth(part)
            .unwrap_or_default();
        let mut count = 0;
        for owned in bodies.iter().flatten() {
            let segment = owned.as_segment();
            let passed = segment
                .knots
                .partition_point(|knot| knot.tick <= tick)
                .saturating_sub(1);
            let kept = &segment.knots[passed..];
            put_record(&mut put.records, &segment, kept.len() as u32);
            if let Some(momentum) = &segment.momentum {
                put_momentum(&mut put.momenta, momentum);
            }
            kept.iter().for_each(|knot| put_knot(&mut put.knots, knot));
            count += 1;
        }
        count
    }
}

fn record_bytes(segment: &Segment<'_>) -> usize {
    let momentum = segment.momentum.map_or(0, |_| MOMENTUM_BYTES);
    RECORD_BYTES + momentum + segment.knots.len() * KNOT_BYTES
}
