//! From a tree of links with shapes to a multibody of a world and its bodies.

use super::{Controller, LinkBody, MultibodyBody, Tendon};
use crate::layers::Layers;
use crate::room::Tenure;
use crate::world::{Body, BodyId, Kind, World, WorldError};
use multibody::constraint::Constraint;
use multibody::loops::Loops;
use multibody::motor::Motor;
use multibody::{Multibody, Pose, Quat, Vec3, Workspace};
use physics::body::Law;
use physics::material::{NamedMaterial, Rolling};
use physics::{BodyModel, Collider, MassProperties, Material, Part, Shape, ShapeError};
use std::sync::Arc;

/// Radius of the ball that stands for a link that has no shape, metres. It collides with nothing.
const SHAPELESS: f64 = 1e-3;
/// Moments of inertia are at least this share of the mass times a square metre: what a point has none of, nothing
/// divides by.
const LEAST_MOMENT: f64 = 1e-12;

/// A state of the joints.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Positions; empty for those in which every link stands as it was placed.
    pub positions: Vec<f64>,
    /// Velocities; empty for rest.
    pub velocities: Vec<f64>,
}

/// What a link looks like.
#[derive(Clone, Debug, Default)]
pub struct LinkShape {
    /// Shapes in the link's frame; none for a link that is not touched.
    pub parts: Vec<Part>,
    /// Surface.
    pub material: Material,
    /// How it resists rolling.
    pub rolling: Rolling,
    /// The material's rules with others, if it has any.
    pub named: Option<Arc<NamedMaterial>>,
    /// Colour for pictures.
    pub color: Option<[f32; 3]>,
    /// Whom it meets.
    pub layers: Layers,
}

/// What a multibody is made of.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Its name; bodies are called after it and their links.
    pub name: String,
    /// The tree.
    pub model: Multibody,
    /// Closed loops and couplings.
    pub constraints: Vec<Constraint>,
    /// Fixed tendons with limits or dry friction.
    pub tendons: Vec<Tendon>,
    /// Motors.
    pub motors: Vec<Motor>,
    /// Their control signals; empty for none.
    pub controls: Vec<f64>,
    /// The joints at the start.
    pub start: State,
    /// What each link looks like.
    pub shapes: Vec<LinkShape>,
    /// Names of the joints, by link.
    pub joints: Vec<String>,
    /// Names of the motors.
    pub motor_names: Vec<String>,
    /// Whether links that are not neighbours collide with each other.
    pub collides_with_itself: bool,
    /// Pairs of links that never collide.
    pub apart: Vec<(usize, usize)>,
}

/// Why a multibody cannot be made or used.
#[derive(Clone, Debug, thiserror::Error)]
pub enum MultibodyError {
    /// A list of numbers has the wrong length.
    #[error("its {what} are {found} numbers; expected {expected}")]
    Count {
        /// Which list.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number is not finite.
    #[error("one of its {what} is not a finite number")]
    NotFinite {
        /// Which list.
        what: &'static str,
    },
    /// A shape is unusable.
    #[error("link `{link}`: {source}")]
    Shape {
        /// The link.
        link: String,
        /// What is wrong.
        source: ShapeError,
    },
    /// A shape that cannot move.
    #[error("link `{link}` has {what} as its shape; expected a solid of finite size")]
    Unbounded {
        /// The link.
        link: String,
        /// The shape.
        what: &'static str,
    },
    /// No link has mass.
    #[error("none of its links has mass")]
    Massless,
    /// Limits or dry friction without rules of contact.
    #[error(
        "its joint `{joint}` has limits or dry friction, which are solved as contacts are; add `[contact]` to the \
         scene"
    )]
    NeedsContact {
        /// The joint.
        joint: String,
    },
    /// Joints beside multibodies.
    #[error(
        "the scene has `[[joint]]`s as well, and a contact group cannot hold both; make what they hold a \
         `[[multibody]]` too"
    )]
    Joints,
    /// An input or a callback acts on a link.
    #[error("{what} acts on its link `{link}`; {expected}")]
    Acted {
        /// What acts.
        what: String,
        /// The link's body.
        link: String,
        /// What is possible instead.
        expected: &'static str,
    },
    /// A controller that sees what it cannot see.
    #[error("its controller sees `{body}`; expected a dynamic body that is not a link")]
    Seen {
        /// The body.
        body: String,
    },
    /// A controller that drives what it cannot drive.
    #[error(
        "its controller drives multibody {other} as well, of which there are {count}, each to be named once and \
         not the controller's own"
    )]
    Others {
        /// The number.
        other: usize,
        /// How many there are.
        count: usize,
    },
    /// A controller's slots.
    #[error("its controller looks by slot {eyes}, and has {slots}")]
    Eyes {
        /// The slot.
        eyes: usize,
        /// How many there are.
        slots: usize,
    },
    /// Cloth that meets links.
    #[error(
        "cloth or shells of the scene meet moving bodies, which links of multibodies cannot be yet"
    )]
    Cloth,
}

impl World {
    /// Adds a multibody and the bodies of its links; returns its number.
    pub fn add_multibody(&mut self, plan: Plan) -> Result<usize, MultibodyError> {
        let start = plan.check()?;
        let Plan {
            name,
            model,
            constraints,
            motors,
            shapes,
            joints,
            ..
        } = &plan;
        let mut controls = plan.controls.clone();
        controls.resize(motors.len(), 0.0);
        let loops = Loops::new(model, constraints.clone());
        let mut made = MultibodyBody {
            name: name.clone(),
            loops,
            tendons: plan.tendons.clone(),
            motors: motors.clone(),
            controls,
            start,
            links: Vec::new(),
            joints: joints.clone(),
            motor_names: plan.motor_names.clone(),
            controller: None,
            apart: Vec::new(),
            model: Arc::new(model.clone()),
        };
        let mut ws = Workspace::new(model);
        let (q, v) = made.start.split_at(model.positions());
        model.kinematics(q, v, &mut ws);
        for (link, shape) in shapes.iter().enumerate() {
            if model.link(link).inertia.mass > 0.0 {
                let body = self.add_link(name, model, link, shape, &ws)?;
                made.links.push(body);
            }
        }
        if made.links.is_empty() {
            return Err(MultibodyError::Massless);
        }
        made.apart = plan.apart_bodies(&made.links);
        self.multibodies.push(made);
        Ok(self.multibodies.len() - 1)
    }

    /// The body of a link.
    fn add_link(
        &mut self,
        name: &str,
        model: &Multibody,
        link: usize,
        shape: &LinkShape,
        ws: &Workspace,
    ) -> Result<LinkBody, MultibodyError> {
        let spec = model.link(link);
        let (moments, axes) = multibody::eigen::symmetric(spec.inertia.tensor);
        let frame = Pose::from_parts(spec.inertia.com, Quat::from_mat3(&axes).normalize());
        let mass = spec.inertia.mass;
        let inertia = moments.max(Vec3::splat(LEAST_MOMENT * mass));
        let fail = |source| MultibodyError::Shape {
            link: spec.name.clone(),
            source,
        };
        if let Some(bad) = shape.parts.iter().find(|p| !p.shape.is_solid()) {
            return Err(MultibodyError::Unbounded {
                link: spec.name.clone(),
                what: bad.shape.name(),
            });
        }
        let mut layers = shape.layers;
        let collider = if shape.parts.is_empty() {
            layers = Layers { of: 0, meets: 0 };
            let ball = Shape::Ball { radius: SHAPELESS };
            Collider::new(&[Part::centred(ball)], Pose::IDENTITY)
        } else {
            Collider::new(&shape.parts, frame.inverse())
        };
        let body_model = BodyModel {
            collider: collider.map_err(fail)?,
            mass: MassProperties::new(mass, inertia),
            material: shape.material,
            rolling: shape.rolling,
            named: shape.named.clone(),
            law: Law::Linked,
            gravity: model.gravity(),
            damping: [0.0; 2],
            field: None,
            user_frame: frame.inverse(),
        };
        let place = LinkBody {
            body: BodyId(self.bodies.len() as u32),
            link: link as u32,
            frame,
        };
        let start = place.state(ws);
        let model = self.add_model(body_model);
        self.bodies.push(Body {
            name: format!("{name}.{}", spec.name),
            model,
            kind: Kind::Dynamic,
            start,
            script: None,
            color: shape.color,
            is_absent: false,
            layers,
            is_sensor: false,
            tenure: Tenure::Declared,
        });
        Ok(place)
    }

    /// By body: whether it is a link of a multibody with motors, springs, dampers or drives of its own, or with inputs. The energy of
    /// such bodies is not all of their multibody's energy.
    pub fn driven_links(&self) -> Vec<bool> {
        let mut driven = vec![false; self.bodies.len()];
        for made in &self.multibodies {
            let acts = |k: usize| {
                let joint = &made.model.link(k).joint;
                joint.stiffness != 0.0 || joint.damping != 0.0 || joint.armature != 0.0
            };
            let is_link = |body: BodyId| made.links.iter().any(|link| link.body == body);
            let is_pulled = self.inputs.iter().any(|input| is_link(input.body));
            if is_pulled || !made.motors.is_empty() || (0..made.model.len()).any(acts) {
                for link in &made.links {
                    driven[link.body.index()] = true;
                }
            }
        }
        driven
    }

    /// What multibodies demand of the rest of the world.
    pub(crate) fn validate_multibodies(&self) -> Result<(), WorldError> {
        for made in &self.multibodies {
            self.validate_multibody(made)
                .map_err(|why| WorldError::Multibody {
                    multibody: made.name.clone(),
                    why,
                })?;
        }
        Ok(())
    }

    fn validate_multibody(&self, made: &MultibodyBody) -> Result<(), MultibodyError> {
        if self.contact.is_none() && !made.is_smooth() {
            let rough = (0..made.model.len()).find(|k| {
                let joint = &made.model.link(*k).joint;
                joint.limits.is_some() || joint.friction_loss != 0.0
            });
            let tendon = made.tendons.first().map(|tendon| tendon.name.clone());
            return Err(MultibodyError::NeedsContact {
                joint: rough.map_or(tendon.unwrap_or_default(), |k| made.joints[k].clone()),
            });
        }
        if self.contact.is_some() && !self.joints.is_empty() {
            return Err(MultibodyError::Joints);
        }
        if let Some(controller) = &made.controller {
            self.validate_controller(made, controller)?;
        }
        let link = |body: BodyId| made.links.iter().any(|l| l.body == body);
        let acted = |what: String, body: BodyId, expected| MultibodyError::Acted {
            what,
            link: self.bodies[body.index()].name.clone(),
            expected,
        };
        for callback in &self.callbacks {
            if let Some(&body) = callback.bodies.iter().find(|b| link(**b)) {
                let expected = "expected bodies that are not links";
                return Err(acted(
                    format!("callback `{}`", callback.name),
                    body,
                    expected,
                ));
            }
        }
        let meets =
            |d: &crate::deformable::DeformableBody| d.collides == crate::deformable::Collides::All;
        match self.deformables.iter().any(meets) {
            true => Err(MultibodyError::Cloth),
            false => Ok(()),
        }
    }
}

impl World {
    fn validate_controller(
        &self,
        made: &MultibodyBody,
        controller: &Controller,
    ) -> Result<(), MultibodyError> {
        let others = &controller.others;
        for (place, &other) in others.iter().enumerate() {
            let found = self.multibodies.get(other);
            let is_own = found.is_some_and(|m| m.links[0].body == made.links[0].body);
            if found.is_none() || is_own || others[..place].contains(&other) {
                let count = self.multibodies.len();
                return Err(MultibodyError::Others { other, count });
            }
        }
        let slots = controller.slots.len();
        if let Some(eyes) = controller.eyes.filter(|eyes| *eyes >= slots) {
            return Err(MultibodyError::Eyes { eyes, slots });
        }
        let is_link = |body: BodyId| {
            let mut links = self.multibodies.iter().flat_map(|made| &made.links);
            links.any(|link| link.body == body)
        };
        let blind = controller.sees.iter().find(|body| {
            let known = self.bodies.get(body.index());
            known.is_none_or(|b| b.kind != Kind::Dynamic) || is_link(**body)
        });
        match blind {
            None => Ok(()),
            Some(body) => Err(MultibodyError::Seen {
                body: self
                    .bodies
                    .get(body.index())
                    .map_or(format!("body {}", body.0), |b| b.name.clone()),
            }),
        }
    }
}

impl Plan {
    /// Checks all numbers; returns the state at the start.
    fn check(&self) -> Result<Vec<f64>, MultibodyError> {
        let count = |what, found: usize, expected: usize| match found == expected {
            true => Ok(()),
            false => Err(MultibodyError::Count {
                what,
                found,
                expected,
            }),
        };
        let State {
            positions,
            velocities,
        } = &self.start;
        let mut start = match positions.is_empty() {
            true => self.model.reference(),
            false => positions.clone(),
        };
        count("positions", start.len(), self.model.positions())?;
        match velocities.is_empty() {
            true => start.resize(start.len() + self.model.velocities(), 0.0),
            false => start.extend(velocities),
        }
        let all = self.model.positions() + self.model.velocities();
        count("positions and velocities", start.len(), all)?;
        if !self.controls.is_empty() {
            count("controls", self.controls.len(), self.motors.len())?;
        }
        count("shapes of links", self.shapes.len(), self.model.len())?;
        count("names of joints", self.joints.len(), self.model.len())?;
        count("names of motors", self.motor_names.len(), self.motors.len())?;
        for (what, numbers) in [
            ("positions or velocities", &start),
            ("controls", &self.controls),
        ] {
            if !numbers.iter().all(|x| x.is_finite()) {
                return Err(MultibodyError::NotFinite { what });
            }
        }
        self.model.normalize(&mut start[..self.model.positions()]);
        Ok(start)
    }

    /// Pairs of bodies that never collide: neighbours in the tree (links without mass between them do not count),
    /// and all pairs if the multibody does not collide with itself.
    fn apart_bodies(&self, links: &[LinkBody]) -> Vec<(u32, u32)> {
        let body = |link: usize| links.iter().find(|l| l.link as usize == link);
        let mut apart = Vec::new();
        for (place, link) in links.iter().enumerate() {
            let mut parent = self.model.link(link.link as usize).parent;
            while let Some(above) = parent.filter(|p| body(*p).is_none()) {
                parent = self.model.link(above).parent;
            }
            apart.extend(parent.and_then(body).map(|p| (p.body.0, link.body.0)));
            if !self.collides_with_itself {
                apart.extend(links[..place].iter().map(|l| (l.body.0, link.body.0)));
            }
        }
        for &(a, b) in &self.apart {
            if let (Some(a), Some(b)) = (body(a), body(b)) {
                apart.push((a.body.0.min(b.body.0), a.body.0.max(b.body.0)));
            }
        }
        apart.sort_unstable();
        apart.dedup();
        apart
    }
}
