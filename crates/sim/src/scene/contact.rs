//! `[contact]`: how bodies that touch are treated. Without it every collision bounces; with it bodies
//! that collide softly fuse into contact groups, which a solver advances and which may come to rest.

use super::decode::{Decoded, Table};
use super::error::{Fault, suggestion};
use super::tree::Node;
use crate::contact::ContactRules;
use physics::groups::optimization::Weighting;
use physics::groups::{OptimizationSettings, PenaltySettings, Settings};

/// Solvers by name.
const SOLVERS: [&str; 6] = [
    "soft-step",
    "penalty",
    "impulse",
    "optimization",
    "auto",
    "none",
];

/// Reads the rules; `solver = "none"` switches contact groups off.
pub(super) fn read(node: &Node, root: &Table<'_>) -> Decoded<Option<ContactRules>> {
    let known = [
        "solver",
        "step",
        "substeps",
        "hertz",
        "weights",
        "margin",
        "fuse_speed",
        "rest_speed",
        "rest_after",
    ];
    let t = Table::open(node, "the contact rules", &known, root.scope())?;
    let solver = t.text("solver")?.unwrap_or_else(|| "soft-step".into());
    match solver.as_str() {
        "soft-step" | "penalty" | "impulse" | "optimization" | "auto" => {}
        "none" => return Ok(None),
        other => {
            let message = format!("unknown solver `{other}`");
            return Err(t.fault("solver", message).help(suggestion(other, SOLVERS)));
        }
    }
    let mut defaults = Settings::default();
    if solver == "optimization" {
        // The optimiser is made for long steps.
        defaults.step = 1.0 / 60.0;
    }
    let substeps = t.whole("substeps", 1, 1000)?;
    let settings = Settings {
        step: t.positive("step")?.unwrap_or(defaults.step),
        substeps: substeps.map_or(defaults.substeps, |n| n as u32),
        margin: t.positive("margin")?.unwrap_or(defaults.margin),
        ..defaults
    };
    let rules = match solver.as_str() {
        "penalty" => {
            let defaults = PenaltySettings::default();
            let penalty = PenaltySettings {
                hertz: t.positive("hertz")?.unwrap_or(defaults.hertz),
                margin: settings.margin,
                ..defaults
            };
            ContactRules::penalty(penalty, settings.step)
        }
        "impulse" => ContactRules::impulse(settings),
        "optimization" => ContactRules::optimization(optimization(&t, &settings)?, settings),
        "auto" => ContactRules::auto(optimization(&t, &settings)?, settings),
        _ => ContactRules::soft_step(settings),
    };
    let rules = rules.map_err(|e| Fault::new(&node.place, e.to_string()))?;
    Ok(Some(ContactRules {
        fuse_speed: t.at_least_zero("fuse_speed")?.unwrap_or(rules.fuse_speed),
        rest_speed: t.at_least_zero("rest_speed")?.unwrap_or(rules.rest_speed),
        rest_after: t.positive("rest_after")?.unwrap_or(rules.rest_after),
        ..rules
    }))
}

/// Settings of the optimiser.
fn optimization(t: &Table<'_>, settings: &Settings) -> Decoded<OptimizationSettings> {
    let weighting = match t.text("weights")?.as_deref() {
        None | Some("geometric") => Weighting::Geometric,
        Some("mass") => Weighting::Mass,
        Some(other) => {
            let message = format!("unknown weights `{other}`");
            let help = suggestion(other, ["geometric", "mass"]);
            return Err(t.fault("weights", message).help(help));
        }
    };
    Ok(OptimizationSettings {
        margin: settings.margin,
        weighting,
        ..OptimizationSettings::default()
    })
}
