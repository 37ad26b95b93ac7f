//! `oracle`: replays a recording's known events with no detection at all. It integrates, evaluates
//! and resolves exactly as the others do, and commits the same history; what it does not do is look
//! for collisions. The steps of contact groups are work that every algorithm has to do. No algorithm can do less, so it is the limit that the others are measured
//! against.

use super::{RunError, conclude};
use crate::engine::Engine;
use crate::history::{History, Told};
use crate::panicked::guarded;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use record::{Event, NO_PARTNER, Segment};
use std::sync::Arc;
use warp::{EventOrder, Moment, ProcessId, Tick};

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

/// Collisions between two commits.
const COMMIT_EVERY: usize = 256;

pub(super) fn run_oracle(
    world: &World,
    tape: &Tape,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut engine = Engine::new(Arc::new(world.clone()), false);
    guarded(&mut engine, |engine| {
        retell(engine, tape, history)?;
        conclude(engine, world, history)
    })?
}

/// Applies the collisions of the tape in their order.
fn retell(engine: &mut Engine, tape: &Tape, history: &mut dyn History) -> Result<(), RunError> {
    let mut collisions: Vec<(EventOrder, u32, u32)> = tape
        .collisions
        .iter()
        .map(|&(moment, a, b)| {
            let key = crate::engine::Pending::collision_key(a, b);
            (EventOrder { moment, key }, a, b)
        })
        .collect();
    collisions.sort_unstable();
    let mut pending = 0;
    let mut last = Tick::MIN;
    for (order, a, b) in &collisions {
        let tick = order.moment.tick;
        engine.process_up_to(EventOrder::before(Moment::at(tick)));
        pending += 1;
        // Never in the middle of a tick: its segments are handed over in the order of bodies.
        if pending >= COMMIT_EVERY && tick > last {
            engine.commit(tick, history)?;
            pending = 0;
        }
        last = tick;
        engine.process_up_to(*order);
        engine.replay_collision(ProcessId(*a), ProcessId(*b), *order);
    }
    engine.process_up_to(EventOrder::MAX);
    engine.commit(Tick::MAX, history)?;
    Ok(())
}

impl Engine {
    fn replay_collision(&mut self, a: ProcessId, b: ProcessId, order: EventOrder) {
        let (a, b) = self.tips(a, b);
        self.apply_collision(a, b, order);
    }
}
