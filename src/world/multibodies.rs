//! Multibodies of a world made in code: trees of links, robots that files describe, and who sets their motors.

use super::{Entry, World};
use crate::error::Error;
use sim::{ControlFn, Controller, scene};

impl World {
    /// A tree of links, with the keys of a scene's `[[multibody]]`.
    pub fn multibody(&mut self, name: &str) -> Entry<'_> {
        Entry::new(self, "multibody").set("name", name)
    }

    /// A robot that a URDF or MJCF file describes, with the keys of a scene's `[[robot]]`. The path is relative to the
    /// folder of the scene's file, or to the current one in a world that began with none.
    pub fn robot(&mut self, file: &str) -> Entry<'_> {
        Entry::new(self, "robot").set("file", file)
    }

    /// A function that sees the joints of a multibody at `first` seconds, sets the control signals of its motors, and is
    /// called again after as many seconds as it returns. What it remembers lies in `slots` numbers, which begin as zero
    /// and are rolled back with the multibody; it must be a pure function of what it is given.
    pub fn controller(
        &mut self,
        multibody: &str,
        first: f64,
        slots: usize,
        run: ControlFn,
    ) -> Result<&mut Self, Error> {
        super::tick(first)?;
        let controller = Controller::new(first, slots, run);
        self.controllers.retain(|(known, _)| known != multibody);
        self.controllers.push((multibody.into(), controller));
        Ok(self)
    }

    /// What readers of the scene and of robots' files had to say.
    pub fn warnings(&self) -> Result<Vec<String>, Error> {
        let name = self.scene.as_ref().map_or("world", |(name, _)| name);
        let read = scene::load(name, &self.to_scene(1.0), &self.overrides)?;
        Ok(read.warnings)
    }

    /// Gives the multibodies their controllers.
    pub(super) fn give_controllers(&self, world: &mut sim::World) -> Result<(), Error> {
        for (name, controller) in &self.controllers {
            let index = crate::multibodies::find(world, name)?;
            world.multibodies[index].controller = Some(controller.clone());
        }
        Ok(())
    }
}
