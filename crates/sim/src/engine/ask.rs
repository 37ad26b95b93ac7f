//! Questions to the engine: states and slots of bodies, who is near, and how much memory it holds.

use super::Engine;
use super::groups::GroupSegment;
use super::stretches::{Owner, Stretches};
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
        let node = self.graph.covering(ProcessId(body.0), before)?;
        (self.flights[node.index()].model != self.absent).then_some(node)
    }

    /// Model and state of a body just before the events of a tick, if it is in the world then.
    pub(crate) fn seen_at(&mut self, body: BodyId, tick: Tick) -> Option<(&BodyModel, State)> {
        let node = self.present(body, tick)?;
        self.integrate(node, tick);
        let model = &self.models[self.model_index(node) as usize];
        Some((model, self.momentary(node, tick)))
    }

    /// Bodies whose boxes may overlap `bounds` at a tick; too many rather than too few.
    pub(crate) fn near_at(&self, bounds: &Bounds, tick: Tick, found: &mut Vec<BodyId>) {
        self.grid
            .query(&self.swept, bounds, |body| found.push(BodyId(body)));
        let mut add = |owner: Owner| found.extend(self.owning_body(owner).map(BodyId));
        if let Some(past) = &self.past {
            past.query(bounds, tick, tick, &mut add);
        }
        for unbounded in self.grid.unbounded() {
            if unbounded.is_near(bounds) {
                add(Owner::Segment(unbounded.node));
            }
        }
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
        self.graph.covering(ProcessId(body.0), order)
    }

    /// A body's slots at the end of its worldline.
    pub fn slots(&self, body: BodyId) -> Vec<f64> {
        self.slots_of(self.graph.tip(ProcessId(body.0)))
    }

    pub(super) fn slots_of(&self, node: NodeId) -> Vec<f64> {
        let width = self.world.slots;
        (0..width)
            .map(|i| self.slots[node.index() * width + i])
            .collect()
    }

    /// Segments held.
    pub fn segments_held(&self) -> usize {
        self.graph.live()
    }

    /// Bytes held for history, pending events and the broad phase.
    pub fn bytes(&self) -> usize {
        let steps: usize = self.segments.owned().iter().map(GroupSegment::bytes).sum();
        let columns = self.flights.bytes()
            + self.turns.bytes()
            + self.swept.bytes()
            + self.origins.bytes()
            + self.alarms.bytes()
            + self.slots.bytes()
            + self.group.bytes()
            + self.drive.bytes()
            + self.step_ends.bytes()
            + self.segments.bytes();
        self.graph.bytes()
            + self.queue.bytes()
            + self.grid.bytes()
            + columns
            + steps
            + self.ledger.bytes()
            + self.struck.bytes()
            + self.past.as_ref().map_or(0, Stretches::bytes)
    }
}
