//! What happened: events of committed history as a list, in canonical order.

use record::{Event, Segment};
use sim::{History, Told};

/// A body's segment began with an event. An event of two bodies is told once for each that can move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Happening {
    /// When, in ticks of 2^-40 s.
    pub tick: i64,
    /// Which of several at one tick.
    pub micro: u32,
    /// What.
    pub event: Event,
    /// The body, by its place in the world.
    pub body: u32,
    /// The other body, or [`record::NO_PARTNER`].
    pub partner: u32,
    /// The contact group afterwards, by its first member, or [`record::NO_GROUP`].
    pub group: u32,
    /// Newton seconds.
    pub impulse: f64,
    /// The centre of mass, metres.
    pub position: [f64; 3],
    /// Its velocity afterwards, m/s.
    pub velocity: [f64; 3],
}

/// Keeps everything that happens: collisions, fusions and fissions of contact groups, rest, inputs, callbacks, bodies
/// that enter and leave. Steps of solvers and pieces of scripts are not events in this sense.
#[derive(Clone, Debug, Default)]
pub struct Events {
    /// What has happened so far.
    pub happenings: Vec<Happening>,
}

impl History for Events {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        let is_routine = matches!(segment.event, Event::Continue | Event::Step | Event::Piece)
            || (segment.event == Event::Start && segment.start == 0);
        if !is_routine {
            self.happenings.push(Happening {
                tick: segment.start,
                micro: segment.micro,
                event: segment.event,
                body: segment.body,
                partner: segment.partner,
                group: segment.group,
                impulse: segment.impulse,
                position: segment.position,
                velocity: segment.velocity,
            });
        }
        Ok(())
    }
}
