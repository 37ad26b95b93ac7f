//! The event-driven engine: worldlines, pending events and the broad phase, and what each kind of
//! event does to them. Executors only decide in which order pending events are tried; whatever the
//! order, what is committed is the same (law 1), because an event is a pure function of the
//! segments it involves (law 2) and a straggler rolls back exactly what it invalidates (law 4).
//!
//! The invariant that everything rests on: for any two worldlines whose swept boxes overlap, each
//! stretch that both cover is either certified free, or a pending event stands at or before its
//! first uncertified tick. Whenever a stretch of a worldline appears (a new segment, a longer
//! look-ahead, a segment restored by rollback) it is checked against what is there.

mod ask;
mod branch;
mod calm;
mod commit;
mod deform;
mod events;
mod faults;
mod groups;
mod inputs;
mod joints;
mod ledger;
mod look_ahead;
mod outside;
mod pairs;
mod past;
mod pending;
mod processes;
mod redraw;
mod regroup;
mod restore;
mod segments;
mod sleep;
mod sound;
mod stale;
mod stretches;
mod struck;
mod trace;
mod turns;
mod wake;
mod watch;

pub use faults::EngineError;
use faults::{FARTHEST, FASTEST_TURN};
pub(crate) use faults::{STORM_LIMIT, same_ticks, storm_after};
pub(crate) use ledger::PAGE_LOG2;
pub use pending::{Kind, Pending};
pub(crate) use restore::Saved;
pub(crate) use sound::LONGEST_PAST;

use crate::grid::{Grid, Swept};
use crate::history::{History, Listener};
use crate::stats::Stats;
use crate::world::{BodyId, World};
use commit::Ended;
use groups::{Group, GroupSegment, Workshop};
use inputs::Inputs;
use ledger::Ledger;
use look_ahead::Reach;
use pairs::Quick;
use physics::motion::HaltReason;
use physics::{BodyModel, Drive, Flight, State};
use record::Event;
use std::sync::Arc;
use stretches::Stretches;
use turns::Turns;
use warp::{Calendar, Column, EventOrder, NodeId, NodeRef, ProcessId, StateGraph, Tick, Undone};
use watch::Watch;

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
    /// The watch under which it began.
    epoch: u32,
}

/// The group of a body that has none.
const NO_GROUP: u32 = u32::MAX;

/// How a body's new segment goes on.
#[derive(Clone, Copy, Debug)]
struct Course {
    body: BodyId,
    /// The state the segment starts from; its velocity and spin are those of the segment's path.
    state: State,
    /// The segment before.
    previous: NodeId,
    /// Index of its model as a body on its own.
    model: u32,
    /// The process of its contact group, or [`NO_GROUP`].
    group: u32,
    /// Its momentum over a group's step, which the solver goes on with.
    drive: Drive,
    /// For a group's member: the end of the step.
    horizon: Tick,
    /// On its own and at rest, whatever pulls at it.
    is_asleep: bool,
    /// The friction that holds it then.
    grip: f64,
}

impl Course {
    /// A body on its own.
    fn alone(body: BodyId, state: State, previous: NodeId, model: u32) -> Self {
        Course {
            body,
            state,
            previous,
            model,
            group: NO_GROUP,
            drive: Drive::steady(state.velocity, state.spin),
            horizon: Tick::MAX,
            is_asleep: false,
            grip: 0.0,
        }
    }

    /// A member of a group that comes to rest.
    fn resting(joining: groups::Joining, group: u32) -> Self {
        let still = State::at_rest(joining.state.pose());
        Course {
            group,
            ..Course::alone(joining.body, still, joining.node, joining.model)
        }
    }
}

/// Pending events that are too few to be worth sweeping.
const LEAST_CROWD: usize = 4096;
/// Segments of one body that are asked about one after the other without anybody noticing.
const LONG_WALK: usize = 64;
/// Pending events that are read ahead together.
pub const AT_A_GLANCE: usize = 16;

/// The engine. See the module's text.
pub struct Engine {
    world: Arc<World>,
    /// The world's models, and those that inputs add.
    models: Column<Arc<BodyModel>>,
    graph: StateGraph,
    queue: Calendar<Pending>,
    /// How much may be pending before what is stale is dropped.
    crowded: usize,
    grid: Grid,
    flights: Column<Flight>,
    turns: Turns,
    /// By body: the newest segment in the broad phase.
    swept: Column<Swept>,
    origins: Column<Origin>,
    /// When the segment's process wants to be woken: the end of a script's piece, a callback. As long as
    /// the last segment that does.
    alarms: Column<Tick>,
    slots: Column<f64>,
    /// Contact group of a body's segment, and its momentum over the group's step.
    group: Column<u32>,
    drive: Column<Drive>,
    /// For a member of a group that moves: the end of the step.
    step_ends: Column<Tick>,
    /// For a sleeper: the friction that holds it.
    grip: Column<f64>,
    /// Segments of groups (by node) and what is constant about groups (by process).
    segments: Column<GroupSegment>,
    groups: Column<Group>,
    workshop: Workshop,
    ties: Arc<joints::Ties>,
    failures: Vec<(NodeRef, String)>,
    /// Forms of deformables.
    sheets: Vec<deform::Sheet>,
    /// Entries of the current window that wait for a deformable's step.
    held: Vec<Pending>,
    vertices: Vec<[f64; 3]>,
    /// Frames not yet handed over, by body; empty unless the world is redrawn.
    frames: Vec<redraw::Frames>,
    reaches: Column<Reach>,
    quick: Column<Quick>,
    /// Segments begun since the last commit.
    ledger: Ledger,
    /// Look-aheads that are over; none where nothing is ever undone.
    past: Option<Stretches>,
    inputs: Inputs,
    struck: struck::Struck,
    /// Steps of groups that a kinematic body has invalidated.
    stale: Vec<(ProcessId, EventOrder)>,
    /// The farthest that any member of a group could reach within a step, metres.
    widest_reach: f64,
    watch: Watch,
    /// Index of the model of bodies that are not there.
    absent: u32,
    /// Segments that accumulate or are not finite; an error if they survive to the commit.
    suspended: Vec<NodeRef>,
    /// Segments whose motion could not be followed beyond a tick, and why.
    halted: Vec<(NodeRef, Tick, HaltReason)>,
    /// Whether the history asks about segments from their beginning.
    keeps_dense: bool,
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
    /// Counters.
    pub stats: Stats,
    /// The soonest collision that the check under way has foreseen.
    soonest: Tick,
    found: Vec<NodeId>,
    near: [Vec<u32>; 2],
    members: Vec<u32>,
    /// Segments that an undone end has made newest again, and from when on.
    resuming: Vec<(NodeId, Tick)>,
    begun: Vec<NodeId>,
    undone: Vec<Undone>,
    /// Per process: whether it has begun or resumed already in this event.
    resumed: Column<bool>,
    batch: Vec<Ended>,
    commits: u64,
    trace: trace::Trace,
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
        let reaches: Vec<Reach> = world.models.iter().map(|m| Reach::new(m, &grid)).collect();
        let quick: Vec<Quick> = world.models.iter().map(|m| Quick::new(m)).collect();
        let mut engine = Engine {
            graph: StateGraph::new(),
            queue: Calendar::new(),
            crowded: LEAST_CROWD,
            grid,
            flights: Column::new(),
            turns: Turns::new(),
            swept: Column::filled(Swept::ABSENT, world.bodies.len()),
            origins: Column::new(),
            alarms: Column::new(),
            slots: Column::new(),
            group: Column::new(),
            drive: Column::new(),
            step_ends: Column::new(),
            grip: Column::new(),
            segments: Column::new(),
            groups: Column::new(),
            workshop: Workshop::default(),
            ties: Arc::new(joints::Ties::new(&world)),
            failures: Vec::new(),
            frames: Vec::new(),
            sheets: Vec::new(),
            held: Vec::new(),
            vertices: Vec::new(),
            reaches: reaches.into(),
            quick: quick.into(),
            models: world.models.clone().into(),
            ledger: Ledger::default(),
            past: None,
            inputs: Inputs::default(),
            struck: struck::Struck::default(),
            stale: Vec::new(),
            widest_reach: 0.0,
            watch: Watch::default(),
            absent: 0,
            suspended: Vec::new(),
            halted: Vec::new(),
            keeps_dense: false,
            at_work: None,
            gvt: Tick::ZERO,
            overrun: Tick::MIN,
            is_in_order: true,
            detect,
            is_starting: false,
            stats: Stats {
                scene: world.name.clone(),
                threads: 1,
                sim_seconds: world.until.seconds(),
                bodies_moving: world.moving(),
                bodies_total: world.bodies.len(),
                ..Stats::default()
            },
            soonest: Tick::MAX,
            found: Vec::new(),
            near: Default::default(),
            members: Vec::new(),
            resuming: Vec::new(),
            begun: Vec::new(),
            undone: Vec::new(),
            resumed: Column::new(),
            batch: Vec::new(),
            commits: 0,
            world,
            trace: trace::Trace::default(),
        };
        engine.add_absent_model();
        engine
    }

    /// Keeps history that GVT has not passed ready for late inputs and questions.
    pub fn retain(&mut self) {
        self.past = Some(Stretches::new(&self.grid, true));
        self.ledger.retain();
    }

    /// From now on events may be processed out of order: keeps what a straggler asks about.
    pub fn speculate(&mut self) {
        self.past = Some(Stretches::new(&self.grid, false));
    }

    /// Enters a segment into the ledger.
    fn note_segment(&mut self, node: NodeId) {
        let start = self.graph.start(node).tick;
        self.ledger.note(start, self.graph.reference(node));
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The queue that the executors drain.
    pub fn queue(&mut self) -> &mut Calendar<Pending> {
        &mut self.queue
    }

    /// Takes everything that is pending in the current window.
    pub fn take_window(&mut self, batch: &mut Vec<Pending>) {
        let stop = self.stop_at();
        while let Some(entry) = self.queue.pop_in_window() {
            if entry.order() >= stop {
                self.held.push(entry);
                continue;
            }
            batch.push(entry);
        }
    }

    /// Takes the first of what is pending in the current window, in the total order.
    pub fn take_first(&mut self) -> Option<Pending> {
        let stop = self.stop_at();
        while let Some(entry) = self.queue.pop_first_in_window() {
            if entry.order() < stop {
                return Some(entry);
            }
            self.held.push(entry);
        }
        None
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
    pub fn glance(&self, entries: &[Pending; AT_A_GLANCE]) {
        let mut live = [NodeId(0); 2 * AT_A_GLANCE];
        let mut count = 0;
        for entry in entries {
            for reference in [entry.a, entry.b] {
                live[count] = reference.node;
                count += usize::from(self.graph.is_current(reference));
            }
        }
        for &node in &live[..count] {
            let process = self.graph.process(node);
            self.flights.prefetch(node.index());
            self.turns.prefetch(node);
            if let Some(entry) = self.swept.get(process.index()) {
                entry.prefetch();
            }
        }
        for &node in &live[..count] {
            self.graph.prefetch_worldline(self.graph.process(node));
            if let Some(entry) = self.swept.get(self.graph.process(node).index()) {
                self.grid.prefetch_cell(entry);
            }
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
        self.keeps_dense |= history.wants_knots();
        let mut history = Listener::new(history);
        self.commit_ledger(gvt, &mut history)?;
        self.inputs.expire(gvt);
        if let Some(past) = &mut self.past {
            past.forget_before(gvt, &self.graph);
        }
        self.commit_frames(gvt, &mut history);
        self.gvt = gvt;
        history.tell(|history| history.gvt(gvt));
        self.tell_trace(&mut history);
        Ok(history.conclude()?)
    }
}

impl Engine {
    /// The newest segments of two bodies.
    pub(crate) fn tips(&self, a: ProcessId, b: ProcessId) -> (NodeId, NodeId) {
        (self.graph.tip(a), self.graph.tip(b))
    }
}
