//! Questions about the multibodies of a running simulation: how their joints stand.
//!
//! ```
//! use warpline::prelude::*;
//!
//! # fn main() -> Result<(), Error> {
//! let mut world = World::new();
//! let shape = table([("ball", 0.1.into()), ("position", [0., -1., 0.].into())]);
//! let link = table([
//!     ("joint", "hinge".into()),
//!     ("axis", [0., 0., 1.].into()),
//!     ("start", 90.0.into()),
//!     ("shape", shape),
//! ]);
//! world.multibody("pendulum").set("links", vec![link]).add();
//! let mut sim = world.simulate(1.0)?;
//! sim.advance(0.25)?;
//! let joints = sim.joints("pendulum", 0.25)?;
//! assert!(joints.positions[0] < 1.5 && joints.velocities[0] < -1.0);
//! # Ok(())
//! # }
//! ```

use crate::error::Error;
use crate::simulation::Simulation;

/// The joints of a multibody at a moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Joints {
    /// Positions, joint after joint: radians or metres, quaternions of ball joints, positions and quaternions of free ones.
    pub positions: Vec<f64>,
    /// Velocities, joint after joint.
    pub velocities: Vec<f64>,
    /// Control signals of the motors.
    pub controls: Vec<f64>,
    /// What its controller remembers.
    pub slots: Vec<f64>,
}

/// The place of a multibody among those of a world.
pub(crate) fn find(world: &sim::World, name: &str) -> Result<usize, Error> {
    let place = world.multibodies.iter().position(|m| m.name == name);
    place.ok_or_else(|| {
        let names: Vec<String> = world
            .multibodies
            .iter()
            .map(|m| format!("`{}`", m.name))
            .collect();
        let there = match names.is_empty() {
            true => "this world has none".into(),
            false => format!("there is {}", names.join(", ")),
        };
        Error::Other(format!("no multibody is called `{name}`; {there}"))
    })
}

impl Simulation {
    /// The joints of a multibody at a retained time, just before what happens then.
    pub fn joints(&mut self, multibody: &str, at: f64) -> Result<Joints, Error> {
        let index = find(self.model(), multibody)?;
        let tick = self.reach(at)?;
        let Some([mut positions, controls, slots]) = self.inner().joints(index, tick) else {
            return Err(Error::Other(format!("{at} s is out of reach")));
        };
        let velocities = positions.split_off(self.model().multibodies[index].model.positions());
        Ok(Joints {
            positions,
            velocities,
            controls,
            slots,
        })
    }
}
