//! Groups that another body has left behind. A group's step reads the kinematic bodies and the sleepers
//! near it without a link to them, for they belong to no group. When such a body moves otherwise,
//! the steps that may have read its old path, or should have read its new one, are undone.

use super::{Engine, NO_GROUP};
use crate::grid::Bounds;
use crate::world::Kind as BodyKind;
use warp::{EventOrder, NodeId, ProcessId, Tick};

impl Engine {
    /// Whether groups read a segment without a link to it: that of a kinematic body, or of a sleeper,
    /// in a world with contact groups.
    pub(super) fn moves_groups(&self, node: NodeId) -> bool {
        let body = self.flights[node.index()].body as usize;
        self.world.contact.is_some()
            && self
                .world
                .bodies
                .get(body)
                .is_some_and(|b| b.kind == BodyKind::Kinematic || self.is_asleep(node))
    }

    /// A body goes on otherwise: notes the groups along its old path and its new one, if they may have
    /// read them.
    pub(super) fn note_moved(&mut self, node: NodeId) {
        if self.world.contact.is_some() {
            self.note_unmoved(node, self.graph.order(node));
        }
    }

    /// A segment that began at `order` is there, or is no more: notes the groups along it and along
    /// the one before it, if they may have read them.
    pub(super) fn note_unmoved(&mut self, node: NodeId, order: EventOrder) {
        if self.moves_groups(node) {
            self.note_stale(node, order);
        }
        if let Some(previous) = self.graph.previous(node)
            && self.moves_groups(previous)
        {
            self.note_stale(previous, order);
        }
    }

    /// Notes the steps after `after` of groups along a kinematic body's segment.
    pub(super) fn note_stale(&mut self, node: NodeId, after: EventOrder) {
        self.note_joined(node, after);
        if self.is_unbounded(node) {
            self.note_stale_everywhere(after);
            return;
        }
        let mut found = std::mem::take(&mut self.found);
        found.clear();
        let wide = self
            .path_of(node, after.moment.tick)
            .inflated(2.0 * self.widest_reach);
        self.grid.query(&self.swept, &wide, |other| {
            let mut at = Some(self.graph.tip(ProcessId(other)));
            while let Some(node) = at.filter(|n| self.graph.order(*n) > after) {
                found.push(node);
                at = self.graph.previous(node);
            }
        });
        if self.past.is_some() {
            self.find_past(&wide, after.moment.tick, after, Tick::MAX, &mut found);
            found.retain(|other| self.is_body(*other));
        }
        for &other in &found {
            self.note_if_stale(other, after);
        }
        self.found = found;
    }

    fn note_stale_everywhere(&mut self, after: EventOrder) {
        for body in 0..self.world.bodies.len() as u32 {
            let mut at = Some(self.graph.tip(ProcessId(body)));
            while let Some(node) = at.filter(|n| self.graph.order(*n) > after) {
                self.note_if_stale(node, after);
                at = self.graph.previous(node);
            }
        }
    }

    pub(super) fn note_if_stale(&mut self, node: NodeId, after: EventOrder) {
        let (group, order) = (self.group[node.index()], self.graph.order(node));
        if group != NO_GROUP && order > after {
            self.stale.push((ProcessId(group), order));
        }
    }

    /// Rolls back the steps that were noted.
    pub(super) fn undo_stale(&mut self) {
        while let Some((group, order)) = self.stale.pop() {
            if self.graph.contains(group)
                && !self.graph.is_idle(group)
                && self.graph.order(self.graph.tip(group)) >= order
            {
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
