//! Default classes: a class has the attributes of its parent unless it says otherwise.

use super::Element;
use crate::error::{RobotError, Sources, suggestion};
use crate::xml::{Attribute, Node};
use std::collections::BTreeMap;

type Class = BTreeMap<String, BTreeMap<String, Attribute>>;

/// Attributes that every kind of motor takes from whatever kind the class names.
const SHARED: [&str; 5] = [
    "ctrlrange",
    "ctrllimited",
    "forcerange",
    "forcelimited",
    "gear",
];

const MOTORS: [&str; 13] = [
    "general",
    "motor",
    "position",
    "velocity",
    "intvelocity",
    "damper",
    "cylinder",
    "muscle",
    "adhesion",
    "pid",
    "dcmotor",
    "orientation",
    "plugin",
];

pub(super) struct Classes(BTreeMap<String, Class>);

impl Classes {
    pub fn read(root: &Node, sources: &Sources) -> Result<Classes, RobotError> {
        let mut classes = Classes(BTreeMap::new());
        classes.0.insert("main".into(), Class::new());
        for node in root.all("default") {
            let name = node.get("class").unwrap_or("main").to_string();
            if name == "main" || !classes.0.contains_key(&name) {
                let base = classes.0.get("main").cloned().unwrap_or_default();
                classes.fill(node, name, base, sources)?;
            }
        }
        Ok(classes)
    }

    fn fill(
        &mut self,
        node: &Node,
        name: String,
        mut class: Class,
        sources: &Sources,
    ) -> Result<(), RobotError> {
        for child in node.children.iter().filter(|c| c.tag != "default") {
            let own = class.entry(child.tag.clone()).or_default();
            for a in &child.attributes {
                own.insert(a.name.clone(), a.clone());
            }
            if MOTORS.contains(&child.tag.as_str()) {
                let shared = class.entry("actuator".into()).or_default();
                for a in child
                    .attributes
                    .iter()
                    .filter(|a| SHARED.contains(&a.name.as_str()))
                {
                    shared.insert(a.name.clone(), a.clone());
                }
            }
        }
        self.0.insert(name.clone(), class.clone());
        for child in node.all("default") {
            let Some(a) = child.attribute("class") else {
                let message = "a default inside another needs `class`";
                return Err(sources.error(&child.place, message));
            };
            if self.0.contains_key(&a.value) {
                let message = format!("the class `{}` exists already", a.value);
                return Err(sources.error(&a.place, message));
            }
            self.fill(child, a.value.clone(), class.clone(), sources)?;
        }
        Ok(())
    }

    /// Refuses a class that does not exist.
    pub fn check(&self, a: &Attribute, sources: &Sources) -> Result<(), RobotError> {
        if self.0.contains_key(&a.value) {
            return Ok(());
        }
        let help = suggestion(&a.value, self.0.keys().map(String::as_str));
        let message = format!("there is no default class `{}`", a.value);
        Err(sources.error(&a.place, message).help(help))
    }

    /// An element with its defaults: of its own class, or of the class that holds around it.
    pub fn element<'a>(
        &'a self,
        tag: &str,
        node: &'a Node,
        around: &str,
        sources: &Sources,
    ) -> Result<Element<'a>, RobotError> {
        if let Some(a) = node.attribute("class") {
            self.check(a, sources)?;
        }
        let class = self.0.get(node.get("class").unwrap_or(around));
        Ok(Element {
            node,
            defaults: class.and_then(|c| c.get(tag)),
            shared: class
                .filter(|_| MOTORS.contains(&tag))
                .and_then(|c| c.get("actuator")),
        })
    }
}
