//! Deformables: cloth and shells as processes of the world. What is constant about one is a
//! [`Deformable`]; what changes is a [`Form`], made anew by every step and never altered afterwards, so
//! rolling back is a matter of going on from an earlier one.
//!
//! A deformable steps at its own ticks `T_k = k h`. The step at `T_k` is an event: it reads the states at
//! `T_k` of the bodies near it, makes the form at `T_{k+1}`, and pushes dynamic bodies, which begin new
//! segments at `T_k`. It must be a pure function of what it is given (law 2).

#[cfg(feature = "shells")]
mod carried;
#[cfg(feature = "shells")]
mod cloth;
#[cfg(feature = "shells")]
mod shell;

#[cfg(feature = "shells")]
pub use carried::Carried;
#[cfg(feature = "shells")]
pub use cloth::{ClothForm, ClothModel, Fastened};
#[cfg(feature = "shells")]
pub use shell::{ShellBody, ShellForm};

use crate::world::BodyId;
use physics::contact::{Proximity, nearest};
use physics::rotation::{turned, world_tensor};
use physics::triangle::{OnTriangle, nearest_to_triangle};
use physics::{BodyModel, State, Vec3};
use std::any::Any;
use std::sync::Arc;
use warp::Tick;

/// The state of a deformable at one of its ticks.
pub trait Form: Any + Send + Sync {
    /// Appends the positions of all vertices, m.
    fn positions(&self, into: &mut Vec<[f64; 3]>);

    /// The form as numbers, from which [`Deformable::restore`] makes it again; none if it cannot be saved.
    fn numbers(&self) -> Option<Vec<f64>> {
        None
    }
}

/// Mechanical energy of a form, J.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct FormEnergy {
    /// Of motion.
    pub kinetic: f64,
    /// In uniform gravity, relative to the origin, and in what is stretched, bent and pressed.
    pub potential: f64,
}

/// What is constant about a deformable, and the law by which its form goes on.
pub trait Deformable: Send + Sync {
    /// Seconds from one step to the next, h.
    fn step_seconds(&self) -> f64;

    /// The surface's triangles, by vertex number: how recordings and pictures show it.
    fn triangles(&self) -> &[[u32; 3]];

    /// The form at the start of the run.
    fn start(&self) -> Arc<dyn Form>;

    /// Whether only its forms may be shown, and nothing between two of them: a blend of two forms that do not cross
    /// themselves may.
    fn shows_forms_only(&self) -> bool {
        false
    }

    /// A form from its numbers; none if they do not fit.
    fn restore(&self, numbers: &[f64]) -> Option<Arc<dyn Form>> {
        let _ = numbers;
        None
    }

    /// Bodies whose surfaces are part of the model: a step is given these wherever they are, and no others. None if a step
    /// is given whatever is near.
    fn carries(&self) -> Option<&[BodyId]> {
        None
    }

    /// Bodies that it is fastened to, rising: a step is given these wherever they are, with what is near.
    fn holders(&self) -> &[BodyId] {
        &[]
    }

    /// The energy of a form; none if nothing is known of it.
    fn energy(&self, form: &dyn Form) -> Option<FormEnergy> {
        let _ = form;
        None
    }

    /// Lower and upper corner of a box that holds everything the deformable may touch within the step
    /// that begins with `form`. Bodies whose own swept boxes stay outside are not passed to the step.
    fn reach(&self, form: &dyn Form) -> [Vec3; 2];

    /// One step: the form at `span[1]`, from the form at `span[0]`. `bodies` rise by number and are as
    /// they are at `span[0]`; movable ones may be pushed. An error ends the run with this message.
    fn step(
        &self,
        form: &dyn Form,
        span: [Tick; 2],
        bodies: &mut [Neighbour<'_>],
    ) -> Result<Arc<dyn Form>, String>;
}

/// Which bodies a deformable meets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Collides {
    /// All of them; dynamic bodies are pushed back.
    #[default]
    All,
    /// Fixed and kinematic bodies only: nothing that happens to others matters to it.
    Immovable,
    /// None.
    Nothing,
}

/// A deformable in a world.
#[derive(Clone)]
pub struct DeformableBody {
    /// For messages and recordings.
    pub name: String,
    /// Colour for pictures (red, green, blue; 0 to 1).
    pub color: Option<[f32; 3]>,
    /// Which bodies it meets.
    pub collides: Collides,
    /// Its law.
    pub model: Arc<dyn Deformable>,
}

impl DeformableBody {
    /// The tick of its step number `k`: the one nearest to `k h`, so that errors do not add up.
    pub fn tick(&self, k: u64) -> Tick {
        Tick::from_seconds(k as f64 * self.model.step_seconds())
    }

    /// The number of the step at `tick`.
    pub fn step_number(&self, tick: Tick) -> u64 {
        (tick.seconds() / self.model.step_seconds()).round() as u64
    }
}

/// A body near a deformable, as it is at the beginning of a step.
pub struct Neighbour<'a> {
    /// Which body.
    pub body: BodyId,
    /// What is constant about it.
    pub model: &'a BodyModel,
    /// Its state, with all that it was pushed so far.
    pub state: State,
    /// Its acceleration during the step if nothing else happens to it, m/s^2.
    pub acceleration: Vec3,
    /// Changes of velocity and spin by this step's pushes.
    change: [Vec3; 2],
}

impl<'a> Neighbour<'a> {
    /// A body in this state.
    pub fn new(body: BodyId, model: &'a BodyModel, state: State, acceleration: Vec3) -> Self {
        Neighbour {
            body,
            model,
            state,
            acceleration,
            change: [Vec3::ZERO; 2],
        }
    }

    /// The surface point nearest to `point`.
    pub fn nearest(&self, point: Vec3) -> Proximity {
        nearest(self.model, &self.state.pose(), point)
    }

    /// The place of a triangle that is nearest to the body or deepest in it; none if only its corners matter.
    pub fn nearest_to_triangle(&self, corners: [Vec3; 3]) -> Option<OnTriangle> {
        nearest_to_triangle(self.model, &self.state.pose(), corners)
    }

    /// Change of the velocity at `point` along `normal` for a unit impulse along it there, 1/kg.
    pub fn inverse_mass(&self, point: Vec3, normal: Vec3) -> f64 {
        if !self.model.is_movable() {
            return 0.0;
        }
        let mass = &self.model.mass;
        let turning = (point - self.state.position).cross(normal);
        let inertia = world_tensor(self.state.rotation, mass.inverse_inertia);
        mass.inverse_mass + turning.dot(inertia * turning)
    }

    /// Applies an impulse (N s) at a point; bodies that cannot move take no notice.
    pub fn push(&mut self, point: Vec3, impulse: Vec3) {
        if !self.model.is_movable() {
            return;
        }
        let mass = &self.model.mass;
        let inertia = world_tensor(self.state.rotation, mass.inverse_inertia);
        let change = [
            impulse * mass.inverse_mass,
            inertia * (point - self.state.position).cross(impulse),
        ];
        self.state.velocity += change[0];
        self.state.spin += change[1];
        self.change[0] += change[0];
        self.change[1] += change[1];
    }

    /// Changes velocity and spin; bodies that cannot move take no notice.
    pub fn accelerate(&mut self, [velocity, spin]: [Vec3; 2]) {
        if !self.model.is_movable() {
            return;
        }
        self.state.velocity += velocity;
        self.state.spin += spin;
        self.change[0] += velocity;
        self.change[1] += spin;
    }

    /// Moves on for a part of the step, to be met there by its next part.
    fn fly(&mut self, seconds: f64) {
        self.state = self.after(seconds);
    }

    /// Its state some seconds later, if nothing else happens to it.
    fn after(&self, seconds: f64) -> State {
        let State { velocity, spin, .. } = self.state;
        let gained = self.acceleration * seconds;
        let mut state = self.state;
        state.position += (velocity + gained * 0.5) * seconds;
        state.rotation = turned(state.rotation, spin, seconds);
        state.velocity += gained;
        state
    }

    /// Changes of velocity and spin by all pushes of this step.
    pub fn change(&self) -> [Vec3; 2] {
        self.change
    }
}
