//! Questions to the engine: states and slots of bodies, who is near, and how much memory it holds.

use super::Engine;
use super::neighbourhood::When;
use crate::grid::Bounds;
use crate::world::BodyId;
use physics::body::Law;
use physics::{BodyModel, ModelId, Pose, State, Vec3};
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

/// Numbers of a state.
const ROW: usize = 13;
/// So many bodies ahead of the one whose state is written its turn is asked for, and its segment.
const AHEAD: usize = 8;
const FAR_AHEAD: usize = 16;

/// What is asked of a model for every one of its bodies.
#[derive(Clone, Copy)]
struct ClosedForm {
    model: ModelId,
    gravity: Vec3,
    /// Whether its bodies are there and move in a closed form.
    is_closed: bool,
    /// Whether they were given in their principal frames.
    is_principal: bool,
}

/// Writes a state into its row, number by number: what was just computed one by one is slow to read in pairs.
#[inline(always)]
fn put(state: &State, row: &mut [f64; ROW]) {
    let (p, q, v, w) = (state.position, state.rotation, state.velocity, state.spin);
    *row = [
        p.x, p.y, p.z, q.x, q.y, q.z, q.w, v.x, v.y, v.z, w.x, w.y, w.z,
    ];
}

impl Engine {
    /// The state of a body at a tick that history still covers.
    pub fn state_at(&mut self, body: BodyId, tick: Tick) -> Option<State> {
        let node = self.covering_tick(body, tick)?;
        self.integrate(node, tick);
        Some(self.momentary(node, tick))
    }

    /// The segment that a body is on just before the events of a tick that history still covers, if
    /// it is in the world then.
    pub(crate) fn present(&self, body: BodyId, tick: Tick) -> Option<NodeId> {
        let before = EventOrder::before(Moment::at(tick));
        let node = self.lines.covering(ProcessId(body.0), before)?;
        self.is_there(node).then_some(node)
    }

    /// Model and state of a body just before the events of a tick, if it is in the world then.
    #[inline]
    pub(crate) fn seen_at(&mut self, body: BodyId, tick: Tick) -> Option<(&BodyModel, State)> {
        let node = self.present(body, tick)?;
        self.integrate(node, tick);
        let model = self.models.get(self.lines.model(node));
        Some((model, self.momentary(node, tick)))
    }

    /// Writes the states of the first bodies just before the events of a tick, in the frames in which they were given,
    /// 13 numbers each; not a number where a body is not there. Segments lie anywhere in memory: they are asked for
    /// some bodies ahead, their turns, which are found through them, somewhat later.
    pub(crate) fn fill_states(&mut self, tick: Tick, out: &mut [f64]) {
        let before = EventOrder::before(Moment::at(tick));
        let count = (out.len() / ROW).min(self.world.bodies.len());
        let (rows, rest) = out.split_at_mut(count * ROW);
        rest.fill(f64::NAN);
        let mut last = None;
        for (body, row) in rows.as_chunks_mut::<ROW>().0.iter_mut().enumerate() {
            let ahead = |by: usize| ProcessId((body + by).min(count - 1) as u32);
            self.lines
                .prefetch_segment(self.lines.tip(ahead(FAR_AHEAD)));
            self.lines.prefetch_turn(self.lines.tip(ahead(AHEAD)));
            // Questions are mostly about now.
            let tip = self.lines.tip(ProcessId(body as u32));
            let node = match self.lines.order(tip) <= before {
                true => Some(tip),
                false => self.lines.covering(ProcessId(body as u32), before),
            };
            if node.is_some_and(|node| self.put_closed_form(node, tick, &mut last, row)) {
                continue;
            }
            let Some((model, state)) = self.seen_at(BodyId(body as u32), tick) else {
                row.fill(f64::NAN);
                continue;
            };
            put(&model.user_state(&state), row);
        }
    }

    /// Writes the state of a body on a segment that has a closed form, the same bits as by [`Engine::seen_at`]; false
    /// for all others: of members of groups, of what is integrated, of who is not there. Neighbours in the list are
    /// often alike: what the `last` model says of its bodies is not looked up again.
    #[inline(always)]
    fn put_closed_form(
        &self,
        node: NodeId,
        tick: Tick,
        last: &mut Option<ClosedForm>,
        row: &mut [f64; ROW],
    ) -> bool {
        let flight = self.lines.flight(node);
        let form = match last {
            Some(form) if form.model == flight.model => *form,
            _ => *last.insert(self.closed_form(flight.model)),
        };
        if !form.is_closed || self.lines.group_of(node).is_some() {
            return false;
        }
        let turn = self.lines.turn(node);
        if turn.spin == Vec3::ZERO && tick != flight.start && form.is_principal {
            let t = tick.since(flight.start);
            let state = State {
                position: flight.position + (flight.velocity + form.gravity * (0.5 * t)) * t,
                velocity: flight.velocity + form.gravity * t,
                rotation: turn.rotation,
                spin: turn.spin,
            };
            put(&state, row);
        } else {
            let state = self.motion(node).state(tick);
            put(&self.models.get(flight.model).user_state(&state), row);
        }
        true
    }

    fn closed_form(&self, id: ModelId) -> ClosedForm {
        let model = self.models.get(id);
        let is_closed = matches!(model.law, Law::Constant | Law::Scripted | Law::Ballistic);
        ClosedForm {
            model: id,
            gravity: model.gravity,
            is_closed: is_closed && id.free() != self.models.absent(),
            is_principal: model.user_frame == Pose::IDENTITY,
        }
    }

    /// Positions, then velocities of a multibody's joints just before the events of a tick that history still covers, the
    /// control signals of its motors, and what its controller remembers.
    pub(crate) fn joints_seen_at(&mut self, index: usize, tick: Tick) -> Option<[Vec<f64>; 3]> {
        let now = self.joints_at(index, EventOrder::before(Moment::at(tick)))?;
        Some([now.joints, now.acting.controls, now.slots])
    }

    /// Bodies whose boxes may overlap `bounds` at a tick; too many rather than too few.
    pub(crate) fn near_at(&self, bounds: &Bounds, tick: Tick, found: &mut Vec<BodyId>) {
        let when = When::at(EventOrder::before(Moment::at(tick)));
        let add = |body| found.push(BodyId(body));
        self.around.near(bounds, when, &self.lines, add);
        found.sort_unstable();
        found.dedup();
    }

    /// The segment that a body is on at the end of a tick.
    pub(super) fn covering_tick(&self, body: BodyId, tick: Tick) -> Option<NodeId> {
        let order = EventOrder {
            moment: Moment {
                tick,
                micro: u32::MAX,
            },
            key: u64::MAX,
        };
        self.lines.covering(ProcessId(body.0), order)
    }

    /// A body's slots at the end of its worldline.
    pub fn slots(&self, body: BodyId) -> Vec<f64> {
        self.lines.slots(self.lines.tip(ProcessId(body.0)))
    }

    /// Segments held.
    pub fn segments_held(&self) -> usize {
        self.lines.held()
    }

    /// Bytes held for history, pending events and the broad phase.
    pub fn bytes(&self) -> usize {
        self.lines.bytes()
            + self.agenda.bytes()
            + self.around.bytes()
            + self.groups.bytes()
            + self.multibodies.bytes()
            + self.account.bytes()
            + self.readers.bytes()
    }
}
