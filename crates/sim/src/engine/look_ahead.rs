//! Look-ahead: how far a body runs before it has to look around again, and the box it sweeps until
//! then. Each body has its own; extending it is a scheduled event, the analogue of cell crossing in
//! event-driven molecular dynamics. Results never depend on it, only cost does.

use super::swept_past::Packed;
use super::{Engine, Kind, LONG_WALK, Pending};
use crate::grid::{Bounds, Grid, Unbounded};
use crate::overlap::corners_at;
use crate::world::{Kind as BodyKind, World};
use physics::body::Law;
use physics::collider::Core;
use physics::dense::Quintic;
use physics::impact::Windows;
use physics::{BodyModel, Flight, Pose, Quat, Vec3};
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

/// How far bodies of one model may travel in one look-ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Metres along an axis before the swept box outgrows its cell.
    room: f64,
    /// Largest box of what a body has behind it that may share a box with what it has ahead.
    behind: f32,
}

impl Reach {
    pub(super) fn new(model: &BodyModel, grid: &Grid) -> Self {
        let diameter = 2.0 * model.bounding_radius();
        if !diameter.is_finite() {
            return Reach {
                room: 1.0,
                behind: 0.0,
            };
        }
        let room = 0.99 * (grid.largest_for(1.1 * diameter) - diameter);
        Reach {
            room,
            behind: (diameter + 0.5 * room) as f32,
        }
    }
}

/// Pieces of integrated motion that are as dear to look at as a segment.
const PIECES_A_STEP: usize = 8;

/// The largest box of the finest level of a world's grid.
pub(crate) fn typical_box(world: &World) -> f64 {
    let (largest, ..) = measures(world);
    largest
}

/// A grid that suits the world: its finest level takes boxes a little larger than a typical body, or
/// about as large as the room a typical body has to itself.
pub(super) fn grid_for(world: &World) -> Grid {
    let (largest, bodies, extent) = measures(world);
    Grid::new(largest, bodies, (extent / largest).to_array())
}

/// The largest box of the finest level, the number of bodies to expect, and the room they take.
fn measures(world: &World) -> (f64, usize, Vec3) {
    let declared = &world.bodies[..world.declared()];
    let dynamic = || declared.iter().filter(|b| b.kind == BodyKind::Dynamic);
    let mut sizes: Vec<f64> = dynamic()
        .map(|b| 2.0 * world.models[b.model.place()].bounding_radius())
        .collect();
    if sizes.is_empty() {
        return (1.0, 8, Vec3::ONE);
    }
    sizes.sort_by(f64::total_cmp);
    let typical = sizes[sizes.len() * 3 / 4];
    let (mut lo, mut hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for body in dynamic() {
        lo = lo.min(body.start.position);
        hi = hi.max(body.start.position);
    }
    let extent = (hi - lo) + Vec3::splat(typical);
    let volume = extent.x * extent.y * extent.z;
    let spacing = libm::cbrt(volume / sizes.len() as f64);
    let largest = (1.2 * typical).max(1.3 * spacing - 0.3 * typical);
    (largest, sizes.len(), extent)
}

impl Engine {
    /// A body's newest segment takes the place of the one before in the broad phase.
    #[inline]
    pub(super) fn enter(&mut self, node: NodeId, flight: Flight) {
        self.around.enter(self.lines.reference(node), flight);
    }

    /// Registers what a segment that has just entered sweeps from `from` on.
    pub(super) fn register_sweep(&mut self, node: NodeId, from: Tick) {
        let model = self.lines.flight(node).model;
        if model.free() == self.models.absent() {
            self.leave(node, from);
        } else if self.is_moving_member(node) {
            self.register_step(node, from);
        } else if self.models.get(model).collider.is_unbounded() {
            self.leave(node, from);
            self.register_unbounded(node);
        } else {
            self.look_ahead(node, from);
        }
    }

    /// Registers a segment that has no bounding box.
    fn register_unbounded(&mut self, node: NodeId) {
        let flight = self.lines.flight(node);
        let model = self.models.get(flight.model);
        let plane = (model.law == Law::Constant)
            .then(|| half_space(model, flight.position))
            .flatten();
        self.around.insert_unbounded(Unbounded { node, plane });
        if !self.deformables.is_empty() {
            let from = self.lines.flight(node).start;
            self.outdate_readers_in(node, None, [from, Tick::MAX]);
        }
    }

    /// Takes a body that goes on as `node` from `from` on out of the grid.
    pub(super) fn leave(&mut self, node: NodeId, from: Tick) {
        self.keep_behind(node, from);
        let body = self.lines.flight(node).body;
        self.around.leave(body);
    }

    /// Sets the segment's look-ahead from `from` on and registers the box it sweeps; schedules its
    /// extension.
    pub(super) fn look_ahead(&mut self, node: NodeId, from: Tick) {
        let flight = self.lines.flight(node);
        let law = self.models.get(flight.model).law;
        let behind = self.behind(node, from);
        let (bounds, horizon) = if law.is_pieced() {
            self.integrated_sweep(node, from)
        } else {
            self.ballistic_sweep(node, from, behind)
        };
        let (bounds, horizon) = match self.border {
            Some(_) => self.keep_inside(node, from, bounds, horizon),
            None => (bounds, horizon),
        };
        self.register(node, (bounds, behind), [from, horizon]);
        if !self.may_put_off_extension(node) {
            self.plan_extension(node);
        }
    }

    /// Whether a collision that is foreseen for a segment is certain to end it, unless it is called off:
    /// then the extension of a look-ahead beyond it is put off until it is. Most are never needed.
    fn may_put_off_extension(&self, node: NodeId) -> bool {
        let model = self.lines.flight(node).model;
        self.detect && self.world.contact.is_none() && self.models.get(model).is_movable()
    }

    /// Schedules the extension of a newest segment's look-ahead, if it is not scheduled yet.
    pub(super) fn plan_extension(&mut self, node: NodeId) {
        let body = self.lines.flight(node).body;
        let Some(entry) = self.around.get(body) else {
            return;
        };
        let horizon = entry.horizon;
        if entry.segment != node || entry.is_extension_due || horizon >= self.world.until {
            return;
        }
        self.around.set_extension_due(body);
        let reference = self.lines.reference(node);
        self.agenda
            .push(Pending::upkeep(Kind::Extend, horizon, reference));
    }

    /// Registers what a group's member sweeps until its step ends; the next step replaces it. What is new of it begins
    /// at `from`: a step whose end was undone had been seen up to there.
    fn register_step(&mut self, node: NodeId, from: Tick) {
        let (start, end) = (self.lines.flight(node).start, self.lines.step_end(node));
        let behind = self.behind(node, start);
        let bounds = self.path(node, start, end);
        self.register(node, (bounds, behind), [from.max(start), end]);
    }

    fn register(
        &mut self,
        node: NodeId,
        (bounds, behind): (Bounds, Option<Bounds>),
        [from, horizon]: [Tick; 2],
    ) {
        if !self.deformables.is_empty() {
            self.outdate_readers_in(node, Some(&bounds), [from, horizon]);
        }
        let bounds = behind.map_or(bounds, |behind| bounds.union(&behind));
        self.around
            .register(self.lines.flight(node).body, bounds, horizon);
        self.observers.count().integrations += 1;
    }

    /// The box of what a body has swept before `from` and somebody may still ask about, if it is small;
    /// otherwise it is kept as sweeps.
    fn behind(&mut self, node: NodeId, from: Tick) -> Option<Bounds> {
        if !self.around.keeps_past() {
            return None;
        }
        if !self.around.retains_past() {
            let flight = self.lines.flight(node);
            let since = self.since(flight.body, from);
            let mut behind: Option<Bounds> = None;
            let walked = self.each_behind(node, since, from, |_, _, bounds| {
                behind = Some(behind.map_or(bounds, |all| all.union(&bounds)));
            });
            if walked > LONG_WALK {
                self.overrun = self.overrun.max(from);
            }
            let flight = self.lines.flight(node);
            let limit = self.models.reach(flight.model).behind;
            if behind.is_none_or(|all| all.size() <= limit) {
                self.around.set_since(flight.body, since);
                return behind;
            }
        }
        self.keep_behind(node, from);
        None
    }

    /// From when on a body's box has to hold what lies before `from`.
    fn since(&self, body: u32, from: Tick) -> Tick {
        self.around.of(body).since.min(from).max(self.gvt)
    }

    /// Keeps what a body has swept before `from` as sweeps.
    fn keep_behind(&mut self, node: NodeId, from: Tick) {
        let body = self.lines.flight(node).body;
        let since = self.since(body, from);
        if !self.around.keeps_past() {
            return;
        }
        let mut behind = std::mem::take(&mut self.scratch.behind);
        behind.clear();
        self.each_behind(node, since, from, |segment, begin, bounds| {
            behind.push((segment, begin, bounds));
        });
        for &(segment, begin, bounds) in &behind {
            let end = match self.lines.end(segment) {
                EventOrder::MAX => EventOrder::before(Moment::at(from)),
                end => end,
            };
            let owner = if self.is_moving_member(segment) {
                Packed::steps(body)
            } else {
                Packed::segment(self.lines.reference(segment))
            };
            self.around.keep(owner, begin, &bounds, end, &self.lines);
        }
        self.scratch.behind = behind;
        self.around.set_since(body, from);
    }

    /// Calls with every segment that a body has behind it between `since` and `from`, where its part of
    /// that begins, and the box of that part. `node` is the newest. Returns how many there are.
    fn each_behind(
        &self,
        node: NodeId,
        since: Tick,
        from: Tick,
        mut found: impl FnMut(NodeId, Tick, Bounds),
    ) -> usize {
        let mut at = Some(node);
        let mut end = from;
        let mut walked = 0;
        while let Some(segment) = at {
            walked += 1;
            let start = self.lines.flight(segment).start;
            let is_ahead = segment == node && start >= from;
            if !is_ahead && self.is_there(segment) && !self.is_unbounded(segment) {
                let begin = start.max(since).min(end);
                walked += self.pieces_between(segment, begin, end) / PIECES_A_STEP;
                found(segment, begin, self.path(segment, begin, end));
            }
            if !is_ahead && start <= since {
                break;
            }
            end = start.min(from);
            at = self.lines.previous(segment);
        }
        walked
    }

    /// How many pieces of integrated motion a segment has between two ticks.
    fn pieces_between(&self, node: NodeId, from: Tick, to: Tick) -> usize {
        let start = self.lines.flight(node).start;
        let pieces = self.lines.turn(node).forces();
        let before = |tick: Tick| {
            let seconds = tick.since(start);
            pieces.partition_point(|piece| piece.path.end < seconds)
        };
        if pieces.is_empty() {
            0
        } else {
            before(to).saturating_sub(before(from))
        }
    }

    /// The tick up to which a segment has looked ahead; never, if it is not its body's newest.
    #[inline]
    pub(super) fn horizon(&self, node: NodeId) -> Tick {
        match self.around.get(self.lines.flight(node).body) {
            Some(entry) if entry.segment == node => entry.horizon,
            _ => Tick::MAX,
        }
    }

    /// A body's segment was undone from `from` on: until the body looks around again, its box stands for
    /// what is left of its worldline up to there.
    pub(super) fn fall_back(&mut self, undone: NodeId, process: ProcessId, from: Tick) {
        if !self.lines.is_body(process) {
            return;
        }
        self.around.remove_unbounded(undone);
        let tip = self.lines.tip(process);
        self.enter(tip, *self.lines.flight(tip));
        if self.is_there(tip) && !self.is_unbounded(tip) && !self.is_suspended(tip) {
            self.around.fall_back(process.0, from);
        } else {
            self.leave(tip, from);
        }
    }

    /// A segment whose end was undone looks ahead again from `from`.
    pub(super) fn reopen(&mut self, node: NodeId, from: Tick) {
        self.enter(node, *self.lines.flight(node));
        if self.is_suspended(node) || self.is_unbounded(node) {
            self.leave(node, from);
        } else {
            self.register_sweep(node, from);
        }
    }

    /// What a segment sweeps along its way from `after` on: to its end, as far as that is known.
    pub(super) fn path_of(&self, node: NodeId, after: Tick) -> Bounds {
        let from = self.lines.flight(node).start.max(after);
        let end = self.lines.end(node).moment.tick;
        let known = self.horizon(node).min(end).min(self.lines.alarm(node));
        self.path(node, from, known.min(self.world.until).max(from))
    }

    /// The box of a part of a segment's path; integrated motion must cover it.
    pub(super) fn path(&self, node: NodeId, from: Tick, to: Tick) -> Bounds {
        let motion = self.motion(node);
        if motion.model.law.is_pieced() {
            return self.integrated_path(node, from, to);
        }
        let (here, there) = (motion.position(from), motion.position(to));
        let seconds = to.since(from);
        // A parabola leaves the box of its ends by at most g t^2 / 8.
        let bulge = motion.model.gravity.abs() * (seconds * seconds / 8.0);
        let (below, above) = self.extent(node);
        Bounds::around(
            here.min(there) - bulge + below,
            here.max(there) + bulge + above,
        )
    }

    /// The box swept under gravity alone, and the tick up to which it holds: as far as it fits a cell
    /// together with what lies behind.
    fn ballistic_sweep(&self, node: NodeId, from: Tick, behind: Option<Bounds>) -> (Bounds, Tick) {
        let motion = self.motion(node);
        let model = motion.model;
        let room = self.room(motion.flight, model);
        let travelled = behind.map_or(0.0, |behind| {
            f64::from(behind.size()) - 2.0 * model.bounding_radius()
        });
        let room = (room - travelled.max(0.0)).max(0.25 * room);
        let velocity = motion.velocity(from).abs().max_element();
        let seconds = time_to_travel(room, velocity, model.gravity.abs().max_element());
        let horizon = if seconds.is_finite() {
            from.saturating_add((seconds * Tick::TICKS_PER_SECOND).min(4e18) as i64 + 1)
        } else {
            Tick::MAX
        };
        let horizon = self.observers.watch().cut(from, horizon);
        let horizon = match self.world.periodic {
            Some(_) => self.cut_at_side(node, from, horizon),
            None => horizon,
        };
        let to = if horizon == Tick::MAX { from } else { horizon };
        (self.path(node, from, to), horizon)
    }

    /// How far a body may travel in one look-ahead: who is lonely looks farther.
    fn room(&self, flight: &Flight, model: &BodyModel) -> f64 {
        if self.around.of(flight.body).is_lonely() {
            let diameter = 2.0 * model.bounding_radius();
            if let Some(cell) = self.around.grid().far_largest_for(1.1 * diameter) {
                return 0.99 * (cell - diameter);
            }
        }
        self.models.reach(flight.model).room
    }

    /// What a body reaches below and above its centre of mass in any attitude it may take.
    fn extent(&self, node: NodeId) -> (Vec3, Vec3) {
        let model = self.models.get(self.lines.flight(node).model);
        let radius = Vec3::splat(model.bounding_radius());
        if matches!(model.collider.form, physics::Form::Ball { .. }) {
            return (-radius, radius);
        }
        let turn = self.lines.turn(node);
        if turn.spin_max() == 0.0 {
            let pose = physics::Pose::from_parts(Vec3::ZERO, turn.rotation);
            if let Some(corners) = corners_at(model, &pose) {
                return corners;
            }
        }
        (-radius, radius)
    }

    /// The box swept by integrated motion, and the tick up to which it holds.
    fn integrated_sweep(&mut self, node: NodeId, from: Tick) -> (Bounds, Tick) {
        self.integrate(node, from);
        let windows = Windows::of(self.lines.turn(node));
        // To a canonical window's end: bodies whose look-aheads ended anywhere in a window would have it searched again at
        // each of these ends.
        let horizon = windows.end(from.saturating_add(windows.ticks() / 4));
        let horizon = self.cut_at_call(node, from, horizon);
        self.integrate(node, windows.needs(Tick(horizon.0 - 1)));
        (self.integrated_path(node, from, horizon), horizon)
    }

    fn integrated_path(&self, node: NodeId, from: Tick, to: Tick) -> Bounds {
        let motion = self.motion(node);
        let start = motion.flight.start;
        let radius = Vec3::splat(motion.model.bounding_radius());
        let here = motion.flight.position;
        let (mut lo, mut hi) = (here - radius, here + radius);
        if !motion.turn.forces().is_empty() {
            (lo, hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        }
        let (begin, end) = (from.since(start), to.since(start));
        let (pieces, attitudes) = (motion.turn.forces(), motion.turn.attitude());
        let first = pieces.partition_point(|piece| piece.path.end < begin);
        for (piece, attitude) in pieces.iter().zip(attitudes).skip(first) {
            let path = &piece.path;
            if path.start > end {
                break;
            }
            let length = path.end - path.start;
            let bulge = Vec3::splat(piece.acceleration_max * length * length / 8.0);
            // Half a piece from one of its ends at most, all points are this close to where they are there.
            let turned = radius * (0.5 * length * piece.spin_max);
            for t in [path.start, path.end] {
                let at = Vec3::from_array(path.value(t));
                let (below, above) = reaches(motion.model, attitude, t, turned);
                lo = lo.min(at - bulge + below);
                hi = hi.max(at + bulge + above);
            }
        }
        Bounds::around(lo, hi)
    }

    /// Extends a segment whose look-ahead has come to its end.
    pub(super) fn extend(&mut self, entry: &Pending) {
        let node = entry.a.node;
        let at = entry.order().moment.tick;
        if !self.lines.is_live(entry.a) || self.horizon(node) != at {
            return;
        }
        self.next_look_ahead(node, at);
        self.resume(&[]);
    }

    /// The next look-ahead of a segment whose last one ended at `at`.
    fn next_look_ahead(&mut self, node: NodeId, at: Tick) {
        self.look_ahead(node, at);
        self.check_node(node, at);
        if self.moves_groups(node) {
            self.outdate_steps_along(node, EventOrder::before(Moment::at(at)));
        }
    }

    /// A body's newest segment is about to end at `end`. A rollback may have shortened its look-ahead
    /// since the event was foreseen that ends it: then the rest is looked at now, or nobody would.
    pub(super) fn finish_look_ahead(&mut self, process: ProcessId, end: Tick) {
        while let Some(entry) = self.around.get(process.0)
            && entry.is_in()
            && entry.horizon <= end
            && !self.is_moving_member(entry.segment)
        {
            self.next_look_ahead(entry.segment, entry.horizon);
        }
    }
}

/// What a body reaches below and above its centre of mass at a time of a piece of its attitude, and wherever its points
/// have moved by `turned` at most.
fn reaches(model: &BodyModel, attitude: &Quintic<4>, t: f64, turned: Vec3) -> (Vec3, Vec3) {
    let radius = Vec3::splat(model.bounding_radius());
    let is_round = matches!(model.collider.form, physics::Form::Ball { .. });
    if is_round || turned.x >= radius.x {
        return (-radius, radius);
    }
    let rotation = Quat::from_array(attitude.value(t)).normalize();
    match corners_at(model, &Pose::from_parts(Vec3::ZERO, rotation)) {
        Some((below, above)) => ((below - turned).max(-radius), (above + turned).min(radius)),
        None => (-radius, radius),
    }
}

/// Normal and offset of a lone half-space whose body is at `position`.
fn half_space(model: &BodyModel, position: Vec3) -> Option<([f64; 3], f64)> {
    let [part] = model.collider.parts.as_slice() else {
        return None;
    };
    let Core::HalfSpace { normal, offset } = part.core else {
        return None;
    };
    Some((normal.to_array(), offset + normal.dot(position)))
}

/// Seconds to travel `room` metres at `speed` and accelerating at `gravity`; infinite at rest.
fn time_to_travel(room: f64, speed: f64, gravity: f64) -> f64 {
    if gravity > 0.0 {
        2.0 * room / (speed + (speed * speed + 2.0 * gravity * room).sqrt())
    } else if speed > 0.0 {
        room / speed
    } else {
        f64::INFINITY
    }
}
