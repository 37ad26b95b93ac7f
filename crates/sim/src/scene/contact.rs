//! `[contact]`: how bodies that touch are treated. Without it every collision bounces; with it bodies
//! that collide softly fuse into contact groups, which a solver advances and which may come to rest.

use super::decode::{Decoded, Table};
use super::error::{Fault, suggestion};
use super::keys;
use super::tree::Node;
use crate::contact::ContactRules;
use crate::world::{Kind, World};
use physics::groups::optimization::Weighting;
use physics::groups::{OptimizationSettings, PenaltySettings, Settings};
use physics::{ModelId, Vec3};
use std::collections::BTreeMap;

/// Solvers by name.
const SOLVERS: [&str; 6] = [
    "soft-step",
    "penalty",
    "impulse",
    "optimization",
    "auto",
    "none",
];

/// Different models among which pairs are looked at one by one.
const MODELS_MAX: usize = 200;

/// Reads the rules; `solver = "none"` switches contact groups off.
pub(super) fn read(node: &Node, root: &Table<'_>) -> Decoded<Option<ContactRules>> {
    let t = Table::open(node, &keys::CONTACT, root.scope())?;
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

/// Whether bodies of this world need rules of lasting contact: joints hold them, or they would bounce without end, because
/// gravity brings them together again and again and every bounce loses some of its speed.
pub(super) fn is_asked_for(world: &World) -> bool {
    if !world.joints.is_empty() || world.multibodies.iter().any(|made| !made.is_smooth()) {
        return true;
    }
    if world.gravity == Vec3::ZERO {
        return false;
    }
    let mut models: BTreeMap<ModelId, (u32, bool)> = BTreeMap::new();
    for body in &world.bodies {
        let (count, moves) = models.entry(body.model).or_default();
        *count += 1;
        *moves |= body.kind == Kind::Dynamic;
    }
    // With so many different ones, some are sure to meet softly.
    if models.len() > MODELS_MAX {
        return true;
    }
    let mut pairs = models.iter().flat_map(|(a, (count, moves))| {
        let others = models
            .keys()
            .filter(move |b| *moves && (*b != a || *count > 1));
        others.map(move |b| (a.place(), b.place()))
    });
    pairs.any(|(a, b)| {
        let meeting = world.models[a].meeting(&world.models[b]);
        meeting.material.restitution < 1.0
    })
}

/// The rules of a scene that says nothing.
pub(super) fn usual(root: &Table<'_>) -> Decoded<ContactRules> {
    let rules = ContactRules::soft_step(Settings::default());
    rules.map_err(|e| Fault::new(root.place, e.to_string()))
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
    let defaults = OptimizationSettings::default();
    let c_max = t.whole("c_max", 0, 1000)?;
    Ok(OptimizationSettings {
        margin: settings.margin,
        // Whoever asks for contact at other distances has bodies of another size.
        skin: defaults.skin * (settings.margin / defaults.margin),
        weighting,
        v_min: t.positive("v_min")?.unwrap_or(defaults.v_min),
        c_max: c_max.map_or(defaults.c_max, |n| n as u32),
        ..defaults
    })
}
