//! `rd:DT`, retroactive detection (Mirtich 2.1): all bodies take a step, then the step is searched
//! for collisions; the earliest one is localised, *all* bodies are backed up to it, it is resolved,
//! and the next step of the full length begins there.
//!
//! An honest baseline: the closed forms and the continuous search are the event-driven engine's own,
//! so a long step misses nothing; localisation uses dense output and costs no trial integration
//! (Baraff's way, the paper's footnote 3), and short steps have it made for searched bodies only;
//! searches stop at the earliest collision known; the broad phase is incremental and nothing is
//! allocated. What remains is what the method is: every discontinuity ends the step of every body.

use super::RunError;
use super::synchronised::{Sweep, Synchronised};
use crate::history::History;
use crate::stats::Stats;
use crate::world::World;
use physics::State;
use physics::advance::first_touch;
use physics::impact::{Approach, approach};
use warp::Tick;

pub(super) fn run_rd(
    world: &World,
    step_seconds: f64,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    if !(step_seconds.is_finite() && step_seconds > 0.0) {
        return Err(RunError::Step {
            seconds: step_seconds,
        });
    }
    let step = Tick::from_seconds(step_seconds).0.max(1);
    let mut all = Synchronised::new(world);
    let mut search = StepSearch::new(&all);
    all.ring(history)?;
    while all.now < world.until {
        let end = all.now.saturating_add(step).min(all.next_stop());
        all.integrate(end);
        match search.earliest(&mut all, end) {
            Some(found) => {
                all.stats.rollbacks += 1;
                all.stats.undone_s += end.since(found.tick) * all.stats.bodies_moving as f64;
                all.advance(found.tick);
                all.collide((found.a, found.b), history)?;
            }
            None => {
                all.advance(end);
                all.ring(history)?;
            }
        }
    }
    Ok(all.conclude(history)?)
}

/// A collision, ordered as the event-driven executors order them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Collision {
    tick: Tick,
    micro: u32,
    a: u32,
    b: u32,
}

/// Looks for the earliest collision of a step.
struct StepSearch {
    sweep: Sweep,
    /// Pairs whose bounding balls meet, by the tick they do: no closed form.
    possible: Vec<(Tick, Tick, u32, u32)>,
}

impl StepSearch {
    fn new(all: &Synchronised<'_>) -> Self {
        StepSearch {
            sweep: Sweep::new(all),
            possible: Vec::new(),
        }
    }

    /// The earliest collision before `end`, up to which all bodies have been integrated.
    fn earliest(&mut self, all: &mut Synchronised<'_>, end: Tick) -> Option<Collision> {
        self.sweep.find_pairs(all, end);
        all.stats.checks += self.sweep.pairs.len() as u64;
        let mut best: Option<Collision> = None;
        self.possible.clear();
        for &(a, b) in &self.sweep.pairs {
            let (ma, mb) = (all.motion(a), all.motion(b));
            match approach(ma.model, ma.flight, mb.model, mb.flight) {
                Approach::Never => {}
                Approach::Impact(tick) => {
                    if tick < end {
                        earlier(&mut best, all, (tick, a, b));
                    }
                }
                Approach::Possible(enter, exit) => {
                    let enter = enter.max(all.now);
                    if enter < end.min(exit) {
                        self.possible.push((enter, exit, a, b));
                    }
                }
            }
        }
        self.possible.sort_unstable();
        for &(enter, exit, a, b) in &self.possible {
            // A collision at the very tick of the best one may still come before it.
            let until = best
                .map_or(end, |c| c.tick.saturating_add(1))
                .min(end)
                .min(exit);
            if enter >= until {
                continue;
            }
            all.stats.searches += 1;
            all.foresee(a, end);
            all.foresee(b, end);
            if let Some(tick) = first_touch(&all.motion(a), &all.motion(b), enter, until) {
                earlier(&mut best, all, (tick, a, b));
            }
        }
        best
    }
}

fn earlier(best: &mut Option<Collision>, all: &Synchronised<'_>, (tick, a, b): (Tick, u32, u32)) {
    let found = Collision {
        tick,
        micro: all.micro(a, b, tick),
        a,
        b,
    };
    if best.is_none_or(|known| found < known) {
        *best = Some(found);
    }
}
