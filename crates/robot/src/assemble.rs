//! From a description to a multibody. Bodies without joints become part of what they stand on;
//! a body with several joints becomes a chain of links of which only the last has mass.

use crate::description::*;
use crate::error::{Place, RobotError, suggestion};
use multibody::constraint::{Combination, Constraint, Coordinate, Frame};
use multibody::motor::Motor;
use multibody::passive::{Band, Drag, Surroundings};
use multibody::spatial::Sym3;
use multibody::{Builder, Inertia, JointKind, LinkSpec, Mat3, ModelError, Multibody};
use multibody::{Pose, Vec3, Workspace};

/// Where a body is: on a link or in the world, at a pose in that frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BodyFrame {
    /// The link that carries it, or the world.
    pub link: Option<usize>,
    /// In the link's frame.
    pub pose: Pose,
}

/// A robot ready to move.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// The tree.
    pub multibody: Multibody,
    /// Where each body of the description is.
    pub bodies: Vec<BodyFrame>,
    /// Name and link of each joint.
    pub joints: Vec<(String, usize)>,
    /// Length of each tendon of the description.
    pub tendons: Vec<Combination>,
    /// Active loops and couplings.
    pub constraints: Vec<Constraint>,
    /// Motors that pull at joints or fixed tendons, with their number in the description.
    pub motors: Vec<(usize, Motor)>,
}

impl Assembly {
    /// A body's pose in the world, after kinematics.
    pub fn body_pose(&self, ws: &Workspace, body: usize) -> Pose {
        let frame = &self.bodies[body];
        match frame.link {
            Some(link) => {
                let rot = ws.rotation(link);
                let turn = multibody::Quat::from_mat3(&rot) * frame.pose.rotation;
                let at = ws.origin(link) + rot * frame.pose.translation;
                Pose::from_parts(at, turn.normalize())
            }
            None => frame.pose,
        }
    }
}

/// Links in the making.
struct Parts {
    specs: Vec<LinkSpec>,
    places: Vec<Place>,
    frames: Vec<BodyFrame>,
    joints: Vec<(String, usize)>,
    spring_dampers: Vec<(usize, (f64, f64))>,
}

impl Robot {
    /// Makes a multibody of the robot.
    pub fn assemble(&self) -> Result<Assembly, RobotError> {
        let mut parts = self.parts()?;
        self.refuse_massless(&parts)?;
        let mut multibody = self.build(&parts)?;
        if !parts.spring_dampers.is_empty() {
            self.tune_springs(&multibody, &mut parts);
            multibody = self.build(&parts)?;
        }
        let mut assembly = Assembly {
            multibody,
            bodies: parts.frames,
            joints: parts.joints,
            tendons: Vec::new(),
            constraints: Vec::new(),
            motors: Vec::new(),
        };
        for tendon in &self.tendons {
            let length = self.tendon_length(tendon, &assembly)?;
            assembly.tendons.push(length);
        }
        let surroundings = self.surroundings(&assembly);
        assembly.multibody.surround(surroundings);
        assembly.constraints = self.constraints(&assembly)?;
        assembly.motors = self.motors(&assembly)?;
        self.check_keyframes(&assembly)?;
        Ok(assembly)
    }

    fn parts(&self) -> Result<Parts, RobotError> {
        let mut parts = Parts {
            specs: Vec::new(),
            places: Vec::new(),
            frames: Vec::new(),
            joints: Vec::new(),
            spring_dampers: Vec::new(),
        };
        for body in &self.bodies {
            let below = body.parent.map_or(
                BodyFrame {
                    link: None,
                    pose: Pose::IDENTITY,
                },
                |p| parts.frames[p],
            );
            let mut frame = BodyFrame {
                link: below.link,
                pose: below.pose * body.pose,
            };
            for joint in &body.joints {
                let free = joint.joint.kind == JointKind::Free;
                let anchor = if free { Vec3::ZERO } else { joint.anchor };
                if free && (frame.link.is_some() || body.joints.len() > 1) {
                    let message = "a free joint must be the only one of a body of the world";
                    return Err(self.sources.error(&joint.place, message));
                }
                parts.specs.push(LinkSpec {
                    name: body.name.clone(),
                    parent: frame.link,
                    placement: frame.pose * Pose::from_translation(anchor),
                    joint: joint.joint,
                    inertia: Inertia::NONE,
                });
                parts.places.push(joint.place.clone());
                let link = parts.specs.len() - 1;
                parts.joints.push((joint.name.clone(), link));
                parts
                    .spring_dampers
                    .extend(joint.spring_damper.map(|s| (link, s)));
                frame = BodyFrame {
                    link: Some(link),
                    pose: Pose::from_translation(-anchor),
                };
            }
            if let Some(link) = frame.link {
                let turn = Mat3::from_quat(frame.pose.rotation);
                let placed = body.inertia.placed(frame.pose.translation, &turn);
                let whole = &mut parts.specs[link].inertia;
                *whole = whole.and(placed);
            }
            parts.frames.push(frame);
        }
        Ok(parts)
    }

    fn refuse_massless(&self, parts: &Parts) -> Result<(), RobotError> {
        let none = |i: &Inertia| i.mass <= 0.0 && i.tensor == Sym3::ZERO;
        let mut empty: Vec<bool> = parts.specs.iter().map(|s| none(&s.inertia)).collect();
        for k in (0..parts.specs.len()).rev() {
            if empty[k] {
                return Err(self.massless(parts, k));
            }
            if let Some(parent) = parts.specs[k].parent {
                empty[parent] = false;
            }
        }
        Ok(())
    }

    fn massless(&self, parts: &Parts, link: usize) -> RobotError {
        let message = format!(
            "the body `{}` moves with this joint, but nothing that moves with it has inertia along it",
            parts.specs[link].name
        );
        let error = self.sources.error(&parts.places[link], message);
        error.help("give it mass and inertia, or make the joint fixed")
    }

    fn build(&self, parts: &Parts) -> Result<Multibody, RobotError> {
        let mut builder = Builder::new(self.gravity);
        for (spec, place) in parts.specs.iter().zip(&parts.places) {
            builder
                .add(spec.clone())
                .map_err(|e| self.sources.error(place, e.to_string()))?;
        }
        builder.build().map_err(|e| match &e {
            ModelError::Massless { link } => {
                let at = parts.specs.iter().position(|s| s.name == *link);
                self.massless(parts, at.unwrap_or(0))
            }
            _ => self.sources.error(&Place::default(), e.to_string()),
        })
    }

    /// `springdamper`: stiffness and damping from a time constant, a damping ratio and the inertia that an impulse along
    /// the joint feels in the reference position, all other joints being free to answer.
    fn tune_springs(&self, model: &Multibody, parts: &mut Parts) {
        if parts.spring_dampers.is_empty() {
            return;
        }
        let yielding = reference_yield(model);
        for &(link, (time, ratio)) in &parts.spring_dampers {
            if time <= 0.0 || ratio <= 0.0 {
                continue;
            }
            let joint = &mut parts.specs[link].joint;
            let (v, n) = (model.velocity_index(link), joint.kind.velocities());
            let sum: f64 = yielding[v..v + n].iter().sum();
            let inertia = n as f64 / sum.max(1e-15);
            joint.stiffness = inertia / (time * time * ratio * ratio);
            joint.damping = 2.0 * inertia / time;
        }
    }

    fn joint_coordinate(
        &self,
        name: &str,
        place: &Place,
        assembly: &Assembly,
    ) -> Result<(Coordinate, usize), RobotError> {
        let known = assembly.joints.iter().map(|(n, _)| n.as_str());
        let Some((_, link)) = assembly.joints.iter().find(|(n, _)| n == name) else {
            let error = self
                .sources
                .error(place, format!("there is no joint `{name}` that moves"));
            return Err(error.help(suggestion(name, known)));
        };
        let model = &assembly.multibody;
        if model.link(*link).joint.kind.velocities() != 1 {
            let message = format!("the joint `{name}` is neither a hinge nor a slide");
            return Err(self.sources.error(place, message));
        }
        let at = Coordinate {
            position: model.position_index(*link),
            velocity: model.velocity_index(*link),
        };
        Ok((at, *link))
    }

    fn joint_combination(
        &self,
        name: &str,
        place: &Place,
        assembly: &Assembly,
    ) -> Result<Combination, RobotError> {
        let (at, _) = self.joint_coordinate(name, place, assembly)?;
        Ok(Combination {
            terms: vec![(at, 1.0)],
            offset: 0.0,
        })
    }

    fn tendon_length(&self, t: &Tendon, assembly: &Assembly) -> Result<Combination, RobotError> {
        let mut length = Combination::default();
        for (joint, coefficient) in &t.terms {
            let (at, _) = self.joint_coordinate(joint, &t.place, assembly)?;
            length.terms.push((at, *coefficient));
        }
        Ok(length)
    }

    fn surroundings(&self, assembly: &Assembly) -> Surroundings {
        let (density, viscosity, wind) = self.fluid;
        let mut out = Surroundings {
            density,
            viscosity,
            wind,
            ..Default::default()
        };
        for (body, frame) in self.bodies.iter().zip(&assembly.bodies) {
            let (Some(link), true) = (frame.link, body.inertia.mass > 0.0) else {
                continue;
            };
            let turn = Mat3::from_quat(frame.pose.rotation);
            let own = body.inertia.placed(frame.pose.translation, &turn);
            if body.gravity_compensation != 0.0 {
                let mass = own.mass * body.gravity_compensation;
                out.weightless.push((link, own.com, mass));
            }
            if density != 0.0 || viscosity != 0.0 {
                let (moments, axes) = multibody::eigen::symmetric(own.tensor);
                let sum = moments.element_sum();
                let edge =
                    (Vec3::splat(sum) - moments * 2.0).max(Vec3::splat(1e-15)) * 6.0 / own.mass;
                out.drags.push(Drag {
                    link,
                    com: own.com,
                    axes,
                    size: Vec3::new(edge.x.sqrt(), edge.y.sqrt(), edge.z.sqrt()),
                });
            }
        }
        let mut slack = assembly.multibody.reference();
        for (_, link) in &assembly.joints {
            let joint = assembly.multibody.link(*link).joint;
            if joint.kind.velocities() == 1 {
                slack[assembly.multibody.position_index(*link)] = joint.spring_reference;
            }
        }
        for (tendon, length) in self.tendons.iter().zip(&assembly.tendons) {
            if tendon.stiffness != 0.0 || tendon.damping != 0.0 {
                let own = length.value(&slack);
                out.bands.push(Band {
                    length: length.clone(),
                    stiffness: tendon.stiffness,
                    damping: tendon.damping,
                    rest: tendon.rest.unwrap_or((own, own)),
                });
            }
        }
        out
    }

    fn constraints(&self, assembly: &Assembly) -> Result<Vec<Constraint>, RobotError> {
        let model = &assembly.multibody;
        let q = model.reference();
        let mut ws = Workspace::new(model);
        model.kinematics(&q, &vec![0.0; model.velocities()], &mut ws);
        let pose =
            |body: Option<usize>| body.map_or(Pose::IDENTITY, |b| assembly.body_pose(&ws, b));
        let frame = |body: Option<usize>, local: Pose| {
            let own = body.map(|b| assembly.bodies[b]);
            Frame {
                link: own.and_then(|f| f.link),
                pose: own.map_or(local, |f| f.pose * local),
            }
        };
        let point = Pose::from_translation;
        // relative to where both are in the reference position
        let zeroed = |mut c: Combination| {
            c.offset = -c.value(&q);
            c
        };
        let mut out = Vec::new();
        for e in self.equalities.iter().filter(|e| e.active) {
            let joint = |name: &str| self.joint_combination(name, &e.place, assembly);
            out.push(match &e.kind {
                EqualityKind::Connect {
                    first,
                    second,
                    anchor,
                    other,
                } => {
                    let there = pose(*first).transform_point(*anchor);
                    let local = pose(*second).inverse_transform_point(there);
                    Constraint::Connect(
                        frame(*first, point(*anchor)),
                        frame(*second, point(other.unwrap_or(local))),
                    )
                }
                EqualityKind::Weld {
                    first,
                    second,
                    pose: given,
                    anchor,
                } => {
                    let relative = given.unwrap_or_else(|| pose(*first).inverse() * pose(*second));
                    Constraint::Weld(
                        frame(*first, relative * point(*anchor)),
                        frame(*second, point(*anchor)),
                    )
                }
                EqualityKind::Joint {
                    first,
                    second,
                    polynomial,
                } => couple(first, second.as_deref(), *polynomial, |name| {
                    Ok(zeroed(joint(name)?))
                })?,
                EqualityKind::Tendon {
                    first,
                    second,
                    polynomial,
                } => couple(first, second.as_deref(), *polynomial, |name| {
                    let at = self.tendon_index(name, &e.place)?;
                    Ok(zeroed(assembly.tendons[at].clone()))
                })?,
                EqualityKind::Mimic {
                    first,
                    second,
                    multiplier,
                    offset,
                } => Constraint::Couple {
                    first: joint(first)?,
                    second: Some(joint(second)?),
                    polynomial: [*offset, *multiplier, 0.0, 0.0, 0.0],
                },
            });
        }
        Ok(out)
    }

    fn tendon_index(&self, name: &str, place: &Place) -> Result<usize, RobotError> {
        self.tendons
            .iter()
            .position(|t| t.name == name)
            .ok_or_else(|| {
                let known = self.tendons.iter().map(|t| t.name.as_str());
                let message = format!("there is no fixed tendon `{name}`");
                self.sources
                    .error(place, message)
                    .help(suggestion(name, known))
            })
    }

    fn motors(&self, assembly: &Assembly) -> Result<Vec<(usize, Motor)>, RobotError> {
        let diagonal = reference_inertia(&assembly.multibody);
        let mut out = Vec::new();
        for (k, a) in self.actuators.iter().enumerate() {
            let mut transmission = match &a.transmission {
                Transmission::Joint(name, _) => self.joint_combination(name, &a.place, assembly)?,
                Transmission::Tendon(name, _) => {
                    assembly.tendons[self.tendon_index(name, &a.place)?].clone()
                }
                Transmission::Other => continue,
            };
            if let Transmission::Joint(_, gear) | Transmission::Tendon(_, gear) = &a.transmission {
                for term in &mut transmission.terms {
                    term.1 *= gear;
                }
            }
            let mut motor = Motor::affine(transmission, a.gain, a.bias);
            if let Some(ratio) = a.damping_ratio {
                let terms = motor
                    .transmission
                    .terms
                    .iter()
                    .filter(|(_, t)| t.abs() > 1e-15);
                let mass: f64 = terms.map(|(c, t)| diagonal[c.velocity] / (t * t)).sum();
                motor.bias[2] -= ratio * 2.0 * (a.gain[0].max(0.0) * mass).sqrt();
            }
            motor.control_range = a.control_range;
            motor.force_range = a.force_range;
            out.push((k, motor));
        }
        Ok(out)
    }

    fn check_keyframes(&self, assembly: &Assembly) -> Result<(), RobotError> {
        for key in &self.keyframes {
            let lengths = [
                ("qpos", key.positions.len(), assembly.multibody.positions()),
                (
                    "qvel",
                    key.velocities.len(),
                    assembly.multibody.velocities(),
                ),
                ("ctrl", key.controls.len(), self.actuators.len()),
            ];
            for (what, has, needs) in lengths {
                if has != 0 && has != needs {
                    let message = format!(
                        "`{what}` of the keyframe `{}` has {has} numbers; the robot has {needs}",
                        key.name
                    );
                    return Err(self.sources.error(&key.place, message));
                }
            }
        }
        Ok(())
    }
}

/// The diagonal of the mass matrix in the reference position.
fn reference_inertia(model: &Multibody) -> Vec<f64> {
    let n = model.velocities();
    let mut m = vec![0.0; n * n];
    model.mass_matrix(&model.reference(), &mut Workspace::new(model), &mut m);
    (0..n).map(|k| m[k * n + k]).collect()
}

/// What a unit impulse along each freedom does to it in the reference position.
fn reference_yield(model: &Multibody) -> Vec<f64> {
    let n = model.velocities();
    let mut ws = Workspace::new(model);
    model.factorize(&model.reference(), &mut ws);
    let (mut push, mut answer) = (vec![0.0; n], vec![0.0; n]);
    let answer_to = |k: usize| {
        push.fill(0.0);
        push[k] = 1.0;
        model.solve_mass(&mut ws, &push, &mut answer);
        answer[k]
    };
    (0..n).map(answer_to).collect()
}

/// The constraint that the first of two joints or tendons follows the second, or stays.
fn couple(
    first: &str,
    second: Option<&str>,
    polynomial: [f64; 5],
    of: impl Fn(&str) -> Result<Combination, RobotError>,
) -> Result<Constraint, RobotError> {
    Ok(Constraint::Couple {
        first: of(first)?,
        second: second.map(&of).transpose()?,
        polynomial,
    })
}
