//! `[materials]` and `[[material_pair]]`: what surfaces are like, and what two of them do to each other where
//! that is not the mixture of both.

use super::decode::{Decoded, Table, list, text};
use super::error::{Fault, suggestion};
use super::keys;
use super::tree::Node;
use physics::material::{NamedMaterial, PairRule, Rolling};
use physics::{BodyModel, Material};
use std::collections::BTreeMap;
use std::sync::Arc;

/// All that a body's surface is.
#[derive(Clone, Default)]
pub(super) struct Stuff {
    pub material: Material,
    pub rolling: Rolling,
    /// Rules with other materials.
    named: Option<Arc<NamedMaterial>>,
}

impl Stuff {
    /// Puts it on a body whose material it is.
    pub fn cover(self, model: BodyModel) -> BodyModel {
        let model = model.with_rolling(self.rolling);
        match self.named {
            Some(named) => model.with_rules(named),
            None => model,
        }
    }
}

/// Reads all materials, with the rules for their pairs.
pub(super) fn read(root: &Table<'_>) -> Decoded<BTreeMap<String, Stuff>> {
    let mut materials = BTreeMap::new();
    for (name, (_, node)) in root.named("materials")?.into_iter().flatten() {
        let t = Table::open(node, &keys::MATERIAL, root.scope())?;
        materials.insert(name.clone(), surface(&t, Stuff::default())?);
    }
    let mut rules: BTreeMap<[u32; 2], PairRule> = BTreeMap::new();
    for node in root.list("material_pair")? {
        let (pair, rule) = pair_rule(node, root, &materials)?;
        if rules.insert(pair, rule).is_some() {
            let message = "these two materials have a rule already; expected one for every pair";
            return Err(Fault::new(&node.place, message));
        }
    }
    for (number, stuff) in materials.values_mut().enumerate() {
        let number = number as u32;
        let own = rules.iter().filter_map(|(&[a, b], rule)| match number {
            n if n == a => Some((b, *rule)),
            n if n == b => Some((a, *rule)),
            _ => None,
        });
        let rules: Vec<(u32, PairRule)> = own.collect();
        if !rules.is_empty() {
            stuff.named = Some(Arc::new(NamedMaterial { number, rules }));
        }
    }
    Ok(materials)
}

/// One `[[material_pair]]`: the numbers of both materials, the lower first, and the rule.
fn pair_rule(
    node: &Node,
    root: &Table<'_>,
    materials: &BTreeMap<String, Stuff>,
) -> Decoded<([u32; 2], PairRule)> {
    let t = Table::open(node, &keys::MATERIAL_PAIR, root.scope())?;
    let both = t.require("materials", "two names, as in [\"ice\", \"rubber\"]")?;
    let [a, b] = list(both, "materials")? else {
        let message = "`materials` needs two names, as in [\"ice\", \"rubber\"]";
        return Err(Fault::new(&both.place, message));
    };
    let number = |node: &Node| {
        let name = text(node, "materials", t.scope())?;
        let found = materials.keys().position(|known| *known == name);
        found.map(|place| place as u32).ok_or_else(|| {
            Fault::new(&node.place, format!("there is no material `{name}`"))
                .help(suggestion(&name, materials.keys().map(String::as_str)))
        })
    };
    let (a, b) = (number(a)?, number(b)?);
    let words = keys::SURFACE.map(|key| key.name);
    if !words.iter().any(|key| t.get(key).is_some()) {
        let message = format!(
            "the rule says nothing; expected one of `{}`",
            words.join("`, `")
        );
        return Err(Fault::new(t.place, message));
    }
    let rule = PairRule {
        restitution: restitution(&t)?,
        friction: t.at_least_zero("friction")?,
        rolling: t.at_least_zero("rolling_friction")?,
        spinning: t.at_least_zero("spinning_friction")?,
    };
    Ok(([a.min(b), a.max(b)], rule))
}

fn restitution(t: &Table<'_>) -> Decoded<Option<f64>> {
    let unit = |v: f64| (0.0..=1.0).contains(&v);
    t.checked("restitution", unit, "a number from 0 to 1")
}

/// What a table says of a surface, on top of `base`.
pub(super) fn surface(t: &Table<'_>, base: Stuff) -> Decoded<Stuff> {
    let length = |key: &str, base: f64| Ok(t.at_least_zero(key)?.unwrap_or(base));
    Ok(Stuff {
        material: Material {
            restitution: restitution(t)?.unwrap_or(base.material.restitution),
            friction: t
                .at_least_zero("friction")?
                .unwrap_or(base.material.friction),
        },
        rolling: Rolling {
            rolling: length("rolling_friction", base.rolling.rolling)?,
            spinning: length("spinning_friction", base.rolling.spinning)?,
        },
        named: base.named,
    })
}
