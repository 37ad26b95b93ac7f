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
mod commit;
mod deform;
mod events;
mod groups;
mod inputs;
mod joints;
mod ledger;
mod look_ahead;
mod outside;
mod pairs;
mod pending;
mod redraw;
mod regroup;
mod restore;
mod sleep;
mod stale;
mod stretches;
mod trace;
mod turns;
mod watch;

pub(crate) use ledger::PAGE_LOG2;
pub use pending::{Kind, Pending};
pub(crate) use restore::Saved;

use crate::grid::{Grid, Swept};
use crate::history::History;
use crate::stats::Stats;
use crate::world::{BodyId, Kind as BodyKind, World};
use commit::Ended;
use groups::{Group, GroupSegment, Workshop};
use inputs::Inputs;
use ledger::Ledger;
use look_ahead::Reach;
use pairs::Quick;
use physics::{BodyModel, Flight, Motion, State, Vec3};
use record::Event;
use std::sync::Arc;
use stretches::Stretches;
use turns::Turns;
use warp::{
    Calendar, Column, EventOrder, Moment, NodeId, NodeRef, ProcessId, StateGraph, Tick, Undone,
};
use watch::Watch;

/// Why a run ended early.
#[derive(Clone, Debug, thiserror::Error)]
pub enum EngineError {
    /// Events accumulate at one instant.
    #[error(
        "events accumulate at {seconds} s: {count} events of {names} fall within a microsecond of \
         each other; give the bodies room or more restitution, or let them rest in a contact group"
    )]
    Accumulation {
        /// The instant.
        seconds: f64,
        /// How many events in a row.
        count: u32,
        /// The bodies' names.
        names: String,
    },
    /// A deformable's step failed.
    #[error("`{name}` cannot be advanced at {seconds} s: {why}")]
    Deformable {
        /// The deformable.
        name: String,
        /// When.
        seconds: f64,
        /// What its law says.
        why: String,
    },
    /// A group's solver gave up.
    #[error("the contact group of `{body}` cannot be advanced at {seconds} s: {why}")]
    Solver {
        /// A member.
        body: String,
        /// When.
        seconds: f64,
        /// What the solver says.
        why: String,
    },
    /// A body's state is no longer finite.
    #[error(
        "the motion of `{body}` is no longer finite at {seconds} s; \
         its force field or callback produced a value that is not a number"
    )]
    NotFinite {
        /// The body.
        body: String,
        /// When.
        seconds: f64,
    },
}

/// How a segment began, for the record.
#[derive(Clone, Copy, Debug)]
struct Origin {
    event: Event,
    partner: u32,
    impulse: f64,
    /// Deepest overlap at the event, metres.
    overlap: f32,
    /// Events in a row that fell within [`STORM_TICKS`] of each other.
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
    /// Velocity and spin of its momentum, which a group's solver goes on with.
    drive: [Vec3; 2],
    /// For a group's member: the end of the step.
    horizon: Tick,
    /// On its own and at rest, whatever pulls at it.
    is_asleep: bool,
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
            drive: [state.velocity, state.spin],
            horizon: Tick::MAX,
            is_asleep: false,
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

/// Events of one body that are closer than this (a microsecond) count as one storm.
const STORM_TICKS: i64 = 1 << 20;
/// Batches smaller than this stay in the order they were found in.
const SPATIAL_BATCH: usize = 256;
/// A storm of more events than this is an accumulation.
const STORM_LIMIT: u16 = 4096;

/// The engine. See the module's text.
pub struct Engine {
    world: Arc<World>,
    /// The world's models, and those that inputs add.
    models: Column<Arc<BodyModel>>,
    graph: StateGraph,
    queue: Calendar<Pending>,
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
    /// Contact group of a body's segment, and the velocity and spin its solver goes on with.
    group: Column<u32>,
    drive: Column<[Vec3; 2]>,
    /// For a member of a group that moves: the end of the step.
    step_ends: Column<Tick>,
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
    /// Steps of groups that a kinematic body has invalidated.
    stale: Vec<(ProcessId, EventOrder)>,
    /// The farthest that any member of a group could reach within a step, metres.
    widest_reach: f64,
    watch: Watch,
    /// Index of the model of bodies that are not there.
    absent: u32,
    /// Segments that accumulate or are not finite; an error if they survive to the commit.
    suspended: Vec<NodeRef>,
    gvt: Tick,
    detect: bool,
    /// Counters.
    pub stats: Stats,
    found: Vec<NodeId>,
    near: Vec<u32>,
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
            stale: Vec::new(),
            widest_reach: 0.0,
            watch: Watch::default(),
            absent: 0,
            suspended: Vec::new(),
            gvt: Tick::ZERO,
            detect,
            stats: Stats {
                scene: world.name.clone(),
                threads: 1,
                sim_seconds: world.until.seconds(),
                bodies_moving: world.moving(),
                bodies_total: world.bodies.len(),
                ..Stats::default()
            },
            found: Vec::new(),
            near: Vec::new(),
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

    /// The model of bodies that are not there: never registered, so never met.
    fn add_absent_model(&mut self) {
        let speck = physics::Part::centred(physics::Shape::Ball { radius: 1e-3 });
        let model = BodyModel::fixed(&[speck], physics::Material::default());
        let model = Arc::new(model.expect("a ball is a shape"));
        self.absent = self.models.len() as u32;
        self.set_model(self.absent, Arc::clone(&model));
        self.set_model(self.absent + 1, model);
    }

    /// Puts a model at an index, at most one past the last.
    fn set_model(&mut self, index: u32, model: Arc<BodyModel>) {
        let index = index as usize;
        let (reach, quick) = (Reach::new(&model, &self.grid), Quick::new(&model));
        if index == self.models.len() {
            self.reaches.push(reach);
            self.quick.push(quick);
            self.models.push(model);
        } else {
            self.reaches[index] = reach;
            self.quick[index] = quick;
            self.models[index] = model;
        }
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

    /// One process per body, then one per callback, then one per deformable.
    fn add_processes(&mut self) {
        let start = EventOrder::before(Moment::at(Tick::ZERO));
        let world = Arc::clone(&self.world);
        for index in 0..world.bodies.len() {
            let (_, node) = self.graph.add_process(start);
            self.fit_columns();
            let body = &world.bodies[index];
            let event = if body.is_absent {
                Event::Leave
            } else {
                Event::Start
            };
            self.origins[node.index()] = Origin::of(event);
            let model = if body.is_absent {
                self.absent
            } else {
                body.model
            };
            let course = Course::alone(BodyId(index as u32), body.start, node, model);
            self.place(node, &course);
            if let Some((_, Some(next))) = body.script.as_ref().and_then(|s| s.piece(Tick::ZERO)) {
                self.set_alarm(node, next);
            }
            self.note_segment(node);
        }
        for callback in &world.callbacks {
            let (_, node) = self.graph.add_process(start);
            self.fit_columns();
            self.flights[node.index()].body = u32::MAX;
            self.set_alarm(node, Tick::from_seconds(callback.first.max(0.0)));
        }
        self.add_deformables();
        for process in 0..self.graph.processes() {
            let node = self.graph.tip(ProcessId(process as u32));
            self.arm(node);
        }
        for body in 0..self.world.bodies.len() {
            let node = self.graph.tip(ProcessId(body as u32));
            if self.world.bodies[body].kind == BodyKind::Dynamic {
                self.check_node(node, Tick::ZERO);
            }
        }
    }

    fn fit_columns(&mut self) {
        let capacity = self.graph.capacity();
        if self.flights.len() >= capacity {
            return;
        }
        let nowhere = Flight {
            start: Tick::MIN,
            position: Vec3::ZERO,
            velocity: Vec3::ZERO,
            model: 0,
            body: u32::MAX,
        };
        let unknown = Origin::of(Event::Start);
        self.flights.grow(capacity, nowhere);
        self.turns.grow(capacity);
        self.origins.grow(capacity, unknown);
        self.slots.grow(capacity * self.world.slots, 0.0);
        if self.world.contact.is_some() {
            self.group.grow(capacity, NO_GROUP);
            self.drive.grow(capacity, [Vec3::ZERO; 2]);
            self.step_ends.grow(capacity, Tick::MAX);
            self.segments.grow(capacity, GroupSegment::default());
        }
    }

    /// Fills in a body's new segment and registers its look-ahead.
    fn place(&mut self, node: NodeId, course: &Course) {
        let (body, state) = (course.body.0, &course.state);
        let is_member = course.group != NO_GROUP;
        let model_index = course.model | u32::from(is_member || course.is_asleep);
        let start = self.graph.start(node).tick;
        let flight = Flight {
            start,
            position: state.position,
            velocity: state.velocity,
            model: model_index,
            body,
        };
        self.flights[node.index()] = flight;
        self.enter(node, flight);
        let model = &self.models[model_index as usize];
        let previous = Some(course.previous).filter(|previous| *previous != node);
        let attitude = (state.rotation, state.spin);
        self.turns.begin(node, previous, attitude, model);
        self.set_alarm(node, Tick::MAX);
        self.stats.segments_begun += 1;
        if self.world.contact.is_some() {
            self.group[node.index()] = course.group;
            self.drive[node.index()] = course.drive;
            self.step_ends[node.index()] = course.horizon;
        }
        if self.detect || self.world.contact.is_some() {
            self.look_around(node, start);
        }
    }

    /// Schedules the segment's own wake-up, if it has one, and the first input it meets.
    fn arm(&mut self, node: NodeId) {
        let process = self.graph.process(node);
        if let Some(index) = self.deformable_of(process) {
            if self.alarm(node) < self.world.until {
                self.arm_deformable(node, index);
            }
            return;
        }
        let (bodies, callbacks) = (self.world.bodies.len(), self.world.callbacks.len());
        let mut at = self.alarm(node);
        let (kind, key) = if process.index() < bodies {
            if !self.inputs.is_empty() {
                self.arm_input(node);
            }
            if !self.ties.is_empty() {
                self.arm_joints(node);
            }
            (Kind::Piece, process.0)
        } else if process.index() < bodies + callbacks {
            (Kind::Callback, process.0)
        } else {
            at = at.min(self.wakes_at(node));
            // A group is known by its first member: its process number is an accident.
            (Kind::GroupStep, self.groups[process.index()].members[0])
        };
        if at < self.world.until {
            let reference = self.graph.reference(node);
            self.queue.push(Pending::alarm(kind, at, key, reference));
        }
    }

    /// When a segment's process wants to be woken; never, for most.
    #[inline]
    fn alarm(&self, node: NodeId) -> Tick {
        self.alarms.get(node.index()).copied().unwrap_or(Tick::MAX)
    }

    #[inline]
    fn set_alarm(&mut self, node: NodeId, at: Tick) {
        if node.index() < self.alarms.len() {
            self.alarms[node.index()] = at;
        } else if at != Tick::MAX {
            self.alarms.grow(node.index() + 1, Tick::MAX);
            self.alarms[node.index()] = at;
        }
    }

    fn motion(&self, node: NodeId) -> Motion<'_> {
        let flight = &self.flights[node.index()];
        Motion {
            model: &self.models[flight.model as usize],
            flight,
            turn: &self.turns[node],
        }
    }

    /// Makes sure that a segment's dense output covers `tick`.
    fn integrate(&mut self, node: NodeId, tick: Tick) {
        let flight = &self.flights[node.index()];
        let model = &self.models[flight.model as usize];
        let steps = self.turns.extend(node, flight, model, tick);
        self.stats.integrations += u64::from(steps > 0);
    }

    /// The model that a segment's body follows outside of groups: that of its body, unless an input
    /// has given it another.
    fn model_index(&self, node: NodeId) -> u32 {
        self.flights[node.index()].model & !1
    }

    /// A body that goes on alone from the end of a segment.
    fn alone(&self, body: BodyId, state: State, previous: NodeId) -> Course {
        Course::alone(body, state, previous, self.model_index(previous))
    }

    /// Whether there is a segment of this number and it is that of a body in the world.
    fn is_body(&self, node: NodeId) -> bool {
        self.graph.is_used(node)
            && self.graph.process(node).index() < self.world.bodies.len()
            && self.is_there(node)
    }

    /// Whether a body's segment finds it in the world.
    fn is_there(&self, node: NodeId) -> bool {
        self.model_index(node) != self.absent
    }

    fn body_of(&self, node: NodeId) -> BodyId {
        BodyId(self.flights[node.index()].body)
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The queue that the executors drain.
    pub fn queue(&mut self) -> &mut Calendar<Pending> {
        &mut self.queue
    }

    /// Takes everything that is pending in the current window. A large batch is put in the order of
    /// space: neighbours in the batch are then neighbours in the world and share the cache, a
    /// freedom that only speculation has.
    pub fn take_window(&mut self, batch: &mut Vec<Pending>) {
        let stop = self.stop_at();
        while let Some(entry) = self.queue.pop_in_window() {
            if entry.order() >= stop {
                self.held.push(entry);
                continue;
            }
            batch.push(entry);
        }
        if batch.len() >= SPATIAL_BATCH {
            batch.sort_by_key(|entry| entry.place);
        }
    }

    /// Reads what some entries are about, all at once: the latencies of memory then overlap instead of
    /// adding up one after the other.
    pub fn glance(&self, entries: &[Pending]) {
        let mut seen = 0;
        for entry in entries {
            for reference in [entry.a, entry.b] {
                let index = reference.node.index();
                if let Some(flight) = self.flights.get(index) {
                    let swept = self.swept.get(flight.body as usize);
                    seen ^= u64::from(self.graph.is_live(reference))
                        ^ swept.map_or(0, |s| u64::from(s.flight.model));
                }
            }
        }
        std::hint::black_box(seen);
    }

    /// Where committed history ends.
    pub fn gvt(&self) -> Tick {
        self.gvt
    }

    /// Hands everything before `gvt` to the history and forgets it.
    pub fn commit(&mut self, gvt: Tick, history: &mut dyn History) -> Result<(), EngineError> {
        self.commit_ledger(gvt, history)?;
        self.inputs.expire(gvt);
        if let Some(past) = &mut self.past {
            past.forget_before(gvt);
        }
        self.commit_frames(gvt, history);
        self.gvt = gvt;
        history.gvt(gvt);
        self.tell_trace(history);
        Ok(())
    }
}

impl Engine {
    /// The newest segments of two bodies.
    pub(crate) fn tips(&self, a: ProcessId, b: ProcessId) -> (NodeId, NodeId) {
        (self.graph.tip(a), self.graph.tip(b))
    }
}
