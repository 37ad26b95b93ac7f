//! Whom the members of a group may meet during a step. What members do to each other is the solver's affair, and so is
//! what fixed and kinematic bodies and sleepers do to them. So the broad phase is asked once, for the box around all
//! members, who else is there, and only those strangers look for members near them: a group of a thousand that nobody
//! comes to looks around at the price of one question.

use super::Engine;
use super::neighbourhood::When;
use crate::grid::{Bounds, Swept};
use warp::{EventOrder, NodeId, ProcessId};

/// Events of fewer segments are checked segment by segment.
const MANY: usize = 8;
/// Strangers to each member, at most: where there are more, members look around by themselves.
const STRANGERS_EACH: usize = 2;

impl Engine {
    /// Checks the segments that an event at `from` has begun as those of one group and of others who take part. Gives
    /// `false`, and does nothing, where that is no use.
    pub(super) fn check_group(&mut self, nodes: &[NodeId], from: EventOrder) -> bool {
        if nodes.len() < MANY
            || !self.detect
            || self.is_starting
            || self.world.contact.is_none()
            || self.world.periodic.is_some()
        {
            return false;
        }
        let Some(group) = nodes.iter().find_map(|node| self.lines.group_of(*node)) else {
            return false;
        };
        let mut strangers = std::mem::take(&mut self.scratch.strangers);
        let is_worth_while = self.find_strangers(nodes, group, from, &mut strangers);
        if is_worth_while {
            for &stranger in &strangers {
                self.check_stranger(stranger, group, from);
            }
            self.check_others(nodes, group, from);
        }
        self.scratch.strangers = strangers;
        is_worth_while
    }

    /// Whether a segment is that of a member of a group that is neither a guest nor still.
    fn is_inner(&self, node: NodeId, group: ProcessId, from: EventOrder) -> bool {
        self.is_member_of(node, group)
            && self.lines.step_begins(node) == from
            && !self.is_still(node)
            && self.around.of(self.lines.body_of(node).0).is_in()
    }

    /// Whether a segment is that of a group's member, and no guest's.
    fn is_member_of(&self, node: NodeId, group: ProcessId) -> bool {
        self.lines.group_of(node) == Some(group) && self.lines.host(node).is_none()
    }

    /// Finds the bodies within the box around a group's members that a member may meet. Gives `false` if the members are
    /// few, or far from each other, or strangers many.
    fn find_strangers(
        &self,
        nodes: &[NodeId],
        group: ProcessId,
        from: EventOrder,
        strangers: &mut Vec<u32>,
    ) -> bool {
        let is_movable = |node: NodeId| {
            self.models
                .outline(self.lines.flight(node).model)
                .is_movable()
        };
        if self.around.unbounded().iter().any(|u| is_movable(u.node)) {
            return false;
        }
        let mut count = 0;
        let mut all: Option<Bounds> = None;
        for &node in nodes
            .iter()
            .filter(|node| self.is_inner(**node, group, from))
        {
            let own = self.around.of(self.lines.body_of(node).0).bounds;
            all = Some(all.map_or(own, |all| all.union(&own)));
            count += 1;
        }
        let Some(all) = all.filter(|all| count >= MANY && self.around.is_compact(all, count))
        else {
            return false;
        };
        strangers.clear();
        let when = When {
            reads_past: false,
            ..When::at(from)
        };
        self.around.near(&all, when, &self.lines, |body| {
            if self.may_come(self.around.of(body), group, from) {
                strangers.push(body);
            }
        });
        strangers.len() <= STRANGERS_EACH * count
    }

    /// Whether what a body in the broad phase does is not the affair of a group's solver alone.
    fn may_come(&self, entry: &Swept, group: ProcessId, from: EventOrder) -> bool {
        let node = entry.segment;
        if !entry.is_in() || self.is_member_of(node, group) {
            return false;
        }
        // Of who has run ahead it is asked what was before.
        let has_run_ahead = self.lines.order(node) >= from;
        let is_solvers =
            !self.models.outline(entry.flight.model).is_movable() || self.lines.is_asleep(node);
        has_run_ahead || !is_solvers
    }

    /// Checks the members of a group that a stranger's look-ahead comes near.
    fn check_stranger(&mut self, stranger: u32, group: ProcessId, from: EventOrder) {
        let mut near = std::mem::take(&mut self.scratch.near[0]);
        near.clear();
        self.around.neighbours(stranger, None, &mut near);
        for &body in &near {
            let node = self.around.of(body).segment;
            if body != stranger && self.is_inner(node, group, from) {
                self.check_neighbour(node, stranger, from.moment.tick);
            }
        }
        self.scratch.near[0] = near;
    }

    /// Checks the segments of an event that are not those of a group's members.
    fn check_others(&mut self, nodes: &[NodeId], group: ProcessId, from: EventOrder) {
        let mut others = std::mem::take(&mut self.scratch.others);
        others.clear();
        for &node in nodes {
            if self.is_inner(node, group, from) {
                self.outdate_steps_around(node);
            } else {
                others.push(node);
            }
        }
        self.check_each(&others, from, false);
        self.scratch.others = others;
    }
}
