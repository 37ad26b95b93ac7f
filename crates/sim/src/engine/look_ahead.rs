//! Look-ahead: how far a body runs before it has to look around again, and the box it sweeps until
//! then. Each body has its own; extending it is a scheduled event, the analogue of cell crossing in
//! event-driven molecular dynamics. Results never depend on it, only cost does.

use super::{Engine, Kind, Pending};
use crate::grid::{Bounds, Grid, Unbounded};
use crate::overlap::corners_at;
use crate::world::{Kind as BodyKind, World};
use physics::body::Law;
use physics::collider::Core;
use physics::{BodyModel, Flight, Vec3};
use warp::{EventOrder, Moment, NodeId, Tick};

/// How far bodies of one model may travel in one look-ahead.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reach {
    /// Metres along an axis before the swept box outgrows its cell.
    room: f64,
}

impl Reach {
    pub(super) fn new(model: &BodyModel, grid: &Grid) -> Self {
        let diameter = 2.0 * model.bounding_radius();
        if !diameter.is_finite() {
            return Reach { room: 1.0 };
        }
        Reach {
            room: 0.99 * (grid.cell_for(1.1 * diameter) - diameter),
        }
    }
}

/// Longest look-ahead of integrated motion, ticks (a sixteenth of a second).
const INTEGRATED_TICKS: i64 = 1 << 36;

/// A grid that suits the world: cells a little larger than a typical body, or about as large as the
/// room a typical body has to itself.
pub(super) fn grid_for(world: &World) -> Grid {
    let dynamic = || world.bodies.iter().filter(|b| b.kind == BodyKind::Dynamic);
    let mut sizes: Vec<f64> = dynamic()
        .map(|b| 2.0 * world.models[b.model as usize].bounding_radius())
        .collect();
    if sizes.is_empty() {
        return Grid::new(1.0, 8, [1.0; 3]);
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
    let cell = (1.2 * typical).max(1.3 * spacing - 0.3 * typical);
    Grid::new(cell, sizes.len(), (extent / cell).to_array())
}

impl Engine {
    /// A body's newest segment takes the place of the one before in the broad phase.
    #[inline]
    pub(super) fn enter(&mut self, node: NodeId, flight: Flight) {
        let entry = &mut self.swept[flight.body as usize];
        entry.flight = flight;
        entry.segment = node;
    }

    /// Registers what a segment that has just entered sweeps from `from` on.
    pub(super) fn look_around(&mut self, node: NodeId, from: Tick) {
        let flight = &self.flights[node.index()];
        let (model, body) = (flight.model, flight.body);
        if model & !1 == self.absent {
            self.grid.remove(&mut self.swept, body);
            self.swept[body as usize].horizon = Tick::MAX;
        } else if self.is_moving_member(node) {
            self.look_to(node, self.step_ends[node.index()]);
        } else if self.models[model as usize].collider.is_unbounded() {
            self.grid.remove(&mut self.swept, body);
            self.look_everywhere(node);
        } else {
            self.look_ahead(node, from);
        }
    }

    /// Registers a segment that has no bounding box.
    fn look_everywhere(&mut self, node: NodeId) {
        let flight = &self.flights[node.index()];
        let model = &self.models[flight.model as usize];
        let plane = (model.law == Law::Constant)
            .then(|| half_space(model, flight.position))
            .flatten();
        self.swept[flight.body as usize].horizon = Tick::MAX;
        self.grid.insert_unbounded(Unbounded { node, plane });
    }

    /// Sets the segment's look-ahead from `from` on and registers the box it sweeps; schedules its
    /// extension.
    pub(super) fn look_ahead(&mut self, node: NodeId, from: Tick) {
        let flight = &self.flights[node.index()];
        let (body, law) = (flight.body, self.models[flight.model as usize].law);
        let (bounds, horizon) = if law == Law::Integrated {
            self.integrated_sweep(node, from)
        } else {
            self.ballistic_sweep(node, from)
        };
        self.register(body, bounds, horizon);
        if horizon < self.world.until {
            let reference = self.graph.reference(node);
            let place = self.place_of(body);
            self.queue
                .push(Pending::upkeep(Kind::Extend, horizon, reference).near(place));
        }
    }

    /// Registers what a group's member sweeps until its step ends; the next step replaces it.
    fn look_to(&mut self, node: NodeId, horizon: Tick) {
        let from = self.flights[node.index()].start;
        let bounds = self.path(node, from, horizon);
        self.register(self.flights[node.index()].body, bounds, horizon);
    }

    fn register(&mut self, body: u32, bounds: Bounds, horizon: Tick) {
        self.grid.remove(&mut self.swept, body);
        let entry = &mut self.swept[body as usize];
        entry.bounds = bounds;
        entry.horizon = horizon;
        self.grid.insert(&mut self.swept, body);
        self.stats.integrations += 1;
    }

    /// Where a body is in space, for [`Engine::take_window`].
    #[inline]
    pub(super) fn place_of(&self, body: u32) -> u16 {
        self.grid.place(&self.swept[body as usize])
    }

    /// The tick up to which a segment has looked ahead; never, if it is not its body's newest.
    #[inline]
    pub(super) fn horizon(&self, node: NodeId) -> Tick {
        match self.swept.get(self.flights[node.index()].body as usize) {
            Some(entry) if entry.segment == node => entry.horizon,
            _ => Tick::MAX,
        }
    }

    /// A look-ahead of a body's newest segment is over at `end`, by extension or because the segment
    /// ends: keeps it as a stretch, where somebody may still ask about it.
    pub(super) fn close(&mut self, node: NodeId, end: EventOrder) {
        let Some(past) = &mut self.past else {
            return;
        };
        let flight = &self.flights[node.index()];
        let entry = &self.swept[flight.body as usize];
        // A segment that was reopened just now has its stretches already.
        if entry.segment == node && entry.is_in() {
            past.keep(node, flight.start, &entry.bounds, entry.level(), end);
        }
    }

    /// A segment whose end was undone is in the broad phase again and looks ahead from `from`.
    pub(super) fn reopen(&mut self, node: NodeId, from: Tick) {
        let flight = self.flights[node.index()];
        if self.swept[flight.body as usize].segment == node {
            return;
        }
        self.enter(node, flight);
        if self.is_suspended(node) {
            self.grid.remove(&mut self.swept, flight.body);
        } else if !self.is_unbounded(node) {
            self.look_around(node, from);
        } else {
            self.swept[flight.body as usize].horizon = Tick::MAX;
        }
    }

    /// What a segment sweeps along its way from `after` on: to its end, as far as that is known.
    pub(super) fn path_of(&self, node: NodeId, after: Tick) -> Bounds {
        let from = self.flights[node.index()].start.max(after);
        let end = self.graph.end(node).moment.tick;
        let known = self.horizon(node).min(end).min(self.alarms[node.index()]);
        self.path(node, from, known.min(self.world.until).max(from))
    }

    /// The box of a path without a field of force.
    fn path(&self, node: NodeId, from: Tick, to: Tick) -> Bounds {
        let motion = self.motion(node);
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

    /// The box swept under gravity alone, and the tick up to which it holds.
    fn ballistic_sweep(&self, node: NodeId, from: Tick) -> (Bounds, Tick) {
        let motion = self.motion(node);
        let (flight, model) = (motion.flight, motion.model);
        let room = self.reaches[flight.model as usize].room;
        let velocity = motion.velocity(from).abs().max_element();
        let seconds = time_to_travel(room, velocity, model.gravity.abs().max_element());
        let horizon = if seconds.is_finite() {
            from.saturating_add((seconds * Tick::TICKS_PER_SECOND).min(4e18) as i64 + 1)
        } else {
            Tick::MAX
        };
        let to = if horizon == Tick::MAX { from } else { horizon };
        (self.path(node, from, to), horizon)
    }

    /// What a body reaches below and above its centre of mass in any attitude it may take.
    fn extent(&self, node: NodeId) -> (Vec3, Vec3) {
        let (flight, turn) = (&self.flights[node.index()], &self.turns[node.index()]);
        let model = &self.models[flight.model as usize];
        let radius = Vec3::splat(model.bounding_radius());
        if turn.spin_max == 0.0 && !matches!(model.collider.form, physics::Form::Ball { .. }) {
            let pose = physics::Pose::from_parts(Vec3::ZERO, turn.rotation);
            if let Some(corners) = corners_at(model, &pose) {
                return corners;
            }
        }
        (-radius, radius)
    }

    /// The box swept by integrated motion, and the tick up to which it holds.
    fn integrated_sweep(&mut self, node: NodeId, from: Tick) -> (Bounds, Tick) {
        let start = self.flights[node.index()].start;
        let horizon = from.saturating_add(INTEGRATED_TICKS);
        self.integrate(node, physics::impact::search_needs(horizon));
        let motion = self.motion(node);
        let radius = Vec3::splat(motion.model.bounding_radius());
        let (mut lo, mut hi) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        let (begin, end) = (from.since(start), horizon.since(start));
        for piece in &motion.turn.forces {
            let path = &piece.path;
            if path.end < begin || path.start > end {
                continue;
            }
            let length = path.end - path.start;
            let bulge = Vec3::splat(piece.acceleration_max * length * length / 8.0);
            for t in [path.start, path.end] {
                let at = Vec3::from_array(path.value(t));
                lo = lo.min(at - bulge);
                hi = hi.max(at + bulge);
            }
        }
        (Bounds::around(lo - radius, hi + radius), horizon)
    }

    /// Extends a segment whose look-ahead has come to its end.
    pub(super) fn extend(&mut self, entry: &Pending) {
        let node = entry.a.node;
        let at = entry.order().moment.tick;
        if !self.graph.is_live(entry.a) || self.is_suspended(node) || self.horizon(node) != at {
            return;
        }
        self.close(node, EventOrder::before(Moment::at(at)));
        self.look_ahead(node, at);
        self.check_node(node, at);
        if self.moves_groups(node) {
            self.undone.clear();
            self.begun.clear();
            self.note_stale(node, entry.order());
            self.undo_stale();
            self.resume_undone();
        }
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
