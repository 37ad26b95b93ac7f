//! The history of a synchronised run: a segment for each body at each of its discontinuities, in
//! the canonical order (start, micro, body).
//!
//! Stops at which nothing happens to a body are the executor's business and leave no segment.

use crate::history::{History, Told};
use physics::{BodyModel, Flight, Turn};
use record::{Event, NO_PARTNER, Segment};
use warp::Tick;

/// How a segment begins.
#[derive(Clone, Copy)]
pub(super) struct Beginning {
    pub(super) event: Event,
    pub(super) partner: u32,
    /// Newton seconds.
    pub(super) impulse: f64,
    pub(super) micro: u32,
}

impl Beginning {
    /// An event without a partner.
    pub(super) fn alone(event: Event) -> Self {
        Beginning {
            event,
            partner: NO_PARTNER,
            impulse: 0.0,
            micro: 0,
        }
    }
}

/// See the module's text.
#[derive(Default)]
pub(super) struct Journal {
    /// Segments that wait until the tick they belong to has passed.
    waiting: Vec<Segment<'static>>,
}

impl Journal {
    /// A body's first segment; bodies come in their order.
    pub(super) fn start(&mut self, flight: &Flight, turn: &Turn, model: &BodyModel) {
        self.waiting.push(segment(flight, turn, model));
    }

    /// A body's new segment.
    pub(super) fn begin(&mut self, flight: &Flight, turn: &Turn, model: &BodyModel, at: Beginning) {
        self.waiting.push(Segment {
            micro: at.micro,
            event: at.event,
            partner: at.partner,
            group: record::NO_GROUP,
            impulse: at.impulse,
            ..segment(flight, turn, model)
        });
    }

    /// Whether something waits from before `tick`.
    pub(super) fn is_before(&self, tick: Tick) -> bool {
        self.waiting.last().is_some_and(|w| w.start < tick.0)
    }

    /// Hands over everything that waits: the common time has passed it.
    pub(super) fn flush(&mut self, history: &mut dyn History) -> Told {
        self.waiting.sort_by_key(|w| (w.micro, w.body));
        for waiting in self.waiting.drain(..) {
            history.segment(&waiting)?;
        }
        Ok(())
    }
}

fn segment(flight: &Flight, turn: &Turn, model: &BodyModel) -> Segment<'static> {
    Segment {
        body: flight.body,
        start: flight.start.0,
        micro: 0,
        event: Event::Start,
        partner: NO_PARTNER,
        group: record::NO_GROUP,
        position: flight.position.to_array(),
        velocity: flight.velocity.to_array(),
        acceleration: model.gravity.to_array(),
        rotation: turn.rotation.to_array(),
        spin: turn.spin.to_array(),
        momentum: None,
        impulse: 0.0,
        knots: &[],
    }
}
