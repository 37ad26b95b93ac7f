//! `[[multibody]]`: a tree of links whose joints are its only freedoms.

use super::builder::Builder;
use super::decode::{Decoded, Table, label, list, number};
use super::error::{Fault, suggestion};
use super::keys;
use super::template::{self, Catalogue};
use super::tree::Node;
use crate::multibodies::{JointState, LinkShape, Plan};
use multibody::constraint::{Combination, Coordinate};
use multibody::motor::Motor;
use multibody::spatial::Sym3;
use multibody::{Inertia, Joint, JointKind, LinkSpec, Multibody};
use physics::{Mat3, Pose, Quat, Vec3};

const JOINTS: [&str; 5] = ["hinge", "slide", "ball", "free", "fixed"];

/// What has been read of a multibody.
struct Draft {
    links: Vec<LinkSpec>,
    shapes: Vec<LinkShape>,
    motors: Vec<(usize, Drive)>,
    /// By link: where it starts and how fast.
    starts: Vec<(Vec<f64>, Vec<f64>)>,
}

/// A motor as scenes write it.
enum Drive {
    Torque(f64),
    Velocity {
        target: f64,
        gain: f64,
    },
    Position {
        target: f64,
        stiffness: f64,
        damping: f64,
    },
}

/// Reads one `[[multibody]]`.
pub(super) fn multibody(
    node: &Node,
    root: &Table<'_>,
    catalogue: &Catalogue,
    builder: &mut Builder,
) -> Decoded<()> {
    let t = Table::open(node, &keys::MULTIBODY, root.scope())?;
    let name = match t.label("name")? {
        Some(name) => name,
        None => format!("multibody {}", builder.world.multibodies.len() + 1),
    };
    t.require("links", "its links, one after the other, parents first")?;
    let mut draft = Draft {
        links: Vec::new(),
        shapes: Vec::new(),
        motors: Vec::new(),
        starts: Vec::new(),
    };
    let base = t.pose()?;
    for item in t.list("links")? {
        link(item, &t, base, catalogue, builder, &mut draft)?;
    }
    let fault = |message: String| Fault::new(t.place, message);
    let mut tree = multibody::Builder::new(catalogue.gravity);
    for spec in &draft.links {
        let added = tree.add(spec.clone());
        added.map_err(|e| fault(e.to_string()))?;
    }
    let model = tree.build().map_err(|e| fault(e.to_string()))?;
    let (motors, controls) = draft.motors(&model);
    let plan = Plan {
        start: draft.start(&model),
        joints: draft.links.iter().map(|l| l.name.clone()).collect(),
        motor_names: draft
            .motors
            .iter()
            .map(|(link, _)| draft.links[*link].name.clone())
            .collect(),
        name,
        model,
        constraints: Vec::new(),
        tendons: Vec::new(),
        motors,
        controls,
        shapes: draft.shapes,
        collides_with_itself: t.flag("collide")?,
        apart: Vec::new(),
    };
    add(plan, &t, builder)
}

/// Adds a multibody, and notes where its bodies were written.
pub(super) fn add(plan: Plan, t: &Table<'_>, builder: &mut Builder) -> Decoded<()> {
    let first = builder.world.bodies.len();
    let added = builder.world.add_multibody(plan);
    added.map_err(|e| Fault::new(t.place, e.to_string()))?;
    for body in first..builder.world.bodies.len() {
        builder.mark_linked(body, t.place)?;
    }
    Ok(())
}

fn link(
    node: &Node,
    outer: &Table<'_>,
    base: Pose,
    catalogue: &Catalogue,
    builder: &mut Builder,
    draft: &mut Draft,
) -> Decoded<()> {
    let t = Table::open(node, &keys::LINK, outer.scope())?;
    let name = match t.label("name")? {
        Some(name) => name,
        None => format!("link {}", draft.links.len() + 1),
    };
    if draft.links.iter().any(|l| l.name == name) {
        let message = format!("two links have the name `{name}`; names must differ");
        return Err(t.fault("name", message));
    }
    let parent = parent(&t, draft)?;
    let placement = match parent {
        Some(_) => t.pose()?,
        None => base * t.pose()?,
    };
    let (kind, start) = joint(&t)?;
    let model = template::model(&t, catalogue, crate::world::Kind::Dynamic, 0)?;
    let (mass, frame) = (model.mass, model.user_frame.inverse());
    let turn = Mat3::from_quat(frame.rotation);
    let inertia = Inertia {
        mass: mass.mass,
        com: frame.translation,
        tensor: Sym3::new(mass.inertia, 0.0, 0.0, 0.0).turned(&turn),
    };
    let parts = model.collider.described.iter().map(|part| physics::Part {
        shape: part.shape.clone(),
        pose: frame * part.pose,
    });
    let notes = template::notes(&t, catalogue, crate::world::Kind::Dynamic, builder)?;
    draft.shapes.push(LinkShape {
        parts: parts.collect(),
        material: model.material,
        rolling: model.rolling,
        named: model.named.clone(),
        color: notes.color,
        layers: notes.layers,
    });
    let joint = Joint {
        armature: t.at_least_zero("armature")?.unwrap_or(0.0),
        stiffness: t.at_least_zero("stiffness")?.unwrap_or(0.0),
        damping: t.at_least_zero("joint_damping")?.unwrap_or(0.0),
        friction_loss: t.at_least_zero("dry_friction")?.unwrap_or(0.0),
        limits: limits(&t, kind)?,
        ..Joint::new(kind)
    };
    let start = placed(start, kind, placement);
    if let Some(drive) = motor(&t)? {
        if kind.velocities() != 1 {
            return Err(t.fault("motor", "only hinges and slides have motors"));
        }
        draft.motors.push((draft.links.len(), drive));
    }
    draft.starts.push(start);
    draft.links.push(LinkSpec {
        name,
        parent,
        placement,
        joint,
        inertia,
    });
    Ok(())
}

/// The link that this one hangs on: by name, or the world.
fn parent(t: &Table<'_>, draft: &Draft) -> Decoded<Option<usize>> {
    let Some(node) = t.get("parent") else {
        return Ok(None);
    };
    let name = label(node, "parent", t.scope())?;
    let found = draft.links.iter().position(|l| l.name == name);
    let known = draft.links.iter().map(|l| l.name.as_str());
    let missing = || {
        let message = format!("there is no link `{name}` before this one");
        Fault::new(&node.place, message).help(suggestion(&name, known))
    };
    found.map(Some).ok_or_else(missing)
}

/// The kind of joint, and where the scene says it starts: an angle or a length and its rate.
fn joint(t: &Table<'_>) -> Decoded<(JointKind, (f64, f64, Vec3, Vec3))> {
    t.require("joint", "a kind of joint, for example `joint = \"hinge\"`")?;
    let kind = t.text("joint")?.unwrap_or_default();
    let turns = ["hinge", "slide"].contains(&kind.as_str());
    for key in ["axis", "start", "rate", "limits", "motor"] {
        let has = turns || (kind == "ball" && key == "limits");
        if t.get(key).is_some() && !has && JOINTS.contains(&kind.as_str()) {
            return Err(t.fault(key, format!("a {kind} joint has no `{key}`")));
        }
    }
    if turns {
        t.require("axis", "the direction of the joint, in the link's frame")?;
    }
    for key in ["velocity", "spin"] {
        let is_its = kind == "free" || (kind == "ball" && key == "spin");
        if t.get(key).is_some() && !is_its && JOINTS.contains(&kind.as_str()) {
            return Err(t.fault(key, format!("a {kind} joint has no `{key}`")));
        }
    }
    let axis = t.vector("axis")?.unwrap_or(Vec3::X);
    if axis.length() < 1e-12 {
        return Err(t.fault("axis", "the axis has no length; expected a direction"));
    }
    let axis = axis.normalize();
    let degrees = std::f64::consts::PI / 180.0;
    let start = t.number("start")?.unwrap_or(0.0);
    let rate = t.number("rate")?.unwrap_or(0.0);
    let velocity = t.vector("velocity")?.unwrap_or(Vec3::ZERO);
    let spin = t.vector("spin")?.unwrap_or(Vec3::ZERO);
    let (kind, start) = match kind.as_str() {
        "hinge" => (JointKind::Hinge(axis), start * degrees),
        "slide" => (JointKind::Slide(axis), start),
        "ball" => (JointKind::Ball, start),
        "free" => (JointKind::Free, start),
        "fixed" => (JointKind::Fixed, start),
        other => {
            let message = format!("unknown kind of joint `{other}`");
            return Err(t.fault("joint", message).help(suggestion(other, JOINTS)));
        }
    };
    Ok((kind, (start, rate, velocity, spin)))
}

/// Positions and velocities of a joint at the start.
fn placed(
    (start, rate, velocity, spin): (f64, f64, Vec3, Vec3),
    kind: JointKind,
    placement: Pose,
) -> (Vec<f64>, Vec<f64>) {
    let quaternion = |q: Quat| [q.w, q.x, q.y, q.z];
    match kind {
        JointKind::Fixed => (Vec::new(), Vec::new()),
        JointKind::Hinge(_) | JointKind::Slide(_) => (vec![start], vec![rate]),
        JointKind::Ball => (
            quaternion(Quat::IDENTITY).to_vec(),
            spin.to_array().to_vec(),
        ),
        JointKind::Free => {
            let mut positions = placement.translation.to_array().to_vec();
            positions.extend(quaternion(placement.rotation));
            let own = placement.rotation.inverse() * spin;
            let velocities = [velocity.to_array(), own.to_array()].concat();
            (positions, velocities)
        }
    }
}

fn limits(t: &Table<'_>, kind: JointKind) -> Decoded<Option<(f64, f64)>> {
    let Some(node) = t.get("limits") else {
        return Ok(None);
    };
    let [low, high] = list(node, "limits")? else {
        let message = "`limits` are two numbers: degrees of a hinge, metres of a slide";
        return Err(Fault::new(&node.place, message));
    };
    let low = number(low, "limits", t.scope())?;
    let high = number(high, "limits", t.scope())?;
    if low > high {
        let message = format!("the limits are {low} and {high}; expected the lower one first");
        return Err(Fault::new(&node.place, message));
    }
    if kind == JointKind::Ball && low != 0.0 {
        let message = format!("a ball turns from 0 to its largest angle; found {low} as the least");
        return Err(Fault::new(&node.place, message));
    }
    let unit = match kind {
        JointKind::Hinge(_) | JointKind::Ball => std::f64::consts::PI / 180.0,
        _ => 1.0,
    };
    Ok(Some((low * unit, high * unit)))
}

fn motor(t: &Table<'_>) -> Decoded<Option<Drive>> {
    let Some(node) = t.get("motor") else {
        return Ok(None);
    };
    let m = Table::open(node, &keys::LINK_MOTOR, t.scope())?;
    let (force, velocity, position) = (
        m.number("force")?,
        m.number("velocity")?,
        m.number("position")?,
    );
    let gain = |key: &str| -> Decoded<f64> {
        m.require(key, "how strongly the motor seeks its target")?;
        Ok(m.at_least_zero(key)?.unwrap_or(0.0))
    };
    Ok(Some(match (force, velocity, position) {
        (Some(force), None, None) => Drive::Torque(force),
        (None, Some(target), None) => Drive::Velocity {
            target,
            gain: gain("damping")?,
        },
        (None, None, Some(target)) => Drive::Position {
            target,
            stiffness: gain("stiffness")?,
            damping: m.at_least_zero("damping")?.unwrap_or(0.0),
        },
        _ => {
            let message = "a motor has exactly one of `force`, `velocity` and `position`";
            return Err(Fault::new(&node.place, message));
        }
    }))
}

impl Draft {
    /// The state of all joints at the start.
    fn start(&self, model: &Multibody) -> JointState {
        let mut state = JointState {
            positions: vec![0.0; model.positions()],
            velocities: vec![0.0; model.velocities()],
        };
        for (link, (positions, velocities)) in self.starts.iter().enumerate() {
            let (q, v) = (model.position_index(link), model.velocity_index(link));
            state.positions[q..q + positions.len()].copy_from_slice(positions);
            state.velocities[v..v + velocities.len()].copy_from_slice(velocities);
        }
        state
    }

    /// Motors and their control signals.
    fn motors(&self, model: &Multibody) -> (Vec<Motor>, Vec<f64>) {
        let made = self.motors.iter().map(|(link, drive)| {
            let at = Coordinate {
                position: model.position_index(*link),
                velocity: model.velocity_index(*link),
            };
            let along = Combination {
                terms: vec![(at, 1.0)],
                offset: 0.0,
            };
            match *drive {
                Drive::Torque(force) => (Motor::torque(along), force),
                Drive::Velocity { target, gain } => (Motor::velocity(along, gain), target),
                Drive::Position {
                    target,
                    stiffness,
                    damping,
                } => (Motor::position(along, stiffness, damping), target),
            }
        });
        made.unzip()
    }
}
