//! What two bodies do when they collide: Newton's restitution and Coulomb's friction, as one
//! impulse at one point.
//!
//! First the impulse that would stop all sliding is tried; if it lies outside the friction cone the
//! bodies slide and the impulse lies on the cone's edge against the sliding (an algebraic law in
//! impulse space). An impulse that would create energy is replaced by the frictionless one.

use crate::body::{BodyModel, Material};
use crate::collider::Form;
use crate::contact::Proximity;
use crate::motion::State;
use crate::rotation::world_tensor;
use crate::{Mat3, Vec3};

/// The outcome of a collision.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Outcome {
    /// Impulse on the first body, N s; the second receives the opposite.
    pub impulse: Vec3,
    /// Velocity of the first body.
    pub velocity_a: Vec3,
    /// Spin of the first body.
    pub spin_a: Vec3,
    /// Velocity of the second body.
    pub velocity_b: Vec3,
    /// Spin of the second body.
    pub spin_b: Vec3,
}

/// One side of a contact: how an impulse at the contact point changes the body.
pub struct Side {
    pub(crate) arm: Vec3,
    pub(crate) inverse_mass: f64,
    inverse_inertia: Mat3,
}

impl Side {
    /// A body that is touched at a point of the world.
    pub fn new(model: &BodyModel, state: &State, point: Vec3, friction: f64) -> Self {
        // A push on a ball without friction passes through its centre: no rounding may turn it.
        let turns = friction > 0.0 || !matches!(model.collider.form, Form::Ball { .. });
        let inertia = if turns {
            model.mass.inverse_inertia
        } else {
            Vec3::ZERO
        };
        let spherical = inertia.x == inertia.y && inertia.y == inertia.z;
        Side {
            arm: point - state.position,
            inverse_mass: model.mass.inverse_mass,
            inverse_inertia: if spherical {
                Mat3::from_diagonal(inertia)
            } else {
                world_tensor(state.rotation, inertia)
            },
        }
    }

    /// Change of the contact point's velocity per unit of impulse.
    pub fn response(&self, impulse: Vec3) -> Vec3 {
        impulse * self.inverse_mass
            + (self.inverse_inertia * self.arm.cross(impulse)).cross(self.arm)
    }

    fn apply(&self, state: &State, impulse: Vec3) -> (Vec3, Vec3) {
        let [velocity, spin] = self.kick(impulse);
        (state.velocity + velocity, state.spin + spin)
    }

    /// Changes of velocity and spin by an impulse.
    pub fn kick(&self, impulse: Vec3) -> [Vec3; 2] {
        [
            impulse * self.inverse_mass,
            self.inverse_inertia * self.arm.cross(impulse),
        ]
    }
}

/// Resolves the collision of two bodies that touch and approach at `near`.
pub fn resolve(
    (model_a, a): (&BodyModel, &State),
    (model_b, b): (&BodyModel, &State),
    near: &Proximity,
) -> Outcome {
    let material = model_a.meeting(model_b).material;
    resolve_with(material, (model_a, a), (model_b, b), near)
}

/// The same with a given restitution and friction.
pub fn resolve_with(
    material: Material,
    (model_a, a): (&BodyModel, &State),
    (model_b, b): (&BodyModel, &State),
    near: &Proximity,
) -> Outcome {
    let point = near.point();
    let side = |model, state| Side::new(model, state, point, material.friction);
    let (side_a, side_b) = (side(model_a, a), side(model_b, b));
    let relative = a.velocity_at(point) - b.velocity_at(point);
    let respond = |j: Vec3| side_a.response(j) + side_b.response(j);
    let impulse = impulse(&respond, near.normal, relative, material);
    let (velocity_a, spin_a) = side_a.apply(a, impulse);
    let (velocity_b, spin_b) = side_b.apply(b, -impulse);
    Outcome {
        impulse,
        velocity_a,
        spin_a,
        velocity_b,
        spin_b,
    }
}

/// The impulse on the first of two bodies, of which `respond` tells how much the first moves against the second
/// where they touch; `relative` is how it does so before.
pub fn impulse(
    respond: &impl Fn(Vec3) -> Vec3,
    normal: Vec3,
    relative: Vec3,
    material: Material,
) -> Vec3 {
    let approach = normal.dot(relative);
    let wanted = -(1.0 + material.restitution) * approach;
    let frictionless = normal * (wanted / normal.dot(respond(normal)));
    let sliding = relative - normal * approach;
    if material.friction == 0.0 || sliding.length_squared() < 1e-30 {
        return frictionless;
    }
    let tried = sticking(respond, normal, relative, wanted, material.friction)
        .or_else(|| slipping(respond, normal, sliding, wanted, material.friction));
    match tried {
        Some(j) if energy_change(j, relative, respond) <= 0.0 => j,
        _ => frictionless,
    }
}

/// The impulse after which the contact point does not slide, if friction can provide it.
fn sticking(
    respond: &impl Fn(Vec3) -> Vec3,
    normal: Vec3,
    relative: Vec3,
    wanted: f64,
    friction: f64,
) -> Option<Vec3> {
    let k = Mat3::from_cols(respond(Vec3::X), respond(Vec3::Y), respond(Vec3::Z));
    let target = normal * (wanted + normal.dot(relative)) - relative;
    let j = k.inverse() * target;
    let along = normal.dot(j);
    let across = (j - normal * along).length();
    (along > 0.0 && across <= friction * along).then_some(j)
}

/// The impulse on the friction cone's edge, against the sliding.
fn slipping(
    respond: &impl Fn(Vec3) -> Vec3,
    normal: Vec3,
    sliding: Vec3,
    wanted: f64,
    friction: f64,
) -> Option<Vec3> {
    let direction = normal - sliding.normalize() * friction;
    let gained = normal.dot(respond(direction));
    (gained > 0.0).then(|| direction * (wanted / gained))
}

/// Kinetic energy gained by both bodies, joules.
fn energy_change(j: Vec3, relative: Vec3, respond: &impl Fn(Vec3) -> Vec3) -> f64 {
    j.dot(relative) + 0.5 * j.dot(respond(j))
}
