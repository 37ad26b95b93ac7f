//! Bodies that are added while it runs: a place is filled, and if there is none left the engine is made anew with more
//! of them, from its own history, as a checkpoint would be.

use super::{Engine, joints};
use crate::input::InputError;
use crate::layers::Layers;
use crate::room::{NewBody, Tenure};
use crate::simulation::SimulationError;
use crate::world::{BodyId, World};
use std::sync::Arc;
use warp::{ProcessId, Tick};

impl Engine {
    /// Fills a place that nobody has or may come back to.
    pub(crate) fn admit(&mut self, id: BodyId, new: NewBody) -> Result<(), SimulationError> {
        if !self.is_free(id) {
            return Err(SimulationError::Input(InputError::PlaceTaken {
                place: id.0 - self.world.declared() as u32,
                body: self.world.bodies[id.index()].name.clone(),
            }));
        }
        let layers = new.layers;
        let world = Arc::make_mut(&mut self.world);
        world.put(id, new)?;
        let own = world.bodies[id.index()].model;
        let modes = [own, own.carried()].map(|id| Arc::clone(&world.models[id.place()]));
        self.models.replace(own, modes, self.around.grid());
        if layers != Layers::default() || self.ties.has_layers() {
            self.ties = Arc::new(joints::Ties::new(&self.world));
        }
        Ok(())
    }

    /// Whether nobody is, was or will be at a place, as far as history that may still change is concerned.
    fn is_free(&self, id: BodyId) -> bool {
        if self.world.bodies[id.index()].tenure == Tenure::Vacant {
            return true;
        }
        let tip = self.lines.tip(ProcessId(id.0));
        self.lines.previous(tip).is_none()
            && self.lines.model(tip) == self.models.absent()
            && !self.inputs.concern(id.0)
    }

    /// Makes room until there are so many places.
    pub(crate) fn make_room(&mut self, places: usize, now: Tick) -> Result<(), SimulationError> {
        let full = |why: &'static str| {
            let places = self.world.room;
            SimulationError::Input(InputError::NoRoom { places, why })
        };
        if places > World::ROOM_MAX {
            return Err(full("there are at most 65536 places"));
        }
        if !self.world.deformables.is_empty() {
            return Err(full(
                "in a world with cloth or shells it must be made before the start; call make_room first",
            ));
        }
        let mut saved = self.save(now).map_err(full)?;
        saved.make_room(&self.world, places - self.world.room);
        let mut world = (*self.world).clone();
        world.make_room(places);
        let mut engine = Engine::restore(Arc::new(world), saved, now)
            .map_err(|_| full("its history could not be read again"))?;
        std::mem::swap(&mut engine.observers, &mut self.observers);
        engine.commits = self.commits;
        *self = engine;
        Ok(())
    }
}
