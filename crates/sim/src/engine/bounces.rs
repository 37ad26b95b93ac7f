//! Bodies that a kinematic body has struck. A bounce off a kinematic body begins a segment on the other one
//! alone: the kinematic body goes on as it was, and no link leads from its worldline to the bounce. When it
//! moves otherwise from some event on, by an input or because one was taken back, every later bounce off it
//! is found here and undone.

use super::Engine;
use record::Event;
use warp::{EventOrder, NodeId};

impl Engine {
    fn is_kinematic(&self, body: u32) -> bool {
        let about = self.world.bodies.get(body as usize);
        about.is_some_and(|b| b.kind == crate::world::Kind::Kinematic)
    }

    /// Notes a segment that has just begun, if it begins with a bounce off a kinematic body.
    pub(super) fn remember_bounce(&mut self, node: NodeId) {
        let origin = self.lines.origin(node);
        let by = origin.partner;
        // Where nothing is ever undone there is nothing to note.
        if !self.around.keeps_past() || origin.event != Event::Collision || !self.is_kinematic(by) {
            return;
        }
        self.readers.add_bounce(by, node, &self.lines);
    }

    /// A body goes on otherwise after an event: if it is kinematic, undoes later bounces off it.
    pub(super) fn undo_bounces_off(&mut self, body: u32, after: EventOrder) {
        let later = self.readers.bounces_after(body, after, &self.lines);
        for segment in later {
            // Undoing one may have undone the others.
            if self.lines.is_live(segment) {
                let process = self.lines.process(segment.node);
                self.roll_back(process, self.lines.order(segment.node));
            }
        }
    }
}
