//! What a segment's numbers can be expected to be from the segment of its body before it, in the same block. A block holds
//! how far the numbers are from that, in units of their last place: mostly little, which compresses. Whoever reads a
//! block foretells the same from the same bytes, so that every number comes back to the last bit.

use crate::seconds_between;
use crate::segment::{Knot, Momentum, NO_GROUP, OwnedSegment, Segment, State};
use std::collections::HashMap;

/// Numbers of a record: position, velocity, acceleration, rotation, spin, impulse.
pub(crate) const RECORD_NUMBERS: usize = 3 * 4 + 4 + 1;
/// Numbers of a knot, its tick left out.
pub(crate) const KNOT_NUMBERS: usize = 13;
/// Share of a change of velocity over a step that has come about on the step's way: four sub-steps, each of which goes on
/// with the velocity at its end.
const SHARE_ON_WAY: f64 = 0.625;

/// How far a number is from what was foretold: their places among all numbers, apart. Small either way.
pub(crate) fn apart(number: f64, foretold: f64) -> u64 {
    let distance = place(number).wrapping_sub(place(sound(foretold))) as i64;
    ((distance << 1) ^ (distance >> 63)) as u64
}

/// The number that is so far from what was foretold.
pub(crate) fn number(apart: u64, foretold: f64) -> f64 {
    let distance = (apart >> 1) as i64 ^ -((apart & 1) as i64);
    let place = place(sound(foretold)).wrapping_add(distance as u64);
    // The sign is the highest bit of a place that is not below the middle.
    let bits = match place >> 63 {
        1 => place ^ (1 << 63),
        _ => !place,
    };
    f64::from_bits(bits)
}

/// What is no number has bits that differ from machine to machine: nothing is foretold of it.
fn sound(foretold: f64) -> f64 {
    if foretold.is_finite() { foretold } else { 0.0 }
}

/// The place of a number among all, in their order.
fn place(number: f64) -> u64 {
    let bits = number.to_bits();
    match bits >> 63 {
        0 => bits ^ (1 << 63),
        _ => !bits,
    }
}

/// The numbers of a segment without its momentum and knots.
pub(crate) fn numbers(s: &Segment<'_>) -> [f64; RECORD_NUMBERS] {
    let mut out = [0.0; RECORD_NUMBERS];
    out[0..3].copy_from_slice(&s.position);
    out[3..6].copy_from_slice(&s.velocity);
    out[6..9].copy_from_slice(&s.acceleration);
    out[9..13].copy_from_slice(&s.rotation);
    out[13..16].copy_from_slice(&s.spin);
    out[16] = s.impulse;
    out
}

/// The numbers of a knot without its tick.
pub(crate) fn knot_numbers(k: &Knot) -> [f64; KNOT_NUMBERS] {
    let mut out = [0.0; KNOT_NUMBERS];
    out[0..3].copy_from_slice(&k.position);
    out[3..6].copy_from_slice(&k.velocity);
    out[6..10].copy_from_slice(&k.rotation);
    out[10..13].copy_from_slice(&k.spin);
    out
}

/// The newest segments of the bodies of a block.
#[derive(Default)]
pub(crate) struct Foretelling {
    newest: HashMap<u32, OwnedSegment>,
}

/// What is foretold of one segment.
pub(crate) struct Foretold {
    /// The state of the body where the segment begins.
    now: Option<State>,
    /// The body's momentum in the segment before, and the ticks of that step.
    before: Option<(Momentum, i64)>,
    acceleration: [f64; 3],
}

impl Foretelling {
    /// Of a segment of a body that begins at a tick.
    pub(crate) fn of(&self, body: u32, start: i64) -> Foretold {
        let owned = self.newest.get(&body).map(OwnedSegment::as_segment);
        let step = |s: &Segment<'_>| Some((s.momentum?, s.momentum?.end.wrapping_sub(s.start)));
        Foretold {
            now: owned.as_ref().map(|s| s.state(start)),
            before: owned.as_ref().and_then(step),
            acceleration: owned.as_ref().map_or([0.0; 3], |s| s.acceleration),
        }
    }

    /// The segment is known now.
    pub(crate) fn set(&mut self, segment: &Segment<'_>) {
        match self.newest.get_mut(&segment.body) {
            Some(place) => place.assign(segment),
            None => {
                self.newest
                    .insert(segment.body, OwnedSegment::from(*segment));
            }
        }
    }

    /// Forgets all.
    pub(crate) fn clear(&mut self) {
        self.newest.clear();
    }
}

impl Foretold {
    /// The end of the step that begins at a tick.
    pub(crate) fn end(&self, start: i64) -> i64 {
        start.wrapping_add(self.before.map_or(0, |(_, ticks)| ticks))
    }

    /// Velocity and spin at the start of a step: as the segment before has left them.
    pub(crate) fn begun(&self) -> [[f64; 3]; 2] {
        let now = self.now.as_ref();
        now.map_or([[0.0; 3]; 2], |now| [now.velocity, now.spin])
    }

    /// Those at its end: they change as they have changed in the step before. And the bend.
    pub(crate) fn ended(&self, [velocity, spin]: [[f64; 3]; 2]) -> [[f64; 3]; 3] {
        let Some((before, _)) = &self.before else {
            return [velocity, spin, [0.0; 3]];
        };
        let after = |now: [f64; 3], [a, b]: [[f64; 3]; 2]| -> [f64; 3] {
            std::array::from_fn(|i| now[i] + (b[i] - a[i]))
        };
        [
            after(velocity, before.velocity),
            after(spin, before.spin),
            before.bend,
        ]
    }

    /// The record's numbers, its momentum being known.
    pub(crate) fn record(&self, momentum: Option<&Momentum>) -> [f64; RECORD_NUMBERS] {
        let Some(now) = &self.now else {
            return [0.0; RECORD_NUMBERS];
        };
        let way = |[a, b]: [[f64; 3]; 2]| -> [f64; 3] {
            std::array::from_fn(|i| a[i] + (b[i] - a[i]) * SHARE_ON_WAY)
        };
        numbers(&Segment {
            body: 0,
            start: 0,
            micro: 0,
            event: crate::Event::Start,
            partner: 0,
            group: NO_GROUP,
            position: now.position,
            velocity: momentum.map_or(now.velocity, |m| way(m.velocity)),
            acceleration: self.acceleration,
            rotation: now.rotation,
            spin: momentum.map_or(now.spin, |m| way(m.spin)),
            momentum: None,
            impulse: 0.0,
            knots: &[],
        })
    }
}

/// The knot at a tick, from those before it: velocity and spin go on changing as between the last two.
pub(crate) fn knot(segment: &Segment<'_>, tick: i64) -> [f64; KNOT_NUMBERS] {
    let first = Knot {
        tick: segment.start,
        position: segment.position,
        velocity: segment.velocity,
        rotation: segment.rotation,
        spin: segment.spin,
    };
    let knots = segment.knots;
    let from = knots.last().unwrap_or(&first);
    let before = match knots.len() {
        0 => None,
        1 => Some(&first),
        n => Some(&knots[n - 2]),
    };
    let h = seconds_between(from.tick, tick);
    let rate = |new: [f64; 3], old: [f64; 3], seconds: f64| -> [f64; 3] {
        std::array::from_fn(|i| (new[i] - old[i]) / seconds)
    };
    let (gain, turn) = match before {
        Some(old) if old.tick < from.tick => {
            let seconds = seconds_between(old.tick, from.tick);
            (
                rate(from.velocity, old.velocity, seconds),
                rate(from.spin, old.spin, seconds),
            )
        }
        _ => (segment.acceleration, [0.0; 3]),
    };
    // Half of the change has come about on the way.
    let middle = |now: [f64; 3], gain: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| now[i] + 0.5 * h * gain[i])
    };
    let way = Segment {
        start: from.tick,
        position: from.position,
        velocity: middle(from.velocity, gain),
        acceleration: [0.0; 3],
        rotation: from.rotation,
        spin: middle(from.spin, turn),
        momentum: None,
        knots: &[],
        ..*segment
    };
    let there = way.state(tick);
    let after = |now: [f64; 3], gain: [f64; 3]| -> [f64; 3] {
        std::array::from_fn(|i| now[i] + h * gain[i])
    };
    knot_numbers(&Knot {
        tick,
        position: there.position,
        velocity: after(from.velocity, gain),
        rotation: there.rotation,
        spin: after(from.spin, turn),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_comes_back_from_every_other() {
        let all = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            1.0 + f64::EPSILON,
            f64::MIN_POSITIVE,
            -f64::MIN_POSITIVE,
            5e-324,
            f64::MAX,
            f64::MIN,
            f64::INFINITY,
            f64::NEG_INFINITY,
            f64::NAN,
            -3.25e-17,
        ];
        for a in all {
            for b in all {
                assert_eq!(number(apart(a, b), b).to_bits(), a.to_bits(), "{a} {b}");
            }
        }
        // Neighbours are near, also across zero.
        assert!(apart(1.0 + f64::EPSILON, 1.0) <= 2);
        assert!(apart(5e-324, -5e-324) <= 8);
    }
}
