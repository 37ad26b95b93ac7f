//! What a world becomes: processes of bodies, callbacks and deformables.

use super::{Course, Engine, Origin};
use crate::room::Tenure;
use crate::world::{BodyId, Kind as BodyKind};
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, Moment, ProcessId, Tick};

impl Engine {
    /// One process per body, then one per callback, then one per deformable.
    pub(super) fn add_processes(&mut self) {
        let start = EventOrder::before(Moment::at(Tick::ZERO));
        let world = Arc::clone(&self.world);
        for index in 0..world.bodies.len() {
            let node = self.lines.add_process(start);
            let body = &world.bodies[index];
            let is_absent = body.is_absent || self.is_elsewhere(index as u32);
            let event = if is_absent {
                Event::Leave
            } else {
                Event::Start
            };
            self.lines.set_origin(node, Origin::of(event));
            let model = if is_absent {
                self.models.absent()
            } else {
                body.model
            };
            if self.multibodies.link(index as u32).is_some() {
                // Links begin with their multibodies.
                continue;
            }
            let course = Course::alone(BodyId(index as u32), body.start, node, model);
            self.place(node, &course);
            if let Some((_, Some(next))) = body.script.as_ref().and_then(|s| s.piece(Tick::ZERO)) {
                self.lines.set_alarm(node, next);
            }
            // Nobody has heard of a body that was not declared before it enters.
            if body.tenure == Tenure::Declared {
                self.account.note(node, &self.lines);
            }
        }
        for callback in &world.callbacks {
            let node = self.lines.add_process(start);
            let first = Tick::from_seconds(callback.first.max(0.0));
            self.lines.place_other(node, first);
        }
        self.add_deformables();
        self.add_multibodies();
        for process in 0..self.lines.processes() {
            let node = self.lines.tip(ProcessId(process as u32));
            self.arm(node);
        }
        self.is_starting = true;
        for body in 0..self.world.bodies.len() {
            let node = self.lines.tip(ProcessId(body as u32));
            if self.world.bodies[body].kind == BodyKind::Dynamic {
                self.check_node(node, Tick::ZERO);
            }
        }
        self.is_starting = false;
    }
}
