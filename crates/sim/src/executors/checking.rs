//! `checking`: an executor that exists to find faults in rollback. It runs a stretch of time forward in the
//! total order, undoes a part of it, runs it again, and compares what every body has done: a rollback that
//! forgets something, or an event that is not a pure function of the segments it involves, shows here as a
//! difference, named by body and time. What it commits is the one history.

use super::worker::{UpTo, work};
use super::{RunError, conclude};
use crate::engine::{Engine, Fingerprint};
use crate::history::History;
use crate::panicked::guarded;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use std::sync::Arc;
use warp::{EventOrder, Moment, Tick};

/// Ticks of a stretch that is run twice: a sixty-fourth of a second.
const STRETCH: i64 = 1 << 34;

pub(super) fn run_checking(
    world: &World,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut engine = Engine::new(Arc::new(world.clone()), true);
    guarded(&mut engine, |engine| {
        engine.speculate();
        drain_twice(engine, history)?;
        conclude(engine, world, history)
    })?
}

/// Stretch by stretch: forward, back, compare, forward, commit.
fn drain_twice(engine: &mut Engine, history: &mut dyn History) -> Result<(), RunError> {
    while let Some(first) = engine.next_order() {
        let begin = first.moment.tick;
        let end = begin.saturating_add(STRETCH);
        let back = EventOrder::before(Moment::at(within(begin)));
        let end_order = EventOrder::before(Moment::at(end));
        work(engine, UpTo(end_order), history)?;
        let once = engine.fingerprints(back);
        engine.undo_from(back);
        work(engine, UpTo(end_order), history)?;
        compare(engine, &once, &engine.fingerprints(back))?;
        engine.commit(end, history)?;
    }
    engine.commit(Tick::MAX, history)?;
    Ok(())
}

/// Where in the stretch from `begin` on is undone to: anywhere after its first tick, which may be that with which
/// the world begins, and the same in every run.
fn within(begin: Tick) -> Tick {
    let mixed = (begin.0 as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
    begin.saturating_add(1 + ((mixed as i64 * (STRETCH - 1)) >> 24))
}

fn compare(engine: &Engine, once: &[Fingerprint], again: &[Fingerprint]) -> Result<(), RunError> {
    let same = once.iter().zip(again).take_while(|(a, b)| a == b).count();
    let Some(differing) = [once.get(same), again.get(same)]
        .into_iter()
        .flatten()
        .min()
    else {
        return Ok(());
    };
    Err(RunError::Unrepeatable {
        body: engine.world().bodies[differing.body as usize].name.clone(),
        seconds: differing.order.moment.tick.seconds(),
    })
}
