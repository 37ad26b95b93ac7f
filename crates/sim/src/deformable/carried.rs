//! Bodies whose surfaces are part of a shell's model. The shell runs its own clock from one of the world's ticks to the
//! next, and its layers push a body whenever they touch it; the world knows one motion of the body from tick to tick.
//!
//! So the velocity that a pushed body is given at a tick is the mean one of the step that begins there: free flight with
//! it ends where the shell's surface does. What the body's own velocity then differs by is kept beside the form and given
//! to it at the next tick, so that no momentum is lost; and where a hit or a joint took the body elsewhere in between, the
//! surface makes up for that within the next step.

use super::Neighbour;
use crate::world::BodyId;
use physics::Vec3;
use physics::rotation::rotation_vector;
use shell::acm::{Course, RigidId, ShellModel, ShellState};

/// Bodies of the world as rigid bodies of a shell, by rising number.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Carried {
    bodies: Vec<BodyId>,
    rigid: Vec<RigidId>,
}

/// What the velocity and the spin of a body differ by from the ones that the world knows, at a form's tick.
pub(super) type Ahead = [Vec3; 2];

impl Carried {
    /// Adds a body, which has a higher number than those before.
    pub fn push(&mut self, body: BodyId, rigid: RigidId) {
        self.bodies.push(body);
        self.rigid.push(rigid);
    }

    /// Which bodies.
    pub fn bodies(&self) -> &[BodyId] {
        &self.bodies
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Every body that is there, with its place among these.
    fn pairs<'n, 'm>(
        &self,
        near: &'n mut [Neighbour<'m>],
    ) -> impl Iterator<Item = (usize, &'n mut Neighbour<'m>)> {
        let place = |body: BodyId| self.bodies.binary_search(&body).ok();
        near.iter_mut()
            .filter_map(move |near| Some((place(near.body)?, near)))
    }

    /// Sends all surfaces on as the world has the bodies at the beginning of a step of some seconds. Those of bodies that
    /// are gone stand.
    pub(super) fn send(
        &self,
        (model, state): (&ShellModel, &mut ShellState),
        near: &mut [Neighbour<'_>],
        ahead: &[Ahead],
        seconds: f64,
    ) {
        for &rigid in &self.rigid {
            state.send(model, rigid, Course::default());
        }
        for (place, near) in self.pairs(near) {
            let rigid = self.rigid[place];
            let surface = state.rigid(rigid);
            let body = &near.state;
            let aside = rotation_vector(body.rotation * surface.rotation.inverse());
            let course = Course {
                velocity: body.velocity + ahead[place][0],
                spin: body.spin + ahead[place][1],
                acceleration: near.acceleration,
                shift: (body.position - surface.position) / seconds,
                turn: aside / seconds,
            };
            state.send(model, rigid, course);
        }
    }

    /// Tells the bodies how they move in the step, so that each ends where its surface has, and notes what their velocities
    /// will lack then.
    pub(super) fn take_back(
        &self,
        state: &ShellState,
        near: &mut [Neighbour<'_>],
        ahead: &mut [Ahead],
        seconds: f64,
    ) {
        for (place, near) in self.pairs(near) {
            let end = state.rigid(self.rigid[place]);
            let before = std::mem::take(&mut ahead[place]);
            if end.is_pushed {
                let falling = near.acceleration * (0.5 * seconds);
                let mean = (end.position - near.state.position) / seconds - falling;
                let turned = end.rotation * near.state.rotation.inverse();
                let spin = rotation_vector(turned) / seconds;
                ahead[place] = [
                    end.course.velocity - (mean + falling * 2.0),
                    end.course.spin - spin,
                ];
                near.accelerate([mean - near.state.velocity, spin - near.state.spin]);
            } else if before != [Vec3::ZERO; 2] {
                near.accelerate(before);
            }
        }
    }
}
