//! What the page receives: pieces of motion of one shape, whatever the recording holds. A piece is a
//! cubic in position and a steady turn, so the page evaluates free flight and integrated motion alike.
//!
//! ```text
//! window   "WLW1"  current: u32  pieces: u32  flags: u32 (1 = nothing later is recorded)
//!          from: f64  to: f64     then `current` + `pieces` records of 104 bytes
//! record   body, partner, event, group: u32   start: f64 s
//!          position, velocity, acceleration, jerk: 3 f32   rotation: 4 f32   spin: 3 f32   impulse: f32
//! ```
//!
//! `current` records are what each body does at `from`; the others follow in commit order. A record with
//! event 8 continues the one before it.

use record::{Event, Knot, Reader, Result, Segment, TICKS_PER_SECOND, seconds_between};
use std::ops::ControlFlow;

/// Bytes of a record.
pub(crate) const RECORD_BYTES: usize = 104;
/// Bytes before the records.
pub(crate) const HEAD_BYTES: usize = 32;
/// Segments in one window: a few megabytes, half a second of the page's time.
pub(crate) const MAX_SEGMENTS: usize = 40_000;

/// Seconds of a tick on the scene's clock.
pub(crate) fn seconds(tick: i64) -> f64 {
    seconds_between(0, tick)
}

/// The tick at a time; times beyond all ticks end at the last.
pub(crate) fn tick(seconds: f64) -> i64 {
    (seconds * TICKS_PER_SECOND) as i64
}

/// The motion of all bodies from a tick on, up to at most `limit` segments.
pub(crate) fn window(reader: &Reader, from: i64, limit: usize) -> Result<Vec<u8>> {
    let mut records = Vec::new();
    reader.for_each_current(from, |segment| put_segment(&mut records, &segment, from))?;
    let current = records.len() / RECORD_BYTES;
    let (mut taken, mut last, mut cut) = (0, from, None);
    reader.visit_segments(from.saturating_add(1), i64::MAX, |segment| {
        // events of one tick stay together
        if taken >= limit && segment.start > last {
            cut = Some(segment.start);
            return ControlFlow::Break(());
        }
        taken += 1;
        last = segment.start;
        put_segment(&mut records, &segment, segment.start);
        ControlFlow::Continue(())
    })?;
    let to = cut.unwrap_or(reader.span().1.max(from));
    let pieces = records.len() / RECORD_BYTES - current;
    let mut out = Vec::with_capacity(HEAD_BYTES + records.len());
    out.extend_from_slice(b"WLW1");
    for word in [current as u32, pieces as u32, u32::from(cut.is_none())] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    out.extend_from_slice(&seconds(from).to_le_bytes());
    out.extend_from_slice(&seconds(to).to_le_bytes());
    out.append(&mut records);
    Ok(out)
}

/// Appends the pieces of a segment that reach beyond `from`.
fn put_segment(out: &mut Vec<u8>, s: &Segment<'_>, from: i64) {
    let start = Knot {
        tick: s.start,
        position: s.position,
        velocity: s.velocity,
        rotation: s.rotation,
        spin: s.spin,
    };
    let mut begin = start;
    let mut event = s.event;
    for knot in s.knots.iter().filter(|knot| knot.tick > s.start) {
        if knot.tick > from {
            put_record(out, s, event, &between(&begin, knot));
            event = Event::Continue;
        }
        begin = *knot;
    }
    let free = Piece {
        start: begin,
        acceleration: s.acceleration,
        jerk: [0.0; 3],
    };
    put_record(out, s, event, &free);
}

/// A cubic in position, a steady turn in rotation.
struct Piece {
    start: Knot,
    acceleration: [f64; 3],
    jerk: [f64; 3],
}

/// The cubic with the positions and velocities of two knots, and the turn between their rotations.
fn between(from: &Knot, to: &Knot) -> Piece {
    let h = seconds_between(from.tick, to.tick);
    let chord: [f64; 3] = std::array::from_fn(|i| (to.position[i] - from.position[i]) / h);
    let (v0, v1) = (from.velocity, to.velocity);
    Piece {
        start: Knot {
            spin: turn(from.rotation, to.rotation).map(|x| x / h),
            ..*from
        },
        acceleration: std::array::from_fn(|i| 2.0 * (3.0 * chord[i] - 2.0 * v0[i] - v1[i]) / h),
        jerk: std::array::from_fn(|i| 6.0 * (v0[i] + v1[i] - 2.0 * chord[i]) / (h * h)),
    }
}

/// The rotation vector from one unit quaternion to another, the short way round.
fn turn(a: [f64; 4], b: [f64; 4]) -> [f64; 3] {
    // b a⁻¹
    let w = b[3] * a[3] + b[0] * a[0] + b[1] * a[1] + b[2] * a[2];
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    let v = [
        sign * (b[0] * a[3] - b[3] * a[0] - b[1] * a[2] + b[2] * a[1]),
        sign * (b[1] * a[3] - b[3] * a[1] - b[2] * a[0] + b[0] * a[2]),
        sign * (b[2] * a[3] - b[3] * a[2] - b[0] * a[1] + b[1] * a[0]),
    ];
    let sine = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]).sqrt();
    let scale = if sine > 1e-12 {
        2.0 * libm::atan2(sine, w.abs()) / sine
    } else {
        2.0
    };
    v.map(|x| x * scale)
}

fn put_record(out: &mut Vec<u8>, s: &Segment<'_>, event: Event, piece: &Piece) {
    for word in [s.body, s.partner, event as u32, s.group] {
        out.extend_from_slice(&word.to_le_bytes());
    }
    let at = &piece.start;
    out.extend_from_slice(&seconds(at.tick).to_le_bytes());
    let vectors = [at.position, at.velocity, piece.acceleration, piece.jerk];
    let impulse = if event == Event::Continue {
        0.0
    } else {
        s.impulse
    };
    let numbers = vectors
        .iter()
        .flatten()
        .chain(&at.rotation)
        .chain(&at.spin)
        .chain([&impulse]);
    for number in numbers {
        out.extend_from_slice(&(*number as f32).to_le_bytes());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_turn_between_two_rotations_is_found_whatever_their_signs() {
        let half = 0.35f64;
        let a = [0.0, 0.6, 0.0, 0.8];
        // a turn of 0.7 rad about x after a
        let (s, c) = (half.sin(), half.cos());
        let b = [s * 0.8, c * 0.6, s * 0.6, c * 0.8];
        for flip in [1.0, -1.0] {
            let found = turn(a, b.map(|x| flip * x));
            assert!((found[0] - 0.7).abs() < 1e-12, "{found:?}");
            assert!(
                found[1].abs() < 1e-12 && found[2].abs() < 1e-12,
                "{found:?}"
            );
        }
        assert_eq!(turn(a, a), [0.0; 3]);
    }

    #[test]
    fn a_piece_between_knots_ends_where_the_next_begins() {
        let knot = |tick: i64, x: f64, v: f64| Knot {
            tick,
            position: [x, 2.0 * x, 0.0],
            velocity: [v, 0.0, 1.0],
            rotation: [0.0, 0.0, 0.0, 1.0],
            spin: [0.0; 3],
        };
        let (a, b) = (knot(0, 1.0, 3.0), knot(1 << 39, 4.0, -2.0));
        let piece = between(&a, &b);
        let h = 0.5;
        for i in 0..3 {
            let (acc, jerk) = (piece.acceleration[i], piece.jerk[i]);
            let x = a.position[i] + h * (a.velocity[i] + h * (acc / 2.0 + h * jerk / 6.0));
            let v = a.velocity[i] + h * (acc + h * jerk / 2.0);
            // sums of a few numbers near 10: rounding only
            assert!((x - b.position[i]).abs() < 1e-13);
            assert!((v - b.velocity[i]).abs() < 1e-13);
        }
    }
}
