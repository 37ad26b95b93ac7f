//! MJCF, MuJoCo's format: nested bodies, default classes, settings of the compiler, included files.

mod actuators;
mod bodies;
mod classes;
mod compiler;
mod constraints;
mod inertia;
mod pose;
mod words;

use crate::description::*;
use crate::error::{Place, RobotError, Sources};
use crate::files::Folder;
use crate::mesh::{Mesh, MeshInertia};
use crate::values::{exactly, number, numbers, vector};
use crate::walk;
use crate::xml::{Attribute, Node};
use classes::Classes;
use compiler::Compiler;
use multibody::{Quat, Vec3};
use std::collections::{BTreeMap, BTreeSet};

/// An element with the defaults of its class.
#[derive(Clone, Copy)]
pub(super) struct Element<'a> {
    pub node: &'a Node,
    pub defaults: Option<&'a BTreeMap<String, Attribute>>,
    /// Attributes that all motors share.
    pub shared: Option<&'a BTreeMap<String, Attribute>>,
}

impl<'a> Element<'a> {
    fn default(&self, name: &str) -> Option<&'a Attribute> {
        let find = |m: Option<&'a BTreeMap<String, Attribute>>| m.and_then(|m| m.get(name));
        find(self.defaults).or_else(|| find(self.shared))
    }

    fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.node.attribute(name).or_else(|| self.default(name))
    }

    fn get(&self, name: &str) -> Option<&'a str> {
        self.attribute(name).map(|a| a.value.as_str())
    }

    fn number(&self, name: &str, default: f64, sources: &Sources) -> Result<f64, RobotError> {
        self.attribute(name)
            .map_or(Ok(default), |a| number(a, sources))
    }

    fn pair(&self, name: &str, sources: &Sources) -> Result<Option<(f64, f64)>, RobotError> {
        let pair = self
            .attribute(name)
            .map(|a| exactly::<2>(a, sources))
            .transpose()?;
        Ok(pair.map(|[low, high]| (low, high)))
    }

    /// Numbers of which the last may be missing.
    fn some<const N: usize>(
        &self,
        name: &str,
        default: [f64; N],
        sources: &Sources,
    ) -> Result<[f64; N], RobotError> {
        let mut out = default;
        if let Some(a) = self.attribute(name) {
            let found = numbers(a, sources)?;
            for (to, from) in out.iter_mut().zip(&found) {
                *to = *from;
            }
        }
        Ok(out)
    }

    /// A range that holds when `limited` says so, or when it is given and limits are automatic.
    fn limits(
        &self,
        range: &str,
        limited: &str,
        automatic: bool,
        sources: &Sources,
    ) -> Result<Option<(f64, f64)>, RobotError> {
        let given = self.pair(range, sources)?;
        let word = self.get(limited).unwrap_or("auto");
        match (word, given) {
            ("false", _) => Ok(None),
            ("true", None) => {
                let message = format!("`{limited}` is true, but there is no `{range}`");
                Err(sources.error(&self.node.place, message))
            }
            ("true", given) => self.ordered(range, given, sources),
            ("auto", given) if automatic => {
                self.ordered(range, given.filter(|(low, high)| low < high), sources)
            }
            ("auto", _) => Ok(None),
            (other, _) => {
                let message = format!("`{limited}` is `{other}`; true, false or auto is expected");
                let place = self
                    .attribute(limited)
                    .map_or(&self.node.place, |a| &a.place);
                Err(sources.error(place, message))
            }
        }
    }

    fn ordered(
        &self,
        range: &str,
        given: Option<(f64, f64)>,
        sources: &Sources,
    ) -> Result<Option<(f64, f64)>, RobotError> {
        match given {
            Some((low, high)) if low > high => {
                let place = self.attribute(range).map_or(&self.node.place, |a| &a.place);
                let message = format!("`{range}` goes from {low} to {high}");
                Err(sources
                    .error(place, message)
                    .help("the smaller number comes first"))
            }
            given => Ok(given),
        }
    }
}

struct Reader<'a> {
    root: &'a Node,
    folder: &'a Folder,
    classes: Classes,
    compiler: Compiler,
    robot: Robot,
    colours: BTreeMap<String, [f64; 4]>,
    /// For each mesh, why its file cannot be opened.
    missing: Vec<Option<String>>,
    names: BTreeMap<(&'static str, String), Place>,
}

/// Reads an MJCF tree.
pub(crate) fn read(root: &Node, folder: &Folder, sources: Sources) -> Result<Robot, RobotError> {
    let coverage = walk::walk(root, &words::VOCABULARY, &sources)?;
    let classes = Classes::read(root, &sources)?;
    let compiler = Compiler::read(root, &sources)?;
    let mut robot = Robot::empty(Format::Mjcf, sources);
    robot.name = root.get("model").unwrap_or("robot").to_string();
    robot.coverage = coverage;
    robot.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut reader = Reader {
        root,
        folder,
        classes,
        compiler,
        robot,
        colours: BTreeMap::new(),
        missing: Vec::new(),
        names: BTreeMap::new(),
    };
    reader.options()?;
    reader.assets()?;
    reader.world()?;
    reader.name_bodies();
    reader.total_mass();
    reader.tendons()?;
    reader.equalities()?;
    reader.actuators()?;
    reader.excludes()?;
    reader.keyframes()?;
    reader.disable();
    Ok(reader.robot)
}

impl<'a> Reader<'a> {
    pub(super) fn sources(&self) -> &Sources {
        &self.robot.sources
    }

    pub(super) fn error(&self, place: &Place, message: impl Into<String>) -> RobotError {
        self.robot.sources.error(place, message)
    }

    /// The name of an element, which must be the only one of its kind.
    pub(super) fn name(&mut self, kind: &'static str, node: &Node) -> Result<String, RobotError> {
        let Some(a) = node.attribute("name").filter(|a| !a.value.is_empty()) else {
            return Ok(String::new());
        };
        self.claim(kind, a.value.clone(), &a.place)?;
        Ok(a.value.clone())
    }

    fn claim(&mut self, kind: &'static str, name: String, place: &Place) -> Result<(), RobotError> {
        if let Some(first) = self.names.get(&(kind, name.clone())) {
            let (file, line) = self.sources().line(first);
            let message = format!("the {kind} `{name}` exists already, in {file}, line {line}");
            return Err(self.error(place, message));
        }
        self.names.insert((kind, name), place.clone());
        Ok(())
    }

    /// Bodies without names are called by their order, `body 3`, or the next number that no other body has.
    fn name_bodies(&mut self) {
        let bodies = &mut self.robot.bodies;
        let mut taken: BTreeSet<String> = bodies.iter().map(|b| b.name.clone()).collect();
        for (own, body) in bodies.iter_mut().enumerate() {
            if body.name.is_empty() {
                let mut names = (own + 1..).map(|number| format!("body {number}"));
                body.name = names.find(|name| !taken.contains(name)).unwrap_or_default();
                taken.insert(body.name.clone());
            }
        }
    }

    fn options(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for option in root.all("option") {
            let sources = &self.robot.sources;
            let get = |name: &str| option.attribute(name);
            if let Some(a) = get("gravity") {
                self.robot.gravity = vector(a, sources)?;
            }
            let (mut density, mut viscosity, mut wind) = self.robot.fluid;
            if let Some(a) = get("density") {
                density = number(a, sources)?;
            }
            if let Some(a) = get("viscosity") {
                viscosity = number(a, sources)?;
            }
            if let Some(a) = get("wind") {
                wind = vector(a, sources)?;
            }
            self.robot.fluid = (density, viscosity, wind);
        }
        Ok(())
    }

    fn joints_mut(&mut self) -> impl Iterator<Item = &mut multibody::Joint> {
        let joints = self.robot.bodies.iter_mut().flat_map(|b| &mut b.joints);
        joints.map(|j| &mut j.joint)
    }

    /// What flags switch off.
    fn disable(&mut self) {
        let root = self.root;
        let off = |name: &str| {
            let flags = root.all("option").flat_map(|o| o.all("flag"));
            flags.filter_map(|f| f.get(name)).last() == Some("disable")
        };
        let passive = off("passive");
        let (springs, dampers) = (off("spring") || passive, off("damper") || passive);
        if off("gravity") {
            self.robot.gravity = Vec3::ZERO;
        }
        if springs && dampers {
            self.robot.fluid = (0.0, 0.0, Vec3::ZERO);
            self.robot
                .bodies
                .iter_mut()
                .for_each(|b| b.gravity_compensation = 0.0);
        }
        for j in self.joints_mut() {
            if springs {
                j.stiffness = 0.0;
            }
            if dampers {
                j.damping = 0.0;
            }
        }
        for t in &mut self.robot.tendons {
            if springs {
                t.stiffness = 0.0;
            }
            if dampers {
                t.damping = 0.0;
            }
        }
        let constraints = off("constraint");
        self.robot.touches = !(off("contact") || constraints);
        if off("limit") || constraints {
            self.joints_mut().for_each(|j| j.limits = None);
            self.robot.tendons.iter_mut().for_each(|t| t.limits = None);
        }
        if off("frictionloss") || constraints {
            self.joints_mut().for_each(|j| j.friction_loss = 0.0);
            let tendons = self.robot.tendons.iter_mut();
            tendons.for_each(|t| t.friction_loss = 0.0);
        }
        if off("equality") || constraints {
            self.robot.equalities.clear();
        }
        if off("actuation") {
            self.robot.actuators.clear();
            let frames = self.robot.keyframes.iter_mut();
            frames.for_each(|frame| frame.controls.clear());
        }
    }

    fn assets(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for asset in root.all("asset") {
            for node in asset.all("material") {
                let name = self.name("material", node)?;
                let rgba = self
                    .classes
                    .element("material", node, "main", self.sources())?;
                let rgba = rgba.some("rgba", [1.0; 4], self.sources())?;
                self.colours.insert(name, rgba);
            }
            for node in asset.all("mesh") {
                self.mesh(node)?;
            }
            if let Some(model) = asset.child("model") {
                return Err(self.error(&model.place, "other models are not attached"));
            }
        }
        Ok(())
    }

    fn mesh(&mut self, node: &'a Node) -> Result<(), RobotError> {
        let element = self.classes.element("mesh", node, "main", self.sources())?;
        let sources = &self.robot.sources;
        let scale = element.some("scale", [1.0; 3], sources)?;
        let origin = element.some("refpos", [0.0; 3], sources)?;
        let [w, x, y, z] = element.some("refquat", [1.0, 0.0, 0.0, 0.0], sources)?;
        let inertia = match element.get("inertia") {
            Some("exact") => MeshInertia::Exact,
            Some("shell") => MeshInertia::Shell,
            None if self.compiler.exact_meshes => MeshInertia::Exact,
            _ => MeshInertia::Legacy,
        };
        let hull = element.get("inertia") == Some("convex");
        let file = element.attribute("file");
        let given = match (node.attribute("vertex"), node.attribute("face")) {
            (Some(v), Some(f)) => Some(given_mesh(v, f, sources)?),
            _ => None,
        };
        let (mut path, mut missing) = (None, None);
        if let Some(file) = file {
            let name = self.compiler.asset(&file.value, true);
            match self.folder.find(&name, &[&self.folder.own]) {
                Ok(found) => path = Some(found),
                Err(why) => missing = Some(why),
            }
        }
        let own = match node.get("name") {
            Some(name) => name.to_string(),
            None => {
                let file = file.map_or("", |f| f.value.as_str()).replace('\\', "/");
                let last = file.rsplit('/').next().unwrap_or("");
                last.rsplit_once('.')
                    .map_or(last, |(stem, _)| stem)
                    .to_string()
            }
        };
        self.claim("mesh", own.clone(), &node.place)?;
        if hull {
            let message =
                format!("the inertia of the mesh `{own}` is that of its surface, not of its hull");
            self.robot.warn(&node.place, message);
        }
        self.missing.push(missing);
        self.robot.meshes.push(MeshFile {
            name: own,
            path,
            scale: Vec3::from_array(scale),
            origin: Vec3::from_array(origin),
            turn: Quat::from_xyzw(x, y, z, w).normalize(),
            given,
            inertia: if hull { MeshInertia::Exact } else { inertia },
            place: node.place.clone(),
        });
        Ok(())
    }

    fn excludes(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for node in root.all("contact").flat_map(|c| c.all("exclude")) {
            let first = self.body_index(node, "body1")?;
            let second = self.body_index(node, "body2")?;
            if let (Some(first), Some(second)) = (first, second) {
                self.robot.excludes.push((first, second));
            }
        }
        Ok(())
    }

    fn keyframes(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for node in root.all("keyframe").flat_map(|k| k.all("key")) {
            let list = |name: &str| {
                node.attribute(name)
                    .map_or(Ok(Vec::new()), |a| numbers(a, self.sources()))
            };
            let key = Keyframe {
                name: node.get("name").unwrap_or("").to_string(),
                positions: list("qpos")?,
                velocities: list("qvel")?,
                controls: list("ctrl")?,
                place: node.place.clone(),
            };
            self.robot.keyframes.push(key);
        }
        Ok(())
    }

    /// The body an attribute names; none for the world.
    pub(super) fn body_index(&self, node: &Node, name: &str) -> Result<Option<usize>, RobotError> {
        let a = crate::values::required(node, name, self.sources())?;
        if a.value == "world" {
            return Ok(None);
        }
        let Some(body) = self.robot.body(&a.value) else {
            let known = self.robot.bodies.iter().map(|b| b.name.as_str());
            let help = crate::error::suggestion(&a.value, known);
            let message = format!("there is no body `{}`", a.value);
            return Err(self.error(&a.place, message).help(help));
        };
        Ok(Some(body))
    }
}

fn given_mesh(v: &Attribute, f: &Attribute, sources: &Sources) -> Result<Mesh, RobotError> {
    let (corners, faces) = (numbers(v, sources)?, numbers(f, sources)?);
    let count = corners.len() / 3;
    let bad = faces
        .iter()
        .any(|i| *i < 0.0 || *i as usize >= count || i.fract() != 0.0);
    if bad || corners.len() % 3 != 0 || faces.len() % 3 != 0 {
        let message = "faces are triples of numbers of vertices, and vertices triples of numbers";
        return Err(sources.error(&f.place, message));
    }
    Ok(Mesh {
        vertices: corners.chunks(3).map(Vec3::from_slice).collect(),
        faces: faces
            .chunks(3)
            .map(|c| [c[0] as u32, c[1] as u32, c[2] as u32])
            .collect(),
    })
}
