//! Questions to the engine: states and slots of bodies, who is near, and how much memory it holds.

use super::Engine;
use super::neighbourhood::When;
use crate::grid::Bounds;
use crate::world::BodyId;
use physics::{BodyModel, State};
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

/// Numbers of a state.
const ROW: usize = 13;
/// So many bodies ahead of the one whose state is written memory is asked for.
const ASKED_AHEAD: usize = 8;

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
    /// some bodies ahead.
    pub(crate) fn fill_states(&mut self, tick: Tick, out: &mut [f64]) {
        let count = (out.len() / ROW).min(self.world.bodies.len());
        for (body, row) in out.chunks_exact_mut(ROW).enumerate() {
            if body + ASKED_AHEAD < count {
                let tip = self.lines.tip(ProcessId((body + ASKED_AHEAD) as u32));
                self.lines.prefetch_state(tip);
            }
            let seen = match body < count {
                true => self.seen_at(BodyId(body as u32), tick),
                false => None,
            };
            let Some((model, state)) = seen else {
                row.fill(f64::NAN);
                continue;
            };
            let state = model.user_state(&state);
            row[0..3].copy_from_slice(&state.position.to_array());
            row[3..7].copy_from_slice(&state.rotation.to_array());
            row[7..10].copy_from_slice(&state.velocity.to_array());
            row[10..13].copy_from_slice(&state.spin.to_array());
        }
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
            + self.account.bytes()
            + self.readers.bytes()
    }
}
