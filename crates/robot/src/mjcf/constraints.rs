//! Fixed tendons and equalities.

use super::Reader;
use crate::description::*;
use crate::error::RobotError;
use crate::values::{exactly, number, numbers, required, vector};
use crate::xml::Node;
use multibody::{Pose, Quat, Vec3};

impl<'a> Reader<'a> {
    pub(super) fn tendons(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for node in root.all("tendon").flat_map(|t| t.children.iter()) {
            match node.tag.as_str() {
                "fixed" => {
                    let tendon = self.fixed(node)?;
                    self.robot.tendons.push(tendon);
                }
                "spatial" => {
                    self.name("tendon", node)?;
                    let message = "this spatial tendon is not simulated: its spring, damper and limits do nothing";
                    self.robot.warn(&node.place, message);
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn fixed(&mut self, node: &'a Node) -> Result<Tendon, RobotError> {
        let name = self.name("tendon", node)?;
        let e = self
            .classes
            .element("tendon", node, "main", self.sources())?;
        let sources = self.sources();
        let mut terms = Vec::new();
        for term in node.all("joint") {
            let joint = required(term, "joint", sources)?.value.clone();
            let coefficient = number(required(term, "coef", sources)?, sources)?;
            terms.push((joint, coefficient));
        }
        let rest = match e.attribute("springlength") {
            Some(a) => match numbers(a, sources)?.as_slice() {
                [x] if *x == -1.0 => None,
                [x] => Some((*x, *x)),
                [-1.0, -1.0] => None,
                [low, high] => Some((*low, *high)),
                _ => return Err(self.error(&a.place, "`springlength` has one or two numbers")),
            },
            None => None,
        };
        let first = |name: &str| e.some(name, [0.0; 1], sources).map(|[x]| x);
        let automatic = self.compiler.automatic_limits;
        Ok(Tendon {
            terms,
            limits: e.limits("range", "limited", automatic, sources)?,
            stiffness: first("stiffness")?,
            damping: first("damping")?,
            friction_loss: e.number("frictionloss", 0.0, sources)?,
            rest,
            place: node.place.clone(),
            name,
        })
    }

    pub(super) fn equalities(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for node in root.all("equality").flat_map(|t| t.children.iter()) {
            let kind = match node.tag.as_str() {
                "connect" => self.connect(node)?,
                "weld" => self.weld(node)?,
                "joint" => EqualityKind::Joint {
                    first: required(node, "joint1", self.sources())?.value.clone(),
                    second: node.get("joint2").map(str::to_string),
                    polynomial: self.polynomial(node)?,
                },
                "tendon" => {
                    let first = required(node, "tendon1", self.sources())?.value.clone();
                    let second = node.get("tendon2").map(str::to_string);
                    let fixed = |name: &str| self.robot.tendons.iter().any(|t| t.name == name);
                    if !fixed(&first) || second.as_deref().is_some_and(|s| !fixed(s)) {
                        let known =
                            |name: &str| self.names.contains_key(&("tendon", name.to_string()));
                        if known(&first) && second.as_deref().is_none_or(known) {
                            let message = "this equality of spatial tendons is not simulated";
                            self.robot.warn(&node.place, message);
                            continue;
                        }
                    }
                    EqualityKind::Tendon {
                        first,
                        second,
                        polynomial: self.polynomial(node)?,
                    }
                }
                _ => continue,
            };
            let name = self.name("equality", node)?;
            let e = self
                .classes
                .element("equality", node, "main", self.sources())?;
            let active = e.get("active") != Some("false");
            self.robot.equalities.push(Equality {
                name,
                kind,
                active,
                place: node.place.clone(),
            });
        }
        Ok(())
    }

    fn polynomial(&self, node: &Node) -> Result<[f64; 5], RobotError> {
        let e = super::bodies::bare(node);
        e.some("polycoef", [0.0, 1.0, 0.0, 0.0, 0.0], self.sources())
    }

    /// Body and pose of a site.
    fn site(&self, node: &Node, name: &str) -> Result<(Option<usize>, Pose), RobotError> {
        let a = required(node, name, self.sources())?;
        let world = self.robot.world_sites.iter().map(|s| (None, s));
        let bodies = self.robot.bodies.iter().enumerate();
        let own = bodies.flat_map(|(k, b)| b.sites.iter().map(move |s| (Some(k), s)));
        let found = world.chain(own).find(|(_, s)| s.name == a.value);
        let Some((body, site)) = found else {
            let message = format!("there is no site `{}`", a.value);
            return Err(self.error(&a.place, message));
        };
        Ok((body, site.pose))
    }

    fn second(&self, node: &Node) -> Result<Option<usize>, RobotError> {
        match node.attribute("body2") {
            Some(_) => self.body_index(node, "body2"),
            None => Ok(None),
        }
    }

    fn connect(&self, node: &Node) -> Result<EqualityKind, RobotError> {
        if node.attribute("site1").is_some() {
            let (first, a) = self.site(node, "site1")?;
            let (second, b) = self.site(node, "site2")?;
            return Ok(EqualityKind::Connect {
                first,
                second,
                anchor: a.translation,
                other: Some(b.translation),
            });
        }
        let sources = self.sources();
        Ok(EqualityKind::Connect {
            first: self.body_index(node, "body1")?,
            second: self.second(node)?,
            anchor: vector(required(node, "anchor", sources)?, sources)?,
            other: None,
        })
    }

    fn weld(&self, node: &Node) -> Result<EqualityKind, RobotError> {
        let sources = self.sources();
        if node.attribute("site1").is_some() {
            let (first, a) = self.site(node, "site1")?;
            let (second, b) = self.site(node, "site2")?;
            return Ok(EqualityKind::Weld {
                first,
                second,
                pose: Some(a * b.inverse()),
                anchor: b.translation,
            });
        }
        let anchor = node
            .attribute("anchor")
            .map(|a| vector(a, sources))
            .transpose()?;
        let given = node
            .attribute("relpose")
            .map(|a| exactly::<7>(a, sources))
            .transpose()?;
        // a zero quaternion stands for the reference position
        let pose = given.filter(|p| p[3..] != [0.0; 4]).map(|p| {
            let turn = Quat::from_xyzw(p[4], p[5], p[6], p[3]).normalize();
            Pose::from_parts(Vec3::new(p[0], p[1], p[2]), turn)
        });
        Ok(EqualityKind::Weld {
            first: self.body_index(node, "body1")?,
            second: self.second(node)?,
            pose,
            anchor: anchor.unwrap_or(Vec3::ZERO),
        })
    }
}
