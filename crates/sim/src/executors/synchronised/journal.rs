//! The history of a synchronised run: a segment for each body at each of its discontinuities, in
//! the canonical order (start, micro, body), with knots of integrated motion where they are wanted.
//!
//! Stops at which nothing happens to a body are the executor's business and leave no segment.

use crate::history::{History, Told};
use physics::{BodyModel, Flight, State, Turn};
use record::{Event, Knot, NO_PARTNER, Segment};
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

/// A segment that waits until the tick it belongs to has passed.
struct Waiting {
    micro: u32,
    segment: Segment<'static>,
    knots: Vec<Knot>,
}

/// A knot at least every so many radians of turning: cubic interpolation is then good to 1e-6.
const RADIANS_PER_KNOT: f64 = 0.1;
/// And at least every so many seconds, for motion under forces.
const SECONDS_PER_KNOT: f64 = 1.0 / 240.0;

pub(super) struct Journal {
    waiting: Vec<Waiting>,
    /// Knots since each body's segment began; empty unless wanted.
    knots: Vec<Vec<Knot>>,
    /// Each body's current segment as it was handed over.
    begun: Vec<Segment<'static>>,
}

impl Journal {
    pub(super) fn new(bodies: usize, wants_knots: bool) -> Self {
        Journal {
            waiting: Vec::new(),
            knots: vec![Vec::new(); if wants_knots { bodies } else { 0 }],
            begun: Vec::with_capacity(bodies),
        }
    }

    /// A body's first segment; bodies come in their order.
    pub(super) fn start(&mut self, flight: &Flight, turn: &Turn, model: &BodyModel) {
        let segment = segment(flight, turn, model);
        self.begun.push(segment);
        self.wait(0, segment, Vec::new());
    }

    /// A body's new segment.
    pub(super) fn begin(&mut self, flight: &Flight, turn: &Turn, model: &BodyModel, at: Beginning) {
        let segment = Segment {
            micro: at.micro,
            event: at.event,
            partner: at.partner,
            group: record::NO_GROUP,
            impulse: at.impulse,
            ..segment(flight, turn, model)
        };
        self.begun[flight.body as usize] = segment;
        self.wait(at.micro, segment, Vec::new());
    }

    /// A body's segment ends with `state` at `tick`, where an event numbered `micro` begins the next.
    pub(super) fn end(&mut self, body: u32, tick: Tick, state: &State, micro: u32) {
        let Some(knots) = self.knots.get_mut(body as usize) else {
            return;
        };
        let begun = self.begun[body as usize];
        let mut knots = std::mem::take(knots);
        if knots.last().map_or(begun.start, |k| k.tick) < tick.0 {
            knots.push(knot(tick, state));
        }
        if knots.is_empty() {
            return;
        }
        let segment = Segment {
            event: Event::Continue,
            partner: NO_PARTNER,
            group: record::NO_GROUP,
            impulse: 0.0,
            ..begun
        };
        self.wait(micro, segment, knots);
    }

    /// A body passes `tick` with `state`; kept if enough has happened since the last knot.
    #[inline]
    pub(super) fn knot(&mut self, body: u32, tick: Tick, state: &State, spin_max: f64) {
        let Some(knots) = self.knots.get_mut(body as usize) else {
            return;
        };
        let last = knots
            .last()
            .map_or(self.begun[body as usize].start, |k| k.tick);
        let seconds = tick.since(Tick(last));
        if seconds * spin_max >= RADIANS_PER_KNOT || seconds >= SECONDS_PER_KNOT {
            knots.push(knot(tick, state));
        }
    }

    fn wait(&mut self, micro: u32, segment: Segment<'static>, knots: Vec<Knot>) {
        self.waiting.push(Waiting {
            micro,
            segment,
            knots,
        });
    }

    /// Whether something waits from before `tick`.
    pub(super) fn is_before(&self, tick: Tick) -> bool {
        self.waiting
            .last()
            .is_some_and(|w| w.segment.start < tick.0)
    }

    /// Hands over everything that waits: the common time has passed it.
    pub(super) fn flush(&mut self, history: &mut dyn History) -> Told {
        self.waiting.sort_by_key(|w| (w.micro, w.segment.body));
        for waiting in self.waiting.drain(..) {
            history.segment(&Segment {
                knots: &waiting.knots,
                ..waiting.segment
            })?;
        }
        Ok(())
    }
}

fn knot(tick: Tick, state: &State) -> Knot {
    Knot {
        tick: tick.0,
        position: state.position.to_array(),
        velocity: state.velocity.to_array(),
        rotation: state.rotation.to_array(),
        spin: state.spin.to_array(),
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
