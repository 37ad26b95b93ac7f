//! What two surfaces do to each other where they meet: a mixture of both materials, unless a rule says what
//! these two materials do.

use crate::body::{BodyModel, Material};
use std::sync::Arc;

/// How a surface resists rolling and turning about the contact's normal. Both are lengths in metres: the torque
/// is at most the length times the normal force. A pair takes the larger of both.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Rolling {
    /// Against rolling: the arm of the normal force.
    pub rolling: f64,
    /// Against turning about the normal.
    pub spinning: f64,
}

impl Rolling {
    /// That of a pair.
    pub fn pair(a: Rolling, b: Rolling) -> Rolling {
        Rolling {
            rolling: a.rolling.max(b.rolling),
            spinning: a.spinning.max(b.spinning),
        }
    }
}

/// What two bodies do where they meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Meeting {
    /// Restitution and friction.
    pub material: Material,
    /// Resistance to rolling and turning.
    pub rolling: Rolling,
}

/// A rule for two materials; what it leaves out is mixed as always.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct PairRule {
    /// Coefficient of restitution.
    pub restitution: Option<f64>,
    /// Coefficient of friction.
    pub friction: Option<f64>,
    /// Resistance to rolling, metres.
    pub rolling: Option<f64>,
    /// Resistance to turning about the normal, metres.
    pub spinning: Option<f64>,
}

/// A material that rules know: its number among the world's materials, and the rules with others.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedMaterial {
    /// Its number.
    pub number: u32,
    /// The numbers of the others, and what happens there.
    pub rules: Vec<(u32, PairRule)>,
}

impl BodyModel {
    /// Gives the body a material that rules know.
    pub fn with_rules(mut self, named: Arc<NamedMaterial>) -> Self {
        self.named = Some(named);
        self
    }

    /// Gives the body's surface a resistance to rolling.
    pub fn with_rolling(mut self, rolling: Rolling) -> Self {
        self.rolling = rolling;
        self
    }

    /// Whether the surface, or a rule about it, resists rolling or turning on the spot.
    pub fn resists_rolling(&self) -> bool {
        let positive = |length: Option<f64>| length.is_some_and(|l| l > 0.0);
        let ruled = |(_, rule): &(u32, PairRule)| positive(rule.rolling) || positive(rule.spinning);
        self.rolling != Rolling::default()
            || self
                .named
                .as_ref()
                .is_some_and(|named| named.rules.iter().any(ruled))
    }

    /// What this body and another do where they meet.
    #[inline]
    pub fn meeting(&self, other: &BodyModel) -> Meeting {
        let mixed = Meeting {
            material: Material::pair(self.material, other.material),
            rolling: Rolling::pair(self.rolling, other.rolling),
        };
        match (&self.named, &other.named) {
            (Some(own), Some(their)) => own.ruled(their, mixed),
            _ => mixed,
        }
    }
}

impl NamedMaterial {
    fn ruled(&self, other: &NamedMaterial, mixed: Meeting) -> Meeting {
        let is_about = |(number, _): &&(u32, PairRule)| *number == other.number;
        let Some((_, rule)) = self.rules.iter().find(is_about) else {
            return mixed;
        };
        Meeting {
            material: Material {
                restitution: rule.restitution.unwrap_or(mixed.material.restitution),
                friction: rule.friction.unwrap_or(mixed.material.friction),
            },
            rolling: Rolling {
                rolling: rule.rolling.unwrap_or(mixed.rolling.rolling),
                spinning: rule.spinning.unwrap_or(mixed.rolling.spinning),
            },
        }
    }
}
