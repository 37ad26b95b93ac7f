//! Stretches: segments together with their ends. A segment's knots are written ahead of time, so those of
//! one that a collision has ended go on past it: what lies there never happened.

use crate::error::Result;
use crate::reader::Reader;
use crate::segment::{Event, Knot, OwnedSegment, Segment};

/// A segment and the tick at which it ends.
#[derive(Clone, Copy, Debug)]
pub struct Stretch<'a> {
    /// The segment; knots past the end serve to interpolate up to it, and are no history.
    pub segment: Segment<'a>,
    /// The start of the body's next segment, or the last tick of the recording.
    pub end: i64,
    /// Whether it is the body's last: then it includes its end.
    pub is_last: bool,
}

impl Stretch<'_> {
    /// Whether the body's state at `tick` is this segment's to tell.
    pub fn holds(&self, tick: i64) -> bool {
        self.segment.start <= tick && (tick < self.end || self.is_last && tick == self.end)
    }

    /// The knots that are history: after the start, and not past the end.
    pub fn knots(&self) -> impl Iterator<Item = &Knot> {
        let inside = |knot: &&Knot| knot.tick > self.segment.start && self.holds(knot.tick);
        self.segment.knots.iter().filter(inside)
    }

    /// Whether the body is in the world.
    pub fn is_present(&self) -> bool {
        self.segment.event != Event::Leave
    }
}

impl Reader {
    /// Visits every segment once its end is known. The stretches of one body come in the order of time.
    pub fn for_each_stretch(&self, mut visit: impl FnMut(&Stretch<'_>)) -> Result<()> {
        let mut open: Vec<Option<OwnedSegment>> = vec![None; self.header().bodies.len()];
        self.for_each_segment(i64::MIN, i64::MAX, |next| {
            let place = &mut open[next.body as usize];
            match place {
                Some(before) => {
                    visit(&Stretch {
                        segment: before.as_segment(),
                        end: next.start,
                        is_last: false,
                    });
                    before.assign(&next);
                }
                None => *place = Some(OwnedSegment::from(next)),
            }
        })?;
        let last = self.span().1;
        for segment in open.iter().flatten().map(OwnedSegment::as_segment) {
            visit(&Stretch {
                segment,
                end: last.max(segment.start),
                is_last: true,
            });
        }
        Ok(())
    }
}
