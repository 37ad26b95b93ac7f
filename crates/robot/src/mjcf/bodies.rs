//! Bodies with their joints, shapes and sites.

use super::{Element, Reader, pose::z_to};
use crate::description::*;
use crate::error::{Place, RobotError};
use crate::urdf::GREY;
use crate::values::exactly;
use crate::xml::Node;
use multibody::{Inertia, Joint, JointKind, Pose, Vec3};

/// A shape with what its mass depends on.
pub(super) struct Heavy {
    pub geom: Geom,
    pub mass: Option<f64>,
    pub density: f64,
    pub hollow: bool,
    pub group: f64,
}

/// What a body's elements have been read into.
struct Content {
    body: Body,
    heavy: Vec<Heavy>,
    inertial: Option<Inertia>,
}

impl<'a> Reader<'a> {
    pub(super) fn world(&mut self) -> Result<(), RobotError> {
        let root = self.root;
        for world in root.all("worldbody") {
            let mut content = empty(None, Pose::IDENTITY, world);
            let around = world.get("childclass").unwrap_or("main").to_string();
            self.content(world, &around, Pose::IDENTITY, &mut content, None)?;
            let geoms = content.heavy.into_iter().map(|h| h.geom);
            self.robot.world_geoms.extend(geoms);
            self.robot.world_sites.extend(content.body.sites);
            self.nested(world, &around, Pose::IDENTITY, None)?;
        }
        Ok(())
    }

    /// Reads the elements of a body or frame. A body of the world is read with `own` none.
    fn content(
        &mut self,
        node: &'a Node,
        around: &str,
        frame: Pose,
        into: &mut Content,
        own: Option<usize>,
    ) -> Result<(), RobotError> {
        for child in &node.children {
            match child.tag.as_str() {
                "geom" => {
                    let heavy = self.geom(child, around, frame)?;
                    into.heavy.push(heavy);
                }
                "site" => {
                    let name = self.name("site", child)?;
                    let e = self
                        .classes
                        .element("site", child, around, self.sources())?;
                    let pose = frame * self.placed(e)?.0;
                    into.body.sites.push(Site { name, pose });
                }
                "joint" | "freejoint" => {
                    let joint = self.joint(child, around, frame, own)?;
                    into.body.joints.push(joint);
                }
                "inertial" => into.inertial = Some(self.inertial(child, frame)?),
                "frame" => {
                    let class = self.child_class(child, around)?;
                    let inner = frame * self.pose(bare(child))?;
                    self.content(child, &class, inner, into, own)?;
                }
                "attach" | "replicate" => {
                    let message =
                        format!("`{}` is not read: the robot would lack parts", child.tag);
                    let help = "save the compiled model (MuJoCo: mj_saveLastXML) and read that";
                    return Err(self.error(&child.place, message).help(help));
                }
                "flexcomp" | "composite" => {
                    let message = format!("`{}` is not simulated and was left out", child.tag);
                    self.robot.warn(&child.place, message);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The bodies inside a body or frame, after what it is itself made of, in the order of the file.
    fn nested(
        &mut self,
        node: &'a Node,
        around: &str,
        frame: Pose,
        own: Option<usize>,
    ) -> Result<(), RobotError> {
        for child in &node.children {
            match child.tag.as_str() {
                "body" => self.body(child, around, frame, own)?,
                "frame" => {
                    let class = self.child_class(child, around)?;
                    let inner = frame * self.pose(bare(child))?;
                    self.nested(child, &class, inner, own)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn child_class(&self, node: &Node, around: &str) -> Result<String, RobotError> {
        if let Some(a) = node.attribute("childclass") {
            self.classes.check(a, self.sources())?;
            return Ok(a.value.clone());
        }
        Ok(around.to_string())
    }

    fn body(
        &mut self,
        node: &'a Node,
        around: &str,
        frame: Pose,
        parent: Option<usize>,
    ) -> Result<(), RobotError> {
        let class = self.child_class(node, around)?;
        let mut content = empty(parent, frame * self.pose(bare(node))?, node);
        content.body.name = self.name("body", node)?;
        content.body.gravity_compensation = bare(node).number("gravcomp", 0.0, self.sources())?;
        let own = self.robot.bodies.len();
        self.robot.bodies.push(content.body.clone());
        self.content(node, &class, Pose::IDENTITY, &mut content, Some(own))?;
        self.finish(own, &mut content);
        self.nested(node, &class, Pose::IDENTITY, Some(own))
    }

    /// Puts a body that has been read into its place, with its inertia.
    fn finish(&mut self, own: usize, content: &mut Content) {
        let heavy = std::mem::take(&mut content.heavy);
        let inertia = self.body_inertia(&content.body, content.inertial, &heavy);
        let mut body = content.body.clone();
        body.inertia = inertia;
        let discard = self.compiler.discard_visual;
        body.geoms = heavy
            .into_iter()
            .map(|h| h.geom)
            .filter(|g| !(discard && g.visual))
            .collect();
        self.robot.bodies[own] = body;
    }

    fn joint(
        &mut self,
        node: &'a Node,
        around: &str,
        frame: Pose,
        own: Option<usize>,
    ) -> Result<JointDescription, RobotError> {
        let name = self.name("joint", node)?;
        if own.is_none() {
            return Err(self.error(&node.place, "the world has no joints"));
        }
        let e = match node.tag.as_str() {
            "freejoint" => bare(node),
            _ => self
                .classes
                .element("joint", node, around, self.sources())?,
        };
        let sources = self.sources();
        let axis = e.some("axis", [0.0, 0.0, 1.0], sources)?;
        let axis = frame.transform_vector(Vec3::from_array(axis));
        let kind = match e.get("type") {
            _ if node.tag == "freejoint" => JointKind::Free,
            None | Some("hinge") => JointKind::Hinge(axis),
            Some("slide") => JointKind::Slide(axis),
            Some("ball") => JointKind::Ball,
            Some("free") => JointKind::Free,
            Some(other) => {
                let place = e.attribute("type").map_or(&node.place, |a| &a.place);
                let message = format!("`{other}` is not a type of joint");
                let known = ["hinge", "slide", "ball", "free"];
                let help = crate::error::suggestion(other, known);
                return Err(self.error(place, message).help(help));
            }
        };
        let moves_along = matches!(kind, JointKind::Hinge(_) | JointKind::Slide(_));
        if moves_along && axis.length() < 1e-12 {
            let place = e.attribute("axis").map_or(&node.place, |a| &a.place);
            return Err(self.error(place, "the axis of this joint has no direction"));
        }
        let hinge = matches!(kind, JointKind::Hinge(_));
        let angle = |x: f64| if hinge { self.compiler.angle(x) } else { x };
        let mut joint = Joint::new(kind);
        if moves_along {
            joint.reference = angle(e.number("ref", 0.0, sources)?);
            joint.spring_reference = angle(e.number("springref", 0.0, sources)?);
        }
        // stiffness and damping may be polynomials since MuJoCo 3.4; the first number is the linear part
        let first = |name: &str| e.some(name, [0.0; 1], sources).map(|[x]| x);
        joint.stiffness = first("stiffness")?;
        joint.damping = first("damping")?;
        joint.armature = e.number("armature", 0.0, sources)?;
        joint.friction_loss = e.number("frictionloss", 0.0, sources)?;
        let automatic = self.compiler.automatic_limits;
        if kind != JointKind::Free {
            let range = e.limits("range", "limited", automatic, sources)?;
            let turns = hinge || kind == JointKind::Ball;
            joint.limits = range.map(|(low, high)| {
                if turns {
                    (self.compiler.angle(low), self.compiler.angle(high))
                } else {
                    (low, high)
                }
            });
        }
        let effort = e.limits("actuatorfrcrange", "actuatorfrclimited", automatic, sources)?;
        let spring = e.some("springdamper", [0.0; 2], sources)?;
        let anchor = e.some("pos", [0.0; 3], sources)?;
        Ok(JointDescription {
            name,
            joint,
            anchor: frame.transform_point(Vec3::from_array(anchor)),
            effort,
            velocity: None,
            spring_damper: (spring[0] > 0.0 && spring[1] > 0.0).then_some((spring[0], spring[1])),
            place: node.place.clone(),
        })
    }

    /// Pose and, for shapes between two points, half their distance.
    fn placed(&self, e: Element<'_>) -> Result<(Pose, Option<f64>), RobotError> {
        let Some(a) = e.attribute("fromto") else {
            return Ok((self.pose(e)?, None));
        };
        let v = exactly::<6>(a, self.sources())?;
        let (from, to) = (Vec3::new(v[0], v[1], v[2]), Vec3::new(v[3], v[4], v[5]));
        let along = from - to;
        if along.length() < 1e-15 {
            return Err(self.error(&a.place, "`fromto` has the same point twice"));
        }
        let pose = Pose::from_parts((from + to) * 0.5, z_to(along));
        Ok((pose, Some(0.5 * along.length())))
    }

    /// A shape that is no mesh; `half` is half its length, where the ends are given.
    fn shape(
        &self,
        e: Element<'_>,
        kind: &str,
        half: Option<f64>,
        place: &Place,
    ) -> Result<Shape, RobotError> {
        let sources = self.sources();
        let size = e.some("size", [0.0; 3], sources)?;
        let wants = |n: usize| -> Result<(), RobotError> {
            let known = n - usize::from(half.is_some() && n > 1);
            if size[..known.max(1)].iter().all(|s| *s > 0.0) {
                return Ok(());
            }
            let place = e.attribute("size").map_or(place, |a| &a.place);
            let message = format!("a {kind} needs {n} positive sizes");
            Err(sources.error(place, message))
        };
        Ok(match kind {
            "sphere" => {
                wants(1)?;
                Shape::Sphere(size[0])
            }
            "capsule" => {
                wants(2)?;
                Shape::Capsule(size[0], half.unwrap_or(size[1]))
            }
            "cylinder" => {
                wants(2)?;
                Shape::Cylinder(size[0], half.unwrap_or(size[1]))
            }
            "box" | "ellipsoid" => {
                let h = match half {
                    Some(half) => {
                        Vec3::new(size[0], if size[1] > 0.0 { size[1] } else { size[0] }, half)
                    }
                    None => {
                        wants(3)?;
                        Vec3::from_array(size)
                    }
                };
                if kind == "box" {
                    Shape::Box(h)
                } else {
                    Shape::Ellipsoid(h)
                }
            }
            "plane" => Shape::Plane,
            "hfield" => Shape::HeightField,
            "sdf" => {
                let message = "shapes of plugins are not read";
                return Err(self.error(place, message));
            }
            other => {
                let place = e.attribute("type").map_or(place, |a| &a.place);
                let known = [
                    "sphere",
                    "capsule",
                    "cylinder",
                    "box",
                    "ellipsoid",
                    "plane",
                    "mesh",
                    "hfield",
                ];
                let help = crate::error::suggestion(other, known);
                let message = format!("`{other}` is not a type of shape");
                return Err(self.error(place, message).help(help));
            }
        })
    }

    fn geom(&mut self, node: &'a Node, around: &str, frame: Pose) -> Result<Heavy, RobotError> {
        let name = self.name("geom", node)?;
        let e = self.classes.element("geom", node, around, self.sources())?;
        let sources = self.sources();
        let (pose, half) = self.placed(e)?;
        let flag = |name: &str, default: f64| e.number(name, default, sources).map(|x| x as u32);
        let contact = (flag("contype", 1.0)?, flag("conaffinity", 1.0)?);
        let visual = contact == (0, 0);
        let kind = e.get("type").unwrap_or("sphere");
        let fitted = e.get("mesh").is_some() && kind != "mesh";
        let shape = match fitted || kind == "mesh" {
            true => Shape::Mesh(self.mesh_index(e, visual)?),
            false => self.shape(e, kind, half, &node.place)?,
        };
        let sources = self.sources();
        let rgba = match e.attribute("rgba") {
            Some(_) => e.some("rgba", GREY, sources)?,
            None => e
                .get("material")
                .and_then(|m| self.colours.get(m))
                .copied()
                .unwrap_or(GREY),
        };
        let heavy = Heavy {
            mass: e
                .attribute("mass")
                .map(|_| e.number("mass", 0.0, sources))
                .transpose()?,
            density: e.number("density", 1000.0, sources)?,
            hollow: e.get("shellinertia") == Some("true"),
            group: e.number("group", 0.0, sources)?,
            geom: Geom {
                name,
                shape,
                pose: frame * pose,
                visual,
                collision_only: false,
                contact,
                friction: e.some("friction", [1.0, 0.005, 0.0001], sources)?,
                rgba,
                place: node.place.clone(),
            },
        };
        if fitted {
            let message =
                format!("a {kind} fitted to a mesh is not computed; the mesh itself is used");
            self.robot.warn(&node.place, message);
        }
        if heavy.mass.is_some_and(|m| m < 0.0) {
            return Err(self.error(&node.place, "the mass of this shape is negative"));
        }
        Ok(heavy)
    }

    fn mesh_index(&self, e: Element<'_>, visual: bool) -> Result<usize, RobotError> {
        let Some(a) = e.attribute("mesh") else {
            return Err(self.error(&e.node.place, "a shape of type mesh needs `mesh`"));
        };
        let meshes = &self.robot.meshes;
        let Some(index) = meshes.iter().position(|m| m.name == a.value) else {
            let help = crate::error::suggestion(&a.value, meshes.iter().map(|m| m.name.as_str()));
            let message = format!("there is no mesh `{}`", a.value);
            return Err(self.error(&a.place, message).help(help));
        };
        if let (Some(why), false) = (&self.missing[index], visual) {
            return Err(self.error(&meshes[index].place, why.clone()));
        }
        Ok(index)
    }
}

/// An element without defaults.
pub(super) fn bare(node: &Node) -> Element<'_> {
    Element {
        node,
        defaults: None,
        shared: None,
    }
}

fn empty(parent: Option<usize>, pose: Pose, node: &Node) -> Content {
    Content {
        body: Body {
            name: String::new(),
            parent,
            pose,
            inertia: Inertia::NONE,
            joints: Vec::new(),
            geoms: Vec::new(),
            sites: Vec::new(),
            gravity_compensation: 0.0,
            place: node.place.clone(),
        },
        heavy: Vec::new(),
        inertial: None,
    }
}
