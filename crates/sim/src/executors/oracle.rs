//! `oracle`: replays a recording's known events with no detection at all. It integrates, evaluates
//! and resolves exactly as the others do, and commits the same history; what it does not do is look
//! for collisions. The steps of contact groups are work that every algorithm has to do. No algorithm can do less, so it
//! is the limit that the others are measured against.

use super::worker::{Discipline, Next, is_commit_due, work};
use super::{RunError, conclude};
use crate::engine::{Engine, Pending};
use crate::history::{History, Told};
use crate::panicked::guarded;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use record::{Event, NO_PARTNER, Segment};
use std::sync::Arc;
use warp::{EventOrder, Moment, Tick};

/// The collisions of a history, hard and soft, in order.
#[derive(Clone, Debug, Default)]
pub struct Tape {
    collisions: Vec<(Moment, u32, u32)>,
}

impl History for Tape {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        // The others of a group that was hit have no partner.
        let is_collision = matches!(segment.event, Event::Collision | Event::Fusion);
        if !is_collision || segment.partner == NO_PARTNER {
            return Ok(());
        }
        let moment = Moment {
            tick: Tick(segment.start),
            micro: segment.micro,
        };
        let pair = (
            segment.body.min(segment.partner),
            segment.body.max(segment.partner),
        );
        let seen = self
            .collisions
            .iter()
            .rev()
            .take_while(|(m, _, _)| *m == moment)
            .any(|(_, a, b)| (*a, *b) == pair);
        if !seen {
            self.collisions.push((moment, pair.0, pair.1));
        }
        Ok(())
    }
}

pub(super) fn run_oracle(
    world: &World,
    tape: &Tape,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut engine = Engine::new(Arc::new(world.clone()), false);
    guarded(&mut engine, |engine| {
        work(engine, Retelling::new(tape), history)?;
        engine.commit(Tick::MAX, history)?;
        conclude(engine, world, history)
    })?
}

/// The collisions of a tape and what else is pending, in their order.
struct Retelling {
    collisions: std::vec::IntoIter<(EventOrder, u32, u32)>,
    /// The next collision.
    next: Option<(EventOrder, u32, u32)>,
    processed: u32,
    last: Tick,
}

impl Retelling {
    fn new(tape: &Tape) -> Self {
        let told = |&(moment, a, b): &(Moment, u32, u32)| {
            let key = Pending::collision_key(a, b);
            (EventOrder { moment, key }, a, b)
        };
        let mut collisions: Vec<_> = tape.collisions.iter().map(told).collect();
        collisions.sort_unstable();
        let mut collisions = collisions.into_iter();
        Retelling {
            next: collisions.next(),
            collisions,
            processed: 0,
            last: Tick::MIN,
        }
    }
}

impl Discipline for Retelling {
    fn next(&mut self, engine: &mut Engine) -> Option<Next> {
        let pending = engine.next_order();
        let order = match (pending, self.next) {
            (Some(pending), Some((told, ..))) => pending.min(told),
            (pending, told) => pending.or(told.map(|(order, ..)| order))?,
        };
        let tick = order.moment.tick;
        // Never in the middle of a tick: its segments are handed over in the order of bodies.
        if is_commit_due(self.processed) && tick > self.last {
            self.processed = 0;
            return Some(Next::Commit(tick));
        }
        self.processed += 1;
        self.last = tick;
        if pending == Some(order) {
            return engine.take().map(Next::Process);
        }
        let (order, a, b) = std::mem::replace(&mut self.next, self.collisions.next())?;
        Some(Next::Process(engine.collision_of_newest(a, b, order)))
    }
}
