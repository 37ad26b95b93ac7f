//! Multibodies of a world made in code: trees of links, robots that files describe, and who sets their motors.

use super::{Entry, World};
use crate::error::Error;
use sim::{ControlFn, Controller, scene};

/// A controller, and what it sees by name.
#[derive(Clone, Debug)]
pub(super) struct Commanded {
    controller: Controller,
    bodies: Vec<String>,
    others: Vec<String>,
}

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
        self.controller_over(multibody, Controller::new(first, slots, run), &[], &[])
    }

    /// A controller that sees bodies and other multibodies as well, whose motors it sets too; it may also be told of
    /// collisions of its multibody's links ([`Controller::collided`]). What it sees and drives is called by name here, in the
    /// order in which it is handed over in calls.
    pub fn controller_over(
        &mut self,
        multibody: &str,
        controller: Controller,
        bodies: &[&str],
        others: &[&str],
    ) -> Result<&mut Self, Error> {
        super::tick(controller.first)?;
        let owned = |names: &[&str]| names.iter().map(|name| name.to_string()).collect();
        let named = Commanded {
            controller,
            bodies: owned(bodies),
            others: owned(others),
        };
        self.controllers.retain(|(known, _)| known != multibody);
        self.controllers.push((multibody.into(), named));
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
        for (name, named) in &self.controllers {
            let index = crate::multibodies::find(world, name)?;
            let mut controller = named.controller.clone();
            for body in &named.bodies {
                let found = world.bodies.iter().position(|b| b.name == *body);
                let missing = || {
                    Error::Other(format!(
                        "no body is called `{body}`, which the controller of `{name}` sees"
                    ))
                };
                controller
                    .sees
                    .push(sim::BodyId(found.ok_or_else(missing)? as u32));
            }
            for other in &named.others {
                controller
                    .others
                    .push(crate::multibodies::find(world, other)?);
            }
            world.multibodies[index].controller = Some(controller);
        }
        Ok(())
    }
}
