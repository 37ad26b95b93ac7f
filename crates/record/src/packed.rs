//! Segments as a block of version 5 holds them: what can be counted as the difference from the record before, every number
//! as its distance from what is foretold of it (see [`crate::foretold`]), all of them transposed.

use crate::block;
use crate::codec::{KNOT_BYTES, MOMENTUM_BYTES, RECORD_BYTES, Source, get_record, put_record};
use crate::foretold::{self, Foretelling, Foretold, KNOT_NUMBERS, RECORD_NUMBERS, apart, number};
use crate::segment::{Knot, Momentum, Segment};

/// The `extra` of a block whose segments or joints are packed so.
pub(crate) const PACKED: u32 = 1;
/// Where the numbers of a record begin.
const NUMBERS_AT: usize = RECORD_BYTES - 4 - 8 * RECORD_NUMBERS;

/// Packs the segments of one block.
#[derive(Default)]
pub(crate) struct Packing {
    records: Vec<u8>,
    momenta: Vec<u8>,
    knots: Vec<u8>,
    foretelling: Foretelling,
    last: Last,
}

/// What is counted from one record to the next.
#[derive(Default)]
struct Last {
    start: i64,
    body: u32,
}

impl Packing {
    /// Bytes so far.
    pub(crate) fn bytes(&self) -> usize {
        self.records.len() + self.momenta.len() + self.knots.len()
    }

    /// Adds a segment.
    pub(crate) fn push(&mut self, segment: &Segment<'_>) {
        let foretold = self.foretelling.of(segment.body, segment.start);
        if let Some(momentum) = &segment.momentum {
            let end = momentum.end.wrapping_sub(foretold.end(segment.start));
            self.momenta.extend_from_slice(&end.to_le_bytes());
            let begun = [momentum.velocity[0], momentum.spin[0]];
            put(&mut self.momenta, &begun, &foretold.begun());
            let ended = [momentum.velocity[1], momentum.spin[1], momentum.bend];
            put(&mut self.momenta, &ended, &foretold.ended(begun));
        }
        let at = self.records.len();
        let counted = Segment {
            body: segment.body.wrapping_sub(self.last.body),
            start: segment.start.wrapping_sub(self.last.start),
            ..*segment
        };
        put_record(&mut self.records, &counted, segment.knots.len() as u32);
        let own = foretold::numbers(segment);
        let likely = foretold.record(segment.momentum.as_ref());
        let places = self.records[at + NUMBERS_AT..].chunks_exact_mut(8);
        for (place, (own, likely)) in places.zip(own.iter().zip(&likely)) {
            place.copy_from_slice(&apart(*own, *likely).to_le_bytes());
        }
        for count in 0..segment.knots.len() {
            let (known, knot) = (&segment.knots[..count], &segment.knots[count]);
            let before = known.last().map_or(segment.start, |knot| knot.tick);
            let ticks = knot.tick.wrapping_sub(before);
            self.knots.extend_from_slice(&ticks.to_le_bytes());
            let likely = foretold::knot(
                &Segment {
                    knots: known,
                    ..*segment
                },
                knot.tick,
            );
            for (own, likely) in foretold::knot_numbers(knot).iter().zip(&likely) {
                self.knots
                    .extend_from_slice(&apart(*own, *likely).to_le_bytes());
            }
        }
        self.foretelling.set(segment);
        self.last = Last {
            start: segment.start,
            body: segment.body,
        };
    }

    /// The payload.
    pub(crate) fn payload(&self) -> Vec<u8> {
        let mut payload = Vec::new();
        block::transpose(&self.records, RECORD_BYTES, &mut payload);
        block::transpose(&self.momenta, MOMENTUM_BYTES, &mut payload);
        block::transpose(&self.knots, KNOT_BYTES, &mut payload);
        payload
    }

    /// The same storage with nothing in it.
    pub(crate) fn emptied(mut self) -> Self {
        self.records.clear();
        self.momenta.clear();
        self.knots.clear();
        self.foretelling.clear();
        Packing {
            last: Last::default(),
            ..self
        }
    }
}

fn put(out: &mut Vec<u8>, own: &[[f64; 3]], likely: &[[f64; 3]]) {
    for (own, likely) in own.iter().flatten().zip(likely.iter().flatten()) {
        out.extend_from_slice(&apart(*own, *likely).to_le_bytes());
    }
}

/// Unpacks a block's segments one after the other, in their order.
#[derive(Default)]
pub(crate) struct Unpacking {
    foretelling: Foretelling,
    last: Last,
}

/// A record that is not whole yet.
pub(crate) struct Opened {
    segment: Segment<'static>,
    /// Its number of knots.
    pub(crate) knots: u32,
    /// Whether it has a momentum.
    pub(crate) moves: bool,
    numbers: [u64; RECORD_NUMBERS],
    foretold: Foretold,
}

impl Unpacking {
    /// Takes up the next record.
    pub(crate) fn open(&mut self, bytes: &[u8; RECORD_BYTES]) -> Result<Opened, &'static str> {
        let (mut segment, knots, moves) = get_record(bytes)?;
        segment.body = segment.body.wrapping_add(self.last.body);
        segment.start = segment.start.wrapping_add(self.last.start);
        self.last = Last {
            start: segment.start,
            body: segment.body,
        };
        let mut from = Source {
            bytes,
            at: NUMBERS_AT,
        };
        Ok(Opened {
            foretold: self.foretelling.of(segment.body, segment.start),
            segment,
            knots,
            moves,
            numbers: std::array::from_fn(|_| u64::from_le_bytes(from.take())),
        })
    }

    /// The segment is whole.
    pub(crate) fn close(&mut self, segment: &Segment<'_>) {
        self.foretelling.set(segment);
    }
}

impl Opened {
    /// The segment with its momentum and without its knots.
    pub(crate) fn segment(mut self, momentum: Option<&[u8; MOMENTUM_BYTES]>) -> Segment<'static> {
        let momentum = momentum.map(|bytes| self.momentum(bytes));
        let likely = self.foretold.record(momentum.as_ref());
        let n: [f64; RECORD_NUMBERS] = std::array::from_fn(|i| number(self.numbers[i], likely[i]));
        let s = &mut self.segment;
        s.position = [n[0], n[1], n[2]];
        s.velocity = [n[3], n[4], n[5]];
        s.acceleration = [n[6], n[7], n[8]];
        s.rotation = [n[9], n[10], n[11], n[12]];
        s.spin = [n[13], n[14], n[15]];
        s.impulse = n[16];
        s.momentum = momentum;
        self.segment
    }

    fn momentum(&self, bytes: &[u8; MOMENTUM_BYTES]) -> Momentum {
        let mut from = Source { bytes, at: 0 };
        let end = i64::from_le_bytes(from.take());
        let end = end.wrapping_add(self.foretold.end(self.segment.start));
        let mut three = |likely: [f64; 3]| -> [f64; 3] {
            std::array::from_fn(|i| number(u64::from_le_bytes(from.take()), likely[i]))
        };
        let begun = self.foretold.begun().map(&mut three);
        let [velocity, spin, bend] = self.foretold.ended(begun).map(three);
        Momentum {
            end,
            velocity: [begun[0], velocity],
            spin: [begun[1], spin],
            bend,
        }
    }
}

/// The next knot of a segment that has those before it.
pub(crate) fn get_knot(segment: &Segment<'_>, bytes: &[u8; KNOT_BYTES]) -> Knot {
    let mut from = Source { bytes, at: 0 };
    let before = segment.knots.last().map_or(segment.start, |knot| knot.tick);
    let tick = before.wrapping_add(i64::from_le_bytes(from.take()));
    let likely = foretold::knot(segment, tick);
    let n: [f64; KNOT_NUMBERS] =
        std::array::from_fn(|i| number(u64::from_le_bytes(from.take()), likely[i]));
    Knot {
        tick,
        position: [n[0], n[1], n[2]],
        velocity: [n[3], n[4], n[5]],
        rotation: [n[6], n[7], n[8], n[9]],
        spin: [n[10], n[11], n[12]],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::Head;
    use crate::decoded::Decoded;
    use crate::{Event, NO_GROUP};
    use proptest::prelude::*;

    fn unit(q: [f64; 4]) -> [f64; 4] {
        let norm = q.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3);
        q.map(|x| x / norm)
    }

    prop_compose! {
        fn segments()(
            numbers in prop::collection::vec((prop::array::uniform32(-1e3..1e3f64), 0..4u32, 0..3usize, any::<bool>()), 1..40),
        ) -> Vec<(Segment<'static>, Vec<Knot>)> {
            let mut start = -500i64;
            let made = numbers.into_iter().map(|(x, body, knots, moves)| {
                start += (x[0].abs() * 1e9) as i64;
                let three = |at: usize| [x[at], x[at + 1], x[at + 2]];
                let momentum = Momentum {
                    end: start + 5_000_000_000,
                    velocity: [three(16), three(19)],
                    spin: [three(22), three(25)],
                    bend: three(28),
                };
                let segment = Segment {
                    body,
                    start,
                    micro: 1,
                    event: Event::Step,
                    partner: body + 1,
                    group: NO_GROUP,
                    position: three(1),
                    velocity: three(4),
                    acceleration: three(7),
                    rotation: unit([x[10], x[11], x[12], x[13]]),
                    spin: three(13),
                    momentum: moves.then_some(momentum),
                    impulse: x[31],
                    knots: &[],
                };
                let knot = |k: usize| Knot {
                    tick: start + 1 + 1_000_000_000 * k as i64,
                    position: three(k + 1),
                    velocity: three(k + 4),
                    rotation: segment.rotation,
                    spin: three(k + 7),
                };
                (segment, (0..knots).map(knot).collect())
            });
            made.collect()
        }
    }

    proptest! {
        #[test]
        fn what_is_packed_comes_back_to_the_last_bit(all in segments()) {
            let mut packing = Packing::default();
            for (fixed, knots) in &all {
                packing.push(&Segment { knots, ..*fixed });
            }
            let payload = packing.payload();
            let head = Head {
                kind: block::SEGMENTS,
                count: all.len() as u32,
                raw: payload.len() as u32,
                stored: 0,
                extra: PACKED,
                first: all[0].0.start,
                last: all[all.len() - 1].0.start,
                gvt: 0,
            };
            let decoded = Decoded::new(&head, &payload, 4).expect("it reads back");
            for (index, (fixed, knots)) in all.iter().enumerate() {
                prop_assert_eq!(decoded.get(index), Segment { knots, ..*fixed });
            }
        }
    }

    /// A body that turns and is pushed steadily takes half the bytes that it took.
    #[test]
    fn a_steady_motion_is_told_in_few_bytes() {
        let ticks = |seconds: f64| (seconds * crate::TICKS_PER_SECOND) as i64;
        let (mut packing, mut plain) = (Packing::default(), Vec::new());
        for k in 0..2000u32 {
            let t = f64::from(k) * 0.008;
            let h = 0.008;
            let place = |t: f64| [libm::sin(t), libm::cos(0.7 * t), 0.3 * t];
            let speed = |t: f64| [libm::cos(t), -0.7 * libm::sin(0.7 * t), 0.3];
            let (turned, turning) = (|t: f64| libm::sin(t), |t: f64| [0.0, 0.0, libm::cos(t)]);
            let (here, there) = (place(t), place(t + h));
            let segment = Segment {
                body: 3,
                start: ticks(t),
                micro: 0,
                event: Event::Step,
                partner: 7,
                group: 3,
                position: here,
                velocity: std::array::from_fn(|i| (there[i] - here[i]) / h),
                acceleration: [0.0; 3],
                rotation: [
                    0.0,
                    0.0,
                    libm::sin(0.5 * turned(t)),
                    libm::cos(0.5 * turned(t)),
                ],
                spin: [0.0, 0.0, (turned(t + h) - turned(t)) / h],
                momentum: Some(Momentum {
                    end: ticks(t + h),
                    velocity: [speed(t), speed(t + h)],
                    spin: [turning(t), turning(t + h)],
                    bend: [0.0; 3],
                }),
                impulse: 0.0,
                knots: &[],
            };
            packing.push(&segment);
            put_record(&mut plain, &segment, 0);
            if let Some(momentum) = &segment.momentum {
                crate::codec::put_momentum(&mut plain, momentum);
            }
        }
        let mut transposed = Vec::new();
        block::transpose(&plain, RECORD_BYTES + MOMENTUM_BYTES, &mut transposed);
        let size = |bytes: &[u8]| zstd::bulk::compress(bytes, 1).expect("in memory").len();
        let (packed, before) = (size(&packing.payload()), size(&transposed));
        assert!(packed * 2 < before, "{packed} of {before}");
    }
}
