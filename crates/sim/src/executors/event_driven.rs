//! `ordered` and `timewarp`: the same engine, the same agenda, two disciplines. `ordered` takes pending events in
//! their total order, so it never has to undo anything; `timewarp` takes whatever lies in the speculation window.

use super::governor::Governor;
use super::windows::Windows;
use super::worker::{InOrder, work};
use super::{LookAhead, RunError, conclude};
use crate::engine::Engine;
use crate::history::History;
use crate::panicked::guarded;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use std::sync::Arc;
use warp::Tick;

/// Windows of an adaptive look-ahead are about so long at first, seconds.
const FIRST_WINDOW: f64 = 1e-3;

/// Runs a world under one of the two; `ordered` is a look-ahead of one event.
pub(super) fn run_timewarp(
    world: &World,
    look_ahead: LookAhead,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let (seconds, is_adaptive) = match look_ahead {
        LookAhead::OneEvent => (None, false),
        LookAhead::Seconds(seconds) => (Some(seconds), false),
        LookAhead::Adaptive => (Some(FIRST_WINDOW), true),
    };
    let mut engine = Engine::new(Arc::new(world.clone()), true);
    guarded(&mut engine, |engine| {
        match seconds.map(width_for) {
            None => work(engine, InOrder::default(), history)?,
            Some(width) => {
                engine.set_window(width);
                engine.speculate();
                let moving = engine.stats().bodies_moving;
                let governor = is_adaptive.then(|| Governor::new(width, moving));
                work(engine, Windows::new(governor), history)?;
            }
        }
        engine.commit(Tick::MAX, history)?;
        conclude(engine, world, history)
    })?
}

/// The power of two of ticks nearest to this many seconds.
fn width_for(seconds: f64) -> u32 {
    let ticks = (seconds * Tick::TICKS_PER_SECOND).clamp(1.0, 4e18);
    libm::log2(ticks).round() as u32
}
