//! Questions to the engine: states and slots of bodies, who is near, and how much memory it holds.

use super::Engine;
use super::neighbourhood::When;
use crate::grid::Bounds;
use crate::world::BodyId;
use physics::{BodyModel, State};
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

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
    pub(crate) fn seen_at(&mut self, body: BodyId, tick: Tick) -> Option<(&BodyModel, State)> {
        let node = self.present(body, tick)?;
        self.integrate(node, tick);
        let model = self.models.get(self.lines.model(node));
        Some((model, self.momentary(node, tick)))
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
