//! What a world becomes: processes of bodies and callbacks, and the models they follow.

use super::look_ahead::Reach;
use super::pairs::Quick;
use super::{Course, Engine, Origin};
use crate::world::{BodyId, Kind as BodyKind};
use physics::BodyModel;
use record::Event;
use std::sync::Arc;
use warp::{EventOrder, Moment, ProcessId, Tick};

impl Engine {
    /// The model of bodies that are not there: never registered, so never met.
    pub(super) fn add_absent_model(&mut self) {
        let speck = physics::Part::centred(physics::Shape::Ball { radius: 1e-3 });
        let model = BodyModel::fixed(&[speck], physics::Material::default());
        let model = Arc::new(model.expect("a ball is a shape"));
        self.absent = self.models.len() as u32;
        self.set_model(self.absent, Arc::clone(&model));
        self.set_model(self.absent + 1, model);
    }

    /// Puts a model at an index, at most one past the last.
    pub(super) fn set_model(&mut self, index: u32, model: Arc<BodyModel>) {
        let index = index as usize;
        let (reach, quick) = (Reach::new(&model, &self.grid), Quick::new(&model));
        if index == self.models.len() {
            self.reaches.push(reach);
            self.quick.push(quick);
            self.models.push(model);
        } else {
            self.reaches[index] = reach;
            self.quick[index] = quick;
            self.models[index] = model;
        }
    }

    /// One process per body, then one per callback, then one per deformable.
    pub(super) fn add_processes(&mut self) {
        let start = EventOrder::before(Moment::at(Tick::ZERO));
        let world = Arc::clone(&self.world);
        for index in 0..world.bodies.len() {
            let (_, node) = self.graph.add_process(start);
            self.fit_columns();
            let body = &world.bodies[index];
            let event = if body.is_absent {
                Event::Leave
            } else {
                Event::Start
            };
            self.origins[node.index()] = Origin::of(event);
            let model = if body.is_absent {
                self.absent
            } else {
                body.model
            };
            let course = Course::alone(BodyId(index as u32), body.start, node, model);
            self.place(node, &course);
            if let Some((_, Some(next))) = body.script.as_ref().and_then(|s| s.piece(Tick::ZERO)) {
                self.set_alarm(node, next);
            }
            self.note_segment(node);
        }
        for callback in &world.callbacks {
            let (_, node) = self.graph.add_process(start);
            self.fit_columns();
            self.flights[node.index()].body = u32::MAX;
            self.set_alarm(node, Tick::from_seconds(callback.first.max(0.0)));
        }
        self.add_deformables();
        for process in 0..self.graph.processes() {
            let node = self.graph.tip(ProcessId(process as u32));
            self.arm(node);
        }
        self.is_starting = true;
        for body in 0..self.world.bodies.len() {
            let node = self.graph.tip(ProcessId(body as u32));
            if self.world.bodies[body].kind == BodyKind::Dynamic {
                self.check_node(node, Tick::ZERO);
            }
        }
        self.is_starting = false;
    }
}
