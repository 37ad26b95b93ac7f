//! What a contact group's step begins with: its members' segments and states.

use super::Engine;
use super::groups::Joining;
use crate::world::BodyId;
use physics::State;
use warp::{EventOrder, Moment, NodeId, ProcessId, Tick};

impl Engine {
    /// Whether a segment belongs to a group that rests.
    pub(super) fn rests(&self, node: NodeId) -> bool {
        self.lines.group_of(node).is_some() && self.is_still(node)
    }

    /// Whether a segment is that of a group's member that moves: it lasts for one step.
    pub(super) fn is_moving_member(&self, node: NodeId) -> bool {
        self.lines.group_of(node).is_some() && !self.is_still(node)
    }

    /// Whether a segment does not move at all.
    pub(super) fn is_still(&self, node: NodeId) -> bool {
        self.lines.is_still(node, &self.models)
    }

    /// A body's segment and state at an event, as a group's solver wants it.
    pub(super) fn joining(&mut self, body: BodyId, order: EventOrder) -> Option<Joining> {
        let node = self.lines.covering(ProcessId(body.0), order)?;
        self.integrate(node, order.moment.tick);
        Some(Joining {
            body,
            node,
            model: self.lines.model(node),
            state: self.momentary(node, order.moment.tick),
        })
    }

    /// A body's state at a tick of an integrated segment. A member of a group has the velocity and spin
    /// of its momentum, not those of its way through the step.
    pub(super) fn momentary(&self, node: NodeId, tick: Tick) -> State {
        let motion = self.motion(node);
        let mut state = motion.state(tick);
        if self.lines.group_of(node).is_some() {
            let (drive, end) = (self.lines.drive(node), self.lines.step_end(node));
            [state.velocity, state.spin] = drive.at(&motion, end, tick);
        }
        state
    }

    /// The members of the group that a body belongs to just before the events of a tick that history still
    /// covers; none if it is on its own.
    pub(crate) fn group_at(&self, body: BodyId, tick: Tick) -> Vec<BodyId> {
        let group = self
            .present(body, tick)
            .and_then(|n| self.lines.group_of(n));
        let at = EventOrder::before(Moment::at(tick));
        let members = group.map_or(Vec::new(), |g| self.members_at(g, at));
        members.into_iter().map(BodyId).collect()
    }

    /// Groups that history still holds, ended ones among them.
    pub(crate) fn groups_held(&self) -> usize {
        self.lines.groups_alive().count()
    }
}
