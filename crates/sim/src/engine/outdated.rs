//! Undoes group steps that read a body which has since moved differently. A group's step reads the kinematic bodies and
//! the sleepers near it without a link to them, for they belong to no group. When such a body moves otherwise, the steps
//! that may have read its old path, or should have read its new one, are outdated.

use super::Engine;
use super::neighbourhood::When;
use crate::grid::Bounds;
use crate::world::Kind as BodyKind;
use warp::{EventOrder, NodeId, ProcessId};

impl Engine {
    /// Whether groups read a segment without a link to it: that of a kinematic body, or of a sleeper,
    /// in a world with contact groups.
    pub(super) fn moves_groups(&self, node: NodeId) -> bool {
        let body = self.lines.flight(node).body as usize;
        self.world.contact.is_some()
            && self
                .world
                .bodies
                .get(body)
                .is_some_and(|b| b.kind == BodyKind::Kinematic || self.lines.is_asleep(node))
    }

    /// A body goes on otherwise: outdates the steps of groups along its old path and its new one, if they may have
    /// read them.
    pub(super) fn outdate_steps_around(&mut self, node: NodeId) {
        if self.world.contact.is_some() {
            self.outdate_steps_around_from(node, self.lines.order(node));
        }
    }

    /// A segment that began at `order` is there, or is no more: outdates the steps of groups along it and along
    /// the one before it, if they may have read them.
    pub(super) fn outdate_steps_around_from(&mut self, node: NodeId, order: EventOrder) {
        if self.moves_groups(node) {
            self.outdate_steps_along(node, order);
        }
        if let Some(previous) = self.lines.previous(node)
            && self.moves_groups(previous)
        {
            self.outdate_steps_along(previous, order);
        }
    }

    /// Outdates the steps after `after` of groups along a kinematic body's segment.
    pub(super) fn outdate_steps_along(&mut self, node: NodeId, after: EventOrder) {
        self.outdate_joined_steps(node, after);
        if self.is_unbounded(node) {
            self.outdate_all_steps(after);
            return;
        }
        let mut near = std::mem::take(&mut self.scratch.members);
        near.clear();
        let wide = self
            .path_of(node, after.moment.tick)
            .inflated(2.0 * self.readers.widest_reach());
        let add = |body| near.push(body);
        self.around.near(&wide, When::from(after), &self.lines, add);
        near.sort_unstable();
        near.dedup();
        for &other in &near {
            self.outdate_steps_of(ProcessId(other), after);
        }
        self.scratch.members = near;
    }

    fn outdate_all_steps(&mut self, after: EventOrder) {
        for body in self.lines.bodies() {
            self.outdate_steps_of(body, after);
        }
    }

    /// Outdates all steps after `after` that a body has made as a member of a group.
    pub(super) fn outdate_steps_of(&mut self, body: ProcessId, after: EventOrder) {
        let later: Vec<NodeId> = self.lines.after(body, after).collect();
        for node in later {
            self.outdate_step(node, after);
        }
    }

    fn outdate_step(&mut self, node: NodeId, after: EventOrder) {
        let order = self.lines.order(node);
        if let Some(group) = self.lines.group_of(node).filter(|_| order > after) {
            self.readers.outdate(group, order);
        }
    }

    /// Rolls back the steps that are outdated.
    pub(super) fn undo_outdated_steps(&mut self) {
        while let Some((group, order)) = self.readers.take_outdated() {
            if self.lines.is_ahead(group, order) {
                self.roll_back(group, order);
            }
        }
    }
}

impl Bounds {
    /// Larger by `margin` metres on every side.
    fn inflated(&self, margin: f64) -> Bounds {
        let corner = |at: [f32; 4], by: f64| {
            let [x, y, z, _] = at.map(f64::from);
            physics::Vec3::new(x + by, y + by, z + by)
        };
        Bounds::around(corner(self.lo, -margin), corner(self.hi, margin))
    }
}
