//! `ordered` and `timewarp`: the same engine, the same agenda, two disciplines. `ordered` takes pending events in
//! their total order, so it never has to undo anything; `timewarp` takes whatever lies in the speculation window.

use super::governor::Governor;
use super::windows::Windows;
use super::worker::{InOrder, work};
use super::{LookAhead, RunError, conclude};
use crate::engine::{Engine, EngineError};
use crate::history::History;
use crate::panicked::guarded;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use std::sync::Arc;
use warp::Tick;

/// Windows of an adaptive look-ahead are about so long at first, seconds.
const FIRST_WINDOW: f64 = 1e-3;

pub(super) fn run_ordered(
    world: &World,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    run_timewarp(world, LookAhead::OneEvent, history)
}

pub(super) fn run_timewarp(
    world: &World,
    look_ahead: LookAhead,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut engine = Engine::new(Arc::new(world.clone()), true);
    guarded(&mut engine, |engine| {
        work_ahead(engine, look_ahead, history)?;
        engine.commit(Tick::MAX, history)?;
        conclude(engine, world, history)
    })?
}

fn work_ahead(
    engine: &mut Engine,
    look_ahead: LookAhead,
    history: &mut dyn History,
) -> Result<(), EngineError> {
    let (seconds, is_adaptive) = match look_ahead {
        LookAhead::OneEvent => return work(engine, InOrder::default(), history),
        LookAhead::Seconds(seconds) => (seconds, false),
        LookAhead::Adaptive => (FIRST_WINDOW, true),
    };
    let width = width_for(seconds);
    engine.set_window(width);
    engine.speculate();
    let governor = is_adaptive.then(|| Governor::new(width, engine.stats().bodies_moving));
    work(engine, Windows::new(governor), history)
}

/// The power of two of ticks nearest to this many seconds.
fn width_for(seconds: f64) -> u32 {
    let ticks = (seconds * Tick::TICKS_PER_SECOND).clamp(1.0, 4e18);
    libm::log2(ticks).round() as u32
}
