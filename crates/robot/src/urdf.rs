//! URDF: links and joints by name, a tree of them.

use crate::description::*;
use crate::error::{Place, RobotError, Sources};
use crate::files::Folder;
use crate::mesh::MeshInertia;
use crate::urdf_words::VOCABULARY;
use crate::values::{exactly, number, required, vector};
use crate::xml::Node;
use crate::{Options, physical, walk};
use multibody::spatial::Sym3;
use multibody::{Inertia, Joint, JointKind, Mat3, Pose, Quat, Vec3};
use std::collections::BTreeMap;

/// The rotation of roll, pitch, yaw.
fn rpy([r, p, y]: [f64; 3]) -> Quat {
    let about = |axis: Vec3, angle: f64| {
        let (sin, cos) = libm::sincos(0.5 * angle);
        Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
    };
    (about(Vec3::Z, y) * about(Vec3::Y, p) * about(Vec3::X, r)).normalize()
}

struct Reader<'a> {
    root: &'a Node,
    folder: &'a Folder,
    robot: Robot,
    colours: BTreeMap<&'a str, [f64; 4]>,
}

/// Reads a URDF tree.
pub(crate) fn read(
    root: &Node,
    folder: &Folder,
    sources: Sources,
    options: &Options,
) -> Result<Robot, RobotError> {
    let coverage = walk::walk(root, &VOCABULARY, &sources)?;
    let mut robot = Robot::empty(Format::Urdf, sources);
    robot.name = root.get("name").unwrap_or("robot").to_string();
    robot.coverage = coverage;
    robot.gravity = Vec3::new(0.0, 0.0, -9.81);
    let mut reader = Reader {
        root,
        folder,
        robot,
        colours: BTreeMap::new(),
    };
    reader.colours()?;
    let links = reader.names("link")?;
    let joints = reader.names("joint")?;
    let children = reader.tree(&links)?;
    let top = reader.top(&links, &children)?;
    reader.bodies(top, &links, &children, options)?;
    reader.mimics(&joints)?;
    Ok(reader.robot)
}

type Names<'a> = BTreeMap<&'a str, &'a Node>;
/// For each parent link, its joints in the order of the file; and each child's joint.
struct Tree<'a> {
    below: BTreeMap<&'a str, Vec<(&'a Node, &'a str)>>,
    above: BTreeMap<&'a str, (&'a Node, &'a str)>,
}

/// Types of joint.
const JOINT_TYPES: [&str; 6] = [
    "fixed",
    "revolute",
    "continuous",
    "prismatic",
    "floating",
    "planar",
];

impl<'a> Reader<'a> {
    fn sources(&self) -> &Sources {
        &self.robot.sources
    }

    fn error(&self, place: &Place, message: impl Into<String>) -> RobotError {
        self.sources().error(place, message)
    }

    fn names(&self, tag: &'a str) -> Result<Names<'a>, RobotError> {
        let mut names = Names::new();
        for node in self.root.all(tag) {
            let name = required(node, "name", self.sources())?;
            if let Some(first) = names.insert(name.value.as_str(), node) {
                let (_, line) = self.sources().line(&first.place);
                let message = format!("the {tag} `{}` exists already, in line {line}", name.value);
                return Err(self.error(&name.place, message));
            }
        }
        Ok(names)
    }

    fn colours(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for material in root.all("material") {
            self.colour(material)?;
        }
        Ok(())
    }

    /// The colour of a material, which is known by its name from then on.
    fn colour(&mut self, material: &'a Node) -> Result<[f64; 4], RobotError> {
        let name = material.get("name").unwrap_or("");
        if let Some(colour) = material.child("color") {
            let rgba = exactly::<4>(required(colour, "rgba", self.sources())?, self.sources())?;
            self.colours.insert(name, rgba);
        }
        Ok(self.colours.get(name).copied().unwrap_or(GREY))
    }

    fn end(&self, joint: &'a Node, tag: &str, links: &Names<'a>) -> Result<&'a str, RobotError> {
        let Some(node) = joint.child(tag) else {
            let message = format!("this joint has no `{tag}`");
            return Err(self.error(&joint.place, message));
        };
        let link = required(node, "link", self.sources())?;
        if !links.contains_key(link.value.as_str()) {
            let help = crate::error::suggestion(&link.value, links.keys().copied());
            let message = format!("there is no link `{}`", link.value);
            return Err(self.error(&link.place, message).help(help));
        }
        Ok(link.value.as_str())
    }

    fn tree(&self, links: &Names<'a>) -> Result<Tree<'a>, RobotError> {
        let mut tree = Tree {
            below: BTreeMap::new(),
            above: BTreeMap::new(),
        };
        for joint in self.root.all("joint") {
            let (parent, child) = (
                self.end(joint, "parent", links)?,
                self.end(joint, "child", links)?,
            );
            if let Some((other, _)) = tree.above.insert(child, (joint, parent)) {
                let other = other.get("name").unwrap_or("");
                let message = format!("the link `{child}` already hangs on the joint `{other}`");
                return Err(self
                    .error(&joint.place, message)
                    .help("a link has one parent; close loops by other means"));
            }
            tree.below.entry(parent).or_default().push((joint, child));
        }
        // whoever walks up from any link must come to a root
        for (&link, node) in links {
            let mut at = link;
            for _ in 0..=links.len() {
                match tree.above.get(at) {
                    Some((_, parent)) => at = parent,
                    None => {
                        at = "";
                        break;
                    }
                }
            }
            if !at.is_empty() && tree.above.contains_key(at) {
                let place = tree.above.get(link).map_or(&node.place, |(j, _)| &j.place);
                let message = format!("the joints above the link `{link}` go round in a circle");
                return Err(self
                    .error(place, message)
                    .help("one link must have no parent"));
            }
        }
        Ok(tree)
    }

    fn top(&self, links: &Names<'a>, tree: &Tree<'a>) -> Result<&'a str, RobotError> {
        let mut tops = self
            .root
            .all("link")
            .filter(|l| l.get("name").is_some_and(|n| !tree.above.contains_key(n)));
        let Some(top) = tops.next() else {
            debug_assert!(links.is_empty());
            return Err(self.error(&self.root.place, "this robot has no links"));
        };
        if let Some(other) = tops.next() {
            let names = (
                top.get("name").unwrap_or(""),
                other.get("name").unwrap_or(""),
            );
            let message = format!("both `{}` and `{}` have no parent", names.0, names.1);
            return Err(self
                .error(&other.place, message)
                .help("a robot is one tree: join one of them to the other"));
        }
        Ok(top.get("name").unwrap_or(""))
    }

    fn bodies(
        &mut self,
        top: &'a str,
        links: &Names<'a>,
        tree: &Tree<'a>,
        options: &Options,
    ) -> Result<(), RobotError> {
        let mut stack = vec![(top, None::<&'a Node>, None::<usize>)];
        while let Some((name, joint, parent)) = stack.pop() {
            let body = self.body(name, links[name], joint, parent, options)?;
            self.robot.bodies.push(body);
            let own = self.robot.bodies.len() - 1;
            for &(joint, child) in tree.below.get(name).into_iter().flatten().rev() {
                stack.push((child, Some(joint), Some(own)));
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        name: &'a str,
        link: &'a Node,
        joint: Option<&'a Node>,
        parent: Option<usize>,
        options: &Options,
    ) -> Result<Body, RobotError> {
        let mut body = Body {
            name: name.to_string(),
            parent,
            pose: Pose::IDENTITY,
            inertia: self.inertia(name, link)?,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            gravity_compensation: 0.0,
            place: link.place.clone(),
        };
        match joint {
            Some(joint) => {
                body.pose = self.origin(joint)?;
                body.joints = self.joint(joint)?;
                if parent != Some(0) && body.joints.iter().any(|j| j.joint.kind == JointKind::Free)
                {
                    let message = "a floating joint below a link that moves is not simulated";
                    return Err(self.error(&joint.place, message));
                }
            }
            None if options.floating => body.joints.push(JointDescription {
                name: "root".into(),
                joint: Joint::new(JointKind::Free),
                anchor: Vec3::ZERO,
                effort: None,
                velocity: None,
                spring_damper: None,
                place: link.place.clone(),
            }),
            None => {}
        }
        for (tag, visual) in [("visual", true), ("collision", false)] {
            for node in link.all(tag) {
                let geom = self.geom(node, visual)?;
                body.geoms.extend(geom);
            }
        }
        Ok(body)
    }

    fn origin(&self, node: &Node) -> Result<Pose, RobotError> {
        let Some(origin) = node.child("origin") else {
            return Ok(Pose::IDENTITY);
        };
        let at = |name| {
            origin
                .attribute(name)
                .map(|a| exactly::<3>(a, self.sources()))
                .transpose()
        };
        let xyz = at("xyz")?.unwrap_or_default();
        let turn = rpy(at("rpy")?.unwrap_or_default());
        Ok(Pose::from_parts(Vec3::from_array(xyz), turn))
    }

    fn inertia(&mut self, name: &str, link: &Node) -> Result<Inertia, RobotError> {
        let Some(inertial) = link.child("inertial") else {
            return Ok(Inertia::NONE);
        };
        let value = |node: &Node, name: &str, sources: &Sources| -> Result<f64, RobotError> {
            node.attribute(name).map_or(Ok(0.0), |a| number(a, sources))
        };
        let sources = self.sources();
        let mass = match inertial.child("mass") {
            Some(m) => number(required(m, "value", sources)?, sources)?,
            None => return Err(self.error(&inertial.place, "`inertial` needs `mass`")),
        };
        let mut tensor = Sym3::ZERO;
        if let Some(i) = inertial.child("inertia") {
            let at = |name: &str| value(i, name, sources);
            tensor = Sym3::new(
                Vec3::new(at("ixx")?, at("iyy")?, at("izz")?),
                at("ixy")?,
                at("ixz")?,
                at("iyz")?,
            );
        }
        if mass < 0.0 {
            let message = format!("the mass of `{name}` is {mass} kg");
            return Err(self
                .error(&inertial.place, message)
                .help("masses are not negative"));
        }
        if let Some(odd) = physical::odd(tensor) {
            let message = format!("the inertia of link `{name}` {odd}; it is used as it is");
            self.robot.warn(&inertial.place, message);
        }
        let pose = self.origin(inertial)?;
        let body = Inertia {
            mass,
            com: Vec3::ZERO,
            tensor,
        };
        Ok(body.placed(pose.translation, &Mat3::from_quat(pose.rotation)))
    }

    /// The limits of a joint whose type demands them.
    fn range(
        &self,
        node: &Node,
        name: &str,
        [low, high]: [Option<f64>; 2],
    ) -> Result<(f64, f64), RobotError> {
        let Some(limit) = node.child("limit") else {
            let message = format!("the joint `{name}` needs `limit`, as its type demands");
            return Err(self.error(&node.place, message).help(
                "add <limit lower=… upper=… effort=… velocity=…/>, or use the type `continuous`",
            ));
        };
        let range = (low.unwrap_or(0.0), high.unwrap_or(0.0));
        if range.0 > range.1 {
            let message = format!("the limits of `{name}` are {} and {}", range.0, range.1);
            let help = "`lower` must not exceed `upper`";
            return Err(self.error(&limit.place, message).help(help));
        }
        Ok(range)
    }

    fn joint(&self, node: &'a Node) -> Result<Vec<JointDescription>, RobotError> {
        let sources = self.sources();
        let kind = required(node, "type", sources)?;
        let axis = match node.child("axis") {
            Some(a) => vector(required(a, "xyz", sources)?, sources)?,
            None => Vec3::X,
        };
        let place = node.child("axis").map_or(&node.place, |a| &a.place);
        let moves = matches!(
            kind.value.as_str(),
            "revolute" | "continuous" | "prismatic" | "planar"
        );
        if moves && axis.length() < 1e-12 {
            return Err(self.error(place, "the axis of this joint has no direction"));
        }
        let name = required(node, "name", sources)?.value.clone();
        let limit = node.child("limit");
        let make = |kind: JointKind, limits: bool| -> Result<JointDescription, RobotError> {
            let get = |n: Option<&Node>, name: &str| -> Result<Option<f64>, RobotError> {
                let attribute = n.and_then(|n| n.attribute(name));
                attribute.map(|a| number(a, sources)).transpose()
            };
            let mut joint = Joint::new(kind);
            let dynamics = node.child("dynamics");
            joint.damping = get(dynamics, "damping")?.unwrap_or(0.0);
            joint.friction_loss = get(dynamics, "friction")?.unwrap_or(0.0).max(0.0);
            if limits {
                let range = [get(limit, "lower")?, get(limit, "upper")?];
                joint.limits = Some(self.range(node, &name, range)?);
            }
            Ok(JointDescription {
                name: name.clone(),
                joint,
                anchor: Vec3::ZERO,
                effort: get(limit, "effort")?.map(|e| (-e, e)),
                velocity: get(limit, "velocity")?,
                spring_damper: None,
                place: node.place.clone(),
            })
        };
        Ok(match kind.value.as_str() {
            "fixed" => Vec::new(),
            "revolute" => vec![make(JointKind::Hinge(axis), true)?],
            "continuous" => vec![make(JointKind::Hinge(axis), false)?],
            "prismatic" => vec![make(JointKind::Slide(axis), true)?],
            "floating" => vec![make(JointKind::Free, false)?],
            "spherical" | "ball" => vec![make(JointKind::Ball, false)?],
            "planar" => {
                let normal = axis.normalize();
                let x = normal.any_orthonormal_vector();
                let parts = [
                    (JointKind::Slide(x), "x"),
                    (JointKind::Slide(normal.cross(x)), "y"),
                    (JointKind::Hinge(normal), "turn"),
                ];
                let mut joints = Vec::new();
                for (kind, part) in parts {
                    let mut joint = make(kind, false)?;
                    joint.name = format!("{name} ({part})");
                    joints.push(joint);
                }
                joints
            }
            other => {
                let message = format!("`{other}` is not a type of joint");
                return Err(self
                    .error(&kind.place, message)
                    .help(crate::error::suggestion(other, JOINT_TYPES)));
            }
        })
    }

    fn geom(&mut self, node: &'a Node, visual: bool) -> Result<Option<Geom>, RobotError> {
        let Some(geometry) = node.child("geometry") else {
            return Err(self.error(&node.place, format!("`{}` needs `geometry`", node.tag)));
        };
        let Some(shape) = geometry.children.iter().find(|c| !c.foreign) else {
            return Err(self.error(&geometry.place, "`geometry` is empty"));
        };
        let sources = self.sources();
        let size = |name: &str| -> Result<f64, RobotError> {
            let a = required(shape, name, sources)?;
            let x = number(a, sources)?;
            if x < 0.0 {
                return Err(sources.error(&a.place, format!("`{name}` is negative")));
            }
            Ok(x)
        };
        let form = match shape.tag.as_str() {
            "sphere" => Shape::Sphere(size("radius")?),
            "cylinder" => Shape::Cylinder(size("radius")?, 0.5 * size("length")?),
            "capsule" => Shape::Capsule(size("radius")?, 0.5 * size("length")?),
            "box" => Shape::Box(vector(required(shape, "size", sources)?, sources)? * 0.5),
            _ => Shape::Mesh(self.mesh(shape, visual)?),
        };
        let rgba = match node.child("material") {
            Some(m) => self.colour(m)?,
            None => GREY,
        };
        Ok(Some(Geom {
            name: node.get("name").unwrap_or("").to_string(),
            shape: form,
            pose: self.origin(node)?,
            visual,
            collision_only: !visual,
            contact: if visual { (0, 0) } else { (1, 1) },
            friction: [1.0, 0.005, 0.0001],
            rgba,
            place: node.place.clone(),
        }))
    }

    fn mesh(&mut self, node: &Node, visual: bool) -> Result<usize, RobotError> {
        let file = required(node, "filename", self.sources())?;
        let scale = node
            .attribute("scale")
            .map(|a| vector(a, self.sources()))
            .transpose()?;
        let scale = scale.unwrap_or(Vec3::ONE);
        let path = match self.folder.find(&file.value, &[&self.folder.own]) {
            Ok(path) => Some(path),
            Err(why) if visual => {
                self.robot
                    .warn(&file.place, format!("{why}; the shape is not drawn"));
                None
            }
            Err(why) => return Err(self.error(&file.place, why)),
        };
        self.robot.meshes.push(MeshFile {
            name: file.value.clone(),
            path,
            scale,
            origin: Vec3::ZERO,
            turn: Quat::IDENTITY,
            given: None,
            inertia: MeshInertia::Exact,
            place: file.place.clone(),
        });
        Ok(self.robot.meshes.len() - 1)
    }

    fn mimics(&mut self, joints: &Names<'a>) -> Result<(), RobotError> {
        for joint in self.root.all("joint") {
            let Some(mimic) = joint.child("mimic") else {
                continue;
            };
            let sources = self.sources();
            let other = required(mimic, "joint", sources)?;
            if !joints.contains_key(other.value.as_str()) {
                let help = crate::error::suggestion(&other.value, joints.keys().copied());
                let message = format!("there is no joint `{}`", other.value);
                return Err(self.error(&other.place, message).help(help));
            }
            let get = |name: &str, default: f64| {
                mimic
                    .attribute(name)
                    .map_or(Ok(default), |a| number(a, sources))
            };
            let equality = Equality {
                name: String::new(),
                kind: EqualityKind::Mimic {
                    first: joint.get("name").unwrap_or("").to_string(),
                    second: other.value.clone(),
                    multiplier: get("multiplier", 1.0)?,
                    offset: get("offset", 0.0)?,
                },
                active: true,
                place: mimic.place.clone(),
            };
            self.robot.equalities.push(equality);
        }
        Ok(())
    }
}

/// What has no colour.
pub(crate) const GREY: [f64; 4] = [0.5, 0.5, 0.5, 1.0];
