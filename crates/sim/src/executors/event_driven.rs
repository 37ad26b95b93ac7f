//! `ordered` and `timewarp`: the same engine, the same event queue, two disciplines.
//!
//! `ordered` takes pending events in their total order, so it never has to undo anything. `timewarp`
//! takes whatever lies in the speculation window, in the order it was found: a body runs ahead of
//! the others, a straggler rolls it back. When a window is exhausted nothing before its end can
//! change any more: no pending event and so no safe time and no local virtual time is earlier, which
//! is GVT.

use super::{LookAhead, RunError, conclude};
use crate::engine::{AT_A_GLANCE, Engine};
use crate::history::History;
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
    drain_in_order(&mut engine, history)?;
    Ok(conclude(engine, world, history))
}

fn drain_in_order(engine: &mut Engine, history: &mut dyn History) -> Result<(), RunError> {
    let mut pending = 0;
    let mut last = Tick::MIN;
    while let Some(entry) = engine.queue().pop_ordered() {
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
    match look_ahead {
        LookAhead::OneEvent => drain_in_order(&mut engine, history)?,
        LookAhead::Seconds(seconds) => {
            engine.queue().set_width_ticks(width_for(seconds));
            engine.speculate();
            drain_windows(&mut engine, history, None)?;
        }
        LookAhead::Adaptive => {
            let width = width_for(1e-3);
            engine.queue().set_width_ticks(width);
            engine.speculate();
            let governor = Governor::new(width, engine.stats.bodies_moving);
            drain_windows(&mut engine, history, Some(governor))?;
        }
    }
    Ok(conclude(engine, world, history))
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
    while let Some((start, _)) = engine.queue().advance_window() {
        // What begins with the world is committed with what else begins at its first tick.
        if start > engine.gvt() {
            engine.commit(start, history)?;
        } else {
            engine.listen(history);
        }
        if let Some(width) = governor.as_mut().and_then(|g| g.adjust(&engine.stats)) {
            engine.queue().set_width_ticks(width);
            continue;
        }
        loop {
            engine.take_window(&mut batch);
            if batch.is_empty() {
                if engine.pass_barrier() {
                    continue;
                }
                break;
            }
            let (chunks, rest) = batch.as_chunks::<AT_A_GLANCE>();
            for few in chunks {
                engine.glance(few);
                for entry in few {
                    engine.process(entry);
                }
            }
            for entry in rest {
                engine.process(entry);
            }
            batch.clear();
        }
    }
    engine.commit(Tick::MAX, history)?;
    Ok(())
}

/// Chooses the speculation window: wider while little is undone and bodies have few segments in it,
/// narrower otherwise. What a body has behind it within a window is asked about again and again.
struct Governor {
    width: u32,
    /// Segments in a window that are enough.
    enough: f64,
    windows: u32,
    begun: u64,
    undone: u64,
}

/// Windows and begun segments between two looks at the rates: enough of them to tell one undone segment
/// in two hundred from none, and soon enough for a short run of many bodies.
const PATIENCE: u32 = 4;
const SEGMENTS: u64 = 1024;
/// One segment per moving body is enough for a window, within these bounds. More would leave the cache
/// before they are committed.
const FEWEST_IN_WINDOW: f64 = 64.0;
const MOST_IN_WINDOW: f64 = 1024.0;

impl Governor {
    fn new(width: u32, moving: usize) -> Self {
        Governor {
            width,
            enough: (moving as f64).clamp(FEWEST_IN_WINDOW, MOST_IN_WINDOW),
            windows: 0,
            begun: 0,
            undone: 0,
        }
    }

    /// The new width, if it should change.
    fn adjust(&mut self, stats: &Stats) -> Option<u32> {
        self.windows += 1;
        let begun = stats.segments_begun - self.begun;
        if self.windows < PATIENCE || begun < SEGMENTS {
            return None;
        }
        let wasted = (stats.segments_undone - self.undone) as f64 / begun as f64;
        let per_window = begun as f64 / f64::from(self.windows);
        self.windows = 0;
        (self.begun, self.undone) = (stats.segments_begun, stats.segments_undone);
        let width = if wasted > 0.02 || per_window > 4.0 * self.enough {
            self.width - 1
        } else if wasted < 0.005 && per_window < self.enough {
            self.width + 1
        } else {
            self.width
        };
        let changed = width != self.width && (10..50).contains(&width);
        if changed {
            self.width = width;
        }
        changed.then_some(width)
    }
}
