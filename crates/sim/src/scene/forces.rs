//! The force fields that scenes can name: pure functions of time and state, as rollback demands.

use super::decode::{Decoded, Scope, Table};
use super::error::Fault;
use super::tree::Node;
use physics::{ForceField, State, Vec3, Wrench};
use std::sync::Arc;

const KINDS: &str = "`drag`, `attractor`, `wind` or `spring`";

/// A built-in force field.
#[derive(Clone, Copy, Debug)]
pub(super) enum Field {
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

impl Field {
    pub fn read(node: &Node, scope: &Scope) -> Decoded<Self> {
        let known = [
            "kind",
            "linear",
            "quadratic",
            "centre",
            "strength",
            "softening",
            "velocity",
            "drag",
            "gust",
            "period",
            "anchor",
            "stiffness",
        ];
        let kind = Table::open(node, "a force", &known, scope)?
            .text("kind")?
            .ok_or_else(|| {
                Fault::new(&node.place, format!("`kind` is missing; expected {KINDS}"))
            })?;
        match kind.as_str() {
            "drag" => {
                let t = Table::open(node, "a drag", &["kind", "linear", "quadratic"], scope)?;
                Ok(Field::Drag {
                    linear: t.at_least_zero("linear")?.unwrap_or(0.0),
                    quadratic: t.at_least_zero("quadratic")?.unwrap_or(0.0),
                })
            }
            "attractor" => {
                let known = ["kind", "centre", "strength", "softening"];
                let t = Table::open(node, "an attractor", &known, scope)?;
                t.require("strength", "a number in m^3/s^2")?;
                Ok(Field::Attractor {
                    centre: t.vector("centre")?.unwrap_or(Vec3::ZERO),
                    strength: t.number("strength")?.unwrap_or(0.0),
                    softening: t.positive("softening")?.unwrap_or(1e-3),
                })
            }
            "wind" => {
                let known = ["kind", "velocity", "drag", "gust", "period"];
                let t = Table::open(node, "a wind", &known, scope)?;
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
                let t = Table::open(node, "a spring", &["kind", "anchor", "stiffness"], scope)?;
                t.require("stiffness", "a number in N/m")?;
                Ok(Field::Spring {
                    anchor: t.vector("anchor")?.unwrap_or(Vec3::ZERO),
                    stiffness: t.at_least_zero("stiffness")?.unwrap_or(0.0),
                })
            }
            other => {
                let place = Table::open(node, "a force", &known, scope)?;
                Err(place.fault(
                    "kind",
                    format!("unknown kind of force `{other}`; expected {KINDS}"),
                ))
            }
        }
    }

    fn force(&self, seconds: f64, mass: f64, state: &State) -> Vec3 {
        match *self {
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
        }
    }
}

/// Several fields at once; the order of the sum is the scene's.
pub(super) fn sum(fields: Vec<Field>) -> Option<Arc<dyn ForceField>> {
    if fields.is_empty() {
        return None;
    }
    Some(Arc::new(move |seconds: f64, mass: f64, state: &State| {
        let mut force = Vec3::ZERO;
        for field in &fields {
            force += field.force(seconds, mass, state);
        }
        Wrench {
            force,
            torque: Vec3::ZERO,
        }
    }))
}
