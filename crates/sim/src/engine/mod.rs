//! The event-driven engine: worldlines, pending events and the broad phase, and what each kind of
//! event does to them. Executors only decide in which order pending events are tried; whatever the
//! order, what is committed is the same (law 1), because an event is a pure function of the
//! segments it involves (law 2) and a straggler rolls back exactly what it invalidates (law 4).
//!
//! The invariant that everything rests on: for any two worldlines whose swept boxes overlap, each
//! stretch that both cover is either certified free, or a pending event stands at or before its
//! first uncertified tick. Whenever a stretch of a worldline appears (a new segment, a longer
//! look-ahead, a segment restored by rollback) it is checked against what is there.

mod account;
mod agenda;
mod ask;
mod border;
mod border_wire;
mod bounces;
mod branch;
mod calm;
mod candidates;
mod commit;
mod company;
mod contacts;
mod deform;
mod deform_reads;
mod deformables;
mod event;
mod events;
mod facts;
mod faults;
mod group_step;
mod groups;
mod guests;
mod inputs;
mod joints;
mod ledger;
mod look_ahead;
mod members;
mod models;
mod multibody;
mod multibody_control;
mod multibody_group;
mod multibody_input;
mod multibody_saved;
mod neighbourhood;
mod observers;
mod outdated;
mod outside;
mod pairs;
mod parting;
#[cfg(test)]
mod parts_yard;
mod past_segments;
mod pending;
mod periodic;
mod processes;
mod readers;
mod redraw;
mod regroup;
mod restore;
mod room;
mod scratch;
mod segments;
mod sleep;
mod sound;
mod speculation;
mod strangers;
mod strike;
mod swept_past;
mod trial;
mod turns;
mod wake;
mod watch;
mod workshop;
mod worldlines;

pub(crate) use border::{Border, Carried, Message, Migration};
pub(crate) use border_wire::{put_all, put_numbers, take_all, take_numbers};
pub use faults::EngineError;
use faults::{FARTHEST, FASTEST_TURN};
pub(crate) use faults::{STORM_LIMIT, flurry_after, same_ticks, storm_after};
pub(crate) use ledger::PAGE_LOG2;
pub(crate) use look_ahead::typical_box;
pub use pending::{Kind, Pending};
pub(crate) use restore::Saved;
pub(crate) use sound::LONGEST_PAST;
pub(crate) use watch::Fingerprint;

use crate::history::{History, Listener};
use crate::stats::Stats;
use crate::world::{BodyId, World};
use account::Account;
use agenda::Agenda;
use deformables::Deformables;
use groups::Groups;
use inputs::Inputs;
use models::Models;
use neighbourhood::Neighbourhood;
use observers::Observers;
use physics::{Drive, ModelId, State};
use readers::Readers;
use record::Event;
use scratch::Scratch;
use std::sync::Arc;
use warp::{EventOrder, NodeId, ProcessId, Tick, Undone};
use worldlines::Worldlines;

/// How a segment began, for the record.
#[derive(Clone, Copy, Debug)]
struct Origin {
    event: Event,
    partner: u32,
    impulse: f64,
    /// Deepest overlap at the event, metres.
    overlap: f32,
    /// Events in a row that fell close together, as [`faults::storm_after`] counts them.
    storm: u16,
    /// Collisions of a body on its own in a row that follow each other so fast that a group cannot keep up with them, as
    /// [`faults::flurry_after`] counts them.
    flurry: u8,
    /// The watch under which it began.
    epoch: u32,
}

/// How a body's new segment goes on.
#[derive(Clone, Copy, Debug)]
struct Course {
    body: BodyId,
    /// The state the segment starts from; its velocity and spin are those of the segment's path.
    state: State,
    /// The segment before.
    previous: NodeId,
    /// Its model as a body on its own.
    model: ModelId,
    /// Its contact group, if it has one.
    group: Option<ProcessId>,
    /// Its momentum over a group's step, which the solver goes on with.
    drive: Drive,
    /// For a group's member: the end of the step.
    horizon: Tick,
    /// For a group's member whose segment begins in the middle of a step: where the step began.
    began: Option<EventOrder>,
    /// For a group's guest: the member that it has come to.
    host: Option<BodyId>,
    /// On its own and at rest, whatever pulls at it.
    is_asleep: bool,
    /// The friction that holds it then.
    grip: f64,
}

impl Course {
    /// A body on its own.
    fn alone(body: BodyId, state: State, previous: NodeId, model: ModelId) -> Self {
        Course {
            body,
            state,
            previous,
            model,
            group: None,
            drive: Drive::steady(state.velocity, state.spin),
            horizon: Tick::MAX,
            began: None,
            host: None,
            is_asleep: false,
            grip: 0.0,
        }
    }

    /// A member of a group that comes to rest.
    fn resting(joining: groups::Joining, group: ProcessId) -> Self {
        let still = State::at_rest(joining.state.pose());
        Course {
            group: Some(group),
            ..Course::alone(joining.body, still, joining.node, joining.model)
        }
    }
}

/// Segments of one body that are asked about one after the other without anybody noticing.
const LONG_WALK: usize = 64;
/// Pending events that are read ahead together.
pub const PREFETCHED_TOGETHER: usize = 16;

/// The engine. See the module's text.
pub struct Engine {
    world: Arc<World>,
    models: Models,
    lines: Worldlines,
    around: Neighbourhood,
    agenda: Agenda,
    groups: Groups,
    readers: Readers,
    account: Account,
    ties: Arc<joints::Ties>,
    deformables: Deformables,
    multibodies: multibody::Multibodies,
    /// Frames not yet handed over, by body; empty unless the world is redrawn.
    frames: Vec<redraw::Frames>,
    inputs: Inputs,
    /// Where there are several regions: which bodies are this one's, and what the others know.
    border: Option<Box<Border>>,
    /// What is being done, and its tick.
    at_work: Option<(Kind, Tick)>,
    gvt: Tick,
    /// See [`Engine::overrun`].
    overrun: Tick,
    /// Whether everything before what is processed is done.
    is_in_order: bool,
    detect: bool,
    /// While all bodies of a world look around for the first time, one after the other.
    is_starting: bool,
    observers: Observers,
    scratch: Scratch,
    /// The soonest collision that the check under way has foreseen.
    soonest: Tick,
    undone: Vec<Undone>,
    commits: u64,
}

impl Engine {
    /// An engine at the start of the world. Without `detect` nothing is ever predicted (the oracle).
    pub fn new(world: Arc<World>, detect: bool) -> Self {
        let mut engine = Self::bare(world, detect);
        engine.add_processes();
        for input in &Arc::clone(&engine.world).inputs {
            // A world that was validated has no input that can be refused.
            let _ = engine.add_input(input);
        }
        engine.begin_redraws();
        engine
    }

    /// An engine with no process yet.
    fn bare(world: Arc<World>, detect: bool) -> Self {
        let grid = look_ahead::grid_for(&world);
        Engine {
            models: Models::new(&world, &grid),
            lines: Worldlines::new(&world),
            around: Neighbourhood::new(grid, world.bodies.len()),
            agenda: Agenda::new(),
            groups: Groups::default(),
            readers: Readers::default(),
            account: Account::default(),
            ties: Arc::new(joints::Ties::new(&world)),
            frames: Vec::new(),
            deformables: Deformables::default(),
            multibodies: multibody::Multibodies::new(&world),
            inputs: Inputs::default(),
            border: None,
            at_work: None,
            gvt: Tick::ZERO,
            overrun: Tick::MIN,
            is_in_order: true,
            detect,
            is_starting: false,
            observers: Observers::new(&world),
            scratch: Scratch::default(),
            soonest: Tick::MAX,
            undone: Vec::new(),
            commits: 0,
            world,
        }
    }

    /// Keeps history that GVT has not passed ready for late inputs and questions.
    pub fn retain(&mut self) {
        self.around.keep_past(true);
        self.account.retain();
    }

    /// From now on events may be processed out of order: keeps what a straggler asks about.
    pub fn speculate(&mut self) {
        self.around.keep_past(false);
    }

    /// Counters.
    pub fn stats(&self) -> &Stats {
        self.observers.stats()
    }

    /// Counters, at the end of a run.
    pub fn take_stats(&mut self) -> Stats {
        std::mem::take(self.observers.count())
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Moves on to the next window that has something in it; returns where it begins and ends.
    pub fn open_window(&mut self) -> Option<(Tick, Tick)> {
        self.agenda.open_window()
    }

    /// How long windows are, as a power of two of ticks.
    pub fn set_window(&mut self, log2: u32) {
        self.agenda.set_window(log2);
    }

    /// Takes the first pending entry in the total order.
    pub fn take(&mut self) -> Option<Pending> {
        self.agenda.take()
    }

    /// Takes everything that is pending in the current window.
    pub fn take_window(&mut self, batch: &mut Vec<Pending>) {
        let stop = self.stop_at();
        self.agenda.take_window(stop, batch);
    }

    /// Takes the first of what is pending in the current window, in the total order.
    pub fn take_in_window(&mut self) -> Option<Pending> {
        let stop = self.stop_at();
        self.agenda.take_in_window(stop)
    }

    /// Gives back entries that were taken and not tried.
    pub fn give_back(&mut self, entries: &[Pending]) {
        for entry in entries {
            self.agenda.push(*entry);
        }
    }

    /// Where the first pending entry stands in the total order.
    pub(crate) fn next_order(&mut self) -> Option<EventOrder> {
        self.agenda.first().map(Pending::order)
    }

    /// Whether entries are processed in their total order from now on.
    pub fn set_in_order(&mut self, is_in_order: bool) {
        self.is_in_order = is_in_order;
    }

    /// The tick up to which everything should be committed before more is tried: some body has so much
    /// behind it that asking about it costs more than waiting for the others, or has run ahead to where no
    /// search ends.
    pub fn overrun(&self) -> Tick {
        self.overrun
    }

    /// Reads what some entries are about, all at once: the latencies of memory then overlap instead of
    /// adding up one after the other. First the segments, then what belongs to those that are still
    /// there: most entries are about segments that have ended otherwise by now.
    pub fn prefetch_entries(&self, entries: &[Pending; PREFETCHED_TOGETHER]) {
        let mut live = [NodeId(0); 2 * PREFETCHED_TOGETHER];
        let mut count = 0;
        for entry in entries {
            for reference in [entry.a, entry.b] {
                live[count] = reference.node;
                count += usize::from(self.lines.is_current(reference));
            }
        }
        for &node in &live[..count] {
            let process = self.lines.process(node);
            self.lines.prefetch_motion(node);
            if let Some(entry) = self.around.get(process.0) {
                entry.prefetch();
            }
        }
        for &node in &live[..count] {
            self.lines.prefetch_worldline(self.lines.process(node));
            self.around.prefetch_cell(self.lines.process(node).0);
        }
    }

    /// Kind and tick of the entry that is processed, or was last.
    pub fn at_work(&self) -> Option<(Kind, Tick)> {
        self.at_work
    }

    /// Where committed history ends.
    pub fn gvt(&self) -> Tick {
        self.gvt
    }

    /// Hands everything before `gvt` to the history and forgets it.
    pub fn commit(&mut self, gvt: Tick, history: &mut dyn History) -> Result<(), EngineError> {
        let mut history = Listener::new(history);
        self.commit_ledger(gvt, &mut history)?;
        self.inputs.expire(gvt);
        if let Some(border) = &mut self.border {
            border.expire(gvt);
        }
        self.around.forget_before(gvt, &self.lines);
        self.commit_frames(gvt, &mut history);
        self.gvt = gvt;
        history.tell(|history| history.gvt(gvt));
        self.tell_speculation(&mut history);
        Ok(history.conclude()?)
    }

    /// A collision of the newest segments of two bodies, for whoever knows that it happens.
    pub(crate) fn collision_of_newest(&self, a: u32, b: u32, order: EventOrder) -> Pending {
        let newest = |body| self.lines.reference(self.lines.tip(ProcessId(body)));
        Pending::collision(order, newest(a), newest(b))
    }
}
