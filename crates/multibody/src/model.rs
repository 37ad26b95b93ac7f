//! The constant model of a multibody: links in an order in which parents come first, laid out for
//! the loops of the algorithms. A [`Builder`] makes it and refuses what cannot move.

use crate::joint::{Joint, JointKind};
use crate::{Inertia, Mat3, Pose, Quat, Vec3, Workspace};

/// One link as it is asked for: where its joint sits on the parent, and what it weighs.
#[derive(Clone, Debug)]
pub struct LinkSpec {
    /// For messages.
    pub name: String,
    /// A link made before, or the world.
    pub parent: Option<usize>,
    /// The joint's frame on the parent: where the link's own frame is in the joint's reference position.
    pub placement: Pose,
    /// How it moves.
    pub joint: Joint,
    /// Mass properties in the link's frame.
    pub inertia: Inertia,
}

/// Why a multibody cannot be made.
#[derive(Clone, Debug, thiserror::Error, PartialEq)]
pub enum ModelError {
    /// The parent does not exist yet.
    #[error("link `{link}`: its parent has number {parent}, but only {known} links come before it")]
    UnknownParent {
        /// The link.
        link: String,
        /// The number asked for.
        parent: usize,
        /// How many there are.
        known: usize,
    },
    /// A free joint below another link.
    #[error("link `{link}`: a free joint moves in the world and cannot hang on another link")]
    FreeBelow {
        /// The link.
        link: String,
    },
    /// An axis of length zero, or not finite.
    #[error("link `{link}`: the axis {axis:?} of its joint has no direction")]
    Axis {
        /// The link.
        link: String,
        /// The axis as given.
        axis: [f64; 3],
    },
    /// A number that is not finite, or negative where it must not be.
    #[error("link `{link}`: its {what} is {value}, which is not possible")]
    Number {
        /// The link.
        link: String,
        /// Which number.
        what: &'static str,
        /// As given.
        value: f64,
    },
    /// Nothing with inertia moves with the joint.
    #[error(
        "link `{link}` moves, but neither it nor anything on it has inertia along its joint: any force would accelerate it without bound; give it mass or make its joint fixed"
    )]
    Massless {
        /// The link.
        link: String,
    },
}

/// What the loops read of a link.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    pub kind: Kind,
    /// Index into the states: 0 is the world, link `k` is `k + 1`.
    pub parent: u32,
    pub q: u32,
    pub v: u32,
    /// Index into the factors of joints with several freedoms.
    pub wide: u32,
    pub reference: f64,
    pub armature: f64,
    pub mass: f64,
    pub com: Vec3,
    pub tensor: crate::spatial::Sym3,
    pub axis: Vec3,
    pub at: Vec3,
    /// A hinge turned by `t` stands at `turn + sin t · by_sin + (1 - cos t) · by_versin`.
    pub turn: Mat3,
    pub by_sin: Mat3,
    pub by_versin: Mat3,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Fixed,
    Hinge,
    Slide,
    Ball,
    Free,
}

/// A tree of links: constant while it moves.
#[derive(Clone, Debug)]
pub struct Multibody {
    pub(crate) links: Vec<Link>,
    specs: Vec<LinkSpec>,
    pub(crate) gravity: Vec3,
    positions: usize,
    velocities: usize,
    pub(crate) wide: usize,
    pub(crate) springs: bool,
    /// What acts on links besides gravity.
    pub(crate) surroundings: crate::passive::Surroundings,
}

impl Multibody {
    /// How many links.
    pub fn len(&self) -> usize {
        self.links.len()
    }

    /// Whether there is no link.
    pub fn is_empty(&self) -> bool {
        self.links.is_empty()
    }

    /// How many positions a state has.
    pub fn positions(&self) -> usize {
        self.positions
    }

    /// How many velocities a state has: the degrees of freedom.
    pub fn velocities(&self) -> usize {
        self.velocities
    }

    /// A link as it was asked for.
    pub fn link(&self, link: usize) -> &LinkSpec {
        &self.specs[link]
    }

    /// Where a link's positions begin.
    pub fn position_index(&self, link: usize) -> usize {
        self.links[link].q as usize
    }

    /// Where a link's velocities begin.
    pub fn velocity_index(&self, link: usize) -> usize {
        self.links[link].v as usize
    }

    /// Gravity, m/s².
    pub fn gravity(&self) -> Vec3 {
        self.gravity
    }

    /// The positions in which every link stands as it was placed.
    pub fn reference(&self) -> Vec<f64> {
        let mut q = vec![0.0; self.positions];
        for (spec, link) in self.specs.iter().zip(&self.links) {
            let at = link.q as usize;
            match spec.joint.kind {
                JointKind::Fixed => {}
                JointKind::Hinge(_) | JointKind::Slide(_) => q[at] = spec.joint.reference,
                JointKind::Ball => q[at] = 1.0,
                JointKind::Free => {
                    let (p, r) = (spec.placement.translation, spec.placement.rotation);
                    q[at..at + 7].copy_from_slice(&[p.x, p.y, p.z, r.w, r.x, r.y, r.z]);
                }
            }
        }
        q
    }

    /// Sets what surrounds the links: fluid, compensation of gravity.
    pub fn surround(&mut self, surroundings: crate::passive::Surroundings) {
        self.surroundings = surroundings;
    }
}

/// Makes a [`Multibody`] link by link.
#[derive(Clone, Debug, Default)]
pub struct Builder {
    specs: Vec<LinkSpec>,
    gravity: Vec3,
}

impl Builder {
    /// An empty tree in this gravity, m/s².
    pub fn new(gravity: Vec3) -> Builder {
        Builder {
            specs: Vec::new(),
            gravity,
        }
    }

    /// Adds a link and gives its number.
    pub fn add(&mut self, spec: LinkSpec) -> Result<usize, ModelError> {
        check(&spec, self.specs.len())?;
        self.specs.push(spec);
        Ok(self.specs.len() - 1)
    }

    /// Two hinges through one point: about `first` on the parent, then about `second` on the link.
    pub fn universal(
        &mut self,
        mut spec: LinkSpec,
        first: Vec3,
        second: Vec3,
    ) -> Result<usize, ModelError> {
        let between = LinkSpec {
            name: format!("{} (first hinge)", spec.name),
            inertia: Inertia::NONE,
            joint: Joint {
                kind: JointKind::Hinge(first),
                ..spec.joint
            },
            ..spec.clone()
        };
        spec.parent = Some(self.add(between)?);
        spec.placement = Pose::IDENTITY;
        spec.joint.kind = JointKind::Hinge(second);
        self.add(spec)
    }

    /// Moves in the plane of `x` and `y` of its placement and turns about the third axis.
    pub fn planar(&mut self, mut spec: LinkSpec) -> Result<usize, ModelError> {
        for (axis, name) in [(Vec3::X, "x"), (Vec3::Y, "y")] {
            let between = LinkSpec {
                name: format!("{} ({name})", spec.name),
                inertia: Inertia::NONE,
                joint: Joint {
                    kind: JointKind::Slide(axis),
                    ..spec.joint
                },
                ..spec.clone()
            };
            spec.parent = Some(self.add(between)?);
            spec.placement = Pose::IDENTITY;
        }
        spec.joint.kind = JointKind::Hinge(Vec3::Z);
        self.add(spec)
    }

    /// The finished multibody. Refuses links that a force would accelerate without bound.
    pub fn build(self) -> Result<Multibody, ModelError> {
        let mut model = Multibody {
            links: Vec::with_capacity(self.specs.len()),
            gravity: self.gravity,
            positions: 0,
            velocities: 0,
            wide: 0,
            springs: false,
            specs: self.specs,
            surroundings: Default::default(),
        };
        for spec in &model.specs {
            let kind = spec.joint.kind;
            let link = lay_out(spec, model.positions, model.velocities, model.wide);
            model.links.push(link);
            model.positions += kind.positions();
            model.velocities += kind.velocities();
            model.wide += usize::from(matches!(kind, JointKind::Ball | JointKind::Free));
            model.springs |= spec.joint.stiffness != 0.0 || spec.joint.damping != 0.0;
        }
        model.check_inertia()?;
        Ok(model)
    }
}

impl Multibody {
    /// Every joint must feel inertia in the reference position.
    fn check_inertia(&self) -> Result<(), ModelError> {
        let mut weight: Vec<bool> = self
            .links
            .iter()
            .map(|l| l.mass > 0.0 || l.armature > 0.0)
            .collect();
        for (k, link) in self.links.iter().enumerate().rev() {
            let inert = weight[k] || link.tensor != crate::spatial::Sym3::ZERO;
            if !inert && link.kind != Kind::Fixed {
                return Err(self.massless(k));
            }
            if link.parent > 0 {
                weight[link.parent as usize - 1] |= inert;
            }
        }
        let mut ws = Workspace::new(self);
        let (q, zero) = (self.reference(), vec![0.0; self.velocities]);
        let mut a = zero.clone();
        self.forward_dynamics(&q, &zero, &zero, &mut ws, &mut a);
        for (k, link) in self.links.iter().enumerate() {
            let v = link.v as usize;
            let finite = a[v..v + self.specs[k].joint.kind.velocities()]
                .iter()
                .all(|x| x.is_finite());
            if !finite || !ws.gives(k, link) {
                return Err(self.massless(k));
            }
        }
        Ok(())
    }

    fn massless(&self, link: usize) -> ModelError {
        ModelError::Massless {
            link: self.specs[link].name.clone(),
        }
    }
}

fn check(spec: &LinkSpec, known: usize) -> Result<(), ModelError> {
    let name = || spec.name.clone();
    if let Some(parent) = spec.parent {
        if parent >= known {
            return Err(ModelError::UnknownParent {
                link: name(),
                parent,
                known,
            });
        }
        if spec.joint.kind == JointKind::Free {
            return Err(ModelError::FreeBelow { link: name() });
        }
    }
    if let JointKind::Hinge(a) | JointKind::Slide(a) = spec.joint.kind
        && !(a.length() > 0.0 && a.is_finite())
    {
        return Err(ModelError::Axis {
            link: name(),
            axis: a.to_array(),
        });
    }
    let numbers = [
        ("mass", spec.inertia.mass, true),
        ("armature", spec.joint.armature, true),
        ("friction loss", spec.joint.friction_loss, true),
        ("damping", spec.joint.damping, false),
        ("stiffness", spec.joint.stiffness, false),
        ("reference position", spec.joint.reference, false),
        ("centre of mass", spec.inertia.com.length_squared(), false),
        (
            "placement",
            spec.placement.translation.length_squared(),
            false,
        ),
        ("inertia", spec.inertia.tensor.diagonal.element_sum(), false),
        (
            "products of inertia",
            spec.inertia.tensor.off.element_sum(),
            false,
        ),
    ];
    for (what, value, positive) in numbers {
        if !value.is_finite() || (positive && value < 0.0) {
            return Err(ModelError::Number {
                link: name(),
                what,
                value,
            });
        }
    }
    Ok(())
}

fn lay_out(spec: &LinkSpec, q: usize, v: usize, wide: usize) -> Link {
    let rotation: Quat = spec.placement.rotation.normalize();
    let turn = Mat3::from_quat(rotation);
    let (kind, axis) = match spec.joint.kind {
        JointKind::Fixed => (Kind::Fixed, Vec3::ZERO),
        JointKind::Hinge(a) => (Kind::Hinge, a.normalize()),
        JointKind::Slide(a) => (Kind::Slide, a.normalize()),
        JointKind::Ball => (Kind::Ball, Vec3::ZERO),
        JointKind::Free => (Kind::Free, Vec3::ZERO),
    };
    let cross = Mat3::from_cols(
        axis.cross(Vec3::X),
        axis.cross(Vec3::Y),
        axis.cross(Vec3::Z),
    );
    Link {
        kind,
        parent: spec.parent.map_or(0, |p| p as u32 + 1),
        q: q as u32,
        v: v as u32,
        wide: wide as u32,
        reference: spec.joint.reference,
        armature: spec.joint.armature,
        mass: spec.inertia.mass,
        com: spec.inertia.com,
        tensor: spec.inertia.tensor,
        axis,
        at: spec.placement.translation,
        turn,
        by_sin: turn * cross,
        by_versin: turn * (cross * cross),
    }
}
