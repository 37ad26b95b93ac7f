//! `parallel`: regions that run ahead together. Each region is an engine of its own over the bodies in its part of
//! space. In a window of time every region does what is pending in the total order and then says what has changed for
//! its neighbours, which may roll back and do it over; when nobody has anything to say any more, nothing before the
//! window's end can change, which is GVT. Where a body cannot be kept inside of its region's hull, the regions give up:
//! what they have committed stands, and the rest is run undivided. Each region commits what it owns; the runs are merged into one history on
//! the thread that asked for the run, while the others go on.

mod cells;
mod gate;
mod plan;
mod post;
mod region;
#[cfg(test)]
mod tests;

use super::{LookAhead, RunError};
use crate::history::{History, HistoryError, Told};
use crate::stats::Stats;
use crate::world::World;
use cells::Cells;
use gate::Gate;
use physics::State;
use plan::{Plan, Tally, Task};
use post::Post;
use record::Segment;
use region::{Ended, Region};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use warp::Tick;

/// Runs of committed segments that may wait for the history, for each region.
const WAITING_RUNS: usize = 8;

/// What a region has committed in a window, in the canonical order, and up to when.
pub(super) type Run = (Tick, Vec<Segment<'static>>);

/// What in a world keeps it from being cut into regions, if there is something: such worlds run undivided under
/// [`crate::Algorithm::Parallel`].
pub fn undivided(world: &World) -> Option<&'static str> {
    if world.contact.is_some() {
        Some("contact groups")
    } else if world.periodic.is_some() {
        Some("a periodic box")
    } else if !world.joints.is_empty() {
        Some("joints")
    } else if !world.deformables.is_empty() {
        Some("cloth or shells")
    } else if !world.multibodies.is_empty() {
        Some("multibodies")
    } else if !world.callbacks.is_empty() || world.on_collision.is_some() {
        Some("callbacks")
    } else if world.redraw_hertz.is_some() {
        Some("frames")
    } else if !world.inputs.is_empty() {
        Some("inputs")
    } else {
        None
    }
}

/// Runs a world on so many regions, each on a thread of its own.
pub(super) fn run_regions(
    world: &World,
    threads: usize,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let shared = Arc::new(world.clone());
    let cells = Cells::new(world, threads, crate::engine::typical_box(world));
    let count = cells.count();
    let post = Post::new(count);
    let gate = Gate::new(count);
    let stop = AtomicBool::new(false);
    let mut lines: Vec<Receiver<Run>> = Vec::new();
    let mut ends: Vec<SyncSender<Run>> = Vec::new();
    for _ in 0..count {
        let (sender, receiver) = sync_channel(WAITING_RUNS);
        ends.push(sender);
        lines.push(receiver);
    }
    let (told, results) = std::thread::scope(|scope| {
        let workers: Vec<_> = ends
            .into_iter()
            .enumerate()
            .map(|(number, runs)| {
                let (shared, cells) = (Arc::clone(&shared), &cells);
                let (post, gate, stop) = (&post, &gate, &stop);
                scope.spawn(move || {
                    let region = Region::new(shared, cells, number);
                    work(region, world.until, post, gate, stop, &runs)
                })
            })
            .collect();
        let told = merge(&lines, history);
        if told.is_err() {
            stop.store(true, Ordering::Relaxed);
        }
        // Whoever waits to hand something over finds nobody there, and stops.
        drop(lines);
        let results: Vec<_> = workers.into_iter().map(|worker| worker.join()).collect();
        (told, results)
    });
    let mut all = Vec::with_capacity(count);
    for result in results {
        match result {
            Ok(ended) => all.push(ended),
            Err(payload) => std::panic::resume_unwind(payload),
        }
    }
    let ended: Result<Vec<Ended>, RunError> = all.into_iter().collect();
    match (ended, told) {
        // A region that could not hand over its run has stopped because of the history.
        (_, Err(error)) => Err(error.into()),
        (Err(error), _) => Err(error),
        (Ok(ended), Ok(())) => {
            if let Some(from) = ended.iter().find_map(Ended::united_at) {
                return unite(world, from, &ended, history);
            }
            history.gvt(world.until)?;
            Ok(region::conclude(world, ended))
        }
    }
}

/// Runs a world undivided that could not be kept divided, and tells what begins at or after `from`: all before it
/// was told by the regions.
fn unite(
    world: &World,
    from: Tick,
    ended: &[Ended],
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let mut rest = Rest { history, from };
    let (mut stats, states) =
        super::event_driven::run_timewarp(world, LookAhead::OneEvent, &mut rest)?;
    stats.threads = ended.len() as u32;
    stats.regions = ended.iter().map(Ended::counts).collect();
    Ok((stats, states))
}

/// A history that has been told all before a tick.
struct Rest<'h> {
    history: &'h mut dyn History,
    from: Tick,
}

impl History for Rest<'_> {
    fn segment(&mut self, segment: &Segment<'_>) -> Told {
        match segment.start < self.from.0 {
            true => Ok(()),
            false => self.history.segment(segment),
        }
    }

    fn gvt(&mut self, tick: Tick) -> Told {
        match tick <= self.from {
            true => Ok(()),
            false => self.history.gvt(tick),
        }
    }
}

/// One region's share of a run.
fn work(
    mut region: Region,
    until: Tick,
    post: &Post,
    gate: &Gate,
    stop: &AtomicBool,
    runs: &SyncSender<Run>,
) -> Result<Ended, RunError> {
    let mut plan = Plan::new(until);
    let mut outcome = Ok(());
    let mut own = region.begin(post);
    loop {
        own.failed |= outcome.is_err() || stop.load(Ordering::Relaxed);
        let all = region.waiting(|| gate.meet(own));
        let Some(task) = plan.next(&all) else {
            return outcome.and_then(|()| region.abandon());
        };
        match region.perform(task, post) {
            Ok((tally, run)) => {
                own = tally;
                if let Some(run) = run {
                    // The history has ended the run if nobody takes this.
                    own.failed |= region.waiting(|| runs.send(run)).is_err();
                }
            }
            Err(error) => {
                outcome = Err(error);
                own = Tally::NONE;
            }
        }
        match task {
            Task::Finish => return outcome.map(|()| region.end()),
            Task::Unite => return outcome.map(|()| region.end_at(plan.gvt())),
            Task::Work(_) | Task::Settle { .. } => {}
        }
    }
}

/// Tells the history what the regions have committed, window by window.
fn merge(lines: &[Receiver<Run>], history: &mut dyn History) -> Result<(), HistoryError> {
    let mut all: Vec<Segment<'static>> = Vec::new();
    loop {
        all.clear();
        let mut gvt = Tick::MAX;
        for line in lines {
            let Ok((end, run)) = line.recv() else {
                return Ok(());
            };
            gvt = end;
            all.extend(run);
        }
        // Each run is in order: this is a merge. Two segments of one body at one moment come from one run.
        all.sort_by_key(|segment| (segment.start, segment.micro, segment.body));
        for segment in &all {
            history.segment(segment)?;
        }
        if gvt < Tick::MAX {
            history.gvt(gvt)?;
        }
    }
}
