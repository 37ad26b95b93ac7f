//! `ordered` and `timewarp`: the same engine, the same event queue, two disciplines.
//!
//! `ordered` takes pending events in their total order, so it never has to undo anything. `timewarp`
//! takes whatever lies in the speculation window, in the order it was found: a body runs ahead of
//! the others, a straggler rolls it back. When a window is exhausted nothing before its end can
//! change any more: no pending event and so no safe time and no local virtual time is earlier, which
//! is GVT.

use super::governor::Governor;
use super::throttle::Throttle;
use super::{LookAhead, RunError, conclude};
use crate::engine::{AT_A_GLANCE, Engine, Pending};
use crate::history::History;
use crate::panicked::guarded;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use std::sync::Arc;
use warp::{Entry, Tick};

/// Events between two commits of the ordered executor.
const COMMIT_EVERY: u32 = 256;

pub(super) fn run_ordered(
    world: &World,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut engine = Engine::new(Arc::new(world.clone()), true);
    guarded(&mut engine, |engine| {
        drain_in_order(engine, history)?;
        conclude(engine, world, history)
    })?
}

fn drain_in_order(engine: &mut Engine, history: &mut dyn History) -> Result<(), RunError> {
    let mut pending = 0;
    let mut last = Tick::MIN;
    while let Some(entry) = engine.take() {
        pending += 1;
        // Never in the middle of a tick: its segments are handed over in the order of bodies.
        if pending >= COMMIT_EVERY && entry.tick() > last {
            engine.commit(entry.tick(), history)?;
            pending = 0;
        }
        last = entry.tick();
        engine.process(&entry);
    }
    engine.commit(Tick::MAX, history)?;
    Ok(())
}

pub(super) fn run_timewarp(
    world: &World,
    look_ahead: LookAhead,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut engine = Engine::new(Arc::new(world.clone()), true);
    guarded(&mut engine, |engine| {
        drain_ahead(engine, look_ahead, history)?;
        conclude(engine, world, history)
    })?
}

fn drain_ahead(
    engine: &mut Engine,
    look_ahead: LookAhead,
    history: &mut dyn History,
) -> Result<(), RunError> {
    match look_ahead {
        LookAhead::OneEvent => drain_in_order(engine, history),
        LookAhead::Seconds(seconds) => {
            engine.set_window(width_for(seconds));
            engine.speculate();
            drain_windows(engine, history, None)
        }
        LookAhead::Adaptive => {
            let width = width_for(1e-3);
            engine.set_window(width);
            engine.speculate();
            let governor = Governor::new(width, engine.stats.bodies_moving);
            drain_windows(engine, history, Some(governor))
        }
    }
}

/// The power of two of ticks nearest to this many seconds.
fn width_for(seconds: f64) -> u32 {
    let ticks = (seconds * Tick::TICKS_PER_SECOND).clamp(1.0, 4e18);
    libm::log2(ticks).round() as u32
}

/// Mirtich's main loop: take an event from the queue, process it; at the end of the window, commit.
fn drain_windows(
    engine: &mut Engine,
    history: &mut dyn History,
    mut governor: Option<Governor>,
) -> Result<(), RunError> {
    let mut batch = Vec::new();
    let mut throttle = Throttle::new();
    while let Some((start, _)) = engine.open_window() {
        // What begins with the world is committed with what else begins at its first tick.
        if start > engine.gvt() {
            engine.commit(start, history)?;
        } else {
            engine.listen(history)?;
        }
        if let Some(width) = governor.as_mut().and_then(|g| g.adjust(&engine.stats)) {
            engine.set_window(width);
            continue;
        }
        throttle.open(engine);
        loop {
            let is_used_up = if throttle.is_in_order() {
                drain_window_in_order(engine, history, &mut throttle)?
            } else {
                speculate(engine, &mut batch, &mut throttle)
            };
            if is_used_up && !engine.pass_barrier() {
                break;
            }
        }
    }
    engine.commit(Tick::MAX, history)?;
    Ok(())
}

/// Tries what is pending in the window, in the order it was found, as long as that is worth while. True if
/// nothing was left.
fn speculate(engine: &mut Engine, batch: &mut Vec<Pending>, throttle: &mut Throttle) -> bool {
    engine.set_in_order(false);
    engine.take_window(batch);
    let is_used_up = batch.is_empty();
    let mut rest = batch.as_slice();
    while !rest.is_empty() && !throttle.is_in_order() {
        let (few, others) = rest.split_at(rest.len().min(AT_A_GLANCE));
        if let Ok(few) = few.try_into() {
            engine.glance(few);
        }
        for entry in few {
            engine.process(entry);
        }
        throttle.note(few.len(), engine);
        rest = others;
    }
    engine.give_back(rest);
    batch.clear();
    is_used_up
}

/// Works the window off in the total order, as far as the throttle wants it, and commits on the way. True if
/// nothing was left.
fn drain_window_in_order(
    engine: &mut Engine,
    history: &mut dyn History,
    throttle: &mut Throttle,
) -> Result<bool, RunError> {
    engine.set_in_order(true);
    let mut pending = 0;
    while let Some(entry) = engine.take_in_window() {
        let is_there = throttle.reach(entry.tick());
        if (is_there || pending >= COMMIT_EVERY) && entry.tick() > engine.gvt() {
            engine.commit(entry.tick(), history)?;
            pending = 0;
        }
        engine.process(&entry);
        pending += 1;
        if is_there {
            return Ok(false);
        }
    }
    Ok(true)
}
