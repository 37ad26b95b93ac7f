//! `parallel`: regions that run ahead together. Each region is an engine of its own over the bodies in its part of
//! space. In a window of time every region does what is pending in the total order and then says what has changed for
//! its neighbours, which may roll back and do it over; when nobody has anything to say any more, nothing before the
//! window's end can change, which is GVT. Where a body cannot be kept inside of its region's hull, the window is cut there,
//! and the body changes its region; only if no other can keep it either, the regions give up: what they have committed
//! stands, and the rest is run undivided. Each region commits what it owns; the runs are merged
//! into one history on the thread that asked for the run, while the others go on. Regions may live on several ranks of a
//! job: then those of a rank exchange with all others once a meeting, and rank 0 tells the history.

mod cells;
mod gate;
mod lines;
mod parcels;
mod plan;
mod post;
mod ranks;
#[cfg(test)]
mod ranks_tests;
mod region;
#[cfg(test)]
mod tests;
mod uplink;

use super::{Algorithm, RunError};
use crate::history::{History, Told};
use crate::input::{Action, Input};
use crate::panicked::guarded_anywhere;
use crate::stats::Stats;
use crate::world::{BodyId, World};
use cells::Cells;
use cpu_time::ThreadTime;
use gate::Gate;
use lines::{Outlet, lines, merge};
use physics::State;
use plan::{Plan, Tally, Task};
use post::Post;
use ranks::{Packet, Ranks};
use record::Segment;
use region::{Ended, Region};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::thread::ScopedJoinHandle;
use std::time::Instant;
pub use uplink::Uplink;
use warp::Tick;

/// What the regions of a run have in common.
struct Common<'c> {
    world: Arc<World>,
    cells: &'c Cells,
    post: Post,
    gate: Gate,
    /// The history cannot go on.
    stop: AtomicBool,
    per_window: u64,
    outset: Outset,
    /// Where regions live on several ranks.
    ranks: Option<Ranks<'c>>,
}

impl Common<'_> {
    /// Where all regions meet.
    fn meet(&self, own: Tally) -> Tally {
        self.gate.meet(own, |all| {
            let all = match &self.ranks {
                Some(ranks) => ranks.meet(all, &self.post),
                None => all,
            };
            self.post.turn();
            all
        })
    }
}

/// How a run begins.
#[derive(Clone, Copy)]
struct Outset {
    began: Instant,
    /// Whether somebody wants to know what each thread was at.
    wants_spans: bool,
}

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
    } else if !world.inputs.iter().all(is_local) {
        Some("inputs other than impulses and velocities")
    } else {
        None
    }
}

/// Whether an input changes nothing of its body but how it moves on from where it is: neighbours hear of it as of a
/// collision.
fn is_local(input: &Input) -> bool {
    matches!(input.action, Action::Impulse { .. } | Action::Motor { .. })
}

/// Runs a world on so many regions, each on a thread of its own.
pub(super) fn run_regions(
    world: &World,
    threads: usize,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let per_window = plan::per_window(world.moving(), threads);
    run_divided(world, (threads, per_window), history)
}

/// Runs a world on regions that live on several ranks, so many threads on each; all ranks call this with the same world.
/// Rank 0 tells the history and returns what [`super::run`] would; the others return nothing.
pub fn run_on_ranks(
    world: &World,
    threads: usize,
    uplink: &mut dyn Uplink,
    history: &mut dyn History,
) -> Result<Option<(Stats, Vec<State>)>, RunError> {
    if let Some(why) = undivided(world) {
        return Err(RunError::Undivided { why });
    }
    let regions = threads.max(1) * uplink.ranks();
    let shape = (regions, plan::per_window(world.moving(), regions));
    guarded_anywhere(|| run_share(world, shape, Some(uplink), history))?
}

/// The same with windows in which the busiest region begins about so many segments: nothing of it shows in the history.
fn run_divided(
    world: &World,
    shape: (usize, u64),
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let ran = run_share(world, shape, None, history)?;
    Ok(ran.expect("who is alone tells the history"))
}

/// Runs the regions of one rank, or all of them.
fn run_share(
    world: &World,
    (regions, per_window): (usize, u64),
    uplink: Option<&mut dyn Uplink>,
    history: &mut dyn History,
) -> Result<Option<(Stats, Vec<State>)>, RunError> {
    let typical = crate::engine::typical_box(world);
    let cells = Cells::new(world, regions, typical);
    let count = cells.count();
    let (ranks, packets) = match uplink {
        Some(uplink) if uplink.ranks() > count => {
            return Err(RunError::FewRegions {
                ranks: uplink.ranks(),
                regions: count,
            });
        }
        Some(uplink) => {
            let (ranks, packets) = Ranks::new(count, uplink);
            (Some(ranks), Some(packets))
        }
        None => (None, None),
    };
    let own = ranks.as_ref().map_or(0..count, Ranks::own);
    let common = Common {
        world: Arc::new(world.clone()),
        cells: &cells,
        post: Post::new(count),
        gate: Gate::new(own.len()),
        stop: AtomicBool::new(false),
        per_window,
        outset: Outset {
            began: Instant::now(),
            wants_spans: history.wants_spans() && ranks.is_none(),
        },
        ranks,
    };
    match common.ranks.as_ref().filter(|ranks| !ranks.is_first()) {
        None => lead(&common, (own.len(), count), packets, history).map(Some),
        Some(ranks) => follow(&common, ranks).map(|()| None),
    }
}

/// The regions that live here, each on a thread of its own.
fn spawn<'s, 'e: 's>(
    scope: &'s std::thread::Scope<'s, 'e>,
    common: &'e Common<'_>,
    numbers: std::ops::Range<usize>,
    lines: Vec<Outlet>,
) -> Vec<ScopedJoinHandle<'s, Result<Ended, RunError>>> {
    let start = |(number, line): (usize, Outlet)| scope.spawn(move || work(common, number, &line));
    numbers.zip(lines).map(start).collect()
}

/// Waits for the regions here to end, and for what those elsewhere have left.
fn gather(
    common: &Common,
    workers: Vec<ScopedJoinHandle<'_, Result<Ended, RunError>>>,
) -> Result<Vec<Ended>, RunError> {
    let mut all = Vec::with_capacity(workers.len());
    for worker in workers {
        match worker.join() {
            Ok(ended) => all.push(ended),
            Err(payload) => std::panic::resume_unwind(payload),
        }
    }
    if let Some(ranks) = &common.ranks {
        all = ranks.finish(all)?;
    }
    all.into_iter().collect()
}

/// Runs regions, and merges what all regions commit into one history.
fn lead(
    common: &Common,
    (own, count): (usize, usize),
    packets: Option<Receiver<Packet>>,
    history: &mut dyn History,
) -> Result<(Stats, Vec<State>), RunError> {
    let (mut outlets, inlets) = lines(count);
    let elsewhere: Vec<(usize, Outlet)> = (own..count).zip(outlets.split_off(own)).collect();
    let (told, ended) = std::thread::scope(|scope| {
        let workers = spawn(scope, common, 0..own, outlets);
        let unpacker =
            packets.map(|packets| scope.spawn(move || Ranks::unpack(packets, elsewhere)));
        let gatherer = scope.spawn(|| gather(common, workers));
        // A history that panics must not leave the regions waiting for it.
        let told = guarded_anywhere(|| merge(&inlets, common.outset.began, history));
        if !matches!(told, Ok(Ok(()))) {
            common.stop.store(true, Ordering::Relaxed);
        }
        // Whoever waits to hand something over finds nobody there, and stops.
        drop(inlets);
        let unpacked = unpacker.map_or(Ok(Ok(())), ScopedJoinHandle::join);
        let ended = match (gatherer.join(), unpacked) {
            (Err(payload), _) | (_, Err(payload)) => std::panic::resume_unwind(payload),
            (Ok(Ok(_)), Ok(Err(why))) => Err(RunError::Network { why }),
            (Ok(ended), Ok(_)) => ended,
        };
        (told, ended)
    });
    match (ended, told?) {
        // A region that could not hand over its run has stopped because of the history.
        (_, Err(error)) => Err(error.into()),
        (Err(error), _) => Err(error),
        (Ok(ended), Ok(())) => {
            let world = &common.world;
            if let Some(from) = ended.iter().find_map(|ended| ended.united_at) {
                return unite(world, from, &ended, history);
            }
            history.gvt(world.until)?;
            Ok(region::conclude(world, ended))
        }
    }
}

/// Runs regions whose history another rank tells.
fn follow(common: &Common, ranks: &Ranks) -> Result<(), RunError> {
    let own = ranks.own();
    let (outlets, inlets) = lines(own.len());
    std::thread::scope(|scope| {
        let workers = spawn(scope, common, own, outlets);
        ranks.forward(&inlets);
        gather(common, workers).map(|_| ())
    })
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
    let begun = ThreadTime::now();
    let (mut stats, states) = super::run(world, Algorithm::Ordered, &mut rest)?;
    let divided_s = ended
        .iter()
        .map(|ended| ended.critical_s)
        .fold(0.0, f64::max);
    stats.critical_path_s = Some(divided_s + begun.elapsed().as_secs_f64());
    stats.threads = ended.len() as u32;
    stats.regions = ended.iter().map(|ended| ended.counts.clone()).collect();
    stats.cpu_seconds += stats.regions.iter().map(|region| region.cpu_s).sum::<f64>();
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

    fn frame(&mut self, body: BodyId, tick: Tick, state: &State) -> Told {
        match tick < self.from {
            true => Ok(()),
            false => self.history.frame(body, tick, state),
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
fn work(common: &Common, number: usize, line: &Outlet) -> Result<Ended, RunError> {
    let post = &common.post;
    let begun = guarded_anywhere(|| {
        let world = Arc::clone(&common.world);
        let mut region = Region::new(world, common.cells, number, &common.outset);
        let own = region.begin(post);
        (region, own)
    });
    let (mut region, mut own) = match begun {
        Ok(begun) => begun,
        Err(panic) => {
            // The others are told at their first meeting.
            common.meet(Tally {
                failed: true,
                ..Tally::NONE
            });
            return Err(panic.into());
        }
    };
    let mut plan = Plan::new(common.world.until, common.cells.count(), common.per_window);
    let mut outcome = Ok(());
    loop {
        own.failed |= outcome.is_err() || common.stop.load(Ordering::Relaxed);
        let all = region.meet(own, |own| common.meet(own));
        let Some(task) = plan.next(&all) else {
            return outcome.and_then(|()| region.abandon());
        };
        match region.perform(task, post, line) {
            Ok((tally, run)) => {
                own = tally;
                if let Some(run) = run {
                    // The history has ended the run if nobody takes this.
                    own.failed |= region.waiting(|| line.send(run)).is_err();
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
            Task::Work(_) | Task::Cut(_) | Task::Settle { .. } => {}
        }
    }
}
