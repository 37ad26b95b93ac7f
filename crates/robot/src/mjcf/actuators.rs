//! Motors.

use super::{Element, Reader};
use crate::description::*;
use crate::error::RobotError;
use crate::xml::Node;

impl<'a> Reader<'a> {
    pub(super) fn actuators(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for node in root.all("actuator").flat_map(|a| a.children.iter()) {
            if node.tag == "include" {
                continue;
            }
            let name = self.name("actuator", node)?;
            let actuator = self.actuator(node, name)?;
            self.robot.actuators.push(actuator);
        }
        Ok(())
    }

    fn actuator(&mut self, node: &'a Node, name: String) -> Result<Actuator, RobotError> {
        let tag = node.tag.as_str();
        let e = self.classes.element(tag, node, "main", self.sources())?;
        let sources = self.sources();
        let gear = e.some("gear", [1.0; 1], sources)?[0];
        let joint = e
            .attribute("joint")
            .or_else(|| e.attribute("jointinparent"));
        let mut transmission = match (joint, e.attribute("tendon")) {
            (Some(a), _) => Transmission::Joint(a.value.clone(), gear),
            (None, Some(a)) => Transmission::Tendon(a.value.clone(), gear),
            (None, None) => Transmission::Other,
        };
        let mut why = (transmission == Transmission::Other)
            .then_some("pulls at something other than a joint or a fixed tendon");
        if let Transmission::Joint(name, _) = &transmission {
            let joints = || self.robot.bodies.iter().flat_map(|b| &b.joints);
            match joints().find(|j| j.name == *name) {
                Some(j) if j.joint.kind.velocities() != 1 => {
                    why = Some("pulls at a joint that is neither a hinge nor a slide");
                    transmission = Transmission::Other;
                }
                Some(_) => {}
                None => {
                    let place = joint.map_or(&node.place, |a| &a.place);
                    let help = crate::error::suggestion(name, joints().map(|j| j.name.as_str()));
                    let message = format!("there is no joint `{name}`");
                    return Err(self.error(place, message).help(help));
                }
            }
        }
        if let Transmission::Tendon(name, _) = &transmission
            && !self.robot.tendons.iter().any(|t| t.name == *name)
        {
            if !self.names.contains_key(&("tendon", name.clone())) {
                let message = format!("there is no tendon `{name}`");
                return Err(self.error(&node.place, message));
            }
            why = Some("pulls at a spatial tendon");
            transmission = Transmission::Other;
        }
        let Some((gain, bias, ratio)) = self.law(tag, e)? else {
            why = Some("is of a kind that is not simulated");
            transmission = Transmission::Other;
            return Ok(self.made(
                node,
                name,
                transmission,
                why,
                [[0.0; 3]; 2],
                None,
                [None; 2],
            ));
        };
        let automatic = self.compiler.automatic_limits;
        let mut control = e.limits("ctrlrange", "ctrllimited", automatic, sources)?;
        let force = e.limits("forcerange", "forcelimited", automatic, sources)?;
        if let Some(inherit) = e.attribute("inheritrange") {
            let factor = crate::values::number(inherit, sources)?;
            let range = self.range_of(&transmission);
            if let (Some((low, high)), true) = (range, factor > 0.0) {
                let (middle, half) = (0.5 * (low + high), 0.5 * (high - low) * factor);
                control = Some((middle - half, middle + half));
            }
        }
        Ok(self.made(
            node,
            name,
            transmission,
            why,
            [gain, bias],
            ratio,
            [control, force],
        ))
    }

    #[allow(clippy::too_many_arguments)]
    fn made(
        &mut self,
        node: &Node,
        name: String,
        transmission: Transmission,
        why: Option<&str>,
        [gain, bias]: [[f64; 3]; 2],
        damping_ratio: Option<f64>,
        [control_range, force_range]: [Option<(f64, f64)>; 2],
    ) -> Actuator {
        if let Some(why) = why {
            self.robot.warn(
                &node.place,
                format!("the motor `{name}` {why}; it does nothing"),
            );
        }
        Actuator {
            name,
            transmission,
            gain,
            bias,
            damping_ratio,
            control_range,
            force_range,
            place: node.place.clone(),
        }
    }

    fn range_of(&self, transmission: &Transmission) -> Option<(f64, f64)> {
        match transmission {
            Transmission::Joint(name, _) => {
                let mut joints = self.robot.bodies.iter().flat_map(|b| &b.joints);
                joints
                    .find(|j| j.name == *name)
                    .and_then(|j| j.joint.limits)
            }
            Transmission::Tendon(name, _) => {
                let mut tendons = self.robot.tendons.iter();
                tendons.find(|t| t.name == *name).and_then(|t| t.limits)
            }
            Transmission::Other => None,
        }
    }

    /// Gain, bias and damping ratio of a kind of motor; none when it has a state or a law of its own.
    #[allow(clippy::type_complexity)]
    fn law(
        &self,
        tag: &str,
        e: Element<'_>,
    ) -> Result<Option<([f64; 3], [f64; 3], Option<f64>)>, RobotError> {
        let sources = self.sources();
        Ok(Some(match tag {
            "motor" => ([1.0, 0.0, 0.0], [0.0; 3], None),
            "position" => {
                let kp = e.number("kp", 1.0, sources)?;
                let kv = e.number("kv", 0.0, sources)?;
                let ratio = e
                    .attribute("dampratio")
                    .map(|_| e.number("dampratio", 0.0, sources));
                ([kp, 0.0, 0.0], [0.0, -kp, -kv], ratio.transpose()?)
            }
            "velocity" => {
                let kv = e.number("kv", 1.0, sources)?;
                ([kv, 0.0, 0.0], [0.0, 0.0, -kv], None)
            }
            "damper" => {
                let kv = e.number("kv", 1.0, sources)?;
                ([0.0, 0.0, -kv], [0.0; 3], None)
            }
            "general" => {
                let gain = e.some("gainprm", [1.0, 0.0, 0.0], sources)?;
                let bias = e.some("biasprm", [0.0; 3], sources)?;
                let gain = match e.get("gaintype").unwrap_or("fixed") {
                    "fixed" => [gain[0], 0.0, 0.0],
                    "affine" => gain,
                    _ => return Ok(None),
                };
                let bias = match e.get("biastype").unwrap_or("none") {
                    "none" => [0.0; 3],
                    "affine" => bias,
                    _ => return Ok(None),
                };
                (gain, bias, None)
            }
            _ => return Ok(None),
        }))
    }
}
