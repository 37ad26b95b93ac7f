//! The force fields that scenes can name: pure functions of time and state, as rollback demands. A constant
//! force through the centre of mass is no field: it is a uniform acceleration, and where it begins or ends an
//! input begins a new segment.

use super::builder::Push;
use super::decode::{Decoded, Scope, Table, text};
use super::error::Fault;
use super::keys;
use super::tree::{Node, Value};
use physics::{ForceField, Pose, State, Vec3, Wrench};
use std::sync::Arc;
use warp::Tick;

const KINDS: &str = "`constant`, `drag`, `attractor`, `wind` or `spring`";

/// Latest time at which a force may begin or end, seconds.
const LATEST: f64 = 4e6;

/// A built-in force field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
    /// The same force and torque always, or from one tick to another.
    Constant(Constant),
    /// `-(linear + quadratic |v|) v`: N s/m and N s²/m².
    Drag { linear: f64, quadratic: f64 },
    /// Newton's attraction `m strength d / (|d|² + softening²)^(3/2)`; strength in m³/s².
    Attractor {
        centre: Vec3,
        strength: f64,
        softening: f64,
    },
    /// Drag towards a moving medium whose speed swells by `gust` with `period` seconds.
    Wind {
        velocity: Vec3,
        drag: f64,
        gust: f64,
        period: f64,
    },
    /// `-stiffness (x - anchor)`, N/m.
    Spring { anchor: Vec3, stiffness: f64 },
}

/// A constant force and torque.
#[derive(Clone, Copy, Debug)]
pub(super) struct Constant {
    /// Newtons.
    force: Vec3,
    /// Newton metres, about the centre of mass.
    torque: Vec3,
    /// Where the force acts, in the body's frame; at the centre of mass if none.
    point: Option<Vec3>,
    /// Whether both turn with the body.
    turns: bool,
    /// From when to when it acts, if not always.
    span: Option<(Tick, Tick)>,
}

impl Constant {
    fn read(node: &Node, scope: &Scope) -> Decoded<Self> {
        let t = Table::open(node, &keys::CONSTANT, scope)?;
        let turns = match t.text("frame")?.as_deref() {
            None | Some("world") => false,
            Some("body") => true,
            Some(other) => {
                let message = format!("`frame` is `{other}`; expected `world` or `body`");
                return Err(t.fault("frame", message));
            }
        };
        if t.get("force").is_none() && t.get("torque").is_none() {
            let message =
                "a constant force has a `force` [x, y, z] in N, a `torque` in N m, or both";
            return Err(Fault::new(t.place, message));
        }
        if t.get("point").is_some() && t.get("force").is_none() {
            return Err(t.fault(
                "point",
                "a `point` is where a `force` acts, and there is none",
            ));
        }
        let constant = Constant {
            force: t.vector("force")?.unwrap_or(Vec3::ZERO),
            torque: t.vector("torque")?.unwrap_or(Vec3::ZERO),
            point: t.vector("point")?,
            turns,
            span: span(&t)?,
        };
        if constant.span.is_some() && !constant.is_central() {
            let key = ["from", "until"].into_iter().find(|k| t.get(k).is_some());
            let message = "only a `force` in the world's frame through the centre of mass begins or ends; \
                           a torque, a `point` or a force in the body's frame acts always";
            return Err(t.fault(key.unwrap_or("from"), message));
        }
        Ok(constant)
    }

    /// Whether it is a uniform acceleration.
    fn is_central(&self) -> bool {
        self.torque == Vec3::ZERO && self.point.is_none() && !self.turns
    }

    /// What acts on a body whose user's frame lies at `frame` in the principal frame.
    fn wrench(&self, state: &State, frame: &Pose) -> Wrench {
        let turned = |v: Vec3| match self.turns {
            true => state.rotation * (frame.rotation * v),
            false => v,
        };
        let force = turned(self.force);
        let arm = self.point.map(|point| state.rotation * (frame * point));
        Wrench {
            force,
            torque: turned(self.torque) + arm.map_or(Vec3::ZERO, |arm| arm.cross(force)),
        }
    }
}

/// From when to when a force acts, if not always.
fn span(t: &Table<'_>) -> Decoded<Option<(Tick, Tick)>> {
    let is_time = |s: f64| (0.0..=LATEST).contains(&s);
    let from = t.checked("from", is_time, "a time from 0 on, in seconds")?;
    let until = t.checked("until", is_time, "a time from 0 on, in seconds")?;
    if from.is_none() && until.is_none() {
        return Ok(None);
    }
    let from = Tick::from_seconds(from.unwrap_or(0.0));
    let until = Tick::from_seconds(until.unwrap_or(LATEST));
    match from < until {
        true => Ok(Some((from, until))),
        false => Err(t.fault("until", "the force ends before it begins")),
    }
}

impl Field {
    pub fn read(node: &Node, scope: &Scope) -> Decoded<Self> {
        let Value::Table(entries) = &node.value else {
            let found = node.value.kind();
            let message = format!("a force must be a table, found {found}");
            return Err(Fault::new(&node.place, message));
        };
        let Some((_, kind)) = entries.get("kind") else {
            let message = format!("`kind` is missing; expected {KINDS}");
            return Err(Fault::new(&node.place, message));
        };
        let (place, kind) = (&kind.place, text(kind, "kind", scope)?);
        match kind.as_str() {
            "constant" => Ok(Field::Constant(Constant::read(node, scope)?)),
            "drag" => {
                let t = Table::open(node, &keys::DRAG, scope)?;
                Ok(Field::Drag {
                    linear: t.at_least_zero("linear")?.unwrap_or(0.0),
                    quadratic: t.at_least_zero("quadratic")?.unwrap_or(0.0),
                })
            }
            "attractor" => {
                let t = Table::open(node, &keys::ATTRACTOR, scope)?;
                t.require("strength", "a number in m^3/s^2")?;
                Ok(Field::Attractor {
                    centre: t.vector("centre")?.unwrap_or(Vec3::ZERO),
                    strength: t.number("strength")?.unwrap_or(0.0),
                    softening: t.positive("softening")?.unwrap_or(1e-3),
                })
            }
            "wind" => {
                let t = Table::open(node, &keys::WIND, scope)?;
                t.require("velocity", "a vector in m/s")?;
                t.require("drag", "a number in N s/m")?;
                Ok(Field::Wind {
                    velocity: t.vector("velocity")?.unwrap_or(Vec3::ZERO),
                    drag: t.at_least_zero("drag")?.unwrap_or(0.0),
                    gust: t.number("gust")?.unwrap_or(0.0),
                    period: t.positive("period")?.unwrap_or(1.0),
                })
            }
            "spring" => {
                let t = Table::open(node, &keys::SPRING, scope)?;
                t.require("stiffness", "a number in N/m")?;
                Ok(Field::Spring {
                    anchor: t.vector("anchor")?.unwrap_or(Vec3::ZERO),
                    stiffness: t.at_least_zero("stiffness")?.unwrap_or(0.0),
                })
            }
            other => {
                let message = format!("unknown kind of force `{other}`; expected {KINDS}");
                Err(Fault::new(place, message))
            }
        }
    }

    fn wrench(&self, seconds: f64, mass: f64, state: &State, frame: &Pose) -> Wrench {
        let force = match *self {
            Field::Constant(constant) => return constant.wrench(state, frame),
            Field::Drag { linear, quadratic } => {
                -(linear + quadratic * state.velocity.length()) * state.velocity
            }
            Field::Attractor {
                centre,
                strength,
                softening,
            } => {
                let d = centre - state.position;
                let r2 = d.length_squared() + softening * softening;
                d * (mass * strength / (r2 * r2.sqrt()))
            }
            Field::Wind {
                velocity,
                drag,
                gust,
                period,
            } => {
                let swell = 1.0 + gust * libm::sin(std::f64::consts::TAU * seconds / period);
                (velocity * swell - state.velocity) * drag
            }
            Field::Spring { anchor, stiffness } => (anchor - state.position) * stiffness,
        };
        Wrench {
            force,
            torque: Vec3::ZERO,
        }
    }

    /// As a force that always acts alike through the centre of mass.
    fn central(&self) -> Option<&Constant> {
        match self {
            Field::Constant(constant) if constant.is_central() => Some(constant),
            _ => None,
        }
    }
}

/// The sum of all forces that act alike for ever, N.
pub(super) fn steady(fields: &[Field]) -> Vec3 {
    let central = fields.iter().filter_map(Field::central);
    let lasting = central.filter(|constant| constant.span.is_none());
    lasting.fold(Vec3::ZERO, |sum, constant| sum + constant.force)
}

/// Forces that act alike for a while.
pub(super) fn pushes(fields: &[Field]) -> Vec<Push> {
    let push = |constant: &Constant| {
        let (from, until) = constant.span?;
        Some(Push {
            force: constant.force,
            from,
            until,
        })
    };
    let central = fields.iter().filter_map(Field::central);
    central.filter_map(push).collect()
}

/// All that is not a uniform acceleration, in the scene's order, on bodies whose user's frame lies at `frame` in
/// the principal frame.
pub(super) fn sum(mut fields: Vec<Field>, frame: &Pose) -> Option<Arc<dyn ForceField>> {
    fields.retain(|field| field.central().is_none());
    if fields.is_empty() {
        return None;
    }
    let frame = *frame;
    Some(Arc::new(move |seconds: f64, mass: f64, state: &State| {
        let mut sum = Wrench::default();
        for field in &fields {
            let wrench = field.wrench(seconds, mass, state, &frame);
            sum.force += wrench.force;
            sum.torque += wrench.torque;
        }
        sum
    }))
}
