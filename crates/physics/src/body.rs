//! What is constant about a body: geometry, mass, material, and the law of its free motion.

use crate::collider::{Collider, unit_density_mass};
use crate::forces::ForceField;
use crate::material::{NamedMaterial, Rolling};
use crate::shape::{Part, ShapeError};
use crate::{Pose, State, Vec3};
use std::sync::Arc;

/// How a surface collides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Material {
    /// Newton's coefficient of restitution, 0 to 1. A pair takes the larger of both.
    pub restitution: f64,
    /// Coulomb's coefficient of friction. A pair takes the geometric mean.
    pub friction: f64,
}

impl Default for Material {
    fn default() -> Self {
        Material {
            restitution: 0.5,
            friction: 0.5,
        }
    }
}

impl Material {
    /// Restitution and friction of a pair.
    pub fn pair(a: Material, b: Material) -> Material {
        Material {
            restitution: a.restitution.max(b.restitution),
            friction: (a.friction * b.friction).sqrt(),
        }
    }
}

/// Mass and principal moments of inertia; the body's frame is the principal frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MassProperties {
    /// Kilograms; infinite for bodies that nothing can push.
    pub mass: f64,
    /// One over the mass.
    pub inverse_mass: f64,
    /// Principal moments, kg m^2.
    pub inertia: Vec3,
    /// One over the principal moments.
    pub inverse_inertia: Vec3,
}

impl MassProperties {
    /// A body that nothing can push.
    pub const IMMOVABLE: MassProperties = MassProperties {
        mass: f64::INFINITY,
        inverse_mass: 0.0,
        inertia: Vec3::INFINITY,
        inverse_inertia: Vec3::ZERO,
    };

    /// From a mass in kilograms and principal moments in kg m^2.
    pub fn new(mass: f64, inertia: Vec3) -> Self {
        MassProperties {
            mass,
            inverse_mass: 1.0 / mass,
            inertia,
            inverse_inertia: inertia.recip(),
        }
    }
}

/// How heavy a body is, as a user says it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Heft {
    /// Total mass in kilograms.
    Mass(f64),
    /// Density in kilograms per cubic metre.
    Density(f64),
}

/// The law a body follows between events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Law {
    /// It stays where it is (a fixed body).
    Constant,
    /// Constant velocity and spin until the next piece of its script (a kinematic body).
    Scripted,
    /// Uniform gravity and constant spin: a closed form (spherical inertia).
    Ballistic,
    /// Uniform gravity and torque-free tumbling: the rotation is integrated.
    Tumbling,
    /// Damping or a force field: everything is integrated.
    Integrated,
    /// A link of a multibody: whoever integrates the multibody hands over the pieces of its motion.
    Linked,
}

impl Law {
    /// Whether position and attitude are pieces of dense output.
    #[inline]
    pub fn is_pieced(self) -> bool {
        matches!(self, Law::Integrated | Law::Linked)
    }
}

/// The constant part of a body. Bodies that are alike share one.
#[derive(Clone)]
pub struct BodyModel {
    /// Geometry in the principal frame.
    pub collider: Collider,
    /// Mass and inertia.
    pub mass: MassProperties,
    /// Surface.
    pub material: Material,
    /// How the surface resists rolling.
    pub rolling: Rolling,
    /// The material's rules with others, if it has any.
    pub named: Option<Arc<NamedMaterial>>,
    /// The law of free motion.
    pub law: Law,
    /// Uniform acceleration, m/s^2 (zero for fixed and kinematic bodies).
    pub gravity: Vec3,
    /// Damping rates of velocity and of angular momentum, 1/s.
    pub damping: [f64; 2],
    /// A user's force field.
    pub field: Option<Arc<dyn ForceField>>,
    /// Pose of the user's frame in the principal frame.
    pub user_frame: Pose,
}

impl BodyModel {
    /// A body that never moves.
    pub fn fixed(parts: &[Part], material: Material) -> Result<Self, ShapeError> {
        Self::immovable(parts, material, Law::Constant)
    }

    /// A body that follows a script.
    pub fn kinematic(parts: &[Part], material: Material) -> Result<Self, ShapeError> {
        if let Some(bad) = parts
            .iter()
            .find(|p| !p.shape.is_solid() && p.shape.name() != "a half-space")
        {
            return Err(ShapeError::NotMovable {
                what: bad.shape.name(),
            });
        }
        Self::immovable(parts, material, Law::Scripted)
    }

    fn immovable(parts: &[Part], material: Material, law: Law) -> Result<Self, ShapeError> {
        Ok(BodyModel {
            collider: Collider::new(parts, Pose::IDENTITY)?,
            mass: MassProperties::IMMOVABLE,
            material,
            law,
            gravity: Vec3::ZERO,
            damping: [0.0; 2],
            field: None,
            rolling: Rolling::default(),
            named: None,
            user_frame: Pose::IDENTITY,
        })
    }

    /// A body that moves under uniform `gravity`.
    pub fn dynamic(
        parts: &[Part],
        heft: Heft,
        material: Material,
        gravity: Vec3,
    ) -> Result<Self, ShapeError> {
        if parts.is_empty() {
            return Err(ShapeError::Empty);
        }
        let unit = unit_density_mass(parts)?;
        let factor = match heft {
            Heft::Mass(mass) => mass * unit.inv_mass,
            Heft::Density(density) => density,
        };
        let principal = Pose::from_parts(unit.local_com, unit.principal_inertia_local_frame);
        let user_frame = principal.inverse();
        let collider = Collider::new(parts, user_frame)?;
        let inertia = unit.principal_inertia() * factor;
        let mass = MassProperties::new(unit.mass() * factor, symmetrised(inertia));
        let spherical = mass.inertia.min_element() == mass.inertia.max_element();
        Ok(BodyModel {
            collider,
            mass,
            material,
            law: if spherical {
                Law::Ballistic
            } else {
                Law::Tumbling
            },
            gravity,
            damping: [0.0; 2],
            field: None,
            rolling: Rolling::default(),
            named: None,
            user_frame,
        })
    }

    /// Adds damping rates (of velocity, of angular momentum; 1/s) and a force field.
    pub fn with_forces(mut self, damping: [f64; 2], field: Option<Arc<dyn ForceField>>) -> Self {
        if damping != [0.0; 2] || field.is_some() {
            self.law = Law::Integrated;
        }
        self.damping = damping;
        self.field = field;
        self
    }

    /// The state of the principal frame when the user's frame has the given state.
    pub fn principal_state(&self, user: &State) -> State {
        let pose = user.pose() * self.user_frame.inverse();
        State {
            position: pose.translation,
            velocity: user.velocity + user.spin.cross(pose.translation - user.position),
            rotation: pose.rotation.normalize(),
            spin: user.spin,
        }
    }

    /// The state of the user's frame when the principal frame has the given state: what was said of a body comes
    /// back in the same terms.
    pub fn user_state(&self, principal: &State) -> State {
        if self.user_frame == Pose::IDENTITY {
            return *principal;
        }
        let pose = principal.pose() * self.user_frame;
        State {
            position: pose.translation,
            velocity: principal.velocity
                + principal.spin.cross(pose.translation - principal.position),
            rotation: pose.rotation.normalize(),
            spin: principal.spin,
        }
    }

    /// Whether impulses can change its motion.
    pub fn is_movable(&self) -> bool {
        self.mass.inverse_mass > 0.0
    }

    /// A radius that a free body's points stay within while it turns (infinite if unbounded).
    pub fn bounding_radius(&self) -> f64 {
        self.collider.bounding_radius
    }
}

/// Moments that differ by rounding only are made equal, so that a ball or a cube is a closed form.
fn symmetrised(inertia: Vec3) -> Vec3 {
    let mean = (inertia.x + inertia.y + inertia.z) / 3.0;
    let spread = inertia.max_element() - inertia.min_element();
    if spread <= 1e-12 * mean {
        Vec3::splat(mean)
    } else {
        inertia
    }
}
